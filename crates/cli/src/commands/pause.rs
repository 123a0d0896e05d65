//! `memdir pause`: one conversation without memory.

use clap::Args;
use jiff::Timestamp;
use memdir_serve::hook::state::States;
use serde::Serialize;

use crate::failure::Failure;
use crate::output::{Output, STRONG};
use crate::table::one_line;
use crate::workplace::Workplace;

/// Claude Code tells what it starts which conversation it is.
const CONVERSATION: &str = "CLAUDE_CODE_SESSION_ID";

/// Switch memory off for one conversation
///
/// Until it is resumed, nothing is shown to that conversation and nothing is learnt from it; what was said meanwhile is not
/// learnt later either. Other conversations go on as before. Secrets are kept out of memory all the same.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir pause
  memdir pause --resume
  memdir pause --conversation 7f3c-01

Without --conversation it is the one that runs the command, or else the one in this project of which something was heard last.

JSON: {conversation, paused, changed}.")]
pub(crate) struct Pause {
    /// Switch memory on again
    #[arg(long)]
    resume: bool,
    /// Which conversation
    #[arg(long, value_name = "ID")]
    conversation: Option<String>,
}

#[derive(Serialize)]
struct Answer<'a> {
    conversation: &'a str,
    paused: bool,
    changed: bool,
}

impl Pause {
    pub(crate) fn run(self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        let states = States::new(workplace.store.state_directory());
        let own = || std::env::var(CONVERSATION).ok().filter(|id| !id.is_empty());
        let conversation = match self.conversation.or_else(own) {
            Some(named) => named,
            None => match states.latest()? {
                Some((latest, _)) => latest,
                None => {
                    return Err(Failure::new(
                        "no conversation of this project is known",
                        "name one with --conversation; `memdir setup` connects an agent",
                    ));
                }
            },
        };
        let paused = !self.resume;
        let changed = states.pause(&conversation, paused, Timestamp::now())?;
        if output.json {
            return Ok(output.json(&Answer {
                conversation: &conversation,
                paused,
                changed,
            })?);
        }
        let name = format!("{STRONG}{}{STRONG:#}", one_line(&conversation));
        let back = workplace.command("pause --resume");
        output.line(match (paused, changed) {
            (true, true) => format!("Memory is off for {name}. {back} switches it on again."),
            (true, false) => format!("Memory is off for {name} already. {back} switches it on."),
            (false, true) => format!("Memory is on again for {name}."),
            (false, false) => format!("Memory is on for {name}."),
        })?;
        Ok(())
    }
}
