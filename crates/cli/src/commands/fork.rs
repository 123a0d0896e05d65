//! `memdir fork`: extraction by a client that can ask its own model on top of the running conversation. A module inside of
//! the client carries the question there and the answer back; what becomes of it is decided here, by the same gate as always.

use std::io::{self, Read};
use std::sync::Arc;

use clap::{Args, ValueEnum};
use jiff::Timestamp;
use memdir_agent::jobs::{Job, JobKind};
use memdir_memory::private_spans;
use memdir_model::{Cancel, Facts, Handed, Model};
use memdir_serve::hook::state::States;
use memdir_session::{Background, Snapshot};
use memdir_store::{LockState, PlainName, lease_state};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::jobs::start_for;
use crate::background::{is_paused, note_failure, tell_of};
use crate::failure::Failure;
use crate::model::catalogue;
use crate::output::Output;
use crate::spending::Spending;
use crate::workplace::Workplace;

/// Whose conversation it is.
const CLIENT: &str = "claude-code";
/// The most that is read: an answer, and little beside it.
const MAX_INPUT: u64 = 1024 * 1024;

/// What a module inside of a client asks, behind a turn
#[derive(Debug, Args)]
#[command(hide = true)]
pub(crate) struct Fork {
    /// What is to be done
    #[arg(value_enum)]
    step: Step,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Step {
    /// A conversation begins that has the module
    Begin,
    /// A turn has ended: what the client is to ask
    Ask,
    /// What it was answered, or that it was not
    Keep,
}

/// What the module says.
#[derive(Deserialize)]
struct Said<'a> {
    /// The conversation.
    session: String,
    /// The last message that was asked about.
    until: Option<String>,
    /// What the model said; nothing where it did not answer.
    text: Option<String>,
    /// What that took, as the provider counts.
    #[serde(borrow)]
    usage: Option<&'a RawValue>,
}

#[derive(Serialize)]
struct Begun {
    on: bool,
}

#[derive(Serialize)]
struct Question {
    prompt: String,
    until: String,
}

impl Fork {
    pub(crate) fn run(self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        let mut input = String::new();
        io::stdin().take(MAX_INPUT).read_to_string(&mut input)?;
        let said: Said<'_> = serde_json::from_str(&input)
            .map_err(|_| Failure::usage("this is for the module of memdir in a client"))?;
        // Only where the user has switched it on.
        let is_on = workplace.places.settings.settings().extraction.fork;
        if !is_on || !workplace.places.memory.enabled {
            return Ok(());
        }
        match self.step {
            Step::Begin => {
                let states = States::new(workplace.store.state_directory());
                states.note_fork(&said.session, Timestamp::now())?;
                Ok(output.json(&Begun { on: true })?)
            }
            Step::Ask => match question(workplace, &said) {
                Ok(Some(question)) => Ok(output.json(&question)?),
                Ok(None) => see_to_the_rest(workplace),
                Err(why) => {
                    note_failure(workplace, "fork", &why);
                    see_to_the_rest(workplace)
                }
            },
            Step::Keep => {
                if let Err(why) = keep(workplace, &said) {
                    note_failure(workplace, "fork", &why);
                }
                see_to_the_rest(workplace)
            }
        }
    }
}

/// What the client is to ask; nothing where there is nothing to look at, or something private that must not be repeated.
fn question(workplace: &Workplace, said: &Said<'_>) -> Result<Option<Question>, String> {
    let (job, snapshot) = turn(workplace, said)?;
    let mut visible = snapshot.visible.iter();
    let is_private = visible.any(|message| !private_spans(&message.words()).is_empty());
    let Some(last) = snapshot.visible.last() else {
        return Ok(None);
    };
    if is_private || is_paused(workplace, &job.conversation) || is_at_work(workplace) {
        return Ok(None);
    }
    let model = Arc::new(Handed::question(CLIENT, facts(workplace)?));
    // It fails once it has asked, which is all that is wanted of it.
    let looked = look(workplace, &job, &snapshot, model.clone());
    match (model.asked(), looked) {
        (Some(prompt), _) => Ok(Some(Question {
            prompt,
            until: last.id.to_string(),
        })),
        (None, looked) => looked.map(|()| None),
    }
}

/// Keeps what the answer proposes, as far as the user's own gate lets it.
fn keep(workplace: &Workplace, said: &Said<'_>) -> Result<(), String> {
    let (Some(text), Some(until)) = (&said.text, &said.until) else {
        return Ok(());
    };
    let (job, mut snapshot) = turn(workplace, said)?;
    // What was said since nobody was asked about.
    let asked = snapshot.visible.iter();
    let asked = asked
        .take_while(|message| message.id.to_string() != *until)
        .count();
    if asked == snapshot.visible.len()
        || is_paused(workplace, &job.conversation)
        || is_at_work(workplace)
    {
        return Ok(());
    }
    snapshot.visible.truncate(asked + 1);
    // Its turn was counted when it was asked.
    let job = Job {
        trailing: true,
        ..job
    };
    let usage = said.usage.map(RawValue::get);
    let model = Handed::answered(CLIENT, facts(workplace)?, text, usage);
    look(workplace, &job, &snapshot, Arc::new(model))
}

fn look(
    workplace: &Workplace,
    job: &Job,
    snapshot: &Snapshot,
    model: Arc<dyn Model>,
) -> Result<(), String> {
    let background = Background {
        extraction: Some(model),
        meter: Some(Spending::default().meter(workplace)),
        ..Background::default()
    };
    let home = workplace.home();
    let extracted = memdir_session::extraction(&home, &background, job, snapshot, &Cancel::new())?;
    // For which project the directory is; without it only a second one is not noticed.
    let _ = workplace.record_root();
    tell_of(workplace, &extracted);
    Ok(())
}

/// The conversation, as its client has written it down.
fn turn(workplace: &Workplace, said: &Said<'_>) -> Result<(Job, Snapshot), String> {
    let name = PlainName::new(&said.session).map_err(|problem| problem.to_string())?;
    let transcript = workplace.places.session(&name).transcript;
    let snapshot = Snapshot::of_transcript(&transcript)?;
    let job = Job {
        transcript: Some(transcript),
        ..Job::new(JobKind::Extraction, &said.session, Timestamp::now())
    };
    Ok((job, snapshot))
}

fn facts(workplace: &Workplace) -> Result<Facts, String> {
    Ok(catalogue(workplace).map_err(Failure::message)?.facts(""))
}

/// Whether background work is under way, which then looks at the conversation itself.
fn is_at_work(workplace: &Workplace) -> bool {
    let lease = lease_state(workplace.store.state_directory());
    !matches!(lease, Ok(LockState::Free))
}

/// What else is due: notes, dreams, and the turn itself where it was not looked at.
fn see_to_the_rest(workplace: &Workplace) -> Result<(), Failure> {
    let started = start_for(&workplace.places.start_folder, None, false);
    started
        .map(drop)
        .map_err(|error| Failure::new(format!("background work cannot be started: {error}"), ""))
}
