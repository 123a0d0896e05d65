//! Which turns are looked at.

use memdir_agent::extract::turn::{Turn, is_its_turn};
use memdir_conversation::{Block, Message};
use memdir_store::Records;
use memdir_tools::Rooms;
use serde_json::json;

#[test]
fn which_turns_are_looked_at() {
    let call = |name: &str, file: &str| {
        let input = json!({ "file_path": file }).to_string();
        Block::tool_call("c", name, &input).unwrap()
    };
    let talk = |block: Option<Block>, last: Block| {
        let mut talk = vec![Message::user("1", "Use tabs.")];
        if let Some(block) = block {
            talk.push(Message::assistant("2", vec![block]));
            talk.push(Message::results(
                "3",
                vec![Block::tool_result("c", "ok", false)],
            ));
        }
        talk.push(Message::assistant("4", vec![last]));
        talk
    };
    let done = || Block::text("Done.");
    let talks = [
        ("plain", talk(None, done()), None),
        ("not done", talk(None, call("Read", "x")), None),
        ("not done, over", talk(None, call("Read", "x")), None),
        ("seen", talk(None, done()), Some("4")),
        (
            "half seen",
            talk(Some(call("Read", "/memory/a.md")), done()),
            Some("3"),
        ),
        (
            "compacted away",
            talk(Some(call("Read", "/memory/a.md")), done()),
            Some("gone"),
        ),
        (
            "saved",
            talk(Some(call("Write", "/memory/a.md")), done()),
            None,
        ),
        (
            "saved before",
            talk(Some(call("Write", "/memory/a.md")), done()),
            Some("3"),
        ),
        (
            "other file",
            talk(Some(call("Edit", "/src/a.md")), done()),
            None,
        ),
        (
            "our tool",
            talk(Some(call("mcp__memdir__remember", "")), done()),
            None,
        ),
    ];
    let rooms = Rooms::new("/".as_ref(), "/memory".as_ref()).unwrap();
    let mut lines = Vec::new();
    for (name, talk, cursor) in &talks {
        let visible: Vec<&Message> = talk.iter().collect();
        let turn = Turn {
            visible: &visible,
            cursor: *cursor,
            sub_agent: false,
            remote: false,
            interactive: true,
            non_interactive: false,
            over: *name == "not done, over",
        };
        lines.push(format!("{name}: {:?}", turn.eligible(&rooms)));
        if *name == "plain" {
            for (name, turn) in [
                (
                    "a sub-agent's",
                    Turn {
                        sub_agent: true,
                        ..turn
                    },
                ),
                (
                    "remote",
                    Turn {
                        remote: true,
                        ..turn
                    },
                ),
                (
                    "a script's",
                    Turn {
                        interactive: false,
                        ..turn
                    },
                ),
                (
                    "a script's, wanted",
                    Turn {
                        interactive: false,
                        non_interactive: true,
                        ..turn
                    },
                ),
            ] {
                lines.push(format!("{name}: {:?}", turn.eligible(&rooms)));
            }
        }
    }
    insta::assert_snapshot!(lines.join("\n"), @r#"
    plain: Look(2)
    a sub-agent's: Skip("it is a sub-agent's")
    remote: Skip("it is remote")
    a script's: Skip("nobody sits in front of it")
    a script's, wanted: Look(2)
    not done: Skip("the agent is not done")
    not done, over: Look(2)
    seen: Skip("nothing was said since")
    half seen: Look(1)
    compacted away: Look(4)
    saved: Pass("the agent saved something itself")
    saved before: Look(1)
    other file: Look(4)
    our tool: Pass("the agent saved something itself")
    "#);
    let folder = memdir_testkit::temporary_folder().unwrap();
    let records = Records::new(folder.path());
    let third: Vec<bool> = (0..7)
        .map(|_| is_its_turn(&records, "talk", 3).unwrap())
        .collect();
    assert_eq!(third, [false, false, true, false, false, true, false]);
}
