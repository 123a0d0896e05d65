//! A server with a script, and models behind it.

use std::time::Duration;

use memdir_conversation::{Flattening, Message, flatten};
use memdir_model::{
    Anthropic, Body, Cancel, Catalogue, Error, Key, Model, OpenAi, Reply, Request, Times,
};
use memdir_testkit::server::{Script, Server};
use serde_json::{Value, json};

/// A key that is searched for wherever something is printed.
pub(crate) const KEY: &str = "sk-ant-api03-seeded-7Qx1";
/// Words of the user that are searched for in the same places.
pub(crate) const WORDS: &str = "the heron nests at dawn";

pub(crate) struct Scene {
    pub(crate) server: Server,
}

impl Scene {
    /// Steps of a script, each a JSON object.
    pub(crate) fn new(steps: &[Value]) -> Self {
        Self::with(json!({"step": steps}))
    }

    pub(crate) fn with(script: Value) -> Self {
        let script = Script::from_value(script).unwrap();
        Self {
            server: Server::start(script).unwrap(),
        }
    }

    pub(crate) fn anthropic(&self, name: &str) -> Anthropic {
        let key = Key::from_variable("ANTHROPIC_API_KEY", KEY).unwrap();
        let facts = Catalogue::built_in().facts(name);
        Anthropic::new(name, &self.server.url(), Some(&key), facts, times()).unwrap()
    }

    pub(crate) fn openai(&self, name: &str) -> OpenAi {
        let key = Key::from_variable("OPENAI_API_KEY", KEY).unwrap();
        let facts = Catalogue::built_in().facts(name);
        let address = format!("{}/v1/", self.server.url());
        OpenAi::new(name, &address, Some(&key), facts, times()).unwrap()
    }

    /// One model of each API.
    pub(crate) fn both(&self) -> [Box<dyn Model>; 2] {
        [
            Box::new(self.anthropic("claude-sonnet-4-6")),
            Box::new(self.openai("gpt-5-mini")),
        ]
    }
}

/// Short times: what takes long here never ends.
pub(crate) fn times() -> Times {
    Times {
        connect: Duration::from_secs(5),
        first_byte: Duration::from_secs(5),
        idle: Duration::from_secs(5),
        whole: Duration::from_secs(60),
        pause: Duration::from_millis(1),
        longest_pause: Duration::from_millis(2),
    }
}

/// The bytes of a plain question.
pub(crate) fn question(model: &dyn Model) -> Body {
    let said = Message::user("1", WORDS);
    let flat = flatten(&[&said], &Flattening::default());
    model.body(&Request::new(&flat, 500)).unwrap()
}

/// Asks a plain question.
pub(crate) fn ask(model: &dyn Model) -> Result<Reply, Error> {
    model.send(&question(model), &Cancel::new())?.whole()
}

/// What became of a question, in a line.
pub(crate) fn outcome(model: &dyn Model) -> String {
    match ask(model) {
        Ok(reply) => format!("{:?} {}", reply.words(), reply.billed.usage.output),
        Err(error) => format!("{error:?}"),
    }
}
