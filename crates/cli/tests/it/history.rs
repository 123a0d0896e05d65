//! `memdir history`.

use std::fs;

use insta::assert_snapshot;

use crate::fixture::Fixture;

/// A directory with a history: two memories, an edit from outside, something forgotten and undone.
pub(crate) fn with_past() -> Fixture {
    let fixture = Fixture::new();
    fixture.run(&["remember", "Never push to main on a Friday"]);
    fixture.run(&["remember", "I work in Berlin"]);
    let path = fixture.memory_dir().join("user_work_berlin.md");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("Berlin", "Hamburg")).unwrap();
    fixture.run(&["forget", "user_work_berlin"]);
    fixture.run(&["undo"]);
    fixture
}

#[test]
fn the_newest_comes_first_with_who_and_what() {
    let fixture = with_past();
    assert_snapshot!(fixture.run(&["history"]), @"
    exit 0
    -- stdout
    #5  [TIME]  user     undo 4           + user_work_berlin.md, ~ MEMORY.md
    #4  [TIME]  user     forget           - user_work_berlin.md, ~ MEMORY.md  (undone)
    #3  [TIME]  outside  changed outside  ~ user_work_berlin.md
    #2  [TIME]  user     remember         + user_work_berlin.md, ~ MEMORY.md
    #1  [TIME]  user     remember         + feedback_never_push_main_friday.md, + MEMORY.md
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["history", "--limit", "2"]), @"
    exit 0
    -- stdout
    #5  [TIME]  user  undo 4  + user_work_berlin.md, ~ MEMORY.md
    #4  [TIME]  user  forget  - user_work_berlin.md, ~ MEMORY.md  (undone)
    3 older; `--limit 0` shows all
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["history", "feedback_never_push"]), @"
    exit 0
    -- stdout
    #1  [TIME]  user  remember  + feedback_never_push_main_friday.md, + MEMORY.md
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["history", "--since", "2999-01-01"]), @"
    exit 0
    -- stdout
    Nothing has been changed since [TIME].
    -- stderr
    ");
}

#[test]
fn json_has_every_operation() {
    let fixture = Fixture::new();
    fixture.run(&["remember", "Use tabs"]);
    let outcome = fixture
        .program(&["history", "--json"])
        .filter("[0-9a-f]{32}", "[DIGEST]");
    assert_snapshot!(outcome.run().unwrap(), @r#"
    exit 0
    -- stdout
    {
      "total": 1,
      "damaged": 0,
      "operations": [
        {
          "id": 1,
          "at": "[TIME]",
          "who": "user",
          "what": "remember",
          "conversation": null,
          "message": null,
          "undoes": null,
          "undone": false,
          "failed": false,
          "first_sight": false,
          "changes": [
            {
              "path": "feedback_use_tabs.md",
              "change": "added",
              "before": null,
              "after": "[DIGEST]"
            },
            {
              "path": "MEMORY.md",
              "change": "added",
              "before": null,
              "after": "[DIGEST]"
            }
          ]
        }
      ],
      "warnings": []
    }
    -- stderr
    "#);
}

#[test]
fn a_memory_is_found_under_names_it_had() {
    let fixture = Fixture::new();
    fixture.run(&["remember", "Use tabs"]);
    fixture.run(&["rename", "feedback_use_tabs", "feedback_indentation"]);
    fixture.run(&["forget", "feedback_indentation"]);
    assert_snapshot!(fixture.run(&["history", "feedback_indentation"]), @"
    exit 0
    -- stdout
    #3  [TIME]  user  forget    - feedback_indentation.md, ~ MEMORY.md
    #2  [TIME]  user  rename    + feedback_indentation.md, - feedback_use_tabs.md, ~ MEMORY.md
    #1  [TIME]  user  remember  + feedback_use_tabs.md, + MEMORY.md
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["history", "feedback_spaces"]), @"
    exit 1
    -- stdout
    -- stderr
    error: there is no memory `feedback_spaces`
      `memdir list` shows what there is
    ");
}

#[test]
fn the_first_sight_of_a_directory_is_no_change() {
    let fixture = Fixture::with_some();
    assert_snapshot!(fixture.run(&["history"]), @"
    exit 0
    -- stdout
    #1  [TIME]  outside  first seen  + MEMORY.md, + feedback_no_push_on_friday.md, + project_release.md, + user_role.md
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["undo"]), @"
    exit 0
    -- stdout
    Nothing to undo: memdir has changed nothing here that still stands.
    `memdir history` lists every change
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["undo", "1"]), @"
    exit 1
    -- stdout
    -- stderr
    error: operation 1 recorded what was there when memdir first looked; there is nothing to take back
    ");
}

#[test]
fn changes_from_outside_are_noticed() {
    let fixture = Fixture::with_some();
    fixture.run(&["history"]);
    fs::remove_file(fixture.memory_dir().join("user_role.md")).unwrap();
    fixture.topic("new.md", 0, "user", "Came from outside", "By an agent.");
    assert_snapshot!(fixture.run(&["history"]), @"
    exit 0
    -- stdout
    #2  [TIME]  outside  changed outside  + new.md, - user_role.md
    #1  [TIME]  outside  first seen       + MEMORY.md, + feedback_no_push_on_friday.md, + project_release.md, + user_role.md
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["history", "--since", "not a time"]), @"
    exit 2
    -- stdout
    -- stderr
    error: invalid value 'not a time' for '--since <TIME>': no point in time; try `2026-11-15`, `[TIME]`, `yesterday`, `10m`, `2h` or `3d` (ago)

    For more information, try '--help'.
    ");
}
