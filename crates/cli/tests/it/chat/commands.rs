//! What begins with a slash.

use serde_json::json;

use super::Scene;
use super::pty::Pty;

/// Types a command and gives what it shows.
pub(crate) fn command(scene: &Scene, pty: &mut Pty, text: &str, until: &str) -> String {
    let before = pty.all().matches(until).count();
    pty.say(text);
    pty.wait_for_more(until, before);
    pty.wait_for_prompt();
    let all = scene.plain(&pty.all());
    let at = all.rfind(&format!("› {text}")).unwrap();
    let shown = &all[at..];
    let end = shown.rfind("\n›").unwrap_or(shown.len());
    shown[..end].to_owned()
}

/// A text whose numbers depend on where and when it is run.
fn without_digits(text: &str) -> String {
    text.replace(|c: char| c.is_ascii_digit(), "0")
}

#[test]
fn before_anything_was_said() {
    let scene = Scene::new(json!([]));
    let mut pty = scene.open(&[]);
    let mut shown = |text: &str, until: &str| command(&scene, &mut pty, text, until);
    insta::assert_snapshot!(shown("/help", "Alt-Enter"), @r"
    › /help
      /memory [NAME]           what is remembered; with a name, one in your editor
      /remember TEXT           save something now
      /forget NAME             delete a memory
      /undo [N]                take the last change of memory back, or change N
      /dream                   tidy the memories up now
      /why                     what the last turn was given of the memories, and why
      /pause                   nothing is recalled or saved, until /pause again
      /context                 what fills the window
      /compact [TEXT]          make room in the window; the text says what matters
      /cost                    what this conversation and background work cost
      /todos                   what is to be done
      /clear                   begin a new conversation
      /resume [N]              go on with an earlier one; without N, which there are
      /retry                   ask the model once more
      /help                    this list
      /quit                    end; so do Ctrl-D and Ctrl-C twice
      Alt-Enter, \ at the end  another line; Ctrl-C stops a turn
    ");
    insta::assert_snapshot!(shown("/context", "nothing was said yet"), @"
    › /context
    · nothing was said yet
    ");
    insta::assert_snapshot!(shown("/resume", "no conversation"), @"
    › /resume
    · no conversation was had here yet
    ");
    insta::assert_snapshot!(shown("/remember", "error"), @"
    › /remember
    error: /remember needs to be told what
    ");
    insta::assert_snapshot!(shown("/nothing", "error: there"), @"
    › /nothing
    error: there is no command /nothing
      /help lists them
    ");
    pty.say("/exit");
    assert_eq!(pty.wait_for_end(), Some(0));
    // Nothing was said, and nothing is left of it.
    assert!(!scene.fixture.memory_dir().parent().unwrap().exists());
}

#[test]
fn what_stands_behind_a_command_is_heeded_or_refused() {
    let scene = Scene::new(json!([{"reply": [{"text": "Yes."}]}]));
    for what in [
        "We deploy on Thursdays",
        "Tests run on Tuesdays",
        "Meetings are on Mondays",
    ] {
        scene.fixture.run(&["remember", what]);
    }
    let mut pty = scene.open(&[]);
    let mut shown = |text: &str, until: &str| command(&scene, &mut pty, text, until);
    insta::assert_snapshot!(shown("/undo 2", "shows it"), @"
    › /undo 2
    Undid #2 (remember):
      - project_tests_run_tuesdays.md  +0 -9
      ~ MEMORY.md  +0 -1
    `memdir undo 4` takes that back, `memdir diff 4` shows it
    ");
    insta::assert_snapshot!(shown("/undo everything", "error"), @"
    › /undo everything
    error: /undo takes the number of a change, or nothing
      `memdir history` lists the changes
    ");
    shown("Is this a conversation?", "Yes.");
    insta::assert_snapshot!(shown("/clear the cache in build.rs please", "error: /clear"), @"
    › /clear the cache in build.rs please
    error: /clear stands alone: what was typed behind it is not known to it
      without the slash it is something to say
    ");
    insta::assert_snapshot!(shown("/retry", "nothing to retry"), @r#"
    › /retry
    · nothing to retry: the model has answered; say "go on" for more
    "#);
    shown("And is this the same one?", "Yes.");
    pty.say("/quit");
    assert_eq!(pty.wait_for_end(), Some(0));
    assert!(
        scene
            .asked()
            .last()
            .unwrap()
            .contains("Is this a conversation?")
    );
}

#[test]
fn forty_columns_break_no_word() {
    let scene = Scene::new(json!([{"reply": [{"text": "Yes."}]}]));
    let mut pty = Pty::start(&scene.program(&[]), 40, 60);
    pty.wait_for_prompt();
    let mut shown = |text: &str, until: &str| command(&scene, &mut pty, text, until);
    insta::assert_snapshot!(shown("/help", "Alt-Enter"), @r"
    › /help
      /memory [NAME]
          what is remembered; with a name,
          one in your editor
      /remember TEXT
          save something now
      /forget NAME
          delete a memory
      /undo [N]
          take the last change of memory
          back, or change N
      /dream
          tidy the memories up now
      /why
          what the last turn was given of
          the memories, and why
      /pause
          nothing is recalled or saved,
          until /pause again
      /context
          what fills the window
      /compact [TEXT]
          make room in the window; the text
          says what matters
      /cost
          what this conversation and
          background work cost
      /todos
          what is to be done
      /clear
          begin a new conversation
      /resume [N]
          go on with an earlier one; without
          N, which there are
      /retry
          ask the model once more
      /help
          this list
      /quit
          end; so do Ctrl-D and Ctrl-C twice
      Alt-Enter, \ at the end
          another line; Ctrl-C stops a turn
    ");
    shown("Is this narrow?", "Yes.");
    insta::assert_snapshot!(without_digits(&shown("/cost", "of the day")), @"
    › /cost
    This conversation  0,000 tokens in (0
      % from the cache), 0 out, $0.0000
    Background work has cost nothing.
    today $0.0000 of the day's $0.0000
    ");
    let compacted = shown("/compact", "shown again");
    assert!(!compacted.contains("making room"), "{compacted}");
    pty.say("/quit");
    assert_eq!(pty.wait_for_end(), Some(0));
}

#[test]
fn memories() {
    let scene = Scene::new(json!([{"reply": [{"text": "Yes."}]}]));
    let mut pty = scene.open(&[]);
    let mut shown = |text: &str, until: &str| command(&scene, &mut pty, text, until);
    insta::assert_snapshot!(shown("/remember We deploy on Thursdays", "takes it back"), @r#"
    › /remember We deploy on Thursdays
    Remembered project_deploy_thursdays.md (project): "We deploy on Thursdays"
    in ~/.claude/projects/[SLUG]-project/memory
    guessed type project and name deploy-thursdays; `--type`, `--name`,
    `--description` set them
    `memdir undo` takes it back
    "#);
    insta::assert_snapshot!(shown("/memory", "opens one"), @"
    › /memory
    project_deploy_thursdays.md  project  today  We deploy on Thursdays
    · /memory NAME opens one in your editor
    ");
    shown("When do we deploy?", "recalled");
    insta::assert_snapshot!(without_digits(&shown("/why", "When do we deploy")), @r#"
    › /why
    Conversation [ID]

    0000-00-00 00:00  "When do we deploy?"
      given  0.00  project_deploy_thursdays.md  today, about 00 tokens
             deploy
    "#);
    insta::assert_snapshot!(shown("/forget deploy", "brings it back"), @r#"
    › /forget deploy
    Forgot project_deploy_thursdays.md: "We deploy on Thursdays"
    `memdir undo` brings it back
    "#);
    insta::assert_snapshot!(shown("/undo", "shows it"), @"
    › /undo
    Undid #2 (forget):
      + project_deploy_thursdays.md  +9 -0
      ~ MEMORY.md  +1 -0
    `memdir undo 3` takes that back, `memdir diff 3` shows it
    ");
    insta::assert_snapshot!(shown("/dream", "Nothing has to change"), @"
    › /dream
    Nothing has to change.
    ");
    insta::assert_snapshot!(without_digits(&shown("/cost", "of the day")), @"
    › /cost
    This conversation  0,000 tokens in (0 % from the cache), 0 out, $0.0000
    Background work has cost nothing.
    today $0.0000 of the day's $0.0000
    ");
    pty.say("/quit");
    assert_eq!(pty.wait_for_end(), Some(0));
}

#[test]
fn a_memory_in_the_editor() {
    let scene = Scene::new(json!([]));
    scene.fixture.topic(
        "user_role.md",
        0,
        "user",
        "Writes Rust",
        "Ten years of Rust.",
    );
    let script = "#!/bin/sh\nsed -i s/Ten/Eleven/ \"$1\"\nstty -a > ROOT/modes\n";
    let script = script.replace("ROOT", scene.fixture.sandbox.root().to_str().unwrap());
    let editor = scene.fixture.sandbox.write("editor", script).unwrap();
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(&editor, std::fs::Permissions::from_mode(0o755)).unwrap();
    let program = scene.program(&[]).env("EDITOR", &editor);
    let mut pty = Pty::start(&program, 80, 24);
    pty.wait_for_prompt();
    command(&scene, &mut pty, "/memory user_role", "takes it back");
    let text = std::fs::read_to_string(scene.fixture.memory_dir().join("user_role.md")).unwrap();
    assert!(text.contains("Eleven years of Rust."));
    // The editor had the terminal as the user has it.
    let modes = std::fs::read_to_string(scene.fixture.sandbox.root().join("modes")).unwrap();
    assert!(
        modes.contains(" echo ") && modes.contains(" icanon "),
        "{modes}"
    );
    pty.say("/quit");
    assert_eq!(pty.wait_for_end(), Some(0));
}

#[test]
fn the_window_the_line_beneath_and_a_new_beginning() {
    let scene = Scene::new(json!([{"reply": [{"text": "Yes."}]}]));
    let mut pty = scene.open(&[]);
    command(&scene, &mut pty, "Is the window empty?", "Yes.");
    let left = |text: &str| {
        let line = text
            .lines()
            .rev()
            .find(|line| line.contains("% "))
            .unwrap()
            .trim()
            .to_owned();
        line.split(" %")
            .next()
            .unwrap()
            .rsplit([' ', ','])
            .next()
            .unwrap()
            .to_owned()
    };
    let beneath = left(&pty.shown());
    let picture = command(&scene, &mut pty, "/context", "kept for the answer");
    let drawn = picture
        .lines()
        .find(|line| line.contains("% left"))
        .unwrap()
        .to_owned();
    assert_eq!(left(&drawn), beneath, "{picture}");
    insta::assert_snapshot!(without_digits(&command(&scene, &mut pty, "/compact", "shown again")), @"
    › /compact
    · clearing not done: more was asked for
    · notes not done: there are no notes
    · compacted (summary): 0,000 tokens became 0,000, 0 message stays
    · shown again: 0 files
    ");
    pty.say("/clear");
    pty.wait_for_more("memdir ·", 1);
    pty.wait_for_prompt();
    command(&scene, &mut pty, "Is this another one?", "Yes.");
    assert!(
        !scene
            .asked()
            .last()
            .unwrap()
            .contains("Is the window empty?")
    );
    insta::assert_snapshot!(command(&scene, &mut pty, "/resume", "goes on with one"), @"
    › /resume
       1  Is this another one? today, this one
       2  Is the window empty? today
    · /resume N goes on with one
    ");
    pty.say("/resume 2");
    pty.wait_for("going on with");
    pty.wait_for_prompt();
    command(&scene, &mut pty, "And this is the first again.", "Yes.");
    assert!(
        scene
            .asked()
            .last()
            .unwrap()
            .contains("Is the window empty?")
    );
    pty.say("/quit");
    assert_eq!(pty.wait_for_end(), Some(0));
}

#[test]
fn paused_nothing_is_recalled_or_saved() {
    let scene = Scene::new(json!([{"reply": [{"text": "Yes."}]}]));
    scene.fixture.topic(
        "feedback_tabs.md",
        0,
        "feedback",
        "Indent with tabs",
        "Indent with tabs.",
    );
    let mut pty = scene.open(&[]);
    command(&scene, &mut pty, "Hello to you", "Yes.");
    insta::assert_snapshot!(command(&scene, &mut pty, "/pause", "memory is paused"), @"
    › /pause
    · memory is paused: nothing is recalled, and nothing of what is said is saved;
      /pause again goes on
    ");
    command(
        &scene,
        &mut pty,
        "Remember that I never indent with tabs.",
        "Yes.",
    );
    command(&scene, &mut pty, "/pause", "memory goes on");
    command(&scene, &mut pty, "So much for that, then.", "Yes.");
    pty.say("/quit");
    pty.wait_for_end();
    let all = pty.all();
    assert!(
        !all.contains("· recalled") && !all.contains("Saved"),
        "{all}"
    );
    let files = std::fs::read_dir(scene.fixture.memory_dir())
        .unwrap()
        .count();
    assert_eq!(files, 1);
}

#[test]
fn a_pause_begins_before_anything_is_said_and_lasts() {
    let memory = "ROOT/home/.claude/projects/SLUG/memory/feedback_tabs.md";
    let scene = Scene::new(json!([
        {"times": 1, "reply": [{"tool": "Write", "input": {"file_path": memory,
            "content": "---\nname: tabs\ndescription: Indent with tabs\ntype: feedback\n---\n\nIndent with tabs.\n"}}]},
        {"reply": [{"text": "Yes."}]}
    ]));
    let mut pty = Pty::start(&scene.program(&[]), 300, 40);
    pty.wait_for_prompt();
    command(&scene, &mut pty, "/pause", "memory is paused");
    insta::assert_snapshot!(command(&scene, &mut pty, "Remember that I indent with tabs.", "Yes."), @"
    › Remember that I indent with tabs.

    • Write [ROOT]/home/.claude/projects/[SLUG]-project/memory/feedback_tabs.md
      the user has paused memory: nothing is saved now, also not by you
    Yes.
    ");
    pty.say("/clear");
    pty.wait_for_more("memdir ·", 1);
    pty.wait_for_prompt();
    assert!(
        pty.shown()
            .ends_with("memory is paused · claude-sonnet-5-5 · /help"),
        "{}",
        pty.shown()
    );
    command(&scene, &mut pty, "Never push to main on a Friday.", "Yes.");
    command(&scene, &mut pty, "/pause", "memory goes on");
    pty.say("/quit");
    assert_eq!(pty.wait_for_end(), Some(0));
    let all = pty.all();
    assert!(!all.contains("Saved"), "{all}");
    let kept = std::fs::read_dir(scene.fixture.memory_dir());
    assert_eq!(kept.into_iter().flatten().count(), 0);
}
