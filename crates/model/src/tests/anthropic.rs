//! Messages of the Messages API, whole and in pieces.

use memdir_conversation::{Flattening, Message, flatten, wire};

use super::dice::{Dice, Object};
use super::{ROUNDS, cut_everywhere, cuts, envelope, framed, raws, read, reply, told};
use crate::anthropic::Stream;
use crate::http::Reading;
use crate::json::quoted;
use crate::reply::What;

/// A block as it is, as it begins in a stream, and what is added to it.
struct Made {
    whole: String,
    start: String,
    deltas: Vec<String>,
    words: String,
}

fn block(number: usize, dice: &mut Dice) -> Made {
    let (object, field) = match dice.below(5) {
        0 => (
            dice.object(&[("type", "\"text\""), ("text", "\"\"")], 2),
            "text",
        ),
        1 => {
            let known = [
                ("type", "\"thinking\""),
                ("thinking", "\"\""),
                ("signature", "\"\""),
            ];
            (dice.object(&known, 2), "thinking")
        }
        2 => {
            let id = format!("\"toolu_{number}\"");
            let known = [
                ("type", "\"tool_use\""),
                ("id", id.as_str()),
                ("name", "\"Read\""),
                ("input", "{}"),
            ];
            (dice.object(&known, 2), "input")
        }
        3 => {
            let data = dice.string();
            let known = [("type", "\"redacted_thinking\""), ("data", data.as_str())];
            (dice.object(&known, 2), "")
        }
        _ => (
            dice.object(&[("type", "\"novelty\""), ("essence", "\"\"")], 2),
            "essence",
        ),
    };
    grown(&object, field, dice)
}

