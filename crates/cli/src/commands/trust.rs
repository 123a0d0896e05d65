//! `memdir trust`: vouching for settings files of a project.

use std::path::PathBuf;

use clap::Args;
use memdir_settings::OwnSettings;
use memdir_store::{
    Asks, COMMITTED_NAME, LOCAL_NAMES, LocalFile, LocalFileError, local_file, local_files, trust,
};
use serde::Serialize;

use crate::confirm::confirm;
use crate::failure::Failure;
use crate::output::{FAINT, GOOD, Output, STRONG, WARN};
use crate::table::one_line;
use crate::workplace::Workplace;

/// Let settings of a project count, after seeing what they ask for
///
/// .claude/settings.local.json and .claude/memdir.local.toml are meant to be yours, but an archive or a tool can have put
/// them there. Until you trust them they count as files of the project: they may make memory do less, and choose
/// nothing. The same goes for the variables that .claude/settings.json sets in its env block: one that chooses a path, such
/// as HOME, stops memdir in this project until you trust the file or take it out. What is trusted is this very content;
/// after a change you are asked again.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir trust
  memdir trust --dry-run
  memdir trust .claude/memdir.local.toml --yes

JSON, with --yes or --dry-run: {dry_run, files, problems}; each file has {path, asks, problems, \
trusted}, and trusted is already, now or no.")]
pub(crate) struct Trust {
    /// One file, instead of all of the project that need it
    #[arg(value_name = "PATH")]
    path: Option<PathBuf>,
    /// Do not ask
    #[arg(long)]
    yes: bool,
    /// Only show what they ask for
    #[arg(long)]
    dry_run: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Trusted {
    Already,
    Now,
    No,
}

#[derive(Serialize)]
struct Answer {
    dry_run: bool,
    files: Vec<FileAnswer>,
    /// Files that cannot be read.
    problems: Vec<String>,
}

#[derive(Serialize)]
struct FileAnswer {
    path: PathBuf,
    asks: Vec<String>,
    problems: Vec<String>,
    trusted: Trusted,
}

impl Trust {
    pub(crate) fn run(self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        if output.json && !self.yes && !self.dry_run {
            return Err(Failure::usage(
                "`--json` shows nothing before it asks; add `--dry-run` to look, then `--yes`",
            ));
        }
        let (files, problems) = self.files(workplace)?;
        let problems: Vec<String> = problems
            .iter()
            .map(|problem| one_line(&problem.to_string()).into_owned())
            .collect();
        let mut answers = Vec::new();
        for file in files {
            let answer = self.vouch(workplace, file, output)?;
            answers.push(answer);
        }
        if output.json {
            return Ok(output.json(&Answer {
                dry_run: self.dry_run,
                files: answers,
                problems,
            })?);
        }
        if answers.is_empty() && problems.is_empty() {
            output.line("There are no local settings in this project.")?;
        }
        output.flush()?;
        for problem in problems {
            output.warn(problem);
        }
        Ok(())
    }

    fn files(
        &self,
        workplace: &Workplace,
    ) -> Result<(Vec<LocalFile>, Vec<LocalFileError>), Failure> {
        let Some(path) = &self.path else {
            return Ok(local_files(&workplace.places));
        };
        let current = std::env::current_dir().map_err(|error| {
            Failure::new(format!("the current folder cannot be found: {error}"), "")
        })?;
        match local_file(&workplace.places, &current.join(path)) {
            Ok(file) => Ok((vec![file], Vec::new())),
            Err(error) => {
                let hint = match &error {
                    LocalFileError::NotLocal { .. } => format!(
                        "only {} and {COMMITTED_NAME} in a folder .claude can be trusted",
                        LOCAL_NAMES.join(", ")
                    ),
                    _ => String::new(),
                };
                Err(Failure::new(one_line(&error.to_string()), hint))
            }
        }
    }

