//! Background work with a model that cannot be asked: the rules do it, and the user knows.

use std::time::{Duration, Instant};

use crate::fixture::Fixture;
use crate::hook::{Talk, message, processes, wait_for_work};
use crate::setup::{connect, ok};

fn lines_about(told: &str, what: &str) -> String {
    let lines = told.lines().filter(|line| line.contains(what));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn without_its_key_the_rules_do_the_work_of_a_model_and_the_user_is_told_once() {
    let fixture = Fixture::new();
    let outcome = connect(
        &fixture,
        "claude-code",
        &["--yes", "--model", "claude-haiku-4-5"],
    );
    ok(&outcome);
    insta::assert_snapshot!(lines_about(&outcome.stderr(), "model"), @"warning: the model cannot be asked yet (its key, ANTHROPIC_API_KEY: not set); until it can, the rules do its work");
    let first = Talk::new(&fixture, "first");
    first.said("From now on, use tabs in Makefiles.", "I will.");
    first.stop();
    wait_for_work(&fixture);
    let listed = fixture.run(&["list"]).stdout();
    assert!(listed.contains("use_tabs_makefiles"), "{listed}");
    let told = message(&Talk::new(&fixture, "second").start());
    insta::assert_snapshot!(lines_about(&told, "cannot ask"), @"memdir cannot ask the model that you have named (the key, ANTHROPIC_API_KEY: not set): the rules do its work until it can; `memdir doctor` says more");
    first.said("From now on, use spaces in YAML.", "I will.");
    first.stop();
    wait_for_work(&fixture);
    let told = message(&Talk::new(&fixture, "third").start());
    assert_eq!(lines_about(&told, "cannot ask"), "");
    let examined = fixture.run(&["doctor"]);
    assert_eq!(examined.code(), Some(1));
    insta::assert_snapshot!(lines_about(&examined.stdout(), "models  "), @"FAIL  models            background cannot be asked: the key, ANTHROPIC_API_KEY: not set");
}

#[test]
fn a_model_that_fails_each_time_is_stood_in_for_at_the_last_attempt() {
    let fixture = Fixture::new();
    let model = "[models.own]\nprovider = \"command\"\ncommand = \"/bin/false\"\n[model_for]\nextraction = \"own\"\n";
    fixture
        .sandbox
        .write("home/.claude/memdir.toml", model)
        .unwrap();
    let talk = Talk::new(&fixture, "talk");
    talk.said("From now on, use tabs in Makefiles.", "I will.");
    talk.stop();
    let begin = Instant::now();
    while fixture
        .run(&["jobs", "--json"])
        .stdout()
        .contains("\"past\": []")
        || !processes(&fixture).is_empty()
    {
        assert!(begin.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(!fixture.run(&["list"]).stdout().contains("use_tabs"));
    fixture.run(&["jobs", "run"]);
    fixture.run(&["jobs", "run"]);
    let listed = fixture.run(&["list"]).stdout();
    assert!(listed.contains("use_tabs_makefiles"), "{listed}");
    let examined = fixture.run(&["doctor"]).stdout();
    insta::assert_snapshot!(lines_about(&examined, "models  "), @"FAIL  models            the one for background work could not be asked: `/bin/false` failed (exit status: 1)");
}

#[test]
fn what_a_model_selects_comes_with_the_next_event_and_why_tells_of_it() {
    use crate::hook::context;
    use memdir_testkit::server::{Script, Server};
    use serde_json::json;
    let answer = json!({"selected_memories": ["user_role.md", "feedback_no_push_on_friday.md"]});
    let script = json!({"step": [{"when": {"system": "selected_memories"}, "reply": [{"text": answer.to_string()}]}]});
    let server = Server::start(Script::from_value(script).unwrap()).unwrap();
    let fixture = Fixture::with_some();
    let own = |key: &str| {
        format!(
            "[models.small]\nprovider = \"anthropic\"\nmodel = \"claude-haiku-4-5\"\naddress = \"{}\"\nkey_file = \"{key}\"\n\n\
             [model_for]\nrecall = \"small\"\n\n[recall]\nselector = \"model\"\n",
            server.url()
        )
    };
    let key = fixture.sandbox.home().join("key");
    std::fs::write(&key, "sk-test\n").unwrap();
    let permissions = std::os::unix::fs::PermissionsExt::from_mode(0o600);
    std::fs::set_permissions(&key, permissions).unwrap();
    fixture
        .sandbox
        .write("home/.claude/memdir.toml", own("~/key"))
        .unwrap();
    let question = "May I push to main on a Friday?";
    let why = |words: &[&str]| {
        let words = [&["why", "--json"][..], words].concat();
        let known = fixture.run(&words).stdout();
        let known: serde_json::Value = serde_json::from_str(&known).unwrap();
        let turns = known["turns"].as_array().unwrap().clone();
        let said = turns.iter().map(|turn| turn["selector"]["said"].clone());
        said.map(|said| said.as_str().unwrap_or_default().to_owned())
            .collect::<Vec<String>>()
    };
    // The embedded ranker answers at once.
    let talk = Talk::new(&fixture, "talk");
    let first = context(&talk.prompt(question));
    assert!(
        first.contains("Friday") && !first.contains("Ten years"),
        "{first}"
    );
    wait_for_work(&fixture);
    assert_eq!(
        why(&[]),
        ["chosen; shown with the next request or the next message"]
    );
    // A tool is called: what it chose goes to the model with its result, and what is there already does not come again.
    let tool = json!({"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_response": {"stdout": "a"}});
    let second = context(&talk.fire("PostToolUse", tool.clone()));
    assert!(
        second.contains("Ten years of Rust") && !second.contains("Saturday"),
        "{second}"
    );
    assert_eq!(context(&talk.fire("PostToolUse", tool)), "");
    assert_eq!(why(&[]), ["shown with the next request"]);
    // Without a tool it comes with the next message.
    let other = Talk::new(&fixture, "other");
    other.prompt(question);
    wait_for_work(&fixture);
    let next = context(&other.prompt("Thank you very much indeed"));
    assert!(next.contains("Ten years of Rust"), "{next}");
    wait_for_work(&fixture);
    assert!(why(&["--conversation", "other"])[0].starts_with("shown with the next message"));
    // In a pause nobody is asked.
    let asked = server.settled().len();
    fixture.run(&["pause", "--conversation", "other"]);
    other.prompt(question);
    wait_for_work(&fixture);
    assert_eq!(server.settled().len(), asked);
    // A model that cannot be asked costs nothing but its choice.
    fixture
        .sandbox
        .write("home/.claude/memdir.toml", own("~/nowhere"))
        .unwrap();
    let third = Talk::new(&fixture, "third");
    assert!(context(&third.prompt(question)).contains("Friday"));
    wait_for_work(&fixture);
    let said = why(&["--conversation", "third"]);
    assert!(said[0].starts_with("nothing shown: "), "{said:?}");
}
