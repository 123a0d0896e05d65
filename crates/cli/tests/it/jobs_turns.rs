//! Which turns background work looks at, and whose word it takes what they hold for.

use std::fs;
use std::process::Command;

use crate::fixture::Fixture;
use crate::jobs::{TALK, answer, saved, standing, talk, with_model};
use serde_json::{Value, json};

/// What became of the last run.
fn last(fixture: &Fixture) -> String {
    let past = standing(fixture)["past"][0].clone();
    let [outcome, said] = ["outcome", "said"].map(|name| past[name].as_str().unwrap());
    // How many tokens it took is another test's.
    format!("{outcome}: {}", said.split(';').next().unwrap())
}

/// A conversation in which the agent read a file between the wish and its answer.
fn having_read(fixture: &Fixture, file: &str) -> String {
    let line = |value: Value| format!("{value}\n");
    let told = |uuid: &str, parent: Option<&str>, role: &str, content: Value| {
        line(
            json!({"type": role, "uuid": uuid, "parentUuid": parent, "sessionId": "talk", "cwd": "/w",
            "timestamp": "2026-11-16T08:00:00Z",
            "message": {"id": uuid, "role": role, "content": content}}),
        )
    };
    let read =
        json!([{"type": "tool_use", "id": "t1", "name": "Read", "input": {"file_path": file}}]);
    let result =
        json!([{"type": "tool_result", "tool_use_id": "t1", "content": "all:\n\tcc main.c"}]);
    let text = [
        told(
            "u1",
            None,
            "user",
            json!("From now on, use tabs in Makefiles."),
        ),
        told("a1", Some("u1"), "assistant", read),
        told("r1", Some("a1"), "user", result),
        told(
            "a2",
            Some("r1"),
            "assistant",
            json!([{"type": "text", "text": "I will."}]),
        ),
    ];
    let path = fixture.sandbox.project().join("talk.jsonl");
    fs::write(&path, text.concat()).unwrap();
    path.display().to_string()
}

/// A memory that says more than the user typed.
fn more_than_was_typed() -> Value {
    let operations = json!({"operations": [{
        "action": "create", "type": "feedback", "name": "tabs-in-makefiles",
        "description": "Indent every recipe with tabs", "body": "Use tabs in Makefiles: make refuses blanks.",
        "evidence": "use tabs in Makefiles",
    }]});
    json!([{"text": operations.to_string()}])
}

#[test]
fn a_file_that_the_repository_tracks_leaves_the_conversation_the_users_own() {
    let outcome = |file: &str, set: &[&str]| {
        let (fixture, _server) = with_model(json!({"step": [{"reply": more_than_was_typed()}]}));
        let project = fixture.sandbox.project();
        fs::write(project.join("Makefile"), "all:\n").unwrap();
        fs::write(project.join("downloaded.txt"), "all:\n").unwrap();
        for words in [&["init", "-q"][..], &["add", "Makefile"]] {
            let mut git = Command::new("git");
            let done = git.args(words).current_dir(&project).status().unwrap();
            assert!(done.success());
        }
        let file = project.join(file).display().to_string();
        let talk = having_read(&fixture, &file);
        fixture.run(&[&["jobs", "run", &talk][..], set].concat());
        last(&fixture)
    };
    insta::assert_snapshot!(outcome("Makefile", &[]), @"done: saved 1 memory");
    insta::assert_snapshot!(outcome("downloaded.txt", &[]), @"done: saved 0 memories, 1 in the inbox");
    insta::assert_snapshot!(outcome("Makefile", &["--set", "memory.trust=strict"]), @"done: saved 0 memories, 1 in the inbox");
}

#[test]
fn files_that_somebody_else_changed_meanwhile_skip_nothing() {
    let (fixture, server) = with_model(json!({"step": [{"reply": answer()}]}));
    fixture.topic(
        "user_role.md",
        3,
        "user",
        "Writes Rust",
        "Ten years of Rust.",
    );
    fixture.run(&["status"]);
    let talk = talk(&fixture);
    fs::write(
        fixture.memory_dir().join("user_role.md"),
        "Writes Go by now.\n",
    )
    .unwrap();
    // Whoever notices it first: it is in the history from then on.
    fixture.run(&["status"]);
    fixture.run(&["jobs", "run", &talk]);
    insta::assert_snapshot!(last(&fixture), @"done: saved 1 memory");
    fixture.run(&["jobs", "run", &talk]);
    insta::assert_snapshot!(last(&fixture), @"skipped: nothing was said since");
    assert_eq!(server.settled().len(), 1);
}

