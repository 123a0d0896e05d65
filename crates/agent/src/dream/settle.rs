//! What a model wants, made into what becomes of the memories: whose word each is, is decided here and not by the model.
//!
//! A memory that was changed keeps its header, and it is worth the word of the least trusted that it was made of. New
//! words come from somewhere: out of another memory or a log, else from the model itself while it looked at nothing but
//! memories, else from whatever it looked at. Words of the last kind wait in the inbox, and with them what was to be
//! merged into them.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use jiff::civil::Date;
use memdir_memory::{MemoryPath, Source, Topic, words};
use memdir_store::{Error, Found, Suggested};

use super::copy::Wish;
use super::draft::{Draft, Item, is_log, is_retained, terms_of};
use crate::keep::{least_trusted, rewritten};

/// What a model looked at and wants.
pub(super) struct Wishes<'a> {
    pub(super) wishes: BTreeMap<MemoryPath, Wish>,
    /// What it may have taken words from that is neither a memory nor a log; nothing if there is no such thing.
    pub(super) mixed_by: Option<String>,
    /// The logs, and the team's memories.
    pub(super) others: &'a BTreeMap<MemoryPath, Found>,
    /// The conversation whose fork it is.
    pub(super) conversation: Option<&'a str>,
}

/// One memory that the model wrote, judged.
struct Judged {
    item: Item,
    /// Whose word it is, where that is somebody who must not instruct and did not before.
    waits: Option<Source>,
}

impl Wishes<'_> {
    /// Makes them true in the draft; what has to wait for the user is handed back.
    pub(super) fn settle(&self, draft: &mut Draft) -> Result<Vec<Suggested>, Error> {
        let mut judged: BTreeMap<&MemoryPath, Judged> = BTreeMap::new();
        for (path, wish) in &self.wishes {
            if let Wish::Written(text) = wish {
                judged.insert(path, self.judge(draft, path, text));
            }
        }
        let waiting: BTreeMap<&MemoryPath, HashSet<String>> = judged
            .iter()
            .filter(|(_, judged)| judged.waits.is_some())
            .map(|(path, judged)| (*path, terms_of(&judged.item.text)))
            .collect();
        let mut held = Vec::new();
        let before = draft.clone();
        for (path, judged) in judged {
            match judged.waits {
                None => draft.write(path, judged.item)?,
                Some(_) => held.push(Suggested {
                    target: path.clone(),
                    base: before.files.get(path).map(|item| item.text.clone()),
                    topic: Topic::from_bytes(judged.item.text),
                    removes: false,
                    origin: None,
                    from: None,
                    dated: None,
                }),
            }
        }
        for (path, wish) in &self.wishes {
            let into = match wish {
                Wish::Written(_) => continue,
                Wish::Removed => None,
                Wish::Merged(into) => Some(into.clone()),
            };
            // What says it from now on only waits: so this stays.
            let stays = before.files.get(path).is_some_and(|item| {
                let leads_there = self
                    .end_of(path)
                    .is_some_and(|end| waiting.contains_key(end));
                leads_there || waiting.values().any(|terms| is_retained(&item.text, terms))
            });
            if !stays {
                self.lend_origin(&before, path, draft);
                draft.remove(path, into)?;
            }
        }
        Ok(held)
    }

    /// A memory into which another went without a word more is worth the word of the lesser of the two.
    fn lend_origin(&self, before: &Draft, path: &MemoryPath, draft: &mut Draft) {
        let end = self.end_of(path).filter(|end| *end != path);
        let into = end.and_then(|end| draft.files.get_mut(end));
        let (Some(into), Some(gone)) = (into, before.files.get(path)) else {
            return;
        };
        let had = source(&into.text);
        let lent = least_trusted(&[had, source(&gone.text)]);
        if let Some(lent) = lent.filter(|_| lent != had) {
            into.text = marked(Topic::parse(&into.text), "source", lent.as_str()).into_bytes();
        }
    }

    /// Where a chain of merges ends.
    fn end_of<'p>(&'p self, path: &'p MemoryPath) -> Option<&'p MemoryPath> {
        let mut path = path;
        for _ in 0..=self.wishes.len() {
            match self.wishes.get(path) {
                Some(Wish::Merged(into)) => path = into,
                Some(Wish::Removed) => return None,
                Some(Wish::Written(_)) | None => return Some(path),
            }
        }
        None
    }

    fn judge(&self, draft: &Draft, path: &MemoryPath, text: &str) -> Judged {
        let topic = Topic::parse(text.as_bytes());
        let old = draft.files.get(path);
        // Itself, and what the model says is merged into it.
        let merged = self.wishes.keys().filter(|other| {
            matches!(self.wishes.get(*other), Some(Wish::Merged(_)))
                && self.end_of(other) == Some(path)
        });
        let merged: BTreeSet<&MemoryPath> = merged.collect();
        let mut made_of: Vec<&Item> = merged.iter().filter_map(|p| draft.files.get(*p)).collect();
        made_of.extend(old);
        let said = said(&topic, old.is_none().then_some(path));
        let known: HashSet<String> = made_of
            .iter()
            .flat_map(|item| all_terms(&item.text))
            .collect();
        let mut foreign: HashSet<String> = said.difference(&known).cloned().collect();
        let mut origins: Vec<Option<Source>> =
            made_of.iter().map(|item| source(&item.text)).collect();
        let was = least_trusted(&origins);

        // All of one memory's words: then it is that one's word as well.
        let others = draft
            .files
            .iter()
            .filter(|(other, _)| !other.is_index() && *other != path && !merged.contains(*other));
        let whole = others
            .clone()
            .find(|(_, item)| !foreign.is_empty() && foreign.is_subset(&all_terms(&item.text)));
        if let Some((_, item)) = whole {
            origins.push(source(&item.text).or(Some(Source::Agent)));
            made_of.push(item);
            foreign.clear();
        }
        let is_reworded = foreign.is_empty();
        if !foreign.is_empty() {
            let logs = self.others.iter().filter(|(path, _)| is_log(path));
            for (_, log) in logs {
                let text = String::from_utf8_lossy(&log.bytes);
                let terms = words::terms(&text);
                foreign.retain(|word| !terms.contains(word));
            }
            origins.push(Some(Source::Agent));
            let shares = |text: &[u8]| !all_terms(text).is_disjoint(&foreign);
            // Words that stand in what must not instruct may come from there.
            for (_, item) in others {
                let source = source(&item.text).filter(|source| !source.may_instruct());
                if source.is_some() && shares(&item.text) {
                    origins.push(source);
                }
            }
            let team = self.others.iter().filter(|(path, _)| !is_log(path));
            if team.into_iter().any(|(_, found)| shares(&found.bytes)) {
                origins.push(Some(Source::Team));
            }
            if self.mixed_by.is_some() && !foreign.is_empty() {
                origins.push(Some(Source::Tool));
            }
        }
        let source = least_trusted(&origins);
        let waits = source.filter(|source| {
            !source.may_instruct() && was.is_none_or(|was: Source| was.may_instruct())
        });
        let newest = made_of.iter().filter_map(|item| item.mtime).max();
        let mut topic = rewritten(old.map(|item| item.text.as_slice()), path, &topic);
        if let Some(source) = source.or_else(|| old.is_none().then_some(Source::Agent)) {
            topic = marked(topic, "source", source.as_str());
        }
        if let (Some(conversation), None) = (self.conversation, old) {
            topic = marked(topic, "originSessionId", conversation);
        }
        Judged {
            item: Item {
                text: topic.into_bytes(),
                mtime: newest.filter(|_| is_reworded),
            },
            waits,
        }
    }
}

