//! Files as crashes, bugs and other programs leave them.

use std::io::Cursor;
use std::ops::ControlFlow;

use memdir_conversation::transcript::{
    Format, LISTED, LONGEST, Reading, Report, Span, conversation, detect, read,
};
use memdir_conversation::{Conversation, Message};
use proptest::prelude::*;

use crate::transcript::{ANTHROPIC, CLAUDE_CODE, CODEX, COMPACTED, GEMINI, OPENAI};

const ALL: [(Format, &str); 6] = [
    (Format::ClaudeCode, CLAUDE_CODE),
    (Format::ClaudeCode, COMPACTED),
    (Format::Codex, CODEX),
    (Format::Gemini, GEMINI),
    (Format::Anthropic, ANTHROPIC),
    (Format::OpenAi, OPENAI),
];

fn whole(text: &[u8]) -> (Conversation, Report) {
    let format = detect(text).unwrap_or(Format::ClaudeCode);
    conversation(format, Cursor::new(text), &Reading::whole()).unwrap()
}

/// The ids in order, then what is wrong.
fn outcome(text: &[u8]) -> String {
    let (conversation, report) = whole(text);
    let ids = conversation
        .messages()
        .iter()
        .map(|message| message.id.to_string());
    let problems = report
        .problems
        .iter()
        .map(|problem| format!("line {}: {}", problem.line, problem.trouble));
    ids.chain(problems).collect::<Vec<_>>().join("\n")
}

/// A line of a session: id, parent, and what the user said.
fn said(id: &str, parent: &str, text: &str) -> String {
    let parent = match parent {
        "" => "null".to_owned(),
        parent => format!("\"{parent}\""),
    };
    format!(
        r#"{{"parentUuid":{parent},"type":"user","uuid":"{id}","sessionId":"s","message":{{"role":"user","content":"{text}"}}}}"#
    ) + "\n"
}

