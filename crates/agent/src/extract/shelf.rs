//! The shelf of a run that only proposes: it reads memories and gathers what shall become of them.

use std::collections::BTreeMap;

use memdir_conversation::{Message, Source as Speaker};
use memdir_memory::{MemoryPath, MemoryType, Source, Topic, hidden, secrets};
use memdir_store::{Error, Found, Notice, Outcome, Stamp, Store};
use memdir_tools::Shelf;

use crate::keep::{Suggestion, Wanted};

/// What a run wants of one memory.
#[derive(Debug, Clone)]
struct Wish {
    /// What was on the disk when the run first saw it.
    seen: Option<Found>,
    content: String,
}

/// Gathers what a run writes.
#[derive(Debug)]
pub(super) struct Gathering<'a> {
    store: &'a Store,
    team: bool,
    wishes: BTreeMap<MemoryPath, Wish>,
}

impl<'a> Gathering<'a> {
    pub(super) fn new(store: &'a Store, team: bool) -> Self {
        Self {
            store,
            team,
            wishes: BTreeMap::new(),
        }
    }

    /// What it has gathered, to be decided.
    pub(super) fn suggestions(self, visible: &[&Message]) -> Vec<Suggestion> {
        let suggestions = self.wishes.into_iter().map(|(path, wish)| {
            let team = path.as_str().starts_with("team/");
            let topic = Topic::parse(wish.content.as_bytes());
            let message = message_of(topic.metadata("evidence").as_deref(), visible);
            let wanted = match wish.content.trim().is_empty() {
                true => Wanted::Removed(path),
                false => Wanted::Written {
                    path,
                    seen: wish.seen,
                    topic: Box::new(topic),
                },
            };
            Suggestion {
                team,
                message,
                ..Suggestion::of(wanted)
            }
        });
        suggestions.collect()
    }

    /// Whether a content may become a memory; a reason that a model can act on where not.
    fn check(&self, path: &MemoryPath, content: &str) -> Result<(), Error> {
        let refused = |reason: &'static str| {
            let reason = std::io::Error::other(reason);
            Err(Error::io("save", path.as_str(), reason))
        };
        if path.as_str().starts_with("team/") && !self.team {
            return refused("there is no team to save for: save it privately");
        }
        if path.as_str().starts_with("logs/") {
            return refused("logs are kept by the agent itself");
        }
        if let Some(found) = secrets::scan(path.as_str()).first() {
            return Err(Error::SecretName {
                rule: found.rule.id,
                description: found.rule.description,
            });
        }
        if let Some(found) = secrets::scan(content).first() {
            return Err(Error::Secret {
                path: path.clone(),
                line: found.line,
                rule: found.rule.id,
                description: found.rule.description,
            });
        }
        if content.trim().is_empty() {
            return Ok(());
        }
        let topic = Topic::parse(content.as_bytes());
        let header = topic.header();
        if path.as_str().starts_with("team/") && header.memory_type == Some(MemoryType::User) {
            return refused("what is about the user is never shared: save it privately");
        }
        if header.description.is_none() || header.name.is_none() {
            return refused("a memory begins with a header that has a name and a description");
        }
        // The origin is ours to write: a header in which that is not possible cannot stay.
        let marked = topic.with_metadata("source", Source::Tool.as_str());
        match marked {
            Ok(marked) if marked.header().source == Some(Source::Tool) => Ok(()),
            _ => refused("its header is not in the form that was shown: write it in that form"),
        }
    }
}

/// The message of the user that a memory stands on: the last that has its evidence, else the last of all.
pub(super) fn message_of(evidence: Option<&str>, visible: &[&Message]) -> Option<String> {
    let spaced = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let evidence = evidence.map(spaced).filter(|words| !words.is_empty());
    let typed = || {
        let typed = visible.iter().rev();
        typed.filter(|message| message.source == Speaker::User)
    };
    let cited = evidence
        .and_then(|words| typed().find(|message| spaced(&message.words()).contains(&words)));
    let message = cited.or_else(|| typed().next())?;
    Some(message.id.to_string())
}

impl Shelf for Gathering<'_> {
    fn read(&self, path: &MemoryPath) -> Result<Option<Found>, Error> {
        match self.wishes.get(path) {
            Some(wish) if wish.content.trim().is_empty() => Ok(None),
            Some(wish) => Ok(Some(Found {
                bytes: wish.content.clone().into_bytes(),
                stamp: Stamp::default(),
                mode: 0o600,
            })),
            None => self.store.read(path),
        }
    }

    fn write(
        &mut self,
        path: &MemoryPath,
        seen: Option<Found>,
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
        self.check(path, &clean.text)?;
        let first = self.wishes.get(path).map(|wish| wish.seen.clone());
        let wish = Wish {
            seen: first.unwrap_or(seen),
            content: clean.text.into_owned(),
        };
        self.wishes.insert(path.clone(), wish);
        outcome.changed.push(path.clone());
        Ok(outcome)
    }
}
