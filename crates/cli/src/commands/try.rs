//! `memdir try`: three days with an agent that remembers, in a home that is gone afterwards.

mod story;

use std::cell::Cell;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use memdir_conversation::Block;
use memdir_conversation::transcript::uuid_of;
use memdir_model::{Anthropic, Cancel, Catalogue, Model, NanoUsd, Times};
use memdir_recall::Turn as Recalled;
use memdir_session::{Background, Ended, Event, Home, Host, Session, Setup};
use memdir_settings::Purpose;
use memdir_store::{Environment, Store};

use crate::arguments::{Place, typed};
use crate::asking::needed_for;
use crate::commands;
use crate::failure::Failure;
use crate::output::{FAINT, GOOD, Output, STRONG, WARN};
use crate::signals::until_a_signal;
use crate::spending::Spending;
use crate::table::{count, wrapped};
use crate::workplace::Workplace;
use story::{Day, Other, Story, Turn};

/// The model whose form requests have while nobody is asked.
const NOBODY: &str = "claude-haiku-4-5";
/// How long background work may take after a turn: by the rules it takes milliseconds.
const PATIENCE: Duration = Duration::from_secs(60);
/// How often it is looked meanwhile whether somebody wants it to end.
const LOOK: Duration = Duration::from_millis(50);
/// Where what is said begins.
const INDENT: usize = 9;
/// So many lines of a reply are shown.
const REPLY_LINES: usize = 3;
/// By how many seconds the day that is played lies before now.
static BEFORE: AtomicI64 = AtomicI64::new(0);

/// See what it does: three days with an agent, in a temporary home
///
/// Plays a sample conversation through the real engine, without a key and without a network: what is saved and why, what
/// a later question recalls and what not, what a dream tidies up, the picture of the window, and the bill. The home is
/// temporary and nothing of yours is touched.
///
/// With --model the same conversation is had with a model that you have named, which then answers for itself, and
/// saves, in place of the rules.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir try
  memdir try --keep
  memdir try --model small")]
pub(crate) struct Try {
    /// Ask this model, instead of playing the sample's own answers
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
    /// Leave the temporary home, and say where it is
    #[arg(long)]
    keep: bool,
    #[command(flatten)]
    spending: Spending,
}

/// A play in progress.
struct Play {
    workplace: Workplace,
    /// Who answers; nobody where the sample does.
    asked: Option<Arc<dyn Model>>,
    background: Background,
    now: Timestamp,
    /// How often the model has answered, and for how much.
    answers: Cell<(usize, NanoUsd)>,
    /// Somebody has seen enough: the home is removed all the same.
    cancel: Cancel,
}

impl Try {
    pub(crate) fn run(self, own: &Workplace, output: &mut Output) -> Result<(), Failure> {
        if output.json {
            return Err(Failure::usage("--json: this command is for people"));
        }
        let failed = |error: std::io::Error| {
            Failure::new(format!("there is no temporary home: {error}"), "")
        };
        let story = Story::read().map_err(|error| Failure::new(error, ""))?;
        let folder = tempfile::Builder::new()
            .prefix("memdir-try-")
            .tempdir()
            .map_err(failed)?;
        let root = folder.path().canonicalize().map_err(failed)?;
        let project = root.join("app");
        fs::create_dir(&project).map_err(failed)?;
        let workplace = workplace(&root, &project)?;
        let mut play = Play {
            workplace,
            asked: None,
            background: Background::default(),
            now: Timestamp::now(),
            answers: Cell::default(),
            cancel: until_a_signal()?,
        };
        if let Some(name) = &self.model {
            let model: Arc<dyn Model> =
                Arc::from(needed_for(own, Purpose::Extraction, Some(name))?);
            play.background = Background {
                extraction: Some(Arc::clone(&model)),
                meter: Some(self.spending.meter(own)),
                ..Background::default()
            };
            play.asked = Some(model);
        }
        play.run(&story, output)?;
        play.bill(own, output)?;
        output.line("")?;
        match self.keep {
            true => {
                let kept = folder.keep();
                output.line(format!("Kept: {}", kept.display()))?;
            }
            false => folder.close().map_err(failed)?,
        }
        next(output)
    }
}

