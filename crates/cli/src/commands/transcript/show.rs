//! `memdir transcript show`: who said what.

use std::ops::ControlFlow;

use clap::Args;
use memdir_conversation::transcript::Span;
use memdir_conversation::{Block, Boundary, Kind, Message, Reminded, Role, Source};
use serde::Serialize;

use super::{What, number, warn};
use crate::failure::Failure;
use crate::output::{FAINT, GOOD, Output, STRONG, WARN};
use crate::table::{cut, one_line, push_padded};
use crate::visible::visible;

/// Who said what in a transcript
///
/// A line a message: where it comes from, how many bytes it has, how it begins. Only what the user typed is called
/// `user`; what a host sends in the user's name is a reminder.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir transcript show session.jsonl
  memdir transcript show session.jsonl --whole --full | less

JSON: an array of {id, parent, role, source, about, paths, at, model, usage, bytes, blocks}; source is `user`, `model`, \
`tool`, `reminder`, `summary`, `boundary` or `notice`; blocks are as the API has them. At a boundary, kept and anchor.")]
pub(super) struct Show {
    #[command(flatten)]
    what: What,
    /// Everything that was said, not only what the model still sees
    #[arg(long)]
    whole: bool,
    /// Every message whole
    #[arg(long)]
    full: bool,
}

#[derive(Serialize)]
struct Row<'a> {
    id: &'a str,
    parent: Option<&'a str>,
    role: &'static str,
    source: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    about: Option<&'static str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    paths: &'a [String],
    at: Option<String>,
    model: Option<&'a str>,
    usage: Option<Tokens>,
    bytes: u64,
    blocks: &'a [Block],
    #[serde(skip_serializing_if = "Option::is_none")]
    kept: Option<Vec<&'a str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    anchor: Option<&'a str>,
}

#[derive(Serialize)]
struct Tokens {
    input: u64,
    cache_read: u64,
    cache_write: u64,
    output: u64,
}

impl Show {
    pub(super) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        let opened = self.what.open()?;
        let span = match self.whole {
            true => Span::Whole,
            false => Span::Visible,
        };
        let mut failure = None;
        let mut any = false;
        let report = opened.read(span, &mut |message| {
            let shown = self.message(&message, any, output);
            any = true;
            match shown {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    failure = Some(error);
                    ControlFlow::Break(())
                }
            }
        })?;
        if let Some(failure) = failure {
            return Err(failure);
        }
        if output.json {
            output.raw(if any { b"\n]\n" } else { b"[]\n" })?;
        } else if !any {
            output.line("Nothing was said in it.")?;
        }
        warn(output, &report);
        Ok(())
    }

    fn message(&self, message: &Message, any: bool, output: &mut Output) -> Result<(), Failure> {
        if output.json {
            // Written one by one: a transcript may be longer than memory.
            let row = serde_json::to_string(&row(message))?;
            output.raw(if any { b",\n  " } else { b"[\n  " })?;
            return Ok(output.raw(row.as_bytes())?);
        }
        if self.full {
            return full(message, any, output);
        }
        let label = label(&message.source);
        let mut line = format!("{}", style(&message.source));
        push_padded(&mut line, label, 8);
        line.push_str(&format!("{:#}", style(&message.source)));
        let size = number(bytes(message));
        line.push_str(&format!(" {FAINT}{size:>9}{FAINT:#}  "));
        let words = gist(message);
        let words = one_line(&words);
        let room = output.width.map(|columns| columns.saturating_sub(20));
        line.push_str(&cut(&words, room.unwrap_or(200)));
        Ok(output.line(line)?)
    }
}

fn full(message: &Message, any: bool, output: &mut Output) -> Result<(), Failure> {
    if any {
        output.line("")?;
    }
    let style = style(&message.source);
    let mut line = format!(
        "{style}{}{style:#} {FAINT}{}",
        label(&message.source),
        one_line(message.id.as_str())
    );
    if let Some(at) = message.at {
        line.push_str(&format!(", {at}"));
    }
    if let Some(model) = &message.model {
        line.push_str(&format!(", {}", one_line(model)));
    }
    if let Some(usage) = message.usage {
        line.push_str(&format!(
            ", {} tokens in, {} out",
            number(usage.prompt()),
            number(usage.output)
        ));
    }
    line.push_str(&format!("{FAINT:#}"));
    output.line(line)?;
    if let Source::Boundary(boundary) = &message.source {
        output.line(compaction(boundary))?;
    }
    for block in &message.blocks {
        let text = text(block);
        output.line(visible(text.trim_end_matches('\n')))?;
    }
    Ok(())
}

