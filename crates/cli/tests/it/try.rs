//! `memdir try`: the sample, as a newcomer sees it.

use std::fs;
use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use crate::fixture::Fixture;
use crate::jobs::{wait_for, with_model};

/// The answer without what differs from day to day and from run to run.
fn shown(text: &str) -> String {
    let mut shown = String::new();
    for line in text.lines() {
        let words: Vec<String> = line
            .split(' ')
            .map(|word| match word {
                word if word.contains("memdir-try-") => {
                    let name = word.rsplit('/').next().unwrap_or_default();
                    format!("…/{name}")
                }
                word => word.to_owned(),
            })
            .collect();
        shown.push_str(words.join(" ").trim_end());
        shown.push('\n');
    }
    shown
}

#[test]
fn three_days_are_played_and_nothing_is_left_behind() {
    let fixture = Fixture::new();
    let temporary = fixture.sandbox.home().join("temporary");
    fs::create_dir(&temporary).unwrap();
    let program = fixture.program(&["try"]).env("TMPDIR", &temporary);
    let outcome = shown(&program.run().unwrap().to_string());
    let (days, rest) = outcome.split_once("\nWhy these memories").unwrap();
    insta::assert_snapshot!(days, @r"
    exit 0
    -- stdout
    Three days with an agent that remembers (no model, no key, no network; a temporary home)

    Monday
      you    Hi! I'm a backend engineer and I'm new to React, so explain frontend code in more detail.
      agent  Nice to meet you. I will take the React parts slowly.
      saved  user_backend_engineer_new_react.md because you said “I'm a backend engineer and I'm new to React, so explain frontend code in more detail.”
      you    From now on, run the tests with cargo nextest: plain cargo test takes ten minutes.
      agent  Understood: cargo nextest.
      saved  feedback_run_tests_cargo_nextest.md because you said “From now on, run the tests with cargo nextest: plain cargo test takes ten minutes.”
      you    What does this page say about our rate limits?
      agent  A hundred requests a minute. (It also tries to give me orders; I leave those alone.)
      Meanwhile another agent writes into the same folder, and leaves a copy, “next Friday” and a dead pointer.

    Tuesday
      you    Don't mock the database in integration tests: last quarter a mocked test passed and the migration failed.
      agent  Real database in integration tests, then.
      saved  feedback_dont_mock_database_integration_tests.md because you said “Don't mock the database in integration tests: last quarter a mocked test passed and the migration failed.”
      you    The release branch freezes on 2026-12-03.
      agent  Noted: no merges into the release branch after that.
      saved  project_release_branch_freezes.md because you said “The release branch freezes on 2026-12-03.”
      you    Payment bugs are tracked in Linear, project PAY.
             My phone number is <private>555 0134</private>, in case you wondered.
      agent  Thanks. The number I do not keep.
      saved  reference_payment_bugs_tracked_linear.md because you said “Payment bugs are tracked in Linear, project PAY.”

    Wednesday
      you    How should I run the tests before I push?
      found  feedback_run_tests_nextest.md (saved 2 days ago; run; tests)
      found  feedback_run_tests_cargo_nextest.md (saved 2 days ago; run; tests)
      found  feedback_dont_mock_database_integration_tests.md (saved yesterday; tests)
      agent  With cargo nextest: plain cargo test takes ten minutes.
      you    Write an integration test for the refund migration, against which database?
      found  project_refund_migration.md (saved 2 days ago; refund; migration; migration (near database))
      found  user_backend_engineer_new_react.md (saved 2 days ago; backend (near database))
      agent  Against the real one: a mocked test once let a broken migration through.
      you    Please draw a small ASCII cat for the login banner.
      agent  /\_/\  ( o.o )

    What it knows now
    $ memdir list
    reference_payment_bugs_tracked_linear.md          reference  yesterday   Payment bugs are tracked in Linear, project PAY.
    project_release_branch_freezes.md                 project    yesterday   The release branch freezes on 2026-12-03.
    feedback_dont_mock_database_integration_tests.md  feedback   yesterday   Don't mock the database in integration tests: last quarter a mocked test passed and the migration failed.
    feedback_run_tests_cargo_nextest.md               feedback   2 days ago  From now on, run the tests with cargo nextest: plain cargo test takes ten minutes.
    user_backend_engineer_new_react.md                user       2 days ago  I'm a backend engineer and I'm new to React, so explain frontend code in more detail.
    feedback_run_tests_nextest.md                     feedback   2 days ago  Run the tests with cargo nextest
    project_refund_migration.md                       project    2 days ago  The refund migration ships
    ");
    let (_, dream) = rest.split_once("A dream tidies up").unwrap();
    for done in [
        "merged  feedback_run_tests_cargo_nextest.md into feedback_run_tests_nextest.md",
        "“next Friday” is",
        "took out a line that leads to no memory",
        "Background work has cost nothing.",
        "What next",
    ] {
        assert!(dream.contains(done), "{done}: {dream}");
    }
    assert!(!outcome.contains("paste the .env"), "{outcome}");
    assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0);
    assert!(!fixture.sandbox.home().join(".claude").exists());
}

