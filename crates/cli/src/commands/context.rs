//! `memdir context`: what fills the window of a conversation.

mod picture;

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use memdir_context::{Limits, Standing, State};
use memdir_conversation::Conversation;
use memdir_conversation::tokens::{
    Basis, Breakdown, Estimate, Factors, FileUse, Kinds, Measure, Measuring, Meter, Pairs, ToolUse,
};
use memdir_conversation::transcript::{
    Format, ReadError, Reading, Report, Trouble, conversation, format_of,
};
use memdir_session::Session;
use memdir_store::open_transcript;
use serde::Serialize;

use crate::compaction;
use crate::failure::Failure;
use crate::model::window;
use crate::output::Output;
use crate::table::count;
use crate::workplace::Workplace;

/// What fills the window of a conversation
///
/// A picture of what a model would see of a transcript now: by kind, against the window and the thresholds at which a host
/// warns, compacts and stops, with the tools and files that it is spent on, and files that were read again. What the provider
/// counted for the last response counts; the rest is estimated.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir context ~/.claude/projects/-home-me-app/5d1c4e3a.jsonl
  memdir context rollout.jsonl --window 400000
  memdir context 5d1c4e3a.jsonl --json

JSON: {file, format, messages, model, window, available, tokens, percent_left, state, basis, factor, kinds, \
thresholds: {warning, error, compaction, blocking}, tools, files, problems}; a tool has {name, calls, requests, \
results}, a file {path, calls, reads, tokens, duplicates}, all in tokens but calls, reads and problems.")]
pub(crate) struct Context {
    /// The transcript, of Claude Code, Codex or Gemini CLI, or a request to a model
    file: PathBuf,
    /// How many tokens the model takes, instead of what the transcript or the table of models says
    #[arg(long, value_name = "TOKENS", value_parser = clap::value_parser!(u64).range(1_000..))]
    window: Option<u64>,
    /// Who wrote it, where that cannot be told from its beginning
    #[arg(long, value_name = "FORMAT", value_parser = format())]
    format: Option<Format>,
}

/// All that is shown.
struct Found {
    name: String,
    /// Who wrote it, in a word.
    format: &'static str,
    /// Lines that could not be read.
    problems: u64,
    messages: usize,
    model: Option<String>,
    limits: Limits,
    standing: Standing,
    measure: Measure,
    breakdown: Breakdown,
}

#[derive(Serialize)]
struct Answer<'a> {
    file: &'a Path,
    format: &'static str,
    messages: usize,
    model: Option<&'a str>,
    window: u64,
    available: u64,
    tokens: u64,
    percent_left: u8,
    state: &'static str,
    basis: &'static str,
    factor: f64,
    kinds: Kinds,
    thresholds: ThresholdsAnswer,
    tools: &'a [ToolUse],
    files: &'a [FileUse],
    problems: u64,
}

#[derive(Serialize)]
struct ThresholdsAnswer {
    warning: u64,
    error: u64,
    compaction: u64,
    blocking: u64,
}

impl Context {
    pub(crate) fn run(self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        let (conversation, report) = self.read()?;
        let found = self.look(workplace, &conversation, report)?;
        if output.json {
            return Ok(output.json(&found.answer(&self.file))?);
        }
        picture::print(&found, output)?;
        let problems = found.problems;
        if problems > 0 {
            output.flush()?;
            let lines = count(
                usize::try_from(problems).unwrap_or(usize::MAX),
                "line",
                "lines",
            );
            output.warn(format!(
                "{lines} of it could not be read; `memdir transcript check` says which"
            ));
        }
        Ok(())
    }

