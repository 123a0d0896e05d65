//! The calls that a host makes, turn by turn.

use std::borrow::Cow;
use std::time::{Duration, Instant};

use memdir_agent::jobs::JobKind;
use memdir_conversation::{Block, Message, Trigger, Usage};
use memdir_memory::escaped;
use memdir_model::Reply;

use crate::{Error, Event, Prepared, Session};

/// How often it is looked whether background work has ended.
const LOOK: Duration = Duration::from_millis(2);

impl Session {
    /// Takes what the user says, and looks for the memories that help with it. What happened is told.
    ///
    /// ```
    /// # mod scene { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/scene.rs")); }
    /// # fn main() -> Result<(), scene::Problem> {
    /// # let scene = scene::Scene::new("I will.")?;
    /// # let mut session = scene.start()?;
    /// for event in session.user_message("May I push on a Friday?")? {
    ///     println!("{event}"); // nothing recalled: no memory is relevant enough
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// When the window is full, or it cannot be written down. Then it was not said.
    pub fn user_message(&mut self, text: &str) -> Result<Vec<Event>, Error> {
        let standing = self.standing();
        if let Some(reason) = standing.reason.filter(|_| !standing.compaction_due) {
            return Err(Error::Full(reason));
        }
        self.heed_pause();
        self.go_on()?;
        if self.sections.prompt().is_none() && self.opening.is_empty() {
            self.open()?;
        }
        self.tell_date()?;
        let said = Message::user(&self.next_id(), text);
        self.append(said)?;
        self.recall(text)?;
        // Now: a turn that is stopped never ends.
        self.note_passed();
        self.save()?;
        Ok(self.take_events())
    }

    /// The next request: makes room where it is needed first.
    ///
    /// ```
    /// # mod scene { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/scene.rs")); }
    /// # fn main() -> Result<(), scene::Problem> {
    /// # let scene = scene::Scene::new("I will.")?;
    /// # let mut session = scene.start()?;
    /// session.user_message("Where is the parser?")?;
    /// let prepared = session.before_request()?;
    /// let answer = session.model().send(&prepared.body, &memdir_model::Cancel::new())?;
    /// println!("{}, {} % left", answer.whole()?.words(), prepared.standing.percent_left);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// When nothing was said yet, or what room was made cannot be written down.
    pub fn before_request(&mut self) -> Result<Prepared, Error> {
        self.after.poll(&mut self.events);
        self.go_on()?;
        self.renew_sections()?;
        self.surface_selected("the next request")?;
        self.make_room(Trigger::Auto, &[])?;
        self.prepared()
    }

    /// The next request after the provider has refused the last one as too long.
    ///
    /// ```
    /// # mod scene { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/scene.rs")); }
    /// # fn main() -> Result<(), scene::Problem> {
    /// # let scene = scene::Scene::new("I will.")?;
    /// # let mut session = scene.start()?;
    /// session.user_message("Where is the parser?")?;
    /// let prepared = session.before_request()?;
    /// let cancel = memdir_model::Cancel::new();
    /// let sent = session.model().send(&prepared.body, &cancel).and_then(|answer| answer.whole());
    /// let reply = match sent {
    ///     Err(memdir_model::Error::TooLong { .. }) => {
    ///         let shorter = session.after_too_long()?;
    ///         session.model().send(&shorter.body, &cancel)?.whole()?
    ///     }
    ///     sent => sent?,
    /// };
    /// # assert_eq!(reply.words(), "I will.");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Session::before_request`].
    pub fn after_too_long(&mut self) -> Result<Prepared, Error> {
        self.make_room(Trigger::TooLong, &[])?;
        self.prepared()
    }

