//! What waits for the user's word: suggested changes, beside the memory directory and never in it.
//!
//! Each is a topic file `<number>-<name>.md` as it would become, with the memory it is for in `metadata.target` and the
//! content it was made from in `metadata.base`. The inbox is a directory of files with a history of its own, so that what
//! was rejected is not lost, and what is accepted becomes an operation like any other.

mod accept;
mod marks;
mod past;
mod purge;

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use memdir_memory::{MemoryPath, Source, Topic, naming};

use crate::digest::Digest;
use crate::directory::{Directory, Found, Stamp};
use crate::error::{Error, Result};
use crate::file_lock::FileLock;
use crate::gate::SecretPolicy;
use crate::history::{Author, History, Reason};
use crate::operation::Outcome;
use crate::store::Store;
use crate::walk::walk;

pub use accept::{Acceptance, Accepted};
use marks::{Marks, unmarked};
pub use past::ACCEPT;

/// The folder, beside the history.
pub const INBOX_FOLDER: &str = "inbox";
/// Where the inbox keeps its own history; a dot-file, so that it is no suggestion.
const STATE_FOLDER: &str = ".state";
/// Who adds suggestions holds this one, so that what waits already is known; the lock of the inbox itself is taken within.
const ADDING_LOCK: &str = "adding.lock";
/// For so long it is waited for.
const PATIENCE: Duration = Duration::from_secs(30);
/// How often another number is tried because somebody else took it in the same instant.
const ATTEMPTS: usize = 100;

/// The longest name of a file, in bytes.
const MAX_NAME: usize = 255;
const SUFFIX: &str = ".md";

/// The suggestions for one memory directory.
#[derive(Debug)]
pub struct Inbox {
    store: Store,
}

/// A change that is to wait for the user's word.
#[derive(Debug, Clone)]
pub struct Suggested {
    /// The memory it is for, new or not.
    pub target: MemoryPath,
    /// What its author saw there; none for a new memory.
    pub base: Option<Vec<u8>>,
    /// The memory as it would be; for a removal as it is.
    pub topic: Topic,
    /// Whether the memory is to go.
    pub removes: bool,
    /// Whose word it is, where the header does not tell: that of a memory which is to go says whose the memory was.
    pub origin: Option<Source>,
    /// Where it was brought in from, for people.
    pub from: Option<String>,
    /// The modification time that the memory shall have, in nanoseconds since 1970; none is when it is accepted.
    pub dated: Option<i64>,
}

/// A suggestion that waits.
#[derive(Debug, Clone)]
pub struct Waiting {
    /// Its number, by which it is accepted or rejected.
    pub number: u64,
    /// Its file, beneath the inbox.
    pub path: MemoryPath,
    /// The memory it is for.
    pub target: MemoryPath,
    /// The content it was made from; none for a new memory.
    pub base: Option<Digest>,
    /// The memory as it would be, with the marks of a suggestion in its header.
    pub topic: Topic,
    /// Whether the memory is to go.
    pub removes: bool,
    /// Whose word it is, where that is not whose the memory is.
    pub origin: Option<Source>,
    /// Where it was brought in from, for people.
    pub from: Option<String>,
    /// The modification time that the memory shall have, in nanoseconds since 1970; none is when it is accepted.
    pub dated: Option<i64>,
    /// Its file, while it waits.
    found: Option<Found>,
    /// What is wrong with it, where it is not what was put there.
    damage: Option<&'static str>,
}

/// A file in the inbox that is no suggestion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stray {
    /// The file.
    pub path: std::path::PathBuf,
    /// What is wrong with it.
    pub problem: String,
}

impl Suggested {
    /// How large its file in the inbox would be: the memory with the marks of a suggestion.
    #[must_use]
    pub fn file_size(&self) -> usize {
        self.marked().bytes().len()
    }
}

impl Store {
    /// What waits for the user's word about these memories.
    ///
    /// ```
    /// use memdir_memory::{MemoryPath, Topic};
    /// use memdir_store::{Author, Reason, Store, Suggested};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// let store = Store::new(folder.path().join("memory"), folder.path().join("state"));
    /// let suggested = Suggested {
    ///     target: MemoryPath::new("user_bees.md")?,
    ///     base: None,
    ///     topic: Topic::parse(b"---\nname: bees\n---\n\nThe user keeps bees.\n"),
    ///     removes: false,
    ///     origin: None,
    ///     from: None,
    ///     dated: None,
    /// };
    /// let reason = Reason::new(Author::Extraction, "suggest");
    /// store.inbox().suggest(&reason, &[suggested], Default::default())?;
    ///
    /// let waiting = store.inbox().list()?;
    /// assert_eq!(waiting[0].path.as_str(), "1-user_bees.md");
    /// store.accept(Reason::new(Author::User, "accept 1"), &waiting)?;
    /// assert!(store.read(&MemoryPath::new("user_bees.md")?)?.is_some());
    /// assert!(store.inbox().list()?.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn inbox(&self) -> Inbox {
        let folder = self.state_directory().join(INBOX_FOLDER);
        let state = folder.join(STATE_FOLDER);
        Inbox {
            store: self.beside(folder, state),
        }
    }
}

