//! What is written down while a conversation goes on: each message, and what another process needs to go on.

use memdir_conversation::transcript::uuid_of;
use memdir_conversation::{ConversationError, Message, MessageId, Reminded};
use memdir_store::Records;

use crate::private::cut_private;
use crate::state::SavedEdits;
use crate::{Error, Event, Home, Session};

impl Session {
    pub(crate) fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    /// Writes a message down and makes it part of the conversation, in this order: what was acknowledged is on disk.
    pub(crate) fn append(&mut self, mut message: Message) -> Result<(), Error> {
        // Whoever reads the file takes the second line of a name for the first.
        if self.conversation.place(&message.id).is_some() {
            return Err(ConversationError::Twice(message.id).into());
        }
        let now = (self.now)();
        message.at.get_or_insert(now);
        let mut written = message.clone();
        cut_private(&mut written);
        let lines = self.writer.lines(&written, now);
        match &mut self.held {
            Some(held) => held.push_str(&lines),
            None => {
                let appended = self.transcript.append(&lines);
                if let Some(last) = self.conversation.messages().last()
                    && appended.is_err()
                {
                    // What comes next follows this one, not what is not there.
                    self.writer.resume(last);
                }
                appended?;
            }
        }
        self.lines += lines.lines().count() as u64;
        if self.paused {
            self.state.passed.push(message.id.to_string());
        }
        self.conversation.append(message)?;
        Ok(())
    }

    /// Does something of which the transcript has either everything or nothing, as far as one write can see to it.
    pub(crate) fn together(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let (conversation, writer) = (self.conversation.clone(), self.writer.clone());
        let (edits, lines) = (self.edits.clone(), self.lines);
        self.held = Some(String::new());
        let worked = work(self);
        let held = self.held.take().unwrap_or_default();
        let done = worked.and_then(|()| Ok(self.transcript.append(&held)?));
        if done.is_err() {
            (self.conversation, self.writer) = (conversation, writer);
            (self.edits, self.lines) = (edits, lines);
        }
        done
    }

    /// A name for the next message: the same in every run of the same conversation.
    pub(crate) fn next_id(&self) -> String {
        self.free_ids().next().unwrap_or_default()
    }

    /// Names that no message has. They go by the number of the line, not of the message: lines of a branch that was left
    /// and lines that cannot be read are in the file as well, and messages were named after a smaller number.
    pub(crate) fn free_ids(&self) -> impl Iterator<Item = String> {
        let ids = (self.lines..).map(|line| uuid_of(&format!("{}/{line}", self.name)));
        // Somebody may have taken lines out.
        ids.filter(|id| self.conversation.place(&MessageId::new(id)).is_none())
    }

    pub(crate) fn remind(&mut self, about: Reminded, text: &str) -> Result<(), Error> {
        let message = Message::reminder(&self.next_id(), about, text);
        self.append(message)
    }

    /// Writes down what another process needs to go on.
    pub(crate) fn save(&mut self) -> Result<(), Error> {
        self.state.sections = self.sections.saved();
        self.state.edits = SavedEdits::of(&self.edits);
        self.state.failures = self.progress.failures;
        self.state.stuck = self.progress.stuck;
        // Most turns change nothing of it, and a sync costs more than everything else before a request.
        if self.saved.as_ref() != Some(&self.state) {
            let state = &self.state;
            records(&self.home).update(self.name.as_str(), |_| state.clone())?;
            self.saved = Some(self.state.clone());
        }
        Ok(())
    }
}

pub(crate) fn records(home: &Home) -> Records {
    Records::new(home.store.state_directory())
}
