//! What can go wrong: it is said, the conversation goes on or ends, and the terminal is as it was.

use std::net::TcpListener;

use serde_json::json;

use super::pty::Pty;
use super::{KEY, Scene};
use crate::fixture::may_unshare;

/// Asks, and gives what is on the screen once something is typed again.
fn asked(scene: &Scene, pty: &mut Pty, said: &str) -> String {
    pty.say(said);
    pty.wait_for("error: ");
    pty.wait_for_prompt();
    scene.plain(&pty.shown())
}

/// Without the first line, which has the folder.
fn after_greeting(screen: &str) -> &str {
    &screen[screen.find('›').unwrap()..]
}

fn quit(mut pty: Pty) {
    pty.say("/quit");
    assert_eq!(pty.wait_for_end(), Some(0));
}

#[test]
fn offline_and_then_not_any_more() {
    let scene = Scene::new(json!([{"reply": [{"text": "I am back."}]}]));
    let free = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    scene.settings(&format!("http://{free}"), "");
    let mut pty = scene.open(&[]);
    insta::assert_snapshot!(asked(&scene, &mut pty, "Is anybody there?"), @"
    memdir · claude-sonnet-5-5 · [ROOT]/project

    › Is anybody there?

    error: the provider cannot be reached: no connection
      see whether the address is right and the network is there; `/retry` asks once
      more

    ›
      99 % of the context left · claude-sonnet-5-5
    ");
    quit(pty);
    scene.settings(&scene.server.url(), "");
    let mut pty = scene.open(&["--continue"]);
    pty.say("/retry");
    pty.wait_for("I am back.");
    pty.wait_for_prompt();
    assert!(scene.asked()[0].contains("Is anybody there?"));
    quit(pty);
}

#[test]
fn the_key_is_wrong() {
    let scene = Scene::with(json!({"keys": ["another"], "step": []}));
    let mut pty = scene.open(&[]);
    insta::assert_snapshot!(asked(&scene, &mut pty, "Is anybody there?"), @"
    memdir · claude-sonnet-5-5 · [ROOT]/project

    › Is anybody there?

    error: the provider does not accept the key
      see where the key comes from with `memdir models`; `/retry` asks once more

    ›
      99 % of the context left · claude-sonnet-5-5
    ");
    quit(pty);
    assert!(!String::from_utf8_lossy(&everything_kept(&scene)).contains(KEY));
}

/// What lies in the home afterwards.
fn everything_kept(scene: &Scene) -> Vec<u8> {
    let mut all = Vec::new();
    let mut folders = vec![scene.fixture.sandbox.home()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            match entry.path().is_dir() {
                true => folders.push(entry.path()),
                false => all.extend(std::fs::read(entry.path()).unwrap_or_default()),
            }
        }
    }
    all
}

#[test]
fn the_provider_is_down() {
    let scene = Scene::new(json!([
        {"times": 3, "fault": {"status": 529, "retry_after_ms": 1}},
        {"times": 1, "reply": [{"text": "The first half of an answer that"}],
         "fault": {"cut_after_events": 5, "reset": true}},
        {"reply": [{"text": "Whole again."}]}
    ]));
    let mut pty = scene.open(&[]);
    insta::assert_snapshot!(asked(&scene, &mut pty, "Is anybody there?"), @"
    memdir · claude-sonnet-5-5 · [ROOT]/project

    › Is anybody there?

    error: the provider is overloaded
      try again later; `/retry` asks once more

    ›
      99 % of the context left · claude-sonnet-5-5
    ");
    pty.say("/retry");
    pty.wait_for("The first");
    pty.wait_for("broke off");
    pty.wait_for_prompt();
    pty.say("Go on, please.");
    pty.wait_for("Whole again.");
    pty.wait_for_prompt();
    quit(pty);
}

#[test]
fn the_rate_limit_is_reached() {
    let scene = Scene::new(json!([{"fault": {"status": 429, "retry_after_ms": 1}}]));
    let mut pty = scene.open(&[]);
    insta::assert_snapshot!(asked(&scene, &mut pty, "Is anybody there?"), @"
    memdir · claude-sonnet-5-5 · [ROOT]/project

    › Is anybody there?

    error: the provider's rate limit is reached; it asks to come back in 1 s
      wait, or choose another model; `/retry` asks once more

    ›
      99 % of the context left · claude-sonnet-5-5
    ");
    quit(pty);
}

#[test]
fn a_wait_that_the_provider_asks_for_is_told() {
    let scene = Scene::new(json!([
        {"times": 1, "fault": {"status": 429, "retry_after_ms": 20_000}},
        {"reply": [{"text": "Yes."}]}
    ]));
    let mut pty = scene.open(&[]);
    pty.say("Is anybody there?");
    pty.wait_for("… the provider is busy; asked again in 20 s (Ctrl-C stops)");
    pty.press("\u{3}");
    pty.wait_for("stopped");
    pty.wait_for_prompt();
    assert!(!pty.all().contains("busy"), "{}", pty.all());
    quit(pty);
}

#[test]
fn what_a_broken_answer_was_counted_is_in_the_cost() {
    let scene = Scene::new(
        json!([{"reply": [{"text": "The first half of an answer that"}],
         "fault": {"cut_after_events": 5, "reset": true}}]),
    );
    let mut pty = scene.open(&[]);
    pty.say("Is anybody there?");
    pty.wait_for("broke off");
    pty.wait_for_prompt();
    pty.say("/cost");
    pty.wait_for("This conversation");
    pty.wait_for_prompt();
    assert!(
        !pty.all().contains("This conversation  0 tokens"),
        "{}",
        pty.all()
    );
    assert!(pty.all().contains("say \"go on\""), "{}", pty.all());
    quit(pty);
}

#[test]
fn the_disk_is_full() {
    let namespace = ["--map-root-user", "--mount"];
    if !may_unshare(&namespace) {
        eprintln!("not tried: no file system can be mounted here");
        return;
    }
    let scene = Scene::new(json!([{"reply": [{"text": "Yes."}]}]));
    // A home on a disk of a few pages, in a namespace of its own.
    let home = scene.fixture.sandbox.home();
    let fill = format!(
        "mount -t tmpfs -o size=96k memdir-test '{0}' && cp -r '{0}-kept/.claude' '{0}/' && \
         {{ head -c 1000000 /dev/zero > '{0}/ballast' 2>/dev/null || true; }} && exec \"$@\"",
        home.display()
    );
    let kept = home.with_file_name("home-kept");
    std::fs::create_dir(&kept).unwrap();
    std::fs::rename(home.join(".claude"), kept.join(".claude")).unwrap();
    let words = [&["unshare"], &namespace[..], &["sh", "-c", &fill, "sh"]].concat();
    let mut pty = Pty::start_under(&scene.program(&[]), &words, 80, 24);
    pty.wait_for_prompt();
    insta::assert_snapshot!(asked(&scene, &mut pty, "Is there room left?"), @"
    memdir · claude-sonnet-5-5 · [ROOT]/project

    › Is there room left?

    error: could not write to
    [ROOT]/home/.claude/projects/[SLUG]-project/[ID].jsonl:
    no space left on device
      what you typed is kept; nothing that was said before is lost

    › Is there room left?
      99 % of the context left · claude-sonnet-5-5
    ");
    pty.press("\u{15}");
    quit(pty);
}

#[test]
fn forty_columns() {
    let scene = Scene::new(json!([
        {"times": 1, "reply": [{"text": "A sentence that is longer than the terminal is wide, with a_very_long_name_that_does_not_fit_anywhere_at_all in it."},
            {"tool": "Bash", "input": {"command": "echo a rather long command line that does not fit"}}]},
        {"reply": [{"text": "Done."}]}
    ]));
    let mut pty = Pty::start(&scene.program(&[]), 40, 24);
    pty.wait_for_prompt();
    pty.say("A question that is longer than the terminal is wide");
    pty.wait_for("very command");
    insta::assert_snapshot!(after_greeting(&pty.all()), @"
    › A question that is longer than the te
      rminal is wide

    A sentence that is longer than the
    terminal is wide, with
    a_very_long_name_that_does_not_fit_anywh
    ere_at_all in it.
    • Bash echo a rather long command line…
      echo a rather long command line that d
    oes not fit
      Run this command?
      [y] once   [n] never   [Esc] stop
      [a] for this conversation: this
          very command
    ");
    pty.press("y");
    pty.wait_for("Done.");
    pty.wait_for_prompt();
    insta::assert_snapshot!(after_greeting(&pty.all()), @"
    › A question that is longer than the te
      rminal is wide

    A sentence that is longer than the
    terminal is wide, with
    a_very_long_name_that_does_not_fit_anywh
    ere_at_all in it.
    • Bash echo a rather long command line…
      echo a rather long command line that d
    oes not fit
      Run this command?
      allowed, once
      a rather long command line that does…
    Done.

    ›
      99 % of the context left · claude-so…
    ");
    quit(pty);
}

#[test]
fn resized_while_it_streams_and_while_somebody_types() {
    let words: Vec<String> = (1..=60).map(|number| format!("<word{number}>")).collect();
    let scene = Scene::new(json!([{"reply": [{"text": words.join(" ")}],
        "fault": {"drip": {"bytes": 400, "every_ms": 30}}}]));
    let mut pty = scene.open(&[]);
    pty.say("Say much.");
    pty.wait_for("<word5> ");
    pty.resize(50, 24);
    pty.wait_for("<word60>");
    pty.wait_for_prompt();
    let shown = pty.all();
    // The terminal would break a row anywhere; words are whole only where we have broken it.
    let told: Vec<&str> = shown.split_whitespace().collect();
    let told: Vec<&str> = told
        .into_iter()
        .filter(|word| word.contains("word"))
        .collect();
    assert_eq!(told, words, "{shown}");
    pty.press("a line that is typed while the window becomes narrower");
    pty.wait_for("arrower\n");
    pty.resize(30, 24);
    pty.wait("for it to be drawn anew", |pty| {
        let shown = pty.shown();
        shown.ends_with("› a line that is typed while\n  the window becomes narrower\n  99 % of the context left ·…")
    });
    pty.press("\u{15}");
    quit(pty);
}

#[test]
fn no_terminal_at_all() {
    let scene = Scene::new(json!([]));
    insta::assert_snapshot!(scene.program(&[]).run().unwrap(), @r#"
    exit 1
    -- stdout
    -- stderr
    error: there is no terminal to talk in
      `memdir chat -p "…"` asks once and prints the answer
    "#);
    insta::assert_snapshot!(scene.program(&[]).stdin("hello\n").run().unwrap(), @r#"
    exit 1
    -- stdout
    -- stderr
    error: there is no terminal to talk in
      `memdir chat -p "…"` asks once and prints the answer
    "#);
}

#[test]
fn ten_megabytes_are_pasted() {
    let scene = Scene::new(json!([{"reply": [{"text": "I shall search it."}]}]));
    scene.settings(&scene.server.url(), "");
    let mut pty = scene.open(&[]);
    let line = "a line of a log that somebody wants to have looked at\n";
    let pasted = line.repeat(10 * 1024 * 1024 / line.len() + 1);
    pty.press("What is wrong here? ");
    pty.press("\u{1b}[200~");
    pty.press(&pasted);
    pty.press("\u{1b}[201~");
    pty.wait_for("[pasted: ");
    pty.press("\r");
    pty.wait_for("I shall search it.");
    pty.wait_for_prompt();
    insta::assert_snapshot!(scene.plain(&pty.shown()), @"
    memdir · claude-sonnet-5-5 · [ROOT]/project

    › What is wrong here? [pasted: 194,181 lines, 10,485,774 bytes]

    · that is about 2,621,448 tokens, and there is room for 980,000: the model got
      its beginning and its end, and can search the rest in a temporary file
    I shall search it.

    ›
      99 % of the context left · claude-sonnet-5-5
    ");
    let asked = scene.asked();
    assert!(asked[0].contains("What is wrong here?") && asked[0].len() < 100_000);
    quit(pty);
}

#[test]
fn a_file_that_is_no_text() {
    let scene = Scene::new(json!([
        {"times": 1, "reply": [{"tool": "Read", "input": {"file_path": "picture.png"}}]},
        {"times": 1, "reply": [{"tool": "Bash", "input": {"command": "cat picture.png"}}]},
        {"reply": [{"text": "I cannot read it."}]}
    ]));
    let bytes = [
        0x89, b'P', b'N', b'G', 0, 0x1b, b'[', b'2', b'J', 0xff, 0x07,
    ];
    scene
        .fixture
        .sandbox
        .write("project/picture.png", bytes)
        .unwrap();
    let mut pty = scene.open(&[]);
    pty.say("What is in the picture?");
    pty.wait_for("I cannot read it.");
    pty.wait_for_prompt();
    insta::assert_snapshot!(scene.plain(&pty.shown()), @"
    memdir · claude-sonnet-5-5 · [ROOT]/project

    › What is in the picture?

    • Read picture.png
      [ROOT]/project/picture.png is not a text file
    • Bash cat picture.png
      PNG<U+0000><U+001B>[2J<U+0007>
    I cannot read it.

    ›
      99 % of the context left · claude-sonnet-5-5
    ");
    quit(pty);
}

#[test]
fn a_tool_that_runs_for_ever() {
    let scene = Scene::new(json!([
        {"times": 1, "reply": [{"tool": "Bash", "input": {
            "command": "touch began; while :; do sleep 1; done", "timeout": 500_000}}]},
        {"reply": [{"text": "Then not."}]}
    ]));
    let mut pty = scene.open(&[]);
    pty.say("Wait for ever, please.");
    pty.wait_for("[Esc] stop");
    pty.press("y");
    let began = scene.fixture.sandbox.project().join("began");
    pty.wait("for the command", |_| began.exists());
    pty.press("\u{3}");
    pty.wait_for("stopped; Ctrl-C again quits");
    pty.wait_for_prompt();
    pty.say("Leave it, then.");
    pty.wait_for("Then not.");
    pty.wait_for_prompt();
    insta::assert_snapshot!(scene.plain(&pty.all()), @"
    memdir · claude-sonnet-5-5 · [ROOT]/project

    › Wait for ever, please.

    • Bash touch began; while :; do sleep 1; done
      Run this command?
      allowed, once
      [the user stopped it]
    · stopped; Ctrl-C again quits

    › Leave it, then.

    Then not.

    ›
      99 % of the context left · claude-sonnet-5-5
    ");
    quit(pty);
}
