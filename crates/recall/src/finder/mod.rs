//! Finding memories: the index brought up to date, the scorer asked, and what it names read from the files.

mod answer;
mod building;
#[cfg(test)]
mod building_tests;
mod query;
#[cfg(feature = "minilm")]
mod reorder;
#[cfg(test)]
mod tests;
mod weigh;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use memdir_memory::{MemoryPath, Topic, contained};
use memdir_store::{Directory, Store, limits::MAX_FILE_BYTES};

pub use answer::{Answer, Found, Question, Unread, Updated};
pub use building::Built;
pub use query::MAX_QUERY_BYTES;
#[cfg(feature = "minilm")]
pub use reorder::Prepared;
pub(crate) use weigh::{Named, Passed};

use crate::freshness::{self, Look, Reach, Refreshed, Root, Scope, Watch, refresh};
use crate::index::{Index, IndexFiles, Lists, Mark};
use crate::rank::Sought;
use crate::segment::{Segment, tie_of};
use crate::{Error, Hit, Light, Options, Ranked, reason};

/// The folder of the index beneath the state of a memory directory.
const FOLDER: &str = "recall";
/// What waits for the user's decision, beneath the state of a memory directory.
const INBOX: &str = "inbox";
/// How often files that turn out to be other than the index says are read anew for one question.
const ROUNDS: usize = 3;

/// Finds memories of one memory directory, of its inbox, and of those that hold everywhere.
///
/// ```
/// use memdir_recall::{Finder, Question};
/// use memdir_store::Store;
///
/// # let folder = tempfile::tempdir()?;
/// # std::fs::create_dir(folder.path().join("memory"))?;
/// # std::fs::write(folder.path().join("memory/bees.md"), "The user keeps bees in wooden hives.\n")?;
/// # std::fs::write(folder.path().join("memory/tabs.md"), "Indent with tabs, never with spaces.\n")?;
/// let store = Store::new(folder.path().join("memory"), folder.path().join("state"));
/// let finder = Finder::new(&store);
/// let answer = finder.find(&Question { silence: false, ..Question::new("wooden hives for bees") })?;
/// assert_eq!(answer.found[0].path.as_str(), "bees.md");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Finder {
    roots: Vec<Root>,
    files: IndexFiles,
    reach: Reach,
    #[cfg(feature = "minilm")]
    reader: Option<reorder::Reader>,
}

impl Finder {
    /// For the memories of a store and what waits in its inbox.
    #[must_use]
    pub fn new(store: &Store) -> Finder {
        let state = store.state_directory();
        Finder {
            roots: vec![
                Root {
                    scope: Scope::Project,
                    path: store.memory_directory().to_path_buf(),
                },
                Root {
                    scope: Scope::Inbox,
                    path: state.join(INBOX),
                },
            ],
            files: IndexFiles::new(state.join(FOLDER)),
            reach: Reach::All,
            #[cfg(feature = "minilm")]
            reader: None,
        }
    }

    /// The memories that hold for all projects are found as well.
    #[must_use]
    pub fn with_everywhere(mut self, directory: impl Into<PathBuf>) -> Finder {
        let path = directory.into();
        // Asked about the memories for all projects themselves, they are found once.
        if self.roots.iter().all(|root| root.path != path) {
            self.roots.push(Root {
                scope: Scope::Everywhere,
                path,
            });
        }
        self
    }

    /// For whoever a message waits for: where very many memories are not indexed yet, a question is answered from the newest
    /// and from what there is, and [`Finder::complete`] is for the rest.
    #[must_use]
    pub fn at_once(mut self) -> Finder {
        self.reach = Reach::AtOnce;
        self
    }

    /// Opens the index for one question or many.
    #[must_use]
    pub fn open(&self) -> OpenFinder {
        OpenFinder {
            finder: self.clone(),
            // Before the opening: a change in between is seen at the next question.
            mark: Some(self.files.mark()),
            index: self.files.open(),
            was_asked: false,
            is_completed: false,
        }
    }

