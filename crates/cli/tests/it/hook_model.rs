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
