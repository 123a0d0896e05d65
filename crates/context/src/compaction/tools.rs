//! The tools whose results may be cleared and whose calls leave a trace, under the names that clients give them.

/// What a tool does, whatever a client calls it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Tool {
    /// Shows a file.
    Read,
    /// Runs a command.
    Bash,
    /// Searches in files.
    Grep,
    /// Lists files.
    Glob,
    /// Searches the web.
    WebSearch,
    /// Fetches a page.
    WebFetch,
    /// Changes a file.
    Edit,
    /// Writes a file.
    Write,
}

/// Claude Code first, then Codex, Gemini CLI and opencode.
const NAMES: [(&str, Tool); 41] = [
    ("Read", Tool::Read),
    ("Bash", Tool::Bash),
    ("Grep", Tool::Grep),
    ("Glob", Tool::Glob),
    ("WebSearch", Tool::WebSearch),
    ("WebFetch", Tool::WebFetch),
    ("Edit", Tool::Edit),
    ("MultiEdit", Tool::Edit),
    ("NotebookEdit", Tool::Edit),
    ("NotebookRead", Tool::Read),
    ("Write", Tool::Write),
    ("shell", Tool::Bash),
    ("shell_command", Tool::Bash),
    ("local_shell", Tool::Bash),
    ("exec_command", Tool::Bash),
    ("apply_patch", Tool::Edit),
    ("grep_files", Tool::Grep),
    ("list_dir", Tool::Glob),
    ("web_search", Tool::WebSearch),
    ("read_file", Tool::Read),
    ("read_many_files", Tool::Read),
    ("run_shell_command", Tool::Bash),
    ("search_file_content", Tool::Grep),
    ("grep_search", Tool::Grep),
    ("list_directory", Tool::Glob),
    ("google_web_search", Tool::WebSearch),
    ("web_fetch", Tool::WebFetch),
    ("replace", Tool::Edit),
    ("write_file", Tool::Write),
    ("read", Tool::Read),
    ("bash", Tool::Bash),
    ("grep", Tool::Grep),
    ("glob", Tool::Glob),
    ("list", Tool::Glob),
    ("websearch", Tool::WebSearch),
    ("webfetch", Tool::WebFetch),
    ("edit", Tool::Edit),
    ("multiedit", Tool::Edit),
    ("notebookedit", Tool::Edit),
    ("patch", Tool::Edit),
    ("write", Tool::Write),
];

impl Tool {
    /// The tool that a client calls so.
    ///
    /// ```
    /// use memdir_context::compaction::Tool;
    ///
    /// assert_eq!(Tool::named("run_shell_command"), Some(Tool::Bash));
    /// assert_eq!(Tool::named("mcp__tracker__create"), None);
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        NAMES
            .iter()
            .find_map(|(known, tool)| (*known == name).then_some(*tool))
    }
}
