use memdir_conversation::{
    Block, Conversation, Edits, Flattening, Message, Reminded, Role, Source, flatten, wire,
};

fn call(id: &str) -> Block {
    Block::tool_call(id, "Read", r#"{"file_path":"a.rs"}"#).unwrap()
}

fn result(id: &str, text: &str) -> Block {
    Block::tool_result(id, text, false)
}

/// What would be sent, a line a message, and what was mended.
fn sent(messages: &[Message], how: &Flattening<'_>) -> String {
    let all: Vec<&Message> = messages.iter().collect();
    let flat = flatten(&all, how);
    let mut lines: Vec<String> = flat.messages.iter().map(wire::anthropic::message).collect();
    lines.extend(flat.repairs.iter().map(|repair| format!("{repair:?}")));
    lines.join("\n")
}

#[test]
fn a_call_and_its_result_go_as_they_came() {
    let said = [
        Message::user("1", "look"),
        Message::assistant("2", vec![Block::text("reading"), call("a")]),
        Message::results("3", vec![result("a", "fn main() {}")]),
        Message::assistant("4", vec![Block::text("done")]),
    ];
    insta::assert_snapshot!(sent(&said, &Flattening::default()), @r#"
    {"role":"user","content":[{"type":"text","text":"look"}]}
    {"role":"assistant","content":[{"type":"text","text":"reading"},{"type":"tool_use","id":"a","name":"Read","input":{"file_path":"a.rs"}}]}
    {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"fn main() {}"}]}
    {"role":"assistant","content":[{"type":"text","text":"done"}]}
    "#);
}

#[test]
fn what_stands_between_a_call_and_its_result_goes_behind_it() {
    let said = [
        Message::user("1", "look"),
        Message::assistant("2", vec![call("a"), call("b")]),
        Message::user("3", "hurry"),
        Message::results("4", vec![result("b", "two"), result("a", "one")]),
        Message::assistant("5", vec![Block::text("done")]),
    ];
    insta::assert_snapshot!(sent(&said, &Flattening::default()), @r#"
    {"role":"user","content":[{"type":"text","text":"look"}]}
    {"role":"assistant","content":[{"type":"tool_use","id":"a","name":"Read","input":{"file_path":"a.rs"}},{"type":"tool_use","id":"b","name":"Read","input":{"file_path":"a.rs"}}]}
    {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"one"},{"type":"tool_result","tool_use_id":"b","content":"two"},{"type":"text","text":"hurry"}]}
    {"role":"assistant","content":[{"type":"text","text":"done"}]}
    "#);
}

#[test]
fn a_result_that_came_after_another_reply_is_moved() {
    let said = [
        Message::user("1", "look"),
        Message::assistant("2", vec![call("a")]),
        Message::user("3", "hurry"),
        Message::assistant("4", vec![Block::text("yes")]),
        Message::results("5", vec![result("a", "late")]),
    ];
    insta::assert_snapshot!(sent(&said, &Flattening::default()), @r#"
    {"role":"user","content":[{"type":"text","text":"look"}]}
    {"role":"assistant","content":[{"type":"tool_use","id":"a","name":"Read","input":{"file_path":"a.rs"}}]}
    {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"late"},{"type":"text","text":"hurry"}]}
    {"role":"assistant","content":[{"type":"text","text":"yes"}]}
    Moved("a")
    "#);
}

#[test]
fn orphans_on_both_sides() {
    let said = [
        Message::results("0", vec![result("gone", "x"), Block::text("and this")]),
        Message::assistant("1", vec![call("a")]),
        Message::assistant("2", vec![Block::text("  "), call("b")]),
        Message::results("3", vec![result("b", "two"), result("b", "two again")]),
    ];
    insta::assert_snapshot!(sent(&said, &Flattening::default()), @r#"
    {"role":"user","content":[{"type":"text","text":"and this"}]}
    {"role":"assistant","content":[{"type":"tool_use","id":"a","name":"Read","input":{"file_path":"a.rs"}},{"type":"tool_use","id":"b","name":"Read","input":{"file_path":"a.rs"}}]}
    {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"[No result was recorded: the call was interrupted.]","is_error":true},{"type":"tool_result","tool_use_id":"b","content":"two"}]}
    NoResult("a")
    NoCall("gone")
    NoCall("b")
    "#);
}

