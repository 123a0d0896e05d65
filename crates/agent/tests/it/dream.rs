//! The dream, from a directory to what becomes of it: models that help, models that harm, and the rules alone.

mod gates;
mod harm;
mod logs;
mod origins;

use std::collections::BTreeMap;
use std::path::Path;

use memdir_agent::dream::{Change, Dreamt, Fate, Proposal, apply};
use memdir_conversation::Message;
use memdir_settings::Mode;
use memdir_store::consolidate::last_consolidated;
use memdir_store::{Author, Reason};
use serde_json::json;

use crate::scene::{MODEL, Scene};

/// A memory as it lies in the directory.
pub(crate) fn memory(name: &str, source: Option<&str>, body: &str) -> String {
    let source = source.map(|source| format!("\n  source: {source}"));
    let source = source.unwrap_or_default();
    format!(
        "---\nname: {name}\ndescription: About {name}\nmetadata:\n  type: feedback{source}\n---\n\n{body}\n"
    )
}

/// A directory of twelve memories, two of which say nearly the same.
pub(crate) fn twelve() -> Scene {
    let scene = Scene::new();
    let bodies = [
        "Always use tabs in Makefiles.",
        "In Makefiles use tabs, never spaces.",
        "Deploy on Thursdays after the review.",
        "The staging database is reset on Sundays.",
        "Ada maintains the parser and reviews grammar changes.",
        "Grafana dashboards live in the folder Edge.",
        "Never push to main on a Friday.",
        "Commit messages begin with the crate's name.",
        "The user prefers short answers.",
        "Backups are checked on the first Monday.",
        "Tickets for the mobile client live in Linear.",
        "Run the linter before every commit.",
    ];
    for (number, body) in bodies.iter().enumerate() {
        let name = format!("feedback_m{number:02}.md");
        scene.memory(&name, &memory(&format!("m{number:02}"), Some("user"), body));
    }
    let reason = Reason::new(Author::Rules, "index");
    scene.store.rebuild_indexes(reason).unwrap();
    scene
}

/// Every file with its content and its time, all but the lock's.
pub(crate) fn tree(scene: &Scene) -> BTreeMap<String, (String, std::time::SystemTime)> {
    fn read(folder: &Path, into: &mut BTreeMap<String, (String, std::time::SystemTime)>) {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                read(&path, into);
                continue;
            }
            let name = path.display().to_string();
            if !name.ends_with(".consolidate-lock") {
                let modified = entry.metadata().unwrap().modified().unwrap();
                into.insert(name, (std::fs::read_to_string(&path).unwrap(), modified));
            }
        }
    }
    let mut tree = BTreeMap::new();
    read(&scene.root().join("memory"), &mut tree);
    tree
}

/// A line about the fate, one for each changed file.
pub(crate) fn told(dreamt: &Dreamt) -> String {
    let mut lines = vec![match &dreamt.fate {
        Fate::Proposed(because) => {
            let why: Vec<String> = because.iter().map(ToString::to_string).collect();
            format!("proposed: {}", why.join("; "))
        }
        fate => format!("{fate:?}"),
    }];
    for Change {
        path, after, into, ..
    } in &dreamt.changes
    {
        lines.push(match (after, into) {
            (Some(_), _) => format!("  ~ {path}"),
            (None, Some(into)) => format!("  - {path} into {into}"),
            (None, None) => format!("  - {path}"),
        });
    }
    lines.extend(dreamt.lost.iter().map(|path| format!("  lost {path}")));
    lines.extend(dreamt.held.iter().map(|path| format!("  held {path}")));
    lines.extend(
        dreamt
            .unfinished
            .iter()
            .map(|how| format!("  unfinished: {how}")),
    );
    // The same reason for many is one line.
    let mut denied: Vec<(usize, String)> = Vec::new();
    for one in &dreamt.denied {
        let reason = match one.target.is_empty() {
            true => one.reason.clone(),
            false => one.reason.replace(&one.target, "FILE"),
        };
        match denied.last_mut() {
            Some((times, last)) if *last == reason => *times += 1,
            _ => denied.push((1, reason)),
        }
    }
    lines.extend(
        denied
            .iter()
            .map(|(times, reason)| format!("  denied {times}: {reason}")),
    );
    lines.join("\n")
}

/// Takes the last operation back.
pub(crate) fn undo(scene: &Scene) {
    let history = scene.store.history().unwrap();
    let last = history.last_undoable().unwrap();
    assert_eq!(last.reason.who, Author::Dream);
    let plan = scene.store.plan_undo(&history, last.id).unwrap();
    scene.store.restore(plan).unwrap();
}

/// A model that merges the second memory into the first.
fn merging() -> serde_json::Value {
    let merged = memory("m00", None, "Always use tabs in Makefiles, never spaces.");
    json!([
        {"times": 1, "reply": [
            {"text": "Two say the same."},
            {"tool": "Read", "input": {"file_path": "ROOT/memory/feedback_m00.md"}},
            {"tool": "Read", "input": {"file_path": "ROOT/memory/feedback_m01.md"}},
        ]},
        {"times": 1, "reply": [
            {"tool": "Write", "input": {"file_path": "ROOT/memory/feedback_m00.md", "content": merged}},
            {"tool": "Write", "input": {"file_path": "ROOT/memory/feedback_m01.md", "content": "merged_into: feedback_m00.md\n"}},
        ]},
        {"reply": [{"text": "Merged two memories."}]},
    ])
}

