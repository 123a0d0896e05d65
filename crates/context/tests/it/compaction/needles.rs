//! What must survive every compaction word for word.

use std::collections::BTreeSet;

use memdir_context::compaction::{
    Clearing, Instructions, Means, Micro, Progress, SavedResult, Summarise, Thinking, WrittenNotes,
    make_room, micro, summed_up, with_notes,
};
use memdir_context::{ClearedLimits, CompactionSwitches};
use memdir_conversation::tokens::Bytes;
use memdir_conversation::{Block, Conversation, Edits, Flattening, Message, MessageId, flatten};

use super::{PRICES, Scripted, conversation, pair, read, situation, usual};

/// Needles of every kind at ten depths of a long conversation: what is planted, and the messages.
fn haystack() -> (Vec<String>, Vec<Message>) {
    let mut needles = Vec::new();
    let mut messages = Vec::new();
    for depth in 0..10 {
        let typed = [
            format!("never touch crates/legacy_{depth}/src/old.rs:4{depth}"),
            format!("we decided on port 81{depth}7 because the proxy holds the other"),
            format!("the ticket is OPS-99{depth}1, see https://tracker.example/t/{depth}"),
        ];
        messages.push(Message::user(&format!("u{depth}"), &typed.join("\n")));
        needles.push(typed.join("\n"));
        let edited = format!("src/depth_{depth}/parser.rs");
        messages.extend(pair(
            &format!("e{depth}"),
            ["Edit", "replace", "Write"][depth % 3],
            &format!(r#"{{"file_path":"{edited}","old_string":"a","new_string":"b"}}"#),
            50,
        ));
        needles.push(edited);
        let command = format!("cargo test -p depth_{depth}\n  -- --nocapture");
        let error = format!("error[E03{depth}8]: mismatched types in depth_{depth}");
        let input = serde_json::json!({"command": command}).to_string();
        let id = format!("c{depth}");
        messages.push(Message::assistant(
            &format!("{id}-call"),
            vec![Block::tool_call(&id, "Bash", &input).unwrap()],
        ));
        messages.push(Message::results(
            &format!("{id}-result"),
            vec![Block::tool_result(
                &id,
                &format!("Exit code 101\n   Compiling\n{error}\n"),
                true,
            )],
        ));
        needles.extend([command, error]);
        messages.extend(read(&format!("r{depth}"), 6_000));
        messages.push(Message::assistant(
            &format!("a{depth}"),
            vec![Block::text("done with that")],
        ));
    }
    messages.push(Message::user("last", "and now?"));
    (needles, messages)
}

/// What a model sees of a conversation, as one text.
fn seen(conversation: &Conversation) -> String {
    sent(conversation, &Edits::new())
}

/// The same with edits.
fn sent(conversation: &Conversation, edits: &Edits) -> String {
    let how = Flattening {
        edits: Some(edits),
        ..Flattening::default()
    };
    let visible = conversation.visible();
    let flat = flatten(&visible, &how);
    let texts = flat.messages.iter().flat_map(|message| {
        message.blocks.iter().map(|block| match block.input() {
            Some(input) => {
                let input: serde_json::Value = serde_json::from_str(input).unwrap();
                input["command"]
                    .as_str()
                    .or(input["file_path"].as_str())
                    .unwrap_or_default()
                    .to_owned()
            }
            None => block
                .words()
                .map_or_else(|| block.result_text(), |words| words.into_owned()),
        })
    });
    texts.collect::<Vec<_>>().join("\n")
}

fn compact_fully(conversation: &mut Conversation, summariser: &mut dyn Summarise, number: usize) {
    let (edits, limits) = (Edits::new(), usual());
    let before = conversation.clone();
    let done = summed_up(
        &situation(&before, &edits, &limits),
        Default::default(),
        summariser,
    );
    let compacted = done.unwrap().compacted;
    assert!(compacted.budget.is_within());
    compacted
        .append_to(conversation, &format!("b{number}"), &format!("s{number}"))
        .unwrap();
}

#[test]
fn needles_at_ten_depths_survive_a_summary_that_says_nothing() {
    let (needles, messages) = haystack();
    let mut full = conversation(messages.clone());
    compact_fully(&mut full, &mut Scripted::default(), 1);

    let mut noted = conversation(messages);
    let (edits, limits) = (Edits::new(), usual());
    let covered = MessageId::new("a9");
    let notes = WrittenNotes {
        text: "They work.",
        cut: &[],
        bare: false,
        covered: Some(&covered),
    };
    let compacted = with_notes(
        &situation(&noted.clone(), &edits, &limits),
        Some(notes),
        false,
    );
    compacted.unwrap().append_to(&mut noted, "b", "s").unwrap();

    for conversation in [&full, &noted] {
        let seen = seen(conversation);
        let lost: Vec<_> = needles
            .iter()
            .filter(|needle| !seen.contains(*needle))
            .collect();
        assert!(lost.is_empty(), "{lost:#?}\n{seen}");
    }
}

/// Needles of every kind in results of tools at ten depths: what is planted, and the messages.
fn full_results() -> (Vec<String>, Vec<Message>) {
    let mut needles = Vec::new();
    let mut messages = vec![Message::user("0", "look at all of them")];
    for depth in 0..10 {
        let planted = [
            format!("src/depth_{depth}/found.rs:1{depth}7"),
            format!("error[E0{depth}99]: lifetime may not live long enough"),
            format!("decision: retry {depth} times, then give up"),
            format!("correction: the limit is {depth}500, not 500"),
            format!("id 7f3a{depth}c19-{depth}{depth}{depth}{depth}"),
        ];
        let filler = "out ".repeat(1_000);
        let text = planted.join(&format!("\n{filler}\n"));
        let id = format!("t{depth}");
        let tool = ["Read", "Bash", "Grep", "WebFetch"][depth % 4];
        let call = Block::tool_call(&id, tool, r#"{"file_path":"a","command":"a"}"#).unwrap();
        messages.push(Message::assistant(&format!("{id}c"), vec![call]));
        let result = Block::tool_result(&id, &text, depth % 2 == 0);
        messages.push(Message::results(&format!("{id}r"), vec![result]));
        needles.extend(planted);
    }
    // The last three always stand.
    for id in ["x", "y", "z"] {
        messages.extend(read(id, 100));
    }
    messages.push(Message::user("last", "and now?"));
    (needles, messages)
}

/// Needles that are neither in a text nor in a file that it names.
fn lost<'a>(needles: &'a [String], seen: &str, saved: &[SavedResult]) -> Vec<&'a String> {
    let named = |one: &&SavedResult| seen.contains(&format!("/s/tool-results/{}", one.file));
    let files: Vec<&SavedResult> = saved.iter().filter(named).collect();
    let found = |needle: &str| {
        seen.contains(needle) || files.iter().any(|one| one.content().contains(needle))
    };
    needles.iter().filter(|needle| !found(needle)).collect()
}

