//! Statements as a checker lists them that knows nothing of the rules: descriptions, lines, sentences.

use std::collections::{BTreeMap, BTreeSet};

use memdir_agent::mend::Before;
use memdir_memory::{MemoryPath, Topic};

/// Every statement of every memory, in one typography.
pub(super) fn statements(files: &BTreeMap<MemoryPath, Before>) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for (path, before) in files {
        if path.is_index() {
            continue;
        }
        all.extend(of_file(&before.text));
    }
    all
}

pub(super) fn of_file(text: &[u8]) -> BTreeSet<String> {
    let topic = Topic::parse(text);
    let mut all = BTreeSet::new();
    all.extend(topic.header().description.as_deref().map(plain));
    for line in topic.body_text().lines() {
        let line = line
            .trim_start_matches(['-', '*', ' ', '#'])
            .replace("。", "。\n");
        for sentence in line.replace(". ", ".\n").lines() {
            all.insert(plain(sentence));
        }
    }
    all.remove("");
    all
}

pub(super) fn plain(text: &str) -> String {
    let is_typography = |character: &char| "*,;:\"“”'’，".contains(*character);
    let text: String = text.chars().filter(|one| !is_typography(one)).collect();
    let words: Vec<&str> = text.split_whitespace().collect();
    words
        .join(" ")
        .trim_matches(['.', '。', ' ', '-', '#'])
        .to_lowercase()
}
