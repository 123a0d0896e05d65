//! `memdir export`: the memories as files of their own, or as lines of JSON.

use std::fs::{self, File, FileTimes};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use clap::{Args, ValueEnum};
use memdir_memory::{Header, MemoryPath, Source};
use memdir_store::{Error, Found};
use serde::Serialize;

use super::import::{EVERYWHERE, Heading, Line, PROJECT, VERSION};
use crate::failure::Failure;
use crate::output::{Output, STRONG};
use crate::progress::Progress;
use crate::session_file::new_temporary;
use crate::table::count;
use crate::warning::Warnings;
use crate::workplace::Workplace;

/// Copy the memories out, byte for byte
///
/// `markdown` makes a folder with a file a memory, as they lie in the memory directory, each as old as it was; `jsonl`
/// one file, with a line a memory. `memdir import` brings either in elsewhere. What waits in the inbox is not among
/// them, and nothing that exists is overwritten. A link, or a file that is too large to be a memory, is left out and
/// named.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir export markdown ~/backup/memories
  memdir export jsonl memories.jsonl
  memdir export jsonl - | gzip > memories.jsonl.gz
  memdir export markdown about-me --everywhere

A line of jsonl is {scope, path, modified, source, content}, or content_hex where a file is not UTF-8 text; the first \
line is {memdir_export: 1}.

JSON: {dry_run, format, path, memories, bytes, warnings}.")]
pub(crate) struct Export {
    /// In which form
    #[arg(value_enum)]
    format: Format,
    /// The folder or file to make; `-` writes jsonl to standard output
    path: PathBuf,
    /// Only show what would be copied
    #[arg(long)]
    dry_run: bool,
}

/// What can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Format {
    /// A folder of Markdown files
    Markdown,
    /// One file, a line of JSON for each memory
    Jsonl,
}

#[derive(Serialize)]
struct Answer {
    dry_run: bool,
    format: Format,
    path: String,
    memories: usize,
    bytes: usize,
    warnings: Warnings,
}

impl Export {
    pub(crate) fn run(self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        let is_stdout = self.format == Format::Jsonl && self.path == Path::new("-");
        if !is_stdout {
            must_be_free(&self.path, self.format)?;
        }
        let files = workplace.store.every_file()?;
        let is_memory =
            |path: &&MemoryPath| !path.is_index() && path.components().next() != Some("logs");
        let wanted = files
            .iter()
            .filter(|path| self.format == Format::Markdown || is_memory(path));
        let mut progress = Progress::of("read", files.len(), "files");
        let mut memories = Vec::new();
        let mut warnings = Warnings::default();
        let mut left_out = 0;
        for (number, path) in wanted.enumerate() {
            match workplace.store.read(path) {
                Ok(Some(found)) if found.is_cut() => {
                    warnings.add(format!("left out: {path}, which is too large"));
                    left_out += 1;
                }
                Ok(found) => memories.extend(found.map(|found| (path, found))),
                Err(error @ (Error::NotPlain { .. } | Error::TooLarge { .. })) => {
                    warnings.add(format!("left out: {error}"));
                    left_out += 1;
                }
                Err(error) => return Err(error.into()),
            }
            progress.at(number + 1);
        }
        // Who runs this in a script must not take it for all.
        let verdict = match left_out {
            0 => Ok(()),
            _ => Err(Failure::Found),
        };
        let bytes = memories.iter().map(|(_, found)| found.bytes.len()).sum();
        let number = memories.iter().filter(|(path, _)| is_memory(path)).count();
        if !self.dry_run {
            let scope = if workplace.everywhere {
                EVERYWHERE
            } else {
                PROJECT
            };
            match self.format {
                Format::Markdown => {
                    write_folder(&self.path, &memories).map_err(|error| self.failed(&error))?
                }
                Format::Jsonl if is_stdout => {
                    write_lines(&memories, scope, |line| output.raw(line))
                        .map_err(Failure::from)?;
                    warnings.print(output)?;
                    return verdict;
                }
                Format::Jsonl => {
                    write_file(&self.path, &memories, scope).map_err(|error| self.failed(&error))?
                }
            }
        }
        if output.json {
            output.json(&Answer {
                dry_run: self.dry_run,
                format: self.format,
                path: self.path.display().to_string(),
                memories: number,
                bytes,
                warnings,
            })?;
            return verdict;
        }
        let done = if self.dry_run { "Would copy" } else { "Copied" };
        let memories = count(number, "memory", "memories");
        output.line(format!(
            "{done} {STRONG}{memories}{STRONG:#} to {}",
            self.path.display()
        ))?;
        warnings.print(output)?;
        verdict
    }

    fn failed(&self, error: &std::io::Error) -> Failure {
        Failure::new(
            format!("could not write {}: {error}", self.path.display()),
            "nothing is left of it; choose another place and try again",
        )
    }
}

/// Nothing that is there is overwritten.
fn must_be_free(path: &Path, format: Format) -> Result<(), Failure> {
    let is_empty = || fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none());
    match fs::symlink_metadata(path) {
        Err(_) => Ok(()),
        Ok(found) if found.is_dir() && format == Format::Markdown && is_empty() => Ok(()),
        Ok(_) => Err(Failure::new(
            format!("{} is there already", path.display()),
            "name a place where nothing is; nothing was written",
        )),
    }
}

/// The folder appears whole, or not at all.
fn write_folder(path: &Path, memories: &[(&MemoryPath, Found)]) -> std::io::Result<()> {
    let folder = tempfile::Builder::new()
        .prefix(".memdir-export-")
        .tempdir_in(parent(path))?;
    for (name, found) in memories {
        let file = folder.path().join(name.as_str());
        fs::create_dir_all(parent(&file))?;
        let mut file = File::create_new(&file)?;
        file.write_all(&found.bytes)?;
        let since = Duration::from_nanos(u64::try_from(found.stamp.mtime).unwrap_or(0));
        file.set_times(FileTimes::new().set_modified(SystemTime::UNIX_EPOCH + since))?;
        file.sync_all()?;
    }
    fs::rename(folder.path(), path)?;
    // It is under its own name now.
    let _ = folder.keep();
    Ok(())
}

/// The file appears whole, or not at all.
fn write_file(path: &Path, memories: &[(&MemoryPath, Found)], scope: &str) -> std::io::Result<()> {
    let mut file = new_temporary(parent(path))?;
    write_lines(memories, scope, |line| file.write_all(line))?;
    file.as_file().sync_all()?;
    file.persist_noclobber(path).map_err(|error| error.error)?;
    Ok(())
}

fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

fn write_lines(
    memories: &[(&MemoryPath, Found)],
    scope: &str,
    mut write: impl FnMut(&[u8]) -> std::io::Result<()>,
) -> std::io::Result<()> {
    let mut line = serde_json::to_vec(&Heading {
        memdir_export: VERSION,
    })?;
    line.push(b'\n');
    write(&line)?;
    for (path, found) in memories {
        let content = String::from_utf8(found.bytes.clone());
        let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let source = Header::read(&found.bytes).source;
        let mut line = serde_json::to_vec(&Line {
            scope: scope.to_owned(),
            path: path.to_string(),
            modified: found.stamp.mtime,
            source: source.map(|source| Source::as_str(source).to_owned()),
            content_hex: content.is_err().then(|| hex(&found.bytes)),
            content: content.ok(),
        })?;
        line.push(b'\n');
        write(&line)?;
    }
    Ok(())
}
