//! `memdir rename`: another file name, the name in the header, the index line, and the links of other memories.

use clap::Args;
use memdir_memory::{MemoryPath, PathProblem, naming};
use memdir_store::{Author, Memory, RENAME, Reason, Scan, name_of};
use serde::Serialize;

use crate::failure::Failure;
use crate::output::{FAINT, Output, STRONG};
use crate::resolve;
use crate::secret;
use crate::table::count;
use crate::warning::Warnings;
use crate::workplace::Workplace;

/// Give a memory another name
///
/// NEW is a file name, with or without `.md`, or a few words. The name in the header, the line in
/// the index and `[[links]]` in other memories follow. The memory does not become younger by it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir rename feedback_use_tabs feedback_indentation
  memdir rename project_freeze \"Release freeze of 2026\"

JSON: {dry_run, old, new, name, links, operation, warnings}; `links` are the memories whose links
follow.")]
pub(crate) struct Rename {
    /// Which memory
    #[arg(value_name = "OLD")]
    old: String,
    /// What it shall be called
    #[arg(value_name = "NEW")]
    new: String,
    /// Only show what would change
    #[arg(long)]
    dry_run: bool,
}

#[derive(Serialize)]
struct Answer<'a> {
    dry_run: bool,
    old: &'a MemoryPath,
    new: &'a MemoryPath,
    name: Option<&'a str>,
    links: Vec<&'a MemoryPath>,
    operation: Option<u64>,
    warnings: Warnings,
}

impl Rename {
    pub(crate) fn run(self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        // Before anything: the messages below repeat the name.
        secret::refuse("name", &self.new)?;
        let scan = workplace.store.scan()?;
        let memory = resolve::memory(&scan, &self.old)?;
        let target = Target::new(&self.new, memory)?;
        must_be_free(&scan, memory, &target.path)?;
        let mut warnings = Warnings::default();
        let renaming = workplace
            .store
            .plan_rename(&scan, memory, &target.path, &target.name)?;
        for stays in &renaming.stays {
            warnings.add(stays);
        }
        let operation = match self.dry_run {
            true => None,
            false => {
                let reason = Reason::new(Author::User, RENAME);
                let outcome = workplace.commit(renaming.operation(&workplace.store, reason)?)?;
                warnings.notices(&outcome.notices);
                outcome.operation
            }
        };
        let (old, new) = (&memory.path, &target.path);
        let linking: Vec<&MemoryPath> = renaming.linking.iter().map(|one| &one.path).collect();
        if output.json {
            return Ok(output.json(&Answer {
                dry_run: self.dry_run,
                old,
                new,
                name: renaming.topic.header().name.as_deref(),
                links: linking,
                operation,
                warnings,
            })?);
        }
        let done = if self.dry_run {
            "Would rename"
        } else {
            "Renamed"
        };
        output.line(format!(
            "{done} {STRONG}{old}{STRONG:#} to {STRONG}{new}{STRONG:#}"
        ))?;
        if !linking.is_empty() {
            let paths: Vec<&str> = linking.iter().map(|path| path.as_str()).collect();
            let memories = count(paths.len(), "memory", "memories");
            output.line(format!("links follow in {memories}: {}", paths.join(", ")))?;
        }
        if operation.is_some() {
            output.line(format!(
                "{FAINT}{} takes it back{FAINT:#}",
                workplace.command("undo")
            ))?;
        }
        Ok(warnings.print(output)?)
    }
}

/// Where a memory goes, and what it is called there.
struct Target {
    path: MemoryPath,
    name: String,
}

impl Target {
    /// From what was typed: a file name as it is, words as we would name a file by them.
    fn new(typed: &str, memory: &Memory) -> Result<Target, Failure> {
        let refused = |problem| {
            let shown = typed.escape_debug();
            Failure::new(
                format!("`{shown}` cannot be the name of a memory: {problem}"),
                "choose another name",
            )
        };
        if typed.trim().is_empty() {
            return Err(refused(PathProblem::Empty));
        }
        // What could never be a file name is not made one by an ending, or by taking words out of it.
        let is_words = typed.trim().contains(char::is_whitespace) && !typed.contains(['/', '\\']);
        let is_file = typed.ends_with(".md");
        let file = match (MemoryPath::new(typed), memory.header.memory_type) {
            (_, Some(kind)) if is_words && !is_file => {
                format!("{}.md", naming::file_stem(kind, typed))
            }
            (_, None) if is_words && !is_file => {
                format!("{}.md", naming::guess(typed).name.replace('-', "_"))
            }
            (Ok(_), _) => typed.to_owned(),
            (Err(PathProblem::NotMarkdown), _) if !typed.to_lowercase().ends_with(".md") => {
                format!("{typed}.md")
            }
            (Err(problem), _) => return Err(refused(problem)),
        };
        // It stays in its folder unless another one is named.
        let file = match memory.path.folder() {
            Some(folder) if !file.contains('/') => format!("{folder}/{file}"),
            _ => file,
        };
        let path = MemoryPath::new(&file).map_err(refused)?;
        if path.is_index() || path.as_str().starts_with("logs/") {
            let place = if path.is_index() {
                "is the index"
            } else {
                "is in the folder of daily logs"
            };
            return Err(Failure::new(
                format!("{path} {place}, not a memory"),
                "choose another name",
            ));
        }
        let name = match is_words && !is_file {
            true => typed.split_whitespace().collect::<Vec<_>>().join(" "),
            false => name_of(&path, &memory.header),
        };
        Ok(Target { path, name })
    }
}

fn must_be_free(scan: &Scan, memory: &Memory, new: &MemoryPath) -> Result<(), Failure> {
    if *new == memory.path {
        return Err(Failure::new(
            format!("{new} is its name already"),
            "choose another name",
        ));
    }
    let others = scan
        .memories
        .iter()
        .map(|memory| &memory.path)
        .filter(|path| **path != memory.path);
    match others
        .into_iter()
        .find(|path| path.folded() == new.folded())
    {
        Some(taken) => Err(Failure::new(
            format!("there is a memory {taken} already"),
            format!(
                "choose another name, or `memdir forget {}` first",
                taken.stem()
            ),
        )),
        None => Ok(()),
    }
}
