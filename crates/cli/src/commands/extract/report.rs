//! What a run over transcripts says when it is done.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use memdir_agent::keep::{Because, Held, Saved, Why};
use memdir_conversation::transcript::ReadError;
use memdir_memory::{MemoryPath, MemoryType, Topic};
use serde::Serialize;

use super::projects::{Project, Projects};
use super::transcripts::Transcript;
use crate::difference::Kind;
use crate::failure::Failure;
use crate::output::{FAINT, Output, STRONG};
use crate::table::{count, one_line};
use crate::warning::Warnings;
use crate::workplace::Workplace;

/// How many memories of one project are named before the rest is counted.
const SHOWN: usize = 20;

/// What was counted on the way.
#[derive(Default)]
pub(super) struct Tally {
    pub(super) transcripts: usize,
    pub(super) bytes: u64,
    pub(super) unchanged: usize,
    /// Conversations for which the user has switched memory off.
    pub(super) paused: usize,
    /// Folders that are not there any more, with how many conversations began in each.
    gone: BTreeMap<String, usize>,
    off: BTreeMap<PathBuf, usize>,
    problems: Vec<Problem>,
}

#[derive(Serialize)]
struct Problem {
    file: String,
    reason: String,
}

impl Tally {
    pub(super) fn problem(&mut self, transcript: &Transcript, reason: String) {
        self.unreadable(&transcript.path, reason);
    }

    pub(super) fn unreadable(&mut self, path: &Path, reason: String) {
        self.problems.push(Problem {
            file: path.display().to_string(),
            reason,
        });
    }

    /// What is no transcript is a problem only where somebody said that it is one.
    pub(super) fn unknown(&mut self, transcript: &Transcript, error: &ReadError) {
        if transcript.named || matches!(error, ReadError::Io(_)) {
            self.problem(transcript, error.to_string());
        }
    }

    pub(super) fn gone(&mut self, folder: String) {
        *self.gone.entry(folder).or_default() += 1;
    }

    pub(super) fn off(&mut self, root: PathBuf) {
        *self.off.entry(root).or_default() += 1;
    }

    pub(super) fn has_problems(&self) -> bool {
        !self.problems.is_empty()
    }
}

#[derive(Serialize)]
struct Answer<'a> {
    dry_run: bool,
    transcripts: usize,
    bytes: u64,
    unchanged: usize,
    projects: Vec<Row<'a>>,
    problems: &'a [Problem],
    warnings: Warnings,
}

#[derive(Serialize)]
struct Row<'a> {
    root: Option<&'a Path>,
    memory_dir: &'a Path,
    conversations: usize,
    saved: Vec<Made>,
    waiting: Vec<Made>,
    known: &'a [MemoryPath],
    refused: Vec<String>,
    left_to_agent: usize,
    operations: &'a [u64],
}

/// A memory that was or would be made, changed or removed.
#[derive(Serialize)]
struct Made {
    path: MemoryPath,
    change: Kind,
    r#type: Option<MemoryType>,
    description: Option<String>,
    conversation: Option<String>,
    because: Option<&'static str>,
    file: Option<MemoryPath>,
}

impl Made {
    fn saved(saved: &Saved) -> Made {
        let change = Kind::of(saved.before.is_some(), saved.after.is_some());
        let content = saved.after.as_ref().or(saved.before.as_ref());
        let topic = Topic::parse(content.map(Vec::as_slice).unwrap_or_default());
        Made::of(saved.path.clone(), change, &topic)
    }

    fn waiting(held: &Held) -> Made {
        Made {
            because: Some(match held.because {
                Because::Asked => "asked",
                Because::Origin(source) => source.as_str(),
            }),
            file: held.path.clone(),
            ..Made::of(held.target.clone(), Kind::Added, &held.topic)
        }
    }

    fn of(path: MemoryPath, change: Kind, topic: &Topic) -> Made {
        let header = topic.header();
        Made {
            path,
            change,
            r#type: header.memory_type,
            description: header.description.clone(),
            conversation: header.origin_session.clone(),
            because: None,
            file: None,
        }
    }

    fn line(&self) -> String {
        let kind = self.r#type.map(|kind| format!(" ({kind})"));
        let says = self.description.as_ref();
        let says = says.map(|says| format!(": \"{}\"", one_line(says)));
        format!(
            "  {} {STRONG}{}{STRONG:#}{}{}",
            self.change.sign(),
            self.path,
            kind.unwrap_or_default(),
            says.unwrap_or_default()
        )
    }
}