    /// Makes room because the user asked for it, with what they said about it. What happened is told.
    ///
    /// ```
    /// # mod scene { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/scene.rs")); }
    /// # fn main() -> Result<(), scene::Problem> {
    /// # let scene = scene::Scene::new("I will.")?;
    /// # let mut session = scene.start()?;
    /// # session.user_message("Where is the parser?")?;
    /// # let prepared = session.before_request()?;
    /// # session.replied(scene::send(&session, &prepared)?)?;
    /// let events = session.compact(&["Keep the names of all files.".to_owned()])?;
    /// // Without a meter for what it costs no model is asked.
    /// assert!(events.iter().any(|event| event.to_string() == "summary not done: no model to ask"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// When it cannot be written down.
    pub fn compact(&mut self, instructions: &[String]) -> Result<Vec<Event>, Error> {
        self.go_on()?;
        self.renew_sections()?;
        self.make_room(Trigger::Manual, instructions)?;
        self.save()?;
        Ok(self.take_events())
    }

    /// Takes the model's reply.
    ///
    /// ```
    /// # mod scene { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/scene.rs")); }
    /// # fn main() -> Result<(), scene::Problem> {
    /// # let scene = scene::Scene::new("I will.")?;
    /// # let mut session = scene.start()?;
    /// session.user_message("Where is the parser?")?;
    /// let prepared = session.before_request()?;
    /// let reply = session.model().send(&prepared.body, &memdir_model::Cancel::new())?.whole()?;
    /// session.replied(reply)?;
    /// assert_eq!(session.conversation().messages().last().unwrap().words(), "I will.");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// When it cannot be written down.
    pub fn replied(&mut self, reply: Reply) -> Result<(), Error> {
        let message = reply.into_message(&self.next_id(), Some((self.now)()));
        self.take_reply(message)
    }

    /// Takes a reply that a host has from somewhere else than a [`Model`](memdir_model::Model); what was counted for it, where it was.
    ///
    /// ```
    /// # mod scene { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/scene.rs")); }
    /// # fn main() -> Result<(), scene::Problem> {
    /// # let scene = scene::Scene::new("I will.")?;
    /// # let mut session = scene.start()?;
    /// use memdir_conversation::Block;
    ///
    /// session.user_message("Where is the parser?")?;
    /// session.replied_with(vec![Block::text("In src/parser.rs.")], None)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// When it cannot be written down.
    pub fn replied_with(&mut self, blocks: Vec<Block>, usage: Option<Usage>) -> Result<(), Error> {
        let mut message = Message::assistant(&self.next_id(), blocks);
        message.usage = usage;
        message.model = Some(self.model.name().into());
        self.take_reply(message)
    }

    fn take_reply(&mut self, message: Message) -> Result<(), Error> {
        self.append(message)?;
        self.keep_recalled();
        if self.notes_due() {
            self.begin_work(JobKind::Notes)?;
        }
        Ok(())
    }

    /// Takes what tools answered to the calls of the last reply. A reminder that stands in one of them is none: its tags are
    /// escaped now and for good, so that the same bytes are sent in every request.
    ///
    /// ```
    /// # mod scene { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/scene.rs")); }
    /// # fn main() -> Result<(), scene::Problem> {
    /// # let scene = scene::Scene::new("I will.")?;
    /// # let mut session = scene.start()?;
    /// use memdir_conversation::Block;
    ///
    /// session.user_message("Where is the parser?")?;
    /// session.replied_with(vec![Block::tool_call("toolu_1", "Grep", r#"{"pattern":"fn parse"}"#)?], None)?;
    /// session.results(vec![Block::tool_result("toolu_1", "src/parser.rs:7: fn parse()", false)])?;
    /// assert!(session.before_request()?.body.json.contains("src/parser.rs:7"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// When it cannot be written down.
    pub fn results(&mut self, results: Vec<Block>) -> Result<(), Error> {
        let results = results.into_iter();
        let results = results.map(|block| {
            block.with_result_texts(&|text| match escaped(text) {
                Cow::Owned(escaped) => Some(escaped),
                Cow::Borrowed(_) => None,
            })
        });
        let message = Message::results(&self.next_id(), results.collect());
        self.append(message)?;
        self.note_own_reads();
        self.show_rules()
    }

