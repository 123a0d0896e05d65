//! What can be typed. What it means is decided by each command.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};
use memdir_memory::MemoryType;

use crate::commands;

/// The memory of your coding agents: plain Markdown files that you can read, edit, diff and undo.
#[derive(Debug, Parser)]
#[command(name = "memdir", version, propagate_version = false, max_term_width = 100)]
#[command(after_help = "\
Examples:
  memdir remember \"Never push to main on a Friday\"
  memdir list
  memdir edit feedback_never_push_main
  memdir undo

Memories live under ~/.claude, shared with Claude Code. `memdir paths` says where.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) place: Place,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Where to look, and how to answer.
#[derive(Debug, Clone, Args)]
pub(crate) struct Place {
    /// The project to look at, instead of the one around the current folder
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) project: Option<PathBuf>,
    /// The memory directory itself, wherever it is
    #[arg(long, global = true, value_name = "DIR", conflicts_with = "everywhere")]
    pub(crate) memory_dir: Option<PathBuf>,
    /// The memories that hold for all your projects
    #[arg(long, global = true)]
    pub(crate) everywhere: bool,
    /// Answer in JSON
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// How the memory of this project is doing
    Status(commands::status::Status),
    /// Where everything lives, and why there
    Paths(commands::paths::Paths),
    /// The memories, newest first
    List(commands::list::List),
    /// One memory, whole
    Show(commands::show::Show),
    /// Save something worth keeping
    Remember(commands::remember::Remember),
    /// Remove memories; `undo` brings them back
    Forget(commands::forget::Forget),
    /// Change a memory in your editor
    Edit(commands::edit::Edit),
    /// Give a memory another name
    Rename(commands::rename::Rename),
    /// Check or rebuild MEMORY.md
    Index(commands::index::Index),
    /// Every change, by whom and why
    History(commands::history::History),
    /// What a change did
    Diff(commands::diff::Diff),
    /// Take back a change, or everything since a time
    Undo(commands::undo::Undo),
    /// Really remove memories, from the history too
    Purge(commands::purge::Purge),
    /// Look for secrets, hidden text, near-copies and other faults
    Audit(commands::audit::Audit),
    /// Check that everything works, and say what to do where it does not
    Doctor(commands::doctor::Doctor),
    /// Completions for your shell
    Completions(commands::completions::Completions),
    /// The manual page
    Man(commands::man::Man),
}

/// Reads a type of memory; anything else is refused with the four that there are.
pub(crate) fn memory_type() -> impl TypedValueParser<Value = MemoryType> {
    PossibleValuesParser::new(MemoryType::ALL.map(MemoryType::as_str))
        .try_map(|word| MemoryType::parse(&word).ok_or("not a type of memory"))
}
