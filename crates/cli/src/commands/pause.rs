//! `memdir pause`: one conversation without memory.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use jiff::Timestamp;
use memdir_agent::pauses::Pauses;
use memdir_serve::hook::state::States;
use memdir_session::can_resume;
use memdir_settings::variables;
use memdir_store::places::Beginning;
use serde::Serialize;

use crate::failure::Failure;
use crate::output::{Output, STRONG};
use crate::table::one_line;
use crate::workplace::Workplace;

/// Switch memory off for one conversation
///
/// Until it is resumed, nothing is shown to that conversation and nothing is learnt from it; what was said meanwhile is not
/// learnt later either. Other conversations go on as before. Secrets are kept out of memory all the same.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir pause
  memdir pause --resume
  memdir pause --conversation 7f3c-01

Without --conversation it is the one that runs the command, or else the one in this project of which something was heard last.

JSON: {conversation, paused, changed}.")]
pub(crate) struct Pause {
    /// Switch memory on again
    #[arg(long)]
    resume: bool,
    /// Which conversation
    #[arg(long, value_name = "ID")]
    conversation: Option<String>,
}

#[derive(Serialize)]
struct Answer<'a> {
    conversation: &'a str,
    paused: bool,
    changed: bool,
}

impl Pause {
    pub(crate) fn run(self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        // Claude Code tells what it starts which conversation it is.
        let own = || workplace.home().variable(variables::SESSION_ID);
        let ((states, pauses), conversation) = match self.conversation.or_else(own) {
            Some(named) => (states_of(workplace, &named)?, named),
            None => match states_in(workplace).0.latest()? {
                Some((latest, _)) => (states_in(workplace), latest),
                None => {
                    return Err(Failure::new(
                        "no conversation of this project is known",
                        "name one with --conversation; `memdir setup` connects an agent",
                    ));
                }
            },
        };
        let paused = !self.resume;
        let now = Timestamp::now();
        let changed = pauses.set(&conversation, paused, now)?;
        states.note_heard(&conversation, now)?;
        if output.json {
            return Ok(output.json(&Answer {
                conversation: &conversation,
                paused,
                changed,
            })?);
        }
        let name = format!("{STRONG}{}{STRONG:#}", one_line(&conversation));
        let back = workplace.command("pause --resume");
        output.line(match (paused, changed) {
            (true, true) => format!("Memory is off for {name}. {back} switches it on again."),
            (true, false) => format!("Memory is off for {name} already. {back} switches it on."),
            (false, true) => format!("Memory is on again for {name}."),
            (false, false) => format!("Memory is on for {name}."),
        })?;
        Ok(())
    }
}

fn states_in(workplace: &Workplace) -> (States, Pauses) {
    let states = States::new(workplace.store.state_directory());
    (states, workplace.home().pauses())
}

/// What is kept about conversations where this one began, which need not be here: switched off anywhere else, memory would go
/// on all the same.
fn states_of(workplace: &Workplace, conversation: &str) -> Result<(States, Pauses), Failure> {
    let here = states_in(workplace);
    // One of `memdir chat` is known by what it left.
    if here.0.knows(conversation)? || can_resume(&workplace.home(), conversation) {
        return Ok(here);
    }
    if let Some(folder) = began_in(&workplace.places.home.path, conversation)
        && let Ok(there) = workplace.in_project(&folder)
    {
        return Ok(states_in(&there));
    }
    Err(Failure::new(
        format!("no conversation {:?} is known here", one_line(conversation)),
        "go to the folder where it began, or name that with --project; nothing was changed",
    ))
}

/// Where a conversation of Claude Code's began, as its transcript says.
fn began_in(home: &Path, conversation: &str) -> Option<PathBuf> {
    if conversation.contains(['/', '\0']) {
        return None;
    }
    let folders = fs::read_dir(home.join("projects")).ok()?.flatten();
    folders.into_iter().find_map(|folder| {
        let transcript = folder.path().join(format!("{conversation}.jsonl"));
        let folder = Beginning::of_until(&transcript, "cwd")?.text("cwd")?;
        Some(PathBuf::from(folder)).filter(|folder| folder.is_absolute() && folder.is_dir())
    })
}
