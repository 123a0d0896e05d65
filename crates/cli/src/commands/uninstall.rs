//! `memdir uninstall`: disconnecting a client.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::setup::{FileAnswer, answers, explain, known, refuse_silent, show};
use crate::clients::{Client, ClientPlaces, Ours, Plan, Reach, apply, targets_ever};
use crate::confirm::confirm;
use crate::failure::Failure;
use crate::output::{FAINT, GOOD, Output};
use crate::table::one_line;
use crate::workplace::Workplace;

/// Disconnect an agent: take what `memdir setup` wrote out of its settings
///
/// Takes out exactly the entries of memdir. A file that nobody else has changed is, byte for byte, what it was before; one
/// that you have changed keeps your changes. Your memories stay.
///
/// Files that were written outside of your home, or by the home that yours is a copy of, are named and left alone;
/// `--file` includes one.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir uninstall claude-code
  memdir uninstall codex --dry-run

JSON, with --yes or --dry-run: {client, dry_run, changed, files, skipped}; each file has {path, change, diff}; \
`skipped` are files outside of this home.")]
pub(crate) struct Uninstall {
    /// The agent
    #[arg(value_enum)]
    client: Client,
    /// A file to take it out of as well, outside of this home
    #[arg(long, value_name = "PATH")]
    file: Vec<PathBuf>,
    /// Do not ask
    #[arg(long)]
    yes: bool,
    /// Only show what would change
    #[arg(long)]
    dry_run: bool,
}

#[derive(Serialize)]
struct Answer {
    client: &'static str,
    dry_run: bool,
    changed: bool,
    files: Vec<FileAnswer>,
    /// Files outside of this home, which were left alone.
    skipped: Vec<PathBuf>,
}

impl Uninstall {
    pub(crate) fn run(self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        refuse_silent(output, self.yes, self.dry_run)?;
        let places = ClientPlaces::find(self.client, workplace)?;
        let connection = known(workplace, self.client)?;
        let ours = Ours {
            client: self.client,
            program: connection.program.clone(),
            written: connection.written.clone(),
        };
        let reach = Reach::of(workplace, &connection, &self.file);
        let connection = connection.carried_over(workplace.places.user_home.as_deref());
        let targets = targets_ever(self.client, &places, &connection, &reach);
        let mut skipped = connection.out_of_reach(&reach);
        skipped.retain(|file| file.exists() && targets.iter().all(|target| target.file != *file));
        let plan = Plan::part(&ours, &targets, connection.within(&reach))
            .map_err(|trouble| explain(workplace, trouble))?;
        let changed = plan.is_any();
        if output.json {
            output.json(&Answer {
                client: self.client.word(),
                dry_run: self.dry_run,
                changed,
                files: answers(workplace, &plan.changes),
                skipped,
            })?;
        } else {
            show(workplace, &plan.changes, output)?;
            for file in &skipped {
                output.line(format!(
                    "{} is outside of this home and is left alone; `--file` includes it",
                    one_line(&workplace.shown(file))
                ))?;
            }
            output.flush()?;
        }
        if self.dry_run {
            return Ok(());
        }
        if changed && !confirm("Write this?", self.yes)? {
            return Ok(output.line("Nothing was changed.")?);
        }
        apply(&workplace.places.own_dir(), self.client, plan, true)
            .map_err(|error| Failure::new(error.to_string(), "run it again to go on"))?;
        if output.json {
            return Ok(());
        }
        let title = self.client.title();
        output.line(match changed {
            true => format!("{GOOD}{title} is no longer connected{GOOD:#}"),
            false => format!("There was nothing of memdir in the settings of {title}"),
        })?;
        Ok(output.line(format!(
            "{FAINT}Your memories stay: `memdir list` shows those of this project.{FAINT:#}"
        ))?)
    }
}
