//! What the calls of file tools are about, whatever a client calls them.

use serde_json::{Map, Value};

/// A file that a call reads or writes.
pub(super) struct Call {
    pub(super) path: String,
    /// What would be written; none where it is only read.
    pub(super) text: Option<Text>,
}

/// What a call would write.
pub(super) enum Text {
    /// The file whole.
    Whole(String),
    /// Stretches of it, each with what comes in its place, once or everywhere.
    Parts(Vec<(String, String, bool)>),
    /// Lines that come in somewhere.
    Added(String),
}

impl Text {
    /// What the file would hold, as far as that can be told.
    pub(super) fn applied(&self, old: Option<&[u8]>) -> String {
        let parts = match self {
            Self::Whole(text) | Self::Added(text) => return text.clone(),
            Self::Parts(parts) => parts,
        };
        let mut text = old
            .and_then(|old| std::str::from_utf8(old).ok())
            .unwrap_or_default()
            .to_owned();
        for (from, to, everywhere) in parts {
            text = match (from.is_empty() || !text.contains(from.as_str()), everywhere) {
                // The client will refuse it; what comes in is looked at all the same.
                (true, _) => format!("{text}\n{to}"),
                (false, true) => text.replace(from, to),
                (false, false) => text.replacen(from, to, 1),
            };
        }
        text
    }
}

/// The files that a call is about; none for tools that are about none.
pub(super) fn read(tool: &str, input: Option<&Map<String, Value>>) -> Vec<Call> {
    let Some(input) = input else {
        return Vec::new();
    };
    let field = |name: &str| input.get(name).and_then(Value::as_str);
    let paths = ["file_path", "filePath", "absolute_path", "notebook_path"];
    let path = paths.into_iter().find_map(field);
    let text = match tool {
        "Read" | "read_file" | "read" => None,
        "Write" | "write_file" | "write" => {
            Some(Text::Whole(field("content").unwrap_or_default().to_owned()))
        }
        "Edit" | "replace" | "edit" => Some(Text::Parts(part(input).into_iter().collect())),
        "MultiEdit" | "multiedit" => {
            let edits = input.get("edits").and_then(Value::as_array);
            let edits = edits.into_iter().flatten().filter_map(Value::as_object);
            Some(Text::Parts(edits.filter_map(part).collect()))
        }
        "NotebookEdit" => Some(Text::Added(
            field("new_source").unwrap_or_default().to_owned(),
        )),
        "apply_patch" | "patch" => {
            let fields = ["input", "patch", "patchText", "command"];
            let patch = fields.into_iter().find_map(field);
            return patch.map(patched).unwrap_or_default();
        }
        _ => {
            let mut calls = command(tool, Some(input)).map_or_else(Vec::new, |line| patched(&line));
            if !is_shell(tool) {
                calls.extend(foreign(tool, input));
            }
            return calls;
        }
    };
    let call = path.map(|path| Call {
        path: path.to_owned(),
        text,
    });
    call.into_iter().collect()
}

/// The command line of a shell tool, or the code that another tool runs.
pub(super) fn command(tool: &str, input: Option<&Map<String, Value>>) -> Option<String> {
    let fields: &[&str] = match tool {
        _ if is_shell(tool) => &["command", "cmd", "script", "chars"],
        "Read" | "Write" | "Edit" | "MultiEdit" | "NotebookEdit" => return None,
        "read_file" | "write_file" | "replace" | "read" | "write" | "edit" | "multiedit" => {
            return None;
        }
        _ => &["command", "cmd", "script", "code", "commands", "chars"],
    };
    let value = fields.iter().find_map(|field| input?.get(*field))?;
    match value {
        Value::String(line) => Some(line.clone()),
        // Some clients hand over the words of the command.
        Value::Array(words) => {
            let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
            Some(words.join(" ")).filter(|line| !line.is_empty())
        }
        _ => None,
    }
}

/// Whether a tool takes the command lines of a shell.
pub(super) fn is_shell(tool: &str) -> bool {
    matches!(
        tool,
        "Bash"
            | "bash"
            | "PowerShell"
            | "shell"
            | "local_shell"
            | "exec_command"
            | "run_shell_command"
            | "write_stdin"
    )
}

