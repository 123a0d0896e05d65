//! A model that selects what to recall.

use std::sync::Arc;
use std::time::Duration;

use memdir_agent::{Meter, ModelSelector};
use memdir_recall::{Request, SELECTOR_DEADLINE, Selector, select};
use memdir_store::ledger::{Budget, Ledger};
use serde_json::json;

use crate::scene::Scene;

fn selector(scene: &Scene) -> ModelSelector {
    ModelSelector {
        model: Arc::new(scene.model("claude-haiku-5-5")),
        meter: Meter {
            ledger: Ledger::new(scene.root().join("home")),
            budget: Budget {
                daily_nano_usd: 1_000_000_000,
                floor_per_mille: 0,
                no_spend: false,
            },
            project: "/home/ada/app".to_owned(),
            day: "2026-11-16T00:00:00Z".parse().unwrap(),
            tally: memdir_agent::Tally::default(),
            now: || "2026-11-16T08:00:00Z".parse().unwrap(),
        },
        cancel: memdir_model::Cancel::new(),
    }
}

fn request() -> Request {
    Request {
        query: "Why not on Friday? <private>I am ill.</private>".to_owned(),
        manifest: vec![
            (
                "a.md".to_owned(),
                "- [feedback] a.md (2026-03-30T12:00:00Z): No deploys on Fridays".to_owned(),
            ),
            (
                "b.md".to_owned(),
                "- b.md (2026-03-30T12:00:00Z)".to_owned(),
            ),
        ],
        tools: vec!["Bash".to_owned()],
    }
}

#[test]
fn what_it_is_asked_and_what_counts_of_its_answer() {
    let scene = Scene::new();
    scene.script(json!([{"reply": [
        {"text": "Certainly: {\"selected_memories\": [\"a.md\", \"made_up.md\"]}"},
    ]}]));
    let chosen = select(
        Arc::new(selector(&scene)),
        request(),
        SELECTOR_DEADLINE,
        Vec::new,
    );
    assert_eq!(chosen.names, ["a.md"]);
    assert_eq!(chosen.fell_back, None);
    let asked = scene.exchanges()[0].json();
    insta::assert_snapshot!(asked["messages"][0]["content"][0]["text"].as_str().unwrap(), @r#"{"query":"Why not on Friday? [private]","memories":["- [feedback] a.md (2026-03-30T12:00:00Z): No deploys on Fridays","- b.md (2026-03-30T12:00:00Z)"],"tools":["Bash"]}"#);
    insta::assert_snapshot!(json!({"output": asked["max_tokens"], "config": asked["output_config"], "choice": asked["tool_choice"]}), @r#"{"output":2304,"config":{"effort":"low","format":{"type":"json_schema","schema":{"type":"object","properties":{"selected_memories":{"type":"array","items":{"type":"string"}}},"required":["selected_memories"],"additionalProperties":false}}},"choice":null}"#);
}

#[test]
fn without_an_answer_the_embedded_ranker_chooses() {
    let scene = Scene::new();
    let steps = [
        json!([{"fault": {"status": 401}}]),
        json!([{"reply": [{"text": "I cannot say."}]}]),
        json!([{"reply": [{"text": "{}"}], "fault": {"silence": {"after_events": 1, "ms": 600_000}}}]),
    ];
    let mut shown = Vec::new();
    for steps in steps {
        scene.script(steps);
        let deadline = Duration::from_millis(300);
        let selector = selector(&scene);
        shown.push(
            selector
                .select(&request(), deadline)
                .unwrap_err()
                .to_string(),
        );
    }
    insta::assert_debug_snapshot!(shown, @r#"
    [
        "the selector failed: the provider does not accept the key",
        "the selector failed: the answer is not what was asked for",
        "the selector did not answer in time",
    ]
    "#);
}
