//! One command a file.

pub(crate) mod accept;
pub(crate) mod agents;
pub(crate) mod audit;
pub(crate) mod bench;
pub(crate) mod chat;
pub(crate) mod compact;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod context;
pub(crate) mod cost;
pub(crate) mod diff;
pub(crate) mod doctor;
pub(crate) mod dream;
pub(crate) mod edit;
pub(crate) mod export;
pub(crate) mod extract;
pub(crate) mod forget;
pub(crate) mod fork;
pub(crate) mod history;
pub(crate) mod hook;
pub(crate) mod import;
pub(crate) mod inbox;
pub(crate) mod index;
pub(crate) mod instructions;
pub(crate) mod jobs;
pub(crate) mod list;
pub(crate) mod log;
pub(crate) mod man;
pub(crate) mod mcp;
pub(crate) mod model;
pub(crate) mod models;
pub(crate) mod r#move;
pub(crate) mod notes;
pub(crate) mod paths;
pub(crate) mod pause;
pub(crate) mod prompt;
pub(crate) mod purge;
pub(crate) mod recall;
pub(crate) mod reindex;
pub(crate) mod reject;
pub(crate) mod remember;
pub(crate) mod rename;
pub(crate) mod setup;
pub(crate) mod show;
pub(crate) mod status;
pub(crate) mod transcript;
pub(crate) mod trust;
pub(crate) mod r#try;
pub(crate) mod undo;
pub(crate) mod uninstall;
pub(crate) mod why;

use memdir_store::limits::WRITERS_PATIENCE;

use crate::arguments::{Arguments, Command};
use crate::failure::Failure;
use crate::output::Output;
use crate::remarks;
use crate::workplace::Workplace;

/// Does what was asked.
pub(crate) fn run(arguments: Arguments, output: &mut Output) -> Result<(), Failure> {
    let Arguments { place, command } = arguments;
    // These need no memory directory, and must work where there is no home either.
    let command = match command {
        Command::Hook(command) => {
            command.run();
            return Ok(());
        }
        command => command,
    };
    match &command {
        Command::Bench(command) => return command.run(output),
        Command::Completions(command) => return command.run(output),
        Command::Man(command) => return command.run(output),
        Command::Transcript(command) => return command.run(output),
        _ => {}
    }
    let workplace = match &command {
        // What is wrong with files of the project is told to the client, which can go elsewhere, or to whoever looks at them.
        Command::Mcp(_) | Command::Trust(_) => Workplace::before_trust(&place)?,
        _ => Workplace::find(&place)?,
    };
    if let Command::Mcp(command) = command {
        return command.run(&workplace, &place);
    }
    let changes = matches!(
        command,
        Command::Remember(_)
            | Command::Forget(_)
            | Command::Edit(_)
            | Command::Rename(_)
            | Command::Import(_)
            | Command::Accept(_)
            | Command::Index(_)
            | Command::Undo(_)
    );
    let done = run_at(&workplace, command, output);
    if changes && done.is_ok() {
        output.flush()?;
        // What cannot be taken in now, the next change takes in.
        let _ = workplace.store.wait_for_writers(WRITERS_PATIENCE);
    }
    done
}

/// Does what was typed, in this workplace.
pub(crate) fn run_at(
    workplace: &Workplace,
    command: Command,
    output: &mut Output,
) -> Result<(), Failure> {
    // These show what is wrong with settings, or mend it; all others want it mended first.
    match &command {
        Command::Status(_)
        | Command::Paths(_)
        | Command::Config(_)
        | Command::Trust(_)
        | Command::Doctor(_) => {}
        _ => remarks::refuse_bad_settings(workplace)?,
    }
    match command {
        Command::Status(command) => command.run(workplace, output),
        Command::Paths(command) => command.run(workplace, output),
        Command::List(command) => command.run(workplace, output),
        Command::Show(command) => command.run(workplace, output),
        Command::Recall(command) => command.run(workplace, output),
        Command::Why(command) => command.run(workplace, output),
        Command::Remember(command) => command.run(workplace, output),
        Command::Forget(command) => command.run(workplace, output),
        Command::Edit(command) => command.run(workplace, output),
        Command::Rename(command) => command.run(workplace, output),
        Command::Extract(command) => command.run(workplace, output),
        Command::Notes(command) => command.run(workplace, output),
        Command::Dream(command) => command.run(workplace, output),
        Command::Log(command) => command.run(workplace, output),
        Command::Inbox(command) => command.run(workplace, output),
        Command::Import(command) => command.run(workplace, output),
        Command::Export(command) => command.run(workplace, output),
        Command::Move(command) => command.run(workplace, output),
        Command::Accept(command) => command.run(workplace, output),
        Command::Reject(command) => command.run(workplace, output),
        Command::Index(command) => command.run(workplace, output),
        Command::Instructions(command) => command.run(workplace, output),
        Command::History(command) => command.run(workplace, output),
        Command::Diff(command) => command.run(workplace, output),
        Command::Undo(command) => command.run(workplace, output),
        Command::Purge(command) => command.run(workplace, output),
        Command::Prompt(command) => command.run(workplace, output),
        Command::Agents(command) => command.run(workplace, output),
        Command::Audit(command) => command.run(workplace, output),
        Command::Models(command) => command.run(workplace, output),
        Command::Cost(command) => command.run(workplace, output),
        Command::Jobs(command) => command.run(workplace, output),
        Command::Pause(command) => command.run(workplace, output),
        Command::Fork(command) => command.run(workplace, output),
        Command::Config(command) => command.run(workplace, output),
        Command::Trust(command) => command.run(workplace, output),
        Command::Setup(command) => command.run(workplace, output),
        Command::Uninstall(command) => command.run(workplace, output),
        Command::Doctor(command) => command.run(workplace, output),
        Command::Reindex(command) => command.run(workplace, output),
        Command::Model(command) => command.run(workplace, output),
        Command::Context(command) => command.run(workplace, output),
        Command::Compact(command) => command.run(workplace, output),
        Command::Chat(command) => command.run(workplace, output),
        Command::Try(command) => command.run(workplace, output),
        Command::Bench(_)
        | Command::Completions(_)
        | Command::Hook(_)
        | Command::Man(_)
        | Command::Mcp(_)
        | Command::Transcript(_) => Ok(()),
    }
}
