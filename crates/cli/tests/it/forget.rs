//! `memdir forget`.

use std::fs;

use insta::assert_snapshot;

use crate::fixture::Fixture;

fn names(fixture: &Fixture) -> String {
    let entries = fs::read_dir(fixture.memory_dir()).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names.join(" ")
}

#[test]
fn a_forgotten_memory_leaves_file_and_index_and_can_come_back() {
    let fixture = Fixture::with_some();
    let index = || fs::read_to_string(fixture.memory_dir().join("MEMORY.md")).unwrap();
    let before = (names(&fixture), index());
    assert_snapshot!(fixture.run(&["forget", "user_role", "project_release", "user-role"]), @r#"
    exit 0
    -- stdout
    Forgot project_release.md: "2.0 is out on 2026-12-01"
    Forgot user_role.md: "Writes Rust, reads Go"
    `memdir undo` brings them back
    -- stderr
    "#);
    assert_snapshot!(names(&fixture), @"MEMORY.md feedback_no_push_on_friday.md");
    assert_snapshot!(index(), @"- [No push on Friday](feedback_no_push_on_friday.md) — not even a small fix");
    assert_snapshot!(fixture.run(&["undo"]), @"
    exit 0
    -- stdout
    Undid #2 (forget):
      + project_release.md  +8 -0
      + user_role.md  +8 -0
      ~ MEMORY.md  +2 -0
    `memdir undo 3` takes that back, `memdir diff 3` shows it
    -- stderr
    ");
    assert_eq!((names(&fixture), index()), before);
}

#[test]
fn a_dry_run_and_a_wrong_name_change_nothing() {
    let fixture = Fixture::with_some();
    let before = names(&fixture);
    assert_snapshot!(fixture.run(&["forget", "user_role", "--dry-run"]), @r#"
    exit 0
    -- stdout
    Would forget user_role.md: "Writes Rust, reads Go"
    -- stderr
    "#);
    assert_snapshot!(fixture.run(&["forget", "user_role", "--dry-run", "--json"]), @r#"
    exit 0
    -- stdout
    {
      "dry_run": true,
      "forgotten": [
        {
          "path": "user_role.md",
          "type": "user",
          "description": "Writes Rust, reads Go"
        }
      ],
      "operation": null,
      "warnings": []
    }
    -- stderr
    "#);
    assert_snapshot!(fixture.run(&["forget", "user_role", "user_rule"]), @"
    exit 1
    -- stdout
    -- stderr
    error: there is no memory `user_rule`
      did you mean `user_role`?
    ");
    assert_snapshot!(fixture.run(&["forget", "../outside"]), @"
    exit 1
    -- stdout
    -- stderr
    error: `../outside` cannot be a memory: the path has `.` or `..` as a part: name the file directly
      `memdir list` shows what there is
    ");
    assert_snapshot!(fixture.run(&["forget"]), @"
    exit 2
    -- stdout
    -- stderr
    error: the following required arguments were not provided:
      <NAME>...

    Usage: memdir forget <NAME>...

    For more information, try '--help'.
    ");
    assert_eq!(names(&fixture), before);
}

#[test]
fn json_has_the_operation() {
    let fixture = Fixture::with_some();
    assert_snapshot!(fixture.run(&["forget", "user_role", "--json"]), @r#"
    exit 0
    -- stdout
    {
      "dry_run": false,
      "forgotten": [
        {
          "path": "user_role.md",
          "type": "user",
          "description": "Writes Rust, reads Go"
        }
      ],
      "operation": 2,
      "warnings": []
    }
    -- stderr
    "#);
}

#[test]
fn a_team_memory_leaves_the_index_of_the_team() {
    let fixture = Fixture::new();
    fixture.topic(
        "team/review.md",
        1,
        "feedback",
        "Two pairs of eyes",
        "Two pairs of eyes.",
    );
    fixture.file(
        "team/MEMORY.md",
        1,
        "- [Review](review.md) — two pairs of eyes\n- [Other](other.md)\n",
    );
    assert_snapshot!(fixture.run(&["forget", "review"]), @r#"
    exit 0
    -- stdout
    Forgot team/review.md: "Two pairs of eyes"
    `memdir undo` brings it back
    -- stderr
    "#);
    let index = fs::read_to_string(fixture.memory_dir().join("team/MEMORY.md")).unwrap();
    assert_snapshot!(index, @"- [Other](other.md)");
}