impl Play {
    fn run(&mut self, story: &Story, output: &mut Output) -> Result<(), Failure> {
        let who = match &self.asked {
            Some(model) => format!("with {}", model.name()),
            None => "no model, no key, no network".to_owned(),
        };
        output.line(format!(
            "{STRONG}Three days with an agent that remembers{STRONG:#} {FAINT}({who}; a temporary home){FAINT:#}"
        ))?;
        let days = i64::try_from(story.day.len()).unwrap_or(0);
        let mut transcript = PathBuf::new();
        for (number, day) in (1..).zip(&story.day) {
            BEFORE.store((days - number) * 24 * 3600, Ordering::Relaxed);
            transcript = self.day(number, day, output)?;
            self.age(days - number);
            if number == 1 {
                self.another_agent(&story.other, output)?;
                self.age(days - number);
            }
        }
        let name = transcript.file_stem().unwrap_or_default();
        let name = name.to_string_lossy().into_owned();
        let shown = transcript.display().to_string();
        self.command("What it knows now", &["list"], output)?;
        self.command(
            "Why these memories and no others",
            &["why", "--conversation", &name],
            output,
        )?;
        self.command(
            "A dream tidies up: copies merged, dates and pointers mended",
            &["dream", "--rules"],
            output,
        )?;
        self.command(
            "What filled the window on the last day",
            &["context", &shown],
            output,
        )
    }

    /// What it cost. A model is paid by whoever named it, in the user's own home.
    fn bill(&self, own: &Workplace, output: &mut Output) -> Result<(), Failure> {
        let title = "The bill";
        let Some(model) = &self.asked else {
            return self.command(title, &["cost"], output);
        };
        show_command(title, &["cost"], output)?;
        let (answers, spent) = self.answers.get();
        let answers = count(answers, "answer", "answers");
        let spent = match model.facts().price {
            Some(_) => format!("cost ${:.4}", spent as f64 / 1e9),
            None => "of a model without a known price".to_owned(),
        };
        output.line(format!("{FAINT}{answers} in this conversation, {spent}; in the background, with all that was before:{FAINT:#}"))?;
        commands::run_at(own, typed(&["cost"]).map_err(untyped)?, output)
    }

    /// One day, and where its conversation is written down.
    fn day(&self, number: i64, day: &Day, output: &mut Output) -> Result<PathBuf, Failure> {
        output.line("")?;
        output.line(format!("{STRONG}{}{STRONG:#}", day.name))?;
        let mut session = self.session(number)?;
        for turn in &day.turn {
            self.go_on()?;
            for (at, line) in turn.user.lines().enumerate() {
                let who = if at == 0 { "you" } else { "   " };
                let line = wrapped(line, INDENT, output.width);
                output.line(format!("  {STRONG}{who}{STRONG:#}    {line}"))?;
            }
            for event in session.user_message(&turn.user).map_err(failure)? {
                self.tell(&event, output)?;
            }
            let said = self.answer(&mut session, turn)?;
            for (at, line) in said.lines().take(REPLY_LINES).enumerate() {
                let who = if at == 0 { "agent" } else { "     " };
                let line = wrapped(line, INDENT, output.width);
                output.line(format!("  {FAINT}{who}  {line}{FAINT:#}"))?;
            }
            let mut events = session.turn_ended().map_err(failure)?;
            let begin = Instant::now();
            while session.is_working() && begin.elapsed() < PATIENCE {
                self.go_on()?;
                events.extend(session.settle(LOOK));
            }
            events.extend(session.events());
            for event in &events {
                self.tell(event, output)?;
            }
            output.flush()?;
        }
        let transcript = session.places().transcript.clone();
        session.close().map_err(failure)?;
        Ok(transcript)
    }

    /// Unless somebody wants it to end.
    fn go_on(&self) -> Result<(), Failure> {
        match self.cancel.is_cancelled() {
            true => Err(stopped()),
            false => Ok(()),
        }
    }

