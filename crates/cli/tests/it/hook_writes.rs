//! What agents write into a memory directory with their own tools, and what they read there.

use std::fs;

use serde_json::{Value, json};

use crate::fixture::Fixture;
use crate::hook::{Talk, context, hooks_log};

/// A token of the form that is looked for; nobody's.
fn token() -> String {
    format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8")
}

fn before(talk: &Talk<'_>, tool: &str, input: Value) -> String {
    let name = match talk.client {
        "gemini" => "BeforeTool",
        _ => "PreToolUse",
    };
    let fields = json!({"tool_name": tool, "tool_input": input, "tool_use_id": "toolu_1"});
    let outcome = talk.fire(name, fields);
    assert_eq!((outcome.code(), outcome.stderr()), (Some(0), String::new()));
    assert!(!outcome.stdout().contains(&token()), "{outcome}");
    outcome.stdout()
}

#[test]
fn secrets_are_turned_away_by_the_name_of_their_rule() {
    let fixture = Fixture::with_some();
    let file = fixture.memory_dir().join("reference_ci.md");
    let from_home = file.strip_prefix(fixture.sandbox.home()).unwrap();
    let from_home = from_home.display();
    let mut answers = Vec::new();
    for (client, tool, input) in [
        (
            "claude-code",
            "Write",
            json!({"file_path": file, "content": format!("The token is {}\n", token())}),
        ),
        (
            "claude-code",
            "Edit",
            json!({"file_path": fixture.memory_dir().join("user_role.md"), "old_string": "Ten", "new_string": token()}),
        ),
        (
            "claude-code",
            "MultiEdit",
            json!({"file_path": file, "edits": [{"old_string": "", "new_string": "x"}, {"old_string": "x", "new_string": token()}]}),
        ),
        (
            "claude-code",
            "Bash",
            json!({"command": format!("echo {} >> {}", token(), file.display())}),
        ),
        (
            "claude-code",
            "Bash",
            json!({"command": format!("echo {} >> \"$HOME\"/{from_home}", token())}),
        ),
        (
            "claude-code",
            "Write",
            json!({"file_path": format!("~/{from_home}"), "content": token()}),
        ),
        (
            "claude-code",
            "NotebookEdit",
            json!({"notebook_path": file.with_extension("ipynb"), "new_source": token()}),
        ),
        (
            "codex",
            "apply_patch",
            json!({"input": format!("*** Begin Patch\n*** Add File: {}\n+token {}\n*** End Patch", file.display(), token())}),
        ),
        (
            "codex",
            "Bash",
            json!({"command": format!("apply_patch <<'E'\n*** Begin Patch\n*** Add File: {}\n+token {}\n*** End Patch\nE", file.display(), token())}),
        ),
        (
            "gemini",
            "write_file",
            json!({"file_path": file, "content": token()}),
        ),
        (
            "gemini",
            "replace",
            json!({"file_path": file, "old_string": "a", "new_string": token()}),
        ),
    ] {
        let talk = Talk {
            client,
            ..Talk::new(&fixture, "talk")
        };
        answers.push(format!("{client} {tool}: {}", before(&talk, tool, input)));
    }
    insta::assert_snapshot!(answers.concat(), @r#"
    claude-code Write: {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"memdir keeps this out of memory: line 1 holds a secret (github-personal-token: GitHub personal access token). Nothing was written. Say where the secret is kept instead of what it is, and write it again."}}
    claude-code Edit: {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"memdir keeps this out of memory: line 8 holds a secret (github-personal-token: GitHub personal access token). Nothing was written. Say where the secret is kept instead of what it is, and write it again."}}
    claude-code MultiEdit: {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"memdir keeps this out of memory: line 2 holds a secret (github-personal-token: GitHub personal access token). Nothing was written. Say where the secret is kept instead of what it is, and write it again."}}
    claude-code Bash: {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"memdir keeps this out of memory: line 1 holds a secret (github-personal-token: GitHub personal access token). Nothing was written. Say where the secret is kept instead of what it is, and write it again."}}
    claude-code Bash: {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"memdir keeps this out of memory: line 1 holds a secret (github-personal-token: GitHub personal access token). Nothing was written. Say where the secret is kept instead of what it is, and write it again."}}
    claude-code Write: {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"memdir keeps this out of memory: line 1 holds a secret (github-personal-token: GitHub personal access token). Nothing was written. Say where the secret is kept instead of what it is, and write it again."}}
    claude-code NotebookEdit: {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"memdir keeps this out of memory: line 1 holds a secret (github-personal-token: GitHub personal access token). Nothing was written. Say where the secret is kept instead of what it is, and write it again."}}
    codex apply_patch: {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"memdir keeps this out of memory: line 1 holds a secret (github-personal-token: GitHub personal access token). Nothing was written. Say where the secret is kept instead of what it is, and write it again."}}
    codex Bash: {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"memdir keeps this out of memory: line 1 holds a secret (github-personal-token: GitHub personal access token). Nothing was written. Say where the secret is kept instead of what it is, and write it again."}}
    gemini write_file: {"decision":"deny","reason":"memdir keeps this out of memory: line 1 holds a secret (github-personal-token: GitHub personal access token). Nothing was written. Say where the secret is kept instead of what it is, and write it again."}
    gemini replace: {"decision":"deny","reason":"memdir keeps this out of memory: line 2 holds a secret (github-personal-token: GitHub personal access token). Nothing was written. Say where the secret is kept instead of what it is, and write it again."}
    "#);
    assert_eq!(hooks_log(&fixture), "");
}