/// The memory with this in its header.
fn marked(topic: Topic, key: &str, value: &str) -> Topic {
    match topic.metadata(key).as_deref() == Some(value) {
        true => topic,
        // Checked before: a header that cannot be edited was refused.
        false => topic.with_metadata(key, value).unwrap_or(topic),
    }
}

fn source(text: &[u8]) -> Option<Source> {
    Topic::parse(text).header().source
}

/// Every content word of a file.
fn all_terms(text: &[u8]) -> HashSet<String> {
    let text = String::from_utf8_lossy(text);
    let mut terms = words::terms(&text);
    // A name is made of the parts of `tz.c` and `3.11`.
    let apart = text.replace(|sign: char| !sign.is_alphanumeric() && sign != '\'', " ");
    terms.extend(words::terms(&apart));
    terms
}

/// The content words that a memory says, and those of the name of a new file, which stands in the index. A date that is
/// written out says what a word like `tomorrow` said.
fn said(topic: &Topic, path: Option<&MemoryPath>) -> HashSet<String> {
    let kind = topic.header().memory_type.map_or("", |kind| kind.as_str());
    let mut said = terms_of(&without_dates(topic.bytes()));
    if let Some(path) = path {
        let stem = path.as_str().trim_end_matches(".md");
        let stem = stem.strip_prefix(kind).unwrap_or(stem);
        let stem = stem.replace(|sign: char| !sign.is_alphanumeric(), " ");
        said.extend(words::terms(&stem));
    }
    for word in ["how", "apply", "appli", "why", "rule", "user"] {
        said.remove(word);
    }
    said
}

fn without_dates(text: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(text);
    let is_edge = |sign: char| sign.is_whitespace() || "()[],;:.".contains(sign);
    let parts = text.split_inclusive(is_edge);
    let kept = parts.filter(|part| part.trim_end_matches(is_edge).parse::<Date>().is_err());
    kept.collect::<String>().into_bytes()
}
