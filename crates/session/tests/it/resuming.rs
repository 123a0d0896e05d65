//! A conversation that another process goes on with.

use std::path::PathBuf;

use memdir_context::compaction::Event as Room;
use memdir_conversation::{Block, Kind};
use memdir_memory::AgentScope;
use memdir_model::Cancel;
use memdir_session::{Agent, Event, Prepared, Session};
use memdir_store::PlainName;
use serde_json::{Value, json};

use crate::scene::{NAME, Scene, no_tool};

fn transcript(scene: &Scene) -> PathBuf {
    let name = PlainName::new(NAME).unwrap();
    scene.home().places.session(&name).transcript
}

/// One turn of a process that is gone after it; the request that it sent.
fn one_turn(scene: &Scene, said: &str) -> String {
    let mut session = scene.start();
    scene.turn(&mut session, said, no_tool);
    drop(session);
    let last = scene.exchanges().pop().unwrap();
    String::from_utf8(last.body).unwrap()
}

/// Which of these words a request has.
fn has<'a>(body: &str, words: &[&'a str]) -> Vec<&'a str> {
    let words = words.iter().copied();
    words.filter(|word| body.contains(word)).collect()
}

/// What comes when this process asks, and when the next one does in its place.
fn asked_twice(scene: &Scene, mut session: Session) -> (Session, Prepared, Vec<Event>) {
    let here = session.before_request().unwrap();
    // Not closed: the process is gone.
    drop(session);
    let mut session = scene.start();
    let there = session.before_request().unwrap();
    assert_eq!(here.body.json, there.body.json);
    assert_eq!(here.body.betas, there.body.betas);
    (session, there, here.events)
}

#[test]
fn the_next_process_sends_the_same_bytes_before_every_request() {
    let mut scene = Scene::new();
    scene.facts.window = 128_000;
    scene.facts.bound_thinking = false;
    std::fs::write(scene.root().join("work/CLAUDE.md"), "Use tabs.\n").unwrap();
    scene.memory("feedback_friday.md", "---\nname: friday\ndescription: Never push to main on a Friday\nmetadata:\n  type: feedback\n---\n\nNobody is there to mend it.\n");
    // Of 112,000 tokens: results are cleared from 62,000 on, room is made from 78,400 on.
    let set = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    scene.variables = vec![
        set("MEMDIR_COMPACTION_WARNING_TOKENS", "50000"),
        set("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", "70"),
    ];
    let part = |number: usize| {
        let line = |at: usize| format!("{at}: fn part_{number}_{at}() -> u32 {{ {at} }}\n");
        (0..250).map(line).collect::<String>()
    };
    let mut steps = vec![
        json!({"when": {"system": "You sum up conversations"}, "reply": [{"text": "<summary>They read a program.</summary>"}]}),
        json!({"when": {"tool_result": "fn part_"}, "reply": [{"text": "I have read it."}]}),
    ];
    for number in 1..17 {
        let file = format!("part_{number}.rs");
        std::fs::write(scene.root().join("work").join(&file), part(number)).unwrap();
        let asked = format!("read part number {number} of");
        steps.push(json!({"when": {"last_user": asked}, "reply": [{"tool": "Read", "input": {"file_path": file}}]}));
    }
    steps.push(json!({"reply": [{"text": "Not today."}]}));
    scene.script(steps.into());
    let mut session = scene.start();
    let mut happened = std::collections::BTreeSet::new();
    for number in 0..24 {
        let said = match number {
            0 | 23 => "May I push to main this Friday?".to_owned(),
            17..23 => format!(
                "These are the measurements of day {number}:\n{}",
                part(number).repeat(2)
            ),
            number => format!("Please read part number {number} of the program now."),
        };
        let mut events = session.user_message(&said).unwrap();
        loop {
            let (resumed, prepared, more) = asked_twice(&scene, session);
            session = resumed;
            events.extend(more);
            let answer = session.model().send(&prepared.body, &Cancel::new());
            let reply = answer.unwrap().whole().unwrap();
            let calls = reply.blocks.iter().filter_map(|block| match block.kind() {
                Kind::ToolCall { id, .. } => Some(id.to_string()),
                _ => None,
            });
            let results: Vec<Block> = calls
                .map(|id| Block::tool_result(&id, &part(number), false))
                .collect();
            session.replied(reply).unwrap();
            if results.is_empty() {
                break;
            }
            session.results(results).unwrap();
        }
        events.extend(session.turn_ended().unwrap());
        session.settle(std::time::Duration::from_secs(60));
        happened.extend(events.iter().filter_map(|event| match event {
            Event::Recalled(turn) if !turn.given.is_empty() => Some("recalled".to_owned()),
            Event::Room(room) => match &**room {
                Room::Cleared { .. } => Some("cleared".to_owned()),
                Room::Compacted { way, trigger, .. } => {
                    Some(format!("{} {trigger:?}", way.as_str()))
                }
                _ => None,
            },
            Event::Restored { files, .. } if !files.is_empty() => Some("shown again".to_owned()),
            _ => None,
        }));
    }
    let happened: Vec<String> = happened.into_iter().collect();
    assert_eq!(
        happened,
        ["cleared", "recalled", "shown again", "summary Auto"]
    );
    scene.exchanges();
}

