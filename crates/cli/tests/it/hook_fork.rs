//! Extraction by a client's own model, as a module in the client carries it there and back.

use memdir_testkit::Outcome;
use serde_json::{Value, json};

use crate::fixture::Fixture;
use crate::hook::{Talk, hooks_log, message, processes, wait_for_work};
use crate::setup::{connect, ok};

fn step(fixture: &Fixture, step: &str, said: Value) -> Outcome {
    let project = fixture.sandbox.project().display().to_string();
    let program = fixture.program(&["fork", step, "--project", &project]);
    let outcome = program.stdin(said.to_string()).run().unwrap();
    assert_eq!((outcome.code(), outcome.stderr()), (Some(0), String::new()));
    outcome
}

/// A home in which the user has switched it on.
fn switched_on() -> Fixture {
    let fixture = Fixture::new();
    let outcome = connect(&fixture, "claude-code", &["--yes", "--model", "fork"]);
    ok(&outcome);
    assert!(
        outcome
            .stdout()
            .contains("once memdir's plugin is installed")
    );
    let own = fixture.sandbox.home().join(".claude/memdir.toml");
    let own = std::fs::read_to_string(own).unwrap();
    assert_eq!(own, "[extraction]\nfork = true\n");
    fixture
}

fn answer() -> String {
    json!({"operations": [{
        "action": "create", "type": "feedback", "name": "tabs-in-makefiles",
        "description": "Use tabs in Makefiles", "body": "Use tabs in Makefiles.",
        "evidence": "use tabs in Makefiles",
    }]})
    .to_string()
}

#[test]
fn what_the_clients_own_model_finds_is_kept_by_the_gate_and_counted() {
    let fixture = switched_on();
    let session = json!({"session": "talk"});
    insta::assert_snapshot!(step(&fixture, "begin", session.clone()).stdout(), @r#"
    {
      "on": true
    }
    "#);
    let talk = Talk::new(&fixture, "talk");
    talk.said("From now on, use tabs in Makefiles.", "I will.");
    talk.stop();
    // The turn is left to the module, and due all the same.
    assert_eq!(processes(&fixture), Vec::<String>::new());
    assert!(fixture.run(&["jobs"]).stdout().contains("Due since"));
    let question = step(&fixture, "ask", session.clone()).stdout();
    let question: Value = serde_json::from_str(&question).unwrap();
    let prompt = question["prompt"].as_str().unwrap();
    assert!(prompt.contains("use tabs in Makefiles") && prompt.contains("\"operations\""));
    // What was said since is looked at next time.
    talk.said("From now on, use spaces in YAML.", "I will.");
    let usage = json!({"input_tokens": 10, "output_tokens": 9, "cache_read_input_tokens": 1200, "cache_creation_input_tokens": 10});
    let kept =
        json!({"session": "talk", "until": question["until"], "text": answer(), "usage": usage});
    step(&fixture, "keep", kept);
    wait_for_work(&fixture);
    let listed = fixture.run(&["list"]).stdout();
    assert!(
        listed.contains("tabs_makefiles") && listed.contains("spaces_yaml"),
        "{listed}"
    );
    let history = fixture.run(&["history"]).stdout();
    assert!(history.contains("extraction"), "{history}");
    let told = message(&Talk::new(&fixture, "next").start());
    assert!(told.contains("Saved 2 memories"), "{told}");
    let cost = fixture.run(&["cost", "--json"]).stdout();
    assert!(
        cost.contains("fork claude-code") || cost.contains("1200"),
        "{cost}"
    );
    assert_eq!(hooks_log(&fixture), "");
}

#[test]
fn it_is_off_unless_the_user_switches_it_on_and_repeats_nothing_private() {
    let fixture = Fixture::new();
    let repository = "[extraction]\nfork = true\n";
    fixture
        .sandbox
        .write("project/.claude/memdir.toml", repository)
        .unwrap();
    let session = json!({"session": "talk"});
    Talk::new(&fixture, "talk").said("From now on, use tabs in Makefiles.", "I will.");
    for word in ["begin", "ask"] {
        assert_eq!(step(&fixture, word, session.clone()).stdout(), "", "{word}");
    }
    let fixture = switched_on();
    let talk = Talk::new(&fixture, "talk");
    talk.said("<private>I am ill.</private>", "Get well.");
    talk.said("From now on, use tabs in Makefiles.", "I will.");
    step(&fixture, "begin", session.clone());
    talk.stop();
    assert_eq!(step(&fixture, "ask", session.clone()).stdout(), "");
    // What the module may not ask is done as without it.
    wait_for_work(&fixture);
    assert!(
        fixture
            .run(&["list"])
            .stdout()
            .contains("use_tabs_makefiles")
    );
}

#[test]
fn without_an_answer_the_rules_do_it() {
    let fixture = switched_on();
    let talk = Talk::new(&fixture, "talk");
    let session = json!({"session": "talk"});
    step(&fixture, "begin", session.clone());
    talk.said("From now on, use tabs in Makefiles.", "I will.");
    talk.stop();
    step(&fixture, "ask", session.clone());
    step(
        &fixture,
        "keep",
        json!({"session": "talk", "until": "talk-2", "text": null, "usage": null}),
    );
    wait_for_work(&fixture);
    assert!(
        fixture
            .run(&["list"])
            .stdout()
            .contains("use_tabs_makefiles")
    );
}
