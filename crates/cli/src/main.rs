//! `memdir`: look at, change and undo what your coding agents remember.

mod arguments;
mod commands;
mod failure;
mod output;
mod resolve;
mod workplace;

use std::process::ExitCode;

use clap::Parser;

use crate::arguments::Arguments;
use crate::failure::Failure;
use crate::output::Output;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return failure::explain_usage(&error),
    };
    let mut output = Output::new(arguments.place.json);
    let done = commands::run(arguments, &mut output).and_then(|()| Ok(output.flush()?));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::BrokenPipe) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
