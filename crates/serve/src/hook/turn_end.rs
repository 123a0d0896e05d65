//! The agent is done: what there is to learn of the turn is noted as due. Nothing is printed, for that would make the agent
//! go on.

use memdir_agent::jobs::{Job, JobKind, Jobs, JobsError};
use memdir_settings::Purpose;
use memdir_store::RecordError;

use super::answer::Reply;
use super::handed_over;
use super::scene::Scene;

/// So often it is tried to note what is due.
const ATTEMPTS: u32 = 5;

/// Answers the event.
pub(super) fn respond(scene: &Scene) -> Reply {
    let (place, identity) = (scene.place(), scene.event.identity());
    let ended = scene.states().update(&scene.event.conversation, |state| {
        state.open = false;
        // Short turns end alike within seconds: only the same hook in another place repeats one.
        let claimed = state.claim_from(&place, &identity, scene.now);
        (claimed, state.forks)
    });
    let (claimed, forks) = scene.attempt("state", ended).unwrap_or((true, false));
    // In a pause nothing is noted as due: nobody may look at what was said, now or later.
    if claimed && !scene.is_paused() {
        note_due(scene);
        // A module in the client asks first, and then sees that somebody does the rest. Should it not, the next event does.
        if !(forks && scene.home.settings().extraction.fork) {
            scene.see_to_work();
        }
    }
    Reply::default()
}

/// Notes that the conversation is to be looked at. Only then it is seen to: whoever is at work looks once more before it
/// ends, and whoever is started finds it.
fn note_due(scene: &Scene) {
    let own = scene.event.transcript.clone();
    let is_own = own.is_some();
    let Some(transcript) = own.or_else(|| handed_over::write(scene)) else {
        return;
    };
    let job = Job {
        transcript: Some(transcript),
        ..Job::new(JobKind::Extraction, &scene.event.conversation, scene.now)
    };
    let jobs = scene.jobs();
    scene.attempt("jobs", noted(&jobs, &job));
    let models = scene.home.places.settings.models();
    // Without a model there are no notes, and nothing to say about it after each turn. What was handed over goes when it was
    // looked at.
    if is_own && models.model_for(Purpose::Notes).is_some() {
        let kind = JobKind::Notes;
        scene.attempt("jobs", noted(&jobs, &Job { kind, ..job }));
    }
}

/// Notes work as due. Where many conversations end their turns at once, it is worth asking more than once: nobody waits for
/// words of ours here.
fn noted(jobs: &Jobs, job: &Job) -> Result<(), JobsError> {
    let mut left = ATTEMPTS;
    loop {
        left -= 1;
        match jobs.note(job) {
            Err(JobsError::Record(RecordError::Busy { .. })) if left > 0 => {}
            noted => return noted,
        }
    }
}
