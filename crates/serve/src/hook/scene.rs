//! One event with all that it takes to answer it.

use std::cell::Cell;
use std::fmt::Display;

use jiff::Timestamp;
use memdir_agent::jobs::Jobs;
use memdir_recall::{ConversationRecords, Finder};
use memdir_session::{Home, index_job};
use memdir_settings::Severity;
use memdir_store::{LockState, lease_state};

use super::event::Event;
use super::fired::{self, Fired};
use super::state::States;
use super::{Client, Failures, Work};

/// What Claude Code tells the hooks of a plugin, and no others.
const PLUGIN_ROOT: &str = "CLAUDE_PLUGIN_ROOT";

/// An event, where it happens, and what it leads to.
pub(super) struct Scene {
    pub(super) client: Client,
    pub(super) event: Event,
    pub(super) home: Home,
    pub(super) now: Timestamp,
    failures: Failures,
    work: Cell<bool>,
}

impl Scene {
    pub(super) fn new(client: Client, event: Event, home: Home, now: Timestamp) -> Self {
        Self {
            failures: Failures::new(&home.places.own_dir()),
            client,
            event,
            home,
            now,
            work: Cell::new(false),
        }
    }

    /// What worked; what did not is written to the log and is nobody's trouble here.
    pub(super) fn attempt<T, E: Display>(&self, what: &str, done: Result<T, E>) -> Option<T> {
        done.map_err(|error| {
            self.failures
                .note(self.client.as_str(), &self.event.name, what, &error);
        })
        .ok()
    }

    /// What is known of conversations from one event to the next.
    pub(super) fn states(&self) -> States {
        States::new(self.home.store.state_directory())
    }

    /// What conversations have been given.
    pub(super) fn recalled(&self) -> ConversationRecords {
        ConversationRecords::new(self.home.store.state_directory()).light()
    }

    /// Finds memories while a message waits.
    pub(super) fn finder(&self) -> Finder {
        let finder = Finder::new(&self.home.store);
        finder
            .with_everywhere(self.home.places.everywhere_dir())
            .at_once()
    }

    /// Has the memories indexed that were left for later, once: not again at each message.
    pub(super) fn see_to_index(&self) {
        let noted = self.jobs().note_once(&index_job(self.now));
        if self.attempt("jobs", noted) == Some(true) {
            self.see_to_work();
        }
    }

    pub(super) fn jobs(&self) -> Jobs {
        Jobs::new(self.home.store.state_directory()).light()
    }

    /// Whether the user has switched memory off for this conversation.
    pub(super) fn is_paused(&self) -> bool {
        self.home.pauses().is_paused(&self.event.conversation)
    }

    /// Whether this event was not answered just now, by the same hook in another place.
    pub(super) fn claim(&self) -> bool {
        let identity = self.event.identity();
        let claimed = self.states().update(&self.event.conversation, |state| {
            state.claim(&identity, self.now)
        });
        self.attempt("state", claimed).unwrap_or(true)
    }

    /// The same for an event that a client fires twice in a row, of which the second counts: a compaction that was begun, given
    /// up and begun again. Nothing in it tells the second from the first, but each comes to every place that has the hook: what
    /// comes to the same place again is another one.
    pub(super) fn claim_here(&self) -> bool {
        let (place, identity) = (self.place(), self.event.identity());
        let claimed = self.states().update(&self.event.conversation, |state| {
            state.claim_from(&place, &identity, self.now)
        });
        self.attempt("state", claimed).unwrap_or(true)
    }

    /// The place that has the hook: a plugin's folder, or nothing for the client's settings.
    pub(super) fn place(&self) -> String {
        let place = self.home.environment.value(PLUGIN_ROOT);
        place.map_or_else(String::new, |place| place.to_string_lossy().into_owned())
    }

    /// A mistake in the user's own settings: what they were meant to say is not known.
    pub(super) fn settings_mistake(&self) -> Option<String> {
        let problems = self.home.places.problems().iter();
        let mut errors = problems.filter(|problem| problem.severity == Severity::Error);
        errors.next().map(ToString::to_string)
    }

    /// Writes down that the client fired this event: the proof that it is connected.
    pub(super) fn note_fired(&self) {
        // Every client names the transcript, but for the one that hands the conversation over itself: what does not was typed
        // by somebody who tries it out.
        if self.event.transcript.is_none() && self.client != Client::Opencode {
            return;
        }
        let places = &self.home.places;
        let fired = Fired {
            event: self.event.name.clone(),
            at: self.now,
            conversation: self.event.conversation.clone(),
            version: None,
            start_folder: places.start_folder.clone(),
            memory_directory: places.memory_dir.path.clone(),
            transcript: self.event.transcript.clone(),
        };
        let noted = fired::note(&places.own_dir(), self.client, fired);
        self.attempt("fired", noted);
    }

    /// Sees that somebody does what is due, unless somebody is at it: who is looks once more before it ends.
    pub(super) fn see_to_work(&self) {
        let lease = lease_state(self.home.store.state_directory());
        let lease = self.attempt("lease", lease);
        self.work.set(!matches!(lease, Some(LockState::Held(_))));
    }

    pub(super) fn take_work(&self) -> Option<Work> {
        self.work.get().then(|| Work {
            start_folder: self.home.places.start_folder.clone(),
            failures: self.failures.clone(),
        })
    }
}
