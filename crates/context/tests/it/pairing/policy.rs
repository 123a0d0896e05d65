//! Every way to make room, on a small window.

use memdir_context::compaction::{
    CachePrices, Clearing, Fixed, Instructions, Means, Micro, Progress, Situation, Summarise,
    SummariseError, SummaryRequest, Thinking, Written, WrittenNotes, make_room, micro, summed_up,
    with_notes,
};
use memdir_context::{
    ClearedLimits, CompactionSwitches, Configured, KeptLimits, Limits, RecordLimits, Thresholds,
};
use memdir_conversation::tokens::{Bytes, Estimate};
use memdir_conversation::{Conversation, Edits, MessageId, Trigger};

use super::random::Random;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Policy {
    Nothing,
    Micro,
    Notes,
    Full,
    InOrder,
}

impl Policy {
    /// All but doing nothing, which every history is judged by first.
    pub(super) const ALL: [Self; 4] = [Self::Micro, Self::Notes, Self::Full, Self::InOrder];
}

pub(super) const PRICES: CachePrices = CachePrices {
    write: 1_250,
    read: 100,
};

/// Sizes at which a history of twenty messages is long.
pub(super) fn small() -> Limits {
    Limits {
        thresholds: Thresholds {
            available: 3_000,
            warning: 50,
            error: 50,
            compaction: 1_500,
            blocking: 2_900,
        },
        cleared: ClearedLimits {
            results: 3,
            standing: 60,
            saving: 20,
        },
        kept: KeptLimits {
            least: 60,
            messages: 3,
            most: 400,
        },
        record: RecordLimits {
            typed: 60,
            files: 40,
            failed: 40,
            summary: 60,
        },
        ..Limits::new(8_000, 1_000, &Configured::default())
    }
}

/// Says what it is told to, after failing as often as it is told to.
pub(super) struct Scripted {
    pub(super) answers: Vec<Result<&'static str, SummariseError>>,
}

impl Summarise for Scripted {
    fn summarise(&mut self, _: &SummaryRequest<'_>) -> Result<Written, SummariseError> {
        let answer = self.answers.pop().unwrap_or(Ok("They talked about tabs."));
        answer.map(|text| Written {
            text: text.to_owned(),
            usage: None,
        })
    }
}

/// Applies a policy to the conversation. Whether anything was done.
pub(super) fn apply(
    policy: Policy,
    random: &mut Random,
    conversation: &mut Conversation,
    edits: &mut Edits,
    thinking: Thinking,
) -> bool {
    let limits = small();
    let held = conversation.clone();
    let visible = held.visible();
    let used: u64 = visible.iter().map(|message| Bytes.message(message)).sum();
    let covered = covered(random, &held);
    let notes = WrittenNotes {
        text: "# Current State\n\nThey talk about tabs.</memdir-said>",
        cut: &[],
        bare: false,
        covered: covered.as_ref(),
    };
    let before = edits.clone();
    let situation = Situation {
        conversation: &held,
        edits: &before,
        weights: &Bytes,
        limits: &limits,
        used,
        fixed: Fixed::default(),
        thinking,
        transcript: Some("/t/session.jsonl"),
        trigger: if random.chance(50) {
            Trigger::Auto
        } else {
            Trigger::Manual
        },
    };
    let mut summariser = Scripted {
        answers: match random.below(4) {
            0 => vec![Err(SummariseError::TooLong); 2],
            1 => vec![Ok(""), Err(SummariseError::Failed("no".to_owned()))],
            _ => Vec::new(),
        },
    };
    let compacted = match policy {
        Policy::Nothing => return false,
        Policy::Micro => {
            let done = micro(&Clearing {
                visible: &visible,
                edits: &before,
                weights: &Bytes,
                used,
                before: 0,
                warning: limits.thresholds.warning,
                limits: limits.cleared,
                folder: "/t/tool-results",
                thinking,
                prices: PRICES,
                tools: &[],
            });
            if let Micro::Cleared(cleared) = done {
                *edits = cleared.edits;
                return true;
            }
            return false;
        }
        Policy::Notes => with_notes(&situation, Some(notes), false).ok(),
        Policy::Full => summed_up(&situation, Instructions::default(), &mut summariser)
            .ok()
            .map(|done| done.compacted),
        Policy::InOrder => {
            let means = Means {
                switches: &CompactionSwitches::default(),
                folder: "/t/tool-results",
                prices: PRICES,
                tools: &[],
                notes: random.chance(50).then_some(notes),
                instructions: Instructions::default(),
            };
            let room = make_room(
                &situation,
                &means,
                &mut Progress::default(),
                Some(&mut summariser),
            );
            if let Some(new) = room.edits() {
                *edits = new.clone();
            }
            if room.compacted.is_none() {
                return room.cleared.is_some();
            }
            room.compacted
        }
    };
    let Some(compacted) = compacted else {
        return false;
    };
    let number = conversation.messages().len();
    compacted
        .append_to(conversation, &format!("b{number}"), &format!("s{number}"))
        .unwrap();
    *edits = compacted.edits;
    true
}

fn covered(random: &mut Random, conversation: &Conversation) -> Option<MessageId> {
    let visible = conversation.visible();
    let at = random.below(visible.len());
    visible.get(at).map(|message| message.id.clone())
}
