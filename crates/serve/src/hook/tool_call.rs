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
        _ => return command(tool, Some(input)).map(patched).unwrap_or_default(),
    };
    let call = path.map(|path| Call {
        path: path.to_owned(),
        text,
    });
    call.into_iter().collect()
}

/// The command line of a shell tool.
pub(super) fn command<'a>(tool: &str, input: Option<&'a Map<String, Value>>) -> Option<&'a str> {
    let is_shell = matches!(
        tool,
        "Bash" | "bash" | "shell" | "exec_command" | "run_shell_command"
    );
    let command = input?.get("command").or_else(|| input?.get("cmd"))?;
    command.as_str().filter(|_| is_shell)
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
