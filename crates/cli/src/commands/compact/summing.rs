//! A conversation that is written down, summed up by a model.

use std::io::{IsTerminal, Write as _};

use memdir_agent::Meter;
use memdir_agent::summary::{Progress, Summariser};
use memdir_context::compaction::{FullError, Instructions, Situation, SummedUp, summed_up};
use memdir_conversation::Message;
use memdir_model::{Cancel, Model};
use memdir_settings::Purpose;

use crate::asking::{needed_for, word};
use crate::failure::Failure;
use crate::spending::Spending;
use crate::table::thousands;
use crate::workplace::Workplace;

/// A model, and what is asked of it.
pub(super) struct Summing<'a> {
    workplace: &'a Workplace,
    model: Box<dyn Model>,
    meter: Meter,
    instructions: Vec<String>,
}

impl<'a> Summing<'a> {
    /// The model that is named for compaction, or the one of this name.
    pub(super) fn new(
        workplace: &'a Workplace,
        name: &str,
        instructions: Option<&str>,
        spending: Spending,
    ) -> Result<Self, Failure> {
        let name = Some(name).filter(|name| !name.is_empty());
        Ok(Self {
            workplace,
            model: needed_for(workplace, Purpose::Compaction, name)?,
            meter: spending.meter(workplace),
            instructions: instructions.map(str::to_owned).into_iter().collect(),
        })
    }

    /// The model's name.
    pub(super) fn model(&self) -> &str {
        self.model.name()
    }

    /// Sums it up. A transcript does not have the bytes that were sent: the conversation is told as text.
    pub(super) fn sum_up(
        &self,
        situation: &Situation<'_>,
        visible: &[&Message],
    ) -> Result<SummedUp, FullError> {
        let mut line = Line::new();
        let mut progress = |event: Progress<'_>| line.tell(event);
        let mut summariser = Summariser {
            model: &*self.model,
            meter: &self.meter,
            own: false,
            visible,
            parent: None,
            folder: &self.workplace.places.project.checkout,
            word: &word(),
            cancel: &Cancel::new(),
            progress: &mut progress,
        };
        let instructions = Instructions {
            user: &self.instructions,
            hooks: &[],
        };
        summed_up(situation, instructions, &mut summariser)
    }
}

/// How it goes, in one line on standard error, where that is a terminal.
struct Line {
    shown: bool,
    characters: usize,
}

impl Line {
    fn new() -> Self {
        Self {
            shown: std::io::stderr().is_terminal(),
            characters: 0,
        }
    }

    fn tell(&mut self, event: Progress<'_>) {
        let told = match event {
            Progress::Asked { dropped: 0, .. } => "asking".to_owned(),
            Progress::Asked { dropped, .. } => format!("asking, without the oldest {dropped}"),
            Progress::Words(words) => {
                self.characters += words.chars().count();
                format!("{} characters of summary", thousands(self.characters))
            }
            Progress::Failed(error) => {
                self.characters = 0;
                error.to_string()
            }
        };
        if self.shown {
            // Progress that cannot be shown is not missed.
            let _ = write!(std::io::stderr(), "\r\x1b[K{told}");
        }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        if self.shown {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}
