//! The lines of a purged memory, by which its text is found elsewhere.

use std::collections::BTreeSet;

use aho_corasick::AhoCorasick;
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

/// Whether two contents have at least half of their lines in common.
pub(super) fn is_half(one: &BTreeSet<String>, other: &BTreeSet<String>) -> bool {
    let common = one.intersection(other).count();
    common > 0 && common * 2 >= one.len().min(other.len())
}

/// Finds lines in texts.
#[derive(Debug)]
pub(super) struct Matcher(Option<AhoCorasick>);

impl Matcher {
    /// For texts as they are.
    pub(super) fn plain<'a>(needles: impl IntoIterator<Item = &'a String>) -> Matcher {
        Matcher::of(needles.into_iter().cloned().collect())
    }

    /// For files of any kind: the lines as they are, or as JSON writes them.
    pub(super) fn anywhere<'a>(needles: impl IntoIterator<Item = &'a String>) -> Matcher {
        let mut patterns = BTreeSet::new();
        for needle in needles {
            patterns.insert(needle.clone());
            let json = serde_json::Value::from(needle.as_str()).to_string();
            let inside = json
                .strip_prefix('"')
                .and_then(|json| json.strip_suffix('"'));
            patterns.extend(inside.map(str::to_owned));
        }
        Matcher::of(patterns)
    }

    fn of(patterns: BTreeSet<String>) -> Matcher {
        let patterns: Vec<String> = patterns.into_iter().filter(|one| !one.is_empty()).collect();
        let matcher = AhoCorasick::new(&patterns);
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