    /// The agent's answer, from the sample or from a model.
    fn answer(&self, session: &mut Session, turn: &Turn) -> Result<String, Failure> {
        if let Some(page) = turn.page.as_deref().filter(|_| self.asked.is_none()) {
            session.before_request().map_err(failure)?;
            let input = r#"{"url":"https://wiki.example.com/limits"}"#;
            let call = Block::tool_call("call_1", "WebFetch", input);
            let call = call.map_err(|error| Failure::new(error.to_string(), ""))?;
            session.replied_with(vec![call], None).map_err(failure)?;
            let result = Block::tool_result("call_1", page, false);
            session.results(vec![result]).map_err(failure)?;
        }
        let prepared = session.before_request().map_err(failure)?;
        let Some(model) = &self.asked else {
            let said = vec![Block::text(&turn.agent)];
            session.replied_with(said, None).map_err(failure)?;
            return Ok(turn.agent.clone());
        };
        let refused = |error: memdir_model::Error| match error {
            memdir_model::Error::Cancelled => stopped(),
            error => Failure::new(error.to_string(), ""),
        };
        let answer = model.send(&prepared.body, &self.cancel).map_err(refused)?;
        let reply = answer.whole().map_err(refused)?;
        let (answers, spent) = self.answers.get();
        let price = model
            .facts()
            .price
            .map_or(0, |price| price.of(&reply.billed));
        self.answers.set((answers + 1, spent + price));
        let words = reply.words();
        session.replied(reply).map_err(failure)?;
        Ok(words)
    }

    fn session(&self, number: i64) -> Result<Session, Failure> {
        let mut home: Home = self.workplace.home();
        // What is written down has the time of the day that is played.
        let store = Store::new(home.store.memory_directory(), home.store.state_directory());
        home.store = Arc::new(store.at(played()));
        let model = match &self.asked {
            Some(model) => Arc::clone(model),
            None => nobody()?,
        };
        Session::start(Setup {
            home,
            host: Host {
                system: vec![Block::text("You are a coding agent.")],
                ..Host::default()
            },
            model,
            background: self.background.clone(),
            name: uuid_of(&format!("try/{number}")),
            now: played,
            zone: TimeZone::system(),
        })
        .map_err(failure)
    }

    fn tell(&self, event: &Event, output: &mut Output) -> Result<(), Failure> {
        match event {
            Event::Recalled(turn) => recalled(turn, output),
            Event::Work(work) if !work.saved.is_empty() => {
                for name in &work.saved {
                    let because = self.because(name);
                    let line = wrapped(&format!("{name} {because}"), INDENT, output.width);
                    output.line(format!("  {GOOD}saved{GOOD:#}  {line}"))?;
                }
                Ok(())
            }
            Event::Work(work) if matches!(work.ended, Ended::Failed | Ended::NotNow) => {
                let line = wrapped(&work.to_string(), INDENT, output.width);
                Ok(output.line(format!("  {WARN}not saved{WARN:#}  {line}"))?)
            }
            Event::Warning(what) => Ok(output.line(format!("  {WARN}{what}{WARN:#}"))?),
            _ => Ok(()),
        }
    }

    /// The words for which something was saved.
    fn because(&self, name: &str) -> String {
        let path = self.workplace.store.memory_directory().join(name);
        let text = fs::read(path).unwrap_or_default();
        let topic = memdir_memory::Topic::parse(&text);
        let evidence = topic.metadata("evidence");
        evidence.map_or_else(String::new, |words| format!("because you said “{words}”"))
    }

    /// What another agent writes by itself, as any may.
    fn another_agent(&self, others: &[Other], output: &mut Output) -> Result<(), Failure> {
        let failed = |error: std::io::Error| Failure::new(error.to_string(), "");
        let folder = self.workplace.store.memory_directory();
        for other in others {
            let path = folder.join(&other.file);
            let mut text = match &other.text {
                Some(text) => text.trim_start().to_owned(),
                None => fs::read_to_string(&path).unwrap_or_default(),
            };
            text.push_str(other.append.as_deref().unwrap_or_default());
            fs::write(path, text).map_err(failed)?;
        }
        let told = "Meanwhile another agent writes into the same folder, and leaves a copy, “next Friday” and a dead pointer.";
        let told = wrapped(told, 2, output.width);
        output.line(format!("  {FAINT}{told}{FAINT:#}"))?;
        Ok(())
    }

