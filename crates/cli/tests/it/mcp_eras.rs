//! `memdir mcp` in both eras of the protocol, in the project that the client works in.

use std::fs;

use insta::assert_json_snapshot;
use serde_json::{Value, json};

use crate::fixture::Fixture;
use crate::mcp_client::{Client, told};

/// What each request of the newer era carries.
fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

#[test]
fn the_older_era_begins_with_a_greeting_in_each_of_its_versions() {
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let fixture = Fixture::new();
        let mut client = Client::start(&fixture);
        let greeting = client.call("initialize", json!({
            "protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"},
        }));
        assert_eq!(greeting["protocolVersion"], version);
        client.notify("notifications/initialized", json!({}));
        let listed = client.call("tools/list", json!({}));
        assert_eq!(listed["tools"].as_array().unwrap().len(), 6);
        assert!(listed.get("resultType").is_none(), "{listed}");
        assert!(client.end().success());
    }
}

#[test]
fn an_unknown_version_is_answered_with_one_that_is_known() {
    let fixture = Fixture::new();
    let mut client = Client::start(&fixture);
    let greeting = client.call("initialize", json!({
        "protocolVersion": "2031-01-01", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"},
    }));
    assert_eq!(greeting["protocolVersion"], "2025-11-25");
    assert!(client.end().success());
}

