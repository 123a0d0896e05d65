//! The memory prompt: what an agent is told about its memory, in all its variants.

mod line;

use memdir_memory::AgentScope;
use memdir_memory::index::{INDEX_NAME, LINE_CHARACTERS, Loaded, MAX_BYTES, MAX_LINES};
use minijinja::{Value, context};

use crate::fragment::{block, bounded, characters, inline, quoted};
use crate::templates::{PromptError, render};

/// The most that the form for hooks takes without index and extra guidelines, in UTF-16 units as clients count them.
pub const HOOK_CHARACTERS: usize = 4_000;
/// The most that the form for hooks takes with all of it: over 10,000 the client shows a stub instead, and whoever
/// wraps the text needs some room.
pub const HOOK_TOTAL_CHARACTERS: usize = 9_500;
/// The most that is taken of extra guidelines, in bytes.
pub const GUIDELINES_BYTES: usize = 4_096;
/// How many folders of transcripts are named.
const TRANSCRIPT_FOLDERS: usize = 8;
/// What an agent needs to keep a memory.
pub const MEMORY_TOOLS: [&str; 3] = ["Read", "Write", "Edit"];

/// Whose memory it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience<'a> {
    /// One user's, in one project.
    Private,
    /// The same, and a second one in `team/` that the project's people share.
    Team,
    /// A sub-agent's own.
    Agent {
        /// The agent's name.
        name: &'a str,
        /// Whom its memory is for.
        scope: AgentScope,
    },
}

/// How long the fixed part is (`prompt.style`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Style {
    /// All of it, with what each type is for and an example.
    #[default]
    Full,
    /// The same under the same headings in fewer words, for small windows.
    Short,
}

/// What the memory section says about the index, which is sent once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndexPart<'a> {
    /// Nothing: the client loads it by itself.
    Absent,
    /// That it comes with the instruction files.
    Elsewhere,
    /// The index itself, or that it is empty.
    Here(&'a Loaded),
}

/// Everything that the memory section depends on.
///
/// ```
/// use memdir_context::{Audience, IndexPart, MemoryPrompt, Style};
/// use memdir_memory::index::load;
///
/// let index = load(b"- [Role](user_role.md) \xe2\x80\x94 writes Rust\n");
/// let prompt = MemoryPrompt {
///     directory: "/home/ada/.claude/projects/-src-app/memory",
///     audience: Audience::Private,
///     style: Style::Full,
///     daily_log: false,
///     skip_index: false,
///     guidelines: None,
///     index: IndexPart::Here(&index),
/// };
/// let text = prompt.render().unwrap();
/// assert!(text.ends_with("- [Role](user_role.md) — writes Rust\n"));
/// assert_eq!(text, prompt.render().unwrap());
/// ```
#[derive(Debug, Clone, Copy)]
pub struct MemoryPrompt<'a> {
    /// The memory directory.
    pub directory: &'a str,
    /// Whose memory it is.
    pub audience: Audience<'a>,
    /// How long it is.
    pub style: Style,
    /// Whether lines go to a daily log instead of topic files.
    pub daily_log: bool,
    /// Whether the agent leaves the index alone, and is not shown it.
    pub skip_index: bool,
    /// What the user's organisation adds.
    pub guidelines: Option<&'a str>,
    /// Where the index goes.
    pub index: IndexPart<'a>,
}

