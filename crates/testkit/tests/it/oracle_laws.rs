//! Laws of the judge itself: it takes every proper conversation, and misses no broken one.

use std::collections::BTreeSet;

use memdir_testkit::oracle::anthropic::{self, Witness};
use memdir_testkit::oracle::openai;
use proptest::prelude::*;
use serde_json::{Value, json};

/// One turn: how many tools are called at once, and whether it thinks and speaks as well.
#[derive(Debug, Clone)]
struct Turn {
    calls: usize,
    thinks: bool,
    speaks: bool,
    /// The user says something after the results.
    comments: bool,
}

fn turns() -> impl Strategy<Value = Vec<Turn>> {
    let turn = (0..4_usize, any::<bool>(), any::<bool>(), any::<bool>()).prop_map(
        |(calls, thinks, speaks, comments)| Turn {
            calls,
            thinks,
            speaks,
            comments,
        },
    );
    proptest::collection::vec(turn, 1..8)
}

fn anthropic_request(turns: &[Turn]) -> Value {
    let mut messages = vec![json!({"role": "user", "content": [{"type": "text", "text": "go"}]})];
    let text = |words: &str| json!({"type": "text", "text": words});
    for (number, turn) in turns.iter().enumerate() {
        let mut said = Vec::new();
        let mut results = Vec::new();
        if turn.thinks {
            said.push(
                json!({"type": "thinking", "thinking": "", "signature": format!("s{number}")}),
            );
        }
        if turn.speaks || turn.calls == 0 {
            said.push(text("so"));
        }
        for call in 0..turn.calls {
            let id = format!("toolu_{number}_{call}");
            said.push(json!({"type": "tool_use", "id": id, "name": "Read", "input": {}}));
            results.push(json!({"type": "tool_result", "tool_use_id": id, "content": "ok"}));
        }
        // Results may come in any order.
        results.reverse();
        if turn.comments || turn.calls == 0 {
            results.push(text("go on"));
        }
        messages.push(json!({"role": "assistant", "content": said}));
        messages.push(json!({"role": "user", "content": results}));
    }
    json!({"model": "claude-opus-5-5", "max_tokens": 1000, "messages": messages})
}

fn openai_request(turns: &[Turn]) -> Value {
    let mut messages = vec![json!({"role": "user", "content": "go"})];
    for (number, turn) in turns.iter().enumerate() {
        let ids: Vec<String> = (0..turn.calls)
            .map(|call| format!("call_{number}_{call}"))
            .collect();
        let mut said = json!({"role": "assistant", "content": "so"});
        if !ids.is_empty() {
            let calls: Vec<Value> = ids
                .iter()
                .map(|id| json!({"id": id, "type": "function", "function": {"name": "read", "arguments": "{}"}}))
                .collect();
            said["tool_calls"] = json!(calls);
        }
        messages.push(said);
        messages.extend(
            ids.iter()
                .rev()
                .map(|id| json!({"role": "tool", "tool_call_id": id, "content": "ok"})),
        );
        if turn.comments {
            messages.push(json!({"role": "user", "content": "go on"}));
        }
    }
    json!({"model": "gpt-5.6", "messages": messages})
}

/// The request with one block taken out.
fn without(request: &Value, message: usize, block: usize) -> Value {
    let mut request = request.clone();
    request["messages"][message]["content"]
        .as_array_mut()
        .unwrap()
        .remove(block);
    request
}

fn all(request: &Value, witness: &Witness) -> usize {
    anthropic::check(request).len() + witness.check(request).len()
}

proptest! {
    // Each case tries every block of its conversation.
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_proper_conversation_is_taken(turns in turns()) {
        let request = anthropic_request(&turns);
        let mut witness = Witness::default();
        witness.conversation(&request);
        prop_assert_eq!(anthropic::check(&request), []);
        prop_assert_eq!(witness.check(&request), []);
        prop_assert_eq!(openai::check(&openai_request(&turns)), []);
    }

    #[test]
    fn no_block_can_be_taken_out_of_a_pair_or_from_before_thinking(turns in turns()) {
        let request = anthropic_request(&turns);
        let mut witness = Witness::default();
        witness.conversation(&request);
        let messages = request["messages"].as_array().unwrap();
        let places: Vec<(usize, usize, &str)> = messages
            .iter()
            .enumerate()
            .flat_map(|(message, value)| {
                let blocks = value["content"].as_array().unwrap();
                blocks.iter().enumerate().map(move |(block, value)| {
                    (message, block, value["type"].as_str().unwrap())
                })
            })
            .collect();
        let last_thinking = places.iter().rposition(|(_, _, kind)| *kind == "thinking");
        for (index, (message, block, kind)) in places.iter().enumerate() {
            let broken = all(&without(&request, *message, *block), &witness) > 0;
            let empties = messages[*message]["content"].as_array().unwrap().len() == 1;
            let must_break = matches!(*kind, "tool_use" | "tool_result")
                || empties
                || last_thinking.is_some_and(|last| index < last);
            prop_assert_eq!(broken, must_break, "{} at {}.{}", kind, message, block);
        }
    }

    #[test]
    fn no_message_can_be_taken_out_of_a_pair(turns in turns()) {
        let request = openai_request(&turns);
        let messages = request["messages"].as_array().unwrap();
        for (index, message) in messages.iter().enumerate() {
            let mut changed = request.clone();
            changed["messages"].as_array_mut().unwrap().remove(index);
            let in_pair = message["role"] == "tool" || message.get("tool_calls").is_some();
            prop_assert_eq!(!openai::check(&changed).is_empty(), in_pair, "{}", message);
        }
    }

    #[test]
    fn no_two_messages_can_change_places_around_a_call(turns in turns(), at in any::<prop::sample::Index>()) {
        let request = anthropic_request(&turns);
        let count = request["messages"].as_array().unwrap().len();
        let at = at.index(count - 1);
        let mut changed = request.clone();
        changed["messages"].as_array_mut().unwrap().swap(at, at + 1);
        let calls = [at, at + 1].iter().any(|index| {
            request["messages"][*index]["content"].as_array().unwrap().iter().any(|block| {
                block["type"] == "tool_use" || block["type"] == "tool_result"
            })
        });
        let rules: BTreeSet<_> = anthropic::check(&changed).iter().map(|one| one.rule).collect();
        prop_assert!(!calls || !rules.is_empty(), "{:?}", rules);
    }
}
