//! `memdir mcp`: the memories for every agent that speaks the Model Context Protocol.

use std::sync::Arc;

use clap::Args;
use memdir_serve::mcp::{Start, serve};

use crate::arguments::Place;
use crate::failure::Failure;
use crate::remarks;
use crate::workplace::{Workplace, environment};

/// Serve these memories to an agent, by the Model Context Protocol
///
/// Started by the agent itself, which talks to it over standard input and output until it closes them. Six tools (recall,
/// read, remember, forget, list, memory), the index and the memories as resources, and prompts that clients show as slash
/// commands. The project is the folder that the agent says it works in, else the current one; --project and --memory-dir
/// decide it for good. What an agent saves is recorded as its own word, never as yours, and `memdir undo` takes it back.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  claude mcp add memdir -- memdir mcp
  codex mcp add memdir -- memdir mcp
  gemini mcp add memdir memdir mcp

For any other client, as its configuration wants it: the command `memdir` with the argument `mcp`.
docs/mcp.md says what each client does with it.")]
pub(crate) struct Mcp {}

impl Mcp {
    pub(crate) fn run(self, workplace: &Workplace, place: &Place) -> Result<(), Failure> {
        let told = place.clone();
        let find = move |environment| {
            let workplace = Workplace::at(environment, &told).map_err(Failure::whole)?;
            remarks::refuse_bad_settings(&workplace).map_err(Failure::message)?;
            Ok((workplace.home(), workplace.finder()))
        };
        let start = Start {
            environment: environment(place)?,
            is_told: workplace.is_told(),
            find: Arc::new(find),
        };
        serve(start)
            .map_err(|error| Failure::new(format!("the server could not start: {error}"), ""))
    }
}
