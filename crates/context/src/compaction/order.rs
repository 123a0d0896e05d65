//! Which way to make room comes first, and when to stop trying.

use memdir_conversation::{Edits, Trigger};

use super::economy::CachePrices;
use super::event::{Event, Why};
use super::full::{Instructions, Summarise, SummedUp, summed_up};
use super::micro::{Cleared, Clearing, Micro, Thinking, micro};
use super::notes::{WrittenNotes, with_notes};
use super::provider::ProviderEditing;
use super::situation::{Compacted, Situation};
use crate::switches::{Compaction, CompactionSwitches, Switch, Trigger as SwitchTrigger};

/// A compaction has to leave this share of the threshold free, in per cent; else the next would come at once.
const HEADROOM: u64 = 5;
/// One that left none is tried again once so much has come since, as a share of the threshold in per cent: most of that can go.
const GROWN: u64 = 25;

/// What a conversation remembers from one compaction to the next.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Progress {
    /// How often it failed in a row.
    pub failures: u64,
    /// The threshold at which the last compaction left no headroom, and how many tokens it left.
    pub stuck: Option<(u64, u64)>,
}

/// What is there to make room with.
#[derive(Clone, Copy)]
pub struct Means<'a> {
    /// What is switched on.
    pub switches: &'a CompactionSwitches,
    /// The folder for cleared results, as the model can find it.
    pub folder: &'a str,
    /// What the cache costs.
    pub prices: CachePrices,
    /// The names of the tools in the request.
    pub tools: &'a [&'a str],
    /// The notes of the conversation.
    pub notes: Option<WrittenNotes<'a>>,
    /// What is added to the prompt for a summary.
    pub instructions: Instructions<'a>,
}

/// What was done.
#[derive(Debug, Default)]
pub struct Room {
    /// Results that were cleared; what they saved is to be written before the next request.
    pub cleared: Option<Cleared>,
    /// What the provider is asked to clear.
    pub provider: Option<ProviderEditing>,
    /// What stands in for the conversation.
    pub compacted: Option<Compacted>,
    /// Every step, done or not.
    pub events: Vec<Event>,
}

impl Room {
    /// What is sent differently from now on, if anything changed.
    #[must_use]
    pub fn edits(&self) -> Option<&Edits> {
        let compacted = self.compacted.as_ref().map(|compacted| &compacted.edits);
        compacted.or_else(|| self.cleared.as_ref().map(|cleared| &cleared.edits))
    }

    fn skip(&mut self, way: Compaction, why: Why) {
        self.events.push(Event::Skipped { way, why });
    }
}

/// Makes room before a request: clears results; where that is not enough, lets notes stand in, or else a summary. Never
/// called for a fork, which has to repeat its parent.
pub fn make_room(
    situation: &Situation<'_>,
    means: &Means<'_>,
    progress: &mut Progress,
    summariser: Option<&mut dyn Summarise>,
) -> Room {
    let mut room = Room::default();
    let used = clear(situation, means, &mut room);
    let edits = room.cleared.as_ref().map(|cleared| cleared.edits.clone());
    let situation = Situation {
        edits: edits.as_ref().unwrap_or(situation.edits),
        used,
        ..*situation
    };
    if let Some(why) = unwanted(&situation, progress) {
        room.skip(Compaction::Notes, why.clone());
        room.skip(Compaction::Full, why);
        return room;
    }
    let instructed = !means.instructions.user.is_empty();
    match switched(means, Compaction::Notes, situation.trigger) {
        Some(why) => room.skip(Compaction::Notes, why),
        None => match with_notes(&situation, means.notes, instructed) {
            Ok(compacted) => {
                let done = plain(compacted);
                succeed(&situation, &mut room, progress, Compaction::Notes, done);
                room.skip(Compaction::Full, Why::Done);
                return room;
            }
            Err(why) => room.skip(Compaction::Notes, Why::Notes(why)),
        },
    }
    if let Some(why) = switched(means, Compaction::Full, situation.trigger) {
        room.skip(Compaction::Full, why);
        return room;
    }
    let Some(summariser) = summariser else {
        room.skip(Compaction::Full, Why::NoModel);
        return room;
    };
    match summed_up(&situation, means.instructions, summariser) {
        Ok(summed_up) => succeed(&situation, &mut room, progress, Compaction::Full, summed_up),
        Err(error) => {
            if error.counts() {
                progress.failures += 1;
            }
            room.events.push(Event::Failed {
                way: Compaction::Full,
                what: error.to_string(),
                failures: progress.failures,
            });
        }
    }
    room
}