fn grown(object: &Object, field: &str, dice: &mut Dice) -> Made {
    let mut made = Made {
        whole: object.text(),
        start: object.text(),
        deltas: Vec::new(),
        words: String::new(),
    };
    if field.is_empty() {
        return made;
    }
    let delta = |kind: &str, name: &str, value: &str, dice: &mut Dice| {
        let kind = quoted(kind);
        dice.object(&[("type", kind.as_str()), (name, value)], 0)
            .text()
    };
    if field == "input" {
        let input = dice.object(&[("file_path", "\"a.rs\"")], 2).text();
        let characters: Vec<char> = input.chars().collect();
        for piece in dice.pieces(&characters) {
            let piece = quoted(&piece.iter().collect::<String>());
            let text = format!(r#"{{"type":"input_json_delta","partial_json":{piece}}}"#);
            made.deltas.push(text);
        }
        made.whole = object.with("input", &input).text();
        return made;
    }
    let parts = dice.parts();
    for piece in dice.pieces(&parts) {
        let piece = format!("\"{}\"", piece.concat());
        // Other fields of a delta that are strings would be added too: here it has none of its block's.
        let text = match field {
            "text" | "thinking" | "essence" => {
                format!(r#"{{"type":"{field}_delta","{field}":{piece}}}"#)
            }
            _ => delta(field, field, &piece, dice),
        };
        made.deltas.push(text);
    }
    let mut whole = object.with(field, &format!("\"{}\"", parts.concat()));
    if field == "text" {
        made.words = serde_json::from_str(&format!("\"{}\"", parts.concat())).unwrap();
    }
    if field == "thinking" {
        made.deltas
            .push(r#"{"type":"signature_delta","signature":"EqQB\/=="}"#.to_owned());
        whole = whole.with("signature", r#""EqQB\/==""#);
    }
    made.whole = whole.text();
    made
}

/// The message as it begins, and as it is.
fn message(blocks: &[Made], dice: &mut Dice) -> (Object, String) {
    let usage = r#"{"input_tokens":25,"cache_read_input_tokens":3,"output_tokens":1}"#;
    let object = dice.object(
        &[
            ("id", "\"msg_1\""),
            ("type", "\"message\""),
            ("role", "\"assistant\""),
            ("content", "[]"),
            ("stop_reason", "null"),
            ("usage", usage),
        ],
        2,
    );
    let content: Vec<&str> = blocks.iter().map(|block| block.whole.as_str()).collect();
    let whole = object
        .with("content", &format!("[{}]", content.join(",")))
        .with("stop_reason", "\"end_turn\"")
        .with(
            "usage",
            r#"{"input_tokens":25,"cache_read_input_tokens":3,"output_tokens":15}"#,
        );
    (object, whole.text())
}

fn stream(blocks: &[Made], start: &Object, dice: &mut Dice) -> (String, Vec<String>) {
    let begin = start.text();
    let mut events = vec![event("message_start", &[("message", &begin)], dice)];
    for (index, block) in blocks.iter().enumerate() {
        let index = index.to_string();
        let own = ("index", index.as_str());
        let begin = ("content_block", block.start.as_str());
        events.push(event("content_block_start", &[own, begin], dice));
        if dice.one_in(4) {
            events.push(event("ping", &[], dice));
        }
        for delta in &block.deltas {
            events.push(event("content_block_delta", &[own, ("delta", delta)], dice));
        }
        events.push(event("content_block_stop", &[own], dice));
    }
    let last = [
        ("delta", r#"{"stop_reason":"end_turn"}"#),
        ("usage", r#"{"output_tokens":15}"#),
    ];
    events.push(event("message_delta", &last, dice));
    events.push(event("message_stop", &[], dice));
    let text = events
        .iter()
        .map(|(name, data)| framed(Some(name), data, dice))
        .collect();
    (text, events.into_iter().map(|(_, data)| data).collect())
}

fn event(name: &'static str, fields: &[(&str, &str)], dice: &mut Dice) -> (&'static str, String) {
    let kind = quoted(name);
    let mut all = vec![("type", kind.as_str())];
    all.extend(fields);
    (name, envelope(&all, dice))
}

/// A message of a seed: whole, its blocks, and as a stream.
struct Case {
    blocks: Vec<Made>,
    whole: String,
    text: String,
    datas: Vec<String>,
    dice: Dice,
}

fn made(seed: u64) -> Case {
    let mut dice = Dice::new(seed);
    let blocks: Vec<Made> = (0..1 + dice.below(3))
        .map(|number| block(number, &mut dice))
        .collect();
    let (start, whole) = message(&blocks, &mut dice);
    let (text, datas) = stream(&blocks, &start, &mut dice);
    Case {
        blocks,
        whole,
        text,
        datas,
        dice,
    }
}

#[test]
fn what_came_is_what_goes_back() {
    for seed in 0..ROUNDS {
        let Case {
            blocks,
            whole,
            text,
            datas,
            mut dice,
        } = made(seed);
        let expected: Vec<&str> = blocks.iter().map(|block| block.whole.as_str()).collect();

        // In one piece.
        let mut reading = Stream::default();
        let mut events = Vec::new();
        reading.whole(&whole, &mut events).unwrap();
        let answer = reply(events);
        assert_eq!(&*answer.wire.json, whole, "seed {seed}");

        // In many, wherever the network cuts.
        cut_everywhere(text.as_bytes(), seed);
        for pieces in cuts(text.as_bytes(), &mut dice) {
            let (events, done) = read(Stream::default(), &pieces);
            assert!(done, "seed {seed}");
            assert_eq!(raws(&events), datas, "seed {seed}");
            let words: String = blocks.iter().map(|block| block.words.as_str()).collect();
            assert_eq!(told(&events), words, "seed {seed}");
            let streamed = reply(events);
            assert_eq!(&*streamed.wire.json, whole, "seed {seed}");
            assert_eq!((streamed.usage.input, streamed.usage.output), (25, 15));
            let got: Vec<&str> = streamed.blocks.iter().map(|block| block.json()).collect();
            assert_eq!(got, expected, "seed {seed}");
        }

        // And back to the provider.
        let asked = Message::user("1", "go");
        let answer = answer.into_message("2", None);
        let flat = flatten(&[&asked, &answer], &Flattening::default());
        let sent = wire::anthropic::message(&flat.messages[1]);
        let content = expected.join(",");
        assert_eq!(
            sent,
            format!(r#"{{"role":"assistant","content":[{content}]}}"#),
            "seed {seed}"
        );
    }
}

#[test]
fn arguments_that_break_off_are_not_carried_out() {
    let start = r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"toolu_1","name":"Write","input":{}}}"#;
    let datas = [
        r#"{"type":"message_start","message":{"content":[],"usage":{"input_tokens":1,"output_tokens":1}}}"#,
        start,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"file_path\": \"a"}}"#,
        r#"{"type":"content_block_stop","index":0}"#,
        r#"{"type":"message_delta","delta":{"stop_reason":"max_tokens"},"usage":{"output_tokens":9}}"#,
        r#"{"type":"message_stop"}"#,
    ];
    let text: String = datas
        .iter()
        .map(|data| format!("data: {data}\n\n"))
        .collect();
    let (events, _) = read(Stream::default(), &[text.as_bytes()]);
    let reply = reply(events);
    assert_eq!(reply.stop, crate::Stop::MostOutput);
    assert_eq!(reply.unfinished, ["toolu_1".into()]);
    assert_eq!(
        reply.blocks[0].json(),
        r#"{"type":"tool_use","id":"toolu_1","name":"Write","input":{}}"#
    );
}

#[test]
fn citations_and_passes_are_kept_and_counted() {
    let datas = [
        r#"{"type":"message_start","message":{"content":[],"usage":{"input_tokens":1,"output_tokens":1}}}"#,
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"","citations":[{"a":1.0}]}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"citations_delta","citation":{"b" :2e0}}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"so"}}"#,
        r#"{"type":"content_block_stop","index":0}"#,
        r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"input_tokens":null,"output_tokens":9,"cache_creation":{"ephemeral_1h_input_tokens":4},"iterations":[{"type":"compaction","input_tokens":180000,"output_tokens":3500},{"type":"message","input_tokens":1,"output_tokens":9,"cache_creation_input_tokens":4,"cache_creation":{"ephemeral_1h_input_tokens":4}}]}}"#,
        r#"{"type":"message_stop"}"#,
    ];
    let text: String = datas
        .iter()
        .map(|data| format!("data: {data}\n\n"))
        .collect();
    let (events, _) = read(Stream::default(), &[text.as_bytes()]);
    assert!(
        events
            .iter()
            .any(|event| matches!(&event.what, What::Block(block)
        if block.json() == r#"{"type":"text","text":"so","citations":[{"a":1.0},{"b" :2e0}]}"#))
    );
    let reply = reply(events);
    assert_eq!((reply.usage.input, reply.usage.output), (1, 9));
    insta::assert_debug_snapshot!(reply.billed, @"
    Billed {
        usage: Usage {
            input: 180001,
            cache_read: 0,
            cache_write: 4,
            output: 3509,
        },
        cache_write_hour: 4,
    }
    ");
}
