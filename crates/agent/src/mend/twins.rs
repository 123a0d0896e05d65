//! Whether two memories are copies of one another.
//!
//! Likeness alone never decides. Statements are matched one by one; a single pair that cannot both hold, or that speaks of
//! two things in the same words, keeps two memories apart however much else they share.

use std::collections::HashMap;

use super::known::Known;
use super::meaning::{Relation, compare, likeness, only};
use super::statements::{Form, Statement};

/// What more memories than this say is said of everything.
const COMMON: usize = 6;
/// So much of a memory must be in the other for it to be a copy with less,
const NEARLY_ALL: f64 = 0.8;
/// and so much of the other must be in it.
const HALF: f64 = 0.5;
/// Or so much of each in the other.
const MOST: f64 = 0.6;
/// A copy shares at least so many words that count.
const LEAST_WEIGHT: usize = 3;

/// What two memories are to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Copies.
    Same,
    /// About the same, with two statements that cannot both hold: their places.
    Opposed(usize, usize),
    /// Two memories.
    Apart,
}

/// How a statement is met in the other memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Met {
    Exactly,
    Reworded,
    Partly,
    No,
}

/// Judges two memories.
pub(super) fn judge(one: &Known, other: &Known, said: &HashMap<String, usize>) -> Verdict {
    let headers = (one.topic.header(), other.topic.header());
    if one.is_team() != other.is_team() || headers.0.expires != headers.1.expires {
        return Verdict::Apart;
    }
    let (mut left, mut right) = exact(one, other);
    let is_exact = |met: &[Met]| met.iter().all(|met| *met == Met::Exactly);
    if !left.is_empty() && is_exact(&left) && is_exact(&right) {
        return Verdict::Same;
    }
    let kinds = (headers.0.memory_type, headers.1.memory_type);
    if matches!(kinds, (Some(one), Some(other)) if one != other) {
        return Verdict::Apart;
    }
    let opposed = match_reworded(one, other, &mut left, &mut right);
    if let Some((first, second)) = opposed {
        return match likeness(&one.terms, &other.terms) >= HALF {
            true => Verdict::Opposed(first, second),
            false => Verdict::Apart,
        };
    }
    let (mine, theirs) = (cover(one, &left, said), cover(other, &right, said));
    let covers = (
        mine.share.max(theirs.share),
        mine.share.min(theirs.share),
    );
    let enough = covers.0 >= NEARLY_ALL && covers.1 >= HALF || covers.1 >= MOST;
    let weight = mine.weight.max(theirs.weight);
    match enough && weight >= LEAST_WEIGHT && descriptions_agree(one, other, &left, &right, covers.1)
    {
        true => Verdict::Same,
        false => Verdict::Apart,
    }
}

/// Which statements of each are word for word in the other.
fn exact(one: &Known, other: &Known) -> (Vec<Met>, Vec<Met>) {
    let met = |from: &Known, there: &Known| -> Vec<Met> {
        let mut by_words: HashMap<&str, Vec<&Statement>> = HashMap::new();
        for statement in &there.statements.all {
            by_words.entry(&statement.plain).or_default().push(statement);
        }
        let is_there = |statement: &Statement| {
            by_words.get(statement.plain.as_str()).is_some_and(|known| {
                known.iter().any(|known| {
                    statement.context == known.context
                        || statement.context.is_none()
                        || known.context.is_none()
                })
            })
        };
        from.statements
            .all
            .iter()
            .map(|statement| if is_there(statement) { Met::Exactly } else { Met::No })
            .collect()
    };
    (met(one, other), met(other, one))
}

