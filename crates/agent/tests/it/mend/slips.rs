//! A copy with one slip says something else: another number, another day, another name, another word, or a denial.

use std::collections::BTreeMap;

use jiff::tz::TimeZone;
use memdir_agent::mend::{After, mend};
use memdir_memory::MemoryPath;

use super::corpus::{Role, Sample, file, read};
use super::directory::Dice;

const WORDS: [&str; 12] = [
    "invoices",
    "kernel",
    "Zurich",
    "Bernhard",
    "quarantine",
    "left",
    "archive",
    "tomatoes",
    "Fortran",
    "remote",
    "second",
    "yellow",
];

/// Every slip that can be made in a body, with what it is called.
fn slips(body: &str, dice: &mut Dice) -> Vec<(&'static str, String)> {
    let mut found = Vec::new();
    let words: Vec<&str> = body.split_inclusive(' ').collect();
    let mut put = |at: usize, what: &'static str, new: &str| {
        let mut words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let end: String = words[at]
            .chars()
            .rev()
            .take_while(|one| !one.is_alphanumeric())
            .collect();
        words[at] = format!("{new}{}", end.chars().rev().collect::<String>());
        found.push((what, words.concat()));
    };
    for (at, word) in words.iter().enumerate() {
        let bare = word.trim_matches(|one: char| !one.is_alphanumeric());
        if bare.is_empty() || bare.len() + 3 < word.trim().len() {
            continue;
        }
        if bare.bytes().all(|byte| byte.is_ascii_digit()) {
            put(
                at,
                "number",
                &format!("{}", bare.parse::<u64>().unwrap() + 1),
            );
        }
        let day = ["Monday", "Tuesday", "Thursday", "Friday"]
            .iter()
            .find(|day| bare.starts_with(**day));
        if day.is_some() {
            put(at, "day", "Wednesday");
        }
        if matches!(bare, "is" | "are" | "must" | "should") {
            put(at, "denial", &format!("{bare} not"));
        }
        if bare.len() >= 5 && bare.bytes().all(|byte| byte.is_ascii_alphabetic()) {
            let other = WORDS[dice.below(WORDS.len())];
            if bare.starts_with(char::is_uppercase) && at > 0 {
                put(at, "name", "Bernhard");
            } else if other != bare && !SMALL.contains(&bare.to_lowercase().as_str()) {
                put(at, "word", other);
            }
        }
    }
    found
}

/// Words whose loss changes nothing.
const SMALL: [&str; 22] = [
    "always", "every", "never", "should", "which", "their", "there", "where", "because", "about",
    "whose", "these", "those", "while", "within", "using", "lives", "please", "avoid", "found",
    "without", "whatever",
];

#[test]
fn a_copy_with_one_slip_is_no_copy() {
    let mut dice = Dice::new(7);
    let mut tried: BTreeMap<&str, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for text in [
        include_str!("first.txt"),
        include_str!("second.txt"),
        include_str!("third.txt"),
        include_str!("fourth.txt"),
    ] {
        for sample in read(text)
            .into_iter()
            .filter(|one| one.role == Role::Original)
        {
            for (what, body) in slips(&sample.body, &mut dice) {
                let copy = Sample {
                    body,
                    name: format!("{}-slip", sample.name),
                    ..sample.clone()
                };
                let files = BTreeMap::from([
                    (sample.path(), file(sample.text(), 1)),
                    (copy.path(), file(copy.text(), 2)),
                ]);
                let mended = mend(&files, &TimeZone::UTC);
                let removed = |path: &MemoryPath| {
                    matches!(mended.changes.get(path), Some(After::Removed { .. }))
                };
                *tried.entry(what).or_default() += 1;
                if removed(&copy.path()) {
                    wrong.push(format!("{what}: {}", copy.body));
                }
            }
        }
    }
    assert!(tried.values().sum::<usize>() > 700, "{tried:?}");
    assert!(
        wrong.is_empty(),
        "{} of {tried:?}\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