    /// Shows one file, asks, and records the answer.
    fn vouch(
        &self,
        workplace: &Workplace,
        file: LocalFile,
        output: &mut Output,
    ) -> Result<FileAnswer, Failure> {
        let (asks, problems) = asks(&file);
        if !output.json {
            describe(workplace, &file, &asks, &problems, output)?;
            output.flush()?;
        }
        let trusted = match (file.trusted, asks.is_empty()) {
            (true, _) => Trusted::Already,
            (false, true) => Trusted::No,
            (false, false) if self.dry_run => Trusted::No,
            (false, false) => match confirm("Trust this content?", self.yes)? {
                true => Trusted::Now,
                false => Trusted::No,
            },
        };
        if trusted == Trusted::Now {
            // What was shown is what is recorded, whatever stands in the file by now.
            trust(workplace.places.trust_home(), &file.path, &file.content)
                .map_err(|error| Failure::new(error.to_string(), ""))?;
        }
        if !output.json {
            output.line(match trusted {
                Trusted::Already => format!("  {GOOD}trusted already{GOOD:#}"),
                Trusted::Now => format!("  {GOOD}trusted{GOOD:#}, until it is changed"),
                Trusted::No if asks.is_empty() => {
                    format!("  {FAINT}nothing to trust{FAINT:#}")
                }
                Trusted::No => format!("  {WARN}not trusted{WARN:#}"),
            })?;
        }
        Ok(FileAnswer {
            path: file.path,
            asks,
            problems,
            trusted,
        })
    }
}

/// What a file asks for and what is wrong with it, in words.
fn asks(file: &LocalFile) -> (Vec<String>, Vec<String>) {
    let problems = match &file.asks {
        Asks::Own(own) => own.problems(),
        Asks::Claude(claude) => claude.problems(),
    };
    let problems = problems
        .iter()
        .map(|problem| one_line(&problem.to_string()).into_owned());
    let asks = match &file.asks {
        Asks::Own(own) => own_asks(own),
        Asks::Claude(claude) => {
            let mut asks: Vec<String> = claude
                .switches()
                .map(|(name, _, value, _)| format!("{name} = {value}"))
                .collect();
            let directory = claude.refused_directory().or_else(|| claude.directory());
            asks.extend(
                directory.map(|setting| format!("autoMemoryDirectory = {}", setting.value)),
            );
            let named = claude.variables();
            let own = named.iter().map(|name| -> &str { name });
            let names = own.chain(named.others());
            asks.extend(names.map(|name| match named.value(name) {
                Some(value) => format!("the variable {name} = {value}"),
                None => format!("the variable {name}"),
            }));
            if named.is_open() {
                asks.push("any variable: it cannot be read".to_owned());
            }
            asks
        }
    };
    let asks = asks.iter().map(|ask| one_line(ask).into_owned());
    (asks.collect(), problems.collect())
}

/// What one of our own files asks for: values, and models with what they choose.
fn own_asks(own: &OwnSettings) -> Vec<String> {
    let entries = own.entries().iter();
    let entries = entries.map(|entry| format!("{} = {}", entry.key.name, entry.value));
    let models = own.models().iter().map(|model| {
        let mut ask = format!("the model {}: {}", model.name, model.provider.as_str());
        let parts = [
            ("address", model.address.clone()),
            ("key_variable", model.key_variable.map(str::to_owned)),
            ("key_file", model.key_file.clone()),
            (
                "command",
                Some(model.command.join(" ")).filter(|words| !words.is_empty()),
            ),
        ];
        for (name, value) in parts {
            if let Some(value) = value {
                ask.push_str(&format!(", {name} {value}"));
            }
        }
        ask
    });
    let uses = own.uses().iter();
    let uses = uses.map(|r#use| format!("model_for.{} = {}", r#use.purpose, r#use.model));
    entries.chain(models).chain(uses).collect()
}

fn describe(
    workplace: &Workplace,
    file: &LocalFile,
    asks: &[String],
    problems: &[String],
    output: &mut Output,
) -> Result<(), Failure> {
    let path = workplace.shown(&file.path);
    let verb = if asks.is_empty() {
        "asks for nothing that memdir knows"
    } else {
        "asks for"
    };
    output.line(format!("{STRONG}{path}{STRONG:#} {verb}"))?;
    for ask in asks {
        output.line(format!("  {ask}"))?;
    }
    for problem in problems {
        output.line(format!("  {WARN}{problem}{WARN:#}"))?;
    }
    Ok(())
}
