//! The daily logs: which of them are new, and what the rules find in them.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use memdir_conversation::Message;
use memdir_memory::MemoryPath;
use memdir_settings::Mode;
use memdir_store::{Author, Found, Reason, SecretPolicy, Store};

use super::draft::{Draft, Item};
use super::{DreamError, draft};
use crate::by_rules::Listener;
use crate::keep::{Judge, Keeper};

/// A log of one day.
#[derive(Debug)]
pub(super) struct Log<'a> {
    pub(super) path: &'a MemoryPath,
    day: Date,
    text: &'a [u8],
}

/// The logs since the day of the last dream, that day included: it may have gone on.
pub(super) fn since<'a>(
    others: &'a BTreeMap<MemoryPath, Found>,
    last: Option<Timestamp>,
    zone: &TimeZone,
) -> Vec<Log<'a>> {
    let first = last.map(|last| last.to_zoned(zone.clone()).date());
    let logs = others.iter().filter(|(path, _)| draft::is_log(path));
    let log = logs.filter_map(|(path, found)| {
        let day: Date = path.stem().parse().ok()?;
        let is_new = first.is_none_or(|first| day >= first);
        is_new.then_some(Log {
            path,
            day,
            text: &found.bytes,
        })
    });
    log.collect()
}

/// Keeps in the draft what the rules find in logs; says in a line each what that was.
pub(super) fn by_rules(
    store: &Store,
    logs: &[Log<'_>],
    zone: &TimeZone,
    secrets: SecretPolicy,
    draft: &mut Draft,
) -> Result<Vec<String>, DreamError> {
    let mut listener = Listener::in_zone(zone.clone());
    for log in logs {
        let text = String::from_utf8_lossy(log.text);
        for (number, line) in text.lines().enumerate() {
            let Some((time, said)) = entry(line) else {
                continue;
            };
            let id = format!("{}#{}", log.path, number + 1);
            let at = log.day.to_datetime(time).to_zoned(zone.clone());
            listener.hear(&Message {
                at: at.ok().map(|at| at.timestamp()),
                ..Message::user(&id, said)
            });
        }
    }
    let heard = listener.finish(store.memory_directory(), None);
    let keeper = Keeper {
        store,
        // Whether anything waits is decided about the whole.
        mode: Mode::Auto,
        reason: Reason::new(Author::Dream, "dream"),
        secrets,
        team: false,
    };
    let kept = keeper.plan(&heard.suggestions, Judge::Rules)?;
    let mut told = Vec::new();
    for saved in kept.saved {
        match saved.after {
            Some(text) => {
                told.push(format!("{}: kept from the logs", saved.path));
                draft.write(&saved.path, Item { text, mtime: None })?;
            }
            None => {
                told.push(format!("{}: forgotten, as the logs say", saved.path));
                draft.remove(&saved.path, None)?;
            }
        }
    }
    Ok(told)
}

/// The time and the words of an entry, `- HH:MM words`.
fn entry(line: &str) -> Option<(Time, &str)> {
    let entry = line.strip_prefix("- ")?;
    let (time, said) = entry.split_once(' ')?;
    let time = Time::strptime("%H:%M", time).ok()?;
    Some((time, said.trim())).filter(|(_, said)| !said.is_empty())
}