#[test]
fn an_unfinished_last_line_is_no_loss() {
    let text = [said("a", "", "one"), said("b", "a", "two")].concat();
    let torn = &text.as_bytes()[..text.len() - 20];
    insta::assert_snapshot!(outcome(torn), @"
    a
    line 2: the last line is not finished
    ");
    assert!(!whole(torn).1.loses());
    // Whole, only without a line break.
    insta::assert_snapshot!(outcome(text.trim_end().as_bytes()), @"
    a
    b
    ");
}

#[test]
fn a_bad_line_in_the_middle_costs_itself() {
    let text = [
        said("a", "", "one"),
        "{\"type\":\"user\",oops}\n".to_owned(),
        said("c", "b", "three"),
    ];
    insta::assert_snapshot!(outcome(text.concat().as_bytes()), @"
    a
    c
    line 2: not JSON: key must be a string
    line 3: follows a line that is not here; the line before was taken
    ");
    assert!(whole(text.concat().as_bytes()).1.loses());
}

#[test]
fn a_line_behind_one_that_was_cut_off_is_found() {
    let cut = said("b", "a", "lost");
    let text = [
        said("a", "", "one"),
        cut[..60].to_owned(),
        said("c", "a", "three"),
    ]
    .concat();
    insta::assert_snapshot!(outcome(text.as_bytes()), @"
    a
    c
    line 2: a line was cut off here, and the next one follows without a break
    ");
}

#[test]
fn a_file_from_another_system() {
    let text = [
        "\u{feff}".to_owned(),
        said("a", "", "one"),
        "\n".to_owned(),
        said("b", "a", "two"),
    ]
    .concat();
    insta::assert_snapshot!(outcome(text.replace('\n', "\r\n").as_bytes()), @"
    a
    b
    ");
    let mut zeros = text.into_bytes();
    zeros.extend([0; 4096]);
    zeros.extend(said("c", "b", "three").bytes());
    zeros.extend([0; 512]);
    insta::assert_snapshot!(outcome(&zeros), @"
    a
    b
    c
    ");
}

#[test]
fn ids_written_twice_circles_and_parents_that_are_nowhere() {
    let twice = [
        said("a", "", "one"),
        said("b", "a", "two"),
        said("a", "", "one, rewritten"),
        said("c", "b", "three"),
    ];
    insta::assert_snapshot!(outcome(twice.concat().as_bytes()), @"
    a
    b
    c
    line 3: has the id of an earlier line, which it replaces
    ");
    let circle = [
        said("a", "c", "one"),
        said("b", "a", "two"),
        said("c", "b", "three"),
    ];
    insta::assert_snapshot!(outcome(circle.concat().as_bytes()), @"
    a
    b
    c
    line 3: follows itself; what is before it cannot be reached
    ");
    let nowhere = [said("a", "gone", "one"), said("b", "gone too", "two")];
    insta::assert_snapshot!(outcome(nowhere.concat().as_bytes()), @"
    a
    b
    line 1: follows a line that is not here; the line before was taken
    line 2: follows a line that is not here; the line before was taken
    ");
}

#[test]
fn what_is_no_text_or_no_object_costs_its_line() {
    let mut text = said("a", "", "one").into_bytes();
    text.extend(b"{\"type\":\"user\",\"uuid\":\"b\",\"parentUuid\":\"a\",\"message\":{\"role\":\"user\",\"content\":\"\xff\"}}\n");
    text.extend(b"[]\n7\nnull\n\"word\"\n");
    text.extend(said("c", "b", "three").bytes());
    insta::assert_snapshot!(outcome(&text), @"
    a
    c
    line 2: not JSON: invalid unicode code point
    line 3: not JSON: not an object
    line 4: not JSON: not an object
    line 5: not JSON: not an object
    line 6: not JSON: not an object
    line 7: follows a line that is not here; the line before was taken
    ");
}

#[test]
fn fields_of_the_wrong_kind_cost_no_more_than_themselves() {
    let line = r#"{"type":"user","uuid":"a","parentUuid":7,"timestamp":{},"isMeta":"yes","origin":[],"message":{"role":[],"content":[7,{"type":"text","text":"kept"},{"no":"type"}]}}"#;
    let (conversation, report) = whole(line.as_bytes());
    assert_eq!(conversation.messages()[0].words(), "kept");
    assert_eq!(report.problems.len(), 2);
}

#[test]
fn a_line_of_fifty_megabytes() {
    let long = "x".repeat(50 << 20);
    let text = [
        said("a", "", "one"),
        said("b", "a", &long),
        said("c", "b", "three"),
    ]
    .concat();
    let (conversation, report) = whole(text.as_bytes());
    assert_eq!(report.problems, []);
    assert_eq!(conversation.messages()[1].words().len(), long.len());
}

#[test]
fn a_line_that_is_too_long_is_passed_over() {
    let long = "x".repeat(usize::try_from(LONGEST).unwrap());
    let text = [
        said("a", "", "one"),
        said("b", "a", &long),
        said("c", "b", "three"),
    ]
    .concat();
    insta::assert_snapshot!(outcome(text.as_bytes()), @"
    a
    c
    line 2: too long to be read: 67108963 bytes
    line 3: follows a line that is not here; the line before was taken
    ");
}

#[test]
fn problems_without_end_are_counted() {
    let text = [said("a", "", "one"), "oops\n".repeat(LISTED + 7)].concat();
    let (_, report) = whole(text.as_bytes());
    assert_eq!((report.problems.len(), report.unlisted), (LISTED, 7));
}

#[test]
fn a_reader_may_have_had_enough() {
    for (format, text) in ALL {
        let mut count = 0;
        let report = read(format, Cursor::new(text), &Reading::whole(), &mut |_| {
            count += 1;
            ControlFlow::Break(())
        });
        assert_eq!(count, 1, "{format:?}");
        assert_eq!(report.unwrap().problems, [], "{format:?}");
    }
}

/// What was read of a beginning of the file is read of the whole file too, under the same ids. The last message of the
/// beginning may be a piece of one, and what it replaced is gone.
#[test]
fn a_longer_file_gives_the_same_ids() {
    for (format, text) in ALL.iter().filter(|(_, text)| text.lines().count() > 5) {
        let ids = |text: &str| -> Vec<String> {
            let reading = Reading::whole();
            let (conversation, _) = conversation(*format, Cursor::new(text), &reading).unwrap();
            let messages = conversation.messages().iter();
            messages
                .map(|message| format!("{} {:?}", message.id, message.source))
                .collect()
        };
        let all = ids(text);
        let mut end = 0;
        for line in text.split_inclusive('\n') {
            end += line.len();
            let some = ids(&text[..end]);
            let gone = some.iter().filter(|id| !all.contains(id)).count();
            // A prompt that is taken back later takes its reply along.
            assert!(gone <= 2, "{format:?} {some:?}");
        }
    }
}

fn mutated() -> impl Strategy<Value = (Format, Vec<u8>)> {
    let places = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..12);
    let cut = any::<prop::sample::Index>();
    let moved = any::<(prop::sample::Index, prop::sample::Index)>();
    (0..ALL.len(), places, cut, moved, 0..4_u8).prop_map(|(number, places, cut, moved, how)| {
        let (format, text) = ALL[number];
        let mut bytes = text.as_bytes().to_vec();
        if how & 1 == 1 {
            let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
            let (from, to) = (moved.0.index(lines.len()), moved.1.index(lines.len()));
            let line = lines[from];
            lines.insert(to, line);
            bytes = lines.concat().into_bytes();
        }
        for (place, byte) in places {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        if how & 2 == 2 {
            bytes.truncate(cut.index(bytes.len()));
        }
        (format, bytes)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn whatever_is_done_to_a_file_it_is_read_the_same_way_twice((format, bytes) in mutated()) {
        for span in [Span::Whole, Span::Visible] {
            for sidechains in [false, true] {
                let reading = Reading {
                    span,
                    sidechains,
                    ..Reading::default()
                };
                let all = || -> (Vec<Message>, Report) {
                    let mut messages = Vec::new();
                    let report = read(format, Cursor::new(&bytes), &reading, &mut |message| {
                        messages.push(message);
                        ControlFlow::Continue(())
                    });
                    (messages, report.unwrap())
                };
                let (messages, report) = all();
                prop_assert_eq!(&(messages.clone(), report), &all());
                let ids: std::collections::HashSet<_> = messages.iter().map(|m| &m.id).collect();
                prop_assert_eq!(ids.len(), messages.len());
            }
        }
        let _ = detect(&bytes);
    }
}
