//! What it costs to make a request of a long conversation. Prints a line `name value` for each figure; `cargo xtask bench
//! context` builds it, runs it and makes a table of it. Times are nanoseconds.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    missing_docs,
    reason = "a program that prints figures"
)]

use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};

use memdir_context::compaction::{CachePrices, Clearing, Micro, Thinking, micro};
use memdir_context::{Configured, Limits};
use memdir_conversation::tokens::{Estimate as _, Factors, Measuring, Meter, Pairs};
use memdir_conversation::{
    Block, Conversation, Edits, Flattening, Kind, Message, Usage, flatten, wire,
};
use memdir_testkit::texts::{Dice, Sort, text};
use serde_json::Value;

const USAGE: &str = "usage: context MESSAGES TOKENS ROUNDS";
const MODEL: &str = "model";
const FOLDER: &str = "/home/ada/.claude/projects/-home-ada-example/0b1c/tool-results";
const PRICES: CachePrices = CachePrices {
    write: 1_250,
    read: 100,
};

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| word != "--bench")
        .collect();
    let [messages, tokens, rounds] = words.as_slice() else {
        return Err(USAGE.into());
    };
    measure(messages.parse()?, tokens.parse()?, rounds.parse()?)
}

fn measure(messages: usize, tokens: usize, rounds: usize) -> Result<(), Box<dyn Error>> {
    let (conversation, last) = planted(messages, tokens)?;
    let mut whole = conversation.clone();
    whole.append(last)?;
    let json = sent(&whole);
    println!("tokens {}", counted(&whole));
    println!("bytes {}", json.len());

    // All but the last message are known, as before every request.
    let mut known = Meter::new(Pairs, Factors::default());
    known.measure(&conversation, &Measuring::default());
    // A usual window, in which it is time to clear results, and the same where just as many may stand: the longest way to
    // find that nothing is to be done.
    let full = Limits::new(200_000, 32_000, &Configured::default());
    let mut roomy = full;
    roomy.cleared.standing = u64::MAX;
    let due = prepared(&mut known.clone(), &whole, &full);
    let not_due = prepared(&mut known.clone(), &whole, &roomy);
    if !matches!(not_due.micro, Micro::Nothing(_)) {
        return Err("results were to stand".into());
    }
    println!("cleared {}", due.saved);
    println!("cleared_bytes {}", due.json.len());
    let (mut parse, mut again) = (Vec::new(), Vec::new());
    let (mut request, mut clearing) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        parse.push(time(|| serde_json::from_str::<Value>(&json).unwrap()));
        let mut meter = known.clone();
        request.push(time(|| prepared(&mut meter, &whole, &roomy)));
        let mut meter = known.clone();
        clearing.push(time(|| prepared(&mut meter, &whole, &full)));
        let mut meter = known.clone();
        again.push(time(|| meter.measure(&whole, &Measuring::default())));
    }
    let (mut bare, mut first) = (Vec::new(), Vec::new());
    // A tokeniser takes its time: fewer rounds tell enough.
    for _ in 0..rounds.div_ceil(10) {
        bare.push(time(|| counted(&whole)));
        let mut meter = Meter::new(Pairs, Factors::default());
        first.push(time(|| meter.measure(&whole, &Measuring::default())));
    }
    report("parse", parse);
    report("request", request);
    report("clearing", clearing);
    report("again", again);
    report("bare", bare);
    report("first", first);
    Ok(())
}

/// All that happens to a conversation before a request.
fn prepared(meter: &mut Meter<Pairs>, conversation: &Conversation, limits: &Limits) -> Prepared {
    let measure = meter.measure(conversation, &Measuring::default());
    let visible = conversation.visible();
    let edits = Edits::new();
    let micro = micro(&Clearing {
        visible: &visible,
        edits: &edits,
        weights: &meter.weights(Some(MODEL)),
        used: measure.tokens,
        before: 12_000,
        warning: limits.thresholds.warning,
        limits: limits.cleared,
        folder: FOLDER,
        thinking: Thinking::Free,
        prices: PRICES,
        tools: &["Read"],
    });
    let (edits, saved) = match &micro {
        Micro::Cleared(cleared) => (Some(&cleared.edits), cleared.saved.len()),
        _ => (None, 0),
    };
    let how = Flattening {
        edits,
        ..Flattening::default()
    };
    let json = wire::anthropic::messages(&flatten(&visible, &how), &[]);
    Prepared { json, saved, micro }
}

/// A request, and what it took to make it.
struct Prepared {
    json: String,
    saved: usize,
    micro: Micro,
}

fn sent(conversation: &Conversation) -> String {
    let flat = flatten(&conversation.visible(), &Flattening::default());
    wire::anthropic::messages(&flat, &[])
}

/// The tokeniser by itself, over the same texts.
fn counted(conversation: &Conversation) -> u64 {
    let blocks = conversation
        .messages()
        .iter()
        .flat_map(|message| &message.blocks);
    let texts = blocks.map(|block| match block.kind() {
        Kind::Text => Pairs.text(&block.words().unwrap_or_default()),
        Kind::ToolResult { .. } => Pairs.text(&block.result_text()),
        _ => Pairs.text(block.json()),
    });
    texts.sum()
}

/// A conversation of so many messages and about so many tokens, and the message that comes next.
fn planted(messages: usize, tokens: usize) -> Result<(Conversation, Message), Box<dyn Error>> {
    let mut dice = Dice::new(1);
    let mut conversation = Conversation::new();
    conversation.append(Message::user("first", "go through all of it"))?;
    let rounds = messages.div_ceil(2).saturating_sub(1).max(1);
    // A result has most of the bytes, and a token a little over three of them.
    let bytes = (tokens * 13 / 4 / rounds).saturating_sub(360);
    let mut prompt = 12_000;
    for number in 0..rounds {
        let id = format!("toolu_{:024x}", dice.number());
        let input = format!(r#"{{"file_path":"/home/ada/example/src/part_{number}.rs"}}"#);
        let call = Block::tool_call(&id, "Read", &input)?;
        let words = Block::text(&text(Sort::Markdown, 60, &mut dice));
        let mut reply = Message::assistant(&format!("{:032x}", dice.number()), vec![words, call]);
        reply.model = Some(MODEL.into());
        reply.usage = Some(Usage {
            input: prompt,
            output: 80,
            ..Usage::default()
        });
        prompt += 200;
        conversation.append(reply)?;
        let sorts = Sort::ALL.len() as u64;
        let sort = Sort::ALL.get(dice.below(sorts) as usize).copied();
        let content = text(sort.unwrap_or(Sort::Code), bytes, &mut dice);
        let result = Block::tool_result(&id, &content, false);
        let result = Message::results(&format!("{:032x}", dice.number()), vec![result]);
        if number + 1 == rounds {
            return Ok((conversation, result));
        }
        conversation.append(result)?;
    }
    Err("no messages".into())
}

fn time<T>(work: impl FnOnce() -> T) -> Duration {
    let begun = Instant::now();
    let made = black_box(work());
    let taken = begun.elapsed();
    drop(made);
    taken
}

fn report(name: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    for (label, share) in [("median", 50), ("p90", 90)] {
        let place = (times.len() * share / 100).min(times.len().saturating_sub(1));
        let time = times.get(place).copied().unwrap_or_default();
        println!("{name}_{label} {}", time.as_nanos());
    }
}