#[test]
fn needles_in_cleared_results_are_in_files_that_their_markers_name() {
    let (needles, messages) = full_results();
    let conversation = conversation(messages);
    let visible = conversation.visible();
    let Micro::Cleared(cleared) = micro(&Clearing {
        visible: &visible,
        edits: &Edits::new(),
        weights: &Bytes,
        used: 190_000,
        before: 0,
        warning: 1,
        limits: ClearedLimits {
            results: 3,
            standing: 0,
            saving: 1,
        },
        folder: "/s/tool-results",
        thinking: Thinking::Free,
        prices: PRICES,
        tools: &[],
    }) else {
        panic!("nothing was cleared");
    };
    let seen = sent(&conversation, &cleared.edits);
    assert!(needles.iter().all(|needle| !seen.contains(needle)));
    assert_eq!(lost(&needles, &seen, &cleared.saved), [""; 0]);
    let files: BTreeSet<&str> = cleared.saved.iter().map(|one| one.file.as_str()).collect();
    assert_eq!((cleared.saved.len(), files.len()), (10, 10));
    // Each file has the whole of its result.
    for (depth, saved) in cleared.saved.iter().enumerate() {
        let result = conversation
            .get(&MessageId::new(&format!("t{depth}r")))
            .unwrap();
        assert_eq!(saved.content(), result.blocks[0].result_text());
    }
}

