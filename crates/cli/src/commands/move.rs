//! `memdir move`: the memories of a project follow it to where it is now.

pub(crate) mod unfinished;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use memdir_memory::{Index, MemoryPath};
use memdir_store::{Author, Error, Found, Reason, Store};
use serde::Serialize;

use crate::elsewhere::Elsewhere;
use crate::failure::Failure;
use crate::output::{FAINT, Output, STRONG};
use crate::quoting::quoted;
use crate::table::count;
use crate::warning::Warnings;
use crate::workplace::Workplace;

/// How the two operations of a move begin; the folder of the other one follows.
const FROM: &str = "move from ";
const TO: &str = "move to ";

/// Let the memories of a project follow it to another folder
///
/// For a project that was moved or renamed: `memdir doctor` offers it. OLD is the folder in which it was, NEW the one in
/// which it is; the memories go with their ages, their index lines and the team's folder. Nothing is overwritten: where NEW has
/// another memory of the same name, nothing moves at all. One `memdir undo` takes all of it back.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir move ~/src/old-name ~/src/new-name
  memdir move ~/src/old-name . --dry-run

JSON: {dry_run, old, new, from, to, memories, operation, warnings}; `operation` is that in NEW.")]
pub(crate) struct Move {
    /// Where the project was
    old: PathBuf,
    /// Where it is
    new: PathBuf,
    /// Only show what would move
    #[arg(long)]
    dry_run: bool,
}

#[derive(Serialize)]
struct Answer<'a> {
    dry_run: bool,
    old: &'a Path,
    new: &'a Path,
    from: &'a Path,
    to: &'a Path,
    memories: usize,
    operation: Option<u64>,
    warnings: Warnings,
}

impl Move {
    pub(crate) fn run(self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        let current = workplace.environment.current_folder();
        let new = Elsewhere::find(workplace, &current.join(&self.new))?;
        let old = Elsewhere::find(workplace, &current.join(&self.old))?;
        let (from, to) = (old.directory(), new.directory());
        if from == to {
            return Err(Failure::new(
                "OLD and NEW have the same memories",
                "name two folders",
            ));
        }
        if !new.is_known() {
            return Err(Failure::new(
                format!("there is no folder {}", workplace.shown(&new.root)),
                "name the folder in which the project is; one that is gone can only get back what it had",
            ));
        }
        let mut warnings = Warnings::default();
        let files = read_all(&old.store, &mut warnings)?;
        if files.is_empty() {
            return Err(Failure::new(
                format!("there are no memories in {}", workplace.shown(from)),
                "name the folder in which the project was; `memdir doctor` in the new one offers what it finds",
            ));
        }
        must_be_free(&new.store, &files)?;
        let waiting = old.store.inbox().list()?.len();
        if waiting > 0 {
            warnings.add(format!(
                "{} in the inbox of the old folder: `memdir inbox --memory-dir {}`",
                count(waiting, "suggestion stays", "suggestions stay"),
                quoted(from)
            ));
        }
        let memories = files.keys().filter(|path| !path.is_index()).count();
        let mut operation = None;
        if !self.dry_run {
            let begun = unfinished::begin(&old, &new)?;
            operation = take_in(&new, &old.root, &files)?;
            new.record_root();
            // Only now: killed in between, both places have them, and the next move goes on from there.
            leave(&old, &new.root, files)?;
            begun.end();
        }
        if output.json {
            return Ok(output.json(&Answer {
                dry_run: self.dry_run,
                old: &old.root,
                new: &new.root,
                from,
                to,
                memories,
                operation,
                warnings,
            })?);
        }
        let done = if self.dry_run { "Would move" } else { "Moved" };
        let memories = count(memories, "memory", "memories");
        output.line(format!(
            "{done} {STRONG}{memories}{STRONG:#} from {} to {}",
            workplace.shown(from),
            workplace.shown(to)
        ))?;
        if !self.dry_run {
            output.line(format!(
                "{FAINT}`memdir move {} {}` takes it back{FAINT:#}",
                quoted(&new.root),
                quoted(&old.root)
            ))?;
        }
        Ok(warnings.print(output)?)
    }
}

