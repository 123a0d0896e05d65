//! `memdir recall`, `memdir why`, `memdir reindex`, `memdir bench recall`.

use std::fs;

use insta::assert_snapshot;
use serde_json::Value;

use crate::fixture::Fixture;

/// The answer as JSON, without the scores: how relevant something is, the ranker's own tests tell.
fn found(fixture: &Fixture, arguments: &[&str]) -> String {
    let outcome = fixture.run(&[&["recall", "--json"], arguments].concat());
    assert!(outcome.success(), "{outcome}");
    let rows: Value = serde_json::from_str(&outcome.stdout()).unwrap();
    let rows = rows.as_array().unwrap().iter();
    let paths: Vec<&str> = rows.map(|row| row["path"].as_str().unwrap()).collect();
    paths.join(", ")
}

#[test]
fn the_memory_that_helps_is_found_with_what_is_known_of_it() {
    let fixture = Fixture::with_some();
    let outcome = fixture.run(&[
        "recall",
        "--json",
        "--limit",
        "1",
        "push to main on a Friday",
    ]);
    let mut rows: Value = serde_json::from_str(&outcome.stdout()).unwrap();
    let row = rows[0].as_object_mut().unwrap();
    let score = row.shift_remove("score").unwrap().as_f64().unwrap();
    assert!(score > 0.0, "{score}");
    let reasons = row.shift_remove("reasons").unwrap();
    assert!(!reasons.as_array().unwrap().is_empty());
    assert_snapshot!(serde_json::to_string_pretty(&rows).unwrap(), @r#"
    [
      {
        "path": "feedback_no_push_on_friday.md",
        "name": "feedback-no-push-on-friday",
        "description": "Never push to main on a Friday",
        "type": "feedback",
        "age_days": 1,
        "source": "user",
        "scope": "project"
      }
    ]
    "#);
    let text = fixture
        .run(&[
            "recall", "--limit", "1", "push", "to", "main", "on", "Friday",
        ])
        .stdout();
    let first = text.lines().next().unwrap();
    assert!(
        first.ends_with(
            "feedback_no_push_on_friday.md  feedback  yesterday  Never push to main on a Friday"
        ),
        "{first}"
    );
}

#[test]
fn silence_says_why() {
    let fixture = Fixture::with_some();
    assert_snapshot!(fixture.run(&["recall", "zygote mitochondria"]), @"
    exit 0
    -- stdout
    No memory has anything to do with that.
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["recall", "--json", "zygote mitochondria"]), @"
    exit 0
    -- stdout
    []
    -- stderr
    ");
    assert_snapshot!(Fixture::new().run(&["recall", "anything"]), @r#"
    exit 0
    -- stdout
    No memories here yet. Begin with:
      memdir remember "Never push to main on a Friday"
    -- stderr
    "#);
}

#[test]
fn a_question_comes_from_arguments_or_standard_input_and_may_be_anything() {
    let fixture = Fixture::with_some();
    let asked = |input: &[u8]| {
        let outcome = fixture
            .program(&["recall", "-", "--always", "--json"])
            .stdin(input)
            .run()
            .unwrap();
        assert!(outcome.success(), "{outcome}");
        let rows: Value = serde_json::from_str(&outcome.stdout()).unwrap();
        rows.as_array().unwrap().len()
    };
    assert!(asked(b"push on Friday") > 0);
    assert_eq!(asked(b""), 0);
    assert_eq!(asked(&[0, 159, 146, 150]), 0);
    assert!(asked(format!("{} friday push", "x ".repeat(600_000)).as_bytes()) < 4);
    assert_snapshot!(fixture.run(&["recall"]), @"
    exit 2
    -- stdout
    -- stderr
    error: the following required arguments were not provided:
      <QUERY>...

    Usage: memdir recall <QUERY>...

    For more information, try '--help'.
    ");
}

#[test]
fn our_own_changes_and_those_of_others_are_found_at_once() {
    let fixture = Fixture::with_some();
    assert_eq!(found(&fixture, &["wooden hives"]), "");
    let remember = [
        "remember",
        "The user keeps bees in wooden hives",
        "--type",
        "user",
    ];
    assert!(fixture.run(&remember).success());
    assert_eq!(
        found(&fixture, &["wooden hives"]),
        "user_user_keeps_bees_wooden_hives.md"
    );
    assert!(
        fixture
            .run(&["forget", "user_user_keeps_bees_wooden_hives"])
            .success()
    );
    assert_eq!(found(&fixture, &["wooden hives"]), "");
    assert!(fixture.run(&["undo"]).success());
    assert_eq!(
        found(&fixture, &["wooden hives"]),
        "user_user_keeps_bees_wooden_hives.md"
    );
    fixture.topic(
        "hive.md",
        0,
        "project",
        "Hives",
        "Our wooden hives are for sale.",
    );
    assert_eq!(
        found(&fixture, &["hives for sale", "--limit", "1"]),
        "hive.md"
    );
    assert!(fixture.run(&["purge", "--yes", "hive"]).success());
    assert_eq!(
        found(&fixture, &["hives for sale", "--limit", "1"]),
        "user_user_keeps_bees_wooden_hives.md"
    );
}

#[test]
fn what_holds_everywhere_is_found_in_every_project_and_purged_from_each() {
    let fixture = Fixture::with_some();
    let remember = [
        "remember",
        "The user keeps bees in wooden hives",
        "--everywhere",
        "--type",
        "user",
    ];
    assert!(fixture.run(&remember).success());
    let text = fixture.run(&["recall", "wooden hives"]).stdout();
    assert!(
        text.contains("user_user_keeps_bees_wooden_hives.md (everywhere)"),
        "{text}"
    );
    let own = fixture.sandbox.home().join(".claude/memdir");
    let indexes = || {
        let folders = fs::read_dir(&own).unwrap().flatten();
        folders
            .filter(|folder| folder.path().join("recall/base").exists())
            .count()
    };
    assert_eq!(indexes(), 1);
    assert!(
        fixture
            .run(&[
                "purge",
                "--yes",
                "--everywhere",
                "user_user_keeps_bees_wooden_hives"
            ])
            .success()
    );
    assert_eq!(indexes(), 0);
}

#[test]
fn a_conversation_is_given_each_memory_once_and_why_tells() {
    let fixture = Fixture::with_some();
    assert_snapshot!(fixture.run(&["why"]), @"
    exit 0
    -- stdout
    No agent has asked for memories here yet.
    -- stderr
    ");
    let turn = |text: &str| fixture.run(&["recall", "--conversation", "c1", "--limit", "1", text]);
    let first = turn("may I push to main on Friday").stdout();
    assert!(first.starts_with("Memory (saved yesterday): "), "{first}");
    assert!(first.contains("nobody is there on Saturday"), "{first}");
    let again = turn("may I push to main on Friday").stdout();
    assert!(!again.contains("nobody is there on Saturday"), "{again}");
    assert_snapshot!(turn("yes"), @"
    exit 0
    -- stdout
    Nothing: the message has fewer than two words.
    -- stderr
    ");
    let why = fixture.run(&["why", "--json"]).stdout();
    let why: Value = serde_json::from_str(&why).unwrap();
    let turns = why["turns"].as_array().unwrap();
    assert_eq!(turns.len(), 3);
    assert_eq!(turns[0]["query"], "may I push to main on Friday");
    assert_eq!(turns[0]["given"][0]["age_days"], 1);
    assert!(turns[0]["given"][0]["tokens"].as_u64().unwrap() > 10);
    let gates: Vec<&str> = turns[1]["refused"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["gate"].as_str().unwrap())
        .collect();
    assert!(gates.contains(&"already_shown"), "{gates:?}");
    assert_eq!(turns[2]["skipped"], "too_short");
    let text = fixture.run(&["why"]).stdout();
    assert!(text.starts_with("Conversation c1\n"), "{text}");
    assert!(text.contains("in the conversation already"), "{text}");
    let off = fixture
        .program(&["recall", "--conversation", "c2", "push on Friday"])
        .env("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1")
        .run()
        .unwrap();
    assert_eq!(off.stdout(), "Nothing: memory is off.\n");
}

#[test]
fn reindex_makes_the_index_anew() {
    let fixture = Fixture::with_some();
    let text = fixture.run(&["reindex"]).stdout();
    assert!(text.starts_with("Indexed 3 memories.\n"), "{text}");
    let rows: Value = serde_json::from_str(&fixture.run(&["reindex", "--json"]).stdout()).unwrap();
    assert_eq!(
        (&rows["memories"], &rows["read"]),
        (&Value::from(3), &Value::from(3))
    );
    let text = fixture.run(&["reindex", "--changed"]).stdout();
    assert!(
        text.starts_with("Indexed 3 memories, 0 of them read anew.\n"),
        "{text}"
    );
}

#[test]
fn status_finds_for_recall_what_was_overwritten_in_place() {
    let fixture = Fixture::with_some();
    // More files than are looked at one by one, so that only a sweep can tell.
    assert_eq!(found(&fixture, &["wooden hives"]), "");
    let path = fixture.memory_dir().join("user_role.md");
    fs::write(&path, "Keeps bees in wooden hives.\n").unwrap();
    assert!(fixture.run(&["status"]).success());
    assert_eq!(found(&fixture, &["wooden hives"]), "user_role.md");
}

#[test]
fn a_set_of_questions_is_measured_without_a_home() {
    let fixture = Fixture::new();
    let folder = fixture.sandbox.home().join("set");
    fs::create_dir(&folder).unwrap();
    fs::write(
        folder.join("corpus.jsonl"),
        "{\"id\":\"a\",\"title\":\"Bees\",\"text\":\"They live in wooden hives.\"}\n\
         {\"id\":\"b\",\"title\":\"\",\"text\":\"Never push on a Friday.\"}\n",
    )
    .unwrap();
    fs::write(
        folder.join("queries.jsonl"),
        "{\"id\":\"1\",\"text\":\"wooden hives\",\"relevant\":[\"a\"]}\n\
         {\"id\":\"2\",\"text\":\"push friday\",\"relevant\":[\"b\"]}\n",
    )
    .unwrap();
    let data = folder.display().to_string();
    let outcome = fixture.run(&["bench", "recall", "--data", &data, "--json"]);
    let report: Value = serde_json::from_str(&outcome.stdout()).unwrap();
    assert_eq!(report["always"]["r1"], 1.0);
    assert_eq!(
        (&report["documents"], &report["queries"]),
        (&Value::from(2), &Value::from(2))
    );
    let text = fixture.run(&["bench", "recall", "--data", &data]).stdout();
    assert!(text.contains("R@5 1.000"), "{text}");
    fs::write(folder.join("queries.jsonl"), "nonsense\n").unwrap();
    let outcome = fixture.run(&["bench", "recall", "--data", &data]);
    assert!(
        outcome.stderr().contains("queries.jsonl, line 1: expected"),
        "{outcome}"
    );
}

#[test]
fn a_paused_conversation_was_given_memories() {
    let fixture = Fixture::with_some();
    crate::hook::Talk::new(&fixture, "talk").start();
    let paused = fixture.run(&["pause", "--conversation", "talk"]);
    assert!(paused.success(), "{paused}");
    let words = ["recall", "--always", "role"];
    let within = fixture.run(&[&words[..], &["--conversation", "talk"]].concat());
    assert_eq!(
        within.stdout(),
        "Nothing: memory is off for this conversation. `memdir pause --resume --conversation talk` switches it on again.\n"
    );
    assert!(fixture.run(&words).stdout().contains("user_role"));
}
