//! What can be typed. What it means is decided by each command.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};
use memdir_memory::MemoryType;

use crate::commands;

/// The memory of your coding agents: plain Markdown files that you can read, edit, diff and undo.
#[derive(Debug, Parser)]
#[command(
    name = "memdir",
    version,
    propagate_version = false,
    max_term_width = 100
)]
#[command(after_help = "\
Examples:
  memdir remember \"Never push to main on a Friday\"
  memdir list
  memdir edit feedback_never_push_main
  memdir undo

Memories live under ~/.claude, shared with Claude Code. `memdir paths` says where.

Exit codes: 0 done, 1 failed or something found wrong, 2 not understood.")]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) place: Place,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Where to look, and how to answer.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Options of every command")]
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

/// Every command; what it is for stands at its arguments.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Status(commands::status::Status),
    Paths(commands::paths::Paths),
    List(commands::list::List),
    Show(commands::show::Show),
    Recall(commands::recall::Recall),
    Why(commands::why::Why),
    Remember(commands::remember::Remember),
    Forget(commands::forget::Forget),
    Edit(commands::edit::Edit),
    Rename(commands::rename::Rename),
    Index(commands::index::Index),
    Instructions(commands::instructions::Instructions),
    History(commands::history::History),
    Diff(commands::diff::Diff),
    Undo(commands::undo::Undo),
    Purge(commands::purge::Purge),
    Prompt(commands::prompt::Prompt),
    Agents(commands::agents::Agents),
    Audit(commands::audit::Audit),
    Config(commands::config::Config),
    Trust(commands::trust::Trust),
    Doctor(commands::doctor::Doctor),
    Reindex(commands::reindex::Reindex),
    Bench(commands::bench::Bench),
    Completions(commands::completions::Completions),
    Man(commands::man::Man),
}

/// Reads a type of memory; anything else is refused with the four that there are.
pub(crate) fn memory_type() -> impl TypedValueParser<Value = MemoryType> {
    PossibleValuesParser::new(MemoryType::ALL.map(MemoryType::as_str))
        .try_map(|word| MemoryType::parse(&word).ok_or("not a type of memory"))
}
