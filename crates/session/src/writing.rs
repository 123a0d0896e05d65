//! What is written down while a conversation goes on: each message, and what another process needs to go on.

use memdir_conversation::transcript::uuid_of;
use memdir_conversation::{Message, Reminded};
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
        let now = (self.now)();
        message.at.get_or_insert(now);
        let mut written = message.clone();
        cut_private(&mut written);
        let lines = self.writer.lines(&written, now);
        self.transcript.append(&lines)?;
        self.conversation.append(message)?;
        Ok(())
    }

    /// A name for the next message: the same in every run of the same conversation.
    pub(crate) fn next_id(&self) -> String {
        let number = self.conversation.messages().len();
        uuid_of(&format!("{}/{number}", self.name))
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
