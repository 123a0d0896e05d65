//! What holds of every way to make room besides that its requests are taken.

use memdir_context::compaction::{
    Clearing, Compacted, Event, Fixed, Instructions, Means, Micro, Progress, Situation, Thinking,
    WrittenNotes, make_room, micro, summed_up,
};
use memdir_context::{CompactionSwitches, Limits};
use memdir_conversation::tokens::{Bytes, Estimate};
use memdir_conversation::{
    Block, Edits, Flattening, Kind, Message, Role, Trigger, flatten, replies, wire,
};
use proptest::prelude::*;

use super::history::History;
use super::policy::{PRICES, Scripted, small};
use super::random::Random;

fn history(seed: u64) -> History {
    History::random(&mut Random::new(seed))
}

fn used<'a>(messages: impl IntoIterator<Item = &'a &'a Message>) -> u64 {
    messages.into_iter().map(|one| Bytes.message(one)).sum()
}

fn situation<'a>(
    history: &'a History,
    edits: &'a Edits,
    limits: &'a Limits,
    fixed: Fixed,
) -> Situation<'a> {
    Situation {
        conversation: &history.conversation,
        edits,
        weights: &Bytes,
        limits,
        used: used(&history.conversation.visible()),
        fixed,
        thinking: Thinking::Free,
        transcript: Some("/t/session.jsonl"),
        trigger: Trigger::Manual,
    }
}

/// What stays and the summary, by the same count: nothing may be left out of the budget.
fn tokens_left(history: &History, compacted: &Compacted, fixed: Fixed) -> u64 {
    let mut after = history.conversation.clone();
    compacted.append_to(&mut after, "b", "s").unwrap();
    used(&after.visible()) + fixed.total()
}

