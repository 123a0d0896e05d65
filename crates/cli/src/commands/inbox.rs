//! `memdir inbox`: what waits for the user's word.

use clap::Args;
use serde::Serialize;

use crate::failure::Failure;
use crate::output::{FAINT, Output};
use crate::suggestion::{Suggestion, chosen};
use crate::table::count;
use crate::workplace::Workplace;

/// What waits for your word
///
/// Changes that were found worth keeping but not made: because you want to be asked (`extraction.mode = "ask"`),
/// or because they are not your own words but those of a web page, a tool or a file. No agent is told to
/// follow them before you accept them. `memdir accept` saves, `memdir reject` lets go.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir inbox
  memdir inbox 3
  memdir inbox --diff

JSON: {folder, suggestions}; each has {number, file, path, change, type, name, description, source,
evidence, conversation, message, diff, problem}.")]
pub(crate) struct Inbox {
    /// Only these, by number or name, with their differences
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Show what each would change
    #[arg(long)]
    diff: bool,
}

#[derive(Serialize)]
struct Answer {
    folder: String,
    suggestions: Vec<Suggestion>,
}

impl Inbox {
    pub(crate) fn run(self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        let inbox = workplace.store.inbox();
        let named = !self.names.is_empty();
        let waiting = chosen(&inbox, &self.names, !named, true)?;
        let suggestions = waiting
            .iter()
            .map(|waiting| Suggestion::of(workplace, waiting))
            .collect::<Result<Vec<_>, _>>()?;
        if output.json {
            return Ok(output.json(&Answer {
                folder: inbox.folder().display().to_string(),
                suggestions,
            })?);
        }
        if suggestions.is_empty() {
            return Ok(output.line("Nothing waits for your word.")?);
        }
        for suggestion in &suggestions {
            suggestion.headline(output)?;
            if self.diff || named {
                suggestion.whole(output)?;
            }
        }
        let mut ready = suggestions.iter().filter(|one| one.problem.is_none());
        let Some(first) = ready.next().map(|first| first.number) else {
            return Ok(());
        };
        let (accept, reject) = (
            workplace.command(&format!("accept {first}")),
            workplace.command(&format!("reject {first}")),
        );
        let show = match self.diff || named {
            true => String::new(),
            false => format!(
                "{} shows it whole, ",
                workplace.command(&format!("inbox {first}"))
            ),
        };
        let waits = count(suggestions.len(), "suggestion", "suggestions");
        Ok(output.line(format!(
            "{FAINT}{waits}; {show}{accept} saves it, {reject} lets it go{FAINT:#}"
        ))?)
    }
}
