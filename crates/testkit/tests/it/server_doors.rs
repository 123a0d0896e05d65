//! How a client gets in, what is kept of what it sent, and who may look at that.

use std::io::{Read, Write};
use std::net::TcpStream;

use memdir_testkit::server::{End, Script, Server};
use serde_json::{Value, json};

use crate::client::{HEADERS, ask, finish, open};

fn server(script: Value) -> Server {
    Server::start(Script::from_value(script).unwrap()).unwrap()
}

fn hello(model: &str) -> Value {
    json!({"model": model, "max_tokens": 1000, "messages": [{"role": "user", "content": "hello there"}]})
}

#[test]
fn keys_and_versions() {
    let server = server(json!({"keys": ["right"], "step": [{"reply": [{"text": "hi"}]}]}));
    let body = hello("claude-opus-4-8").to_string();
    let mut out = String::new();
    for (name, path, headers) in [
        (
            "a key",
            "/v1/messages",
            "x-api-key: right\r\nanthropic-version: 2023-06-01\r\n",
        ),
        (
            "a bearer",
            "/v1/messages",
            "authorization: Bearer right\r\nanthropic-version: 2023-06-01\r\n",
        ),
        (
            "both",
            "/v1/messages",
            "x-api-key: right\r\nauthorization: Bearer right\r\nanthropic-version: 2023-06-01\r\n",
        ),
        (
            "wrong",
            "/v1/messages",
            "x-api-key: wrong\r\nanthropic-version: 2023-06-01\r\n",
        ),
        ("none", "/v1/messages", "anthropic-version: 2023-06-01\r\n"),
        ("no version", "/v1/messages", "x-api-key: right\r\n"),
        (
            "chat",
            "/v1/chat/completions",
            "authorization: Bearer right\r\n",
        ),
        (
            "chat, wrong",
            "/v1/chat/completions",
            "authorization: Bearer wrong\r\n",
        ),
        (
            "nowhere",
            "/v1/complete",
            "x-api-key: right\r\nanthropic-version: 2023-06-01\r\n",
        ),
    ] {
        let answer = finish(open(server.address(), path, headers, &body));
        let error = answer.json()["error"].clone();
        out.push_str(&format!("{name}: {} {error}\n", answer.status));
    }
    insta::assert_snapshot!(out, @r#"
    a key: 200 null
    a bearer: 200 null
    both: 401 {"type":"authentication_error","message":"Both x-api-key and Authorization were sent; only one is allowed."}
    wrong: 401 {"type":"authentication_error","message":"invalid x-api-key"}
    none: 401 {"type":"authentication_error","message":"invalid x-api-key"}
    no version: 400 {"type":"invalid_request_error","message":"anthropic-version: header is required"}
    chat: 200 null
    chat, wrong: 401 {"message":"invalid x-api-key","type":"authentication_error","param":null,"code":null}
    nowhere: 404 {"type":"not_found_error","message":"Not found"}
    "#);
}

#[test]
fn requests_are_kept_byte_for_byte_and_connections_alive() {
    let server = server(json!({"step": [{"reply": [{"text": "hi"}]}]}));
    let first = r#"{ "model":"claude-opus-4-8", "max_tokens":1e2,"messages":[{"content":"\u0068i","role":"user"}]}"#;
    let second = hello("claude-opus-4-8").to_string();
    let mut stream = TcpStream::connect(server.address()).unwrap();
    write!(
        stream,
        "POST /v1/messages HTTP/1.1\r\nX-Api-Key: k\r\nanthropic-version: 1\r\nExpect: 100-continue\r\nContent-Length: {}\r\n\r\n{first}",
        first.len()
    )
    .unwrap();
    // In chunks, in the middle of a word, and the last on this connection.
    let (left, right) = second.split_at(20);
    write!(
        stream,
        "POST /v1/messages HTTP/1.1\r\nx-api-key: k\r\nanthropic-version: 1\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n{:x}\r\n{left}\r\n{:x};note\r\n{right}\r\n0\r\n\r\n",
        left.len(),
        right.len()
    )
    .unwrap();
    let mut answers = String::new();
    stream.read_to_string(&mut answers).unwrap();
    assert_eq!(answers.matches("HTTP/1.1 100 Continue").count(), 1);
    assert_eq!(answers.matches("HTTP/1.1 200 OK").count(), 2, "{answers}");
    let exchanges = server.settled();
    assert_eq!(exchanges.len(), 2);
    assert_eq!(exchanges[0].body, first.as_bytes());
    assert!(
        exchanges[0]
            .head
            .starts_with(b"POST /v1/messages HTTP/1.1\r\nX-Api-Key: k\r\n")
    );
    assert_eq!(exchanges[0].header("x-api-key"), Some("k"));
    assert_eq!(exchanges[1].body, second.as_bytes());
    assert_eq!(exchanges[1].end, Some(End::Whole));
}

#[test]
fn whoever_asks_whether_anybody_is_there_gets_a_head_without_a_body() {
    let server = server(json!({}));
    let mut stream = TcpStream::connect(server.address()).unwrap();
    stream
        .write_all(b"HEAD / HTTP/1.1\r\nconnection: close\r\n\r\n")
        .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
    assert!(answer.ends_with("content-length: 0\r\n\r\n"), "{answer}");
}

#[test]
fn too_large_a_body_is_refused() {
    let server = server(json!({"step": [{"reply": [{"text": "hi"}]}]}));
    let body = "x".repeat(32 * 1024 * 1024 + 1);
    let answer = finish(open(server.address(), "/v1/messages", HEADERS, &body));
    assert_eq!(
        (answer.status, &answer.json()["error"]["type"]),
        (413, &json!("request_too_large"))
    );
}

#[test]
fn the_server_can_be_watched_and_its_clock_moved_from_outside() {
    let server = server(json!({"step": [{"reply": [{"text": "hi"}]}]}));
    ask(&server, &hello("claude-opus-4-8"));
    server.settled();
    let get = |path: &str| finish(open(server.address(), path, "", "")).json();
    insta::assert_snapshot!(get("/_test/totals"), @r#"{"answered":1,"refused":0,"usage":{"input":5,"cache_write_5m":0,"cache_write_1h":0,"cache_read":0,"output":1},"by_model":{"claude-opus-4-8":{"input":5,"cache_write_5m":0,"cache_write_1h":0,"cache_read":0,"output":1}}}"#);
    insta::assert_snapshot!(get("/_test/requests"), @r#"[{"method":"POST","path":"/v1/messages","model":"claude-opus-4-8","step":"0","status":200,"violations":[],"usage":{"input":5,"cache_write_5m":0,"cache_write_1h":0,"cache_read":0,"output":1},"end":"whole","body":{"model":"claude-opus-4-8","max_tokens":1000,"messages":[{"role":"user","content":"hello there"}]}}]"#);
    let moved = finish(open(
        server.address(),
        "/_test/clock",
        "",
        r#"{"advance_ms": 300000}"#,
    ));
    assert_eq!(moved.json(), json!({"now_ms": 300_000}));
    assert_eq!(server.exchanges().len(), 1, "looking leaves no trace");
}

#[test]
fn a_script_with_a_mistake_says_where() {
    let mistakes = [
        "[[step]]\nreplies = []",
        "[[step]]\nreply = [{ text = \"a\", thinking = \"b\" }]",
        "[[step]]\nreply = [{ text = \"a\", input = {} }]",
        "[[step]]\nfault = { statsu = 500 }",
    ];
    let told: Vec<String> = mistakes
        .iter()
        .map(|script| Script::from_toml(script).unwrap_err().to_string())
        .collect();
    insta::assert_snapshot!(told.join("\n"), @r#"
    the script is not valid: TOML parse error at line 2, column 1
      |
    2 | replies = []
      | ^^^^^^^
    unknown field `replies`, expected one of `name`, `times`, `when`, `reply`, `stop_reason`, `output_tokens`, `extra`, `headers`, `delay_ms`, `delta_characters`, `fault`

    the script is not valid: TOML parse error at line 2, column 9
      |
    2 | reply = [{ text = "a", thinking = "b" }]
      |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    a block has one of `text`, `thinking`, `redacted_thinking`, `tool`, `raw`

    the script is not valid: TOML parse error at line 2, column 9
      |
    2 | reply = [{ text = "a", input = {} }]
      |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    `input` and `id` belong to a block with `tool`

    the script is not valid: TOML parse error at line 2, column 11
      |
    2 | fault = { statsu = 500 }
      |           ^^^^^^
    unknown field `statsu`, expected one of `status`, `message`, `retry_after`, `retry_after_ms`, `too_long`, `drip`, `cut_after_bytes`, `cut_after_events`, `cut_in_character`, `reset`, `silence`, `no_end`, `no_usage`, `invalid_json`, `wrong_schema`, `error_event`, `unknown_event`
    "#);
}
