//! Looking at a conversation: what each way of making room would leave of it.

use std::path::Path;

use memdir_context::compaction::{
    CachePrices, Clearing, Compacted, Fixed, FullError, Micro, Record, Situation, Thinking, Why,
    WrittenNotes, files_touched, micro, with_notes,
};
use memdir_context::notes::Summary;
use memdir_context::restore::FileKind;
use memdir_context::{Compaction as Way, CompactionSwitches, Limits, Switch, Trigger as Asked};
use memdir_conversation::tokens::{
    Basis, Estimate, Factors, Kinds, Measure, Meter, Pairs, Weights,
};
use memdir_conversation::transcript::Report as Read;
use memdir_conversation::{Conversation, Edits, Message, MessageId, Trigger};
use memdir_session::instructions::{Allowance, discover};
use memdir_session::{Files, Home};

use super::report::{By, Clear, Compaction, Done, Report};
use super::summing::Summing;
use crate::compaction::switches;
use crate::failure::Failure;
use crate::model::window;
use crate::table::one_line;
use crate::workplace::Workplace;
use crate::written_talk::measured;

/// What Anthropic asks for cached input, as far as a model is not known.
const PRICES: CachePrices = CachePrices {
    write: 1_250,
    read: 100,
};
/// What stands for notes where there are none.
const NO_NOTES: &str =
    "No notes were kept. What follows was gathered from the conversation itself.";

/// Why a way to make room is not gone although somebody asks for it: it is switched off.
pub(super) fn off(switches: &CompactionSwitches, way: Way) -> Option<String> {
    match switches.of(way, Asked::Manual) {
        Switch::On => None,
        Switch::Off { by } => Some(Why::Off { by: by.clone() }.to_string()),
    }
}

/// A conversation and what its next request will be billed.
pub(super) struct Look<'a> {
    files: Files,
    switches: CompactionSwitches,
    path: &'a Path,
    conversation: &'a Conversation,
    read: &'a Read,
    meter: Meter<Pairs>,
    measure: Measure,
    model: Option<String>,
    /// What the messages are billed, and what they are estimated at.
    billed: (u64, u64),
}

/// What is to stand in place of the conversation.
pub(super) enum How<'a> {
    /// Its notes, where there are some.
    Notes(Option<Noted>),
    /// What a model writes.
    Model(&'a Summing<'a>),
}

/// Notes, and how far they go; without that, all of the conversation.
pub(super) struct Noted {
    pub(super) summary: Summary,
    pub(super) covered: Option<MessageId>,
}

/// What is told, and what would stand in place of the conversation.
pub(super) struct Looked {
    pub(super) report: Report,
    pub(super) compacted: Option<Compacted>,
}

/// Estimates so scaled that all messages have what they are billed: what goes and what stays then add up.
pub(super) struct Billed<'a> {
    weights: Weights<'a, Pairs>,
    share: (u64, u64),
}

impl Estimate for Billed<'_> {
    fn text(&self, text: &str) -> u64 {
        self.scaled(self.weights.text(text))
    }

    fn block(&self, block: &memdir_conversation::Block) -> u64 {
        self.scaled(self.weights.block(block))
    }
}

impl Billed<'_> {
    fn scaled(&self, tokens: u64) -> u64 {
        let (billed, estimated) = self.share;
        let tokens = u128::from(tokens) * u128::from(billed);
        let tokens = tokens.div_ceil(u128::from(estimated.max(1)));
        u64::try_from(tokens).unwrap_or(u64::MAX)
    }
}

impl<'a> Look<'a> {
    pub(super) fn new(
        workplace: &Workplace,
        path: &'a Path,
        conversation: &'a Conversation,
        read: &'a Read,
    ) -> Self {
        let mut meter = Meter::new(Pairs, Factors::default());
        let measure = measured(&mut meter, conversation, read);
        let model = conversation.model().map(str::to_owned);
        let mut look = Self {
            files: files(workplace, read),
            switches: switches(workplace),
            path,
            conversation,
            read,
            meter,
            measure,
            model,
            billed: (1, 1),
        };
        let estimated = Kinds::of(conversation.visible(), &Edits::new(), &look.weights()).total();
        let billed = measure.tokens.saturating_sub(look.fixed().total());
        if estimated > 0 {
            look.billed = (billed, estimated);
        }
        look
    }

