//! Cache marks. A request is a line of places that carry one: `tools`, `system`, `0` for the first
//! message; `:1h` behind it is its time to live.

use memdir_testkit::oracle::anthropic;
use serde_json::{Value, json};

use crate::listed;

fn request(places: &str) -> Value {
    let mut request = json!({
        "model": "claude-opus-4-8",
        "max_tokens": 4096,
        "tools": [{"name": "Read", "input_schema": {"type": "object"}}],
        "system": [{"type": "text", "text": "be brief"}],
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "one"}]},
            {"role": "assistant", "content": [
                {"type": "thinking", "thinking": "", "signature": "s"},
                {"type": "tool_use", "id": "toolu_1", "name": "Read", "input": {"cache_control": 1}}
            ]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": [
                {"type": "text", "text": "two"}
            ]}]},
            {"role": "assistant", "content": [{"type": "text", "text": "three"}]},
            {"role": "user", "content": [{"type": "text", "text": "four"}]}
        ]
    });
    for place in places.split_whitespace() {
        let (place, ttl) = place.split_once(':').unwrap_or((place, ""));
        let mark = match ttl {
            "" => json!({"type": "ephemeral"}),
            "forever" => json!({"type": "forever"}),
            ttl => json!({"type": "ephemeral", "ttl": ttl}),
        };
        let pointer = match place {
            "top" => String::new(),
            "tools" => "/tools/0".to_owned(),
            "system" => "/system/0".to_owned(),
            "thinking" => "/messages/1/content/0".to_owned(),
            "call" => "/messages/1/content/1".to_owned(),
            "inside" => "/messages/2/content/0/content/0".to_owned(),
            index => format!("/messages/{index}/content/0"),
        };
        request.pointer_mut(&pointer).unwrap()["cache_control"] = mark;
    }
    request
}

fn judge(lines: &[&str]) -> String {
    lines
        .iter()
        .map(|line| listed(line, &anthropic::check(&request(line))))
        .collect()
}

#[test]
fn at_most_four_and_the_one_at_the_top_counts() {
    insta::assert_snapshot!(judge(&[
        "tools system 2 4",
        "tools system 0 2 4",
        "tools system 2 4 top",
        "system 2 4 top",
    ]), @"
    tools system 2 4
      ok
    tools system 0 2 4
      TooManyMarks | A maximum of 4 blocks with cache_control may be provided. Found 5.
    tools system 2 4 top
      TooManyMarks | A maximum of 4 blocks with cache_control may be provided. Found 5.
    system 2 4 top
      ok
    ");
}

#[test]
fn where_a_mark_may_stand() {
    insta::assert_snapshot!(judge(&["2", "call", "inside", "thinking"]), @"
    2
      ok
    call
      ok
    inside
      MarkPlace | messages.2.content.0.tool_result.content.0.text.cache_control: Extra inputs are not permitted
    thinking
      MarkPlace | messages.1.content.0.cache_control: cache_control cannot be set for thinking blocks
    ");
    let mut empty = request("4");
    empty["messages"][4]["content"][0]["text"] = json!("");
    insta::assert_snapshot!(listed("on an empty text", &anthropic::check(&empty)), @"
    on an empty text
      EmptyText | messages.4.content.0: text content blocks must be non-empty
      MarkPlace | messages.4.content.0.cache_control: cache_control cannot be set for empty text blocks
    ");
}

#[test]
fn the_longer_time_to_live_comes_first() {
    insta::assert_snapshot!(judge(&[
        "tools:1h system:1h 4:5m",
        "system:5m 4",
        "tools:5m system:1h",
        "system 4:1h",
        "4 top:1h",
        "4:1h top",
    ]), @"
    tools:1h system:1h 4:5m
      ok
    system:5m 4
      ok
    tools:5m system:1h
      MarkOrder | system.0.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: `tools`, `system`, `messages`.
    system 4:1h
      MarkOrder | messages.4.content.0.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: `tools`, `system`, `messages`.
    4 top:1h
      MarkOrder | cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: `tools`, `system`, `messages`.
    4:1h top
      ok
    ");
}

#[test]
fn the_shape_of_a_mark() {
    insta::assert_snapshot!(judge(&["4:2h", "4:forever"]), @"
    4:2h
      MarkShape | messages.4.content.0.cache_control.ttl: Input should be '5m' or '1h'
    4:forever
      MarkShape | messages.4.content.0.cache_control.type: Input should be 'ephemeral'
    ");
    let mut unknown = request("4:1h");
    unknown["messages"][4]["content"][0]["cache_control"]["scope"] = json!("global");
    insta::assert_snapshot!(listed("with an unknown field", &anthropic::check(&unknown)), @"
    with an unknown field
      ok
    ");
}