/// Matches what is not there word for word; two statements that keep the memories apart come back.
fn match_reworded(
    one: &Known,
    other: &Known,
    left: &mut [Met],
    right: &mut [Met],
) -> Option<(usize, usize)> {
    let mut opposed = Vec::new();
    for (first, (said, meaning)) in pairs(one).enumerate() {
        for (second, (told, there)) in pairs(other).enumerate() {
            let open = |met: Option<&Met>| met.is_some_and(|met| *met != Met::Exactly);
            if !open(left.get(first)) && !open(right.get(second)) {
                continue;
            }
            if said.form == Form::Heading || told.form == Form::Heading {
                continue;
            }
            match compare((said, meaning), (told, there)) {
                Relation::Reworded => {
                    better(left, first, Met::Reworded);
                    better(right, second, Met::Reworded);
                }
                Relation::Partly => {
                    better(left, first, Met::Partly);
                    better(right, second, Met::Partly);
                }
                Relation::Opposed { certain } => opposed.push((first, second, certain)),
                Relation::Apart => {}
            }
        }
    }
    // What is met elsewhere is only opposed by what differs in nothing else: a port of one thing and a port of another
    // are two statements of one memory.
    let is_met = |met: &[Met], at: usize| {
        matches!(met.get(at), Some(Met::Exactly | Met::Reworded))
    };
    opposed
        .into_iter()
        .find(|(first, second, certain)| {
            let both_met = is_met(left, *first) && is_met(right, *second);
            !both_met && (*certain || !is_met(left, *first) && !is_met(right, *second))
        })
        .map(|(first, second, _)| (first, second))
}

fn pairs(memory: &Known) -> impl Iterator<Item = (&Statement, &super::meaning::Meaning)> {
    memory.statements.all.iter().zip(&memory.meanings)
}

fn better(met: &mut [Met], at: usize, now: Met) {
    if let Some(met) = met.get_mut(at)
        && (*met == Met::No || now == Met::Reworded && *met == Met::Partly)
    {
        *met = now;
    }
}

/// How much of a memory's body is in the other.
struct Cover {
    share: f64,
    /// The words that count of what is there, description included.
    weight: usize,
}

fn cover(memory: &Known, met: &[Met], said: &HashMap<String, usize>) -> Cover {
    let weigh = |with_description: bool| {
        let (mut whole, mut there, mut weight) = (0.0, 0.0, 0);
        for ((statement, meaning), met) in pairs(memory).zip(met) {
            let is_common = said.get(&statement.plain).is_some_and(|count| *count > COMMON);
            let is_description = statement.form == Form::Description;
            if is_common || statement.form == Form::Heading {
                continue;
            }
            if matches!(met, Met::Exactly | Met::Reworded) {
                weight += meaning.weight();
            }
            if is_description && !with_description {
                continue;
            }
            #[expect(clippy::cast_precision_loss, reason = "counts of words are small")]
            let amount = meaning.weight() as f64;
            whole += amount;
            there += match met {
                Met::Exactly | Met::Reworded => amount,
                Met::Partly => amount / 2.0,
                Met::No => 0.0,
            };
        }
        (whole, there, weight)
    };
    let (whole, there, weight) = match weigh(false) {
        // Nothing but a description.
        (whole, ..) if whole == 0.0 => weigh(true),
        body => body,
    };
    let share = if whole > 0.0 { there / whole } else { 0.0 };
    Cover { share, weight }
}

/// Whether what the memories say of themselves can be said of one.
fn descriptions_agree(
    one: &Known,
    other: &Known,
    left: &[Met],
    right: &[Met],
    share: f64,
) -> bool {
    let (Some(mine), Some(theirs)) = (described(one), described(other)) else {
        return true;
    };
    let is_met = |met: &[Met], at: usize| matches!(met.get(at), Some(met) if *met != Met::No);
    if is_met(left, mine) || is_met(right, theirs) {
        return true;
    }
    let (Some(mine), Some(theirs)) = (one.meanings.get(mine), other.meanings.get(theirs)) else {
        return true;
    };
    let strange = |values: &[u32], there: &Known| only(values, &there.terms);
    if strange(&mine.values, other) > 0 && strange(&theirs.values, one) > 0 {
        return false;
    }
    let is_at_home = |content: &[u32], there: &Known| strange(content, there) * 2 <= content.len();
    share >= 0.99 || is_at_home(&mine.content, other) || is_at_home(&theirs.content, one)
}

fn described(memory: &Known) -> Option<usize> {
    let statements = &memory.statements.all;
    statements
        .iter()
        .position(|statement| statement.form == Form::Description)
}
