//! While a conversation is paused it has no memory: what is said then is not read, saved or sent by us, neither then nor later.
//!
//! One record says from when to when, whichever client the conversation belongs to. Everything that looks at a conversation
//! asks it: hooks, sessions, background work, commands and the MCP server. It lies beside all projects, because a transcript
//! can be looked through for another one, and it is never tidied away: a transcript may be looked through years later.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use jiff::{Timestamp, TimestampRound, Unit};
use memdir_conversation::{Block, Message, Source};
use memdir_store::{Record, RecordError, Records};
use serde::{Deserialize, Serialize};

/// What is said of work on a conversation that is paused.
pub const PAUSED: &str = "memory is off for this conversation";
/// What stands in place of what was said in a pause.
const STAND_IN: &str = "(said while memory was paused)";
/// So many messages are remembered by their names; for those before them the time decides.
const MOST_MESSAGES: usize = 20_000;

/// When one conversation was paused.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Paused {
    #[serde(default)]
    spans: Vec<Span>,
    /// Messages that are known to have been said in a pause: copies of the conversation hold them under the same names.
    #[serde(default)]
    messages: Vec<String>,
    /// When the conversation began, if it may be a copy of others: what was said before was said in those.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    began: Option<Timestamp>,
    /// Whether the record of an older version is part of this one.
    #[serde(default)]
    has_older: bool,
}

/// One pause; the last may go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Span {
    from: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    until: Option<Timestamp>,
}

impl Record for Paused {
    const KIND: &'static str = "pauses";
    const VERSION: u64 = 1;
}

/// What older versions noted about a pause, among other things about a conversation.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Older {
    #[serde(default)]
    paused: bool,
    #[serde(default)]
    passed_until: Option<Timestamp>,
}

impl Record for Older {
    const KIND: &'static str = "hooks";
    const VERSION: u64 = 1;
}

impl Paused {
    fn is_open(&self) -> bool {
        self.spans.last().is_some_and(|last| last.until.is_none())
    }

    /// Whether its files may hold what was said in a pause.
    fn ever(&self) -> bool {
        !self.spans.is_empty() || !self.messages.is_empty() || self.began.is_some()
    }

    /// With what an older version knew. It did not know when a pause began: all until then was passed over.
    fn with(mut self, older: &Older) -> Self {
        if std::mem::replace(&mut self.has_older, true) {
            return self;
        }
        let from = Timestamp::MIN;
        match older {
            Older { paused: true, .. } => self.spans.insert(0, Span { from, until: None }),
            Older {
                passed_until: until @ Some(_),
                ..
            } => self.spans.insert(
                0,
                Span {
                    from,
                    until: *until,
                },
            ),
            _ => {}
        }
        self
    }
}

/// The pauses of all conversations.
#[derive(Debug, Clone)]
pub struct Pauses {
    folder: PathBuf,
    records: Records,
    older: Records,
}

impl Pauses {
    /// Those in memdir's own folder; what older versions noted is in the state folder of a memory directory.
    #[must_use]
    pub fn new(own_dir: impl Into<PathBuf>, state: &Path) -> Self {
        let folder = own_dir.into();
        Self {
            records: Records::new(&folder),
            folder,
            older: Records::new(state),
        }
    }

    /// Pauses a conversation, or ends its pause; whether that changed anything.
    ///
    /// ```
    /// use memdir_agent::pauses::Pauses;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// let pauses = Pauses::new(folder.path(), folder.path());
    /// assert!(pauses.set("talk", true, jiff::Timestamp::now())?);
    /// assert!(pauses.is_paused("talk") && !pauses.is_paused("another"));
    /// pauses.set("talk", false, jiff::Timestamp::now())?;
    /// assert!(!pauses.is_paused("talk"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When it cannot be written down.
    pub fn set(
        &self,
        conversation: &str,
        paused: bool,
        now: Timestamp,
    ) -> Result<bool, RecordError> {
        let known = self.known(conversation)?;
        if known.is_open() == paused {
            return Ok(false);
        }
        let older = self.older(conversation)?;
        // Clients write times in milliseconds.
        let rounded = TimestampRound::new()
            .smallest(Unit::Millisecond)
            .mode(jiff::RoundMode::Floor);
        let from = now.round(rounded).unwrap_or(now);
        self.records.update(conversation, |found: Option<Paused>| {
            let mut record = found.unwrap_or_default().with(&older);
            match (record.spans.last_mut(), paused) {
                (Some(last), false) if last.until.is_none() => last.until = Some(now),
                (Some(last), true) if last.until.is_none() => {}
                (_, false) => {}
                (_, true) => record.spans.push(Span { from, until: None }),
            }
            record
        })?;
        Ok(true)
    }

