//! What can be typed. What it means is decided by each command.

use std::ffi::OsStr;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use memdir_memory::MemoryType;
use memdir_settings::Assignment;

use crate::commands;

/// The memory of your coding agents: plain Markdown files that you can read, edit, diff and undo.
#[derive(Debug, Parser)]
#[command(
    name = "memdir",
    version,
    propagate_version = false,
    max_term_width = 100,
    subcommand_required = true,
    arg_required_else_help = true
)]
#[command(after_help = "\
Examples:
  memdir remember \"Never push to main on a Friday\"
  memdir list
  memdir edit feedback_never_push_main
  memdir undo

Memories live under ~/.claude, shared with Claude Code. `memdir paths` says where.

Exit codes: 0 done, 1 failed or something found wrong, 2 not understood.")]
struct Program {
    #[command(flatten)]
    place: Place,
}

/// What was typed.
#[derive(Debug)]
pub(crate) struct Arguments {
    pub(crate) place: Place,
    pub(crate) command: Command,
}

impl Arguments {
    /// Reads the command line.
    pub(crate) fn read() -> Result<Arguments, clap::Error> {
        // To build the arguments of every command takes longer than most commands run: where the first word names
        // one, it is built alone.
        let first = std::env::args_os().nth(1);
        let alone = first.as_deref().and_then(OsStr::to_str).and_then(alone);
        let mut program = alone.unwrap_or_else(program);
        let matches = program.try_get_matches_from_mut(std::env::args_os())?;
        let read = || {
            Ok(Arguments {
                place: Place::from_arg_matches(&matches)?,
                command: Command::from_arg_matches(&matches)?,
            })
        };
        read().map_err(|error: clap::Error| error.format(&mut program))
    }
}

/// Whether a word names a command.
pub(crate) fn is_command(word: &OsStr) -> bool {
    word.to_str().and_then(alone).is_some()
}

/// A command as somebody would type it.
pub(crate) fn typed(words: &[&str]) -> Result<Command, clap::Error> {
    let words = std::iter::once("memdir").chain(words.iter().copied());
    let matches = program().try_get_matches_from(words)?;
    Command::from_arg_matches(&matches)
}

/// The program with all its commands.
pub(crate) fn program() -> clap::Command {
    Command::augment_subcommands(Program::command())
}

/// Where to look, and how to answer.
#[derive(Debug, Clone, Default, Args)]
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
    /// A setting for this run alone, such as prompt.style=short; may be given several times
    #[arg(long, global = true, value_name = "KEY=VALUE", value_parser = Assignment::parse)]
    pub(crate) set: Vec<Assignment>,
    /// As if there were no memory: prompts and conversations get the minimum; what you type still works
    #[arg(long, global = true)]
    pub(crate) bare: bool,
    /// Where whoever started this was: settings around it may have set variables
    #[arg(long, global = true, hide = true, value_name = "DIR")]
    pub(crate) started_in: Vec<PathBuf>,
    /// Answer in JSON
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

macro_rules! commands {
    ($($module:ident::$name:ident),* $(,)?) => {
        // Every command; what it is for stands at its arguments. (A doc line would become the program's own help.)
        #[derive(Debug, Subcommand)]
        pub(crate) enum Command {
            $($name(commands::$module::$name)),*
        }

        /// The program with the one command of this name.
        fn alone(name: &str) -> Option<clap::Command> {
            let command = match name {
                $(stringify!($module) => {
                    commands::$module::$name::augment_args(clap::Command::new(stringify!($module)))
                })*
                _ => return None,
            };
            Some(Program::command().subcommand(command))
        }
    };
}

commands! {
    r#try::Try,
    chat::Chat,
    status::Status,
    paths::Paths,
    list::List,
    show::Show,
    recall::Recall,
    why::Why,
    remember::Remember,
    forget::Forget,
    edit::Edit,
    rename::Rename,
    extract::Extract,
    notes::Notes,
    dream::Dream,
    inbox::Inbox,
    accept::Accept,
    reject::Reject,
    import::Import,
    export::Export,
    r#move::Move,
    log::Log,
    index::Index,
    instructions::Instructions,
    history::History,
    diff::Diff,
    undo::Undo,
    purge::Purge,
    prompt::Prompt,
    agents::Agents,
    mcp::Mcp,
    audit::Audit,
    models::Models,
    cost::Cost,
    jobs::Jobs,
    pause::Pause,
    hook::Hook,
    fork::Fork,
    config::Config,
    trust::Trust,
    setup::Setup,
    uninstall::Uninstall,
    doctor::Doctor,
    reindex::Reindex,
    model::Model,
    context::Context,
    transcript::Transcript,
    compact::Compact,
    bench::Bench,
    completions::Completions,
    man::Man,
}

/// Reads a type of memory; anything else is refused with the four that there are.
pub(crate) fn memory_type() -> impl TypedValueParser<Value = MemoryType> {
    PossibleValuesParser::new(MemoryType::ALL.map(MemoryType::as_str))
        .try_map(|word| MemoryType::parse(&word).ok_or("not a type of memory"))
}
