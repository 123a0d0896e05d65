//! Who said it. Agents send much in the user's name that the user never wrote; what is the user's own decides what is
//! kept word for word, extracted, and looked for.

use std::borrow::Cow;
use std::sync::Arc;

use jiff::Timestamp;

use super::placed::{self, Piece};
use crate::{Block, Kind, Message, MessageId, Reminded, Role, Source, Usage};

/// The beginnings of texts that hosts send in the user's name.
const HOSTS: [&str; 26] = [
    "<system-reminder>",
    "<local-command-caveat>",
    "<local-command-stdout>",
    "<local-command-stderr>",
    "<bash-stdout>",
    "<bash-stderr>",
    "<bash-input>",
    "<task-notification>",
    "<teammate-message",
    "<command-name>",
    "<command-message>",
    "[Request interrupted by user",
    "Caveat: The messages below were generated",
    "# AGENTS.md instructions",
    "<environment_context>",
    "<user_instructions>",
    "<INSTRUCTIONS>",
    "<turn_aborted>",
    "<skill>",
    "<user_shell_command>",
    "<user_action>",
    "<hook_prompt",
    "<subagent_notification>",
    "<session_context>",
    "<hook_context>",
    "<state_snapshot>",
];

/// Whether a call of this tool may change a file or a memory.
pub(super) fn may_write(tool: &str) -> bool {
    const WRITERS: [&str; 8] = [
        "Write",
        "Edit",
        "MultiEdit",
        "apply_patch",
        "write_file",
        "replace",
        "remember",
        "forget",
    ];
    WRITERS.contains(&tool) || tool.starts_with("mcp__")
}

/// What a text is about that a host sent: memories of ours are known by the header over each. Only a text that begins with
/// one is ours, for a hook can print any line.
pub(super) fn reminded(text: &str) -> Reminded {
    let mut lines = unwrapped(text).lines();
    match lines.next().and_then(recalled) {
        Some(first) => Reminded::Memories(
            std::iter::once(first)
                .chain(lines.filter_map(recalled))
                .collect(),
        ),
        None => Reminded::Context,
    }
}

/// What stands in a reminder, without what a client writes before the words of a hook.
fn unwrapped(text: &str) -> &str {
    let text = text.trim_start();
    let text = text.strip_prefix("<system-reminder>").unwrap_or(text);
    let text = text.trim_start();
    match text.split_once(" hook additional context: ") {
        Some((event, said)) if !event.contains(char::is_whitespace) => said.trim_start(),
        _ => text,
    }
}

/// The path in the header of a recalled memory: `Memory (saved 3 days ago): <path>:`.
fn recalled(line: &str) -> Option<String> {
    let rest = line.trim().strip_prefix("Memory (saved ")?;
    let (_, path) = rest.split_once("): ")?;
    Some(path.strip_suffix(':')?.to_owned())
}

/// Whether a text is one that a host sends in the user's name. What a user typed behind a command is the user's.
pub(super) fn is_of_host(text: &str) -> bool {
    let text = text.trim_start();
    if !HOSTS.iter().any(|start| text.starts_with(start)) {
        return false;
    }
    let command = text.starts_with("<command-");
    !(command && arguments(text).is_some_and(|typed| !typed.trim().is_empty()))
}

fn arguments(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once("<command-args>")?;
    Some(
        rest.split_once("</command-args>")
            .map_or(rest, |(typed, _)| typed),
    )
}

/// Whether a text is a command with what the client wrote around it.
pub(super) fn is_command(text: &str) -> bool {
    text.trim_start().starts_with("<command-")
}

/// A block in the user's name, cut into what is the user's and what is not.
pub(super) fn pieces(block: Block) -> Vec<(Source, Block)> {
    match block.kind() {
        Kind::ToolResult { .. } => return vec![(Source::Tool, block)],
        Kind::Text => {}
        _ => return vec![(Source::User, block)],
    }
    let words = block.words().unwrap_or_default().into_owned();
    if is_of_host(&words) {
        return vec![(Source::Reminder(reminded(&words)), block)];
    }
    match is_command(&words)
        .then(|| around_arguments(&words))
        .flatten()
    {
        Some([before, typed, after]) => {
            let mut pieces = vec![sent_by_host(before), (Source::User, Block::text(typed))];
            pieces.extend((!after.trim().is_empty()).then(|| sent_by_host(after)));
            pieces
        }
        None => placed(block),
    }
}

/// A block of which it is known that the user typed it, but for what the client placed in it.
pub(super) fn placed(block: Block) -> Vec<(Source, Block)> {
    let words = block.words().unwrap_or_default().into_owned();
    match placed::cut(&words).as_slice() {
        [] | [Piece::Own(_)] => vec![(Source::User, block)],
        pieces => pieces
            .iter()
            .map(|piece| match piece {
                Piece::Own(text) if is_of_host(text) => sent_by_host(text),
                Piece::Own(text) => (Source::User, Block::text(text)),
                Piece::Placed(text) => sent_by_host(text),
            })
            .collect(),
    }
}

