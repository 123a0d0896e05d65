//! A dream that waits for the user's word.

use insta::assert_snapshot;

use crate::dream::{tidy, with_model};

#[test]
fn what_would_lose_too_much_waits() {
    let (fixture, _server) = with_model(tidy());
    let run = |words: &[&str]| {
        let mut all = words.to_vec();
        all.extend(["--set", "dream.max_loss=10"]);
        fixture.run(&all)
    };
    assert_snapshot!(run(&["dream", "--show"]), @"
    exit 0
    -- stdout
    No proposal waits.
    -- stderr
    ");
    let before = fixture.run(&["list"]).to_string();
    assert_snapshot!(run(&["dream", "--json"]), @r#"
    exit 0
    -- stdout
    {
      "fate": "proposed",
      "operation": null,
      "because": [
        "1 of 4 memories would be lost, and at most 10 of 100 may be (dream.max_loss)"
      ],
      "merged": [],
      "removed": [
        "project_release.md"
      ],
      "lost": [
        "project_release.md"
      ],
      "mended": [
        "MEMORY.md: a line for feedback_short.md"
      ],
      "inbox": [],
      "denied": [
        "Write [HOME]/.claude/projects/x.md: this run may write only memories: name a .md file beneath the memory directory"
      ],
      "files": [
        {
          "path": "MEMORY.md",
          "change": "changed",
          "added": 1,
          "removed": 1,
          "diff": "--- a/MEMORY.md\n+++ b/MEMORY.md\n@@ -1,3 +1,3 @@\n - [Role](user_role.md) — writes Rust\n - [No push on Friday](feedback_no_push_on_friday.md) — not even a small fix\n-- [Release](project_release.md) — the day of 2.0\n+- [feedback-short](feedback_short.md) — Short answers\n"
        },
        {
          "path": "project_release.md",
          "change": "removed",
          "added": 0,
          "removed": 8,
          "diff": "--- a/project_release.md\n+++ /dev/null\n@@ -1,8 +0,0 @@\n----\n-name: project-release\n-description: 2.0 is out on 2026-12-01\n-metadata:\n-  type: project\n----\n-\n-Release on 2026-12-01.\n"
        },
        {
          "path": "user_role.md",
          "change": "changed",
          "added": 1,
          "removed": 1,
          "diff": "--- a/user_role.md\n+++ b/user_role.md\n@@ -5,4 +5,4 @@\n   type: user\n ---\n \n-Ten years of Rust, new to Go.\n+New to Go, ten years of Rust.\n"
        }
      ],
      "requests": 3,
      "calls": 5,
      "cost_usd": 0.006124,
      "warnings": []
    }
    -- stderr
    "#);
    assert_eq!(fixture.run(&["list"]).to_string(), before);
    assert_snapshot!(run(&["dream", "--show"]), @"
    exit 0
    -- stdout
    Nothing was changed: a proposal for 3 files waits for you.
      because 1 of 4 memories would be lost, and at most 10 of 100 may be (dream.max_loss)
      removed project_release.md
      changed MEMORY.md  +1 -1
      changed user_role.md  +1 -1
    --- a/MEMORY.md
    +++ b/MEMORY.md
    @@ -1,3 +1,3 @@
     - [Role](user_role.md) — writes Rust
     - [No push on Friday](feedback_no_push_on_friday.md) — not even a small fix
    -- [Release](project_release.md) — the day of 2.0
    +- [feedback-short](feedback_short.md) — Short answers
    --- a/project_release.md
    +++ /dev/null
    @@ -1,8 +0,0 @@
    ----
    -name: project-release
    -description: 2.0 is out on 2026-12-01
    -metadata:
    -  type: project
    ----
    -
    -Release on 2026-12-01.
    --- a/user_role.md
    +++ b/user_role.md
    @@ -5,4 +5,4 @@
       type: user
     ---
     
    -Ten years of Rust, new to Go.
    +New to Go, ten years of Rust.
    `memdir dream --apply` applies it, `memdir dream --discard` lets it go, `memdir dream --show` shows it again
    -- stderr
    ");
    assert_snapshot!(run(&["dream", "--apply"]), @"
    exit 0
    -- stdout
    Tidied up: #2 changed 3 files.
      removed project_release.md
      changed MEMORY.md  +1 -1
      changed user_role.md  +1 -1
    --- a/MEMORY.md
    +++ b/MEMORY.md
    @@ -1,3 +1,3 @@
     - [Role](user_role.md) — writes Rust
     - [No push on Friday](feedback_no_push_on_friday.md) — not even a small fix
    -- [Release](project_release.md) — the day of 2.0
    +- [feedback-short](feedback_short.md) — Short answers
    --- a/project_release.md
    +++ /dev/null
    @@ -1,8 +0,0 @@
    ----
    -name: project-release
    -description: 2.0 is out on 2026-12-01
    -metadata:
    -  type: project
    ----
    -
    -Release on 2026-12-01.
    --- a/user_role.md
    +++ b/user_role.md
    @@ -5,4 +5,4 @@
       type: user
     ---
     
    -Ten years of Rust, new to Go.
    +New to Go, ten years of Rust.
    `memdir undo` takes all of it back
    -- stderr
    ");
    assert_snapshot!(run(&["dream", "--apply"]), @"
    exit 0
    -- stdout
    No proposal waits.
    -- stderr
    ");
    fixture.run(&["undo"]);
    assert_eq!(fixture.run(&["list"]).to_string(), before);
}

#[test]
fn a_proposal_that_is_let_go_is_gone() {
    let (fixture, _server) = with_model(tidy());
    fixture.run(&["dream", "--set", "dream.mode=ask"]);
    assert_snapshot!(fixture.run(&["dream", "--discard"]), @"
    exit 0
    -- stdout
    The proposal is gone; nothing was changed.
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["dream", "--discard"]), @"
    exit 0
    -- stdout
    No proposal waits.
    -- stderr
    ");
}

#[test]
fn a_proposal_about_other_memories_is_refused() {
    let (fixture, _server) = with_model(tidy());
    fixture.run(&["dream", "--set", "dream.mode=ask"]);
    fixture.topic("user_role.md", 0, "user", "Writes Zig", "Only Zig.");
    assert_snapshot!(fixture.run(&["dream", "--apply"]), @"
    exit 1
    -- stdout
    -- stderr
    error: user_role.md is not what it was when the proposal was made; nothing was changed
      `memdir dream` makes a new one, `memdir dream --discard` lets it go
    ");
}