#[test]
fn in_a_busy_directory_what_is_to_be_remembered_is_saved_once_each() {
    let fixture = Fixture::with_some();
    let fruits = [
        "apple", "banana", "cherry", "damson", "fig", "grape", "lemon", "mango", "olive", "papaya",
    ];
    let memory = fixture.memory_dir();
    let over = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            // Another program that changes files all the time.
            let mut round = 0;
            while !over.load(std::sync::atomic::Ordering::Relaxed) {
                round += 1;
                let text =
                    format!("---\nname: busy\ndescription: Round {round}\n---\n\nRound {round}.\n");
                fs::write(memory.join(format!("busy_{}.md", round % 3)), text).unwrap();
                std::thread::sleep(std::time::Duration::from_millis(2));
            }
        });
        let talk = crate::hook::Talk::new(&fixture, "talk");
        for (turn, fruit) in fruits.iter().enumerate() {
            talk.said(
                &format!("Remember that the {fruit} server is in rack {turn}."),
                "I will.",
            );
            let path = talk.transcript().display().to_string();
            fixture.run(&["jobs", "run", &path]);
        }
        over.store(true, std::sync::atomic::Ordering::Relaxed);
    });
    let saved = |fruit: &str| {
        let files = fs::read_dir(&memory).unwrap().flatten();
        let texts = files.filter(|file| file.file_name() != "MEMORY.md");
        let texts = texts.filter_map(|file| fs::read_to_string(file.path()).ok());
        texts
            .filter(|text| text.contains(&format!("the {fruit} server")))
            .count()
    };
    let counts: Vec<usize> = fruits.iter().map(|fruit| saved(fruit)).collect();
    assert_eq!(counts, [1; 10]);
}

#[test]
fn beside_what_the_agent_wrote_itself_the_rules_save_what_no_file_says() {
    // With a model and without: it is not asked about such a turn.
    for model in [true, false] {
        let (fixture, server) = with_model(json!({"step": [{"reply": answer()}]}));
        if !model {
            fs::remove_file(fixture.sandbox.home().join(".claude/memdir.toml")).unwrap();
        }
        let file = fixture.memory_dir().join("project_staging.md");
        fixture.topic(
            "project_staging.md",
            0,
            "project",
            "Staging is wiped nightly",
            "The staging database gets wiped every night.",
        );
        let call = json!([{"type": "tool_use", "id": "t1", "name": "Write", "input": {"file_path": file, "content": "x"}}]);
        let told = |uuid: &str, parent: Option<&str>, role: &str, content: Value| {
            let line = json!({"type": role, "uuid": uuid, "parentUuid": parent, "sessionId": "talk", "cwd": "/w",
                "timestamp": jiff::Timestamp::now(), "message": {"id": uuid, "role": role, "content": content}});
            format!("{line}\n")
        };
        let said = "Remember that staging databases get wiped every night.\nRemember that Ada owns the billing service.";
        let text = [
            told("u1", None, "user", json!(said)),
            told("a1", Some("u1"), "assistant", call),
            told(
                "r1",
                Some("a1"),
                "user",
                json!([{"type": "tool_result", "tool_use_id": "t1", "content": "ok"}]),
            ),
            told(
                "a2",
                Some("r1"),
                "assistant",
                json!([{"type": "text", "text": "Noted."}]),
            ),
        ];
        let path = fixture.sandbox.project().join("talk.jsonl");
        fs::write(&path, text.concat()).unwrap();
        fixture.run(&["jobs", "run", &path.display().to_string()]);
        let listed = fixture.run(&["list"]).stdout();
        assert!(listed.contains("Ada owns"), "{listed}\n{}", last(&fixture));
        assert_eq!(listed.matches("wiped").count(), 1, "{listed}");
        assert_eq!(server.settled().len(), 0);
    }
}

