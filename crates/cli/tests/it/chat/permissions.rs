//! What the model may do, and who says so.

use serde_json::{Value, json};

use super::Scene;
use super::pty::Pty;

fn bash(command: &str) -> Value {
    json!({"times": 1, "reply": [{"tool": "Bash", "input": {"command": command}}]})
}

fn said(text: &str) -> Value {
    json!({"times": 1, "reply": [{"text": text}]})
}

/// How many questions have their answer beneath them.
fn answered(screen: &str) -> usize {
    let lines = screen.lines().map(str::trim_start);
    lines
        .filter(|line| {
            ["allowed, ", "not allowed", "stopped"]
                .iter()
                .any(|said| line.starts_with(said))
        })
        .count()
}

/// Says something, answers every question that comes up, and waits until it is done.
fn turn(pty: &mut Pty, text: &str, answers: &[&str], done: &str) {
    pty.say(text);
    for answer in answers {
        let before = answered(&pty.all());
        pty.wait("for a question", |pty| pty.shown().contains("[Esc] stop"));
        pty.press(answer);
        // The next question may be there before anybody looks: only what stays on the screen counts.
        pty.wait("for the answer to be seen", |pty| {
            answered(&pty.all()) > before
        });
    }
    pty.wait_for(done);
    pty.wait_for_prompt();
}

