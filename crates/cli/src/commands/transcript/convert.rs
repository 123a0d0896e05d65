//! `memdir transcript convert`: a transcript in another form.

use std::borrow::Cow;
use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use memdir_conversation::transcript::{Format, Report, Span, Writer, uuid_of};
use memdir_conversation::{
    Block, Flattening, Kind, Message, MessageId, Role, Source, flatten, wire,
};
use memdir_memory::{PRIVATE_STAND_IN, PrivateSpans};

use super::{Opened, What, number, warn};
use crate::clock::Clock;
use crate::failure::Failure;
use crate::output::Output;
use crate::table::count;

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
        if let Some(path) = self.output.as_deref().filter(|_| !self.force)
            && path.symlink_metadata().is_ok()
        {
            return Err(exists(path));
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
                write(path, &text, self.force)?;
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

/// A session of ours. Its messages get UUIDs where they have none, for Claude Code wants such.
fn session(opened: &Opened<'_>, span: Span, output: &Output) -> Result<(String, Report), Failure> {
    // What the conversation is called is known once the file has been looked at.
    let known = opened.read(span, &mut |_| ControlFlow::Break(()))?;
    let name = known
        .session
        .as_deref()
        .unwrap_or("conversation")
        .to_owned();
    let cwd = match known.cwd.as_deref() {
        Some(cwd) => cwd.to_owned(),
        None => std::env::current_dir()
            .unwrap_or_default()
            .display()
            .to_string(),
    };
    let session = uuid(&name, "");
    let mut writer = Writer::new(&session, &cwd, env!("CARGO_PKG_VERSION"));
    let now = Clock::new().now();
    let mut text = String::new();
    let mut private = 0;
    let report = opened.read(span, &mut |mut message| {
        rename(&mut message, &name);
        private += usize::from(cut_private(&mut message));
        text.push_str(&writer.lines(&message, now));
        ControlFlow::Continue(())
    })?;
    warn_of_private(output, private);
    if report.system.is_some() || report.tools.is_some() {
        output.warn("the system prompt and the tools of the request have no place in a session");
    }
    Ok((text, report))
}

/// What the user marked as private is not stored a second time, nor a picture between the marks. Says whether there was any.
fn cut_private(message: &mut Message) -> bool {
    let mut spans = PrivateSpans::default();
    let mut cut = false;
    for block in &mut message.blocks {
        let kept = match block.words() {
            Some(words) => match spans.cut(&words) {
                Cow::Owned(kept) => kept,
                Cow::Borrowed(_) => continue,
            },
            None if spans.open() && matches!(block.kind(), Kind::Image | Kind::Document) => {
                PRIVATE_STAND_IN.to_owned()
            }
            None => continue,
        };
        *block = Block::text(&kept);
        message.wire = None;
        cut = true;
    }
    cut
}

fn warn_of_private(output: &Output, messages: usize) {
    if messages > 0 {
        output.warn(format!(
            "<private> spans left out of {}",
            count(messages, "message", "messages")
        ));
    }
}

fn rename(message: &mut Message, session: &str) {
    let new = |id: &MessageId| MessageId::new(&uuid(id.as_str(), session));
    message.parent = message.parent.as_ref().map(new);
    message.id = new(&message.id);
    if let Source::Boundary(boundary) = &mut message.source {
        boundary.kept = boundary.kept.iter().map(new).collect();
        boundary.anchor = boundary.anchor.as_ref().map(new);
        boundary.after = boundary.after.as_ref().map(new);
    }
}

/// A name that is a UUID stays; any other becomes one.
fn uuid(name: &str, within: &str) -> String {
    let is_one = name.len() == 36
        && name.char_indices().all(|(place, letter)| match place {
            8 | 13 | 18 | 23 => letter == '-',
            _ => letter.is_ascii_hexdigit(),
        });
    match is_one {
        true => name.to_owned(),
        false => uuid_of(&format!("{within}/{name}")),
    }
}

/// A whole file or none, and never over one that is there unless that was asked for.
fn write(path: &Path, text: &str, force: bool) -> Result<(), Failure> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let failed = |error: std::io::Error| {
        Failure::new(format!("could not write {}: {error}", path.display()), "")
    };
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)?;
    file.as_file().sync_all().map_err(failed)?;
    let kept = match force {
        true => file.persist(path),
        false => file.persist_noclobber(path),
    };
    match kept {
        Ok(_) => Ok(()),
        Err(error) if error.error.kind() == std::io::ErrorKind::AlreadyExists => Err(exists(path)),
        Err(error) => Err(failed(error.error)),
    }
}

fn exists(path: &Path) -> Failure {
    Failure::new(format!("{} exists", path.display()), "--force replaces it")
}
