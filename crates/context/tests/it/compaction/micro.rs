use memdir_context::Limits;
use memdir_context::compaction::{Clearing, Micro, NothingCleared, Thinking, micro, result_file};
use memdir_conversation::tokens::Bytes;
use memdir_conversation::{Block, Conversation, Edits, Message, Reminded};
use proptest::prelude::*;

use super::{PRICES, conversation, pair, read, usual};

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
        used: limits.thresholds.warning + 5_000,
        before: 10_000,
        warning: limits.thresholds.warning,
        limits: limits.cleared,
        folder: "/s/tool-results",
        thinking,
        prices: PRICES,
        tools: &["Read", "Task", "Bash"],
    }
}

/// What was cleared, a line an edit, and the figures.
fn shown(micro: &Micro) -> String {
    let Micro::Cleared(cleared) = micro else {
        return format!("{micro:?}");
    };
    let mut lines: Vec<String> = cleared
        .edits
        .all_cleared()
        .map(|(message, call, marker)| format!("{message}/{call}: {marker}"))
        .collect();
    lines.extend(
        cleared
            .edits
            .all_faded()
            .map(|(id, marker)| format!("{id}: {marker}")),
    );
    let thoughtless: Vec<&str> = cleared
        .edits
        .all_thoughtless()
        .map(|id| id.as_str())
        .collect();
    lines.push(format!("without thinking: {}", thoughtless.join(" ")));
    let saved = |file: &memdir_context::compaction::SavedResult| {
        format!("{} {}", file.file, file.content().len())
    };
    lines.push(
        cleared
            .saved
            .iter()
            .map(saved)
            .collect::<Vec<_>>()
            .join(", "),
    );
    lines.push(format!(
        "{} -> {}, {:?}",
        cleared.tokens_before, cleared.tokens_after, cleared.break_even
    ));
    lines.join("\n")
}

fn long() -> Conversation {
    let thinking = r#"{"type":"thinking","thinking":"hm","signature":"s"}"#;
    let mut messages = vec![
        Message::user("u1", "first"),
        Message::reminder(
            "r1",
            Reminded::Memories(vec!["user_role.md".into(), "a.md".into()]),
            &"a memory ".repeat(60),
        ),
    ];
    messages.extend(read("a", 15_000));
    messages.extend(pair("task", "Task", "{}", 30_000));
    messages.push(Message::user("u2", "second"));
    messages.extend(pair(
        "b",
        "run_shell_command",
        r#"{"command":"ls"}"#,
        12_000,
    ));
    messages.push(Message::assistant(
        "t",
        vec![Block::from_json(thinking).unwrap(), Block::text("so")],
    ));
    messages.push(Message::user("u3", "third"));
    messages.extend(read("c", 14_000));
    messages.extend(read("d", 14_000));
    messages.push(Message::user("u4", "fourth"));
    messages.extend(read("e", 9_000));
    messages.extend(read("f", 9_000));
    conversation(messages)
}

