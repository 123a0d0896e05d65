use memdir_context::compaction::{
    Event, Instructions, Means, Progress, Room, Situation, Summarise, SummariseError, Thinking,
    WrittenNotes, make_room, wait_for_notes,
};
use memdir_context::{CompactionSwitches, Configured, Limits, Switch};
use memdir_conversation::{Block, Conversation, Edits, Message, MessageId, Trigger};
use std::time::Duration;

use super::{PRICES, Scripted, conversation, read, situation, usual};

fn means<'a>(switches: &'a CompactionSwitches, notes: Option<WrittenNotes<'a>>) -> Means<'a> {
    Means {
        switches,
        folder: "/s/tool-results",
        prices: PRICES,
        tools: &[],
        notes,
        instructions: Instructions::default(),
    }
}

fn told(room: &Room) -> String {
    let lines = room.events.iter().map(|event| match event {
        Event::Cleared {
            files,
            tokens_before,
            tokens_after,
            kinds,
            ..
        } => {
            assert_eq!(
                (kinds.0.total(), kinds.1.total()),
                (*tokens_before, *tokens_after)
            );
            format!(
                "cleared {} results, {tokens_before} -> {tokens_after}",
                files.len()
            )
        }
        Event::AskedProvider => "the provider clears".to_owned(),
        Event::Compacted {
            way,
            trigger,
            tokens_before,
            budget,
            kept,
            kinds,
            ..
        } => {
            assert_eq!(
                (kinds.0.total(), kinds.1.total()),
                (*tokens_before, budget.tokens)
            );
            format!("{way:?} by {trigger:?}: {tokens_before} -> {budget}, {kept} kept")
        }
        Event::Skipped { way, why } => format!("{way:?} not: {why}"),
        Event::Failed {
            way,
            what,
            failures,
        } => format!("{way:?} failed ({failures}): {what}"),
        Event::NoHeadroom(budget) => format!("no headroom: {budget}"),
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A conversation with so many tokens of results, and of words that no clearing can touch.
fn long(results: usize, words: usize) -> Conversation {
    let mut messages = vec![Message::user("1", "go")];
    for number in 0..10 {
        messages.extend(read(&format!("r{number}"), results / 10));
    }
    messages.push(Message::assistant(
        "w",
        vec![Block::text(&"word".repeat(words))],
    ));
    messages.push(Message::user("q", "so?"));
    messages.push(Message::assistant("z", vec![Block::text("done")]));
    messages.push(Message::user("2", "and now?"));
    conversation(messages)
}

fn run(
    conversation: &Conversation,
    trigger: Trigger,
    notes: Option<WrittenNotes<'_>>,
    switches: &CompactionSwitches,
    progress: &mut Progress,
    model: Option<&mut dyn Summarise>,
) -> String {
    let (edits, limits) = (Edits::new(), usual());
    let mut situation = situation(conversation, &edits, &limits);
    situation.trigger = trigger;
    told(&make_room(
        &situation,
        &means(switches, notes),
        progress,
        model,
    ))
}

#[test]
fn clearing_then_notes_then_a_summary() {
    let on = CompactionSwitches::default();
    let covered = MessageId::new("w");
    let notes = WrittenNotes {
        text: "They read.",
        cut: &[],
        bare: false,
        covered: Some(&covered),
    };
    let new = Progress::default;
    let lines = [
        run(
            &long(100_000, 1_000),
            Trigger::Auto,
            None,
            &on,
            &mut new(),
            None,
        ),
        run(
            &long(170_000, 20_000),
            Trigger::Auto,
            None,
            &on,
            &mut new(),
            None,
        ),
        run(
            &long(50_000, 150_000),
            Trigger::Auto,
            None,
            &on,
            &mut new(),
            None,
        ),
        run(
            &long(30_000, 140_000),
            Trigger::Auto,
            Some(notes),
            &on,
            &mut new(),
            None,
        ),
        run(
            &long(150_000, 20_000),
            Trigger::Manual,
            Some(notes),
            &on,
            &mut new(),
            None,
        ),
        run(
            &long(30_000, 140_000),
            Trigger::Auto,
            None,
            &on,
            &mut new(),
            Some(&mut Scripted::default()),
        ),
        run(
            &long(10_000, 10_000),
            Trigger::TooLong,
            None,
            &on,
            &mut new(),
            Some(&mut Scripted::default()),
        ),
    ];
    insta::assert_snapshot!(lines.join("\n\n"), @"
    Micro not: 101,205 tokens, it begins at 160,000
    Notes not: 101,205 tokens, it begins at 167,000
    Full not: 101,205 tokens, it begins at 167,000

    cleared 7 results, 190205 -> 71331
    Notes not: 71,331 tokens, it begins at 167,000
    Full not: 71,331 tokens, it begins at 167,000

    Micro not: it would save 9,964 tokens, 20,000 are worth it
    Notes not: there are no notes
    Full not: no model to ask

    Micro not: results of tools have 30,000 tokens, 40,000 may stand
    Notes by Auto: 170205 -> 140215 of 167000 tokens, 4 kept
    Full not: not needed any more

    Micro not: more was asked for
    Notes by Manual: 170205 -> 35235 of 167000 tokens, 6 kept
    Full not: not needed any more

    Micro not: results of tools have 30,000 tokens, 40,000 may stand
    Notes not: there are no notes
    Full by Auto: 170205 -> 220 of 167000 tokens, 2 kept

    Micro not: results of tools have 10,000 tokens, 40,000 may stand
    Notes not: there are no notes
    Full by TooLong: 180000 -> 220 of 167000 tokens, 2 kept
    ");
}

#[test]
fn what_is_switched_off_is_skipped_and_says_by_whom() {
    let off = |by: &str| Switch::Off { by: by.to_owned() };
    let automatic = CompactionSwitches {
        automatic: off("DISABLE_AUTO_COMPACT"),
        ..Default::default()
    };
    let all = CompactionSwitches {
        automatic: off("DISABLE_COMPACT"),
        manual: off("DISABLE_COMPACT"),
        micro: off("DISABLE_COMPACT"),
        ..Default::default()
    };
    let long = long(50_000, 150_000);
    let lines = [
        run(
            &long,
            Trigger::Auto,
            None,
            &automatic,
            &mut Progress::default(),
            Some(&mut Scripted::default()),
        ),
        run(
            &long,
            Trigger::Manual,
            None,
            &automatic,
            &mut Progress::default(),
            Some(&mut Scripted::default()),
        ),
        run(
            &long,
            Trigger::Manual,
            None,
            &all,
            &mut Progress::default(),
            Some(&mut Scripted::default()),
        ),
    ];
    insta::assert_snapshot!(lines.join("\n\n"), @"
    Micro not: it would save 9,964 tokens, 20,000 are worth it
    Notes not: switched off by DISABLE_AUTO_COMPACT
    Full not: switched off by DISABLE_AUTO_COMPACT

    Micro not: more was asked for
    Notes not: there are no notes
    Full by Manual: 200205 -> 220 of 167000 tokens, 2 kept

    Micro not: switched off by DISABLE_COMPACT
    Notes not: switched off by DISABLE_COMPACT
    Full not: switched off by DISABLE_COMPACT
    ");
}

#[test]
fn after_three_failures_in_a_row_it_is_no_longer_tried() {
    let on = CompactionSwitches::default();
    let long = long(10_000, 160_000);
    let mut progress = Progress::default();
    let mut lines = Vec::new();
    for _ in 0..4 {
        let mut model = Scripted {
            answers: vec![Err(SummariseError::Failed("overloaded".to_owned())); 3],
            ..Scripted::default()
        };
        lines.push(run(
            &long,
            Trigger::Auto,
            None,
            &on,
            &mut progress,
            Some(&mut model),
        ));
    }
    // Somebody who asks is still served, and that ends the row.
    lines.push(run(
        &long,
        Trigger::Manual,
        None,
        &on,
        &mut progress,
        Some(&mut Scripted::default()),
    ));
    insta::assert_snapshot!(lines.join("\n\n"), @"
    Micro not: results of tools have 10,000 tokens, 40,000 may stand
    Notes not: there are no notes
    Full failed (1): no summary after 3 requests: overloaded

    Micro not: results of tools have 10,000 tokens, 40,000 may stand
    Notes not: there are no notes
    Full failed (2): no summary after 3 requests: overloaded

    Micro not: results of tools have 10,000 tokens, 40,000 may stand
    Notes not: there are no notes
    Full failed (3): no summary after 3 requests: overloaded

    Micro not: results of tools have 10,000 tokens, 40,000 may stand
    Notes not: failed 3 times in a row
    Full not: failed 3 times in a row

    Micro not: more was asked for
    Notes not: there are no notes
    Full by Manual: 170205 -> 220 of 167000 tokens, 2 kept
    ");
    assert_eq!(progress.failures, 0);
}

#[test]
fn a_compaction_that_leaves_no_headroom_is_not_repeated() {
    let on = CompactionSwitches::default();
    let mut messages = vec![
        Message::user("1", "go"),
        Message::assistant("2", vec![Block::text("yes")]),
    ];
    messages.push(Message::user("3", "more"));
    messages.extend(read("huge", 180_000));
    let stuck = conversation(messages);
    let mut progress = Progress::default();
    let mut model = Scripted::default();
    let lines = [
        run(
            &stuck,
            Trigger::Auto,
            None,
            &on,
            &mut progress,
            Some(&mut model),
        ),
        run(
            &stuck,
            Trigger::Auto,
            None,
            &on,
            &mut progress,
            Some(&mut model),
        ),
    ];
    insta::assert_snapshot!(lines.join("\n\n"), @"
    Micro not: it would save 0 tokens, 20,000 are worth it
    Notes not: there are no notes
    Full by Auto: 180024 -> 180095 tokens, over the limit of 167000; what cannot shrink is too much by itself: the last call of Read (huge) 180021, the frame of the summary 74, 2 kept
    no headroom: 180095 tokens, over the limit of 167000; what cannot shrink is too much by itself: the last call of Read (huge) 180021, the frame of the summary 74

    Micro not: it would save 0 tokens, 20,000 are worth it
    Notes not: the last compaction left 180,095 tokens, and another would leave no less
    Full not: the last compaction left 180,095 tokens, and another would leave no less
    ");
    assert_eq!(model.asked.len(), 1);
    // What has come since can go.
    let mut more = stuck.clone();
    for message in read("later", 60_000) {
        more.append(message).unwrap();
    }
    more.append(Message::assistant("9", vec![Block::text("done")]))
        .unwrap();
    let again = run(
        &more,
        Trigger::Auto,
        None,
        &on,
        &mut progress,
        Some(&mut model),
    );
    insta::assert_snapshot!(again, @"
    Micro not: it would save 0 tokens, 20,000 are worth it
    Notes not: there are no notes
    Full by Auto: 240046 -> 187 of 167000 tokens, 1 kept
    ");
}

#[test]
fn notes_that_are_being_written_are_waited_for() {
    let wait = |seconds| wait_for_notes(Duration::from_secs(seconds)).map(|wait| wait.as_secs());
    assert_eq!([wait(0), wait(59), wait(60)], [Some(15), Some(15), None]);
}

#[test]
fn in_every_window_results_are_cleared_before_compaction_is_due() {
    let on = CompactionSwitches::default();
    for window in [
        8_000, 16_000, 32_000, 63_999, 64_000, 80_000, 96_000, 100_000, 128_000, 200_000, 1_000_000,
    ] {
        let limits = Limits::new(window, 32_000, &Configured::default());
        let at = limits.thresholds;
        // Nine tenths of the way from the warning to compaction; three quarters of it are results of tools, as is usual.
        let used = at.warning + (at.compaction - at.warning) * 9 / 10;
        let full = usize::try_from(used).unwrap();
        let talk = long(full * 3 / 4, full / 5);
        for thinking in [Thinking::Free, Thinking::Bound] {
            let edits = Edits::new();
            let situation = Situation {
                thinking,
                used,
                ..situation(&talk, &edits, &limits)
            };
            let room = make_room(
                &situation,
                &means(&on, None),
                &mut Progress::default(),
                None,
            );
            assert!(
                room.cleared.is_some() && room.compacted.is_none(),
                "{window}: {}",
                told(&room)
            );
        }
    }
}
