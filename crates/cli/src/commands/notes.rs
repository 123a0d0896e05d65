//! `memdir notes`: the notes of a conversation, from which it goes on when it is compacted.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use jiff::Timestamp;
use memdir_agent::notes::{Outcome, Report, state};
use memdir_agent::pauses::PAUSED;
use memdir_context::notes::Notes as Sections;
use memdir_context::{Limits, NotesLimits};
use memdir_conversation::tokens::{Estimate as _, Pairs};
use memdir_model::Cancel;
use memdir_settings::Purpose;
use memdir_store::SessionNotes;
use serde::Serialize;

use crate::asking::needed_for;
use crate::compaction::configured;
use crate::difference::{print_unified, unified};
use crate::failure::Failure;
use crate::moment;
use crate::note_taking::{self, Form};
use crate::output::{FAINT, Output, STRONG, WARN};
use crate::spending::Spending;
use crate::table::{GAP, count, one_line, push_padded, widest};
use crate::visible::visible;
use crate::window::tokens;
use crate::workplace::Workplace;
use crate::written_talk::{WrittenTalk, notes_of, session_notes, stem};

/// The notes of a conversation, from which it goes on when it is compacted
///
/// Ten sections that a model keeps while the conversation grows: what is being done, what was asked for, which files
/// matter, what went wrong. When it is compacted, they stand in for it, and no model has to sum it up. Notes are kept only
/// with a model that you have named for them; your own sections go to session-memory/config/template.md beneath
/// ~/.claude, your own instructions to prompt.md beside it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir notes
  memdir notes show 5d1c4e3a-0000-4000-8000-000000000000
  memdir notes update ~/.claude/projects/-home-me-app/5d1c4e3a.jsonl --dry-run
  memdir notes update session.jsonl --model small

JSON: show gives {session, file, covers, tokens, limit, sections, text}; covers has {message, tokens, at} or is null, \
sections have {title, tokens, limit}. update gives {session, file, outcome, why, dry_run, covered, unseen, too_long, denied, \
tokens, text}; outcome is written, mended, unchanged or refused.")]
pub(crate) struct Notes {
    #[command(subcommand)]
    act: Option<Act>,
}

#[derive(Debug, Subcommand)]
enum Act {
    /// The notes, how long each section is, and how far they go
    Show {
        /// A session of this folder or its transcript; without it, the notes that were written last
        #[arg(value_name = "SESSION|TRANSCRIPT")]
        of: Option<PathBuf>,
    },
    /// Let a model bring the notes of a conversation up to date
    Update {
        /// The transcript of Claude Code, Codex or Gemini CLI, or messages of an API
        transcript: PathBuf,
        /// One of your models by its name, instead of the one that is named for notes
        #[arg(long, value_name = "NAME")]
        model: Option<String>,
        /// Only show what would be written; the model is asked all the same
        #[arg(long)]
        dry_run: bool,
        #[command(flatten)]
        spending: Spending,
    },
}

#[derive(Serialize)]
struct Shown<'a> {
    session: &'a str,
    file: PathBuf,
    covers: Option<Covers>,
    tokens: u64,
    limit: u64,
    sections: Vec<Section>,
    text: &'a str,
}

#[derive(Serialize)]
struct Covers {
    message: String,
    tokens: u64,
    at: Option<Timestamp>,
}

#[derive(Serialize)]
struct Section {
    title: String,
    tokens: u64,
    limit: u64,
}

#[derive(Serialize)]
struct Updated<'a> {
    session: &'a str,
    file: PathBuf,
    outcome: &'static str,
    why: Option<String>,
    dry_run: bool,
    covered: Option<&'a str>,
    unseen: usize,
    too_long: Vec<&'a str>,
    denied: Vec<String>,
    tokens: Spent,
    text: &'a str,
}

#[derive(Serialize)]
struct Spent {
    input: u64,
    output: u64,
}

impl Notes {
    pub(crate) fn run(self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        match self.act {
            None => show(workplace, None, output),
            Some(Act::Show { of }) => show(workplace, of.as_deref(), output),
            Some(Act::Update {
                transcript,
                model,
                dry_run,
                spending,
            }) => update(
                workplace,
                &transcript,
                model.as_deref(),
                dry_run,
                spending,
                output,
            ),
        }
    }
}

