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
            r#"{{"parentUuid":{parent},"isSidechain":false,"type":"{kind}","message":{message},"uuid":"{id}","timestamp":"2026-11-15T19:20:46.647Z","sessionId":"s","cwd":"/home/ada/example","version":"2.1.325"}}"#
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
            r#"{{"id":"msg_{number}","role":"assistant","model":"claude-opus-5-5","content":[{{"type":"tool_use","id":"toolu_{number}","name":"Read","input":{{"file_path":"/home/ada/example/crates/store/src/part_{file}.rs"}}}}],"usage":{{"input_tokens":4,"cache_read_input_tokens":{prompt},"output_tokens":60}}}}"#
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
    assert_snapshot!(fixture.run(&["context", "session.jsonl", "--window", "200000"]), @"
    exit 0
    -- stdout
    session.jsonl
    claude-code, 17 messages, claude-opus-5-5
    107,268 of 200,000 tokens, 40 % left, room left
    as the provider counted it; what came after the last response is estimated

    sssssrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrr·····························░░░░░░░░
                                                    warning 160,000 ┘  │   │
                                                    compaction 167,000 ┘   │
                                                          blocking 177,000 ┘

    s system, tools, unseen  12,139    6 %
    u typed by the user           7    0 %
    c calls of tools            338    0 %
    r results of tools       94,784   47 %
    · free                   72,732   36 %
    ░ kept for the answer    20,000   10 %

    Tools
    95,128  8 calls  Read

    Files
    23,782  2 calls  /home/ada/example/crates/store/src/part_0.rs
    11,891   1 call  /home/ada/example/crates/store/src/part_2.rs
    11,891   1 call  /home/ada/example/crates/store/src/part_3.rs
    11,891   1 call  /home/ada/example/crates/store/src/part_4.rs
    11,891   1 call  /home/ada/example/crates/store/src/part_5.rs

    Read again, 11,848 tokens to spare
    11,848  2 reads  /home/ada/example/crates/store/src/part_0.rs
    -- stderr
    ");
}

#[test]
fn a_window_that_is_full() {
    let fixture = fixture(&session(8, 40_000));
    assert_snapshot!(fixture.run(&["context", "session.jsonl", "--window", "110000"]), @"
    exit 0
    -- stdout
    session.jsonl
    claude-code, 17 messages, claude-opus-5-5
    107,268 of 110,000 tokens, 0 % left, full
    as the provider counted it; what came after the last response is estimated

    sssssssssrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrr░░
                                        warning 70,000 ┘    │      │
                                          compaction 77,000 ┘      │
                                                   blocking 87,000 ┘

    s system, tools, unseen  12,139   11 %
    u typed by the user           7    0 %
    c calls of tools            338    0 %
    r results of tools       94,784   86 %
    · free                        0    0 %
    ░ kept for the answer    20,000   18 %

    Tools
    95,128  8 calls  Read

    Files
    23,782  2 calls  /home/ada/example/crates/store/src/part_0.rs
    11,891   1 call  /home/ada/example/crates/store/src/part_2.rs
    11,891   1 call  /home/ada/example/crates/store/src/part_3.rs
    11,891   1 call  /home/ada/example/crates/store/src/part_4.rs
    11,891   1 call  /home/ada/example/crates/store/src/part_5.rs

    Read again, 11,848 tokens to spare
    11,848  2 reads  /home/ada/example/crates/store/src/part_0.rs
    -- stderr
    ");
}

#[test]
fn the_same_as_json() {
    let fixture = fixture(&session(2, 2_700));
    assert_snapshot!(fixture.run(&["context", "session.jsonl", "--json"]), @r#"
    exit 0
    -- stdout
    {
      "file": "session.jsonl",
      "format": "claude-code",
      "messages": 5,
      "model": "claude-opus-5-5",
      "window": 1000000,
      "available": 980000,
      "tokens": 13859,
      "percent_left": 98,
      "state": "normal",
      "basis": "usage",
      "factor": 1.3333333333333333,
      "kinds": {
        "human": 9,
        "assistant": 0,
        "thinking": 0,
        "requests": 98,
        "results": 1869,
        "attachments": 0,
        "summaries": 0,
        "system": 0,
        "tools": 0,
        "unaccounted": 11883
      },
      "thresholds": {
        "warning": 960000,
        "error": 960000,
        "compaction": 967000,
        "blocking": 977000
      },
      "tools": [
        {
          "name": "Read",
          "calls": 2,
          "requests": 100,
          "results": 1870
        }
      ],
      "files": [
        {
          "path": "/home/ada/example/crates/store/src/part_0.rs",
          "calls": 2,
          "reads": 2,
          "tokens": 1970,
          "duplicates": 935
        }
      ],
      "problems": 0
    }
    -- stderr
    "#);
}

#[test]
fn the_window_is_the_client_s_own_or_the_model_s() {
    let window = |text: &str| {
        let outcome = fixture(text).run(&["context", "session.jsonl", "--json"]);
        let answer: serde_json::Value = serde_json::from_str(&outcome.stdout()).unwrap();
        answer["window"].as_u64().unwrap()
    };
    let model = |name: &str| session(1, 2_700).replace("claude-opus-5-5", name);
    let codex = r#"{"type":"session_meta","payload":{"id":"a","cwd":"/home/ada/example"}}
{"type":"event_msg","payload":{"type":"task_started","model_context_window":258400}}
{"type":"turn_context","payload":{"model":"gpt-5.1-codex"}}
{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"hello"}]}}
{"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"hello"}]}}
"#;
    assert_eq!(window(codex), 258_400);
    assert_eq!(window(&model("claude-opus-5-5")), 1_000_000);
    assert_eq!(window(&model("claude-haiku-4-5")), 200_000);
    assert_eq!(window(&model("somebody-s-own")), 200_000);
}

#[test]
fn a_request_with_its_system_prompt_and_a_line_that_is_torn() {
    let request = r#"{"system":"You are terse.","tools":[{"name":"Read","input_schema":{"type":"object"}}],"messages":[{"role":"user","content":"hello"}]}"#;
    let fixture = fixture(request);
    assert_snapshot!(fixture.run(&["context", "session.jsonl"]), @"
    exit 0
    -- stdout
    session.jsonl
    anthropic, 1 message
    26 of 200,000 tokens, 99 % left, room left
    estimated, with a third on top: no response has been counted

    ········································································░░░░░░░░
                                                    warning 160,000 ┘  │   │
                                                    compaction 167,000 ┘   │
                                                          blocking 177,000 ┘

    s system prompt               5    0 %
    d definitions of tools       20    0 %
    u typed by the user           1    0 %
    · free                  179,974   90 %
    ░ kept for the answer    20,000   10 %
    -- stderr
    ");
    // A last line that is not whole is normal.
    let torn = format!("{}{{\"type\":\"us", session(2, 2_700));
    fs::write(fixture.sandbox.project().join("session.jsonl"), torn).unwrap();
    let outcome = fixture.run(&["context", "session.jsonl"]).to_string();
    assert!(outcome.ends_with("-- stderr\n"), "{outcome}");
}

#[test]
fn what_is_no_transcript() {
    let fixture = fixture("just words\n");
    assert_snapshot!(fixture.run(&["context", "session.jsonl"]), @"
    exit 1
    -- stdout
    -- stderr
    error: session.jsonl: not a transcript of a known kind
      say which with --format: claude-code, codex, gemini, anthropic, openai
    ");
    assert_snapshot!(fixture.run(&["context", "missing.jsonl"]), @"
    exit 1
    -- stdout
    -- stderr
    error: missing.jsonl: there is no such file
    ");
}
