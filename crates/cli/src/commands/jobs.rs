//! `memdir jobs`: background work: what runs, what is due, what became of what ran.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, Subcommand};
use jiff::Timestamp;
use memdir_agent::jobs::{self, Job, JobKind, Jobs as Work, JobsError, Outcome, PastRun};
use memdir_model::Cancel;
use memdir_session::dream_due;
use memdir_settings::{Purpose, variables};
use serde::Serialize;

use crate::background;
use crate::failure::Failure;
use crate::moment;
use crate::output::{BAD, FAINT, GOOD, Output, STRONG, WARN};
use crate::rest::until_at_rest;
use crate::signals::until_a_signal;
use crate::spending::Spending;
use crate::table::{count, one_line};
use crate::workplace::Workplace;

/// So many runs of the past are shown.
const SHOWN: usize = 10;
/// After so long a detached process ends, work or not.
const AT_LAST: Duration = Duration::from_secs(3600);

/// Background work: what runs, what is due, what ran
///
/// One piece of work is done at a time for a memory directory, by one process that ends by itself. What is due is written
/// down: killed in the middle, it is done next time.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir jobs
  memdir jobs stop

JSON: {running, due, past, problems}; running has {process, kind, conversation, since}; due have {kind, \
conversation, transcript, since, attempts, trailing}; past have {kind, conversation, began, ended, outcome, said, denied}, the \
newest first.")]
pub(crate) struct Jobs {
    #[command(subcommand)]
    act: Option<Act>,
}

#[derive(Debug, Subcommand)]
enum Act {
    /// Do what is due, and what these transcripts hold
    #[command(hide = true)]
    Run {
        /// Transcripts whose last turn has just ended
        #[arg(value_name = "TRANSCRIPT")]
        transcripts: Vec<PathBuf>,
        /// Nobody sits in front of these conversations
        #[arg(long)]
        non_interactive: bool,
        /// In a process of its own, without waiting for it
        #[arg(long)]
        detach: bool,
        /// This is that process
        #[arg(long, hide = true, conflicts_with = "detach")]
        detached: bool,
        #[command(flatten)]
        spending: Spending,
    },
    /// Stop the work that is under way; it is not done again until it is due anew
    Stop,
}

#[derive(Serialize)]
struct Answer<'a> {
    running: Option<Running<'a>>,
    due: &'a [Job],
    past: &'a [PastRun],
    problems: &'a [String],
}

#[derive(Serialize)]
struct Running<'a> {
    process: Option<u32>,
    kind: Option<&'static str>,
    conversation: Option<&'a str>,
    since: Option<Timestamp>,
}

impl Jobs {
    pub(crate) fn run(self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        let work = Work::new(workplace.store.state_directory());
        match self.act {
            None => show(&work, output),
            Some(Act::Stop) => {
                let line = match work.stop().map_err(failure)? {
                    true => "Asked to stop; it ends at the next opportunity.",
                    false => "Nothing is under way.",
                };
                Ok(output.line(line)?)
            }
            Some(Act::Run {
                transcripts,
                non_interactive,
                detach,
                detached,
                spending,
            }) => {
                if detached {
                    jobs::detach();
                    end_at_last();
                }
                let models = workplace.places.settings.models();
                let notes = models.model_for(Purpose::Notes).is_some();
                for transcript in &transcripts {
                    let due = Job {
                        non_interactive,
                        ..due(transcript)?
                    };
                    work.note(&due).map_err(failure)?;
                    if let Some(dream) = dream_due(&workplace.home(), &due) {
                        work.note(&dream).map_err(failure)?;
                    }
                    // Without a model there are none, and nothing to say about it after each turn.
                    if notes {
                        let kind = JobKind::Notes;
                        work.note(&Job { kind, ..due }).map_err(failure)?;
                    }
                }
                if detach {
                    return start(workplace, spending);
                }
                if detached {
                    background::begin(workplace);
                }
                background::scrub(workplace);
                let mut one = |job: &Job, cancel: &Cancel| {
                    if !detached {
                        return background::work(workplace, job, spending, cancel);
                    }
                    until_at_rest(job, cancel);
                    let worked = background::work(workplace, job, spending, cancel);
                    background::note_dream(workplace, &work, job);
                    worked
                };
                // Whoever is at it already sees to the rest.
                let done = work.run(&until_a_signal()?, &mut one).map_err(failure);
                background::tidy(workplace);
                done.map(drop)
            }
        }
    }
}

/// That a transcript is to be looked at. Its conversation is called by the name of its file, as clients do.
fn due(transcript: &Path) -> Result<Job, Failure> {
    let path = transcript.canonicalize().map_err(|error| {
        let path = transcript.display();
        Failure::new(format!("{path} cannot be found: {error}"), "")
    })?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    Ok(Job {
        transcript: Some(path.clone()),
        ..Job::new(JobKind::Extraction, &name, Timestamp::now())
    })
}

