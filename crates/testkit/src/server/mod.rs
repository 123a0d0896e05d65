//! A server that speaks the Anthropic Messages API and OpenAI's Chat Completions from a script,
//! refuses what they refuse, keeps a prompt cache and the bill, and fails on demand.
//!
//! ```
//! use memdir_testkit::server::{Script, Server};
//! use std::io::{Read, Write};
//!
//! let server = Server::start(Script::texts(["Hello to you."]))?;
//! let body = r#"{"model":"claude-opus-4-8","max_tokens":100,
//!                "messages":[{"role":"user","content":"hello"}]}"#;
//! let mut connection = std::net::TcpStream::connect(server.address())?;
//! write!(
//!     connection,
//!     "POST /v1/messages HTTP/1.1\r\nhost: test\r\nx-api-key: k\r\n\
//!      anthropic-version: 2023-06-01\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
//!     body.len()
//! )?;
//! let mut answer = String::new();
//! connection.read_to_string(&mut answer)?;
//! assert!(answer.contains("Hello to you."), "{answer}");
//! assert_eq!(server.totals().answered, 1);
//! # Ok::<(), std::io::Error>(())
//! ```

mod anthropic;
mod bill;
mod cache;
mod catalogue;
mod connection;
mod control;
mod delivery;
mod dialects;
mod events;
mod http;
mod openai;
mod record;
mod refusal;
mod reply;
mod routes;
mod script;
mod selection;
mod state;
pub mod tokens;

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

pub use bill::{Totals, Usage};
pub use record::{End, Exchange};
pub use script::{
    Block, ClockKind, Drip, ErrorEvent, Fault, ModelSettings, Script, Silence, Step, When,
};

use connection::Listener;
use state::Shared;

/// How long [`Server::settled`] waits: long enough for any machine, short enough to see a fault.
const PATIENCE: Duration = Duration::from_secs(30);

/// A script that cannot be read.
#[derive(Debug)]
pub enum ScriptError {
    /// What is wrong with its content.
    Content(String),
    /// The same, with the file.
    File {
        /// Which file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
}

impl fmt::Display for ScriptError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Content(what) => write!(out, "the script is not valid: {what}"),
            Self::File { path, what } => {
                write!(out, "the script {} is not valid: {what}", path.display())
            }
        }
    }
}

impl std::error::Error for ScriptError {}

/// A server under way, on a port of the loopback interface. Dropping it ends it: every connection
/// is closed and every thread is joined.
pub struct Server {
    // Before what its threads use.
    listener: Listener,
    shared: Arc<Shared>,
}

impl Server {
    /// Starts one on a free port.
    pub fn start(script: Script) -> io::Result<Self> {
        Self::on(0, script, None)
    }

    /// Starts one on this port, which tells of every exchange that has ended.
    pub fn observed(
        port: u16,
        script: Script,
        observer: impl Fn(&Exchange) + Send + Sync + 'static,
    ) -> io::Result<Self> {
        Self::on(port, script, Some(Box::new(observer)))
    }

    fn on(port: u16, script: Script, observer: Option<state::Observer>) -> io::Result<Self> {
        let shared = Arc::new(Shared::new(script, observer));
        let listener = Listener::start(port, Arc::clone(&shared))?;
        Ok(Self { listener, shared })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.listener.address
    }

    /// What a client takes for the API's address: `http://127.0.0.1:PORT`. Clients of Chat
    /// Completions want `/v1` behind it.
    pub fn url(&self) -> String {
        format!("http://{}", self.address())
    }

    /// All exchanges so far, those under way included, in the order in which they arrived.
    pub fn exchanges(&self) -> Vec<Exchange> {
        self.shared.lock().exchanges.clone()
    }

    /// What all exchanges came to.
    pub fn totals(&self) -> Totals {
        self.shared.totals()
    }

    /// Puts the clock of the prompt cache forward.
    pub fn advance(&self, time: Duration) {
        self.shared.lock().skipped += time;
    }

    /// Takes another script; the cache, the record and what was sent stay.
    pub fn set_script(&self, script: Script) {
        let mut state = self.shared.lock();
        state.script = script;
        state.used.clear();
    }

    /// Waits until the exchanges are as wanted; `false` if they are not within the time.
    pub fn wait_until(&self, limit: Duration, wanted: impl Fn(&[Exchange]) -> bool) -> bool {
        self.shared.wait(limit, wanted)
    }

    /// All exchanges, once none is under way. A client may have read the last byte of an answer a
    /// moment before the server has written down that it sent it.
    pub fn settled(&self) -> Vec<Exchange> {
        self.wait_until(PATIENCE, |exchanges| {
            exchanges.iter().all(|exchange| exchange.end.is_some())
        });
        self.exchanges()
    }
}
