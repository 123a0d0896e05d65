//! `memdir reindex`: the index of recall, made anew from the files.

use clap::Args;
use serde::Serialize;

use crate::failure::Failure;
use crate::finding::warn_of_unread;
use crate::output::{FAINT, Output};
use crate::reader;
use crate::table::{count, thousands};
use crate::workplace::Workplace;

/// Make the index of recall anew from the files
///
/// Recall keeps its index by itself; this is for when you doubt it. It can be deleted at any time: the files are the
/// truth. With --changed only files whose time or size is another are read, which finds what was overwritten in
/// place. With the better model (`memdir help model`) memories that are new to it are read by it as well, some thirty a second.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir reindex
  memdir reindex --changed

JSON: {memories, read, bytes, unread}; `unread` has {path, reason}.")]
pub(crate) struct Reindex {
    /// Read only what changed
    #[arg(long)]
    changed: bool,
}

#[derive(Serialize)]
struct Report<'a> {
    memories: u32,
    read: u32,
    bytes: u64,
    unread: Vec<Unread<'a>>,
}

#[derive(Serialize)]
struct Unread<'a> {
    path: &'a str,
    reason: &'a str,
}

impl Reindex {
    pub(crate) fn run(self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        let finder = workplace.finder();
        let done = match self.changed {
            true => finder.sweep()?,
            false => finder.reindex()?,
        };
        let vectors = reader::prepare(&finder)?;
        if output.json {
            let unread = done.unread.iter().map(|one| Unread {
                path: &one.path,
                reason: &one.reason,
            });
            return Ok(output.json(&Report {
                memories: done.memories,
                read: done.read,
                bytes: done.bytes,
                unread: unread.collect(),
            })?);
        }
        let number = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
        let memories = count(number(done.memories), "memory", "memories");
        let read = match done.read {
            all if all == done.memories => String::new(),
            some => format!(", {} of them read anew", thousands(number(some))),
        };
        let folder = workplace.shown(&finder.folder());
        let size = kilobytes(done.bytes);
        output.line(format!("Indexed {memories}{read}."))?;
        output.line(format!("{FAINT}{size} KB in {folder}{FAINT:#}"))?;
        if let Some(vectors) = vectors {
            let made = thousands(vectors.made);
            let of = count(vectors.memories, "memory", "memories");
            let size = kilobytes(vectors.bytes);
            output.line(format!("Read {made} of {of} with the model."))?;
            output.line(format!("{FAINT}{size} KB of vectors{FAINT:#}"))?;
        }
        if !done.written {
            output.warn(
                "the index could not be written just now; recall still works, but more slowly",
            );
        }
        workplace.warn_of_model(output)?;
        warn_of_unread(output, &done.unread)
    }
}

fn kilobytes(bytes: u64) -> String {
    thousands(usize::try_from(bytes.div_ceil(1024)).unwrap_or(usize::MAX))
}