/// Whatever happens, a process that nobody watches ends.
fn end_at_last() {
    std::thread::spawn(|| {
        std::thread::sleep(AT_LAST);
        std::process::exit(1);
    });
}

/// Starts this program once more, for these memories, and lets go of it.
fn start(workplace: &Workplace, spending: Spending) -> Result<(), Failure> {
    let told = workplace.is_told();
    let memory = told.then(|| workplace.store.memory_directory());
    let started = start_for(&workplace.places.start_folder, memory, spending.is_off());
    started
        .map(drop)
        .map_err(|error| Failure::new(format!("background work cannot be started: {error}"), ""))
}

/// Starts this program once more, for the memories of a start folder or those that were named, and lets go of it. Its process.
pub(crate) fn start_for(
    start_folder: &Path,
    memory: Option<&Path>,
    no_spend: bool,
) -> std::io::Result<u32> {
    let mut arguments: Vec<OsString> = vec!["jobs".into(), "run".into(), "--detached".into()];
    arguments.push("--project".into());
    arguments.push(start_folder.into());
    // It works at the root of the file system, with the variables that we have.
    let project = std::env::var_os(variables::PROJECT_DIR).map(PathBuf::from);
    for folder in std::env::current_dir().ok().into_iter().chain(project) {
        arguments.push("--started-in".into());
        arguments.push(folder.into());
    }
    if no_spend {
        arguments.push("--no-spend".into());
    }
    if let Some(memory) = memory {
        arguments.push("--memory-dir".into());
        arguments.push(memory.into());
    }
    let program = std::env::current_exe()?;
    match jobs::start_detached(&program, &arguments) {
        // It was replaced since this process began, by an update; the kernel still has it.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            jobs::start_detached(Path::new("/proc/self/exe"), &arguments)
        }
        started => started,
    }
}

fn show(work: &Work, output: &mut Output) -> Result<(), Failure> {
    let standing = work.standing().map_err(failure)?;
    if output.json {
        let running = standing.holder.as_ref().map(|owner| Running {
            process: owner.as_ref().map(|owner| owner.process.pid),
            kind: standing.running.as_ref().map(|(job, _)| job.kind.as_str()),
            conversation: standing
                .running
                .as_ref()
                .map(|(job, _)| job.conversation.as_str()),
            since: standing.running.as_ref().map(|(_, since)| *since),
        });
        return Ok(output.json(&Answer {
            running,
            due: &standing.due,
            past: &standing.past,
            problems: &standing.problems,
        })?);
    }
    match (&standing.holder, &standing.running) {
        (None, _) => output.line("Nothing is under way.")?,
        (Some(owner), running) => {
            let what = match running {
                Some((job, since)) => format!(
                    "{STRONG}{}{STRONG:#} of {} since {}",
                    job.kind.as_str(),
                    one_line(&job.conversation),
                    moment::shown(*since)
                ),
                None => "something".to_owned(),
            };
            let who = owner.as_ref().map_or_else(String::new, |owner| {
                format!(" {FAINT}(process {}){FAINT:#}", owner.process.pid)
            });
            output.line(format!("Under way: {what}{who}"))?;
        }
    }
    for job in &standing.due {
        let mut line = format!(
            "Due since {}: {} of {}",
            moment::shown(job.since),
            job.kind.as_str(),
            one_line(&job.conversation)
        );
        if job.attempts > 0 {
            let times = count(job.attempts as usize, "time", "times");
            line.push_str(&format!(" {FAINT}(begun {times}){FAINT:#}"));
        }
        output.line(line)?;
    }
    for run in standing.past.iter().take(SHOWN) {
        output.line(format!(
            "{FAINT}{}{FAINT:#}  {} of {}: {}",
            moment::shown(run.began),
            run.kind.as_str(),
            one_line(&run.conversation),
            outcome(&run.outcome)
        ))?;
    }
    output.flush()?;
    for problem in &standing.problems {
        output.warn(problem);
    }
    Ok(())
}

fn outcome(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Done(said) => format!("{GOOD}{}{GOOD:#}", one_line(said)),
        Outcome::Skipped(why) => format!("{FAINT}skipped: {}{FAINT:#}", one_line(why)),
        Outcome::Failed(why) => format!("{WARN}failed: {}{WARN:#}", one_line(why)),
        Outcome::NotNow(why) => format!("{FAINT}not now: {}{FAINT:#}", one_line(why)),
        Outcome::GivenUp(why) => format!("{BAD}given up: {}{BAD:#}", one_line(why)),
        Outcome::TimedOut => format!("{WARN}took too long{WARN:#}"),
        Outcome::Stopped => "stopped".to_owned(),
        Outcome::Interrupted => "interrupted; it is done next time".to_owned(),
        Outcome::Killed => format!("{WARN}its process was killed{WARN:#}"),
    }
}

fn failure(error: JobsError) -> Failure {
    match error {
        JobsError::Store(error) => error.into(),
        JobsError::Record(error) => Failure::new(error.to_string(), ""),
    }
}
