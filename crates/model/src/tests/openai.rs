//! Messages of Chat Completions, whole and in pieces.

use memdir_conversation::{Flattening, Message, flatten, wire};

use super::dice::Dice;
use super::{ROUNDS, cut_everywhere, cuts, envelope, framed, raws, read, reply, told};
use crate::http::Reading;
use crate::json::quoted;
use crate::openai::Stream;

/// A message and the deltas that make it up. A streamed message has no spaces between its parts: it was never written
/// in one piece.
struct Made {
    message: String,
    deltas: Vec<String>,
    words: String,
}

fn message(dice: &mut Dice) -> Made {
    let parts = dice.parts();
    let escaped = parts.concat();
    let odd = *dice.of(&["1.50", "-0", "1e5", r#""\u0078""#, "true"]);
    let mut fields = vec![
        ("role", "\"assistant\"".to_owned()),
        ("content", format!("\"{escaped}\"")),
        ("odd", odd.to_owned()),
    ];
    let mut deltas = vec![
        r#"{"role":"assistant","content":""}"#.to_owned(),
        format!(r#"{{"odd":{odd}}}"#),
    ];
    for piece in dice.pieces(&parts) {
        deltas.push(format!(r#"{{"content":"{}"}}"#, piece.concat()));
    }
    let calls: Vec<String> = (0..dice.below(3))
        .map(|index| {
            let arguments = dice.object(&[("path", "\"a.rs\"")], 2).text();
            let kind = dice.of(&["7", "\"y\""]).to_owned();
            deltas.push(format!(
                r#"{{"tool_calls":[{{"index":{index},"id":"call_{index}","type":"function","more":{kind},"function":{{"name":"Read","arguments":""}}}}]}}"#
            ));
            let characters: Vec<char> = arguments.chars().collect();
            for piece in dice.pieces(&characters) {
                let piece = quoted(&piece.iter().collect::<String>());
                // Some servers say again what was said.
                let again = *dice.of(&["", r#""type":"function","#, r#""id":"","#]);
                deltas.push(format!(
                    r#"{{"tool_calls":[{{"index":{index},{again}"function":{{"arguments":{piece}}}}}]}}"#
                ));
            }
            format!(
                r#"{{"id":"call_{index}","type":"function","more":{kind},"function":{{"name":"Read","arguments":{}}}}}"#,
                quoted(&arguments)
            )
        })
        .collect();
    if !calls.is_empty() {
        fields.push(("tool_calls", format!("[{}]", calls.join(","))));
    }
    let fields: Vec<String> = fields
        .iter()
        .map(|(name, value)| format!("\"{name}\":{value}"))
        .collect();
    Made {
        message: format!("{{{}}}", fields.join(",")),
        deltas,
        words: serde_json::from_str(&format!("\"{escaped}\"")).unwrap(),
    }
}

const USAGE: &str = r#"{"prompt_tokens":30,"completion_tokens":5,"prompt_tokens_details":{"cached_tokens":10,"cache_write_tokens":4}}"#;

fn stream(made: &Made, dice: &mut Dice) -> (String, Vec<String>) {
    let chunk = |delta: &str, finish: &str, dice: &mut Dice| {
        let known = [("index", "0"), ("delta", delta), ("finish_reason", finish)];
        let choices = format!("[{}]", envelope(&known, dice));
        let known = [
            ("id", "\"c\""),
            ("choices", choices.as_str()),
            ("usage", "null"),
        ];
        envelope(&known, dice)
    };
    let mut datas: Vec<String> = made
        .deltas
        .iter()
        .map(|delta| chunk(delta, "null", dice))
        .collect();
    datas.push(chunk("{}", "\"stop\"", dice));
    datas.push(envelope(&[("choices", "[]"), ("usage", USAGE)], dice));
    datas.push("[DONE]".to_owned());
    let text = datas.iter().map(|data| framed(None, data, dice)).collect();
    (text, datas)
}

/// A message of a seed, and as a stream.
struct Case {
    made: Made,
    text: String,
    datas: Vec<String>,
    dice: Dice,
}

fn made(seed: u64) -> Case {
    let mut dice = Dice::new(seed);
    let made = message(&mut dice);
    let (text, datas) = stream(&made, &mut dice);
    Case {
        made,
        text,
        datas,
        dice,
    }
}

#[test]
fn what_came_is_what_goes_back() {
    for seed in 0..ROUNDS {
        let Case {
            made,
            text,
            datas,
            mut dice,
        } = made(seed);

        // In one piece, with whatever the server puts around and into it.
        let whole = dice
            .object(&[("role", "\"assistant\""), ("content", "\"x\\u00e9\"")], 2)
            .text();
        let body = dice
            .object(
                &[
                    (
                        "choices",
                        &format!(r#"[{{"finish_reason":"stop","message":{whole}}}]"#),
                    ),
                    ("usage", USAGE),
                ],
                1,
            )
            .text();
        let mut events = Vec::new();
        Stream::default().whole(&body, &mut events).unwrap();
        assert_eq!(raws(&events), [body], "seed {seed}");
        let answer = reply(events).into_message("2", None);
        let asked = Message::user("1", "go");
        let flat = flatten(&[&asked, &answer], &Flattening::default());
        let sent = wire::openai::messages(&flat);
        assert!(sent.ends_with(&format!(",{whole}]")), "seed {seed}: {sent}");

        // In many, wherever the network cuts.
        cut_everywhere(text.as_bytes(), seed);
        for pieces in cuts(text.as_bytes(), &mut dice) {
            let (events, done) = read(Stream::default(), &pieces);
            assert!(done, "seed {seed}");
            assert_eq!(raws(&events), datas, "seed {seed}");
            assert_eq!(told(&events), made.words, "seed {seed}");
            let streamed = reply(events);
            assert_eq!(&*streamed.wire.json, made.message, "seed {seed}");
            assert_eq!(streamed.usage.prompt(), 30);
            assert_eq!(streamed.usage.input, 16);
        }
    }
}
