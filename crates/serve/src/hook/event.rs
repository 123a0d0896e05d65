//! An event as it came: read leniently, since clients add fields with every version and a strange one is no reason to fail.

use std::path::{Path, PathBuf};

use memdir_conversation::mend_surrogates;
use memdir_store::Digest;
use serde_json::{Map, Value};

use super::Client;

/// What an event is about, whatever its client calls it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A conversation begins, is resumed, cleared, or goes on after a compaction.
    Opening,
    /// The user sent something.
    Prompt,
    /// A tool is about to be called.
    BeforeTool,
    /// A tool was called.
    AfterTool,
    /// The conversation is about to be summed up.
    Compaction,
    /// The agent is done with its turn.
    TurnEnd,
    /// The conversation is over.
    Ending,
    /// Anything else.
    Other,
}

/// An event of one conversation.
#[derive(Debug)]
pub(super) struct Event {
    pub(super) kind: Kind,
    /// What its client calls it.
    pub(super) name: String,
    /// The conversation, by the name of its transcript where it has one, as background work knows it.
    pub(super) conversation: String,
    pub(super) transcript: Option<PathBuf>,
    pub(super) folder: Option<PathBuf>,
    fields: Map<String, Value>,
}

impl Event {
    /// Reads an event; `None` when it is none, or says neither what it is nor of which conversation.
    pub(super) fn read(client: Client, input: &[u8]) -> Option<Self> {
        let mut input = input.to_vec();
        mend_surrogates(&mut input);
        let Value::Object(fields) = serde_json::from_slice(&input).ok()? else {
            return None;
        };
        let text = |name: &str| fields.get(name).and_then(Value::as_str).unwrap_or_default();
        let path = |name: &str| {
            let path = Path::new(text(name));
            // Only what means the same in every process.
            (path.is_absolute() && !text(name).contains('\0')).then(|| path.to_path_buf())
        };
        let name = text("hook_event_name").to_owned();
        let transcript = path("transcript_path");
        let stem = transcript.as_deref().and_then(Path::file_stem);
        let conversation = match stem {
            Some(stem) => stem.to_string_lossy().into_owned(),
            None => text("session_id").to_owned(),
        };
        let folder = path("cwd");
        if name.is_empty() || conversation.is_empty() {
            return None;
        }
        Some(Self {
            kind: client.kind(&name),
            name,
            conversation,
            transcript,
            folder,
            fields,
        })
    }

    /// A text field; empty when there is none.
    pub(super) fn text(&self, name: &str) -> &str {
        let value = self.fields.get(name).and_then(Value::as_str);
        value.unwrap_or_default()
    }

    /// Whether it is about a sub-agent: those have an id. (The summariser of a compaction ends as a sub-agent without a type;
    /// that event is none of ours in any case.)
    pub(super) fn is_of_sub_agent(&self) -> bool {
        let agent = self.fields.get("agent_id");
        agent.is_some_and(|agent| !agent.is_null() && agent.as_str() != Some(""))
    }

    /// The tool, as its client calls it.
    pub(super) fn tool(&self) -> &str {
        self.text("tool_name")
    }

    /// What the tool is called with.
    pub(super) fn input(&self) -> Option<&Map<String, Value>> {
        self.fields.get("tool_input").and_then(Value::as_object)
    }

    /// The conversation itself, where its client hands it over.
    pub(super) fn messages(&self) -> Option<&[Value]> {
        let messages = self.fields.get("messages").and_then(Value::as_array);
        messages.map(Vec::as_slice)
    }

    /// What the tool gave back.
    pub(super) fn response(&self) -> Option<&Value> {
        self.fields.get("tool_response")
    }

    /// What tells this event from others of its conversation: the same event arrives twice where a plugin and the user's
    /// settings both have the hook.
    pub(super) fn identity(&self) -> String {
        let mut told = format!("{}\0", self.name);
        for field in [
            "prompt_id",
            "turn_id",
            "tool_use_id",
            "timestamp",
            "source",
            "trigger",
            "reason",
            "prompt",
            "last_assistant_message",
        ] {
            told.push_str(self.text(field));
            told.push('\0');
        }
        Digest::of(told.as_bytes()).to_string()
    }
}
