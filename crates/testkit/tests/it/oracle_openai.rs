//! Chat Completions.
//!
//! Pairing cases are lines: `s`, `u` and `a` are messages of text, `+12` an assistant message that
//! makes the calls 1 and 2, `-1` the message that answers call 1.

use memdir_testkit::oracle::openai;
use serde_json::{Value, json};

use crate::listed;

fn pairing(lines: &[&str]) -> String {
    lines
        .iter()
        .map(|line| {
            let messages: Vec<Value> = line
                .split_whitespace()
                .map(|word| match word.split_at(1) {
                    ("s", _) => json!({"role": "system", "content": "be brief"}),
                    ("u", _) => json!({"role": "user", "content": "go"}),
                    ("a", _) => json!({"role": "assistant", "content": "done"}),
                    ("-", id) => json!({"role": "tool", "tool_call_id": format!("call_{id}"), "content": "ok"}),
                    ("+", ids) => {
                        let calls: Vec<Value> = ids
                            .chars()
                            .map(|id| json!({
                                "id": format!("call_{id}"), "type": "function",
                                "function": {"name": "read", "arguments": "{}"}
                            }))
                            .collect();
                        json!({"role": "assistant", "content": null, "tool_calls": calls})
                    }
                    _ => panic!("{word}"),
                })
                .collect();
            listed(line, &openai::check(&json!({"model": "gpt-5.6", "messages": messages})))
        })
        .collect()
}

fn fields(cases: &[(&str, Value)]) -> String {
    cases
        .iter()
        .map(|(name, part)| {
            let mut request =
                json!({"model": "gpt-5.6", "messages": [{"role": "user", "content": "go"}]});
            for (key, value) in part.as_object().unwrap() {
                if value.is_null() {
                    request.as_object_mut().unwrap().shift_remove(key);
                } else {
                    request[key] = value.clone();
                }
            }
            listed(name, &openai::check(&request))
        })
        .collect()
}

fn contents(cases: &[(&str, Value)]) -> String {
    cases
        .iter()
        .map(|(name, message)| {
            listed(
                name,
                &openai::check(&json!({"model": "gpt-5.6", "messages": [message]})),
            )
        })
        .collect()
}

