//! How each agent is called so that it only answers.

use std::ffi::OsString;

use super::output::Form;
use crate::error::Error;
use crate::request::Beside;

/// The longest argument that Linux takes.
const MAX_ARGUMENT: usize = 128 * 1024 - 1;

/// Claude Code asks a second time, for a title of the session, and reports on itself, unless it is told that only the question
/// matters. Versions that do not know the variable pass it over, which they would not do with an argument.
const CLAUDE: [(&str, &str); 1] = [("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")];

/// Which agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Agent {
    /// Claude Code. Called so it has no tool, runs no hook and leaves no transcript. Where a schema is given it sends one
    /// tool of its own, whose call is the answer.
    Claude {
        /// The program, by name or path.
        program: String,
    },
    /// Codex. Its shell stays, read-only, and so do its sub-agents: only for who asks for it by name.
    Codex {
        /// The program, by name or path.
        program: String,
    },
    /// Any program that reads a question and prints an answer.
    Other {
        /// The program, by name or path.
        program: String,
        /// What it is called with.
        arguments: Vec<String>,
    },
}

impl Agent {
    /// The program.
    #[must_use]
    pub fn program(&self) -> &str {
        match self {
            Self::Claude { program } | Self::Codex { program } | Self::Other { program, .. } => {
                program
            }
        }
    }

    /// What it is told by variables.
    pub(super) fn environment(&self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Claude { .. } => &CLAUDE,
            Self::Codex { .. } | Self::Other { .. } => &[],
        }
    }

    pub(super) fn form(&self) -> Form {
        match self {
            Self::Claude { .. } => Form::Claude,
            Self::Codex { .. } | Self::Other { .. } => Form::Text,
        }
    }

    /// What goes through the input and what beside it. Only one of the agents has a place beside it.
    pub(super) fn divided(&self, asked: String, beside: Beside) -> (String, Beside) {
        if matches!(self, Self::Claude { .. }) {
            return (asked, beside);
        }
        let mut input = beside.system;
        if !input.is_empty() {
            input.push_str("\n\n");
        }
        input.push_str(&asked);
        if let Some(schema) = beside.schema {
            input.push_str("\n\nAnswer with JSON of this schema and nothing else:\n");
            input.push_str(&schema);
        }
        (input, Beside::default())
    }

    pub(super) fn arguments(&self, model: &str, beside: &Beside) -> Result<Vec<OsString>, Error> {
        let fixed: &[&str] = match self {
            Self::Claude { .. } => &[
                "-p",
                "--safe-mode",
                "--tools",
                "",
                "--strict-mcp-config",
                "--no-session-persistence",
                "--output-format",
                "json",
            ],
            Self::Codex { .. } => &[
                "exec",
                "-s",
                "read-only",
                "--ephemeral",
                "--ignore-user-config",
                "--ignore-rules",
                "--skip-git-repo-check",
            ],
            Self::Other { .. } => &[],
        };
        let mut all: Vec<String> = fixed.iter().map(|&word| word.to_owned()).collect();
        match self {
            Self::Other { arguments, .. } => all.extend(arguments.iter().cloned()),
            _ if !model.is_empty() => all.extend(["--model".to_owned(), model.to_owned()]),
            _ => {}
        }
        if !beside.system.is_empty() {
            all.extend(["--system-prompt".to_owned(), beside.system.clone()]);
        }
        if let Some(schema) = &beside.schema {
            all.extend(["--json-schema".to_owned(), schema.clone()]);
        }
        // The question is read from the input.
        if matches!(self, Self::Codex { .. }) {
            all.push("-".to_owned());
        }
        if all.iter().any(|argument| argument.len() > MAX_ARGUMENT) {
            return Err(Error::TooLong {
                needed: None,
                limit: None,
            });
        }
        Ok(all.into_iter().map(OsString::from).collect())
    }
}
