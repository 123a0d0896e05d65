//! A conversation is summed up: what the summary must keep, and what must not be forgotten behind it.

use std::path::Path;

use memdir_context::{hook_after_compaction, hook_to_keep};
use memdir_memory::Topic;
use memdir_recall::Scope;

use super::answer::Reply;
use super::scene::Scene;

/// So many memories are named.
const NAMED: usize = 20;

/// Answers the event before a compaction.
pub(super) fn respond(scene: &Scene) -> Reply {
    if !scene.client.takes_words_before_compaction() || !scene.claim_here() {
        return Reply::default();
    }
    let memories = used(scene);
    let words = hook_to_keep(&memories);
    Reply {
        words: scene.attempt("compaction", words).unwrap_or_default(),
        ..Reply::default()
    }
}

/// What a conversation is told that goes on behind a compaction. Memories that were in front of the agent no longer are: they
/// may be shown again.
pub(super) fn after(scene: &Scene) -> Option<String> {
    let memories: Vec<(String, String)> = used(scene)
        .into_iter()
        .map(|path| {
            let description = description(scene, &path).unwrap_or_default();
            (path, description)
        })
        .collect();
    if memories.is_empty() {
        return None;
    }
    show_again(scene);
    let words = hook_after_compaction(&memories);
    scene.attempt("compaction", words)
}

/// What was shown is no longer in front of the agent.
pub(super) fn show_again(scene: &Scene) {
    let forgotten = scene
        .recalled()
        .update(&scene.event.conversation, |conversation| {
            conversation.keep_only(|_| false);
        });
    scene.attempt("compaction", forgotten);
}

/// Memories that are in the conversation, in the order of their names; what only waits for the user's word is none.
fn used(scene: &Scene) -> Vec<String> {
    let recalled = scene.recalled().get(&scene.event.conversation);
    let Some(recalled) = scene.attempt("compaction", recalled) else {
        return Vec::new();
    };
    let finder = scene.finder();
    let is_memory = |path: &&str| {
        let place = finder.place_of(Path::new(path));
        place.is_some_and(|(scope, _)| scope != Scope::Inbox)
    };
    let known = recalled.known().filter(is_memory);
    known.take(NAMED).map(str::to_owned).collect()
}

/// What a memory is about; nothing where it is another's word, which only informs.
fn description(scene: &Scene, path: &str) -> Option<String> {
    let (scope, memory) = scene.finder().place_of(Path::new(path))?;
    if scope != Scope::Project {
        return None;
    }
    let found = scene.attempt("compaction", scene.home.store.read(&memory))??;
    let topic = Topic::parse(&found.bytes);
    topic.header().description.clone()
}
