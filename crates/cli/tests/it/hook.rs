//! `memdir hook` as agents call it: an event in, the client's form of an answer out, and what becomes of it.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use memdir_testkit::Outcome;
use serde_json::{Value, json};

use crate::fixture::Fixture;

/// A conversation of Claude Code in the sandbox's project, as its hooks tell of it.
pub(crate) struct Talk<'a> {
    pub(crate) fixture: &'a Fixture,
    pub(crate) client: &'static str,
    pub(crate) id: String,
}

impl<'a> Talk<'a> {
    pub(crate) fn new(fixture: &'a Fixture, id: &str) -> Talk<'a> {
        Talk {
            fixture,
            client: "claude-code",
            id: id.to_owned(),
        }
    }

    /// Where Claude Code keeps the transcript.
    pub(crate) fn transcript(&self) -> PathBuf {
        let folder = self.fixture.memory_dir().parent().unwrap().to_path_buf();
        folder.join(format!("{}.jsonl", self.id))
    }

    /// What was said, as Claude Code writes it down.
    pub(crate) fn said(&self, user: &str, agent: &str) {
        let path = self.transcript();
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let before = fs::read_to_string(&path).unwrap_or_default();
        let number = before.lines().count();
        let parent = (number > 0).then(|| format!("{}-{number}", self.id));
        let (first, second) = (number + 1, number + 2);
        let cwd = self.fixture.sandbox.project();
        let now = jiff::Timestamp::now();
        let line = |kind: &str, number: usize, parent: Option<String>, message: Value| {
            json!({
                "type": kind, "uuid": format!("{}-{number}", self.id), "parentUuid": parent, "sessionId": self.id,
                "cwd": cwd, "version": "2.1.325", "isSidechain": false, "timestamp": now, "message": message,
            })
        };
        let lines = [
            line(
                "user",
                first,
                parent,
                json!({"role": "user", "content": user}),
            ),
            line(
                "assistant",
                second,
                Some(format!("{}-{first}", self.id)),
                json!({"id": format!("m{second}"), "role": "assistant", "content": [{"type": "text", "text": agent}]}),
            ),
        ];
        let lines: String = lines.iter().map(|line| format!("{line}\n")).collect();
        fs::write(path, before + &lines).unwrap();
    }

    pub(crate) fn event(&self, name: &str, fields: Value) -> Value {
        let mut event = json!({
            "session_id": self.id,
            "transcript_path": self.transcript(),
            "cwd": self.fixture.sandbox.project(),
            "hook_event_name": name,
        });
        let all = event.as_object_mut().unwrap();
        all.extend(fields.as_object().unwrap().clone());
        event
    }

    pub(crate) fn fire(&self, name: &str, fields: Value) -> Outcome {
        fire(
            self.fixture,
            self.client,
            &self.event(name, fields).to_string(),
        )
    }

    pub(crate) fn start(&self) -> Outcome {
        self.fire(
            "SessionStart",
            json!({"source": "startup", "model": "claude-opus-5-5"}),
        )
    }

    pub(crate) fn prompt(&self, words: &str) -> Outcome {
        self.fire(
            "UserPromptSubmit",
            json!({"permission_mode": "default", "prompt": words}),
        )
    }

    pub(crate) fn stop(&self) -> Outcome {
        let fields = json!({"stop_hook_active": false, "last_assistant_message": "Done."});
        self.fire("Stop", fields)
    }
}

pub(crate) fn fire(fixture: &Fixture, client: &str, input: &str) -> Outcome {
    fixture
        .program(&["hook", client])
        .stdin(input)
        .run()
        .unwrap()
}

/// What the model reads of an answer.
pub(crate) fn context(outcome: &Outcome) -> String {
    let answer: Value = serde_json::from_str(&outcome.stdout()).unwrap_or_default();
    let context = answer["hookSpecificOutput"]["additionalContext"].as_str();
    context.unwrap_or_default().to_owned()
}

/// What the user reads of an answer.
pub(crate) fn message(outcome: &Outcome) -> String {
    let answer: Value = serde_json::from_str(&outcome.stdout()).unwrap_or_default();
    answer["systemMessage"]
        .as_str()
        .unwrap_or_default()
        .to_owned()
}

/// Waits until nothing is due and nobody works; in the end tells what was seen instead.
pub(crate) fn wait_for_work(fixture: &Fixture) {
    let begin = Instant::now();
    loop {
        let jobs = fixture.run(&["jobs", "--json"]).stdout();
        let standing: Value = serde_json::from_str(&jobs).unwrap();
        let is_done = standing["running"].is_null() && standing["due"] == json!([]);
        if is_done && processes(fixture).is_empty() {
            return;
        }
        assert!(
            begin.elapsed() < Duration::from_secs(60),
            "background work did not come to an end\njobs: {jobs}\nprocesses: {:#?}\nhooks.log: {}",
            processes(fixture),
            hooks_log(fixture),
        );
        std::thread::sleep(Duration::from_millis(50));
    }
}

pub(crate) fn hooks_log(fixture: &Fixture) -> String {
    let path = fixture.sandbox.home().join(".claude/memdir/hooks.log");
    fs::read_to_string(path).unwrap_or_default()
}

/// The processes that work for this home, each with what the kernel says about it.
pub(crate) fn processes(fixture: &Fixture) -> Vec<String> {
    let home = fixture.sandbox.home().display().to_string();
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let read = |name: &str| {
            let bytes = fs::read(entry.path().join(name)).unwrap_or_default();
            String::from_utf8_lossy(&bytes).replace('\0', " ")
        };
        let command = read("cmdline");
        if command.contains("jobs run") && read("environ").contains(&home) {
            let stat = read("stat");
            let wchan = read("wchan");
            found.push(format!("{command}: {stat} {wchan}"));
        }
    }
    found
}

