//! The prompt cache, as its users meet it: through the bill.
//!
//! An entry is the hash of a prefix of the rendered request (tools, system, messages) that ended at
//! a cache mark. A later request reads the longest entry that it finds at one of its own marks or
//! up to 20 pieces before it, and writes what lies between that and its last mark.

use std::collections::HashMap;
use std::time::Duration;

use blake3::Hash;
use serde_json::Value;

use super::Usage;
use super::tokens;
use crate::oracle::anthropic::LOOKBACK;
use crate::oracle::{Section, pieces};

const FIVE_MINUTES: Duration = Duration::from_secs(5 * 60);
const ONE_HOUR: Duration = Duration::from_secs(60 * 60);
/// How long an entry of the automatic cache of Chat Completions lives unused.
const AUTOMATIC: Duration = Duration::from_secs(10 * 60);
/// Fewest tokens of a prefix that Chat Completions cache.
const AUTOMATIC_MINIMUM: u64 = 1024;

/// All entries.
#[derive(Debug, Default)]
pub(super) struct Cache {
    entries: HashMap<Hash, Entry>,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    lives: Duration,
    used: Duration,
}

/// What a request reads and writes, found when it arrives; the entries are readable once the
/// answer has begun.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub(super) usage: Usage,
    writes: Vec<(Hash, Duration)>,
    reads: Vec<Hash>,
}

/// The end of a prefix.
struct Place {
    hash: Hash,
    /// Tokens up to here.
    tokens: u64,
    /// How long an entry would live, if a mark stands here.
    mark: Option<Duration>,
}

impl Cache {
    /// What a request to the Messages API reads and writes.
    pub(super) fn plan(&self, request: &Value, minimum: u64, factor: f64, now: Duration) -> Plan {
        let row = row(request, factor);
        let whole = row.last().map_or(0, |place| place.tokens);
        let hit = self.longest(&row, now);
        let mut plan = Plan::default();
        let read = hit
            .and_then(|hit| row.get(hit))
            .map_or(0, |place| place.tokens);
        let (mut hour, mut last) = (read, read);
        for (index, place) in row.iter().enumerate() {
            let Some(lives) = place.mark.filter(|_| place.tokens >= minimum) else {
                continue;
            };
            if hit.is_some_and(|hit| index <= hit) {
                plan.reads.push(place.hash);
                continue;
            }
            plan.writes.push((place.hash, lives));
            last = place.tokens;
            if lives == ONE_HOUR {
                hour = place.tokens;
            }
        }
        plan.reads
            .extend(hit.and_then(|hit| row.get(hit)).map(|place| place.hash));
        plan.usage = Usage {
            input: whole - last,
            cache_write_5m: last - hour,
            cache_write_1h: hour - read,
            cache_read: read,
            output: 0,
        };
        plan
    }

    /// The longest entry at a mark or in the pieces before it.
    fn longest(&self, row: &[Place], now: Duration) -> Option<usize> {
        let marks = row
            .iter()
            .enumerate()
            .rev()
            .filter(|(_, place)| place.mark.is_some());
        marks.map(|(mark, _)| mark).find_map(|mark| {
            row.iter()
                .enumerate()
                .take(mark + 1)
                .rev()
                .take(LOOKBACK)
                .find(|(_, place)| self.is_alive(&place.hash, now))
                .map(|(index, _)| index)
        })
    }

    /// What a request to Chat Completions reads: there the cache is automatic and writes are free.
    pub(super) fn plan_automatic(&self, request: &Value, factor: f64, now: Duration) -> Plan {
        let row = automatic_row(request, factor);
        let whole = row.last().map_or(0, |place| place.tokens);
        let long = |place: &&Place| place.tokens >= AUTOMATIC_MINIMUM;
        let hit = row
            .iter()
            .rev()
            .filter(long)
            .find(|place| self.is_alive(&place.hash, now));
        let read = hit.map_or(0, |place| place.tokens);
        Plan {
            usage: Usage {
                input: whole - read,
                cache_read: read,
                ..Usage::default()
            },
            writes: row
                .iter()
                .filter(long)
                .map(|place| (place.hash, AUTOMATIC))
                .collect(),
            reads: Vec::new(),
        }
    }

