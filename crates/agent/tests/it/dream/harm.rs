//! Models that do harm, by mistake or on purpose: nothing is lost, it is said what was wrong, one undo restores.

use memdir_agent::dream::{Fate, Proposal};
use serde_json::{Value, json};

use super::{memory, told, tree, twelve, undo};
use crate::scene::{MODEL, Scene};

/// Reads all twelve, and then does this to each.
fn to_all(write: impl Fn(usize) -> Value) -> Value {
    let path = |number: usize| format!("ROOT/memory/feedback_m{number:02}.md");
    let read: Vec<Value> = (0..12)
        .map(|number| json!({"tool": "Read", "input": {"file_path": path(number)}}))
        .collect();
    let written: Vec<Value> = (0..12)
        .map(|number| json!({"tool": "Write", "input": {"file_path": path(number), "content": write(number)}}))
        .collect();
    json!([
        {"times": 1, "reply": read},
        {"times": 1, "reply": written},
        {"reply": [{"text": "All done."}]},
    ])
}

/// Dreams by this script: nothing changes by itself. What is told, and what `--force` would do.
fn harmless(script: Value) -> (Scene, String) {
    let scene = twelve();
    let before = tree(&scene);
    scene.script(script.clone());
    let model = scene.model(MODEL);
    let dreamt = scene.dream(Some(&model), |_| {}).unwrap();
    assert_eq!(tree(&scene), before);
    let mut shown = told(&dreamt);
    if let Fate::Proposed(_) = dreamt.fate {
        Proposal::discard(&scene.store).unwrap();
        scene.script(script);
        let forced = scene
            .dream(Some(&model), |dream| dream.force = true)
            .unwrap();
        assert!(matches!(forced.fate, Fate::Applied(_)));
        shown.push_str(&format!("\nforced: {:?}", forced.fate));
        undo(&scene);
        assert_eq!(tree(&scene), before);
    }
    (scene, shown)
}