    fn read(&self) -> Result<(Conversation, Report), Failure> {
        let shown = self.file.display();
        let mut file = match open_transcript(&self.file) {
            Ok(Some(file)) => file,
            Ok(None) => return Err(Failure::new(format!("{shown}: there is no such file"), "")),
            Err(error) => return Err(Failure::new(format!("{shown}: {error}"), "")),
        };
        let failed = |error: ReadError| {
            let hint = match error {
                ReadError::Unknown => {
                    format!(
                        "say which with --format: {}",
                        Format::ALL.map(Format::name).join(", ")
                    )
                }
                ReadError::Io(_) => String::new(),
            };
            Failure::new(format!("{shown}: {error}"), hint)
        };
        let format = match self.format {
            Some(format) => format,
            None => format_of(&mut file).map_err(failed)?,
        };
        conversation(format, &file, &Reading::default()).map_err(failed)
    }

    fn look(
        &self,
        workplace: &Workplace,
        conversation: &Conversation,
        report: Report,
    ) -> Result<Found, Failure> {
        let mut meter = Meter::new(Pairs, Factors::default());
        let tokens = |json: &Option<_>| json.as_deref().map(|json: &str| Pairs.text(json));
        let how = Measuring {
            system: tokens(&report.system),
            tools: tokens(&report.tools),
            folder: report.cwd.as_deref(),
            ..Measuring::default()
        };
        let measure = meter.measure(conversation, &how);
        let breakdown = meter.breakdown(conversation, &how);
        let model = conversation.model().map(str::to_owned);
        let told = self.window.or(report.window);
        let window = window(workplace, told, model.as_deref(), measure.tokens)?;
        let limits = Limits::new(window, u64::MAX, &compaction::configured(workplace));
        let automatic = compaction::switches(workplace).automatic(0, &limits);
        let standing = limits.thresholds.standing(measure.tokens, &automatic);
        let name = self.file.file_name().unwrap_or(self.file.as_os_str());
        Ok(Found {
            name: name.to_string_lossy().into_owned(),
            messages: conversation.visible().len(),
            format: report.format.name(),
            problems: problems(&report),
            model,
            limits,
            standing,
            measure,
            breakdown,
        })
    }
}

/// Draws what fills the window of a conversation that is being had.
pub(crate) fn draw(session: &mut Session, output: &mut Output) -> Result<(), Failure> {
    let standing = session.standing();
    let (measure, breakdown) = session.measured();
    let found = Found {
        name: "This conversation".to_owned(),
        format: "chat",
        problems: 0,
        messages: session.conversation().visible().len(),
        model: Some(session.model().name().to_owned()),
        limits: *session.limits(),
        standing,
        measure,
        breakdown,
    };
    Ok(picture::print(&found, output)?)
}

/// How many lines could not be read.
fn problems(report: &Report) -> u64 {
    let problems = report.problems.iter();
    // A last line that is not whole is normal: somebody is still writing it.
    let listed = problems.filter(|problem| problem.trouble != Trouble::Unfinished);
    listed.count() as u64 + report.unlisted
}

impl Found {
    fn answer<'a>(&'a self, file: &'a Path) -> Answer<'a> {
        let thresholds = &self.limits.thresholds;
        Answer {
            file,
            format: self.format,
            messages: self.messages,
            model: self.model.as_deref(),
            window: self.limits.window,
            available: self.limits.available,
            tokens: self.measure.tokens,
            percent_left: self.standing.percent_left,
            state: match self.standing.state {
                State::Normal => "normal",
                State::Warning => "warning",
                State::Error => "error",
                State::Compaction => "compaction",
                State::Blocked => "blocked",
            },
            basis: match self.measure.basis {
                Basis::Margin => "margin",
                Basis::Learnt => "learnt",
                Basis::Usage => "usage",
            },
            factor: self.measure.factor,
            kinds: self.measure.kinds,
            thresholds: ThresholdsAnswer {
                warning: thresholds.warning,
                error: thresholds.error,
                compaction: thresholds.compaction,
                blocking: thresholds.blocking,
            },
            tools: &self.breakdown.tools,
            files: &self.breakdown.files,
            problems: self.problems,
        }
    }
}

fn format() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.map(Format::name))
        .try_map(|name| Format::parse(&name).ok_or("not a format"))
}
