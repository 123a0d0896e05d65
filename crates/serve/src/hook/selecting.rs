//! A model that selects what to recall. No event waits for it: a process of its own asks, and what it chose comes with the next
//! call of a tool or the next message. The embedded ranker answers meanwhile.

use memdir_agent::jobs::{Job, JobKind};
use memdir_recall::{Selected, Turn};
use memdir_session::ASKED;
use memdir_settings::{Purpose, Selector};

use super::answer::CONTEXT_CHARACTERS;
use super::fragment::block;
use super::scene::Scene;

/// Whether a model is asked about a turn; then the turn says so.
pub(super) fn ask(scene: &Scene, turn: &mut Turn, tools: &[String]) -> bool {
    if scene.home.settings().recall.selector != Selector::Model || turn.skipped.is_some() {
        return false;
    }
    let models = scene.home.places.settings.models();
    let is_named = models.model_for(Purpose::Recall).is_some();
    let said = match is_named {
        true => ASKED,
        false => "no model is named for recall",
    };
    turn.selector = Some(Selected {
        said: said.to_owned(),
        tools: tools.to_vec(),
        ..Selected::default()
    });
    is_named
}

/// Sees that it is asked.
pub(super) fn note_due(scene: &Scene) {
    let job = Job::new(JobKind::Selection, &scene.event.conversation, scene.now);
    if scene.attempt("jobs", scene.jobs().note(&job)).is_some() {
        scene.see_to_work();
    }
}

/// What a model chose meanwhile and nobody was shown yet. `with` says with what it goes out.
pub(super) fn surface(scene: &Scene, with: &str) -> Option<String> {
    if scene.home.settings().recall.selector != Selector::Model {
        return None;
    }
    let recalled = scene.recalled();
    let conversation = recalled.get(&scene.event.conversation);
    let conversation = scene.attempt("recall", conversation)?;
    let waits = |turn: &&Turn| turn.selector.as_ref().is_some_and(|one| one.waits);
    let turn = conversation.turns().iter().rev().find(waits)?;
    let names = turn.selector.as_ref().map(|one| one.chosen.clone());
    let names = names.unwrap_or_default();
    let now = (scene.now, with);
    let limit = Some(CONTEXT_CHARACTERS / 2);
    let surfaced =
        memdir_session::surface(&scene.home, &conversation, (turn.at, &names), now, limit);
    let noted = recalled.update(&scene.event.conversation, |conversation| {
        surfaced.note(turn.at, conversation);
    });
    // Shown only where it is known that it was: else it would be shown again and again.
    scene.attempt("recall", noted)?;
    Some(block(&surfaced.block.text)).filter(|text| !text.is_empty())
}
