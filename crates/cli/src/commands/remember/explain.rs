//! What the user should know about guesses and dates.

use memdir_memory::draft::{Draft, NewDate};

use crate::failure::Failure;
use crate::output::{FAINT, Output};
use crate::table::{one_line, wrapped};

/// Which dates became others, and what was guessed.
pub(super) fn explain(draft: &Draft, output: &mut Output) -> Result<(), Failure> {
    explain_dates(&draft.dates, output)?;
    if let Some(day) = draft.expires {
        output.line(format!("holds until {day}"))?;
    }
    let guesses: Vec<String> = draft
        .guessed
        .iter()
        .filter_map(|what| match *what {
            "type" => Some(format!("type {}", draft.memory_type)),
            "name" => Some(format!("name {}", one_line(&draft.name))),
            _ => None,
        })
        .collect();
    if !guesses.is_empty() {
        let flags: Vec<String> = draft
            .guessed
            .iter()
            .map(|what| format!("`--{what}`"))
            .collect();
        let told = format!(
            "guessed {}; {} set them",
            guesses.join(" and "),
            flags.join(", ")
        );
        let told = wrapped(&told, 0, output.width);
        output.line(format!("{FAINT}{told}{FAINT:#}"))?;
    }
    Ok(())
}

pub(super) fn explain_dates(dates: &[NewDate], output: &mut Output) -> Result<(), Failure> {
    for NewDate { from, to } in dates {
        output.line(format!(
            "\"{}\" became {to}, so that it still says when later",
            one_line(from)
        ))?;
    }
    Ok(())
}