impl MemoryPrompt<'_> {
    /// The whole section.
    pub fn render(&self) -> Result<String, PromptError> {
        let index = match self.shown_index() {
            IndexPart::Here(loaded) => loaded.to_string(),
            IndexPart::Absent | IndexPart::Elsewhere => String::new(),
        };
        match self.style {
            Style::Full => render("memory.md", self.values(&index)),
            Style::Short => self.short(&index, true, None),
        }
    }

    /// The short form without headings, for hosts that take it by hook; how to search the past is a sentence of it. With the index and the guidelines it stays within
    /// [`HOOK_TOTAL_CHARACTERS`]: the index gets what room there is.
    pub fn render_for_hook(&self, past: Option<&PastContext<'_>>) -> Result<String, PromptError> {
        let hook = |index: &str| self.short(index, false, past);
        let IndexPart::Here(loaded) = self.shown_index() else {
            return hook("");
        };
        let without = characters(&hook("")?);
        let room = HOOK_TOTAL_CHARACTERS.saturating_sub(without);
        hook(&index_within(loaded, room))
    }

    fn short(
        &self,
        index: &str,
        headings: bool,
        past: Option<&PastContext<'_>>,
    ) -> Result<String, PromptError> {
        let transcripts = past.map_or_else(Vec::new, PastContext::folders);
        let search = past.is_some();
        render(
            "short.md",
            context! { headings, search, transcripts, ..self.values(index) },
        )
    }

    fn shown_index(&self) -> IndexPart<'_> {
        match self.skip_index {
            true => IndexPart::Absent,
            false => self.index,
        }
    }

    fn values(&self, index_text: &str) -> Value {
        let directory = inline(self.directory);
        let (agent, scope) = match self.audience {
            Audience::Agent { name, scope } => (inline(name), scope.as_str()),
            Audience::Private | Audience::Team => (String::new(), ""),
        };
        let team = match self.audience {
            Audience::Team => format!("{directory}/team"),
            Audience::Private | Audience::Agent { .. } => String::new(),
        };
        let index = match self.shown_index() {
            IndexPart::Absent => "",
            IndexPart::Elsewhere => "elsewhere",
            IndexPart::Here(loaded) if loaded.text.is_empty() => "empty",
            IndexPart::Here(_) => "here",
        };
        let guidelines = self
            .guidelines
            .map(|text| block(text.trim()))
            .unwrap_or_default();
        context! {
            directory,
            agent,
            scope,
            team,
            daily_log => self.daily_log,
            skip_index => self.skip_index,
            guidelines => bounded(&guidelines, GUIDELINES_BYTES).into_owned(),
            index,
            index_text => block(index_text),
            index_name => INDEX_NAME,
            line_characters => LINE_CHARACTERS,
            max_lines => MAX_LINES,
            max_bytes => thousands(MAX_BYTES),
        }
    }
}

/// The first lines of an index that fit into a number of characters, with the notes that belong to it.
fn index_within(loaded: &Loaded, room: usize) -> String {
    // Escaping makes a text longer, and it is what the client counts.
    let text = block(&loaded.text);
    let warning = loaded
        .warning
        .as_ref()
        .map_or_else(String::new, |warning| format!("\n\n{warning}"));
    let whole = format!("{text}{warning}");
    if characters(&whole) <= room {
        return whole;
    }
    let shown = text.lines().count();
    let note = |kept: usize| {
        format!(
            "\n\n> Only {kept} of the {shown} lines of {INDEX_NAME} fit here. Read the file for the rest.{warning}"
        )
    };
    let mut left = room.saturating_sub(characters(&note(shown)));
    let mut kept = Vec::new();
    for line in text.lines() {
        let needed = characters(line) + 1;
        if needed > left {
            break;
        }
        left -= needed;
        kept.push(line);
    }
    format!("{}{}", kept.join("\n"), note(kept.len()))
        .trim_start_matches('\n')
        .to_owned()
}

/// A number as people read it: `25,000`.
fn thousands(number: usize) -> String {
    match (number / 1000, number % 1000) {
        (0, rest) => rest.to_string(),
        (thousands, rest) => format!("{thousands},{rest:03}"),
    }
}

/// How to search what was said before; a section of its own, before the memory section.
#[derive(Debug, Clone, Copy)]
pub struct PastContext<'a> {
    /// The memory directory.
    pub directory: &'a str,
    /// The folders with transcripts of every start folder of the project.
    pub transcripts: &'a [String],
    /// Whether the host is known to have a tool called Grep.
    pub grep_tool: bool,
}

impl PastContext<'_> {
    /// The section.
    pub fn render(&self) -> Result<String, PromptError> {
        let values = context! {
            directory => inline(self.directory),
            quoted_directory => quoted(self.directory),
            grep_tool => self.grep_tool,
            transcripts => self.folders(),
            more_transcripts => self.transcripts.len().saturating_sub(TRANSCRIPT_FOLDERS),
        };
        render("search.md", values)
    }

    fn folders(&self) -> Vec<Value> {
        let folder = |path: &String| context! { path => inline(path), quoted => quoted(path) };
        self.transcripts
            .iter()
            .take(TRANSCRIPT_FOLDERS)
            .map(folder)
            .collect()
    }
}

/// The section about the folder for temporary files of this conversation.
pub fn scratchpad(folder: &str) -> Result<String, PromptError> {
    render("scratchpad.md", context! { folder => inline(folder) })
}

/// The tools of an agent that has a memory: a restricted list gets those without which it could not keep it.
///
/// ```
/// use memdir_context::tools_with_memory;
///
/// let tools = tools_with_memory(vec!["Bash".into(), "Read".into()]);
/// assert_eq!(tools, ["Bash", "Read", "Write", "Edit"]);
/// ```
#[must_use]
pub fn tools_with_memory(mut tools: Vec<String>) -> Vec<String> {
    let all = tools.iter().any(|tool| tool == "*");
    for needed in MEMORY_TOOLS {
        if !all && !tools.iter().any(|tool| tool == needed) {
            tools.push(needed.to_owned());
        }
    }
    tools
}
