//! What was sent stays as it was sent, but for a declared compaction.

use memdir_context::compaction::{Clearing, Micro, Thinking, micro};
use memdir_conversation::tokens::Bytes;
use memdir_conversation::{Block, Conversation, Edits, Flattening, Message, flatten, wire};

use super::{PRICES, pair, read, usual};

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