#[test]
fn a_model_merges_two_memories_and_one_undo_takes_it_back() {
    let scene = twelve();
    let before = tree(&scene);
    scene.script(merging());
    let model = scene.model(MODEL);
    let dreamt = scene.dream(Some(&model), |_| {}).unwrap();
    insta::assert_snapshot!(told(&dreamt), @"
    Applied(3)
      ~ MEMORY.md
      ~ feedback_m00.md
      - feedback_m01.md into feedback_m00.md
    ");
    let kept = scene.root().join("memory/feedback_m00.md");
    insta::assert_snapshot!(std::fs::read_to_string(&kept).unwrap(), @"
    ---
    name: m00
    description: About m00
    metadata:
      type: feedback
      source: user
      merged: feedback_m01.md
    ---

    Always use tabs in Makefiles, never spaces.
    ");
    // Nothing is said that was not said before: it is as old as the newest of the two.
    let modified = std::fs::metadata(&kept).unwrap().modified().unwrap();
    assert_eq!(modified, before[kept.to_str().unwrap()].1);
    assert_eq!(dreamt.progress.requests, 3);
    assert_eq!(dreamt.progress.calls, 4);
    assert_eq!(
        dreamt.progress.said.as_deref(),
        Some("Merged two memories.")
    );
    assert!(dreamt.progress.writing && dreamt.progress.nano_usd > 0);
    undo(&scene);
    assert_eq!(tree(&scene), before);
    let exchanges = scene.exchanges();
    assert_eq!(exchanges.len(), 3);
}

#[test]
fn whoever_wants_to_be_asked_gets_a_proposal_and_applies_it() {
    let mut scene = twelve();
    scene.mode = Mode::Ask;
    let before = tree(&scene);
    scene.script(merging());
    let model = scene.model(MODEL);
    let dreamt = scene.dream(Some(&model), |_| {}).unwrap();
    insta::assert_snapshot!(told(&dreamt), @"
    proposed: you want to be asked (dream.mode is ask)
      ~ MEMORY.md
      ~ feedback_m00.md
      - feedback_m01.md into feedback_m00.md
    ");
    assert_eq!(tree(&scene), before);
    let proposal = Proposal::waiting(&scene.store).unwrap().unwrap();
    let changes = proposal.changes(&scene.store).unwrap();
    let reason = Reason::new(Author::Dream, "dream");
    apply(&scene.store, &changes, &reason, Default::default()).unwrap();
    assert!(Proposal::discard(&scene.store).unwrap());
    assert!(!scene.root().join("memory/feedback_m01.md").exists());
    undo(&scene);
    assert_eq!(tree(&scene), before);
}

#[test]
fn a_proposal_about_memories_that_changed_since_is_refused() {
    let mut scene = twelve();
    scene.mode = Mode::Ask;
    scene.script(merging());
    let model = scene.model(MODEL);
    scene.dream(Some(&model), |_| {}).unwrap();
    scene.memory("feedback_m01.md", "The user rewrote it.\n");
    let proposal = Proposal::waiting(&scene.store).unwrap().unwrap();
    let refused = proposal.changes(&scene.store).unwrap_err();
    insta::assert_snapshot!(refused, @"feedback_m01.md is not what it was when the proposal was made; nothing was changed");
}

#[test]
fn told_only_it_changes_nothing_at_all() {
    let scene = twelve();
    let before = tree(&scene);
    scene.script(merging());
    let model = scene.model(MODEL);
    let dreamt = scene
        .dream(Some(&model), |dream| dream.dry_run = true)
        .unwrap();
    insta::assert_snapshot!(told(&dreamt), @"
    Told([])
      ~ MEMORY.md
      ~ feedback_m00.md
      - feedback_m01.md into feedback_m00.md
    ");
    assert_eq!(tree(&scene), before);
    assert!(!scene.root().join("memory/.consolidate-lock").exists());
    assert!(Proposal::waiting(&scene.store).unwrap().is_none());
}

#[test]
fn searches_see_the_copy() {
    let scene = twelve();
    scene.script(json!([
        {"times": 1, "reply": [
            {"tool": "Read", "input": {"file_path": "ROOT/memory/feedback_m01.md"}},
        ]},
        {"times": 1, "reply": [
            {"tool": "Write", "input": {"file_path": "ROOT/memory/feedback_m01.md", "content": "merged_into: feedback_m00.md"}},
        ]},
        {"times": 1, "reply": [
            {"tool": "Grep", "input": {"pattern": "Makefiles", "path": "ROOT/memory"}},
            {"tool": "Glob", "input": {"pattern": "feedback_m0[0-2].md", "path": "ROOT/memory"}},
            {"tool": "Bash", "input": {"command": "ls ROOT/memory"}},
            {"tool": "Bash", "input": {"command": "cat ROOT/memory/feedback_m01.md"}},
            {"tool": "Read", "input": {"file_path": "ROOT/memory/feedback_m01.md"}},
        ]},
        {"reply": [{"text": "Done."}]},
    ]));
    let model = scene.model(MODEL);
    scene.dream(Some(&model), |_| {}).unwrap();
    let exchanges = scene.exchanges();
    let last: serde_json::Value = serde_json::from_slice(&exchanges[3].body).unwrap();
    let messages = last["messages"].as_array().unwrap();
    let results = messages.last().unwrap()["content"].as_array().unwrap();
    let shown: Vec<String> = results
        .iter()
        .map(|result| result["content"].to_string())
        .collect();
    let shown = shown
        .join("\n")
        .replace(scene.root().to_str().unwrap(), "ROOT");
    insta::assert_snapshot!(shown, @r#"
    "ROOT/memory/feedback_m00.md"
    "ROOT/memory/feedback_m02.md\nROOT/memory/feedback_m00.md"
    "ROOT/memory/MEMORY.md\nROOT/memory/feedback_m00.md\nROOT/memory/feedback_m02.md\nROOT/memory/feedback_m03.md\nROOT/memory/feedback_m04.md\nROOT/memory/feedback_m05.md\nROOT/memory/feedback_m06.md\nROOT/memory/feedback_m07.md\nROOT/memory/feedback_m08.md\nROOT/memory/feedback_m09.md\nROOT/memory/feedback_m10.md\nROOT/memory/feedback_m11.md"
    "memories are read with Read and searched with Grep in this run"
    "there is no memory feedback_m01.md"
    "#);
}

#[test]
fn a_fork_repeats_the_conversation_that_set_it_off() {
    let scene = twelve();
    let mut steps = json!([{"times": 1, "reply": [{"text": "I will."}]}]);
    let all = steps.as_array_mut().unwrap();
    all.extend(merging().as_array().unwrap().clone());
    scene.script(steps);
    let model = scene.model(MODEL);
    let parent = scene.talk(&model, vec![Message::user("1", "Tidy up the parser.")]);
    let visible: Vec<&Message> = parent.messages.iter().collect();
    let talk = memdir_agent::extract::Talk {
        visible: &visible,
        messages: visible.len(),
        parent: Some(&parent.body),
    };
    let dreamt = scene
        .dream_of(Some(&model), Some(talk), |dream| {
            dream.conversation = Some("talk")
        })
        .unwrap();
    assert!(matches!(dreamt.fate, Fate::Applied(_)), "{}", told(&dreamt));
    let exchanges = scene.exchanges();
    let first = String::from_utf8(exchanges[0].body.clone()).unwrap();
    let fork = String::from_utf8(exchanges[1].body.clone()).unwrap();
    let fork = fork.replacen("\"max_tokens\":16000", "\"max_tokens\":64000", 1);
    assert!(fork.starts_with(first.strip_suffix("]}").unwrap()));
    assert!(fork.contains("This message does not come from the user"));
}

#[test]
fn a_file_that_changes_underneath_makes_a_proposal_of_it() {
    // While the model works, somebody edits a memory that it changes.
    let scene = twelve();
    scene.script(merging());
    let model = scene.model(MODEL);
    let file = scene.root().join("memory/feedback_m01.md");
    let dreamt = {
        let edited = std::cell::Cell::new(false);
        scene
            .dream_told(Some(&model), &|_| {
                if !edited.replace(true) {
                    std::fs::write(&file, "Written by somebody else.\n").unwrap();
                }
            })
            .unwrap()
    };
    insta::assert_snapshot!(told(&dreamt), @"
    proposed: feedback_m01.md was changed meanwhile
      ~ MEMORY.md
      ~ feedback_m00.md
      - feedback_m01.md into feedback_m00.md
    ");
    assert_eq!(
        std::fs::read_to_string(&file).unwrap(),
        "Written by somebody else.\n"
    );
    let kept = std::fs::read_to_string(scene.root().join("memory/feedback_m00.md")).unwrap();
    assert!(!kept.contains("never spaces"));
}

#[test]
fn success_is_noted_failure_leaves_no_trace() {
    let scene = twelve();
    let last = || {
        last_consolidated(
            scene.store.memory_directory(),
            scene.store.state_directory(),
            "2026-11-16T08:00:00Z".parse().unwrap(),
        )
    };
    scene.script(json!([{"fault": {"status": 401}}]));
    let model = scene.model(MODEL);
    let failed = scene.dream(Some(&model), |_| {}).unwrap_err();
    insta::assert_snapshot!(failed, @"the provider does not accept the key");
    assert_eq!(last(), None);
    assert!(!scene.root().join("memory/.consolidate-lock").exists());
    let dreamt = scene.dream(None, |_| {}).unwrap();
    assert_eq!(dreamt.fate, Fate::Nothing);
    assert_eq!(last(), Some("2026-11-16T08:00:00Z".parse().unwrap()));
}
