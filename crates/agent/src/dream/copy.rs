//! The copy that a model works on. It reads like the directory; what is written stays here until it is judged.

use std::collections::BTreeMap;

use memdir_memory::{MemoryPath, Source, Topic, hidden, private_spans, secrets};
use memdir_store::{Error, Found, Notice, Outcome};
use memdir_tools::Shelf;

use super::draft::{Draft, Item, found, is_retained, terms_of};
use super::progress::Teller;

/// The single line of a memory that was merged.
const MERGED_INTO: &str = "merged_into:";
/// The largest memory that a dream writes, unless it was larger.
const MOST_BYTES: usize = 32 * 1024;
/// So many memories a dream makes at most.
const MOST_NEW: usize = 50;

/// What the model wants of one memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Wish {
    Written(String),
    Removed,
    Merged(MemoryPath),
}

/// The memories as the model sees them.
pub(super) struct Copy<'a> {
    draft: &'a Draft,
    others: &'a BTreeMap<MemoryPath, Found>,
    wishes: BTreeMap<MemoryPath, Wish>,
    teller: &'a Teller<'a>,
}

impl<'a> Copy<'a> {
    pub(super) fn of(
        draft: &'a Draft,
        others: &'a BTreeMap<MemoryPath, Found>,
        teller: &'a Teller<'a>,
    ) -> Self {
        Self {
            draft,
            others,
            wishes: BTreeMap::new(),
            teller,
        }
    }

    /// What the model wants, memory by memory.
    pub(super) fn wishes(self) -> BTreeMap<MemoryPath, Wish> {
        self.wishes
    }

    /// Whether the model may want this; a reason that it can act on where not.
    fn check(&self, path: &MemoryPath, content: &str) -> Result<Wish, Error> {
        let refuse = |reason: &str| {
            let reason = std::io::Error::other(reason.to_owned());
            Err(Error::io("change", path.as_str(), reason))
        };
        if self.others.contains_key(path)
            || ["team/", "logs/"]
                .iter()
                .any(|folder| path.as_str().starts_with(folder))
        {
            return refuse("this is not yours to change: leave logs and what the team shares");
        }
        let before = self.draft.files.get(path);
        let most = before.map_or(0, |item| item.text.len()).max(MOST_BYTES);
        if content.len() > most {
            return refuse("it is too long for a memory: write what is worth keeping");
        }
        if let Some(finding) = secrets::scan(path.as_str()).first() {
            return Err(Error::SecretName {
                rule: finding.rule.id,
                description: finding.rule.description,
            });
        }
        let line = content.trim();
        if line.is_empty() {
            return Ok(Wish::Removed);
        }
        if let Some(into) = line.strip_prefix(MERGED_INTO) {
            let into = into.trim().trim_matches(['"', '`']);
            let name = into.rsplit('/').next().unwrap_or(into);
            let into = [into, name].into_iter().find_map(|name| {
                let path = MemoryPath::new(name).ok()?;
                (!path.is_index()).then_some(path)
            });
            return match into {
                Some(into) if into != *path && !line.contains('\n') => Ok(Wish::Merged(into)),
                _ => {
                    refuse("`merged_into: ` is followed by the name of another memory, and no more")
                }
            };
        }
        if let Some(finding) = secrets::scan(content).first() {
            return Err(Error::Secret {
                path: path.clone(),
                line: finding.line,
                rule: finding.rule.id,
                description: finding.rule.description,
            });
        }
        if !private_spans(content).is_empty() {
            return refuse("what is marked as private is not kept");
        }
        let topic = Topic::parse(content.as_bytes());
        let header = topic.header();
        if header.name.is_none() || header.description.is_none() {
            return refuse("a memory begins with a header that has a name and a description");
        }
        if topic.body_text().trim().is_empty() {
            return refuse("a memory has a body; written empty, without a header, it is removed");
        }
        // Whose word it is stays in its header, which is therefore one that can be edited.
        let kept = before.map_or(topic, |item| Topic::parse(&item.text));
        let marked = kept.with_metadata("source", Source::Tool.as_str());
        if !marked.is_ok_and(|marked| marked.header().source == Some(Source::Tool)) {
            return refuse(match before {
                Some(_) => "its header has a form of its own: leave this memory as it is",
                None => "its header is not in the form that was shown: write it in that form",
            });
        }
        match before {
            Some(Item { text, .. }) if !is_retained(text, &terms_of(content.as_bytes())) => refuse(
                "this would be another memory: more than half of its words are gone. Keep them, or write another file",
            ),
            None if !self.wishes.contains_key(path) && self.new_ones() >= MOST_NEW => {
                refuse("these are too many new memories for one run")
            }
            _ => Ok(Wish::Written(content.to_owned())),
        }
    }

    fn new_ones(&self) -> usize {
        let paths = self.wishes.keys();
        paths
            .filter(|path| !self.draft.files.contains_key(path))
            .count()
    }

    fn written(&self, text: &str) -> Found {
        found(&Item {
            text: text.as_bytes().to_vec(),
            mtime: None,
        })
    }
}

impl Shelf for Copy<'_> {
    fn read(&self, path: &MemoryPath) -> Result<Option<Found>, Error> {
        Ok(match self.wishes.get(path) {
            Some(Wish::Written(text)) => Some(self.written(text)),
            Some(Wish::Removed | Wish::Merged(_)) => None,
            None => {
                let own = self.draft.files.get(path).map(found);
                own.or_else(|| self.others.get(path).cloned())
            }
        })
    }

    fn write(
        &mut self,
        path: &MemoryPath,
        _seen: Option<Found>,
        content: &str,
    ) -> Result<Outcome, Error> {
        let mut outcome = Outcome {
            operation: None,
            changed: Vec::new(),
            notices: Vec::new(),
        };
        // Lines of the index are made of the memories themselves: what a model writes there is not needed.
        if path.is_index() {
            return Ok(outcome);
        }
        let clean = hidden::clean(content);
        if clean.removed > 0 {
            outcome.notices.push(Notice::HiddenRemoved {
                path: path.clone(),
                count: clean.removed,
            });
        }
        let wish = self.check(path, &clean.text)?;
        self.teller.touched(path);
        self.wishes.insert(path.clone(), wish);
        outcome.changed.push(path.clone());
        Ok(outcome)
    }

    fn copied(&self) -> Option<Vec<(MemoryPath, Found)>> {
        let own = self.draft.files.iter();
        let mut files: BTreeMap<MemoryPath, Found> = own
            .map(|(path, item)| (path.clone(), found(item)))
            .collect();
        files.extend(self.others.clone());
        for (path, wish) in &self.wishes {
            match wish {
                Wish::Written(text) => files.insert(path.clone(), self.written(text)),
                Wish::Removed | Wish::Merged(_) => files.remove(path),
            };
        }
        Some(files.into_iter().collect())
    }
}
