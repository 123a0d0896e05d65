//! Copies of a conversation, under a new name: what was said in a pause of the first is not learnt from the second.

use std::fs;

use serde_json::{Value, json};

use crate::fixture::Fixture;
use crate::hook::{Talk, wait_for_work};

const HIDDEN: &str = "From now on, use quagga in Makefiles.";
const OPEN: &str = "From now on, use okapi in YAML.";

/// A paused conversation, and its copy with its lines changed in some way.
fn copied(is_over: bool, starts: bool, change: impl Fn(usize, &mut Value)) -> String {
    let fixture = Fixture::new();
    let first = Talk::new(&fixture, "talk");
    first.start();
    first.said("Hello there.", "Hello.");
    let pause = fixture.run(&["pause", "--conversation", "talk"]);
    assert_eq!(pause.code(), Some(0), "{pause}");
    first.said(HIDDEN, "I will use quagga.");
    if is_over {
        fixture.run(&["pause", "--conversation", "talk", "--resume"]);
    }
    let copy = Talk::new(&fixture, "copy");
    let lines = fs::read_to_string(first.transcript()).unwrap();
    let lines = lines.lines().enumerate().map(|(number, line)| {
        let mut line: Value = serde_json::from_str(line).unwrap();
        line["sessionId"] = "copy".into();
        change(number, &mut line);
        format!("{line}\n")
    });
    fs::write(copy.transcript(), lines.collect::<String>()).unwrap();
    if starts {
        copy.fire("SessionStart", json!({"source": "fork"}));
        copy.said(OPEN, "I will.");
    }
    copy.stop();
    wait_for_work(&fixture);
    let folder = copy.transcript().parent().unwrap().display().to_string();
    fixture.run(&["extract", &folder, "--again"]);
    fixture.run(&["list"]).stdout()
}

fn tells_of_its_origin(_: usize, line: &mut Value) {
    line["forkedFrom"] = json!({"sessionId": "talk", "messageUuid": line["uuid"]});
}

fn is_named_anew(number: usize, line: &mut Value) {
    line["uuid"] = format!("new-{number}").into();
    if number > 0 {
        line["parentUuid"] = format!("new-{}", number - 1).into();
    }
}

#[test]
fn a_fork_of_a_paused_conversation_does_not_tell_what_was_said_in_the_pause() {
    for is_over in [false, true] {
        let listed = copied(is_over, true, tells_of_its_origin);
        assert!(!listed.contains("quagga"), "{listed}");
        // Its own words it may tell: the pause is that of the first.
        assert!(listed.contains("okapi"), "{listed}");
        let listed = copied(is_over, true, is_named_anew);
        assert!(!listed.contains("quagga"), "{listed}");
        assert!(listed.contains("okapi"), "{listed}");
    }
}

#[test]
fn a_fork_that_no_hook_saw_begin_inherits_the_pauses_that_its_lines_name() {
    for is_over in [false, true] {
        let listed = copied(is_over, false, tells_of_its_origin);
        assert!(!listed.contains("quagga"), "{listed}");
    }
}
