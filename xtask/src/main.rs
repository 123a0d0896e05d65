//! Tasks for developers: `cargo xtask <task>`.
//!
//! - `gate`: rules that no compiler checks (file size, crate direction, licences, …).
//! - `test`: the one command that runs every test.
//! - `bench`: ratios to the bare system calls.
//! - `e2e`: the real clients from npm, with memdir set up in them.
//! - `faults`: kills, errors, races and hostile files against the real program.
//! - `picture`: what `memdir try` and `memdir chat` show, for the documents.
//! - `inspector`: the official inspector of the Model Context Protocol against the real server.
//! - `fuzz`: the fuzz targets, where `cargo fuzz` is installed.
//! - `fuzz-hooks`: events of other agents, mangled, to the real program.
//! - `fuzz-pairing`: random conversations through every compaction, judged as the model APIs would.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for a developer's terminal"
)]

mod bench;
mod document;
mod e2e;
mod faults;
mod fuzz;
mod fuzz_hooks;
mod fuzz_pairing;
mod gate;
mod inspector;
mod picture;
mod test;
mod workspace;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask <task>

  gate    check file sizes, crate direction, licences and forbidden words
  test    run every test, unit, integration and documentation
  bench   measure the store against the bare system calls, a prompt and recall against a program that does nothing, a request
          against parsing it, and how far its tokens are foreseen
  e2e     play conversations with the real clients, from npm, against a model server that answers from a script
  faults  break the machine under the program, as root and with strace
  picture [try|chat]
          draw what `memdir try` and `memdir chat` show on a terminal into docs/*.svg
  inspector
          let the official inspector of the Model Context Protocol, from npm, use the real server
  fuzz    feed the parsers what nobody would write
  fuzz-hooks [--events N] [--seed S] [--program FILE]
          fire mangled events of other agents at the hooks
  fuzz-pairing [--histories N] [--seed S] [--threads T]
          compact random conversations and judge every request as the APIs would
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (task, rest) = match arguments.split_first() {
        Some((task, rest)) => (task.as_str(), rest),
        None => ("", arguments.as_slice()),
    };
    let outcome = match task {
        "gate" => gate::run(),
        "test" => test::run(rest),
        "bench" => bench::run(rest),
        "e2e" => e2e::run(rest),
        e2e::INSIDE => e2e::inside(rest),
        "faults" => faults::run(rest),
        "fuzz" => fuzz::run(rest),
        "picture" => picture::run(rest),
        "fuzz-hooks" => fuzz_hooks::run(rest),
        "inspector" => inspector::run(rest),
        "fuzz-pairing" => fuzz_pairing::run(rest),
        faults::INSIDE => faults::inside(rest),
        "help" | "--help" | "-h" => {
            print!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
