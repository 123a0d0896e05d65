//! A while without memory.

use std::collections::HashSet;

use memdir_agent::cursor::{self, Cursor};
use memdir_agent::jobs::DRAIN;
use memdir_conversation::{Block, Message, MessageId, Source};

use crate::{Error, Event, Session, Snapshot};

/// What background work sees in place of what was said in a pause.
const STAND_IN: &str = "(said while memory was paused)";

impl Session {
    /// Goes on without memory, or with it again: nothing is recalled meanwhile, and nothing of what is said is saved, then
    /// or later. Work under way is waited for, because it says how far was looked. What happened is told. Where it cannot be
    /// written down that what was said is not to be saved, memory stays paused: see [`Session::is_paused`].
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
        let passed = match self.paused && !paused {
            true => self.pass_over(),
            false => Ok(()),
        };
        match passed {
            Ok(()) => self.paused = paused,
            Err(error) => {
                let warning = format!("memory stays paused: {error}");
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

    /// What was said so far is not looked at for what is worth keeping, now or later.
    pub(crate) fn pass_over(&mut self) -> Result<(), Error> {
        let Some(last) = self.conversation.messages().last() else {
            return Ok(());
        };
        let left = Cursor {
            message: last.id.to_string(),
            said: last.at,
            at: (self.now)(),
            file: None,
        };
        cursor::set(&self.home.store, self.name.as_str(), &left)?;
        Ok(())
    }
}

impl Snapshot {
    /// The same without what was said in a pause, and without a summary that may tell of it. A fork would repeat a request
    /// with all of it: then there is none.
    pub(crate) fn without_passed(mut self) -> Self {
        let passed = self.passed.iter();
        let passed: HashSet<MessageId> = passed.map(|id| MessageId::new(id)).collect();
        let seen = self.visible.iter();
        let seen = seen.filter(|message| passed.contains(&message.id)).count();
        let is_left_out = |message: &Message| {
            let tells = message.source == Source::Summary && seen < passed.len();
            tells || passed.contains(&message.id)
        };
        let said = self.said.iter_mut().flatten();
        let all = self.visible.iter_mut().chain(said);
        for message in all.filter(|message| is_left_out(message)) {
            // The message stays: it may be where the last look ended.
            message.blocks = vec![Block::text(STAND_IN)];
            message.wire = None;
            self.parent = None;
        }
        self
    }
}
