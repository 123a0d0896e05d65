//! `memdir remember`: a topic file and its index line, as one operation.

mod explain;
mod input;
mod into;

use clap::Args;
use jiff::civil::Date;
use memdir_agent::keep::{Catalogue, Near};
use memdir_memory::draft::{Draft, Given, NewDate};
use memdir_memory::{Header, INDEX_NAME, Index, MemoryPath, MemoryType, Source, index};
use memdir_store::{Author, Error, Outcome, Reason, SecretPolicy, index_of, index_words};
use serde::Serialize;

use crate::arguments::memory_type;
use crate::clock::Clock;
use crate::difference::Difference;
use crate::failure::Failure;
use crate::moment;
use crate::output::{FAINT, Output, STRONG};
use crate::secret;
use crate::table::{count, one_line, thousands, wrapped};
use crate::warning::Warnings;
use crate::workplace::Workplace;

pub(super) use input::{admit_line, without_private};

/// What this command is called in the history.
const REMEMBER: &str = "remember";
/// How an answer begins when there is nothing to save.
const KNOWN: &str = "Nothing changed; this is known already:";
/// How often another name is tried because somebody else took it in the same instant.
const ATTEMPTS: usize = 1_000;

/// Save something worth keeping
///
/// Makes a memory of a sentence or two. Type, name and description are guessed from the text unless
/// you give them. Nothing is saved when a memory already says the same, and secrets are refused.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir remember \"Never push to main on a Friday\"
  memdir remember \"Dashboards live in Grafana, folder Edge\" --type reference
  memdir remember \"Freeze until next Friday\" --expires \"next friday\"
  memdir remember \"I work in Berlin\" --everywhere
  memdir remember \"Releases are cut from the branch stable\" --team
  git log -1 --format=%B | memdir remember -

JSON: {done, dry_run, path, file, type, name, description, expires, guessed, dates, index_line,
nearest, operation, warnings}; `done` is `remembered`, `updated` or `known`.")]
pub(crate) struct Remember {
    /// What to remember; `-` reads it from standard input
    #[arg(required = true, value_name = "TEXT")]
    text: Vec<String>,
    /// What it is about, instead of a guess
    #[arg(long = "type", value_name = "TYPE", value_parser = memory_type())]
    kind: Option<MemoryType>,
    /// A name in a few words, instead of a guess
    #[arg(long, value_name = "WORDS", conflicts_with = "into")]
    name: Option<String>,
    /// One line that says when it matters, instead of a guess
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    /// Add it to this memory instead of making a new one
    #[arg(long, value_name = "NAME")]
    into: Option<String>,
    /// Share it with your team, in team/; secrets are always refused there
    #[arg(long, conflicts_with_all = ["into", "everywhere"])]
    team: bool,
    /// The last day on which it holds
    #[arg(long, value_name = "DATE", value_parser = moment::day_argument)]
    expires: Option<Date>,
    /// Only show what would be written
    #[arg(long)]
    dry_run: bool,
}

/// What was done, as `--json` prints it.
#[derive(Debug, Default, Serialize)]
struct Answer<'a> {
    done: &'static str,
    dry_run: bool,
    path: &'a str,
    file: String,
    r#type: Option<MemoryType>,
    name: Option<&'a str>,
    description: Option<&'a str>,
    expires: Option<Date>,
    guessed: &'a [&'static str],
    dates: &'a [NewDate],
    index_line: Option<&'a str>,
    nearest: Option<Nearest<'a>>,
    operation: Option<u64>,
    warnings: Warnings,
}

#[derive(Debug, Serialize)]
struct Nearest<'a> {
    path: &'a str,
    likeness: f64,
    opposed: bool,
}

impl Remember {
    pub(crate) fn run(self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        let mut warnings = Warnings::default();
        let policy = match self.team {
            true => SecretPolicy::Refuse,
            false => workplace.secret_policy(),
        };
        let text = input::admit("text", &input::read(&self.text)?, policy, &mut warnings)?;
        let mut admit = |what, given: &Option<String>| {
            given
                .as_ref()
                .map(|given| input::admit(what, given, policy, &mut warnings))
                .transpose()
        };
        let name = match &self.name {
            // What is left of a name without its secret is none.
            Some(name) => secret::refuse("name", name).and_then(|()| admit("name", &self.name))?,
            None => None,
        };
        let description = admit("description", &self.description)?;
        let clock = Clock::new();
        if let Some(day) = self.expires.filter(|day| *day < clock.today()) {
            return Err(Failure::usage(format!(
                "--expires {day} is over already; today is {}",
                clock.today()
            )));
        }
        let wishes = Given {
            kind: self.kind,
            name,
            description,
            expires: self.expires,
        };
        match &self.into {
            Some(into) => {
                let wish = into::Wish {
                    name: into,
                    text: &text,
                    wishes,
                    dry_run: self.dry_run,
                };
                wish.run(workplace, clock.today(), warnings, output)
            }
            None => {
                let draft = Draft::new(&text, wishes, clock.today());
                if self.team {
                    check_team(workplace, &draft, &mut warnings)?;
                }
                self.save(workplace, &draft, warnings, output)
            }
        }
    }

