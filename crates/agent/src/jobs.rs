//! Background work, one piece at a time across all processes.
//!
//! What is due is a record, so that nothing is lost with the process that noted it. Whoever holds the lease of a memory
//! directory works off what is due, each piece within its time, and looks once more after letting go of the
//! lease: what was noted while it worked is never left lying. A killed process leaves its lease free, its work due, and
//! a mark by which the next one knows.

mod detached;
mod records;
mod watch;
mod worker;

use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use memdir_model::Cancel;
use memdir_store::records::Seen;
use memdir_store::{
    Error, JOBS_FOLDER, Lease, LockState, Owner, Record, RecordError, Records, lease_state,
};

pub use detached::{detach, start_detached};
pub use records::{Job, JobKind, Outcome, PastRun, WithoutModel};
use records::{Past, Running};
use watch::Watch;
pub use worker::Worker;

/// How long one piece of work may take.
pub const TIME_BOX: Duration = Duration::from_secs(15 * 60);
/// How long a program that ends waits for work under way.
pub const DRAIN: Duration = Duration::from_secs(60);
/// So many denials of a run are written down.
const KEPT_DENIALS: usize = 50;
/// For so long nobody asks again for work that ended undone and that anybody may ask for.
const QUIET: Duration = Duration::from_secs(10 * 60);
/// After so many failures in a row work is given up until it is due anew.
pub const MOST_ATTEMPTS: u32 = 3;

/// The background work of one memory directory.
#[derive(Debug, Clone)]
pub struct Jobs {
    state: PathBuf,
    records: Records,
    time_box: Duration,
}

/// What a piece of work came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Worked {
    /// It is done, and this is what there is to say.
    Done(Told),
    /// There was nothing to do, for this reason.
    Skipped(String),
    /// It failed and is to be tried again later.
    Failed(String),
    /// It may not be done just now, for this reason; it stays due and is never given up.
    NotNow(String),
}

/// What there is to say about a piece of work that was done.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Told {
    /// In a few words.
    pub said: String,
    /// What it tried and was not allowed, each with its reason.
    pub denied: Vec<String>,
    /// The operation in the history, by which it can be undone.
    pub operation: Option<u64>,
}

impl From<String> for Told {
    fn from(said: String) -> Self {
        Self {
            said,
            ..Self::default()
        }
    }
}

