//! Which tools and files a context is spent on.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::path::{Component, Path, PathBuf};

use serde::Serialize;
use serde_json::{Map, Value};

use super::meter::{model, scaled};
use super::{Estimate, Measuring, Meter};
use crate::{Block, Conversation, Kind};

/// Tools whose answer is the content of a file.
const READERS: &[&str] = &[
    "Read",
    "ReadFile",
    "NotebookRead",
    "read",
    "read_file",
    "read_many_files",
    "view",
    "view_file",
    "cat",
];

/// What a context is spent on, the largest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Breakdown {
    /// By tool.
    pub tools: Vec<ToolUse>,
    /// By the file that a call names.
    pub files: Vec<FileUse>,
}

/// What a tool has cost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ToolUse {
    /// Its name; empty for results whose call is gone.
    pub name: String,
    /// How often it was called.
    pub calls: u64,
    /// Tokens of the calls.
    pub requests: u64,
    /// Tokens of the results that are still sent.
    pub results: u64,
}

/// What a file has cost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileUse {
    /// Its path, as the first of the calls names it.
    pub path: String,
    /// Calls that name it.
    pub calls: u64,
    /// Those of them that read it.
    pub reads: u64,
    /// Tokens of the calls and their results.
    pub tokens: u64,
    /// Tokens of the reads that a later one makes needless.
    pub duplicates: u64,
}

/// Gathers what calls and results cost.
#[derive(Default)]
struct Spending<'a> {
    folder: Option<&'a str>,
    calls: HashMap<&'a str, Call<'a>>,
    tools: BTreeMap<&'a str, ToolUse>,
    files: BTreeMap<PathBuf, FileUse>,
    reads: BTreeMap<PathBuf, Vec<Read<'a>>>,
}

/// A call that results may answer.
struct Call<'a> {
    tool: &'a str,
    input: &'a str,
    file: Option<PathBuf>,
    /// Whether it names nothing but the file, and so is about all of it.
    whole: bool,
}

/// A read of a file, or of a part of it.
struct Read<'a> {
    input: &'a str,
    whole: bool,
    tokens: u64,
}

impl<E: Estimate> Meter<E> {
    /// What the visible part of a conversation is spent on, in tokens as they are billed.
    pub fn breakdown(&mut self, conversation: &Conversation, how: &Measuring<'_>) -> Breakdown {
        let learnt = model(conversation, how).and_then(|model| self.learnt(model));
        let mut spending = Spending {
            folder: how.folder,
            ..Spending::default()
        };
        for message in conversation.visible() {
            for block in &message.blocks {
                match block.kind() {
                    Kind::ToolCall { id, name } => {
                        let tokens = scaled(self.estimate().block(block), learnt);
                        spending.call(id, name, block, tokens);
                    }
                    Kind::ToolResult { call, .. } => {
                        let marker = how.edits.and_then(|edits| edits.cleared(&message.id, call));
                        let tokens = match marker {
                            Some(marker) => self.estimate().text(marker),
                            None => self
                                .cache()
                                .result(call, block.json().len())
                                .unwrap_or_else(|| self.estimate().block(block)),
                        };
                        spending.result(call, scaled(tokens, learnt));
                    }
                    _ => {}
                }
            }
        }
        spending.breakdown()
    }
}

impl<'a> Spending<'a> {
    fn call(&mut self, id: &'a str, tool: &'a str, block: &'a Block, tokens: u64) {
        let input = block.input().unwrap_or_default();
        let arguments: Option<Map<String, Value>> = serde_json::from_str(input).ok();
        let path = block.file();
        let file = path.as_deref().map(|path| one_name(self.folder, path));
        let used = self.tool(tool);
        used.calls += 1;
        used.requests += tokens;
        if let (Some(file), Some(path)) = (&file, &path) {
            let used = self.file(file, path);
            used.calls += 1;
            used.reads += u64::from(READERS.contains(&tool));
            used.tokens += tokens;
        }
        let call = Call {
            tool,
            input,
            file,
            whole: arguments.is_some_and(|arguments| arguments.len() == 1),
        };
        self.calls.insert(id, call);
    }

    fn result(&mut self, id: &str, tokens: u64) {
        let Some(call) = self.calls.remove(id) else {
            self.tool("").results += tokens;
            return;
        };
        self.tool(call.tool).results += tokens;
        let Some(file) = call.file else { return };
        self.file(&file, "").tokens += tokens;
        if READERS.contains(&call.tool) {
            let read = Read {
                input: call.input,
                whole: call.whole,
                tokens,
            };
            self.reads.entry(file).or_default().push(read);
        }
    }

    fn tool(&mut self, name: &'a str) -> &mut ToolUse {
        self.tools.entry(name).or_insert_with(|| ToolUse {
            name: name.to_owned(),
            calls: 0,
            requests: 0,
            results: 0,
        })
    }

    fn file(&mut self, file: &Path, path: &str) -> &mut FileUse {
        let used = self.files.entry(file.to_owned());
        used.or_insert_with(|| FileUse {
            path: path.to_owned(),
            calls: 0,
            reads: 0,
            tokens: 0,
            duplicates: 0,
        })
    }

    fn breakdown(mut self) -> Breakdown {
        for (file, reads) in std::mem::take(&mut self.reads) {
            self.file(&file, "").duplicates = needless(&reads);
        }
        let mut tools: Vec<ToolUse> = self.tools.into_values().collect();
        tools.sort_by_key(|tool| Reverse(tool.requests + tool.results));
        let mut files: Vec<FileUse> = self.files.into_values().collect();
        files.sort_by_key(|file| Reverse(file.tokens));
        Breakdown { tools, files }
    }
}

/// One name for every spelling of a path, by its text alone: absolute where the folder is known, without `.` and `..`.
fn one_name(folder: Option<&str>, path: &str) -> PathBuf {
    let whole = Path::new(folder.unwrap_or_default()).join(path);
    let mut name = PathBuf::new();
    for part in whole.components() {
        match part {
            Component::CurDir => {}
            // Above where a relative path begins nothing is known.
            Component::ParentDir
                if matches!(name.components().next_back(), Some(Component::Normal(_))) =>
            {
                name.pop();
            }
            Component::ParentDir if name.has_root() => {}
            part => name.push(part),
        }
    }
    name
}

/// Tokens of the reads behind which the same, or the whole file, was read again.
fn needless(reads: &[Read<'_>]) -> u64 {
    let mut later: &[Read<'_>] = reads;
    let mut tokens = 0;
    while let Some((read, rest)) = later.split_first() {
        later = rest;
        if later
            .iter()
            .any(|again| again.whole || again.input == read.input)
        {
            tokens += read.tokens;
        }
    }
    tokens
}
