//! The names of all environment variables that memdir knows, in one place. Those of single settings stand beside
//! them, in [`KEYS`].

use crate::KEYS;

/// How the variables of single settings begin.
const PREFIX: &str = "MEMDIR_";
/// The user's home directory, for `~`.
pub const HOME: &str = "HOME";
/// memdir's own home, stronger than [`CLAUDE_CONFIG_DIR`].
pub const MEMDIR_HOME: &str = "MEMDIR_HOME";
/// Claude Code's home, by default `~/.claude`.
pub const CLAUDE_CONFIG_DIR: &str = "CLAUDE_CONFIG_DIR";
/// The memory directory itself, stronger than any setting.
pub const MEMORY_PATH_OVERRIDE: &str = "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE";
/// What stands in for home above `projects/<slug>/memory`.
pub const REMOTE_MEMORY_DIR: &str = "CLAUDE_CODE_REMOTE_MEMORY_DIR";
/// Remote mode: without [`REMOTE_MEMORY_DIR`] memory is off.
pub const REMOTE: &str = "CLAUDE_CODE_REMOTE";
/// The bare mode of the client: memory is off.
pub const SIMPLE: &str = "CLAUDE_CODE_SIMPLE";
/// True switches memory off, false switches it on.
pub const DISABLE_AUTO_MEMORY: &str = "CLAUDE_CODE_DISABLE_AUTO_MEMORY";
/// True switches all instruction files off.
pub const DISABLE_CLAUDE_MDS: &str = "CLAUDE_CODE_DISABLE_CLAUDE_MDS";
/// True switches every compaction off, also the one that a person asks for.
pub const DISABLE_COMPACT: &str = "DISABLE_COMPACT";
/// True switches off the compaction that happens by itself.
pub const DISABLE_AUTO_COMPACT: &str = "DISABLE_AUTO_COMPACT";
/// At how many per cent of the context compaction happens, where that is earlier than by itself.
pub const AUTOCOMPACT_PERCENT: &str = "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE";
/// What the user's organisation adds to the memory prompt.
pub const EXTRA_GUIDELINES: &str = "CLAUDE_COWORK_MEMORY_EXTRA_GUIDELINES";
/// Codex's home, by default `~/.codex`.
pub const CODEX_HOME: &str = "CODEX_HOME";
/// What stands in for the user's home in Gemini CLI, above `.gemini`.
pub const GEMINI_HOME: &str = "GEMINI_CLI_HOME";
/// Where programs keep their settings, by default `~/.config`; opencode does.
pub const CONFIG_HOME: &str = "XDG_CONFIG_HOME";
/// The folder of the conversation of Claude Code that started us.
pub const PROJECT_DIR: &str = "CLAUDE_PROJECT_DIR";
/// The conversation of Claude Code that started us.
pub const SESSION_ID: &str = "CLAUDE_CODE_SESSION_ID";
/// The user's editor for a full screen, asked before [`EDITOR`].
pub const VISUAL: &str = "VISUAL";
/// The user's editor.
pub const EDITOR: &str = "EDITOR";

/// Variables from which keys of models are read. Only these: what a repository's settings put into the environment can be
/// told apart for names that are known.
pub const MODEL_KEYS: [&str; 12] = [
    ANTHROPIC_KEY,
    OPENAI_KEY,
    "MEMDIR_MODEL_KEY",
    "AZURE_OPENAI_API_KEY",
    "CEREBRAS_API_KEY",
    "DEEPSEEK_API_KEY",
    "FIREWORKS_API_KEY",
    "GEMINI_API_KEY",
    "GROQ_API_KEY",
    "MISTRAL_API_KEY",
    "OPENROUTER_API_KEY",
    "TOGETHER_API_KEY",
];
/// Anthropic's own.
pub const ANTHROPIC_KEY: &str = "ANTHROPIC_API_KEY";
/// OpenAI's own.
pub const OPENAI_KEY: &str = "OPENAI_API_KEY";

/// Variables that choose a path, a command, what an agent is told or whose words something is: a repository must not set
/// any of them.
pub const CHOOSING: [&str; 12] = [
    HOME,
    MEMDIR_HOME,
    CLAUDE_CONFIG_DIR,
    MEMORY_PATH_OVERRIDE,
    REMOTE_MEMORY_DIR,
    EXTRA_GUIDELINES,
    CODEX_HOME,
    GEMINI_HOME,
    CONFIG_HOME,
    SESSION_ID,
    VISUAL,
    EDITOR,
];

/// Those of [`CHOOSING`] that say where files of the user's lie. Where a repository sets one of them to something else
/// than the user has, nothing is read or written until the user has vouched for it.
pub const PLACING: [&str; 8] = [
    HOME,
    MEMDIR_HOME,
    CLAUDE_CONFIG_DIR,
    MEMORY_PATH_OVERRIDE,
    REMOTE_MEMORY_DIR,
    CODEX_HOME,
    GEMINI_HOME,
    CONFIG_HOME,
];

/// Variables that a repository must not set although they choose nothing: it could switch off what the user and
/// whoever administers the machine have to say.
pub const SILENCING: [&str; 1] = [DISABLE_CLAUDE_MDS];

/// Variables that say how often something happens that costs: a repository must not set any of them.
pub const SPENDING: [&str; 1] = [AUTOCOMPACT_PERCENT];

/// Variables that switch memory or compaction on or off: a repository may only switch them off.
pub const SWITCHING: [&str; 5] = [
    SIMPLE,
    DISABLE_AUTO_MEMORY,
    REMOTE,
    DISABLE_COMPACT,
    DISABLE_AUTO_COMPACT,
];

/// Every variable that memdir reads, those of single settings included.
pub fn all() -> impl Iterator<Item = &'static str> {
    let settings = KEYS.iter().map(|key| key.variable);
    CHOOSING
        .into_iter()
        .chain(MODEL_KEYS)
        .chain(SILENCING)
        .chain(SPENDING)
        .chain(SWITCHING)
        .chain(settings)
}

/// Whether the variable sets a single setting.
#[must_use]
pub fn is_setting(name: &str) -> bool {
    name.starts_with(PREFIX) && KEYS.iter().any(|key| key.variable == name)
}

/// Whether memdir reads the variable at all.
#[must_use]
pub fn is_known(name: &str) -> bool {
    name == PROJECT_DIR
        || CHOOSING.contains(&name)
        || MODEL_KEYS.contains(&name)
        || SILENCING.contains(&name)
        || SPENDING.contains(&name)
        || SWITCHING.contains(&name)
        || is_setting(name)
}
