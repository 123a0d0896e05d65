//! The prompt cache, seen through the bill.

use std::time::Duration;

use memdir_testkit::server::{Script, Server, Usage};
use serde_json::{Value, json};

use crate::client::{HEADERS, ask, chat, finish, open};

const LONG: Duration = Duration::from_secs(60);
const MINUTE: Duration = Duration::from_secs(60);

/// A model that caches from 20 tokens on.
fn server() -> Server {
    let script = json!({
        "models": {"test": {"like": "claude-opus-4-8", "cache_minimum": 20}},
        "step": [{"reply": [{"text": "one two three"}]}]
    });
    Server::start(Script::from_value(script).unwrap()).unwrap()
}

fn words(count: usize) -> String {
    "word ".repeat(count)
}

fn marked(text: &str) -> Value {
    json!([{"type": "text", "text": text, "cache_control": {"type": "ephemeral"}}])
}

/// Tools and system of fixed size, the system with a mark, and no messages yet.
fn opening() -> Value {
    json!({
        "model": "test",
        "max_tokens": 100,
        "tools": [{"name": "Read", "description": words(40), "input_schema": {"type": "object", "title": "x"}}],
        "system": [{"type": "text", "text": words(50), "cache_control": {"type": "ephemeral"}}],
        "messages": []
    })
}

/// Tools, system and one user message, the last two with a mark.
fn first() -> Value {
    let mut request = opening();
    request["messages"] = json!([{"role": "user", "content": marked(&words(30))}]);
    request
}

fn bill(server: &Server, request: &Value) -> Usage {
    let before = server.exchanges().len();
    let answer = ask(server, request);
    assert_eq!(answer.status, 200, "{}", answer.text());
    server.exchanges()[before].usage.unwrap()
}

fn line(name: &str, usage: Usage) -> String {
    format!(
        "{name:24} in {:4}  5m {:4}  1h {:4}  read {:4}\n",
        usage.input, usage.cache_write_5m, usage.cache_write_1h, usage.cache_read
    )
}

