//! Whether it is time.

use std::cell::Cell;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use memdir_agent::dream::Proposal;
use memdir_agent::dream::gates::{Gates, turn_ended};
use memdir_settings::Mode;
use serde_json::json;

use crate::scene::{MODEL, Scene};

struct Time<'a> {
    scene: &'a Scene,
    scans: Cell<usize>,
}

impl Time<'_> {
    /// What is said so many hours after the dream of the scenes.
    fn after(&self, hours: i64) -> String {
        self.at(now() + SignedDuration::from_hours(hours))
    }

    fn at(&self, now: Timestamp) -> String {
        let folder = || -> Vec<PathBuf> {
            self.scans.set(self.scans.get() + 1);
            vec![self.scene.root().join("work")]
        };
        let gates = Gates {
            store: &self.scene.store,
            min_hours: 24,
            min_sessions: 5,
            conversation: "talk-0",
            transcripts: &folder,
            now,
        };
        let closed = gates.closed().unwrap();
        closed.map_or_else(|| "it is time".to_owned(), |closed| closed.to_string())
    }
}

fn now() -> Timestamp {
    "2026-11-16T08:00:00Z".parse().unwrap()
}

fn transcript(scene: &Scene, name: &str, at: Timestamp) {
    let path = scene.root().join("work").join(name);
    let file = std::fs::File::create(path).unwrap();
    file.set_modified(SystemTime::from(at)).unwrap();
}

#[test]
fn hours_first_then_conversations() {
    let scene = super::twelve();
    let time = Time {
        scene: &scene,
        scans: Cell::new(0),
    };
    // Never before, and nothing was said yet.
    insta::assert_snapshot!(time.after(0), @"0 of 5 conversations since the last dream");
    scene.dream(None, |_| {}).unwrap();
    insta::assert_snapshot!(time.after(23), @"the last dream was at 2026-11-16T08:00:00Z");
    // The first gate is closed: nobody looked at a folder for it.
    assert_eq!(time.scans.get(), 1);
    for number in 0..=4 {
        let at = now() + SignedDuration::from_hours(number);
        turn_ended(&scene.store, &format!("talk-{number}"), at).unwrap();
    }
    // The one that asks does not count, nor what was said before the last dream.
    insta::assert_snapshot!(time.after(25), @"4 of 5 conversations since the last dream");
    turn_ended(
        &scene.store,
        "talk-5",
        now() + SignedDuration::from_hours(1),
    )
    .unwrap();
    insta::assert_snapshot!(time.after(25), @"it is time");
    insta::assert_snapshot!(time.after(23), @"the last dream was at 2026-11-16T08:00:00Z");
    assert_eq!(time.scans.get(), 2);
}

#[test]
fn conversations_that_nobody_saw_are_counted_once_in_a_while() {
    let scene = super::twelve();
    scene.dream(None, |_| {}).unwrap();
    let time = Time {
        scene: &scene,
        scans: Cell::new(0),
    };
    let later = now() + SignedDuration::from_hours(30);
    turn_ended(&scene.store, "talk-1", later).unwrap();
    for name in [
        "talk-0.jsonl",
        "talk-1.jsonl",
        "talk-2.jsonl",
        "agent-7.jsonl",
        "notes.txt",
    ] {
        transcript(&scene, name, later);
    }
    transcript(
        &scene,
        "talk-old.jsonl",
        now() - SignedDuration::from_hours(1),
    );
    insta::assert_snapshot!(time.after(31), @"2 of 5 conversations since the last dream");
    for name in ["talk-3.jsonl", "talk-4.jsonl", "talk-5.jsonl"] {
        transcript(&scene, name, later);
    }
    // The folder was looked at a moment ago.
    insta::assert_snapshot!(time.at(now() + SignedDuration::from_mins(31 * 60 + 9)), @"2 of 5 conversations since the last dream");
    assert_eq!(time.scans.get(), 1);
    insta::assert_snapshot!(time.at(now() + SignedDuration::from_mins(31 * 60 + 10)), @"it is time");
    assert_eq!(time.scans.get(), 2);
}

#[test]
fn a_proposal_that_waits_is_not_made_again() {
    let mut scene = super::twelve();
    scene.mode = Mode::Ask;
    scene.script(super::merging());
    let model = scene.model(MODEL);
    scene.dream(Some(&model), |_| {}).unwrap();
    let time = Time {
        scene: &scene,
        scans: Cell::new(0),
    };
    insta::assert_snapshot!(time.after(100), @"the last dream's proposal waits: memdir dream --show");
    Proposal::discard(&scene.store).unwrap();
    insta::assert_snapshot!(time.after(100), @"0 of 5 conversations since the last dream");
}

#[test]
fn logs_are_dreamt_of_once_a_day() {
    let scene = Scene::new();
    let closed = |at: &str| {
        let gates = Gates {
            store: &scene.store,
            min_hours: 24,
            min_sessions: 5,
            conversation: "talk",
            transcripts: &Vec::new,
            now: at.parse().unwrap(),
        };
        let closed = gates.logs_closed(&TimeZone::UTC).unwrap();
        closed.map_or_else(|| "it is time".to_owned(), |closed| closed.to_string())
    };
    insta::assert_snapshot!(closed("2026-11-16T07:00:00Z"), @"there is no new day in the logs");
    std::fs::create_dir_all(scene.root().join("memory/logs/2026/11")).unwrap();
    scene.memory(
        "logs/2026/11/2026-11-16.md",
        "- 07:30 From now on, use tabs in Makefiles.\n",
    );
    insta::assert_snapshot!(closed("2026-11-16T07:40:00Z"), @"it is time");
    scene.dream(None, |dream| dream.logs = true).unwrap();
    insta::assert_snapshot!(closed("2026-11-16T23:59:00Z"), @"the last dream was at 2026-11-16T08:00:00Z");
    insta::assert_snapshot!(closed("2026-11-17T00:01:00Z"), @"it is time");
}

#[test]
fn two_at_once_have_one_winner() {
    let scene = super::twelve();
    scene.script(json!([
        {"times": 1, "delay_ms": 400, "reply": [{"text": "Nothing to do."}]},
        {"reply": [{"text": "Nothing to do."}]},
    ]));
    let model = scene.model(MODEL);
    let second = std::thread::scope(|threads| {
        let first = threads.spawn(|| scene.dream(Some(&model), |_| {}).map(|dreamt| dreamt.fate));
        while !scene.root().join("memory/.consolidate-lock").exists() {
            std::thread::sleep(Duration::from_millis(5));
        }
        let second = scene.dream(None, |_| {});
        assert!(first.join().unwrap().is_ok());
        second.unwrap_err()
    });
    let second = second
        .to_string()
        .replace(&std::process::id().to_string(), "PID");
    insta::assert_snapshot!(second, @"memdir is consolidating these memories already (process PID)");
}
