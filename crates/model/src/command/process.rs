//! A program that is started, fed, read and, when it has to be, ended with everything it started.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::{Either, join, select};
use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::output::Form;
use crate::error::{Error, Wait};
use crate::{Cancel, Event};

/// How much of an answer is read.
const MAX_OUTPUT: u64 = 32 * 1024 * 1024;

/// A program and what it is to do.
pub(super) struct Process {
    pub(super) program: String,
    pub(super) arguments: Vec<OsString>,
    pub(super) environment: Vec<(OsString, OsString)>,
    pub(super) input: Arc<str>,
    pub(super) most: Duration,
}

/// Ends the whole group when it is dropped, however that comes about.
struct Group(Option<Pid>);

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(group) = self.0 {
            // Gone already is what is wanted.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

impl Process {
    /// Runs it to its end, or until one of the handles is used.
    pub(super) async fn run(
        self,
        form: Form,
        stops: [Cancel; 2],
        sender: mpsc::Sender<Result<Event, Error>>,
    ) {
        let [one, other] = &stops;
        let stopped = select(Box::pin(one.cancelled()), Box::pin(other.cancelled()));
        let work = Box::pin(timeout(self.most, self.answer(form)));
        let events = match select(stopped, work).await {
            Either::Left(_) => Err(Error::Cancelled),
            Either::Right((Err(_), _)) => Err(Error::TimedOut(Wait::Whole)),
            Either::Right((Ok(events), _)) => events,
        };
        match events {
            Ok(events) => {
                for event in events {
                    if sender.send(Ok(event)).await.is_err() {
                        return;
                    }
                }
            }
            Err(error) => {
                let _ = sender.send(Err(error)).await;
            }
        }
    }

    async fn answer(&self, form: Form) -> Result<Vec<Event>, Error> {
        let folder = tempfile::Builder::new()
            .prefix("memdir-")
            .tempdir_in(self.temporary_folder())
            .map_err(|_| Error::Machine("no temporary folder can be made"))?;
        let mut child = Command::new(&self.program)
            .args(&self.arguments)
            .env_clear()
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .current_dir(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // It may print what it was asked; nobody needs to read that.
            .stderr(Stdio::null())
            .process_group(0)
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| self.failed(cannot_start(&error)))?;
        let group = child.id().and_then(|id| i32::try_from(id).ok());
        let _group = Group(group.and_then(Pid::from_raw));
        let output = self.talk(&mut child).await?;
        let status = child
            .wait()
            .await
            .map_err(|_| self.failed("cannot be waited for".to_owned()))?;
        if !status.success() {
            return Err(self.failed(format!("failed ({status})")));
        }
        let printed = String::from_utf8(output).map_err(|_| Error::BadAnswer("it is not text"))?;
        form.read(&printed)
    }

    /// Where it works: as its own variables have it. Ours may be a repository's, which would then be around it.
    fn temporary_folder(&self) -> PathBuf {
        let named = self.environment.iter().rfind(|(name, _)| name == "TMPDIR");
        let named = named.map(|(_, path)| PathBuf::from(path));
        let named = named.filter(|path| path.is_absolute());
        named.unwrap_or_else(|| PathBuf::from("/tmp"))
    }

    /// Writes the question while the answer is read: neither waits for the other.
    async fn talk(&self, child: &mut Child) -> Result<Vec<u8>, Error> {
        let (mut input, output) = (child.stdin.take(), child.stdout.take());
        let write = async {
            if let Some(input) = &mut input {
                // Who does not want to hear all of it may answer all the same.
                let _ = input.write_all(self.input.as_bytes()).await;
            }
            drop(input.take());
        };
        let read = async {
            let mut bytes = Vec::new();
            if let Some(output) = output {
                let mut output = output.take(MAX_OUTPUT + 1);
                let read = output.read_to_end(&mut bytes).await;
                read.map_err(|_| Error::Cut)?;
            }
            Ok::<_, Error>(bytes)
        };
        let ((), bytes) = join(write, read).await;
        let bytes = bytes?;
        match u64::try_from(bytes.len()) {
            Ok(length) if length <= MAX_OUTPUT => Ok(bytes),
            _ => Err(Error::BadAnswer("it is too long")),
        }
    }

    fn failed(&self, what: String) -> Error {
        Error::Command {
            program: self.program.clone(),
            what,
        }
    }
}

fn cannot_start(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "is not installed, or not where the program is looked for",
        std::io::ErrorKind::PermissionDenied => "may not be run",
        _ => "cannot be started",
    }
    .to_owned()
}
