//! Whether a request begins with what an earlier one was.

use memdir_testkit::oracle::divergence;
use serde_json::{Value, json};

fn request() -> Value {
    json!({
        "model": "m",
        "tools": [{"name": "Read", "input_schema": {"type": "object", "title": "x"}}],
        "system": [{"type": "text", "text": "be brief", "cache_control": {"type": "ephemeral"}}],
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "go"}]},
            {"role": "assistant", "content": [
                {"type": "tool_use", "id": "t1", "name": "Read", "input": {"cache_control": 1}}
            ]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "ok",
                "cache_control": {"type": "ephemeral"}}]}
        ]
    })
}

fn after(change: impl Fn(&mut Value)) -> Option<String> {
    let mut later = request();
    change(&mut later);
    divergence(&request(), &later)
}

#[test]
fn more_messages_and_moved_marks_are_no_divergence() {
    assert_eq!(after(|_| {}), None);
    let grown = after(|later| {
        let messages = later["messages"].as_array_mut().unwrap();
        messages[2]["content"][0]
            .as_object_mut()
            .unwrap()
            .shift_remove("cache_control");
        messages.push(json!({"role": "assistant", "content": "done"}));
    });
    assert_eq!(grown, None);
}

#[test]
fn the_place_of_the_first_change_is_named() {
    let place = |change: &dyn Fn(&mut Value)| after(change).unwrap_or_else(|| "none".to_owned());
    let rows = [
        ("model", place(&|later| later["model"] = json!("n"))),
        (
            "a tool more",
            place(&|later| later["tools"].as_array_mut().unwrap().push(json!({}))),
        ),
        (
            "order in a schema",
            place(&|later| {
                later["tools"][0]["input_schema"] = json!({"title": "x", "type": "object"});
            }),
        ),
        (
            "system",
            place(&|later| later["system"][0]["text"] = json!("be long")),
        ),
        (
            "order of fields",
            place(&|later| {
                later["messages"][0]["content"][0] = json!({"text": "go", "type": "text"});
            }),
        ),
        (
            "a string for a block",
            place(&|later| later["messages"][0]["content"] = json!("go")),
        ),
        (
            "an input",
            place(&|later| later["messages"][1]["content"][0]["input"] = json!({})),
        ),
        (
            "a message less",
            place(&|later| {
                later["messages"].as_array_mut().unwrap().pop();
            }),
        ),
    ]
    .map(|(name, place)| format!("{name}: {place}"));
    insta::assert_snapshot!(rows.join("\n"), @"
    model: model
    a tool more: tools.1
    order in a schema: tools.0
    system: system.0
    order of fields: messages.0
    a string for a block: messages.0
    an input: messages.1
    a message less: messages.2
    ");
}