#[test]
fn with_a_model_it_answers_saves_and_is_paid_from_the_users_own_budget() {
    let rule = "run the tests with cargo nextest";
    let saves = json!({"operations": [{
        "action": "create", "path": "feedback_nextest.md", "type": "feedback", "name": "nextest",
        "description": "How to run the tests", "body": "Run the tests with cargo nextest.",
        "evidence": rule,
    }]});
    let (fixture, server) = with_model(json!({"step": [
        {"when": {"system": "operations", "body": rule}, "times": 1, "reply": [{"text": saves.to_string()}]},
        {"when": {"system": "operations", "body": "Don't mock the database"}, "times": 1, "fault": {"status": 400, "message": "no"}},
        {"when": {"system": "operations"}, "reply": [{"text": "{\"operations\": []}"}]},
        {"reply": [{"text": "Understood."}]},
    ]}));
    let outcome = fixture.run(&["try", "--model", "small"]).to_string();
    assert!(outcome.starts_with("exit 0"), "{outcome}");
    assert!(
        outcome.contains("agent  Understood.") && !outcome.contains("Nice to meet you"),
        "the model answers, not the sample: {outcome}"
    );
    // It saves by itself, and says so where it could not.
    let saved = format!("saved  feedback_nextest.md because you said “{rule}”");
    assert!(outcome.contains(&saved), "{outcome}");
    assert!(
        outcome.contains("not saved  extraction failed: the provider does not understand"),
        "{outcome}"
    );
    let (_, bill) = outcome.split_once("The bill").unwrap();
    assert!(bill.contains("in this conversation, cost $0.0"), "{bill}");
    let told = fixture.run(&["cost"]).to_string();
    let total = told.lines().find(|line| line.starts_with("total"));
    let total = total.unwrap_or_else(|| panic!("nothing was entered: {told}"));
    assert!(
        bill.contains(total),
        "the bill is the user's: {bill}\n{told}"
    );
    for exchange in server.settled() {
        assert!(exchange.violations.is_empty(), "{:?}", exchange.violations);
    }
}

#[test]
fn whoever_has_seen_enough_leaves_nothing_behind() {
    let silence = json!({"silence": {"after_events": 1, "ms": 600_000}});
    let (fixture, server) =
        with_model(json!({"step": [{"reply": [{"text": "Understood."}], "fault": silence}]}));
    let temporary = fixture.sandbox.home().join("temporary");
    fs::create_dir(&temporary).unwrap();
    let program = fixture.program(&["try", "--model", "small"]);
    let mut command = program.env("TMPDIR", &temporary).command();
    let command = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    wait_for(|| !server.exchanges().is_empty());
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let ended = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert_eq!(said, "error: stopped; the temporary home is gone\n");
    assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0);
}
