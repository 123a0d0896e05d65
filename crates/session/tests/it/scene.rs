//! A home, a project, a server, and a host that does what a script says.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use crate::gate::{Editing, Gate, Held};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use memdir_agent::Meter;
use memdir_conversation::{Block, Kind};
use memdir_model::{Anthropic, Cancel, Catalogue, Facts, Key, Model, Times};
use memdir_session::{Background, Event, Home, Host, Session, Setup};
use memdir_store::Environment;
use memdir_store::ledger::{Budget, Ledger};
use memdir_testkit::server::{Exchange, Script, Server};
use memdir_tools::TOOLS;
use serde_json::{Value, json};

pub(crate) const MODEL: &str = "claude-sonnet-5-5";
pub(crate) const NAME: &str = "5d1c4e3a-0000-4000-8000-000000000001";

/// Seconds since the beginning; a test moves it on.
static CLOCK: AtomicI64 = AtomicI64::new(0);

fn now() -> Timestamp {
    let begin: Timestamp = "2026-11-16T08:00:00Z".parse().unwrap();
    let seconds = CLOCK.load(Ordering::Relaxed);
    begin + jiff::SignedDuration::from_secs(seconds)
}

pub(crate) struct Scene {
    folder: tempfile::TempDir,
    pub(crate) server: Server,
    pub(crate) extracts: bool,
    pub(crate) takes_notes: bool,
    pub(crate) selects: bool,
    pub(crate) dreams: bool,
    /// Whether the host has tools.
    pub(crate) tools: bool,
    /// What selects, where that is not the model.
    pub(crate) selector: Option<Arc<dyn Model>>,
    /// What extraction has to pass before it asks.
    pub(crate) gate: Gate,
    pub(crate) facts: Facts,
    /// Whether the provider clears old results by itself.
    pub(crate) edits_context: bool,
    pub(crate) variables: Vec<(String, String)>,
}

impl Scene {
    pub(crate) fn new() -> Self {
        let folder = memdir_testkit::temporary_folder().unwrap();
        let scene = Self {
            folder,
            server: Server::start(Script::default()).unwrap(),
            extracts: false,
            takes_notes: false,
            selects: false,
            dreams: false,
            tools: true,
            selector: None,
            gate: Gate::default(),
            facts: Catalogue::built_in().facts(MODEL),
            edits_context: false,
            variables: Vec::new(),
        };
        std::fs::create_dir_all(scene.root().join("work")).unwrap();
        std::fs::create_dir_all(scene.root().join("home")).unwrap();
        scene
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap()
    }

    pub(crate) fn home(&self) -> Home {
        let root = self.root();
        let mut variables = vec![
            ("HOME".to_owned(), root.join("home").display().to_string()),
            (
                "MEMDIR_HOME".to_owned(),
                root.join("home").display().to_string(),
            ),
        ];
        variables.extend(self.variables.iter().cloned());
        Home::find(Environment::new(root.join("work"), variables)).unwrap()
    }

