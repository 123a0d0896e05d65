//! Turns of a conversation, in a terminal.

use rustix::process::Signal;
use serde_json::json;

use super::Scene;

#[test]
fn a_question_and_its_answer() {
    let scene = Scene::new(json!([{"reply": [{
        "text": "# Two things\n\nThe **parser** is in `src/parse.rs`, and it is called from three places which are listed here:\n\n- `main`\n- *tests*, of course, which call it more often than anybody else does in this whole project\n\n```rust\nfn parse() {}\n```\nThat is \u{1b}[31mall\u{7}."
    }]}]));
    let mut pty = scene.open(&[]);
    insta::assert_snapshot!(scene.plain(&pty.shown()), @"
    memdir · claude-sonnet-5-5 · [ROOT]/project

    ›
      claude-sonnet-5-5 · /help
    ");
    pty.say("Where is the parser?");
    pty.wait_for("all");
    pty.wait_for_prompt();
    insta::assert_snapshot!(scene.plain(&pty.shown()), @"
    memdir · claude-sonnet-5-5 · [ROOT]/project

    › Where is the parser?

    Two things

    The parser is in src/parse.rs, and it is called from three places which are
    listed here:

    • main
    • tests, of course, which call it more often than anybody else does in this
      whole project

      fn parse() {}
    That is <U+001B>[31mall<U+0007>.

    ›
      99 % of the context left · claude-sonnet-5-5
    ");
    pty.press("\u{4}");
    assert_eq!(pty.wait_for_end(), Some(0));
    // What the model says does not act on the terminal.
    let bytes = String::from_utf8_lossy(&pty.bytes()).into_owned();
    assert!(!bytes.contains("\u{1b}[31mall") && !bytes.contains('\u{7}'));
}

#[test]
fn several_lines_and_what_was_typed_before() {
    let scene = Scene::new(json!([{"reply": [{"text": "Yes."}]}]));
    let mut pty = scene.open(&[]);
    pty.press("one\u{1b}\rtwo \\\rthree");
    pty.wait_for("  three");
    insta::assert_snapshot!(scene.plain(&pty.shown()), @"
    memdir · claude-sonnet-5-5 · [ROOT]/project

    › one
      two
      three
      claude-sonnet-5-5 · /help
    ");
    pty.press("\r");
    pty.wait_for("Yes.");
    pty.wait_for_prompt();
    pty.press("half\u{1b}[A");
    pty.wait_for_more("› one", 1);
    pty.press("\u{1b}[B\u{1b}[B\u{1b}[B");
    pty.wait_for("› half");
    pty.press("\u{15}/quit\r");
    assert_eq!(pty.wait_for_end(), Some(0));
    assert!(scene.asked()[0].contains(r"one\ntwo \nthree"));
    let history = scene
        .fixture
        .sandbox
        .home()
        .join(".claude/memdir/chat-history");
    use std::os::unix::fs::PermissionsExt as _;
    let found = std::fs::metadata(&history).unwrap();
    assert_eq!(found.permissions().mode() & 0o777, 0o600);
    insta::assert_snapshot!(std::fs::read_to_string(history).unwrap(), @r#"
    "one\ntwo \nthree"
    "/quit"
    "#);
}

#[test]
fn a_paste_stays_one_sign_on_the_way_through_what_was_typed_before() {
    let scene = Scene::new(json!([{"reply": [{"text": "Yes."}]}]));
    let mut pty = scene.open(&[]);
    pty.say("Is this before?");
    pty.wait_for("Yes.");
    pty.wait_for_prompt();
    let line = "a line of a log\n";
    pty.press(&format!(
        "See \u{1b}[200~{}\u{1b}[201~",
        line.repeat(100_000)
    ));
    pty.wait_for("› See [pasted: 100,000 lines");
    pty.press("\u{1b}[A");
    pty.wait("for what was typed before", |pty| {
        !pty.shown().contains("[pasted") && pty.shown().matches("› Is this before?").count() == 2
    });
    pty.press("\u{1b}[B");
    pty.wait_for_prompt();
    pty.wait_for("› See [pasted: 100,000 lines");
    pty.press("\u{15}/quit\r");
    assert_eq!(pty.wait_for_end(), Some(0));
}

#[test]
fn ctrl_c_stops_a_turn_and_twice_it_quits() {
    let scene = Scene::new(json!([
        {"times": 1, "reply": [{"text": "This is the beginning of a long answer."}],
         "fault": {"silence": {"after_events": 5, "ms": 600_000}}},
        {"reply": [{"text": "Short."}]}
    ]));
    let mut pty = scene.open(&[]);
    pty.say("Say something long.");
    pty.wait_for("This is the");
    pty.press("\u{3}");
    pty.wait_for("stopped; Ctrl-C again quits");
    pty.wait_for_prompt();
    pty.say("Shorter, please.");
    pty.wait_for("Short.");
    pty.wait_for_prompt();
    // The first clears the line, the second warns, the third quits.
    pty.press("x\u{3}\u{3}\u{3}");
    assert_eq!(pty.wait_for_end(), Some(0));
    let asked = scene.asked();
    // What the user has read of the first answer stays said.
    assert!(
        asked[1].contains("This is the") && asked[1].contains("Shorter, please."),
        "{}",
        asked[1]
    );
}

#[test]
fn two_quick_interruptions_quit_while_it_streams_and_keys_typed_ahead_are_kept() {
    let scene = Scene::new(json!([
        {"times": 1, "delay_ms": 300, "reply": [{"text": "Yes."}]},
        {"reply": [{"text": "This is the beginning of a long answer."}],
         "fault": {"silence": {"after_events": 5, "ms": 600_000}}}
    ]));
    let mut pty = scene.open(&[]);
    pty.say("Is this a question?");
    // The next one, while the model is at the first.
    pty.say("Say something long.");
    pty.wait_for("Yes.");
    pty.wait_for("This is the");
    pty.press("\u{3}\u{3}");
    assert_eq!(pty.wait_for_end(), Some(0));
    assert!(scene.asked()[1].contains("Say something long."));
}

#[test]
fn an_interruption_behind_another_quits_although_it_is_a_signal() {
    let scene = Scene::new(json!([{"reply": [{"text": "This is the beginning."}],
        "fault": {"silence": {"after_events": 5, "ms": 600_000}}}]));
    let mut pty = scene.open(&[]);
    pty.say("Say something long.");
    pty.wait_for("This is the");
    pty.press("\u{3}");
    pty.wait_for("stopped; Ctrl-C again quits");
    pty.wait_for_prompt();
    pty.signal(Signal::INT);
    assert_eq!(pty.wait_for_end(), Some(0));
}

#[test]
fn a_polite_end_while_the_model_works_and_while_somebody_types() {
    let scene = Scene::new(json!([{"reply": [{"text": "This is the beginning."}],
        "fault": {"silence": {"after_events": 5, "ms": 600_000}}}]));
    let mut pty = scene.open(&[]);
    pty.say("Say something long.");
    pty.wait_for("This is the");
    pty.signal(Signal::TERM);
    assert_eq!(pty.wait_for_end(), Some(0));
    let mut pty = scene.open(&[]);
    pty.press("half a sentence");
    pty.wait_for("half a sentence");
    pty.signal(Signal::TERM);
    assert_eq!(pty.wait_for_end(), Some(0));
}

#[test]
fn a_conversation_goes_on_in_the_next_process() {
    let scene = Scene::new(json!([
        {"times": 1, "reply": [{"tool": "TodoWrite", "input": {"todos": [
            {"content": "read", "status": "completed"}, {"content": "write", "status": "in_progress"}]}}]},
        {"reply": [{"text": "Yes."}]}
    ]));
    let mut pty = scene.open(&[]);
    pty.say("Plan this, please.");
    pty.wait_for("Yes.");
    pty.wait_for_prompt();
    pty.say("/quit");
    pty.wait_for_end();
    let mut pty = scene.open(&["--continue"]);
    pty.say("/todos");
    pty.wait_for("▸ write");
    pty.wait_for_prompt();
    pty.say("And what is next?");
    pty.wait_for("Yes.");
    pty.wait_for_prompt();
    pty.say("/quit");
    assert_eq!(pty.wait_for_end(), Some(0));
    let asked = scene.asked();
    assert!(asked.last().unwrap().contains("Plan this, please."));
}
