//! Two hundred updates by models that do what models do: whatever they did, the file is valid.

use std::collections::BTreeMap;

use memdir_agent::notes::Outcome;
use memdir_conversation::Message;
use serde_json::{Value, json};

use crate::notes::edit;
use crate::scene::{MODEL, Scene};

const TEMPLATE: &str = include_str!("../../../context/prompts/notes_template.md");
const FILE: &str = "ROOT/home/projects/app/talk/session-memory/summary.md";

/// What is wrong with a notes file, by a check that knows nothing of the code under test.
fn wrong(text: &str) -> Option<String> {
    let head: Vec<&str> = TEMPLATE.lines().filter(|line| !line.is_empty()).collect();
    let pairs: Vec<(&str, &str)> = head.chunks(2).map(|pair| (pair[0], pair[1])).collect();
    let lines: Vec<&str> = text.lines().collect();
    let mut next = 0;
    let mut fence: Option<String> = None;
    for (at, line) in lines.iter().enumerate() {
        if let Some(section) = pairs.iter().position(|(heading, _)| heading == line) {
            if section != next {
                return Some(format!("{line:?} is section {section}, not {next}"));
            }
            if lines.get(at + 1) != Some(&pairs[section].1) {
                return Some(format!("{line:?} has lost its description"));
            }
            next += 1;
            fence = None;
            continue;
        }
        let marks: String = line
            .trim_start()
            .chars()
            .take_while(|sign| matches!(sign, '`' | '~'))
            .collect();
        match &fence {
            // One with a word behind it opens, and closes nothing.
            Some(open) if marks.starts_with(open.as_str()) && marks == line.trim() => fence = None,
            None if marks.len() >= 3 => fence = Some(marks),
            _ => {}
        }
        if fence.is_none() && line.starts_with("# ") {
            return Some(format!("{line:?} is a section of its own"));
        }
    }
    if next != pairs.len() {
        return Some(format!("{next} of {} sections", pairs.len()));
    }
    if text.len() > 24_000 * 4 {
        return Some(format!("{} bytes", text.len()));
    }
    let is_hidden = |sign: char| ('\u{e0000}'..='\u{e007f}').contains(&sign);
    if text.contains(is_hidden) || text.contains("ghp_") {
        return Some("hidden text or a secret".to_owned());
    }
    None
}

#[test]
fn the_check_itself_finds_what_is_wrong() {
    assert_eq!(wrong(TEMPLATE), None);
    for (from, to) in [
        ("# Worklog", "# Work log"),
        ("# Worklog", "# Worklog\n\n# Worklog"),
        ("# Worklog\n", ""),
        ("_What was done", "_What was not done"),
        ("# Worklog", "# Mood\n_How it feels_\n\n# Worklog"),
    ] {
        assert!(wrong(&TEMPLATE.replace(from, to)).is_some(), "{to}");
    }
    assert!(wrong("").is_some());
}

fn change(old: &str, new: &str) -> Value {
    json!({"tool": "Edit", "input": {"file_path": FILE, "old_string": old, "new_string": new}})
}

/// What a fork does in this update: the steps of the script after the parent's own reply.
fn fork(number: usize, file: &str) -> Vec<Value> {
    let secret = format!("token ghp_{}", "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6");
    let good = || edit("Worklog", &format!("- step {number}"));
    let reply = |blocks: Value| {
        vec![
            json!({"times": 1, "reply": blocks}),
            json!({"reply": [{"text": "Done."}]}),
        ]
    };
    match number % 20 {
        0 => reply(json!([
            good(),
            edit("Current State", &format!("At step {number}."))
        ])),
        1 => reply(json!([change("# Worklog", "## WORKLOG:"), good()])),
        2 => reply(json!([change(
            "# Learnings\n",
            "# Learnings\n# Learnings\n"
        )])),
        3 => reply(json!([change(
            "# Key results",
            "# Mood\n_How it feels_\n\nGood.\n\n# Key results"
        )])),
        4 => reply(json!([change(file, "")])),
        5 => reply(json!([change(file, &"lorem ipsum # dolor\n".repeat(400))])),
        6 => reply(json!([edit(
            "Workflow",
            &format!("cargo{}test\n", " ".repeat(2_000)).repeat(60)
        )])),
        7 => reply(json!([
            {"tool": "Edit", "input": {"file_path": "/etc/passwd", "old_string": "root", "new_string": "toor"}},
            {"tool": "Edit", "input": {"file_path": "ROOT/memory/MEMORY.md", "old_string": "a", "new_string": "b"}},
            {"tool": "Write", "input": {"file_path": "ROOT/work/x.md", "content": "x"}},
            {"tool": "Write", "input": {"file_path": FILE, "content": "# Mine\n"}},
            {"tool": "Bash", "input": {"command": format!("rm {FILE}")}},
        ])),
        8 => reply(json!([edit("Errors & Corrections", &secret), good()])),
        9 => reply(json!([edit(
            "Learnings",
            "```sh\n# Worklog\n# a comment\nls\n"
        )])),
        10 => reply(json!([
            edit("Files and Functions", "a\u{e0041}\u{e0042}b \u{202e}c"),
            good()
        ])),
        11 => vec![json!({"reply": [good(), {"tool": "Read", "input": {"file_path": FILE}}]})],
        12 => vec![json!({"reply": [good()], "fault": {"cut_after_events": 6}})],
        13 => vec![json!({"fault": {"status": 400}})],
        14 => {
            vec![json!({"reply": [{"text": "I cannot help with that."}], "stop_reason": "refusal"})]
        }
        15 => vec![
            json!({"times": 1, "reply": [good()], "stop_reason": "max_tokens"}),
            json!({"reply": [{"text": "Done."}]}),
        ],
        16 => reply(json!([change(
            "_What works, what does not",
            "_was geht, was nicht"
        )])),
        17 => reply(json!([
            {"tool": "Edit", "input": {"file_path": FILE, "old_string": "\n", "new_string": "\n# Task specification\n", "replace_all": true}},
        ])),
        18 => vec![json!({"reply": [good()], "fault": {"invalid_json": true}})],
        _ => reply(json!([change(
            "# Session Title",
            "Preface.\n\n# Session Title"
        )])),
    }
}

