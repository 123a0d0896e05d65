//! What a request will be billed, from what the provider has said so far and an estimate of the rest.

use std::collections::HashMap;
use std::sync::Arc;

use super::Estimate;
use super::cache::Cache;
use super::counts::{Counts, Weights};
use super::factors::{Factors, Lesson};
use super::kinds::{Kinds, Said, Sums};
use crate::{Conversation, Edits, Message, MessageId, Source, Usage};

/// Before a factor is learnt, four thirds of the estimate.
const MARGIN: (u64, u64) = (4, 3);

/// Measures one conversation, again and again: each message is counted once.
///
/// ```
/// use memdir_conversation::tokens::{Basis, Bytes, Factors, Measuring, Meter};
/// use memdir_conversation::{Block, Conversation, Message, Usage};
///
/// let mut conversation = Conversation::new();
/// conversation.append(Message::user("1", "how does the parser report errors?")).unwrap();
/// let mut meter = Meter::new(Bytes, Factors::default());
/// let measure = meter.measure(&conversation, &Measuring::default());
/// // 34 bytes are 9 tokens, and a third on top for safety.
/// assert_eq!((measure.tokens, measure.basis), (12, Basis::Margin));
///
/// let mut reply = Message::assistant("2", vec![Block::text("with a list of problems")]);
/// reply.usage = Some(Usage { input: 3_000, output: 7, ..Usage::default() });
/// conversation.append(reply).unwrap();
/// conversation.append(Message::user("3", "where?")).unwrap();
/// let measure = meter.measure(&conversation, &Measuring::default());
/// assert_eq!((measure.tokens, measure.basis), (3_010, Basis::Usage));
/// ```
#[derive(Debug, Clone)]
pub struct Meter<E> {
    estimate: Counts<E>,
    known: Factors,
    cache: Cache,
    lessons: HashMap<Arc<str>, Lesson>,
    walk: Walk,
    anchor: Option<(MessageId, u64)>,
}

/// What is measured.
#[derive(Debug, Clone, Copy, Default)]
pub struct Measuring<'a> {
    /// What is sent differently from how it was said.
    pub edits: Option<&'a Edits>,
    /// The model that the request goes to; without one, the model of the last response.
    pub model: Option<&'a str>,
    /// Estimated tokens of the system prompt, where it is known.
    pub system: Option<u64>,
    /// Estimated tokens of the definitions of tools, where they are known.
    pub tools: Option<u64>,
    /// The folder in which relative paths begin, where it is known.
    pub folder: Option<&'a str>,
}

/// What a request will be billed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measure {
    /// All of its input.
    pub tokens: u64,
    /// The same by what it is for.
    pub kinds: Kinds,
    /// What this rests on.
    pub basis: Basis,
    /// Tokens for each estimated one.
    pub factor: f64,
}

/// What a measure rests on, the best last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Basis {
    /// An estimate of everything with a margin.
    Margin,
    /// An estimate of everything with the factor learnt for the model.
    Learnt,
    /// What the provider counted for the last response, and an estimate of what came after.
    Usage,
}

/// How far the conversation has been learnt from.
#[derive(Debug, Clone, Default)]
struct Walk {
    messages: usize,
    last: Option<Answered>,
    /// Estimated tokens since the last response, and whether the user spoke.
    since: u64,
    human: bool,
    /// Estimated tokens of all that the next response will have seen.
    seen: u64,
    /// What the first response after the beginning or a compaction was billed, beside its estimate.
    first: HashMap<Arc<str>, (u64, u64)>,
}

#[derive(Debug, Clone)]
struct Answered {
    model: Arc<str>,
    total: u64,
    thought: bool,
}

impl<E: Estimate> Meter<E> {
    /// A meter for one conversation, with what was learnt in others.
    #[must_use]
    pub fn new(estimate: E, known: Factors) -> Self {
        Self {
            estimate: Counts::new(estimate),
            known,
            cache: Cache::default(),
            lessons: HashMap::new(),
            walk: Walk::default(),
            anchor: None,
        }
    }

    /// The estimator, which counts no block twice.
    #[must_use]
    pub fn estimate(&self) -> &Counts<E> {
        &self.estimate
    }

