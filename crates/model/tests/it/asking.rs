//! What is sent, and what is made of the answer.

use std::sync::Arc;

use memdir_conversation::{Block, Flattening, Message, flatten};
use memdir_model::{Cancel, Effort, Error, Format, Model, Request, Thinking, What};
use serde_json::json;

use crate::scene::{Scene, ask, question};

const SCHEMA: &str = r#"{"type":"object","properties":{"selected_memories":{"type":"array","items":{"type":"string"}}},"required":["selected_memories"],"additionalProperties":false}"#;
const TOOL: &str = r#"{"name":"Read","description":"Reads a file","input_schema":{"type":"object","properties":{"file_path":{"type":"string"}}}}"#;

/// Everything at once, as bytes.
fn full(model: &dyn Model) -> String {
    let said = Message::user("1", "look at a.rs");
    let flat = flatten(&[&said], &Flattening::default());
    let system = [Block::from_json(
        r#"{"type":"text","text":"Be brief.","cache_control":{"type":"ephemeral"}}"#,
    )
    .unwrap()];
    let tools: [Arc<str>; 1] = [TOOL.into()];
    let request = Request {
        system: &system,
        tools: &tools,
        marks: &[0],
        thinking: Thinking::Off,
        effort: Some(Effort::Low),
        format: Some(Format {
            name: "selection",
            schema: SCHEMA,
        }),
        more: &[("metadata", r#"{"user_id":"u"}"#)],
        ..Request::new(&flat, 256)
    };
    model.body(&request).unwrap().json.to_string()
}

#[test]
fn a_request_is_the_same_bytes_every_time() {
    let scene = Scene::new(&[]);
    let [anthropic, openai] = scene.both();
    insta::assert_snapshot!(full(&*anthropic), @r#"{"model":"claude-sonnet-4-6","max_tokens":256,"stream":true,"tools":[{"name":"Read","description":"Reads a file","input_schema":{"type":"object","properties":{"file_path":{"type":"string"}}}}],"system":[{"type":"text","text":"Be brief.","cache_control":{"type":"ephemeral"}}],"thinking":{"type":"disabled"},"output_config":{"effort":"low","format":{"type":"json_schema","schema":{"type":"object","properties":{"selected_memories":{"type":"array","items":{"type":"string"}}},"required":["selected_memories"],"additionalProperties":false}}},"messages":[{"role":"user","content":[{"type":"text","text":"look at a.rs","cache_control":{"type":"ephemeral"}}]}],"metadata":{"user_id":"u"}}"#);
    insta::assert_snapshot!(full(&*openai), @r#"{"model":"gpt-5-mini","max_tokens":256,"stream":true,"stream_options":{"include_usage":true},"tools":[{"type":"function","function":{"name":"Read","description":"Reads a file","parameters":{"type":"object","properties":{"file_path":{"type":"string"}}}}}],"reasoning_effort":"low","response_format":{"type":"json_schema","json_schema":{"name":"selection","schema":{"type":"object","properties":{"selected_memories":{"type":"array","items":{"type":"string"}}},"required":["selected_memories"],"additionalProperties":false}}},"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"look at a.rs"}],"metadata":{"user_id":"u"}}"#);
    assert_eq!(full(&*anthropic), full(&*anthropic));
}

#[test]
fn the_server_finds_nothing_wrong_and_both_count_the_same() {
    let scene = Scene::new(&[json!({"reply": [
        {"thinking": "Hm."}, {"text": "I look."},
        {"tool": "Read", "input": {"file_path": "a.rs"}, "id": "call_1"}
    ]})]);
    for model in scene.both() {
        let reply = ask(&*model).unwrap();
        let exchange = scene.server.exchanges().pop().unwrap();
        assert_eq!(exchange.violations, []);
        let usage = exchange.usage.unwrap();
        let billed = reply.billed.usage;
        assert_eq!(billed.prompt(), usage.whole_input());
        assert_eq!(billed.output, usage.output);
        assert_eq!(reply.words(), "I look.");
        let calls: Vec<_> = reply.blocks.iter().filter_map(Block::input).collect();
        assert_eq!(calls, [r#"{"file_path":"a.rs"}"#]);
    }
}

#[test]
fn a_conversation_goes_on_with_the_bytes_that_came() {
    // Thinking is bound to the exact bytes before it: a changed byte is refused.
    let scene = Scene::new(&[
        json!({"times": 1, "extra": {"novelty": 1.50}, "reply": [
            {"thinking": "Let me see."},
            {"text": "I look: ünïcode \u{1f600}"},
            {"tool": "Read", "input": {"file_path": "a.rs", "limit": 1e2}, "id": "call_1"}
        ]}),
        json!({"reply": [{"text": "Done."}]}),
    ]);
    let model = scene.anthropic("claude-opus-5-5");
    let tools: [Arc<str>; 1] = [TOOL.into()];
    let asked = Message::user("1", "look at a.rs");
    let flat = flatten(&[&asked], &Flattening::default());
    let request = Request {
        tools: &tools,
        ..Request::new(&flat, 500)
    };
    let body = model.body(&request).unwrap();
    let reply = model.send(&body, &Cancel::new()).unwrap().whole().unwrap();
    let answer = reply.into_message("2", None);
    let result = Message::results("3", vec![Block::tool_result("call_1", "fn a() {}", false)]);
    let flat = flatten(&[&asked, &answer, &result], &Flattening::default());
    let request = Request {
        tools: &tools,
        ..Request::new(&flat, 500)
    };
    let body = model.body(&request).unwrap();
    let reply = model.send(&body, &Cancel::new()).unwrap().whole().unwrap();
    assert_eq!(reply.words(), "Done.");
    for exchange in scene.server.exchanges() {
        assert_eq!(exchange.violations, []);
    }
}

#[test]
fn events_come_as_they_happen_and_end_once() {
    let scene = Scene::new(&[json!({
        "reply": [{"thinking": "Hm, well."}, {"text": "One, two, three."}], "delta_characters": 6
    })]);
    let model = scene.anthropic("claude-opus-5-5");
    let mut answer = model.send(&question(&model), &Cancel::new()).unwrap();
    let mut shown = Vec::new();
    for event in &mut answer {
        shown.push(match event.unwrap().what {
            What::Text(piece) => format!("text {:?}", piece.0),
            What::Thinking(piece) => format!("thinking {:?}", piece.0),
            What::Block(block) => format!("block {:?}", block.kind()),
            What::Usage(usage) => format!("usage {}", usage.output),
            What::Done(reply) => format!("done {:?}", reply.stop),
            What::Waiting(_) | What::Other => "-".to_owned(),
        });
    }
    shown.dedup();
    insta::assert_debug_snapshot!(shown, @r#"
    [
        "usage 1",
        "-",
        "thinking \"\"",
        "-",
        "block Thinking",
        "-",
        "text \"One, t\"",
        "text \"wo, th\"",
        "text \"ree.\"",
        "block Text",
        "usage 6",
        "done End",
    ]
    "#);
    assert!(answer.next().is_none());
}

#[test]
fn counting_and_pinging_cost_nothing() {
    let scene = Scene::with(json!({"models": {"claude-opus-5-5": {}, "gpt-5-mini": {}}}));
    let anthropic = scene.anthropic("claude-opus-5-5");
    let openai = scene.openai("gpt-5-mini");
    let cancel = Cancel::new();
    let counted = anthropic.count(&question(&anthropic), &cancel);
    assert!(counted.unwrap().unwrap() > 0);
    assert_eq!(openai.count(&question(&openai), &cancel).unwrap(), None);
    let pong = anthropic.ping(&cancel).unwrap();
    assert_eq!((pong.window, pong.output), (Some(1_000_000), Some(128_000)));
    openai.ping(&cancel).unwrap();
    let unknown = scene.openai("gpt-9").ping(&cancel).unwrap_err();
    assert!(matches!(unknown, Error::NotFound(_)), "{unknown}");
    assert_eq!(scene.server.totals().answered, 0);
}

#[test]
fn the_cache_is_read_where_the_beginning_is_the_same() {
    let scene = Scene::new(&[json!({"reply": [{"text": "Yes."}]})]);
    let model = scene.anthropic("claude-sonnet-4-6");
    let long = "A rule that holds for every file of this project. ".repeat(400);
    let system = [Block::from_json(
        &json!({"type": "text", "text": long, "cache_control": {"type": "ephemeral"}}).to_string(),
    )
    .unwrap()];
    let usage: Vec<_> = ["one", "two"]
        .into_iter()
        .map(|words| {
            let said = Message::user("1", words);
            let flat = flatten(&[&said], &Flattening::default());
            let request = Request {
                system: &system,
                ..Request::new(&flat, 100)
            };
            let body = model.body(&request).unwrap();
            let reply = model.send(&body, &Cancel::new()).unwrap().whole().unwrap();
            reply.billed.usage
        })
        .collect();
    assert!(usage[0].cache_write > 2048 && usage[0].cache_read == 0);
    assert_eq!(usage[1].cache_read, usage[0].cache_write);
}
