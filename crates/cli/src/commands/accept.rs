//! `memdir accept`: suggestions become memories, as one operation.

use clap::Args;
use memdir_store::{ACCEPT, Author, Reason};
use serde::Serialize;

use crate::failure::Failure;
use crate::output::{FAINT, Output};
use crate::suggestion::{Suggestion, chosen};
use crate::warning::Warnings;
use crate::workplace::Workplace;

/// Save what waits in the inbox
///
/// The change is made with its line in the index, and one `memdir undo` takes it back. What is not your own
/// word becomes yours by this: agents will follow it. A number that was rejected can still be accepted.
/// What is damaged, was changed since it came, or holds a secret is named and left where it is; the rest is saved, and
/// the command exits with 1.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir accept 3
  memdir accept 3 5 --dry-run
  memdir accept --all

JSON: {dry_run, accepted, operation, warnings}; `accepted` is as in `memdir inbox --json`.")]
pub(crate) struct Accept {
    /// Which, by number or name
    #[arg(value_name = "NAME", required_unless_present = "all")]
    names: Vec<String>,
    /// Everything that waits
    #[arg(long, conflicts_with = "names")]
    all: bool,
    /// Only show what would change
    #[arg(long)]
    dry_run: bool,
}

#[derive(Serialize)]
struct Answer {
    dry_run: bool,
    accepted: Vec<Suggestion>,
    operation: Option<u64>,
    warnings: Warnings,
}

impl Accept {
    pub(crate) fn run(self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        let inbox = workplace.store.inbox();
        let waiting = chosen(&inbox, &self.names, self.all, true)?;
        let strays = match self.all {
            true => inbox.look()?.1,
            false => Vec::new(),
        };
        let (mut ready, mut accepted, mut refused) = (Vec::new(), Vec::new(), Vec::new());
        for one in waiting {
            let suggestion = Suggestion::of(workplace, &one)?;
            match suggestion.problem {
                // The only one that was asked for: what is wrong with it is the answer.
                Some(_) if self.names.len() == 1 => {
                    workplace.store.plan_accept(&[one])?;
                }
                Some(_) => refused.push(suggestion),
                None => {
                    ready.push(one);
                    accepted.push(suggestion);
                }
            }
        }
        let waiting = ready;
        let mut warnings = Warnings::default();
        for one in &refused {
            let problem = one.problem.as_deref().unwrap_or_default();
            warnings.add(format!("#{} was not accepted: {problem}", one.number));
        }
        for stray in &strays {
            let (path, problem) = (stray.path.display(), &stray.problem);
            warnings.add(format!("{path} {problem}; it was left where it is"));
        }
        let is_whole = refused.is_empty() && strays.is_empty();
        let mut operation = None;
        if !self.dry_run && !waiting.is_empty() {
            let numbers: Vec<String> = waiting.iter().map(|one| one.number.to_string()).collect();
            let reason = Reason::new(Author::User, format!("{ACCEPT} {}", numbers.join(" ")));
            let acceptance = workplace.store.accept(reason, &waiting)?;
            warnings.notices(&acceptance.outcome.notices);
            operation = acceptance.outcome.operation;
        }
        if output.json {
            output.json(&Answer {
                dry_run: self.dry_run,
                accepted,
                operation,
                warnings,
            })?;
            return ended(is_whole);
        }
        if accepted.is_empty() && is_whole {
            output.line("Nothing waits for your word.")?;
        }
        if !accepted.is_empty() {
            let done = if self.dry_run {
                "Would accept"
            } else {
                "Accepted"
            };
            output.line(format!("{done}:"))?;
        }
        for suggestion in &accepted {
            suggestion.headline(output)?;
            if self.dry_run {
                suggestion.whole(output)?;
            }
        }
        if operation.is_some() {
            let undo = workplace.command("undo");
            output.line(format!("{FAINT}{undo} takes it back{FAINT:#}"))?;
        }
        warnings.print(output)?;
        ended(is_whole)
    }
}

/// What is damaged was named and left; who asked is to know.
fn ended(is_whole: bool) -> Result<(), Failure> {
    match is_whole {
        true => Ok(()),
        false => Err(Failure::Found),
    }
}
