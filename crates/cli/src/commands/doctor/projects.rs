//! Settings, and the projects that a memory directory belongs to.

use memdir_settings::Severity;
use memdir_store::{LeftBehind, left_behind, moved_here};

use super::Check;
use crate::commands::r#move::unfinished::{self, Moving};
use crate::quoting::quoted;
use crate::remarks;
use crate::workplace::Workplace;

/// Whether memory is on.
pub(super) fn switch(workplace: &Workplace) -> Check {
    const CHECK: &str = "memory";
    let decision = &workplace.places.memory;
    match decision.enabled {
        true => Check::ok(CHECK, format!("on ({})", decision.reason)),
        false => Check::warn(
            CHECK,
            format!(
                "off (by {}): agents do not see the memories",
                decision.reason
            ),
            "commands still work; take the switch away to turn it on",
        ),
    }
}

/// What is wrong in settings, and what was not taken from them.
pub(super) fn settings(workplace: &Workplace) -> Vec<Check> {
    const CHECK: &str = "settings";
    let mut checks = Vec::new();
    for remark in remarks::about_places(workplace) {
        let remedy = "`memdir paths` says which place is used instead";
        checks.push(Check::warn(CHECK, remark, remedy));
    }
    for (remark, severity) in remarks::about_settings(workplace) {
        checks.push(match severity {
            Severity::Error => {
                Check::fail(CHECK, remark, "mend the file; most commands wait for it")
            }
            Severity::Warning => {
                let remedy = "`memdir config list --origin` says what counts instead";
                Check::warn(CHECK, remark, remedy)
            }
        });
    }
    if let Some(remark) = remarks::about_tracked(workplace) {
        let remedy = "what agents read in files of the project waits in the inbox meanwhile; `git status` says whether git reads it";
        checks.push(Check::warn(CHECK, remark, remedy));
    }
    if let Some(path) = remarks::untrusted(workplace) {
        let path = workplace.shown(path.as_ref());
        checks.push(Check::warn(
            CHECK,
            format!("{path} counts as a file of the project"),
            "`memdir trust` shows what it asks for, and lets it count",
        ));
    }
    if checks.is_empty() {
        checks.push(Check::ok(CHECK, "nothing refused, nothing misspelt"));
    }
    checks
}

/// Instruction files that deserve a look; without one there is nothing to say.
pub(super) fn instructions(workplace: &Workplace) -> Vec<Check> {
    let remedy = format!("{} lists them", workplace.command("instructions"));
    remarks::about_instructions(workplace)
        .into_iter()
        .map(|remark| Check::warn("instructions", remark, remedy.clone()))
        .collect()
}

/// Other projects in this directory, and directories of this project that it has left behind.
pub(super) fn roots(workplace: &Workplace) -> Vec<Check> {
    const CHECK: &str = "project";
    let mut checks = Vec::new();
    for root in remarks::other_roots(workplace) {
        let remedy = match root.exists() {
            true => {
                "give one of the projects a directory of its own: `autoMemoryDirectory` in its settings.local.json"
            }
            false => "if the project has moved here, all is well",
        };
        checks.push(Check::warn(
            CHECK,
            remarks::about_other_root(workplace, &root),
            remedy,
        ));
    }
    if let Some(Moving { old, new }) = unfinished::find(workplace) {
        checks.push(Check::warn(
            CHECK,
            format!(
                "the move from {} to {} stopped halfway: both have the memories",
                workplace.shown(&old),
                workplace.shown(&new)
            ),
            format!(
                "`memdir move {} {}` finishes it",
                quoted(&old),
                quoted(&new)
            ),
        ));
    }
    let moved = moved_here(&workplace.places);
    let own = &workplace.places.project.root;
    for LeftBehind {
        root, directory, ..
    } in &moved
    {
        checks.push(Check::warn(
            CHECK,
            format!(
                "this repository was in {} before and left its memories in {}",
                workplace.shown(root),
                workplace.shown(directory)
            ),
            format!(
                "`memdir move {} {}` brings them here",
                quoted(root),
                quoted(own)
            ),
        ));
    }
    // One of the same name may be this one.
    let alike = left_behind(&workplace.places)
        .into_iter()
        .filter(|left| left.root.file_name() == own.file_name() && !moved.contains(left));
    for LeftBehind {
        root, directory, ..
    } in alike
    {
        checks.push(Check::warn(
            CHECK,
            format!(
                "{} is gone and left memories in {}",
                workplace.shown(&root),
                workplace.shown(&directory)
            ),
            format!(
                "if this project is the same, look with `memdir list --memory-dir {}`, and `memdir move {} {}` brings them here",
                quoted(&directory),
                quoted(&root),
                quoted(own)
            ),
        ));
    }
    if checks.is_empty() {
        checks.push(Check::ok(
            CHECK,
            workplace.shown(&workplace.places.project.root),
        ));
    }
    checks
}