proptest! {
    /// Within the limit, or what cannot shrink is named with its sizes and is alone too much.
    #[test]
    fn a_summary_is_within_its_budget_or_says_what_is_too_much(
        seed: u64, limit in 0..600_u64, system in 0..200_u64, tools in 0..100_u64, long in 0..300_usize,
    ) {
        let mut limits = small();
        limits.thresholds.compaction = limit;
        let fixed = Fixed { system, tools, instructions: 7 };
        let (history, edits) = (history(seed), Edits::new());
        let words: &'static str = "word ".repeat(long).leak();
        let mut model = Scripted { answers: vec![Ok(words)] };
        let done = summed_up(
            &situation(&history, &edits, &limits, fixed),
            Instructions::default(),
            &mut model,
        );
        let Ok(done) = done else { return Ok(()) };
        let budget = &done.compacted.budget;
        prop_assert_eq!(budget.tokens, tokens_left(&history, &done.compacted, fixed));
        let held: u64 = budget.held.iter().map(|(_, tokens)| tokens).sum();
        prop_assert!(held <= budget.tokens);
        if budget.tokens > limit {
            prop_assert!(held > limit, "{budget}");
            let told = budget.to_string();
            prop_assert!(told.contains("what cannot shrink is too much by itself"), "{told}");
            for (what, tokens) in &budget.held {
                prop_assert!(told.contains(&format!("{what} {tokens}")), "{told}");
            }
        }
    }

    /// The event of a compaction has the budget that the compaction has, and one that leaves no room says so.
    #[test]
    fn the_event_tells_the_budget(seed: u64, limit in 100..600_u64, system in 0..300_u64) {
        let mut limits = small();
        limits.thresholds.compaction = limit;
        let fixed = Fixed { system, ..Fixed::default() };
        let (history, edits) = (history(seed), Edits::new());
        let switches = CompactionSwitches::default();
        let room = make_room(
            &situation(&history, &edits, &limits, fixed),
            &means(&switches, None),
            &mut Progress::default(),
            Some(&mut Scripted { answers: Vec::new() }),
        );
        let Some(compacted) = room.compacted else { return Ok(()) };
        let told = room.events.iter().find_map(|event| match event {
            Event::Compacted { budget, .. } => Some(budget),
            _ => None,
        });
        prop_assert_eq!(told, Some(&compacted.budget));
        let stuck = room.events.iter().any(|event| matches!(event, Event::NoHeadroom(_)));
        prop_assert_eq!(stuck, compacted.budget.tokens > limit - limit * 5 / 100);
    }

    /// Clearing what is cleared changes nothing, whatever the history is like.
    #[test]
    fn clearing_twice_is_clearing_once(seed: u64, bound: bool, standing in 0..80_u64, saving in 1..40_u64) {
        let mut limits = small();
        (limits.cleared.standing, limits.cleared.saving) = (standing, saving);
        let (history, edits) = (history(seed), Edits::new());
        let visible = history.conversation.visible();
        let thinking = if bound { Thinking::Bound } else { Thinking::Free };
        let Micro::Cleared(once) = micro(&clearing(&visible, &edits, &limits, thinking)) else {
            return Ok(());
        };
        let twice = micro(&clearing(&visible, &once.edits, &limits, thinking));
        prop_assert!(matches!(twice, Micro::Nothing(_)), "{twice:?}");
    }

    /// Whatever a marker stands for is in the file that it names, and no file is written twice.
    #[test]
    fn each_cleared_result_is_in_a_file_of_its_own(seed: u64, standing in 0..80_u64) {
        let mut limits = small();
        (limits.cleared.standing, limits.cleared.saving) = (standing, 1);
        let mut history = history(seed);
        let mut edits = Edits::new();
        let mut files: Vec<(String, String)> = Vec::new();
        for _ in 0..3 {
            let visible = history.conversation.visible();
            if let Micro::Cleared(done) = micro(&clearing(&visible, &edits, &limits, Thinking::Free)) {
                edits = done.edits;
                files.extend(done.saved.into_iter().map(|saved| (saved.file.clone(), saved.content())));
            }
            history.sent();
            history.grow(&mut Random::new(seed), 6);
        }
        for (at, (file, _)) in files.iter().enumerate() {
            prop_assert!(files.iter().skip(at + 1).all(|(other, _)| other != file), "{file}");
        }
        for (id, call, marker) in edits.all_cleared() {
            let message = history.conversation.get(id).unwrap();
            let held = files.iter().find(|(file, _)| marker.ends_with(&format!("/{file}]")));
            let (_, content) = held.expect("a file for each marker");
            let results = message.blocks.iter().filter(|block| {
                matches!(block.kind(), Kind::ToolResult { call: of, .. } if &**of == call)
            });
            for result in results {
                let words = result.result_text();
                let whole = content.contains(&words) || content.contains(result.json());
                prop_assert!(whole, "{file:?} lacks {words:?}", file = held);
            }
        }
    }
}

fn clearing<'a>(
    visible: &'a [&'a Message],
    edits: &'a Edits,
    limits: &Limits,
    thinking: Thinking,
) -> Clearing<'a> {
    Clearing {
        visible,
        edits,
        weights: &Bytes,
        used: used(visible).max(limits.thresholds.warning),
        before: 0,
        warning: limits.thresholds.warning,
        limits: limits.cleared,
        folder: "/t/tool-results",
        thinking,
        prices: PRICES,
        tools: &[],
    }
}

fn means<'a>(switches: &'a CompactionSwitches, notes: Option<WrittenNotes<'a>>) -> Means<'a> {
    Means {
        switches,
        folder: "/t/tool-results",
        prices: PRICES,
        tools: &[],
        notes,
        instructions: Instructions::default(),
    }
}

