//! What is taught today is known tomorrow; and a long conversation.

use serde_json::json;

use super::Scene;

#[test]
fn three_things_are_taught_and_the_next_day_they_are_used() {
    let scene = Scene::new(json!([{"reply": [{"text": "All right."}]}]));
    let mut pty = scene.open(&[]);
    for said in [
        "Remember that we deploy on Thursdays only.",
        "Never use unwrap in library code.",
        "I am a data engineer and new to Rust.",
    ] {
        let before = pty.all().matches("Saved 1 memory").count();
        pty.say(said);
        pty.wait_for_more("Saved 1 memory", before);
        pty.wait_for_prompt();
    }
    insta::assert_snapshot!(scene.plain(&pty.all()), @"
    memdir · claude-sonnet-5-5 · [ROOT]/project

    › Remember that we deploy on Thursdays only.

    All right.
    · Saved 1 memory: project_deploy_thursdays_only.md; /undo takes it back

    › Never use unwrap in library code.

    All right.
    · Saved 1 memory: feedback_never_use_unwrap_library_code.md; /undo takes it back

    › I am a data engineer and new to Rust.

    All right.
    · Saved 1 memory: user_data_engineer_new_rust.md; /undo takes it back

    ›
      99 % of the context left · claude-sonnet-5-5
    ");
    pty.say("/quit");
    assert_eq!(pty.wait_for_end(), Some(0));
    let mut pty = scene.open(&[]);
    pty.say("On which day should I deploy this?");
    pty.wait_for("All right.");
    pty.wait_for_prompt();
    insta::assert_snapshot!(scene.plain(&pty.all()), @"
    memdir · claude-sonnet-5-5 · [ROOT]/project

    › On which day should I deploy this?

    · recalled project_deploy_thursdays_only.md
    All right.

    ›
      99 % of the context left · claude-sonnet-5-5
    ");
    pty.say("/quit");
    assert_eq!(pty.wait_for_end(), Some(0));
    let asked = scene.asked();
    assert!(
        asked
            .last()
            .unwrap()
            .contains("we deploy on Thursdays only")
    );
}

#[test]
fn a_day_that_cost_far_more_is_told_at_the_start() {
    let scene = Scene::new(json!([]));
    let own = scene.fixture.sandbox.home().join(".claude/memdir");
    std::fs::create_dir_all(&own).unwrap();
    let now = jiff::Timestamp::now();
    let line = |days: i64, nano: u64| {
        let at = now - jiff::SignedDuration::from_hours(24 * days);
        let reserved = json!({"purpose": "dream", "project": "/p", "provider": "x", "model": "m", "nano_usd": nano});
        format!(
            "{}\n",
            json!({"v": 1, "id": format!("{days}"), "at": at, "reserved": reserved})
        )
    };
    let ledger = [
        line(3, 10_000_000),
        line(2, 10_000_000),
        line(1, 86_500_000),
    ]
    .concat();
    std::fs::write(own.join("ledger.jsonl"), ledger).unwrap();
    let mut pty = scene.open(&[]);
    pty.wait_for("shows the days");
    pty.wait_for_prompt();
    insta::assert_snapshot!(scene.plain(&pty.shown()), @"
    memdir · claude-sonnet-5-5 · [ROOT]/project
    · background work cost $0.0865 yesterday, more than 3 times the week's median of
      $0.0100; `memdir cost --by day` shows the days

    ›
      claude-sonnet-5-5 · /help
    ");
    pty.say("/quit");
    assert_eq!(pty.wait_for_end(), Some(0));
}

#[test]
fn a_failed_extraction_is_said_in_one_line() {
    let scene = Scene::new(json!([
        {"when": {"body": "feedback"}, "times": 1, "reply": [{"text": "All right."}]},
        {"fault": {"status": 400}}
    ]));
    scene.settings(
        &scene.server.url(),
        "[model_for]\nchat = \"test\"\nextraction = \"test\"\n",
    );
    let mut pty = scene.open(&[]);
    pty.say("Remember that we deploy on Thursdays only.");
    pty.wait_for("extraction failed");
    pty.wait_for_prompt();
    insta::assert_snapshot!(scene.plain(&pty.shown()), @"
    memdir · claude-sonnet-5-5 · [ROOT]/project

    › Remember that we deploy on Thursdays only.

    All right.
    · extraction failed: the provider does not understand the request (status 400);
      it is tried again next time

    ›
      99 % of the context left · claude-sonnet-5-5
    ");
    pty.say("/quit");
    assert_eq!(pty.wait_for_end(), Some(0));
}

#[test]
fn what_waits_in_the_inbox_reaches_the_model_as_what_a_tool_has_read() {
    let scene = Scene::new(json!([{"reply": [{"text": "All right."}]}]));
    scene.settings(&scene.server.url(), "[extraction]\nmode = \"ask\"\n");
    let mut pty = scene.open(&[]);
    pty.say("Never push to main on a Friday.");
    pty.wait_for("1 suggestion waits for your word");
    pty.say("/quit");
    pty.wait_for_end();
    let mut pty = scene.open(&[]);
    pty.say("May I push to main on a Friday?");
    pty.wait_for("All right.");
    pty.wait_for_prompt();
    let asked = scene.asked();
    let body: serde_json::Value = serde_json::from_str(&asked[1]).unwrap();
    let messages = body["messages"].as_array().unwrap();
    let last = messages.last().unwrap()["content"][0].clone();
    assert_eq!(last["type"], "tool_result", "{}", asked[1]);
    assert!(last.to_string().contains("Never push to main"), "{last}");
    pty.say("/quit");
    assert_eq!(pty.wait_for_end(), Some(0));
}

#[test]
fn a_long_one_compacts_twice_and_the_line_agrees_with_the_picture() {
    let filler = "A sentence of the answer that fills the window. ".repeat(200);
    let scene = Scene::new(json!([
        {"when": {"last_user": "summary"}, "reply": [{"text": "<summary>We talked about the parser, and it was long.</summary>"}]},
        {"reply": [{"text": filler}]}
    ]));
    small_window(&scene);
    let mut pty = scene.open(&[]);
    let mut turns = 0;
    while pty.all().matches("compacted (").count() < 2 {
        turns += 1;
        assert!(turns < 40, "{}", pty.all());
        pty.say(&format!("Tell me more about the parser, part {turns}."));
        pty.wait_for(&format!("part {turns}."));
        pty.wait_for_prompt();
    }
    let beneath = pty.shown().lines().last().unwrap().trim().to_owned();
    let left = beneath.split(" %").next().unwrap().to_owned();
    pty.say("/context");
    pty.wait_for("kept for the answer");
    pty.wait_for_prompt();
    assert!(
        pty.all().contains(&format!(" {left} % left")),
        "{beneath}\n{}",
        pty.all()
    );
    pty.say("/quit");
    assert_eq!(pty.wait_for_end(), Some(0));
    scene.asked();
}

/// A model that takes little.
fn small_window(scene: &Scene) {
    let own = scene.fixture.sandbox.home().join(".claude/memdir");
    std::fs::create_dir_all(&own).unwrap();
    std::fs::write(
        own.join("models.toml"),
        "[[model]]\nname = \"claude-sonnet-5-5\"\nwindow = 24000\noutput = 4000\n",
    )
    .unwrap();
}

#[test]
fn as_the_window_fills_the_line_is_yellow_and_red_and_then_only_commands_are_taken() {
    let filler = "A sentence of the answer that fills the window. ".repeat(120);
    let scene = Scene::new(json!([{"reply": [{"text": filler}]}]));
    let more = "[compaction]\nauto = false\nmicro = false\nwarning_tokens = 40000\n";
    scene.settings(&scene.server.url(), more);
    small_window(&scene);
    let mut pty = scene.open(&[]);
    let mut turns = 0;
    while !pty.all().contains("error: ") {
        turns += 1;
        assert!(turns < 40, "{}", pty.all());
        pty.say(&format!("Tell me more about the parser, part {turns}."));
        pty.wait_for(&format!("part {turns}."));
        pty.wait_for_prompt();
    }
    let shown = scene.plain(&pty.shown());
    let end = shown[shown.rfind("error: ").unwrap()..].to_owned();
    let words: Vec<&str> = end.split_whitespace().collect();
    let end = words.join(" ");
    assert!(end.starts_with("error: The context is full: "), "{end}");
    let kept = format!(
        "/clear begins anew. › Tell me more about the parser, part {turns}. 0 % of the context left"
    );
    assert!(end.contains(&kept), "{end}");
    let bytes = String::from_utf8_lossy(&pty.bytes()).into_owned();
    assert!(bytes.contains("\u{1b}[33m  ") && bytes.contains("\u{1b}[31m  "));
    // What was not taken stands in the line; commands are.
    let asked = scene.asked().len();
    assert_eq!(asked, turns - 1);
    pty.press("\u{15}/context\r");
    pty.wait_for("kept for the answer");
    pty.wait_for_prompt();
    pty.say("/clear");
    pty.wait_for_more("memdir ·", 1);
    pty.wait_for_prompt();
    pty.say("Tell me about the parser anew.");
    pty.wait("for another answer", |_| {
        scene.server.exchanges().len() > asked
    });
    pty.wait_for_prompt();
    pty.say("/quit");
    assert_eq!(pty.wait_for_end(), Some(0));
}