    /// Answers one question.
    pub fn find(&self, question: &Question<'_>) -> Result<Answer, Error> {
        self.open().find(question)
    }

    /// Looks at every file's time and size and reads what changed: also what was overwritten in place.
    pub fn sweep(&self) -> Result<Updated, Error> {
        self.open().update(Look::All)
    }

    /// Makes the index anew from the files.
    pub fn reindex(&self) -> Result<Updated, Error> {
        self.files.remove().map_err(|error| {
            memdir_store::Error::io("remove the index in", self.folder(), error)
        })?;
        let mut open = OpenFinder {
            finder: self.clone(),
            mark: None,
            index: Index::default(),
            was_asked: false,
            is_completed: false,
        };
        open.update(Look::All)
    }

    /// Where a memory is.
    #[must_use]
    pub fn path_of(&self, scope: Scope, path: &MemoryPath) -> PathBuf {
        let root = self.roots.iter().find(|root| root.scope == scope);
        root.map(|root| root.path.join(path.as_str()))
            .unwrap_or_default()
    }

    /// Which memory a path leads to, if any.
    #[must_use]
    pub fn place_of<'a>(&self, path: &'a Path) -> Option<(Scope, MemoryPath)> {
        let within = |beneath: fn(&Root, &'a Path) -> Option<&'a str>| {
            self.roots
                .iter()
                .find_map(|root| Some((root.scope, MemoryPath::new(beneath(root, path)?).ok()?)))
        };
        // By its bytes first: paths are mostly those that we wrote ourselves, and comparing components is slow.
        within(Root::beneath).or_else(|| within(Root::beneath_however_written))
    }

    /// Whether there is an index that could be swept.
    #[must_use]
    pub fn has_index(&self) -> bool {
        self.files.mark().iter().any(Option::is_some)
    }

    /// The folder of the index. It can be deleted at any time.
    #[must_use]
    pub fn folder(&self) -> PathBuf {
        self.files.folder().to_path_buf()
    }

    /// To be called right before a change to the memory directory; see [`Finder::note`].
    #[must_use]
    pub fn watch(&self) -> Option<Watch> {
        freshness::watch(&self.files, self.roots.first()?)
    }

    /// To be called after a change with the files that were changed: the next question finds them without looking at
    /// anything else. Says whether it was noted; if not, the next question looks itself.
    pub fn note(&self, watch: Option<&Watch>, changed: &[MemoryPath]) -> bool {
        let root = self.roots.first();
        let noted = watch
            .zip(root)
            .map(|(watch, root)| freshness::note(&self.files, root, watch, changed));
        noted.is_some_and(|noted| noted.unwrap_or(false))
    }
}

/// An index that is open. In a process that asks often it saves the opening.
pub struct OpenFinder {
    finder: Finder,
    index: Index,
    /// The files that were opened; `None` after they were replaced by us.
    mark: Option<Mark>,
    was_asked: bool,
    /// Whether somebody was sent to read what was left.
    is_completed: bool,
}

impl OpenFinder {
    /// Answers a question about the files as they are now.
    pub fn find(&mut self, question: &Question<'_>) -> Result<Answer, Error> {
        self.asked(|open| open.try_find(question))
    }

    /// Whom it asks.
    pub(crate) fn finder(&self) -> &Finder {
        &self.finder
    }

