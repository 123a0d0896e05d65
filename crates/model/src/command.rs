//! The user's own agent as a model: text in, text out, one request, every power off.
//!
//! The program starts in an empty folder that is gone afterwards, with the variables that it was handed and none of ours,
//! in a process group of its own. Whoever stops the request ends the whole group. What is asked goes through its input,
//! where nobody else on the machine can read it; only the fixed instructions stand among its arguments.

mod arguments;
mod handed;
mod output;
mod process;

use std::ffi::{OsStr, OsString};
use std::sync::{Arc, Mutex, PoisonError};

use memdir_conversation::wire::Api;
use memdir_conversation::{Kind, Role};
use tokio::sync::mpsc;

pub use arguments::Agent;
pub use handed::Handed;

use crate::answer::{Answer, WAITING};
use crate::http::Times;
use crate::model::{Identity, Model, Pong};
use crate::request::{Beside, Body, Request};
use crate::runtime::Runtime;
use crate::{Cancel, Error, Facts, Price};

/// Variables that are not handed on: ours, and those by which an agent knows that it runs within another.
const KEPT_BACK: [&str; 3] = ["MEMDIR_", "CLAUDE_CODE_", "CLAUDE_PROJECT_DIR"];
const KEPT_BACK_WHOLE: [&str; 1] = ["CLAUDECODE"];
/// Of those, what the agent needs to be let in: whose account it is, and at which provider.
const HANDED_ON: [&str; 4] = [
    "CLAUDE_CODE_OAUTH_TOKEN",
    "CLAUDE_CODE_USE_",
    "CLAUDE_CODE_SKIP_",
    "CLAUDE_CODE_CLIENT_",
];

/// A program of the user's that answers.
pub struct Command {
    agent: Agent,
    identity: Identity,
    times: Times,
    environment: Vec<(OsString, OsString)>,
    runtime: Mutex<Option<Arc<Runtime>>>,
}

impl Command {
    /// An agent, the model it is to use (none for its own choice), and the variables that it gets.
    #[must_use]
    pub fn new<K: AsRef<OsStr>, V: Into<OsString>>(
        agent: Agent,
        model: Option<&str>,
        mut facts: Facts,
        times: Times,
        environment: impl IntoIterator<Item = (K, V)>,
    ) -> Self {
        // What it costs is between the user and the agent's own account.
        facts.price = Some(Price::FREE);
        let environment = environment
            .into_iter()
            .filter(|(name, _)| is_handed_on(name.as_ref()))
            .map(|(name, value)| (name.as_ref().to_owned(), value.into()));
        let own = agent.environment().iter();
        let own = own.map(|(name, value)| ((*name).into(), (*value).into()));
        Self {
            identity: Identity {
                name: model.unwrap_or_default().to_owned(),
                provider: format!("command {}", agent.program()),
                facts,
            },
            agent,
            times,
            environment: environment.chain(own).collect(),
            runtime: Mutex::new(None),
        }
    }

    fn runtime(&self) -> Result<Arc<Runtime>, Error> {
        let mut runtime = self.runtime.lock().unwrap_or_else(PoisonError::into_inner);
        match &*runtime {
            Some(runtime) => Ok(Arc::clone(runtime)),
            None => Ok(Arc::clone(runtime.insert(Runtime::start()?))),
        }
    }

    fn start(
        &self,
        arguments: Vec<OsString>,
        input: Arc<str>,
        form: output::Form,
        cancel: &Cancel,
    ) -> Result<Answer, Error> {
        let runtime = self.runtime()?;
        let (sender, events) = mpsc::channel(WAITING);
        let dropped = Cancel::new();
        let process = process::Process {
            program: self.agent.program().to_owned(),
            arguments,
            environment: self.environment.clone(),
            input,
            most: self.times.whole,
        };
        let stops = [cancel.clone(), dropped.clone()];
        runtime.spawn(process.run(form, stops, sender));
        Ok(Answer::new(events, dropped, runtime))
    }
}

impl Model for Command {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn api(&self) -> Option<Api> {
        None
    }

    fn body(&self, request: &Request<'_>) -> Result<Body, Error> {
        let (asked, beside) = asked_of(request, &self.identity.provider)?;
        let (input, beside) = self.agent.divided(asked, beside);
        let mut body = Body::raw(input.into(), Vec::new(), request.most_output);
        body.beside = beside;
        Ok(body)
    }

    fn send(&self, body: &Body, cancel: &Cancel) -> Result<Answer, Error> {
        let arguments = self.agent.arguments(&self.identity.name, &body.beside)?;
        self.start(arguments, Arc::clone(&body.json), self.agent.form(), cancel)
    }

    fn count(&self, _: &Body, _: &Cancel) -> Result<Option<u64>, Error> {
        Ok(None)
    }

    fn ping(&self, cancel: &Cancel) -> Result<Pong, Error> {
        let version = vec!["--version".into()];
        self.start(version, "".into(), output::Form::Text, cancel)?
            .whole()?;
        Ok(Pong::default())
    }
}

/// The variables are the user's, keys among them, and arguments may hold one: neither is printed.
impl std::fmt::Debug for Command {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.debug_struct("Command")
            .field("identity", &self.identity)
            .finish_non_exhaustive()
    }
}

/// The one question of a request, and what stands beside it.
fn asked_of(request: &Request<'_>, model: &str) -> Result<(String, Beside), Error> {
    if !request.tools.is_empty() {
        return Err(unable(model, "it has no tools here"));
    }
    let [message] = request.messages.messages.as_slice() else {
        return Err(unable(model, "it takes one message, not a conversation"));
    };
    if message.role != Role::User
        || message
            .blocks
            .iter()
            .any(|block| *block.kind() != Kind::Text)
    {
        return Err(unable(model, "it takes words only"));
    }
    let words = |blocks: &mut dyn Iterator<Item = String>| blocks.collect::<Vec<_>>().join("\n\n");
    let system = words(
        &mut request
            .system
            .iter()
            .filter_map(|block| Some(block.words()?.into_owned())),
    );
    let asked = words(
        &mut message
            .blocks
            .iter()
            .filter_map(|block| Some(block.words()?.into_owned())),
    );
    let beside = Beside {
        system,
        schema: request.format.map(|format| format.schema.to_owned()),
    };
    Ok((asked, beside))
}

fn unable(model: &str, what: &'static str) -> Error {
    Error::Unable {
        model: model.to_owned(),
        what,
    }
}

fn is_handed_on(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    if HANDED_ON.iter().any(|prefix| name.starts_with(prefix)) {
        return true;
    }
    !KEPT_BACK.iter().any(|prefix| name.starts_with(prefix))
        && !KEPT_BACK_WHOLE.iter().any(|whole| name == *whole)
}
