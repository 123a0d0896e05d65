//! Which files of the past are one memory.
//!
//! A life is one file from when it came to when it went. A memory is all lives that are linked: by a rename, or because
//! one has the content that another had, whoever copied, moved or restored it. What was merged into a memory came before
//! it; a memory that others were merged into comes after them.

use std::collections::{BTreeSet, HashMap, HashSet};

use memdir_memory::{MemoryPath, Topic};

use super::needles::{is_half, needles};
use crate::digest::Digest;
use crate::history::past::Past;
use crate::history::record::{Author, FileRecord, Record};
use crate::purge::RENAME;

/// The header's key under which a memory names those that were merged into it.
const MERGED: &str = "merged";

/// One file from when it came to when it went.
#[derive(Debug)]
struct Life {
    path: MemoryPath,
    /// The operations that began and ended it.
    first: u64,
    last: u64,
    /// Names of memories that were merged into it, each with the operation that says so.
    merged: Vec<(MemoryPath, u64)>,
    /// Those that its latest content names.
    merged_now: Vec<MemoryPath>,
}

/// Lives that began, or that ended, by hand, with their lines then.
#[derive(Default)]
struct Sides {
    all: Vec<(usize, BTreeSet<String>)>,
    by_line: HashMap<String, Vec<usize>>,
}

/// One memory that was merged into another.
struct Merge {
    child: usize,
    parent: usize,
    /// Whether the other still says so.
    stands: bool,
}

/// Every life of every file but indexes, and which of them are meant.
#[derive(Debug, Default)]
pub(super) struct Lives {
    all: Vec<Life>,
    by_path: HashMap<MemoryPath, Vec<usize>>,
    /// For each life one that it is linked to; itself at the end.
    links: Vec<usize>,
    doomed: HashSet<usize>,
}

impl Lives {
    /// Reads them from the history.
    pub(super) fn read(records: &[Record]) -> Lives {
        let mut lives = Lives::default();
        let mut past = Past::default();
        let mut owners = HashMap::<Digest, usize>::new();
        let mut by_hand = [Sides::default(), Sides::default()];
        for record in records {
            let mut came = Vec::new();
            let mut went = Vec::new();
            for file in &record.files {
                let texts = past.step(file);
                if file.path.is_index() {
                    continue;
                }
                let life = lives.take(file, record.op);
                if file.before.is_none() {
                    came.push((life, texts.after()));
                }
                if file.after.is_none() {
                    went.push((life, texts.before()));
                }
                let contents = [texts.before(), texts.after()];
                for content in contents.into_iter().flatten() {
                    lives.note(life, record.op, &content, &mut owners);
                }
            }
            lives.link_moves(record, &came, &went);
            if record.reason.who == Author::Outside {
                let [arrived, left] = &mut by_hand;
                lives.link_sides(&came, arrived, left);
                lives.link_sides(&went, left, arrived);
            }
        }
        lives
    }

    /// The life that a record tells of.
    fn take(&mut self, file: &FileRecord, operation: u64) -> usize {
        let open = |lives: &Lives, number: usize| {
            let life = lives.all.get(number);
            life.is_some_and(|life| life.last == u64::MAX)
        };
        let latest = self.by_path.get(&file.path).and_then(|all| all.last());
        let number = match latest.copied().filter(|number| open(self, *number)) {
            Some(number) => number,
            None => {
                let number = self.all.len();
                self.all.push(Life {
                    path: file.path.clone(),
                    first: operation,
                    last: u64::MAX,
                    merged: Vec::new(),
                    merged_now: Vec::new(),
                });
                self.links.push(number);
                let by_path = self.by_path.entry(file.path.clone()).or_default();
                by_path.push(number);
                number
            }
        };
        if file.after.is_none()
            && let Some(life) = self.all.get_mut(number)
        {
            life.last = operation;
        }
        number
    }

