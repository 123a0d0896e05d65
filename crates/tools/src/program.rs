//! The few programs that only look, run as programs: no shell ever sees their arguments.

use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use crate::Answer;
use crate::place::is_of_kernel;

/// A command line that consists of one such program and harmless arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    name: &'static str,
    arguments: Vec<String>,
}

/// How long a program may run.
pub(crate) const TIME: Duration = Duration::from_secs(10);
/// How much of what it prints is kept.
const OUTPUT_BYTES: u64 = 64 * 1_024;

const PROGRAMS: [&str; 7] = ["ls", "find", "cat", "stat", "wc", "head", "tail"];
/// What ends a command or means something to a shell, outside of quotes.
const SHELL_SIGNS: &str = "|&;<>()`$\\\n\r*?[]{}~!#";

impl Program {
    /// Reads a command line, or says why it is not such a program.
    ///
    /// ```
    /// use memdir_tools::Program;
    ///
    /// assert!(Program::parse("ls -la 'my notes'").is_ok());
    /// assert!(Program::parse("cat a.md > b.md").is_err());
    /// assert!(Program::parse("find . -delete").is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// The reason, for the model to read.
    pub fn parse(line: &str) -> Result<Self, String> {
        let mut words = words(line)?.into_iter();
        let first = words.next().ok_or("the command is empty")?;
        let name = PROGRAMS
            .into_iter()
            .find(|name| *name == first)
            .ok_or_else(|| format!("`{first}` is none of them"))?;
        let arguments: Vec<String> = words.collect();
        for argument in &arguments {
            check(name, argument)?;
        }
        Ok(Self { name, arguments })
    }

    /// Which program.
    pub(crate) fn name(&self) -> &str {
        self.name
    }

    /// What it is called with.
    pub(crate) fn arguments(&self) -> &[String] {
        &self.arguments
    }

    /// Why it would not only look at files, if so: a device, a pipe or what another process has can be among its arguments.
    pub(crate) fn beyond_files(&self, folder: &Path) -> Option<String> {
        let found = self.arguments.iter().find(|argument| {
            let Ok(real) = folder.join(argument).canonicalize() else {
                return false;
            };
            let plain = real.is_file() || real.is_dir();
            !plain || is_of_kernel(&real)
        })?;
        Some(format!("{found} is no file and no folder of files"))
    }

    /// Runs it in this folder, for as long as it may.
    #[must_use]
    pub fn run(&self, folder: &Path) -> Answer {
        match self.output(folder) {
            Ok(answer) => answer,
            Err(error) => Answer::error(format!("{} did not run: {error}", self.name)),
        }
    }

    fn output(&self, folder: &Path) -> std::io::Result<Answer> {
        let mut child = Command::new(self.name)
            .args(&self.arguments)
            .current_dir(folder)
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("LC_ALL", "C.UTF-8")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()?;
        let printed = reading(child.stdout.take());
        let complained = reading(child.stderr.take());
        let ended = wait(&mut child)?;
        let mut text = printed.join().unwrap_or_default();
        let complaints = complained.join().unwrap_or_default();
        if !complaints.is_empty() {
            if !text.is_empty() && !text.ends_with('\n') {
                text.push('\n');
            }
            text.push_str(&complaints);
        }
        let Some(success) = ended else {
            return Ok(Answer::error(format!(
                "{text}[{} was ended after {} s]",
                self.name,
                TIME.as_secs()
            )));
        };
        Ok(Answer {
            text,
            error: !success,
        })
    }
}

/// Whether it ended well; nothing when it had to be ended, with all that it started.
fn wait(child: &mut Child) -> std::io::Result<Option<bool>> {
    let until = Instant::now() + TIME;
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            // A pipe that was cut off at the limit ends a program by a signal; what was read is good.
            return Ok(Some(status.success() || status.code().is_none()));
        }
        if Instant::now() >= until {
            if let Some(pid) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
                let _ = kill_process_group(pid, Signal::KILL);
            }
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// Reads up to the limit, then lets go of the pipe.
fn reading(pipe: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(pipe) = pipe {
            let _ = pipe.take(OUTPUT_BYTES + 1).read_to_end(&mut bytes);
        }
        let cut = bytes.len() as u64 > OUTPUT_BYTES;
        let mut text = String::from_utf8_lossy(&bytes).into_owned();
        if cut {
            text.push_str("\n[cut here]\n");
        }
        text
    })
}

/// The words of a command line in which only quotes have a meaning.
fn words(line: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    for character in line.trim().chars() {
        match (quote, character) {
            (_, '\0') => return Err("it has a NUL character".to_owned()),
            (Some(open), _) if character == open => quote = None,
            (Some('"'), '`' | '$' | '\\') => return Err(format!("`{character}` is not allowed")),
            (Some(_), _) => word.get_or_insert_default().push(character),
            (None, '\'' | '"') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None, ' ' | '\t') => words.extend(word.take()),
            (None, _) if SHELL_SIGNS.contains(character) => {
                return Err(match character {
                    '\n' | '\r' => "it has more than one line".to_owned(),
                    '*' | '?' | '[' => format!("`{character}` is not expanded here: use Glob"),
                    _ => format!("`{character}` is not allowed: one program, no shell"),
                });
            }
            (None, _) => word.get_or_insert_default().push(character),
        }
    }
    if quote.is_some() {
        return Err("a quote is not closed".to_owned());
    }
    words.extend(word);
    Ok(words)
}

/// Arguments that would write, run something, wait for ever or read their arguments from elsewhere.
fn check(program: &str, argument: &str) -> Result<(), String> {
    let refused = match program {
        "find" => [
            "-exec",
            "-execdir",
            "-ok",
            "-okdir",
            "-delete",
            "-fprint",
            "-fprint0",
            "-fprintf",
            "-fls",
            "-files0-from",
        ]
        .contains(&argument),
        "tail" => is_option(
            argument,
            "fF",
            &["follow", "retry", "pid", "sleep-interval"],
        ),
        "wc" => is_option(argument, "", &["files0-from"]),
        _ => false,
    };
    if refused {
        return Err(format!("{program} {argument} is not allowed"));
    }
    Ok(())
}

/// Whether an argument is one of these options, in any of the forms that are understood.
fn is_option(argument: &str, letters: &str, names: &[&str]) -> bool {
    if let Some(long) = argument.strip_prefix("--") {
        let name = long.split('=').next().unwrap_or(long);
        // A beginning of the name is enough for the program.
        return !name.is_empty() && names.iter().any(|whole| whole.starts_with(name));
    }
    argument
        .strip_prefix('-')
        .is_some_and(|short| short.contains(|letter| letters.contains(letter)))
}