fn show(workplace: &Workplace, of: Option<&Path>, output: &mut Output) -> Result<(), Failure> {
    let (session, notes) = match of {
        Some(path) if path.is_file() => (stem(path), notes_of(workplace, path)?),
        Some(name) => {
            let name = name.to_string_lossy();
            (name.to_string(), session_notes(workplace, &name)?)
        }
        None => newest(workplace)?,
    };
    let file = notes.path();
    let found = notes.read()?.ok_or_else(|| {
        Failure::new(
            format!("there are no notes of {session}"),
            "`memdir notes update TRANSCRIPT` writes some, with a model",
        )
    })?;
    let text = String::from_utf8_lossy(&found.bytes);
    let form = Form::of(workplace)?;
    // The window of the conversation's model is not known here; most have the usual one.
    let window = crate::model::window(workplace, None, None, 0)?;
    let limits = Limits::new(window, u64::MAX, &configured(workplace)).notes;
    let sections = sections(&form, &text, &limits);
    let state = state::get(&note_taking::records(workplace), &session)?;
    let covers = state.and_then(|state| {
        Some(Covers {
            message: state.covered?,
            tokens: state.tokens,
            at: state.at,
        })
    });
    let shown = Shown {
        session: &session,
        file,
        covers,
        tokens: weigh(&text),
        limit: limits.total,
        sections,
        text: &text,
    };
    match output.json {
        true => Ok(output.json(&shown)?),
        false => print(workplace, &shown, output),
    }
}

/// A rough count, where the model is not known.
fn weigh(text: &str) -> u64 {
    Pairs.text(text)
}

fn sections(form: &Form, text: &str, limits: &NotesLimits) -> Vec<Section> {
    let Some(notes) = Sections::read(&form.template, text) else {
        return Vec::new();
    };
    let each = form.template.titles().zip(notes.contents());
    each.map(|(title, content)| Section {
        title: title.to_owned(),
        tokens: weigh(content),
        limit: limits.section,
    })
    .collect()
}

fn print(workplace: &Workplace, shown: &Shown<'_>, output: &mut Output) -> Result<(), Failure> {
    let session = one_line(shown.session);
    output.line(format!("{STRONG}{session}{STRONG:#}"))?;
    output.line(format!("{FAINT}{}{FAINT:#}", workplace.shown(&shown.file)))?;
    output.line(match &shown.covers {
        Some(covers) => {
            let at = covers.at.map(|at| format!(", {}", moment::shown(at)));
            format!(
                "up to message {}, at {} tokens of conversation{}",
                one_line(&covers.message),
                tokens(covers.tokens),
                at.unwrap_or_default()
            )
        }
        None => format!("{WARN}it is not known up to where they go{WARN:#}"),
    })?;
    if shown.sections.is_empty() {
        output.line(format!(
            "{WARN}most sections of the template are not in them{WARN:#}"
        ))?;
    }
    output.line("")?;
    let names = widest(shown.sections.iter().map(|section| &*section.title)).max("all".len());
    let all = Section {
        title: "all".to_owned(),
        tokens: shown.tokens,
        limit: shown.limit,
    };
    for section in shown.sections.iter().chain([&all]) {
        let mut line = String::new();
        push_padded(&mut line, &section.title, names);
        let style = if section.tokens > section.limit {
            WARN
        } else {
            FAINT
        };
        let [has, may] = [section.tokens, section.limit].map(tokens);
        output.line(format!("{GAP}{line}{GAP}{style}{has:>6} of {may}{style:#}"))?;
    }
    output.line("")?;
    Ok(output.line(visible(shown.text.trim_end()))?)
}

/// The session of the start folder whose notes were written last.
fn newest(workplace: &Workplace) -> Result<(String, SessionNotes), Failure> {
    let folder = workplace.places.sessions_dir();
    let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
    let written = entries.filter_map(|entry| {
        let notes = SessionNotes::new(entry.path());
        let at = std::fs::metadata(notes.path()).ok()?.modified().ok()?;
        let name = entry.file_name().to_string_lossy().into_owned();
        Some((at, name, notes))
    });
    let newest = written.max_by_key(|(at, ..)| *at);
    let found = newest.map(|(_, name, notes)| (name, notes));
    found.ok_or_else(|| {
        Failure::new(
            format!("there are no notes in {}", workplace.shown(&folder)),
            "`memdir notes update TRANSCRIPT` writes some, with a model",
        )
    })
}

