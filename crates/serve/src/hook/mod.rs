//! Hooks: another agent fires an event, one process answers it and ends.
//!
//! Whatever happens in here, the agent goes on as if there were no memory: a failure is written to a log under our home
//! ([`failures`]), and the answer is the part that worked or nothing. What takes longer than milliseconds is noted as due
//! and done by a process of its own, which whoever calls [`answer`] starts where [`Answered::work`] asks for it.

mod answer;
mod client;
mod command;
mod command_kind;
mod command_line;
mod compaction;
mod ending;
mod event;
pub mod failures;
pub mod fired;
mod fragment;
pub mod handed_over;
mod news;
mod opening;
pub mod outside;
mod prompt;
pub mod saved;
mod scene;
pub mod scrubbing;
mod seen;
mod selecting;
mod shrink;
mod start_folder;
pub mod state;
mod tool_call;
mod turn_end;
pub mod unable;
mod write_gate;

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use memdir_session::Home;
use memdir_store::places::PlacesError;
use memdir_store::{Environment, JOBS_FOLDER, RecordError, Records};

pub use client::Client;
pub use failures::{Failures, MISTAKE, Noted};

use answer::Reply;
use event::{Event, Kind};
use scene::Scene;

/// The most that is read of an event: results of tools come with it.
pub const MAX_INPUT: u64 = 32 * 1024 * 1024;

/// The records that hooks and background work leave in the state of a memory directory, beneath its jobs, and in memdir's own
/// folder.
const STATE_KINDS: &[&str] = &[
    "chat-agent",
    "consolidation",
    "conversations",
    "cursors",
    "hooks",
    "known",
    "moving",
    "notes",
    "passed",
    "proposals",
    "resumable",
    "roots",
    "scans",
    "scrubbed",
    "sessions",
    "turns",
    "unable",
    "untold",
];
const JOB_KINDS: &[&str] = &["due", "past", "running"];
const OWN_KINDS: &[&str] = &[
    "asked",
    "connections",
    "extracted",
    "fired",
    "pauses",
    "scrubbed",
    "trust",
];

/// What an event comes to.
#[derive(Debug, Default)]
pub struct Answered {
    /// What goes to standard output, in the client's form; mostly nothing.
    pub output: String,
    /// Where background work is due that nobody is at.
    pub work: Option<Work>,
}

/// Background work that is due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Work {
    /// Where the conversation began.
    pub start_folder: PathBuf,
    /// Where to tell that it could not be started.
    pub failures: Failures,
}

/// Answers an event.
#[must_use]
pub fn answer(client: Client, input: &[u8], environment: Environment, now: Timestamp) -> Answered {
    let Some(event) = Event::read(client, input) else {
        return Answered::default();
    };
    // The agent may have gone elsewhere since, and started us with what it found there.
    let environment = match &event.folder {
        Some(folder) => environment.started_in(folder),
        None => environment,
    };
    let environment = match start_folder::of(client, &event) {
        Some(folder) => environment.with_project(folder),
        None => environment,
    };
    let home = match Home::find(environment) {
        Ok(home) => home,
        // Which home is the user's nobody knows: nothing is written, not even that this was told.
        Err(PlacesError::Moved(files)) => {
            let reply = opening::about_moved(&event, &files);
            return Answered {
                output: reply.render(client, &event.name),
                work: None,
            };
        }
        // Without a home there is nowhere to tell it either.
        Err(_) => return Answered::default(),
    };
    let scene = Scene::new(client, event, home, now);
    let reply = respond(&scene);
    Answered {
        output: reply.render(client, &scene.event.name),
        work: scene.take_work(),
    }
}

/// Clears away what is of no more use to anybody: conversations of long ago, and what killed processes left in the state of a
/// memory directory and in memdir's own folder.
///
/// # Errors
///
/// When the disk refuses.
pub fn tidy(state: &Path, own_dir: &Path, now: Timestamp) -> Result<(), RecordError> {
    state::States::new(state).tidy(now)?;
    let folders = [
        (state.to_path_buf(), STATE_KINDS),
        (state.join(JOBS_FOLDER), JOB_KINDS),
        (own_dir.to_path_buf(), OWN_KINDS),
    ];
    for (folder, kinds) in folders {
        Records::new(folder).remove_orphans_of(kinds)?;
    }
    Ok(())
}

fn respond(scene: &Scene) -> Reply {
    if scene.event.is_of_sub_agent() {
        // What a sub-agent says is not the conversation, but what it writes is written all the same.
        return match scene.event.kind {
            Kind::BeforeTool => write_gate::respond(scene),
            _ => Reply::default(),
        };
    }
    scene.note_fired();
    // Secrets are kept out also where nobody knows what else the user wants.
    if scene.event.kind == Kind::BeforeTool && scene.home.places.memory.enabled {
        return write_gate::respond(scene);
    }
    if let Some(mistake) = scene.settings_mistake() {
        return opening::about_mistake(scene, &mistake);
    }
    if !scene.home.places.memory.enabled {
        return Reply::default();
    }
    match scene.event.kind {
        Kind::TurnEnd => turn_end::respond(scene),
        _ if scene.is_paused() => Reply::default(),
        Kind::Opening => opening::respond(scene),
        Kind::Prompt => prompt::respond(scene),
        Kind::AfterTool => seen::respond(scene),
        Kind::Compaction => compaction::respond(scene),
        Kind::Ending => ending::respond(scene),
        Kind::BeforeTool | Kind::Other => Reply::default(),
    }
}
