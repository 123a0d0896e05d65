//! `memdir move`: the memories of a project follow it to where it is now.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use memdir_memory::{Index, MemoryPath};
use memdir_store::project::Project;
use memdir_store::{Author, Found, Reason, Store};
use serde::Serialize;

use crate::failure::Failure;
use crate::output::{FAINT, Output, STRONG};
use crate::table::count;
use crate::warning::Warnings;
use crate::workplace::Workplace;

const MOVE: &str = "move";

/// Let the memories of a project follow it to another folder
///
/// For a project that was moved or renamed: `memdir doctor` offers it. OLD is the folder in which it was, NEW the one in
/// which it is; the memories go with their ages, their index lines and the team's folder. Nothing is overwritten: where NEW has
/// another memory of the same name, nothing moves at all.
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
struct Answer {
    dry_run: bool,
    old: PathBuf,
    new: PathBuf,
    from: PathBuf,
    to: PathBuf,
    memories: usize,
    operation: Option<u64>,
    warnings: Warnings,
}

impl Move {
    pub(crate) fn run(self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        let current = workplace.environment.current_folder();
        let new = workplace.in_project(&current.join(&self.new))?;
        let old = root_of(&current.join(&self.old));
        let from = workplace.places.memory_dir_of(&old);
        let to = new.places.memory_dir.path.clone();
        if from == to {
            return Err(Failure::new(
                "OLD and NEW have the same memories",
                "name two folders",
            ));
        }
        let source = Store::new(&from, workplace.places.state_dir_of(&from));
        let files = read_all(&source)?;
        if files.is_empty() {
            return Err(Failure::new(
                format!("there are no memories in {}", workplace.shown(&from)),
                "name the folder in which the project was; `memdir doctor` in the new one offers what it finds",
            ));
        }
        must_be_free(&new, &files)?;
        let mut warnings = Warnings::default();
        let waiting = source.inbox().list()?.len();
        if waiting > 0 {
            warnings.add(format!(
                "{} in the inbox of the old folder: `memdir inbox --memory-dir '{}'`",
                count(waiting, "suggestion stays", "suggestions stay"),
                from.display()
            ));
        }
        let memories = files.keys().filter(|path| !path.is_index()).count();
        let mut operation = None;
        if !self.dry_run {
            operation = take_in(&new, &files)?;
            let _ = new.record_root();
            // Only now: killed in between, both places have them, and the next move goes on from there.
            leave(&source, files)?;
        }
        if output.json {
            return Ok(output.json(&Answer {
                dry_run: self.dry_run,
                old,
                new: new.places.project.root.clone(),
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
            workplace.shown(&from),
            workplace.shown(&to)
        ))?;
        if !self.dry_run {
            output.line(format!(
                "{FAINT}`memdir move '{}' '{}'` takes it back{FAINT:#}",
                new.places.project.root.display(),
                old.display()
            ))?;
        }
        Ok(warnings.print(output)?)
    }
}

/// The root of a folder that may be gone.
fn root_of(folder: &Path) -> PathBuf {
    match folder.canonicalize() {
        Ok(folder) => Project::find(&folder).root,
        Err(_) => folder.components().collect(),
    }
}

fn read_all(store: &Store) -> Result<BTreeMap<MemoryPath, Found>, Failure> {
    let mut files = BTreeMap::new();
    for path in store.every_file()? {
        if let Some(found) = store.read(&path)? {
            files.insert(path, found);
        }
    }
    Ok(files)
}

/// Refuses where another memory of the same name is there; the same bytes are one that was moved before.
fn must_be_free(new: &Workplace, files: &BTreeMap<MemoryPath, Found>) -> Result<(), Failure> {
    for there in new
        .store
        .every_file()?
        .iter()
        .filter(|path| !path.is_index())
    {
        let same = files
            .iter()
            .find(|(path, _)| path.folded() == there.folded());
        let Some((path, moving)) = same.filter(|(path, _)| !path.is_index()) else {
            continue;
        };
        let standing = new.store.read(there)?;
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
fn take_in(new: &Workplace, files: &BTreeMap<MemoryPath, Found>) -> Result<Option<u64>, Failure> {
    let mut operation = new.store.operation(Reason::new(Author::User, MOVE));
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
fn leave(source: &Store, files: BTreeMap<MemoryPath, Found>) -> Result<(), Failure> {
    let mut operation = source.operation(Reason::new(Author::User, MOVE));
    for (path, found) in files {
        operation.remove(&path, found);
    }
    operation.commit()?;
    Ok(())
}
