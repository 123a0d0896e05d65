//! `memdir mcp` with clients that mean harm, or are broken: they get errors, the server lives, nothing is lost, and
//! nobody is left behind.

use std::io::{Read, Write};
use std::process::Stdio;

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::fixture::Fixture;
use crate::mcp_client::{Client, told, wait};

/// Whether the server still does its work.
fn lives(client: &mut Client) {
    let listed = client.tool("list", json!({}));
    assert!(listed.contains("user_role.md"), "{listed}");
}

#[test]
fn what_is_no_message_is_answered_with_an_error() {
    let fixture = Fixture::with_some();
    let mut client = Client::greeted(&fixture);
    let deep = "[".repeat(100_000);
    let mut answers = Vec::new();
    for line in [
        "garbage",
        "{\"jsonrpc\":\"2.0\",\"id\":1",
        "[]",
        "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}]",
        "42",
        "null",
        "\u{feff}{}",
        "{\"jsonrpc\":\"1.0\",\"id\":7,\"method\":\"tools/list\"}",
        "{\"id\":8,\"method\":\"tools/list\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"tools/list\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":42}",
        "{\"jsonrpc\":\"2.0\",\"id\":10,\"method\":\"tools/call\",\"params\":[]}",
        "{\"jsonrpc\":\"2.0\",\"id\":11,\"method\":\"tools/call\",\"params\":{\"name\":42}}",
        "{\"jsonrpc\":\"2.0\",\"id\":12,\"method\":\"no/such/method\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":13,\"method\":\"tools/call\",\"params\":{\"name\":\"rm\"}}",
        deep.as_str(),
    ] {
        client.send_raw(format!("{line}\n").as_bytes());
        let answer = client.receive();
        assert!(answer["error"]["code"].is_i64(), "{line}: {answer}");
        answers.push(format!("{} {}", answer["id"], answer["error"]["code"]));
    }
    client.send_raw(b"\xff\xfe\x00{}\n");
    answers.push(client.receive()["error"]["code"].to_string());
    assert_snapshot!(answers.join("\n"), @"
    null -32700
    null -32700
    null -32600
    null -32600
    null -32600
    null -32600
    null -32700
    7 -32600
    8 -32600
    null -32600
    9 -32600
    10 -32602
    11 -32601
    12 -32601
    13 -32602
    null -32700
    -32700
    ");
    // Wrong arguments are for the model to read.
    assert_snapshot!(client.tool("recall", json!({"question": "x"})), @"[error] The arguments are not understood: unknown field `question`, expected `query` or `limit`. See the tool's schema and call it again.");
    assert_snapshot!(client.tool("recall", json!({"query": 42})), @"[error] The arguments are not understood: invalid type: integer `42`, expected a string. See the tool's schema and call it again.");
    lives(&mut client);
    assert!(client.end().success());
}

#[test]
fn a_message_without_end_is_passed_over() {
    let fixture = Fixture::with_some();
    let mut client = Client::greeted(&fixture);
    let chunk = vec![b'x'; 1024 * 1024];
    for _ in 0..24 {
        client.send_raw(&chunk);
    }
    let answer = client.receive();
    assert_snapshot!(answer["error"]["message"].as_str().unwrap(), @"the message is longer than 4194304 bytes and was passed over");
    client.send_raw(b"\n");
    lives(&mut client);
    let long = "a ".repeat(200_000);
    assert_snapshot!(client.tool("remember", json!({"text": long})), @"[error] The text is 400000 bytes long; a memory has at most 262144. Say in a few sentences what is worth keeping, and where the rest is.");
    let status = std::fs::read_to_string(format!("/proc/{}/status", client.child.id())).unwrap();
    let peak = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .unwrap();
    let peak: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(peak < 300_000, "the server held {peak} kB");
    lives(&mut client);
    assert!(client.end().success());
}

#[test]
fn messages_out_of_order_do_no_harm() {
    let fixture = Fixture::with_some();
    let mut client = Client::start(&fixture);
    // Before any greeting: notices, answers to what nobody asked, calls, and a greeting that is none.
    client.notify("notifications/initialized", json!({}));
    client.notify("notifications/cancelled", json!({"requestId": 99}));
    client.send(&json!({"jsonrpc": "2.0", "id": 5, "result": {"roots": []}}));
    client.send(&json!({"jsonrpc": "2.0", "id": 6, "error": {"code": 1, "message": "no"}}));
    let early = client.call("tools/list", json!({}));
    assert_eq!(early["code"], -32602, "{early}");
    let wrong = client.call("initialize", json!({}));
    assert!(wrong["code"].is_i64(), "{wrong}");
    client.notify(
        "notifications/progress",
        json!({"progressToken": 1, "progress": 1}),
    );
    client.greet(json!({}));
    lives(&mut client);
    // A second greeting, and one id for two calls.
    let again = client.greet(json!({}));
    assert_eq!(again["protocolVersion"], "2025-11-25");
    let twice = json!({"jsonrpc": "2.0", "id": "x", "method": "tools/call", "params": {"name": "list", "arguments": {}}});
    client.send_raw(format!("{twice}\n{twice}\n").as_bytes());
    let answers = [client.receive(), client.receive()];
    assert!(
        answers.iter().any(|answer| answer["id"] == "x"),
        "{answers:?}"
    );
    lives(&mut client);
    assert!(client.end().success());
}

#[test]
fn many_calls_at_once_are_all_answered_and_nothing_is_lost() {
    const CALLS: u64 = 300;
    let fixture = Fixture::with_some();
    let mut client = Client::greeted(&fixture);
    let mut lines = String::new();
    for number in 0..CALLS {
        let (name, arguments) = match number % 3 {
            0 => (
                "remember",
                json!({"text": format!("Host number {number} is called h{number}x{number} and stands in room {number}")}),
            ),
            1 => ("recall", json!({"query": "when may I push to main"})),
            _ => ("list", json!({"limit": 1})),
        };
        let call = json!({"jsonrpc": "2.0", "id": format!("c{number}"), "method": "tools/call", "params": {"name": name, "arguments": arguments}});
        lines.push_str(&format!("{call}\n"));
    }
    client.send_raw(lines.as_bytes());
    let mut saved = Vec::new();
    for _ in 0..CALLS {
        let answer = client.receive_until(|message| message.get("id").is_some());
        assert_eq!(answer["result"]["isError"], false, "{answer}");
        let text = told(&answer["result"]);
        if let Some(path) = text.strip_prefix("Remembered as ") {
            saved.push(path.split(' ').next().unwrap().to_owned());
        }
    }
    assert_eq!(saved.len(), 100);
    for path in saved {
        assert!(fixture.memory_dir().join(&path).exists(), "{path}");
    }
    assert!(client.end().success());
    assert!(
        fixture.run(&["doctor"]).success(),
        "{}",
        fixture.run(&["doctor"])
    );
}

#[test]
fn a_client_that_does_not_read_is_waited_for_without_growing() {
    let fixture = Fixture::with_some();
    fixture.topic(
        "project_long.md",
        0,
        "project",
        "A long one",
        &"many words to read here\n".repeat(2_000),
    );
    let mut command = fixture.program(&["mcp"]).command();
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = child.stdout.take().unwrap();
    let greeting = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "slow", "version": "1"},
    }});
    // 2,000 answers of 40 KB each, which nobody reads while they are asked for.
    let asking = std::thread::spawn(move || {
        writeln!(input, "{greeting}").unwrap();
        for id in 1..=2_000 {
            let call = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "read", "arguments": {"name": "project_long"}}});
            writeln!(input, "{call}").unwrap();
        }
        input
    });
    let peak = || {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let peak = status
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:"))
            .unwrap();
        peak.trim().trim_end_matches(" kB").parse::<u64>().unwrap()
    };
    // Until it has stopped growing without anybody reading.
    let mut last = 0;
    for _ in 0..60 {
        std::thread::sleep(std::time::Duration::from_millis(200));
        let now = peak();
        if now == last {
            break;
        }
        last = now;
    }
    assert!(
        last < 200_000,
        "the server held {last} kB for a client that does not read"
    );
    // Then it reads everything, and everything is there.
    let mut read = Vec::new();
    let reading = std::thread::spawn(move || {
        output.read_to_end(&mut read).unwrap();
        read
    });
    drop(asking.join().unwrap());
    assert!(wait(&mut child).success());
    let read = reading.join().unwrap();
    let answers = read.split(|byte| *byte == b'\n').filter(|line| {
        serde_json::from_slice::<Value>(line)
            .is_ok_and(|message| message["result"]["isError"] == false)
    });
    assert_eq!(answers.count(), 2_000);
}

