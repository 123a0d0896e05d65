//! `memdir transcript check`: whether a transcript can be read, and what would be mended before it is sent.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use clap::Args;
use memdir_conversation::transcript::{Report, Span};
use memdir_conversation::{Block, Conversation, Flattening, Kind, Message, Repair, Role, flatten};
use serde::Serialize;

use super::show::label;
use super::{What, number};
use crate::failure::Failure;
use crate::output::{BAD, FAINT, GOOD, Output, WARN};
use crate::table::{one_line, pairs};

/// What is wrong with a transcript
///
/// Lines that cannot be read, with their numbers, and tool calls without a result or results without a call among what
/// the model still sees: those are mended before anything is sent. An unfinished last line is normal: its writer may be
/// at work. Exit code 1 where something that was said is lost.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir transcript check session.jsonl
  memdir transcript check session.jsonl --json | jq .problems

JSON: {format, session, cwd, lines, messages, sources, tool_calls, abandoned, sidechain, skipped, problems, unlisted, \
repairs, lost}; problems are {line, kind, lost, text}, repairs {kind, id}.")]
pub(super) struct Check {
    #[command(flatten)]
    what: What,
}

#[derive(Serialize)]
struct Answer<'a> {
    format: &'static str,
    session: Option<&'a str>,
    cwd: Option<&'a str>,
    lines: u64,
    messages: u64,
    sources: &'a BTreeMap<&'static str, u64>,
    tool_calls: u64,
    abandoned: u64,
    sidechain: u64,
    skipped: BTreeMap<&'a str, u64>,
    problems: Vec<Line>,
    unlisted: u64,
    repairs: Vec<Mend<'a>>,
    lost: bool,
}

#[derive(Serialize)]
struct Line {
    line: u64,
    kind: &'static str,
    lost: bool,
    text: String,
}

#[derive(Serialize)]
struct Mend<'a> {
    kind: &'static str,
    id: &'a str,
}

/// What was counted on the way.
#[derive(Default)]
struct Counted {
    sources: BTreeMap<&'static str, u64>,
    calls: u64,
    /// Whose words alone the last message was.
    words: Option<Role>,
    /// The messages without their words: calls and results are all that is looked at.
    bones: Conversation,
}

impl Check {
    pub(super) fn run(&self, output: &mut Output) -> Result<(), Failure> {
        let opened = self.what.open()?;
        let mut counted = Counted::default();
        let report = opened.read(Span::Whole, &mut |message| {
            counted.take(message);
            ControlFlow::Continue(())
        })?;
        let repairs = flatten(&counted.bones.visible(), &Flattening::default()).repairs;
        if output.json {
            output.json(&answer(&report, &counted, &repairs))?;
        } else {
            print(&report, &counted, &repairs, output)?;
        }
        match report.loses() {
            true => Err(Failure::Found),
            false => Ok(()),
        }
    }
}

impl Counted {
    fn take(&mut self, mut message: Message) {
        *self.sources.entry(label(&message.source)).or_default() += 1;
        let bones: Vec<Block> = message
            .blocks
            .iter()
            .filter_map(|block| match block.kind() {
                Kind::ToolCall { id, name } => Block::tool_call(id, name, "{}").ok(),
                Kind::ToolResult { call, error } => Some(Block::tool_result(call, "", *error)),
                _ => None,
            })
            .collect();
        let calls = |block: &&Block| matches!(block.kind(), Kind::ToolCall { .. });
        self.calls += bones.iter().filter(calls).count() as u64;
        // A message of words alone still stands between a call and its result; a second one adds nothing to that.
        let words = bones.is_empty() && message.is_sent();
        let again = self.words == Some(message.role);
        self.words = words.then_some(message.role);
        if words && again {
            return;
        }
        message.blocks = match words {
            true => vec![Block::text("words")],
            false => bones,
        };
        message.wire = None;
        let _ = self.bones.append(message);
    }
}