#[test]
fn five_turns_with_a_mark_that_moves_along() {
    let server = server();
    let mut messages: Vec<Value> = Vec::new();
    let mut out = String::new();
    let mut before = 0;
    for turn in 0..5 {
        let mut request = opening();
        let mut now = messages.clone();
        now.push(json!({"role": "user", "content": marked(&words(10 + turn))}));
        request["messages"] = json!(now);
        let usage = bill(&server, &request);
        assert_eq!(usage.cache_read, before, "all that was sent before is read");
        before = usage.whole_input();
        out.push_str(&line(&format!("turn {turn}"), usage));
        // Sent again without the mark, as a plain string.
        messages.push(json!({"role": "user", "content": words(10 + turn)}));
        messages.push(json!({"role": "assistant", "content": "one two three"}));
    }
    insta::assert_snapshot!(out, @"
    turn 0                   in    0  5m  118  1h    0  read    0
    turn 1                   in    0  5m   20  1h    0  read  118
    turn 2                   in    0  5m   21  1h    0  read  138
    turn 3                   in    0  5m   22  1h    0  read  159
    turn 4                   in    0  5m   23  1h    0  read  181
    ");
    let totals = server.totals();
    insta::assert_snapshot!(line("all", totals.usage), @"all                      in    0  5m  204  1h    0  read  596");
    assert_eq!(totals.usage.output, 15);
    assert!(totals.usage.read_share() > 0.6);
}

#[test]
fn a_fork_reads_what_its_parent_wrote() {
    let server = server();
    let parent = bill(&server, &first());
    let mut fork = first();
    let messages = fork["messages"].as_array_mut().unwrap();
    messages.push(json!({"role": "assistant", "content": "one two three"}));
    messages.push(json!({"role": "user", "content": words(20)}));
    let usage = bill(&server, &fork);
    assert_eq!(usage.cache_read, parent.whole_input());
    assert_eq!(
        usage.cache_write_5m, 0,
        "its mark stays where the parent's last one was"
    );
    assert_eq!(usage.input, 3 + 3 + 3 + 20);
}

#[test]
fn an_entry_is_readable_once_the_answer_that_wrote_it_has_begun() {
    let script = json!({
        "models": {"test": {"like": "claude-opus-4-8", "cache_minimum": 20}},
        "step": [
            {"times": 1, "reply": [{"text": "late"}], "delay_ms": 600_000},
            {"times": 1, "when": {"stream": true}, "reply": [{"text": "slow"}],
             "fault": {"silence": {"after_events": 1, "ms": 600_000}}},
            {"reply": [{"text": "hi"}]}
        ]
    });
    let server = Server::start(Script::from_value(script).unwrap()).unwrap();
    let mut streamed = first();
    streamed["stream"] = json!(true);
    let body = streamed.to_string();
    let late = open(server.address(), "/v1/messages", HEADERS, &body);
    assert!(server.wait_until(LONG, |exchanges| {
        exchanges
            .first()
            .is_some_and(|exchange| exchange.step.is_some())
    }));
    let slow = open(server.address(), "/v1/messages", HEADERS, &body);
    assert!(server.wait_until(LONG, |exchanges| {
        exchanges
            .get(1)
            .is_some_and(|exchange| exchange.usage.is_some())
    }));
    let [parent, fork] = [
        server.exchanges()[1].usage.unwrap(),
        bill(&server, &first()),
    ];
    assert_eq!(parent.cache_read, 0, "the late one has not begun");
    assert_eq!(
        fork.cache_read,
        parent.whole_input(),
        "the slow one has begun, and not ended"
    );
    drop((late, slow));
}

#[test]
fn entries_live_as_long_as_their_mark_says_and_anew_with_each_use() {
    let server = server();
    let request = first();
    let mut out = line("first", bill(&server, &request));
    for (minutes, name) in [
        (4, "after 4 minutes"),
        (4, "4 after that"),
        (5, "5 after that"),
    ] {
        server.advance(MINUTE * minutes);
        out.push_str(&line(name, bill(&server, &request)));
    }
    let mut hour = request.clone();
    hour["system"][0]["text"] = json!(words(60));
    hour["system"][0]["cache_control"]["ttl"] = json!("1h");
    out.push_str(&line("an hour and 5 minutes", bill(&server, &hour)));
    server.advance(MINUTE * 59);
    out.push_str(&line("after 59 minutes", bill(&server, &hour)));
    server.advance(MINUTE * 60);
    out.push_str(&line("60 after that", bill(&server, &hour)));
    insta::assert_snapshot!(out, @"
    first                    in    0  5m  138  1h    0  read    0
    after 4 minutes          in    0  5m    0  1h    0  read  138
    4 after that             in    0  5m    0  1h    0  read  138
    5 after that             in    0  5m  138  1h    0  read    0
    an hour and 5 minutes    in    0  5m   33  1h  115  read    0
    after 59 minutes         in    0  5m   33  1h    0  read  115
    60 after that            in    0  5m   33  1h  115  read    0
    ");
}

#[test]
fn a_prefix_below_the_minimum_is_not_cached_and_nothing_is_said() {
    let server = server();
    let request = |count: usize| {
        json!({"model": "test", "max_tokens": 10,
               "messages": [{"role": "user", "content": marked(&words(count))}]})
    };
    let mut out = String::new();
    for count in [16, 16, 17, 17] {
        let name = format!("{} tokens", count + 3);
        out.push_str(&line(&name, bill(&server, &request(count))));
    }
    insta::assert_snapshot!(out, @"
    19 tokens                in   19  5m    0  1h    0  read    0
    19 tokens                in   19  5m    0  1h    0  read    0
    20 tokens                in    0  5m   20  1h    0  read    0
    20 tokens                in    0  5m    0  1h    0  read   20
    ");
}

#[test]
fn a_mark_looks_back_twenty_pieces() {
    let later = |more: usize, between: Option<usize>| {
        let server = server();
        let request = first();
        let written = bill(&server, &request).whole_input();
        let mut request = request;
        // The earlier mark is gone: only the lookback can find what it wrote.
        request["messages"][0]["content"] = json!(words(30));
        request["system"] = json!(words(50));
        let blocks: Vec<Value> = (0..more)
            .map(|number| {
                let mut block = json!({"type": "text", "text": "more"});
                if number + 1 == more || Some(number) == between {
                    block["cache_control"] = json!({"type": "ephemeral"});
                }
                block
            })
            .collect();
        let messages = request["messages"].as_array_mut().unwrap();
        messages.push(json!({"role": "user", "content": blocks}));
        bill(&server, &request).cache_read == written
    };
    assert!(later(19, None));
    assert!(!later(20, None));
    assert!(later(20, Some(10)), "a mark in between helps");
}

#[test]
fn what_a_change_costs() {
    let png = json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aaaa"}});
    let mut image = first();
    image["messages"]
        .as_array_mut()
        .unwrap()
        .push(json!({"role": "user", "content": [png]}));
    let mut choice = first();
    choice["tool_choice"] = json!({"type": "none"});
    let mut thinking = first();
    thinking["thinking"] = json!({"type": "adaptive"});
    let mut system = first();
    system["system"][0]["text"] = json!(words(51));
    let mut speed = first();
    speed["speed"] = json!("fast");
    let mut tools = first();
    tools["tools"][0]["description"] = json!(words(41));
    let mut order = first();
    order["tools"][0] = json!({"description": words(40), "name": "Read", "input_schema": {"type": "object", "title": "x"}});
    let mut schema = first();
    schema["tools"][0]["input_schema"] = json!({"title": "x", "type": "object"});
    let mut model = first();
    model["model"] = json!("test two");
    let mut message = first();
    message["messages"][0]["content"][0]["text"] = json!(words(31));
    let mut plain = first();
    plain["messages"][0]["content"] = json!(words(30));
    let mut out = String::new();
    for (name, changed) in [
        ("nothing", first()),
        ("a string for a block", plain),
        ("the last message", message),
        ("an image", image),
        ("the choice of tools", choice),
        ("thinking", thinking),
        ("the system prompt", system),
        ("speed", speed),
        ("a tool", tools),
        ("the order of fields", order),
        ("the order in a schema", schema),
        ("the model", model),
    ] {
        let server = server();
        bill(&server, &first());
        out.push_str(&line(name, bill(&server, &changed)));
    }
    insta::assert_snapshot!(out, @"
    nothing                  in    0  5m    0  1h    0  read  138
    a string for a block     in   33  5m    0  1h    0  read  105
    the last message         in    0  5m   34  1h    0  read  105
    an image                 in 1503  5m   33  1h    0  read  105
    the choice of tools      in    0  5m   33  1h    0  read  105
    thinking                 in    0  5m   33  1h    0  read  105
    the system prompt        in    0  5m  139  1h    0  read    0
    speed                    in    0  5m  138  1h    0  read    0
    a tool                   in    0  5m  139  1h    0  read    0
    the order of fields      in    0  5m    0  1h    0  read  138
    the order in a schema    in    0  5m  138  1h    0  read    0
    the model                in  138  5m    0  1h    0  read    0
    ");
}

#[test]
fn both_times_to_live_in_one_request_and_the_automatic_mark() {
    let server = server();
    let mut request = first();
    request["system"][0]["cache_control"]["ttl"] = json!("1h");
    let mut out = line("an hour, then 5 minutes", bill(&server, &request));
    out.push_str(&line("again", bill(&server, &request)));
    let mut automatic = opening();
    automatic["messages"] = json!([{"role": "user", "content": words(33)}]);
    automatic["cache_control"] = json!({"type": "ephemeral"});
    out.push_str(&line("a mark at the top", bill(&server, &automatic)));
    out.push_str(&line("again", bill(&server, &automatic)));
    insta::assert_snapshot!(out, @"
    an hour, then 5 minutes  in    0  5m   33  1h  105  read    0
    again                    in    0  5m    0  1h    0  read  138
    a mark at the top        in    0  5m   36  1h    0  read  105
    again                    in    0  5m    0  1h    0  read  141
    ");
}

#[test]
fn no_output_at_all_warms_the_cache() {
    let server = server();
    let mut warm = first();
    warm["max_tokens"] = json!(0);
    let warmed = bill(&server, &warm);
    assert_eq!(warmed.output, 0);
    assert_eq!(bill(&server, &first()).cache_read, warmed.whole_input());
}

#[test]
fn chat_completions_cache_by_themselves_from_1024_tokens() {
    let server = server();
    let request = |count: usize, more: &str| {
        json!({"model": "gpt-5.6", "messages": [
            {"role": "system", "content": words(count)}, {"role": "user", "content": more}
        ]})
    };
    let cached = |request: Value| {
        chat(&server, &request).json()["usage"]["prompt_tokens_details"]["cached_tokens"].clone()
    };
    assert_eq!(cached(request(1000, "one")), 0);
    assert_eq!(cached(request(1000, "two")), 0, "too short");
    assert_eq!(cached(request(1030, "one")), 0);
    // The block, two keys, a role of two tokens, and the words.
    assert_eq!(cached(request(1030, "two")), 3 + 2 + 2 + 1030);
    server.advance(MINUTE * 10);
    assert_eq!(cached(request(1030, "three")), 0, "ten minutes later");
}

#[test]
fn sixteen_clients_at_once_and_every_token_is_billed() {
    let server = server();
    let reported: Vec<u64> = std::thread::scope(|scope| {
        let clients: Vec<_> = (0..16)
            .map(|client| {
                let server = &server;
                scope.spawn(move || {
                    let mut request = first();
                    let mut sum = 0;
                    let mut id = String::new();
                    for turn in 0..5 {
                        request["stream"] = json!(turn % 2 == 0);
                        let answer = finish(open(
                            server.address(),
                            "/v1/messages",
                            HEADERS,
                            &request.to_string(),
                        ));
                        assert_eq!(answer.status, 200, "{}", answer.text());
                        let (message, usage) = if turn % 2 == 0 {
                            let data = answer.data();
                            let usage = data[data.len() - 2]["usage"].clone();
                            (data[0]["message"].clone(), usage)
                        } else {
                            (answer.json(), answer.json()["usage"].clone())
                        };
                        assert_ne!(message["id"], id, "an id is given once");
                        id = message["id"].as_str().unwrap().to_owned();
                        sum += [
                            "input_tokens",
                            "cache_creation_input_tokens",
                            "cache_read_input_tokens",
                            "output_tokens",
                        ]
                        .iter()
                        .map(|key| usage[*key].as_u64().unwrap())
                        .sum::<u64>();
                        let messages = request["messages"].as_array_mut().unwrap();
                        messages.push(json!({"role": "assistant", "content": "one two three"}));
                        messages
                            .push(json!({"role": "user", "content": format!("client {client}")}));
                    }
                    sum
                })
            })
            .collect();
        clients
            .into_iter()
            .map(|client| client.join().unwrap())
            .collect()
    });
    let totals = server.totals();
    assert_eq!(totals.answered, 80);
    assert_eq!(
        totals.usage.whole_input() + totals.usage.output,
        reported.iter().sum::<u64>()
    );
    assert!(
        server
            .settled()
            .iter()
            .all(|exchange| exchange.violations.is_empty())
    );
}
