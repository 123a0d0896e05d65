//! `memdir transcript`: the conversations that agents leave on disk.

mod check;
mod convert;
mod show;

use std::fs::File;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use memdir_conversation::transcript::{
    Format, ReadError, Reading, Report, Sink, Span, format_of, read,
};
use memdir_store::open_transcript;

use crate::failure::Failure;
use crate::output::Output;
use crate::table::{count, thousands};

/// Read the transcripts of your agents
///
/// Those of Claude Code (~/.claude/projects/*/*.jsonl, its sub-agents' too), Codex (~/.codex/sessions) and Gemini CLI
/// (~/.gemini/tmp/*/chats), and message arrays or whole requests of Anthropic's and OpenAI's APIs. A transcript of any
/// length is read in little memory, and never changed.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir transcript show ~/.claude/projects/-home-me-app/5d1c4e3a.jsonl
  memdir transcript check rollout.jsonl
  memdir transcript convert rollout.jsonl --to anthropic -o messages.json")]
pub(crate) struct Transcript {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Show(show::Show),
    Check(check::Check),
    Convert(convert::Convert),
}

impl Transcript {
    pub(crate) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        match &self.action {
            Action::Show(show) => show.run(output),
            Action::Check(check) => check.run(output),
            Action::Convert(convert) => convert.run(output),
        }
    }
}

/// Which file, and what of it.
#[derive(Debug, Args)]
struct What {
    /// The transcript
    file: PathBuf,
    /// Who wrote it, where that cannot be told from its beginning
    #[arg(long, value_name = "FORMAT", value_parser = format())]
    format: Option<Format>,
    /// The conversations of sub-agents that stand in the file, instead of the one around them
    #[arg(long)]
    sidechains: bool,
}

fn format() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.map(Format::name))
        .try_map(|name| Format::parse(&name).ok_or("not a format"))
}

/// A transcript that is open.
struct Opened<'a> {
    path: &'a Path,
    file: File,
    format: Format,
    sidechains: bool,
}

impl What {
    fn open(&self) -> Result<Opened<'_>, Failure> {
        let path = self.file.as_path();
        let shown = path.display();
        let mut file = match open_transcript(path) {
            Ok(Some(file)) => file,
            Ok(None) => return Err(Failure::new(format!("{shown}: there is no such file"), "")),
            Err(error) => return Err(Failure::new(format!("{shown}: {error}"), "")),
        };
        let format = match self.format {
            Some(format) => format,
            None => format_of(&mut file).map_err(|error| failed(path, &error))?,
        };
        Ok(Opened {
            path,
            file,
            format,
            sidechains: self.sidechains,
        })
    }
}

impl Opened<'_> {
    fn read(&self, span: Span, to: &mut Sink<'_>) -> Result<Report, Failure> {
        let reading = Reading {
            span,
            sidechains: self.sidechains,
            ..Reading::default()
        };
        read(self.format, &self.file, &reading, to).map_err(|error| failed(self.path, &error))
    }
}

fn failed(path: &Path, error: &ReadError) -> Failure {
    let hint = match error {
        ReadError::Unknown => {
            let names: Vec<&str> = Format::ALL.map(Format::name).to_vec();
            format!("say which with --format: {}", names.join(", "))
        }
        ReadError::Io(_) => String::new(),
    };
    Failure::new(format!("{}: {error}", path.display()), hint)
}

/// Says beside the answer what of the file is not in it.
fn warn(output: &Output, report: &Report) {
    let lost = report
        .problems
        .iter()
        .filter(|problem| problem.trouble.loses());
    let lost = lost.count() + usize::try_from(report.unlisted).unwrap_or(usize::MAX);
    if lost > 0 {
        output.warn(format!(
            "{} could not be read; `memdir transcript check` says which",
            count(lost, "line", "lines")
        ));
    }
}

/// A number for people.
fn number(number: u64) -> String {
    thousands(usize::try_from(number).unwrap_or(usize::MAX))
}
