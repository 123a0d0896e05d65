//! `memdir import`: memories from elsewhere, which wait in the inbox for the user's word.

mod gather;
mod known;
mod lines;
mod pieces;

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use memdir_memory::{Source, Topic};
use memdir_store::{Author, Reason, SecretPolicy, Suggested, limits};
use serde::Serialize;

use crate::failure::Failure;
use crate::output::{FAINT, Output, STRONG};
use crate::progress::Progress;
use crate::table::{count, one_line};
use crate::warning::Warnings;
use crate::workplace::Workplace;
use gather::{Gathered, Piece, Refused};
use known::{Known, Standing};
pub(super) use lines::{EVERYWHERE, Heading, Line, PROJECT, VERSION};

/// So many become suggestions at once: a whole batch is there, or nothing of it.
const BATCH: usize = 1_000;
/// How many that were refused are named before the rest is counted.
const REFUSED_SHOWN: usize = 10;

/// Bring in memories from elsewhere; they wait for your word
///
/// Each becomes a suggestion in the inbox, with where it came from and how old it is, and nothing else changes:
/// `memdir accept` makes a memory of it. What is here already, waits already or was decided about before is not
/// brought in again, so that an import can be repeated. Links, secrets, files that are too large and names that
/// could lead elsewhere are refused, hidden text is taken out.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir import claude-code ~/.claude/projects/-home-ada-old/memory
  memdir import codex ~/.codex
  memdir import gemini ~/.gemini/GEMINI.md --dry-run
  memdir import markdown notes/
  memdir import jsonl memories.jsonl

JSON: {dry_run, format, path, found, suggested, known, decided, hidden, refused, warnings}; `refused` has \
{path, reason}.")]
pub(crate) struct Import {
    /// Whose memories they are
    #[arg(value_enum)]
    format: Format,
    /// Where they are: a folder, or a file
    path: PathBuf,
    /// Only show what would come in
    #[arg(long)]
    dry_run: bool,
}

/// What there is to import.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Format {
    /// A memory directory of Claude Code, or of memdir
    ClaudeCode,
    /// The memories of Codex: its home, or the folder in it
    Codex,
    /// The memories of Gemini CLI: its folder, or a GEMINI.md
    Gemini,
    /// Markdown files, one memory each
    Markdown,
    /// What `memdir export jsonl` wrote
    Jsonl,
}

impl Format {
    fn word(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::Markdown => "markdown",
            Self::Jsonl => "jsonl",
        }
    }
}

#[derive(Serialize)]
struct Answer<'a> {
    dry_run: bool,
    format: Format,
    path: String,
    found: usize,
    suggested: usize,
    known: usize,
    decided: usize,
    hidden: usize,
    refused: &'a [Refused],
    warnings: Warnings,
}