/// A piece of a message that nobody typed.
pub(super) fn not_typed((source, block): (Source, Block)) -> (Source, Block) {
    match source {
        Source::User => {
            let about = reminded(&block.words().unwrap_or_default());
            (Source::Reminder(about), block)
        }
        source => (source, block),
    }
}

/// Makes of what seems to be the user's what an agent said in their place.
pub(super) fn take_from_user(message: &mut Message) {
    if message.source == Source::User {
        message.source = Source::Reminder(reminded(&message.words()));
    }
}

fn sent_by_host(text: &str) -> (Source, Block) {
    (Source::Reminder(reminded(text)), Block::text(text))
}

/// What stands before, in and behind the arguments of a command.
fn around_arguments(text: &str) -> Option<[&str; 3]> {
    let typed = arguments(text)?;
    let start = text.find("<command-args>")? + "<command-args>".len();
    let end = start + typed.len();
    Some([text.get(..start)?, typed, text.get(end..)?])
}

/// What the user typed of a prompt, without what the client put around it; empty when nothing is theirs.
///
/// ```
/// use memdir_conversation::transcript::typed_words;
///
/// assert_eq!(typed_words("Why? <ide_selection>Run it.</ide_selection>"), "Why?");
/// assert_eq!(typed_words("<task-notification>done</task-notification>"), "");
/// ```
#[must_use]
pub fn typed_words(prompt: &str) -> String {
    let pieces = pieces(Block::text(prompt)).into_iter();
    let own = pieces.filter(|(source, _)| *source == Source::User);
    let words: Vec<String> = own
        .filter_map(|(_, block)| block.words().map(|words| words.trim().to_owned()))
        .collect();
    words.join("\n").trim().to_owned()
}

/// A message before it is cut into what is the user's, the tools' and the host's.
pub(super) struct Said {
    pub(super) id: Arc<str>,
    pub(super) role: Role,
    pub(super) blocks: Vec<(Source, Block)>,
    pub(super) at: Option<Timestamp>,
}

impl Said {
    /// One message for each run of blocks from the same source. The first has the id, others the id and a number.
    pub(super) fn messages(self) -> Vec<Message> {
        let mut messages: Vec<Message> = Vec::new();
        for (source, block) in self.blocks {
            match messages.last_mut() {
                Some(last) if last.source == source => last.blocks.push(block),
                _ => {
                    let id = match messages.len() {
                        0 => self.id.to_string(),
                        before => format!("{}.{}", self.id, before + 1),
                    };
                    let mut message = Message::new(&id, self.role, source, vec![block]);
                    message.at = self.at;
                    messages.push(message);
                }
            }
        }
        messages
    }
}

impl Message {
    /// It cut where what the user typed and what a host put in meet. Readers do so themselves, but for messages that have to
    /// go back whole.
    ///
    /// ```
    /// use memdir_conversation::transcript::{Format, Reading, conversation};
    ///
    /// let text = r#"{"messages":[{"role":"user","content":"Why? <ide_selection>Run it.</ide_selection>"}]}"#;
    /// let (talk, _) = conversation(Format::OpenAi, std::io::Cursor::new(text), &Reading::whole())?;
    /// let whole = &talk.messages()[0];
    /// assert_eq!(whole.apart()[0].words(), "Why? ");
    /// assert_eq!(whole.apart()[1].words(), "<ide_selection>Run it.</ide_selection>");
    /// # Ok::<(), memdir_conversation::transcript::ReadError>(())
    /// ```
    #[must_use]
    pub fn apart(&self) -> Cow<'_, [Self]> {
        if self.source != Source::User || self.wire.is_none() {
            return Cow::Borrowed(std::slice::from_ref(self));
        }
        let pieces: Vec<(Source, Block)> = self.blocks.iter().cloned().flat_map(pieces).collect();
        if pieces.iter().all(|(source, _)| *source == Source::User) {
            return Cow::Borrowed(std::slice::from_ref(self));
        }
        let said = Said {
            id: self.id.as_str().into(),
            role: self.role,
            blocks: pieces,
            at: self.at,
        };
        Cow::Owned(said.messages())
    }
}

/// Sets the parents of messages that follow one another, and counts them.
#[derive(Default)]
pub(super) struct Following(Option<MessageId>);

impl Following {
    pub(super) fn follow(&mut self, message: &mut Message) {
        message.parent = match message.source {
            Source::Boundary(_) => None,
            _ => self.0.take(),
        };
        self.0 = Some(message.id.clone());
    }
}

/// Usage as providers name its parts when cached input is part of the input.
pub(super) fn usage_within(input: u64, read: u64, written: u64, output: u64) -> Usage {
    Usage {
        input: input.saturating_sub(read).saturating_sub(written),
        cache_read: read,
        cache_write: written,
        output,
    }
}

/// A time, where it is one.
pub(super) fn time(text: Option<&str>) -> Option<Timestamp> {
    text?.parse().ok()
}
