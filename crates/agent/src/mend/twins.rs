//! Whether two memories are copies of one another.
//!
//! Likeness alone never decides. Statements are matched one by one; a single pair that cannot both hold, or that speaks of
//! two things in the same words, keeps two memories apart however much else they share.

use std::collections::{HashMap, HashSet};

use super::known::Known;
use super::meaning::{Meaning, Relation, compare, likeness, only};
use super::statements::{Form, Statement};

/// What more memories than this say is said of everything.
const COMMON: usize = 6;
/// So much of a memory must be in the other for it to be a copy with less,
const NEARLY_ALL: f64 = 0.8;
/// and so much of the other must be in it.
const HALF: f64 = 0.5;
/// Or so much of each in the other.
const MOST: f64 = 0.6;
/// A body that is all in the other,
const ALL: f64 = 0.95;
/// with so many words that count, is no chance.
const PLENTY: usize = 5;
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
    /// So many of its words.
    Partly(usize),
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
    let (mine, theirs) = (cover(one, &left, said), cover(other, &right, said));
    let covers = (mine.share.max(theirs.share), mine.share.min(theirs.share));
    // A description says in other words what the body says: where the bodies agree it must differ outright.
    let agree = covers.0 >= ALL && covers.1 >= HALF && mine.body.min(theirs.body) >= PLENTY;
    let opposed = opposed
        .iter()
        .find(|pair| !pair.of_descriptions || pair.pure || !agree);
    if let Some(pair) = opposed {
        return match likeness(&one.terms, &other.terms) >= HALF {
            true => Verdict::Opposed(pair.first, pair.second),
            false => Verdict::Apart,
        };
    }
    let enough = covers.0 >= NEARLY_ALL && covers.1 >= HALF || covers.1 >= MOST;
    let weight = mine.weight.max(theirs.weight);
    match enough
        && weight >= LEAST_WEIGHT
        && descriptions_agree(one, other, &left, &right, covers.1)
    {
        true => Verdict::Same,
        false => Verdict::Apart,
    }
}

/// Which statements of each are word for word in the other.
fn exact(one: &Known, other: &Known) -> (Vec<Met>, Vec<Met>) {
    (met(one, other), met(other, one))
}

fn met(from: &Known, there: &Known) -> Vec<Met> {
    let mut by_words: HashMap<&str, Vec<&Statement>> = HashMap::new();
    let mut clauses: HashSet<&str> = HashSet::new();
    for statement in &there.cut {
        let known = by_words.entry(&statement.plain).or_default();
        known.push(statement);
        clauses.extend(statement.clauses.iter().map(String::as_str));
    }
    let stands = |statement: &Statement| {
        let known = by_words.get(statement.plain.as_str());
        known.is_some_and(|known| known.iter().any(|known| same_place(statement, known)))
    };
    let is_clause = |plain: &str| clauses.contains(plain) || by_words.contains_key(plain);
    let all = &from.cut;
    all.iter()
        .map(|statement| {
            // "A; b." says what "A. B." says.
            let in_clauses = clauses.contains(statement.plain.as_str())
                || !statement.clauses.is_empty()
                    && statement.clauses.iter().all(|clause| is_clause(clause));
            match (stands(statement), in_clauses) {
                (true, _) => Met::Exactly,
                (false, true) => Met::Reworded,
                (false, false) => Met::No,
            }
        })
        .collect()
}

/// Whether where two statements stand makes no difference.
fn same_place(one: &Statement, other: &Statement) -> bool {
    one.context == other.context || one.context.is_none() || other.context.is_none()
}

/// Two statements that keep memories apart.
struct Opposition {
    first: usize,
    second: usize,
    certain: bool,
    pure: bool,
    of_descriptions: bool,
}

/// Matches what is not there word for word; statements that keep the memories apart come back.
fn match_reworded(
    one: &Known,
    other: &Known,
    left: &mut [Met],
    right: &mut [Met],
) -> Vec<Opposition> {
    match_whole(one, other, left, right);
    let mut opposed = Vec::new();
    let has_body =
        |memory: &Known| pairs(memory).any(|(statement, _)| statement.form != Form::Description);
    let have_bodies = has_body(one) && has_body(other);
    for (first, (said, meaning)) in pairs(one).enumerate() {
        for (second, (told, there)) in pairs(other).enumerate() {
            let open = |met: Option<&Met>| {
                met.is_some_and(|met| !matches!(met, Met::Exactly | Met::Reworded))
            };
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
                Relation::Partly(words) => {
                    better(left, first, Met::Partly(words));
                    better(right, second, Met::Partly(words));
                }
                Relation::Opposed { certain, pure } => {
                    let descriptions = [said, told].map(|one| one.form == Form::Description);
                    // What a description leaves out is in its body.
                    if !(have_bodies
                        && descriptions.contains(&true)
                        && descriptions.contains(&false))
                    {
                        opposed.push(Opposition {
                            first,
                            second,
                            certain,
                            pure,
                            of_descriptions: descriptions.contains(&true),
                        });
                    }
                }
                Relation::Apart => {}
            }
        }
    }
    // What is met elsewhere is only opposed by what differs in nothing else: a port of one thing and a port of another
    // are two statements of one memory.
    let is_met = |met: &[Met], at: usize| matches!(met.get(at), Some(Met::Exactly | Met::Reworded));
    opposed.retain(|pair| {
        let met = (is_met(left, pair.first), is_met(right, pair.second));
        !(met.0 && met.1) && (pair.certain || !met.0 && !met.1)
    });
    opposed
}

