//! `memdir index`.

use std::fs;

use insta::assert_snapshot;

use crate::fixture::Fixture;

/// Memories with an index that has every fault.
fn broken() -> Fixture {
    let fixture = Fixture::with_some();
    let long = "so long a hook that it says nearly everything ".repeat(4);
    let index = format!(
        "# Mine\n\n- [Role](user_role.md) — writes Rust\n- [Gone](gone.md) — no such file\n\
         - [Out](../out.md)\n- [Role again](user_role.md) — twice\n- [Release](project_release.md) — {long}\n"
    );
    fixture.file("MEMORY.md", 0, index);
    fixture
}

#[test]
fn the_index_is_shown_as_an_agent_sees_it() {
    let fixture = Fixture::with_some();
    assert_snapshot!(fixture.run(&["index"]), @"
    exit 0
    -- stdout
    - [Role](user_role.md) — writes Rust
    - [No push on Friday](feedback_no_push_on_friday.md) — not even a small fix
    - [Release](project_release.md) — the day of 2.0
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["index", "--json"]), @r#"
    exit 0
    -- stdout
    {
      "path": "MEMORY.md",
      "text": "- [Role](user_role.md) — writes Rust\n- [No push on Friday](feedback_no_push_on_friday.md) — not even a small fix\n- [Release](project_release.md) — the day of 2.0",
      "warning": null,
      "lines": 3,
      "bytes": 167
    }
    -- stderr
    "#);
    assert_snapshot!(Fixture::new().run(&["index"]), @"
    exit 0
    -- stdout
    There is no MEMORY.md yet, or nothing in it; it is made with the first memory.
    -- stderr
    ");
    fixture.file("MEMORY.md", 0, "- [A](a.md)\n".repeat(203));
    let shown = fixture.run(&["index"]).stdout();
    assert_eq!(
        shown
            .lines()
            .filter(|line| line.starts_with("- [A]"))
            .count(),
        200
    );
    assert_snapshot!(shown.lines().last().unwrap(), @"> Warning: MEMORY.md was cut: it has 203 lines, 3 more than the limit of 200, and only the first 200 count. Keep each line of the index short and move detail into topic files, so that all of it is loaded.");
}

#[test]
fn check_names_every_fault_and_ends_with_1() {
    let fixture = broken();
    assert_snapshot!(fixture.run(&["index", "--check"]), @"
    exit 1
    -- stdout
    MEMORY.md:4: leads to gone.md, which does not exist
    MEMORY.md: has no line for feedback_no_push_on_friday.md
    MEMORY.md: line 5 leads to `../out.md`: the path has `.` or `..` as a part: name the file directly
    MEMORY.md: line 6 leads to user_role.md, as line 3 does already
    MEMORY.md: line 7 has 218 characters; about 150 is enough for a hook
    Index and files do not agree. `memdir index --rebuild` mends it.
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["index", "--check", "--json"]), @r#"
    exit 1
    -- stdout
    {
      "agrees": false,
      "indexes": [
        {
          "path": "MEMORY.md",
          "exists": true,
          "dead": [
            {
              "line": 4,
              "target": "gone.md"
            }
          ],
          "missing": [
            "feedback_no_push_on_friday.md"
          ],
          "problems": [
            "line 5 leads to `../out.md`: the path has `.` or `..` as a part: name the file directly",
            "line 6 leads to user_role.md, as line 3 does already",
            "line 7 has 218 characters; about 150 is enough for a hook"
          ]
        }
      ],
      "diffs": [
        {
          "path": "MEMORY.md",
          "change": "changed",
          "added": 1,
          "removed": 2,
          "diff": "--- a/MEMORY.md\n+++ b/MEMORY.md\n@@ -1,7 +1,6 @@\n # Mine\n \n - [Role](user_role.md) — writes Rust\n-- [Gone](gone.md) — no such file\n - [Out](../out.md)\n-- [Role again](user_role.md) — twice\n - [Release](project_release.md) — so long a hook that it says nearly everything so long a hook that it says nearly everything so long a hook that it says nearly everything so long a hook that it says nearly everything \n+- [feedback-no-push-on-friday](feedback_no_push_on_friday.md) — Never push to main on a Friday\n"
        }
      ],
      "dry_run": false,
      "operation": null,
      "warnings": []
    }
    -- stderr
    "#);
    assert_snapshot!(Fixture::with_some().run(&["index", "--check"]), @"
    exit 0
    -- stdout
    Index and files agree.
    -- stderr
    ");
}

#[test]
fn rebuild_mends_what_is_wrong_and_keeps_the_rest() {
    let fixture = broken();
    let index = || fs::read_to_string(fixture.memory_dir().join("MEMORY.md")).unwrap();
    let before = index();
    assert_snapshot!(fixture.run(&["index", "--rebuild", "--dry-run"]), @"
    exit 0
    -- stdout
    Would rebuild MEMORY.md: 3 lines changed
    --- a/MEMORY.md
    +++ b/MEMORY.md
    @@ -1,7 +1,6 @@
     # Mine
     
     - [Role](user_role.md) — writes Rust
    -- [Gone](gone.md) — no such file
     - [Out](../out.md)
    -- [Role again](user_role.md) — twice
     - [Release](project_release.md) — so long a hook that it says nearly everything so long a hook that it says nearly everything so long a hook that it says nearly everything so long a hook that it says nearly everything 
    +- [feedback-no-push-on-friday](feedback_no_push_on_friday.md) — Never push to main on a Friday
    -- stderr
    ");
    assert_eq!(index(), before);
    assert_snapshot!(fixture.run(&["index", "--rebuild", "--json"]).code().unwrap(), @"0");
    assert_snapshot!(index(), @"
    # Mine

    - [Role](user_role.md) — writes Rust
    - [Out](../out.md)
    - [Release](project_release.md) — so long a hook that it says nearly everything so long a hook that it says nearly everything so long a hook that it says nearly everything so long a hook that it says nearly everything 
    - [feedback-no-push-on-friday](feedback_no_push_on_friday.md) — Never push to main on a Friday
    ");
    assert_snapshot!(fixture.run(&["index", "--rebuild"]), @"
    exit 0
    -- stdout
    Nothing to do: index and files agree.
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["undo"]), @"
    exit 0
    -- stdout
    Undid #2 (index rebuild):
      ~ MEMORY.md  +2 -1
    `memdir undo 3` takes that back, `memdir diff 3` shows it
    -- stderr
    ");
    assert_eq!(index(), before);
}

#[test]
fn an_index_that_is_gone_is_made_anew_as_it_was() {
    let fixture = Fixture::new();
    fixture.run(&["remember", "Never push to main on a Friday"]);
    fixture.run(&["remember", "I work in Berlin"]);
    let path = fixture.memory_dir().join("MEMORY.md");
    let sorted = |text: String| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    let before = sorted(fs::read_to_string(&path).unwrap());
    fs::remove_file(&path).unwrap();
    assert_snapshot!(fixture.run(&["index", "--rebuild"]), @"
    exit 0
    -- stdout
    Rebuilt MEMORY.md: 2 lines changed
    --- /dev/null
    +++ b/MEMORY.md
    @@ -0,0 +1,2 @@
    +- [work-berlin](user_work_berlin.md) — I work in Berlin
    +- [never-push-main-friday](feedback_never_push_main_friday.md) — Never push to main on a Friday
    `memdir undo` takes it back
    -- stderr
    ");
    assert_eq!(sorted(fs::read_to_string(&path).unwrap()), before);
}

#[test]
fn flags_that_make_no_sense_are_usage() {
    let fixture = Fixture::new();
    assert_snapshot!(fixture.run(&["index", "--check", "--rebuild"]), @"
    exit 2
    -- stdout
    -- stderr
    error: the argument '--check' cannot be used with '--rebuild'

    Usage: memdir index --check

    For more information, try '--help'.
    ");
    assert_snapshot!(fixture.run(&["index", "--dry-run"]), @"
    exit 2
    -- stdout
    -- stderr
    error: the following required arguments were not provided:
      --rebuild

    Usage: memdir index --rebuild --dry-run

    For more information, try '--help'.
    ");
}