#[test]
fn turns_that_are_none_of_its_business_are_left_alone() {
    let skipped = |words: &[&str], variable: Option<(&str, &str)>| {
        let (fixture, server) = with_model(json!({"step": [{"reply": answer()}]}));
        let talk = talk(&fixture);
        let mut program = fixture.program(&["jobs", "run", &talk]).args(words);
        if let Some((name, value)) = variable {
            program = program.env(name, value);
        }
        program.run().unwrap();
        assert_eq!(server.settled().len(), 0);
        assert_eq!(saved(&fixture), "");
        last(&fixture)
    };
    insta::assert_snapshot!(skipped(&["--non-interactive"], None), @"skipped: nobody sits in front of it");
    insta::assert_snapshot!(skipped(&["--set", "extraction.mode=off"], None), @"skipped: extraction is off");
    insta::assert_snapshot!(skipped(&["--set", "memory.enabled=false"], None), @"skipped: memory is off");
    insta::assert_snapshot!(skipped(&["--set", "daily_log.enabled=true"], None), @"skipped: the daily log is kept instead");
    insta::assert_snapshot!(skipped(&[], Some(("CLAUDE_CODE_REMOTE", "1"))), @"skipped: memory is off");
}

#[test]
fn where_nobody_types_it_is_done_when_the_user_wants_it() {
    let (fixture, _server) = with_model(json!({"step": [{"reply": answer()}]}));
    let talk = talk(&fixture);
    let words = ["jobs", "run", &talk, "--non-interactive"];
    fixture.run(&[&words[..], &["--set", "extraction.non_interactive=true"]].concat());
    assert!(saved(&fixture).contains("Use tabs"), "{}", last(&fixture));
}

#[test]
fn what_a_model_was_paid_for_is_saved_before_the_next_is_asked() {
    let (fixture, server) =
        with_model(json!({"step": [{"times": 1, "reply": answer()}, {"fault": {"status": 401}}]}));
    let folder = fixture.sandbox.project().join("talks");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("a.jsonl"), TALK).unwrap();
    fs::write(folder.join("b.jsonl"), TALK.replace("talk", "other")).unwrap();
    let folder = folder.display().to_string();
    let project = fixture.sandbox.project().display().to_string();
    let words = ["extract", &folder, "--model", "--project", &project];
    insta::assert_snapshot!(fixture.run(&words), @r#"
    exit 1
    -- stdout
    Looked through 1 conversation.
    ~/.claude/projects/[-PROJECT]/memory: saved 1 memory
      + feedback_tabs_makefiles.md (feedback): "Use tabs in Makefiles"
      `memdir undo --project [PROJECT]` takes it back
    -- stderr
    warning: [PROJECT]/talks/b.jsonl: the provider does not accept the key
    "#);
    assert!(saved(&fixture).contains("Use tabs"));
    assert_eq!(server.settled().len(), 2);
    fixture.run(&words);
    assert_eq!(
        server.settled().len(),
        3,
        "only the other one is asked about again"
    );
}

#[test]
fn what_there_was_no_room_for_is_asked_about_next_time() {
    let (fixture, server) = with_model(json!({"step": [{"reply": answer()}]}));
    let mut text = String::new();
    let mut parent = Value::Null;
    for number in 0..30 {
        let (role, said) = match number % 2 {
            0 => (
                "user",
                format!("Message {number}. {}", "long ago. ".repeat(1_800)),
            ),
            _ => ("assistant", "I see.".repeat(2_500)),
        };
        let uuid = format!("m{number}");
        let line = json!({"type": role, "uuid": uuid, "parentUuid": parent, "sessionId": "talk", "cwd": "/w",
            "timestamp": "2026-11-16T08:00:00Z", "message": {"id": uuid, "role": role, "content": [{"type": "text", "text": said}]}});
        text.push_str(&format!("{line}\n"));
        parent = json!(uuid);
    }
    let path = fixture.sandbox.project().join("talk.jsonl");
    fs::write(&path, text).unwrap();
    let path = path.display().to_string();
    let shown = |request: usize| {
        let requests = server.settled();
        let body = String::from_utf8_lossy(&requests[request].body).into_owned();
        let there = |number: &usize| body.contains(&format!("Message {number}. "));
        (0..30).filter(there).collect::<Vec<usize>>()
    };
    fixture.run(&["jobs", "run", &path]);
    fixture.run(&["jobs", "run", &path]);
    insta::assert_debug_snapshot!((shown(0), shown(1)), @"
    (
        [
            0,
            2,
            4,
            6,
            8,
            10,
            12,
            14,
            16,
        ],
        [
            18,
            20,
            22,
            24,
            26,
            28,
        ],
    )
    ");
    fixture.run(&["jobs", "run", &path]);
    insta::assert_snapshot!(last(&fixture), @"skipped: nothing was said since");
}