impl Inbox {
    /// Where the suggestions are.
    #[must_use]
    pub fn folder(&self) -> &std::path::Path {
        self.store.memory_directory()
    }

    /// What waits, oldest number first. A file that is no suggestion is passed over. Writes nothing.
    pub fn list(&self) -> Result<Vec<Waiting>> {
        Ok(self.look()?.0)
    }

    /// What waits, and what lies beside it and is no suggestion. Writes nothing.
    pub fn look(&self) -> Result<(Vec<Waiting>, Vec<Stray>)> {
        let (files, mut strays) = self.files()?;
        let mut all = Vec::new();
        if files.is_empty() {
            return Ok((all, strays));
        }
        let queued = queued(&self.store.history()?);
        for path in files {
            let stray = |problem: String| Stray {
                path: self.folder().join(path.as_str()),
                problem,
            };
            let found = match self.store.read(&path) {
                Ok(Some(found)) => found,
                Ok(None) => continue,
                Err(error @ (Error::TooLarge { .. } | Error::NotPlain { .. })) => {
                    strays.push(stray(error.to_string()));
                    continue;
                }
                Err(error) => return Err(error),
            };
            match Waiting::read(path.clone(), &found.bytes, Some(found.clone())) {
                Some(waiting) => {
                    let damage = match queued.get(&path) {
                        None => Some("was not put there by memdir"),
                        Some(digest) if *digest != Digest::of(&found.bytes) => {
                            Some("was changed after it was put there")
                        }
                        Some(_) => None,
                    };
                    all.push(Waiting { damage, ..waiting });
                }
                None => strays.push(stray("is no suggestion".to_owned())),
            }
        }
        all.sort_by(|one, other| (one.number, &one.path).cmp(&(other.number, &other.path)));
        Ok((all, strays))
    }

    /// The files that may be suggestions, and what can be none: links, folders that cannot be read.
    fn files(&self) -> Result<(Vec<MemoryPath>, Vec<Stray>)> {
        let (mut files, mut strays) = (Vec::new(), Vec::new());
        if let Some(folder) = Directory::open(self.folder())? {
            let aside = walk(&folder, |_| true, |met, _| files.push(met.path))?;
            let skipped = aside.skipped.into_iter();
            strays.extend(skipped.map(|skipped| Stray {
                path: self.folder().join(skipped.path),
                problem: skipped.reason.to_string(),
            }));
        }
        files.retain(|path: &MemoryPath| !path.is_index());
        files.sort();
        Ok((files, strays))
    }

    /// Completes what somebody began who was killed: from then on what waits is what is listed.
    pub fn settle(&self) -> Result<()> {
        self.store.sweep().map(|_| ())
    }

    /// Adds suggestions, as one operation, and says which they became. One that waits already is not added again.
    pub fn suggest(
        &self,
        reason: &Reason,
        suggested: &[Suggested],
        secrets: SecretPolicy,
    ) -> Result<(Vec<MemoryPath>, Outcome)> {
        // Two imports at once would otherwise both find nothing, and both add the same.
        let _alone = self.alone()?;
        for _ in 0..ATTEMPTS {
            let waiting = self.list()?;
            let mut by_target = HashMap::<&MemoryPath, Vec<&Waiting>>::new();
            for one in &waiting {
                by_target.entry(&one.target).or_default().push(one);
            }
            let mut number = self.last_number()?;
            let mut paths = Vec::new();
            let mut operation = self.store.operation(reason.clone());
            operation.secrets(secrets);
            for one in suggested {
                let alike = by_target.get(&one.target).into_iter().flatten();
                if let Some(same) = alike.copied().find(|waiting| waiting.says(one)) {
                    paths.push(same.path.clone());
                    continue;
                }
                number += 1;
                let path = named(&format!("{number}-"), one.target.stem(), "")?;
                operation.write(&path, None, one.marked().into_bytes());
                paths.push(path);
            }
            match operation.commit() {
                // Somebody took the number in this very instant.
                Err(Error::Exists(_)) => {}
                outcome => return outcome.map(|outcome| (paths, outcome)),
            }
        }
        Err(Error::io(
            "add a suggestion to",
            self.folder(),
            rustix::io::Errno::BUSY,
        ))
    }

    /// Until it is dropped nobody else adds a suggestion.
    fn alone(&self) -> Result<FileLock> {
        let state = Directory::create(self.store.state_directory())?;
        FileLock::take(&state, ADDING_LOCK, PATIENCE)?.ok_or_else(|| Error::Busy {
            owner: "it adds suggestions".to_owned(),
            waited_seconds: PATIENCE.as_secs(),
        })
    }