    /// Lets the memories grow old that were written just now.
    fn age(&self, days: i64) {
        let then = std::time::SystemTime::from(self.now - SignedDuration::from_hours(24 * days));
        let files = self.workplace.store.files().unwrap_or_default();
        for file in files {
            let path = self.workplace.store.memory_directory().join(file.as_str());
            let Ok(file) = File::options().write(true).open(path) else {
                continue;
            };
            let fresh = file.metadata().and_then(|stat| stat.modified());
            if fresh.is_ok_and(|at| at >= std::time::SystemTime::from(self.now)) {
                // A memory that looks younger than it is does no harm here.
                let _ = file.set_modified(then);
            }
        }
    }

    /// Runs a command as somebody would type it, and shows what it answers.
    fn command(&self, title: &str, words: &[&str], output: &mut Output) -> Result<(), Failure> {
        self.go_on()?;
        show_command(title, words, output)?;
        commands::run_at(&self.workplace, typed(words).map_err(untyped)?, output)?;
        output.flush()?;
        Ok(())
    }
}

fn show_command(title: &str, words: &[&str], output: &mut Output) -> Result<(), Failure> {
    output.line("")?;
    output.line(format!("{STRONG}{title}{STRONG:#}"))?;
    let shown: Vec<&str> = words.iter().map(|word| short(word)).collect();
    Ok(output.line(format!("{FAINT}$ memdir {}{FAINT:#}", shown.join(" ")))?)
}

fn stopped() -> Failure {
    Failure::new("stopped; the temporary home is gone", "")
}

fn untyped(error: clap::Error) -> Failure {
    Failure::new(error.to_string(), "")
}

fn recalled(turn: &Recalled, output: &mut Output) -> Result<(), Failure> {
    for given in &turn.given {
        let name = given.path.rsplit('/').next().unwrap_or(&given.path);
        let reasons = given.reasons.join("; ");
        let age = memdir_memory::age::describe(given.age_days);
        let told = format!("{name} (saved {age}; {reasons})");
        let line = wrapped(&told, INDENT, output.width);
        output.line(format!("  {GOOD}found{GOOD:#}  {line}"))?;
    }
    Ok(())
}

/// A path as its last part, which is all that a reader needs here.
fn short(word: &str) -> &str {
    match word.starts_with('/') {
        true => word.rsplit('/').next().unwrap_or(word),
        false => word,
    }
}

/// The time in the play.
fn played() -> Timestamp {
    Timestamp::now() - SignedDuration::from_secs(BEFORE.load(Ordering::Relaxed))
}

/// A home of its own, of which nothing outside knows.
fn workplace(root: &Path, project: &Path) -> Result<Workplace, Failure> {
    let variables = [("HOME", root.as_os_str().to_owned())];
    let environment = Environment::new(project, variables);
    Workplace::at(environment, &Place::default())
}

/// Requests are written in the form of a model that is never asked.
fn nobody() -> Result<Arc<dyn Model>, Failure> {
    let facts = Catalogue::built_in().facts(NOBODY);
    let address = "http://127.0.0.1:9";
    let model = Anthropic::new(NOBODY, address, None, facts, Times::default());
    let model = model.map_err(|error| Failure::new(error.to_string(), ""))?;
    Ok(Arc::new(model))
}

fn next(output: &mut Output) -> Result<(), Failure> {
    output.line(format!("{STRONG}What next{STRONG:#}"))?;
    for (command, what) in [
        (
            "memdir setup claude-code",
            "make it the memory of your agent (codex, gemini, opencode)",
        ),
        ("memdir chat", "talk to a model that remembers"),
        ("memdir remember \"…\"", "tell it something yourself"),
        (
            "memdir extract ~/.claude/projects",
            "learn from the conversations you had",
        ),
        ("memdir recall \"…\"", "ask what it knows"),
        ("memdir status", "see where your memories are"),
    ] {
        output.line(format!("  {command:<36} {FAINT}{what}{FAINT:#}"))?;
    }
    Ok(())
}

fn failure(error: memdir_session::Error) -> Failure {
    Failure::new(error.to_string(), "")
}