    /// The same in tokens as this model's provider will bill them.
    #[must_use]
    pub fn weights(&self, model: Option<&str>) -> Weights<'_, E> {
        Weights::new(&self.estimate, model.and_then(|model| self.learnt(model)))
    }

    /// What has been learnt, this conversation included, for the next one.
    #[must_use]
    pub fn factors(&self) -> Factors {
        let mut factors = self.known.clone();
        for (model, lesson) in &self.lessons {
            factors.set(self.estimate.name(), model, lesson.factor());
        }
        factors
    }

    /// What has been learnt for a model, once enough of its responses have been seen.
    #[must_use]
    pub fn learnt(&self, model: &str) -> Option<f64> {
        match self.lessons.get(model) {
            Some(lesson) => lesson.factor().learnt(),
            None => self.known.get(self.estimate.name(), model)?.learnt(),
        }
    }

    /// What a request with all that a model sees of this conversation will be billed.
    ///
    /// Results that were cleared since the last response are taken off what the provider counted for it. What was cleared
    /// before this meter first saw that response counts as not sent in it.
    pub fn measure(&mut self, conversation: &Conversation, how: &Measuring<'_>) -> Measure {
        self.learn(conversation);
        let last = last_response(conversation);
        let model = model(conversation, how);
        let learnt = model.and_then(|model| self.learnt(model));
        let edits = how.edits.filter(|edits| !edits.is_empty());
        let careful = learnt.is_none();
        let counted = self.count(conversation, edits, last.map(|(place, ..)| place), careful);
        let usable = last.filter(|(_, message, _)| {
            how.model.is_none()
                || message
                    .model
                    .as_deref()
                    .is_none_or(|of| Some(of) == how.model)
        });
        let (system, tools) = (how.system.unwrap_or(0), how.tools.unwrap_or(0));
        let estimated = counted.sums.total() + system + tools;
        let (tokens, basis) = match (usable, learnt) {
            (Some((_, message, usage)), _) => {
                let gone = self.gone_since(message, counted.gone);
                let held = usage.prompt() + self.written(message, usage, learnt);
                let held = held.saturating_sub(scaled(gone, learnt));
                (held + scaled(counted.after, learnt), Basis::Usage)
            }
            (None, _) => {
                let unknown = match (how.system, how.tools) {
                    (None, None) => self.overhead(model, learnt),
                    _ => 0,
                };
                let basis = if learnt.is_some() {
                    Basis::Learnt
                } else {
                    Basis::Margin
                };
                (scaled(estimated, learnt) + unknown, basis)
            }
        };
        let factor = learnt.unwrap_or(MARGIN.0 as f64 / MARGIN.1 as f64);
        Measure {
            tokens,
            kinds: Kinds::shared(&counted.sums, system, tools, factor, tokens),
            basis,
            factor,
        }
    }

    /// Estimated tokens of a message as it was said, counted once.
    pub fn message(&mut self, message: &Message) -> u64 {
        self.cache.said(&self.estimate, message).total()
    }

    pub(super) fn cache(&self) -> &Cache {
        &self.cache
    }

    fn count(
        &mut self,
        conversation: &Conversation,
        edits: Option<&Edits>,
        last: Option<usize>,
        careful: bool,
    ) -> Counted {
        let mut counted = Counted::default();
        let mut behind = false;
        let last = last.and_then(|place| conversation.messages().get(place));
        for message in conversation.visible() {
            let sent = match edits {
                Some(edits) => {
                    let said = self.cache.said(&self.estimate, message).total();
                    let sent = self.cache.sent(&self.estimate, message, edits);
                    counted.gone += said.saturating_sub(sent.total()) * u64::from(!behind);
                    sent
                }
                None => self.cache.said(&self.estimate, message),
            };
            let sent = match careful {
                true => self.cache.allowing(&self.estimate, message, sent),
                false => sent,
            };
            if behind {
                counted.after += sent.total();
            }
            counted.sums.add(&sent);
            behind |= last.is_some_and(|last| std::ptr::eq(last, message));
        }
        counted
    }

    /// What was taken out since a response was first seen.
    fn gone_since(&mut self, response: &Message, gone: u64) -> u64 {
        match &self.anchor {
            Some((id, before)) if *id == response.id => gone.saturating_sub(*before),
            _ => {
                self.anchor = Some((response.id.clone(), gone));
                0
            }
        }
    }

    /// What a response adds to the next request. Some clients keep the figure from before the response was complete.
    fn written(&mut self, message: &Message, usage: Usage, learnt: Option<f64>) -> u64 {
        let said = self.cache.said(&self.estimate, message);
        let spoken = said.total() - said.of(Said::Thinking);
        if usage.output < spoken / 2 {
            scaled(spoken, learnt)
        } else {
            usage.output
        }
    }

    /// What was billed beyond the messages: system prompt and tools.
    fn overhead(&self, model: Option<&str>, learnt: Option<f64>) -> u64 {
        let first = &self.walk.first;
        let first = model
            .and_then(|model| first.get(model))
            .or_else(|| first.values().max_by_key(|(_, billed)| *billed));
        first.map_or(0, |(estimated, billed)| {
            // Without a factor rather too much of it than too little.
            billed.saturating_sub(scaled(*estimated, Some(learnt.unwrap_or(1.0))))
        })
    }

    /// Learns from the responses that came since the last time.
    fn learn(&mut self, conversation: &Conversation) {
        let places = conversation.messages().iter().enumerate();
        for (place, message) in places.skip(self.walk.messages) {
            if let Source::Boundary(boundary) = &message.source {
                if boundary.kept.len() >= place {
                    // Only what was kept is here: what its responses were billed was mostly for what is not.
                    self.walk.first.clear();
                }
                let kept = boundary.kept.iter().filter_map(|id| conversation.get(id));
                let kept: Vec<&Message> = kept.collect();
                self.walk.last = None;
                self.walk.seen = kept.into_iter().map(|message| self.message(message)).sum();
                self.walk.since = 0;
                continue;
            }
            if !message.is_sent() {
                continue;
            }
            if let (Some(usage), Some(model)) = (counted(message), &message.model) {
                self.hear(message, usage, model);
            } else {
                let tokens = self.message(message);
                self.walk.since += tokens;
                self.walk.seen += tokens;
                self.walk.human |= message.source == Source::User;
            }
        }
        self.walk.messages = conversation.messages().len();
    }

    fn hear(&mut self, message: &Message, usage: Usage, model: &Arc<str>) {
        let known = || Lesson::new(self.known.get(self.estimate.name(), model));
        let lesson = self.lessons.entry(Arc::clone(model)).or_insert_with(known);
        lesson.saw(message.id.as_str());
        match &self.walk.last {
            Some(last) if last.model == *model => {
                // Providers leave earlier thinking out once the user speaks, or do not: nothing can be learnt there.
                let clear = !(last.thought && self.walk.human);
                if clear && let Some(billed) = usage.prompt().checked_sub(last.total) {
                    lesson.observe(self.walk.since, billed);
                }
            }
            _ => {
                let first = (self.walk.seen, usage.prompt());
                self.walk.first.insert(Arc::clone(model), first);
            }
        }
        let said = self.cache.said(&self.estimate, message);
        self.walk.seen += said.total();
        self.walk.since = 0;
        self.walk.human = false;
        self.walk.last = Some(Answered {
            model: Arc::clone(model),
            total: usage.total(),
            thought: said.of(Said::Thinking) > 0,
        });
    }
}