/// Every block of a reply comes from the messages that are told to be this reply.
#[test]
fn replies_are_what_is_sent_as_one() {
    for seed in 0..2_000 {
        let history = history(seed);
        let visible = history.conversation.visible();
        for system_messages in [false, true] {
            let how = Flattening {
                edits: None,
                system_messages,
            };
            let flat = flatten(&visible, &how);
            let sent = flat.messages.iter().filter(|m| m.role == Role::Assistant);
            let sent: Vec<_> = sent.collect();
            let told = replies(&visible, &how);
            assert_eq!(told.len(), sent.len(), "seed {seed}");
            for (reply, message) in told.into_iter().zip(sent) {
                let places = &visible[reply];
                for block in &message.blocks {
                    let of = |one: &Block| {
                        one.json() == block.json() || matches!(one.kind(), Kind::ToolCall { .. })
                    };
                    let found = places.iter().flat_map(|one| &one.blocks).any(of);
                    assert!(found, "seed {seed}: {block:?}");
                }
            }
        }
    }
}

/// Every map in a process has its own order: a hundred runs in one see a hundred orders.
#[test]
fn a_hundred_runs_give_the_same_bytes_every_way() {
    let switches = CompactionSwitches::default();
    for seed in 0..20 {
        let (history, edits, mut limits) = (history(seed), Edits::new(), small());
        limits.thresholds.compaction = 200;
        let visible = history.conversation.visible();
        let covered = visible.get(visible.len() / 2).map(|message| &message.id);
        let run = |trigger, with_notes: bool| {
            let notes = WrittenNotes {
                text: "They talk about tabs.",
                cut: &[],
                bare: false,
                covered,
            };
            let mut situation = situation(&history, &edits, &limits, Fixed::default());
            situation.trigger = trigger;
            let room = make_room(
                &situation,
                &means(&switches, with_notes.then_some(notes)),
                &mut Progress::default(),
                Some(&mut Scripted {
                    answers: Vec::new(),
                }),
            );
            let edits = room.edits().cloned().unwrap_or_default();
            let how = Flattening {
                edits: Some(&edits),
                ..Flattening::default()
            };
            let mut after = history.conversation.clone();
            if let Some(compacted) = &room.compacted {
                compacted.append_to(&mut after, "b", "s").unwrap();
            }
            let sent = wire::anthropic::messages(&flatten(&after.visible(), &how), &[]);
            format!("{room:?}\n{sent}")
        };
        for (trigger, notes) in [(Trigger::Auto, false), (Trigger::Manual, true)] {
            let first = run(trigger, notes);
            for _ in 0..100 {
                assert_eq!(run(trigger, notes), first, "seed {seed}");
            }
        }
    }
}

/// A client that counts its calls from nought in every session resumes one: the id was cleared, its new result is not.
#[test]
fn an_id_that_was_cleared_and_is_given_again_is_cleared_into_a_file_of_its_own() {
    let mut limits = small();
    (limits.cleared.results, limits.cleared.standing) = (0, 0);
    let mut history = history(0);
    history.conversation = memdir_conversation::Conversation::new();
    let mut edits = Edits::new();
    let mut files = Vec::new();
    for round in ["first", "second"] {
        let call = Block::tool_call("call_0", "Read", "{}").unwrap();
        let result = Block::tool_result("call_0", &format!("{round} ").repeat(60), false);
        let messages = [
            Message::assistant(&format!("{round} call"), vec![call]),
            Message::results(&format!("{round} result"), vec![result]),
        ];
        for message in messages {
            history.conversation.append(message).unwrap();
        }
        let visible = history.conversation.visible();
        let how = Flattening {
            edits: Some(&edits),
            ..Flattening::default()
        };
        let sent = wire::anthropic::messages(&flatten(&visible, &how), &[]);
        assert!(sent.contains(round), "sent whole before it is cleared");
        let done = micro(&clearing(&visible, &edits, &limits, Thinking::Free));
        let Micro::Cleared(done) = done else {
            panic!("{done:?}")
        };
        edits = done.edits;
        let saved = done.saved.iter();
        files.extend(saved.map(|one| (one.file.clone(), one.content().contains(round))));
    }
    insta::assert_debug_snapshot!(files, @r#"
    [
        (
            "call_0.txt",
            true,
        ),
        (
            "_call_0.22d4f356164ad9fa.txt",
            true,
        ),
    ]
    "#);
}
