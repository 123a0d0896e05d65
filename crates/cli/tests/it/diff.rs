//! `memdir diff`.

use std::fs;

use insta::assert_snapshot;

use crate::fixture::Fixture;
use crate::history::with_past;

#[test]
fn the_last_operation_or_the_one_that_is_named() {
    let fixture = with_past();
    assert_snapshot!(fixture.run(&["diff"]), @"
    exit 0
    -- stdout
    #5  [TIME]  user  undo 4
    --- /dev/null
    +++ b/user_work_berlin.md
    @@ -0,0 +1,9 @@
    +---
    +name: work-berlin
    +description: I work in Hamburg
    +metadata:
    +  type: user
    +  source: user
    +---
    +
    +I work in Hamburg
    --- a/MEMORY.md
    +++ b/MEMORY.md
    @@ -1 +1,2 @@
     - [never-push-main-friday](feedback_never_push_main_friday.md) — Never push to main on a Friday
    +- [work-berlin](user_work_berlin.md) — I work in Berlin
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["diff", "#3"]), @"
    exit 0
    -- stdout
    #3  [TIME]  outside  changed outside
    --- a/user_work_berlin.md
    +++ b/user_work_berlin.md
    @@ -1,9 +1,9 @@
     ---
     name: work-berlin
    -description: I work in Berlin
    +description: I work in Hamburg
     metadata:
       type: user
       source: user
     ---
     
    -I work in Berlin
    +I work in Hamburg
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["diff", "99"]), @"
    exit 1
    -- stdout
    -- stderr
    error: there is no operation 99 in the history
      `memdir history` lists the operations
    ");
    assert_snapshot!(Fixture::new().run(&["diff"]), @"
    exit 0
    -- stdout
    Nothing has been changed yet, as far as memdir knows.
    -- stderr
    ");
}

#[test]
fn the_last_change_of_a_memory() {
    let fixture = with_past();
    assert_snapshot!(fixture.run(&["diff", "feedback_never_push"]), @"
    exit 0
    -- stdout
    #1  [TIME]  user  remember
    --- /dev/null
    +++ b/feedback_never_push_main_friday.md
    @@ -0,0 +1,9 @@
    +---
    +name: never-push-main-friday
    +description: Never push to main on a Friday
    +metadata:
    +  type: feedback
    +  source: user
    +---
    +
    +Never push to main on a Friday
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["diff", "no_such_memory"]), @"
    exit 1
    -- stdout
    -- stderr
    error: there is no memory `no_such_memory`
      `memdir list` shows what there is
    ");
}

#[test]
fn everything_since_a_time_is_one_difference() {
    let fixture = with_past();
    assert_snapshot!(fixture.run(&["diff", "--since", "1h", "user_work"]), @"
    exit 0
    -- stdout
    --- /dev/null
    +++ b/user_work_berlin.md
    @@ -0,0 +1,9 @@
    +---
    +name: work-berlin
    +description: I work in Hamburg
    +metadata:
    +  type: user
    +  source: user
    +---
    +
    +I work in Hamburg
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["diff", "--since", "2999-01-01"]), @"
    exit 0
    -- stdout
    Nothing is different since [TIME].
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["diff", "3", "--since", "1h"]), @"
    exit 2
    -- stdout
    -- stderr
    error: an operation and --since do not go together
      `memdir help` lists what can be typed
    ");
}

#[test]
fn json_has_the_text_of_the_difference() {
    let fixture = with_past();
    assert_snapshot!(fixture.run(&["diff", "3", "--json"]), @r#"
    exit 0
    -- stdout
    {
      "operation": 3,
      "at": "[TIME]",
      "who": "outside",
      "what": "changed outside",
      "since": null,
      "files": [
        {
          "path": "user_work_berlin.md",
          "change": "changed",
          "added": 2,
          "removed": 2,
          "diff": "--- a/user_work_berlin.md\n+++ b/user_work_berlin.md\n@@ -1,9 +1,9 @@\n ---\n name: work-berlin\n-description: I work in Berlin\n+description: I work in Hamburg\n metadata:\n   type: user\n   source: user\n ---\n \n-I work in Berlin\n+I work in Hamburg\n"
        }
      ]
    }
    -- stderr
    "#);
}

#[test]
fn what_is_no_text_does_not_reach_the_terminal() {
    let fixture = Fixture::with_some();
    fixture.run(&["history"]);
    let path = fixture.memory_dir().join("user_role.md");
    fs::write(&path, b"a\0b").unwrap();
    fs::write(fixture.memory_dir().join("red.md"), b"\x1b[31mred \xff\r\n").unwrap();
    fixture.run(&["history"]);
    assert_snapshot!(fixture.run(&["diff"]), @"
    exit 0
    -- stdout
    #2  [TIME]  outside  changed outside
    --- /dev/null
    +++ b/red.md
    @@ -0,0 +1 @@
    +<U+001B>[31mred �
    user_role.md is not text; its bytes differ
    -- stderr
    ");
}