#[test]
fn needles_survive_all_ways_of_making_room_in_a_row() {
    let (needles, messages) = haystack();
    let mut conversation = conversation(messages);
    let (edits, limits) = (Edits::new(), usual());
    let switches = CompactionSwitches::default();
    let means = Means {
        switches: &switches,
        folder: "/s/tool-results",
        prices: PRICES,
        tools: &[],
        notes: None,
        instructions: Instructions::default(),
    };
    let before = conversation.clone();
    let mut situation = situation(&before, &edits, &limits);
    situation.used = 199_000;
    let mut summariser = Scripted::default();
    let room = make_room(
        &situation,
        &means,
        &mut Progress::default(),
        Some(&mut summariser),
    );
    assert!(!room.cleared.as_ref().unwrap().saved.is_empty());
    let compacted = room.compacted.as_ref().unwrap();
    compacted.append_to(&mut conversation, "b", "s").unwrap();
    let seen = sent(&conversation, room.edits().unwrap());
    assert_eq!(lost(&needles, &seen, &[]), [""; 0]);
}

#[test]
fn ten_thousand_tokens_of_the_user_stand_word_for_word_and_older_words_are_named() {
    let typed = |number: usize| format!("request {number}: {}", "please do it ".repeat(90));
    let messages: Vec<Message> = (0..60)
        .flat_map(|number| {
            let (user, reply) = (format!("u{number}"), format!("a{number}"));
            [
                Message::user(&user, &typed(number)),
                Message::assistant(&reply, vec![Block::text("done")]),
            ]
        })
        .collect();
    let mut full = conversation(messages.clone());
    compact_fully(&mut full, &mut Scripted::default(), 1);
    let mut noted = conversation(messages);
    let (edits, mut limits) = (Edits::new(), usual());
    limits.kept.least = 100;
    let covered = MessageId::new("a59");
    let notes = WrittenNotes {
        text: "They work.",
        cut: &[],
        bare: false,
        covered: Some(&covered),
    };
    let before = noted.clone();
    let compacted = with_notes(&situation(&before, &edits, &limits), Some(notes), false);
    compacted.unwrap().append_to(&mut noted, "b", "s").unwrap();
    for conversation in [&full, &noted] {
        let seen = seen(conversation);
        let whole: Vec<usize> = (0..60)
            .filter(|number| seen.contains(typed(*number).trim_end()))
            .collect();
        // The newest, without a gap; a message has 300 tokens.
        let first = whole[0];
        assert_eq!(whole, (first..60).collect::<Vec<_>>());
        assert!((31..=40).contains(&whole.len()), "{}", whole.len());
        for number in 0..first {
            assert!(seen.contains(&format!("- request {number}: please do it")));
        }
    }
}

#[test]
fn chained_compactions_lose_nothing_even_where_the_old_messages_are_gone() {
    let (needles, messages) = haystack();
    let mut conversation = conversation(messages);
    for number in 0..4 {
        compact_fully(&mut conversation, &mut Scripted::default(), number);
        // A client that reads its transcript from the last boundary on knows no more than this.
        let visible: Vec<Message> = conversation.visible().into_iter().cloned().collect();
        conversation = super::conversation(visible);
        for message in [
            Message::user(&format!("more{number}"), &format!("more {number}")),
            Message::assistant(&format!("yes{number}"), vec![Block::text("yes")]),
            Message::user(&format!("on{number}"), "go on"),
        ] {
            conversation.append(message).unwrap();
        }
    }
    let seen = seen(&conversation);
    let lost: Vec<_> = needles
        .iter()
        .filter(|needle| !seen.contains(*needle))
        .collect();
    assert!(lost.is_empty(), "{lost:#?}\n{seen}");
    for number in 0..4 {
        assert_eq!(
            seen.matches(&format!("more {number}")).count(),
            1,
            "once each"
        );
    }
}

#[test]
fn thinking_bound_to_what_is_gone_is_not_kept() {
    let thinking = r#"{"type":"thinking","thinking":"hm","signature":"s"}"#;
    let conversation = conversation(vec![
        Message::user("1", "a"),
        Message::assistant(
            "2",
            vec![Block::from_json(thinking).unwrap(), Block::text("b")],
        ),
        Message::user("3", "c"),
    ]);
    let (edits, limits) = (Edits::new(), usual());
    let mut bound = situation(&conversation, &edits, &limits);
    bound.thinking = Thinking::Bound;
    let done = summed_up(&bound, Default::default(), &mut Scripted::default()).unwrap();
    assert!(done.compacted.edits.is_thoughtless(&MessageId::new("2")));
    bound.thinking = Thinking::Free;
    let done = summed_up(&bound, Default::default(), &mut Scripted::default()).unwrap();
    assert!(done.compacted.edits.is_empty());
}
