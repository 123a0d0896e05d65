//! Random histories through every way to make room, judged as both APIs would.

mod history;
mod laws;
mod policy;
mod random;

use std::collections::HashSet;

use memdir_context::compaction::Thinking;
use memdir_conversation::{Edits, Flat, Flattening, Message, Role, Source, flatten, wire};
use memdir_testkit::oracle::{self, anthropic};
use serde_json::Value;

use history::History;
use policy::{Policy, apply};
use random::Random;

const THINKING: [Thinking; 2] = [Thinking::Free, Thinking::Bound];

/// What one run has seen.
#[derive(Default)]
struct Seen {
    /// Those that differ: the same bytes get the same answer.
    requests: u64,
    compactions: u64,
    mended: u64,
    /// What the other API has taken of the history at hand: several ways come to the same.
    taken: HashSet<String>,
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
        let messages = wire::anthropic::messages(flat, &[last]);
        let model = self.model();
        parsed(&format!(
            r#"{{"model":"{model}","max_tokens":1000,"messages":{messages}}}"#
        ))
    }
}

fn openai(messages: &str) -> Value {
    parsed(&format!(r#"{{"model":"gpt-5.6","messages":{messages}}}"#))
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// A history as a model has it that has sent all of its thinking.
#[derive(Clone)]
struct Scene {
    seed: u64,
    random: Random,
    sending: Sending,
    history: History,
    edits: Edits,
    witness: anthropic::Witness,
}

impl Scene {
    /// The history of a seed, for one of the models. None where nothing of it is sent.
    fn new(seed: u64, thinking: Thinking, seen: &mut Seen) -> Option<Self> {
        let mut random = Random::new(seed);
        let sending = Sending {
            thinking,
            system_messages: random.chance(50),
        };
        let history = History::random(&mut random);
        let mut witness = anthropic::Witness::default();
        let visible = history.conversation.visible();
        let first = sending.flat(&visible, &Edits::new())?;
        seen.mended += u64::from(!first.repairs.is_empty());
        // What was made up counts as sent by the server.
        witness.conversation(&sending.anthropic(&first));
        Some(Self {
            seed,
            random,
            sending,
            history,
            edits: Edits::new(),
            witness,
        })
    }

    /// Whether this way made any. What comes next is the same after every way.
    fn make_room(&mut self, policy: Policy, seen: &mut Seen) -> bool {
        let mut random = Random::new(self.random.clone().next());
        let (conversation, edits) = (&mut self.history.conversation, &mut self.edits);
        let thinking = self.sending.thinking;
        let done = apply(policy, &mut random, conversation, edits, thinking);
        seen.compactions += u64::from(done);
        done
    }

    /// What is sent, if both APIs take it.
    fn sent(&self, policy: Policy, seen: &mut Seen) -> Value {
        let visible = self.history.conversation.visible();
        let flat = self.sending.flat(&visible, &self.edits);
        let flat = flat.expect("something is always left to send");
        let ours = self.sending.anthropic(&flat);
        let mut wrong = anthropic::check(&ours);
        wrong.extend(self.witness.check(&ours));
        seen.requests += 1;
        let theirs = wire::openai::messages(&flat);
        if !seen.taken.contains(&theirs) {
            wrong.extend(oracle::openai::check(&openai(&theirs)));
            seen.requests += 1;
            seen.taken.insert(theirs);
        }
        assert!(
            wrong.is_empty(),
            "seed {}, {policy:?}, {:?}: {wrong:#?}\n{ours}",
            self.seed,
            self.sending.thinking,
        );
        ours
    }

    /// The model answers, and more is said.
    fn go_on(&mut self, request: &Value) {
        self.history.sent();
        let reply = self.history.reply_blocks(&mut self.random);
        self.witness
            .sent(request, &serde_json::to_value(&reply).unwrap());
        self.history.push(Role::Assistant, Source::Model, reply);
        let length = self.random.below(4);
        self.history.grow(&mut self.random, length);
        let visible = self.history.conversation.visible();
        if let Some(grown) = self.sending.flat(&visible, &self.edits) {
            self.witness.conversation(&self.sending.anthropic(&grown));
        }
    }
}

/// One history through these ways to make room, each twice with some talk between.
fn judge(seed: u64, thinking: Thinking, policies: &[Policy], seen: &mut Seen) {
    let Some(scene) = Scene::new(seed, thinking, seen) else {
        return;
    };
    let mut plain = scene.clone();
    let request = plain.sent(Policy::Nothing, seen);
    plain.go_on(&request);
    plain.sent(Policy::Nothing, seen);
    for policy in policies {
        let mut first = scene.clone();
        let done = first.make_room(*policy, seen);
        let mut second = if done {
            let request = first.sent(*policy, seen);
            first.go_on(&request);
            first
        } else {
            // What a way leaves as it is goes on as if there had been none.
            plain.clone()
        };
        if second.make_room(*policy, seen) || done {
            second.sent(*policy, seen);
        }
    }
}

/// One history through every way, for the one model or the other.
fn judge_all(seed: u64, seen: &mut Seen) {
    let thinking = THINKING[seed as usize % THINKING.len()];
    judge(seed, thinking, &Policy::ALL, seen);
    seen.taken.clear();
}

#[test]
fn no_way_to_make_room_breaks_a_request() {
    let mut seen = Seen::default();
    for seed in 0..2_000 {
        // One way each, so that the test takes seconds; `cargo xtask fuzz-pairing` goes every way with each.
        let policy = Policy::ALL[seed % Policy::ALL.len()];
        let thinking = THINKING[seed / Policy::ALL.len() % 2];
        judge(seed as u64, thinking, &[policy], &mut seen);
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
    let cores = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let threads = number("MEMDIR_FUZZ_THREADS", cores).max(1);
    let seen: Vec<Seen> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|worker| {
                scope.spawn(move || {
                    let mut seen = Seen::default();
                    for history in (worker..histories).step_by(threads as usize) {
                        judge_all(seed.wrapping_add(history), &mut seen);
                        if history > 0 && history % 10_000 == 0 {
                            println!("{history} histories …");
                        }
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
        "{histories} histories from seed {seed} on, {} compactions, {} different requests judged, none invalid",
        sum(|seen| seen.compactions),
        sum(|seen| seen.requests)
    );
}
