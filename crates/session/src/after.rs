//! Work beside the conversation: begun when a turn has ended, told when it has.

mod dream;
mod extraction;
mod index;
pub(crate) mod notes;

use std::hash::{BuildHasher, Hasher, RandomState};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use memdir_agent::cursor;
use memdir_agent::jobs::{DRAIN, Job, JobKind, Jobs, Worked, Worker};
use memdir_agent::keep::Kept;
use memdir_agent::{Bill, Meter, ModelSelector, Tally};
use memdir_context::NotesLimits;
use memdir_context::compaction::ProviderEditing;
use memdir_conversation::transcript::{Reading, format_of, read};
use memdir_conversation::{Message, MessageId};
use memdir_model::{Body, Cancel, Model};

use memdir_recall::Selector;
use memdir_store::open_transcript;

use crate::event::{Ended, Work};
use crate::{Error, Event, Home, Session};

pub use dream::{Wanted, dream, dream_due, dream_job};
pub use extraction::{Extracted, extraction};
pub use index::{build_index, index_job};

/// Who does background work: only models that the user has named for it.
#[derive(Debug, Clone, Default)]
pub struct Background {
    /// Looks for what is worth keeping; without one, fixed rules do.
    pub extraction: Option<Arc<dyn Model>>,
    /// Tidies up the memories when it is time; without one, fixed rules do.
    pub dream: Option<Arc<dyn Model>>,
    /// Takes the notes of the conversation.
    pub notes: Option<Arc<dyn Model>>,
    /// Selects what to recall, where the settings want a model for it.
    pub selector: Option<Arc<dyn Model>>,
    /// What all of it may cost, and where that is written down; without it no model is asked.
    pub meter: Option<Meter>,
}

impl Background {
    /// The same, and where it is counted what it asks for from now on.
    fn counted(&self) -> (Self, Tally) {
        let tally = Tally::default();
        let mut background = self.clone();
        if let Some(meter) = &mut background.meter {
            meter.tally = tally.clone();
        }
        (background, tally)
    }
}

/// A conversation as background work sees it.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// All that the model sees, the last reply included.
    pub visible: Vec<Message>,
    /// What was said since it was last looked at, where a compaction has taken some of that out of sight.
    pub said: Option<Vec<Message>>,
    /// What else the conversation is called: in its transcript, and by the name of that.
    pub names: Vec<String>,
    /// The conversations from which it was copied, as far as its transcript says.
    pub forked_from: Vec<String>,
    /// The last request, as it was sent.
    pub parent: Option<Body>,
    /// How many tokens it has.
    pub tokens: u64,
    /// Whether a program gave the prompts and nobody sat in front of it.
    pub unattended: bool,
}

impl Snapshot {
    /// A conversation as it is written down. What was sent of it nobody knows.
    ///
    /// # Errors
    ///
    /// In words, why it cannot be read.
    pub fn of_transcript(transcript: &Path) -> Result<Self, String> {
        let gone = || format!("{} is not there", transcript.display());
        let file = open_transcript(transcript).map_err(|error| error.to_string())?;
        let mut file = file.ok_or_else(gone)?;
        let format = format_of(&mut file).map_err(|error| error.to_string())?;
        let mut visible = Vec::new();
        let told = read(format, &file, &Reading::default(), &mut |message| {
            if message.is_sent() {
                visible.push(message);
            }
            ControlFlow::Continue(())
        });
        let report = told.map_err(|error| error.to_string())?;
        let stem = transcript.file_stem().unwrap_or_default();
        let stem = stem.to_string_lossy().into_owned();
        let session = report.session.iter().map(ToString::to_string);
        Ok(Self {
            visible,
            said: None,
            names: session.chain([stem]).collect(),
            forked_from: report.forked_from.iter().map(ToString::to_string).collect(),
            parent: None,
            tokens: 0,
            unattended: report.unattended,
        })
    }
}

/// What goes on beside a conversation.
#[derive(Debug)]
pub(crate) struct After {
    pub(crate) background: Background,
    /// What the provider is asked to clear, once it was.
    pub(crate) editing: Option<ProviderEditing>,
    newest: Arc<Mutex<Option<Snapshot>>>,
    worker: Option<Worker>,
    sender: Sender<Work>,
    told: Receiver<Work>,
}

