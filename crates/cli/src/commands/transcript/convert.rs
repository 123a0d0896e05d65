//! `memdir transcript convert`: a transcript in another form.

use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use memdir_conversation::transcript::{Format, Report, Span};
use memdir_conversation::{Flattening, Kind, Message, Role, flatten, wire};
use memdir_session::cut_private;

use super::{Opened, What, number, warn};
use crate::failure::Failure;
use crate::output::Output;
use crate::session_file::{Session, create, refuse_existing, replace, warn_of_private};
use crate::table::count;

/// What helps where the file exists.
const FORCE: &str = "--force replaces it";

/// A transcript in another form
///
/// To `claude-code` as a session of ours, which memdir reads and Claude Code can resume; to `anthropic` or `openai` as
/// the messages of a request, in which every tool call has its result. What only its own provider understands, such
/// as the reasoning in a rollout of Codex, is left out of requests; `<private>` spans are left out of all.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir transcript convert rollout.jsonl --to anthropic
  memdir transcript convert rollout.jsonl --to claude-code --whole -o 5d1c4e3a-0000-4000-8000-000000000000.jsonl")]
pub(super) struct Convert {
    #[command(flatten)]
    what: What,
    /// The form
    #[arg(long, value_name = "FORMAT")]
    to: To,
    /// Where to, instead of to standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace FILE where it exists
    #[arg(long, requires = "output")]
    force: bool,
    /// Write nothing, say what would be written
    #[arg(long, requires = "output")]
    dry_run: bool,
    /// Everything that was said, not only what the model still sees
    #[arg(long)]
    whole: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum To {
    ClaudeCode,
    Anthropic,
    #[value(name = "openai")]
    OpenAi,
}

impl Convert {
    pub(super) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        let opened = self.what.open()?;
        if let Some(path) = self.output.as_deref().filter(|_| !self.force) {
            refuse_existing(path, FORCE)?;
        }
        let span = match self.whole {
            true => Span::Whole,
            false => Span::Visible,
        };
        let (text, report) = match self.to {
            To::ClaudeCode => session(&opened, span, output)?,
            To::Anthropic | To::OpenAi => self.request(&opened, span, output)?,
        };
        match self.output.as_deref() {
            None => output.raw(text.as_bytes())?,
            Some(path) if self.dry_run => {
                let said = format!(
                    "would write {} bytes to {}",
                    number(text.len() as u64),
                    path.display()
                );
                output.line(said)?;
            }
            Some(path) => {
                match self.force {
                    true => replace(path, &text)?,
                    false => create(path, &text, FORCE)?,
                }
                output.line(format!(
                    "{} in {}",
                    count(
                        usize::try_from(report.messages).unwrap_or(usize::MAX),
                        "message",
                        "messages"
                    ),
                    path.display()
                ))?;
            }
        }
        warn(output, &report);
        Ok(())
    }

    fn request(
        &self,
        opened: &Opened<'_>,
        span: Span,
        output: &Output,
    ) -> Result<(String, Report), Failure> {
        let mut messages: Vec<Message> = Vec::new();
        let (mut foreign, mut private) = (0, 0);
        let mut all = memdir_conversation::Conversation::new();
        let report = opened.read(span, &mut |mut message| {
            foreign += without_foreign(&mut message, opened.format);
            private += usize::from(cut_private(&mut message));
            match span {
                Span::Whole => messages.push(message),
                Span::Visible => {
                    let _ = all.append(message);
                }
            }
            ControlFlow::Continue(())
        })?;
        if foreign > 0 {
            output.warn(format!(
                "{} that only another provider understands left out",
                count(foreign, "block", "blocks")
            ));
        }
        warn_of_private(output, private);
        let seen: Vec<&Message> = match span {
            Span::Whole => messages.iter().collect(),
            Span::Visible => all.visible(),
        };
        let how = Flattening {
            system_messages: self.to == To::OpenAi,
            ..Flattening::default()
        };
        let text = match self.to {
            To::OpenAi => {
                let (prompt, rest) = prompt(&seen);
                let messages = wire::openai::messages(&flatten(rest, &how));
                with_prompt(&prompt, &messages)
            }
            _ => wire::anthropic::messages(&flatten(&seen, &how), &[]),
        };
        Ok((text + "\n", report))
    }
}

/// What the host says before anyone else is the system prompt, which this API has among the messages.
fn prompt<'a, 'b>(seen: &'a [&'b Message]) -> (Vec<String>, &'a [&'b Message]) {
    let is_prompt = |message: &&&Message| message.role == Role::System && message.is_sent();
    let count = seen.iter().take_while(is_prompt).count();
    let (prompt, rest) = seen.split_at_checked(count).unwrap_or((&[], seen));
    let written = prompt.iter().map(|message| match &message.wire {
        Some(wire) if wire.api == wire::Api::OpenAi => wire.json.to_string(),
        _ => serde_json::json!({"role": "system", "content": message.words()}).to_string(),
    });
    (written.collect(), rest)
}

fn with_prompt(prompt: &[String], messages: &str) -> String {
    let rest = messages.strip_prefix('[').unwrap_or(messages);
    let gap = match prompt.is_empty() || rest == "]" {
        true => "",
        false => ",",
    };
    format!("[{}{gap}{rest}", prompt.join(","))
}

/// Takes out blocks of a kind that the API does not have; says how many.
fn without_foreign(message: &mut Message, from: Format) -> usize {
    if !matches!(from, Format::Codex | Format::Gemini) {
        return 0;
    }
    let before = message.blocks.len();
    message.blocks.retain(|block| *block.kind() != Kind::Other);
    before - message.blocks.len()
}

/// A session of ours.
fn session(opened: &Opened<'_>, span: Span, output: &Output) -> Result<(String, Report), Failure> {
    // What the conversation is called is known once the file has been looked at.
    let known = opened.read(span, &mut |_| ControlFlow::Break(()))?;
    let mut session = Session::of(&known, None);
    let report = opened.read(span, &mut |message| {
        session.add(message);
        ControlFlow::Continue(())
    })?;
    session.warn(&report, output);
    Ok((session.text, report))
}
