//! What was sent stays as it was sent, but for a declared compaction.

use memdir_context::CompactionSwitches;
use memdir_context::compaction::{
    Clearing, Event, Instructions, Means, Micro, Progress, Thinking, make_room, micro,
};
use memdir_conversation::tokens::Bytes;
use memdir_conversation::transcript::{Format, Reading};
use memdir_conversation::{Block, Conversation, Edits, Flattening, Message, flatten, wire};

use super::{PRICES, Scripted, pair, read, situation, usual};

/// The messages of a request, one by one.
fn sent(conversation: &Conversation, edits: &Edits) -> Vec<String> {
    let visible = conversation.visible();
    let how = Flattening {
        edits: Some(edits),
        system_messages: false,
    };
    let flat = flatten(&visible, &how);
    flat.messages.iter().map(wire::anthropic::message).collect()
}

#[test]
fn every_earlier_message_is_sent_with_the_same_bytes() {
    let limits = usual();
    let mut conversation = Conversation::new();
    let mut edits = Edits::new();
    let mut last: Vec<String> = Vec::new();
    let mut broken_at = Vec::new();
    for turn in 0..40 {
        let mut new = vec![Message::user(&format!("u{turn}"), "next")];
        new.extend(read(&format!("r{turn}"), 5_000));
        new.extend(pair(
            &format!("b{turn}"),
            "Bash",
            r#"{"command":"ls"}"#,
            500,
        ));
        for message in new {
            conversation.append(message).unwrap();
        }
        let visible = conversation.visible();
        let used = sent(&conversation, &edits)
            .iter()
            .map(|one| one.len() as u64 / 4)
            .sum();
        let done = micro(&Clearing {
            visible: &visible,
            edits: &edits,
            weights: &Bytes,
            used,
            before: 0,
            warning: 60_000,
            limits: limits.cleared,
            folder: "/s/tool-results",
            thinking: Thinking::Free,
            prices: PRICES,
            tools: &[],
        });
        let declared = matches!(done, Micro::Cleared(_));
        if let Micro::Cleared(cleared) = done {
            edits = cleared.edits;
        }
        let now = sent(&conversation, &edits);
        let same = now.starts_with(&last);
        assert!(same || declared, "turn {turn} changed what was sent");
        if !same {
            broken_at.push(turn);
        }
        last = now;
        conversation
            .append(Message::assistant(
                &format!("a{turn}"),
                vec![Block::text("done")],
            ))
            .unwrap();
        last.push(sent(&conversation, &edits).pop().unwrap());
    }
    // Clearing comes in steps that are worth it, not at every turn.
    insta::assert_debug_snapshot!(broken_at, @"
    [
        10,
        14,
        18,
        22,
        26,
        30,
        34,
        38,
    ]
    ");
}

/// A mark for the cache, which moves from request to request.
const MARK: &str = r#","cache_control":{"type":"ephemeral"}"#;

/// The messages of a request to each API, without their last bracket: Anthropic's with a mark at the end.
fn requests(conversation: &Conversation, edits: &Edits) -> [String; 2] {
    let visible = conversation.visible();
    let how = Flattening {
        edits: Some(edits),
        system_messages: false,
    };
    let flat = flatten(&visible, &how);
    let marked = wire::anthropic::messages(&flat, &[flat.messages.len() - 1]);
    assert_eq!(marked.matches(MARK).count(), 1);
    let both = [marked.replace(MARK, ""), wire::openai::messages(&flat)];
    both.map(|json| json.strip_suffix(']').unwrap().to_owned())
}

#[test]
fn for_both_apis_only_a_declared_compaction_changes_what_was_sent() {
    let limits = usual();
    let switches = CompactionSwitches::default();
    let means = Means {
        switches: &switches,
        folder: "/s/tool-results",
        prices: PRICES,
        tools: &[],
        notes: None,
        instructions: Instructions::default(),
    };
    let mut conversation = Conversation::new();
    let mut edits = Edits::new();
    let mut progress = Progress::default();
    let mut last: Option<[String; 2]> = None;
    let mut changed = Vec::new();
    for turn in 0..60 {
        let mut new = vec![Message::user(&format!("u{turn}"), "next \u{e9} \"quoted\"")];
        // Ids that Anthropic's API refuses are sent as others, and always the same.
        new.extend(read(&format!("r:{turn}"), 5_000));
        new.push(Message::assistant(
            &format!("w{turn}"),
            vec![Block::text(&"word".repeat(3_000))],
        ));
        new.push(Message::user(&format!("v{turn}"), "so?"));
        for message in new {
            conversation.append(message).unwrap();
        }
        let before = conversation.clone();
        let room = make_room(
            &situation(&before, &edits, &limits),
            &means,
            &mut progress,
            Some(&mut Scripted::default()),
        );
        let declared = room
            .events
            .iter()
            .any(|event| matches!(event, Event::Cleared { .. } | Event::Compacted { .. }));
        if let Some(new) = room.edits() {
            edits = new.clone();
        }
        if let Some(compacted) = &room.compacted {
            let (boundary, summary) = (format!("b{turn}"), format!("s{turn}"));
            compacted
                .append_to(&mut conversation, &boundary, &summary)
                .unwrap();
        }
        let now = requests(&conversation, &edits);
        let same = last.as_ref().is_none_or(|last| {
            let both = last.iter().zip(&now);
            both.into_iter().all(|(last, now)| now.starts_with(last))
        });
        assert!(same || declared, "turn {turn} changed what was sent");
        if !same {
            changed.push(turn);
        }
        last = Some(now);
        conversation
            .append(Message::assistant(
                &format!("a{turn}"),
                vec![Block::text("done")],
            ))
            .unwrap();
    }
    insta::assert_compact_debug_snapshot!(changed, @"[19, 20, 40, 41]");
}

#[test]
fn what_was_received_goes_back_as_its_raw_json() {
    let blocks = [
        r#"{"text":"caf\u00e9 \/ 1.0e3",  "type":"text", "unknown":[1.50, {}]}"#,
        r#"{ "type":"tool_use","id":"a","name":"Read","input":{"z":1,"a":1e2,"file_path":"\u002fp"},"extra":null}"#,
        r#"{"type":"thinking","thinking":"hm\u0020","signature":"c2ln"}"#,
        r#"{"is_error":false, "tool_use_id":"a","type":"tool_result","content":[{"text":"\u4e2d","type":"text"}]}"#,
    ];
    let [text, call, thinking, result] = blocks;
    let request = format!(
        r#"[{{"role":"user","content":"go"}},{{"role":"assistant","content":[{thinking},{text},{call}]}},{{"role":"user","content":[{result}]}}]"#
    );
    let (conversation, _) = memdir_conversation::transcript::conversation(
        Format::Anthropic,
        std::io::Cursor::new(request.into_bytes()),
        &Reading::default(),
    )
    .unwrap();
    let sent = sent(&conversation, &Edits::new()).join("\n");
    for block in blocks {
        assert!(sent.contains(block), "{block}\n{sent}");
    }
}