#[test]
fn calls_and_answers_stand_side_by_side() {
    insta::assert_snapshot!(pairing(&[
        "s u +1 -1 a u",
        "u +12 -2 -1 a",
        "u +12 -1 a",
        "u +1",
        "u +1 u -1",
        "u -1",
        "u +1 -1 a -1",
        "u +1 -1 -1",
        "u +1 -1 -2",
        "u +11 -1",
        "u +1 -1 +1 -1",
    ]), @"
    s u +1 -1 a u
      ok
    u +12 -2 -1 a
      ok
    u +12 -1 a
      UnansweredCall | messages[1]: An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_2
    u +1
      UnansweredCall | messages[1]: An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_1
    u +1 u -1
      UnansweredCall | messages[1]: An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_1
      OrphanResult | messages[3].role: Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.
    u -1
      OrphanResult | messages[1].role: Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.
    u +1 -1 a -1
      OrphanResult | messages[4].role: Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.
    u +1 -1 -1
      DuplicateResult | messages[3].tool_call_id: Duplicate value for 'tool_call_id' of 'call_1'
    u +1 -1 -2
      OrphanResult | messages[3].role: Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.
    u +11 -1
      DuplicateId | messages[1].tool_calls[1].id: Duplicate value for 'tool_call_id' of 'call_1'
    u +1 -1 +1 -1
      DuplicateId | messages[3].tool_calls[0].id: Duplicate value for 'tool_call_id' of 'call_1'
    ");
}

#[test]
fn content_by_role() {
    let call = json!([{"id": "call_1", "type": "function", "function": {"name": "read", "arguments": "{}"}}]);
    insta::assert_snapshot!(contents(&[
        ("text", json!({"role": "user", "content": "go"})),
        ("parts", json!({"role": "user", "content": [
            {"type": "text", "text": "look"},
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw=="}}
        ]})),
        ("an empty string", json!({"role": "assistant", "content": ""})),
        ("nothing", json!({"role": "user", "content": null})),
        ("no parts", json!({"role": "user", "content": []})),
        ("a number", json!({"role": "user", "content": 7})),
        ("an assistant that says nothing", json!({"role": "assistant", "content": null})),
        ("an assistant with no calls", json!({"role": "assistant", "content": "hm", "tool_calls": []})),
        ("a user who calls", json!({"role": "user", "content": "hm", "tool_calls": call})),
        ("a picture by the system", json!({"role": "system", "content": [
            {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}}
        ]})),
        ("the other API's picture", json!({"role": "user", "content": [
            {"type": "image", "source": {"type": "url", "url": "https://example.com/a.png"}}
        ]})),
        ("a picture on disk", json!({"role": "user", "content": [
            {"type": "image_url", "image_url": {"url": "/a.png"}}
        ]})),
        ("a text without text", json!({"role": "user", "content": [{"type": "text"}]})),
        ("an unknown role", json!({"role": "human", "content": "go"})),
        ("no role", json!({"content": "go"})),
        ("an answer to nobody", json!({"role": "tool", "content": "ok"})),
    ]), @"
    text
      ok
    parts
      ok
    an empty string
      ok
    nothing
      EmptyContent | messages[0].content: Invalid value for 'content': expected a string, got null.
    no parts
      EmptyContent | messages[0].content: Invalid 'messages[0].content': empty array. Expected an array with minimum length 1, but got an empty array instead.
    a number
      Shape | messages[0].content: Invalid type for 'messages[0].content': expected one of a string or array of objects.
    an assistant that says nothing
      EmptyContent | messages[0].content: Invalid value for 'content': expected a string, got null.
    an assistant with no calls
      Shape | messages[0].tool_calls: Invalid 'messages[0].tool_calls': empty array. Expected an array with minimum length 1, but got an empty array instead.
    a user who calls
      Shape | messages[0].tool_calls: Invalid 'messages[0].tool_calls': only an assistant message has an array of calls.
      UnansweredCall | messages[0]: An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_1
    a picture by the system
      BlockRole | messages[0].content[0]: Invalid value: 'image_url'. Supported values for the role 'system' are: 'text'.
    the other API's picture
      BlockRole | messages[0].content[0]: Invalid value: 'image'. Supported values for the role 'user' are: 'text', 'image_url', 'input_audio', 'file'.
    a picture on disk
      Media | messages[0].content[0].image_url.url: Invalid image URL: expected an http(s) address or a base64 data URL of an image.
    a text without text
      Missing | messages[0].content[0].text: Missing required parameter: 'messages[0].content[0].text'.
    an unknown role
      Role | messages[0].role: Invalid value: 'human'. Supported values are: 'system', 'assistant', 'user', 'tool', and 'developer'.
    no role
      Missing | messages[0].role: Missing required parameter: 'messages[0].role'.
    an answer to nobody
      Missing | messages[0].tool_call_id: Missing required parameter: 'messages[0].tool_call_id'.
    ");
}

#[test]
fn calls_are_whole() {
    insta::assert_snapshot!(contents(&[
        ("arguments as an object", json!({"role": "assistant", "content": null, "tool_calls": [
            {"id": "call_1", "type": "function", "function": {"name": "read", "arguments": {}}}
        ]})),
        ("no id, no type", json!({"role": "assistant", "content": null, "tool_calls": [
            {"function": {"name": "read", "arguments": "{}"}}
        ]})),
        ("too long an id", json!({"role": "assistant", "content": null, "tool_calls": [
            {"id": "c".repeat(41), "type": "function", "function": {"name": "read", "arguments": "{}"}}
        ]})),
    ]), @"
    arguments as an object
      Missing | messages[0].tool_calls[0].function.arguments: Missing required parameter: 'messages[0].tool_calls[0].function.arguments'.
      UnansweredCall | messages[0]: An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_1
    no id, no type
      Missing | messages[0].tool_calls[0].id: Missing required parameter: 'messages[0].tool_calls[0].id'.
      Missing | messages[0].tool_calls[0].type: Missing required parameter: 'messages[0].tool_calls[0].type'.
    too long an id
      IdShape | messages[0].tool_calls[0].id: Invalid 'messages[0].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 41 instead.
      UnansweredCall | messages[0]: An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ccccccccccccccccccccccccccccccccccccccccc
    ");
}

#[test]
fn fields_around_the_messages() {
    let tool = |name: &str| json!({"type": "function", "function": {"name": name}});
    insta::assert_snapshot!(fields(&[
        ("whole", json!({"tools": [tool("read")], "tool_choice": "auto", "max_completion_tokens": 5})),
        ("no model", json!({"model": null})),
        ("no messages", json!({"messages": null})),
        ("empty messages", json!({"messages": []})),
        ("usage in a stream", json!({"stream": true, "stream_options": {"include_usage": true}})),
        ("usage without a stream", json!({"stream_options": {"include_usage": true}})),
        ("no output", json!({"max_tokens": 0})),
        ("two limits", json!({"max_tokens": 5, "max_completion_tokens": 5})),
        ("no tools", json!({"tools": []})),
        ("one name twice", json!({"tools": [tool("read"), tool("read")]})),
        ("a name with a dot", json!({"tools": [tool("memory.read")]})),
        ("a tool of the other API", json!({"tools": [{"name": "read", "input_schema": {}}]})),
        ("a choice of none", json!({"tools": [tool("read")], "tool_choice": {"type": "function", "function": {"name": "write"}}})),
        ("a choice without tools", json!({"tool_choice": "auto"})),
    ]), @r#"
    whole
      ok
    no model
      Missing | model: you must provide a model parameter
    no messages
      Missing | messages: Missing required parameter: 'messages'.
    empty messages
      EmptyContent | messages: Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.
    usage in a stream
      ok
    usage without a stream
      Stream | stream_options: The 'stream_options' parameter is only allowed when 'stream' is enabled.
    no output
      MaxTokens | max_tokens: Invalid 'max_tokens': integer below minimum value. Expected a value >= 1.
    two limits
      MaxTokens | max_tokens: Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.
    no tools
      Shape | tools: Invalid 'tools': empty array. Expected an array with minimum length 1, but got an empty array instead.
    one name twice
      ToolName | tools[1].function.name: Invalid 'tools': function names must be unique: read
    a name with a dot
      ToolName | tools[0].function.name: Invalid 'tools[0].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.
    a tool of the other API
      Missing | tools[0].function.name: Missing required parameter: 'tools[0].function.name'.
    a choice of none
      ToolChoice | tool_choice: Invalid value for 'tool_choice': 'tool_choice' function "write" is not in 'tools'.
    a choice without tools
      ToolChoice | tool_choice: Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.
    "#);
}