#[derive(Default)]
struct Counted {
    sums: Sums,
    /// What stands behind the last response.
    after: u64,
    /// What was taken out before it.
    gone: u64,
}

/// The last response since the last compaction that its provider has counted.
fn last_response(conversation: &Conversation) -> Option<(usize, &Message, Usage)> {
    let start = conversation.boundary().map_or(0, |(place, _)| place);
    let messages = conversation.messages().iter().enumerate().skip(start);
    messages
        .rev()
        .find_map(|(place, message)| Some((place, message, counted(message)?)))
}

/// What the provider counted for a response. Hosts put words of their own into the model's mouth, such as that a request
/// failed; those were never counted.
fn counted(message: &Message) -> Option<Usage> {
    let usage = message.usage.filter(|_| message.source == Source::Model)?;
    (usage.prompt() > 0).then_some(usage)
}

/// The model that a request goes to, as far as one can tell.
pub(super) fn model<'a>(conversation: &'a Conversation, how: &Measuring<'a>) -> Option<&'a str> {
    let mut messages = conversation.messages().iter().rev();
    how.model.or_else(|| {
        let last = messages.find(|message| message.model.is_some() && counted(message).is_some());
        last.and_then(|message| message.model.as_deref())
    })
}

/// Estimated tokens as they will be billed, rounded up.
pub(super) fn scaled(estimated: u64, learnt: Option<f64>) -> u64 {
    match learnt {
        Some(factor) => (estimated as f64 * factor).ceil() as u64,
        None => (estimated * MARGIN.0).div_ceil(MARGIN.1),
    }
}
