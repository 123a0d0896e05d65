//! Memories that a model selects beside the conversation: nothing waits for it. The embedded ranker answers meanwhile; what the
//! model chose comes with the next request or the next message, and what became of it stands in the account of its turn.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};

use jiff::Timestamp;
use memdir_agent::ModelSelector;
use memdir_agent::jobs::{Job, Worked};
use memdir_agent::pauses::PAUSED;
use memdir_context::Reminder;
use memdir_conversation::Reminded;
use memdir_memory::{Header, MemoryPath, age, as_text, manifest_line};
use memdir_model::Cancel;
use memdir_recall::{
    BUDGET_BYTES, Block, Conversation, ConversationRecords, Found, Gate, Given, MANIFEST_LINES,
    MAX_SELECTED, Memory, Piece, Request, SELECTOR_DEADLINE, Scope, Selected, Selection, Selector,
    Skip, Turn, block, select,
};
use memdir_store::Store;

use crate::{Background, Error, Event, Home, Session};

/// What the names of memories that hold for all projects begin with.
const EVERYWHERE: &str = "everywhere/";

/// How it stands with a selector that has not answered yet.
pub const ASKED: &str = "asked; it has not answered yet";

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
    /// The turn for which it selects.
    at: Timestamp,
    cancel: Cancel,
}

impl Drop for Prefetch {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

impl Prefetch {
    /// Asks a selector, on a thread of its own.
    pub(crate) fn start(
        (selector, cancel): (Arc<dyn Selector>, Cancel),
        shelves: Shelves,
        (at, query): (Timestamp, &str),
        tools: Vec<String>,
        is_known: impl Fn(&str) -> bool,
    ) -> Result<Self, memdir_store::Error> {
        let request = Request {
            query: query.to_owned(),
            manifest: shelves.manifest(is_known)?,
            tools,
        };
        let (sender, answer) = mpsc::channel();
        // Whether or not there is a thread for it, the turn goes on.
        let _ = std::thread::Builder::new().spawn(move || {
            // The embedded ranker has answered already.
            let selection = select(selector, request, SELECTOR_DEADLINE, Vec::new);
            let _ = sender.send(selection);
        });
        Ok(Self {
            answer,
            query: query.to_owned(),
            at,
            cancel,
        })
    }
}

impl Session {
    /// Shows what a selector has chosen meanwhile, behind what was said last. `with` says with what that goes out.
    pub(crate) fn surface_selected(&mut self, with: &str) -> Result<(), Error> {
        let Some(prefetch) = &self.prefetch else {
            return Ok(());
        };
        let (at, query) = (prefetch.at, prefetch.query.clone());
        let selection = match prefetch.answer.try_recv() {
            Ok(selection) => selection,
            Err(mpsc::TryRecvError::Empty) => return Ok(()),
            Err(mpsc::TryRecvError::Disconnected) => {
                self.give_up_selected("it could not be asked");
                return Ok(());
            }
        };
        self.prefetch = None;
        if self.paused {
            return Ok(());
        }
        let now = (self.now)();
        let surfaced = match &selection.fell_back {
            Some(error) => {
                self.events.push(Event::Warning(error.to_string()));
                Surfaced::nothing(&error.to_string())
            }
            None => surface(
                &self.home,
                &self.recalled,
                (at, &selection.names),
                (now, with),
                None,
            ),
        };
        if !surfaced.block.text.is_empty() {
            let paths = surfaced.pieces.iter().map(|piece| piece.path.clone());
            let reminder = Reminder::new(&surfaced.block.text).to_string();
            self.remind(Reminded::Memories(paths.collect()), &reminder)?;
            let mut turn = Turn::new(now, &query);
            turn.given.clone_from(&surfaced.given);
            self.events.push(Event::Recalled(Box::new(turn)));
        }
        self.note_selected(at, &surfaced);
        Ok(())
    }

    /// Whoever selects is not waited for any longer, for this reason. The request is stopped: it would be billed to its end.
    pub(crate) fn give_up_selected(&mut self, why: &str) {
        if let Some(prefetch) = self.prefetch.take() {
            self.note_selected(prefetch.at, &Surfaced::nothing(why));
        }
    }

    fn note_selected(&mut self, at: Timestamp, surfaced: &Surfaced) {
        surfaced.note(at, &mut self.recalled);
        self.recalled_is_news = true;
    }
}

/// What a selector chose, as it is shown.
#[derive(Debug, Default)]
pub struct Surfaced {
    /// How it stands, for `why`.
    pub selected: Selected,
    /// What is given of it.
    pub given: Vec<Given>,
    /// The same, ready to be shown.
    pub pieces: Vec<Piece>,
    /// The same, as one text.
    pub block: Block,
}

impl Surfaced {
    fn nothing(why: &str) -> Self {
        let said = format!("nothing shown: {why}");
        Self {
            selected: Selected {
                said,
                ..Selected::default()
            },
            ..Self::default()
        }
    }

