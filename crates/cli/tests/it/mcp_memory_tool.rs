//! `memdir mcp`: the commands of the memory tool.

use std::fs;

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::fixture::Fixture;
use crate::mcp_client::Client;

#[test]
fn the_commands_of_the_memory_tool() {
    let fixture = Fixture::with_some();
    fixture.topic(
        "team/review.md",
        0,
        "feedback",
        "Two reviewers",
        "Two people review.",
    );
    let mut client = Client::greeted(&fixture);
    let mut told = Vec::new();
    for arguments in [
        json!({"command": "view", "path": "/memories"}),
        json!({"command": "view", "path": "/memories/user_role.md"}),
        json!({"command": "view", "path": "/memories/user_role.md", "view_range": [2, 3]}),
        json!({"command": "view", "path": "/memories/user_role.md", "view_range": [7, -1]}),
        json!({"command": "view", "path": "/memories/user_role.md", "view_range": [9, 3]}),
        json!({"command": "view", "path": "/memories/team"}),
        json!({"command": "view", "path": "/memories/gone"}),
        json!({"command": "view", "path": "/memories/gone.md"}),
        json!({"command": "create", "path": "/memories/staging.md", "file_text": "The staging database lives on host quartz."}),
        json!({"command": "create", "path": "/memories/staging.md", "file_text": "x"}),
        json!({"command": "str_replace", "path": "/memories/staging.md", "old_str": "quartz", "new_str": "granite"}),
        json!({"command": "str_replace", "path": "/memories/staging.md", "old_str": "quartz", "new_str": "granite"}),
        json!({"command": "str_replace", "path": "/memories/staging.md", "old_str": "a", "new_str": "b"}),
        json!({"command": "insert", "path": "/memories/staging.md", "insert_line": 10, "insert_text": "It is wiped on Sundays."}),
        json!({"command": "insert", "path": "/memories/staging.md", "insert_line": 99, "insert_text": "x"}),
        json!({"command": "view", "path": "/memories/staging.md"}),
        json!({"command": "rename", "old_path": "/memories/staging.md", "new_path": "/memories/user_role.md"}),
        json!({"command": "rename", "old_path": "/memories/staging.md", "new_path": "/memories/USER_ROLE.md"}),
        json!({"command": "rename", "old_path": "/memories/staging.md", "new_path": "/memories/hosts/staging.md"}),
        json!({"command": "rename", "old_path": "/memories/team/review.md", "new_path": "/memories/review.md"}),
        json!({"command": "delete", "path": "/memories/hosts/staging.md"}),
        json!({"command": "delete", "path": "/memories/hosts/staging.md"}),
        json!({"command": "delete", "path": "/memories/MEMORY.md"}),
        json!({"command": "delete", "path": "/memories"}),
        json!({"command": "create", "path": "/memories/../../escape.md", "file_text": "x"}),
        json!({"command": "create", "path": "/etc/passwd", "file_text": "x"}),
        json!({"command": "create", "path": "/memories_evil/x.md", "file_text": "x"}),
        json!({"command": "create", "path": "/memories/notes.txt", "file_text": "x"}),
        json!({"command": "create", "path": "/memories/%2e%2e/x.md", "file_text": "x"}),
        json!({"command": "create", "path": "/memories/x.md"}),
        json!({"command": "fly"}),
    ] {
        told.push(format!(
            "# {arguments}\n{}",
            client.tool("memory", arguments.clone())
        ));
    }
    assert_snapshot!(told.join("\n\n"), @r#"
    # {"command":"view","path":"/memories"}
    5 files in /memories:
    /memories/MEMORY.md
    /memories/feedback_no_push_on_friday.md
    /memories/project_release.md
    /memories/team/review.md
    /memories/user_role.md

    # {"command":"view","path":"/memories/user_role.md"}
    /memories/user_role.md:
    Written 3 days ago. It records what was seen at that moment, not how things are now: what it says about code may no longer hold, and places given as file:line may have moved. Look at the present state before you rely on it.
         1	---
         2	name: user-role
         3	description: Writes Rust, reads Go
         4	metadata:
         5	  type: user
         6	---
         7	
         8	Ten years of Rust, new to Go.

    # {"command":"view","path":"/memories/user_role.md","view_range":[2,3]}
    /memories/user_role.md:
    Written 3 days ago. It records what was seen at that moment, not how things are now: what it says about code may no longer hold, and places given as file:line may have moved. Look at the present state before you rely on it.
         2	name: user-role
         3	description: Writes Rust, reads Go

    # {"command":"view","path":"/memories/user_role.md","view_range":[7,-1]}
    /memories/user_role.md:
    Written 3 days ago. It records what was seen at that moment, not how things are now: what it says about code may no longer hold, and places given as file:line may have moved. Look at the present state before you rely on it.
         7	
         8	Ten years of Rust, new to Go.

    # {"command":"view","path":"/memories/user_role.md","view_range":[9,3]}
    [error] view_range [9, 3] is not within the 8 lines of the file. Give the first and the last line, counted from 1; -1 is the end.

    # {"command":"view","path":"/memories/team"}
    1 file in /memories/team:
    /memories/team/review.md

    # {"command":"view","path":"/memories/gone"}
    [error] There is nothing at /memories/gone. View /memories to see what there is.

    # {"command":"view","path":"/memories/gone.md"}
    [error] There is no /memories/gone.md. View /memories to see what there is.

    # {"command":"create","path":"/memories/staging.md","file_text":"The staging database lives on host quartz."}
    Created /memories/staging.md.
    A header with name, description and type was put in front of it.

    # {"command":"create","path":"/memories/staging.md","file_text":"x"}
    [error] /memories/staging.md exists already. View it and change it with str_replace or insert, or choose another name.

    # {"command":"str_replace","path":"/memories/staging.md","old_str":"quartz","new_str":"granite"}
    Changed /memories/staging.md.

    # {"command":"str_replace","path":"/memories/staging.md","old_str":"quartz","new_str":"granite"}
    [error] /memories/staging.md does not have that text. View the file and copy old_str from it exactly.

    # {"command":"str_replace","path":"/memories/staging.md","old_str":"a","new_str":"b"}
    [error] That text stands in /memories/staging.md more than once, in lines 2, 3, 4, 6, 7, 10. Give more of what is around the one that is meant.

    # {"command":"insert","path":"/memories/staging.md","insert_line":10,"insert_text":"It is wiped on Sundays."}
    Changed /memories/staging.md.

    # {"command":"insert","path":"/memories/staging.md","insert_line":99,"insert_text":"x"}
    [error] /memories/staging.md has 11 lines, so that nothing can stand behind line 99. Give a line from 0 to that.

    # {"command":"view","path":"/memories/staging.md"}
    /memories/staging.md:
         1	---
         2	name: staging
         3	description: The staging database lives on host granite.
         4	metadata:
         5	  type: project
         6	  source: agent
         7	  originSessionId: conversation-1
         8	---
         9	
        10	The staging database lives on host granite.
        11	It is wiped on Sundays.

    # {"command":"rename","old_path":"/memories/staging.md","new_path":"/memories/user_role.md"}
    [error] user_role.md exists already. Choose another name, or change the memory that is there.

    # {"command":"rename","old_path":"/memories/staging.md","new_path":"/memories/USER_ROLE.md"}
    [error] user_role.md exists already. Choose another name, or change the memory that is there.

    # {"command":"rename","old_path":"/memories/staging.md","new_path":"/memories/hosts/staging.md"}
    Renamed /memories/staging.md to /memories/hosts/staging.md.

    # {"command":"rename","old_path":"/memories/team/review.md","new_path":"/memories/review.md"}
    [error] A memory does not move into or out of the team's folder. Save what is worth it anew, with `remember`.

    # {"command":"delete","path":"/memories/hosts/staging.md"}
    Deleted /memories/hosts/staging.md. The user can bring it back with `memdir undo 6`.

    # {"command":"delete","path":"/memories/hosts/staging.md"}
    [error] There is no such memory. Call `list` to see what there is.

    # {"command":"delete","path":"/memories/MEMORY.md"}
    [error] /memories/MEMORY.md is the index, which is kept in step with the files. Change the memory itself; its line follows.

    # {"command":"delete","path":"/memories"}
    [error] `/memories` cannot be a memory: the name is empty. Name a file, not the folder.

    # {"command":"create","path":"/memories/../../escape.md","file_text":"x"}
    [error] `/memories/../../escape.md` cannot be a memory: the path has `.` or `..` as a part: name the file directly. Choose another name.

    # {"command":"create","path":"/etc/passwd","file_text":"x"}
    [error] `/etc/passwd` is not beneath /memories. Give a path such as /memories/user_role.md.

    # {"command":"create","path":"/memories_evil/x.md","file_text":"x"}
    [error] `/memories_evil/x.md` is not beneath /memories. Give a path such as /memories/user_role.md.

    # {"command":"create","path":"/memories/notes.txt","file_text":"x"}
    [error] `/memories/notes.txt` cannot be a memory: the name does not end in `.md`. Memories are Markdown files: let the name end in .md.

    # {"command":"create","path":"/memories/%2e%2e/x.md","file_text":"x"}
    [error] `/memories/%2e%2e/x.md` cannot be a memory: the path has a percent-encoded character: write the character itself. Choose another name.

    # {"command":"create","path":"/memories/x.md"}
    [error] The arguments are not understood: missing field `file_text`. See the tool's schema and call it again.

    # {"command":"fly"}
    [error] The arguments are not understood: unknown variant `fly`, expected one of `view`, `create`, `str_replace`, `insert`, `delete`, `rename`. See the tool's schema and call it again.
    "#);
    assert!(client.end().success());
    let index = fs::read_to_string(fixture.memory_dir().join("MEMORY.md")).unwrap();
    assert_snapshot!(index, @"
    - [Role](user_role.md) — writes Rust
    - [No push on Friday](feedback_no_push_on_friday.md) — not even a small fix
    - [Release](project_release.md) — the day of 2.0
    ");
}

#[test]
fn a_line_before_the_header_stands_beneath_it_and_links_follow_a_rename() {
    let fixture = Fixture::with_some();
    let mut client = Client::greeted(&fixture);
    let mut memory = |arguments: Value| client.tool("memory", arguments);
    assert_snapshot!(memory(json!({"command": "insert", "path": "/memories/user_role.md", "insert_line": 0, "insert_text": "See [[project_release]]."})), @"
    Changed /memories/user_role.md.
    That line belongs to the header: it stands at the beginning of the text beneath it instead.
    ");
    assert_snapshot!(memory(json!({"command": "rename", "old_path": "/memories/project_release.md", "new_path": "/memories/project_shipping.md"})), @"Renamed /memories/project_release.md to /memories/project_shipping.md. Links to it follow in user_role.md.");
    assert_snapshot!(memory(json!({"command": "view", "path": "/memories/user_role.md"})), @"
    /memories/user_role.md:
         1	---
         2	name: user-role
         3	description: Writes Rust, reads Go
         4	metadata:
         5	  type: user
         6	  source: agent
         7	  originSessionId: conversation-1
         8	---
         9	
        10	See [[project_shipping]].
        11	Ten years of Rust, new to Go.
    ");
    assert_snapshot!(memory(json!({"command": "view", "path": "/memories/project_shipping.md", "view_range": [1, 4]})), @"
    /memories/project_shipping.md:
         1	---
         2	name: shipping
         3	description: 2.0 is out on 2026-12-01
         4	metadata:
    ");
    assert!(client.end().success());
}

#[test]
fn folders_may_be_called_as_ours_are_and_no_part_of_a_line_is_out_of_reach() {
    let fixture = Fixture::with_some();
    fixture.file("inbox/letters.md", 1, "Letters come on Mondays\n");
    fixture.file("everywhere/shoes.md", 1, "Shoes are brown\n");
    let line = format!("{}the end", "0123456789".repeat(7_000));
    fixture.file("long.md", 0, &line);
    let mut client = Client::greeted(&fixture);
    for (name, text) in [
        ("inbox/letters.md", "Letters come"),
        ("everywhere/shoes.md", "Shoes are"),
    ] {
        let told = client.tool("read", json!({"name": name}));
        assert!(told.contains(text), "{told}");
    }
    let told = client.tool("read", json!({"name": "long.md"}));
    let note = told.lines().last().unwrap_or_default();
    assert_snapshot!(note, @"[Bytes 0 to 65536 of line 1, which has 70007; `read` with line 1 and byte 65536 shows more.]");
    let rest = client.tool("read", json!({"name": "long.md", "line": 1, "byte": 65536}));
    assert!(rest.ends_with("the end"), "{rest}");
    let viewed = client.tool(
        "memory",
        json!({"command": "view", "path": "/memories/long.md"}),
    );
    assert!(viewed.ends_with(note), "{viewed}");
    assert!(client.end().success());
}
