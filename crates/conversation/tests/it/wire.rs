//! What the Anthropic API is sent of conversations that other clients held.

use memdir_conversation::wire::anthropic;
use memdir_conversation::{Block, Flattening, Message, flatten};
use memdir_testkit::oracle::anthropic::check;
use proptest::prelude::*;
use serde_json::{Value, json};

/// The messages of a request.
fn messages(said: &[Message]) -> String {
    let all: Vec<&Message> = said.iter().collect();
    anthropic::messages(&flatten(&all, &Flattening::default()), &[])
}

/// What the API would say against it.
fn refused(messages: &str) -> Vec<String> {
    let messages: Value = serde_json::from_str(messages).unwrap();
    let request = json!({"model": "claude-sonnet-4-5", "max_tokens": 1_000, "messages": messages});
    let violations = check(&request);
    violations.iter().map(ToString::to_string).collect()
}

/// A round with each of these ids.
fn rounds(ids: &[&str]) -> Vec<Message> {
    let mut said = vec![Message::user("0", "look")];
    for (number, id) in ids.iter().enumerate() {
        let call = Block::tool_call(id, "Read", "{}").unwrap();
        said.push(Message::assistant(&format!("a{number}"), vec![call]));
        let result = Block::tool_result(id, "fn main() {}", false);
        said.push(Message::results(&format!("r{number}"), vec![result]));
    }
    said
}

#[test]
fn ids_of_other_clients_get_the_shape_that_the_api_takes() {
    let long = "x".repeat(80);
    let said = rounds(&["call_1", "functions.read:0", "читать", &long, "call_2"]);
    let json = messages(&said);
    let lines = json.replace("},{\"role\"", "},\n{\"role\"");
    insta::assert_snapshot!(lines, @r#"
    [{"role":"user","content":[{"type":"text","text":"look"}]},
    {"role":"assistant","content":[{"type":"tool_use","id":"call_1","name":"Read","input":{}}]},
    {"role":"user","content":[{"type":"tool_result","tool_use_id":"call_1","content":"fn main() {}"}]},
    {"role":"assistant","content":[{"type":"tool_use","id":"functions_read_0_284adafc-da83-8f95-b6b7-37ae5d9cad96","name":"Read","input":{}}]},
    {"role":"user","content":[{"type":"tool_result","tool_use_id":"functions_read_0_284adafc-da83-8f95-b6b7-37ae5d9cad96","content":"fn main() {}"}]},
    {"role":"assistant","content":[{"type":"tool_use","id":"_______a5b50ca3-39bf-89b5-8940-f22cc1183bf0","name":"Read","input":{}}]},
    {"role":"user","content":[{"type":"tool_result","tool_use_id":"_______a5b50ca3-39bf-89b5-8940-f22cc1183bf0","content":"fn main() {}"}]},
    {"role":"assistant","content":[{"type":"tool_use","id":"xxxxxxxxxxxxxxxxxxxxxxxx_355df0bc-19da-81fd-8036-111f45cc29cd","name":"Read","input":{}}]},
    {"role":"user","content":[{"type":"tool_result","tool_use_id":"xxxxxxxxxxxxxxxxxxxxxxxx_355df0bc-19da-81fd-8036-111f45cc29cd","content":"fn main() {}"}]},
    {"role":"assistant","content":[{"type":"tool_use","id":"call_2","name":"Read","input":{}}]},
    {"role":"user","content":[{"type":"tool_result","tool_use_id":"call_2","content":"fn main() {}"}]}]
    "#);
    assert_eq!(refused(&json), [""; 0]);
}

#[test]
fn ids_that_would_become_alike_stay_apart() {
    let said = rounds(&["a.b", "a:b", "a b"]);
    let shaped: Value = serde_json::from_str(&messages(&said)).unwrap();
    let second = shaped[3]["content"][0]["id"].as_str().unwrap().to_owned();
    // Somebody has the very id that another one would become.
    assert_eq!(
        refused(&messages(&rounds(&["a.b", "a:b", &second]))),
        [""; 0]
    );
    assert_eq!(
        refused(&messages(&rounds(&[&second, "a.b", "a:b"]))),
        [""; 0]
    );
}

#[test]
fn marks_in_the_parts_of_a_result_are_not_sent_again() {
    let part = |number: usize| {
        format!(
            r#"{{"type":"text","text":"part \"cache_control\" {number}","cache_control":{{"type":"ephemeral"}} }}"#
        )
    };
    let parts: Vec<String> = (0..6).map(part).collect();
    let plain = r#"{"type": "text",  "text":"as it is"}"#;
    let result = format!(
        r#"{{"type":"tool_result","tool_use_id":"a","content":[{},{plain}],"is_error":false}}"#,
        parts.join(",")
    );
    let said = [
        Message::user("1", "look"),
        Message::assistant("2", vec![Block::tool_call("a", "Read", "{}").unwrap()]),
        Message::results("3", vec![Block::from_json(&result).unwrap()]),
    ];
    let json = messages(&said);
    insta::assert_snapshot!(json.split_once(r#""content":[{"type":"tool_result""#).unwrap().1, @r#","tool_use_id":"a","content":[{"type":"text","text":"part \"cache_control\" 0"},{"type":"text","text":"part \"cache_control\" 1"},{"type":"text","text":"part \"cache_control\" 2"},{"type":"text","text":"part \"cache_control\" 3"},{"type":"text","text":"part \"cache_control\" 4"},{"type":"text","text":"part \"cache_control\" 5"},{"type": "text",  "text":"as it is"}],"is_error":false}]}]"#);
    assert_eq!(refused(&json), [""; 0]);
}

proptest! {
    /// Whatever ids there are, the request is taken, and one more message changes nothing that was sent.
    #[test]
    fn any_ids_are_taken_and_what_was_sent_stays(ids in proptest::collection::vec("[a.:_ é-]{1,4}|[a-z]{60,70}", 1..8)) {
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let said = rounds(&ids);
        let whole = messages(&said);
        prop_assert_eq!(refused(&whole), [""; 0]);
        for end in 1..=ids.len() {
            let part = messages(&said[..1 + 2 * end]);
            let part = part.strip_suffix(']').unwrap();
            prop_assert!(whole.starts_with(part));
        }
    }

    /// A call that the API would take goes as it came.
    #[test]
    fn plain_ids_stay(id in "[a-zA-Z0-9_-]{1,64}") {
        let json = messages(&rounds(&[&id]));
        let both = format!(r#""id":"{id}","#);
        prop_assert!(json.contains(&both));
    }
}
