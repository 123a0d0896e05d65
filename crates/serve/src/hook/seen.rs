//! A tool was called: which memories the agent has read or written by itself, so that they are not shown to it again.

use memdir_memory::MemoryPath;
use memdir_recall::Scope;
use memdir_store::{Author, Reason};

use super::answer::Reply;
use super::scene::Scene;
use super::write_gate::{Touch, touched};
use super::{Client, command, opening, selecting, shrink, tool_call};

/// Answers the event.
pub(super) fn respond(scene: &Scene) -> Reply {
    let tool = scene.event.tool();
    let state = scene.states().get(&scene.event.conversation);
    let mut state = scene.attempt("state", state).unwrap_or_default();
    // To look first saves the writing: most tools are called again and again.
    if !tool.is_empty() && state.note_tool(tool) {
        let noted = scene
            .states()
            .update(&scene.event.conversation, |state| state.note_tool(tool));
        scene.attempt("state", noted);
    }
    for touch in touched(scene) {
        if let Some(memory) = &touch.memory {
            note_seen(scene, memory);
            note_written(scene, &touch, memory);
        }
    }
    // A command that may have changed memories: at once, while everybody knows which one it was.
    let command = tool_call::command(tool, scene.event.input());
    if command.is_some_and(|line| command::reaches(scene, &line)) {
        opening::notice_changes(scene);
    }
    // Only of this client it is known that it takes context here; elsewhere it comes with the next message.
    let selected = (scene.client == Client::ClaudeCode)
        .then(|| selecting::surface(scene, "the next request"))
        .flatten();
    Reply {
        context: selected.unwrap_or_default(),
        ..shrink::respond(scene)
    }
}

fn note_seen(scene: &Scene, memory: &MemoryPath) {
    let path = scene.finder().path_of(Scope::Project, memory);
    let path = path.to_string_lossy();
    let recalled = scene.recalled();
    let noted = recalled.update(&scene.event.conversation, |conversation| {
        conversation.note_read(path.clone());
    });
    scene.attempt("seen", noted);
}

/// What the agent wrote goes into the history as the agent's, with the conversation and the call it came from.
fn note_written(scene: &Scene, touch: &Touch, memory: &MemoryPath) {
    if !touch.writes {
        return;
    }
    let call = scene.event.text("tool_use_id");
    let reason = Reason {
        conversation: Some(scene.event.conversation.clone()),
        message: (!call.is_empty()).then(|| call.to_owned()),
        ..Reason::new(Author::Agent, scene.event.tool())
    };
    let adopted = scene.home.store.adopt(memory, reason);
    scene.attempt("history", adopted);
}
