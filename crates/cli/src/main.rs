//! `memdir`: look at, change and undo what your coding agents remember.

mod arguments;
mod asking;
mod background;
mod chat;
mod clients;
mod clock;
mod commands;
mod compaction;
mod confirm;
mod difference;
mod dreaming;
mod editor;
mod elsewhere;
mod failure;
mod finding;
mod handed_on;
mod model;
mod moment;
mod note_taking;
mod output;
mod past;
mod progress;
mod quoting;
mod reader;
mod remarks;
mod resolve;
mod rest;
mod secret;
mod session_file;
mod signals;
mod spending;
mod suggestion;
mod sweep;
mod table;
mod visible;
mod warning;
mod window;
mod workplace;
mod written_talk;

use std::process::ExitCode;

use crate::arguments::Arguments;
use crate::failure::Failure;
use crate::output::Output;

fn main() -> ExitCode {
    if commands::hook::is_asked() {
        return commands::hook::answer(std::env::args_os().skip(2));
    }
    let arguments = match Arguments::read() {
        Ok(arguments) => arguments,
        // To an agent any other code than 0 may mean that it has to stop.
        Err(error) if error.use_stderr() && commands::hook::is_meant(arguments::is_command) => {
            return ExitCode::SUCCESS;
        }
        Err(error) => return failure::explain_usage(&error),
    };
    let mut output = Output::new(arguments.place.json);
    let done = commands::run(arguments, &mut output);
    // What was found out before a failure is still worth reading.
    let told = output.flush().map_err(Failure::from);
    match (done, told) {
        (Ok(()), Ok(())) => ExitCode::SUCCESS,
        // A verdict that could not be delivered is told by its exit code no more.
        (Ok(()) | Err(Failure::Found), Err(failure)) | (Err(failure), _) => failure.report(),
    }
}
