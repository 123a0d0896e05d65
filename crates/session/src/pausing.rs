//! A while without memory.

use std::borrow::Cow;

use memdir_agent::jobs::DRAIN;
use memdir_agent::pauses::Pauses;

use crate::{Event, Home, Session, Snapshot};

impl Home {
    /// When conversations were without memory.
    #[must_use]
    pub fn pauses(&self) -> Pauses {
        Pauses::new(self.places.own_dir(), self.store.state_directory())
    }
}

impl Session {
    /// Goes on without memory, or with it again: nothing is recalled meanwhile, and nothing of what is said is saved, then
    /// or later, by whatever program. Work under way is waited for. What happened is told. Where it cannot be written down
    /// that the pause is over, memory stays paused: see [`Session::is_paused`].
    ///
    /// ```
    /// # mod scene { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/scene.rs")); }
    /// # fn main() -> Result<(), scene::Problem> {
    /// # let scene = scene::Scene::new("I will.")?;
    /// # let mut session = scene.start()?;
    /// session.pause(true);
    /// session.user_message("Never tell my boss.")?;
    /// session.pause(false);
    /// assert!(!session.is_paused());
    /// # Ok(())
    /// # }
    /// ```
    pub fn pause(&mut self, paused: bool) -> Vec<Event> {
        let mut events = self.settle(DRAIN);
        self.note_passed();
        let set = self
            .home
            .pauses()
            .set(self.name.as_str(), paused, (self.now)());
        match set {
            Ok(_) => (self.paused, self.paused_here) = (paused, paused),
            Err(error) => {
                (self.paused, self.paused_here) = (true, true);
                let warning = match paused {
                    true => format!("other programs do not know that memory is paused: {error}"),
                    false => format!("memory stays paused: {error}"),
                };
                events.push(Event::Warning(warning));
            }
        }
        events
    }

    /// Whether it goes on without memory for a while: see [`Session::pause`].
    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// Looks whether another program has paused it, or ended its pause; whether it is paused.
    pub fn heed_pause(&mut self) -> bool {
        self.paused = self.paused_here || self.home.pauses().is_paused(self.name.as_str());
        self.paused
    }

    /// A pause ends with the program in which it was wanted.
    pub(crate) fn end_pause(&mut self) {
        self.note_passed();
        if self.paused_here {
            let ended = self
                .home
                .pauses()
                .set(self.name.as_str(), false, (self.now)());
            if let Err(error) = ended {
                self.events.push(Event::Warning(error.to_string()));
            }
        }
    }

    /// Writes down which messages were said in a pause. The times of the pause stand in the record from its beginning on: this
    /// is for clocks that do not run, and for copies of the conversation.
    pub(crate) fn note_passed(&mut self) {
        if self.state.passed.is_empty() {
            return;
        }
        let noted = self
            .home
            .pauses()
            .note_messages(self.name.as_str(), &self.state.passed);
        match noted {
            Ok(()) => self.state.passed.clear(),
            Err(error) => {
                let warning = format!("what was said in the pause could not be noted: {error}");
                self.events.push(Event::Warning(warning));
            }
        }
    }
}

impl Snapshot {
    /// The conversation as background work may see it: without what was said in a pause, and without a summary that may tell
    /// of it. A fork would repeat a request with all of it: then there is none. Nothing at all while it is paused.
    pub(crate) fn heard(&self, home: &Home, conversation: &str) -> Option<Cow<'_, Self>> {
        let pauses = home.pauses();
        let names = self.names.iter().map(String::as_str);
        let names: Vec<&str> = names.chain([conversation]).collect();
        let forked_from: Vec<&str> = self.forked_from.iter().map(String::as_str).collect();
        let withheld = pauses.of_copy(&names, &forked_from);
        if withheld.is_open() {
            return None;
        }
        if withheld.is_empty() {
            return Some(Cow::Borrowed(self));
        }
        let mut heard = self.clone();
        let mut taken = withheld.withhold(&mut heard.visible);
        if let Some(said) = &mut heard.said {
            taken.extend(withheld.withhold(said));
        }
        if !taken.is_empty() {
            heard.parent = None;
            // The times of the pause are known already.
            let _ = pauses.note_messages(conversation, &taken);
        }
        Some(Cow::Owned(heard))
    }
}