    /// The model has said its last word for now: what is worth keeping is saved beside the conversation. What happened is
    /// told, also of work that has ended meanwhile.
    ///
    /// ```
    /// # mod scene { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/scene.rs")); }
    /// # fn main() -> Result<(), scene::Problem> {
    /// # let scene = scene::Scene::new("I will.")?;
    /// # let mut session = scene.start()?;
    /// use memdir_conversation::Block;
    ///
    /// session.user_message("From now on, use tabs in Makefiles.")?;
    /// session.replied_with(vec![Block::text("I will.")], None)?;
    /// session.turn_ended()?;
    /// // Fixed rules save it, on a thread of their own.
    /// let events = session.close()?;
    /// assert!(events[0].to_string().starts_with("Saved 1 memory: feedback_"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// When what is due cannot be written down.
    pub fn turn_ended(&mut self) -> Result<Vec<Event>, Error> {
        // What a selector has not said by now comes with the next message.
        self.keep_recalled();
        self.save()?;
        self.transcript.sync()?;
        if self.paused {
            self.note_passed();
        } else if self.host.agent.is_none() {
            self.begin_work(JobKind::Extraction)?;
        }
        self.after.poll(&mut self.events);
        Ok(self.take_events())
    }

    /// Waits for background work, at most so long, and tells what happened. What is not done then goes on.
    ///
    /// ```
    /// # mod scene { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/scene.rs")); }
    /// # fn main() -> Result<(), scene::Problem> {
    /// # let scene = scene::Scene::new("I will.")?;
    /// # let mut session = scene.start()?;
    /// use std::time::Duration;
    ///
    /// # session.user_message("From now on, use tabs in Makefiles.")?;
    /// # session.replied_with(vec![memdir_conversation::Block::text("I will.")], None)?;
    /// # session.turn_ended()?;
    /// for event in session.settle(Duration::from_secs(60)) {
    ///     println!("{event}"); // Saved 1 memory: feedback_use_tabs_makefiles.md
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn settle(&mut self, patience: Duration) -> Vec<Event> {
        let begin = Instant::now();
        while self.after.is_at_work() && begin.elapsed() < patience {
            std::thread::sleep(LOOK);
        }
        self.events()
    }

    /// Whether background work is under way.
    ///
    /// ```
    /// # mod scene { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/scene.rs")); }
    /// # fn main() -> Result<(), scene::Problem> {
    /// # let scene = scene::Scene::new("I will.")?;
    /// # let session = scene.start()?;
    /// assert!(!session.is_working());
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn is_working(&self) -> bool {
        self.after.is_at_work()
    }

    /// What happened since it was last asked.
    ///
    /// ```
    /// # mod scene { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/scene.rs")); }
    /// # fn main() -> Result<(), scene::Problem> {
    /// # let scene = scene::Scene::new("I will.")?;
    /// # let mut session = scene.start()?;
    /// assert!(session.events().is_empty());
    /// # Ok(())
    /// # }
    /// ```
    pub fn events(&mut self) -> Vec<Event> {
        self.after.poll(&mut self.events);
        self.take_events()
    }

    /// Ends the conversation: work under way gets a minute, the folder for temporary files goes. It can be resumed.
    ///
    /// ```
    /// # mod scene { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doc/scene.rs")); }
    /// # fn main() -> Result<(), scene::Problem> {
    /// # let scene = scene::Scene::new("I will.")?;
    /// # let mut session = scene.start()?;
    /// session.user_message("Where is the parser?")?;
    /// session.close()?;
    /// // The same name goes on with what was said.
    /// let session = scene.start()?;
    /// assert_eq!(session.conversation().messages().len(), 1);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// When its state cannot be written down.
    pub fn close(mut self) -> Result<Vec<Event>, Error> {
        self.give_up_selected("the conversation was left before the next message");
        self.keep_recalled();
        self.save()?;
        self.transcript.sync()?;
        self.end_pause();
        self.finish_work();
        // Temporary by its name; what cannot be removed is the user's to see.
        let scratchpad = self.places.scratchpad();
        if scratchpad.is_dir()
            && let Err(error) = std::fs::remove_dir_all(&scratchpad)
        {
            let warning = format!("{} could not be removed: {error}", scratchpad.display());
            self.events.push(Event::Warning(warning));
        }
        Ok(self.take_events())
    }
}
