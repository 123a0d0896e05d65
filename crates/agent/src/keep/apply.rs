//! Decisions gathered, and then made true: one operation on the memories, one on the inbox.

use std::collections::HashMap;

use jiff::Timestamp;
use memdir_memory::{MemoryPath, Source, Topic};
use memdir_settings::Mode;
use memdir_store::{Error, Found, IndexLine, Outcome, Suggested};

use super::{Because, Catalogue, Held, Keeper, Kept, Refused, Saved, Suggestion, Why};

/// What was decided so far. The catalogue is as it will be.
pub(super) struct Changes {
    pub(super) catalogue: Catalogue,
    pub(super) known: Vec<MemoryPath>,
    refused: Vec<Refused>,
    /// Memories that change, in order.
    touched: Vec<MemoryPath>,
    /// What goes, as it is on the disk.
    removed: HashMap<MemoryPath, Found>,
    held: Vec<(Held, Suggested)>,
    /// What authors saw, where that is not what the catalogue read.
    seen: HashMap<MemoryPath, Found>,
}

impl Changes {
    pub(super) fn new(catalogue: Catalogue) -> Self {
        Self {
            catalogue,
            known: Vec::new(),
            refused: Vec::new(),
            touched: Vec::new(),
            removed: HashMap::new(),
            held: Vec::new(),
            seen: HashMap::new(),
        }
    }

    pub(super) fn refuse(&mut self, suggestion: &Suggestion, why: Why) {
        self.refused.push(Refused {
            message: suggestion.message.clone(),
            why,
        });
    }

    /// Notes what the author of a memory saw.
    pub(super) fn saw(&mut self, path: &MemoryPath, seen: &Found) {
        self.seen.insert(path.clone(), seen.clone());
    }

    /// A memory becomes this, at once or once the user says so.
    pub(super) fn write(
        &mut self,
        keeper: &Keeper<'_>,
        suggestion: &Suggestion,
        path: MemoryPath,
        topic: Topic,
        source: Source,
    ) {
        match waits(keeper.mode, source) {
            None => {
                let had = self.catalogue.get(&path).map_or(0, |known| known.mtime);
                let mtime = nanoseconds(suggestion.said).map_or(0, |said| said.max(had));
                self.catalogue.put(&path, topic.into_bytes(), mtime);
                self.touch(path);
            }
            Some(because) => {
                let base = self.on_disk(&path).map(|found| found.bytes.clone());
                self.hold(path, base, topic, None, because);
            }
        }
    }

    /// A memory goes, at once or once the user says so.
    pub(super) fn drop_memory(&mut self, keeper: &Keeper<'_>, path: &MemoryPath, source: Source) {
        let Some(known) = self.catalogue.get(path) else {
            return;
        };
        let topic = Topic::parse(&known.bytes);
        let seen = known.seen.clone();
        match (waits(keeper.mode, source), seen) {
            (None, seen) => {
                if let Some(seen) = seen {
                    self.removed.insert(path.clone(), seen);
                    self.touch(path.clone());
                }
                self.catalogue.remove(path);
            }
            (Some(because), Some(seen)) => {
                self.hold(path.clone(), Some(seen.bytes), topic, Some(source), because);
            }
            // It is not written yet, and so there is nothing to ask about.
            (Some(_), None) => self.held.retain(|(held, _)| held.target != *path),
        }
    }

    /// Lets a change wait; of a removal, whose wish it is.
    fn hold(
        &mut self,
        target: MemoryPath,
        base: Option<Vec<u8>>,
        topic: Topic,
        removed_by: Option<Source>,
        because: Because,
    ) {
        let removes = removed_by.is_some();
        let same = |(held, _): &(Held, Suggested)| held.topic.body() == topic.body();
        if !removes && self.held.iter().any(same) {
            self.known.push(target);
            return;
        }
        let suggested = Suggested {
            target: target.clone(),
            base,
            topic: topic.clone(),
            removes,
            origin: removed_by,
            from: None,
            dated: None,
        };
        let held = Held {
            path: None,
            target,
            topic,
            because,
        };
        self.held.push((held, suggested));
    }

    fn touch(&mut self, path: MemoryPath) {
        if !self.touched.contains(&path) {
            self.touched.push(path);
        }
    }

