//! `memdir context`.

use std::fmt::Write as _;
use std::fs;

use insta::assert_snapshot;

use crate::fixture::Fixture;

/// A session of Claude Code in which files are read, one of them twice; the provider counts 12,000 tokens beyond it.
fn session(reads: usize, bytes: usize) -> String {
    let mut lines = String::new();
    let mut parent = "null".to_owned();
    let mut line = |kind: &str, id: &str, message: String| {
        writeln!(
            lines,
            r#"{{"parentUuid":{parent},"isSidechain":false,"type":"{kind}","message":{message},"uuid":"{id}","timestamp":"2026-11-15T19:20:46.647Z","sessionId":"s","cwd":"/home/dev/example","version":"2.1.325"}}"#
        )
        .unwrap();
        parent = format!("\"{id}\"");
    };
    line(
        "user",
        "ask",
        r#"{"role":"user","content":"why does the parser lose lines?"}"#.to_owned(),
    );
    let mut prompt = 12_000;
    for number in 0..reads {
        let file = if number == 1 { 0 } else { number };
        let call = format!(
            r#"{{"id":"msg_{number}","role":"assistant","model":"claude-opus-5-5","content":[{{"type":"tool_use","id":"toolu_{number}","name":"Read","input":{{"file_path":"/home/dev/example/crates/store/src/part_{file}.rs"}}}}],"usage":{{"input_tokens":4,"cache_read_input_tokens":{prompt},"output_tokens":60}}}}"#
        );
        line("assistant", &format!("call-{number}"), call);
        let content = "let line = reader.next()?; ".repeat(bytes / 27);
        let result = format!(
            r#"{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"toolu_{number}","content":"{content}"}}]}}"#
        );
        line("user", &format!("result-{number}"), result);
        prompt += 60 + bytes / 27 * 8;
    }
    lines
}

fn fixture(text: &str) -> Fixture {
    let fixture = Fixture::new();
    fs::write(fixture.sandbox.project().join("session.jsonl"), text).unwrap();
    fixture
}

#[test]
fn a_picture_of_the_window() {
    let fixture = fixture(&session(8, 40_000));
    assert_snapshot!(fixture.run(&["context", "session.jsonl"]), @"");
}

#[test]
fn a_window_that_is_full() {
    let fixture = fixture(&session(8, 40_000));
    assert_snapshot!(fixture.run(&["context", "session.jsonl", "--window", "110000"]), @"");
}

#[test]
fn the_same_as_json() {
    let fixture = fixture(&session(2, 2_700));
    assert_snapshot!(fixture.run(&["context", "session.jsonl", "--json"]), @"");
}

#[test]
fn a_request_with_its_system_prompt_and_a_line_that_is_broken() {
    let request = r#"{"system":"You are terse.","tools":[{"name":"Read","input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"hello"}]}"#;
    let fixture = fixture(request);
    assert_snapshot!(fixture.run(&["context", "session.jsonl"]), @"");
    fs::write(
        fixture.sandbox.project().join("session.jsonl"),
        format!("{}{{\"type\":\"us", session(2, 2_700)),
    )
    .unwrap();
    let outcome = fixture.run(&["context", "session.jsonl"]).to_string();
    assert_snapshot!(outcome.split_once("-- stderr").unwrap().1, @"");
}

#[test]
fn what_is_no_transcript() {
    let fixture = fixture("just words\n");
    assert_snapshot!(fixture.run(&["context", "session.jsonl"]), @"");
    assert_snapshot!(fixture.run(&["context", "missing.jsonl"]), @"");
}
