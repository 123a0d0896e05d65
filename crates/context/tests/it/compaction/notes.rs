use memdir_context::compaction::{WrittenNotes, with_notes};
use memdir_conversation::{Block, Edits, Message, MessageId, Reminded, Role, Source};

use super::{conversation, read, situation, usual};

fn notes(covered: &MessageId) -> WrittenNotes<'_> {
    WrittenNotes {
        text: "# Current State\n\nThe parser is done; the printer is next.",
        cut: &[],
        bare: false,
        covered: Some(covered),
    }
}

/// Messages with even numbers are the model's.
fn said(id: &str, tokens: usize) -> Message {
    let words = "word".repeat(tokens);
    match id.parse::<usize>().unwrap() % 2 {
        0 => Message::assistant(id, vec![Block::text(&words)]),
        _ => Message::user(id, &words),
    }
}

fn kept(messages: Vec<Message>, covered: &str) -> String {
    let conversation = conversation(messages);
    let (edits, limits) = (Edits::new(), usual());
    let covered = MessageId::new(covered);
    let done = with_notes(
        &situation(&conversation, &edits, &limits),
        Some(notes(&covered)),
        false,
    );
    match done {
        Ok(compacted) => compacted
            .kept
            .iter()
            .map(MessageId::as_str)
            .collect::<Vec<_>>()
            .join(" "),
        Err(why) => why.to_string(),
    }
}