#[test]
fn what_is_private_is_sent_and_not_written_down() {
    let scene = Scene::new();
    scene.script(json!([{"reply": [{"text": "I see."}]}]));
    let mut session = scene.start();
    scene.turn(
        &mut session,
        "My door code is <private>4711</private>, by the way.",
        no_tool,
    );
    let transcript = session.places().transcript.clone();
    drop(session);
    assert!(String::from_utf8_lossy(&scene.exchanges()[0].body).contains("4711"));
    assert!(
        !std::fs::read_to_string(transcript)
            .unwrap()
            .contains("4711")
    );
}

#[test]
fn one_process_at_a_time() {
    let scene = Scene::new();
    let session = scene.start();
    let root = scene.root();
    let transcript = session.places().transcript.clone();
    let error = memdir_store::TranscriptFile::open(&transcript).unwrap_err();
    let error = error.to_string().replace(root.to_str().unwrap(), "ROOT");
    assert!(error.ends_with("is in use by another process"), "{error}");
}

#[test]
fn nothing_is_lost_behind_a_branch_that_was_left() {
    let scene = Scene::new();
    scene.script(json!([{"reply": [{"text": "I see."}]}]));
    one_turn(&scene, "The first way.");
    for step in 2..6 {
        one_turn(&scene, &format!("Step {step} of it."));
    }
    // As Claude Code writes it when the user goes back to the first message.
    let path = transcript(&scene);
    let mut lines = std::fs::read_to_string(&path).unwrap();
    let first: Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    let line = |kind: &str, parent: &Value, uuid: &str, words: &str| {
        json!({"parentUuid": parent, "isSidechain": false, "type": kind, "uuid": uuid, "sessionId": NAME,
            "timestamp": "2026-11-16T08:00:00Z",
            "message": {"role": kind, "content": [{"type": "text", "text": words}]}})
    };
    let (user, assistant) = (
        "5d1c4e3a-1111-4000-8000-000000000001",
        "5d1c4e3a-1111-4000-8000-000000000002",
    );
    let asked = line("user", &first["uuid"], user, "Another way.");
    let replied = line("assistant", &json!(user), assistant, "Gladly.");
    lines.push_str(&format!("{asked}\n{replied}\n"));
    std::fs::write(&path, lines).unwrap();
    let said = [
        "Another way.",
        "Question one.",
        "Question two.",
        "Question three.",
    ];
    for question in 1..said.len() {
        let body = one_turn(&scene, said[question]);
        assert_eq!(has(&body, &said), said[..=question], "{body}");
    }
}

#[test]
fn nothing_more_is_lost_behind_a_line_that_cannot_be_read() {
    let scene = Scene::new();
    scene.script(json!([{"reply": [{"text": "I see."}]}]));
    let said = [
        "Step one.",
        "Step two.",
        "Step three.",
        "Step four.",
        "Step five.",
    ];
    for words in &said[..3] {
        one_turn(&scene, words);
    }
    let path = transcript(&scene);
    let lines = std::fs::read_to_string(&path).unwrap();
    let mut lines: Vec<&str> = lines.lines().collect();
    let damaged = lines
        .iter()
        .position(|line| line.contains("Step two."))
        .unwrap();
    lines[damaged] = "{\"parentUuid\": \0\0\0";
    std::fs::write(&path, format!("{}\n", lines.join("\n"))).unwrap();
    let mut session = scene.start();
    let events = scene.turn(&mut session, said[3], no_tool);
    drop(session);
    let warning = events
        .iter()
        .find(|event| matches!(event, Event::Warning(_)));
    let warning = scene.plain(&warning.unwrap().to_string());
    let warning = warning.replace(NAME, "NAME");
    insta::assert_snapshot!(warning, @"warning: not all of this conversation could be read: line 3 of ROOT/home/projects/-ROOT-work/NAME.jsonl: not JSON: EOF while parsing a value; `memdir transcript check ROOT/home/projects/-ROOT-work/NAME.jsonl` tells all");
    let body = one_turn(&scene, said[4]);
    assert_eq!(
        has(&body, &said),
        ["Step one.", "Step three.", "Step four.", "Step five."],
        "{body}"
    );
}

