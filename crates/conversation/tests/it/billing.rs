//! Conversations billed by a tokeniser that the estimator does not contain, at a rate it is not told.

use memdir_conversation::tokens::{Estimate, Factors, Measuring, Meter};
use memdir_conversation::{Block, Conversation, Kind, Message, Usage};
use memdir_testkit::texts::{Dice, Sort, text};

/// Counts the tokens that a provider bills.
pub(crate) type Counter<'a> = &'a dyn Fn(&str) -> u64;

/// What was expected of a request, and what it was billed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Point {
    /// Responses that came before it.
    pub(crate) responses: usize,
    /// Tokens that were expected.
    pub(crate) expected: u64,
    /// Tokens that were billed.
    pub(crate) billed: u64,
}

/// How far off estimates were, as shares of what was billed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Errors {
    /// Half of the requests after five responses are nearer than this.
    pub(crate) median: f64,
    /// Nineteen of twenty are.
    pub p95: f64,
    /// The worst of them.
    pub(crate) worst: f64,
    /// How far under what was billed the worst first request was expected; negative if none was.
    pub(crate) first_under: f64,
    /// How far over, in the middle.
    pub(crate) first_over: f64,
}

/// Requests of a conversation.
pub(crate) const REQUESTS: usize = 25;

/// A provider: a tokeniser, a rate, and what each message costs beyond its text.
struct Provider<'a> {
    count: Counter<'a>,
    rate: f64,
}

impl Provider<'_> {
    fn bill(&self, text: &str) -> f64 {
        (self.count)(text) as f64 * self.rate
    }

    fn message(&self, message: &Message) -> f64 {
        let blocks = message.blocks.iter().map(|block| match block.kind() {
            Kind::Text => self.bill(&block.words().unwrap_or_default()),
            Kind::ToolCall { name, .. } => {
                self.bill(name) + self.bill(block.input().unwrap_or_default()) + 14.0
            }
            Kind::ToolResult { .. } => self.bill(&block.result_text()) + 9.0,
            _ => self.bill(block.json()),
        });
        blocks.sum::<f64>() + 4.0
    }
}

/// What a conversation is made of.
#[derive(Default)]
struct Mixture<'a> {
    /// How much there is of each sort.
    shares: Vec<f64>,
    /// Texts beside the generated ones, such as files of a repository.
    own: &'a [String],
    /// The language that is mostly spoken, where it is not English.
    language: Option<Sort>,
}

/// Plays one conversation. `own` are texts beside the generated ones.
pub(crate) fn play<E: Estimate>(
    seed: u64,
    estimate: E,
    count: Counter<'_>,
    own: &[String],
) -> Vec<Point> {
    let from = Mixture {
        own,
        ..Mixture::default()
    };
    played(seed, estimate, count, from, REQUESTS)
}

/// Plays one conversation in a language. It begins with a long message, and every other one has no system prompt that would
/// outweigh it.
pub(crate) fn play_in<E: Estimate>(
    language: Sort,
    seed: u64,
    estimate: E,
    count: Counter<'_>,
    requests: usize,
) -> Vec<Point> {
    let from = Mixture {
        language: Some(language),
        ..Mixture::default()
    };
    played(seed, estimate, count, from, requests)
}

