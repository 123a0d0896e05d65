//! `memdir extract`: what past conversations taught, found by the rules.

mod model;
mod projects;
mod report;
mod transcripts;

use std::ops::ControlFlow;
use std::path::PathBuf;

use clap::Args;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use memdir_agent::by_rules::Listener;
use memdir_agent::cursor::{self, Cursor, Transcripts};
use memdir_agent::keep::KeepError;
use memdir_agent::pauses::Pauses;
use memdir_conversation::transcript::{Reading, format_of, read};
use memdir_store::open_transcript;

use crate::asking::Asking;
use crate::failure::Failure;
use crate::output::Output;
use crate::progress::Progress;
use crate::spending::Spending;
use crate::warning::Warnings;
use crate::workplace::Workplace;
use projects::{Found, Projects};
use report::Tally;
use transcripts::Transcript;

/// The next transcript, please.
const GO_ON: ControlFlow<()> = ControlFlow::Continue(());
/// So many transcripts are looked through before what they taught is saved.
const AT_ONCE: usize = 250;

/// Save what past conversations taught
///
/// Looks through transcripts of Claude Code, Codex, Gemini CLI or plain API messages for what you said
/// outright: what to remember or forget, always or never, who you are, dated plans, where things live. By
/// fixed rules, without a model and without a network; docs/extraction.md says which. With --model the model
/// that you have named for extraction looks instead, one request for each conversation, within the budget of
/// the day.
///
/// Each memory goes to the project in whose folder its conversation began, unless --project, --memory-dir or
/// --everywhere say otherwise. Give whole folders, such as ~/.claude/projects or ~/.codex/sessions: what was
/// looked through before is passed over, so that an interrupted run goes on where it was.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir extract session.jsonl --dry-run
  memdir extract ~/.claude/projects ~/.codex/sessions
  memdir extract session.jsonl --model
  memdir extract old-talks --project ~/code/app --set extraction.mode=ask

JSON: {dry_run, transcripts, bytes, unchanged, projects, problems, warnings}; each project has {root,
memory_dir, conversations, saved, waiting, known, refused, left_to_agent, operations}, `saved` and
`waiting` have {path, change, type, description, conversation, because, file}.")]
pub(crate) struct Extract {
    /// Transcripts, or folders of them
    #[arg(required = true, value_name = "TRANSCRIPT")]
    transcripts: Vec<PathBuf>,
    /// Look also through what was looked through before
    #[arg(long)]
    again: bool,
    /// Ask the model that is named for extraction, instead of the rules
    #[arg(long)]
    model: bool,
    #[command(flatten)]
    spending: Spending,
    /// Only show what would be saved; a model is asked all the same
    #[arg(long)]
    dry_run: bool,
}

impl Extract {
    pub(crate) fn run(self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        let mut warnings = Warnings::default();
        let mut tally = Tally::default();
        let all = transcripts::find(&self.transcripts, &mut tally)?;
        let asking = match self.model {
            true => Some(asking(workplace, self.spending)?),
            false => None,
        };
        let mut run = Run {
            asking,
            projects: Projects::new(workplace),
            looked: Transcripts::new(workplace.places.own_dir()),
            pauses: workplace.home().pauses(),
            zone: TimeZone::system(),
            dry_run: self.dry_run,
            again: self.again,
            left: Vec::new(),
            tally,
        };
        let mut progress = Progress::of("looked through", all.len(), "transcripts");
        for (done, transcript) in all.iter().enumerate() {
            progress.at(done);
            let flow = match run.look(transcript) {
                Ok(flow) => flow,
                Err(failure) => {
                    // What was found before it is found, and may have been paid for.
                    run.save()?;
                    return Err(failure);
                }
            };
            if flow.is_break() {
                break;
            }
            // What a model was paid for is never asked again.
            let enough = run.asking.is_some() || run.left.len() >= AT_ONCE;
            if enough && !self.dry_run {
                run.save()?;
            }
        }
        run.save()?;
        drop(progress);
        run.projects.record_roots(self.dry_run, &mut warnings);
        let problems = run.tally.has_problems();
        report::print(
            workplace,
            run.tally,
            run.projects,
            self.dry_run,
            warnings,
            output,
        )?;
        match problems {
            true => Err(Failure::Found),
            false => Ok(()),
        }
    }
}

/// A run over many transcripts.
struct Run<'a> {
    /// The model that looks; without one, the rules do.
    asking: Option<Asking>,
    projects: Projects<'a>,
    looked: Transcripts,
    pauses: Pauses,
    zone: TimeZone,
    dry_run: bool,
    again: bool,
    /// Where transcripts are left once what they taught is saved.
    left: Vec<(PathBuf, Cursor)>,
    tally: Tally,
}