/// Clears results, if that is wanted. How many tokens the request has then.
fn clear(situation: &Situation<'_>, means: &Means<'_>, room: &mut Room) -> u64 {
    let used = match situation.trigger {
        // Whatever was counted, the provider says that it was too much.
        Trigger::TooLong => situation.used.max(situation.limits.available),
        Trigger::Auto | Trigger::Manual => situation.used,
    };
    if let Some(why) = switched(means, Compaction::Micro, situation.trigger) {
        room.skip(Compaction::Micro, why);
        return used;
    }
    if situation.trigger == Trigger::Manual && situation.thinking != Thinking::BoundWithEditing {
        room.skip(Compaction::Micro, Why::Asked);
        return used;
    }
    let visible = situation.conversation.visible();
    let cleared = micro(&Clearing {
        visible: &visible,
        edits: situation.edits,
        weights: situation.weights,
        used,
        before: situation.fixed.system + situation.fixed.tools,
        warning: situation.limits.thresholds.warning,
        limits: situation.limits.cleared,
        folder: means.folder,
        thinking: situation.thinking,
        prices: means.prices,
        tools: means.tools,
    });
    match cleared {
        Micro::Nothing(why) => {
            room.skip(Compaction::Micro, Why::Nothing(why));
            used
        }
        Micro::Provider(editing) => {
            room.events.push(Event::AskedProvider);
            room.provider = Some(editing);
            used
        }
        Micro::Cleared(cleared) => {
            room.events.push(Event::Cleared {
                files: cleared.saved.iter().map(|one| one.file.clone()).collect(),
                faded: cleared.faded,
                thoughtless: cleared.thoughtless,
                tokens_before: cleared.tokens_before,
                tokens_after: cleared.tokens_after,
                kinds: Box::new((
                    situation.kinds(&visible, situation.edits, cleared.tokens_before),
                    situation.kinds(&visible, &cleared.edits, cleared.tokens_after),
                )),
                break_even: cleared.break_even,
            });
            let after = cleared.tokens_after;
            room.cleared = Some(*cleared);
            after
        }
    }
}

/// Why no compaction is due, where none is.
fn unwanted(situation: &Situation<'_>, progress: &Progress) -> Option<Why> {
    let threshold = situation.limits.thresholds.compaction;
    if situation.trigger == Trigger::Manual {
        return None;
    }
    if situation.used < threshold {
        return Some(Why::Room {
            used: situation.used,
            threshold,
        });
    }
    if progress.failures >= situation.limits.failures {
        return Some(Why::GaveUp {
            failures: progress.failures,
        });
    }
    match progress.stuck {
        Some((at, tokens))
            if at == threshold && situation.used < tokens + threshold * GROWN / 100 =>
        {
            Some(Why::NoHeadroom { tokens })
        }
        _ => None,
    }
}

fn switched(means: &Means<'_>, way: Compaction, trigger: Trigger) -> Option<Why> {
    let trigger = match trigger {
        Trigger::Manual => SwitchTrigger::Manual,
        Trigger::Auto | Trigger::TooLong => SwitchTrigger::Automatic,
    };
    match means.switches.of(way, trigger) {
        Switch::On => None,
        Switch::Off { by } => Some(Why::Off { by: by.clone() }),
    }
}

fn plain(compacted: Compacted) -> SummedUp {
    SummedUp {
        compacted,
        requests: 0,
        dropped: 0,
        empty: false,
        usage: Vec::new(),
    }
}

fn succeed(
    situation: &Situation<'_>,
    room: &mut Room,
    progress: &mut Progress,
    way: Compaction,
    done: SummedUp,
) {
    let compacted = done.compacted;
    let budget = compacted.budget.clone();
    progress.failures = 0;
    let most = budget.limit - budget.limit * HEADROOM / 100;
    progress.stuck = (budget.tokens > most).then_some((budget.limit, budget.tokens));
    room.events.push(Event::Compacted {
        way,
        trigger: compacted.trigger,
        tokens_before: compacted.tokens_before,
        tokens_after: budget.tokens,
        budget: budget.clone(),
        kinds: Box::new(situation.kinds_of(&compacted)),
        kept: compacted.kept.len(),
        cut: compacted.cut.clone(),
        requests: done.requests,
        dropped: done.dropped,
        usage: done.usage,
    });
    if progress.stuck.is_some() {
        room.events.push(Event::NoHeadroom(budget));
    }
    room.compacted = Some(compacted);
}