#[test]
fn what_has_changed_is_told_once_however_often_it_is_resumed() {
    let scene = Scene::new();
    let instructions = scene.root().join("work/CLAUDE.md");
    std::fs::write(&instructions, "Use tabs.\n").unwrap();
    scene.script(json!([{"reply": [{"text": "I see."}]}]));
    one_turn(&scene, "Where is the parser written?");
    std::fs::write(&instructions, "Use four spaces.\n").unwrap();
    for _ in 0..3 {
        drop(scene.start());
    }
    one_turn(&scene, "And who calls it?");
    let body = one_turn(&scene, "And who wrote it?");
    assert_eq!(body.matches("Use four spaces.").count(), 1, "{body}");
}

#[test]
fn an_agent_that_goes_on_is_not_shown_the_index_of_the_user() {
    let scene = Scene::new();
    let index = |line: &str| scene.memory("MEMORY.md", line);
    index("- [Tabs](feedback_tabs.md) — indent with tabs\n");
    scene.script(json!([
        {"times": 1, "reply": [{"text": "I see."}]},
        {"times": 1, "reply": [{"tool": "Read", "input": {"file_path": "src/a.rs"}}]},
        {"reply": [{"text": "I see."}]},
    ]));
    let start = || {
        let mut session = scene.start();
        session.host().agent = Some(Agent {
            name: PlainName::agent("reviewer").unwrap(),
            scope: AgentScope::User,
        });
        session
    };
    let mut session = start();
    scene.turn(&mut session, "Is this well indented?", no_tool);
    drop(session);
    index("- [Tabs](feedback_tabs.md) — indent with tabs\n- [Pay](pay.md) — what the user earns\n");
    let mut session = start();
    scene.turn(&mut session, "And the next file?", |_, _| "text".to_owned());
    drop(session);
    let bodies = scene.exchanges().into_iter().map(|exchange| exchange.body);
    for body in bodies {
        let body = String::from_utf8(body).unwrap();
        assert_eq!(has(&body, &["feedback_tabs", "pay.md"]), [""; 0], "{body}");
    }
}

/// A conversation that was compacted, and its transcript cut behind the first line of which this is true, with what is
/// saved beside it as it was before: as if the process had been killed just then.
fn killed_while_compacting(last: impl Fn(&str) -> bool) -> Scene {
    let scene = Scene::new();
    std::fs::write(scene.root().join("work/CLAUDE.md"), "Use tabs.\n").unwrap();
    scene.script(json!([
        {"when": {"last_user": "Stop here and write a summary"}, "reply": [{"text": "<summary>They look for a parser.</summary>"}]},
        {"reply": [{"text": "I see."}]},
    ]));
    one_turn(&scene, "Where is the parser written?");
    let mut session = scene.start();
    scene.turn(&mut session, "And who calls it?", no_tool);
    let path = transcript(&scene);
    session.settle(std::time::Duration::from_secs(60));
    let before = copied(scene.home().store.state_directory());
    session.compact(&[]).unwrap();
    drop(session);
    for (file, bytes) in before {
        std::fs::write(file, bytes).unwrap();
    }
    let lines = std::fs::read_to_string(&path).unwrap();
    let at = lines.lines().position(last).unwrap();
    let kept = lines.lines().take(at + 1).map(|line| format!("{line}\n"));
    std::fs::write(&path, kept.collect::<String>()).unwrap();
    scene
}

fn copied(folder: &std::path::Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files.extend(copied(&path)),
            false => files.push((path.clone(), std::fs::read(&path).unwrap())),
        }
    }
    files
}

#[test]
fn whoever_is_killed_before_the_files_are_shown_again_shows_them_when_it_goes_on() {
    let scene = killed_while_compacting(|line| line.contains("\"isCompactSummary\":true"));
    for said in ["And who tests it?", "And who pays for it?"] {
        let body = one_turn(&scene, said);
        let seen = has(&body, &["They look for a parser.", "Use tabs."]);
        assert_eq!(seen, ["They look for a parser.", "Use tabs."], "{body}");
        assert_eq!(body.matches("Use tabs.").count(), 1, "{body}");
    }
}

#[test]
fn a_compaction_without_its_summary_was_none() {
    let scene = killed_while_compacting(|line| line.contains("compact_boundary"));
    for said in ["And who tests it?", "And who pays for it?"] {
        let body = one_turn(&scene, said);
        let seen = has(
            &body,
            &[
                "Where is the parser written?",
                "And who calls it?",
                "Use tabs.",
                said,
            ],
        );
        assert_eq!(seen.len(), 4, "{body}");
    }
}