/// Matches sentences as wholes that are compared in parts, because the other has a comma where one has a semicolon.
fn match_whole(one: &Known, other: &Known, left: &mut [Met], right: &mut [Met]) {
    let sentences = |memory: &'_ Known| -> Vec<(usize, Meaning)> {
        let uncut = memory.cut.iter().zip(&memory.meanings);
        let is_cut = |number: usize| memory.whole.iter().any(|(whole, _)| *whole == number);
        let uncut = uncut
            .filter(|(part, _)| part.form == Form::Sentence && !is_cut(part.number))
            .map(|(part, meaning)| (part.number, meaning.clone()));
        uncut.chain(memory.whole.iter().cloned()).collect()
    };
    if one.whole.is_empty() && other.whole.is_empty() {
        return;
    }
    let theirs = sentences(other);
    for (first, meaning) in sentences(one) {
        for (second, there) in &theirs {
            let said = (
                one.statements.all.get(first),
                other.statements.all.get(*second),
            );
            if let (Some(said), Some(told)) = said
                && compare((said, &meaning), (told, there)) == Relation::Reworded
            {
                meet(one, left, first);
                meet(other, right, *second);
            }
        }
    }
}

/// Notes that all parts of a statement are met.
fn meet(memory: &Known, met: &mut [Met], number: usize) {
    for (at, part) in memory.cut.iter().enumerate() {
        if part.number == number {
            better(met, at, Met::Reworded);
        }
    }
}

fn pairs(memory: &Known) -> impl Iterator<Item = (&Statement, &Meaning)> {
    memory.cut.iter().zip(&memory.meanings)
}

fn better(met: &mut [Met], at: usize, now: Met) {
    let Some(met) = met.get_mut(at) else {
        return;
    };
    let is_better = match (*met, now) {
        (Met::No, _) | (Met::Partly(_), Met::Reworded) => true,
        (Met::Partly(before), Met::Partly(after)) => after > before,
        _ => false,
    };
    if is_better {
        *met = now;
    }
}

/// How much of a memory's body is in the other.
struct Cover {
    share: f64,
    /// The words that count of what is there, description included.
    weight: usize,
    /// The words that count of the body.
    body: usize,
}

fn cover(memory: &Known, met: &[Met], said: &HashMap<String, usize>) -> Cover {
    let weigh = |with_description: bool| {
        let (mut whole, mut there, mut weight) = (0, 0, 0);
        for ((statement, meaning), met) in pairs(memory).zip(met) {
            let count = said.get(&statement.plain).copied().unwrap_or_default();
            if count > COMMON || statement.form == Form::Heading {
                continue;
            }
            let (words, full) = match met {
                Met::Exactly | Met::Reworded => (meaning.weight(), meaning.weight()),
                Met::Partly(words) => (*words, 0),
                Met::No => (0, 0),
            };
            weight += full;
            if with_description || statement.form != Form::Description {
                whole += meaning.weight();
                there += words;
            }
        }
        (whole, there, weight)
    };
    let (whole, there, weight) = match weigh(false) {
        // Nothing but a description.
        (0, ..) => weigh(true),
        body => body,
    };
    #[expect(clippy::cast_precision_loss, reason = "counts of words are small")]
    let share = there as f64 / whole.max(1) as f64;
    let body = pairs(memory)
        .filter(|(statement, _)| statement.form != Form::Description)
        .map(|(_, meaning)| meaning.weight())
        .sum();
    Cover {
        share,
        weight,
        body,
    }
}

/// Whether what the memories say of themselves can be said of one.
fn descriptions_agree(one: &Known, other: &Known, left: &[Met], right: &[Met], share: f64) -> bool {
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
    let statements = &memory.cut;
    statements
        .iter()
        .position(|statement| statement.form == Form::Description)
}
