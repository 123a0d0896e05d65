//! What is known of a conversation from one event to the next. Each event is a process of its own, and many run at once.

use std::path::Path;

use jiff::{SignedDuration, Timestamp};
use memdir_store::{Digest, Record, RecordError, Records};
use serde::{Deserialize, Serialize};

/// The same event so soon after is the same one, from a second place that has the hook.
const TWICE: SignedDuration = SignedDuration::from_secs(5);
/// So many events are remembered for that.
const CLAIMED: usize = 8;
/// So many tools are remembered of a turn.
const MOST_TOOLS: usize = 50;
/// A conversation of which nothing was heard for so long is forgotten.
const FORGOTTEN: SignedDuration = SignedDuration::from_hours(24 * 30);

/// What is known of a conversation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// When something was last heard of it.
    #[serde(default)]
    pub at: Option<Timestamp>,
    /// Older versions noted here whether the user has switched memory off for it, and up to when what was said in it is none
    /// of memory's business. [`Pauses`](memdir_agent::pauses::Pauses) knows by now, and reads these where it has nothing newer.
    #[serde(default)]
    paused: bool,
    #[serde(default)]
    passed_until: Option<Timestamp>,
    /// Whether its client has a module of ours that sees to the end of a turn.
    #[serde(default)]
    pub(super) forks: bool,
    /// Whether the user has said something since the agent was last done.
    #[serde(default)]
    pub(super) open: bool,
    /// Whether what it should know about its memory stands in it already.
    #[serde(default)]
    pub(super) told: bool,
    /// Tools called without error since the user's last message.
    #[serde(default)]
    pub(super) tools: Vec<String>,
    #[serde(default)]
    claimed: Vec<(String, Timestamp)>,
}

impl Record for State {
    const KIND: &'static str = "hooks";
    const VERSION: u64 = 1;
}

impl State {
    /// Takes an event for whoever asks; `false` when it was taken just now.
    pub(super) fn claim(&mut self, identity: &str, now: Timestamp) -> bool {
        let is_fresh = |at: Timestamp| now.duration_since(at).abs() < TWICE;
        self.claimed.retain(|(_, at)| is_fresh(*at));
        if self.claimed.iter().any(|(known, _)| known == identity) {
            return false;
        }
        self.claimed.push((identity.to_owned(), now));
        let more = self.claimed.len().saturating_sub(CLAIMED);
        self.claimed.drain(..more);
        self.at = Some(now);
        true
    }

    /// Takes an event for a place that has the hook; `false` when it was taken just now for another place.
    pub(super) fn claim_from(&mut self, place: &str, identity: &str, now: Timestamp) -> bool {
        let own = format!("{identity} {}", Digest::of(place.as_bytes()));
        let is_fresh = |at: Timestamp| now.duration_since(at).abs() < TWICE;
        let of_event = |known: &str| known.starts_with(identity);
        let others =
            |(known, at): &(String, Timestamp)| of_event(known) && *known != own && is_fresh(*at);
        if self.claimed.iter().any(others) {
            return false;
        }
        self.claimed.retain(|(known, _)| !of_event(known));
        self.claim(&own, now)
    }

    /// Notes a tool that was called without error; whether that was news.
    pub(super) fn note_tool(&mut self, tool: &str) -> bool {
        let news = self.tools.len() < MOST_TOOLS && !self.tools.iter().any(|known| known == tool);
        if news {
            self.tools.push(tool.to_owned());
        }
        news
    }
}

/// The conversations of one memory directory.
#[derive(Debug, Clone)]
pub struct States {
    records: Records,
}

impl States {
    /// Those in the state folder of a memory directory.
    #[must_use]
    pub fn new(state: &Path) -> Self {
        Self {
            records: Records::new(state).light(),
        }
    }