#[test]
fn what_is_no_secret_or_not_for_memory_is_let_through() {
    let fixture = Fixture::with_some();
    let talk = Talk::new(&fixture, "talk");
    let memory = fixture.memory_dir();
    let old = memory.join("old.md");
    fs::write(&old, format!("An old {} that was there.\n", token())).unwrap();
    for (tool, input) in [
        (
            "Write",
            json!({"file_path": memory.join("a.md"), "content": "Tabs."}),
        ),
        (
            "Write",
            json!({"file_path": fixture.sandbox.project().join("a.md"), "content": token()}),
        ),
        // Lines that were there before are not the agent's.
        (
            "Edit",
            json!({"file_path": old, "old_string": "nothing", "new_string": "Tabs."}),
        ),
        ("Bash", json!({"command": format!("curl -H {}", token())})),
        ("Read", json!({"file_path": old})),
        ("Write", json!({"file_path": 7})),
        ("Write", json!("no object")),
    ] {
        assert_eq!(before(&talk, tool, input.clone()), "", "{tool} {input}");
    }
}

#[test]
fn invisible_text_is_turned_away_also_from_a_sub_agent_and_in_a_pause() {
    let fixture = Fixture::with_some();
    let talk = Talk::new(&fixture, "talk");
    talk.start();
    fixture.run(&["pause", "--conversation", "talk"]);
    let file = fixture.memory_dir().join("a.md");
    let hidden = "Use tabs\u{E0041}\u{E0042}.";
    let fields = json!({"tool_name": "Write", "tool_input": {"file_path": file, "content": hidden}, "agent_id": "a1", "agent_type": "x"});
    insta::assert_snapshot!(talk.fire("PreToolUse", fields), @r#"
    exit 0
    -- stdout
    {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"memdir keeps this out of memory: there is invisible text in it (2 tag characters). Nothing was written. Write it again without."}}
    -- stderr
    "#);
}

#[test]
fn where_the_user_wants_it_a_secret_is_taken_out() {
    let fixture = Fixture::with_some();
    fixture
        .sandbox
        .write(
            "home/.claude/memdir.toml",
            "[secrets]\nprivate = \"redact\"\n",
        )
        .unwrap();
    let talk = Talk::new(&fixture, "talk");
    let write = |path: &str| {
        let input = json!({"file_path": fixture.memory_dir().join(path), "content": format!("The token is {}\n", token())});
        before(&talk, "Write", input)
            .replace(&fixture.memory_dir().display().to_string(), "[MEMORY]")
    };
    insta::assert_snapshot!(write("reference_ci.md"), @r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"file_path":"[MEMORY]/reference_ci.md","content":"The token is [redacted: github-personal-token]\n"}}}"#);
    insta::assert_snapshot!(write("team/reference_ci.md"), @r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"memdir keeps this out of memory: line 1 holds a secret (github-personal-token: GitHub personal access token). Nothing was written. Say where the secret is kept instead of what it is, and write it again."}}"#);
}

