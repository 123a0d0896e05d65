//! Memories that a model selects beside the conversation: nothing waits for it, and what comes after the turn is dropped.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};

use jiff::Timestamp;
use memdir_context::Reminder;
use memdir_conversation::Reminded;
use memdir_memory::{Header, MemoryPath, age, as_text, manifest_line};
use memdir_model::Cancel;
use memdir_recall::{
    Finder, Found, Given, MANIFEST_LINES, Memory, Piece, Question, Request, SELECTOR_DEADLINE,
    Scope, Selection, Selector, Turn, block, select,
};
use memdir_store::Store;

use crate::{Error, Event, Home, Session};

/// What the names of memories that hold for all projects begin with.
const EVERYWHERE: &str = "everywhere/";

/// The memories that a selector may choose from.
pub(crate) struct Shelves {
    project: Arc<Store>,
    /// Those that hold for all projects; none where they are the project's own.
    everywhere: Option<Store>,
}

impl Shelves {
    pub(crate) fn of(home: &Home) -> Self {
        let folder = home.places.everywhere_dir();
        let others = folder != home.store.memory_directory();
        Self {
            project: Arc::clone(&home.store),
            // It is only read from.
            everywhere: others.then(|| Store::new(folder, home.store.state_directory())),
        }
    }

    /// The newest memories that are not yet known, by the names that a selector knows them by.
    fn manifest(
        &self,
        is_known: impl Fn(&str) -> bool,
    ) -> Result<Vec<(String, String)>, memdir_store::Error> {
        let mut lines = Vec::new();
        let shelves = [
            (Some(&*self.project), ""),
            (self.everywhere.as_ref(), EVERYWHERE),
        ];
        for (store, prefix) in shelves {
            let Some(store) = store else {
                continue;
            };
            let scan = store.scan()?;
            let new = scan.memories.iter();
            for memory in new.filter(|memory| !is_known(&path_of(store, &memory.path))) {
                let Ok(name) = MemoryPath::new(&format!("{prefix}{}", memory.path)) else {
                    continue;
                };
                let line = manifest_line(
                    &name,
                    memory.header.memory_type,
                    modified(memory.stamp.mtime),
                    memory.header.description.as_deref(),
                );
                lines.push((memory.stamp.mtime, name.to_string(), line));
            }
        }
        // Stable: of one instant the project's own come first.
        lines.sort_by_key(|(mtime, _, _)| std::cmp::Reverse(*mtime));
        let newest = lines.into_iter().take(MANIFEST_LINES);
        Ok(newest.map(|(_, name, line)| (name, line)).collect())
    }

    /// The names of what the embedded ranker finds.
    fn found(&self, query: &str) -> Vec<String> {
        let mut finder = Finder::new(&self.project);
        if let Some(everywhere) = &self.everywhere {
            finder = finder.with_everywhere(everywhere.memory_directory());
        }
        let answer = finder.find(&Question::new(query));
        let found = answer.map(|answer| answer.found).unwrap_or_default();
        let names = found.iter().filter_map(|found| match found.scope {
            Scope::Project => Some(found.path.to_string()),
            Scope::Everywhere => Some(format!("{EVERYWHERE}{}", found.path)),
            Scope::Inbox => None,
        });
        names.collect()
    }

    /// Where a memory of this name is.
    fn named(&self, name: &str) -> Option<(Scope, &Store, MemoryPath)> {
        let path = MemoryPath::new(name).ok()?;
        // A project may have a folder of that name.
        if self.project.read(&path).ok().flatten().is_some() {
            return Some((Scope::Project, &self.project, path));
        }
        let path = MemoryPath::new(name.strip_prefix(EVERYWHERE)?).ok()?;
        Some((Scope::Everywhere, self.everywhere.as_ref()?, path))
    }
}

/// A selector at work. Whoever drops it stops the request, which would be billed to its end otherwise.
#[derive(Debug)]
pub(crate) struct Prefetch {
    answer: Receiver<Selection>,
    query: String,
    cancel: Cancel,
}

