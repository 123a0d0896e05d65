//! `memdir undo`.

use std::fs;

use insta::assert_snapshot;
use memdir_testkit::tree;

use crate::fixture::Fixture;
use crate::history::with_past;

#[test]
fn each_undo_goes_one_step_further_back_and_can_be_undone() {
    let fixture = Fixture::new();
    fixture.run(&["remember", "Use tabs"]);
    fixture.run(&["remember", "I work in Berlin"]);
    let full = tree::read(&fixture.memory_dir()).unwrap();
    assert_snapshot!(fixture.run(&["undo"]), @"
    exit 0
    -- stdout
    Undid #2 (remember):
      - user_work_berlin.md  +0 -9
      ~ MEMORY.md  +0 -1
    `memdir undo 3` takes that back, `memdir diff 3` shows it
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["undo"]), @"
    exit 0
    -- stdout
    Undid #1 (remember):
      - feedback_use_tabs.md  +0 -9
      - MEMORY.md  +0 -1
    `memdir undo 4` takes that back, `memdir diff 4` shows it
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["undo"]), @"
    exit 0
    -- stdout
    Nothing to undo: memdir has changed nothing here that still stands.
    `memdir history` lists every change
    -- stderr
    ");
    assert_eq!(tree::read(&fixture.memory_dir()).unwrap().len(), 0);
    assert_snapshot!(fixture.run(&["undo", "4"]), @"
    exit 0
    -- stdout
    Undid #4 (undo 1):
      + feedback_use_tabs.md  +9 -0
      + MEMORY.md  +1 -0
    `memdir undo 5` takes that back, `memdir diff 5` shows it
    -- stderr
    ");
    fixture.run(&["undo", "3"]);
    assert_eq!(tree::read(&fixture.memory_dir()).unwrap(), full);
}

#[test]
fn a_dry_run_shows_the_difference() {
    let fixture = with_past();
    let before = tree::fingerprint(&fixture.memory_dir()).unwrap();
    assert_snapshot!(fixture.run(&["undo", "3", "--dry-run"]), @"
    exit 0
    -- stdout
    Would undo #3 (changed outside):
      ~ user_work_berlin.md  +2 -2
    --- a/user_work_berlin.md
    +++ b/user_work_berlin.md
    @@ -1,9 +1,9 @@
     ---
     name: work-berlin
    -description: I work in Hamburg
    +description: I work in Berlin
     metadata:
       type: user
       source: user
     ---
     
    -I work in Hamburg
    +I work in Berlin
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["undo", "3", "--dry-run", "--json"]), @r#"
    exit 0
    -- stdout
    {
      "dry_run": true,
      "undoes": 3,
      "what": "changed outside",
      "to": null,
      "operation": null,
      "files": [
        {
          "path": "user_work_berlin.md",
          "change": "changed",
          "added": 2,
          "removed": 2,
          "diff": "--- a/user_work_berlin.md\n+++ b/user_work_berlin.md\n@@ -1,9 +1,9 @@\n ---\n name: work-berlin\n-description: I work in Hamburg\n+description: I work in Berlin\n metadata:\n   type: user\n   source: user\n ---\n \n-I work in Hamburg\n+I work in Berlin\n"
        }
      ],
      "elsewhere": [],
      "warnings": []
    }
    -- stderr
    "#);
    assert_eq!(tree::fingerprint(&fixture.memory_dir()).unwrap(), before);
}

