//! `memory`: the commands of Anthropic's memory tool, over the same files, with everything that holds for the others.

mod change;
mod view;

use memdir_memory::{MemoryPath, PathProblem};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Definition, arguments, schema};
use crate::mcp::refusal::Refusal;
use crate::mcp::room::Room;

/// The folder that the memories seem to be in.
pub(super) const FOLDER: &str = "/memories";

pub(super) const TOOL: Definition = Definition {
    name: "memory",
    title: "Work on memory files",
    description: "The memory files themselves, beneath /memories, for agents that know the memory tool: view, create, str_replace, insert, \
                  delete, rename. Files are Markdown and end in .md; the index MEMORY.md is kept for you.",
    reads: false,
    destroys: true,
    once: false,
    schema: || {
        let text = |what: &str| json!({"type": "string", "description": what});
        schema(
            json!({
                "command": {"type": "string", "enum": ["view", "create", "str_replace", "insert", "delete", "rename"]},
                "path": text("A path beneath /memories, such as /memories/user_role.md; for all commands but rename"),
                "view_range": {
                    "type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2,
                    "description": "view: the first and the last line to show; -1 is the end",
                },
                "file_text": text("create: the whole text"),
                "old_str": text("str_replace: a text that stands exactly once in the file"),
                "new_str": text("str_replace: what stands there instead"),
                "insert_line": {"type": "integer", "minimum": 0, "description": "insert: behind which line; 0 is the beginning"},
                "insert_text": text("insert: the text"),
                "old_path": text("rename: the file"),
                "new_path": text("rename: its new path, which must be free"),
            }),
            &["command"],
        )
    },
    run,
};

#[derive(Deserialize)]
#[serde(tag = "command", rename_all = "snake_case")]
enum Command {
    View {
        path: String,
        view_range: Option<[i64; 2]>,
    },
    Create {
        path: String,
        file_text: String,
    },
    StrReplace {
        path: String,
        old_str: String,
        #[serde(default)]
        new_str: String,
    },
    Insert {
        path: String,
        insert_line: usize,
        insert_text: String,
    },
    Delete {
        path: String,
    },
    Rename {
        old_path: String,
        new_path: String,
    },
}

fn run(room: &Room, given: Value) -> Result<String, Refusal> {
    match arguments(given)? {
        Command::View { path, view_range } => view::view(room, &path, view_range),
        Command::Create { path, file_text } => change::create(room, &topic(&path)?, &file_text),
        Command::StrReplace {
            path,
            old_str,
            new_str,
        } => change::replace(room, &topic(&path)?, &old_str, &new_str),
        Command::Insert {
            path,
            insert_line,
            insert_text,
        } => change::insert(room, &topic(&path)?, insert_line, &insert_text),
        Command::Delete { path } => change::delete(room, &topic(&path)?),
        Command::Rename { old_path, new_path } => {
            change::rename(room, &topic(&old_path)?, &topic(&new_path)?)
        }
    }
}

/// What a path beneath `/memories` leads to; nothing for the folder itself.
fn beneath(path: &str) -> Result<Option<&str>, Refusal> {
    let rest = path
        .strip_prefix(FOLDER)
        .filter(|rest| rest.is_empty() || rest.starts_with('/'));
    let Some(rest) = rest else {
        return Err(Refusal::new(
            format!("`{}` is not beneath {FOLDER}", path.escape_debug()),
            format!("Give a path such as {FOLDER}/user_role.md"),
        ));
    };
    let rest = rest.trim_matches('/');
    Ok((!rest.is_empty()).then_some(rest))
}

/// A memory that a path names.
fn file(path: &str) -> Result<MemoryPath, Refusal> {
    let named = beneath(path)?.unwrap_or_default();
    MemoryPath::new(named).map_err(|problem| {
        let hint = match problem {
            PathProblem::NotMarkdown => "Memories are Markdown files: let the name end in .md",
            PathProblem::Empty => "Name a file, not the folder",
            _ => "Choose another name",
        };
        Refusal::new(
            format!("`{}` cannot be a memory: {problem}", path.escape_debug()),
            hint,
        )
    })
}

/// The same of one that may be changed: neither an index nor a log.
fn topic(path: &str) -> Result<MemoryPath, Refusal> {
    let path = file(path)?;
    if path.is_index() {
        return Err(Refusal::new(
            format!("{FOLDER}/{path} is the index, which is kept in step with the files"),
            "Change the memory itself; its line follows",
        ));
    }
    if path.components().next() == Some("logs") {
        return Err(Refusal::new(
            format!("{FOLDER}/{path} is a log, to which lines are only ever added"),
            "Keep it elsewhere",
        ));
    }
    Ok(path)
}
