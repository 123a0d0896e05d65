//! Every dependency comes under a licence that `deny.toml` allows.
//!
//! Read from `cargo metadata` rather than by `cargo deny`, which would have to be compiled first.

use std::collections::HashSet;
use std::path::Path;

use anyhow::{Context as _, Result};
use serde_json::Value;

use super::manifests::{array, text};
use super::{Finding, spdx};

pub(super) fn check(metadata: &Value, rules: &Path) -> Result<Vec<Finding>> {
    let allowed = allow_list(rules)?;
    let mut findings = Vec::new();
    for package in array(metadata, "packages")? {
        let place = format!("{} {}", text(package, "name")?, text(package, "version")?);
        let expression = package
            .get("license")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let what = match spdx::satisfied(expression, &|licence| allowed.contains(licence)) {
            Some(true) => continue,
            Some(false) => format!("licence `{expression}` is not allowed"),
            None if expression.is_empty() => "names no licence".to_owned(),
            None => format!("licence `{expression}` is not an SPDX expression"),
        };
        findings.push(Finding {
            place,
            what,
            remedy: "choose another crate, or allow the licence in deny.toml and say why there",
        });
    }
    Ok(findings)
}

fn allow_list(rules: &Path) -> Result<HashSet<String>> {
    let rules_text = std::fs::read_to_string(rules)
        .with_context(|| format!("reading the allowed licences from {}", rules.display()))?;
    let table: toml::Table = rules_text
        .parse()
        .with_context(|| format!("{} is not TOML", rules.display()))?;
    let list = table
        .get("licenses")
        .and_then(|licenses| licenses.get("allow"))
        .and_then(toml::Value::as_array)
        .with_context(|| format!("{} has no list [licenses] allow", rules.display()))?;
    Ok(list
        .iter()
        .filter_map(toml::Value::as_str)
        .map(str::to_owned)
        .collect())
}
