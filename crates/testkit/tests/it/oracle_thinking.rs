//! Thinking comes back as it was sent. Each case changes a conversation that a server has seen.

use memdir_testkit::oracle::anthropic::{self, Witness};
use serde_json::{Value, json};

use crate::listed;

const BOUND: &str = "claude-opus-5-5";
const FREE: &str = "claude-opus-4-8";

/// A name, and what is done to the conversation.
type Case<'a> = (&'a str, &'a dyn Fn(&mut Value));

fn thought(number: u32) -> Value {
    json!({"type": "thinking", "thinking": format!("thought {number}"), "signature": format!("s{number}")})
}

fn call(number: u32) -> Value {
    json!({"type": "tool_use", "id": format!("toolu_{number}"), "name": "Read", "input": {"b": 1, "a": 2}})
}

fn result(number: u32) -> Value {
    json!({"type": "tool_result", "tool_use_id": format!("toolu_{number}"), "content": "ok"})
}

/// Two answers with calls: the first thinks once, the second twice with a text between.
fn conversation(model: &str) -> Value {
    json!({
        "model": model,
        "max_tokens": 4096,
        "tools": [{"name": "Read", "input_schema": {"type": "object"}}],
        "system": "be brief",
        "messages": [
            {"role": "user", "content": "go"},
            {"role": "assistant", "content": [thought(1), call(1)]},
            {"role": "user", "content": [result(1)]},
            {"role": "assistant", "content": [
                thought(2), {"type": "text", "text": "hm"},
                {"type": "redacted_thinking", "data": "d3"}, call(2)
            ]},
            {"role": "user", "content": [result(2)]}
        ]
    })
}