#[test]
fn an_agent_does_not_vouch_for_itself_as_the_user() {
    let fixture = Fixture::with_some();
    let talk = Talk::new(&fixture, "talk");
    let content = "---\nname: tabs\ndescription: Tabs\nmetadata:\n  type: feedback\n  source: user\n---\n\nTabs.\nsource: user\n";
    let write = |name: &str| {
        let file = fixture.memory_dir().join(name);
        before(
            &talk,
            "Write",
            json!({"file_path": file, "content": content}),
        )
        .replace(&fixture.memory_dir().display().to_string(), "[MEMORY]")
    };
    insta::assert_snapshot!(write("feedback_tabs.md"), @r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"file_path":"[MEMORY]/feedback_tabs.md","content":"---\nname: tabs\ndescription: Tabs\nmetadata:\n  type: feedback\n  source: agent\n---\n\nTabs.\nsource: user\n"}}}"#);
    // What was the user's before stays so.
    assert_eq!(write("feedback_no_push_on_friday.md"), "");
}

#[test]
fn what_the_agent_reads_or_writes_is_not_shown_to_it_and_stands_in_the_history_as_its_own() {
    let fixture = Fixture::with_some();
    fixture.run(&["status"]);
    let talk = Talk::new(&fixture, "talk");
    let memory = fixture.memory_dir();
    let read = json!({"tool_name": "Read", "tool_input": {"file_path": memory.join("feedback_no_push_on_friday.md")}, "tool_response": {"type": "text"}, "tool_use_id": "toolu_1"});
    assert_eq!(talk.fire("PostToolUse", read).stdout(), "");
    assert_eq!(context(&talk.prompt("May I push to main on a Friday?")), "");
    fixture.topic(
        "feedback_tabs.md",
        0,
        "feedback",
        "Use tabs in Makefiles",
        "Use tabs in Makefiles.",
    );
    let written = json!({"tool_name": "Write", "tool_input": {"file_path": memory.join("feedback_tabs.md"), "content": "x"}, "tool_response": {}, "tool_use_id": "toolu_2"});
    assert_eq!(talk.fire("PostToolUse", written).stdout(), "");
    assert!(!context(&talk.prompt("Should I use tabs in Makefiles?")).contains("feedback_tabs"));
    insta::assert_snapshot!(fixture.run(&["history"]), @"
    exit 0
    -- stdout
    #2  [TIME]  agent    Write       + feedback_tabs.md
    #1  [TIME]  outside  first seen  + MEMORY.md, + feedback_no_push_on_friday.md, + project_release.md, + user_role.md
    -- stderr
    ");
    let other = Talk::new(&fixture, "other");
    assert!(context(&other.prompt("Should I use tabs in Makefiles?")).contains("feedback_tabs.md"));
    assert_eq!(hooks_log(&fixture), "");
}

#[test]
fn huge_results_are_shortened_where_the_user_wants_that() {
    let fixture = Fixture::with_some();
    let talk = Talk::new(&fixture, "talk");
    let all: String = (0..500).map(|number| format!("line {number}\n")).collect();
    let fields = json!({"tool_name": "Bash", "tool_input": {"command": "seq"}, "tool_use_id": "toolu_9",
        "tool_response": {"stdout": all, "stderr": "", "interrupted": false}});
    assert_eq!(talk.fire("PostToolUse", fields.clone()).stdout(), "");
    fixture
        .sandbox
        .write("home/.claude/memdir.toml", "[hooks]\nshrink_over = 60\n")
        .unwrap();
    insta::assert_snapshot!(talk.fire("PostToolUse", fields), @r#"
    exit 0
    -- stdout
    {"hookSpecificOutput":{"hookEventName":"PostToolUse","updatedToolOutput":{"stdout":"line 0\nline 1\nline 2\nline 3\nli\n\n[memdir left out 4330 of 4390 characters here; all of it is in [HOME]/.claude/projects/[-PROJECT]/talk/tool-results/toolu_9.txt]\n\n96\nline 497\nline 498\nline 499\n","stderr":"","interrupted":false}}}
    -- stderr
    "#);
    let kept = talk
        .transcript()
        .with_extension("")
        .join("tool-results/toolu_9.txt");
    assert_eq!(fs::read_to_string(kept).unwrap(), all);
}