impl Drop for Prefetch {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

impl Prefetch {
    /// Asks a selector, on a thread of its own. Where it fails or is late, the embedded ranker chooses.
    pub(crate) fn start(
        (selector, cancel): (Arc<dyn Selector>, Cancel),
        shelves: Shelves,
        query: &str,
        tools: Vec<String>,
        is_known: impl Fn(&str) -> bool,
    ) -> Result<Self, memdir_store::Error> {
        let request = Request {
            query: query.to_owned(),
            manifest: shelves.manifest(is_known)?,
            tools,
        };
        let (sender, answer) = mpsc::channel();
        let asked = query.to_owned();
        // Whether or not there is a thread for it, the turn goes on.
        let _ = std::thread::Builder::new().spawn(move || {
            let embedded = || shelves.found(&asked);
            let selection = select(selector, request, SELECTOR_DEADLINE, embedded);
            let _ = sender.send(selection);
        });
        Ok(Self {
            answer,
            query: query.to_owned(),
            cancel,
        })
    }
}

impl Session {
    /// Shows what a selector has chosen meanwhile, behind what was said last.
    pub(crate) fn surface_selected(&mut self) -> Result<(), Error> {
        let Some(prefetch) = &self.prefetch else {
            return Ok(());
        };
        let selection = match prefetch.answer.try_recv() {
            Ok(selection) => selection,
            Err(mpsc::TryRecvError::Empty) => return Ok(()),
            Err(mpsc::TryRecvError::Disconnected) => {
                self.prefetch = None;
                return Ok(());
            }
        };
        let now = (self.now)();
        let mut turn = Turn::new(now, &prefetch.query);
        self.prefetch = None;
        if let Some(error) = &selection.fell_back {
            self.events.push(Event::Warning(error.to_string()));
        }
        let mut pieces = Vec::new();
        let shelves = Shelves::of(&self.home);
        for name in &selection.names {
            let Some(memory) = selected(&shelves, name, now) else {
                continue;
            };
            turn.given.push(Given {
                path: memory.path.clone(),
                score: 1.0,
                age_days: memory.days,
                bytes: memory.text.len() as u64,
                reasons: vec!["selected by the model".to_owned()],
            });
            let header = self.recalled.header(&memory.path);
            pieces.push(Piece::new(&memory, header));
        }
        let block = block(&pieces, None);
        if !block.text.is_empty() {
            let paths = pieces.iter().map(|piece| piece.path.clone()).collect();
            let reminder = Reminder::new(&block.text).to_string();
            self.remind(Reminded::Memories(paths), &reminder)?;
        }
        self.recalled.note_turn(turn.clone(), &pieces, &block);
        self.recalled_is_news = true;
        self.events.push(Event::Recalled(Box::new(turn)));
        Ok(())
    }
}

fn selected(shelves: &Shelves, name: &str, now: Timestamp) -> Option<Memory> {
    let (scope, store, path) = shelves.named(name)?;
    let read = store.read(&path).ok().flatten()?;
    let modified = modified(read.stamp.mtime);
    let found = Found {
        scope,
        score: 1.0,
        reasons: Vec::new(),
        modified,
        days: age::days_between(modified, now),
        header: Header::read(&read.bytes),
        text: as_text(&read.bytes).into_owned(),
        path,
    };
    Some(Memory {
        path: path_of(store, &found.path),
        days: found.days,
        origin: found.origin(),
        text: found.text,
    })
}

fn path_of(store: &Store, path: &MemoryPath) -> String {
    let path = store.memory_directory().join(path.as_str());
    path.to_string_lossy().into_owned()
}

fn modified(mtime: i64) -> Timestamp {
    let at = Timestamp::from_nanosecond(i128::from(mtime));
    at.unwrap_or(Timestamp::UNIX_EPOCH)
}