    /// Takes suggestions out; the inbox's own history keeps them.
    pub fn reject(&self, reason: Reason, waiting: &[Waiting]) -> Result<Outcome> {
        let mut operation = self.store.operation(reason);
        for one in waiting {
            if let Some(found) = &one.found {
                operation.remove(&one.path, found.clone());
            }
        }
        operation.commit()
    }

    /// What was taken out again, accepted or rejected, as it last was. Writes nothing.
    pub fn past(&self) -> Result<Vec<Waiting>> {
        let history = self.store.history()?;
        let mut past = BTreeMap::new();
        let changes = history.operations.iter().flat_map(|one| &one.changes);
        for change in changes {
            match (change.before, change.after) {
                (Some(before), None) => past.insert(&change.path, before),
                _ => past.remove(&change.path),
            };
        }
        let read = past.into_iter().filter_map(|(path, digest)| {
            let bytes = history.content(path, digest).ok()?;
            Waiting::read(path.clone(), &bytes, None)
        });
        let mut read: Vec<Waiting> = read.collect();
        read.sort_by_key(|one| one.number);
        Ok(read)
    }

    /// The highest number ever given.
    fn last_number(&self) -> Result<u64> {
        let history = self.store.history()?;
        let past = history
            .operations
            .iter()
            .flat_map(|operation| &operation.changes)
            .filter_map(|change| number_of(&change.path));
        let files = self.store.files()?;
        let present = files.iter().filter_map(number_of);
        Ok(past.chain(present).max().unwrap_or(0))
    }
}

impl Waiting {
    fn read(path: MemoryPath, bytes: &[u8], found: Option<Found>) -> Option<Self> {
        let number = number_of(&path)?;
        let topic = Topic::parse(bytes);
        let marks = Marks::of(&topic);
        let target = marks.target.or_else(|| {
            let (_, name) = path.stem().split_once('-')?;
            MemoryPath::new(&format!("{name}.md")).ok()
        })?;
        Some(Self {
            number,
            path,
            target,
            base: marks.base,
            removes: marks.removes,
            origin: marks.origin,
            from: marks.from,
            dated: marks.dated,
            topic,
            found,
            damage: None,
        })
    }

    /// When it came, and its size; none once it was accepted or rejected.
    #[must_use]
    pub fn stamp(&self) -> Option<Stamp> {
        self.found.as_ref().map(|found| found.stamp)
    }

    /// The memory as it would be, without the marks of a suggestion.
    #[must_use]
    pub fn content(&self) -> Topic {
        unmarked(&self.topic)
    }

    /// Why it may not become a memory, where it is not what was put into the inbox.
    #[must_use]
    pub fn damage(&self) -> Option<&'static str> {
        self.damage
    }

    /// Whether it still waits; otherwise it was taken out.
    fn waits(&self) -> bool {
        self.found.is_some()
    }

    fn says(&self, suggested: &Suggested) -> bool {
        self.removes == suggested.removes
            && self.target == suggested.target
            && self.topic.body() == suggested.topic.body()
    }
}

/// What was last put into each file of the inbox, by us.
fn queued(history: &History) -> HashMap<MemoryPath, Digest> {
    let mut queued = HashMap::new();
    let ours = history
        .operations
        .iter()
        .filter(|one| !one.failed && one.reason.who != Author::Outside);
    for change in ours.flat_map(|operation| &operation.changes) {
        // One that went and is there again is what it was, if whoever accepted it was killed before it went.
        if let Some(after) = change.after {
            queued.insert(change.path.clone(), after);
        }
    }
    queued
}

/// Whose word a file of the inbox is by its marks, where its header does not tell.
#[must_use]
pub fn suggested_origin(bytes: &[u8]) -> Option<Source> {
    Marks::of(&Topic::parse(bytes)).origin
}

/// The number in the name of a suggestion.
fn number_of(path: &MemoryPath) -> Option<u64> {
    let (number, _) = path.stem().split_once('-')?;
    number.parse().ok().filter(|_| path.folder().is_none())
}

/// A path for a new memory like this one that is not taken.
fn numbered(target: &MemoryPath, number: usize) -> Result<MemoryPath> {
    let folder = target.folder().map(|folder| format!("{folder}/"));
    let mark = naming::numbered("", number);
    named(&folder.unwrap_or_default(), target.stem(), &mark)
}

/// A path of a stem and what belongs before and after it, the stem cut to what a file's name may have.
fn named(before: &str, stem: &str, after: &str) -> Result<MemoryPath> {
    let (_, prefix) = before.rsplit_once('/').unwrap_or(("", before));
    let room = MAX_NAME.saturating_sub(prefix.len() + after.len() + SUFFIX.len());
    let (stem, _) = stem.split_at(stem.floor_char_boundary(room));
    let stem = stem.trim_end();
    Ok(MemoryPath::new(&format!("{before}{stem}{after}{SUFFIX}"))?)
}
