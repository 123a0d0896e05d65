//! What the provider keeps in its cache: a request begins with the bytes of the one before it.

use std::sync::Arc;

use memdir_conversation::{Block, Flattening, Message, flatten};
use memdir_model::{Cancel, Model, Request};
use serde_json::json;

use crate::scene::Scene;

const TOOL: &str = r#"{"name":"Read","description":"Reads \u00e9 file","input_schema":{"type":"object","properties":{"b":{},"a":{}}}}"#;
/// A mark for the cache, which moves from request to request.
const MARK: &str = r#","cache_control":{"type":"ephemeral"}"#;

/// The bytes of each request of a conversation that uses a tool at every turn, without what closes them.
fn bodies(model: &dyn Model) -> Vec<String> {
    let tools: [Arc<str>; 1] = [TOOL.into()];
    let system = [Block::from_json(r#"{"type":"text", "text":"Be brief\u002e"}"#).unwrap()];
    let mut said = vec![Message::user("1", "look at a.rs")];
    let mut bodies = Vec::new();
    for turn in 0..5 {
        let all: Vec<&Message> = said.iter().collect();
        let flat = flatten(&all, &Flattening::default());
        let marks = [flat.messages.len() - 1];
        let request = Request {
            system: &system,
            tools: &tools,
            marks: &marks,
            ..Request::new(&flat, 500)
        };
        let body = model.body(&request).unwrap();
        let open = body.json.replace(MARK, "");
        bodies.push(open.strip_suffix("]}").unwrap().to_owned());
        let reply = model.send(&body, &Cancel::new()).unwrap().whole().unwrap();
        let answer = reply.into_message(&format!("a{turn}"), None);
        let calls = answer.blocks.iter().filter_map(|block| match block.kind() {
            memdir_conversation::Kind::ToolCall { id, .. } => Some(id),
            _ => None,
        });
        let results = calls.map(|id| Block::tool_result(id, "fn a() {}", false));
        let results = Message::results(&format!("r{turn}"), results.collect());
        said.extend([answer, results]);
    }
    bodies
}

#[test]
fn tools_system_and_every_earlier_message_are_the_same_bytes_in_the_next_request() {
    let reply = |number: usize| {
        json!({"times": 2, "extra": {"novelty": 1.50}, "reply": [
            {"text": format!("ünïcode \u{1f600} {number}")},
            {"tool": "Read", "input": {"b": 1e2, "a": "/"}, "id": format!("call_{number}")}
        ]})
    };
    for api in 0..2 {
        let scene = Scene::new(&(0..5).map(reply).collect::<Vec<_>>());
        let bodies = bodies(&*scene.both()[api]);
        for (before, after) in bodies.iter().zip(bodies.iter().skip(1)) {
            assert!(after.starts_with(before), "{before}\n{after}");
        }
        for exchange in scene.server.exchanges() {
            assert_eq!(exchange.violations, []);
        }
    }
}
