//! An agent with a memory of its own: what is typed acts on that one, and its conversations stay its own.

use serde_json::json;

use super::Scene;
use super::commands::command;
use super::pty::Pty;

fn quit(mut pty: Pty) {
    pty.say("/quit");
    assert_eq!(pty.wait_for_end(), Some(0));
}

#[test]
fn commands_act_on_its_own_memory() {
    let scene = Scene::new(json!([{"reply": [{"text": "Yes."}]}]));
    scene.fixture.run(&["remember", "We deploy on Thursdays"]);
    let mut pty = Pty::start(&scene.program(&["--agent", "reviewer"]), 240, 24);
    pty.wait_for_prompt();
    assert!(
        pty.all().contains("claude-sonnet-5-5 · agent reviewer · "),
        "{}",
        pty.all()
    );
    let mut shown = |text: &str, until: &str| command(&scene, &mut pty, text, until);
    shown("/remember Reviews are short", "takes it back");
    insta::assert_snapshot!(shown("/memory", "opens one"), @"
    › /memory
    project_reviews_short.md  project  today  Reviews are short
    · /memory NAME opens one in your editor
    ");
    insta::assert_snapshot!(shown("/undo", "shows it"), @"
    › /undo
    Undid #1 (remember):
      - project_reviews_short.md  +0 -9
      - MEMORY.md  +0 -1
    `memdir undo 2 --memory-dir [ROOT]/home/.claude/agent-memory/reviewer` takes that back, `memdir diff 2 --memory-dir [ROOT]/home/.claude/agent-memory/reviewer` shows it
    ");
    insta::assert_snapshot!(shown("/undo", "Nothing"), @"
    › /undo
    Nothing to undo: memdir has changed nothing here that still stands.
    `memdir history --memory-dir [ROOT]/home/.claude/agent-memory/reviewer` lists every change
    ");
    insta::assert_snapshot!(shown("/forget deploy", "error"), @"
    › /forget deploy
    error: there is no memory `deploy`
      `memdir list` shows what there is
    ");
    quit(pty);
    let kept = scene
        .fixture
        .memory_dir()
        .join("project_deploy_thursdays.md");
    assert!(kept.exists());
}

#[test]
fn its_conversations_go_on_with_it_and_with_nobody_else() {
    let scene = Scene::new(json!([{"reply": [{"text": "Yes."}]}]));
    let index = "- [Short](short.md) — reviews are short\n";
    let place = "project/.claude/agent-memory/reviewer/MEMORY.md";
    scene.fixture.sandbox.write(place, index).unwrap();
    let agent = ["--agent", "reviewer", "--scope", "project"];
    let words = [&agent[..], &["-p", "Is this for the reviewer?"]].concat();
    scene.program(&words).run().unwrap();
    insta::assert_snapshot!(scene.program(&["--continue", "-p", "Who are you?"]).run().unwrap(), @"
    exit 1
    -- stdout
    -- stderr
    error: no conversation was had in this folder yet
      `memdir chat --resume` lists what there is
    ");
    scene.program(&["-p", "Is this for nobody?"]).run().unwrap();
    insta::assert_snapshot!(scene.program(&["--resume"]).run().unwrap(), @"
    exit 0
    -- stdout
    [ID]  Is this for nobody?
    [ID]  Is this for the reviewer?  (agent reviewer)
    -- stderr
    ");
    insta::assert_snapshot!(scene.program(&["--resume", "--json"]).run().unwrap(), @r#"
    exit 0
    -- stdout
    [
      {
        "conversation": "[ID]",
        "title": "Is this for nobody?",
        "agent": null
      },
      {
        "conversation": "[ID]",
        "title": "Is this for the reviewer?",
        "agent": "reviewer"
      }
    ]
    -- stderr
    "#);
    let words = [&agent[..], &["--continue", "-p", "And this?"]].concat();
    scene.program(&words).run().unwrap();
    let asked = scene.asked();
    let last = asked.last().unwrap();
    assert!(last.contains("for the reviewer?") && last.contains("reviews are short"));
    // The newest one is the agent's now: by its place in the list it goes on as it was.
    let mut pty = scene.open(&["--resume", "1"]);
    assert!(pty.all().contains(", agent reviewer, "), "{}", pty.all());
    pty.say("And who are you now?");
    pty.wait_for_more("Yes.", 1);
    pty.wait_for_prompt();
    assert!(scene.asked().last().unwrap().contains("reviews are short"));
    insta::assert_snapshot!(command(&scene, &mut pty, "/resume", "goes on with one"), @"
    › /resume
       1  Is this for the reviewer? today, this one
    · /resume N goes on with one
    ");
    quit(pty);
    insta::assert_snapshot!(scene.program(&["--agent", "another", "--resume", "1", "-p", "x"]).run().unwrap(), @"
    exit 1
    -- stdout
    -- stderr
    error: the agent another cannot go on with [ID]: it is of reviewer (project)
      without --agent it goes on as it was
    ");
}