#[test]
fn the_newer_era_begins_with_a_question_and_needs_no_greeting() {
    let fixture = Fixture::new();
    let mut client = Client::start(&fixture);
    let mut discovered = client.call("server/discover", json!({"_meta": meta()}));
    let instructions = discovered["instructions"].take();
    assert!(instructions.as_str().unwrap().contains("recall"));
    assert_json_snapshot!(discovered, @r#"
    {
      "resultType": "complete",
      "supportedVersions": [
        "2024-11-05",
        "2025-03-26",
        "2025-06-18",
        "2025-11-25",
        "2026-07-28"
      ],
      "capabilities": {
        "prompts": {},
        "resources": {
          "subscribe": true,
          "listChanged": true
        },
        "tools": {
          "listChanged": true
        }
      },
      "instructions": null,
      "ttlMs": 0,
      "cacheScope": "private",
      "_meta": {
        "io.modelcontextprotocol/serverInfo": {
          "name": "memdir",
          "title": "memdir",
          "version": "0.1.0",
          "description": "The memory of your coding agents, in plain Markdown files"
        }
      }
    }
    "#);
    let saved = client.call(
        "tools/call",
        json!({
            "_meta": meta(), "name": "remember", "arguments": {"text": "Use tabs in Go"},
        }),
    );
    assert_eq!(saved["resultType"], "complete");
    let found = client.call(
        "tools/call",
        json!({
            "_meta": meta(), "name": "recall", "arguments": {"query": "tabs or spaces in Go"},
        }),
    );
    assert!(told(&found).contains("Use tabs in Go"), "{found}");
    // Without what each request has to carry there is an error, and the server goes on.
    let bare = client.call("tools/list", json!({}));
    assert_eq!(bare["code"], -32602, "{bare}");
    let listed = client.call("tools/list", json!({"_meta": meta()}));
    assert_eq!(listed["tools"].as_array().unwrap().len(), 6);
    assert!(client.end().success());
}

#[test]
fn a_client_that_asks_first_may_still_greet() {
    let fixture = Fixture::new();
    let mut client = Client::start(&fixture);
    client.call("server/discover", json!({"_meta": meta()}));
    let greeting = client.greet(json!({}));
    assert_eq!(greeting["protocolVersion"], "2025-11-25");
    assert!(client.tool("list", json!({})).contains("no memories"));
    assert!(client.end().success());
}

/// A client with folders, which answers when it is asked for them.
fn answer_roots(client: &mut Client, roots: &[String]) {
    let asked = client.receive_until(|message| message["method"] == "roots/list");
    let roots: Vec<Value> = roots.iter().map(|root| json!({"uri": root})).collect();
    client.send(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": {"roots": roots}}));
}

#[test]
fn the_folder_of_the_client_decides_the_project_and_a_change_is_followed() {
    let fixture = Fixture::with_some();
    let other = fixture.sandbox.root().join("another one");
    fs::create_dir(&other).unwrap();
    let address = |path: &std::path::Path| format!("file://{}", path.display()).replace(' ', "%20");
    let mut client = Client::start(&fixture);
    client.greet(json!({"roots": {"listChanged": true}}));
    // A call that comes before the answer waits for it.
    let early = client.ask("tools/call", json!({"name": "list", "arguments": {}}));
    answer_roots(&mut client, &[address(&other)]);
    let early = client.answer_to(early);
    assert!(told(&early["result"]).contains("no memories"), "{early}");
    client.tool("remember", json!({"text": "The other project uses Zig"}));
    let saved = fixture
        .program(&["list", "--project", other.to_str().unwrap()])
        .run()
        .unwrap();
    assert!(saved.stdout().contains("Zig"), "{saved}");
    // Back to where it was started.
    client.notify("notifications/roots/list_changed", json!({}));
    answer_roots(&mut client, &[address(&fixture.sandbox.project())]);
    client.receive_until(|message| message["method"] == "notifications/resources/list_changed");
    let listed = client.tool("list", json!({}));
    assert!(
        listed.contains("user_role.md") && !listed.contains("Zig"),
        "{listed}"
    );
    assert!(client.end().success());
}

#[test]
fn a_client_that_does_not_answer_is_served_where_it_started_us() {
    let fixture = Fixture::with_some();
    let mut client = Client::start(&fixture);
    client.greet(json!({"roots": {}}));
    let listed = client.tool("list", json!({}));
    assert!(listed.contains("user_role.md"), "{listed}");
    assert!(client.end().success());
}

#[test]
fn a_place_that_the_user_named_is_kept_whatever_the_client_says() {
    let fixture = Fixture::with_some();
    let other = fixture.sandbox.root().join("other");
    fs::create_dir(&other).unwrap();
    let project = fixture.sandbox.project();
    let program = fixture.program(&["mcp", "--project", project.to_str().unwrap()]);
    let mut client = Client::of(&fixture, &program.current_folder(&other));
    client.greet(json!({"roots": {}}));
    let listed = client.tool("list", json!({}));
    assert!(listed.contains("user_role.md"), "{listed}");
    assert!(client.end().success());
}

#[test]
fn variables_that_the_repository_sets_are_not_believed() {
    let fixture = Fixture::with_some();
    let settings = json!({"env": {"CLAUDE_CODE_SESSION_ID": "forged"}});
    fixture
        .sandbox
        .write("project/.claude/settings.json", settings.to_string())
        .unwrap();
    let program = fixture.program(&["mcp"]);
    let program = program.env("CLAUDE_CODE_SESSION_ID", "forged");
    let mut client = Client::of(&fixture, &program);
    client.greet(json!({}));
    client.tool("remember", json!({"text": "Use tabs in Go"}));
    assert!(client.end().success());
    let saved = fs::read_to_string(fixture.memory_dir().join("project_use_tabs_go.md"));
    let saved = saved
        .or_else(|_| fs::read_to_string(fixture.memory_dir().join("feedback_use_tabs_go.md")))
        .unwrap();
    assert!(!saved.contains("forged"), "{saved}");
}

#[test]
fn an_agent_is_told_that_the_repository_moves_memory() {
    let fixture = Fixture::with_some();
    let evil = fixture.sandbox.outside().join("evil");
    let settings = json!({"env": {"MEMDIR_HOME": evil}}).to_string();
    let file = "project/.claude/settings.json";
    fixture.sandbox.write(file, settings).unwrap();
    let before = fixture.run(&[
        "history",
        "--memory-dir",
        fixture.memory_dir().to_str().unwrap(),
    ]);
    assert!(!before.success(), "{before}");
    let program = fixture.program(&["mcp"]).env("MEMDIR_HOME", &evil);
    let mut client = Client::of(&fixture, &program);
    client.greet(json!({}));
    for (tool, arguments) in [
        ("remember", json!({"text": "Use tabs in Go"})),
        ("recall", json!({"query": "push on a Friday"})),
        ("list", json!({})),
        ("read", json!({"name": "user_role"})),
        ("forget", json!({"name": "user_role"})),
    ] {
        let told = client.tool(tool, arguments);
        assert!(
            told.contains("settings.json sets MEMDIR_HOME"),
            "{tool}: {told}"
        );
        assert!(told.contains("memdir trust"), "{tool}: {told}");
    }
    assert!(client.end().success());
    assert!(!evil.exists());
    let trusted = fixture.run(&["trust", ".claude/settings.json", "--yes"]);
    assert!(trusted.success(), "{trusted}");
    let mut client = Client::of(&fixture, &program);
    client.greet(json!({}));
    client.tool("remember", json!({"text": "Use tabs in Go"}));
    assert!(client.end().success());
    assert!(evil.join("projects").exists());
}
