//! `memdir instructions`: the instruction files that a conversation here begins with.

use std::path::{Path, PathBuf};

use clap::Args;
use memdir_context::instructions::{
    Applies, Asker, Instructions as Found, LoadedFile, Refusal, Role, Warning,
};
use memdir_session::instructions::{Allowance, discover, limit};
use memdir_settings::variables;
use serde::Serialize;

use crate::failure::Failure;

use crate::output::{FAINT, Output, WARN};
use crate::table::{self, GAP, one_line, push_padded, thousands, widest};
use crate::workplace::Workplace;

/// The instruction files that a conversation here begins with
///
/// CLAUDE.md and what goes with it, in the order in which a model sees them: the administrator's, the
/// user's, the project's from the root of the file system down, the local ones, and the index of the memory
/// directory, unless memory.index_place or memory.skip_index keeps it out. Later ones weigh more. What is not loaded is listed
/// with the reason.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir instructions
  memdir instructions --why
  memdir instructions --text
  memdir instructions --for src/main.rs

JSON: {enabled, files, refused, warnings, tokens, text}; a file has {path, kind, role, bytes, characters, \
tokens, included_by, line, applies, patterns}, a refusal {path, kind, included_by, line, reason}. text is \
null without --text.")]
pub(crate) struct Instructions {
    /// Say of every file why it is read, and name includes that lead nowhere or in a circle as well
    #[arg(long)]
    why: bool,
    /// Print the block that the model sees, and nothing else
    #[arg(long)]
    text: bool,
    /// Only the rules that begin to hold when this file is touched
    #[arg(long = "for", value_name = "FILE", conflicts_with_all = ["text", "why"])]
    touched: Option<PathBuf>,
    /// Let files of the project include files outside of it, as instructions.external_includes does
    #[arg(long)]
    external_includes: bool,
    /// Leave out whole files, the weakest first, over this many tokens, whatever instructions.max_tokens says; 0 for none
    #[arg(long, value_name = "TOKENS")]
    max_tokens: Option<u64>,
}

#[derive(Serialize)]
struct Answer<'a> {
    enabled: bool,
    files: Vec<FileAnswer<'a>>,
    refused: Vec<RefusalAnswer>,
    warnings: Vec<String>,
    tokens: usize,
    text: Option<String>,
}

#[derive(Serialize)]
struct FileAnswer<'a> {
    path: String,
    kind: &'static str,
    role: &'static str,
    bytes: usize,
    characters: usize,
    tokens: usize,
    included_by: Option<String>,
    line: Option<usize>,
    applies: &'static str,
    patterns: &'a [String],
}

#[derive(Serialize)]
struct RefusalAnswer {
    path: String,
    kind: &'static str,
    included_by: Option<String>,
    line: Option<usize>,
    reason: String,
}

impl Instructions {
    pub(crate) fn run(self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        let mut allowance = Allowance::of(&workplace.home());
        allowance.external_includes |= self.external_includes;
        if let Some(tokens) = self.max_tokens {
            allowance.max_tokens = limit(tokens);
        }
        let found = discover(&workplace.home(), allowance);
        let is_on = found.is_some();
        let found = found.unwrap_or_default();
        let files: Vec<&LoadedFile> = match &self.touched {
            Some(file) => found.touched(&absolute(workplace, file)),
            None => found.files.iter().collect(),
        };
        let text = || found.block().unwrap_or_default();
        if output.json {
            return Ok(output.json(&Answer {
                enabled: is_on,
                files: files.into_iter().map(FileAnswer::of).collect(),
                refused: found.refused.iter().map(RefusalAnswer::of).collect(),
                warnings: found.warnings.iter().map(Warning::to_string).collect(),
                tokens: found.tokens(),
                text: self.text.then(text),
            })?);
        }
        if self.text {
            return Ok(output.raw(text().as_bytes())?);
        }
        if !is_on {
            let name = variables::DISABLE_CLAUDE_MDS;
            return Ok(output.line(format!("instruction files are switched off by {name}"))?);
        }
        self.print_files(workplace, &files, output)?;
        if self.touched.is_none() {
            self.print_rest(workplace, &found, output)?;
        }
        Ok(())
    }

    fn print_files(
        &self,
        workplace: &Workplace,
        files: &[&LoadedFile],
        output: &mut Output,
    ) -> Result<(), Failure> {
        let size = |file: &&LoadedFile| format!("{} B", thousands(file.bytes));
        let sizes: Vec<String> = files.iter().map(size).collect();
        let kind_columns = widest(files.iter().map(|file| file.kind.as_str()));
        let size_columns = widest(sizes.iter().map(String::as_str));
        for (file, size) in files.iter().zip(&sizes) {
            let mut line = String::new();
            push_padded(&mut line, file.kind.as_str(), kind_columns);
            line.push_str(GAP);
            push_padded(&mut line, "", size_columns.saturating_sub(size.len()));
            line.push_str(size);
            line.push_str(GAP);
            line.push_str(&shown(workplace, &file.path));
            let note = self.note(workplace, file);
            if !note.is_empty() {
                line.push_str(&format!("{GAP}{FAINT}{note}{FAINT:#}"));
            }
            output.line(line)?;
        }
        if files.is_empty() {
            output.line(match self.touched {
                Some(_) => "no rule begins to hold when this file is touched",
                None => "no instruction files",
            })?;
        }
        Ok(())
    }