pub(super) fn print(
    workplace: &Workplace,
    tally: Tally,
    projects: Projects<'_>,
    dry_run: bool,
    mut warnings: Warnings,
    output: &mut Output,
) -> Result<(), Failure> {
    for (folder, number) in &tally.gone {
        warnings.add(format!(
            "{} began in {folder}, which is not there any more; --project says where they belong",
            count(*number, "conversation", "conversations"),
        ));
    }
    for (root, number) in &tally.off {
        warnings.add(format!(
            "{} of {} left alone: extraction is off there; `--set extraction.mode=auto` does it once",
            count(*number, "conversation", "conversations"),
            workplace.shown(root)
        ));
    }
    if tally.paused > 0 {
        warnings.add(format!(
            "{} left alone: memory is paused there; `memdir pause --resume --conversation ID` ends that",
            count(tally.paused, "conversation", "conversations"),
        ));
    }
    for project in &projects.all {
        warnings.extend(&project.warnings);
    }
    if output.json {
        let rows = projects.all.iter().map(row).collect();
        return Ok(output.json(&Answer {
            dry_run,
            transcripts: tally.transcripts,
            bytes: tally.bytes,
            unchanged: tally.unchanged,
            projects: rows,
            problems: &tally.problems,
            warnings,
        })?);
    }
    for problem in &tally.problems {
        warnings.add(format!("{}: {}", problem.file, problem.reason));
    }
    let looked = count(tally.transcripts, "conversation", "conversations");
    let again = match tally.unchanged {
        0 => String::new(),
        unchanged => format!(
            ", {} known already (--again looks again)",
            count(unchanged, "other", "others")
        ),
    };
    output.line(format!("Looked through {looked}{again}."))?;
    for project in &projects.all {
        print_project(workplace, project, dry_run, output)?;
    }
    Ok(warnings.print(output)?)
}

fn row(project: &Project) -> Row<'_> {
    Row {
        root: project.root.as_deref(),
        memory_dir: project.store.memory_directory(),
        conversations: project.conversations,
        saved: project.saved.iter().map(Made::saved).collect(),
        waiting: project.waiting.iter().map(Made::waiting).collect(),
        known: &project.known,
        refused: project.refused.iter().map(|one| why(&one.why)).collect(),
        left_to_agent: project.left_to_agent,
        operations: &project.operations,
    }
}

fn print_project(
    workplace: &Workplace,
    project: &Project,
    dry_run: bool,
    output: &mut Output,
) -> Result<(), Failure> {
    let place = project.root.as_deref();
    let place = place.unwrap_or_else(|| project.store.memory_directory());
    let number = project.saved.len();
    let saved = match (dry_run, number) {
        (_, 0) if project.waiting.is_empty() => "nothing new".to_owned(),
        (_, 0) => "nothing saved yet".to_owned(),
        (true, _) => format!("would save {}", count(number, "memory", "memories")),
        (false, _) => format!("saved {}", count(number, "memory", "memories")),
    };
    let known = match project.known.len() {
        0 => String::new(),
        known => format!(", {known} known already"),
    };
    output.line(format!(
        "{STRONG}{}{STRONG:#}: {saved}{known}",
        workplace.shown(place)
    ))?;
    for saved in project.saved.iter().take(SHOWN) {
        output.line(Made::saved(saved).line())?;
    }
    if number > SHOWN {
        output.line(format!("  and {} more", number - SHOWN))?;
    }
    if !project.waiting.is_empty() {
        let waits = count(project.waiting.len(), "suggestion", "suggestions");
        let inbox = command(workplace, project, "inbox");
        let will = if dry_run {
            "would wait"
        } else {
            "for your word"
        };
        output.line(format!("  {waits} {will}: {inbox} shows them"))?;
    }
    for refused in &project.refused {
        output.line(format!("  {FAINT}not kept: {}{FAINT:#}", why(&refused.why)))?;
    }
    if project.left_to_agent > 0 {
        let turns = count(project.left_to_agent, "turn", "turns");
        output.line(format!(
            "  {FAINT}{turns} left to the agent, which saved something itself{FAINT:#}"
        ))?;
    }
    if !project.operations.is_empty() {
        let undo = command(workplace, project, "undo");
        output.line(format!("  {FAINT}{undo} takes it back{FAINT:#}"))?;
    }
    Ok(())
}

/// A command about the memories of a project.
fn command(workplace: &Workplace, project: &Project, words: &str) -> String {
    match &project.root {
        Some(root) if *root != workplace.places.project.root => {
            format!("`memdir {words} --project {}`", workplace.shown(root))
        }
        _ => workplace.command(words),
    }
}

fn why(why: &Why) -> String {
    match why {
        Why::Secret { rule } => format!("it looks like a secret (rule {rule})"),
        Why::Empty => "nothing is left of it without what is private".to_owned(),
        Why::Unclear => "it was to be forgotten, but which memory is not clear".to_owned(),
        Why::Newer(path) => format!("{path} was to be forgotten, but is newer than that wish"),
        Why::Name(problem) => problem.clone(),
        Why::NotForTeam(path) => format!(
            "{path} is the team's: team memory is off here, or it is about you, which is never shared"
        ),
    }
}