impl Run<'_> {
    /// Looks through one transcript. What cannot be read is noted, and the run goes on.
    fn look(&mut self, transcript: &Transcript) -> Result<ControlFlow<()>, Failure> {
        let name = self.projects.key_of(&transcript.path);
        let known = match self.again {
            true => None,
            false => self.looked.get(&name)?.cloned(),
        };
        if known
            .as_ref()
            .is_some_and(|known| known.file == Some(transcript.mark))
        {
            self.tally.unchanged += 1;
            return Ok(GO_ON);
        }
        let mut file = match open_transcript(&transcript.path) {
            Ok(Some(file)) => file,
            Ok(None) => return Ok(GO_ON),
            Err(error) => {
                self.tally.problem(transcript, error.to_string());
                return Ok(GO_ON);
            }
        };
        let format = match format_of(&mut file) {
            Ok(format) => format,
            Err(error) => {
                self.tally.unknown(transcript, &error);
                return Ok(GO_ON);
            }
        };
        let mut listener = Listener::in_zone(self.zone.clone());
        let mut visible = Vec::new();
        // What may have to be withheld is not listened to before it is known whose conversation it is.
        let collects = self.asking.is_some() || self.pauses.files().are_any();
        // A model sees what the conversation's own model would; the rules need only what was said.
        let reading = match self.asking {
            Some(_) => Reading::default(),
            None => Reading::speech(),
        };
        let heard = read(format, &file, &reading, &mut |message| {
            match collects {
                true if self.asking.is_none() || message.is_sent() => visible.push(message),
                true => {}
                false => listener.hear(&message),
            }
            ControlFlow::Continue(())
        });
        let report = match heard {
            Ok(report) => report,
            Err(error) => {
                self.tally.problem(transcript, error.to_string());
                return Ok(GO_ON);
            }
        };
        let conversation = match &report.session {
            Some(session) => session.to_string(),
            None => transcript.stem(),
        };
        let forked_from: Vec<&str> = report.forked_from.iter().map(AsRef::as_ref).collect();
        let names = [conversation.as_str(), &transcript.stem()];
        let withheld = self.pauses.of_copy(&names, &forked_from);
        if withheld.is_open() {
            // Not marked as looked through: what was said before the pause is looked at when it is over.
            self.tally.paused += 1;
            return Ok(GO_ON);
        }
        let taken = withheld.withhold(&mut visible);
        if !taken.is_empty() && !self.dry_run {
            // So that copies of it are known, too.
            self.pauses.note_messages(&conversation, &taken)?;
        }
        let found = self.projects.of(report.cwd.as_deref());
        let project = match found {
            Found::Project(project) => project,
            Found::Gone(folder) => {
                self.tally.gone(folder);
                return Ok(GO_ON);
            }
            Found::Off(root) => {
                self.tally.off(root);
                return Ok(GO_ON);
            }
            Found::Unknown(reason) => {
                self.tally.problem(transcript, reason);
                return Ok(GO_ON);
            }
        };
        let live = match self.again {
            true => None,
            false => cursor::get(&project.store, &conversation)?,
        };
        let since = [known, live].into_iter().flatten().max_by_key(|one| one.at);
        if let Some(asking) = &self.asking {
            let asked = model::ask(
                asking,
                project,
                (&conversation, &visible),
                since.as_ref(),
                &self.zone,
                self.dry_run,
            );
            let unseen = match asked {
                Ok(unseen) => unseen,
                Err(stop) => {
                    self.tally.problem(transcript, stop.why);
                    return Ok(stop.flow);
                }
            };
            let seen = visible.len().saturating_sub(unseen);
            let last = visible.get(..seen).and_then(<[_]>::last);
            let left = Cursor {
                message: last.map(|last| last.id.to_string()).unwrap_or_default(),
                said: last.and_then(|last| last.at),
                at: Timestamp::now(),
                // While there is more to see the file is not done with.
                file: (unseen == 0).then_some(transcript.mark),
            };
            self.looked_through(transcript, name, left);
            return Ok(GO_ON);
        }
        visible.iter().for_each(|message| listener.hear(message));
        let memory = project.store.memory_directory();
        let mut heard = listener.finish(memory, since.as_ref());
        let settled = heard.settle(&project.store);
        settled.map_err(|KeepError::Store(error)| error)?;
        let left = Cursor {
            message: heard.last.clone().unwrap_or_default(),
            said: heard.said,
            at: Timestamp::now(),
            file: Some(transcript.mark),
        };
        project.take(&conversation, heard);
        self.looked_through(transcript, name, left);
        Ok(GO_ON)
    }

    fn looked_through(&mut self, transcript: &Transcript, name: PathBuf, left: Cursor) {
        self.tally.transcripts += 1;
        self.tally.bytes += transcript.mark.size;
        self.left.push((name, left));
    }

    /// Saves what was found so far, and only then where the transcripts were left.
    fn save(&mut self) -> Result<(), Failure> {
        self.projects.save(self.dry_run)?;
        let left = std::mem::take(&mut self.left);
        if !self.dry_run && !left.is_empty() {
            self.looked.set(left)?;
        }
        Ok(())
    }
}

/// The model that the user has named for it.
fn asking(workplace: &Workplace, spending: Spending) -> Result<Asking, Failure> {
    let missing = || {
        Failure::new(
            "no model is named for extraction",
            "name one in memdir.toml: `memdir models` says how; without --model the rules do it",
        )
    };
    let found =
        Asking::of(workplace, spending).map_err(|why| Failure::new(why, "see `memdir models`"))?;
    found.ok_or_else(missing)
}