    /// What is to be said about a file besides its kind, size and path.
    fn note(&self, workplace: &Workplace, file: &LoadedFile) -> String {
        let mut notes = Vec::new();
        match &file.asker {
            Asker::Include { file, line } => {
                notes.push(format!("included by {}:{line}", shown(workplace, file)));
            }
            Asker::Source if self.why => notes.push(role_reason(file.role).to_owned()),
            Asker::Source => {}
        }
        match &file.applies {
            Applies::Always => {}
            Applies::WhenTouched(patterns) => {
                notes.push(format!("for {}", one_line(&patterns.join(", "))));
            }
            Applies::WithIncluder => notes.push("with that rule only".to_owned()),
            Applies::LeftOut => notes.push("left out".to_owned()),
        }
        if self.why && file.is_shown() {
            notes.push(format!("about {} tokens", thousands(file.tokens())));
        }
        notes.join("; ")
    }

    fn print_rest(
        &self,
        workplace: &Workplace,
        found: &Found,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let shown_files = found.files.iter().filter(|file| file.is_shown()).count();
        if shown_files > 0 {
            output.line(format!(
                "\n{} from the beginning, about {}",
                table::count(shown_files, "file", "files"),
                table::count(found.tokens(), "token", "tokens")
            ))?;
        }
        let is_told = |refusal: &&Refusal| self.why || !refusal.reason.is_ordinary();
        let refused: Vec<&Refusal> = found.refused.iter().filter(is_told).collect();
        if !refused.is_empty() {
            output.line(format!("\n{WARN}not loaded{WARN:#}"))?;
        }
        for refusal in refused {
            let by = match &refusal.asker {
                Asker::Include { file, line } => {
                    format!(" (included by {}:{line})", shown(workplace, file))
                }
                Asker::Source => String::new(),
            };
            let path = shown(workplace, &refusal.path);
            let reason = refusal.reason.to_string();
            let reason = one_line(&reason);
            output.line(format!("  {path}{FAINT}{by}{FAINT:#}: {reason}"))?;
        }
        if !found.warnings.is_empty() {
            output.flush()?;
        }
        for warning in &found.warnings {
            output.warn(one_line(&warning.to_string()));
        }
        Ok(())
    }
}

impl<'a> FileAnswer<'a> {
    fn of(file: &'a LoadedFile) -> Self {
        let (included_by, line) = includer(&file.asker);
        let patterns: &[String] = match &file.applies {
            Applies::WhenTouched(patterns) => patterns,
            _ => &[],
        };
        Self {
            path: file.path.display().to_string(),
            kind: file.kind.as_str(),
            role: match file.role {
                Role::Main => "main",
                Role::Agents => "agents",
                Role::Rule => "rule",
                Role::Include => "include",
                Role::Index => "index",
            },
            bytes: file.bytes,
            characters: file.characters(),
            tokens: file.tokens(),
            included_by,
            line,
            applies: match file.applies {
                Applies::Always => "always",
                Applies::WhenTouched(_) => "when-touched",
                Applies::WithIncluder => "with-includer",
                Applies::LeftOut => "left-out",
            },
            patterns,
        }
    }
}

impl RefusalAnswer {
    fn of(refusal: &Refusal) -> Self {
        let (included_by, line) = includer(&refusal.asker);
        Self {
            path: refusal.path.display().to_string(),
            kind: refusal.kind.as_str(),
            included_by,
            line,
            reason: refusal.reason.to_string(),
        }
    }
}

fn includer(asker: &Asker) -> (Option<String>, Option<usize>) {
    match asker {
        Asker::Include { file, line } => (Some(file.display().to_string()), Some(*line)),
        Asker::Source => (None, None),
    }
}

/// Why a file is read that no other includes.
fn role_reason(role: Role) -> &'static str {
    match role {
        Role::Main => "read wherever it is found",
        Role::Agents => "read because the folder has no CLAUDE.md",
        Role::Rule => "in a folder of rules",
        Role::Include => "included",
        Role::Index => "the index of the memory directory",
    }
}

fn shown(workplace: &Workplace, path: &Path) -> String {
    one_line(&workplace.shown(path)).into_owned()
}

/// A file as the user named it, from the start folder; it need not exist.
fn absolute(workplace: &Workplace, file: &Path) -> PathBuf {
    let path = workplace.places.start_folder.join(file);
    path.canonicalize().unwrap_or(path)
}