    /// Links a life to whichever had this content before, and notes what it says about merges.
    fn note(
        &mut self,
        life: usize,
        operation: u64,
        content: &[u8],
        owners: &mut HashMap<Digest, usize>,
    ) {
        if content.trim_ascii().is_empty() {
            return;
        }
        let topic = Topic::parse(content);
        let body = topic.body().trim_ascii();
        let mut keys = vec![Digest::of(content)];
        // The same words under another header are the same memory, if they are more than a word or two.
        if !needles(body).is_empty() {
            keys.push(Digest::of(body));
        }
        for key in keys {
            let owner = *owners.entry(key).or_insert(life);
            self.link(owner, life);
        }
        let named = topic.metadata(MERGED).unwrap_or_default();
        let named = named
            .split(',')
            .filter_map(|name| MemoryPath::new(name.trim()).ok());
        let named: Vec<MemoryPath> = named.collect();
        if let Some(life) = self.all.get_mut(life) {
            let said = named.iter().map(|name| (name.clone(), operation));
            life.merged.extend(said);
            life.merged_now = named;
        }
    }

    /// Links what came to what went in the same operation, where that is a rename or the words are much the same.
    fn link_moves(
        &mut self,
        record: &Record,
        came: &[(usize, Option<Vec<u8>>)],
        went: &[(usize, Option<Vec<u8>>)],
    ) {
        for (new, now) in came {
            for (old, then) in went {
                let alike = match (now, then) {
                    (Some(now), Some(then)) => is_half(&needles(then), &needles(now)),
                    _ => false,
                };
                if record.reason.what == RENAME || alike {
                    self.link(*old, *new);
                }
            }
        }
    }

    /// Links what came by hand to what went by hand, in whichever order and however long after one another that was noticed,
    /// where the words are much the same: a file that was moved and changed.
    fn link_sides(&mut self, some: &[(usize, Option<Vec<u8>>)], own: &mut Sides, others: &Sides) {
        for (life, content) in some {
            let lines = content.as_deref().map(needles).unwrap_or_default();
            let met = lines.iter().filter_map(|line| others.by_line.get(line));
            let met: BTreeSet<usize> = met.flatten().copied().collect();
            for number in met {
                if let Some((other, theirs)) = others.all.get(number)
                    && is_half(&lines, theirs)
                {
                    self.link(*other, *life);
                }
            }
            for line in &lines {
                let by_line = own.by_line.entry(line.clone()).or_default();
                by_line.push(own.all.len());
            }
            own.all.push((*life, lines));
        }
    }

    fn root(&self, mut life: usize) -> usize {
        while let Some(next) = self.links.get(life).copied().filter(|next| *next != life) {
            life = next;
        }
        life
    }

    fn link(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        let (first, second) = (one.min(other), one.max(other));
        if let Some(link) = self.links.get_mut(second) {
            *link = first;
        }
    }

    /// Every name that the memory at a path ever had.
    pub(super) fn names_of(&self, path: &MemoryPath) -> BTreeSet<MemoryPath> {
        let latest = self.by_path.get(path).and_then(|all| all.last());
        let linked = latest.into_iter().flat_map(|life| self.linked(*life));
        let names = linked.filter_map(|life| self.all.get(life).map(|life| life.path.clone()));
        names.chain([path.clone()]).collect()
    }

    fn linked(&self, life: usize) -> impl Iterator<Item = usize> {
        let root = self.root(life);
        (0..self.all.len()).filter(move |other| self.root(*other) == root)
    }

    /// Means these memories: with all that is linked to them, what was merged into them, and what they were merged into.
    pub(super) fn doom(&mut self, paths: &[MemoryPath]) {
        let mut doomed = HashSet::new();
        for path in paths {
            doomed.extend(self.meant_by(path));
        }
        let living: HashSet<usize> = self.living().map(|life| self.root(life)).collect();
        let merges = self.merges();
        // A merged memory that lives again by itself is another memory.
        let up = merges
            .iter()
            .filter(|merge| !living.contains(&self.root(merge.parent)));
        self.spread(
            &mut doomed,
            up.map(|merge| (merge.child, merge.parent)).collect(),
        );
        // A memory that no longer says so is what it was without the other.
        let down = merges.iter().filter(|merge| merge.stands);
        self.spread(
            &mut doomed,
            down.map(|merge| (merge.parent, merge.child)).collect(),
        );
        self.doomed = doomed;
    }

