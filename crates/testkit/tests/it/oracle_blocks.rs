//! The shapes of content.

use memdir_testkit::oracle::anthropic;
use serde_json::{Value, json};

use crate::listed;

/// Each case is the content of one user message.
fn judge(cases: &[(&str, Value)]) -> String {
    cases
        .iter()
        .map(|(name, content)| {
            let request = json!({
                "model": "claude-opus-4-8",
                "max_tokens": 4096,
                "messages": [{"role": "user", "content": content}]
            });
            listed(name, &anthropic::check(&request))
        })
        .collect()
}

/// Each case is the result of one tool call.
fn judge_results(cases: &[(&str, Value)]) -> String {
    cases
        .iter()
        .map(|(name, result)| {
            let request = json!({
                "model": "claude-opus-4-8",
                "max_tokens": 4096,
                "messages": [
                    {"role": "user", "content": "go"},
                    {"role": "assistant", "content": [
                        {"type": "tool_use", "id": "toolu_1", "name": "Read", "input": {}}
                    ]},
                    {"role": "user", "content": [result]}
                ]
            });
            listed(name, &anthropic::check(&request))
        })
        .collect()
}

#[test]
fn content_is_not_empty() {
    insta::assert_snapshot!(judge(&[
        ("a string", json!("hello")),
        ("blocks", json!([{"type": "text", "text": "hello"}])),
        ("a kind that is not known here", json!([{"type": "hologram", "depth": 3}])),
        ("an empty string", json!("")),
        ("no blocks", json!([])),
        ("an empty text", json!([{"type": "text", "text": ""}])),
        ("a text of spaces", json!([{"type": "text", "text": " \n"}])),
        ("a block without a type", json!([{"text": "hello"}])),
        ("a text without text", json!([{"type": "text"}])),
        ("a number", json!(7)),
    ]), @"
    a string
      ok
    blocks
      ok
    a kind that is not known here
      ok
    an empty string
      EmptyContent | messages.0: all messages must have non-empty content except for the optional final assistant message
    no blocks
      EmptyContent | messages.0: all messages must have non-empty content except for the optional final assistant message
    an empty text
      EmptyText | messages.0.content.0: text content blocks must be non-empty
    a text of spaces
      EmptyText | messages.0.content.0: text content blocks must contain non-whitespace text
    a block without a type
      Missing | messages.0.content.0.type: Field required
    a text without text
      Missing | messages.0.content.0.text.text: Field required
    a number
      Shape | messages.0.content: Input should be a valid list
    ");
}

#[test]
fn only_the_last_assistant_message_may_be_empty() {
    let request = |after: &str| {
        let mut messages = vec![
            json!({"role": "user", "content": "go"}),
            json!({"role": "assistant", "content": []}),
        ];
        if !after.is_empty() {
            messages.push(json!({"role": "user", "content": after}));
        }
        json!({"model": "claude-haiku-4-5", "max_tokens": 10, "messages": messages})
    };
    let last = listed("last", &anthropic::check(&request("")));
    let inside = listed("inside", &anthropic::check(&request("go on")));
    insta::assert_snapshot!(last + &inside, @"
    last
      ok
    inside
      EmptyContent | messages.1: all messages must have non-empty content except for the optional final assistant message
    ");
}

#[test]
fn the_system_prompt_is_text() {
    let mut out = String::new();
    for (name, system) in [
        ("a string", json!("be brief")),
        ("a text", json!([{"type": "text", "text": "be brief"}])),
        ("an empty text", json!([{"type": "text", "text": ""}])),
        (
            "an image",
            json!([{"type": "image", "source": {"type": "file", "file_id": "f"}}]),
        ),
        ("a number", json!(7)),
    ] {
        let request = json!({
            "model": "claude-opus-4-8", "max_tokens": 10, "system": system,
            "messages": [{"role": "user", "content": "go"}]
        });
        out.push_str(&listed(name, &anthropic::check(&request)));
    }
    insta::assert_snapshot!(out, @"
    a string
      ok
    a text
      ok
    an empty text
      EmptyText | system.0: text content blocks must be non-empty
    an image
      Shape | system.0.type: Input should be 'text'
    a number
      Shape | system: Input should be a valid list
    ");
}

#[test]
fn images_and_documents() {
    let image = |source: Value| json!([{"type": "image", "source": source}]);
    let document = |source: Value| json!([{"type": "document", "source": source}]);
    insta::assert_snapshot!(judge(&[
        ("inline", image(json!({"type": "base64", "media_type": "image/png", "data": "iVBORw=="}))),
        ("by address", image(json!({"type": "url", "url": "https://example.com/a.png"}))),
        ("by file", image(json!({"type": "file", "file_id": "file_1"}))),
        ("no source", json!([{"type": "image"}])),
        ("another picture format", image(json!({"type": "base64", "media_type": "image/bmp", "data": "aaaa"}))),
        ("not base64", image(json!({"type": "base64", "media_type": "image/png", "data": "data:image/png;base64,aaaa"}))),
        ("no data", image(json!({"type": "base64", "media_type": "image/png"}))),
        ("the other API's shape", json!([{"type": "image", "image_url": {"url": "https://example.com/a.png"}}])),
        ("an address without one", image(json!({"type": "url"}))),
        ("a source of no kind", image(json!({"path": "/a.png"}))),
        ("a PDF", document(json!({"type": "base64", "media_type": "application/pdf", "data": "JVBERi0x"}))),
        ("plain text", document(json!({"type": "text", "media_type": "text/plain", "data": "hello"}))),
        ("a document that is a picture", document(json!({"type": "base64", "media_type": "image/png", "data": "aaaa"}))),
        ("an empty document", document(json!({"type": "text", "media_type": "text/plain", "data": ""}))),
    ]), @"
    inline
      ok
    by address
      ok
    by file
      ok
    no source
      Missing | messages.0.content.0.image.source: Field required
    another picture format
      Media | messages.0.content.0.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'
    not base64
      Media | messages.0.content.0.image.source.base64.data: Input should be valid base64
    no data
      Media | messages.0.content.0.image.source.base64.data: Input should be valid base64
    the other API's shape
      Missing | messages.0.content.0.image.source: Field required
    an address without one
      Missing | messages.0.content.0.image.source.url: Field required
    a source of no kind
      Media | messages.0.content.0.image.source: Input tag found using 'type' does not match any source of an image
    a PDF
      ok
    plain text
      ok
    a document that is a picture
      Media | messages.0.content.0.document.source.base64.media_type: Input should be 'application/pdf'
    an empty document
      Missing | messages.0.content.0.document.source.text.data: Field required
    ");
}

#[test]
fn results_of_tools() {
    insta::assert_snapshot!(judge_results(&[
        ("text", json!({"type": "tool_result", "tool_use_id": "toolu_1", "content": "a.md"})),
        ("nothing", json!({"type": "tool_result", "tool_use_id": "toolu_1"})),
        ("blocks", json!({"type": "tool_result", "tool_use_id": "toolu_1", "content": [
            {"type": "text", "text": "a picture"},
            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw=="}}
        ]})),
        ("a failure", json!({"type": "tool_result", "tool_use_id": "toolu_1", "is_error": true, "content": "gone"})),
        ("an empty failure", json!({"type": "tool_result", "tool_use_id": "toolu_1", "is_error": true, "content": ""})),
        ("a failure with a picture", json!({"type": "tool_result", "tool_use_id": "toolu_1", "is_error": true, "content": [
            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw=="}}
        ]})),
        ("an empty text inside", json!({"type": "tool_result", "tool_use_id": "toolu_1", "content": [
            {"type": "text", "text": ""}
        ]})),
        ("a bad picture inside", json!({"type": "tool_result", "tool_use_id": "toolu_1", "content": [
            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": ""}}
        ]})),
        ("a call inside", json!({"type": "tool_result", "tool_use_id": "toolu_1", "content": [
            {"type": "tool_use", "id": "toolu_2", "name": "Read", "input": {}}
        ]})),
        ("no id", json!({"type": "tool_result", "content": "a.md"})),
    ]), @"
    text
      ok
    nothing
      ok
    blocks
      ok
    a failure
      ok
    an empty failure
      ResultContent | messages.2.content.0.tool_result: content cannot be empty if `is_error` is true
    a failure with a picture
      ResultContent | messages.2.content.0.tool_result: all content must be type `text` if `is_error` is true
    an empty text inside
      EmptyText | messages.2.content.0.tool_result.content.0: text content blocks must be non-empty
    a bad picture inside
      Media | messages.2.content.0.tool_result.content.0.image.source.base64.data: Input should be valid base64
    a call inside
      ResultContent | messages.2.content.0.tool_result.content.0: `tool_use` blocks cannot be in the content of a tool_result
    no id
      Missing | messages.2.content.0.tool_result.tool_use_id: Field required
      UnansweredCall | messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1. Each `tool_use` block must have a corresponding `tool_result` block in the next message.
    ");
}

#[test]
fn blocks_belong_to_a_role() {
    insta::assert_snapshot!(judge(&[
        ("a call by the user", json!([{"type": "tool_use", "id": "toolu_1", "name": "Read", "input": {}}])),
        ("thinking by the user", json!([{"type": "thinking", "thinking": "", "signature": "s"}])),
    ]), @"
    a call by the user
      BlockRole | messages.0.content.0: `tool_use` blocks can only be in `assistant` messages
    thinking by the user
      BlockRole | messages.0.content.0: `thinking` blocks can only be in `assistant` messages
    ");
    let request = json!({
        "model": "claude-opus-4-8", "max_tokens": 10, "messages": [
            {"role": "user", "content": "go"},
            {"role": "assistant", "content": [
                {"type": "image", "source": {"type": "url", "url": "https://example.com/a.png"}}
            ]},
            {"role": "user", "content": "go on"}
        ]
    });
    insta::assert_snapshot!(listed("a picture by the assistant", &anthropic::check(&request)), @"
    a picture by the assistant
      BlockRole | messages.1.content.0: `image` blocks can only be in `user` messages
    ");
}

#[test]
fn calls_and_thinking_are_whole() {
    let judge = |block: Value| {
        let request = json!({
            "model": "claude-opus-4-8", "max_tokens": 10, "messages": [
                {"role": "user", "content": "go"},
                {"role": "assistant", "content": [block]},
                {"role": "user", "content": [
                    {"type": "tool_result", "tool_use_id": "toolu 1", "content": "a"}
                ]}
            ]
        });
        anthropic::check(&request)
    };
    let mut out = String::new();
    for (name, block) in [
        (
            "an id with a space",
            json!({"type": "tool_use", "id": "toolu 1", "name": "Read", "input": {}}),
        ),
        (
            "input as text",
            json!({"type": "tool_use", "id": "toolu 1", "name": "Read", "input": "{}"}),
        ),
        ("nothing", json!({"type": "tool_use"})),
        (
            "thinking without a signature",
            json!({"type": "thinking", "thinking": "hm"}),
        ),
        (
            "hidden thinking without data",
            json!({"type": "redacted_thinking"}),
        ),
    ] {
        out.push_str(&listed(name, &judge(block)));
    }
    insta::assert_snapshot!(out, @"
    an id with a space
      IdShape | messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'
    input as text
      IdShape | messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'
      Shape | messages.1.content.0.tool_use.input: Input should be a valid dictionary
    nothing
      Missing | messages.1.content.0.tool_use.id: Field required
      Missing | messages.1.content.0.tool_use.name: Field required
      Missing | messages.1.content.0.tool_use.input: Field required
      OrphanResult | messages.2.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu 1. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.
    thinking without a signature
      Missing | messages.1.content.0.thinking.signature: Field required
      OrphanResult | messages.2.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu 1. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.
    hidden thinking without data
      Missing | messages.1.content.0.redacted_thinking.data: Field required
      OrphanResult | messages.2.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu 1. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.
    ");
}