    pub(crate) fn memory(&self, name: &str, content: &str) {
        let folder = self.home().store.memory_directory().to_path_buf();
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(name), content).unwrap();
    }

    /// What the model answers, step by step.
    pub(crate) fn script(&self, steps: Value) {
        let root = self.root();
        let text = steps.to_string().replace("ROOT", root.to_str().unwrap());
        let steps: Value = serde_json::from_str(&text).unwrap();
        let script = Script::from_value(json!({ "step": steps })).unwrap();
        self.server.set_script(script);
    }

    pub(crate) fn model(&self) -> Arc<dyn Model> {
        let key = Key::from_variable("ANTHROPIC_API_KEY", "sk-test").unwrap();
        let times = Times {
            pause: std::time::Duration::from_millis(1),
            ..Times::default()
        };
        let facts = self.facts.clone();
        Arc::new(Anthropic::new(MODEL, &self.server.url(), Some(&key), facts, times).unwrap())
    }

    pub(crate) fn meter(&self) -> Meter {
        Meter {
            ledger: Ledger::new(self.root().join("home/memdir")),
            budget: Budget {
                daily_nano_usd: 1_000_000_000_000_000,
                floor_per_mille: 0,
                no_spend: false,
            },
            project: "/home/ada/app".to_owned(),
            day: "2026-11-16T00:00:00Z".parse().unwrap(),
            tally: memdir_agent::Tally::default(),
            now,
        }
    }

    pub(crate) fn start(&self) -> Session {
        let tools = TOOLS.iter().filter(|_| self.tools).map(|tool| {
            let schema: Value = serde_json::from_str(tool.schema).unwrap();
            let tool =
                json!({"name": tool.name, "description": tool.description, "input_schema": schema});
            tool.to_string().into()
        });
        Session::start(Setup {
            home: self.home(),
            host: Host {
                system: vec![Block::text("You are an agent that helps with code.")],
                tools: tools.collect(),
                most_output: 16_000,
                ..Host::default()
            },
            model: match self.edits_context {
                true => Arc::new(Editing(self.model())),
                false => self.model(),
            },
            background: Background {
                extraction: self.extracts.then(|| -> Arc<dyn Model> {
                    Arc::new(Held {
                        model: self.model(),
                        gate: self.gate.clone(),
                    })
                }),
                dream: self.dreams.then(|| self.model()),
                notes: self.takes_notes.then(|| self.model()),
                selector: match &self.selector {
                    Some(selector) => Some(Arc::clone(selector)),
                    None => self.selects.then(|| self.model()),
                },
                meter: Some(self.meter()),
            },
            name: NAME.to_owned(),
            now,
            zone: TimeZone::UTC,
        })
        .unwrap()
    }

    /// A whole turn: what the user says, and as many requests as the model wants. Tools answer what `tool` says.
    pub(crate) fn turn(
        &self,
        session: &mut Session,
        said: &str,
        tool: impl Fn(&str, &Value) -> String,
    ) -> Vec<Event> {
        let mut events = session.user_message(said).unwrap();
        loop {
            let prepared = session.before_request().unwrap();
            events.extend(prepared.events);
            let model = Arc::clone(session.model());
            let answer = model.send(&prepared.body, &Cancel::new()).unwrap();
            let reply = answer.whole().unwrap();
            let mut results = Vec::new();
            for block in &reply.blocks {
                if let Kind::ToolCall { id, name } = block.kind() {
                    let input = serde_json::from_str(block.input().unwrap()).unwrap();
                    results.push(Block::tool_result(id, &tool(name, &input), false));
                }
            }
            session.replied(reply).unwrap();
            // So that what happens does not depend on who is faster.
            events.extend(session.settle(std::time::Duration::from_secs(60)));
            if results.is_empty() {
                break;
            }
            session.results(results).unwrap();
        }
        events.extend(session.turn_ended().unwrap());
        events
    }

    /// What the server has seen, which broke no rule.
    pub(crate) fn exchanges(&self) -> Vec<Exchange> {
        let exchanges = self.server.settled();
        for exchange in &exchanges {
            assert!(exchange.violations.is_empty(), "{:?}", exchange.violations);
        }
        exchanges
    }

    /// A text without what differs from run to run.
    pub(crate) fn plain(&self, text: &str) -> String {
        let root = self.root().display().to_string();
        let dashed = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        let slug: String = root.chars().map(dashed).collect();
        text.replace(&root, "ROOT").replace(&slug, "-ROOT")
    }
}

/// Events as people see them.
pub(crate) fn shown(events: &[Event]) -> String {
    let lines: Vec<String> = events.iter().map(ToString::to_string).collect();
    lines.join("\n")
}

pub(crate) fn no_tool(name: &str, _: &Value) -> String {
    panic!("{name} was called")
}
