//! What a model is sent, turn by turn.

use memdir_conversation::{Block, Source};
use memdir_session::{Ended, Event};
use serde_json::{Value, json};

use crate::scene::{Scene, no_tool, shown};

/// The texts of a request's messages, one a line, the long ones cut.
pub(crate) fn outline(body: &Value) -> String {
    let mut lines = Vec::new();
    for message in body["messages"].as_array().unwrap() {
        for block in message["content"].as_array().unwrap() {
            let text = match block["type"].as_str().unwrap() {
                "text" => block["text"].as_str().unwrap().to_owned(),
                "tool_use" => format!("{} {}", block["name"].as_str().unwrap(), block["input"]),
                "tool_result" => format!("= {}", block["content"]),
                other => other.to_owned(),
            };
            let first: String = text.replace('\n', " ⏎ ").chars().take(110).collect();
            let mark = if block["cache_control"].is_null() {
                ""
            } else {
                " *"
            };
            lines.push(format!(
                "{}: {first}{mark}",
                message["role"].as_str().unwrap()
            ));
        }
    }
    lines.join("\n")
}

#[test]
fn a_memory_is_recalled_beside_the_message_and_the_next_request_repeats_the_first() {
    let scene = Scene::new();
    scene.memory(
        "feedback_friday.md",
        "---\nname: no-push-on-friday\ndescription: Never push to main on a Friday\nmetadata:\n  type: feedback\n---\n\nNever push to main on a Friday: nobody is there to mend it.\n",
    );
    std::fs::write(scene.root().join("work/CLAUDE.md"), "Use tabs.\n").unwrap();
    scene.script(json!([
        {"times": 1, "reply": [{"tool": "Read", "input": {"file_path": "a.rs"}}]},
        {"reply": [{"text": "Not today."}]},
    ]));
    let mut session = scene.start();
    let read = |_: &str, _: &Value| "fn main() {}".to_owned();
    let events = scene.turn(&mut session, "May I push to main this Friday?", read);
    insta::assert_snapshot!(scene.plain(&shown(&events[..1])), @"recalled feedback_friday.md");
    scene.turn(&mut session, "And on Monday morning?", no_tool);
    session.close().unwrap();
    let exchanges = scene.exchanges();
    let bodies: Vec<Value> = exchanges.iter().map(|one| one.json()).collect();
    insta::assert_snapshot!(scene.plain(&outline(&bodies[2])), @r#"
    user: <system-reminder> ⏎ Context for this conversation. It may or may not be relevant to what is asked. ⏎  ⏎ # Inst
    user: May I push to main this Friday?
    user: <system-reminder> ⏎ Memory (saved today): ROOT/home/projects/-ROOT-work/memory/feedback_f
    assistant: Read {"file_path":"a.rs"}
    user: = "fn main() {}" *
    assistant: Not today.
    user: And on Monday morning? *
    "#);
    assert_eq!(bodies[0]["system"], bodies[2]["system"]);
    let first = outline(&bodies[0]).replace(" *", "");
    assert!(outline(&bodies[2]).replace(" *", "").starts_with(&first));
}

#[test]
fn what_the_user_said_outright_is_saved_after_the_turn_without_a_model() {
    let scene = Scene::new();
    scene.script(json!([{"reply": [{"text": "I will."}]}]));
    let mut session = scene.start();
    scene.turn(&mut session, "From now on, use tabs in Makefiles.", no_tool);
    let events = session.close().unwrap();
    insta::assert_snapshot!(shown(&events), @"Saved 1 memory: feedback_use_tabs_makefiles.md");
}

#[test]
fn a_fork_saves_what_is_worth_keeping_and_reads_the_cache() {
    let mut scene = Scene::new();
    scene.extracts = true;
    let memory = "---\nname: tabs-in-makefiles\ndescription: Use tabs in Makefiles\nmetadata:\n  type: feedback\n  evidence: use tabs in Makefiles\n---\n\nUse tabs in Makefiles.\n";
    let folder = scene.home().store.memory_directory().display().to_string();
    scene.script(json!([
        {"times": 1, "reply": [{"text": "I will."}]},
        {"reply": [{"tool": "Write", "input": {"file_path": format!("{folder}/feedback_tabs.md"), "content": memory}}]},
    ]));
    let mut session = scene.start();
    scene.turn(&mut session, "From now on, use tabs in Makefiles.", no_tool);
    let events = session.close().unwrap();
    insta::assert_snapshot!(shown(&events), @"Saved 1 memory: feedback_tabs.md");
    let exchanges = scene.exchanges();
    assert_eq!(exchanges.len(), 2);
    // What it came to is told as figures, the same that the provider counted and the ledger has.
    let Some(Event::Work(work)) = events.first() else {
        panic!("{events:?}");
    };
    let counted = exchanges[1].usage.unwrap();
    let usage = work.bill.usage;
    assert_eq!(
        (work.bill.requests, usage.cache_read, usage.output),
        (1, counted.cache_read, counted.output)
    );
    let ledger = scene.meter().ledger.entries(None).unwrap();
    assert_eq!(work.bill.nano_usd, ledger.requests[0].nano_usd());
    assert!(work.bill.nano_usd > 0 && work.operation.is_some());
}

#[test]
fn a_host_without_tools_has_memories_saved_by_one_request() {
    let mut scene = Scene::new();
    scene.extracts = true;
    scene.tools = false;
    let answer = json!({"operations": [{
        "action": "create", "path": "feedback_tabs.md", "type": "feedback", "name": "tabs",
        "description": "Use tabs in Makefiles", "body": "Use tabs in Makefiles.",
        "evidence": "use tabs in Makefiles",
    }]});
    scene.script(json!([
        {"times": 1, "reply": [{"text": "I will."}]},
        {"reply": [{"text": answer.to_string()}]},
    ]));
    let mut session = scene.start();
    scene.turn(&mut session, "From now on, use tabs in Makefiles.", no_tool);
    let events = session.close().unwrap();
    insta::assert_snapshot!(shown(&events), @"Saved 1 memory: feedback_tabs.md");
}

#[test]
fn a_memory_that_could_not_be_read_does_not_count_as_read() {
    let scene = Scene::new();
    let path = scene.home().store.memory_directory().join("user_role.md");
    scene.memory("user_role.md", "---\nname: role\ndescription: The user leads the shipyard team\nmetadata:\n  type: user\n---\n\nTen years of Rust.\n");
    let mut session = scene.start();
    for (number, error) in [(1, true), (2, false)] {
        session.user_message("Read it.").unwrap();
        let id = format!("toolu_{number}");
        let input = json!({"file_path": path.display().to_string()}).to_string();
        let call = Block::tool_call(&id, "Read", &input).unwrap();
        session.replied_with(vec![call], None).unwrap();
        let result = Block::tool_result(&id, "no", error);
        session.results(vec![result]).unwrap();
        session
            .replied_with(vec![Block::text("Done.")], None)
            .unwrap();
        let events = session
            .user_message("What is my role in the shipyard team?")
            .unwrap();
        let recalled = events.iter().find_map(|event| match event {
            Event::Recalled(turn) => Some(turn),
            _ => None,
        });
        let recalled = recalled.unwrap();
        match error {
            true => assert_eq!(recalled.given.len(), 1, "{recalled:?}"),
            false => assert_eq!(recalled.given.len(), 0, "{recalled:?}"),
        }
        session
            .replied_with(vec![Block::text("You lead it.")], None)
            .unwrap();
    }
}

#[test]
fn with_memory_off_nothing_of_it_appears() {
    let mut scene = Scene::new();
    let off = ("CLAUDE_CODE_DISABLE_AUTO_MEMORY".to_owned(), "1".to_owned());
    scene.variables.push(off);
    scene.memory("feedback_friday.md", "---\nname: friday\ndescription: Never push to main on a Friday\nmetadata:\n  type: feedback\n---\n\nNever push to main on a Friday.\n");
    scene.script(json!([{"reply": [{"text": "Yes."}]}]));
    let mut session = scene.start();
    let events = scene.turn(&mut session, "May I push to main this Friday?", no_tool);
    session.close().unwrap();
    insta::assert_snapshot!(shown(&events[..1]), @"nothing recalled: memory is off");
    let exchanges = scene.exchanges();
    let body = String::from_utf8_lossy(&exchanges[0].body).to_lowercase();
    assert!(
        !body.contains("memory") && !body.contains("never push"),
        "{body}"
    );
}

#[test]
fn work_that_failed_is_told_as_such() {
    let mut scene = Scene::new();
    scene.extracts = true;
    scene.script(json!([
        {"times": 1, "reply": [{"text": "I see."}]},
        {"fault": {"status": 400, "message": "no"}},
    ]));
    let mut session = scene.start();
    let mut events = scene.turn(&mut session, "The build takes four minutes now.", no_tool);
    events.extend(session.close().unwrap());
    let ended = events.iter().filter_map(|event| match event {
        Event::Work(work) => Some((work.kind, work.ended, work.to_string())),
        _ => None,
    });
    let why = "extraction failed: the provider does not understand the request (status 400)";
    let failed = ("extraction", Ended::Failed, why.to_owned());
    assert_eq!(ended.collect::<Vec<_>>(), [failed]);
}

#[test]
fn what_was_not_looked_at_before_a_compaction_is_looked_at_after_it() {
    let scene = Scene::new();
    scene.script(json!([
        {"when": {"last_user": "Stop here and write a summary"}, "reply": [{"text": "<summary>They build a program.</summary>"}]},
        {"reply": [{"text": "I see."}]},
    ]));
    let mut session = scene.start();
    for said in [
        "From now on, use tabs in Makefiles.",
        "Where is the parser written?",
        "And who calls it?",
    ] {
        session.user_message(said).unwrap();
        session.before_request().unwrap();
        // Stopped behind the reply: the turn does not end.
        session
            .replied_with(vec![Block::text("I see.")], None)
            .unwrap();
    }
    session.compact(&[]).unwrap();
    let visible = session.conversation().visible();
    let typed = visible.iter().filter(|one| one.source == Source::User);
    assert!(typed.count() < 3);
    scene.turn(&mut session, "And who wrote it?", no_tool);
    let events = session.close().unwrap();
    insta::assert_snapshot!(shown(&events), @"Saved 1 memory: feedback_use_tabs_makefiles.md");
}
