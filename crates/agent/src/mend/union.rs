//! One memory out of two: the older one, with every statement that only the younger one had, word for word.

use memdir_memory::{MemoryPath, Source, Topic};

use super::statements::{Form, Said, Statement, Statements};

/// The key that names what went into a memory.
pub(super) const MERGED: &str = "merged";

/// Keys of a header that are the file's own and do not go with its statements.
const OWN: [&str; 9] = [
    "name",
    "description",
    "type",
    "metadata",
    "source",
    "modified",
    "expires",
    "node_type",
    MERGED,
];

/// Keys of which both values are kept.
const BOTH: [&str; 3] = ["evidence", "message", "originSessionId"];

/// What became of two memories.
#[derive(Debug)]
pub(super) struct Union {
    pub(super) topic: Topic,
    /// How many statements came from the younger.
    pub(super) brought: usize,
    /// What it counts as now, where that is less than before.
    pub(super) source: Option<Source>,
}

/// The older memory with what the younger says; none where its header cannot be edited, or where something would be lost.
pub(super) fn unite(older: &Topic, younger: &Topic, younger_path: &MemoryPath) -> Option<Union> {
    let (known, other) = (Statements::of(older), Statements::of(younger));
    let (text, brought) = unsaid(&known.said(), &other);
    let topic = match text.is_empty() {
        true => older.clone(),
        false => older.with_paragraph(&text),
    };
    let all = Statements::of(&topic);
    let said = all.said();
    let mut both = known.all.iter().chain(&other.all);
    let is_whole = both.all(|statement| said.has(statement));
    if !is_whole {
        return None;
    }
    let topic = carried(&topic, younger);
    let (topic, source) = trusted(topic, younger)?;
    let mut merged = list(&topic);
    for path in [younger_path.as_str().to_owned()]
        .into_iter()
        .chain(list(younger))
    {
        if !merged.contains(&path) {
            merged.push(path);
        }
    }
    let topic = topic.with_metadata(MERGED, &merged.join(", ")).ok()?;
    Some(Union {
        topic,
        brought,
        source,
    })
}

/// What went into a memory already.
fn list(topic: &Topic) -> Vec<String> {
    let known = topic.metadata(MERGED).unwrap_or_default();
    known
        .split(", ")
        .map(str::trim)
        .filter(|path| !path.is_empty())
        .map(str::to_owned)
        .collect()
}

/// The text of what only `other` says, block by block, and how many statements it has.
fn unsaid(known: &Said<'_>, other: &Statements) -> (String, usize) {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut count = 0;
    let mut heading: Option<&str> = None;
    let mut at = 0;
    while let Some(first) = other.all.get(at) {
        let length = other
            .all
            .iter()
            .skip(at)
            .take_while(|statement| statement.block == first.block)
            .count();
        let statements = other.all.get(at..at + length).unwrap_or_default();
        let before = at.checked_sub(1).and_then(|before| other.all.get(before));
        at += length;
        let missing: Vec<bool> = statements
            .iter()
            .map(|statement| !known.has(statement) && !is_said_below(statement, other))
            .collect();
        let number = missing.iter().filter(|missing| **missing).count();
        if number == 0 {
            continue;
        }
        count += number;
        let block = other.blocks.get(first.block);
        // What stands beneath a heading or leans on a sentence is not understood without it.
        if let Some(wanted) = block.and_then(|block| block.heading.as_deref())
            && heading != Some(wanted)
        {
            heading = Some(wanted);
            if !pieces.iter().any(|piece| piece.text == wanted) {
                pieces.push(Piece::paragraph(wanted));
            }
        }
        let leans = statements.first().is_some_and(|first| first.leans);
        if leans
            && missing.first() == Some(&true)
            && let Some(before) = before
            && known.has(before)
            && before.form == Form::Sentence
        {
            pieces.push(Piece::paragraph(&before.text));
        }
        let whole = number == missing.len();
        pieces.push(match block {
            Some(block) if whole => Piece {
                text: block.text.clone(),
                in_list: !block.marker.is_empty(),
            },
            Some(block) => Piece {
                text: format!("{}{}", block.marker, some(statements, &missing)),
                in_list: !block.marker.is_empty(),
            },
            None => Piece::paragraph(&first.text),
        });
    }
    (joined(&pieces), count)
}

