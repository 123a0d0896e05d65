//! What a well-behaved client gets.

use memdir_testkit::server::{Script, Server};
use serde_json::{Value, json};

use crate::client::{HEADERS, ask, chat, finish, open};

fn server(script: Value) -> Server {
    Server::start(Script::from_value(script).unwrap()).unwrap()
}

fn hello(model: &str) -> Value {
    json!({"model": model, "max_tokens": 1000, "messages": [{"role": "user", "content": "hello there"}]})
}

fn everything() -> Value {
    json!({"step": [{
        "reply": [
            {"thinking": "a greeting"},
            {"redacted_thinking": true},
            {"text": "Hello to you, 世界."},
            {"tool": "Read", "input": {"path": "a.md", "lines": [1, 2]}},
            {"raw": {"type": "hologram", "depth": 3}}
        ],
        "extra": {"container": null}
    }]})
}

#[test]
fn an_answer_in_one_piece() {
    let server = server(everything());
    let mut request = hello("claude-opus-4-8");
    request["thinking"] = json!({"type": "adaptive"});
    let answer = ask(&server, &request);
    assert_eq!(answer.header("request-id"), Some("req_000000"));
    insta::assert_snapshot!(serde_json::to_string_pretty(&answer.json()).unwrap(), @r#"
    {
      "id": "msg_000004",
      "type": "message",
      "role": "assistant",
      "model": "claude-opus-4-8",
      "content": [
        {
          "type": "thinking",
          "thinking": "a greeting",
          "signature": "sig_000001_e735b852ff385fc50d367993328a16fb26c865a85c21bb10cfb061ddbe9066cc"
        },
        {
          "type": "redacted_thinking",
          "data": "sig_000002_c2786e89a1734079faaee95d07b9ba77f5a03720425c7dad570e894d5e7b7e83"
        },
        {
          "type": "text",
          "text": "Hello to you, 世界."
        },
        {
          "type": "tool_use",
          "id": "toolu_000003",
          "name": "Read",
          "input": {
            "path": "a.md",
            "lines": [
              1,
              2
            ]
          }
        },
        {
          "type": "hologram",
          "depth": 3
        }
      ],
      "stop_reason": "tool_use",
      "stop_sequence": null,
      "usage": {
        "input_tokens": 5,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
        "cache_creation": {
          "ephemeral_5m_input_tokens": 0,
          "ephemeral_1h_input_tokens": 0
        },
        "output_tokens": 18,
        "service_tier": "standard"
      },
      "container": null
    }
    "#);
}

#[test]
fn a_stream_holds_the_same_as_the_answer_in_one_piece() {
    let server = server(everything());
    let mut request = hello("claude-opus-4-8");
    request["thinking"] = json!({"type": "adaptive"});
    request["stream"] = json!(true);
    let answer = ask(&server, &request);
    assert!(answer.is_whole);
    insta::assert_snapshot!(answer.events().join("\n"), @"
    message_start
    ping
    content_block_start
    content_block_delta
    content_block_stop
    content_block_start
    content_block_stop
    content_block_start
    content_block_delta
    content_block_stop
    content_block_start
    content_block_delta
    content_block_stop
    content_block_start
    content_block_stop
    message_delta
    message_stop
    ");
    assert_eq!(answer.joined("/delta/thinking"), "a greeting");
    assert_eq!(answer.joined("/delta/text"), "Hello to you, 世界.");
    assert_eq!(
        answer.joined("/delta/partial_json"),
        r#"{"path":"a.md","lines":[1,2]}"#
    );
    assert!(answer.joined("/delta/signature").starts_with("sig_"));
    assert_eq!(answer.joined("/delta/stop_reason"), "tool_use");
}

#[test]
fn thinking_is_there_if_asked_for_and_empty_where_it_is_not_shown() {
    let server = server(json!({"step": [{"reply": [{"thinking": "hm"}, {"text": "yes"}]}]}));
    let thinking = |model: &str, mode: Value| {
        let mut request = hello(model);
        request["thinking"] = mode;
        ask(&server, &request).json()["content"][0]["thinking"].clone()
    };
    assert_eq!(
        thinking("claude-opus-4-8", json!({"type": "disabled"})),
        Value::Null
    );
    assert_eq!(
        thinking("claude-opus-4-8", json!({"type": "adaptive"})),
        "hm"
    );
    assert_eq!(thinking("claude-opus-5-5", json!({"type": "adaptive"})), "");
    assert_eq!(
        thinking(
            "claude-opus-5-5",
            json!({"type": "adaptive", "display": "summarized"})
        ),
        "hm"
    );
}

#[test]
fn an_answer_ends_at_the_limit_of_output() {
    let server = server(json!({"step": [{"reply": [
        {"text": "one two three four"}, {"tool": "Read"}
    ]}]}));
    let mut request = hello("claude-opus-4-8");
    request["max_tokens"] = json!(2);
    let answer = ask(&server, &request).json();
    assert_eq!(
        answer["content"],
        json!([{"type": "text", "text": "one two "}])
    );
    assert_eq!(answer["stop_reason"], "max_tokens");
    assert_eq!(answer["usage"]["output_tokens"], 2);
    request["max_tokens"] = json!(0);
    assert_eq!(ask(&server, &request).json()["content"], json!([]));
}

#[test]
fn counting_agrees_with_the_bill() {
    let server =
        server(json!({"token_factor": 1.3, "step": [{"reply": [{"text": "one two three"}]}]}));
    let request = hello("claude-opus-4-8");
    let counted = finish(open(
        server.address(),
        "/v1/messages/count_tokens?beta=true",
        HEADERS,
        &request.to_string(),
    ));
    // Three for the block and two for its words, times the factor, rounded up.
    assert_eq!(counted.json(), json!({"input_tokens": 7}));
    let usage = ask(&server, &request).json()["usage"].clone();
    assert_eq!(
        (&usage["input_tokens"], &usage["output_tokens"]),
        (&json!(7), &json!(4))
    );
    let totals = server.totals();
    assert_eq!(
        (totals.answered, totals.usage.input, totals.usage.output),
        (1, 7, 4)
    );
    assert_eq!(totals.by_model["claude-opus-4-8"], totals.usage);
}

#[test]
fn the_models_and_their_sizes() {
    let server = server(json!({"models": {"small": {"like": "claude-opus-5-5", "window": 8000}}}));
    let list = finish(open(server.address(), "/v1/models", HEADERS, "")).json();
    insta::assert_snapshot!(list, @r#"{"data":[{"type":"model","id":"small","display_name":"small","created_at":"2026-01-01T00:00:00Z","max_input_tokens":8000,"max_tokens":128000,"capabilities":{"context_management":{"compact_20260112":{"supported":false}}}}],"has_more":false,"first_id":"small","last_id":"small"}"#);
    let one = finish(open(server.address(), "/v1/models/small", HEADERS, "")).json();
    assert_eq!(one, list["data"][0]);
    let none = finish(open(server.address(), "/v1/models/large", HEADERS, ""));
    assert_eq!(
        (none.status, &none.json()["error"]["message"]),
        (404, &json!("model: large"))
    );
    let other = finish(open(server.address(), "/v1/models", "", "")).json();
    assert_eq!(other["data"][0]["object"], "model");
}

#[test]
fn a_chat_completion_in_one_piece() {
    let server = server(everything());
    insta::assert_snapshot!(
        serde_json::to_string_pretty(&chat(&server, &hello("gpt-5.6")).json()).unwrap(), @r#"
    {
      "id": "chatcmpl-000002",
      "object": "chat.completion",
      "created": 1767225600,
      "model": "gpt-5.6",
      "choices": [
        {
          "index": 0,
          "message": {
            "role": "assistant",
            "content": "Hello to you, 世界.",
            "refusal": null,
            "tool_calls": [
              {
                "id": "call_000001",
                "type": "function",
                "function": {
                  "name": "Read",
                  "arguments": "{\"path\":\"a.md\",\"lines\":[1,2]}"
                }
              }
            ]
          },
          "logprobs": null,
          "finish_reason": "tool_calls"
        }
      ],
      "usage": {
        "prompt_tokens": 8,
        "completion_tokens": 15,
        "total_tokens": 23,
        "prompt_tokens_details": {
          "cached_tokens": 0,
          "audio_tokens": 0
        },
        "completion_tokens_details": {
          "reasoning_tokens": 0
        }
      },
      "container": null
    }
    "#);
}

#[test]
fn a_chat_completion_as_a_stream() {
    let server = server(everything());
    let mut request = hello("gpt-5.6");
    request["stream"] = json!(true);
    let without = chat(&server, &request);
    assert!(without.text().ends_with("data: [DONE]\n\n"));
    assert_eq!(
        without.joined("/choices/0/delta/content"),
        "Hello to you, 世界."
    );
    assert_eq!(
        without.joined("/choices/0/delta/tool_calls/0/function/arguments"),
        r#"{"path":"a.md","lines":[1,2]}"#
    );
    assert_eq!(without.joined("/choices/0/finish_reason"), "tool_calls");
    assert!(
        without
            .data()
            .iter()
            .all(|chunk| chunk.get("usage").is_none())
    );

    request["stream_options"] = json!({"include_usage": true});
    let with = chat(&server, &request);
    let last = with.data().pop().unwrap();
    assert_eq!(last["choices"], json!([]));
    assert_eq!(last["usage"]["prompt_tokens"], 8);
}

#[test]
fn steps_are_taken_in_order_by_what_a_request_has() {
    let server = server(json!({"step": [
        {"name": "once", "times": 1, "reply": [{"text": "first"}]},
        {"name": "after a tool", "when": {"tool_result": "a.md"}, "reply": [{"text": "I see"}]},
        {"name": "later", "when": {"turn": 1, "system": "brief"}, "reply": [{"text": "again"}]},
        {"name": "cheap", "when": {"model": "haiku", "last_user": "there"}, "reply": [{"text": "hi"}]}
    ]}));
    let haiku = hello("claude-haiku-4-5");
    let mut later = hello("claude-opus-4-8");
    later["system"] = json!([{"type": "text", "text": "be brief"}]);
    later["messages"] = json!([
        {"role": "user", "content": "go"}, {"role": "assistant", "content": "done"},
        {"role": "user", "content": "go on"}
    ]);
    let mut tool = hello("claude-opus-4-8");
    tool["messages"] = json!([
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "ls", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "a.md"}]}
    ]);
    for request in [&haiku, &haiku, &later, &tool, &hello("claude-opus-4-8")] {
        ask(&server, request);
    }
    let steps: Vec<String> = server
        .settled()
        .iter()
        .map(|exchange| format!("{} {:?}", exchange.status, exchange.step))
        .collect();
    insta::assert_snapshot!(steps.join("\n"), @r#"
    200 Some("once")
    200 Some("cheap")
    200 Some("later")
    200 Some("after a tool")
    500 None
    "#);
    let unanswered = ask(&server, &hello("claude-opus-4-8"));
    assert_eq!(unanswered.header("x-should-retry"), Some("false"));
}
