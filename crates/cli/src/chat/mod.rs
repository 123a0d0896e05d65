//! `memdir chat`: a plain terminal agent with memory.
//!
//! `talk` is a turn, and the code to copy; `setting` what a conversation is begun with. `once` asks one question and prints
//! the answer. `interactive` is a conversation in a terminal: `prompt` (with `line`, `keys`, `keyboard`, `history`) is where
//! the user types, `screen` (with `markdown`, `inline`, `breaks`, `notice`, `todos`) shows what happens, `permission` asks, `commands` does what
//! begins with a slash, `terminal`, `watch` and `signals` see that all is left as it was found.

mod agent;
mod breaks;
mod commands;
mod conversations;
mod history;
mod inline;
mod interactive;
mod keyboard;
mod keys;
mod line;
mod long_text;
mod markdown;
mod notice;
mod once;
mod permission;
mod prompt;
mod screen;
mod setting;
mod signals;
mod spent;
mod status;
mod talk;
mod terminal;
mod todos;
mod watch;

pub(crate) use agent::agent_of;
pub(crate) use conversations::{Past, Whose, meant, past};
pub(crate) use interactive::{Begin, run};
pub(crate) use once::{Format, Once};
pub(crate) use setting::{Setting, chosen};