/// Why nothing could be done.
#[derive(Debug, thiserror::Error)]
pub enum JobsError {
    /// The disk.
    #[error(transparent)]
    Store(#[from] Error),
    /// What is noted about jobs cannot be read or written.
    #[error(transparent)]
    Record(#[from] RecordError),
}

/// How it stands.
#[derive(Debug)]
pub struct Standing {
    /// Who works just now; `None` inside when it left no name.
    pub holder: Option<Option<Owner>>,
    /// What it works on, and since when.
    pub running: Option<(Job, Timestamp)>,
    /// What is due, oldest first.
    pub due: Vec<Job>,
    /// What has run, newest first.
    pub past: Vec<PastRun>,
    /// Records that cannot be read.
    pub problems: Vec<String>,
}

impl Jobs {
    /// The jobs of the memory directory whose state lies here.
    #[must_use]
    pub fn new(state: &Path) -> Self {
        Self {
            state: state.to_owned(),
            records: Records::new(state.join(JOBS_FOLDER)),
            time_box: TIME_BOX,
        }
    }

    /// The same for whoever has only milliseconds: what it notes outlives every kill, but waits for no disk.
    #[must_use]
    pub fn light(mut self) -> Self {
        self.records = self.records.light();
        self
    }

    /// The same with another limit for each piece of work.
    #[must_use]
    pub fn within(mut self, limit: Duration) -> Self {
        self.time_box = limit;
        self
    }

    /// Notes that something is due. For one conversation the newest replaces what waits already; of a model that cannot be asked
    /// about its turns it is remembered how often that was tried, or the rules would never have theirs. What is noted while somebody works is done when that has ended, throttle or not.
    ///
    /// # Errors
    ///
    /// When it cannot be written down.
    pub fn note(&self, job: &Job) -> Result<(), JobsError> {
        let trailing = matches!(lease_state(&self.state)?, LockState::Held(_));
        let noted = |waiting: Option<Job>| Job {
            attempts: match (job.kind, waiting) {
                (JobKind::Extraction, Some(waiting)) => waiting.attempts.min(MOST_ATTEMPTS - 1),
                _ => 0,
            },
            trailing: job.trailing || trailing,
            ..job.clone()
        };
        self.records.update(&job.key(), noted)?;
        Ok(())
    }

    /// Notes work that everybody finds to be due who looks: not while it is due already, and not for a while after it
    /// ended undone. Whether it is due now.
    ///
    /// # Errors
    ///
    /// When it cannot be written down.
    pub fn note_once(&self, job: &Job) -> Result<bool, JobsError> {
        if self.noted::<Job>(&job.key())?.is_some() {
            return Ok(true);
        }
        let past = self.noted::<Past>(Past::KEY)?;
        let undone = |run: &PastRun| {
            let is_same = run.kind == job.kind && run.conversation == job.conversation;
            let ago = job.since.duration_since(run.ended);
            is_same && !matches!(run.outcome, Outcome::Done(_)) && ago.unsigned_abs() < QUIET
        };
        if past.is_some_and(|(past, _)| past.runs.iter().any(undone)) {
            return Ok(false);
        }
        self.note(job)?;
        Ok(true)
    }

    /// Whether something is due.
    ///
    /// # Errors
    ///
    /// When that cannot be looked at.
    pub fn is_anything_due(&self) -> Result<bool, JobsError> {
        Ok(!self.records.list::<Job>()?.records.is_empty())
    }

    /// Works off what is due; `false` when somebody else is at it, who will see to it. Each piece is done once; what
    /// failed stays due for the next time.
    ///
    /// # Errors
    ///
    /// When what is due cannot be read, or what was done not be written down.
    pub fn run(
        &self,
        cancel: &Cancel,
        work: &mut dyn FnMut(&Job, &Cancel) -> Worked,
    ) -> Result<bool, JobsError> {
        let mut tried = Vec::new();
        loop {
            let Some(lease) = Lease::try_take(&self.state, "jobs")? else {
                return Ok(false);
            };
            self.note_killed()?;
            while let Some(job) = self.next(&tried)? {
                if cancel.is_cancelled() {
                    return Ok(true);
                }
                tried.push(self.run_one(job, cancel, work)?);
            }
            drop(lease);
            // Somebody may have noted something while we still held it, and gone away.
            if cancel.is_cancelled() || self.next(&tried)?.is_none() {
                return Ok(true);
            }
        }
    }

    /// Asks whoever works to stop; whether somebody does.
    ///
    /// # Errors
    ///
    /// When that cannot be written down.
    pub fn stop(&self) -> Result<bool, JobsError> {
        let Some((running, seen)) = self.noted::<Running>(Running::KEY)? else {
            return Ok(false);
        };
        let stopping = Running {
            stop: true,
            ..running
        };
        match self.records.put(Running::KEY, &stopping, Some(&seen)) {
            // It has ended meanwhile.
            Err(RecordError::Conflict { .. }) => Ok(false),
            put => Ok(put.map(|_| true)?),
        }
    }

    /// How it stands. Changes nothing.
    ///
    /// # Errors
    ///
    /// When it cannot be looked at.
    pub fn standing(&self) -> Result<Standing, JobsError> {
        let listed = self.records.list::<Job>()?;
        let mut due: Vec<Job> = listed.records.into_iter().map(|(_, job, _)| job).collect();
        due.sort_by_key(|job| job.since);
        let mut problems = listed.problems;
        let running = or_problem(self.records.get::<Running>(Running::KEY), &mut problems);
        let past = or_problem(self.records.get::<Past>(Past::KEY), &mut problems);
        let mut past = past.map_or_else(Vec::new, |(past, _)| past.runs);
        past.reverse();
        let holder = match lease_state(&self.state)? {
            LockState::Held(owner) => Some(owner),
            LockState::Free => None,
        };
        Ok(Standing {
            running: running
                .filter(|_| holder.is_some())
                .map(|(running, _)| (running.job, running.began)),
            holder,
            due,
            past,
            problems: problems.iter().map(ToString::to_string).collect(),
        })
    }

    /// What is written down about runs. It serves those who look: a damaged record counts as none and is replaced.
    fn noted<T: Record>(&self, key: &str) -> Result<Option<(T, Seen)>, RecordError> {
        match self.records.get::<T>(key) {
            Err(RecordError::Damaged { .. }) => Ok(None),
            found => found,
        }
    }

    /// The oldest that is due and was not tried just now.
    fn next(&self, tried: &[Job]) -> Result<Option<Job>, JobsError> {
        let due = self.records.list::<Job>()?.records;
        let waiting = due.into_iter().map(|(_, job, _)| job);
        Ok(waiting
            .filter(|job| !tried.contains(job))
            .min_by_key(|job| job.since))
    }

    /// Does one piece of work; what is left of it is handed back.
    fn run_one(
        &self,
        job: Job,
        cancel: &Cancel,
        work: &mut dyn FnMut(&Job, &Cancel) -> Worked,
    ) -> Result<Job, JobsError> {
        let key = job.key();
        let Some((standing, seen)) = self.records.get::<Job>(&key)? else {
            return Ok(job);
        };
        let began = Timestamp::now();
        if standing.attempts >= MOST_ATTEMPTS {
            // Whatever it was, it took its process with it every time.
            let why = format!("begun {MOST_ATTEMPTS} times, and its process was killed");
            self.ended(
                &Running::of(&standing, began),
                Outcome::GivenUp(why),
                Vec::new(),
            )?;
            self.forget(&key, &seen)?;
            return Ok(standing);
        }
        let before = standing.attempts;
        let job = Job {
            attempts: before.saturating_add(1),
            ..standing
        };
        let seen = match self.records.put(&key, &job, Some(&seen)) {
            // Something newer is due: that is done, in its turn.
            Err(RecordError::Conflict { .. }) => return Ok(job),
            put => put?,
        };
        let running = Running::of(&job, began);
        self.records.update(Running::KEY, |_| running.clone())?;
        let watch = Watch::start(&self.records, self.time_box, cancel);
        let worked = work(&job, watch.cancel());
        let mut denied = Vec::new();
        let outcome = match (watch.end(), worked) {
            (Some(stopped), Worked::Failed(_) | Worked::NotNow(_)) => stopped,
            (_, Worked::Done(told)) => {
                denied = told.denied;
                Outcome::Done(told.said)
            }
            (_, Worked::Skipped(why)) => Outcome::Skipped(why),
            (None, Worked::Failed(why)) => Outcome::Failed(why),
            (None, Worked::NotNow(why)) => Outcome::NotNow(why),
        };
        let again = match &outcome {
            Outcome::Done(_) | Outcome::Skipped(_) => false,
            // Whoever stops it does not want it back at the next opportunity.
            Outcome::Stopped => false,
            // Its process had to end, through no fault of the work.
            Outcome::Interrupted => {
                self.ended(&running, outcome, denied)?;
                return self.put_back(job, before, &seen);
            }
            // It was tried, but is never given up for that.
            Outcome::NotNow(_) => {
                self.ended(&running, outcome, denied)?;
                let tried = job.attempts.min(MOST_ATTEMPTS - 1);
                return self.put_back(job, tried, &seen);
            }
            Outcome::Failed(_) | Outcome::TimedOut | Outcome::Killed | Outcome::GivenUp(_) => {
                job.attempts < MOST_ATTEMPTS
            }
        };
        let outcome = match outcome {
            Outcome::Failed(why) if !again => Outcome::GivenUp(why),
            outcome => outcome,
        };
        self.ended(&running, outcome, denied)?;
        if !again {
            self.forget(&key, &seen)?;
        }
        Ok(job)
    }

    /// It is due as if it had not been begun; its turn has come, so that it does not wait for another.
    fn put_back(&self, job: Job, attempts: u32, seen: &Seen) -> Result<Job, JobsError> {
        let due = Job {
            attempts,
            trailing: true,
            ..job
        };
        match self.records.put(&due.key(), &due, Some(seen)) {
            // It was noted anew while it ran.
            Err(RecordError::Conflict { .. }) => {}
            put => {
                put?;
            }
        }
        Ok(due)
    }

    /// It is no longer due, unless it was noted anew while it ran: then there is one trailing run.
    fn forget(&self, key: &str, seen: &Seen) -> Result<(), JobsError> {
        match self.records.remove::<Job>(key, seen) {
            Err(RecordError::Conflict { .. }) => Ok(()),
            removed => Ok(removed?),
        }
    }

    /// Takes out of what was written down about runs of the past what may not be kept.
    ///
    /// # Errors
    ///
    /// When it cannot be read or written.
    pub fn scrub(&self) -> Result<(), JobsError> {
        if self.noted::<Past>(Past::KEY)?.is_some() {
            self.records.update(Past::KEY, |past: Option<Past>| {
                let runs = past.unwrap_or_default().runs.into_iter();
                Past {
                    runs: runs.map(PastRun::scrubbed).collect(),
                }
            })?;
        }
        Ok(())
    }

    /// Writes down what became of a run, and that nothing runs.
    fn ended(
        &self,
        running: &Running,
        outcome: Outcome,
        denied: Vec<String>,
    ) -> Result<(), JobsError> {
        let run = PastRun {
            kind: running.job.kind,
            conversation: running.job.conversation.clone(),
            began: running.began,
            ended: Timestamp::now(),
            outcome,
            denied: denied.into_iter().take(KEPT_DENIALS).collect(),
        };
        let run = run.scrubbed();
        self.records.update(Past::KEY, |past: Option<Past>| {
            past.unwrap_or_default().with(run.clone())
        })?;
        if let Some((_, seen)) = self.noted::<Running>(Running::KEY)? {
            match self.records.remove::<Running>(Running::KEY, &seen) {
                // Somebody asked to stop in this very moment.
                Err(RecordError::Conflict { .. }) => {}
                removed => removed?,
            }
        }
        Ok(())
    }

    /// The lease is ours, so that whoever was running before is not: it was killed.
    fn note_killed(&self) -> Result<(), JobsError> {
        match self.noted::<Running>(Running::KEY)? {
            Some((running, _)) => self.ended(&running, Outcome::Killed, Vec::new()),
            None => Ok(()),
        }
    }
}

/// What was read; what is wrong with it is told.
fn or_problem<T>(
    read: Result<Option<T>, RecordError>,
    problems: &mut Vec<RecordError>,
) -> Option<T> {
    read.unwrap_or_else(|problem| {
        problems.push(problem);
        None
    })
}
