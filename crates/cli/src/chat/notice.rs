//! What happens beside what is said, in one line each; most of it is nobody's business unless they ask.

use memdir_context::compaction::Event as Room;
use memdir_session::{Ended, Event, Worked};

use crate::table::{count, one_line};

/// What the user is told of an event, if anything. `/why` and `/context` tell the rest.
pub(crate) fn notice(event: &Event) -> Option<String> {
    let told = match event {
        Event::Recalled(turn) if turn.given.is_empty() => return None,
        Event::Recalled(_) | Event::Warning(_) => event.to_string(),
        Event::Room(room) => match &**room {
            Room::Skipped { .. } => return None,
            _ => event.to_string(),
        },
        Event::Restored { files, .. } if files.is_empty() => return None,
        Event::Restored { .. } => event.to_string(),
        Event::Work(work) => worked(work)?,
    };
    Some(one_line(&told).into_owned())
}

/// What the user is told of memories that the model wrote itself, each an operation of its own.
pub(crate) fn wrote(names: &[String]) -> String {
    let saved = count(names.len(), "memory", "memories");
    let back = match names.len() {
        1 => "/undo takes it back",
        _ => "/undo takes the last one back",
    };
    let names = names.join(", ");
    one_line(&format!("Saved {saved}: {names}; {back}")).into_owned()
}

fn worked(work: &Worked) -> Option<String> {
    if work.ended == Ended::Failed {
        return Some(format!(
            "{} failed: {}; it is tried again next time",
            work.kind, work.said
        ));
    }
    let saved = (!work.saved.is_empty()).then(|| format!("{work}; /undo takes it back"));
    let waiting = (work.waiting > 0).then(|| {
        let waiting = count(work.waiting, "suggestion waits", "suggestions wait");
        format!("{waiting} for your word: `memdir inbox`")
    });
    match (saved, waiting) {
        (Some(saved), Some(waiting)) => Some(format!("{saved}; {waiting}")),
        (Some(told), None) | (None, Some(told)) => Some(told),
        (None, None) if work.unable.is_some() => Some(work.to_string()),
        (None, None) if work.kind == "dream" && work.ended == Ended::Done => Some(work.to_string()),
        (None, None) => None,
    }
}