fn played<E: Estimate>(
    seed: u64,
    estimate: E,
    count: Counter<'_>,
    from: Mixture<'_>,
    requests: usize,
) -> Vec<Point> {
    let mut dice = Dice::new(seed);
    let provider = Provider {
        count,
        rate: 0.85 + 0.45 * dice.share(),
    };
    // Each conversation has its own mixture: one is mostly logs, another mostly Chinese.
    let mixture = Mixture {
        shares: Sort::ALL.iter().map(|_| dice.share().powi(2)).collect(),
        ..from
    };
    let bare = mixture.language.is_some() && seed.is_multiple_of(2);
    let mut long = |sort: Sort, least: u64| {
        let bytes = least + dice.below(20_000);
        match bare {
            true => String::new(),
            false => text(sort, bytes as usize, &mut dice),
        }
    };
    let (system, tools) = (long(Sort::Markdown, 4_000), long(Sort::Json, 3_000));
    let overhead = if system.is_empty() { 8.0 } else { 300.0 };
    let mut prompt = provider.bill(&system) + provider.bill(&tools) + overhead;
    let how = Measuring {
        system: Some(estimate.text(&system)),
        tools: Some(estimate.text(&tools)),
        ..Measuring::default()
    };
    let mut meter = Meter::new(estimate, Factors::default());
    let mut conversation = Conversation::new();
    let mut points = Vec::new();
    for responses in 0..requests {
        for message in asked(responses, &mixture, &mut dice) {
            prompt += provider.message(&message);
            conversation.append(message).unwrap();
        }
        let billed = prompt.round() as u64;
        points.push(Point {
            responses,
            expected: meter.measure(&conversation, &how).tokens,
            billed,
        });
        let mut reply = replied(responses, &mut dice);
        let output = provider.message(&reply);
        prompt += output;
        reply.usage = Some(Usage {
            input: 3,
            cache_read: billed - 3,
            output: output.round() as u64,
            ..Usage::default()
        });
        reply.model = Some("model".into());
        conversation.append(reply).unwrap();
    }
    points
}

/// What came since the last reply: results of its tool, and now and then a word of the user's.
fn asked(number: usize, mixture: &Mixture<'_>, dice: &mut Dice) -> Vec<Message> {
    let own = mixture.own;
    let mut messages = Vec::new();
    if number > 0 {
        let bytes = (200.0 * (60.0_f64).powf(dice.share())) as usize;
        let content = match own.get(dice.below(own.len() as u64 * 2) as usize) {
            Some(own) => part(own, bytes, dice),
            None => text(sort(mixture, dice), bytes, dice),
        };
        let result = Block::tool_result(&format!("call_{}", number - 1), &content, false);
        messages.push(Message::results(&format!("results {number}"), vec![result]));
    }
    if let Some(language) = mixture.language.filter(|_| number == 0) {
        let words = text(language, 2_000 + dice.below(20_000) as usize, dice);
        messages.push(Message::user("user 0", &words));
    } else if number == 0 || dice.below(3) == 0 {
        let words = text(sort(mixture, dice), 30 + dice.below(600) as usize, dice);
        messages.push(Message::user(&format!("user {number}"), &words));
    }
    messages
}

fn replied(number: usize, dice: &mut Dice) -> Message {
    let words = text(Sort::Markdown, 50 + dice.below(1_500) as usize, dice);
    let input = format!(
        r#"{{"file_path":"crates/store/src/part_{}.rs"}}"#,
        dice.below(40)
    );
    let call = Block::tool_call(&format!("call_{number}"), "Read", &input).unwrap();
    let blocks = vec![Block::text(&words), call];
    Message::assistant(&format!("reply {number}"), blocks)
}

fn sort(mixture: &Mixture<'_>, dice: &mut Dice) -> Sort {
    if let Some(language) = mixture.language.filter(|_| dice.below(5) < 3) {
        return language;
    }
    let shares = &mixture.shares;
    let mut left = dice.share() * shares.iter().sum::<f64>();
    let found = Sort::ALL.iter().zip(shares).find(|(_, share)| {
        left -= **share;
        left <= 0.0
    });
    found.map_or(Sort::Markdown, |(sort, _)| *sort)
}

fn part(text: &str, bytes: usize, dice: &mut Dice) -> String {
    let start = dice.below(text.len().saturating_sub(bytes) as u64 + 1) as usize;
    let rest = &text[text.floor_char_boundary(start)..];
    rest[..rest.floor_char_boundary(bytes)].to_owned()
}

/// What came of many conversations.
pub(crate) fn errors(points: &[Point]) -> Errors {
    let share = |point: &Point| point.expected as f64 / point.billed as f64 - 1.0;
    let mut later: Vec<f64> = points
        .iter()
        .filter(|point| point.responses >= 5)
        .map(|point| share(point).abs())
        .collect();
    later.sort_by(f64::total_cmp);
    let mut first: Vec<f64> = points
        .iter()
        .filter(|point| point.responses == 0)
        .map(share)
        .collect();
    first.sort_by(f64::total_cmp);
    Errors {
        median: later[later.len() / 2],
        p95: later[later.len() * 95 / 100],
        worst: later[later.len() - 1],
        first_under: -first[0],
        first_over: first[first.len() / 2],
    }
}
