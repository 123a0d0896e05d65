//! Who asks.

use super::event::Kind;

/// A client whose hooks are answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Client {
    /// Claude Code.
    ClaudeCode,
    /// Codex CLI.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// opencode, through its plugin, which fires events as Claude Code does.
    Opencode,
}

impl Client {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::ClaudeCode, Self::Codex, Self::Gemini, Self::Opencode];

    /// Its name, as it is typed and written down.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::Opencode => "opencode",
        }
    }

    /// The client of this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.as_str() == name)
    }

    /// What an event of this name is about.
    pub(super) fn kind(self, event: &str) -> Kind {
        match (self, event) {
            (_, "SessionStart") => Kind::Opening,
            (_, "SessionEnd") => Kind::Ending,
            (Self::Gemini, "BeforeAgent") => Kind::Prompt,
            (Self::Gemini, "BeforeTool") => Kind::BeforeTool,
            (Self::Gemini, "AfterTool") => Kind::AfterTool,
            (Self::Gemini, "AfterAgent") => Kind::TurnEnd,
            // It has a PreCompress too, which fires before every request, whether there is anything to compress or not.
            (Self::Gemini, _) => Kind::Other,
            (_, "UserPromptSubmit") => Kind::Prompt,
            (_, "PreToolUse") => Kind::BeforeTool,
            (_, "PostToolUse") => Kind::AfterTool,
            (_, "PreCompact") => Kind::Compaction,
            (_, "Stop") => Kind::TurnEnd,
            _ => Kind::Other,
        }
    }

    /// Whether a denial is told by a decision of its own, and not as the permission for a tool.
    pub(super) fn denies_by_decision(self) -> bool {
        self == Self::Gemini
    }

    /// Whether what is printed before a compaction reaches whoever sums up.
    pub(super) fn takes_words_before_compaction(self) -> bool {
        matches!(self, Self::ClaudeCode | Self::Opencode)
    }
}
