//! `memdir mcp`: what a client is told without asking.

use std::fs;

use serde_json::{Value, json};

use crate::fixture::Fixture;
use crate::mcp_client::Client;

fn is_list_changed(message: &Value) -> bool {
    message["method"] == "notifications/resources/list_changed"
}

fn is_updated(message: &Value, address: &str) -> bool {
    message["method"] == "notifications/resources/updated" && message["params"]["uri"] == address
}

#[test]
fn a_client_is_told_what_it_subscribed_to_whoever_changed_it() {
    let fixture = Fixture::with_some();
    let mut client = Client::greeted(&fixture);
    let address = "memdir://memory/user_role.md";
    assert_eq!(
        client.call("resources/subscribe", json!({"uri": address})),
        json!({})
    );
    assert_eq!(
        client.call("resources/subscribe", json!({"uri": "memdir://index"})),
        json!({})
    );
    let refused = client.call("resources/subscribe", json!({"uri": "file:///etc/passwd"}));
    assert_eq!(refused["code"], -32002);
    // By us.
    let change = json!({"command": "str_replace", "path": "/memories/user_role.md", "old_str": "new to Go", "new_str": "good at Go"});
    let id = client.ask("tools/call", json!({"name": "memory", "arguments": change}));
    // The notice may come before the answer.
    let (mut told, mut answered) = (false, false);
    client.receive_until(|message| {
        told |= is_updated(message, address);
        answered |= message["id"] == id;
        told && answered
    });
    // By somebody else, in place.
    let file = fixture.memory_dir().join("user_role.md");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, format!("{text}\nAnd bees.\n")).unwrap();
    client.receive_until(|message| is_updated(message, address));
    // A new one changes the list and the index.
    fixture.run(&["remember", "Releases are cut on Tuesdays"]);
    let (mut list, mut index) = (false, false);
    client.receive_until(|message| {
        list |= is_list_changed(message);
        index |= is_updated(message, "memdir://index");
        list && index
    });
    // What is no longer subscribed to is not told.
    client.call("resources/unsubscribe", json!({"uri": address}));
    fs::write(&file, text).unwrap();
    fixture.run(&["forget", "project_release"]);
    let next =
        client.receive_until(|message| is_updated(message, address) || is_list_changed(message));
    assert!(is_list_changed(&next), "{next}");
    assert!(client.end().success());
}

#[test]
fn in_the_newer_era_a_client_listens() {
    let fixture = Fixture::with_some();
    let mut client = Client::start(&fixture);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    client.call("server/discover", json!({"_meta": meta}));
    let id = client.ask("subscriptions/listen", json!({
        "_meta": meta,
        "notifications": {"resourcesListChanged": true, "resourceSubscriptions": ["memdir://index"]},
    }));
    client.receive_until(|message| message["method"] == "notifications/subscriptions/acknowledged");
    let call = |client: &mut Client, name: &str, arguments: Value| {
        client.call(
            "tools/call",
            json!({"_meta": meta, "name": name, "arguments": arguments}),
        )
    };
    call(&mut client, "list", json!({}));
    let (mut list, mut index) = (false, false);
    let id_of = |message: &Value| {
        message["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"].clone()
    };
    let mut number = 0;
    // It is told that it may listen before anything was looked at: a change in between is taken for what was there.
    let told = client.until(|client| {
        number += 1;
        fixture.run(&[
            "remember",
            &format!("Release {number} is cut on day {number} of its month"),
        ]);
        while let Some(message) = client.receive_within(std::time::Duration::from_secs(3)) {
            assert_eq!(id_of(&message), id, "{message}");
            list |= is_list_changed(&message);
            index |= is_updated(&message, "memdir://index");
            if list && index {
                break;
            }
        }
        list && index
    });
    assert!(told, "list {list}, index {index}");
    client.notify("notifications/cancelled", json!({"requestId": id}));
    call(&mut client, "list", json!({}));
    assert!(client.end().success());
}

#[test]
fn a_long_call_says_that_it_goes_on() {
    let fixture = Fixture::with_some();
    let mut client = Client::greeted(&fixture);
    client.tool("remember", json!({"text": "Use tabs in Go"}));
    // Somebody else holds the lock of these memories.
    let lock = fixture.state_file("lock");
    let held = fs::File::options()
        .read(true)
        .write(true)
        .open(lock)
        .unwrap();
    held.lock().unwrap();
    let id = client.ask(
        "tools/call",
        json!({
            "_meta": {"progressToken": "p-1"},
            "name": "remember",
            "arguments": {"text": "Dashboards live in Grafana"},
        }),
    );
    let mut last = 0.0;
    for _ in 0..2 {
        let notice = client.receive_until(|message| message["method"] == "notifications/progress");
        assert_eq!(notice["params"]["progressToken"], "p-1");
        let progress = notice["params"]["progress"].as_f64().unwrap();
        assert!(progress > last, "{notice}");
        last = progress;
    }
    held.unlock().unwrap();
    let answer = client.answer_to(id);
    assert_eq!(answer["result"]["isError"], false, "{answer}");
    assert!(client.end().success());
}

#[test]
fn a_memory_in_a_folder_that_was_empty_is_told() {
    let fixture = Fixture::with_some();
    let mut client = Client::greeted(&fixture);
    let folder = fixture.memory_dir().join("sub");
    fs::create_dir(&folder).unwrap();
    // The folder is seen, and is no memory: nothing is told until one comes.
    client.until(|client| {
        let told = client.receive_within(std::time::Duration::from_millis(1_500));
        assert!(told.is_none(), "{told:?}");
        true
    });
    fs::write(folder.join("x.md"), "Bees\n").unwrap();
    client.receive_until(is_list_changed);
    assert!(client.end().success());
}

#[test]
fn a_client_is_told_that_the_tools_went_and_came_back() {
    let fixture = Fixture::with_some();
    let mut client = Client::greeted(&fixture);
    let tools = |client: &mut Client| {
        let listed = client.call("tools/list", json!({}));
        listed["tools"].as_array().unwrap().len()
    };
    let is_told = |message: &Value| message["method"] == "notifications/tools/list_changed";
    assert_eq!(tools(&mut client), 6);
    // It has been looked at least once by the time that a call was answered and told.
    let arguments = json!({"text": "Use tabs in Go"});
    let id = client.ask(
        "tools/call",
        json!({"name": "remember", "arguments": arguments}),
    );
    // The notice may come before the answer.
    let (mut listed, mut answered) = (false, false);
    client.receive_until(|message| {
        listed |= is_list_changed(message);
        answered |= message["id"] == id;
        listed && answered
    });
    let settings = fixture.sandbox.home().join(".claude/settings.json");
    fs::write(&settings, r#"{"autoMemoryEnabled": false}"#).unwrap();
    client.receive_until(is_told);
    assert_eq!(tools(&mut client), 0);
    fs::remove_file(&settings).unwrap();
    client.receive_until(is_told);
    assert_eq!(tools(&mut client), 6);
    assert!(client.end().success());
}
