//! `memdir remember`: what becomes of a text.

use std::fs;

use insta::assert_snapshot;
use memdir_testkit::tree;

use crate::fixture::Fixture;

pub(crate) fn memories(fixture: &Fixture) -> String {
    tree::render(&tree::read(&fixture.memory_dir()).unwrap())
}

#[test]
fn a_sentence_becomes_a_file_and_an_index_line() {
    let fixture = Fixture::new();
    assert_snapshot!(fixture.run(&["remember", "Never push to main on a Friday. Nobody is there on Saturday."]), @r#"
    exit 0
    -- stdout
    Remembered feedback_never_push_main_friday.md (feedback): "Never push to main on a Friday."
    in ~/.claude/projects/[-PROJECT]/memory
    guessed type feedback and name never-push-main-friday; `--type`, `--name`, `--description` set them
    `memdir undo` takes it back
    -- stderr
    "#);
    assert_snapshot!(memories(&fixture), @"
    MEMORY.md
      | - [never-push-main-friday](feedback_never_push_main_friday.md) — Never push to main on a Friday.
    feedback_never_push_main_friday.md
      | ---
      | name: never-push-main-friday
      | description: Never push to main on a Friday.
      | metadata:
      |   type: feedback
      |   source: user
      | ---
      |
      | Never push to main on a Friday. Nobody is there on Saturday.
    ");
    assert_snapshot!(fixture.run(&["history"]), @"
    exit 0
    -- stdout
    #1  [TIME]  user  remember  + feedback_never_push_main_friday.md, + MEMORY.md
    -- stderr
    ");
}

#[test]
fn words_need_no_quotes_and_every_guess_can_be_overruled() {
    let fixture = Fixture::new();
    let words = ["remember", "Ask", "Ada", "about", "billing"];
    let flags = [
        "--type",
        "reference",
        "--name",
        "Billing: whom to ask",
        "--description",
        "Who knows billing",
    ];
    assert_snapshot!(fixture.run(&[&words[..], &flags[..]].concat()), @r#"
    exit 0
    -- stdout
    Remembered reference_billing_whom_ask.md (reference): "Who knows billing"
    in ~/.claude/projects/[-PROJECT]/memory
    `memdir undo` takes it back
    -- stderr
    "#);
    assert_snapshot!(memories(&fixture), @r#"
    MEMORY.md
      | - [Billing: whom to ask](reference_billing_whom_ask.md) — Who knows billing
    reference_billing_whom_ask.md
      | ---
      | name: "Billing: whom to ask"
      | description: Who knows billing
      | metadata:
      |   type: reference
      |   source: user
      | ---
      |
      | Ask Ada about billing
    "#);
}

#[test]
fn json_says_what_was_guessed() {
    let fixture = Fixture::new();
    assert_snapshot!(fixture.run(&["remember", "I am a data scientist", "--json"]), @r#"
    exit 0
    -- stdout
    {
      "done": "remembered",
      "dry_run": false,
      "path": "user_data_scientist.md",
      "file": "[HOME]/.claude/projects/[-PROJECT]/memory/user_data_scientist.md",
      "type": "user",
      "name": "data-scientist",
      "description": "I am a data scientist",
      "expires": null,
      "guessed": [
        "type",
        "name",
        "description"
      ],
      "dates": [],
      "index_line": "- [data-scientist](user_data_scientist.md) — I am a data scientist",
      "nearest": null,
      "operation": 1,
      "warnings": []
    }
    -- stderr
    "#);
    assert_snapshot!(fixture.run(&["remember", "i am a data scientist", "--json"]), @r#"
    exit 0
    -- stdout
    {
      "done": "known",
      "dry_run": false,
      "path": "user_data_scientist.md",
      "file": "[HOME]/.claude/projects/[-PROJECT]/memory/user_data_scientist.md",
      "type": "user",
      "name": "data-scientist",
      "description": "I am a data scientist",
      "expires": null,
      "guessed": [],
      "dates": [],
      "index_line": null,
      "nearest": null,
      "operation": null,
      "warnings": []
    }
    -- stderr
    "#);
}

#[test]
fn a_dry_run_shows_the_file_and_writes_nothing() {
    let fixture = Fixture::new();
    assert_snapshot!(fixture.run(&["remember", "Use tabs", "--dry-run"]), @r#"
    exit 0
    -- stdout
    Would remember feedback_use_tabs.md (feedback): "Use tabs"
    in ~/.claude/projects/[-PROJECT]/memory
    guessed type feedback and name use-tabs; `--type`, `--name`, `--description` set them

    --- /dev/null
    +++ b/feedback_use_tabs.md
    @@ -0,0 +1,9 @@
    +---
    +name: use-tabs
    +description: Use tabs
    +metadata:
    +  type: feedback
    +  source: user
    +---
    +
    +Use tabs
    and in MEMORY.md:
    - [use-tabs](feedback_use_tabs.md) — Use tabs
    -- stderr
    "#);
    assert_snapshot!(fixture.run(&["remember", "Use tabs", "--dry-run", "--json"]), @r#"
    exit 0
    -- stdout
    {
      "done": "remembered",
      "dry_run": true,
      "path": "feedback_use_tabs.md",
      "file": "[HOME]/.claude/projects/[-PROJECT]/memory/feedback_use_tabs.md",
      "type": "feedback",
      "name": "use-tabs",
      "description": "Use tabs",
      "expires": null,
      "guessed": [
        "type",
        "name",
        "description"
      ],
      "dates": [],
      "index_line": "- [use-tabs](feedback_use_tabs.md) — Use tabs",
      "nearest": null,
      "operation": null,
      "warnings": []
    }
    -- stderr
    "#);
    assert!(!fixture.sandbox.home().join(".claude").exists());
}

#[test]
fn what_a_memory_already_says_is_not_saved_again() {
    let fixture = Fixture::with_some();
    let before = memories(&fixture);
    assert_snapshot!(fixture.run(&["remember", "never push to MAIN on a friday!"]), @r#"
    exit 0
    -- stdout
    Nothing changed; this is known already: feedback_no_push_on_friday.md (feedback): "Never push to main on a Friday"
    `memdir show feedback_no_push_on_friday` prints it whole
    -- stderr
    "#);
    assert_snapshot!(fixture.run(&["remember", "Nobody is there on Saturday"]), @r#"
    exit 0
    -- stdout
    Nothing changed; this is known already: feedback_no_push_on_friday.md (feedback): "Never push to main on a Friday"
    `memdir show feedback_no_push_on_friday` prints it whole
    -- stderr
    "#);
    assert_eq!(memories(&fixture), before);
}

#[test]
fn the_opposite_is_saved_and_the_nearest_is_named() {
    let fixture = Fixture::with_some();
    assert_snapshot!(fixture.run(&["remember", "Push to main on a Friday"]), @r#"
    exit 0
    -- stdout
    Remembered project_push_main_friday.md (project): "Push to main on a Friday"
    in ~/.claude/projects/[-PROJECT]/memory
    guessed type project and name push-main-friday; `--type`, `--name`, `--description` set them
    nearest: feedback_no_push_on_friday.md, which may say the opposite; to update it instead: `memdir undo`, then again with `--into feedback_no_push_on_friday`
    `memdir undo` takes it back
    -- stderr
    "#);
    assert_snapshot!(fixture.run(&["remember", "Push to main on a quiet Friday", "--dry-run"]), @r#"
    exit 0
    -- stdout
    Would remember project_push_main_quiet_friday.md (project): "Push to main on a quiet Friday"
    in ~/.claude/projects/[-PROJECT]/memory
    guessed type project and name push-main-quiet-friday; `--type`, `--name`, `--description` set them
    nearest: project_push_main_friday.md; `--into project_push_main_friday` updates it instead

    --- /dev/null
    +++ b/project_push_main_quiet_friday.md
    @@ -0,0 +1,9 @@
    +---
    +name: push-main-quiet-friday
    +description: Push to main on a quiet Friday
    +metadata:
    +  type: project
    +  source: user
    +---
    +
    +Push to main on a quiet Friday
    and in MEMORY.md:
    - [push-main-quiet-friday](project_push_main_quiet_friday.md) — Push to main on a quiet Friday
    -- stderr
    "#);
}

#[test]
fn a_text_may_go_into_a_memory_that_there_is() {
    let fixture = Fixture::with_some();
    let into = [
        "remember",
        "Fridays are for reviews.",
        "--into",
        "feedback_no_push",
    ];
    assert_snapshot!(fixture.run(&[&into[..], &["--dry-run"]].concat()), @r#"
    exit 0
    -- stdout
    Would update feedback_no_push_on_friday.md (feedback): "Never push to main on a Friday"
    in ~/.claude/projects/[-PROJECT]/memory
    --- a/feedback_no_push_on_friday.md
    +++ b/feedback_no_push_on_friday.md
    @@ -9,3 +9,5 @@
     Never push to main on a Friday.
     
     **Why:** nobody is there on Saturday. See [[user-role]] and [[on-call]].
    +
    +Fridays are for reviews.
    -- stderr
    "#);
    assert_snapshot!(fixture.run(&into), @r#"
    exit 0
    -- stdout
    Updated feedback_no_push_on_friday.md (feedback): "Never push to main on a Friday"
    in ~/.claude/projects/[-PROJECT]/memory
    --- a/feedback_no_push_on_friday.md
    +++ b/feedback_no_push_on_friday.md
    @@ -9,3 +9,5 @@
     Never push to main on a Friday.
     
     **Why:** nobody is there on Saturday. See [[user-role]] and [[on-call]].
    +
    +Fridays are for reviews.
    `memdir undo` takes it back
    -- stderr
    "#);
    assert_snapshot!(fixture.run(&into), @r#"
    exit 0
    -- stdout
    Nothing changed; this is known already: feedback_no_push_on_friday.md (feedback): "Never push to main on a Friday"
    -- stderr
    "#);
    let file = fixture.memory_dir().join("feedback_no_push_on_friday.md");
    assert_snapshot!(fs::read_to_string(file).unwrap(), @"
    ---
    name: feedback-no-push-on-friday
    description: Never push to main on a Friday
    metadata:
      type: feedback
      source: user
    ---

    Never push to main on a Friday.

    **Why:** nobody is there on Saturday. See [[user-role]] and [[on-call]].

    Fridays are for reviews.
    ");
    assert_snapshot!(fixture.run(&["remember", "x", "--into", "nothing_like_it"]), @"
    exit 1
    -- stdout
    -- stderr
    error: there is no memory `nothing_like_it`
      `memdir list` shows what there is
    ");
}

#[test]
fn a_new_description_reaches_the_index_where_the_old_one_stood() {
    let fixture = Fixture::new();
    fixture.run(&["remember", "Use tabs", "--type", "feedback"]);
    let words = ["remember", "Makefiles need them.", "--into", "use-tabs"];
    let flags = [
        "--description",
        "Tabs everywhere",
        "--expires",
        "2999-12-31",
        "--json",
    ];
    assert_snapshot!(fixture.run(&[&words[..], &flags[..]].concat()), @r#"
    exit 0
    -- stdout
    {
      "done": "updated",
      "dry_run": false,
      "path": "feedback_use_tabs.md",
      "file": "[HOME]/.claude/projects/[-PROJECT]/memory/feedback_use_tabs.md",
      "type": "feedback",
      "name": "use-tabs",
      "description": "Tabs everywhere",
      "expires": "2999-12-31",
      "guessed": [],
      "dates": [],
      "index_line": null,
      "nearest": null,
      "operation": 2,
      "warnings": []
    }
    -- stderr
    "#);
    assert_snapshot!(memories(&fixture), @"
    MEMORY.md
      | - [use-tabs](feedback_use_tabs.md) — Tabs everywhere
    feedback_use_tabs.md
      | ---
      | name: use-tabs
      | description: Tabs everywhere
      | metadata:
      |   type: feedback
      |   source: user
      |   expires: 2999-12-31
      | ---
      |
      | Use tabs
      |
      | Makefiles need them.
    ");
}

#[test]
fn a_taken_name_gets_a_number_whatever_its_case() {
    let fixture = Fixture::new();
    fixture.file("FEEDBACK_TABS.md", 1, "Something else.\n");
    let remember = |text: &str| {
        let outcome = fixture.run(&[
            "remember", text, "--type", "feedback", "--name", "tabs", "--json",
        ]);
        let answer: serde_json::Value = serde_json::from_str(&outcome.stdout()).unwrap();
        answer["path"].as_str().unwrap().to_owned()
    };
    assert_eq!(remember("Use tabs in Go"), "feedback_tabs-2.md");
    assert_eq!(
        remember("Close browser pages after use"),
        "feedback_tabs-3.md"
    );
}

#[test]
fn everybody_who_takes_one_name_at_the_same_instant_survives() {
    let fixture = Fixture::new();
    let facts = [
        "red", "green", "blue", "black", "white", "grey", "pink", "brown",
    ];
    std::thread::scope(|scope| {
        for fact in facts {
            let text = format!("The door of house {fact} is painted {fact}");
            let fixture = &fixture;
            scope.spawn(move || {
                let outcome =
                    fixture.run(&["remember", &text, "--type", "project", "--name", "door"]);
                assert!(outcome.success(), "{outcome}");
            });
        }
    });
    let names = fs::read_dir(fixture.memory_dir()).unwrap();
    let mut names: Vec<String> = names
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_snapshot!(names.join("\n"), @"
    MEMORY.md
    project_door-2.md
    project_door-3.md
    project_door-4.md
    project_door-5.md
    project_door-6.md
    project_door-7.md
    project_door-8.md
    project_door.md
    ");
    assert_snapshot!(fixture.run(&["index", "--check"]), @"
    exit 0
    -- stdout
    Index and files agree.
    -- stderr
    ");
}

#[test]
fn what_holds_everywhere_is_kept_beside_all_projects() {
    let fixture = Fixture::new();
    assert_snapshot!(fixture.run(&["remember", "I work in Berlin", "--everywhere"]), @r#"
    exit 0
    -- stdout
    Remembered user_work_berlin.md (user): "I work in Berlin"
    in ~/.claude/memdir/everywhere, for all your projects
    guessed type user and name work-berlin; `--type`, `--name`, `--description` set them
    `memdir undo --everywhere` takes it back
    -- stderr
    "#);
    assert!(!fixture.memory_dir().exists());
    assert_snapshot!(fixture.run(&["undo", "--everywhere"]), @"
    exit 0
    -- stdout
    Undid #1 (remember):
      - user_work_berlin.md  +0 -9
      - MEMORY.md  +0 -1
    `memdir undo 2 --everywhere` takes that back, `memdir diff 2 --everywhere` shows it
    -- stderr
    ");
}

#[test]
fn hints_lead_to_the_same_place() {
    let fixture = Fixture::new();
    let elsewhere = fixture.sandbox.outside().join("my memories");
    let place = elsewhere.to_str().unwrap();
    assert_snapshot!(fixture.run(&["remember", "Use tabs", "--memory-dir", place]), @r#"
    exit 0
    -- stdout
    Remembered feedback_use_tabs.md (feedback): "Use tabs"
    in [OUTSIDE]/my memories
    guessed type feedback and name use-tabs; `--type`, `--name`, `--description` set them
    `memdir undo --memory-dir '[OUTSIDE]/my memories'` takes it back
    -- stderr
    "#);
}
