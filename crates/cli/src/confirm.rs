//! Asking before what cannot be taken back.

use std::io::{self, BufRead, IsTerminal, Write};

use crate::failure::Failure;

/// Asks on the terminal; without one, `--yes` must have said it.
pub(crate) fn confirm(question: &str, yes: bool) -> Result<bool, Failure> {
    if yes {
        return Ok(true);
    }
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Err(Failure::new(
            "nobody is there to ask whether this is meant; nothing was done",
            "add `--yes` to do it without asking, or `--dry-run` to only look",
        ));
    }
    let mut stderr = io::stderr();
    write!(stderr, "{question} [y/N] ")?;
    stderr.flush()?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}
