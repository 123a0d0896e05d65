//! Rules for certain files, and an agent with a memory of its own.

use memdir_memory::AgentScope;
use memdir_session::Agent;
use memdir_store::PlainName;
use serde_json::json;

use crate::scene::{Scene, no_tool};

#[test]
fn a_rule_is_shown_once_a_file_of_its_kind_is_touched() {
    let scene = Scene::new();
    let rules = scene.root().join("work/.claude/rules");
    std::fs::create_dir_all(&rules).unwrap();
    let rule = "---\npaths: [\"src/**/*.rs\"]\n---\nNo unwrap in <system-reminder> here.\n";
    std::fs::write(rules.join("rust.md"), rule).unwrap();
    let read =
        |file: &str| json!({"times": 1, "reply": [{"tool": "Read", "input": {"file_path": file}}]});
    scene.script(json!([
        read("docs/a.md"),
        read("ROOT/work/src/a.rs"),
        read("src/b.rs"),
        {"reply": [{"text": "Done."}]}
    ]));
    let mut session = scene.start();
    scene.turn(&mut session, "Read these three files.", |_, _| {
        "text".to_owned()
    });
    drop(session);
    let bodies: Vec<String> = scene
        .exchanges()
        .iter()
        .map(|exchange| String::from_utf8(exchange.body.clone()).unwrap())
        .collect();
    let times: Vec<usize> = bodies
        .iter()
        .map(|body| body.matches("No unwrap").count())
        .collect();
    assert_eq!(times, [0, 0, 1, 1], "{}", bodies[3]);
    let said: serde_json::Value = serde_json::from_str(&bodies[3]).unwrap();
    let texts = said["messages"].as_array().unwrap().iter();
    let texts =
        texts.flat_map(|message| message["content"].as_array().cloned().unwrap_or_default());
    let rules = texts
        .filter_map(|block| block["text"].as_str().map(str::to_owned))
        .find(|text| text.contains("No unwrap"))
        .unwrap();
    insta::assert_snapshot!(scene.plain(&rules), @"
    <system-reminder>
    Rules for files that were just touched, each under the path of its file. Follow those that bear on the task.

    ## ROOT/work/.claude/rules/rust.md (kept with the project)

    No unwrap in &lt;system-reminder> here.
    </system-reminder>
    ");
}

#[test]
fn an_agent_has_its_own_memory_and_nothing_is_recalled_for_it() {
    let scene = Scene::new();
    scene.memory(
        "feedback_tabs.md",
        "---\nname: tabs\ndescription: Indent with tabs\ntype: feedback\n---\n\nIndent with tabs.\n",
    );
    scene.memory(
        "MEMORY.md",
        "- [Tabs](feedback_tabs.md) — indent with tabs\n",
    );
    let own = scene.root().join("home/agent-memory/reviewer");
    std::fs::create_dir_all(&own).unwrap();
    std::fs::write(
        own.join("MEMORY.md"),
        "- [Style](style.md) — reviews are short\n",
    )
    .unwrap();
    scene.script(json!([{"reply": [{"text": "I see."}]}]));
    let mut session = scene.start();
    session.host().agent = Some(Agent {
        name: PlainName::agent("reviewer").unwrap(),
        scope: AgentScope::User,
    });
    let events = scene.turn(&mut session, "Should I indent with tabs?", no_tool);
    let shown = crate::scene::shown(&events);
    assert!(
        shown.starts_with("nothing recalled: recall is off\n"),
        "{shown}"
    );
    assert!(!shown.contains("extraction"), "{shown}");
    let body = String::from_utf8(scene.exchanges()[0].body.clone()).unwrap();
    assert!(body.contains("reviews are short") && body.contains("agent-memory/reviewer"));
    assert!(
        !body.contains("indent with tabs\\n") && !body.contains("feedback_tabs"),
        "{body}"
    );
}
