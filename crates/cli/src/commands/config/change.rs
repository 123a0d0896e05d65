//! Changing the user's own settings file.

use std::path::PathBuf;

use memdir_settings::{EditProblem, Key, Layer, Origin, Sourced, with_value, without_value};
use memdir_store::{Places, RecordError, read_settings_file, replace_settings_file};
use serde::Serialize;

use super::{find, shown_origin};
use crate::difference::{print_unified, unified};
use crate::failure::Failure;
use crate::output::{FAINT, Output, STRONG};
use crate::workplace::Workplace;

/// How often a change is tried again because somebody else wrote at the same time.
const ATTEMPTS: usize = 32;

#[derive(Serialize)]
struct Answer<'a> {
    dry_run: bool,
    file: PathBuf,
    key: &'a str,
    value: Option<String>,
    changed: bool,
    diff: String,
    /// Whether the value in the file is the one that counts; not known before it stands there.
    effective: Option<bool>,
}

pub(super) fn set(
    workplace: &Workplace,
    key: &'static Key,
    typed: &str,
    dry_run: bool,
    output: &mut Output,
) -> Result<(), Failure> {
    let value = key.kind.read(typed).ok_or_else(|| {
        Failure::unknown(
            format!("`{}` has to be {}, not {typed:?}", key.name, key.kind),
            "nothing was changed",
        )
    })?;
    let change = change(workplace, dry_run, |text| {
        with_value(text, key, value).map(Some)
    })?;
    let stronger = match dry_run {
        true => None,
        false => stronger(workplace, key),
    };
    let text = value.to_string();
    let answer = Answer {
        effective: (!dry_run).then_some(stronger.is_none()),
        ..answer(workplace, key.name, Some(text), dry_run, &change)
    };
    if output.json {
        return Ok(output.json(&answer)?);
    }
    let done = match (answer.changed, dry_run) {
        (false, _) => "Nothing to change: it says",
        (true, true) => "Would set",
        (true, false) => "Set",
    };
    output.line(format!(
        "{done} {STRONG}{} = {value}{STRONG:#} in {}",
        key.name,
        workplace.shown(&answer.file)
    ))?;
    print_if_dry(&answer, output)?;
    if let Some(stronger) = stronger {
        output.flush()?;
        output.warn(format!(
            "it does not count here: {} says {}, which is stronger",
            shown_origin(workplace, &stronger.origin),
            stronger.value
        ));
    }
    Ok(())
}

pub(super) fn unset(
    workplace: &Workplace,
    name: &str,
    dry_run: bool,
    output: &mut Output,
) -> Result<(), Failure> {
    let change = change(workplace, dry_run, |text| without_value(text, name))?;
    if change.after.is_none() {
        // A name that is misspelt in the file can be taken out of it; one that is nowhere is a mistake.
        find(name)?;
    }
    let answer = answer(workplace, name, None, dry_run, &change);
    if output.json {
        return Ok(output.json(&answer)?);
    }
    let file = workplace.shown(&answer.file);
    output.line(match (answer.changed, dry_run) {
        (false, _) => {
            format!("Nothing to change: there is no {STRONG}{name}{STRONG:#} in {file}")
        }
        (true, true) => format!("Would take {STRONG}{name}{STRONG:#} out of {file}"),
        (true, false) => format!("Took {STRONG}{name}{STRONG:#} out of {file}"),
    })?;
    print_if_dry(&answer, output)?;
    if let Some(key) = Key::find(name).filter(|_| answer.changed && !dry_run) {
        let built_in = key.default;
        output.line(format!("{FAINT}built-in is {built_in}{FAINT:#}"))?;
    }
    Ok(())
}

/// The texts of the file before and after; `None` after is that nothing is to be changed.
struct Change {
    before: Option<String>,
    after: Option<String>,
}

fn change(
    workplace: &Workplace,
    dry_run: bool,
    edit: impl Fn(&str) -> Result<Option<String>, EditProblem>,
) -> Result<Change, Failure> {
    let home = &workplace.places.home.path;
    let file = workplace.shown(&workplace.places.settings_file());
    let mut attempts = 0;
    loop {
        let before = read_settings_file(home)?;
        let text = before.as_deref().unwrap_or_default();
        let after = edit(text).map_err(|problem| {
            let colon = match problem {
                EditProblem::Syntax { .. } => ":",
                EditProblem::NotSection(_) => ": ",
            };
            Failure::new(
                format!("{file}{colon}{problem}"),
                "mend the file first; nothing was changed",
            )
        })?;
        let after = after.filter(|after| after != text);
        let written = match &after {
            Some(after) if !dry_run => replace_settings_file(home, before.as_deref(), after),
            _ => Ok(()),
        };
        attempts += 1;
        match written {
            Ok(()) => return Ok(Change { before, after }),
            Err(RecordError::Conflict { .. }) if attempts < ATTEMPTS => {}
            Err(RecordError::Store(error)) => return Err(error.into()),
            Err(error) => return Err(Failure::new(error.to_string(), "try again")),
        }
    }
}

fn answer<'a>(
    workplace: &Workplace,
    name: &'a str,
    value: Option<String>,
    dry_run: bool,
    change: &Change,
) -> Answer<'a> {
    let file = workplace.places.settings_file();
    let shown = workplace.shown(&file);
    let diff = change
        .after
        .as_ref()
        .map(|after| unified(&shown, change.before.as_deref(), Some(after)));
    Answer {
        dry_run,
        file,
        key: name,
        value,
        changed: change.after.is_some(),
        diff: diff.unwrap_or_default(),
        effective: None,
    }
}

fn print_if_dry(answer: &Answer<'_>, output: &mut Output) -> Result<(), Failure> {
    match answer.dry_run {
        true => Ok(print_unified(&answer.diff, output)?),
        false => Ok(()),
    }
}

/// Who has the last word about a setting now, if it is not the user's own file.
fn stronger(workplace: &Workplace, key: &Key) -> Option<Sourced> {
    let places = Places::find(&workplace.environment).ok()?;
    let sourced = places.settings.get(key)?;
    match &sourced.origin {
        Origin::BuiltIn
        | Origin::File {
            layer: Layer::User, ..
        } => None,
        Origin::File { .. } | Origin::Variable(_) | Origin::Flag => Some(sourced.clone()),
    }
}