#[test]
fn what_one_conversation_teaches_the_next_is_given() {
    let fixture = Fixture::new();
    let first = Talk::new(&fixture, "first");
    insta::assert_snapshot!(first.start(), @r#"
    exit 0
    -- stdout
    {"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"memdir looks after your memory of this project, in `[HOME]/.claude/projects/[-PROJECT]/memory`: memories that fit what the user says are shown beside it, and what a conversation teaches is saved when your turn ends. Save, correct and delete memories there as you always do; every change is kept and can be undone. `memdir recall WORDS` searches, `memdir history` shows what changed."}}
    -- stderr
    "#);
    insta::assert_snapshot!(first.prompt("From now on, use tabs in Makefiles."), @"
    exit 0
    -- stdout
    -- stderr
    ");
    first.said("From now on, use tabs in Makefiles.", "I will.");
    insta::assert_snapshot!(first.stop(), @"
    exit 0
    -- stdout
    -- stderr
    ");
    wait_for_work(&fixture);
    insta::assert_snapshot!(fixture.run(&["list"]), @"
    exit 0
    -- stdout
    feedback_use_tabs_makefiles.md  feedback  today  From now on, use tabs in Makefiles.
    -- stderr
    ");
    let second = Talk::new(&fixture, "second");
    let started = second.start();
    insta::assert_snapshot!(message(&started), @"Saved 1 memory: feedback_use_tabs_makefiles; `memdir undo 1` takes it back");
    insta::assert_snapshot!(started, @r#"
    exit 0
    -- stdout
    {"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"New in memory since the last conversation: feedback_use_tabs_makefiles.md (saved or changed).\n\nmemdir looks after your memory of this project, in `[HOME]/.claude/projects/[-PROJECT]/memory`: memories that fit what the user says are shown beside it, and what a conversation teaches is saved when your turn ends. Save, correct and delete memories there as you always do; every change is kept and can be undone. `memdir recall WORDS` searches, `memdir history` shows what changed."},"systemMessage":"Saved 1 memory: feedback_use_tabs_makefiles; `memdir undo 1` takes it back"}
    -- stderr
    "#);
    insta::assert_snapshot!(second.prompt("Please indent the Makefile with tabs or spaces?"), @r#"
    exit 0
    -- stdout
    {"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"Memory (saved today): [HOME]/.claude/projects/[-PROJECT]/memory/feedback_use_tabs_makefiles.md:\n---\nname: use-tabs-makefiles\ndescription: From now on, use tabs in Makefiles.\nmetadata:\n  type: feedback\n  source: rules\n  originSessionId: first\n  message: first-1\n  evidence: From now on, use tabs in Makefiles.\n---\n\nFrom now on, use tabs in Makefiles."}}
    -- stderr
    "#);
    // What is in the conversation is not given again, and what was told is not told again.
    insta::assert_snapshot!(second.prompt("And once more: tabs in this Makefile?"), @"
    exit 0
    -- stdout
    -- stderr
    ");
    assert_eq!(hooks_log(&fixture), "");
}

#[test]
fn the_same_event_from_two_places_is_answered_once() {
    let fixture = Fixture::with_some();
    let talk = Talk::new(&fixture, "talk");
    let both = |fire: &dyn Fn() -> Outcome| {
        let answers = [fire(), fire()].map(|outcome| context(&outcome));
        answers.map(|answer| !answer.is_empty())
    };
    assert_eq!(both(&|| talk.start()), [true, false]);
    let question = "May I push to main on a Friday?";
    assert_eq!(both(&|| talk.prompt(question)), [true, false]);
    // At the same time, as clients do it.
    for round in 0..5 {
        let talk = Talk::new(&fixture, &format!("round-{round}"));
        let answers: Vec<String> = std::thread::scope(|scope| {
            let fire = || scope.spawn(|| context(&talk.prompt(question)));
            let threads = [fire(), fire()];
            threads.map(|thread| thread.join().unwrap()).into()
        });
        let given = answers.iter().filter(|answer| !answer.is_empty());
        assert_eq!(given.count(), 1, "{answers:?} {}", hooks_log(&fixture));
    }
}

#[test]
fn bare_was_ignored() {
    let fixture = Fixture::with_some();
    let talk = Talk::new(&fixture, "talk");
    let fields = serde_json::json!({"prompt": "What is my role?"});
    let event = talk.event("UserPromptSubmit", fields).to_string();
    for words in [
        &["--bare", "hook", "claude-code"][..],
        &["hook", "claude-code", "--bare"],
    ] {
        let outcome = fixture.program(words).stdin(event.clone()).run().unwrap();
        assert!(
            outcome.success() && outcome.stdout().is_empty(),
            "{outcome}"
        );
    }
}

#[test]
fn a_file_with_an_invisible_name_was_never_told() {
    let fixture = Fixture::with_some();
    Talk::new(&fixture, "first").start();
    fixture.file("deploy\u{e006f}.md", 0, "by hand");
    let told = |id: &str| {
        let talk = Talk::new(&fixture, id);
        let told = [talk.start(), talk.prompt("hello there, how are you")];
        told.map(|outcome| message(&outcome)).join(" ")
    };
    let first = told("second");
    assert!(first.contains("deploy<U+E006F>.md"), "{first}");
    let second = told("third");
    assert!(!second.contains("deploy"), "{second}");
}
