//! What a statement is about, reduced to what two wordings of it share, and whether two statements say the same.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use memdir_memory::words;

use super::marks;
use super::statements::{Form, Statement};
use super::vocabulary::{
    DIRECTIONS, PAIRS, SAME, SMALL, SMALL_CHARACTERS, VALUE_CHARACTERS, VALUES,
};

/// From this share of common words on two statements are about one thing.
const ALIKE: f64 = 0.5;

/// Words as numbers, so that comparing is cheap.
#[derive(Debug, Default)]
pub(super) struct Lexicon {
    numbers: HashMap<String, u32>,
    known: HashMap<String, Word>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Word {
    number: u32,
    role: Role,
    directs: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// Another wording would do without it.
    Small,
    /// Another one says something else.
    Value,
    /// What the statement is about.
    Content,
}

/// A statement's words by their roles.
#[derive(Debug, Clone, Default)]
pub(super) struct Meaning {
    /// Every word in its order.
    frame: Vec<Word>,
    /// Content words, sorted.
    pub(super) content: Vec<u32>,
    /// Values and marks, sorted.
    pub(super) values: Vec<u32>,
    code: Vec<String>,
    tokens: Vec<String>,
    /// Words of direction, each with the content word behind it.
    objects: Vec<(u32, u32)>,
    /// Words that begin with a capital, in their order.
    names: Vec<u32>,
    /// Neighbours in a script without spaces, sorted.
    neighbours: Vec<(u32, u32)>,
    denies: bool,
}

/// How two statements compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    /// One statement in two wordings.
    Reworded,
    /// One says what the other says, and more: how many words both have.
    Partly(usize),
    /// About one thing, and they cannot both be meant.
    Opposed {
        /// Whether one of them has no word of its own beyond that.
        certain: bool,
        /// Whether neither has, or one word stands in the place of another.
        pure: bool,
    },
    /// About different things.
    Apart,
}

impl Lexicon {
    /// Reads a statement.
    pub(super) fn meaning(&mut self, statement: &Statement) -> Meaning {
        let tokens = paired(words::tokens(&statement.text));
        let mut meaning = Meaning {
            denies: words::denies(&statement.text),
            code: marks::code(&statement.text),
            ..Meaning::default()
        };
        for token in &tokens {
            let word = self.word(token);
            meaning.frame.push(word);
            match word.role {
                Role::Small => {}
                Role::Value => meaning.values.push(word.number),
                Role::Content => meaning.content.push(word.number),
            }
        }
        for mark in marks::of(&statement.text) {
            let number = self.number(&format!("\u{1}{mark}"));
            meaning.values.push(number);
        }
        meaning.objects = objects(&meaning.frame);
        meaning.names = names(&statement.text)
            .map(|name| self.word(&name).number)
            .collect();
        meaning.neighbours = neighbours(&meaning.frame, &tokens);
        meaning.tokens = tokens;
        for list in [&mut meaning.content, &mut meaning.values] {
            list.sort_unstable();
            list.dedup();
        }
        meaning
    }

    fn word(&mut self, token: &str) -> Word {
        if let Some(known) = self.known.get(token) {
            return *known;
        }
        let (text, role) = role_of(token);
        let word = Word {
            number: self.number(&text),
            role,
            directs: TABLES.directions.contains(token),
        };
        self.known.insert(token.to_owned(), word);
        word
    }