fn update(
    workplace: &Workplace,
    transcript: &Path,
    model: Option<&str>,
    dry_run: bool,
    spending: Spending,
    output: &mut Output,
) -> Result<(), Failure> {
    let model = needed_for(workplace, Purpose::Notes, model)?;
    let talk = WrittenTalk::read(workplace, transcript)?;
    if talk.is_paused() {
        return Err(Failure::new(
            format!("{PAUSED}: no notes are taken"),
            "`memdir pause --resume --conversation ID` switches it on again",
        ));
    }
    let form = Form::of(workplace)?;
    let notes = talk.notes(workplace)?;
    let before = notes.read()?;
    let before = before.map(|found| String::from_utf8_lossy(&found.bytes).into_owned());
    let meter = spending.meter(workplace);
    let asked = (&*model, &meter);
    let report = note_taking::update(workplace, &talk, &form, asked, dry_run, &Cancel::new())?
        .map_err(|error| {
            Failure::new(
                format!("the notes are as they were: {error}"),
                "`memdir cost` shows what was spent",
            )
        })?;
    let told = told(&talk, &notes, &report, dry_run);
    if output.json {
        return Ok(output.json(&told)?);
    }
    if dry_run && matches!(report.outcome, Outcome::Written { .. }) {
        let name = notes.path().display().to_string();
        print_unified(
            &unified(&name, before.as_deref(), Some(&report.text)),
            output,
        )?;
    }
    say(workplace, &told, output)?;
    match told.outcome {
        "refused" => Err(Failure::Found),
        _ => Ok(()),
    }
}

fn told<'a>(
    talk: &'a WrittenTalk,
    notes: &SessionNotes,
    report: &'a Report,
    dry_run: bool,
) -> Updated<'a> {
    let (outcome, why) = match &report.outcome {
        Outcome::Written { problems, .. } if problems.is_empty() => ("written", None),
        Outcome::Written { problems, .. } => {
            let all: Vec<String> = problems.iter().map(ToString::to_string).collect();
            ("mended", Some(all.join("; ")))
        }
        Outcome::Unchanged if report.usage.is_empty() => {
            ("unchanged", Some(report.ended.to_owned()))
        }
        Outcome::Unchanged => ("unchanged", None),
        Outcome::Refused(why) => ("refused", Some(why.to_string())),
    };
    let total = report.total();
    let long = report.overrun.sections.iter().map(|(title, _)| &**title);
    Updated {
        session: &talk.name,
        file: notes.path(),
        outcome,
        why,
        dry_run,
        covered: report.covered.as_deref(),
        unseen: report.unseen,
        too_long: long.collect(),
        denied: report
            .denied
            .iter()
            .map(|one| format!("{} {}: {}", one.tool, one.target, one.reason))
            .collect(),
        tokens: Spent {
            input: total.prompt(),
            output: total.output,
        },
        text: &report.text,
    }
}

fn say(workplace: &Workplace, told: &Updated<'_>, output: &mut Output) -> Result<(), Failure> {
    let file = workplace.shown(&told.file);
    let why = told.why.as_deref().unwrap_or_default();
    let verb = if told.dry_run { "would write" } else { "wrote" };
    output.line(match told.outcome {
        "written" => format!("{verb} {file}"),
        "mended" => format!("{verb} {file}, put back where {why}"),
        "unchanged" if why.is_empty() => "the model changed nothing".to_owned(),
        _ => format!("the notes are as they were: {why}"),
    })?;
    if told.unseen > 0 {
        let messages = count(told.unseen, "message", "messages");
        output.line(format!("{messages} for the next time"))?;
    }
    if !told.too_long.is_empty() {
        let titles = told.too_long.join(", ");
        output.line(format!("{WARN}too long by now: {titles}{WARN:#}"))?;
    }
    for denied in &told.denied {
        output.line(format!("{WARN}refused{WARN:#} {}", one_line(denied)))?;
    }
    let Spent { input, output: out } = told.tokens;
    Ok(output.line(format!(
        "{FAINT}{} tokens in, {} out{FAINT:#}",
        tokens(input),
        tokens(out)
    ))?)
}
