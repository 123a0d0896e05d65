//! `memdir rename`.

use std::fs;

use insta::assert_snapshot;
use memdir_testkit::tree;

use crate::fixture::Fixture;

fn memories(fixture: &Fixture) -> String {
    tree::render(&tree::read(&fixture.memory_dir()).unwrap())
}

#[test]
fn file_header_index_and_links_follow() {
    let fixture = Fixture::with_some();
    let modified = |name: &str| {
        fs::metadata(fixture.memory_dir().join(name))
            .unwrap()
            .modified()
            .unwrap()
    };
    let before = (
        modified("user_role.md"),
        modified("feedback_no_push_on_friday.md"),
    );
    assert_snapshot!(fixture.run(&["rename", "user_role", "user_background"]), @"
    exit 0
    -- stdout
    Renamed user_role.md to user_background.md
    links follow in 1 memory: feedback_no_push_on_friday.md
    `memdir undo` takes it back
    -- stderr
    ");
    assert_snapshot!(memories(&fixture), @"
    MEMORY.md
      | - [Role](user_background.md) — writes Rust
      | - [No push on Friday](feedback_no_push_on_friday.md) — not even a small fix
      | - [Release](project_release.md) — the day of 2.0
    feedback_no_push_on_friday.md
      | ---
      | name: feedback-no-push-on-friday
      | description: Never push to main on a Friday
      | metadata:
      |   type: feedback
      |   source: user
      | ---
      |
      | Never push to main on a Friday.
      |
      | **Why:** nobody is there on Saturday. See [[background]] and [[on-call]].
    project_release.md
      | ---
      | name: project-release
      | description: 2.0 is out on 2026-12-01
      | metadata:
      |   type: project
      | ---
      |
      | Release on 2026-12-01.
    user_background.md
      | ---
      | name: background
      | description: Writes Rust, reads Go
      | metadata:
      |   type: user
      | ---
      |
      | Ten years of Rust, new to Go.
    ");
    assert_eq!(
        (
            modified("user_background.md"),
            modified("feedback_no_push_on_friday.md")
        ),
        before
    );
    assert_snapshot!(fixture.run(&["history", "user_background"]), @"
    exit 0
    -- stdout
    #2  [TIME]  user     rename      + user_background.md, - user_role.md, ~ MEMORY.md, ~ feedback_no_push_on_friday.md
    #1  [TIME]  outside  first seen  + MEMORY.md, + feedback_no_push_on_friday.md, + project_release.md, + user_role.md
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["undo"]), @"
    exit 0
    -- stdout
    Undid #2 (rename):
      - user_background.md  +0 -8
      + user_role.md  +8 -0
      ~ MEMORY.md  +1 -1
      ~ feedback_no_push_on_friday.md  +1 -1
    `memdir undo 3` takes that back, `memdir diff 3` shows it
    -- stderr
    ");
    assert_eq!(modified("user_role.md"), before.0);
}

#[test]
fn a_name_may_be_words() {
    let fixture = Fixture::with_some();
    assert_snapshot!(fixture.run(&["rename", "project_release", "The day of 2.0", "--json"]), @r#"
    exit 0
    -- stdout
    {
      "dry_run": false,
      "old": "project_release.md",
      "new": "project_day_2_0.md",
      "name": "The day of 2.0",
      "links": [],
      "operation": 2,
      "warnings": []
    }
    -- stderr
    "#);
    assert_snapshot!(fixture.run(&["show", "--raw", "The day of 2.0"]), @"
    exit 0
    -- stdout
    ---
    name: The day of 2.0
    description: 2.0 is out on 2026-12-01
    metadata:
      type: project
    ---

    Release on 2026-12-01.
    -- stderr
    ");
}

#[test]
fn a_dry_run_changes_nothing() {
    let fixture = Fixture::with_some();
    let before = tree::fingerprint(&fixture.memory_dir()).unwrap();
    assert_snapshot!(fixture.run(&["rename", "user_role", "background.md", "--dry-run"]), @"
    exit 0
    -- stdout
    Would rename user_role.md to background.md
    links follow in 1 memory: feedback_no_push_on_friday.md
    -- stderr
    ");
    assert_eq!(tree::fingerprint(&fixture.memory_dir()).unwrap(), before);
}

#[test]
fn names_that_are_taken_or_impossible_are_refused() {
    let fixture = Fixture::with_some();
    let before = tree::fingerprint(&fixture.memory_dir()).unwrap();
    assert_snapshot!(fixture.run(&["rename", "user_role", "Project_Release"]), @"
    exit 1
    -- stdout
    -- stderr
    error: there is a memory project_release.md already
      choose another name, or `memdir forget project_release` first
    ");
    assert_snapshot!(fixture.run(&["rename", "user_role", "user_role.md"]), @"
    exit 1
    -- stdout
    -- stderr
    error: user_role.md is its name already
      choose another name
    ");
    assert_snapshot!(fixture.run(&["rename", "user_role", "../role"]), @"
    exit 1
    -- stdout
    -- stderr
    error: `../role` cannot be the name of a memory: the path has `.` or `..` as a part: name the file directly
      choose another name
    ");
    assert_snapshot!(fixture.run(&["rename", "user_role", "memory"]), @"
    exit 1
    -- stdout
    -- stderr
    error: memory.md is the index, not a memory
      choose another name
    ");
    assert_snapshot!(fixture.run(&["rename", "user_role", "logs/role"]), @"
    exit 1
    -- stdout
    -- stderr
    error: logs/role.md is in the folder of daily logs, not a memory
      choose another name
    ");
    assert_snapshot!(fixture.run(&["rename", "user_role", " "]), @"
    exit 1
    -- stdout
    -- stderr
    error: ` ` cannot be the name of a memory: the name is empty
      choose another name
    ");
    assert_snapshot!(fixture.run(&["rename", "user_rolle", "role"]), @"
    exit 1
    -- stdout
    -- stderr
    error: there is no memory `user_rolle`
      did you mean `user_role`?
    ");
    assert_eq!(tree::fingerprint(&fixture.memory_dir()).unwrap(), before);
}

#[test]
fn an_ending_makes_no_name_of_what_is_none() {
    let fixture = Fixture::with_some();
    for name in [
        "memory.MD",
        "x.md ",
        "x.md.",
        "NUL",
        "a b/../c",
        "C:x",
        "~x",
        "x\ny.md",
    ] {
        let outcome = fixture.run(&["rename", "user_role", "--", name]);
        assert_eq!(outcome.code(), Some(1), "{name:?}: {outcome}");
    }
}

#[test]
fn a_memory_stays_in_its_folder_unless_another_is_named() {
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
        "- [team-review](review.md) — Two pairs of eyes\n",
    );
    fixture.run(&["rename", "review", "reviews"]);
    assert_snapshot!(memories(&fixture), @"
    team/
    team/MEMORY.md
      | - [reviews](reviews.md) — Two pairs of eyes
    team/reviews.md
      | ---
      | name: reviews
      | description: Two pairs of eyes
      | metadata:
      |   type: feedback
      | ---
      |
      | Two pairs of eyes.
    ");
    fixture.run(&["rename", "team/reviews", "mine/reviews"]);
    assert_snapshot!(memories(&fixture), @"
    MEMORY.md
      | - [reviews](mine/reviews.md) — Two pairs of eyes
    mine/
    mine/reviews.md
      | ---
      | name: reviews
      | description: Two pairs of eyes
      | metadata:
      |   type: feedback
      | ---
      |
      | Two pairs of eyes.
    team/
    team/MEMORY.md
    ");
}

#[test]
fn a_file_without_a_header_gets_none() {
    let fixture = Fixture::new();
    fixture.file("notes.md", 1, "Only text.\n");
    fixture.run(&["rename", "notes", "remarks"]);
    assert_snapshot!(memories(&fixture), @"
    remarks.md
      | Only text.
    ");
}

#[test]
fn a_secret_in_a_name_is_refused_and_not_repeated() {
    let fixture = Fixture::with_some();
    let token = format!("ghp_{}", "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6");
    assert_snapshot!(fixture.run(&["rename", "user_role", &token]), @"
    exit 1
    -- stdout
    -- stderr
    error: the name was not saved: line 1 looks like a secret (rule github-personal-token: GitHub personal access token)
      say where the secret is kept instead of what it is; nothing was written
    ");
}
