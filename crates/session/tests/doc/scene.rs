// What every example of the documentation begins with: a home, a server that answers from a script, a session.

use std::sync::Arc;

use memdir_model::{Anthropic, Cancel, Catalogue, Key, Reply, Times};
use memdir_session::{Background, Home, Host, Prepared, Session, Setup};
use memdir_store::Environment;
use memdir_testkit::server::{Script, Server};

pub type Problem = Box<dyn std::error::Error>;

pub struct Scene {
    folder: tempfile::TempDir,
    server: Server,
}

impl Scene {
    /// A model that answers with these words, whatever it is asked.
    pub fn new(answer: &str) -> Result<Self, Problem> {
        let script = serde_json::json!({"step": [{"reply": [{"text": answer}]}]});
        Ok(Self {
            folder: memdir_testkit::temporary_folder()?,
            server: Server::start(Script::from_value(script)?)?,
        })
    }

    pub fn setup(&self) -> Result<Setup, Problem> {
        let folder = self.folder.path().canonicalize()?;
        let home = folder.join("home").display().to_string();
        let variables = ["HOME", "MEMDIR_HOME"].map(|name| (name.to_owned(), home.clone()));
        let name = "claude-sonnet-5-5";
        let key = Key::from_variable("ANTHROPIC_API_KEY", "sk-test")?;
        let facts = Catalogue::built_in().facts(name);
        let url = self.server.url();
        let model = Anthropic::new(name, &url, Some(&key), facts, Times::default())?;
        Ok(Setup {
            home: Home::find(Environment::new(&folder, variables))?,
            host: Host::default(),
            model: Arc::new(model),
            background: Background::default(),
            name: "5d1c4e3a-0000-4000-8000-000000000001".to_owned(),
            now: jiff::Timestamp::now,
            zone: jiff::tz::TimeZone::UTC,
        })
    }

    pub fn start(&self) -> Result<Session, Problem> {
        Ok(Session::start(self.setup()?)?)
    }
}

/// Sends a request and takes what comes.
pub fn send(session: &Session, prepared: &Prepared) -> Result<Reply, Problem> {
    Ok(session.model().send(&prepared.body, &Cancel::new())?.whole()?)
}