    fn number(&mut self, text: &str) -> u32 {
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

impl Meaning {
    /// How much it says.
    pub(super) fn weight(&self) -> usize {
        self.content.len() + self.values.len()
    }

    /// The words in their order that the other has too, each once; not those of a script without spaces.
    fn sequence(&self, other: &Self) -> Vec<u32> {
        let mut seen = HashSet::new();
        let words = self.frame.iter().zip(&self.tokens);
        words
            .filter(|(word, token)| word.role != Role::Small && token.is_ascii())
            .map(|(word, _)| word.number)
            .filter(|number| {
                let has = |list: &[u32]| list.binary_search(number).is_ok();
                (has(&other.content) || has(&other.values)) && seen.insert(*number)
            })
            .collect()
    }
}

/// Compares two statements that do not have the same words.
pub(super) fn compare(one: (&Statement, &Meaning), other: (&Statement, &Meaning)) -> Relation {
    let ((said, left), (told, right)) = (one, other);
    if likeness(&left.content, &right.content) < ALIKE {
        return Relation::Apart;
    }
    let (only_left, only_right) = (
        only(&left.content, &right.content),
        only(&right.content, &left.content),
    );
    let values_left = only(&left.values, &right.values);
    let values_right = only(&right.values, &left.values);
    let both_differ = only_left + values_left > 0 && only_right + values_right > 0;
    let opposed = Relation::Opposed {
        certain: only_left == 0 || only_right == 0,
        pure: only_left + only_right == 0,
    };
    let flips = match left.denies || right.denies {
        true => words::flips(&said.text, &told.text),
        false => (false, false),
    };
    // How far a negation reaches is a guess: where both deny something, one word more or less proves nothing.
    let is_unsure = flips.0 != flips.1 && left.denies && right.denies;
    if (flips.0 || flips.1) && !is_unsure {
        return opposed;
    }
    if values_left > 0 && values_right > 0 || code_differs(left, right) {
        return opposed;
    }
    if said.form == Form::Verbatim || told.form == Form::Verbatim {
        return Relation::Opposed {
            certain: false,
            pure: false,
        };
    }
    if both_differ {
        return match fillers(&left.frame, &right.frame) {
            None => Relation::Apart,
            Some(count) => Relation::Opposed {
                certain: count == 1,
                pure: count == 1,
            },
        };
    }
    if objects_differ(left, right) || changed_places(left, right) {
        return opposed;
    }
    let more = only_left.max(only_right);
    let most = left.content.len().max(right.content.len());
    let is_ordered = in_order(left, right) && !is_unsure && values_left + values_right == 0;
    match is_ordered && left.denies == right.denies {
        true if more == 0 => Relation::Reworded,
        true if more * 3 <= most => Relation::Partly(most - more),
        _ => Relation::Apart,
    }
}

/// The share of two sorted lists that they have in common; 1 where both are empty.
pub(super) fn likeness(left: &[u32], right: &[u32]) -> f64 {
    let whole = left.len() + right.len();
    if whole == 0 {
        return 1.0;
    }
    let shared = left.len() - only(left, right);
    #[expect(clippy::cast_precision_loss, reason = "counts of words are small")]
    let share = 2.0 * shared as f64 / whole as f64;
    share
}

/// How many of `left` are not in `right`.
pub(super) fn only(left: &[u32], right: &[u32]) -> usize {
    left.iter()
        .filter(|number| right.binary_search(number).is_err())
        .count()
}

/// Whether each has a code span that the other has neither as code nor as words.
fn code_differs(left: &Meaning, right: &Meaning) -> bool {
    let lacks = |from: &Meaning, there: &Meaning| {
        from.code
            .iter()
            .any(|span| !there.code.contains(span) && !marks::is_among(span, &there.tokens))
    };
    lacks(left, right) && lacks(right, left)
}

/// How many words were put in place of others, where the rest is word for word the same; none where it is not.
fn fillers(left: &[Word], right: &[Word]) -> Option<usize> {
    let same = |(one, other): &(&Word, &Word)| one.number == other.number;
    let shorter = left.len().min(right.len());
    if left.len() == right.len() {
        let pairs = || left.iter().zip(right).filter(|pair| !same(pair));
        let is_small = |word: &Word| word.role == Role::Small;
        let frame_differs = pairs().any(|(one, other)| is_small(one) && is_small(other));
        let count = pairs().count();
        if !frame_differs && count * 2 <= shorter {
            return Some(count);
        }
    }
    let before = left.iter().zip(right).take_while(same).count();
    let after = left
        .iter()
        .rev()
        .zip(right.iter().rev())
        .take(shorter - before)
        .take_while(same)
        .count();
    let longest = left.len().max(right.len()) - before - after;
    ((before + after) * 3 >= shorter * 2 && longest <= 4).then_some(1)
}

fn objects(frame: &[Word]) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    let mut direction = None;
    for word in frame {
        if word.directs {
            direction = Some(word.number);
        } else if word.role != Role::Small
            && let Some(direction) = direction.take()
        {
            found.push((direction, word.number));
        }
    }
    found
}

/// Whether a word of direction leads to one thing here and to another there: "from A to B" and "from B to A".
fn objects_differ(left: &Meaning, right: &Meaning) -> bool {
    let leads = |meaning: &Meaning, object: &(u32, u32)| meaning.objects.contains(object);
    let is_known = |meaning: &Meaning, direction: u32| {
        meaning.objects.iter().any(|(known, _)| *known == direction)
    };
    let strays = |from: &Meaning, there: &Meaning| {
        from.objects
            .iter()
            .any(|object| is_known(there, object.0) && !leads(there, object))
    };
    strays(left, right) && strays(right, left)
}

/// Whether two names have changed places: "Ada reviews Ben" and "Ben reviews Ada".
fn changed_places(left: &Meaning, right: &Meaning) -> bool {
    let shared = |from: &Meaning, there: &Meaning| -> Vec<u32> {
        let names = from.names.iter().copied();
        names.filter(|name| there.names.contains(name)).collect()
    };
    shared(left, right) != shared(right, left)
}

/// Whether what both say stands in one order, or in one that moving a single part makes of it: "On Thursdays we deploy".
/// In a script without spaces neighbours count, because a character is not a word.
fn in_order(left: &Meaning, right: &Meaning) -> bool {
    let whole = left.neighbours.len() + right.neighbours.len();
    let shared = left
        .neighbours
        .iter()
        .filter(|pair| right.neighbours.binary_search(pair).is_ok())
        .count();
    shared * 2 * 4 >= whole * 3 && is_one_move(&left.sequence(right), &right.sequence(left))
}

fn is_one_move(left: &[u32], right: &[u32]) -> bool {
    let same = |(one, other): &(&u32, &u32)| one == other;
    let before = left.iter().zip(right).take_while(same).count();
    let after = left.iter().rev().zip(right.iter().rev());
    let after = after.take_while(same).count().min(left.len() - before);
    let middle = |list: &[u32]| {
        list.get(before..list.len().saturating_sub(after))
            .map(<[u32]>::to_vec)
    };
    let (Some(one), Some(other)) = (middle(left), middle(right)) else {
        return true;
    };
    (0..one.len().max(1)).any(|turn| {
        let mut turned = one.clone();
        turned.rotate_left(turn.min(one.len()));
        turned == other
    })
}

fn names(text: &str) -> impl Iterator<Item = String> {
    text.split(|character: char| !character.is_alphanumeric())
        .filter(|word| word.starts_with(char::is_uppercase))
        .map(str::to_lowercase)
}

fn neighbours(frame: &[Word], tokens: &[String]) -> Vec<(u32, u32)> {
    let content: Vec<u32> = frame
        .iter()
        .zip(tokens)
        .filter(|(word, token)| word.role != Role::Small && !token.is_ascii())
        .map(|(word, _)| word.number)
        .collect();
    let mut pairs: Vec<(u32, u32)> = content
        .windows(2)
        .filter_map(|pair| Some((*pair.first()?, *pair.last()?)))
        .collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// The words of a text, with those as one that are.
fn paired(tokens: Vec<String>) -> Vec<String> {
    let mut words: Vec<String> = Vec::with_capacity(tokens.len());
    for token in tokens {
        let pair = words.last().and_then(|last| {
            let mut pairs = PAIRS.iter();
            pairs.find(|(first, second, _)| last == first && token == *second)
        });
        match (pair, words.last_mut()) {
            (Some((_, _, one)), Some(last)) => *last = (*one).to_owned(),
            _ => words.push(token),
        }
    }
    words
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
    if root.is_empty() {
        word.to_owned()
    } else {
        root.to_owned()
    }
}