#[test]
fn a_client_that_goes_away_without_a_word_takes_the_server_with_it() {
    let fixture = Fixture::with_some();
    // It closes its end in the middle of a message.
    let mut client = Client::greeted(&fixture);
    client.send_raw(b"{\"jsonrpc\":\"2.0\",\"id\":77,\"method\":\"tools/ca");
    assert!(client.end().success());
    // It stops reading and leaves its other end open.
    let mut command = fixture.program(&["mcp"]).command();
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let input = child.stdin.take().unwrap();
    drop(child.stdout.take());
    assert!(wait(&mut child).success());
    drop(input);
    // It closes its end right after a call: what it asked for is done.
    let mut client = Client::greeted(&fixture);
    client.ask(
        "tools/call",
        json!({"name": "remember", "arguments": {"text": "Use tabs in Go, said at the very end"}}),
    );
    assert!(client.end().success());
    assert!(
        fixture
            .run(&["recall", "tabs or spaces in Go"])
            .stdout()
            .contains("use_tabs")
    );
    let doctor = fixture.run(&["doctor"]);
    assert!(doctor.success(), "{doctor}");
}

#[test]
fn nothing_that_a_client_asks_for_reaches_out_of_the_directory() {
    let fixture = Fixture::with_some();
    let secret = fixture
        .sandbox
        .write("outside/secret.md", "the secret of the neighbour")
        .unwrap();
    std::os::unix::fs::symlink(&secret, fixture.memory_dir().join("link.md")).unwrap();
    std::os::unix::fs::symlink(
        fixture.sandbox.outside(),
        fixture.memory_dir().join("folder"),
    )
    .unwrap();
    let before = memdir_testkit::tree::fingerprint(&fixture.sandbox.outside()).unwrap();
    let mut client = Client::greeted(&fixture);
    for path in [
        "link.md",
        "folder/secret.md",
        "../../../../outside/secret.md",
        "/etc/passwd",
        "..%2fsecret.md",
        "folder/new.md",
    ] {
        for (tool, arguments) in [
            ("read", json!({"name": path})),
            ("forget", json!({"name": path})),
            ("remember", json!({"text": "x", "into": path})),
            (
                "memory",
                json!({"command": "view", "path": format!("/memories/{path}")}),
            ),
            (
                "memory",
                json!({"command": "create", "path": format!("/memories/{path}"), "file_text": "x"}),
            ),
            (
                "memory",
                json!({"command": "delete", "path": format!("/memories/{path}")}),
            ),
            (
                "memory",
                json!({"command": "rename", "old_path": "/memories/user_role.md", "new_path": format!("/memories/{path}")}),
            ),
        ] {
            let answer = client.tool(tool, arguments.clone());
            assert!(
                answer.starts_with("[error]"),
                "{tool} {arguments}: {answer}"
            );
            assert!(!answer.contains("neighbour"), "{answer}");
        }
    }
    lives(&mut client);
    assert!(client.end().success());
    assert_eq!(
        memdir_testkit::tree::fingerprint(&fixture.sandbox.outside()).unwrap(),
        before
    );
}

#[test]
fn calls_that_are_cancelled_make_no_work() {
    let fixture = Fixture::with_some();
    let mut client = Client::greeted(&fixture);
    let text = "word ".repeat(4_000);
    for number in 0..200 {
        let id = client.ask(
            "tools/call",
            json!({"name": "remember", "arguments": {"text": format!("{number} {text}"), "name": format!("flood {number}")}}),
        );
        client.notify("notifications/cancelled", json!({"requestId": id}));
    }
    lives(&mut client);
    assert!(client.end().success());
    // Those that had begun are saved, the rest is passed over; how many that are depends on the machine.
    let files = std::fs::read_dir(fixture.memory_dir()).unwrap().flatten();
    let saved = files.filter(|file| file.file_name().to_string_lossy().contains("flood"));
    let saved = saved.count();
    assert!(saved < 200, "{saved}");
}
