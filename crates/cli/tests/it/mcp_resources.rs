//! `memdir mcp`: resources, prompts, and nothing of them where memory is off.

use insta::{assert_json_snapshot, assert_snapshot};
use serde_json::{Value, json};

use crate::fixture::Fixture;
use crate::mcp_client::Client;

#[test]
fn resources_and_prompts() {
    let fixture = Fixture::with_some();
    let mut client = Client::greeted(&fixture);
    assert_json_snapshot!(client.call("resources/list", json!({})), @r#"
    {
      "resources": [
        {
          "uri": "memdir://index",
          "name": "MEMORY.md",
          "description": "The index of all memories of this project",
          "mimeType": "text/markdown",
          "size": 168
        },
        {
          "uri": "memdir://memory/project_release.md",
          "name": "project_release.md",
          "description": "2.0 is out on 2026-12-01",
          "mimeType": "text/markdown",
          "size": 118
        },
        {
          "uri": "memdir://memory/feedback_no_push_on_friday.md",
          "name": "feedback_no_push_on_friday.md",
          "description": "Never push to main on a Friday",
          "mimeType": "text/markdown",
          "size": 234
        },
        {
          "uri": "memdir://memory/user_role.md",
          "name": "user_role.md",
          "description": "Writes Rust, reads Go",
          "mimeType": "text/markdown",
          "size": 113
        }
      ]
    }
    "#);
    assert_json_snapshot!(client.call("resources/templates/list", json!({})), @r#"
    {
      "resourceTemplates": [
        {
          "uriTemplate": "memdir://memory/{+path}",
          "name": "memory",
          "title": "A memory",
          "description": "A memory of this project, by its path",
          "mimeType": "text/markdown"
        }
      ]
    }
    "#);
    assert_json_snapshot!(client.call("resources/read", json!({"uri": "memdir://index"})), @r#"
    {
      "contents": [
        {
          "uri": "memdir://index",
          "mimeType": "text/markdown",
          "text": "- [Role](user_role.md) — writes Rust\n- [No push on Friday](feedback_no_push_on_friday.md) — not even a small fix\n- [Release](project_release.md) — the day of 2.0"
        }
      ]
    }
    "#);
    for wrong in [
        "memdir://memory/gone.md",
        "memdir://memory/../x.md",
        "file:///etc/passwd",
    ] {
        let error = client.call("resources/read", json!({"uri": wrong}));
        assert_eq!(error["code"], -32002, "{error}");
    }
    assert_json_snapshot!(client.call("prompts/list", json!({})), @r#"
    {
      "prompts": [
        {
          "name": "recall",
          "title": "Recall",
          "description": "What is remembered about something",
          "arguments": [
            {
              "name": "about",
              "description": "What it is about",
              "required": true
            }
          ]
        },
        {
          "name": "remember",
          "title": "Remember",
          "description": "Save something for later conversations",
          "arguments": [
            {
              "name": "text",
              "description": "What to remember",
              "required": true
            }
          ]
        },
        {
          "name": "forget",
          "title": "Forget",
          "description": "Remove what is remembered about something",
          "arguments": [
            {
              "name": "about",
              "description": "What is no longer to be remembered",
              "required": true
            }
          ]
        },
        {
          "name": "review",
          "title": "Review memories",
          "description": "Go through the memories of this project together"
        }
      ]
    }
    "#);
    assert_json_snapshot!(client.call("prompts/get", json!({"name": "remember", "arguments": {"text": "bees"}})), @r#"
    {
      "description": "Save something for later conversations",
      "messages": [
        {
          "role": "user",
          "content": {
            "type": "text",
            "text": "Save this with the tool `remember` of memdir, in my words, and tell me the name under which it is kept: bees"
          }
        }
      ]
    }
    "#);
    let missing = client.call("prompts/get", json!({"name": "remember"}));
    assert_snapshot!(missing["message"].as_str().unwrap(), @"The prompt `remember` needs the argument `text`. What to remember.");
    assert!(client.end().success());
}

#[test]
fn what_is_off_is_off_at_once_and_nothing_of_it_appears() {
    let fixture = Fixture::with_some();
    let mut client = Client::greeted(&fixture);
    assert_eq!(
        client.call("tools/list", json!({}))["tools"]
            .as_array()
            .unwrap()
            .len(),
        6
    );
    fixture
        .sandbox
        .write(
            "home/.claude/settings.json",
            r#"{"autoMemoryEnabled": false}"#,
        )
        .unwrap();
    // Settings are looked at once a second.
    let off = client.until(|client| {
        let listed = client.call("tools/list", json!({}));
        listed["tools"].as_array().unwrap().is_empty()
    });
    assert!(off);
    let home = fixture.sandbox.home().display().to_string();
    let recalled = client.tool("recall", json!({"query": "when may I push to main"}));
    assert_snapshot!(recalled.replace(&home, "[HOME]"), @"[error] Memory is off here, by autoMemoryEnabled in [HOME]/.claude/settings.json (user). Nothing was read or saved; go on without it.");
    assert_eq!(
        client.tool("remember", json!({"text": "Use tabs"})),
        recalled
    );
    let empty = |value: Value, key: &str| value[key].as_array().unwrap().is_empty();
    assert!(empty(client.call("resources/list", json!({})), "resources"));
    assert!(empty(client.call("prompts/list", json!({})), "prompts"));
    assert!(client.end().success());
    let mut client = Client::start(&fixture);
    let greeting = client.greet(json!({}));
    assert!(greeting.get("instructions").is_none(), "{greeting}");
    assert!(client.end().success());
}
