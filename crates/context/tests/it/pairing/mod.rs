//! Random histories through every way to make room, judged as both APIs would.

mod history;
mod policy;
mod random;

use memdir_context::compaction::Thinking;
use memdir_conversation::{Edits, Flat, Flattening, Message, Role, Source, flatten, wire};
use memdir_testkit::oracle::{self, anthropic};
use serde_json::{Value, json};

use history::History;
use policy::{Policy, apply};
use random::Random;

/// What one run has seen.
#[derive(Default)]
struct Seen {
    requests: u64,
    compactions: u64,
    mended: u64,
}

/// How a history is sent.
#[derive(Clone, Copy)]
struct Sending {
    thinking: Thinking,
    system_messages: bool,
}

impl Sending {
    fn model(self) -> &'static str {
        match self.thinking {
            Thinking::Free => "claude-opus-4-8",
            _ => "claude-opus-5-5",
        }
    }

    /// What may be sent of a conversation as it stands; nothing where nothing is left.
    fn flat<'a>(self, visible: &[&'a Message], edits: &Edits) -> Option<Flat<'a>> {
        let how = Flattening {
            edits: Some(edits),
            system_messages: self.system_messages,
        };
        Some(flatten(visible, &how)).filter(|flat| !flat.messages.is_empty())
    }

    fn anthropic(self, flat: &Flat<'_>) -> Value {
        let last = flat.messages.len() - 1;
        let messages = parsed(&wire::anthropic::messages(flat, &[last]));
        json!({"model": self.model(), "max_tokens": 1000, "messages": messages})
    }
}

fn openai(flat: &Flat<'_>) -> Value {
    json!({"model": "gpt-5.6", "messages": parsed(&wire::openai::messages(flat))})
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// One history through every policy, each twice with some talk between.
fn judge(seed: u64, seen: &mut Seen) {
    for policy in Policy::ALL {
        for thinking in [Thinking::Free, Thinking::Bound] {
            judge_policy(seed, policy, thinking, seen);
        }
    }
}

fn judge_policy(seed: u64, policy: Policy, thinking: Thinking, seen: &mut Seen) {
    let mut random = Random::new(seed);
    let sending = Sending {
        thinking,
        system_messages: random.chance(50),
    };
    let mut history = History::random(&mut random);
    let mut edits = Edits::new();
    let mut witness = anthropic::Witness::default();
    let Some(first) = sending.flat(&history.conversation.visible(), &edits) else {
        return;
    };
    seen.mended += u64::from(!first.repairs.is_empty());
    // What was made up counts as sent by the server.
    witness.conversation(&sending.anthropic(&first));
    for _ in 0..2 {
        let conversation = &mut history.conversation;
        let done = apply(policy, &mut random, conversation, &mut edits, thinking);
        seen.compactions += u64::from(done);
        let visible = history.conversation.visible();
        let flat = sending.flat(&visible, &edits);
        let flat = flat.expect("something is always left to send");
        let (ours, theirs) = (sending.anthropic(&flat), openai(&flat));
        seen.requests += 2;
        let wrong = [
            anthropic::check(&ours),
            witness.check(&ours),
            oracle::openai::check(&theirs),
        ]
        .concat();
        assert!(
            wrong.is_empty(),
            "seed {seed}, {policy:?}, {thinking:?}: {wrong:#?}\n{ours}"
        );
        history.sent();
        let reply = history.reply_blocks(&mut random);
        witness.sent(&ours, &serde_json::to_value(&reply).unwrap());
        history.push(Role::Assistant, Source::Model, reply);
        let length = random.below(4);
        history.grow(&mut random, length);
        if let Some(grown) = sending.flat(&history.conversation.visible(), &edits) {
            witness.conversation(&sending.anthropic(&grown));
        }
    }
}

#[test]
fn no_way_to_make_room_breaks_a_request() {
    let mut seen = Seen::default();
    for seed in 0..2_000 {
        // One way each, so that the test takes seconds; `cargo xtask fuzz-pairing` goes every way with each.
        let policy = Policy::ALL[seed % Policy::ALL.len()];
        let thinking = [Thinking::Free, Thinking::Bound][seed / Policy::ALL.len() % 2];
        judge_policy(seed as u64, policy, thinking, &mut seen);
    }
    // A run that compacts nothing would prove nothing.
    assert!(seen.compactions > 1_500, "{}", seen.compactions);
    assert!(seen.mended > 200, "{}", seen.mended);
}

/// Every way with each history: a few here, as many as somebody asks for by `cargo xtask fuzz-pairing`.
#[test]
fn as_many_histories_as_asked_for() {
    let number = |name: &str, default: u64| {
        let value = std::env::var(name).ok();
        value.map_or(default, |value| value.parse().expect("a number"))
    };
    let histories = number("MEMDIR_FUZZ_HISTORIES", 20);
    let seed = number("MEMDIR_FUZZ_SEED", 1);
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let seen: Vec<Seen> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|worker| {
                scope.spawn(move || {
                    let mut seen = Seen::default();
                    for history in (worker..histories).step_by(threads as usize) {
                        judge(seed.wrapping_mul(1 << 40).wrapping_add(history), &mut seen);
                    }
                    seen
                })
            })
            .collect();
        workers
            .into_iter()
            .map(|worker| worker.join().expect("a history broke a request"))
            .collect()
    });
    let sum = |of: fn(&Seen) -> u64| seen.iter().map(of).sum::<u64>();
    println!(
        "{histories} histories, {} compactions, {} requests judged, none invalid",
        sum(|seen| seen.compactions),
        sum(|seen| seen.requests)
    );
}
