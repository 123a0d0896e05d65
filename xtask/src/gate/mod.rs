//! `cargo xtask gate`: the rules of the house that no compiler checks.
//!
//! Each rule looks at the tree and returns what it found; nothing is fixed here. A finding says
//! what is wrong, where, and what to do about it.

mod direction;
mod licences;
mod manifests;
mod purity;
mod size;
mod spdx;
mod words;

use std::fmt;
use std::path::Path;

use anyhow::{Context as _, Result, bail};

use crate::workspace;

/// One thing that a rule objects to.
#[derive(Debug)]
struct Finding {
    /// File, and line where that helps; or a package.
    place: String,
    /// What is wrong.
    what: String,
    /// What to do.
    remedy: &'static str,
}

impl fmt::Display for Finding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}; {}", self.place, self.what, self.remedy)
    }
}

/// A project file that is text.
struct Source {
    path: String,
    text: String,
}

/// Runs every rule and fails when one of them found something.
pub(crate) fn run() -> Result<()> {
    let root = workspace::root()?;
    let sources = read_sources(&root)?;
    let metadata = workspace::metadata(&root)?;
    let packages = manifests::members(&metadata)?;

    let rules = [
        ("file size", size::check(&sources)),
        ("crate direction", direction::check(&packages)),
        (
            "licences",
            licences::check(&metadata, &root.join("deny.toml"))?,
        ),
        ("forbidden words", words::check(&sources)),
        ("purity", purity::check(&sources)),
        ("package manifests", manifests::check(&packages, &root)?),
    ];
    let mut found = 0;
    for (rule, findings) in &rules {
        let verdict = if findings.is_empty() { "ok" } else { "FAILED" };
        println!("{rule:<20} {verdict}");
        for finding in findings {
            println!("  {finding}");
        }
        found += findings.len();
    }
    for warning in size::warnings(&sources) {
        println!("warning: {warning}");
    }
    if found > 0 {
        bail!("{found} finding(s), listed above");
    }
    Ok(())
}

fn read_sources(root: &Path) -> Result<Vec<Source>> {
    let mut sources = Vec::new();
    for path in workspace::files(root)? {
        let bytes = std::fs::read(root.join(&path)).with_context(|| format!("reading {path}"))?;
        // Files that are not text (an image, a broken test input) have no lines to look at.
        if let Ok(text) = String::from_utf8(bytes) {
            sources.push(Source { path, text });
        }
    }
    Ok(sources)
}
