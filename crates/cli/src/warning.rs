//! What a user should know although the command did what it was asked.

use std::io;

use memdir_store::Notice;
use memdir_store::limits::MAX_FILE_BYTES;
use serde::Serialize;

use crate::output::Output;
use crate::table::{one_line, thousands};

/// Warnings of one command: a field of its JSON, or lines on standard error after its text.
#[derive(Debug, Default, Clone, Serialize)]
#[serde(transparent)]
pub(crate) struct Warnings(Vec<String>);

impl Warnings {
    pub(crate) fn add(&mut self, text: impl Into<String>) {
        self.0.push(text.into());
    }

    /// Adds those of a part.
    pub(crate) fn extend(&mut self, others: &Warnings) {
        self.0.extend(others.0.iter().cloned());
    }

    /// What the store altered on the way to the disk.
    pub(crate) fn notices(&mut self, notices: &[Notice]) {
        for notice in notices {
            self.add(match notice {
                Notice::HiddenRemoved { path, count } => hidden_removed(*count, path.as_str()),
                Notice::SetAside { path, bytes, kept } => format!(
                    "{path} had {} bytes, more than the {} that memdir reads: it is kept as {}, and only its \
                     beginning stayed; `memdir index --rebuild` lists every memory again",
                    thousands(usize::try_from(*bytes).unwrap_or(usize::MAX)),
                    thousands(usize::try_from(MAX_FILE_BYTES).unwrap_or(usize::MAX)),
                    one_line(&kept.display().to_string())
                ),
                Notice::Redacted { path, rules } => {
                    format!(
                        "secrets in {path} were replaced (rules: {})",
                        rules.join(", ")
                    )
                }
            });
        }
    }

    /// Says them, after what was printed so far. In JSON they are part of the answer.
    pub(crate) fn print(&self, output: &mut Output) -> io::Result<()> {
        if output.json || self.0.is_empty() {
            return Ok(());
        }
        output.flush()?;
        for warning in &self.0 {
            output.warn(warning);
        }
        Ok(())
    }
}

/// The notice about invisible characters that were taken out.
pub(crate) fn hidden_removed(count: usize, place: &str) -> String {
    let characters = if count == 1 {
        "character"
    } else {
        "characters"
    };
    format!("{count} invisible {characters} removed from {place}")
}
