//! Transcripts: the conversations that agents leave on disk, read into messages.
//!
//! Every reader goes over the file twice: once for where each line stands and what it follows, once for the lines that
//! are needed. So a transcript of any length is read in little memory, and messages are handed on one by one.
//! Nothing in a file is an error: what cannot be read is left out and [reported](Report) with its line.

mod anthropic;
mod claude_code;
mod codex;
mod detect;
mod document;
mod gemini;
mod json;
mod lines;
mod openai;
mod placed;
mod report;
mod said;
mod write;

use std::io::{self, Read, Seek, SeekFrom};
use std::ops::ControlFlow;

pub use self::detect::detect;
pub use self::lines::LONGEST;
pub use self::report::{LISTED, Problem, Report, Trouble};
pub use self::said::typed_words;
pub use self::write::{Writer, uuid_of};
use crate::{Conversation, Message};

/// Who wrote a transcript, and so how it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// A session of Claude Code, of one of its sub-agents, or one that we wrote.
    ClaudeCode,
    /// A rollout of Codex.
    Codex,
    /// A chat of Gemini CLI.
    Gemini,
    /// Messages of Anthropic's API: the array alone or a whole request.
    Anthropic,
    /// Messages of Chat Completions: the array alone or a whole request.
    OpenAi,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::ClaudeCode,
        Self::Codex,
        Self::Gemini,
        Self::Anthropic,
        Self::OpenAi,
    ];

    /// Its name, as it is typed.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::Anthropic => "anthropic",
            Self::OpenAi => "openai",
        }
    }

    /// The format of this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }
}

/// How much is read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Span {
    /// What a model would see: from the last compaction on, the messages that it kept first.
    #[default]
    Visible,
    /// Everything that was said in this conversation.
    Whole,
}

/// What of a transcript is read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reading {
    /// How much.
    pub span: Span,
    /// The conversations of sub-agents that stand between the lines, instead of the one around them. A file that holds
    /// nothing else is read either way.
    pub sidechains: bool,
    /// Which messages are needed.
    pub parts: Parts,
}

/// Which messages of a transcript are needed. The rest need not be read, which is most of a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Parts {
    /// All of them.
    #[default]
    Everything,
    /// What the user said, and what the model wrote to files or asked of memory. Others may come too.
    Speech,
}

impl Reading {
    /// Everything that was said.
    #[must_use]
    pub fn whole() -> Self {
        Self {
            span: Span::Whole,
            sidechains: false,
            parts: Parts::Everything,
        }
    }

    /// Everything that the user said.
    #[must_use]
    pub fn speech() -> Self {
        Self {
            parts: Parts::Speech,
            ..Self::whole()
        }
    }
}

/// Why a transcript cannot be read at all.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The reader failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It looks like none of the known formats.
    #[error("not a transcript of a known kind")]
    Unknown,
}

/// Where messages go, one by one; it may have had enough.
pub type Sink<'a> = dyn FnMut(Message) -> ControlFlow<()> + 'a;

/// Reads a transcript, and hands on its messages in order. The ids of the messages are the same every time, also when
/// the file has grown.
///
/// ```
/// use std::io::Cursor;
/// use std::ops::ControlFlow;
/// use memdir_conversation::transcript::{Format, Reading, read};
///
/// let file = r#"[{"role":"user","content":"use tabs"},{"role":"assistant","content":"I will"}]"#;
/// let mut words = Vec::new();
/// let report = read(Format::Anthropic, Cursor::new(file), &Reading::default(), &mut |message| {
///     words.push(message.words());
///     ControlFlow::Continue(())
/// });
/// assert_eq!(words, ["use tabs", "I will"]);
/// assert_eq!(report.unwrap().problems, []);
/// ```
///
/// # Errors
///
/// When the reader fails. What is wrong with the content is in the report.
pub fn read(
    format: Format,
    from: impl Read + Seek,
    reading: &Reading,
    to: &mut Sink<'_>,
) -> Result<Report, ReadError> {
    let mut report = Report::new(format);
    match format {
        Format::ClaudeCode => claude_code::read(from, reading, &mut report, to),
        Format::Codex => codex::read(from, reading, &mut report, to),
        Format::Gemini => gemini::read(from, reading, &mut report, to),
        Format::Anthropic => anthropic::read(from, &mut report, to),
        Format::OpenAi => openai::read(from, &mut report, to),
    }?;
    report.sort();
    Ok(report)
}

/// Which kind of transcript this is, by its beginning. The reader is put back to where it starts.
///
/// # Errors
///
/// When the reader fails, or what it gives looks like no transcript.
pub fn format_of(from: &mut (impl Read + Seek)) -> Result<Format, ReadError> {
    let mut beginning = Vec::new();
    from.seek(SeekFrom::Start(0))?;
    from.by_ref()
        .take(detect::ENOUGH)
        .read_to_end(&mut beginning)?;
    from.seek(SeekFrom::Start(0))?;
    detect(&beginning).ok_or(ReadError::Unknown)
}

/// Reads a transcript into a conversation.
///
/// # Errors
///
/// When the reader fails.
pub fn conversation(
    format: Format,
    from: impl Read + Seek,
    reading: &Reading,
) -> Result<(Conversation, Report), ReadError> {
    let mut conversation = Conversation::new();
    let report = read(format, from, reading, &mut |message| {
        // Readers give each id once; a second one would be a message that is there already.
        let _ = conversation.append(message);
        ControlFlow::Continue(())
    })?;
    Ok((conversation, report))
}
