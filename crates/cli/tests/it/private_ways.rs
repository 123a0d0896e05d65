//! Words between private marks, by the ways on which they once came through.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::{Value, json};

use crate::fixture::Fixture;
use crate::hook::{Talk, fire};

/// What opencode hands over at the end of a turn, as it is written down, and what is left once it was looked at.
fn handed_over(messages: &Value) -> String {
    let fixture = Fixture::new();
    let event = |name: &str, more: Value| {
        let mut event = json!({"hook_event_name": name, "session_id": "ses_1", "cwd": fixture.sandbox.project()});
        let more = more.as_object().unwrap().clone();
        event.as_object_mut().unwrap().extend(more);
        fire(&fixture, "opencode", &event.to_string())
    };
    event("SessionStart", json!({"source": "startup"}));
    event(
        "Stop",
        json!({"stop_hook_active": false, "messages": messages}),
    );
    let mut found = String::new();
    gather(&fixture.sandbox.home().join(".claude"), &mut found);
    crate::hook::wait_for_work(&fixture);
    gather(&fixture.sandbox.home().join(".claude"), &mut found);
    found
}

fn gather(folder: &Path, found: &mut String) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => gather(&path, found),
            false => found.push_str(&String::from_utf8_lossy(
                &fs::read(&path).unwrap_or_default(),
            )),
        }
    }
}

#[test]
fn a_private_word_that_the_agent_or_a_tool_repeats_is_not_handed_over() {
    let found = handed_over(&json!([
        {"id": "1", "role": "user", "parts": [{"type": "text", "text": "From now on, use okapi in YAML. <private>Ask quagga or 471147.</private>"}]},
        {"id": "2", "role": "assistant", "parts": [
            {"type": "text", "text": "I will.\nRemember that quagga is on call."},
            {"type": "tool", "id": "c", "name": "grep", "input": {"pattern": "quagga", "pin": 471147, "quagga": [1]}, "output": "a\nquagga: yes\n"},
        ]},
    ]));
    assert!(found.contains("okapi"), "{found}");
    assert!(
        !found.contains("quagga") && !found.contains("471147"),
        "{found}"
    );
}

#[test]
fn a_private_span_over_several_parts_of_a_message_is_not_handed_over() {
    let part = |text: &str| json!({"type": "text", "text": text});
    let found = handed_over(&json!([
        {"id": "1", "role": "user", "parts": [
            part("From now on, use okapi in YAML. <private>"), part("From now on, use quagga in Makefiles."), part("</private> Thank you."),
        ]},
    ]));
    assert!(found.contains("okapi"), "{found}");
    assert!(!found.contains("quagga"), "{found}");
}

#[test]
fn what_is_marked_private_is_left_out_of_what_is_imported() {
    let fixture = Fixture::new();
    let path = "notes/one.md";
    let text = "# Style <private>quagga</private>\n\nUse okapi. <private>\n\n# Quagga\n\nquagga</private>\n";
    fixture.sandbox.write(path, text).unwrap();
    let notes = fixture.sandbox.root().join("notes").display().to_string();
    let file = format!("{notes}/one.md");
    for words in [["import", "markdown", &notes], ["import", "gemini", &file]] {
        let outcome = fixture.run(&words).to_string();
        assert!(!outcome.contains("quagga"), "{outcome}");
    }
    let outcome = fixture.run(&["accept", "--all"]);
    assert!(!outcome.to_string().contains("quagga"), "{outcome}");
    let mut found = String::new();
    gather(&fixture.sandbox.home().join(".claude"), &mut found);
    assert!(
        found.contains("okapi") && !found.contains("quagga"),
        "{found}"
    );
}

#[test]
fn what_is_marked_private_is_left_out_of_what_is_edited_and_named_by_audit() {
    let fixture = Fixture::new();
    fixture.run(&["remember", "Use okapi in YAML."]);
    let memory = fs::read_dir(fixture.memory_dir())
        .unwrap()
        .flatten()
        .map(|entry| entry.path());
    let memory = memory.filter(|path| {
        path.extension().is_some_and(|end| end == "md") && !path.ends_with("MEMORY.md")
    });
    let memory = memory.into_iter().next().unwrap();
    let name = memory.file_stem().unwrap().to_string_lossy().into_owned();
    let script = "#!/bin/sh\necho 'More. <private>quagga</private> Done.' >> \"$1\"\n";
    let editor = fixture.sandbox.write("editor", script).unwrap();
    fs::set_permissions(&editor, fs::Permissions::from_mode(0o755)).unwrap();
    let outcome = fixture
        .program(&["edit", &name])
        .env("EDITOR", &editor)
        .run()
        .unwrap();
    assert!(
        outcome
            .to_string()
            .contains("what is marked <private> was left out"),
        "{outcome}"
    );
    let text = fs::read_to_string(&memory).unwrap();
    assert!(
        text.contains("More. Done.") && !text.contains("quagga"),
        "{text}"
    );
    fs::write(&memory, format!("{text}<private>quagga</private>\n")).unwrap();
    let audit = fixture.run(&["audit"]).to_string();
    assert!(
        audit.contains("words marked <private>") && !audit.contains("quagga"),
        "{audit}"
    );
}

#[test]
fn what_is_marked_private_is_not_written_into_memory_by_an_agent() {
    let fixture = Fixture::new();
    let talk = Talk::new(&fixture, "talk");
    talk.start();
    let path = fixture.memory_dir().join("a.md");
    let input = json!({"file_path": path, "content": "Use okapi. <private>quagga</private>\n"});
    let outcome = talk.fire(
        "PreToolUse",
        json!({"tool_name": "Write", "tool_input": input}),
    );
    assert!(outcome.stdout().contains("deny"), "{outcome}");
    let input =
        json!({"command": format!("grep -r '<private>' {}", fixture.memory_dir().display())});
    let outcome = talk.fire(
        "PreToolUse",
        json!({"tool_name": "Bash", "tool_input": input}),
    );
    assert!(!outcome.stdout().contains("deny"), "{outcome}");
}

#[test]
fn what_older_versions_kept_of_private_words_typed_into_chat_is_cleaned() {
    let fixture = Fixture::new();
    let path = "home/.claude/memdir/chat-history";
    let lines = "\"use okapi <private>quagga</private>\"\nquagga\n";
    fixture.sandbox.write(path, lines).unwrap();
    let talk = Talk::new(&fixture, "talk");
    talk.start();
    talk.said("From now on, use okapi in YAML.", "I will.");
    talk.stop();
    crate::hook::wait_for_work(&fixture);
    let kept =
        fs::read_to_string(fixture.sandbox.home().join(".claude/memdir/chat-history")).unwrap();
    assert_eq!(kept, "\"use okapi [private]\"\n");
}
