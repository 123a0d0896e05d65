//! Running a program so that nothing but the test decides what it sees.

use std::ffi::{OsStr, OsString};
use std::io::{self, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};

use crate::{Filters, Outcome};

/// How long a program may take before it counts as hung.
const PATIENCE: Duration = Duration::from_secs(60);

/// A program with its arguments, environment and input.
#[derive(Debug, Clone)]
pub struct Program {
    program: OsString,
    arguments: Vec<OsString>,
    environment: Vec<(OsString, OsString)>,
    folder: Option<PathBuf>,
    input: Vec<u8>,
    filters: Filters,
    patience: Duration,
}

impl Program {
    /// A program whose output passes through the filters.
    pub fn new(program: impl AsRef<OsStr>, filters: Filters) -> Self {
        let environment = [
            // So that it finds git and an editor, wherever the machine has them.
            (
                "PATH",
                std::env::var_os("PATH").unwrap_or_else(|| "/usr/bin:/bin".into()),
            ),
            ("LC_ALL", "C.UTF-8".into()),
            ("TZ", "UTC".into()),
        ];
        Self {
            program: program.as_ref().to_owned(),
            arguments: Vec::new(),
            environment: environment.map(|(name, value)| (name.into(), value)).into(),
            folder: None,
            input: Vec::new(),
            filters,
            patience: PATIENCE,
        }
    }

    /// Adds arguments.
    pub fn args(mut self, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Self {
        self.arguments.extend(
            arguments
                .into_iter()
                .map(|argument| argument.as_ref().to_owned()),
        );
        self
    }

    /// Sets a variable of its environment, which holds little else.
    pub fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.environment
            .push((name.as_ref().to_owned(), value.as_ref().to_owned()));
        self
    }

    /// Sets the folder it starts in.
    pub fn current_folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folder = Some(folder.into());
        self
    }

    /// What it reads from its standard input; nothing otherwise.
    pub fn stdin(mut self, input: impl Into<Vec<u8>>) -> Self {
        self.input = input.into();
        self
    }

    /// Replaces every match of a regular expression in its output.
    pub fn filter(mut self, pattern: &str, replacement: &str) -> Self {
        self.filters.pattern(pattern, replacement);
        self
    }

    /// How long it may take before it counts as hung, where a minute is not enough.
    pub fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// The bare command, for callers that start it themselves.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        self.dress(&mut command);
        command.args(&self.arguments);
        command
    }

    /// The command as another program's arguments: `wrapper … program arguments`.
    pub fn command_under(&self, wrapper: impl AsRef<OsStr>, words: &[OsString]) -> Command {
        let mut command = Command::new(wrapper);
        self.dress(&mut command);
        command.args(words).arg(&self.program).args(&self.arguments);
        command
    }

    fn dress(&self, command: &mut Command) {
        command
            .env_clear()
            .envs(self.environment.iter().map(|(name, value)| (name, value)));
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
    }

    /// Runs it to its end.
    pub fn run(&self) -> io::Result<Outcome> {
        self.finish(self.command())
    }

    /// Runs a command made by [`Program::command`] or [`Program::command_under`] to its end. One
    /// that does not end is killed, with all it started.
    pub fn finish(&self, mut command: Command) -> io::Result<Outcome> {
        command.stdin(if self.input.is_empty() {
            Stdio::null()
        } else {
            Stdio::piped()
        });
        command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        let mut child = command.spawn()?;
        let input = child.stdin.take();
        let group = Pid::from_child(&child);
        let (ended, end) = mpsc::channel::<()>();
        thread::scope(|scope| {
            // A program may end without reading its input; that is for the test to judge.
            scope.spawn(move || input.map(|mut pipe| pipe.write_all(&self.input)));
            let watch = scope.spawn(move || {
                let hung = end.recv_timeout(self.patience) == Err(RecvTimeoutError::Timeout);
                // It may have ended in this very moment, and then there is nobody to kill.
                hung && kill_process_group(group, Signal::KILL).is_ok()
            });
            let output = child.wait_with_output();
            drop(ended);
            let hung = watch.join().unwrap_or(false);
            Ok(Outcome::new(output?, hung, self.filters.clone()))
        })
    }
}