    /// Writes the memory under the first name that is free.
    fn save(
        &self,
        workplace: &Workplace,
        draft: &Draft,
        warnings: Warnings,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let content = draft.compose(Source::User, &[]);
        for _ in 0..ATTEMPTS {
            let mut catalogue = Catalogue::read(&workplace.store)?;
            if self.team {
                // What only the user knows, the team does not know yet.
                catalogue = catalogue.of_team();
            }
            let likeness = catalogue.compare(&draft.body, &draft.typed);
            if let Some(known) = likeness.known {
                return already_known(
                    workplace,
                    &known.path,
                    &known.header,
                    self.dry_run,
                    warnings,
                    output,
                );
            }
            let path = catalogue
                .free_path(draft.memory_type, &draft.name, self.team)
                .map_err(|problem| Failure::new(problem.to_string(), "give it another --name"))?;
            let mut new = New {
                workplace,
                draft,
                path,
                content: &content,
                index: Vec::new(),
            };
            let outcome = match self.dry_run {
                true => new.plan()?,
                false => match new.commit() {
                    // Somebody took the name in this very instant.
                    Err(Error::Exists(_)) => continue,
                    outcome => outcome?,
                },
            };
            return new.report(outcome, likeness.nearest, self.dry_run, warnings, output);
        }
        Err(Failure::new(
            "every name for it was taken by somebody else meanwhile",
            "try again",
        ))
    }
}

/// A memory about to be made.
struct New<'a> {
    workplace: &'a Workplace,
    draft: &'a Draft,
    path: MemoryPath,
    content: &'a str,
    /// The index with its line.
    index: Vec<u8>,
}

impl New<'_> {
    fn with_line(&self, index: Option<&[u8]>, target: &MemoryPath) -> Vec<u8> {
        let header = Header::read(self.content.as_bytes());
        let (title, hook) = index_words(&self.path, &header);
        Index::parse(index.unwrap_or_default())
            .with_entry(title, target, hook)
            .into_bytes()
    }

    fn commit(&mut self) -> Result<Outcome, Error> {
        let (index_path, target) = index_of(&self.path)?;
        let mut index = Vec::new();
        let mut operation = self
            .workplace
            .store
            .operation(Reason::new(Author::User, REMEMBER));
        operation.write(&self.path, None, self.content.as_bytes().to_vec());
        operation.update(&index_path, |current| {
            index = self.with_line(current, &target);
            Some(index.clone())
        });
        let outcome = self.workplace.commit(operation)?;
        self.index = index;
        Ok(outcome)
    }

    /// As [`New::commit`], without changing anything.
    fn plan(&mut self) -> Result<Outcome, Error> {
        let (index_path, target) = index_of(&self.path)?;
        let current = self.workplace.store.read(&index_path)?;
        self.index = self.with_line(
            current.as_ref().map(|found| found.bytes.as_slice()),
            &target,
        );
        Ok(Outcome {
            operation: None,
            changed: Vec::new(),
            notices: Vec::new(),
        })
    }

    fn report(
        &self,
        outcome: Outcome,
        nearest: Option<Near<'_>>,
        dry_run: bool,
        mut warnings: Warnings,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let draft = self.draft;
        warnings.notices(&outcome.notices);
        warn_of_limits(&self.index, &mut warnings);
        if !dry_run {
            remember_root(self.workplace, &mut warnings);
        }
        let header = Header::read(self.content.as_bytes());
        let (title, hook) = index_words(&self.path, &header);
        let (index_path, target) = index_of(&self.path)?;
        let line = index::entry_line(title, &target, hook);
        let nearest = nearest.as_ref();
        if output.json {
            return Ok(output.json(&Answer {
                done: "remembered",
                dry_run,
                path: self.path.as_str(),
                file: file(self.workplace, &self.path),
                r#type: Some(draft.memory_type),
                name: Some(&draft.name),
                description: Some(&draft.description),
                expires: draft.expires,
                guessed: &draft.guessed,
                dates: &draft.dates,
                index_line: Some(&line),
                nearest: nearest.map(|near| Nearest {
                    path: near.path.as_str(),
                    likeness: (near.likeness * 100.0).round() / 100.0,
                    opposed: near.opposed,
                }),
                operation: outcome.operation,
                warnings,
            })?);
        }
        let done = if dry_run {
            "Would remember"
        } else {
            "Remembered"
        };
        headline(
            done,
            &self.path,
            Some(draft.memory_type),
            Some(&draft.description),
            output,
        )?;
        output.line(format!("in {}", place(self.workplace)))?;
        explain::explain(draft, output)?;
        if let Some(near) = nearest {
            output.line(near_words(self.workplace, near, dry_run))?;
        }
        if dry_run {
            output.line("")?;
            Difference::between(&self.path, None, Some(self.content.as_bytes())).print(output)?;
            output.line(format!(
                "{FAINT}and in {index_path}:{FAINT:#}\n{}",
                one_line(&line)
            ))?;
        } else {
            let undo = self.workplace.command("undo");
            output.line(format!("{FAINT}{undo} takes it back{FAINT:#}"))?;
        }
        Ok(warnings.print(output)?)
    }
}