    fn on_disk(&self, path: &MemoryPath) -> Option<&Found> {
        let known = self
            .catalogue
            .get(path)
            .and_then(|known| known.seen.as_ref());
        self.seen.get(path).or(self.removed.get(path)).or(known)
    }

    /// What becomes of the memories, those that stay as they are left out.
    fn saved(&self) -> Vec<Saved> {
        let saved = self.touched.iter().map(|path| Saved {
            path: path.clone(),
            before: self.on_disk(path).map(|found| found.bytes.clone()),
            after: self.catalogue.get(path).map(|known| known.bytes.clone()),
        });
        saved.filter(|saved| saved.before != saved.after).collect()
    }

    /// All of it, without writing anything.
    pub(super) fn planned(self) -> Kept {
        Kept {
            saved: self.saved(),
            waiting: self.held.into_iter().map(|(held, _)| held).collect(),
            known: self.known,
            refused: self.refused,
            operation: None,
            notices: Vec::new(),
        }
    }

    /// Makes it true.
    pub(super) fn commit(self, keeper: &Keeper<'_>) -> Result<Kept, Error> {
        let saved = self.saved();
        let written = self.commit_memories(keeper, &saved)?;
        let (waiting, asked) = commit_inbox(keeper, self.held)?;
        let mut notices = written.notices;
        notices.extend(asked.into_iter().flat_map(|asked| asked.notices));
        Ok(Kept {
            saved,
            waiting,
            known: self.known,
            refused: self.refused,
            operation: written.operation,
            notices,
        })
    }

    fn commit_memories(&self, keeper: &Keeper<'_>, saved: &[Saved]) -> Result<Outcome, Error> {
        let mut operation = keeper.store.operation(keeper.reason.clone());
        operation.secrets(keeper.secrets);
        let mut lines = Vec::new();
        for Saved {
            path,
            before,
            after,
        } in saved
        {
            let seen = self.on_disk(path).cloned();
            lines.push(IndexLine::of(path, before.as_deref(), after.as_deref())?);
            match (after, seen) {
                (Some(after), seen) => {
                    let mtime = self.catalogue.get(path).map_or(0, |known| known.mtime);
                    match mtime > 0 {
                        true => operation.write_dated(path, seen, after.clone(), mtime),
                        false => operation.write(path, seen, after.clone()),
                    };
                }
                (None, Some(seen)) => {
                    operation.remove(path, seen);
                }
                (None, None) => {}
            }
        }
        if lines.is_empty() {
            return Ok(Outcome {
                operation: None,
                changed: Vec::new(),
                notices: Vec::new(),
            });
        }
        operation.index_lines(lines);
        operation.commit()
    }
}

/// Adds what waits to the inbox; what the user has already decided about is not asked again.
fn commit_inbox(
    keeper: &Keeper<'_>,
    held: Vec<(Held, Suggested)>,
) -> Result<(Vec<Held>, Option<Outcome>), Error> {
    if held.is_empty() {
        return Ok((Vec::new(), None));
    }
    let inbox = keeper.store.inbox();
    let past = inbox.past()?;
    let (mut waiting, mut suggested) = (Vec::new(), Vec::new());
    for (held, one) in held {
        let decided = past
            .iter()
            .any(|past| past.topic.body() == held.topic.body());
        if one.removes || !decided {
            waiting.push(held);
            suggested.push(one);
        }
    }
    if suggested.iter().any(|one| one.base.is_some()) {
        // So that the history has the content they start from, however it came there.
        keeper.store.sweep()?;
    }
    let (paths, outcome) = inbox.suggest(&keeper.reason, &suggested, keeper.secrets)?;
    for (held, path) in waiting.iter_mut().zip(paths) {
        held.path = Some(path);
    }
    Ok((waiting, Some(outcome)))
}

/// Why a change has to wait, if it has to.
fn waits(mode: Mode, source: Source) -> Option<Because> {
    match (mode, source.may_instruct()) {
        (_, false) => Some(Because::Origin(source)),
        (Mode::Auto, true) => None,
        (_, true) => Some(Because::Asked),
    }
}

pub(super) fn nanoseconds(said: Option<Timestamp>) -> Option<i64> {
    said.and_then(|said| i64::try_from(said.as_nanosecond()).ok())
}