#[test]
fn an_id_that_is_used_twice() {
    let said = [
        Message::user("1", "look"),
        Message::assistant("2", vec![call("a")]),
        Message::results("3", vec![result("a", "first")]),
        Message::assistant("4", vec![call("a")]),
        Message::results("5", vec![result("a", "second")]),
        Message::assistant("6", vec![call("a_2"), call("a"), call("a")]),
        Message::results("7", vec![result("a_2", "its own"), result("a", "third")]),
    ];
    insta::assert_snapshot!(sent(&said, &Flattening::default()), @r#"
    {"role":"user","content":[{"type":"text","text":"look"}]}
    {"role":"assistant","content":[{"type":"tool_use","id":"a","name":"Read","input":{"file_path":"a.rs"}}]}
    {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"first"}]}
    {"role":"assistant","content":[{"type":"tool_use","id":"a_2","name":"Read","input":{"file_path":"a.rs"}}]}
    {"role":"user","content":[{"type":"tool_result","tool_use_id":"a_2","content":"second"}]}
    {"role":"assistant","content":[{"type":"tool_use","id":"a_2_2","name":"Read","input":{"file_path":"a.rs"}},{"type":"tool_use","id":"a_3","name":"Read","input":{"file_path":"a.rs"}},{"type":"tool_use","id":"a_4","name":"Read","input":{"file_path":"a.rs"}}]}
    {"role":"user","content":[{"type":"tool_result","tool_use_id":"a_2_2","content":"its own"},{"type":"tool_result","tool_use_id":"a_3","content":"third"},{"type":"tool_result","tool_use_id":"a_4","content":"[No result was recorded: the call was interrupted.]","is_error":true}]}
    Renamed("a")
    Renamed("a_2")
    Renamed("a")
    Renamed("a")
    NoResult("a")
    "#);
}

#[test]
fn a_conversation_that_begins_with_a_reply() {
    let said = [Message::assistant("1", vec![Block::text("hello")])];
    insta::assert_snapshot!(sent(&said, &Flattening::default()), @r#"
    {"role":"user","content":[{"type":"text","text":"[The beginning of this conversation is no longer here.]"}]}
    {"role":"assistant","content":[{"type":"text","text":"hello"}]}
    "#);
}

#[test]
fn marks_unknown_blocks_and_thinking() {
    let blocks = [
        r#"{"type":"thinking","thinking":"","signature":"s=="}"#,
        r#"{ "type": "novelty", "z": 1, "a": [1.0, 2e3] }"#,
        r#"{"type":"text","text":"so","cache_control":{"type":"ephemeral","ttl":"1h"},"citations":null}"#,
    ];
    let blocks = blocks.map(|json| Block::from_json(json).unwrap()).to_vec();
    let said = [Message::user("1", "hi"), Message::assistant("2", blocks)];
    insta::assert_snapshot!(sent(&said, &Flattening::default()), @r#"
    {"role":"user","content":[{"type":"text","text":"hi"}]}
    {"role":"assistant","content":[{"type":"thinking","thinking":"","signature":"s=="},{ "type": "novelty", "z": 1, "a": [1.0, 2e3] },{"type":"text","text":"so","citations":null}]}
    "#);
    let all: Vec<&Message> = said.iter().collect();
    let flat = flatten(&all, &Flattening::default());
    insta::assert_snapshot!(wire::anthropic::messages(&flat, &[0, 1]), @r#"[{"role":"user","content":[{"type":"text","text":"hi","cache_control":{"type":"ephemeral"}}]},{"role":"assistant","content":[{"type":"thinking","thinking":"","signature":"s=="},{ "type": "novelty", "z": 1, "a": [1.0, 2e3] },{"type":"text","text":"so","citations":null,"cache_control":{"type":"ephemeral"}}]}]"#);
}

#[test]
fn the_host_speaks_in_its_own_name_only_where_a_model_takes_it() {
    let host = |id: &str| {
        Message::new(
            id,
            Role::System,
            Source::Reminder(memdir_conversation::Reminded::Context),
            vec![Block::text("the date has changed")],
        )
    };
    let said = [
        host("0"),
        Message::user("1", "hi"),
        host("2"),
        Message::assistant("3", vec![Block::text("hello"), call("a")]),
        host("4"),
        Message::results("5", vec![result("a", "one")]),
        host("6"),
    ];
    let how = Flattening {
        system_messages: true,
        ..Flattening::default()
    };
    insta::assert_snapshot!(sent(&said, &how), @r#"
    {"role":"user","content":[{"type":"text","text":"the date has changed"},{"type":"text","text":"hi"}]}
    {"role":"system","content":[{"type":"text","text":"the date has changed"}]}
    {"role":"assistant","content":[{"type":"text","text":"hello"},{"type":"tool_use","id":"a","name":"Read","input":{"file_path":"a.rs"}}]}
    {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"one"},{"type":"text","text":"the date has changed"}]}
    {"role":"system","content":[{"type":"text","text":"the date has changed"}]}
    "#);
    insta::assert_snapshot!(sent(&said, &Flattening::default()), @r#"
    {"role":"user","content":[{"type":"text","text":"the date has changed"},{"type":"text","text":"hi"},{"type":"text","text":"the date has changed"}]}
    {"role":"assistant","content":[{"type":"text","text":"hello"},{"type":"tool_use","id":"a","name":"Read","input":{"file_path":"a.rs"}}]}
    {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"one"},{"type":"text","text":"the date has changed"},{"type":"text","text":"the date has changed"}]}
    "#);
}

/// Results of no call stood between a reply and the host's message; they are not sent, and then it stood behind the reply.
#[test]
fn a_message_of_the_host_behind_results_that_are_not_sent_goes_with_the_users() {
    let host = |id: &str| {
        let about = Source::Reminder(Reminded::Context);
        Message::new(
            id,
            Role::System,
            about,
            vec![Block::text("the date has changed")],
        )
    };
    let said = [
        Message::results("0", vec![result("lost", "first of all")]),
        host("1"),
        Message::assistant("2", vec![Block::text("so")]),
        Message::results("3", vec![result("lost", "of no call")]),
        host("4"),
        Message::assistant("5", vec![call("a")]),
        Message::results("6", vec![result("a", "one")]),
        host("7"),
        Message::assistant("8", vec![Block::text("done")]),
    ];
    let how = Flattening {
        system_messages: true,
        ..Flattening::default()
    };
    insta::assert_snapshot!(sent(&said, &how), @r#"
    {"role":"user","content":[{"type":"text","text":"the date has changed"}]}
    {"role":"assistant","content":[{"type":"text","text":"so"}]}
    {"role":"user","content":[{"type":"text","text":"the date has changed"}]}
    {"role":"assistant","content":[{"type":"tool_use","id":"a","name":"Read","input":{"file_path":"a.rs"}}]}
    {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"one"}]}
    {"role":"system","content":[{"type":"text","text":"the date has changed"}]}
    {"role":"assistant","content":[{"type":"text","text":"done"}]}
    NoCall("lost")
    NoCall("lost")
    "#);
}