fn judge(model: &str, cases: &[Case<'_>]) -> String {
    let request = conversation(model);
    let mut witness = Witness::default();
    witness.conversation(&request);
    cases
        .iter()
        .map(|(name, change)| {
            let mut request = request.clone();
            change(&mut request);
            let mut violations = anthropic::check(&request);
            violations.extend(witness.check(&request));
            listed(name, &violations)
        })
        .collect()
}

fn content(request: &mut Value, message: usize) -> &mut Vec<Value> {
    request["messages"][message]["content"]
        .as_array_mut()
        .unwrap()
}

#[test]
fn thinking_of_the_latest_message_stays_as_it_is() {
    let cases: [Case<'_>; 10] = [
        ("untouched", &|_| {}),
        ("fields in another order, and a null", &|request| {
            content(request, 3)[0] = json!({
                "signature": "s2", "thinking": "thought 2", "citations": null, "type": "thinking"
            });
        }),
        ("other words", &|request| {
            content(request, 3)[0]["thinking"] = json!("x")
        }),
        ("emptied", &|request| {
            content(request, 3)[0]["thinking"] = json!("")
        }),
        ("one left out", &|request| {
            content(request, 3).remove(2);
        }),
        ("one moved", &|request| content(request, 3).swap(1, 2)),
        ("in another order", &|request| {
            content(request, 3).swap(0, 2)
        }),
        ("a made-up one", &|request| {
            content(request, 3)[0]["signature"] = json!("mine")
        }),
        ("all left out", &|request| {
            content(request, 3)
                .retain(|block| !block["type"].as_str().unwrap().contains("thinking"));
        }),
        ("with a mark on its neighbour", &|request| {
            content(request, 3)[3]["cache_control"] = json!({"type": "ephemeral"});
        }),
    ];
    insta::assert_snapshot!(judge(FREE, &cases), @"
    untouched
      ok
    fields in another order, and a null
      ok
    other words
      ThinkingModified | messages.3.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.
    emptied
      ThinkingModified | messages.3.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.
    one left out
      ThinkingModified | messages.3.content: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.
    one moved
      ThinkingModified | messages.3.content: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.
    in another order
      ThinkingModified | messages.3.content: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.
    a made-up one
      ThinkingSignature | messages.3.content.0: Invalid `signature` in `thinking` block
      ThinkingModified | messages.3.content: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.
    all left out
      ok
    with a mark on its neighbour
      ok
    ");
}

#[test]
fn thinking_of_earlier_messages_may_go_but_not_change() {
    let cases: [Case<'_>; 2] = [
        ("left out", &|request| {
            content(request, 1).remove(0);
        }),
        ("changed", &|request| {
            content(request, 1)[0]["thinking"] = json!("x")
        }),
    ];
    insta::assert_snapshot!(judge(FREE, &cases), @"
    left out
      ok
    changed
      ThinkingSignature | messages.1.content.0: Invalid `signature` in `thinking` block
    ");
}

#[test]
fn newer_models_bind_thinking_to_what_stood_before_it() {
    let cases: [Case<'_>; 13] = [
        ("untouched", &|_| {}),
        ("another system prompt", &|request| {
            request["system"] = json!("be long")
        }),
        ("another tool", &|request| {
            request["tools"][0]["name"] = json!("Write")
        }),
        ("keys of a call in another order", &|request| {
            content(request, 1)[1]["input"] = json!({"a": 2, "b": 1});
        }),
        ("a cleared result", &|request| {
            content(request, 2)[0]["content"] = json!("[cleared]")
        }),
        ("a cleared result, later thinking left out", &|request| {
            content(request, 2)[0]["content"] = json!("[cleared]");
            content(request, 3)
                .retain(|block| !block["type"].as_str().unwrap().contains("thinking"));
        }),
        ("earlier thinking left out", &|request| {
            content(request, 1).remove(0);
        }),
        ("all thinking left out", &|request| {
            content(request, 1).remove(0);
            content(request, 3)
                .retain(|block| !block["type"].as_str().unwrap().contains("thinking"));
        }),
        ("a change behind all thinking", &|request| {
            content(request, 4)[0]["content"] = json!("x")
        }),
        ("a message more at the end", &|request| {
            let messages = request["messages"].as_array_mut().unwrap();
            messages.push(json!({"role": "system", "content": "be quick"}));
        }),
        ("moved cache marks", &|request| {
            request["system"] = json!([
                {"type": "text", "text": "be brief", "cache_control": {"type": "ephemeral"}}
            ]);
            content(request, 2)[0]["cache_control"] = json!({"type": "ephemeral"});
        }),
        ("a string as a block", &|request| {
            request["messages"][0]["content"] = json!([{"type": "text", "text": "go"}]);
        }),
        ("another model", &|request| {
            request["model"] = json!("claude-fable-5-2");
            request["system"] = json!("be long");
        }),
    ];
    insta::assert_snapshot!(judge(BOUND, &cases), @"
    untouched
      ok
    another system prompt
      ThinkingBound | messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation.
      ThinkingBound | messages.3.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation.
      ThinkingBound | messages.3.content.2: Invalid `signature` in `thinking` block. The block is bound to a different conversation.
    another tool
      ThinkingBound | messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation.
      ThinkingBound | messages.3.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation.
      ThinkingBound | messages.3.content.2: Invalid `signature` in `thinking` block. The block is bound to a different conversation.
    keys of a call in another order
      ThinkingBound | messages.3.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation.
      ThinkingBound | messages.3.content.2: Invalid `signature` in `thinking` block. The block is bound to a different conversation.
    a cleared result
      ThinkingBound | messages.3.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation.
      ThinkingBound | messages.3.content.2: Invalid `signature` in `thinking` block. The block is bound to a different conversation.
    a cleared result, later thinking left out
      ok
    earlier thinking left out
      ThinkingBound | messages.3.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation.
      ThinkingBound | messages.3.content.2: Invalid `signature` in `thinking` block. The block is bound to a different conversation.
    all thinking left out
      ok
    a change behind all thinking
      ok
    a message more at the end
      ok
    moved cache marks
      ok
    a string as a block
      ok
    another model
      ok
    ");
}

#[test]
fn older_models_do_not_bind() {
    let cases: [Case<'_>; 1] = [("another system prompt", &|request| {
        request["system"] = json!("be long")
    })];
    insta::assert_snapshot!(judge(FREE, &cases), @"
    another system prompt
      ok
    ");
}

#[test]
fn with_a_fixed_budget_a_turn_under_way_begins_with_its_thinking() {
    let fixed = json!({"type": "enabled", "budget_tokens": 2000});
    let cases: [Case<'_>; 3] = [
        ("with it", &|request| request["thinking"] = fixed.clone()),
        ("without", &|request| {
            request["thinking"] = fixed.clone();
            content(request, 3)
                .retain(|block| !block["type"].as_str().unwrap().contains("thinking"));
        }),
        ("a turn that has ended", &|request| {
            request["thinking"] = fixed.clone();
            content(request, 3).retain(|block| block["type"] == "text");
            request["messages"][4]["content"] = json!("go on");
        }),
    ];
    insta::assert_snapshot!(judge(FREE, &cases), @"
    with it
      ok
    without
      ThinkingFirst | messages.3.content.0.type: Expected `thinking` or `redacted_thinking`, but found `text`. When `thinking` is enabled, a final `assistant` message must start with a thinking block
    a turn that has ended
      ok
    ");
}

#[test]
fn what_was_sent_piece_by_piece_is_the_same_as_the_whole() {
    let whole = conversation(BOUND);
    let mut witness = Witness::default();
    for upto in [1, 3] {
        let mut request = whole.clone();
        let answer = request["messages"][upto]["content"].clone();
        request["messages"].as_array_mut().unwrap().truncate(upto);
        witness.sent(&request, &answer);
    }
    assert_eq!(witness.check(&whole), []);
    let mut changed = whole.clone();
    changed["messages"][0]["content"] = json!("stop");
    let places: Vec<String> = witness
        .check(&changed)
        .into_iter()
        .map(|one| one.path)
        .collect();
    assert_eq!(
        places,
        [
            "messages.1.content.0",
            "messages.3.content.0",
            "messages.3.content.2"
        ]
    );
}

#[test]
fn two_answers_in_one_message_keep_the_thinking_of_both() {
    let mut request = conversation(FREE);
    let mut witness = Witness::default();
    witness.conversation(&request);
    let messages = request["messages"].as_array_mut().unwrap();
    let mut both: Vec<Value> = vec![thought(1), json!({"type": "text", "text": "so"})];
    both.extend(messages[3]["content"].as_array().unwrap().clone());
    messages[3]["content"] = json!(both);
    messages.drain(1..3);
    assert_eq!(witness.check(&request), []);
    content(&mut request, 1).remove(2);
    insta::assert_snapshot!(listed("one of the second is gone", &witness.check(&request)), @"
    one of the second is gone
      ThinkingModified | messages.1.content: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.
    ");
}