    /// Notes it in the account of the turn for which it was chosen.
    pub fn note(&self, at: Timestamp, conversation: &mut Conversation) {
        conversation.note_selected(
            at,
            self.selected.clone(),
            &self.given,
            &self.pieces,
            &self.block,
        );
    }
}

/// Makes ready what a selector chose for the turn of that moment: what is not in the conversation already, within what a turn
/// and a conversation may be given. `with` says with what it goes out.
#[must_use]
pub fn surface(
    home: &Home,
    conversation: &Conversation,
    (at, names): (Timestamp, &[String]),
    (now, with): (Timestamp, &str),
    host_limit: Option<usize>,
) -> Surfaced {
    let turn = conversation.turns().iter().rev().find(|turn| turn.at == at);
    let given = turn.map_or(0, |turn| turn.given.len());
    let shelves = Shelves::of(home);
    let mut surfaced = Surfaced::default();
    let mut left_out = Vec::new();
    let mut bytes = conversation.given_bytes();
    for name in names {
        let Some(memory) = selected(&shelves, name, now) else {
            left_out.push(format!("{name} is gone"));
            continue;
        };
        let gate = conversation.gate(&memory.path).map(Gate::words);
        let spent = (bytes >= BUDGET_BYTES).then(|| Skip::BudgetSpent.words());
        let full = given + surfaced.pieces.len() >= MAX_SELECTED;
        let full = full.then_some("the turn was given enough");
        if let Some(why) = gate.or(spent).or(full) {
            left_out.push(format!("{name}: {why}"));
            continue;
        }
        bytes += memory.text.len() as u64;
        surfaced.given.push(Given {
            path: memory.path.clone(),
            score: 1.0,
            age_days: memory.days,
            bytes: memory.text.len() as u64,
            reasons: vec![format!("selected by the model, shown with {with}")],
        });
        let header = conversation.header(&memory.path);
        surfaced.pieces.push(Piece::new(&memory, header));
    }
    surfaced.block = block(&surfaced.pieces, host_limit);
    let shown = !surfaced.pieces.is_empty();
    let mut said = match (shown, names.is_empty()) {
        (true, _) => format!("shown with {with}"),
        (false, true) => "it chose none".to_owned(),
        (false, false) => "nothing shown".to_owned(),
    };
    if !left_out.is_empty() {
        said.push_str(&format!("; {}", left_out.join("; ")));
    }
    surfaced.selected = Selected {
        chosen: names.to_vec(),
        shown: shown.then_some(now),
        said,
        ..Selected::default()
    };
    surfaced
}

/// What of a record waits for a selector, and is due for a conversation: see [`Selected::waits`].
pub(crate) fn selection(
    home: &Home,
    background: &Background,
    job: &Job,
    cancel: &Cancel,
) -> Result<Worked, String> {
    let words = |error: memdir_store::RecordError| error.to_string();
    let records = ConversationRecords::new(home.store.state_directory());
    let conversation = records.get(&job.conversation).map_err(words)?;
    let wanted = conversation.turns().iter().rev();
    let wanted = wanted.filter_map(|turn| Some((turn, turn.selector.as_ref()?)));
    let mut wanted = wanted.filter(|(_, selected)| !selected.waits && selected.said == ASKED);
    let Some((turn, asked)) = wanted.next() else {
        return Ok(Worked::Skipped("nobody waits for it".to_owned()));
    };
    if home.pauses().is_paused(&job.conversation) {
        return Ok(Worked::Skipped(PAUSED.to_owned()));
    }
    let answer = match background.selector.clone().zip(background.meter.clone()) {
        None => Err("no model is named for recall".to_owned()),
        Some((model, meter)) => {
            let selector: Arc<dyn Selector> = Arc::new(ModelSelector {
                model,
                meter,
                cancel: cancel.clone(),
            });
            let shelves = Shelves::of(home);
            let known = |path: &str| conversation.gate(path).is_some();
            let request = Request {
                query: turn.query.clone(),
                manifest: shelves.manifest(known).map_err(|error| error.to_string())?,
                tools: asked.tools.clone(),
            };
            let selection = select(selector, request, SELECTOR_DEADLINE, Vec::new);
            match selection.fell_back {
                Some(error) => Err(error.to_string()),
                None => Ok(selection.names),
            }
        }
    };
    let at = turn.at;
    let selected = match &answer {
        Ok(names) if names.is_empty() => Selected {
            said: "it chose none".to_owned(),
            ..Selected::default()
        },
        Ok(names) => Selected {
            chosen: names.clone(),
            said: "chosen; shown with the next request or the next message".to_owned(),
            waits: true,
            ..Selected::default()
        },
        Err(why) => Surfaced::nothing(why).selected,
    };
    let said = selected.said.clone();
    let noted = records.update(&job.conversation, |conversation| {
        let nothing = Block::default();
        conversation.note_selected(at, selected.clone(), &[], &[], &nothing);
    });
    noted.map_err(words)?;
    Ok(match answer {
        Ok(_) => Worked::Done(said.into()),
        // Nobody waits for it by the time that it could be asked again.
        Err(why) => Worked::Skipped(why),
    })
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