#[test]
fn the_oldest_results_go_until_few_enough_stand() {
    let (long, limits) = (long(), usual());
    let visible = long.visible();
    let edits = Edits::new();
    let done = micro(&clearing(&visible, &edits, &limits, Thinking::Free));
    insta::assert_snapshot!(shown(&done), @"
    a-result/a: [Cleared to make room. The whole result is in /s/tool-results/a.txt]
    b-result/b: [Cleared to make room. The whole result is in /s/tool-results/b.txt]
    c-result/c: [Cleared to make room. The whole result is in /s/tool-results/c.txt]
    r1: <system-reminder>
    Memories that stood here were taken out to make room. Read the files where they matter: user_role.md, a.md
    </system-reminder>
    without thinking: 
    a.txt 60000, b.txt 48000, c.txt 56000
    165000 -> 123952, BreakEven { rewritten: 113950, saved: 41048, turns: Some(32) }
    ");
}

#[test]
fn where_thinking_is_bound_all_goes_at_once_and_the_thinking_behind_it() {
    let (long, limits) = (long(), usual());
    let visible = long.visible();
    let edits = Edits::new();
    let done = micro(&clearing(&visible, &edits, &limits, Thinking::Bound));
    insta::assert_snapshot!(shown(&done), @"
    a-result/a: [Cleared to make room. The whole result is in /s/tool-results/a.txt]
    b-result/b: [Cleared to make room. The whole result is in /s/tool-results/b.txt]
    c-result/c: [Cleared to make room. The whole result is in /s/tool-results/c.txt]
    r1: <system-reminder>
    Memories that stood here were taken out to make room. Read the files where they matter: user_role.md, a.md
    </system-reminder>
    without thinking: t
    a.txt 60000, b.txt 48000, c.txt 56000
    165000 -> 123939, BreakEven { rewritten: 113937, saved: 41061, turns: Some(32) }
    ");
}

#[test]
fn the_provider_is_asked_where_it_can() {
    let (long, limits) = (long(), usual());
    let visible = long.visible();
    let edits = Edits::new();
    let done = micro(&clearing(
        &visible,
        &edits,
        &limits,
        Thinking::BoundWithEditing,
    ));
    let Micro::Provider(editing) = done else {
        panic!()
    };
    insta::assert_snapshot!(editing.json, @r#"{"edits":[{"type":"clear_tool_uses_20250919","trigger":{"type":"input_tokens","value":160000},"keep":{"type":"tool_uses","value":3},"clear_at_least":{"type":"input_tokens","value":20000},"exclude_tools":["Task"]}]}"#);
}

#[test]
fn reasons_for_clearing_nothing() {
    let limits = usual();
    let edits = Edits::new();
    let few = conversation(read("a", 30_000).into());
    let kept = conversation([read("a", 30_000), read("b", 30_000), read("c", 30_000)].concat());
    let mut below = clearing(&[], &edits, &limits, Thinking::Free);
    below.used = limits.thresholds.warning - 1;
    let mut lines = vec![shown(&micro(&below))];
    for case in [&few, &kept] {
        let visible = case.visible();
        lines.push(shown(&micro(&clearing(
            &visible,
            &edits,
            &limits,
            Thinking::Free,
        ))));
    }
    insta::assert_snapshot!(lines.join("\n"), @"
    Nothing(BelowWarning { used: 159999, warning: 160000 })
    Nothing(FewResults { standing: 30000, limit: 40000 })
    Nothing(SavesLittle { saving: 0, least: 20000 })
    ");
}

#[test]
fn twice_is_once() {
    let (long, limits) = (long(), usual());
    let visible = long.visible();
    for thinking in [Thinking::Free, Thinking::Bound] {
        let none = Edits::new();
        let Micro::Cleared(first) = micro(&clearing(&visible, &none, &limits, thinking)) else {
            panic!()
        };
        let again = micro(&clearing(&visible, &first.edits, &limits, thinking));
        assert!(matches!(
            again,
            Micro::Nothing(NothingCleared::FewResults { .. } | NothingCleared::SavesLittle { .. })
        ));
    }
}

#[test]
fn a_hundred_runs_give_the_same_bytes() {
    let (long, limits) = (long(), usual());
    let visible = long.visible();
    let none = Edits::new();
    let first = micro(&clearing(&visible, &none, &limits, Thinking::Bound));
    for _ in 0..100 {
        assert_eq!(
            micro(&clearing(&visible, &none, &limits, Thinking::Bound)),
            first
        );
    }
}

#[test]
fn an_id_that_is_no_file_name() {
    let long = "x".repeat(10_000);
    let names: Vec<String> = [
        "toolu_1",
        "../../etc/passwd",
        "a/b",
        "a.b",
        "",
        "..",
        "é",
        &long,
    ]
    .iter()
    .map(|id| result_file(id))
    .collect();
    insta::assert_snapshot!(names.join("\n"), @"
    toolu_1.txt
    _------etc-passwd.58374639e1651454.txt
    _a-b.0da3cfa5f8b7fae9.txt
    _a-b.08b918584a9f4bce.txt
    _.af1349b9f5f9a1a6.txt
    _--.ee7fc3886dda7d9a.txt
    _-.46d0ec742ceaad14.txt
    _xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx.064422877641941a.txt
    ");
}

proptest! {
    #[test]
    fn every_id_has_a_file_of_its_own_in_the_folder(
        one in "[a-b./~\\\\é-]{0,4}|\\PC{0,200}", other in "[a-b./~\\\\é-]{0,4}|\\PC{0,200}",
    ) {
        let name = result_file(&one);
        prop_assert!(name.len() <= 110 && !name.starts_with('.') && name.ends_with(".txt"));
        prop_assert!(name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-.".contains(&b)));
        prop_assert_eq!(name == result_file(&other), one == other);
    }
}