impl After {
    pub(crate) fn new(background: Background) -> Self {
        let (sender, told) = mpsc::channel();
        Self {
            background,
            editing: None,
            newest: Arc::default(),
            worker: None,
            sender,
            told,
        }
    }

    /// Whoever selects what to recall, until it is stopped.
    pub(crate) fn selector(&self, cancel: &Cancel) -> Option<Arc<dyn Selector>> {
        let Background {
            selector, meter, ..
        } = &self.background;
        Some(Arc::new(ModelSelector {
            model: selector.clone()?,
            meter: meter.clone()?,
            cancel: cancel.clone(),
        }))
    }

    /// Whether something is under way.
    pub(crate) fn is_at_work(&self) -> bool {
        self.worker.as_ref().is_some_and(|worker| !worker.is_over())
    }

    /// What has ended since.
    pub(crate) fn poll(&mut self, events: &mut Vec<Event>) {
        events.extend(self.told.try_iter().map(Event::Work));
    }

    /// Gives work under way so long.
    pub(crate) fn drain(&mut self, patience: Duration, events: &mut Vec<Event>) {
        if let Some(worker) = self.worker.take() {
            match worker.drain(patience) {
                Ok(true) => {}
                Ok(false) => events.push(Event::Warning(
                    "background work was not done in time; it is done next time".to_owned(),
                )),
                Err(error) => events.push(Event::Warning(error.to_string())),
            }
        }
        self.poll(events);
    }
}

impl Session {
    /// Notes what is due, and sees that somebody does it.
    pub(crate) fn begin_work(&mut self, kind: JobKind) -> Result<(), Error> {
        let tokens = self.used();
        let visible = self.conversation.visible().into_iter().cloned().collect();
        let snapshot = Snapshot {
            visible,
            said: self.said_since(),
            names: Vec::new(),
            forked_from: Vec::new(),
            parent: self.sent.clone(),
            tokens,
            unattended: self.host.non_interactive,
        };
        *lock(&self.after.newest) = Some(snapshot);
        let jobs = Jobs::new(self.home.store.state_directory());
        let job = Job {
            transcript: Some(self.places.transcript.clone()),
            non_interactive: self.host.non_interactive,
            ..Job::new(kind, self.name.as_str(), (self.now)())
        };
        // Only once a turn: the gates are for conversations that have come to rest.
        let dream = match kind {
            JobKind::Extraction => dream_due(&self.home, &job),
            _ => None,
        };
        for job in [Some(job), dream].into_iter().flatten() {
            if let Err(error) = jobs.note(&job) {
                self.events.push(Event::Warning(error.to_string()));
                return Ok(());
            }
        }
        // One that is still at it looks once more when it is done.
        if !self.after.is_at_work() {
            let worker = self.worker(jobs);
            match worker {
                Ok(worker) => self.after.worker = Some(worker),
                Err(error) => self.events.push(Event::Warning(format!(
                    "background work cannot be started: {error}"
                ))),
            }
        }
        Ok(())
    }

    /// What was said since it was last looked at, where the model no longer sees where that was.
    fn said_since(&self) -> Option<Vec<Message>> {
        let (boundary, _) = self.conversation.boundary()?;
        let left = cursor::get(&self.home.store, self.name.as_str()).ok()?;
        let place = match &left {
            Some(left) => self.conversation.place(&MessageId::new(&left.message))?,
            None => 0,
        };
        let messages = self.conversation.messages();
        let since = messages.get(place..).filter(|_| place < boundary);
        since.map(<[Message]>::to_vec)
    }

    /// Gives work its minute, also what was noted in the very moment in which a worker ended; one for all of it.
    pub(crate) fn finish_work(&mut self) {
        let begin = Instant::now();
        self.after.drain(DRAIN, &mut self.events);
        let left = DRAIN.saturating_sub(begin.elapsed());
        let jobs = Jobs::new(self.home.store.state_directory());
        let due = jobs.standing().map(|standing| standing.due);
        let own = |job: &Job| job.conversation == self.name.as_str() && job.attempts == 0;
        if !left.is_zero()
            && due.is_ok_and(|due| due.iter().any(own))
            && let Ok(worker) = self.worker(jobs)
        {
            self.after.worker = Some(worker);
            self.after.drain(left, &mut self.events);
        }
    }