/// A block in words.
fn text(block: &Block) -> String {
    match block.kind() {
        Kind::Text => block.words().unwrap_or_default().into_owned(),
        Kind::Thinking => match block.thought().filter(|thought| !thought.is_empty()) {
            Some(thought) => format!("(thinks) {thought}"),
            None => "(thinks, unreadable)".to_owned(),
        },
        Kind::ToolCall { name, .. } => format!("→ {name} {}", block.input().unwrap_or_default()),
        Kind::ToolResult { error, .. } => {
            let arrow = if *error { "← failed:" } else { "←" };
            format!("{arrow} {}", block.result_text())
        }
        Kind::Image => "(a picture)".to_owned(),
        Kind::Document => "(a document)".to_owned(),
        Kind::Other => block.json().to_owned(),
    }
}

/// How a message begins: its words, or what it does.
fn gist(message: &Message) -> String {
    if let Source::Boundary(boundary) = &message.source {
        return compaction(boundary);
    }
    let about = match &message.source {
        Source::Reminder(Reminded::Memories(paths)) => format!("memories {}: ", paths.join(", ")),
        Source::Reminder(Reminded::Rules(paths)) => format!("rules {}: ", paths.join(", ")),
        Source::Reminder(Reminded::Restored(path)) => format!("file {path}: "),
        _ => String::new(),
    };
    let shown: Vec<String> = message
        .blocks
        .iter()
        .map(|block| {
            let text = text(block);
            // More than a line is not looked at.
            match text.char_indices().nth(200) {
                Some((end, _)) => text.get(..end).unwrap_or_default().to_owned(),
                None => text,
            }
        })
        .collect();
    format!("{about}{}", shown.join(" "))
}

fn compaction(boundary: &Boundary) -> String {
    let before = boundary
        .tokens_before
        .map(|tokens| format!("{} tokens before", number(tokens)));
    let after = boundary
        .tokens_after
        .map(|tokens| format!("{} after", number(tokens)));
    let kept = match boundary.kept.len() {
        0 => None,
        kept => Some(format!("{kept} kept")),
    };
    let known: Vec<String> = [before, after, kept].into_iter().flatten().collect();
    match known.is_empty() {
        true => "compacted".to_owned(),
        false => format!("compacted: {}", known.join(", ")),
    }
}

pub(super) fn label(source: &Source) -> &'static str {
    match source {
        Source::User => "user",
        Source::Model => "model",
        Source::Tool => "tool",
        Source::Reminder(_) => "reminder",
        Source::Summary => "summary",
        Source::Boundary(_) => "boundary",
        Source::Notice => "notice",
    }
}

fn style(source: &Source) -> anstyle::Style {
    match source {
        Source::User => GOOD,
        Source::Model => STRONG,
        Source::Boundary(_) | Source::Summary => WARN,
        Source::Tool | Source::Reminder(_) | Source::Notice => FAINT,
    }
}

fn bytes(message: &Message) -> u64 {
    message
        .blocks
        .iter()
        .map(|block| block.json().len() as u64)
        .sum()
}

fn row(message: &Message) -> Row<'_> {
    let (about, paths): (_, &[String]) = match &message.source {
        Source::Reminder(Reminded::Context) => (Some("context"), &[]),
        Source::Reminder(Reminded::Memories(paths)) => (Some("memories"), paths),
        Source::Reminder(Reminded::Rules(paths)) => (Some("rules"), paths),
        Source::Reminder(Reminded::Restored(path)) => {
            (Some("restored"), std::slice::from_ref(path))
        }
        _ => (None, &[]),
    };
    let boundary = match &message.source {
        Source::Boundary(boundary) => Some(boundary),
        _ => None,
    };
    Row {
        id: message.id.as_str(),
        parent: message.parent.as_ref().map(|parent| parent.as_str()),
        role: match message.role {
            Role::User => "user",
            Role::Assistant => "assistant",
            Role::System => "system",
        },
        source: label(&message.source),
        about,
        paths,
        at: message.at.map(|at| at.to_string()),
        model: message.model.as_deref(),
        usage: message.usage.map(|usage| Tokens {
            input: usage.input,
            cache_read: usage.cache_read,
            cache_write: usage.cache_write,
            output: usage.output,
        }),
        bytes: bytes(message),
        blocks: &message.blocks,
        kept: boundary.map(|boundary| boundary.kept.iter().map(|id| id.as_str()).collect()),
        anchor: boundary.and_then(|boundary| boundary.anchor.as_ref().map(|id| id.as_str())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::width;

    #[test]
    fn labels_fit_their_column() {
        let sources = [
            Source::Reminder(Reminded::Context),
            Source::Boundary(Box::default()),
        ];
        assert!(sources.iter().all(|source| width(label(source)) <= 8));
    }
}
