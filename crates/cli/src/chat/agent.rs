//! Which agent a conversation is had with: kept beside it, so that it goes on with the same memory.

use memdir_memory::AgentScope;
use memdir_session::{Agent, Home};
use memdir_store::{PlainName, Record, RecordError, Records};
use serde::{Deserialize, Serialize};

/// An agent as it is written down.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Kept {
    agent: String,
    scope: String,
}

impl Record for Kept {
    const KIND: &'static str = "chat-agent";
    const VERSION: u64 = 1;
}

/// The agent of a conversation; none where it was had without one.
pub(crate) fn agent_of(home: &Home, name: &str) -> Option<Agent> {
    let (kept, _) = records(home).get::<Kept>(name).ok().flatten()?;
    Some(Agent {
        name: PlainName::new(&kept.agent).ok()?,
        scope: AgentScope::parse(&kept.scope)?,
    })
}

/// Writes down whose conversation this is.
pub(crate) fn keep_agent(home: &Home, name: &str, agent: &Agent) -> Result<(), RecordError> {
    let kept = Kept {
        agent: agent.name.as_str().to_owned(),
        scope: agent.scope.as_str().to_owned(),
    };
    records(home)
        .update(name, |_: Option<Kept>| kept.clone())
        .map(drop)
}

fn records(home: &Home) -> Records {
    Records::new(home.store.state_directory())
}