/// What a repair is, for programs and for people.
fn mended(repair: &Repair) -> (&'static str, &Arc<str>, &'static str) {
    match repair {
        Repair::NoResult(id) => ("no-result", id, "has no result; one that says so is sent"),
        Repair::NoCall(id) => ("no-call", id, "is a result without a call; it is not sent"),
        Repair::Moved(id) => (
            "moved",
            id,
            "has its result elsewhere; it is sent behind the call",
        ),
        Repair::Renamed(id) => (
            "renamed",
            id,
            "is there twice; the second gets an id of its own",
        ),
    }
}

fn answer<'a>(report: &'a Report, counted: &'a Counted, repairs: &'a [Repair]) -> Answer<'a> {
    Answer {
        format: report.format.name(),
        session: report.session.as_deref(),
        cwd: report.cwd.as_deref(),
        lines: report.lines,
        messages: report.messages,
        sources: &counted.sources,
        tool_calls: counted.calls,
        abandoned: report.abandoned,
        sidechain: report.sidechain,
        skipped: report
            .skipped
            .iter()
            .map(|(kind, count)| (&**kind, *count))
            .collect(),
        problems: report
            .problems
            .iter()
            .map(|problem| Line {
                line: problem.line,
                kind: problem.trouble.name(),
                lost: problem.trouble.loses(),
                text: problem.trouble.to_string(),
            })
            .collect(),
        unlisted: report.unlisted,
        repairs: repairs
            .iter()
            .map(|repair| {
                let (kind, id, _) = mended(repair);
                Mend { kind, id }
            })
            .collect(),
        lost: report.loses(),
    }
}

fn print(
    report: &Report,
    counted: &Counted,
    repairs: &[Repair],
    output: &mut Output,
) -> Result<(), Failure> {
    let mut rows = vec![
        ("format", report.format.name().to_owned()),
        ("lines", number(report.lines)),
        (
            "messages",
            format!("{}{}", number(report.messages), by_source(counted)),
        ),
        ("tool calls", number(counted.calls)),
    ];
    if report.abandoned > 0 {
        rows.push(("taken back", format!("{} lines", number(report.abandoned))));
    }
    if report.sidechain > 0 {
        rows.push(("sub-agents", format!("{} lines", number(report.sidechain))));
    }
    if !report.skipped.is_empty() {
        let skipped: Vec<String> = report
            .skipped
            .iter()
            .map(|(kind, count)| format!("{} {}", one_line(kind), number(*count)))
            .collect();
        rows.push(("skipped", skipped.join(", ")));
    }
    for line in pairs(&rows) {
        output.line(line)?;
    }
    for problem in &report.problems {
        let style = if problem.trouble.loses() { BAD } else { WARN };
        output.line(format!(
            "{style}line {}{style:#}: {}",
            problem.line,
            one_line(&problem.trouble.to_string())
        ))?;
    }
    if report.unlisted > 0 {
        output.line(format!("{BAD}and {} more{BAD:#}", number(report.unlisted)))?;
    }
    for repair in repairs {
        let (_, id, what) = mended(repair);
        output.line(format!("{WARN}{}{WARN:#} {what}", one_line(id)))?;
    }
    if !report.loses() {
        let said = match report.problems.is_empty() && repairs.is_empty() {
            true => "nothing is wrong",
            false => "nothing that was said is lost",
        };
        output.line(format!("{GOOD}{said}{GOOD:#}"))?;
    }
    Ok(())
}

fn by_source(counted: &Counted) -> String {
    let of: Vec<String> = counted
        .sources
        .iter()
        .map(|(source, count)| format!("{source} {}", number(*count)))
        .collect();
    match of.is_empty() {
        true => String::new(),
        false => format!("{FAINT}: {}{FAINT:#}", of.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use memdir_conversation::Source;

    use super::*;

    #[test]
    fn a_message_of_words_keeps_its_place() {
        let mut counted = Counted::default();
        counted.take(Message::user("1", "a long story"));
        counted.take(Message::new(
            "2",
            Role::System,
            Source::Notice,
            vec![Block::text("saved")],
        ));
        let bones = counted.bones.messages();
        assert_eq!(
            bones
                .iter()
                .map(|bone| bone.blocks.len())
                .collect::<Vec<_>>(),
            [1, 0]
        );
    }
}
