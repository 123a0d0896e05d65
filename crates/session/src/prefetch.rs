//! Memories that a model selects beside the conversation: nothing waits for it, and what comes after the turn is dropped.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};

use jiff::Timestamp;
use memdir_context::Reminder;
use memdir_conversation::Reminded;
use memdir_memory::{Header, MemoryPath, age, as_text, manifest_line};
use memdir_recall::{
    Finder, Found, Given, MANIFEST_LINES, Memory, Piece, Question, Request, SELECTOR_DEADLINE,
    Scope, Selection, Selector, Turn, block, select,
};
use memdir_store::Store;

use crate::{Error, Event, Session};

/// A selector at work.
#[derive(Debug)]
pub(crate) struct Prefetch {
    answer: Receiver<Selection>,
    query: String,
}

impl Prefetch {
    /// Asks a selector, on a thread of its own. Where it fails or is late, the embedded ranker chooses.
    pub(crate) fn start(
        selector: Arc<dyn Selector>,
        store: &Arc<Store>,
        query: &str,
        tools: Vec<String>,
        is_known: impl Fn(&str) -> bool,
    ) -> Result<Self, memdir_store::Error> {
        let scan = store.scan()?;
        let newest = scan.memories.iter().take(MANIFEST_LINES);
        let manifest = newest
            .filter(|memory| !is_known(&path_of(store, &memory.path)))
            .map(|memory| {
                let line = manifest_line(
                    &memory.path,
                    memory.header.memory_type,
                    modified(memory.stamp.mtime),
                    memory.header.description.as_deref(),
                );
                (memory.path.to_string(), line)
            })
            .collect();
        let request = Request {
            query: query.to_owned(),
            manifest,
            tools,
        };
        let (sender, answer) = mpsc::channel();
        let store = Arc::clone(store);
        let asked = query.to_owned();
        // Whether or not there is a thread for it, the turn goes on.
        let _ = std::thread::Builder::new().spawn(move || {
            let embedded = || {
                let answer = Finder::new(&store).find(&Question::new(&asked));
                let found = answer.map(|answer| answer.found).unwrap_or_default();
                found.iter().map(|found| found.path.to_string()).collect()
            };
            let selection = select(selector, request, SELECTOR_DEADLINE, embedded);
            let _ = sender.send(selection);
        });
        Ok(Self {
            answer,
            query: query.to_owned(),
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
        for name in &selection.names {
            let Some(memory) = self.selected(name, now) else {
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

    fn selected(&self, name: &str, now: Timestamp) -> Option<Memory> {
        let path = MemoryPath::new(name).ok()?;
        let read = self.home.store.read(&path).ok().flatten()?;
        let modified = modified(read.stamp.mtime);
        let found = Found {
            scope: Scope::Project,
            score: 1.0,
            reasons: Vec::new(),
            modified,
            days: age::days_between(modified, now),
            header: Header::read(&read.bytes),
            text: as_text(&read.bytes).into_owned(),
            path,
        };
        Some(Memory {
            path: path_of(&self.home.store, &found.path),
            days: found.days,
            origin: found.origin(),
            text: found.text,
        })
    }
}

fn path_of(store: &Store, path: &MemoryPath) -> String {
    let path = store.memory_directory().join(path.as_str());
    path.to_string_lossy().into_owned()
}

fn modified(mtime: i64) -> Timestamp {
    let at = Timestamp::from_nanosecond(i128::from(mtime));
    at.unwrap_or(Timestamp::UNIX_EPOCH)
}