    /// How the messages of this conversation are counted.
    pub(super) fn weights(&self) -> Billed<'_> {
        Billed {
            weights: self.meter.weights(self.model.as_deref()),
            share: self.billed,
        }
    }

    /// How many tokens the model takes that it was led with.
    pub(super) fn window(&self, workplace: &Workplace, asked: Option<u64>) -> Result<u64, Failure> {
        let told = asked.or(self.read.window);
        window(workplace, told, self.model.as_deref(), self.measure.tokens)
    }

    /// What is outside of the messages.
    fn fixed(&self) -> Fixed {
        let kinds = &self.measure.kinds;
        Fixed {
            system: kinds.system + kinds.unaccounted,
            tools: kinds.tools,
            instructions: 0,
        }
    }

    /// `transcript` is where the summary says that the whole conversation is.
    ///
    /// Fails when a model was asked in vain.
    pub(super) fn at(
        &self,
        limits: &Limits,
        how: &How<'_>,
        transcript: &str,
    ) -> Result<Looked, FullError> {
        let weights = self.weights();
        let visible = self.conversation.visible();
        let edits = Edits::new();
        let situation = Situation {
            conversation: self.conversation,
            edits: &edits,
            weights: &weights,
            limits,
            used: self.measure.tokens,
            fixed: self.fixed(),
            thinking: Thinking::Free,
            transcript: Some(transcript),
            trigger: Trigger::Manual,
        };
        let clearing = self.clearing(&situation, &visible);
        let way = match how {
            How::Notes(_) => Way::Notes,
            How::Model(_) => Way::Full,
        };
        let found = match (off(&self.switches, way), how) {
            (Some(off), _) => Err(off),
            (None, How::Notes(notes)) => self.with_notes(&situation, notes.as_ref()),
            (None, How::Model(summing)) => match summing.sum_up(&situation, &visible) {
                Err(FullError::Nothing) => Err(FullError::Nothing.to_string()),
                summed_up => {
                    let summed_up = summed_up?;
                    let by = By::of(summing.model(), &summed_up);
                    Ok((summed_up.compacted, Some(by)))
                }
            },
        };
        let (compaction, compacted) = match found {
            Err(why_not) => (Compaction::Impossible { why_not }, None),
            Ok((compacted, by)) => {
                let notes = matches!(how, How::Notes(Some(_)));
                let done = self.done(&situation, &visible, &compacted, (notes, by));
                (Compaction::Possible(Box::new(done)), Some(compacted))
            }
        };
        let report = Report {
            file: self.path.to_owned(),
            format: self.read.format.name(),
            messages: visible.len(),
            model: self.model.clone(),
            tokens: self.measure.tokens,
            basis: match self.measure.basis {
                Basis::Margin => "margin",
                Basis::Learnt => "learnt",
                Basis::Usage => "usage",
            },
            kinds: self.kinds(Kinds::of(visible, &edits, &weights), self.measure.tokens),
            window: limits.window,
            limit: limits.thresholds.compaction,
            clearing,
            compaction,
            written: None,
        };
        Ok(Looked { report, compacted })
    }

    /// The notes in its place, or what is gathered without any.
    fn with_notes(
        &self,
        situation: &Situation<'_>,
        notes: Option<&Noted>,
    ) -> Result<(Compacted, Option<By>), String> {
        let visible = situation.conversation.visible();
        let last = visible.last().map(|message| &message.id);
        let written = WrittenNotes {
            text: notes.map_or(NO_NOTES, |notes| &notes.summary.text),
            cut: notes.map_or(&[], |notes| &notes.summary.cut),
            bare: false,
            covered: notes.and_then(|notes| notes.covered.as_ref()).or(last),
        };
        let compacted = with_notes(situation, Some(written), false);
        compacted
            .map(|compacted| (compacted, None))
            .map_err(|why| why.to_string())
    }

    /// The tokens of messages with what is outside of them, so many in all.
    fn kinds(&self, messages: Kinds, tokens: u64) -> Kinds {
        let kinds = &self.measure.kinds;
        let all = Kinds {
            system: kinds.system,
            tools: kinds.tools,
            ..messages
        };
        all.up_to(tokens)
    }

    fn clearing(&self, situation: &Situation<'_>, visible: &[&Message]) -> Clear {
        if let Some(why_not) = off(&self.switches, Way::Micro) {
            return Clear::Impossible { why_not };
        }
        let fixed = situation.fixed;
        let cleared = micro(&Clearing {
            visible,
            edits: situation.edits,
            weights: situation.weights,
            used: situation.used,
            before: fixed.system + fixed.tools,
            warning: situation.limits.thresholds.warning,
            limits: situation.limits.cleared,
            folder: "tool-results",
            thinking: situation.thinking,
            prices: PRICES,
            tools: &[],
        });
        match cleared {
            Micro::Cleared(cleared) => {
                let messages = visible.iter().copied();
                let after = Kinds::of(messages, &cleared.edits, situation.weights);
                Clear::Possible {
                    results: cleared.saved.len(),
                    faded: cleared.faded,
                    tokens_after: cleared.tokens_after,
                    kinds_after: Box::new(self.kinds(after, cleared.tokens_after)),
                    turns: cleared.break_even.turns,
                }
            }
            Micro::Nothing(why) => Clear::Impossible {
                why_not: Why::Nothing(why).to_string(),
            },
            Micro::Provider(_) => Clear::Impossible {
                why_not: "the provider does it".to_owned(),
            },
        }
    }

    fn done(
        &self,
        situation: &Situation<'_>,
        visible: &[&Message],
        compacted: &Compacted,
        (notes, by): (bool, Option<By>),
    ) -> Done {
        let kept = |message: &&&Message| compacted.kept.contains(&message.id);
        let messages = self.conversation.messages();
        let record = Record::of(messages, |id| compacted.kept.contains(id));
        let mut read = files_touched(
            self.conversation,
            &compacted.kept,
            &compacted.edits,
            &|path| self.files.named(path),
        );
        read.retain(|file| !file.kept && file.kind == FileKind::Ordinary);
        read.sort_by_key(|file| std::cmp::Reverse(file.when));
        read.truncate(situation.limits.restored.files);
        let mut words = visible.iter().filter(kept).map(|message| message.words());
        let first = words.find(|words| !words.trim().is_empty());
        let staying = visible.iter().filter(kept).copied();
        let mut after = Kinds::of(staying, &compacted.edits, situation.weights);
        after.summaries += situation.weights.text(&compacted.summary);
        Done {
            tokens_after: compacted.budget.tokens,
            kinds_after: self.kinds(after, compacted.budget.tokens),
            notes,
            by,
            cut: compacted.cut.clone(),
            goes: visible.len() - compacted.kept.len(),
            stays: compacted.kept.len(),
            first: first.map(|words| one_line(&words).into_owned()),
            typed: record.typed(),
            files: record.files().len(),
            failed: record.failed().len(),
            restored: read.into_iter().map(|file| file.path).collect(),
            room_to_restore: compacted.room_to_restore,
            summary: compacted.summary.clone(),
        }
    }
}

/// What the files of a conversation are that is written down, in the folder in which it began.
fn files(workplace: &Workplace, read: &Read) -> Files {
    let here = workplace.home();
    let folder = read
        .cwd
        .as_deref()
        .map_or(&*here.places.start_folder, Path::new);
    // The folder may be gone, or another machine's: names and places still tell.
    let home = Home::find(here.environment.clone().with_project(folder)).unwrap_or(here.clone());
    let found = discover(&home, Allowance::of(&home));
    Files::new(&home, folder, found.as_ref(), None)
}
