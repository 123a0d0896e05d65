//! `memdir transcript`.

use std::fs;

use insta::assert_snapshot;
use memdir_testkit::Outcome;
use rustix::fs::{CWD, FileType, Mode};

use crate::fixture::Fixture;

const SESSION: &str = include_str!("../../../conversation/tests/data/claude-code-compacted.jsonl");
const ROLLOUT: &str = include_str!("../../../conversation/tests/data/codex.jsonl");
const OPENAI: &str = include_str!("../../../conversation/tests/data/openai.json");

fn with(name: &str, content: impl AsRef<[u8]>) -> Fixture {
    let fixture = Fixture::new();
    fixture
        .sandbox
        .write(&format!("project/{name}"), content)
        .unwrap();
    fixture
}

fn run(fixture: &Fixture, arguments: &[&str]) -> Outcome {
    let words = [&["transcript"], arguments].concat();
    let folder = fixture.sandbox.project();
    fixture
        .program(&words)
        .current_folder(folder)
        .run()
        .unwrap()
}

#[test]
fn show_says_who_said_what() {
    let fixture = with("s.jsonl", SESSION);
    assert_snapshot!(run(&fixture, &["show", "s.jsonl"]), @r#"
    exit 0
    -- stdout
    model          110  Reading. → Read {"file_path":"/log"}
    tool            71  ← 1 all quiet
    notice          42  stop_hook_summary
    boundary         0  compacted: 90,000 tokens before, 700 after, 3 kept
    summary         51  Summary: the hive is blue.
    reminder        75  <local-command-caveat>below</local-command-caveat>
    reminder       148  file /log: <system-reminder> Called Read </system-reminder> <system-reminder> all quiet </system-reminder>
    user            37  what colour?
    model           30  Blue.
    -- stderr
    "#);
    assert_snapshot!(run(&fixture, &["show", "s.jsonl", "--whole"]), @r#"
    exit 0
    -- stdout
    user            40  my hive is blue
    model           31  Noted.
    user            37  read the log
    model          110  Reading. → Read {"file_path":"/log"}
    tool            71  ← 1 all quiet
    notice          42  stop_hook_summary
    boundary         0  compacted: 90,000 tokens before, 700 after, 3 kept
    summary         51  Summary: the hive is blue.
    reminder        75  <local-command-caveat>below</local-command-caveat>
    reminder       148  file /log: <system-reminder> Called Read </system-reminder> <system-reminder> all quiet </system-reminder>
    user            37  what colour?
    model           30  Blue.
    -- stderr
    "#);
}

#[test]
fn show_in_full_and_as_json() {
    let fixture = with("r.jsonl", ROLLOUT);
    assert_snapshot!(run(&fixture, &["show", "r.jsonl", "--whole", "--full"]), @r#"
    exit 0
    -- stdout
    reminder msg_d, [TIME]
    <permissions>all</permissions>

    reminder msg_c, [TIME]
    # AGENTS.md instructions for /home/ada/hive

    Use tabs.
    <environment_context></environment_context>

    user msg_u1, [TIME]
    count the bees

    model rs_1, [TIME], gpt-5.1-codex, 100 tokens in, 10 out
    {"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"c2VjcmV0"}
    → shell {"command":["ls"]}
    → apply_patch {"input":"*** Begin Patch"}

    tool line-10, [TIME]
    ← failed: no such hive

    tool line-13, [TIME]
    ← Done

    model msg_a1, [TIME], gpt-5.1-codex, 150 tokens in, 5 out
    Three.

    boundary line-19, [TIME]
    compacted: 1 kept

    summary line-19.2, [TIME]
    Another model began this. Its summary:
    The hive holds three bees.

    user line-20, [TIME]
    and drones?

    model line-21, [TIME], gpt-5.1-codex
    None.
    -- stderr
    "#);
    assert_snapshot!(run(&fixture, &["show", "r.jsonl", "--json"]), @r#"
    exit 0
    -- stdout
    [
      {"id":"msg_u1","parent":null,"role":"user","source":"user","at":"[TIME]","model":null,"usage":null,"bytes":39,"blocks":[{"type":"text","text":"count the bees"}]},
      {"id":"line-19","parent":null,"role":"system","source":"boundary","at":"[TIME]","model":null,"usage":null,"bytes":0,"blocks":[],"kept":["msg_u1"]},
      {"id":"line-19.2","parent":"line-19","role":"user","source":"summary","at":"[TIME]","model":null,"usage":null,"bytes":91,"blocks":[{"type":"text","text":"Another model began this. Its summary:\nThe hive holds three bees."}]},
      {"id":"line-20","parent":"line-19.2","role":"user","source":"user","at":"[TIME]","model":null,"usage":null,"bytes":36,"blocks":[{"type":"text","text":"and drones?"}]},
      {"id":"line-21","parent":"line-20","role":"assistant","source":"model","at":"[TIME]","model":null,"usage":null,"bytes":30,"blocks":[{"type":"text","text":"None."}]}
    ]
    -- stderr
    "#);
}

#[test]
fn nothing_in_a_transcript_acts_on_the_terminal() {
    let line = r#"[{"role":"user","content":"\u001b[2Jgone"}]"#;
    let fixture = with("m.json", line);
    assert_snapshot!(run(&fixture, &["show", "m.json"]), @"
    exit 0
    -- stdout
    user            38  <U+001B>[2Jgone
    -- stderr
    ");
    assert_snapshot!(run(&fixture, &["show", "m.json", "--full"]), @"
    exit 0
    -- stdout
    user m1-09344142
    <U+001B>[2Jgone
    -- stderr
    ");
}

#[test]
fn check_of_a_whole_one() {
    let fixture = with("r.jsonl", ROLLOUT);
    assert_snapshot!(run(&fixture, &["check", "r.jsonl"]), @"
    exit 0
    -- stdout
    format      codex
    lines       21
    messages    11: boundary 1, model 3, reminder 2, summary 1, tool 2, user 2
    tool calls  2
    taken back  2 lines
    skipped     event_msg 1, session_meta 1
    nothing is wrong
    -- stderr
    ");
}

#[test]
fn check_names_lines_that_are_lost_and_pairs_that_are_mended() {
    let lines: Vec<&str> = ROLLOUT.lines().collect();
    let text = [&lines[..9], &["oops"], &lines[12..14]].concat().join("\n") + "\n";
    let fixture = with("r.jsonl", &text);
    assert_snapshot!(run(&fixture, &["check", "r.jsonl"]), @"
    exit 1
    -- stdout
    format      codex
    lines       12
    messages    6: model 2, reminder 2, tool 1, user 1
    tool calls  2
    skipped     event_msg 1, session_meta 1
    line 10: not JSON: not an object
    call_1 has no result; one that says so is sent
    -- stderr
    ");
    assert_snapshot!(run(&fixture, &["check", "r.jsonl", "--json"]), @r#"
    exit 1
    -- stdout
    {
      "format": "codex",
      "session": "01a1",
      "cwd": "/home/ada/hive",
      "lines": 12,
      "messages": 6,
      "sources": {
        "model": 2,
        "reminder": 2,
        "tool": 1,
        "user": 1
      },
      "tool_calls": 2,
      "abandoned": 0,
      "sidechain": 0,
      "skipped": {
        "event_msg": 1,
        "session_meta": 1
      },
      "problems": [
        {
          "line": 10,
          "kind": "not-json",
          "lost": true,
          "text": "not JSON: not an object"
        }
      ],
      "unlisted": 0,
      "repairs": [
        {
          "kind": "no-result",
          "id": "call_1"
        }
      ],
      "lost": true
    }
    -- stderr
    "#);
    // The other commands go on, and say so.
    assert_snapshot!(run(&fixture, &["show", "r.jsonl"]).stderr(), @"warning: 1 line could not be read; `memdir transcript check` says which");
}

#[test]
fn an_unfinished_last_line_is_only_noted() {
    let fixture = with("s.jsonl", &SESSION[..SESSION.len() - 30]);
    assert_snapshot!(run(&fixture, &["check", "s.jsonl"]), @"
    exit 0
    -- stdout
    format      claude-code
    lines       13
    messages    11: boundary 1, model 2, notice 1, reminder 2, summary 1, tool 1, user 3
    tool calls  1
    line 13: the last line is not finished
    nothing that was said is lost
    -- stderr
    ");
}

#[test]
fn convert_to_a_request() {
    let fixture = with("r.jsonl", ROLLOUT);
    assert_snapshot!(run(&fixture, &["convert", "r.jsonl", "--to", "anthropic", "--whole"]), @r##"
    exit 0
    -- stdout
    [{"role":"user","content":[{"type":"text","text":"<permissions>all</permissions>"},{"type":"text","text":"# AGENTS.md instructions for /home/ada/hive\n\nUse tabs."},{"type":"text","text":"<environment_context></environment_context>"},{"type":"text","text":"count the bees"}]},{"role":"assistant","content":[{"type":"tool_use","id":"call_1","name":"shell","input":{"command":["ls"]}},{"type":"tool_use","id":"call_2","name":"apply_patch","input":{"input":"*** Begin Patch"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"call_1","content":"no such hive","is_error":true},{"type":"tool_result","tool_use_id":"call_2","content":"Done"}]},{"role":"assistant","content":[{"type":"text","text":"Three."}]},{"role":"user","content":[{"type":"text","text":"Another model began this. Its summary:\nThe hive holds three bees."},{"type":"text","text":"and drones?"}]},{"role":"assistant","content":[{"type":"text","text":"None."}]}]
    -- stderr
    warning: 1 block that only another provider understands left out
    "##);
    let fixture = with("m.json", OPENAI);
    assert_snapshot!(run(&fixture, &["convert", "m.json", "--to", "openai"]), @r#"
    exit 0
    -- stdout
    [{"role": "system", "content": "Be brief."},{"role": "user", "content": [{"type": "text", "text": "what is this?"}, {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBO"}}]},{"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "read", "arguments": "{\"path\": \"/a\"}"}}], "reasoning_content": "kept"},{"role": "tool", "tool_call_id": "call_1", "content": "one bee"},{"role": "assistant", "content": "A bee.", "refusal": null}]
    -- stderr
    "#);
}

#[test]
fn convert_to_a_session_that_reads_the_same() {
    let fixture = with("s.jsonl", SESSION);
    let to = [
        "convert",
        "s.jsonl",
        "--to",
        "claude-code",
        "--whole",
        "-o",
        "new.jsonl",
    ];
    assert_snapshot!(run(&fixture, &[&to[..], &["--dry-run"]].concat()), @"
    exit 0
    -- stdout
    would write 7,356 bytes to new.jsonl
    -- stderr
    ");
    assert!(!fixture.sandbox.project().join("new.jsonl").exists());
    assert_snapshot!(run(&fixture, &to), @"
    exit 0
    -- stdout
    12 messages in new.jsonl
    -- stderr
    ");
    let shown = |file| run(&fixture, &["show", file, "--whole"]).stdout();
    assert_eq!(shown("new.jsonl"), shown("s.jsonl"));
    // Never over a file that is there.
    assert_snapshot!(run(&fixture, &to), @"
    exit 1
    -- stdout
    -- stderr
    error: new.jsonl exists
      --force replaces it
    ");
    assert_snapshot!(run(&fixture, &[&to[..], &["--force"]].concat()).code().unwrap(), @"0");
}

#[test]
fn what_is_private_is_not_written_again() {
    let fixture = with(
        "m.json",
        r#"[{"role":"user","content":"my pin is <private>1234</private>"}]"#,
    );
    assert_snapshot!(run(&fixture, &["convert", "m.json", "--to", "openai"]), @r#"
    exit 0
    -- stdout
    [{"role":"user","content":"my pin is [private]"}]
    -- stderr
    warning: <private> spans left out of 1 message
    "#);
    let session = run(&fixture, &["convert", "m.json", "--to", "claude-code"]);
    assert!(session.stdout().contains("my pin is [private]"));
    assert!(!session.stdout().contains("1234"));
    // Marks in one block reach into the next, and over a picture between them.
    let image =
        r#"{"type":"image","source":{"type":"base64","media_type":"image/png","data":"UEFTUw=="}}"#;
    let content = format!(
        r#"{{"type":"text","text":"see <private>this"}},{image},{{"type":"text","text":"1234</private>?"}}"#
    );
    let messages = format!(r#"[{{"role":"user","content":[{content}]}}]"#);
    fs::write(fixture.sandbox.project().join("m.json"), messages).unwrap();
    assert_snapshot!(run(&fixture, &["convert", "m.json", "--to", "anthropic"]), @r#"
    exit 0
    -- stdout
    [{"role":"user","content":[{"type":"text","text":"see [private]"},{"type":"text","text":"[private]"},{"type":"text","text":"[private]?"}]}]
    -- stderr
    warning: <private> spans left out of 1 message
    "#);
}

#[test]
fn what_is_no_transcript() {
    let fixture = with("notes.md", "# Notes\n");
    assert_snapshot!(run(&fixture, &["show", "notes.md"]), @"
    exit 1
    -- stdout
    -- stderr
    error: notes.md: not a transcript of a known kind
      say which with --format: claude-code, codex, gemini, anthropic, openai
    ");
    assert_snapshot!(run(&fixture, &["show", "none.jsonl"]), @"
    exit 1
    -- stdout
    -- stderr
    error: none.jsonl: there is no such file
    ");
    assert_snapshot!(run(&fixture, &["show", "notes.md", "--format", "codex"]), @"
    exit 0
    -- stdout
    Nothing was said in it.
    -- stderr
    warning: 1 line could not be read; `memdir transcript check` says which
    ");
    fs::create_dir(fixture.sandbox.project().join("folder")).unwrap();
    assert_snapshot!(run(&fixture, &["check", "folder"]), @"
    exit 1
    -- stdout
    -- stderr
    error: folder: not a regular file
    ");
    // Opening it would wait for a writer for ever.
    let fifo = fixture.sandbox.project().join("fifo");
    rustix::fs::mknodat(CWD, &fifo, FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
    assert_snapshot!(run(&fixture, &["check", "fifo"]), @"
    exit 1
    -- stdout
    -- stderr
    error: fifo: not a regular file
    ");
}
