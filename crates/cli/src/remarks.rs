//! What a user should know about where memory is: choices that were refused, variables that are not believed, settings
//! files with mistakes, a directory that two projects share.

use std::path::PathBuf;

use memdir_context::instructions::Warning;
use memdir_store::places::{Origin, Refusal};
use memdir_store::recorded_roots;

use crate::instructions::{Allowance, discover};
use crate::table::one_line;
use crate::workplace::Workplace;

/// Everything about places that is not as somebody wanted it.
pub(crate) fn about_places(workplace: &Workplace) -> Vec<String> {
    let places = &workplace.places;
    let refused: Vec<&Refusal> = places
        .home
        .refused
        .iter()
        .chain(&places.memory_dir.refused)
        .collect();
    let is_told = |name| {
        refused
            .iter()
            .any(|refused| refused.origin == Origin::Variable(name))
    };
    // A variable whose value was refused for this very reason is told already.
    let ignored = places
        .ignored_variables
        .iter()
        .filter(|ignored| !is_told(ignored.name));
    let ignored = ignored.map(|ignored| {
        format!(
            "the variable {} is not believed, because {} sets it",
            ignored.name, ignored.file
        )
    });
    let problems = places.problems.iter().map(ToString::to_string);
    let refused = refused.iter().map(ToString::to_string);
    refused
        .chain(ignored)
        .chain(problems)
        .map(|remark| one_line(&remark).into_owned())
        .collect()
}

/// Instruction files that are larger than is good, and what was hidden in them.
pub(crate) fn about_instructions(workplace: &Workplace) -> Vec<String> {
    let found = discover(workplace, Allowance::default()).unwrap_or_default();
    let warnings = found.warnings.iter();
    warnings
        // What is wrong with the index is told where the index is.
        .filter(|warning| !matches!(warning, Warning::Index { .. }))
        .map(|warning| one_line(&warning.to_string()).into_owned())
        .collect()
}

/// Other projects that have written to this memory directory. The slug of a path is lossy, so that two paths can share
/// one directory.
pub(crate) fn other_roots(workplace: &Workplace) -> Vec<PathBuf> {
    if workplace.everywhere {
        return Vec::new();
    }
    let recorded = recorded_roots(workplace.store.state_directory()).unwrap_or_default();
    let own = &workplace.places.project.root;
    recorded
        .into_iter()
        .map(|recorded| recorded.root)
        .filter(|root| root != own)
        .collect()
}

/// What to say about another project in the same directory.
pub(crate) fn about_other_root(workplace: &Workplace, root: &std::path::Path) -> String {
    let shown = workplace.shown(root);
    match root.exists() {
        true => {
            format!("{shown} writes to this memory directory as well: its path has the same slug")
        }
        false => format!("this memory directory was made for {shown}, which is gone"),
    }
}
