//! Notes with a model, from the conversation's own request to the file.

use std::time::Duration;

use jiff::{Timestamp, ToSpan};
use memdir_agent::notes::state::{self, State, due, patience, waited_for};
use memdir_agent::notes::{NoteTaker, NotesError, Outcome, Report, Talk};
use memdir_context::notes::Template;
use memdir_context::{Configured, Limits};
use memdir_conversation::{Block, Boundary, Conversation, Message, Role, Source, Trigger};
use memdir_model::{Body, Cancel, Model};
use memdir_store::{Records, SecretPolicy, SessionNotes};
use serde_json::json;

use crate::scene::{MODEL, Scene};

impl Scene {
    pub(crate) fn session_notes(&self) -> SessionNotes {
        SessionNotes::new(self.root().join("home/projects/app/talk"))
    }

    pub(crate) fn records(&self) -> Records {
        Records::new(self.root().join("state"))
    }

    /// Brings the notes of this conversation up to date.
    pub(crate) fn take_notes(
        &self,
        model: &dyn Model,
        messages: &[Message],
        parent: Option<&Body>,
    ) -> Result<Report, NotesError> {
        self.take_notes_by(Template::built_in(), None, model, messages, parent)
    }

    fn take_notes_by(
        &self,
        template: &Template,
        prompt: Option<&str>,
        model: &dyn Model,
        messages: &[Message],
        parent: Option<&Body>,
    ) -> Result<Report, NotesError> {
        let taker = NoteTaker {
            file: &self.session_notes(),
            records: &self.records(),
            conversation: "talk",
            model,
            meter: &self.meter,
            folder: &self.root().join("work"),
            memory: self.store.memory_directory(),
            template,
            prompt,
            limits: Limits::new(200_000, 20_000, &Configured::default()).notes,
            count: &|text| text.len() as u64 / 4,
            secrets: SecretPolicy::Refuse,
            dry_run: false,
        };
        let visible: Vec<&Message> = messages.iter().collect();
        let talk = Talk {
            visible: &visible,
            tokens: 12_000,
            parent,
        };
        taker.update(&talk, "k7Qm2ZpX", &Cancel::new())
    }

    fn notes_text(&self) -> String {
        std::fs::read_to_string(self.session_notes().path()).unwrap_or_default()
    }
}

/// What stands in the notes, section by section, without those in which nothing does.
fn contents(text: &str) -> String {
    let text = format!("\n{text}");
    let sections = text.split("\n# ").skip(1).filter_map(|section| {
        let (title, rest) = section.split_once('\n')?;
        let (_, content) = rest.split_once('\n')?;
        let content = content.trim();
        (!content.is_empty()).then(|| format!("{title}: {content}\n"))
    });
    sections.collect()
}

fn told(report: &Report) -> String {
    let denied: Vec<String> = report
        .denied
        .iter()
        .map(|denied| format!("{}: {}", denied.tool, denied.reason))
        .collect();
    format!(
        "{:?}, {}; {:?}; covered {:?}; unseen {}; denied {denied:?}",
        report.strategy, report.ended, report.outcome, report.covered, report.unseen
    )
}

fn said() -> Vec<Message> {
    vec![Message::user("1", "Port the parser to Rust. No unsafe.")]
}

/// An edit that adds a line below the description of a section.
pub(crate) fn edit(title: &str, line: &str) -> serde_json::Value {
    let template = include_str!("../../../context/prompts/notes_template.md");
    let (_, below) = template.split_once(&format!("# {title}\n")).unwrap();
    let head = format!("# {title}\n{}", below.lines().next().unwrap());
    json!({"tool": "Edit", "input": {"file_path": "ROOT/home/projects/app/talk/session-memory/summary.md",
        "old_string": head, "new_string": format!("{head}\n\n{line}")}})
}