    /// What is known of a conversation; nothing where what is kept is damaged.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    pub fn get(&self, conversation: &str) -> Result<State, RecordError> {
        match self.records.get::<State>(conversation) {
            Ok(found) => Ok(found.map(|(state, _)| state).unwrap_or_default()),
            Err(RecordError::Damaged { .. }) => Ok(State::default()),
            Err(error) => Err(error),
        }
    }

    /// Whether anything was ever heard of a conversation.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    pub fn knows(&self, conversation: &str) -> Result<bool, RecordError> {
        match self.records.get::<State>(conversation) {
            Ok(found) => Ok(found.is_some()),
            Err(RecordError::Damaged { .. }) => Ok(true),
            Err(error) => Err(error),
        }
    }

    /// Changes what is known, however many others do so at once: `change` runs again on what another one wrote. What it says
    /// last is handed on.
    pub(super) fn update<T>(
        &self,
        conversation: &str,
        mut change: impl FnMut(&mut State) -> T,
    ) -> Result<T, RecordError> {
        let mut said = None;
        self.records.update(conversation, |found: Option<State>| {
            let mut state = found.unwrap_or_default();
            said = Some(change(&mut state));
            state
        })?;
        // An update without a change does not come to an end.
        said.ok_or(RecordError::Conflict {
            path: self.records.path_of::<State>(conversation)?,
        })
    }

    /// The conversation of which something was heard last, with what is known of it.
    ///
    /// # Errors
    ///
    /// When they cannot be listed.
    pub fn latest(&self) -> Result<Option<(String, State)>, RecordError> {
        let listed = self.records.list::<State>()?.records;
        let all = listed.into_iter().map(|(name, state, _)| (name, state));
        Ok(all.max_by_key(|(_, state)| state.at))
    }

    /// Notes that something was heard of a conversation.
    ///
    /// # Errors
    ///
    /// When it cannot be written down.
    pub fn note_heard(&self, conversation: &str, now: Timestamp) -> Result<(), RecordError> {
        self.update(conversation, |state| state.at = Some(now))
    }

    /// Notes that the client of a conversation has a module of ours, which sees to the end of each turn.
    ///
    /// # Errors
    ///
    /// When it cannot be written down.
    pub fn note_fork(&self, conversation: &str, now: Timestamp) -> Result<(), RecordError> {
        self.update(conversation, |state| {
            state.forks = true;
            state.at = Some(now);
        })
    }

    /// Forgets conversations of which nothing was heard for a month.
    ///
    /// # Errors
    ///
    /// When the disk refuses.
    pub fn tidy(&self, now: Timestamp) -> Result<(), RecordError> {
        for (name, state, seen) in self.records.list::<State>()?.records {
            let is_old = |at: Timestamp| now.duration_since(at) > FORGOTTEN;
            // Nobody else knows what an older version noted about a pause.
            let was_paused = state.paused || state.passed_until.is_some();
            if state.at.is_none_or(is_old) && !was_paused {
                match self.records.remove::<State>(&name, &seen) {
                    // It was heard of in this very moment.
                    Err(RecordError::Conflict { .. }) => {}
                    removed => removed?,
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compaction_that_is_begun_twice_is_told_each_time_and_by_one_place() {
        let at = |millisecond: i64| Timestamp::from_millisecond(millisecond).unwrap();
        let mut state = State::default();
        let mut told =
            |place: &str, event: &str, when: i64| state.claim_from(place, event, at(when));
        // Settings and a plugin both have the hook; the client tries again after 0.3 s, and a third time later.
        assert!(told("", "auto", 0));
        assert!(!told("/plugin", "auto", 20));
        assert!(!told("/plugin", "auto", 300));
        assert!(told("", "auto", 310));
        assert!(told("", "auto", 5_200));
        assert!(!told("/plugin", "auto", 5_400));
        // Another one is another one, and so is one that comes later.
        assert!(told("/plugin", "manual", 5_500));
        assert!(told("/plugin", "auto", 10_300));
        assert!(!told("", "auto", 10_301));
        // A clock that was set back does not silence it.
        assert!(told("/plugin", "auto", 3_000));
        assert!(told("", "auto", -60_000));
    }
}