    fn worker(&self, jobs: Jobs) -> std::io::Result<Worker> {
        let home = self.home.clone();
        let background = self.after.background.clone();
        let newest = Arc::clone(&self.after.newest);
        let sender = self.after.sender.clone();
        let own = self.name.to_string();
        let limits = self.limits.notes;
        Worker::start(jobs, move |job: &Job, cancel: &Cancel| {
            let newest = || lock(&newest).clone();
            let own = Some(()).filter(|()| job.conversation == own);
            let snapshot = own.and_then(|()| newest());
            let (worked, work) = one(&home, &background, job, snapshot, limits, cancel);
            // Nobody listens any more once the session is closed.
            let _ = sender.send(work);
            worked
        })
    }
}

/// Asks the model that selects for a turn of another client's, which shows what it chose at its next event.
///
/// # Errors
///
/// In words, why it failed.
pub fn selection_job(
    home: &Home,
    background: &Background,
    job: &Job,
    cancel: &Cancel,
) -> Result<Worked, String> {
    crate::prefetch::selection(home, background, job, cancel)
}

/// Does one piece of work.
fn one(
    home: &Home,
    background: &Background,
    job: &Job,
    snapshot: Option<Snapshot>,
    limits: NotesLimits,
    cancel: &Cancel,
) -> (Worked, Work) {
    let mut work = Work {
        kind: job.kind.as_str(),
        ended: Ended::Done,
        said: String::new(),
        saved: Vec::new(),
        waiting: 0,
        operation: None,
        unable: None,
        bill: Bill::default(),
    };
    let (background, tally) = background.counted();
    let background = &background;
    let snapshot = match (snapshot, &job.transcript) {
        (Some(snapshot), _) => Ok(snapshot),
        (None, Some(transcript)) => Snapshot::of_transcript(transcript),
        (None, None) => Err("it does not say where the conversation is".to_owned()),
    };
    let worked = match (job.kind, snapshot) {
        (JobKind::Extraction, Ok(snapshot)) => {
            match extraction(home, background, job, &snapshot, cancel) {
                Ok(extracted) => {
                    if let Some(kept) = &extracted.kept {
                        note(kept, &mut work);
                    }
                    work.unable = extracted.unable;
                    extracted.worked
                }
                Err(why) => Worked::Failed(why),
            }
        }
        (JobKind::Notes, Ok(snapshot)) => {
            notes::notes(home, background, job, &snapshot, limits, cancel)
                .unwrap_or_else(Worked::Failed)
        }
        (JobKind::Extraction | JobKind::Notes, Err(why)) => Worked::Failed(why),
        (JobKind::Selection, _) => {
            selection_job(home, background, job, cancel).unwrap_or_else(Worked::Failed)
        }
        (JobKind::Index, _) => build_index(home, cancel),
        (JobKind::Dream, snapshot) => {
            let snapshot = snapshot.ok().filter(|snapshot| snapshot.parent.is_some());
            dream_job(home, background, job, snapshot.as_ref(), cancel)
                .unwrap_or_else(Worked::Failed)
        }
    };
    let (ended, said) = match &worked {
        Worked::Done(told) => (Ended::Done, &told.said),
        Worked::Skipped(why) => (Ended::Skipped, why),
        Worked::NotNow(why) => (Ended::NotNow, why),
        Worked::Failed(why) => (Ended::Failed, why),
    };
    if let Worked::Done(told) = &worked {
        work.operation = work.operation.or(told.operation);
    }
    work.bill = tally.bill();
    work.ended = ended;
    work.said.clone_from(said);
    (worked, work)
}

fn note(kept: &Kept, work: &mut Work) {
    let saved = kept.saved.iter().filter(|saved| !saved.path.is_index());
    work.saved = saved.map(|saved| saved.path.to_string()).collect();
    work.waiting = kept.waiting.len();
    work.operation = kept.operation;
}

/// A word that nobody can guess.
pub(crate) fn word() -> String {
    let half = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", half(), half())
}

fn lock<T>(shared: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
