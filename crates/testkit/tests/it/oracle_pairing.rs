//! Calls of tools and their results.
//!
//! A conversation is a line: `u` and `a` begin a message of the user or the assistant, `t` is a
//! text, `+1` a call, `-1` its result, `~1` a call of a tool that the server runs, `=1` its result.

use memdir_testkit::oracle::anthropic;
use serde_json::{Value, json};

use crate::listed;

pub(crate) fn conversation(line: &str) -> Value {
    let mut messages: Vec<(&str, Vec<Value>)> = Vec::new();
    for word in line.split_whitespace() {
        let (sign, number) = word.split_at(1);
        let block = match sign {
            "u" => {
                messages.push(("user", Vec::new()));
                continue;
            }
            "a" => {
                messages.push(("assistant", Vec::new()));
                continue;
            }
            "t" => json!({"type": "text", "text": "words"}),
            "+" => {
                json!({"type": "tool_use", "id": format!("toolu_{number}"), "name": "Read", "input": {}})
            }
            "-" => {
                json!({"type": "tool_result", "tool_use_id": format!("toolu_{number}"), "content": "ok"})
            }
            "=" => {
                json!({"type": "web_search_tool_result", "tool_use_id": format!("srvtoolu_{number}"), "content": []})
            }
            "~" => {
                json!({"type": "server_tool_use", "id": format!("srvtoolu_{number}"), "name": "web_search", "input": {}})
            }
            _ => panic!("{word}"),
        };
        messages.last_mut().unwrap().1.push(block);
    }
    let messages: Vec<Value> = messages
        .into_iter()
        .map(|(role, content)| json!({"role": role, "content": content}))
        .collect();
    json!({"model": "claude-opus-4-8", "max_tokens": 4096, "messages": messages})
}

fn judge(lines: &[&str]) -> String {
    lines
        .iter()
        .map(|line| listed(line, &anthropic::check(&conversation(line))))
        .collect()
}

#[test]
fn every_call_is_answered_in_the_next_message() {
    insta::assert_snapshot!(judge(&[
        "u t a +1 u -1",
        "u t a t +1 +2 u -2 -1 t a t u t",
        "u t a +1",
        "u t a +1 u t",
        "u t a +1 a t u -1",
        "u t a +1 +2 u -1",
        "u t a +1 +2 u -1 u -2",
    ]), @"
    u t a +1 u -1
      ok
    u t a t +1 +2 u -2 -1 t a t u t
      ok
    u t a +1
      UnansweredCall | messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1. Each `tool_use` block must have a corresponding `tool_result` block in the next message.
    u t a +1 u t
      UnansweredCall | messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1. Each `tool_use` block must have a corresponding `tool_result` block in the next message.
    u t a +1 a t u -1
      UnansweredCall | messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1. Each `tool_use` block must have a corresponding `tool_result` block in the next message.
      OrphanResult | messages.3.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_1. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.
    u t a +1 +2 u -1
      UnansweredCall | messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_2. Each `tool_use` block must have a corresponding `tool_result` block in the next message.
    u t a +1 +2 u -1 u -2
      UnansweredCall | messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_2. Each `tool_use` block must have a corresponding `tool_result` block in the next message.
      OrphanResult | messages.3.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_2. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.
    ");
}

#[test]
fn every_result_has_its_call_in_the_message_before() {
    insta::assert_snapshot!(judge(&[
        "u -1",
        "u t a t u -1",
        "u t a +1 u -1 a t u -1",
        "u t a +1 u -1 -2",
        "u t a +1 u -1 -1",
    ]), @"
    u -1
      OrphanResult | messages.0.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_1. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.
    u t a t u -1
      OrphanResult | messages.2.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_1. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.
    u t a +1 u -1 a t u -1
      OrphanResult | messages.4.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_1. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.
    u t a +1 u -1 -2
      OrphanResult | messages.2.content.1: unexpected `tool_use_id` found in `tool_result` blocks: toolu_2. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.
    u t a +1 u -1 -1
      DuplicateResult | messages.2.content.1: each tool_use must have a single result. Found multiple `tool_result` blocks with id: toolu_1
    ");
}

#[test]
fn results_come_first() {
    insta::assert_snapshot!(judge(&[
        "u t a +1 u -1 t",
        "u t a +1 u t -1",
        "u t a +1 +2 u -1 t -2",
    ]), @"
    u t a +1 u -1 t
      ok
    u t a +1 u t -1
      ResultsFirst | messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1. Each `tool_use` block must have a corresponding `tool_result` block in the next message.
    u t a +1 +2 u -1 t -2
      ResultsFirst | messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_2. Each `tool_use` block must have a corresponding `tool_result` block in the next message.
    ");
}

#[test]
fn ids_are_unique() {
    insta::assert_snapshot!(judge(&[
        "u t a +1 u -1 a +2 u -2",
        "u t a +1 +1 u -1",
        "u t a +1 u -1 a +1 u -1",
    ]), @"
    u t a +1 u -1 a +2 u -2
      ok
    u t a +1 +1 u -1
      DuplicateId | messages.1.content.1: `tool_use` ids must be unique
    u t a +1 u -1 a +1 u -1
      DuplicateId | messages.3.content.0: `tool_use` ids must be unique
    ");
}

#[test]
fn what_the_server_runs_is_answered_in_the_same_turn() {
    insta::assert_snapshot!(judge(&[
        "u t a ~1 =1 t u t",
        "u t a ~1",
        "u t a ~1 a =1 t u t",
        "u t a ~1 =1 +2 u -2",
        "u t a ~1 t u t",
        "u t a t =1 u t",
        "u t a ~1 =1 =1 u t",
        "u t a ~1 ~1 =1 t u t",
    ]), @"
    u t a ~1 =1 t u t
      ok
    u t a ~1
      ok
    u t a ~1 a =1 t u t
      ok
    u t a ~1 =1 +2 u -2
      ok
    u t a ~1 t u t
      UnansweredCall | messages.1.content.0: `web_search` tool use with id `srvtoolu_1` was found without a corresponding `web_search_tool_result` block
    u t a t =1 u t
      OrphanResult | messages.1.content.1: unexpected `tool_use_id` found in `web_search_tool_result` blocks: srvtoolu_1. Each `web_search_tool_result` block must have a corresponding `server_tool_use` block before it.
    u t a ~1 =1 =1 u t
      OrphanResult | messages.1.content.2: unexpected `tool_use_id` found in `web_search_tool_result` blocks: srvtoolu_1. Each `web_search_tool_result` block must have a corresponding `server_tool_use` block before it.
    u t a ~1 ~1 =1 t u t
      DuplicateId | messages.1.content.1: `tool_use` ids must be unique
    ");
}