#[test]
fn once_for_this_conversation_or_never() {
    let scene = Scene::new(json!([
        bash("echo one >> log"),
        bash("echo one >> log"),
        bash("echo one >> log"),
        bash("echo two >> log"),
        bash("echo two >> log"),
        said("That was it."),
    ]));
    let mut pty = scene.open(&[]);
    turn(
        &mut pty,
        "Write the log, please.",
        &["y", "a", "n"],
        "That was it.",
    );
    insta::assert_snapshot!(scene.plain(&pty.all()), @"
    memdir · claude-sonnet-5-5 · [ROOT]/project

    › Write the log, please.

    • Bash echo one >> log
      Run this command?
      allowed, once
      [it printed nothing]
    • Bash echo one >> log
      Run this command?
      allowed, for this conversation
      [it printed nothing]
    • Bash echo one >> log
      [it printed nothing]
    • Bash echo two >> log
      Run this command?
      not allowed
      the user does not allow this in this conversation: do without, or ask what t…
    • Bash echo two >> log
      the user does not allow this in this conversation: do without, or ask what t…
    That was it.

    ›
      99 % of the context left · claude-sonnet-5-5
    ");
    let log = std::fs::read_to_string(scene.fixture.sandbox.project().join("log")).unwrap();
    assert_eq!(log, "one\none\none\n");
    pty.say("/quit");
    assert_eq!(pty.wait_for_end(), Some(0));
}

#[test]
fn a_change_is_shown_before_it_is_allowed() {
    let scene = Scene::new(json!([
        {"times": 1, "reply": [{"tool": "Read", "input": {"file_path": "main.rs"}}]},
        {"times": 1, "reply": [{"tool": "Edit", "input": {
            "file_path": "ROOT/project/main.rs", "old_string": "old", "new_string": "new"}}]},
        {"times": 1, "reply": [{"tool": "Write", "input": {
            "file_path": "ROOT/outside/x", "content": "x"}}]},
        said("That was it."),
    ]));
    scene
        .fixture
        .sandbox
        .write("project/main.rs", "fn main() {\n    old()\n}\n")
        .unwrap();
    let mut pty = scene.open(&[]);
    turn(&mut pty, "Change it, please.", &["y", "n"], "That was it.");
    insta::assert_snapshot!(scene.plain(&pty.all()), @r"
    memdir · claude-sonnet-5-5 · [ROOT]/project

    › Change it, please.

    • Read main.rs
      3 lines
    • Edit [ROOT]/project/main.rs
      @@ -1,3 +1,3 @@
       fn main() {
      -    old()
      +    new()
       }
      Write to [ROOT]/project/main.rs?
      allowed, once
      Updated [ROOT]/project/main.rs
    • Write [ROOT]/outside/x
      @@ -0,0 +1 @@
      +x
      \ No newline at end of file
      Write to [ROOT]/outside/x?
      not allowed
      the user does not allow this in this conversation: do without, or ask what t…
    That was it.

    ›
      99 % of the context left · claude-sonnet-5-5
    ");
    let changed = std::fs::read_to_string(scene.fixture.sandbox.project().join("main.rs")).unwrap();
    assert_eq!(changed, "fn main() {\n    new()\n}\n");
    assert!(!scene.fixture.sandbox.outside().join("x").exists());
}

#[test]
fn a_word_for_the_project_is_none_for_what_others_keep_or_obey() {
    let old = "ROOT/home/.claude/projects/SLUG/old.jsonl";
    let write = |path: &str| json!({"times": 1, "reply": [{"tool": "Write", "input": {"file_path": path, "content": "x\n"}}]});
    let scene = Scene::new(json!([
        write("new.txt"),
        write("other.txt"),
        {"times": 1, "reply": [{"tool": "Read", "input": {"file_path": old}}]},
        write(old),
        write(".git/hooks/pre-commit"),
        write(".claude/settings.json"),
        said("That was it."),
    ]));
    let old = scene.fixture.memory_dir().with_file_name("old.jsonl");
    std::fs::create_dir_all(old.parent().unwrap()).unwrap();
    std::fs::write(&old, "{}\n").unwrap();
    let mut pty = Pty::start(&scene.program(&[]), 300, 40);
    pty.wait_for_prompt();
    turn(
        &mut pty,
        "Write all of it, please.",
        &["a", "n", "n"],
        "That was it.",
    );
    insta::assert_snapshot!(scene.plain(&pty.all()), @"
    memdir · claude-sonnet-5-5 · [ROOT]/project

    › Write all of it, please.

    • Write new.txt
      @@ -0,0 +1 @@
      +x
      Write to [ROOT]/project/new.txt?
      allowed, for this conversation
      Created [ROOT]/project/new.txt
    • Write other.txt
      Created [ROOT]/project/other.txt
    • Read [ROOT]/home/.claude/projects/[SLUG]-project/old.jsonl
      1 line
    • Write [ROOT]/home/.claude/projects/[SLUG]-project/old.jsonl
      this is a record of what was said, or waits for the user: it is read, not written
    • Write .git/hooks/pre-commit
      @@ -0,0 +1 @@
      +x
      Write to [ROOT]/project/.git/hooks/pre-commit?
      not allowed
      the user does not allow this in this conversation: do without, or ask what they want
    • Write .claude/settings.json
      @@ -0,0 +1 @@
      +x
      Write to [ROOT]/project/.claude/settings.json?
      not allowed
      the user does not allow this in this conversation: do without, or ask what they want
    That was it.

    ›
      99 % of the context left · claude-sonnet-5-5
    ");
    assert_eq!(std::fs::read_to_string(&old).unwrap(), "{}\n");
    let project = scene.fixture.sandbox.project();
    assert!(project.join("other.txt").exists());
    assert!(!project.join(".git/hooks/pre-commit").exists());
    assert!(!project.join(".claude/settings.json").exists());
    pty.say("/quit");
    assert_eq!(pty.wait_for_end(), Some(0));
}

#[test]
fn ctrl_c_at_a_question_counts() {
    let scene = Scene::new(json!([bash("echo one >> log")]));
    let mut pty = scene.open(&[]);
    pty.say("Write the log, please.");
    pty.wait_for("[Esc] stop");
    pty.press("\u{3}");
    pty.wait_for("stopped; Ctrl-C again quits");
    pty.wait_for_prompt();
    pty.press("\u{3}");
    assert_eq!(pty.wait_for_end(), Some(0));
}

#[test]
fn without_colours_the_choices_go_all_the_same() {
    let scene = Scene::new(json!([bash("echo one >> log"), said("That was it.")]));
    let program = scene.program(&[]).env("NO_COLOR", "1");
    let mut pty = Pty::start(&program, 80, 24);
    pty.wait_for_prompt();
    turn(&mut pty, "Write the log, please.", &["y"], "That was it.");
    insta::assert_snapshot!(scene.plain(&pty.all()), @"
    memdir · claude-sonnet-5-5 · [ROOT]/project

    › Write the log, please.

    • Bash echo one >> log
      Run this command?
      allowed, once
      [it printed nothing]
    That was it.

    ›
      99 % of the context left · claude-sonnet-5-5
    ");
    pty.say("/quit");
    assert_eq!(pty.wait_for_end(), Some(0));
}

#[test]
fn escape_stops_the_turn_and_keys_typed_before_are_no_answer() {
    let scene = Scene::new(json!([
        {"times": 1, "delay_ms": 300, "reply": [{"tool": "Bash", "input": {"command": "touch x"}}]},
        said("Then not."),
    ]));
    let mut pty = scene.open(&[]);
    pty.say("Do it now, please.");
    // While the model works: typed ahead, not an answer to what nobody has seen yet.
    pty.press("yyy");
    pty.wait_for("[Esc] stop");
    pty.press("\u{1b}");
    pty.wait_for("stopped; Ctrl-C again quits");
    pty.wait_for_prompt();
    assert!(!scene.fixture.sandbox.project().join("x").exists());
    pty.say("Never mind that.");
    pty.wait_for("Then not.");
    pty.wait_for_prompt();
    // The call that was stopped has a result, or the provider would refuse the next request.
    let asked = scene.asked();
    assert!(
        asked[1].contains("the user stopped the turn"),
        "{}",
        asked[1]
    );
}

#[test]
fn memories_need_no_permission_and_the_shell_gets_none_by_that() {
    let memory = "ROOT/home/.claude/projects/SLUG/memory/feedback_tabs.md";
    let scene = Scene::new(json!([
        {"times": 1, "reply": [{"tool": "Write", "input": {"file_path": memory,
            "content": "---\nname: tabs\ndescription: Indent with tabs\ntype: feedback\n---\n\nIndent with tabs.\n"}}]},
        bash("cat ROOT/outside/secret"),
        said("That was it."),
    ]));
    scene
        .fixture
        .sandbox
        .write("outside/secret", "hidden")
        .unwrap();
    let mut pty = scene.open(&[]);
    turn(
        &mut pty,
        "Remember that I indent with tabs.",
        &["n"],
        "That was it.",
    );
    assert!(scene.fixture.memory_dir().join("feedback_tabs.md").exists());
    let notice = "· Saved 1 memory: feedback_tabs.md; /undo takes it back";
    assert!(pty.all().contains(notice), "{}", pty.all());
    assert!(!scene.asked().last().unwrap().contains("hidden"));
    pty.say("/quit");
    assert_eq!(pty.wait_for_end(), Some(0));
}