/// The folder that was the other one of a move, by what its operation is called there; and what the operation is called
/// in that one, given the folder of this.
pub(super) fn other_half(what: &str, root: &Path) -> Option<(PathBuf, String)> {
    let root = root.display();
    match (what.strip_prefix(FROM), what.strip_prefix(TO)) {
        (Some(old), _) => Some((old.into(), format!("{TO}{root}"))),
        (_, Some(new)) => Some((new.into(), format!("{FROM}{root}"))),
        _ => None,
    }
}

/// Every file that can be a memory; others stay where they are.
fn read_all(
    store: &Store,
    warnings: &mut Warnings,
) -> Result<BTreeMap<MemoryPath, Found>, Failure> {
    let mut files = BTreeMap::new();
    for path in store.every_file()? {
        match store.read(&path) {
            Ok(Some(found)) if found.is_cut() => {
                warnings.add(format!("stays behind: {path}, which is too large"));
            }
            Ok(found) => files.extend(found.map(|found| (path, found))),
            Err(error @ (Error::NotPlain { .. } | Error::TooLarge { .. })) => {
                warnings.add(format!("stays behind: {error}"));
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(files)
}

/// Refuses where another memory of the same name is there; the same bytes are one that was moved before.
fn must_be_free(new: &Store, files: &BTreeMap<MemoryPath, Found>) -> Result<(), Failure> {
    for there in new.every_file()?.iter().filter(|path| !path.is_index()) {
        let same = files
            .iter()
            .find(|(path, _)| path.folded() == there.folded());
        let Some((path, moving)) = same.filter(|(path, _)| !path.is_index()) else {
            continue;
        };
        let standing = new.read(there)?;
        if path != there || standing.is_none_or(|standing| standing.bytes != moving.bytes) {
            return Err(Failure::new(
                format!(
                    "{there} is in the new folder already, with another text; nothing was moved"
                ),
                format!(
                    "rename one of the two first: `memdir rename {} NAME`",
                    there.stem()
                ),
            ));
        }
    }
    Ok(())
}

/// Writes everything in its new place, as one operation; lines of an index that is there stay, and the others follow.
fn take_in(
    new: &Elsewhere,
    old: &Path,
    files: &BTreeMap<MemoryPath, Found>,
) -> Result<Option<u64>, Failure> {
    let what = format!("{FROM}{}", old.display());
    let mut operation = new.store.operation(Reason::new(Author::User, what));
    operation.as_they_are();
    operation.strictly();
    for (path, found) in files {
        let old = &found.bytes;
        if path.is_index() {
            operation.update(path, move |current| match current {
                None => Some(old.clone()),
                Some(current) => Some(with_lines(current, old)),
            });
        } else if new.store.read(path)?.is_none() {
            operation.write_dated(path, None, old.clone(), found.stamp.mtime);
        }
    }
    Ok(new.commit(operation)?.operation)
}

/// An index with the entries of another that it does not have.
fn with_lines(current: &[u8], old: &[u8]) -> Vec<u8> {
    let old = Index::parse(old);
    let mut index = Index::parse(current);
    for entry in old.entries() {
        if let Ok(target) = entry.path()
            && index.entry(&target).is_none()
        {
            let hook = entry.hook.as_deref().unwrap_or_default();
            index = index.with_entry(&entry.title, &target, hook);
        }
    }
    index.into_bytes()
}

/// Removes everything from its old place, as one operation.
fn leave(old: &Elsewhere, new: &Path, files: BTreeMap<MemoryPath, Found>) -> Result<(), Failure> {
    let what = format!("{TO}{}", new.display());
    let mut operation = old.store.operation(Reason::new(Author::User, what));
    for (path, found) in files {
        operation.remove(&path, found);
    }
    old.commit(operation)?;
    Ok(())
}
