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

/// What a call is about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Called {
    files: Vec<(String, Touch)>,
    command: Option<String>,
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
                Kind::ToolResult { call, error } => {
                    let Called { files, command } = self.calls.remove(&**call).unwrap_or_default();
                    for (path, touch) in files.into_iter().filter(|_| !error) {
                        self.touch(path, touch);
                    }
                    if let Some(command) = command
                        && let Some(error) = failure(block, *error)
                    {
                        self.fail(FailedCommand { command, error });
                    }
                }
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
    let command = match Tool::named(name)? {
        Tool::Bash => {
            let input = input(block)?;
            let command = ["command", "cmd"].iter().find_map(|key| input.get(*key))?;
            Some(shortened(&clean(&words(command)), COMMAND_BYTES))
        }
        _ => None,
    };
    let files = touched_files(block).into_iter();
    let files = files.map(|(path, touch)| (one_line(&path), touch));
    Some(Called {
        files: files.collect(),
        command,
    })
}

/// The files that a call of a tool reads, writes or changes, as it names them, under whatever name a client gives the tool.
///
/// ```
/// use memdir_context::compaction::{Touch, touched_files};
/// use memdir_conversation::Block;
///
/// let call = Block::tool_call("a", "Write", r#"{"file_path":"a.rs","content":""}"#).unwrap();
/// assert_eq!(touched_files(&call), [("a.rs".to_owned(), Touch::Written)]);
/// let patch = r#"{"input":"*** Begin Patch\n*** Update File: b.rs\n+x\n*** End Patch"}"#;
/// let call = Block::tool_call("b", "apply_patch", patch).unwrap();
/// assert_eq!(touched_files(&call), [("b.rs".to_owned(), Touch::Edited)]);
/// ```
#[must_use]
pub fn touched_files(call: &Block) -> Vec<(String, Touch)> {
    let Kind::ToolCall { name, .. } = call.kind() else {
        return Vec::new();
    };
    let touch = match Tool::named(name) {
        Some(Tool::Read) => Touch::Read,
        Some(Tool::Edit) => Touch::Edited,
        Some(Tool::Write) => Touch::Written,
        // Codex applies patches in a shell too.
        Some(Tool::Bash) => return input(call).map(|input| patched(&input)).unwrap_or_default(),
        Some(Tool::Grep | Tool::Glob | Tool::WebSearch | Tool::WebFetch) | None => {
            return Vec::new();
        }
    };
    match call.file() {
        Some(path) => vec![(path, touch)],
        None => input(call).map_or_else(Vec::new, |input| listed(&input, touch)),
    }
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
    patched(input)
}

/// Files in the headings of a patch.
fn patched(input: &Map<String, Value>) -> Vec<(String, Touch)> {
    let texts: Vec<String> = input.values().map(words).collect();
    let is_patch = |text: &&String| text.contains("*** Begin Patch");
    let lines = texts.iter().filter(is_patch).flat_map(|text| text.lines());
    lines
        .filter_map(|line| {
            let heading = line.trim().strip_prefix("*** ")?;
            let named = |start: &str| heading.strip_prefix(start).map(str::to_owned);
            let edited = |path| (path, Touch::Edited);
            named("Add File: ")
                .map(|path| (path, Touch::Written))
                .or_else(|| named("Update File: ").map(edited))
                .or_else(|| named("Delete File: ").map(edited))
                .or_else(|| named("Move to: ").map(edited))
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
