//! `memdir compact`.

use std::fs;

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::fixture::Fixture;

/// A conversation in which ten files were read, a command failed and the user said a few things.
fn transcript(fixture: &Fixture, words: usize) {
    let mut messages =
        vec![json!({"role": "user", "content": "Port the parser. Never use unsafe."})];
    let mut tool = |number: usize, name: &str, input: Value, output: &str, failed: bool| {
        let id = format!("toolu_{number}");
        messages.push(json!({"role": "assistant", "content": [{"type": "tool_use", "id": id, "name": name, "input": input}]}));
        messages.push(json!({"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": id, "content": output, "is_error": failed}
        ]}));
    };
    for number in 0..10 {
        let path = format!("src/part_{number}.rs");
        tool(
            number,
            "Read",
            json!({"file_path": path}),
            &"word ".repeat(words),
            false,
        );
    }
    tool(
        10,
        "Bash",
        json!({"command": "cargo test"}),
        "Exit code 101\nerror: no such thing",
        true,
    );
    messages.push(json!({"role": "assistant", "content": "Done with the parser."}));
    messages.push(json!({"role": "user", "content": "Now the printer."}));
    let file = fixture.sandbox.project().join("session.json");
    fs::write(file, serde_json::to_vec(&messages).unwrap()).unwrap();
}

#[test]
fn what_goes_and_what_stays() {
    let fixture = Fixture::new();
    transcript(&fixture, 10_000);
    assert_snapshot!(fixture.run(&["compact", "session.json"]), @"");
    // Where there is room, nothing has to be cleared; compaction says what it would do if asked.
    transcript(&fixture, 100);
    assert_snapshot!(fixture.run(&["compact", "session.json", "--keep", "100"]), @"");
}

#[test]
fn the_summary_alone() {
    let fixture = Fixture::new();
    transcript(&fixture, 5_000);
    assert_snapshot!(fixture.run(&["compact", "session.json", "--summary"]), @"");
}

#[test]
fn json() {
    let fixture = Fixture::new();
    transcript(&fixture, 10_000);
    let outcome = fixture.run(&["compact", "session.json", "--json"]);
    assert_snapshot!(outcome, @"");
}

#[test]
fn what_is_no_transcript() {
    let fixture = Fixture::new();
    assert_snapshot!(fixture.run(&["compact", "none.jsonl"]), @"");
    fs::write(fixture.sandbox.project().join("a.txt"), "hello").unwrap();
    assert_snapshot!(fixture.run(&["compact", "a.txt"]), @"");
    transcript(&fixture, 10);
    fs::write(fixture.sandbox.project().join("notes.md"), "hello").unwrap();
    assert_snapshot!(fixture.run(&["compact", "session.json", "--notes", "notes.md"]), @"");
}
