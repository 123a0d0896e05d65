//! Which events a client has really fired: the proof that it is connected, for `memdir doctor`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jiff::{SignedDuration, Timestamp};
use memdir_store::places::Beginning;
use memdir_store::{Record, RecordError, Records};
use serde::{Deserialize, Serialize};

use super::Client;

/// An event that is fired again so soon by the same conversation is not written down again.
const FRESH: SignedDuration = SignedDuration::from_secs(60);
/// So many names of events are kept; no client has more.
const MOST_EVENTS: usize = 64;
/// The longest name of an event.
const LONGEST_NAME: usize = 64;

/// The last time that a client fired an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fired {
    /// What the client calls it.
    pub event: String,
    /// When; to the minute within one conversation.
    pub at: Timestamp,
    /// In which conversation.
    pub conversation: String,
    /// The version of the client, where its transcript tells.
    #[serde(default)]
    pub version: Option<String>,
    /// Where the conversation began.
    pub start_folder: PathBuf,
    /// The memory directory that we took it to have.
    pub memory_directory: PathBuf,
    /// The transcript that the client named.
    #[serde(default)]
    pub transcript: Option<PathBuf>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct AllFired {
    events: BTreeMap<String, Fired>,
}

impl Record for AllFired {
    const KIND: &'static str = "fired";
    const VERSION: u64 = 1;
}

/// Notes that a client fired an event, in memdir's folder under home.
///
/// # Errors
///
/// When it cannot be written down.
pub fn note(own_dir: &Path, client: Client, mut fired: Fired) -> Result<(), RecordError> {
    if fired.event.len() > LONGEST_NAME {
        return Ok(());
    }
    // It serves who looks into it later; nobody's agent waits for that.
    let records = Records::new(own_dir).light().without_waiting();
    let known = get(&records, client)?;
    let last = known.events.get(&fired.event);
    let is_known = |last: &Fired| {
        let since = fired.at.duration_since(last.at);
        last.conversation == fired.conversation
            && last.memory_directory == fired.memory_directory
            && since >= SignedDuration::ZERO
            && since < FRESH
    };
    if last.is_some_and(is_known) || (last.is_none() && known.events.len() >= MOST_EVENTS) {
        return Ok(());
    }
    fired.version = fired.transcript.as_deref().and_then(version);
    let noted = records.update(client.as_str(), |found: Option<AllFired>| {
        let mut all = found.unwrap_or_default();
        all.events.insert(fired.event.clone(), fired.clone());
        all
    });
    match noted {
        // The next event of the same name tells it as well.
        Err(RecordError::Busy { .. }) => Ok(()),
        noted => noted.map(drop),
    }
}

/// The events that a client has fired, the latest last.
///
/// # Errors
///
/// When what is written down cannot be read.
pub fn read(own_dir: &Path, client: Client) -> Result<Vec<Fired>, RecordError> {
    let mut all: Vec<Fired> = get(&Records::new(own_dir), client)?
        .events
        .into_values()
        .collect();
    all.sort_by_key(|fired| fired.at);
    Ok(all)
}

fn get(records: &Records, client: Client) -> Result<AllFired, RecordError> {
    match records.get::<AllFired>(client.as_str()) {
        Ok(found) => Ok(found.map(|(all, _)| all).unwrap_or_default()),
        Err(RecordError::Damaged { .. }) => Ok(AllFired::default()),
        Err(error) => Err(error),
    }
}

fn version(transcript: &Path) -> Option<String> {
    let beginning = Beginning::of(transcript)?;
    let version = beginning
        .text("cli_version")
        .or_else(|| beginning.text("version"))?;
    (version.len() <= LONGEST_NAME).then_some(version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_time_of_each_event_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let transcript = folder.path().join("c.jsonl");
        std::fs::write(&transcript, "{\"type\":\"user\",\"version\":\"2.1.325\"}\n").unwrap();
        let fired = |event: &str, second: i64, conversation: &str| Fired {
            event: event.to_owned(),
            at: Timestamp::from_second(second).unwrap(),
            conversation: conversation.to_owned(),
            version: None,
            start_folder: "/home/ada/app".into(),
            memory_directory: "/m".into(),
            transcript: Some(transcript.clone()),
        };
        let client = Client::ClaudeCode;
        for one in [
            fired("Stop", 100, "c"),
            fired("Stop", 130, "c"),
            fired("SessionStart", 90, "c"),
            fired("Stop", 140, "d"),
        ] {
            note(folder.path(), client, one).unwrap();
        }
        let all: Vec<String> = read(folder.path(), client)
            .unwrap()
            .iter()
            .map(|fired| {
                let version = fired.version.as_deref().unwrap_or_default();
                let second = fired.at.as_second();
                format!("{} {second} {} {version}", fired.event, fired.conversation)
            })
            .collect();
        assert_eq!(all, ["SessionStart 90 c 2.1.325", "Stop 140 d 2.1.325"]);
        assert_eq!(read(folder.path(), Client::Codex).unwrap(), []);
    }
}
