//! `memdir rename`: another file name, the name in the header, the index line, and the links of other memories.

use clap::Args;
use memdir_memory::{Header, Index, MemoryPath, PathProblem, Topic, links, naming};
use memdir_store::{
    Author, Error, Found, Memory, Operation, Outcome, RENAME, Reason, Scan, index_of, index_words,
};
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
        let found = workplace.store.read(&memory.path)?;
        let found = found.ok_or_else(|| Error::NotFound(memory.path.clone()))?;
        let mut warnings = Warnings::default();
        let move_ = Move::new(memory, target, found, &mut warnings);
        let linking = move_.linking(workplace, &scan, &mut warnings);
        let operation = match self.dry_run {
            true => None,
            false => {
                let outcome = move_.commit(workplace, &linking)?;
                warnings.notices(&outcome.notices);
                outcome.operation
            }
        };
        let (old, new) = (&memory.path, &move_.target.path);
        if output.json {
            return Ok(output.json(&Answer {
                dry_run: self.dry_run,
                old,
                new,
                name: move_.topic.header().name.as_deref(),
                links: linking.iter().map(|linking| &linking.path).collect(),
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
            let paths: Vec<&str> = linking
                .iter()
                .map(|linking| linking.path.as_str())
                .collect();
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

/// The name that goes with a file name: `feedback_use_tabs.md` is `use-tabs`.
fn name_of(path: &MemoryPath, header: &Header) -> String {
    let prefix = header.memory_type.map(|kind| format!("{kind}_"));
    let stem = prefix.and_then(|prefix| path.stem().strip_prefix(prefix.as_str()));
    stem.unwrap_or_else(|| path.stem()).replace('_', "-")
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

/// A memory on its way to another name.
struct Move<'a> {
    memory: &'a Memory,
    target: Target,
    found: Found,
    /// The memory under its new name.
    topic: Topic,
}

/// Another memory whose links follow.
struct Linking {
    path: MemoryPath,
    found: Found,
    content: Vec<u8>,
}

impl<'a> Move<'a> {
    fn new(memory: &'a Memory, target: Target, found: Found, warnings: &mut Warnings) -> Move<'a> {
        let topic = Topic::parse(&found.bytes);
        // A file without a name in its header needs none now.
        let topic = match topic
            .header()
            .name
            .is_some()
            .then(|| topic.with_name(&target.name))
        {
            Some(Ok(renamed)) => renamed,
            Some(Err(error)) => {
                warnings.add(format!("the name in its header stays: {error}"));
                topic
            }
            None => topic,
        };
        Move {
            memory,
            target,
            found,
            topic,
        }
    }

    /// What `[[…]]` must say now, where it led to this memory.
    fn follow(&self, link: &str) -> Option<&str> {
        let (old, new) = (&self.memory.path, &self.target.path);
        let plain = |path: &'_ MemoryPath| {
            path.as_str()
                .strip_suffix(".md")
                .unwrap_or_default()
                .to_owned()
        };
        match link {
            _ if Some(link) == self.memory.header.name.as_deref() => {
                self.topic.header().name.as_deref()
            }
            _ if link == old.as_str() => Some(new.as_str()),
            _ if link == old.file_name() => Some(new.file_name()),
            _ if link == plain(old) => new.as_str().strip_suffix(".md"),
            _ if link == old.stem() => Some(new.stem()),
            _ => None,
        }
    }

    /// The text of a memory with its links to this one following; `None` where it has none.
    fn followed(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let topic = Topic::parse(bytes);
        // A body that is not all text keeps its bytes.
        let text = std::str::from_utf8(topic.body()).ok()?;
        let mut followed = String::with_capacity(text.len());
        let mut at = 0;
        for link in links(text) {
            if let Some(new) = self.follow(link.name) {
                followed.push_str(text.get(at..link.range.start)?);
                followed.push_str(new);
                at = link.range.end;
            }
        }
        followed.push_str(text.get(at..)?);
        (followed != text).then(|| topic.with_body(followed.as_bytes()).into_bytes())
    }

    fn linking(&self, workplace: &Workplace, scan: &Scan, warnings: &mut Warnings) -> Vec<Linking> {
        let mut linking = Vec::new();
        for other in scan
            .memories
            .iter()
            .filter(|other| other.path != self.memory.path)
        {
            let found = match workplace.store.read(&other.path) {
                Ok(Some(found)) => found,
                Ok(None) => continue,
                Err(error) => {
                    warnings.add(format!("links in {} stay as they are: {error}", other.path));
                    continue;
                }
            };
            if let Some(content) = self.followed(&found.bytes) {
                linking.push(Linking {
                    path: other.path.clone(),
                    found,
                    content,
                });
            }
        }
        linking
    }

    fn commit(&self, workplace: &Workplace, linking: &[Linking]) -> Result<Outcome, Error> {
        let mut operation = workplace.store.operation(Reason::new(Author::User, RENAME));
        let content = self
            .followed(self.topic.bytes())
            .unwrap_or_else(|| self.topic.bytes().to_vec());
        operation.write_dated(&self.target.path, None, content, self.found.stamp.mtime);
        operation.remove(&self.memory.path, self.found.clone());
        self.move_line(&mut operation)?;
        for Linking {
            path,
            found,
            content,
        } in linking
        {
            // What they say is as old as it was.
            operation.write_dated(
                path,
                Some(found.clone()),
                content.clone(),
                found.stamp.mtime,
            );
        }
        workplace.commit(operation)
    }

    fn move_line<'b>(&'b self, operation: &mut Operation<'b>) -> Result<(), Error> {
        let (old_index, old_target) = index_of(&self.memory.path)?;
        let (new_index, new_target) = index_of(&self.target.path)?;
        let old_words = index_words(&self.memory.path, &self.memory.header);
        let new_words = index_words(&self.target.path, self.topic.header());
        if old_index == new_index {
            operation.update(&old_index, move |current| {
                let index = Index::parse(current?).retarget(&old_target, &new_target);
                Some(
                    index
                        .reworded(&new_target, old_words, new_words)
                        .into_bytes(),
                )
            });
            return Ok(());
        }
        operation.update(&old_index, move |current| {
            Some(
                Index::parse(current?)
                    .without_target(&old_target)
                    .into_bytes(),
            )
        });
        operation.update(&new_index, move |current| {
            let index = Index::parse(current.unwrap_or_default());
            Some(
                index
                    .with_entry(new_words.0, &new_target, new_words.1)
                    .into_bytes(),
            )
        });
        Ok(())
    }
}
