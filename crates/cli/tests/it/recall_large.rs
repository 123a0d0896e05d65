//! Recall where its index is missing, or where a memory is more than a library can take.

use std::fs;

use serde_json::{Value, json};

use crate::fixture::Fixture;
use crate::hook::{Talk, context, hooks_log, wait_for_work};

const GREEK: &str = "Αγαπητέ αντίθετε συνάδελφε, καλημέρα";

#[test]
fn one_greek_word_does_not_switch_recall_off() {
    let fixture = Fixture::new();
    fixture.run(&["remember", GREEK]);
    fixture.topic(
        "hives.md",
        0,
        "project",
        "Where the hives are",
        "The hives are in the orchard.",
    );
    let english = fixture.run(&["recall", "--always", "where are the hives"]);
    assert!(
        english.success() && english.stdout().contains("hives.md"),
        "{english}"
    );
    let greek = fixture.run(&["recall", "--always", "αγαπητέ αντίθετε συνάδελφε"]);
    assert!(
        greek.success() && greek.stdout().contains("καλημέρα"),
        "{greek}"
    );
    let answered = Talk::new(&fixture, "talk").prompt("where are the hives of the orchard");
    assert!(context(&answered).contains("in the orchard"), "{answered}");
    assert_eq!(hooks_log(&fixture), "");
}

#[test]
fn a_message_does_not_wait_for_an_index_that_is_missing() {
    let fixture = Fixture::new();
    for number in 0..2_300 {
        let text = format!("Note of the day, entry {number}.");
        fixture.file(&format!("note_{number:04}.md"), 30, text);
    }
    fixture.file("oldest.md", 60, "The zeppelin lands behind the brewery.");
    fixture.topic(
        "newest.md",
        0,
        "project",
        "Where the hives are",
        "The hives are in the orchard.",
    );
    let talk = Talk::new(&fixture, "talk");
    let answered = talk.prompt("where are the hives of the orchard");
    assert!(context(&answered).contains("in the orchard"), "{answered}");
    let why: Value = serde_json::from_str(&fixture.run(&["why", "--json"]).stdout()).unwrap();
    let partial = &why["turns"][0]["partial"];
    assert_eq!(partial["memories"], json!(2_302), "{why}");
    assert!(partial["searched"].as_u64().unwrap() < 2_302, "{why}");
    wait_for_work(&fixture);
    let found = fixture.run(&[
        "recall",
        "--always",
        "--explain",
        "zeppelin behind the brewery",
    ]);
    assert!(found.stdout().contains("oldest.md"), "{found}");
    assert!(
        found.stdout().contains("2,302 memories searched"),
        "{found}"
    );
    let jobs: Value = serde_json::from_str(&fixture.run(&["jobs", "--json"]).stdout()).unwrap();
    let past = jobs["past"].as_array().unwrap();
    let built = past.iter().filter(|run| run["kind"] == "index");
    assert_eq!(built.count(), 1, "{jobs}");
    assert_eq!(hooks_log(&fixture), "");
}

#[test]
fn doctor_reads_the_log_of_hooks() {
    let fixture = Fixture::with_some();
    assert!(!fixture.run(&["doctor"]).stdout().contains("hook log"));
    let event = Talk::new(&fixture, "talk").event("Stop", json!({}));
    let program = fixture.program(&["hook", "claude-code"]);
    let program = program.env("MEMDIR_TEST_HOOK_PANICS", "1");
    program.stdin(event.to_string()).run().unwrap();
    let told = fixture.run(&["doctor", "--json"]).stdout();
    let report: Value = serde_json::from_str(&told).unwrap();
    let checks = report["checks"].as_array().unwrap();
    let log = checks
        .iter()
        .find(|check| check["check"] == "hook log")
        .unwrap();
    let what = log["what"].as_str().unwrap();
    assert_eq!(log["state"], "warn");
    assert!(
        what.contains("1 failure") && what.contains("mistake in memdir"),
        "{what}"
    );
    // What is long past does not matter any more, and what is no line of the log is passed over.
    let path = fixture.sandbox.home().join(".claude/memdir/hooks.log");
    fs::write(
        path,
        "2020-01-01T00:00:00.000Z claude-code \"Stop\" jobs: x\nnot a line\n\u{fffd}\n",
    )
    .unwrap();
    assert!(!fixture.run(&["doctor"]).stdout().contains("hook log"));
}
