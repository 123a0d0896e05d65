//! The fork: the conversation's own last request once more, whose model may edit one text and nothing else.

use memdir_context::notes::update_prompt;
use memdir_conversation::Message;
use memdir_model::{Body, Cancel};
use memdir_tools::{Bench, End, Powers, Rooms, Run};

use super::{NoteTaker, NotesError, TURNS, Taken};
use crate::extract::fork::body;
use crate::forking::{NoShelf, reply};

pub(super) fn run(
    taker: &NoteTaker<'_>,
    visible: &[&Message],
    parent: &Body,
    text: &str,
    cancel: &Cancel,
) -> Result<Taken, NotesError> {
    let unusable = || NotesError::Answer("the conversation's last request has no messages".into());
    let api = taker.model.api().ok_or_else(unusable)?;
    let path = taker.file.path();
    let prompt = update_prompt(
        taker.template,
        text,
        &path.to_string_lossy(),
        taker.prompt,
        &taker.limits,
        taker.count,
    );
    let (reply, covers) = reply(visible);
    let first = body(api, parent, reply, &prompt).ok_or_else(unusable)?;
    let rooms = Rooms::new(taker.folder, taker.memory)?.with_notes(&path)?;
    let mut shelf = NoShelf;
    let mut bench = Bench::new(rooms, &mut shelf, Powers::Notes).with_notes(text);
    let run = Run {
        api,
        most_turns: TURNS,
        ends_with_writes: true,
        cancel: cancel.clone(),
    };
    let ran = run.run(&mut bench, first, |body, cancel| taker.send(body, cancel));
    let whole = ran.is_whole();
    let ended = match ran.end {
        End::Done => "done",
        End::Written => "written",
        End::OutOfTurns => "out of turns",
        End::Cut(_) => "cut off",
        End::Cancelled => return Err(NotesError::Cancelled),
        End::Failed(error) => return Err(error.into()),
    };
    Ok(Taken {
        text: bench.notes().unwrap_or(text).to_owned(),
        covers,
        whole,
        denied: bench.denied().to_vec(),
        usage: ran.usage,
        ended,
    })
}