/// What is about the user stays private, and a team that is off reads nothing.
fn check_team(
    workplace: &Workplace,
    draft: &Draft,
    warnings: &mut Warnings,
) -> Result<(), Failure> {
    if draft.memory_type == MemoryType::User {
        return Err(Failure::new(
            "what is about you is never shared with the team; nothing was saved",
            "without `--team` it is kept for you alone; `--type` says what else it is",
        ));
    }
    if !workplace.places.settings.settings().team.enabled {
        warnings.add(
            "team memory is off here, so that no agent is told of it: `memdir config set team.enabled true`",
        );
    }
    Ok(())
}

fn near_words(workplace: &Workplace, near: &Near<'_>, dry_run: bool) -> String {
    let path = near.path;
    let opposed = if near.opposed {
        ", which may say the opposite"
    } else {
        ""
    };
    let how = match dry_run {
        true => format!("`--into {}` updates it instead", path.stem()),
        false => format!(
            "to update it instead: {}, then again with `--into {}`",
            workplace.command("undo"),
            path.stem()
        ),
    };
    format!("nearest: {STRONG}{path}{STRONG:#}{opposed}; {how}")
}

/// The first line of every answer: what was done to which memory, and what it says.
fn headline(
    done: &str,
    path: &MemoryPath,
    kind: Option<MemoryType>,
    description: Option<&str>,
    output: &mut Output,
) -> Result<(), Failure> {
    let kind = kind.map(|kind| format!(" ({kind})")).unwrap_or_default();
    let description = description
        .map(|text| format!(": \"{}\"", one_line(text)))
        .unwrap_or_default();
    let line = wrapped(
        &format!("{done} {path}{kind}{description}"),
        0,
        output.width,
    );
    let strong = format!("{STRONG}{path}{STRONG:#}");
    Ok(output.line(line.replacen(path.as_str(), &strong, 1))?)
}

fn already_known(
    workplace: &Workplace,
    path: &MemoryPath,
    header: &Header,
    dry_run: bool,
    warnings: Warnings,
    output: &mut Output,
) -> Result<(), Failure> {
    if output.json {
        return Ok(output.json(&Answer {
            done: "known",
            dry_run,
            path: path.as_str(),
            file: file(workplace, path),
            r#type: header.memory_type,
            name: header.name.as_deref(),
            description: header.description.as_deref(),
            expires: header.expires,
            warnings,
            ..Answer::default()
        })?);
    }
    let kind = header.memory_type;
    headline(KNOWN, path, kind, header.description.as_deref(), output)?;
    output.line(format!(
        "{FAINT}{} prints it whole{FAINT:#}",
        workplace.command(&format!("show {}", path.stem()))
    ))?;
    Ok(warnings.print(output)?)
}

fn file(workplace: &Workplace, path: &MemoryPath) -> String {
    workplace
        .store
        .memory_directory()
        .join(path.as_str())
        .display()
        .to_string()
}

fn place(workplace: &Workplace) -> String {
    let directory = workplace.shown(workplace.store.memory_directory());
    match workplace.everywhere {
        true => format!("{directory}, for all your projects"),
        false => directory,
    }
}

/// Lines past the limits are never seen by an agent.
fn warn_of_limits(index_bytes: &[u8], warnings: &mut Warnings) {
    let loaded = index::load(index_bytes);
    if loaded.warning.is_some() {
        warnings.add(format!(
            "{INDEX_NAME} has {} and {}; agents load only the first {} lines and {} bytes, so that its last \
             lines are not seen. `memdir forget` or `--into` make room",
            count(loaded.lines, "line", "lines"),
            count(loaded.bytes, "byte", "bytes"),
            index::MAX_LINES,
            thousands(index::MAX_BYTES),
        ));
    }
}

pub(super) fn remember_root(workplace: &Workplace, warnings: &mut Warnings) {
    if let Err(error) = workplace.record_root() {
        warnings.add(format!(
            "saved, but for which project could not be recorded: {error}"
        ));
    }
}
