//! Each way in which a provider fails.

use std::io::Read;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use memdir_testkit::server::{End, Script, Server};
use serde_json::{Value, json};

use crate::client::{Answer, HEADERS, ask, chat, finish, open};

const LONG: Duration = Duration::from_secs(60);

fn server(step: Value) -> Server {
    Server::start(Script::from_value(json!({"step": [step]})).unwrap()).unwrap()
}

fn hello(stream: bool) -> Value {
    json!({"model": "claude-opus-4-8", "max_tokens": 1000, "stream": stream,
           "messages": [{"role": "user", "content": "hello"}]})
}

fn failing(fault: Value) -> Value {
    json!({"reply": [{"text": "Hello to you, 世界, and to all."}], "fault": fault})
}

/// The answer to one request in the face of a fault, and how the server saw it end.
fn meet(fault: Value, stream: bool) -> (Answer, Option<End>) {
    let server = server(failing(fault));
    let answer = ask(&server, &hello(stream));
    (answer, server.settled()[0].end)
}

#[test]
fn errors_by_status() {
    let mut out = String::new();
    for fault in [
        json!({"status": 429, "retry_after": "7", "retry_after_ms": 250}),
        json!({"status": 529}),
        json!({"status": 500}),
        json!({"status": 402, "message": "Your credit balance is too low"}),
        json!({"status": 504, "message": "took too long"}),
    ] {
        let (answer, _) = meet(fault, false);
        out.push_str(&format!("{} {}", answer.status, answer.json()["error"]));
        for name in ["retry-after", "retry-after-ms"] {
            if let Some(value) = answer.header(name) {
                out.push_str(&format!(" {name}: {value}"));
            }
        }
        out.push('\n');
    }
    insta::assert_snapshot!(out, @r#"
    429 {"type":"rate_limit_error","message":"This request would exceed your organization's rate limit."} retry-after: 7 retry-after-ms: 250
    529 {"type":"overloaded_error","message":"Overloaded"}
    500 {"type":"api_error","message":"Internal server error"}
    402 {"type":"billing_error","message":"Your credit balance is too low"}
    504 {"type":"timeout_error","message":"took too long"}
    "#);
}

#[test]
fn an_error_once_and_then_an_answer() {
    let script = json!({"step": [
        {"times": 1, "fault": {"status": 529}}, {"reply": [{"text": "hi"}]}
    ]});
    let server = Server::start(Script::from_value(script).unwrap()).unwrap();
    assert_eq!(ask(&server, &hello(false)).status, 529);
    assert_eq!(ask(&server, &hello(false)).status, 200);
}

#[test]
fn a_prompt_that_is_called_too_long_whatever_its_length() {
    let (answer, _) = meet(json!({"too_long": 200_000}), true);
    assert_eq!(answer.status, 400);
    insta::assert_snapshot!(answer.json()["error"]["message"].as_str().unwrap(), @"prompt is too long: 200001 tokens > 200000 maximum");
}

#[test]
fn a_stream_cut_between_events() {
    let (answer, end) = meet(json!({"cut_after_events": 4}), true);
    assert_eq!(
        (answer.status, answer.is_whole, end),
        (200, false, Some(End::Cut))
    );
    assert_eq!(answer.text().matches("event: ").count(), 4);
}

#[test]
fn a_stream_cut_in_the_middle_of_a_character() {
    let (answer, end) = meet(json!({"cut_in_character": true}), true);
    assert_eq!((answer.is_whole, end), (false, Some(End::Cut)));
    let broken = std::str::from_utf8(&answer.body).unwrap_err();
    assert_eq!(
        (answer.body.len() - broken.valid_up_to(), broken.error_len()),
        (1, None)
    );
}

#[test]
fn an_answer_in_one_piece_can_be_cut_too() {
    let (answer, end) = meet(json!({"cut_after_bytes": 20}), false);
    assert_eq!(
        (answer.body.len(), answer.is_whole, end),
        (20, false, Some(End::Cut))
    );
    let (answer, _) = meet(json!({"cut_in_character": true}), false);
    assert!(!answer.is_whole && std::str::from_utf8(&answer.body).is_err());
}

#[test]
fn a_connection_that_is_reset() {
    let server = server(failing(json!({"cut_after_events": 2, "reset": true})));
    let mut stream = open(
        server.address(),
        "/v1/messages",
        HEADERS,
        &hello(true).to_string(),
    );
    let mut bytes = Vec::new();
    let error = stream.read_to_end(&mut bytes).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset);
}

#[test]
fn a_stream_without_its_end() {
    let (answer, end) = meet(json!({"no_end": true}), true);
    assert_eq!((answer.is_whole, end), (true, Some(End::Whole)));
    assert_eq!(answer.events().last().unwrap(), "content_block_stop");
    let server = server(failing(json!({"no_end": true})));
    let answer = chat(&server, &hello(true));
    assert!(answer.is_whole && !answer.text().contains("[DONE]"));
    assert_eq!(answer.joined("/choices/0/finish_reason"), "");
}