/// What a model answers that is asked once.
fn once(number: usize, file: &str) -> Value {
    let text = match number % 12 {
        0 => json!({"sections": [{"title": "Current State", "text": format!("At step {number}.")}]}).to_string(),
        1 => "I have updated the notes for you!".to_owned(),
        2 => json!({"sections": [{"title": "Mood", "text": "Good."}]}).to_string(),
        3 => json!({"sections": [{"title": "Worklog", "text": "# Worklog\n_x_\n# Learnings\nall"}]}).to_string(),
        4 => format!("Here is the file:\n\n{file}").replace("_What works", "_what works"),
        5 => json!({"sections": [{"title": "Learnings", "text": format!("word{}", " ".repeat(2_000)).repeat(300)}]}).to_string(),
        6 => "{\"sections\":[{\"title\":\"Learnings\",\"text\":\"the be".to_owned(),
        7 => json!({"Current State": "By name.", "Worklog": ""}).to_string(),
        8 => json!({"sections": [{"title": "Learnings", "text": format!("ghp_{}", "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6")}]}).to_string(),
        9 => json!({"sections": 7}).to_string(),
        10 => "# Groceries\n\nmilk\n".to_owned(),
        _ => String::new(),
    };
    match text.is_empty() {
        true => json!([{"reply": [{"text": " "}]}]),
        false => json!([{"reply": [{"text": text}], "delta_characters": 4_000}]),
    }
}

#[test]
fn the_file_is_valid_after_each_of_two_hundred_updates() {
    let scene = Scene::new();
    let model = scene.model(MODEL);
    let path = scene.session_notes().path();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for number in 0..200 {
        let before = std::fs::read_to_string(&path).unwrap_or_default();
        let file = match before.is_empty() {
            true => TEMPLATE,
            false => &before,
        };
        let said = vec![Message::user(&format!("u{number}"), "Go on.")];
        // Both ways in turn, so that one has to live with what the other left.
        let updated = match number % 2 {
            0 => {
                let mut steps = vec![json!({"times": 1, "reply": [{"text": "I will."}]})];
                steps.extend(fork(number / 2, file));
                scene.script(Value::Array(steps));
                let parent = scene.talk(&model, said);
                scene.take_notes(&model, &parent.messages, Some(&parent.body))
            }
            _ => {
                scene.script(once(number / 2, file));
                scene.take_notes(&model, &said, None)
            }
        };
        let what = match &updated {
            Ok(report) => match &report.outcome {
                Outcome::Written { problems, .. } if problems.is_empty() => "taken",
                Outcome::Written { .. } => "mended",
                Outcome::Unchanged => "unchanged",
                Outcome::Refused(_) => "refused",
            },
            Err(_) => "failed",
        };
        *counts.entry(what).or_default() += 1;
        let after = std::fs::read_to_string(&path).unwrap();
        assert_eq!(wrong(&after), None, "update {number}, {what}");
        if matches!(what, "refused" | "failed" | "unchanged") && !before.is_empty() {
            assert_eq!(before, after, "update {number}");
        }
    }
    assert_eq!(scene.files("memory"), "");
    assert_eq!(
        std::fs::read_dir(scene.root().join("work"))
            .unwrap()
            .count(),
        0
    );
    // Nothing but the file itself is left behind.
    let folder = path.parent().unwrap();
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), 1);
    insta::assert_debug_snapshot!(counts, @r#"
    {
        "failed": 64,
        "mended": 16,
        "refused": 23,
        "taken": 58,
        "unchanged": 39,
    }
    "#);
    // What was not spoilt came through.
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("At step 96."));
}
