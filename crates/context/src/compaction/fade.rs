//! Recalled memories and path rules that lie far back give way to their names.

use memdir_conversation::{Edits, MessageId, Reminded, Source};

use super::micro::Clearing;
use super::weight;
use crate::fragment::inline;
use crate::reminder::Reminder;

/// How many of the user's last messages keep the reminders beside and behind them.
const RECENT: usize = 3;
/// How many files a marker names.
const NAMED: usize = 20;

/// Fades every such reminder before the third-last message of the user. How many there were.
pub(super) fn old_reminders(clearing: &Clearing<'_>, edits: &mut Edits) -> usize {
    let users = clearing
        .visible
        .iter()
        .enumerate()
        .rev()
        .filter(|(_, message)| message.source == Source::User);
    let Some((recent, _)) = users.into_iter().nth(RECENT - 1) else {
        return 0;
    };
    let old: Vec<(&MessageId, String)> = clearing
        .visible
        .iter()
        .take(recent)
        .filter_map(|message| {
            let marker = match &message.source {
                Source::Reminder(Reminded::Memories(files)) => named("Memories", files),
                Source::Reminder(Reminded::Rules(files)) => named("Rules", files),
                _ => return None,
            };
            let shorter =
                clearing.weights.text(&marker) < weight::message(clearing.weights, edits, message);
            (edits.faded(&message.id).is_none() && shorter).then_some((&message.id, marker))
        })
        .collect();
    for (id, marker) in &old {
        edits.fade(id, marker);
    }
    old.len()
}

fn named(what: &str, files: &[String]) -> String {
    let mut names: Vec<String> = files.iter().take(NAMED).map(|file| inline(file)).collect();
    if files.len() > NAMED {
        names.push(format!("and {} more", files.len() - NAMED));
    }
    let text = format!(
        "{what} that stood here were taken out to make room. Read the files where they matter: {}",
        names.join(", ")
    );
    Reminder::new(&text).to_string()
}
