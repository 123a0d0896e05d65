//! Shapes that other programs are publicly known to have sent, and that the API refused.

use memdir_testkit::oracle::anthropic::{self, Witness};
use serde_json::json;

use crate::listed;
use crate::oracle_pairing::conversation;

#[test]
fn compaction_that_keeps_a_result_and_drops_its_call() {
    let request = conversation("u t u -7 t a t u t");
    insta::assert_snapshot!(listed("kept tail begins with a result", &anthropic::check(&request)), @"
    kept tail begins with a result
      OrphanResult | messages.1.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_7. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.
    ");
}

#[test]
fn chained_compaction_that_cuts_between_a_call_and_its_result() {
    // The second summary stands where the first kept tail began.
    let request = conversation("u t a +3 u t u -3 a t u t");
    insta::assert_snapshot!(listed("a summary in between", &anthropic::check(&request)), @"
    a summary in between
      UnansweredCall | messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_3. Each `tool_use` block must have a corresponding `tool_result` block in the next message.
      OrphanResult | messages.3.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_3. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.
    ");
}

#[test]
fn a_reminder_put_before_the_results_of_a_mixed_message() {
    let request = conversation("u t a t +1 u t -1 t");
    insta::assert_snapshot!(listed("text, result, text", &anthropic::check(&request)), @"
    text, result, text
      ResultsFirst | messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1. Each `tool_use` block must have a corresponding `tool_result` block in the next message.
    ");
}

#[test]
fn an_interrupted_tool_whose_call_is_never_answered() {
    let request = conversation("u t a +1 +2 u -1 t a t u t");
    insta::assert_snapshot!(listed("one of two", &anthropic::check(&request)), @"
    one of two
      UnansweredCall | messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_2. Each `tool_use` block must have a corresponding `tool_result` block in the next message.
    ");
}

#[test]
fn a_resumed_session_that_repeats_a_message() {
    let request = conversation("u t a +1 u -1 a +1 u -1 a t u t");
    insta::assert_snapshot!(listed("twice", &anthropic::check(&request)), @"
    twice
      DuplicateId | messages.3.content.0: `tool_use` ids must be unique
    ");
}

#[test]
fn duplicate_ids_beside_thinking_and_an_orphan() {
    let request = json!({
        "model": "claude-opus-4-8", "max_tokens": 4096, "messages": [
            {"role": "user", "content": "go"},
            {"role": "assistant", "content": [
                {"type": "thinking", "thinking": "", "signature": "s1"},
                {"type": "tool_use", "id": "toolu_1", "name": "Read", "input": {}},
                {"type": "tool_use", "id": "toolu_1", "name": "Read", "input": {}}
            ]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "toolu_1", "content": "ok"},
                {"type": "tool_result", "tool_use_id": "toolu_9", "content": "ok"}
            ]}
        ]
    });
    insta::assert_snapshot!(listed("all three", &anthropic::check(&request)), @"
    all three
      DuplicateId | messages.1.content.2: `tool_use` ids must be unique
      OrphanResult | messages.2.content.1: unexpected `tool_use_id` found in `tool_result` blocks: toolu_9. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.
    ");
}

#[test]
fn a_session_that_edits_the_thinking_of_its_last_answer() {
    let mut request = json!({
        "model": "claude-opus-4-8", "max_tokens": 4096, "messages": [
            {"role": "user", "content": "go"},
            {"role": "assistant", "content": [
                {"type": "thinking", "thinking": "", "signature": "s1"},
                {"type": "thinking", "thinking": "more", "signature": "s2"},
                {"type": "text", "text": "done"}
            ]},
            {"role": "user", "content": "go on"}
        ]
    });
    let mut witness = Witness::default();
    witness.conversation(&request);
    // An empty block looks like nothing, and is dropped by mistake.
    request["messages"][1]["content"]
        .as_array_mut()
        .unwrap()
        .remove(0);
    insta::assert_snapshot!(listed("an empty one dropped", &witness.check(&request)), @"
    an empty one dropped
      ThinkingModified | messages.1.content: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.
    ");
}

#[test]
fn a_gateway_that_adds_a_fifth_cache_mark() {
    let mark = json!({"type": "ephemeral"});
    let text = |words: &str| json!({"type": "text", "text": words, "cache_control": mark});
    let request = json!({
        "model": "claude-opus-4-8", "max_tokens": 4096,
        "system": [text("one"), text("two"), text("three")],
        "messages": [{"role": "user", "content": [text("four"), text("five")]}]
    });
    insta::assert_snapshot!(listed("five", &anthropic::check(&request)), @"
    five
      TooManyMarks | A maximum of 4 blocks with cache_control may be provided. Found 5.
    ");
}