    /// Asks the index as it is now.
    fn asked<T>(&mut self, ask: impl Fn(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        // Others may have found by a sweep what no folder tells.
        let mark = self.finder.files.mark();
        if self.mark != Some(mark) {
            self.index = self.finder.files.open();
            self.mark = Some(mark);
        } else if self.was_asked {
            self.hold();
        }
        self.was_asked = true;
        match self.contained(&ask) {
            Err(Error::Damaged) => {
                // What is not as it was written is made anew, and then asked again.
                self.start_anew();
                self.contained(&ask)
            }
            answer => answer,
        }
    }

    /// Asks, and lets go of the index where that panicked: it may be half changed.
    fn contained<T>(&mut self, ask: &impl Fn(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        contained(|| ask(self)).unwrap_or_else(|panicked| {
            self.index = Index::default();
            self.mark = None;
            Err(panicked.into())
        })
    }

    /// Whoever asks twice asks often.
    fn hold(&mut self) {
        for segment in [&mut self.index.base, &mut self.index.delta] {
            // What cannot be read is told by the question.
            let _ = segment.as_mut().map_or(Ok(()), Segment::hold);
        }
    }

    fn start_anew(&mut self) {
        // Where it cannot be removed, it is left unused.
        let _ = self.finder.files.remove();
        self.index = Index::default();
    }

    fn update(&mut self, look: Look) -> Result<Updated, Error> {
        let (reach, _lock) = self.reach_of(Reach::All);
        self.update_within(look, reach)
    }

    fn refresh(&mut self, suspects: &HashSet<(Scope, String)>) -> Result<Refreshed, Error> {
        let (reach, _lock) = self.reach_of(self.finder.reach);
        self.refresh_within(Look::Changed, reach, suspects)
    }

    fn refresh_within(
        &mut self,
        look: Look,
        reach: Reach,
        suspects: &HashSet<(Scope, String)>,
    ) -> Result<Refreshed, Error> {
        let Finder { roots, files, .. } = &self.finder;
        let done = refresh(&mut self.index, files, roots, (look, reach), suspects)?;
        if done.written {
            self.mark = None;
        }
        Ok(done)
    }

    fn try_find(&mut self, question: &Question<'_>) -> Result<Answer, Error> {
        let mut suspects = HashSet::new();
        let mut round = 0;
        loop {
            self.refresh(&suspects)?;
            let ranked = self.rank(question)?;
            #[cfg(feature = "minilm")]
            let ranked = self.reordered(question, ranked)?;
            suspects.clear();
            let mut found = Vec::new();
            let mut answering = Answering::default();
            for hit in &ranked.hits {
                match self.read(hit, question, &mut answering)? {
                    Ok(one) => found.push(one),
                    Err(suspect) => _ = suspects.insert(suspect),
                }
            }
            round += 1;
            // Somebody who writes all the time does not keep us for ever: then the rest is the answer.
            if suspects.is_empty() || round == ROUNDS {
                return Ok(Answer {
                    found,
                    silence: ranked.silence,
                    memories: self.index.totals().files,
                    pending: self.index.pending(),
                    unread: self.unread()?,
                });
            }
        }
    }

    fn rank(&mut self, question: &Question<'_>) -> Result<Ranked, Error> {
        self.order(&mut sought(question), question)
    }

    /// Puts what the index has for a question in order.
    fn order(&mut self, sought: &mut Sought, question: &Question<'_>) -> Result<Ranked, Error> {
        for segment in [&mut self.index.base, &mut self.index.delta] {
            segment.as_mut().map_or(Ok(()), |one| one.prepare())?;
        }
        let without: HashSet<u64> = question
            .without
            .iter()
            .map(|(scope, path)| tie_of(scope.number(), &[path.as_str()]))
            .collect();
        let mut damage = None;
        let light = |file: u32| {
            let facts = match self.index.facts(file) {
                Ok(facts) => facts,
                Err(damaged) => {
                    damage = Some(damaged);
                    return None;
                }
            };
            if without.contains(&facts.tie) {
                return None;
            }
            let is_over = facts.expires.is_some_and(|day| (question.is_over)(day));
            let days = days_since(facts.mtime, question.now);
            (!is_over).then(|| Light {
                age_days: u32::try_from(days).unwrap_or(u32::MAX),
                kind: facts.kind,
                tie: facts.tie,
            })
        };
        let options = Options {
            limit: question.limit,
            silence: question.silence,
        };
        let ranked = sought.order(&mut Lists::new(&self.index), light, &options)?;
        damage.map_or(Ok(ranked), |damaged| Err(damaged.into()))
    }

    /// Where a file is that was found.
    fn place_of(&self, hit: &Hit) -> Result<(Scope, MemoryPath), Error> {
        let (folder, name) = self.index.name(hit.file)?;
        let scope = Scope::of(folder.root).ok_or(Error::Damaged)?;
        let path = [folder.path.as_str(), &name].concat();
        let path = MemoryPath::new(&path).map_err(|_| Error::Damaged)?;
        Ok((scope, path))
    }

    /// Reads a file that was found; its place where it is no longer what was indexed.
    fn read(
        &self,
        hit: &Hit,
        question: &Question<'_>,
        answering: &mut Answering,
    ) -> Result<Result<Found, (Scope, String)>, Error> {
        let (scope, path) = self.place_of(hit)?;
        let facts = self.index.facts(hit.file)?;
        let suspect = || (scope, path.as_str().to_owned());
        let Some(directory) = answering.roots.get(scope, &self.finder.roots) else {
            return Ok(Err(suspect()));
        };
        let read = || match path.components().nth(1) {
            None => directory.read(path.file_name(), MAX_FILE_BYTES),
            Some(_) => match directory.parent_of(&path)? {
                Some(parent) => parent.read(path.file_name(), MAX_FILE_BYTES),
                None => Ok(None),
            },
        };
        // What cannot be read any more is told by the next look at its folder.
        let Ok(Some(read)) = read() else {
            return Ok(Err(suspect()));
        };
        if (read.stamp.mtime, read.stamp.size) != (facts.mtime, facts.size) {
            return Ok(Err(suspect()));
        }
        let shown = contained(|| {
            let topic = Topic::from_bytes(read.bytes);
            let text = String::from_utf8_lossy(topic.bytes()).into_owned();
            let forms = &mut answering.forms;
            let reasons = forms.written(&hit.reasons, question.query, &text);
            (topic.header().clone(), reasons, text)
        });
        // One that cannot be shown is indexed anew, which names it where it cannot; the others are the answer.
        let Ok((header, reasons, text)) = shown else {
            return Ok(Err(suspect()));
        };
        Ok(Ok(Found {
            scope,
            header,
            reasons,
            text,
            score: hit.score,
            modified: timestamp(facts.mtime),
            days: days_since(facts.mtime, question.now),
            path,
        }))
    }

    fn unread(&self) -> Result<Vec<Unread>, Error> {
        let skipped = self.index.skipped()?;
        let unread = skipped.into_iter().filter_map(|one| {
            Some(Unread {
                scope: Scope::of(one.root)?,
                path: [one.folder.as_str(), &one.name].concat(),
                reason: one.reason,
            })
        });
        Ok(unread.collect())
    }
}

/// What the answers to one question have in common.
#[derive(Default)]
struct Answering {
    roots: OpenRoots,
    forms: reason::Forms,
}

/// The folders from which memories are read for one question, each opened once.
#[derive(Default)]
struct OpenRoots(Vec<(Scope, Option<Directory>)>);

impl OpenRoots {
    /// The folder of a scope, where there is one that can be opened.
    fn get(&mut self, scope: Scope, roots: &[Root]) -> Option<&Directory> {
        let known = self.0.iter().position(|(of, _)| *of == scope);
        let at = known.unwrap_or_else(|| {
            let root = roots.iter().find(|root| root.scope == scope);
            let open = root.and_then(|root| Directory::open(&root.path).ok().flatten());
            self.0.push((scope, open));
            self.0.len() - 1
        });
        self.0.get(at)?.1.as_ref()
    }
}

fn sought(question: &Question<'_>) -> Sought {
    Sought::new(&query::capped(question.query))
}

fn timestamp(nanoseconds: i64) -> Timestamp {
    Timestamp::from_second(nanoseconds.div_euclid(1_000_000_000)).unwrap_or(Timestamp::UNIX_EPOCH)
}

fn days_since(mtime: i64, now: Timestamp) -> u64 {
    memdir_memory::age::days_between(timestamp(mtime), now)
}
