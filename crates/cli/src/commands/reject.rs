//! `memdir reject`: suggestions leave the inbox, and nothing is saved.

use clap::Args;
use memdir_store::{Author, Reason};
use serde::Serialize;

use crate::failure::Failure;
use crate::output::{FAINT, Output};
use crate::suggestion::{Suggestion, chosen};
use crate::workplace::Workplace;

/// Let go of what waits in the inbox
///
/// Nothing is saved, and the same is not suggested again. Its text stays in the history of the inbox: `memdir
/// accept` with its number takes it after all, `memdir purge` removes it for good.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir reject 3
  memdir reject --all --dry-run

JSON: {dry_run, rejected}; `rejected` is as in `memdir inbox --json`.")]
pub(crate) struct Reject {
    /// Which, by number or name
    #[arg(value_name = "NAME", required_unless_present = "all")]
    names: Vec<String>,
    /// Everything that waits
    #[arg(long, conflicts_with = "names")]
    all: bool,
    /// Only show what would go
    #[arg(long)]
    dry_run: bool,
}

#[derive(Serialize)]
struct Answer {
    dry_run: bool,
    rejected: Vec<Suggestion>,
}

impl Reject {
    pub(crate) fn run(self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        let inbox = workplace.store.inbox();
        let waiting = chosen(&inbox, &self.names, self.all, false)?;
        let rejected = waiting
            .iter()
            .map(|waiting| Suggestion::of(workplace, waiting))
            .collect::<Result<Vec<_>, _>>()?;
        if !self.dry_run && !waiting.is_empty() {
            inbox.reject(Reason::new(Author::User, "reject"), &waiting)?;
        }
        if output.json {
            return Ok(output.json(&Answer {
                dry_run: self.dry_run,
                rejected,
            })?);
        }
        let Some(first) = rejected.first() else {
            return Ok(output.line("Nothing waits for your word.")?);
        };
        let done = if self.dry_run {
            "Would reject"
        } else {
            "Rejected"
        };
        output.line(format!("{done}:"))?;
        for suggestion in &rejected {
            suggestion.headline(output)?;
        }
        if !self.dry_run {
            let accept = workplace.command(&format!("accept {}", first.number));
            output.line(format!("{FAINT}{accept} takes it after all{FAINT:#}"))?;
        }
        Ok(())
    }
}