    /// Adds all that is linked to what is meant, and whatever these ways lead to.
    fn spread(&self, doomed: &mut HashSet<usize>, ways: Vec<(usize, usize)>) {
        loop {
            let before = doomed.len();
            let roots: HashSet<usize> = doomed.iter().map(|life| self.root(*life)).collect();
            let linked = (0..self.all.len()).filter(|life| roots.contains(&self.root(*life)));
            doomed.extend(linked);
            for (from, to) in &ways {
                if doomed.contains(from) {
                    doomed.insert(*to);
                }
            }
            if doomed.len() == before {
                return;
            }
        }
    }

    fn living(&self) -> impl Iterator<Item = usize> {
        let all = self.all.iter().enumerate();
        all.filter(|(_, life)| life.last == u64::MAX)
            .map(|(number, _)| number)
    }

    /// The lives that a name means. Where a memory of this name lives, an earlier one that got another name is not meant.
    fn meant_by(&self, path: &MemoryPath) -> Vec<usize> {
        let all = self.by_path.get(path).cloned().unwrap_or_default();
        let life_of = |life: usize| self.all.get(life);
        let is_living = |life: usize| life_of(life).is_some_and(|life| life.last == u64::MAX);
        if !all.iter().any(|life| is_living(*life)) {
            return all;
        }
        let stayed = |life: usize| {
            let mut linked = self.linked(life).filter_map(life_of);
            linked.all(|other| other.path == *path)
        };
        all.into_iter()
            .filter(|life| is_living(*life) || stayed(*life))
            .collect()
    }

    /// Which lives were merged into which.
    fn merges(&self) -> Vec<Merge> {
        let mut merges = Vec::new();
        for (child, life) in self.all.iter().enumerate() {
            for (name, operation) in &life.merged {
                let named = self.by_path.get(name).into_iter().flatten().copied();
                let mut before = named.rev().filter(|parent| {
                    let parent = self.all.get(*parent);
                    parent.is_some_and(|parent| parent.first <= *operation)
                });
                let stands = life.merged_now.contains(name);
                // The one that had the name then.
                merges.extend(before.next().map(|parent| Merge {
                    child,
                    parent,
                    stands,
                }));
            }
        }
        merges
    }

    /// Whether a file of the past is meant.
    pub(super) fn covers(&self, path: &MemoryPath, operation: u64) -> bool {
        let lives = self.by_path.get(path).into_iter().flatten();
        let mut then = lives.filter(|number| {
            let life = self.all.get(**number);
            life.is_some_and(|life| life.first <= operation && operation <= life.last)
        });
        // One may end and another begin in the same operation.
        then.any(|life| self.doomed.contains(life))
    }

    /// Whether the file that stands there now is meant.
    pub(super) fn covers_now(&self, path: &MemoryPath) -> bool {
        let latest = self.by_path.get(path).and_then(|all| all.last());
        latest.is_some_and(|life| {
            let living = self
                .all
                .get(*life)
                .is_some_and(|life| life.last == u64::MAX);
            living && self.doomed.contains(life)
        })
    }

    /// Whether a file stands there now that is not meant.
    pub(super) fn stays_now(&self, path: &MemoryPath) -> bool {
        let latest = self.by_path.get(path).and_then(|all| all.last());
        latest.is_some_and(|life| {
            let living = self
                .all
                .get(*life)
                .is_some_and(|life| life.last == u64::MAX);
            living && !self.doomed.contains(life)
        })
    }

    /// Every name that is meant.
    pub(super) fn names(&self) -> BTreeSet<&MemoryPath> {
        let lives = self.doomed.iter().filter_map(|life| self.all.get(*life));
        lives.map(|life| &life.path).collect()
    }
}