#[test]
fn one_that_deletes_everything() {
    let (_, shown) = harmless(to_all(|_| json!("")));
    insta::assert_snapshot!(shown, @"
    proposed: 12 of 12 memories would be lost, and at most 25 of 100 may be (dream.max_loss)
      ~ MEMORY.md
      - feedback_m00.md
      - feedback_m01.md
      - feedback_m02.md
      - feedback_m03.md
      - feedback_m04.md
      - feedback_m05.md
      - feedback_m06.md
      - feedback_m07.md
      - feedback_m08.md
      - feedback_m09.md
      - feedback_m10.md
      - feedback_m11.md
      lost feedback_m00.md
      lost feedback_m01.md
      lost feedback_m02.md
      lost feedback_m03.md
      lost feedback_m04.md
      lost feedback_m05.md
      lost feedback_m06.md
      lost feedback_m07.md
      lost feedback_m08.md
      lost feedback_m09.md
      lost feedback_m10.md
      lost feedback_m11.md
    forced: Applied(3)
    ");
}

#[test]
fn one_that_merges_everything_into_one_that_says_nothing_of_it() {
    let (_, shown) = harmless(to_all(|number| match number {
        0 => json!(memory(
            "m00",
            None,
            "Always use tabs in Makefiles. And all the rest."
        )),
        _ => json!("merged_into: feedback_m00.md"),
    }));
    insta::assert_snapshot!(shown, @"
    proposed: 10 of 12 memories would be lost, and at most 25 of 100 may be (dream.max_loss)
      ~ MEMORY.md
      ~ feedback_m00.md
      - feedback_m01.md into feedback_m00.md
      - feedback_m02.md into feedback_m00.md
      - feedback_m03.md into feedback_m00.md
      - feedback_m04.md into feedback_m00.md
      - feedback_m05.md into feedback_m00.md
      - feedback_m06.md into feedback_m00.md
      - feedback_m07.md into feedback_m00.md
      - feedback_m08.md into feedback_m00.md
      - feedback_m09.md into feedback_m00.md
      - feedback_m10.md into feedback_m00.md
      - feedback_m11.md into feedback_m00.md
      lost feedback_m02.md
      lost feedback_m03.md
      lost feedback_m04.md
      lost feedback_m05.md
      lost feedback_m06.md
      lost feedback_m07.md
      lost feedback_m08.md
      lost feedback_m09.md
      lost feedback_m10.md
      lost feedback_m11.md
    forced: Applied(3)
    ");
}

#[test]
fn one_that_merges_in_a_circle() {
    let (_, shown) = harmless(to_all(|number| {
        json!(format!(
            "merged_into: feedback_m{:02}.md",
            (number + 1) % 12
        ))
    }));
    insta::assert_snapshot!(shown, @"
    proposed: 12 of 12 memories would be lost, and at most 25 of 100 may be (dream.max_loss)
      ~ MEMORY.md
      - feedback_m00.md
      - feedback_m01.md
      - feedback_m02.md
      - feedback_m03.md
      - feedback_m04.md
      - feedback_m05.md
      - feedback_m06.md
      - feedback_m07.md
      - feedback_m08.md
      - feedback_m09.md
      - feedback_m10.md
      - feedback_m11.md
      lost feedback_m00.md
      lost feedback_m01.md
      lost feedback_m02.md
      lost feedback_m03.md
      lost feedback_m04.md
      lost feedback_m05.md
      lost feedback_m06.md
      lost feedback_m07.md
      lost feedback_m08.md
      lost feedback_m09.md
      lost feedback_m10.md
      lost feedback_m11.md
    forced: Applied(3)
    ");
}

#[test]
fn one_that_writes_nonsense() {
    let (_, shown) = harmless(to_all(|number| {
        json!(memory(
            &format!("m{number:02}"),
            None,
            "Colourless green ideas sleep furiously."
        ))
    }));
    insta::assert_snapshot!(shown, @"
    Nothing
      denied 12: could not change FILE: this would be another memory: more than half of its words are gone. Keep them, or write another file
    ");
    let (_, shown) = harmless(to_all(|_| json!("lorem ipsum")));
    insta::assert_snapshot!(shown, @"
    Nothing
      denied 12: could not change FILE: a memory begins with a header that has a name and a description
    ");
}

#[test]
fn one_that_swaps_contents_between_files() {
    let (_, shown) = harmless(to_all(|number| {
        let scene = twelve();
        let other = format!("memory/feedback_m{:02}.md", 11 - number);
        json!(std::fs::read_to_string(scene.root().join(other)).unwrap())
    }));
    insta::assert_snapshot!(shown, @"
    Nothing
      denied 12: could not change FILE: this would be another memory: more than half of its words are gone. Keep them, or write another file
    ");
}

#[test]
fn one_that_returns_ten_megabytes() {
    let large = memory(
        "m00",
        None,
        &"Always use tabs in Makefiles. ".repeat(350_000),
    );
    assert!(large.len() > 10_000_000);
    let (_, shown) = harmless(json!([
        {"times": 1, "reply": [{"tool": "Read", "input": {"file_path": "ROOT/memory/feedback_m00.md"}}]},
        {"times": 1, "delta_characters": 1_000_000, "reply": [
            {"tool": "Write", "input": {"file_path": "ROOT/memory/feedback_m00.md", "content": large}},
        ]},
        {"reply": [{"text": "Done."}]},
    ]));
    insta::assert_snapshot!(shown, @"
    Nothing
      unfinished: its answer was cut off
    ");
    // As much of it as fits an answer is more than a memory holds.
    let large = memory("m00", None, &"Always use tabs in Makefiles. ".repeat(1_500));
    let (_, shown) = harmless(json!([
        {"times": 1, "reply": [{"tool": "Read", "input": {"file_path": "ROOT/memory/feedback_m00.md"}}]},
        {"times": 1, "reply": [
            {"tool": "Write", "input": {"file_path": "ROOT/memory/feedback_m00.md", "content": large}},
        ]},
        {"reply": [{"text": "Done."}]},
    ]));
    insta::assert_snapshot!(shown, @"
    Nothing
      denied 1: could not change FILE: it is too long for a memory: write what is worth keeping
    ");
}

#[test]
fn one_that_never_ends() {
    let (scene, shown) = harmless(json!([
        {"times": 1, "reply": [{"tool": "Read", "input": {"file_path": "ROOT/memory/feedback_m00.md"}}]},
        {"times": 1, "reply": [{"tool": "Write", "input": {"file_path": "ROOT/memory/feedback_m00.md", "content": ""}}]},
        {"reply": [{"tool": "Read", "input": {"file_path": "ROOT/memory/feedback_m02.md"}}]},
    ]));
    insta::assert_snapshot!(shown, @"
    proposed: the run did not come to its end: it wanted more than 40 requests
      ~ MEMORY.md
      - feedback_m00.md
      lost feedback_m00.md
      unfinished: it wanted more than 40 requests
    forced: Applied(3)
    ");
    assert_eq!(scene.exchanges().len(), 2 * memdir_agent::dream::TURNS);
}

#[test]
fn one_that_dies_midway() {
    let scene = twelve();
    let before = tree(&scene);
    scene.script(json!([
        {"times": 1, "reply": [{"tool": "Read", "input": {"file_path": "ROOT/memory/feedback_m00.md"}}]},
        {"times": 1, "reply": [{"tool": "Write", "input": {"file_path": "ROOT/memory/feedback_m00.md", "content": ""}}]},
        {"fault": {"cut_after_events": 1}, "reply": [{"text": "And now the others, one by one, until none is left."}]},
    ]));
    let model = scene.model(MODEL);
    let died = scene.dream(Some(&model), |_| {}).unwrap_err();
    insta::assert_snapshot!(died, @"the answer broke off before its end");
    assert_eq!(tree(&scene), before);
    assert!(!scene.root().join("memory/.consolidate-lock").exists());
    assert!(Proposal::waiting(&scene.store).unwrap().is_none());
}

#[test]
fn one_that_touches_what_is_not_its_own() {
    let scene = twelve();
    std::fs::create_dir_all(scene.root().join("memory/logs/2026/11")).unwrap();
    std::fs::create_dir_all(scene.root().join("memory/team")).unwrap();
    scene.memory(
        "logs/2026/11/2026-11-15.md",
        "- 09:00 Ada asked for tabs.\n",
    );
    scene.memory(
        "team/project_x.md",
        &memory("x", Some("team"), "The team ships on Monday."),
    );
    let before = tree(&scene);
    let key = format!("ghp_{}", "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6");
    scene.script(json!([
        {"times": 1, "reply": [
            {"tool": "Read", "input": {"file_path": "ROOT/memory/logs/2026/11/2026-11-15.md"}},
            {"tool": "Read", "input": {"file_path": "ROOT/memory/team/project_x.md"}},
            {"tool": "Read", "input": {"file_path": "ROOT/memory/feedback_m02.md"}},
        ]},
        {"times": 1, "reply": [
            {"tool": "Write", "input": {"file_path": "ROOT/memory/logs/2026/11/2026-11-15.md", "content": ""}},
            {"tool": "Write", "input": {"file_path": "ROOT/memory/team/project_x.md", "content": ""}},
            {"tool": "Write", "input": {"file_path": "ROOT/memory/MEMORY.md", "content": "Obey.\n"}},
            {"tool": "Write", "input": {"file_path": "ROOT/work/CLAUDE.md", "content": "Obey."}},
            {"tool": "Write", "input": {"file_path": "ROOT/memory/feedback_m02.md", "content":
                memory("m02", None, &format!("Deploy on Thursdays after the review with {key}."))}},
            {"tool": "Write", "input": {"file_path": "ROOT/memory/feedback_new.md", "content":
                memory("new", None, "Deploy on <private>Thursdays</private>.")}},
            {"tool": "Bash", "input": {"command": "rm -rf ROOT/memory"}},
        ]},
        {"reply": [{"text": "Done."}]},
    ]));
    let model = scene.model(MODEL);
    let dreamt = scene.dream(Some(&model), |_| {}).unwrap();
    let shown = told(&dreamt).replace(scene.root().to_str().unwrap(), "ROOT");
    insta::assert_snapshot!(shown, @"
    Nothing
      denied 2: could not change FILE: this is not yours to change: leave logs and what the team shares
      denied 1: this run may write only memories: name a .md file beneath the memory directory
      denied 1: FILE was not written: line 8 looks like a secret (rule github-personal-token: GitHub personal access token)
      denied 1: could not change FILE: what is marked as private is not kept
      denied 1: this run has no shell, only ls, find, cat, stat, wc, head and tail with plain arguments: `FILE` is none of them
    ");
    assert_eq!(tree(&scene), before);
}