/// So many texts of a call are looked at.
const MOST_TEXTS: usize = 500;
/// No path is longer.
const LONGEST_PATH: usize = 4_096;

/// The files that a tool of somebody else's is about: every text in its call may be a path, and all of them together may be
/// written there.
fn foreign(tool: &str, input: &Map<String, Value>) -> Vec<Call> {
    // Ours look at what they are given themselves.
    if tool.contains("memdir") {
        return Vec::new();
    }
    let texts = texts(input);
    let written = (!only_reads(tool)).then(|| texts.join("\n"));
    paths(&texts)
        .map(|path| Call {
            path,
            text: written.clone().map(Text::Added),
        })
        .collect()
}

/// Every path that a call of somebody else's tool names.
pub(super) fn paths_of(input: &Map<String, Value>) -> Vec<String> {
    paths(&texts(input)).collect()
}

fn paths<'a>(texts: &'a [&'a str]) -> impl Iterator<Item = String> + 'a {
    let may_be_path =
        |text: &&&str| !text.is_empty() && text.len() <= LONGEST_PATH && !text.contains('\n');
    texts.iter().filter(may_be_path).map(|text| {
        let path = text.strip_prefix("file://").unwrap_or(text);
        path.to_owned()
    })
}

fn texts(input: &Map<String, Value>) -> Vec<&str> {
    let mut texts = Vec::new();
    let mut left: Vec<&Value> = input.values().collect();
    while let Some(value) = left.pop() {
        match value {
            Value::String(text) if texts.len() < MOST_TEXTS => texts.push(text.as_str()),
            Value::Array(values) => left.extend(values),
            Value::Object(fields) => left.extend(fields.values()),
            _ => {}
        }
    }
    texts
}

/// Whether a tool only looks, by its name.
fn only_reads(tool: &str) -> bool {
    let name = tool
        .rsplit("__")
        .next()
        .unwrap_or(tool)
        .to_ascii_lowercase();
    let looks = [
        "read",
        "get",
        "list",
        "search",
        "view",
        "find",
        "grep",
        "glob",
        "stat",
        "tree",
        "directory",
        "show",
        "ls",
        "webfetch",
        "fetch",
    ];
    looks.iter().any(|start| name.starts_with(start))
}

fn part(edit: &Map<String, Value>) -> Option<(String, String, bool)> {
    let first = |names: [&str; 2]| names.into_iter().find_map(|name| edit.get(name));
    let text = |names| first(names).and_then(Value::as_str);
    let everywhere = first(["replace_all", "replaceAll"]).and_then(Value::as_bool);
    let old = text(["old_string", "oldString"]).unwrap_or_default();
    Some((
        old.to_owned(),
        text(["new_string", "newString"])?.to_owned(),
        everywhere.unwrap_or(false),
    ))
}

/// The files that a patch in Codex's form moves elsewhere, with all that stands in them.
pub(super) fn moved_by(input: &Map<String, Value>) -> Vec<String> {
    let mut moved = Vec::new();
    for text in texts(input) {
        let mut from = None;
        for line in text.lines() {
            if let Some(path) = line.strip_prefix("*** Update File: ") {
                from = Some(path.trim().to_owned());
            } else if line.starts_with("*** Move to: ") {
                moved.extend(from.take());
            }
        }
    }
    moved
}

/// The files of a patch in Codex's form, with the lines that come in.
fn patched(patch: &str) -> Vec<Call> {
    let mut calls: Vec<(String, String)> = Vec::new();
    for line in patch.lines() {
        let named = ["*** Add File: ", "*** Update File: ", "*** Move to: "]
            .iter()
            .find_map(|start| line.strip_prefix(start));
        match (named, line.strip_prefix('+')) {
            (Some(path), _) => calls.push((path.trim().to_owned(), String::new())),
            (None, Some(added)) => {
                if let Some((_, text)) = calls.last_mut() {
                    text.push_str(added);
                    text.push('\n');
                }
            }
            (None, None) => {}
        }
    }
    calls
        .into_iter()
        .map(|(path, text)| Call {
            path,
            text: Some(Text::Added(text)),
        })
        .collect()
}