#[test]
fn what_is_undone_already_is_left_alone() {
    let fixture = with_past();
    assert_snapshot!(fixture.run(&["undo", "4"]), @"
    exit 0
    -- stdout
    Nothing to undo: #4 (forget) is undone already.
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["undo", "77"]), @"
    exit 1
    -- stdout
    -- stderr
    error: there is no operation 77 in the history
      `memdir history` lists the operations
    ");
    assert_snapshot!(fixture.run(&["undo", "yesterday"]), @"
    exit 2
    -- stdout
    -- stderr
    error: invalid value 'yesterday' for '[OP]': no number; `memdir history` lists the operations

    For more information, try '--help'.
    ");
}

#[test]
fn later_changes_of_the_same_lines_are_shown_instead_of_overwritten() {
    let fixture = Fixture::new();
    fixture.run(&["remember", "Use tabs"]);
    let path = fixture.memory_dir().join("feedback_use_tabs.md");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("\nUse tabs\n", "\nUse four spaces\n")).unwrap();
    fixture.run(&["history"]);
    fs::write(&path, text.replace("\nUse tabs\n", "\nUse two spaces\n")).unwrap();
    assert_snapshot!(fixture.run(&["undo", "2"]), @"
    exit 1
    -- stdout
    -- stderr
    error: operation 2 cannot be undone: feedback_use_tabs.md was changed again later, in the same lines
      undo #3 first, or change the file by hand; both versions:
      ---
      name: use-tabs
      description: Use tabs
      metadata:
        type: feedback
        source: user
      ---
      
      <<<<<<< before #2
      Use tabs
      =======
      Use two spaces
      >>>>>>> now
    ");
    assert!(fs::read_to_string(&path).unwrap().contains("two spaces"));
}

#[test]
fn everything_since_a_time_goes_at_once() {
    let fixture = with_past();
    assert_snapshot!(fixture.run(&["undo", "--to", "2026-01-01"]), @"
    exit 0
    -- stdout
    Undid everything since [TIME]:
      - MEMORY.md  +0 -2
      - feedback_never_push_main_friday.md  +0 -9
      - user_work_berlin.md  +0 -9
    `memdir undo 6` takes that back, `memdir diff 6` shows it
    -- stderr
    ");
    assert_eq!(tree::read(&fixture.memory_dir()).unwrap().len(), 0);
    assert_snapshot!(fixture.run(&["undo", "--to", "2999-01-01"]), @"
    exit 0
    -- stdout
    Nothing to undo: no file is different from how it was at [TIME].
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["undo", "3", "--to", "1h"]), @"
    exit 2
    -- stdout
    -- stderr
    error: the argument '[OP]' cannot be used with '--to <TIME>'

    Usage: memdir undo <OP>

    For more information, try '--help'.
    ");
}

#[test]
fn undos_at_the_same_time_each_take_back_another_change() {
    let fixture = Fixture::new();
    let facts = ["bees", "owls", "elks", "cats", "dogs", "cows", "pigs"];
    for fact in facts {
        let name = format!("about-{fact}");
        let text = format!("The project keeps {fact}");
        fixture.run(&["remember", &text, "--type", "project", "--name", &name]);
    }
    let fixture = &fixture;
    let mut undone: Vec<u64> = std::thread::scope(|scope| {
        let running: Vec<_> = (0..6)
            .map(|_| scope.spawn(|| fixture.run(&["undo", "--json"])))
            .collect();
        let ended = running.into_iter().map(|one| one.join().unwrap());
        ended
            .map(|outcome| {
                assert_eq!(outcome.code(), Some(0), "{outcome}");
                let told: serde_json::Value = serde_json::from_str(&outcome.stdout()).unwrap();
                assert!(told["operation"].is_u64(), "{outcome}");
                told["undoes"].as_u64().unwrap()
            })
            .collect()
    });
    undone.sort_unstable();
    assert_eq!(undone, [2, 3, 4, 5, 6, 7]);
}

#[test]
fn the_same_undo_at_the_same_time_is_claimed_once() {
    let fixture = Fixture::new();
    fixture.run(&["remember", "The project keeps bees"]);
    fixture.run(&["remember", "The project keeps owls"]);
    let fixture = &fixture;
    let said: Vec<String> = std::thread::scope(|scope| {
        let running: Vec<_> = (0..5)
            .map(|_| scope.spawn(|| fixture.run(&["undo", "2"]).to_string()))
            .collect();
        running.into_iter().map(|one| one.join().unwrap()).collect()
    });
    let claims = |words: &str| said.iter().filter(|said| said.contains(words)).count();
    assert_eq!(claims("Undid #2"), 1, "{said:#?}");
    assert_eq!(claims("is undone already"), 4, "{said:#?}");
}

#[test]
fn a_dry_run_wrote_down_what_had_changed_outside() {
    let fixture = Fixture::with_some();
    fixture.run(&["remember", "Use tabs in Go"]);
    fixture.file("outside.md", 0, "by hand");
    let log = fixture.state_file("history/log.jsonl");
    let before = std::fs::read(&log).unwrap();
    for words in [&["undo"][..], &["undo", "--to", "1m"]] {
        let outcome = fixture.run(&[words, &["--dry-run"]].concat());
        assert!(outcome.success(), "{outcome}");
        assert_eq!(std::fs::read(&log).unwrap(), before);
        assert!(!fixture.state_file("untold").exists());
    }
}
