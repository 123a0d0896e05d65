//! What the tools did: files they touched, commands that failed.

use std::collections::HashMap;

use memdir_conversation::{Block, Kind, Message};
use serde_json::{Map, Value};

use super::fence::{clean, shortened};
use super::tools::Tool;

/// The most of a path, a command and a line of an error that is kept.
const PATH_BYTES: usize = 1_000;
const COMMAND_BYTES: usize = 2_000;
const ERROR_BYTES: usize = 500;

/// Words by which the line that matters is found in the output of a command that failed.
const ERROR_WORDS: [&str; 8] = [
    "error",
    "fatal",
    "panicked",
    "exception",
    "failed",
    "not found",
    "no such",
    "denied",
];

/// What was done to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Touch {
    /// It was read.
    Read,
    /// It was changed.
    Edited,
    /// It was written.
    Written,
}

impl Touch {
    /// The word for it.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Edited => "edited",
            Self::Written => "written",
        }
    }
}

/// A file that tools touched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TouchedFile {
    /// Its path, as the tools had it.
    pub path: String,
    /// What was done, each once.
    pub touches: Vec<Touch>,
}

/// A command that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedCommand {
    /// The command.
    pub command: String,
    /// The line that says why.
    pub error: String,
}

/// Files and failures, those last touched or met at the end.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Artefacts {
    pub(super) files: Vec<TouchedFile>,
    pub(super) failed: Vec<FailedCommand>,
    calls: HashMap<String, Called>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Called {
    Files(Vec<(String, Touch)>),
    Command(String),
}

impl Artefacts {
    /// Adds what a message shows of files and commands. A file counts once its call has a result that is no error.
    pub(super) fn add(&mut self, message: &Message) {
        for block in &message.blocks {
            match block.kind() {
                Kind::ToolCall { id, name } => {
                    if let Some(called) = called(block, name) {
                        self.calls.insert(id.to_string(), called);
                    }
                }
                Kind::ToolResult { call, error } => match self.calls.remove(&**call) {
                    Some(Called::Files(files)) if !error => {
                        for (path, touch) in files {
                            self.touch(path, touch);
                        }
                    }
                    Some(Called::Command(command)) => {
                        if let Some(error) = failure(block, *error) {
                            self.fail(FailedCommand { command, error });
                        }
                    }
                    _ => {}
                },
                _ => {}
            }
        }
    }

    /// Notes that a file was touched; it is now the last one.
    pub(super) fn touch(&mut self, path: String, touch: Touch) {
        let place = self.files.iter().position(|file| file.path == path);
        let mut file = match place {
            Some(place) => self.files.remove(place),
            None => TouchedFile {
                path,
                touches: Vec::new(),
            },
        };
        if !file.touches.contains(&touch) {
            file.touches.push(touch);
            file.touches.sort_unstable();
        }
        self.files.push(file);
    }

    /// Notes a failure; the same one again counts as the last.
    pub(super) fn fail(&mut self, failed: FailedCommand) {
        self.failed.retain(|known| *known != failed);
        self.failed.push(failed);
    }
}

/// What a call is about, as far as it leaves a trace.
fn called(block: &Block, name: &str) -> Option<Called> {
    let touch = match Tool::named(name)? {
        Tool::Read => Touch::Read,
        Tool::Edit => Touch::Edited,
        Tool::Write => Touch::Written,
        Tool::Bash => {
            let input = input(block)?;
            let command = ["command", "cmd"].iter().find_map(|key| input.get(*key))?;
            return Some(Called::Command(shortened(
                &clean(&words(command)),
                COMMAND_BYTES,
            )));
        }
        Tool::Grep | Tool::Glob | Tool::WebSearch | Tool::WebFetch => return None,
    };
    let files = match block.file() {
        Some(path) => vec![(path, touch)],
        None => listed(&input(block)?, touch),
    };
    let files = files
        .into_iter()
        .map(|(path, touch)| (one_line(&path), touch))
        .collect();
    Some(Called::Files(files))
}

fn input(block: &Block) -> Option<Map<String, Value>> {
    serde_json::from_str(block.input()?).ok()
}

/// A command as one text, also where it came as a list of words.
fn words(command: &Value) -> String {
    match command {
        Value::String(command) => command.clone(),
        Value::Array(words) => {
            let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
            words.join(" ")
        }
        other => other.to_string(),
    }
}

/// Files in a list, or in the headings of a patch.
fn listed(input: &Map<String, Value>, touch: Touch) -> Vec<(String, Touch)> {
    if let Some(Value::Array(paths)) = input.get("paths").or_else(|| input.get("include")) {
        let paths = paths.iter().filter_map(Value::as_str);
        return paths.map(|path| (path.to_owned(), touch)).collect();
    }
    let patch = input.values().filter_map(Value::as_str);
    patch
        .flat_map(str::lines)
        .filter_map(|line| {
            let heading = line.trim().strip_prefix("*** ")?;
            let (what, path) = heading.split_once(" File: ")?;
            let touch = match what {
                "Add" => Touch::Written,
                "Update" | "Delete" => Touch::Edited,
                _ => return None,
            };
            Some((path.to_owned(), touch))
        })
        .collect()
}

fn one_line(path: &str) -> String {
    shortened(&clean(path).replace(['\n', '\r'], " "), PATH_BYTES)
}

/// Why a command failed, if it did: the first line that speaks of it, else the first line at all.
fn failure(result: &Block, error: bool) -> Option<String> {
    let text = result.result_text();
    if !error && !text.lines().take(8).any(tells_failure) {
        return None;
    }
    let speaking = |line: &&str| {
        let line = line.to_lowercase();
        ERROR_WORDS.iter().any(|word| line.contains(word))
    };
    let lines = || {
        text.lines()
            .map(str::trim)
            .filter(|line| !line.is_empty() && exit_code(line).is_none())
    };
    let line = lines().find(speaking).or_else(|| lines().next());
    Some(shortened(&clean(line.unwrap_or_default()), ERROR_BYTES))
}

fn tells_failure(line: &str) -> bool {
    exit_code(line.trim()).is_some_and(|code| code != 0)
}

/// The code in a line such as `Exit code 1`, as clients put it before the output.
fn exit_code(line: &str) -> Option<i64> {
    let rest = ["Exit code", "Process exited with code"]
        .iter()
        .find_map(|words| line.strip_prefix(words))?;
    rest.trim_start_matches([':', ' ']).parse().ok()
}