impl Import {
    pub(crate) fn run(self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        let Gathered {
            mut pieces,
            mut refused,
            ..
        } = gather::gather(self.format, &self.path, workplace.everywhere)?;
        let found = pieces.len() + refused.len();
        let mut hidden = 0;
        let fits = |piece: &Piece| match piece.fits(self.format) {
            true => Ok(()),
            false => Err("with where it comes from it is too large for the inbox".to_owned()),
        };
        pieces.retain_mut(|piece| {
            match piece.admit().and_then(|removed| {
                fits(piece)?;
                Ok(removed)
            }) {
                Ok(removed) => {
                    hidden += removed;
                    true
                }
                Err(reason) => {
                    refused.push(Refused {
                        path: piece.from.clone(),
                        reason,
                    });
                    false
                }
            }
        });
        let inbox = workplace.store.inbox();
        if !self.dry_run {
            // An import that was killed may have left some to be put into place.
            inbox.settle()?;
        }
        let mut all = Known::of(workplace, &pieces)?;
        let (mut known, mut decided) = (0, 0);
        let mut new = Vec::new();
        for piece in pieces {
            match all.standing(workplace, &piece)? {
                Standing::Here => known += 1,
                Standing::Decided => decided += 1,
                Standing::New => new.push(piece),
            }
        }
        let suggested = new.len();
        let mut warnings = Warnings::default();
        let cut: BTreeSet<&str> = new
            .iter()
            .filter(|piece| piece.is_cut)
            .map(|piece| piece.from.as_str())
            .collect();
        for from in cut {
            let from = one_line(from);
            warnings.add(format!("what is marked <private> was left out of {from}"));
        }
        if !self.dry_run {
            self.suggest(workplace, new, &mut warnings)?;
        }
        if output.json {
            output.json(&Answer {
                dry_run: self.dry_run,
                format: self.format,
                path: self.path.display().to_string(),
                found,
                suggested,
                known,
                decided,
                hidden,
                refused: &refused,
                warnings,
            })?;
            return verdict(&refused);
        }
        let done = match self.dry_run {
            true => "Would bring in",
            false => "Brought in",
        };
        let memories = count(suggested, "memory", "memories");
        output.line(format!(
            "{done} {STRONG}{memories}{STRONG:#} from {}",
            self.format.word()
        ))?;
        if known > 0 {
            output.line(format!(
                "{} here already or waiting",
                count(known, "is", "are")
            ))?;
        }
        if decided > 0 {
            output.line(format!(
                "{} decided about before",
                count(decided, "was", "were")
            ))?;
        }
        if hidden > 0 {
            let characters = count(hidden, "character", "characters");
            output.line(format!("{characters} that nobody can see taken out"))?;
        }
        if suggested > 0 && !self.dry_run {
            output.line(format!(
                "{FAINT}they wait for your word: {} shows them, {} takes them all in{FAINT:#}",
                workplace.command("inbox"),
                workplace.command("accept --all")
            ))?;
        }
        warn_of_refused(&refused, output)?;
        warnings.print(output)?;
        verdict(&refused)
    }

    fn suggest(
        &self,
        workplace: &Workplace,
        new: Vec<Piece>,
        warnings: &mut Warnings,
    ) -> Result<(), Failure> {
        let inbox = workplace.store.inbox();
        let reason = Reason::new(Author::Import, format!("import {}", self.format.word()));
        let mut progress = Progress::of("brought in", new.len(), "memories");
        let mut done = 0;
        for batch in new.chunks(BATCH) {
            let suggested: Vec<Suggested> = batch
                .iter()
                .map(|piece| piece.suggested(self.format))
                .collect();
            // Secrets were refused one by one before; what a rule finds now stops the rest.
            let (_, outcome) = inbox.suggest(&reason, &suggested, SecretPolicy::Refuse)?;
            warnings.notices(&outcome.notices);
            done += batch.len();
            progress.at(done);
        }
        if done > 0 {
            super::remember::remember_root(workplace, warnings);
        }
        Ok(())
    }
}

impl Piece {
    /// Whether it can wait in the inbox, where the marks of a suggestion come to it.
    fn fits(&self, format: Format) -> bool {
        // More than any mark takes: nearly every memory is far below.
        const MARKS: usize = 64 * 1024;
        let limit = usize::try_from(limits::MAX_FILE_BYTES).unwrap_or(usize::MAX);
        self.bytes.len().saturating_add(MARKS) <= limit
            || self.suggested(format).file_size() <= limit
    }

    fn suggested(&self, format: Format) -> Suggested {
        Suggested {
            target: self.target.clone(),
            base: None,
            topic: Topic::parse(&self.bytes),
            removes: false,
            origin: Some(Source::Import),
            from: Some(format!("{} {}", format.word(), one_line(&self.from))),
            dated: self.mtime,
        }
    }
}

/// What was refused is missing: whoever runs this in a script must not take it for all.
fn verdict(refused: &[Refused]) -> Result<(), Failure> {
    match refused {
        [] => Ok(()),
        _ => Err(Failure::Found),
    }
}

fn warn_of_refused(refused: &[Refused], output: &mut Output) -> Result<(), Failure> {
    output.flush()?;
    for one in refused.iter().take(REFUSED_SHOWN) {
        let path = one_line(&one.path);
        output.warn(format!("{path} was refused: {}", one_line(&one.reason)));
    }
    let more = refused.len().saturating_sub(REFUSED_SHOWN);
    if more > 0 {
        output.warn(format!("{more} more were refused; --json names all"));
    }
    Ok(())
}