    /// Whether a conversation is paused now. In doubt it is.
    #[must_use]
    pub fn is_paused(&self, conversation: &str) -> bool {
        self.known(conversation)
            .map_or(true, |known| known.is_open())
    }

    /// Notes messages that were said in a pause, so that copies of the conversation do not tell of them either.
    ///
    /// # Errors
    ///
    /// When it cannot be written down.
    pub fn note_messages(&self, conversation: &str, ids: &[String]) -> Result<(), RecordError> {
        let known = self.known(conversation)?.messages;
        let known: HashSet<&str> = known.iter().map(String::as_str).collect();
        if ids.iter().all(|id| known.contains(id.as_str())) {
            return Ok(());
        }
        let older = self.older(conversation)?;
        let noted = |found: Option<Paused>| {
            let mut record = found.unwrap_or_default().with(&older);
            for id in ids {
                if !record.messages.contains(id) {
                    record.messages.push(id.clone());
                }
            }
            let more = record.messages.len().saturating_sub(MOST_MESSAGES);
            record.messages.drain(..more);
            record
        };
        let light = self.records.clone().light();
        light.update(conversation, noted).map(drop)
    }

    /// Notes that a conversation begins of which nothing was heard before, and that may hold what others said: a client copies
    /// one to go on with it under a new name. Where nobody ever paused, there is nothing to note.
    ///
    /// # Errors
    ///
    /// When it cannot be written down.
    pub fn begin_copy(&self, conversation: &str, now: Timestamp) -> Result<(), RecordError> {
        if !self.files().are_any() {
            return Ok(());
        }
        let older = self.older(conversation)?;
        let noted = self.records.update(conversation, |found: Option<Paused>| {
            let mut record = found.unwrap_or_default().with(&older);
            record.began.get_or_insert(now);
            record
        });
        noted.map(drop)
    }

    /// What a conversation that goes by these names may not tell, with what any other conversation is known to have said in a
    /// pause. What cannot be read counts as a pause without an end.
    #[must_use]
    pub fn of(&self, names: &[&str]) -> Withheld {
        self.of_copy(names, &[])
    }

    /// The same for one that was copied from others, as far as its transcript says. It inherits their pauses, up to where it
    /// began; and what it holds from before that and was said while any conversation was paused, it may not tell either.
    #[must_use]
    pub fn of_copy(&self, names: &[&str], forked_from: &[&str]) -> Withheld {
        let mut withheld = Withheld::default();
        let mut began = None;
        let mut names: Vec<&str> = names.to_vec();
        names.sort_unstable();
        names.dedup();
        for name in names.into_iter().filter(|name| !name.is_empty()) {
            match self.known(name) {
                Ok(known) => {
                    withheld.open |= known.is_open();
                    withheld.spans.extend(known.spans);
                    began = began.max(known.began);
                }
                Err(_) => withheld.add_everything(),
            }
        }
        for name in forked_from.iter().filter(|name| !name.is_empty()) {
            match self.known(name) {
                Ok(known) => withheld.inherit(&known.spans, began),
                Err(_) => withheld.add_everything(),
            }
        }
        if let Ok(listed) = self.records.list::<Paused>() {
            for (_, mut one, _) in listed.records {
                withheld.messages.extend(one.messages);
                // Of a pause of which nobody knows when it began, nothing can be told by the time.
                one.spans.retain(|span| span.from > Timestamp::MIN);
                if began.is_some() {
                    withheld.inherit(&one.spans, began);
                }
            }
        }
        withheld
    }

    /// Which files are about a conversation that was ever paused: its transcript, its notes, results of its tools.
    #[must_use]
    pub fn files(&self) -> WithheldFiles {
        let mut conversations = BTreeMap::new();
        if let Ok(listed) = self.records.list::<Paused>() {
            let ever = listed.records.into_iter();
            let ever = ever.filter(|(_, one, _)| one.ever());
            conversations.extend(ever.map(|(name, ..)| (name, ())));
        }
        if let Ok(listed) = self.older.list::<Older>() {
            let ever = listed.records.into_iter();
            let ever = ever.filter(|(_, one, _)| one.paused || one.passed_until.is_some());
            conversations.extend(ever.map(|(name, ..)| (name, ())));
        }
        WithheldFiles {
            conversations: conversations.into_keys().collect(),
        }
    }

    fn known(&self, conversation: &str) -> Result<Paused, RecordError> {
        if self.folder.is_file() {
            // Nothing can ever have been kept there.
            return Ok(Paused::default());
        }
        let known = match self.records.get::<Paused>(conversation)? {
            Some((known, _)) => known,
            None => Paused::default(),
        };
        match known.has_older {
            true => Ok(known),
            false => Ok(known.with(&self.older(conversation)?)),
        }
    }

