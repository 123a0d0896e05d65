//! What the packages of the workspace say about themselves.

use std::collections::HashSet;
use std::path::Path;

use anyhow::{Context as _, Result};
use serde_json::Value;

use super::Finding;

/// A package of ours.
#[derive(Debug)]
pub(super) struct Member {
    /// As cargo knows it: `memdir-store`.
    pub(super) package: String,
    /// As the house knows it: `store`.
    pub(super) room: String,
    /// Path of its `Cargo.toml`.
    pub(super) manifest: String,
    /// Which others of ours it depends on.
    pub(super) uses: Vec<Use>,
}

/// One dependency on another package of ours.
#[derive(Debug)]
pub(super) struct Use {
    pub(super) room: String,
    pub(super) only_in_tests: bool,
}

/// Reads our own packages out of `cargo metadata`.
pub(super) fn members(metadata: &Value) -> Result<Vec<Member>> {
    let ids: HashSet<&str> = array(metadata, "workspace_members")?
        .filter_map(Value::as_str)
        .collect();
    let ours: Vec<&Value> = array(metadata, "packages")?
        .filter(|package| text(package, "id").is_ok_and(|id| ids.contains(id)))
        .collect();
    let names: HashSet<&str> = ours
        .iter()
        .filter_map(|package| text(package, "name").ok())
        .collect();
    ours.iter().map(|package| member(package, &names)).collect()
}

fn member(package: &Value, names: &HashSet<&str>) -> Result<Member> {
    let name = text(package, "name")?;
    let mut uses = Vec::new();
    for dependency in array(package, "dependencies")? {
        let used = text(dependency, "name")?;
        if names.contains(used) {
            let only_in_tests = dependency.get("kind").and_then(Value::as_str) == Some("dev");
            uses.push(Use {
                room: room(used),
                only_in_tests,
            });
        }
    }
    Ok(Member {
        package: name.to_owned(),
        room: room(name),
        manifest: text(package, "manifest_path")?.to_owned(),
        uses,
    })
}

fn room(package: &str) -> String {
    package
        .strip_prefix("memdir-")
        .unwrap_or(package)
        .to_owned()
}

/// Every package takes the workspace's lints, and lives in the folder that its name says.
pub(super) fn check(members: &[Member], root: &Path) -> Result<Vec<Finding>> {
    let mut findings = Vec::new();
    for member in members {
        let path = Path::new(&member.manifest);
        let place = path
            .strip_prefix(root)
            .unwrap_or(path)
            .display()
            .to_string();
        let manifest = std::fs::read_to_string(path).with_context(|| format!("reading {place}"))?;
        let manifest: toml::Table = manifest
            .parse()
            .with_context(|| format!("{place} is not TOML"))?;
        if !takes_workspace_lints(&manifest) {
            findings.push(Finding {
                place: place.clone(),
                what: "does not take the workspace's lints".to_owned(),
                remedy: "add `[lints]` with `workspace = true`",
            });
        }
        let folder = path.parent().and_then(Path::file_name).unwrap_or_default();
        if folder != member.room.as_str() {
            findings.push(Finding {
                place,
                what: format!(
                    "package `{}` is not in a folder `{}`",
                    member.package, member.room
                ),
                remedy: "folders carry plain names, packages the prefix `memdir-`",
            });
        }
    }
    Ok(findings)
}

fn takes_workspace_lints(manifest: &toml::Table) -> bool {
    manifest
        .get("lints")
        .and_then(|lints| lints.get("workspace"))
        .and_then(toml::Value::as_bool)
        == Some(true)
}

/// A list in a piece of `cargo metadata`.
pub(super) fn array<'a>(value: &'a Value, key: &str) -> Result<impl Iterator<Item = &'a Value>> {
    let list = value.get(key).and_then(Value::as_array);
    Ok(list
        .with_context(|| format!("cargo metadata has no list `{key}`"))?
        .iter())
}

/// A string in a piece of `cargo metadata`.
pub(super) fn text<'a>(value: &'a Value, key: &str) -> Result<&'a str> {
    value
        .get(key)
        .and_then(Value::as_str)
        .with_context(|| format!("cargo metadata has no text `{key}`"))
}
