//! `memdir hook`: the answer to an event of another agent.
//!
//! It runs at each turn of somebody's conversation, so that it does no more than it must, and it ends with 0 whatever happens:
//! to some clients another code means that the agent has to stop, or to go on.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fmt::Display;
use std::io::{self, IsTerminal, Read, Write};
use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use clap::Args;
use jiff::Timestamp;
use memdir_serve::hook::{self, Client, Failures, MAX_INPUT, MISTAKE, Work};
use memdir_store::{Environment, Places, limits};
use serde::de::IgnoredAny;

use super::jobs;

/// After so long it is over, whatever it was about: clients wait for five seconds at the end of a conversation, and longer
/// elsewhere. A hook takes milliseconds.
const DEADLINE: Duration = Duration::from_millis(4_000);
/// So long there is to write that down.
const AFTERWARDS: Duration = Duration::from_millis(400);
/// So much is looked at whether it is whole already: some clients forget to close what they write to.
const EARLY: usize = 1024 * 1024;

/// Answer an event of another agent
///
/// Agents call it, not people: the event comes on standard input as JSON, the answer goes to standard output in the form of
/// that agent, mostly none. It always ends with 0 and never stops the agent; what went wrong is in hooks.log in memdir's
/// folder under home.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir setup claude-code
  echo '{\"hook_event_name\":\"SessionStart\",\"session_id\":\"s1\",\"cwd\":\"'$PWD'\"}' | memdir hook claude-code

Agents: claude-code, codex, gemini, opencode. What each event is answered with: docs/hooks.md.")]
pub(crate) struct Hook {
    /// Which agent asks
    #[arg(value_name = "AGENT")]
    client: Option<OsString>,
    /// Whatever else an agent adds is ignored
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<OsString>,
}

impl Hook {
    pub(crate) fn run(self) {
        let _ = self.rest;
        answer(self.client.into_iter());
    }
}

/// Whether the program was called to answer an event. To build the arguments of all commands takes longer than the answer.
pub(crate) fn is_asked() -> bool {
    let mut words = env::args_os().skip(1);
    let is_hook = words.next().is_some_and(|word| word == "hook");
    is_hook && !words.any(|word| word == "--help" || word == "-h")
}

/// Whether words that nobody understands were meant to answer an event: flags, and what may belong to one, stand before it.
pub(crate) fn is_meant(is_command: impl Fn(&OsStr) -> bool) -> bool {
    let mut may_be_value = false;
    for word in env::args_os().skip(1) {
        let is_flag = word.to_string_lossy().starts_with('-');
        if word == "hook" {
            return true;
        }
        if is_command(&word) || !(is_flag || may_be_value) {
            return false;
        }
        may_be_value = is_flag;
    }
    false
}

/// Answers the event on standard input. These are the words behind `memdir hook`.
pub(crate) fn answer(mut words: impl Iterator<Item = OsString>) -> ExitCode {
    static PLACE: Mutex<String> = Mutex::new(String::new());
    let told = || PLACE.lock().unwrap_or_else(PoisonError::into_inner);
    panic::set_hook(Box::new(move |info| {
        // Not what it says: that may hold what it was about.
        let place = info.location().map(ToString::to_string);
        *told() = place.unwrap_or_default();
    }));
    let name = words.next().unwrap_or_default();
    limits::be_brief();
    end_in_time(&name);
    let answered = panic::catch_unwind(AssertUnwindSafe(|| reply(&name)));
    if answered.is_err() {
        let place = told().clone();
        let _ = panic::catch_unwind(|| note(&name.to_string_lossy(), MISTAKE, &place));
    }
    ExitCode::SUCCESS
}

/// Whatever it waits for, an event that never comes or a disk that does not answer: the agent does not wait with it.
fn end_in_time(name: &OsStr) {
    let name = name.to_string_lossy().into_owned();
    // Where there is no thread to be had, the client's own limit has to do.
    let _ = thread::Builder::new().spawn(move || {
        thread::sleep(DEADLINE);
        let _ = thread::Builder::new().spawn(move || note(&name, "it took too long", &"given up"));
        thread::sleep(AFTERWARDS);
        std::process::exit(0);
    });
}

fn reply(name: &OsStr) {
    let Some(client) = name.to_str().and_then(Client::parse) else {
        return;
    };
    if io::stdin().is_terminal() {
        let hint = "memdir hook is for agents: the event comes on standard input; `memdir hook --help` says more\n";
        let _ = io::stderr().write_all(hint.as_bytes());
        return;
    }
    let input = event();
    panic_where_a_test_wants_it();
    let answered = hook::answer(client, &input, environment(), Timestamp::now());
    // An agent that no longer listens is no failure.
    let mut stdout = io::stdout().lock();
    let _ = stdout.write_all(answered.output.as_bytes());
    let _ = stdout.flush();
    if let Some(work) = answered.work {
        start(client, &work);
    }
}

/// Reads the event: all that comes, or as much as is an event.
fn event() -> Vec<u8> {
    let mut input = Vec::new();
    let mut stdin = io::stdin().lock().take(MAX_INPUT);
    let mut chunk = vec![0; 64 * 1024];
    loop {
        match stdin.read(&mut chunk) {
            Ok(0) => return input,
            Ok(read) => input.extend_from_slice(chunk.get(..read).unwrap_or_default()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return input,
        }
        let may_be_whole = input.len() < EARLY && input.trim_ascii_end().ends_with(b"}");
        if may_be_whole && serde_json::from_slice::<IgnoredAny>(&input).is_ok() {
            return input;
        }
    }
}

fn environment() -> Environment {
    // An agent may stand in a folder that is gone; the event says where the conversation began.
    let current = env::current_dir().unwrap_or_else(|_| PathBuf::from("/"));
    let is_bare = env::args_os().skip(1).any(|word| word == "--bare");
    Environment::new(current, env::vars_os()).with_bare(is_bare)
}

/// Starts the process that does what is due. It is noted already: if this fails, the next event tries again.
fn start(client: Client, work: &Work) {
    if let Err(error) = jobs::start_for(&work.start_folder, None, false) {
        work.failures
            .note(client.as_str(), "", "background work", &error);
    }
}

fn note(client: &str, what: &str, why: &dyn Display) {
    if let Ok(places) = Places::find(&environment()) {
        let failures = Failures::new(&places.own_dir());
        failures.note(client, "", what, why);
    }
}

/// No data make it panic that we know of; that the agent would not notice is tried all the same. Not in what users get.
#[cfg(debug_assertions)]
#[allow(clippy::panic, reason = "to see that it does no harm")]
fn panic_where_a_test_wants_it() {
    if env::var_os("MEMDIR_TEST_HOOK_PANICS").is_some() {
        panic!("as wanted");
    }
}

#[cfg(not(debug_assertions))]
fn panic_where_a_test_wants_it() {}
