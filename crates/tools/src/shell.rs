//! `Bash`: a command line.

use std::io::{PipeReader, Read};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use memdir_model::Cancel;
use rustix::process::{Pid, Signal, kill_process_group};

use crate::{Answer, Call, Tool};

/// As a model is told of it.
pub(crate) const TOOL: Tool = Tool {
    name: "Bash",
    description: "Runs a command.",
    schema: r#"{"type":"object","properties":{"command":{"type":"string"},"timeout":{"type":"integer","description":"Milliseconds"},"description":{"type":"string","description":"What it does, in a few words"}},"required":["command"]}"#,
};

/// How long a command may run where the call says nothing, and at most.
const TIME: Duration = Duration::from_secs(120);
const LONGEST: Duration = Duration::from_secs(600);
/// How much of what it prints is kept, from its beginning and from its end.
const KEPT_BYTES: usize = 15_000;
/// How often it is looked whether it has ended.
const LOOK: Duration = Duration::from_millis(10);
/// What it has printed is waited for so long once it has ended.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// The command line of a call.
pub(crate) fn command(call: &Call) -> Result<&str, Answer> {
    call.text("command")
}

/// Runs a command line in this folder until it ends, its time is up or somebody stops it. What it has started ends with it.
pub(crate) fn run(call: &Call, folder: &Path, cancel: &Cancel) -> Answer {
    let asked = call.number("timeout").unwrap_or(0);
    let asked = u64::try_from(asked).unwrap_or(u64::MAX);
    let time = match asked {
        0 => TIME,
        asked => Duration::from_millis(asked).min(LONGEST),
    };
    let line = match command(call) {
        Ok(line) => line,
        Err(answer) => return answer,
    };
    match ran(line, folder, time, cancel) {
        Ok(answer) => answer,
        Err(error) => Answer::error(format!("the command did not run: {error}")),
    }
}

fn ran(line: &str, folder: &Path, time: Duration, cancel: &Cancel) -> std::io::Result<Answer> {
    let (output, input) = std::io::pipe()?;
    let mut shell = Command::new("/bin/sh");
    shell
        .args(["-c", line])
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(input.try_clone()?)
        .stderr(input)
        .process_group(0);
    let mut child = shell.spawn()?;
    // It holds the writing ends, without which the reading one would never see an end.
    drop(shell);
    let (printed, finished) = reading(output);
    let end = wait(&mut child, time, cancel)?;
    end_group(&child);
    // Who left the group may hold the pipe open for ever: what is there until then counts.
    let _ = finished.recv_timeout(LAST_WORDS);
    let printed = std::mem::take(&mut *lock(&printed));
    let mut text = printed.text();
    let mut note = |what: &str| {
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(&format!("[{what}]"));
    };
    let error = match end {
        End::Itself(status) if status.success() => {
            if printed.is_empty() {
                note("it printed nothing");
            }
            false
        }
        End::Itself(status) => {
            note(&status.to_string());
            true
        }
        End::OutOfTime => {
            note(&format!("it was ended after {time:?}"));
            true
        }
        End::Stopped => {
            note("the user stopped it");
            true
        }
    };
    Ok(Answer { text, error })
}

/// How a command ended.
enum End {
    Itself(ExitStatus),
    OutOfTime,
    Stopped,
}

fn wait(child: &mut Child, time: Duration, cancel: &Cancel) -> std::io::Result<End> {
    let until = Instant::now() + time;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(End::Itself(status));
        }
        let end = match (cancel.is_cancelled(), Instant::now() >= until) {
            (true, _) => End::Stopped,
            (false, true) => End::OutOfTime,
            (false, false) => {
                std::thread::sleep(LOOK);
                continue;
            }
        };
        end_group(child);
        child.wait()?;
        return Ok(end);
    }
}

/// Ends whatever is left of what a command has started.
fn end_group(child: &Child) {
    // Nobody is left in most cases, and then there is nobody to end.
    let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
}

/// What a command has printed: its beginning and its end.
#[derive(Default)]
struct Printed {
    first: Vec<u8>,
    last: Vec<u8>,
    left_out: usize,
}

impl Printed {
    fn is_empty(&self) -> bool {
        self.first.is_empty()
    }

    fn take(&mut self, bytes: &[u8]) {
        let room = KEPT_BYTES.saturating_sub(self.first.len());
        let (first, rest) = bytes.split_at_checked(room).unwrap_or((bytes, &[]));
        self.first.extend_from_slice(first);
        self.last.extend_from_slice(rest);
        let over = self.last.len().saturating_sub(KEPT_BYTES);
        self.last.drain(..over);
        self.left_out += over;
    }

    fn text(&self) -> String {
        let mut text = String::from_utf8_lossy(&self.first).into_owned();
        if self.left_out > 0 {
            text.push_str(&format!("\n[{} bytes left out]\n", self.left_out));
        }
        text.push_str(&String::from_utf8_lossy(&self.last));
        text
    }
}

/// Reads to the end, so that nothing waits for a full pipe.
fn reading(mut output: PipeReader) -> (Arc<Mutex<Printed>>, Receiver<()>) {
    let printed = Arc::new(Mutex::new(Printed::default()));
    let (sender, finished) = mpsc::channel();
    let all = Arc::clone(&printed);
    std::thread::spawn(move || {
        let mut buffer = [0; 8 * 1024];
        while let Ok(read @ 1..) = output.read(&mut buffer) {
            lock(&all).take(buffer.get(..read).unwrap_or_default());
        }
        // Nobody waits any longer for who outlived even the end of its group.
        let _ = sender.send(());
    });
    (printed, finished)
}

fn lock(printed: &Mutex<Printed>) -> std::sync::MutexGuard<'_, Printed> {
    printed.lock().unwrap_or_else(PoisonError::into_inner)
}
