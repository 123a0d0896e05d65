//! The user said something: memories that help with it.

use std::cell::OnceCell;

use memdir_conversation::transcript::typed_words;
use memdir_recall::{Message, Skip, take_turn};

use super::answer::{CONTEXT_CHARACTERS, Reply};
use super::fragment::block;
use super::scene::Scene;
use super::{Client, saved};

/// Sources of prompts that nobody typed.
const NOT_TYPED: [&str; 6] = [
    "notification",
    "hook",
    "agent",
    "system",
    "cron",
    "schedule",
];

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
    let told = saved::take(scene.home.store.state_directory());
    Reply {
        context: recall(scene, &typed, &tools).unwrap_or_default(),
        message: scene.attempt("saved", told).flatten().unwrap_or_default(),
        ..Reply::default()
    }
}

fn recall(scene: &Scene, typed: &str, tools: &[String]) -> Option<String> {
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
    let outcome = scene.attempt("recall", outcome)?;
    let noted = recalled.update(&scene.event.conversation, |conversation| {
        conversation.note_turn(outcome.turn.clone(), &outcome.pieces, &outcome.block);
    });
    scene.attempt("recall", noted);
    // The header of the first memory comes first: by it what a hook said is known in a transcript, and not learnt again.
    Some(block(&outcome.block.text))
}

/// What the user typed: not what a client, a task or a hook sends in their name.
fn typed(scene: &Scene) -> String {
    let source = scene.event.text("source").to_lowercase();
    if NOT_TYPED.iter().any(|word| source.contains(word)) {
        return String::new();
    }
    let prompt = match scene.client {
        Client::Gemini => without_hook_context(scene.event.text("prompt")),
        _ => scene.event.text("prompt"),
    };
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