    fn older(&self, conversation: &str) -> Result<Older, RecordError> {
        match self.older.get::<Older>(conversation) {
            Ok(found) => Ok(found.map(|(older, _)| older).unwrap_or_default()),
            // It held no pause that anybody could read.
            Err(RecordError::Damaged { .. }) => Ok(Older::default()),
            Err(error) => Err(error),
        }
    }
}

/// What a conversation may not tell.
#[derive(Debug, Clone, Default)]
pub struct Withheld {
    open: bool,
    spans: Vec<Span>,
    messages: HashSet<String>,
}

impl Withheld {
    /// Whether the conversation is paused now.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.open
    }

    /// Whether it has nothing to hide.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty() && self.messages.is_empty()
    }

    /// Takes what was said in a pause out of messages, which stay where they are: one may be where the last look ended. The
    /// names of these messages.
    ///
    /// ```
    /// use memdir_agent::pauses::Pauses;
    /// use memdir_conversation::Message;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// let pauses = Pauses::new(folder.path(), folder.path());
    /// pauses.note_messages("talk", &["2".to_owned()])?;
    /// let mut said = [Message::user("1", "Use tabs."), Message::user("2", "I am ill.")];
    /// assert_eq!(pauses.of(&["talk"]).withhold(&mut said), ["2"]);
    /// assert_eq!(said[0].words(), "Use tabs.");
    /// assert_eq!(said[1].words(), "(said while memory was paused)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn withhold(&self, messages: &mut [Message]) -> Vec<String> {
        let mut listener = self.listen();
        let mut taken = Vec::new();
        for message in messages {
            if listener.withholds(message) {
                message.blocks = vec![Block::text(STAND_IN)];
                message.source = Source::Notice;
                message.wire = None;
                taken.push(message.id.to_string());
            }
        }
        taken
    }

    /// The same, one message after the other.
    #[must_use]
    pub fn listen(&self) -> Turns<'_> {
        Turns {
            withheld: self,
            turn: false,
        }
    }

    /// Pauses of another conversation, up to where this one began.
    fn inherit(&mut self, spans: &[Span], began: Option<Timestamp>) {
        for span in spans {
            let until = [span.until, began].into_iter().flatten().min();
            if until.is_none_or(|until| span.from < until) {
                self.spans.push(Span { until, ..*span });
            }
        }
    }

    fn add_everything(&mut self) {
        self.open = true;
        self.spans.push(Span {
            from: Timestamp::MIN,
            until: None,
        });
    }

    /// Whether something was said in a pause. Where nobody knows when it was said, it was.
    fn has(&self, at: Option<Timestamp>) -> bool {
        let Some(at) = at else {
            return !self.spans.is_empty();
        };
        let mut spans = self.spans.iter();
        spans.any(|span| span.from <= at && span.until.is_none_or(|until| at < until))
    }
}

/// A conversation that is listened to, turn by turn.
#[derive(Debug)]
pub struct Turns<'a> {
    withheld: &'a Withheld,
    /// Whether this turn began in a pause: what answers it tells of it, however late it comes.
    turn: bool,
}

impl Turns<'_> {
    /// Whether the next message was said in a pause, answers something that was, or sums up a conversation that was paused.
    pub fn withholds(&mut self, message: &Message) -> bool {
        let id = message.id.as_str();
        match message.source {
            Source::User => self.is_withheld(true, id, message.at),
            Source::Summary => self.withheld.spans.iter().any(|span| {
                let before = |at: Timestamp| span.from <= at;
                message.at.is_none_or(before)
            }),
            _ => self.is_withheld(false, id, message.at),
        }
    }

    /// The same for a message of which no more is known than its name, when it was said, and whether the user said it.
    pub fn is_withheld(&mut self, typed: bool, id: &str, at: Option<Timestamp>) -> bool {
        let own = self.withheld.messages.contains(id) || self.withheld.has(at);
        if typed {
            self.turn = own;
        }
        own || self.turn
    }
}

/// Files that no background model is shown.
#[derive(Debug, Clone, Default)]
pub struct WithheldFiles {
    conversations: Vec<String>,
}

impl WithheldFiles {
    /// Whether any conversation was ever paused.
    #[must_use]
    pub fn are_any(&self) -> bool {
        !self.conversations.is_empty()
    }

    /// Whether a file is one of them: clients name files and folders after the conversation, some with the day before it.
    #[must_use]
    pub fn has(&self, path: &Path) -> bool {
        let mut parts = path.iter().map(|part| part.to_string_lossy());
        let is_of = |part: &str, name: &str| {
            let stem = part.split_once('.').map_or(part, |(stem, _)| stem);
            let before = stem.strip_suffix(name);
            before.is_some_and(|before| before.is_empty() || before.ends_with('-'))
        };
        !self.conversations.is_empty()
            && parts.any(|part| self.conversations.iter().any(|name| is_of(&part, name)))
    }
}