#[test]
fn reasons_in_their_order() {
    let messages = vec![
        Message::user("1", "a"),
        said("2", 10),
        Message::user("3", "b"),
    ];
    let conversation = conversation(messages);
    let (edits, limits) = (Edits::new(), usual());
    let situation = situation(&conversation, &edits, &limits);
    let gone = MessageId::new("gone");
    let bare = WrittenNotes {
        bare: true,
        ..notes(&gone)
    };
    let blank = WrittenNotes {
        text: " \n",
        ..notes(&gone)
    };
    let unknown = WrittenNotes {
        covered: None,
        ..notes(&gone)
    };
    let mut tight = limits;
    tight.thresholds.compaction = 20;
    (tight.kept.least, tight.kept.messages) = (0, 0);
    let three = MessageId::new("3");
    let why = |notes, instructed| {
        with_notes(&situation, notes, instructed)
            .unwrap_err()
            .to_string()
    };
    let lines = [
        why(Some(bare), true),
        why(None, false),
        why(Some(bare), false),
        why(Some(blank), false),
        why(Some(unknown), false),
        why(Some(notes(&gone)), false),
        why(Some(notes(&three)), false),
        with_notes(
            &super::situation(&conversation, &edits, &tight),
            Some(notes(&three)),
            false,
        )
        .unwrap_err()
        .to_string(),
    ];
    insta::assert_snapshot!(lines.join("\n"), @"
    instructions were given, which notes do not know
    there are no notes
    nothing is written in the notes
    nothing is written in the notes
    it is not known up to where the notes go
    the last message that the notes cover, gone, is gone
    all of it would stay
    153 tokens would remain, 20 are too many
    ");
}

#[test]
fn at_least_so_many_tokens_and_messages_stay_and_no_pair_is_split() {
    // Enough tokens, and five messages with text.
    let mut messages = vec![Message::user("1", "a")];
    messages.extend((2..20).map(|n| said(&n.to_string(), 3_000)));
    insta::assert_snapshot!(kept(messages, "19"), @"15 16 17 18 19");

    // Few words: five messages are reached first, tokens only with the large result and its call.
    let mut messages = vec![Message::user("1", "a")];
    messages.extend(read("big", 9_999));
    messages.extend((2..20).map(|n| said(&n.to_string(), 1)));
    insta::assert_snapshot!(kept(messages, "19"), @"big-call big-result 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19");

    // A pair that would be too much stays out whole.
    let mut messages = vec![Message::user("1", "a")];
    messages.extend(read("huge", 40_000));
    messages.extend((2..4).map(|n| said(&n.to_string(), 1)));
    insta::assert_snapshot!(kept(messages, "3"), @"2 3");

    // What the notes do not cover stays, however much it is.
    let mut messages = vec![Message::user("1", "a"), said("2", 1)];
    messages.extend(read("huge", 60_000));
    insta::assert_snapshot!(kept(messages, "huge-result"), @"2 huge-call huge-result");
}

#[test]
fn never_past_an_earlier_boundary() {
    let (edits, limits) = (Edits::new(), usual());
    let mut conversation = conversation(vec![
        said("1", 1),
        said("2", 30_000),
        said("3", 20_000),
        said("4", 10),
        said("5", 10),
    ]);
    let covered = MessageId::new("4");
    let first = with_notes(
        &situation(&conversation, &edits, &limits),
        Some(notes(&covered)),
        false,
    );
    first
        .unwrap()
        .append_to(&mut conversation, "b1", "s1")
        .unwrap();
    conversation.append(said("6", 10)).unwrap();
    conversation.append(said("7", 10)).unwrap();
    let covered = MessageId::new("6");
    // What the first one kept may stay again, but nothing before it, though it would be needed for five messages.
    let second = with_notes(
        &situation(&conversation, &edits, &limits),
        Some(notes(&covered)),
        false,
    );
    insta::assert_snapshot!(second.unwrap_err(), @"all of it would stay");
    // Notes that end before the last summary do not know what it says.
    let covered = MessageId::new("2");
    let stale = with_notes(
        &situation(&conversation, &edits, &limits),
        Some(notes(&covered)),
        false,
    );
    insta::assert_snapshot!(stale.unwrap_err(), @"the last message that the notes cover, 2, is gone");
}

#[test]
fn context_of_the_host_goes_unless_two_replies_would_become_one() {
    let context = |id: &str| Message::reminder(id, Reminded::Context, "the date has changed");
    let messages = vec![
        said("1", 1),
        said("2", 45_000),
        context("a"),
        said("3", 1),
        context("b"),
        said("4", 1),
        context("c"),
        context("d"),
        said("6", 1),
        said("7", 1),
    ];
    insta::assert_snapshot!(kept(messages, "7"), @"3 4 c 6 7");
}

/// What came in several messages is one reply where nothing between them is sent, and its thinking goes back whole: the
/// notes may end at a message in the middle that nobody is sent.
#[test]
fn a_reply_is_not_cut_at_a_message_that_is_not_sent() {
    let mut limits = usual();
    (limits.kept.least, limits.kept.messages) = (0, 0);
    let thought = |id: &str| {
        let json = format!(r#"{{"type":"thinking","thinking":"hm","signature":"{id}"}}"#);
        let thinking = Block::from_json(&json).unwrap();
        Message::assistant(id, vec![thinking, Block::text("so")])
    };
    let orphan = Block::tool_result("lost", "of no call", false);
    let call = Block::tool_call("a", "Read", "{}").unwrap();
    let called = Block::tool_result("a", "of a call", false);
    let mut lines = Vec::new();
    for (between, first) in [
        (Message::user("4", " \n"), thought("3")),
        (Message::results("4", vec![orphan.clone()]), thought("3")),
        (
            Message::new("4", Role::System, Source::User, Vec::new()),
            thought("3"),
        ),
        // The results of calls do stand between two replies.
        (
            Message::results("4", vec![called]),
            Message::assistant("3", vec![call]),
        ),
        (Message::user("4", "and?"), thought("3")),
    ] {
        let conversation = conversation(vec![
            said("1", 10),
            said("2", 10),
            Message::user("u", "go on"),
            first,
            between,
            thought("5"),
            said("7", 10),
        ]);
        let edits = Edits::new();
        let kept = ["3", "4", "5"].map(|covered| {
            let covered = MessageId::new(covered);
            let situation = situation(&conversation, &edits, &limits);
            let done = with_notes(&situation, Some(notes(&covered)), false).unwrap();
            let ids: Vec<&str> = done.kept.iter().map(MessageId::as_str).collect();
            ids.join(" ")
        });
        lines.push(kept.join(" | "));
    }
    insta::assert_snapshot!(lines.join("\n"), @"
    3 4 5 7 | 3 4 5 7 | 3 4 5 7
    3 4 5 7 | 3 4 5 7 | 3 4 5 7
    3 4 5 7 | 3 4 5 7 | 3 4 5 7
    3 4 5 7 | 3 4 5 7 | 5 7
    3 4 5 7 | 4 5 7 | 5 7
    ");
}