    fn is_alive(&self, hash: &Hash, now: Duration) -> bool {
        self.entries
            .get(hash)
            .is_some_and(|entry| now.saturating_sub(entry.used) < entry.lives)
    }

    /// The answer begins: what was read lives on, what was written can be read.
    pub(super) fn commit(&mut self, plan: &Plan, now: Duration) {
        for hash in &plan.reads {
            // One that has died is not read, so it does not come back to life.
            if self.is_alive(hash, now)
                && let Some(entry) = self.entries.get_mut(hash)
            {
                entry.used = now;
            }
        }
        for (hash, lives) in &plan.writes {
            let lives = *lives;
            self.entries.insert(*hash, Entry { lives, used: now });
        }
    }
}

/// The places of a request to the Messages API.
fn row(request: &Value, factor: f64) -> Vec<Place> {
    let mut hasher = blake3::Hasher::new();
    part(&mut hasher, request, "model");
    let mut section = Section::Tools;
    let mut sum = 0;
    let mut row: Vec<Place> = Vec::new();
    let pieces = pieces(request);
    let automatic = request
        .get("cache_control")
        .filter(|mark| !mark.is_null())
        .map(lives);
    let last = pieces
        .iter()
        .rposition(|piece| !matches!(piece.kind(), "thinking" | "redacted_thinking"));
    for (index, piece) in pieces.iter().enumerate() {
        // What a section depends on besides its own words.
        if section < Section::System && piece.section >= Section::System {
            part(&mut hasher, request, "speed");
        }
        if section < Section::Messages && piece.section == Section::Messages {
            part(&mut hasher, request, "tool_choice");
            part(&mut hasher, request, "thinking");
            hasher.update(&[u8::from(has_image(request))]);
        }
        section = piece.section;
        hasher.update(piece.rendered().as_bytes());
        sum += tokens::BLOCK + tokens::of_value(piece.value);
        row.push(Place {
            hash: hasher.finalize(),
            tokens: scaled(sum, factor),
            mark: piece
                .mark()
                .map(lives)
                .or(automatic.filter(|_| last == Some(index))),
        });
    }
    row
}

fn automatic_row(request: &Value, factor: f64) -> Vec<Place> {
    let mut hasher = blake3::Hasher::new();
    part(&mut hasher, request, "model");
    let list = |key: &str| {
        let list = request.get(key).and_then(Value::as_array);
        list.into_iter().flatten()
    };
    let mut sum = 0;
    list("tools")
        .chain(list("messages"))
        .map(|piece| {
            hasher.update(piece.to_string().as_bytes());
            sum += tokens::BLOCK + tokens::of_value(piece);
            Place {
                hash: hasher.finalize(),
                tokens: scaled(sum, factor),
                mark: None,
            }
        })
        .collect()
}

/// All tokens of a request to the Messages API.
pub(super) fn whole(request: &Value, factor: f64) -> u64 {
    let sum = pieces(request)
        .iter()
        .map(|piece| tokens::BLOCK + tokens::of_value(piece.value))
        .sum();
    scaled(sum, factor)
}

/// A count as it is billed.
pub(super) fn scaled(tokens: u64, factor: f64) -> u64 {
    (tokens as f64 * factor).ceil() as u64
}

fn lives(mark: &Value) -> Duration {
    match mark.get("ttl").and_then(Value::as_str) {
        Some("1h") => ONE_HOUR,
        _ => FIVE_MINUTES,
    }
}

fn part(hasher: &mut blake3::Hasher, request: &Value, key: &str) {
    let value = request.get(key).map(Value::to_string).unwrap_or_default();
    hasher.update(format!("{key}={value}\n").as_bytes());
}

fn has_image(request: &Value) -> bool {
    fn within(value: &Value) -> bool {
        match value {
            Value::Array(list) => list.iter().any(within),
            Value::Object(block) => {
                block.get("type").and_then(Value::as_str) == Some("image")
                    || block.get("content").is_some_and(within)
            }
            _ => false,
        }
    }
    request.get("messages").is_some_and(within)
}