/// Whether this is a description that the body says once more: the body's words are the ones that go.
fn is_said_below(statement: &Statement, other: &Statements) -> bool {
    let says = |below: &Statement| {
        below.form == Form::Sentence && below.context.is_none() && below.plain == statement.plain
    };
    statement.form == Form::Description && other.all.iter().any(says)
}

/// The statements of a block that are missing, each with the one that it leans on.
fn some(statements: &[Statement], missing: &[bool]) -> String {
    let is_missing = |at: usize| missing.get(at).copied().unwrap_or_default();
    let leans = |at: usize| statements.get(at).is_some_and(|statement| statement.leans);
    let texts: Vec<&str> = statements
        .iter()
        .enumerate()
        .filter(|(at, _)| is_missing(*at) || is_missing(at + 1) && leans(at + 1))
        .map(|(_, statement)| statement.text.as_str())
        .collect();
    texts.join(" ")
}

struct Piece {
    text: String,
    in_list: bool,
}

impl Piece {
    fn paragraph(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            in_list: false,
        }
    }
}

fn joined(pieces: &[Piece]) -> String {
    let mut text = String::new();
    let mut in_list = false;
    for piece in pieces {
        if !text.is_empty() {
            text.push_str(if in_list && piece.in_list {
                "\n"
            } else {
                "\n\n"
            });
        }
        text.push_str(&piece.text);
        in_list = piece.in_list;
    }
    text
}

/// The least trusted of two origins. A memory without one was written by an agent.
fn trusted(topic: Topic, younger: &Topic) -> Option<(Topic, Option<Source>)> {
    let rank = |source: Option<Source>| {
        let source = source.unwrap_or(Source::Agent);
        Source::ALL.iter().position(|known| *known == source)
    };
    let (own, other) = (topic.header().source, younger.header().source);
    if rank(other) <= rank(own) {
        return Some((topic, None));
    }
    let least = other.unwrap_or(Source::Agent);
    let topic = topic.with_metadata("source", least.as_str()).ok()?;
    Some((topic, Some(least)))
}

/// The memory with what the younger's header has and its own has not.
fn carried(topic: &Topic, younger: &Topic) -> Topic {
    let mut topic = topic.clone();
    for key in keys(younger) {
        if OWN.contains(&key.as_str()) {
            continue;
        }
        let Some(value) = younger.metadata(&key) else {
            continue;
        };
        let known = topic.metadata(&key);
        let free = match known {
            None => Some(key),
            Some(known) if known == value => None,
            Some(_) if BOTH.contains(&key.as_str()) => further(&topic, &key, &value),
            Some(_) => None,
        };
        if let Some(key) = free {
            // A form of header that takes no further key keeps what it has.
            topic = topic.with_metadata(&key, &value).unwrap_or(topic);
        }
    }
    topic
}

/// The first free `key_2`, `key_3`, …; none where one of them has the value already.
fn further(topic: &Topic, key: &str, value: &str) -> Option<String> {
    for number in 2..100 {
        let key = format!("{key}_{number}");
        match topic.metadata(&key) {
            None => return Some(key),
            Some(known) if known == value => return None,
            Some(_) => {}
        }
    }
    None
}

/// The keys of a header, at any depth.
fn keys(topic: &Topic) -> Vec<String> {
    if !topic.has_header() {
        return Vec::new();
    }
    let bytes = topic.bytes();
    let length = bytes.len() - topic.body().len();
    let header = String::from_utf8_lossy(bytes.get(..length).unwrap_or_default()).into_owned();
    let is_key = |key: &str| {
        !key.is_empty()
            && key
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
    };
    header
        .lines()
        .filter_map(|line| line.split_once(':'))
        .map(|(key, _)| key.trim().to_owned())
        .filter(|key| is_key(key))
        .collect()
}
