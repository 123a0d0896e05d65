//! What the server refuses, over the wire and in the API's words.

use memdir_testkit::server::{Script, Server};
use serde_json::{Value, json};

use crate::client::{HEADERS, ask, chat, finish, open};
use crate::oracle_pairing::conversation;

fn server(script: Value) -> Server {
    Server::start(Script::from_value(script).unwrap()).unwrap()
}

fn obliging() -> Server {
    server(json!({"step": [{"reply": [{"text": "hi"}]}]}))
}

#[test]
fn a_request_that_breaks_a_rule_uses_up_no_step_and_costs_nothing() {
    let server = server(json!({"step": [{"times": 1, "reply": [{"text": "hi"}]}]}));
    let refused = ask(&server, &conversation("u t a +1 u t"));
    assert_eq!(refused.status, 400);
    insta::assert_snapshot!(refused.text(), @r#"{"type":"error","error":{"type":"invalid_request_error","message":"messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1. Each `tool_use` block must have a corresponding `tool_result` block in the next message."},"request_id":"req_000000"}"#);
    assert_eq!(ask(&server, &conversation("u t a +1 u -1")).status, 200);
    let totals = server.totals();
    assert_eq!((totals.answered, totals.refused), (1, 1));
    let rules: Vec<String> = server.exchanges()[0]
        .violations
        .iter()
        .map(|violation| format!("{:?}", violation.rule))
        .collect();
    assert_eq!(rules, ["UnansweredCall"]);
}

#[test]
fn every_kind_of_rule_reaches_the_wire() {
    let server = obliging();
    let mut marks = conversation("u t t t t t");
    for block in marks["messages"][0]["content"].as_array_mut().unwrap() {
        block["cache_control"] = json!({"type": "ephemeral"});
    }
    let mut system = conversation("u t u t");
    system["messages"][1]["role"] = json!("system");
    let mut old = system.clone();
    old["model"] = json!("claude-opus-4-7");
    let mut limit = conversation("u t");
    limit.as_object_mut().unwrap().shift_remove("max_tokens");
    let mut out = String::new();
    for (name, request) in [
        ("pairing", conversation("u t a t u -1")),
        ("order of results", conversation("u t a +1 u t -1")),
        ("duplicate ids", conversation("u t a +1 u -1 a +1 u -1")),
        ("first role", conversation("a t u t")),
        ("five marks", marks),
        ("a system message", system),
        ("a system message on an old model", old),
        ("no limit", limit),
        ("not an object", json!("hello")),
    ] {
        let answer = ask(&server, &request);
        let message = answer.json()["error"]["message"].clone();
        out.push_str(&format!("{name}: {} {message}\n", answer.status));
    }
    insta::assert_snapshot!(out, @r#"
    pairing: 400 "messages.2.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_1. Each `tool_result` block must have a corresponding `tool_use` block in the previous message."
    order of results: 400 "messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1. Each `tool_use` block must have a corresponding `tool_result` block in the next message."
    duplicate ids: 400 "messages.3.content.0: `tool_use` ids must be unique"
    first role: 400 "messages: first message must use the \"user\" role"
    five marks: 400 "A maximum of 4 blocks with cache_control may be provided. Found 5."
    a system message: 200 null
    a system message on an old model: 400 "messages: Unexpected role \"system\". The Messages API accepts a top-level `system` parameter, not \"system\" as an input message role."
    no limit: 400 "max_tokens: Field required"
    not an object: 400 "Input should be an object"
    "#);
    let garbled = finish(open(
        server.address(),
        "/v1/messages",
        HEADERS,
        "{\"model\": ",
    ));
    insta::assert_snapshot!(garbled.json()["error"], @r#"{"type":"invalid_request_error","message":"The request body is not valid JSON: EOF while parsing a value at line 1 column 10"}"#);
}

#[test]
fn chat_completions_have_rules_and_words_of_their_own() {
    let server = obliging();
    let request = json!({"model": "gpt-5.6", "messages": [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": null, "tool_calls": [
            {"id": "call_1", "type": "function", "function": {"name": "ls", "arguments": "{}"}}
        ]},
        {"role": "user", "content": "never mind"}
    ]});
    let answer = chat(&server, &request);
    assert_eq!(answer.status, 400);
    insta::assert_snapshot!(answer.text(), @r#"{"error":{"message":"An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_1","type":"invalid_request_error","param":"messages[1]","code":null}}"#);
}

/// A conversation with the server: its answers are sent back with a change.
fn second_request(server: &Server, model: &str, change: impl Fn(&mut Value)) -> (Value, String) {
    let mut request = json!({
        "model": model, "max_tokens": 1000, "system": "be brief",
        "thinking": {"type": "adaptive", "display": "summarized"},
        "messages": [{"role": "user", "content": "go"}]
    });
    let answer = ask(server, &request).json();
    let messages = request["messages"].as_array_mut().unwrap();
    messages.push(json!({"role": "assistant", "content": answer["content"]}));
    messages.push(json!({"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": answer["content"][1]["id"], "content": "ok"}
    ]}));
    change(&mut request);
    let answer = ask(server, &request);
    let told = match answer.status {
        200 => "ok".to_owned(),
        _ => answer.json()["error"]["message"]
            .as_str()
            .unwrap()
            .to_owned(),
    };
    (request, told)
}