#[test]
fn a_fork_is_its_parent_and_one_message_more_and_edits_one_file() {
    let scene = Scene::new();
    scene.script(json!([
        {"times": 1, "reply": [{"thinking": "A task."}, {"text": "I will."}]},
        {"reply": [edit("Current State", "Porting the parser."), edit("Worklog", "- began")]},
    ]));
    let model = scene.model(MODEL);
    let parent = scene.talk(&model, said());
    let report = scene
        .take_notes(&model, &parent.messages, Some(&parent.body))
        .unwrap();
    insta::assert_snapshot!(told(&report), @r#"Fork, written; Written { created: true, problems: [] }; covered Some("reply"); unseen 0; denied []"#);
    insta::assert_snapshot!(contents(&scene.notes_text()), @"
    Current State: Porting the parser.
    Worklog: - began
    ");
    let exchanges = scene.exchanges();
    let [first, fork] = [&exchanges[0].body, &exchanges[1].body]
        .map(|body| String::from_utf8(body.clone()).unwrap());
    assert_eq!(exchanges.len(), 2);
    let fork = fork.replacen("\"max_tokens\":16000", "\"max_tokens\":64000", 1);
    let shared = first.strip_suffix("]}").unwrap();
    let added = fork.strip_prefix(shared).expect("the parent's bytes");
    assert_eq!(added.matches("\"role\":").count(), 2);
    let state = state::get(&scene.records(), "talk").unwrap().unwrap();
    assert_eq!(
        (
            state.covered.as_deref(),
            state.tokens,
            state.began.is_some()
        ),
        (Some("reply"), 12_000, false)
    );
    let spent = scene.meter.ledger.entries(None).unwrap().requests;
    assert_eq!(
        spent
            .iter()
            .filter(|one| one.wanted.purpose == "notes")
            .count(),
        1
    );
}

#[test]
fn a_reply_that_calls_a_tool_is_not_repeated_without_its_result() {
    let scene = Scene::new();
    scene.script(json!([
        {"times": 1, "reply": [{"tool": "Read", "input": {"file_path": "ROOT/work/a.rs"}}]},
        {"reply": [edit("Current State", "Reading a.rs.")]},
    ]));
    let model = scene.model(MODEL);
    let parent = scene.talk(&model, said());
    let report = scene
        .take_notes(&model, &parent.messages, Some(&parent.body))
        .unwrap();
    insta::assert_snapshot!(told(&report), @r#"Fork, written; Written { created: true, problems: [] }; covered Some("1"); unseen 1; denied []"#);
    assert_eq!(scene.exchanges().len(), 2);
}

#[test]
fn whatever_else_a_fork_tries_is_denied_and_it_goes_on() {
    let scene = Scene::new();
    let key = format!("ghp_{}", "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6");
    scene.script(json!([
        {"times": 1, "reply": [{"text": "I will."}]},
        {"times": 1, "reply": [
            {"tool": "Bash", "input": {"command": "ls"}},
            {"tool": "Read", "input": {"file_path": "ROOT/home/projects/app/talk/session-memory/summary.md"}},
            {"tool": "Write", "input": {"file_path": "ROOT/home/projects/app/talk/session-memory/summary.md", "content": "x"}},
            {"tool": "Edit", "input": {"file_path": "ROOT/memory/MEMORY.md", "old_string": "a", "new_string": "b"}},
            {"tool": "Edit", "input": {"file_path": "ROOT/home/projects/app/talk/session-memory/../x.md", "old_string": "a", "new_string": "b"}},
            edit("Learnings", &key),
            edit("Current State", "Porting."),
        ]},
        {"reply": [{"text": "That is all."}]},
    ]));
    let model = scene.model(MODEL);
    let parent = scene.talk(&model, said());
    let report = scene
        .take_notes(&model, &parent.messages, Some(&parent.body))
        .unwrap();
    let shown = told(&report).replace(scene.root().to_str().unwrap(), "ROOT");
    insta::assert_snapshot!(shown, @r#"Fork, done; Written { created: true, problems: [] }; covered Some("reply"); unseen 0; denied ["Bash: this run may only Edit the notes file; its whole text is in the message above", "Read: this run may only Edit the notes file; its whole text is in the message above", "Write: this run may only Edit the notes file; its whole text is in the message above", "Edit: this run may only Edit the notes file; its whole text is in the message above", "Edit: ROOT/home/projects/app/talk/session-memory/../x.md: the path goes up from a folder that does not exist", "Edit: line 4 of new_string looks like a secret (rule github-personal-token): secrets are never kept"]"#);
    insta::assert_snapshot!(contents(&scene.notes_text()), @"Current State: Porting.");
    assert_eq!(scene.files("memory"), "");
}

#[test]
fn from_a_private_word_on_it_is_one_request_without_it() {
    let scene = Scene::new();
    scene.script(json!([
        {"times": 1, "reply": [{"text": "I will."}]},
        {"reply": [{"text": "```json\n{\"sections\":[{\"title\":\"# current state\",\"text\":\"Porting.\\n# Worklog\\nnot a heading\"},\
            {\"title\":\"Mood\",\"text\":\"Good.\"},{\"title\":\"Learnings\",\"text\":\"\"}]}\n```"}]},
    ]));
    let model = scene.model(MODEL);
    let said = vec![Message::user(
        "1",
        "Port it. <private>My street is Elm 7.</private>",
    )];
    let parent = scene.talk(&model, said);
    let report = scene
        .take_notes(&model, &parent.messages, Some(&parent.body))
        .unwrap();
    insta::assert_snapshot!(told(&report), @r#"OneRequest, answered; Written { created: true, problems: [] }; covered Some("reply"); unseen 0; denied ["section: there is no such section in the notes"]"#);
    insta::assert_snapshot!(contents(&scene.notes_text()), @"
    Current State: Porting.
    ## Worklog
    not a heading
    ");
    let exchanges = scene.exchanges();
    let asked = String::from_utf8(exchanges[1].body.clone()).unwrap();
    assert!(asked.contains("Port it.") && !asked.contains("Elm"));
}

#[test]
fn one_request_shows_only_what_is_new_and_what_did_not_fit_comes_next_time() {
    let scene = Scene::new();
    scene.script(json!([
        {"times": 1, "reply": [{"text": "{\"sections\":[{\"title\":\"Worklog\",\"text\":\"- one\"}]}"}]},
        {"reply": [{"text": "{\"sections\":[{\"title\":\"Worklog\",\"text\":\"- one\\n- two\"}]}"}]},
    ]));
    let model = scene.model(MODEL);
    let mut messages = said();
    messages.push(Message::assistant("2", vec![Block::text("Ported.")]));
    let first = scene.take_notes(&model, &messages, None).unwrap();
    messages.push(Message::user("3", "And the printer."));
    let second = scene.take_notes(&model, &messages, None).unwrap();
    insta::assert_snapshot!([first, second].iter().map(|one| told(one) + "\n").collect::<String>(), @r#"
    OneRequest, answered; Written { created: true, problems: [] }; covered Some("2"); unseen 0; denied []
    OneRequest, answered; Written { created: false, problems: [] }; covered Some("3"); unseen 0; denied []
    "#);
    let exchanges = scene.exchanges();
    let asked = String::from_utf8(exchanges[1].body.clone()).unwrap();
    assert!(asked.contains("And the printer") && asked.contains("- one"));
    assert!(!asked.contains("Port the parser"), "{asked}");
}

#[test]
fn a_model_that_says_nothing_covers_nothing_and_is_not_asked_again_at_once() {
    let scene = Scene::new();
    scene.script(json!([
        {"times": 1, "reply": [{"text": "I will."}]},
        {"times": 1, "reply": [{"text": "Nothing to note."}]},
        {"reply": [{"text": "No JSON either."}]},
    ]));
    let model = scene.model(MODEL);
    let parent = scene.talk(&model, said());
    let report = scene
        .take_notes(&model, &parent.messages, Some(&parent.body))
        .unwrap();
    assert_eq!(report.outcome, Outcome::Unchanged);
    let failed = scene.take_notes(&model, &parent.messages, None);
    insta::assert_snapshot!(failed.unwrap_err(), @"the answer could not be used: there is no JSON in it");
    assert_eq!(scene.notes_text(), "");
    let state = state::get(&scene.records(), "talk").unwrap().unwrap();
    assert_eq!((state.covered, state.tokens), (None, 12_000));
}

#[test]
fn own_template_and_prompt_are_used_and_other_notes_are_kept_beside() {
    let scene = Scene::new();
    let notes = scene.session_notes();
    notes
        .write(None, "# Groceries\n\nmilk\n", SecretPolicy::Refuse)
        .unwrap();
    scene.script(json!([
        {"times": 1, "reply": [{"text": "I will."}]},
        {"reply": [{"tool": "Edit", "input": {"file_path": "ROOT/home/projects/app/talk/session-memory/summary.md",
            "old_string": "_What for_", "new_string": "_What for_\n\nA parser in Rust."}}]},
    ]));
    let model = scene.model(MODEL);
    let parent = scene.talk(&model, said());
    let template = Template::parse("# Goal\n_What for_\n\n# Log\n").unwrap();
    let prompt = Some("In Latin, $1 {{mood}}: {{currentNotes}}");
    let body = Some(&parent.body);
    let report = scene.take_notes_by(&template, prompt, &model, &parent.messages, body);
    let report = report.unwrap();
    assert_eq!(
        scene.notes_text(),
        "# Goal\n_What for_\n\nA parser in Rust.\n\n# Log\n"
    );
    let aside = report.aside.unwrap();
    assert!(aside.ends_with("session-memory/summary-1.md"));
    assert_eq!(
        std::fs::read_to_string(aside).unwrap(),
        "# Groceries\n\nmilk\n"
    );
    let exchanges = scene.exchanges();
    let asked = String::from_utf8(exchanges[1].body.clone()).unwrap();
    assert!(asked.contains("In Latin, $1 {{mood}}: # Goal\\n_What for_\\n\\n# Log"));
}

#[test]
fn what_somebody_wrote_meanwhile_is_not_overwritten() {
    let scene = Scene::new();
    let notes = scene.session_notes();
    notes.write(None, "mine", SecretPolicy::Refuse).unwrap();
    for seen in [None, Some("other")] {
        let late = notes.write(seen.map(str::as_bytes), "theirs", SecretPolicy::Refuse);
        assert!(late.is_err());
    }
    let folder = notes.path().parent().unwrap().to_owned();
    let names: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!((scene.notes_text().as_str(), names.len()), ("mine", 1));
}

fn words(tokens: u64) -> Message {
    Message::user(&format!("u{tokens}"), "words")
}

#[test]
fn notes_are_due_by_tokens_and_calls_since_they_were_looked_after_or_it_was_compacted() {
    let limits = Limits::new(200_000, 20_000, &Configured::default()).notes;
    let mut conversation = Conversation::new();
    conversation.append(words(1)).unwrap();
    let call = |id: &str| {
        let call = Block::tool_call(id, "Read", "{}").unwrap();
        Message::assistant(&format!("a{id}"), vec![call])
    };
    let shown = |state: Option<&State>, conversation: &Conversation, tokens| {
        format!(
            "{tokens}: {:?}\n",
            due(state, conversation, tokens, &limits)
        )
    };
    let mut told = String::new();
    told += &shown(None, &conversation, 9_999);
    told += &shown(None, &conversation, 10_000);
    let state = State {
        covered: Some("u1".to_owned()),
        tokens: 10_000,
        looked: Some("u1".to_owned()),
        ..State::default()
    };
    for id in ["t1", "t2"] {
        conversation.append(call(id)).unwrap();
    }
    told += &shown(Some(&state), &conversation, 14_999);
    told += &shown(Some(&state), &conversation, 15_000);
    conversation.append(call("t3")).unwrap();
    told += &shown(Some(&state), &conversation, 15_000);
    let boundary = Source::Boundary(Box::new(Boundary {
        trigger: Trigger::Auto,
        tokens_before: Some(160_000),
        tokens_after: Some(40_000),
        kept: Vec::new(),
        anchor: None,
        after: None,
    }));
    let boundary = Message::new("b", Role::System, boundary, Vec::new());
    conversation.append(boundary).unwrap();
    conversation.append(words(2)).unwrap();
    told += &shown(Some(&state), &conversation, 44_999);
    told += &shown(Some(&state), &conversation, 45_000);
    insta::assert_snapshot!(told, @"
    9999: No(TooShort { tokens: 9999, needed: 10000 })
    10000: First
    14999: No(TooLittle { grown: 4999, needed: 5000 })
    15000: No(TooFewCalls { calls: 2, needed: 3 })
    15000: Again
    44999: No(TooLittle { grown: 4999, needed: 5000 })
    45000: Again
    ");
}

#[test]
fn compaction_waits_for_an_update_that_began_within_a_minute_and_whose_process_lives() {
    let scene = Scene::new();
    let records = scene.records();
    let now: Timestamp = "2026-11-16T08:00:00Z".parse().unwrap();
    let began = |ago: i64, pid: u32| {
        let process = memdir_store::process::ProcessIdentity::current();
        let mut process = serde_json::to_value(process).unwrap();
        if pid > 0 {
            process["pid"] = json!(pid);
        }
        let at = now - ago.seconds();
        let state = json!({"tokens": 0, "began": {"at": at, "process": process}});
        let state: State = serde_json::from_value(state).unwrap();
        records.update("talk", |_| state.clone()).unwrap();
        patience(&records, "talk", now).unwrap()
    };
    assert_eq!(patience(&records, "talk", now).unwrap(), None);
    assert_eq!(began(5, 0), Some(Duration::from_secs(15)));
    assert_eq!(began(59, 0), Some(Duration::from_secs(15)));
    assert_eq!(began(60, 0), None);
    assert_eq!(began(5, 4_194_303), None, "that process is gone");
    // Nobody waits for what is not waited for.
    let state = waited_for(&records, "talk", now).unwrap();
    assert!(state.unwrap().began.is_some());
    // Whoever is at it is not disturbed.
    began(5, 0);
    let model = scene.model(MODEL);
    let second = scene.take_notes(&model, &said(), None);
    assert!(matches!(second, Err(NotesError::UnderWay { .. })));
    assert_eq!(scene.exchanges().len(), 0);
    // It ends while somebody waits.
    let other = records.clone();
    let ending = std::thread::spawn(move || {
        let ended = State {
            covered: Some("7".to_owned()),
            ..State::default()
        };
        other
            .update("talk", |_: Option<State>| ended.clone())
            .unwrap();
    });
    let state = waited_for(&records, "talk", now).unwrap().unwrap();
    assert_eq!(state.covered.as_deref(), Some("7"));
    ending.join().unwrap();
}
