//! The lines of a purged memory, by which its text is found elsewhere.

use std::collections::BTreeSet;

use aho_corasick::{AhoCorasick, AhoCorasickBuilder};
use memdir_memory::Topic;

/// A line of fewer characters says too little to be looked for elsewhere.
const SHORTEST: usize = 16;

/// Lines of a content that are long enough to be found again elsewhere, its description among them.
pub(super) fn needles(content: &[u8]) -> BTreeSet<String> {
    let topic = Topic::parse(content);
    let body = topic.body_text();
    let description = topic.header().description.clone();
    let lines = body.lines().map(str::to_owned).chain(description);
    let lines = lines.map(|line| line.trim().to_owned());
    lines
        .filter(|line| line.chars().count() >= SHORTEST)
        .collect()
}

/// Where memories came from, as their headers say.
#[derive(Debug, Default)]
pub(super) struct Origins {
    /// Words of the user.
    pub(super) quotes: BTreeSet<String>,
    /// Names of conversations.
    pub(super) conversations: BTreeSet<String>,
}

impl Origins {
    /// Adds what a content says; of a merged memory each of several.
    pub(super) fn add(&mut self, content: &[u8]) {
        let topic = Topic::parse(content);
        let quote = topic.metadata("evidence");
        // One that was cut short ends with an ellipsis.
        let quote = quote.map(|quote| quote.trim().trim_end_matches(['…', '.']).to_owned());
        let quote = quote.filter(|quote| quote.chars().count() >= SHORTEST);
        self.quotes.extend(quote);
        let conversations = topic.metadata("originSessionId").unwrap_or_default();
        let names = conversations.split([',', ' ', '[', ']']);
        let names = names.filter(|name| name.chars().count() >= SHORTEST);
        self.conversations.extend(names.map(str::to_owned));
    }
}

/// Whether two contents have at least half of their lines in common.
pub(super) fn is_half(one: &BTreeSet<String>, other: &BTreeSet<String>) -> bool {
    let common = one.intersection(other).count();
    common > 0 && common * 2 >= one.len().min(other.len())
}

/// A line without what only ends it: in the middle of a sentence it has no full stop.
fn core(line: &str) -> &str {
    let core = line.trim_end_matches(['.', '!']);
    match core.chars().count() >= SHORTEST {
        true => core,
        false => line,
    }
}

/// Finds lines in texts.
#[derive(Debug)]
pub(super) struct Matcher(Option<AhoCorasick>);

impl Matcher {
    /// For texts as they are.
    pub(super) fn plain<'a>(needles: impl IntoIterator<Item = &'a String>) -> Matcher {
        Matcher::of(needles.into_iter().cloned().collect(), false)
    }

    /// For the strings of records: the lines in capitals or not, as a sentence around them has it.
    pub(super) fn loose<'a>(needles: impl IntoIterator<Item = &'a String>) -> Matcher {
        let needles = needles.into_iter();
        Matcher::of(
            needles.map(|needle| core(needle).to_owned()).collect(),
            true,
        )
    }

    /// For files of any kind: as [`Matcher::loose`], or as JSON writes them.
    pub(super) fn anywhere<'a>(needles: impl IntoIterator<Item = &'a String>) -> Matcher {
        let mut patterns = BTreeSet::new();
        for needle in needles {
            let needle = core(needle);
            patterns.insert(needle.to_owned());
            let json = serde_json::Value::from(needle).to_string();
            let inside = json
                .strip_prefix('"')
                .and_then(|json| json.strip_suffix('"'));
            patterns.extend(inside.map(str::to_owned));
        }
        Matcher::of(patterns, true)
    }

    fn of(patterns: BTreeSet<String>, any_case: bool) -> Matcher {
        let patterns: Vec<String> = patterns.into_iter().filter(|one| !one.is_empty()).collect();
        let matcher = AhoCorasickBuilder::new()
            .ascii_case_insensitive(any_case)
            .build(&patterns);
        Matcher(matcher.ok().filter(|_| !patterns.is_empty()))
    }

    /// Whether one of the lines stands in a text.
    pub(super) fn is_in(&self, text: &[u8]) -> bool {
        let matcher = self.0.as_ref();
        matcher.is_some_and(|matcher| matcher.is_match(text))
    }

    /// Whether one of the lines stands in what is read.
    pub(super) fn is_in_stream(&self, stream: impl std::io::Read) -> bool {
        let found = self.0.as_ref().and_then(|matcher| {
            let mut found = matcher.stream_find_iter(stream);
            found.next()
        });
        found.is_some_and(|found| found.is_ok())
    }

    /// A text with something else where one of the lines stands.
    pub(super) fn replaced(&self, text: &str, with: &str) -> String {
        let Some(matcher) = &self.0 else {
            return text.to_owned();
        };
        let mut replaced = String::with_capacity(text.len());
        matcher.replace_all_with(text, &mut replaced, |_, _, new| {
            new.push_str(with);
            true
        });
        replaced
    }

    /// A text without the lines in which one of them stands.
    pub(super) fn cut(&self, text: &[u8]) -> Vec<u8> {
        if !self.is_in(text) {
            return text.to_vec();
        }
        let lines = text.split_inclusive(|byte| *byte == b'\n');
        let kept = lines.filter(|line| !self.is_in(line));
        kept.flatten().copied().collect()
    }
}
