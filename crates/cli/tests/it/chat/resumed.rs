//! Conversations that are taken up again from within another.

use serde_json::json;

use super::Scene;
use super::commands::command;
use super::pty::Pty;

fn quit(mut pty: Pty) {
    pty.say("/quit");
    assert_eq!(pty.wait_for_end(), Some(0));
}

#[test]
fn one_that_is_open_elsewhere_stays_there_and_this_one_goes_on() {
    let scene = Scene::new(json!([{"reply": [{"text": "Yes."}]}]));
    let mut first = scene.open(&[]);
    command(&scene, &mut first, "Is this the first?", "Yes.");
    let mut second = Pty::start(&scene.program(&[]), 240, 24);
    second.wait_for_prompt();
    command(&scene, &mut second, "Is this the second?", "Yes.");
    insta::assert_snapshot!(command(&scene, &mut second, "/resume 2", "error: "), @"
    › /resume 2
    error: [ID] cannot go on: [ROOT]/home/.claude/projects/[SLUG]-project/[ID].jsonl is in use by another process
      this conversation goes on
    ");
    command(&scene, &mut second, "And is it still?", "Yes.");
    assert!(
        scene
            .asked()
            .last()
            .unwrap()
            .contains("Is this the second?")
    );
    quit(first);
    quit(second);
}

#[test]
fn what_was_last_said_is_shown() {
    let scene = Scene::new(json!([{"reply": [{"text": "It is **in** `src/parse.rs`."}]}]));
    let mut pty = scene.open(&[]);
    command(&scene, &mut pty, "Where is the parser?", "It is in");
    quit(pty);
    let pty = scene.open(&["--continue"]);
    insta::assert_snapshot!(scene.plain(&pty.all()), @"
    · going on with [ID], 2 messages

    › Where is the parser?

    It is in src/parse.rs.

    ›
      99 % of the context left · claude-sonnet-5-5
    ");
    quit(pty);
}
