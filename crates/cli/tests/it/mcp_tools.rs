//! `memdir mcp`: the list of its tools.

use insta::assert_json_snapshot;
use serde_json::json;

use crate::fixture::Fixture;
use crate::mcp_client::Client;

#[test]
fn the_list_of_tools_is_short_and_always_the_same() {
    let fixture = Fixture::new();
    let mut client = Client::greeted(&fixture);
    let listed = client.call("tools/list", json!({}));
    let tools = listed["tools"].as_array().unwrap();
    assert!(tools.len() <= 6);
    let bytes: usize = tools
        .iter()
        .map(|tool| tool["description"].as_str().unwrap().len())
        .sum();
    assert!(bytes < 2_000, "{bytes} bytes of descriptions");
    assert_json_snapshot!(listed, @r#"
    {
      "tools": [
        {
          "name": "recall",
          "title": "Recall memories",
          "description": "Find what is remembered about something: preferences, rules, decisions, people, plans, places. Call it when a task begins and when the user refers to earlier work. Answers with the few memories that help, or with none.",
          "inputSchema": {
            "type": "object",
            "properties": {
              "query": {
                "type": "string",
                "description": "What it is about, in plain words"
              },
              "limit": {
                "type": "integer",
                "minimum": 1,
                "maximum": 10,
                "description": "At most so many memories; 5 by default"
              }
            },
            "required": [
              "query"
            ],
            "additionalProperties": false
          },
          "annotations": {
            "title": "Recall memories",
            "readOnlyHint": true,
            "destructiveHint": false,
            "idempotentHint": true,
            "openWorldHint": false
          },
          "_meta": {
            "anthropic/alwaysLoad": true
          }
        },
        {
          "name": "read",
          "title": "Read a memory",
          "description": "Read one memory whole, by the name that `recall` or `list` gives it. `MEMORY.md` is the index of all.",
          "inputSchema": {
            "type": "object",
            "properties": {
              "name": {
                "type": "string",
                "description": "Its file or its name, such as feedback_use_tabs.md"
              },
              "line": {
                "type": "integer",
                "minimum": 1,
                "description": "The line to begin with, in a long memory"
              },
              "byte": {
                "type": "integer",
                "minimum": 0,
                "description": "So many bytes of that line are passed over, in a very long line"
              }
            },
            "required": [
              "name"
            ],
            "additionalProperties": false
          },
          "annotations": {
            "title": "Read a memory",
            "readOnlyHint": true,
            "destructiveHint": false,
            "idempotentHint": true,
            "openWorldHint": false
          },
          "_meta": {
            "anthropic/alwaysLoad": true
          }
        },
        {
          "name": "remember",
          "title": "Remember something",
          "description": "Save something worth knowing in later conversations: who the user is, how they want work done and why, decisions and dates, where things live outside. Not what code, git or instruction files already say. One statement a call. It is recorded as your conclusion, not as the user's word. With `into` an existing memory is added to.",
          "inputSchema": {
            "type": "object",
            "properties": {
              "text": {
                "type": "string",
                "description": "What to remember, in a sentence or two, with the reason"
              },
              "type": {
                "type": "string",
                "enum": [
                  "user",
                  "feedback",
                  "project",
                  "reference"
                ],
                "description": "user: the person; feedback: how to work; project: who, what, by when; reference: where something is"
              },
              "name": {
                "type": "string",
                "description": "A name in a few words"
              },
              "description": {
                "type": "string",
                "description": "One line that says when it matters"
              },
              "into": {
                "type": "string",
                "description": "The memory to add it to, instead of making a new one"
              }
            },
            "required": [
              "text"
            ],
            "additionalProperties": false
          },
          "annotations": {
            "title": "Remember something",
            "readOnlyHint": false,
            "destructiveHint": false,
            "idempotentHint": true,
            "openWorldHint": false
          },
          "_meta": {
            "anthropic/alwaysLoad": true
          }
        },
        {
          "name": "forget",
          "title": "Forget a memory",
          "description": "Remove a memory that the user wants gone or that no longer holds. The user can undo it.",
          "inputSchema": {
            "type": "object",
            "properties": {
              "name": {
                "type": "string",
                "description": "Its file or its name, as `recall` or `list` gives it"
              }
            },
            "required": [
              "name"
            ],
            "additionalProperties": false
          },
          "annotations": {
            "title": "Forget a memory",
            "readOnlyHint": false,
            "destructiveHint": true,
            "idempotentHint": true,
            "openWorldHint": false
          },
          "_meta": {
            "anthropic/alwaysLoad": true
          }
        },
        {
          "name": "list",
          "title": "List memories",
          "description": "List the memories of this project, newest first, one line each. With `words` only those whose name or description has all of them.",
          "inputSchema": {
            "type": "object",
            "properties": {
              "words": {
                "type": "string",
                "description": "Words that must stand in the name or the description"
              },
              "type": {
                "type": "string",
                "enum": [
                  "user",
                  "feedback",
                  "project",
                  "reference"
                ]
              },
              "limit": {
                "type": "integer",
                "minimum": 1,
                "maximum": 500,
                "description": "At most so many; 100 by default"
              },
              "offset": {
                "type": "integer",
                "minimum": 0,
                "description": "How many to pass over, for the next page"
              }
            },
            "required": [],
            "additionalProperties": false
          },
          "annotations": {
            "title": "List memories",
            "readOnlyHint": true,
            "destructiveHint": false,
            "idempotentHint": true,
            "openWorldHint": false
          },
          "_meta": {
            "anthropic/alwaysLoad": true
          }
        },
        {
          "name": "memory",
          "title": "Work on memory files",
          "description": "The memory files themselves, beneath /memories, for agents that know the memory tool: view, create, str_replace, insert, delete, rename. Files are Markdown and end in .md; the index MEMORY.md is kept for you.",
          "inputSchema": {
            "type": "object",
            "properties": {
              "command": {
                "type": "string",
                "enum": [
                  "view",
                  "create",
                  "str_replace",
                  "insert",
                  "delete",
                  "rename"
                ]
              },
              "path": {
                "type": "string",
                "description": "A path beneath /memories, such as /memories/user_role.md; for all commands but rename"
              },
              "view_range": {
                "type": "array",
                "items": {
                  "type": "integer"
                },
                "minItems": 2,
                "maxItems": 2,
                "description": "view: the first and the last line to show; -1 is the end"
              },
              "file_text": {
                "type": "string",
                "description": "create: the whole text"
              },
              "old_str": {
                "type": "string",
                "description": "str_replace: a text that stands exactly once in the file"
              },
              "new_str": {
                "type": "string",
                "description": "str_replace: what stands there instead"
              },
              "insert_line": {
                "type": "integer",
                "minimum": 0,
                "description": "insert: behind which line; 0 is the beginning"
              },
              "insert_text": {
                "type": "string",
                "description": "insert: the text"
              },
              "old_path": {
                "type": "string",
                "description": "rename: the file"
              },
              "new_path": {
                "type": "string",
                "description": "rename: its new path, which must be free"
              }
            },
            "required": [
              "command"
            ],
            "additionalProperties": false
          },
          "annotations": {
            "title": "Work on memory files",
            "readOnlyHint": false,
            "destructiveHint": true,
            "idempotentHint": false,
            "openWorldHint": false
          },
          "_meta": {
            "anthropic/alwaysLoad": true
          }
        }
      ]
    }
    "#);
    // What is remembered changes none of it.
    client.tool("remember", json!({"text": "Always greet in French"}));
    assert_eq!(client.call("tools/list", json!({})), listed);
    assert!(client.end().success());
}
