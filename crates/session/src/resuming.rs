//! Going on with a conversation that another process began, whatever became of that one.

use std::path::Path;

use memdir_context::Renewal;
use memdir_conversation::transcript::{Problem, Report, Trouble};
use memdir_conversation::{Conversation, Message, Reminded, Source};

use crate::{Error, Event, Session};

impl Session {
    /// Takes up what the transcript shows. Nothing is written: a host may yet say who it is.
    pub(crate) fn resume(&mut self) {
        self.goes_on = !self.conversation.messages().is_empty();
        self.remember_recalled();
        if self.lacks_opening() {
            self.sections.renew(Renewal::Compaction);
        }
    }

    /// Tells a conversation that goes on what has changed since, once.
    pub(crate) fn go_on(&mut self) -> Result<(), Error> {
        // Without a prompt everything is shown anew.
        if std::mem::take(&mut self.goes_on) && self.sections.prompt().is_some() {
            self.tell_changed_files()?;
            // Or the next process would tell it again.
            self.save()?;
        }
        Ok(())
    }

    /// Whether the last compaction took the instruction files away and whoever made it was killed before it showed them
    /// again.
    fn lacks_opening(&self) -> bool {
        let Some((place, _)) = self.conversation.boundary() else {
            return false;
        };
        let opened = self.state.opened.as_deref();
        let is_shown = |message: &Message| {
            // Shown, and killed before that was written down.
            let is_context = message.source == Source::Reminder(Reminded::Context);
            is_context || opened == Some(message.id.as_str())
        };
        let mut behind = self.conversation.messages().iter().skip(place);
        !behind.any(is_shown)
    }
}

/// The conversation without compactions of which there is no summary. Whoever made them was killed and told nobody; all
/// that was said before would be gone with them.
pub(crate) fn without_half_compaction(mut told: Conversation) -> Conversation {
    while let Some((place, _)) = told.boundary() {
        let messages = told.messages();
        let mut behind = messages.iter().skip(place);
        if behind.any(|message| message.source == Source::Summary) {
            break;
        }
        let mut whole = Conversation::new();
        let others = messages.iter().enumerate().filter(|(at, _)| *at != place);
        for (_, message) in others {
            // Each id was there once.
            let _ = whole.append(message.clone());
        }
        told = whole;
    }
    told
}

/// What of a transcript is not as it was written.
pub(crate) fn trouble(report: &Report, transcript: &Path) -> Option<Event> {
    let is_trouble = |one: &&Problem| one.trouble.loses() || one.trouble == Trouble::Twice;
    let mut problems = report.problems.iter().filter(is_trouble);
    let first = problems.next()?;
    let more = match problems.count() {
        0 => String::new(),
        more => format!(" (and {more} more)"),
    };
    let path = transcript.display();
    Some(Event::Warning(format!(
        "not all of this conversation could be read: line {} of {path}: {}{more}; `memdir transcript check {path}` tells all",
        first.line, first.trouble
    )))
}
