//! `memdir audit`.

use std::os::unix::fs::symlink;

use insta::assert_snapshot;
use memdir_testkit::tree::fingerprint;

use crate::fixture::Fixture;

/// Put together here, so that no scanner takes this file for a leak.
fn token() -> String {
    ["ghp_", "aB3dE6gH9jK2mN5p", "Q8sT1vW4yZ7bC0eF3hJ6"].concat()
}

#[test]
fn clean_memories_pass() {
    let fixture = Fixture::new();
    fixture.topic(
        "user_role.md",
        3,
        "user",
        "Writes Rust",
        "Ten years of Rust.",
    );
    fixture.file("MEMORY.md", 0, "- [Role](user_role.md) — writes Rust\n");
    assert_snapshot!(fixture.run(&["audit"]), @"
    exit 0
    -- stdout
    2 files in ~/.claude/projects/[-PROJECT]/memory

    ok    secrets        none
    ok    hidden text    none
    ok    index          none
    ok    unreadable     none
    ok    headers        none
    ok    near-copies    none
    ok    expired        none
    ok    too large      none
    ok    cut by recall  none
    ok    stale          none
    ok    origin         none
    ok    links          none

    0 warnings, 0 notes
    -- stderr
    ");
}

#[test]
fn nothing_there_is_nothing_wrong() {
    let fixture = Fixture::new();
    assert_snapshot!(fixture.run(&["audit"]), @"
    exit 0
    -- stdout
    There is nothing to audit in ~/.claude/projects/[-PROJECT]/memory.
    -- stderr
    ");
}

/// One of every fault.
fn faulty() -> Fixture {
    let fixture = Fixture::new();
    fixture.topic(
        "reference_api.md",
        0,
        "reference",
        "The API",
        &format!("The key:\n{}", token()),
    );
    fixture.topic(
        "sly.md",
        0,
        "user",
        "Sly",
        "Nothing\u{202E} here\u{E0041}\u{E0042}.",
    );
    fixture.topic(
        "feedback_tabs.md",
        1,
        "feedback",
        "Use tabs in Makefiles",
        "Use tabs in Makefiles.",
    );
    fixture.topic(
        "feedback_no_tabs.md",
        2,
        "feedback",
        "Never use tabs in Makefiles",
        "Never use tabs in Makefiles.",
    );
    fixture.topic_with(
        "past.md",
        9,
        "project",
        "Frozen",
        &["expires: 2020-02-29"],
        "Frozen builds.",
    );
    fixture.topic(
        "old_project.md",
        31,
        "project",
        "Moving the cluster",
        "Cluster moves.",
    );
    fixture.topic(
        "old_user.md",
        31,
        "user",
        "Likes short answers",
        "Short answers.",
    );
    fixture.topic_with(
        "web.md",
        0,
        "reference",
        "From the web",
        &["source: tool"],
        "See [[nowhere]].",
    );
    fixture.topic(
        "long.md",
        0,
        "reference",
        "Long",
        &"A line of some length.\n".repeat(300),
    );
    fixture.topic(
        "huge.md",
        0,
        "reference",
        "Huge",
        &"Some other words in here.\n".repeat(2000),
    );
    fixture.file("bare.md", 0, "Text alone.\n");
    fixture.file(
        "broken.md",
        0,
        "---\nname: broken\ntype: opinion\n\nNever closed.\n",
    );
    symlink("/etc/passwd", fixture.memory_dir().join("link.md")).unwrap();
    let indexed = [
        "reference_api",
        "sly",
        "feedback_tabs",
        "feedback_tabs",
        "gone",
        "../up",
    ];
    let index: String = indexed
        .iter()
        .map(|name| format!("- [{name}]({name}.md) — x\n"))
        .collect();
    fixture.file("MEMORY.md", 0, index);
    fixture
}

#[test]
fn one_of_every_fault() {
    let outcome = faulty().run(&["audit"]);
    assert!(!outcome.to_string().contains(&token()));
    assert_snapshot!(outcome, @"
    exit 1
    -- stdout
    14 files in ~/.claude/projects/[-PROJECT]/memory

    warn  secrets        1, in 1 of 14 files (7 %)
            reference_api.md:9  github-personal-token: GitHub personal access token
            change the secret, then `memdir purge NAME`: `edit` alone leaves it in the history
    warn  hidden text    2, in 1 of 14 files (7 %)
            sly.md:8:8  1 direction control
            sly.md:8:14  2 tag characters
            `memdir show NAME` shows where; `memdir edit NAME` takes it out
    warn  index          12, in 10 of 14 files (71 %)
            MEMORY.md:5  leads to gone.md, which is not there
            bare.md  has no line in MEMORY.md
            broken.md  has no line in MEMORY.md
            old_user.md  has no line in MEMORY.md
            feedback_no_tabs.md  has no line in MEMORY.md
            old_project.md  has no line in MEMORY.md
            past.md  has no line in MEMORY.md
            huge.md  has no line in MEMORY.md
            long.md  has no line in MEMORY.md
            web.md  has no line in MEMORY.md
            MEMORY.md:4  line 4 leads to feedback_tabs.md, as line 3 does already
            MEMORY.md:6  line 6 leads to `../up.md`: the path has `.` or `..` as a part: name the file directly
            `memdir index --rebuild` mends lines that are dead, missing or double
    warn  unreadable     1, in 1 of 14 files (7 %)
            link.md  it is a symbolic link
            `memdir doctor` says what to do
    warn  headers        4, in 2 of 14 files (14 %)
            broken.md  the header is not closed: put a line `---` after its last key
            broken.md  the header has no description, which decides whether the memory is recalled
            broken.md  the header's type is none of user, feedback, project and reference
            bare.md  the file has no header: nothing describes it, so that it is hard to find again
            `memdir edit NAME`; without a description a memory is hardly ever recalled
    warn  near-copies    1, in 1 of 14 files (7 %)
            feedback_no_tabs.md  85 % like feedback_tabs.md, but one seems to deny what the other says
            keep one: `memdir show` both, then `memdir forget` the other
    warn  expired        1, in 1 of 14 files (7 %)
            past.md  expired 2020-02-29
            `memdir forget NAME`, or give it another end with `memdir edit NAME`
    warn  too large      1, in 1 of 14 files (7 %)
            huge.md  52,067 bytes
            a memory is a page at most; move the rest elsewhere and link to it
    note  cut by recall  1, in 1 of 14 files (7 %)
            long.md  6,967 bytes, 308 lines
            put what matters first, or split it
    note  stale          1, in 1 of 14 files (7 %)
            old_project.md  31 days old
            still true? `memdir edit NAME`, or `memdir forget NAME`
    note  origin         1, in 1 of 14 files (7 %)
            web.md  from tool
            these inform an agent but never instruct it
    note  links          1, in 1 of 14 files (7 %)
            web.md:9  [[nowhere]] leads to nothing
            a link to nothing is allowed; it may be a typing mistake

    22 warnings, 5 notes
    -- stderr
    ");
}

#[test]
fn json() {
    let fixture = Fixture::new();
    fixture.topic(
        "reference_api.md",
        0,
        "reference",
        "The API",
        &format!("The key:\n{}", token()),
    );
    fixture.topic(
        "web.md",
        0,
        "reference",
        "From\u{200B} the web",
        "See [[nowhere]].",
    );
    fixture.file(
        "MEMORY.md",
        0,
        "- [API](reference_api.md)\n- [Web](web.md)\n",
    );
    let outcome = fixture.run(&["audit", "--json"]);
    assert!(!outcome.to_string().contains(&token()));
    assert_snapshot!(outcome, @r#"
    exit 1
    -- stdout
    {
      "files": 3,
      "warnings": 2,
      "notes": 1,
      "kinds": [
        {
          "kind": "secret",
          "count": 1,
          "files": 1,
          "rate": 0.333,
          "findings": [
            {
              "level": "warning",
              "path": "reference_api.md",
              "line": 9,
              "column": null,
              "what": "github-personal-token: GitHub personal access token"
            }
          ]
        },
        {
          "kind": "hidden",
          "count": 1,
          "files": 1,
          "rate": 0.333,
          "findings": [
            {
              "level": "warning",
              "path": "web.md",
              "line": 3,
              "column": 18,
              "what": "1 zero-width character"
            }
          ]
        },
        {
          "kind": "index",
          "count": 0,
          "files": 0,
          "rate": 0.0,
          "findings": []
        },
        {
          "kind": "unreadable",
          "count": 0,
          "files": 0,
          "rate": 0.0,
          "findings": []
        },
        {
          "kind": "header",
          "count": 0,
          "files": 0,
          "rate": 0.0,
          "findings": []
        },
        {
          "kind": "near-copy",
          "count": 0,
          "files": 0,
          "rate": 0.0,
          "findings": []
        },
        {
          "kind": "expired",
          "count": 0,
          "files": 0,
          "rate": 0.0,
          "findings": []
        },
        {
          "kind": "large",
          "count": 0,
          "files": 0,
          "rate": 0.0,
          "findings": []
        },
        {
          "kind": "cut",
          "count": 0,
          "files": 0,
          "rate": 0.0,
          "findings": []
        },
        {
          "kind": "stale",
          "count": 0,
          "files": 0,
          "rate": 0.0,
          "findings": []
        },
        {
          "kind": "origin",
          "count": 0,
          "files": 0,
          "rate": 0.0,
          "findings": []
        },
        {
          "kind": "link",
          "count": 1,
          "files": 1,
          "rate": 0.333,
          "findings": [
            {
              "level": "note",
              "path": "web.md",
              "line": 8,
              "column": null,
              "what": "[[nowhere]] leads to nothing"
            }
          ]
        }
      ]
    }
    -- stderr
    "#);
}

#[test]
fn many_places_are_cut_unless_all_are_asked_for() {
    let fixture = Fixture::new();
    let subjects = ["ants", "bees", "cats", "dogs", "elks"];
    let verbs = ["eat", "sleep", "swim", "walk", "jump"];
    let mut index = String::new();
    for (at, subject) in subjects.iter().enumerate() {
        for (also, verb) in verbs.iter().enumerate() {
            let name = format!("old_{at}_{also}.md");
            fixture.topic(&name, 100, "user", &format!("{subject} {verb}"), "");
            index.push_str(&format!("- [Old]({name})\n"));
        }
    }
    fixture.file("MEMORY.md", 0, index);
    let few = fixture.run(&["audit"]);
    assert!(few.stdout().contains("… and 5 more (--all)"), "{few}");
    let all = fixture.run(&["audit", "--all"]);
    assert_eq!(all.stdout().matches("100 days old").count(), 25, "{all}");
    assert_eq!(all.code(), Some(0), "notes alone are no failure: {all}");
}

#[test]
fn an_audit_changes_nothing() {
    let fixture = faulty();
    let before = fingerprint(fixture.sandbox.root()).unwrap();
    fixture.run(&["audit"]);
    assert_eq!(fingerprint(fixture.sandbox.root()).unwrap(), before);
}

#[test]
fn a_secret_in_a_daily_log_is_found_too() {
    let fixture = Fixture::new();
    fixture.file(
        "logs/2026/11/2026-11-15.md",
        0,
        format!("- 10:00 {}\n", token()),
    );
    let answer = fixture.run(&["audit"]).to_string();
    assert!(answer.contains("logs/2026/11/2026-11-15.md:1"), "{answer}");
    assert!(!answer.contains(&token()));
}
