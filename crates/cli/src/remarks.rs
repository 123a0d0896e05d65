//! What a user should know about where memory is: choices that were refused, variables that are not believed, settings
//! files with mistakes, a directory that two projects share.

use std::path::PathBuf;

use memdir_context::instructions::Warning;
use memdir_session::instructions::{Allowance, discover};
use memdir_settings::{Layer, Severity, ToolTrust};
use memdir_store::places::{Origin, Refusal, RefusalReason};
use memdir_store::{Tracked, recorded_roots};

use crate::failure::Failure;

use crate::table::one_line;
use crate::workplace::Workplace;

/// Everything about places and settings that is not as somebody wanted it.
pub(crate) fn all(workplace: &Workplace) -> Vec<String> {
    let mut remarks = about_places(workplace);
    remarks.extend(
        about_settings(workplace)
            .into_iter()
            .map(|(remark, _)| remark),
    );
    if let Some(file) = untrusted(workplace) {
        let file = one_line(&file).into_owned();
        remarks.push(format!(
            "{file} is not trusted: {} shows what it asks for",
            workplace.command("trust")
        ));
    }
    remarks
}

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
    let obeyed = places.obeyed_variables.iter().map(|obeyed| {
        format!(
            "the variable {} switches something off because {} sets it, which a project may do",
            obeyed.name, obeyed.file
        )
    });
    let withheld = places.withheld_from_models().map(ToString::to_string);
    let refused = refused.iter().map(ToString::to_string);
    refused
        .chain(ignored)
        .chain(obeyed)
        .chain(withheld)
        .map(|remark| one_line(&remark).into_owned())
        .collect()
}

/// Why no file of the project counts as tracked, for who asked that tracked ones are trusted.
pub(crate) fn about_tracked(workplace: &Workplace) -> Option<String> {
    let places = &workplace.places;
    if places.settings.settings().memory.trust != ToolTrust::Tracked {
        return None;
    }
    let tracked = Tracked::of(&places.project);
    let problem = tracked.problem()?;
    Some(one_line(&format!("no file counts as tracked by git: {problem}")).into_owned())
}

/// What is wrong with settings, and what was not taken from files of the project.
pub(crate) fn about_settings(workplace: &Workplace) -> Vec<(String, Severity)> {
    let settings = &workplace.places.settings;
    let refused = settings
        .refused()
        .iter()
        .map(|refused| (refused.to_string(), Severity::Warning));
    let problems = settings
        .problems()
        .iter()
        .map(|problem| (problem.to_string(), problem.severity));
    refused
        .chain(problems)
        .map(|(remark, severity)| (one_line(&remark).into_owned(), severity))
        .collect()
}

/// A local settings file that asked for something and did not get it, because nobody has vouched for it.
pub(crate) fn untrusted(workplace: &Workplace) -> Option<String> {
    let places = &workplace.places;
    let settings = places.settings.refused().iter();
    let mut of_settings = settings.filter_map(|refused| match &refused.asked.origin {
        memdir_settings::Origin::File {
            layer: Layer::Local,
            file,
            ..
        } => Some(file.clone()),
        _ => None,
    });
    let directories = places.memory_dir.refused.iter();
    let mut of_directories = directories.filter_map(|refused| match &refused.origin {
        Origin::Setting {
            layer: Layer::Local,
            file,
            ..
        } if refused.reason == RefusalReason::Repository => Some(file.clone()),
        _ => None,
    });
    of_settings.next().or_else(|| of_directories.next())
}

/// Stops a command where the user's own settings have a mistake: what they were meant to say is not known.
pub(crate) fn refuse_bad_settings(workplace: &Workplace) -> Result<(), Failure> {
    let problems = workplace.places.problems().iter();
    let mut errors = problems.filter(|problem| problem.severity == Severity::Error);
    let Some(first) = errors.next() else {
        return Ok(());
    };
    let mut hint: String = errors.map(|error| format!("also {error}\n")).collect();
    hint.push_str("mend the file; `memdir config list` shows every setting");
    Err(Failure::new(one_line(&first.to_string()), hint))
}

/// Instruction files that are larger than is good, and what was hidden in them.
pub(crate) fn about_instructions(workplace: &Workplace) -> Vec<String> {
    let found = discover(&workplace.home(), Allowance::of(&workplace.home())).unwrap_or_default();
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
