//! The memories for every agent that speaks the Model Context Protocol, over standard input and output.
//!
//! `protocol` is the only module that knows how the protocol is spoken; behind it are plain functions: `tools`,
//! `resources` and `prompts` answer about a `Room`, the memories of one project, and `Desk` knows which project that is.

mod desk;
mod people;
mod prompts;
mod protocol;
mod refusal;
mod resources;
mod room;
mod roots;
mod shown;
mod tools;
mod watch;

use std::io;
use std::sync::Arc;

use memdir_recall::Finder;
use memdir_session::Home;
use memdir_store::Environment;

/// Finds the memories of an environment, and how they are searched; or says why there are none.
pub type Find = dyn Fn(Environment) -> Result<(Home, Finder), String> + Send + Sync;

/// What a server is started with.
pub struct Start {
    /// Where it was started, and with what.
    pub environment: Environment,
    /// Whether the user said which memories are meant, so that no client is asked.
    pub is_told: bool,
    /// Finds the memories of a project.
    pub find: Arc<Find>,
}

/// Answers a client until it goes away.
///
/// # Errors
///
/// When the system gives us no threads or no pipes.
pub fn serve(start: Start) -> io::Result<()> {
    let desk = Arc::new(desk::Desk::new(start));
    protocol::serve(desk)
}
