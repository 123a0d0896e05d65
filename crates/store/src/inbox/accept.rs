//! Accepting: a suggestion becomes a change of the memory directory, as one operation with its index line.

use memdir_memory::{MemoryPath, Source, Topic};

use super::{Waiting, numbered};
use crate::digest::Digest;
use crate::directory::Found;
use crate::error::{Error, Result};
use crate::gate::{Objection, SecretPolicy, objections};
use crate::history::Reason;
use crate::index_line::IndexLine;
use crate::merge::{Merged, merge};
use crate::operation::Outcome;
use crate::store::Store;

/// What accepting a suggestion does to a memory.
#[derive(Debug, Clone)]
pub struct Accepted {
    /// The suggestion.
    pub number: u64,
    /// The memory.
    pub path: MemoryPath,
    /// Its content now; none for a new one.
    pub before: Option<Vec<u8>>,
    /// Its content then; none where it goes.
    pub after: Option<Vec<u8>>,
    seen: Option<Found>,
    /// The modification time that it shall have; none is now.
    dated: Option<i64>,
}

/// What was accepted.
#[derive(Debug)]
pub struct Acceptance {
    /// What became of which memory.
    pub accepted: Vec<Accepted>,
    /// The operation on the memories.
    pub outcome: Outcome,
}

impl Accepted {
    /// No suggestion brings a secret in, however it came to have one.
    fn check(&self) -> Result<()> {
        let Some(after) = self.after.as_deref() else {
            return Ok(());
        };
        let after = String::from_utf8_lossy(after);
        for objection in objections(self.before.as_deref(), &after) {
            if let Objection::Secret {
                line,
                rule,
                description,
            } = objection
            {
                return Err(Error::Secret {
                    path: self.path.clone(),
                    line,
                    rule,
                    description,
                });
            }
        }
        Ok(())
    }
}

impl Store {
    /// What accepting these would change. Writes nothing.
    pub fn plan_accept(&self, waiting: &[Waiting]) -> Result<Vec<Accepted>> {
        let mut plans: Vec<Accepted> = Vec::new();
        for one in waiting {
            if let Some(problem) = one.damage() {
                return Err(Error::DamagedSuggestion {
                    path: self.inbox().folder().join(one.path.as_str()),
                    problem,
                });
            }
            let plan = self.plan_one(one, &plans)?;
            plan.check()?;
            match plans.iter_mut().find(|earlier| earlier.path == plan.path) {
                // Two suggestions for one memory: the second builds on the first.
                Some(earlier) => {
                    earlier.after = plan.after;
                    earlier.number = plan.number;
                }
                None => plans.push(plan),
            }
        }
        Ok(plans)
    }

    /// Makes the suggested changes, with their index lines, as one operation; then the suggestions go.
    /// One that was accepted by somebody who was killed before it went only goes.
    pub fn accept(&self, reason: Reason, waiting: &[Waiting]) -> Result<Acceptance> {
        // Whoever was killed midway may have left its change to be completed.
        self.sweep()?;
        let accepted = self.plan_accept(waiting)?;
        let mut operation = self.operation(reason.clone());
        // The user has seen it and wants it; a secret is still refused.
        operation.secrets(SecretPolicy::Refuse);
        let mut lines = Vec::new();
        for one in &accepted {
            let (before, after) = (one.before.as_deref(), one.after.as_deref());
            lines.push(IndexLine::of(&one.path, before, after)?);
            match (&one.after, &one.seen) {
                (Some(after), seen) => {
                    let (seen, after) = (seen.clone(), after.clone());
                    match one.dated {
                        Some(mtime) => operation.write_dated(&one.path, seen, after, mtime),
                        None => operation.write(&one.path, seen, after),
                    };
                }
                (None, Some(seen)) => {
                    operation.remove(&one.path, seen.clone());
                }
                (None, None) => {}
            }
        }
        operation.index_lines(lines);
        let outcome = operation.commit()?;
        self.inbox().reject(reason, waiting)?;
        Ok(Acceptance { accepted, outcome })
    }

    fn plan_one(&self, waiting: &Waiting, earlier: &[Accepted]) -> Result<Accepted> {
        let target = &waiting.target;
        let seen = self.read(target)?;
        let before = seen.as_ref().map(|found| found.bytes.clone());
        let pending = earlier.iter().find(|earlier| earlier.path == *target);
        let now = pending.map_or(before.clone(), |earlier| earlier.after.clone());
        let conflict = |merged: String| Error::Conflict {
            path: target.clone(),
            merged,
        };
        let plan = |path: &MemoryPath, after, seen| Accepted {
            number: waiting.number,
            path: path.clone(),
            before: before.clone(),
            after,
            seen,
            dated: waiting.dated,
        };
        let wanted = vouched(waiting.content()).into_bytes();
        let is_base = |now: &[u8]| waiting.base.is_none_or(|base| Digest::of(now) == base);
        // What stands there is asked first: the history is long.
        let as_it_was = match (&before, waiting.base.is_some() || waiting.removes) {
            (Some(now), true) => is_base(now),
            (found, known) => found.is_some() == known,
        };
        if (!as_it_was || !waiting.waits())
            && let Some(accepted) = self.accepted_before(waiting, &wanted)?
        {
            if !waiting.waits() {
                return Err(Error::Accepted {
                    number: waiting.number,
                    operation: accepted.operation,
                });
            }
            let standing = self.read(&accepted.path)?;
            if standing.is_some() != waiting.removes {
                let now = standing.as_ref().map(|found| found.bytes.clone());
                let mut plan = plan(&accepted.path, now.clone(), standing);
                plan.before = now;
                plan.dated = None;
                return Ok(plan);
            }
        }
        if waiting.removes {
            return match &before {
                Some(now) if is_base(now) => Ok(plan(target, None, seen)),
                Some(_) => Err(Error::ChangedSince {
                    path: target.clone(),
                }),
                None => Err(Error::NotFound(target.clone())),
            };
        }
        let Some(base) = waiting.base else {
            let path = self.free(target, earlier)?;
            let mut plan = plan(&path, Some(wanted), None);
            plan.before = None;
            return Ok(plan);
        };
        let Some(now) = now else {
            return Err(Error::NotFound(target.clone()));
        };
        if Digest::of(&now) == base {
            return Ok(plan(target, Some(wanted), seen));
        }
        // Somebody changed it since: what they did stays, unless it is in the same lines.
        let base = self.history()?.content(target, base)?;
        match merge(&base, &wanted, &now) {
            Merged::Clean(merged) => Ok(plan(target, Some(merged), seen)),
            Merged::Conflict(text) => Err(conflict(text)),
        }
    }

    /// The target, or the next name like it that nobody has.
    fn free(&self, target: &MemoryPath, earlier: &[Accepted]) -> Result<MemoryPath> {
        let mut number = 1;
        loop {
            let path = numbered(target, number)?;
            let planned = earlier.iter().any(|earlier| earlier.path == path);
            if !planned && self.read(&path)?.is_none() {
                return Ok(path);
            }
            number += 1;
        }
    }
}

/// A memory that the user vouches for by accepting it: from then on it is their word, and says whose it was.
fn vouched(topic: Topic) -> Topic {
    match topic.header().source {
        Some(source) if !source.may_instruct() => {
            let vouched = topic
                .with_metadata("source", Source::User.as_str())
                .and_then(|topic| topic.with_metadata("accepted_from", source.as_str()));
            vouched.unwrap_or(topic)
        }
        _ => topic,
    }
}