#[test]
fn thinking_comes_back_as_it_was_sent() {
    let server = server(json!({"step": [
        {"when": {"turn": 0}, "reply": [{"thinking": "hm"}, {"tool": "Read"}]},
        {"reply": [{"thinking": "so"}, {"text": "done"}]}
    ]}));
    let told = |model: &str, change: &dyn Fn(&mut Value)| second_request(&server, model, change).1;
    let (bound, free) = ("claude-sonnet-5-5", "claude-opus-4-8");
    let system = |request: &mut Value| request["system"] = json!("be long");
    let words = |request: &mut Value| request["messages"][1]["content"][0]["thinking"] = json!("x");
    let signature =
        |request: &mut Value| request["messages"][1]["content"][0]["signature"] = json!("mine");
    let rows = [
        ("untouched, bound", told(bound, &|_| {})),
        ("untouched, free", told(free, &|_| {})),
        ("another system prompt, bound", told(bound, &system)),
        ("another system prompt, free", told(free, &system)),
        ("other words", told(free, &words)),
        ("another signature", told(free, &signature)),
    ]
    .map(|(name, told)| format!("{name}: {told}"));
    insta::assert_snapshot!(rows.join("\n"), @"
    untouched, bound: ok
    untouched, free: ok
    another system prompt, bound: messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation.
    another system prompt, free: ok
    other words: messages.1.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.
    another signature: messages.1.content.0: Invalid `signature` in `thinking` block
    ");
}

#[test]
fn counting_runs_the_same_checks() {
    let server = server(json!({"step": [{"reply": [{"thinking": "hm"}, {"tool": "Read"}]}]}));
    let (request, told) = second_request(&server, "claude-fable-5-2", |request| {
        request["system"] = json!("be long")
    });
    let counted = finish(open(
        server.address(),
        "/v1/messages/count_tokens",
        HEADERS,
        &request.to_string(),
    ));
    assert_eq!(counted.status, 400);
    assert_eq!(counted.json()["error"]["message"], told);
}

#[test]
fn too_long_a_prompt() {
    let server = server(json!({
        "models": {"small": {"window": 20}}, "step": [{"reply": [{"text": "hi"}]}]
    }));
    let request = |words: usize| {
        json!({"model": "small", "max_tokens": 10, "messages": [
            {"role": "user", "content": "word ".repeat(words)}
        ]})
    };
    assert_eq!(ask(&server, &request(17)).status, 200);
    insta::assert_snapshot!(ask(&server, &request(18)).json()["error"], @r#"{"type":"invalid_request_error","message":"prompt is too long: 21 tokens > 20 maximum"}"#);
    insta::assert_snapshot!(chat(&server, &request(90)).json()["error"], @r#"{"message":"This model's maximum context length is 20 tokens. However, your messages resulted in 96 tokens. Please reduce the length of the messages.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}"#);
}

#[test]
fn enforcement_can_be_switched_off_and_is_still_recorded() {
    let server = server(json!({"enforce": false, "step": [{"reply": [{"text": "hi"}]}]}));
    assert_eq!(ask(&server, &conversation("u t a +1 u t")).status, 200);
    assert_eq!(server.settled()[0].violations.len(), 1);
}