#[test]
fn answers_that_are_not_json_or_of_another_shape() {
    let (answer, _) = meet(json!({"invalid_json": true}), false);
    assert!(answer.is_whole && serde_json::from_slice::<Value>(&answer.body).is_err());
    let (answer, _) = meet(json!({"invalid_json": true}), true);
    let data: Vec<String> = answer
        .text()
        .lines()
        .filter_map(|line| line.strip_prefix("data: ").map(str::to_owned))
        .collect();
    let broken = data
        .iter()
        .filter(|data| serde_json::from_str::<Value>(data).is_err());
    assert_eq!(broken.count(), 1);
    let (answer, _) = meet(json!({"wrong_schema": true}), false);
    assert_eq!(answer.json(), json!({"result": {"ok": true}}));
    let (answer, _) = meet(json!({"wrong_schema": true}), true);
    assert!(
        answer
            .data()
            .iter()
            .all(|data| data["result"]["ok"] == true)
    );
    let (answer, _) = meet(json!({"status": 502, "invalid_json": true}), true);
    assert_eq!(
        (answer.status, answer.text().starts_with("<html>")),
        (502, true)
    );
}

#[test]
fn an_error_in_the_middle_of_a_stream() {
    let fault = json!({"error_event": {"after_events": 4, "kind": "overloaded_error", "message": "Overloaded"}});
    let (answer, _) = meet(fault, true);
    assert!(answer.is_whole);
    insta::assert_snapshot!(answer.text().split("\n\n").nth(4).unwrap(), @r#"
    event: error
    data: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}
    "#);
    assert!(!answer.events().contains(&"message_stop".to_owned()));
}

#[test]
fn an_event_that_nobody_knows() {
    let (answer, _) = meet(json!({"unknown_event": true}), true);
    assert!(answer.events().contains(&"hologram".to_owned()));
    assert_eq!(
        answer.joined("/delta/text"),
        "Hello to you, 世界, and to all."
    );
    let server = server(failing(json!({"unknown_event": true})));
    assert!(
        chat(&server, &hello(true))
            .text()
            .contains(": keep-alive\n\n")
    );
}

#[test]
fn a_drip_of_single_bytes_adds_up() {
    for stream in [true, false] {
        let (plain, _) = meet(json!({}), stream);
        let (dripped, _) = meet(json!({"drip": {"bytes": 1}}), stream);
        assert!(dripped.is_whole);
        assert_eq!(dripped.text(), plain.text());
    }
}

#[test]
fn headers_of_the_step_come_along() {
    let server = server(json!({
        "reply": [{"text": "hi"}], "headers": {"anthropic-ratelimit-tokens-remaining": "1200"}
    }));
    let answer = ask(&server, &hello(false));
    assert_eq!(
        answer.header("anthropic-ratelimit-tokens-remaining"),
        Some("1200")
    );
}

/// Reads until the text has come.
fn read_until(stream: &mut TcpStream, text: &str) {
    let mut bytes = Vec::new();
    let mut byte = [0];
    while !String::from_utf8_lossy(&bytes).contains(text) {
        assert_eq!(stream.read(&mut byte).unwrap(), 1, "ended before {text:?}");
        bytes.push(byte[0]);
    }
}

#[test]
fn silence_lasts_until_the_client_leaves_and_the_server_notices_when() {
    let ten_minutes = json!({"silence": {"after_events": 4, "ms": 600_000}});
    let server = server(failing(ten_minutes));
    let mut stream = open(
        server.address(),
        "/v1/messages",
        HEADERS,
        &hello(true).to_string(),
    );
    read_until(&mut stream, "content_block_delta");
    assert_eq!(server.exchanges()[0].end, None);
    let left = Instant::now();
    drop(stream);
    assert!(server.wait_until(LONG, |exchanges| exchanges[0].end.is_some()));
    let exchange = server.exchanges().remove(0);
    assert_eq!(exchange.end, Some(End::Disconnected));
    assert!(exchange.ended.unwrap() >= left && exchange.ended.unwrap() >= exchange.arrived);
    // The words that were sent are billed, the rest is not.
    let usage = exchange.usage.unwrap();
    assert!(
        usage.input > 0 && usage.output > 0 && usage.output < 10,
        "{usage:?}"
    );
}

#[test]
fn a_client_may_leave_before_the_first_byte_and_pays_nothing() {
    let server = server(json!({"reply": [{"text": "hi"}], "delay_ms": 600_000}));
    let stream = open(
        server.address(),
        "/v1/messages",
        HEADERS,
        &hello(true).to_string(),
    );
    assert!(server.wait_until(LONG, |exchanges| exchanges.len() == 1));
    drop(stream);
    let exchange = server.settled().remove(0);
    assert_eq!(
        (exchange.end, exchange.usage),
        (Some(End::Disconnected), None)
    );
}

#[test]
fn a_server_ends_in_the_middle_of_anything() {
    let server = server(failing(
        json!({"silence": {"after_events": 2, "ms": 600_000}}),
    ));
    let address = server.address();
    let mut streams: Vec<TcpStream> = (0..4)
        .map(|_| open(address, "/v1/messages", HEADERS, &hello(true).to_string()))
        .collect();
    let idle = TcpStream::connect(address).unwrap();
    for stream in &mut streams {
        read_until(stream, "ping");
    }
    // Joins every thread, so this would not come back if one were left.
    drop(server);
    for stream in streams.drain(..).chain([idle]) {
        let mut rest = Vec::new();
        let _ = { stream }.read_to_end(&mut rest);
        assert!(!String::from_utf8_lossy(&rest).contains("message_stop"));
    }
}

#[test]
fn a_client_that_has_the_whole_answer_did_not_leave_early() {
    let server = server(json!({"reply": [{"text": "hi"}]}));
    for stream in [true, false] {
        finish(open(
            server.address(),
            "/v1/messages",
            HEADERS,
            &hello(stream).to_string(),
        ));
    }
    let ends: Vec<Option<End>> = server
        .settled()
        .iter()
        .map(|exchange| exchange.end)
        .collect();
    assert_eq!(ends, [Some(End::Whole), Some(End::Whole)]);
}
