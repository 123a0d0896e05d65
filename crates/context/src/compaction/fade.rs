//! Recalled memories and path rules that lie far back give way to their names.

use memdir_conversation::{Edits, Kind, MessageId, Reminded, Source};

use super::micro::Clearing;
use super::weight;
use crate::fragment::inline;
use crate::reminder::Reminder;

/// How many of the user's last messages keep the reminders beside and behind them.
const RECENT: usize = 3;
/// How many files a marker names.
const NAMED: usize = 20;

/// Fades every such reminder before the third-last message of the user. How many there were, and the tokens that this
/// saves.
pub(super) fn old_reminders(clearing: &Clearing<'_>, edits: &mut Edits) -> (usize, u64) {
    let users = clearing
        .visible
        .iter()
        .enumerate()
        .rev()
        .filter(|(_, message)| message.source == Source::User);
    let Some((recent, _)) = users.into_iter().nth(RECENT - 1) else {
        return (0, 0);
    };
    let old: Vec<(&MessageId, String, u64)> = clearing
        .visible
        .iter()
        .take(recent)
        .filter_map(|message| {
            let marker = match &message.source {
                Source::Reminder(Reminded::Memories(files)) => named("Memories", files),
                Source::Reminder(Reminded::Rules(files)) => named("Rules", files),
                _ => return None,
            };
            if edits.faded(&message.id).is_some() {
                return None;
            }
            let before = weight::message(clearing.weights, edits, message);
            let texts = message
                .blocks
                .iter()
                .filter(|one| *one.kind() == Kind::Text);
            let after = clearing.weights.text(&marker) * texts.count() as u64;
            let saved = before.checked_sub(after)?;
            (saved > 0).then_some((&message.id, marker, saved))
        })
        .collect();
    for (id, marker, _) in &old {
        edits.fade(id, marker);
    }
    (old.len(), old.iter().map(|(_, _, saved)| saved).sum())
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
