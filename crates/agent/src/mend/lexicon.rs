//! Words as numbers, each with what it does in a statement.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use memdir_memory::words;

use super::vocabulary::{DIRECTIONS, SAME, SMALL, SMALL_CHARACTERS, VALUE_CHARACTERS, VALUES};

/// Words as numbers, so that comparing is cheap.
#[derive(Debug, Default)]
pub(super) struct Lexicon {
    numbers: HashMap<String, u32>,
    known: HashMap<String, Word>,
}

/// A word and what it does in a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) number: u32,
    pub(super) role: Role,
    /// Whether what follows it is what it is done to.
    pub(super) directs: bool,
    pub(super) denies: bool,
}

/// What a word does in a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Another wording would do without it.
    Small,
    /// Another one says something else.
    Value,
    /// What the statement is about.
    Content,
}

impl Lexicon {
    /// A token as a word.
    pub(super) fn word(&mut self, token: &str) -> Word {
        if let Some(known) = self.known.get(token) {
            return *known;
        }
        let (text, role) = role_of(token);
        let word = Word {
            number: self.number(&text),
            role,
            directs: TABLES.directions.contains(token),
            denies: words::denies(token),
        };
        self.known.insert(token.to_owned(), word);
        word
    }

    /// The number of a text.
    pub(super) fn number(&mut self, text: &str) -> u32 {
        let next = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
        match self.numbers.get(text) {
            Some(number) => *number,
            None => {
                self.numbers.insert(text.to_owned(), next);
                next
            }
        }
    }
}

struct Tables {
    small: HashSet<String>,
    values: HashMap<String, String>,
    directions: HashSet<&'static str>,
    same: HashMap<&'static str, &'static str>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| Tables {
    small: SMALL.split_whitespace().map(root).collect(),
    values: VALUES
        .split_whitespace()
        .map(|word| (word.to_owned(), value(word)))
        .collect(),
    directions: DIRECTIONS.split_whitespace().collect(),
    same: SAME
        .lines()
        .flat_map(|line| {
            let mut words = line.split_whitespace();
            let first = words.next().unwrap_or_default();
            words.map(move |word| (word, first))
        })
        .collect(),
});

/// A day or a month in its long form or in short.
fn value(word: &str) -> String {
    if word == "single" {
        return "one".to_owned();
    }
    let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
    let months = [
        "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ];
    let short = word.get(..3).unwrap_or(word);
    let is_name = (word.ends_with("day") || word.ends_with("days") || word.len() <= 5)
        && days.contains(&short)
        || months.contains(&short);
    if is_name {
        short.to_owned()
    } else {
        word.to_owned()
    }
}

fn role_of(token: &str) -> (String, Role) {
    let mut characters = token.chars();
    if let (Some(only), None) = (characters.next(), characters.next())
        && !only.is_ascii()
    {
        let role = match only {
            _ if VALUE_CHARACTERS.contains(only) => Role::Value,
            _ if SMALL_CHARACTERS.contains(only) => Role::Small,
            _ => Role::Content,
        };
        return (token.to_owned(), role);
    }
    if let Some(value) = TABLES.values.get(token) {
        return (value.clone(), Role::Value);
    }
    if token.bytes().any(|byte| byte.is_ascii_digit()) {
        // Compared with its signs, as a mark.
        return (token.to_owned(), Role::Small);
    }
    if let Some(first) = TABLES.same.get(token) {
        return (root(first), Role::Content);
    }
    let root = root(token);
    let is_small = words::is_function_word(token) || TABLES.small.contains(&root);
    let role = if is_small { Role::Small } else { Role::Content };
    (root, role)
}

/// What forms of a word have in common: "deploys", "deploying" and "deployment".
fn root(word: &str) -> String {
    let stem = words::terms(word).into_iter().next().unwrap_or_default();
    let mut root = stem.as_str();
    if let Some(base) = root.strip_suffix("ment").filter(|base| base.len() >= 4) {
        root = base;
    }
    if let Some(base) = root.strip_suffix("ly").filter(|base| base.len() >= 5) {
        root = base;
    }
    if let Some(base) = root
        .strip_suffix("ion")
        .filter(|base| base.len() >= 4 && base.ends_with(['t', 's']))
    {
        root = base;
    }
    if let Some(base) = root.strip_suffix("at").filter(|base| base.len() >= 4) {
        root = base;
    }
    match root.strip_suffix('i').filter(|base| base.len() >= 3) {
        // "retried" and "retry".
        Some(base) => format!("{base}y"),
        None if root.is_empty() => word.to_owned(),
        None => root.to_owned(),
    }
}