#[test]
fn what_was_cleared_stays_cleared_with_the_first_marker() {
    let said = [
        Message::user("1", "look"),
        Message::assistant("2", vec![call("a")]),
        Message::results("3", vec![result("a", "long")]),
    ];
    let mut edits = Edits::new();
    edits.clear(&said[2].id, "a", "[cleared: a.txt]");
    edits.clear(&said[2].id, "a", "[cleared again]");
    let how = Flattening {
        edits: Some(&edits),
        ..Flattening::default()
    };
    insta::assert_snapshot!(sent(&said, &how), @r#"
    {"role":"user","content":[{"type":"text","text":"look"}]}
    {"role":"assistant","content":[{"type":"tool_use","id":"a","name":"Read","input":{"file_path":"a.rs"}}]}
    {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"[cleared: a.txt]"}]}
    "#);
}

#[test]
fn an_id_that_was_cleared_and_is_given_again_has_its_new_result() {
    let said = [
        Message::user("1", "look"),
        Message::assistant("2", vec![call("a")]),
        Message::results("3", vec![result("a", "long")]),
        Message::assistant("4", vec![call("a")]),
        Message::results("5", vec![result("a", "and another")]),
    ];
    let mut edits = Edits::new();
    edits.clear(&said[2].id, "a", "[cleared: a.txt]");
    let how = Flattening {
        edits: Some(&edits),
        ..Flattening::default()
    };
    insta::assert_snapshot!(sent(&said, &how), @r#"
    {"role":"user","content":[{"type":"text","text":"look"}]}
    {"role":"assistant","content":[{"type":"tool_use","id":"a","name":"Read","input":{"file_path":"a.rs"}}]}
    {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"[cleared: a.txt]"}]}
    {"role":"assistant","content":[{"type":"tool_use","id":"a_2","name":"Read","input":{"file_path":"a.rs"}}]}
    {"role":"user","content":[{"type":"tool_result","tool_use_id":"a_2","content":"and another"}]}
    Renamed("a")
    "#);
}

#[test]
fn the_other_api() {
    let said = [
        Message::user("1", "look"),
        Message::assistant("2", vec![Block::text("reading"), call("a")]),
        Message::results("3", vec![result("a", "fn main() {}"), Block::text("and?")]),
        Message::assistant("4", vec![Block::text("done")]),
    ];
    let all: Vec<&Message> = said.iter().collect();
    let flat = flatten(&all, &Flattening::default());
    insta::assert_snapshot!(wire::openai::messages(&flat), @r#"[{"role":"user","content":"look"},{"role":"assistant","content":"reading","tool_calls":[{"id":"a","type":"function","function":{"name":"Read","arguments":"{\"file_path\":\"a.rs\"}"}}]},{"role":"tool","tool_call_id":"a","content":"fn main() {}"},{"role":"user","content":"and?"},{"role":"assistant","content":"done"}]"#);
}

#[test]
fn a_message_is_appended_once() {
    let mut conversation = Conversation::new();
    conversation.append(Message::user("1", "a")).unwrap();
    let again = conversation.append(Message::user("1", "b"));
    insta::assert_snapshot!(again.unwrap_err(), @"a message 1 is in the conversation already");
    assert_eq!(conversation.messages().len(), 1);
}
