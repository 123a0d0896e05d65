//! `memdir edit`: a memory in the user's editor, saved against what was seen.

use clap::Args;
use memdir_memory::{Header, INDEX_NAME, Index, MemoryPath, hidden, private_spans};
use memdir_store::{Author, Error, Found, Outcome, Reason, Scan, index_of, index_words};
use serde::Serialize;

use super::remember::without_private;
use crate::difference::Difference;
use crate::editor::{self, Copy, Editor};
use crate::failure::Failure;
use crate::output::{FAINT, Output, STRONG};
use crate::resolve;
use crate::warning::Warnings;
use crate::workplace::Workplace;

/// Change a memory in your editor
///
/// Opens a private copy in $VISUAL, $EDITOR or vi. What others change meanwhile is merged; where that
/// cannot be done, and where a secret is refused, your text is kept and its place is printed. The
/// line in the index follows name and description.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir edit feedback_use_tabs
  memdir edit MEMORY.md
  EDITOR='code --wait' memdir edit user_role

JSON: {dry_run, path, changed, added, removed, diff, operation, warnings}.")]
pub(crate) struct Edit {
    /// Which memory; `MEMORY.md` is the index
    #[arg(value_name = "NAME")]
    name: String,
    /// Open the editor, but only show what would change
    #[arg(long)]
    dry_run: bool,
}

#[derive(Serialize)]
struct Answer<'a> {
    dry_run: bool,
    path: &'a MemoryPath,
    changed: bool,
    added: usize,
    removed: usize,
    diff: Option<&'a str>,
    operation: Option<u64>,
    warnings: Warnings,
}

impl Edit {
    pub(crate) fn run(self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        let path = target(&workplace.store.scan()?, &self.name)?;
        let seen = workplace
            .store
            .read(&path)?
            .ok_or_else(|| Error::NotFound(path.clone()))?;
        let editor = Editor::find(&workplace.environment, &workplace.places)?;
        let state = workplace.store.state_directory();
        let mut warnings = Warnings::default();
        for file in editor::kept(state, std::slice::from_ref(&path)) {
            let file = workplace.shown(&file);
            warnings.add(format!(
                "an earlier edit of {path} was not saved; its text is in {file} until you remove that"
            ));
        }
        let copy = Copy::make(state, &path, &seen.bytes)?;
        let new = match written(&editor, &copy, &seen) {
            Ok(new) => new,
            Err(failure) => return Err(keep_if_changed(workplace, copy, &seen, failure)),
        };
        let new = match open(&seen, &new) {
            Some(open) => {
                warnings.add(format!("what is marked <private> was left out of {path}"));
                open
            }
            None => new,
        };
        let difference = Difference::between(&path, Some(&seen.bytes), Some(&new));
        let changed = new != seen.bytes;
        let mut operation = None;
        if changed && !self.dry_run {
            let outcome = match save(workplace, &path, seen, new.clone()) {
                Ok(outcome) => outcome,
                Err(error) => return Err(keep(workplace, copy, error.into())),
            };
            warnings.notices(&outcome.notices);
            // The change is made: that it cannot be looked at again is no failure of it.
            let now = workplace.store.read(&path).ok().flatten();
            if outcome.notices.is_empty() && now.is_some_and(|now| now.bytes != new) {
                warnings.add("somebody else changed it meanwhile; both changes are in it now");
            }
            operation = outcome.operation;
        }
        copy.discard();
        if output.json {
            return Ok(output.json(&Answer {
                dry_run: self.dry_run,
                path: &path,
                changed,
                added: difference.added,
                removed: difference.removed,
                diff: difference.diff.as_deref().filter(|_| changed),
                operation,
                warnings,
            })?);
        }
        if !changed {
            output.line(format!("Nothing was changed in {STRONG}{path}{STRONG:#}."))?;
        } else if self.dry_run {
            output.line(format!("Would change {STRONG}{path}{STRONG:#}:"))?;
            difference.print(output)?;
        } else {
            let lines = format!("+{} -{} lines", difference.added, difference.removed);
            output.line(format!("Changed {STRONG}{path}{STRONG:#} ({lines})"))?;
            output.line(format!(
                "{FAINT}{} shows it, {} takes it back{FAINT:#}",
                workplace.command("diff"),
                workplace.command("undo")
            ))?;
        }
        Ok(warnings.print(output)?)
    }
}

fn target(scan: &Scan, typed: &str) -> Result<MemoryPath, Failure> {
    if typed == INDEX_NAME || typed == "team/MEMORY.md" {
        return Ok(MemoryPath::new(typed).map_err(Error::from)?);
    }
    Ok(resolve::memory(scan, typed)?.path.clone())
}

/// A text without what it marks as private, unless all of that stood there before: `memdir audit` names it.
fn open(seen: &Found, new: &[u8]) -> Option<Vec<u8>> {
    let text = hidden::clean(std::str::from_utf8(new).ok()?).text;
    let before = String::from_utf8_lossy(&seen.bytes);
    let mut spans = private_spans(&text).into_iter();
    let is_new = spans.any(|span| text.get(span).is_none_or(|span| !before.contains(span)));
    match is_new {
        true => without_private(&text).map(String::into_bytes),
        false => None,
    }
}

/// What the user made of the copy.
fn written(editor: &Editor, copy: &Copy, seen: &Found) -> Result<Vec<u8>, Failure> {
    let status = editor.open(&copy.file)?;
    if !status.success() {
        return Err(Failure::new(
            format!("the editor ended badly ({status}); nothing was changed"),
            "",
        ));
    }
    let new = copy.read()?;
    if new.trim_ascii().is_empty() && !seen.bytes.trim_ascii().is_empty() {
        return Err(Failure::new(
            "the text is empty; nothing was changed",
            "`memdir forget` removes a memory",
        ));
    }
    Ok(new)
}

fn save(
    workplace: &Workplace,
    path: &MemoryPath,
    seen: Found,
    new: Vec<u8>,
) -> Result<Outcome, Error> {
    let (old_header, new_header) = (Header::read(&seen.bytes), Header::read(&new));
    let (old_words, new_words) = (
        index_words(path, &old_header),
        index_words(path, &new_header),
    );
    let (index_path, target) = index_of(path)?;
    let mut operation = workplace.store.operation(Reason::new(Author::User, "edit"));
    operation.secrets(workplace.secret_policy());
    operation.write(path, Some(seen), new);
    if !path.is_index() && old_words != new_words {
        operation.update(&index_path, |current| {
            Some(
                Index::parse(current?)
                    .reworded(&target, old_words, new_words)
                    .into_bytes(),
            )
        });
    }
    workplace.commit(operation)
}

/// What could not be saved stays where it was typed.
fn keep(workplace: &Workplace, copy: Copy, failure: Failure) -> Failure {
    let place = format!("your text is kept in {}", workplace.shown(&copy.file));
    match failure {
        Failure::Failed { message, hint } if hint.is_empty() => Failure::new(message, place),
        Failure::Failed { message, hint } => {
            Failure::new(message, format!("{}\n{place}", hint.trim_end()))
        }
        other => other,
    }
}

fn keep_if_changed(workplace: &Workplace, copy: Copy, seen: &Found, failure: Failure) -> Failure {
    // What cannot be read may well hold words of the user's.
    let is_same = copy
        .read()
        .is_ok_and(|now| now == seen.bytes || now.trim_ascii().is_empty());
    if !is_same {
        return keep(workplace, copy, failure);
    }
    copy.discard();
    failure
}
