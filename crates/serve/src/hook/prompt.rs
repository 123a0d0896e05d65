//! The user said something: memories that help with it.

use std::cell::OnceCell;

use memdir_conversation::transcript::typed_words;
use memdir_recall::{Message, Skip, take_turn};

use super::answer::{CONTEXT_CHARACTERS, Reply};
use super::fragment::block;
use super::scene::Scene;
use super::{Client, saved, selecting, unable};

/// Who a prompt comes from, where its client says so, if it comes from the user: typed, or handed over by a program that
/// they started. Whatever else there is or will be is a machine's word.
const TYPED: [&str; 2] = ["user", "sdk"];

/// Answers the event.
pub(super) fn respond(scene: &Scene) -> Reply {
    let typed = typed(scene);
    if typed.is_empty() {
        return Reply::default();
    }
    let identity = scene.event.identity();
    let begun = scene.states().update(&scene.event.conversation, |state| {
        let claimed = state.claim(&identity, scene.now);
        claimed.then(|| {
            state.open = true;
            std::mem::take(&mut state.tools)
        })
    });
    let Some(tools) = scene.attempt("state", begun).unwrap_or(Some(Vec::new())) else {
        return Reply::default();
    };
    let state = scene.home.store.state_directory();
    let told = scene.attempt("saved", saved::take(state)).flatten();
    let unable = scene.attempt("unable", unable::take(state)).flatten();
    let told: Vec<String> = told.into_iter().chain(unable).collect();
    Reply {
        context: recall(scene, &typed, &tools).unwrap_or_default(),
        message: told.join("; "),
        ..Reply::default()
    }
}

fn recall(scene: &Scene, typed: &str, tools: &[String]) -> Option<String> {
    // First: what was chosen for the message before counts as shown.
    let selected = selecting::surface(scene, "the next message");
    let found = found(scene, typed, tools).unwrap_or_default();
    let both = [found, selected.unwrap_or_default()];
    let both = both.into_iter().filter(|text| !text.is_empty());
    Some(both.collect::<Vec<_>>().join("\n\n"))
}

fn found(scene: &Scene, typed: &str, tools: &[String]) -> Option<String> {
    let recalled = scene.recalled();
    let conversation = recalled.get(&scene.event.conversation);
    let conversation = scene.attempt("recall", conversation)?;
    let today = OnceCell::new();
    let today = || {
        *today.get_or_init(|| {
            let zone = jiff::tz::TimeZone::system();
            scene.now.to_zoned(zone).date()
        })
    };
    let enabled = scene.home.settings().recall.enabled;
    let message = Message {
        off: (!enabled).then_some(Skip::RecallOff),
        tools,
        host_limit: Some(CONTEXT_CHARACTERS),
        is_over: &|day| day < today(),
        ..Message::new(typed, scene.now)
    };
    let outcome = take_turn(&scene.finder(), &conversation, &message);
    let mut outcome = scene.attempt("recall", outcome)?;
    let asks = selecting::ask(scene, &mut outcome.turn, tools);
    if outcome.turn.partial.is_some() {
        scene.see_to_index();
    }
    let noted = recalled.update(&scene.event.conversation, |conversation| {
        conversation.note_turn(outcome.turn.clone(), &outcome.pieces, &outcome.block);
    });
    scene.attempt("recall", noted);
    if asks {
        selecting::note_due(scene);
    }
    // The header of the first memory comes first: by it what a hook said is known in a transcript, and not learnt again.
    Some(block(&outcome.block.text))
}

/// What the user typed: not what a client, a task or a hook sends in their name.
fn typed(scene: &Scene) -> String {
    let source = scene.event.text("source");
    if !source.is_empty() && !TYPED.contains(&source) {
        return String::new();
    }
    let prompt = match scene.client {
        Client::Gemini => without_hook_context(scene.event.text("prompt")),
        _ => scene.event.text("prompt"),
    };
    if is_wrapped(prompt.trim()) {
        return String::new();
    }
    let words = typed_words(prompt);
    match words.strip_prefix('/') {
        // Of a command the words behind its name are the user's.
        Some(command) if !command.starts_with(['/', ' ']) => {
            let rest = command.split_once(char::is_whitespace);
            let is_path = command
                .split_whitespace()
                .next()
                .is_some_and(|word| word.contains('/'));
            match (is_path, rest) {
                (true, _) => words,
                (false, Some((_, rest))) => rest.trim().to_owned(),
                (false, None) => String::new(),
            }
        }
        _ => words,
    }
}

/// Whether a prompt is one element from end to end, of the sort that clients wrap what they send themselves in: nobody types
/// such a thing.
fn is_wrapped(prompt: &str) -> bool {
    let name = prompt
        .strip_prefix('<')
        .and_then(|rest| rest.split(|c: char| c == '>' || c.is_whitespace()).next())
        .unwrap_or_default();
    let is_name = |c: char| c.is_ascii_lowercase() || c == '-';
    name.contains('-')
        && name.chars().all(is_name)
        && prompt.ends_with(&format!("</{name}>"))
        && prompt.matches(&format!("</{name}>")).count() == 1
}

/// Gemini CLI puts what hooks said at the start in front of the first message.
fn without_hook_context(prompt: &str) -> &str {
    let mut rest = prompt.trim_start();
    while let Some(context) = rest.strip_prefix("<hook_context>") {
        match context.split_once("</hook_context>") {
            Some((_, behind)) => rest = behind.trim_start(),
            None => return "",
        }
    }
    rest
}
