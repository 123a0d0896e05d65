//! A home, a project, a server, and a conversation that a fork is made of.

use std::path::PathBuf;
use std::sync::Arc;

use jiff::Timestamp;
use memdir_agent::Meter;
use memdir_agent::dream::{Asked, DreamError, Dreamer, Dreamt, Progress};
use memdir_agent::extract::{ExtractError, Extractor, Report, Talk};
use memdir_agent::keep::Keeper;
use memdir_agent::origin::Trust;
use memdir_conversation::{Block, Flattening, Message, flatten};
use memdir_model::{Anthropic, Body, Cancel, Catalogue, Key, Model, Request, Times};
use memdir_settings::Mode;
use memdir_store::ledger::{Budget, Ledger};
use memdir_store::{Author, Reason, SecretPolicy, Store};
use memdir_testkit::server::{Exchange, Script, Server};
use memdir_tools::TOOLS;
use serde_json::{Value, json};

pub(crate) const MODEL: &str = "claude-sonnet-5-5";
const SYSTEM: &str = "You are an agent that helps with code.";

pub(crate) struct Scene {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) server: Server,
    pub(crate) store: Store,
    pub(crate) mode: Mode,
    pub(crate) team: bool,
    pub(crate) system: String,
    pub(crate) meter: Meter,
}

/// A conversation whose last request was sent.
pub(crate) struct Parent {
    pub(crate) body: Body,
    pub(crate) messages: Vec<Message>,
}

impl Scene {
    pub(crate) fn new() -> Self {
        let folder = memdir_testkit::temporary_folder().unwrap();
        let root = folder.path().canonicalize().unwrap();
        std::fs::create_dir(root.join("work")).unwrap();
        let store = Store::new(root.join("memory"), root.join("state"))
            .at("2026-11-16T08:00:00Z".parse().unwrap());
        store.ensure(false).unwrap();
        let meter = Meter {
            ledger: Ledger::new(root.join("home")),
            budget: Budget {
                daily_nano_usd: 1_000_000_000_000_000,
                floor_per_mille: 0,
                no_spend: false,
            },
            project: "/home/ada/app".to_owned(),
            day: "2026-11-16T00:00:00Z".parse().unwrap(),
            tally: memdir_agent::Tally::default(),
            now: || -> Timestamp { "2026-11-16T08:00:00Z".parse().unwrap() },
        };
        Self {
            folder,
            server: Server::start(Script::default()).unwrap(),
            store,
            mode: Mode::Auto,
            team: false,
            system: SYSTEM.to_owned(),
            meter,
        }
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap()
    }

    /// A text of a script, with the folders in it that are meant.
    pub(crate) fn placed(&self, value: &Value) -> Value {
        let root = self.root();
        let text = value.to_string().replace("ROOT", root.to_str().unwrap());
        serde_json::from_str(&text).unwrap()
    }

    pub(crate) fn memory(&self, name: &str, content: &str) {
        let path = self.root().join("memory").join(name);
        std::fs::write(&path, content).unwrap();
        let file = std::fs::File::options().write(true).open(path).unwrap();
        let then = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_790_000_000);
        file.set_modified(then).unwrap();
    }

    pub(crate) fn script(&self, steps: Value) {
        let script = json!({ "step": self.placed(&steps) });
        self.server.set_script(Script::from_value(script).unwrap());
    }

    pub(crate) fn model(&self, name: &str) -> Anthropic {
        let key = Key::from_variable("ANTHROPIC_API_KEY", "sk-test").unwrap();
        let facts = Catalogue::built_in().facts(name);
        let times = Times {
            pause: std::time::Duration::from_millis(1),
            ..Times::default()
        };
        Anthropic::new(name, &self.server.url(), Some(&key), facts, times).unwrap()
    }

    /// Sends the conversation's own request and appends the reply.
    pub(crate) fn talk(&self, model: &Anthropic, mut messages: Vec<Message>) -> Parent {
        let visible: Vec<&Message> = messages.iter().collect();
        let flat = flatten(&visible, &Flattening::default());
        let tools: Vec<Arc<str>> = TOOLS
            .iter()
            .map(|tool| {
                let schema: Value = serde_json::from_str(tool.schema).unwrap();
                let tool = json!({"name": tool.name, "description": tool.description, "input_schema": schema});
                tool.to_string().into()
            })
            .collect();
        let system = [Block::from_json(
            &json!({"type": "text", "text": self.system, "cache_control": {"type": "ephemeral"}})
                .to_string(),
        )
        .unwrap()];
        let last = flat.messages.len() - 1;
        let request = Request {
            system: &system,
            tools: &tools,
            marks: &[last],
            ..Request::new(&flat, 64_000)
        };
        let body = model.body(&request).unwrap();
        let reply = model.send(&body, &Cancel::new()).unwrap().whole().unwrap();
        messages.push(reply.into_message("reply", None));
        Parent { body, messages }
    }

    /// Looks at the whole conversation.
    pub(crate) fn extract(
        &self,
        model: &dyn Model,
        messages: &[Message],
        parent: Option<&Body>,
    ) -> Result<Report, ExtractError> {
        self.extract_last(messages.len(), model, messages, parent)
    }

    /// Looks at the last so many messages of the conversation.
    pub(crate) fn extract_last(
        &self,
        last: usize,
        model: &dyn Model,
        messages: &[Message],
        parent: Option<&Body>,
    ) -> Result<Report, ExtractError> {
        let mut reason = Reason::new(Author::Extraction, "extract");
        reason.conversation = Some("talk".to_owned());
        let extractor = Extractor {
            keeper: Keeper {
                store: &self.store,
                mode: self.mode,
                reason,
                secrets: SecretPolicy::Refuse,
                team: self.team,
            },
            model,
            meter: &self.meter,
            folder: &self.root().join("work"),
            trust: Trust::Tracked,
            withheld: &|_| false,
            is_tracked: &|file| file.starts_with("src/"),
            guidelines: None,
            dry_run: false,
        };
        let visible: Vec<&Message> = messages.iter().collect();
        let talk = Talk {
            visible: &visible,
            messages: last,
            parent,
        };
        extractor.extract(&talk, "k7Qm2ZpX", &Cancel::new())
    }

    /// A dream by the rules, or by a model with a prompt of its own; changed by `change` before it begins.
    pub(crate) fn dream(
        &self,
        model: Option<&dyn Model>,
        change: impl FnOnce(&mut Dreamer<'_>),
    ) -> Result<Dreamt, DreamError> {
        self.dream_with(model, None, change, &|_| {})
    }

    /// The same, and somebody watches.
    pub(crate) fn dream_told(
        &self,
        model: Option<&dyn Model>,
        tell: &dyn Fn(&Progress),
    ) -> Result<Dreamt, DreamError> {
        self.dream_with(model, None, |_| {}, tell)
    }

    /// The same, as a fork of a conversation.
    pub(crate) fn dream_of(
        &self,
        model: Option<&dyn Model>,
        talk: Option<Talk<'_>>,
        change: impl FnOnce(&mut Dreamer<'_>),
    ) -> Result<Dreamt, DreamError> {
        self.dream_with(model, talk, change, &|_| {})
    }

    fn dream_with(
        &self,
        model: Option<&dyn Model>,
        talk: Option<Talk<'_>>,
        change: impl FnOnce(&mut Dreamer<'_>),
        tell: &dyn Fn(&Progress),
    ) -> Result<Dreamt, DreamError> {
        let folder = self.root().join("work");
        let asked = model.map(|model| Asked {
            model,
            meter: &self.meter,
            folder: &folder,
            talk,
            trust: Trust::Tracked,
            is_tracked: &|file| file.starts_with("src/"),
            transcripts: &[],
            withheld: &|_| false,
            guidelines: None,
        });
        let mut dreamer = Dreamer {
            store: &self.store,
            mode: self.mode,
            asked,
            logs: false,
            conversation: None,
            max_loss: 25,
            secrets: SecretPolicy::Refuse,
            zone: jiff::tz::TimeZone::UTC,
            force: false,
            dry_run: false,
            now: || -> Timestamp { "2026-11-16T08:00:00Z".parse().unwrap() },
        };
        change(&mut dreamer);
        dreamer.dream(tell, &Cancel::new())
    }

    /// What the server has seen, which broke no rule.
    pub(crate) fn exchanges(&self) -> Vec<Exchange> {
        let exchanges = self.server.settled();
        for exchange in &exchanges {
            assert!(exchange.violations.is_empty(), "{:?}", exchange.violations);
        }
        exchanges
    }

    /// Every file of a folder with its text.
    pub(crate) fn files(&self, folder: &str) -> String {
        let root = self.root().join(folder);
        let mut shown = Vec::new();
        let mut folders = vec![root.clone()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
                let path = entry.path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|end| end == "md") {
                    let name = path.strip_prefix(&root).unwrap().display().to_string();
                    shown.push(format!(
                        "── {name}\n{}",
                        std::fs::read_to_string(&path).unwrap()
                    ));
                }
            }
        }
        shown.sort();
        shown.concat()
    }
}

/// One line about what became of it.
pub(crate) fn told(report: &Report) -> String {
    let kept = &report.kept;
    let waiting: Vec<String> = kept
        .waiting
        .iter()
        .map(|held| format!("{} ({:?})", held.target, held.because))
        .collect();
    let denied: Vec<String> = report
        .denied
        .iter()
        .map(|denied| format!("{} {}: {}", denied.tool, denied.target, denied.reason))
        .collect();
    format!(
        "{:?}, {}; {}; waiting {waiting:?}; refused {:?}; denied {denied:?}",
        report.strategy,
        report.ended,
        report
            .notification()
            .unwrap_or_else(|| "nothing saved".to_owned()),
        kept.refused
            .iter()
            .map(|refused| &refused.why)
            .collect::<Vec<_>>(),
    )
}

/// A memory as a model writes it.
pub(crate) fn topic(
    name: &str,
    kind: &str,
    description: &str,
    evidence: &str,
    body: &str,
) -> String {
    format!(
        "---\nname: {name}\ndescription: {description}\nmetadata:\n  type: {kind}\n  evidence: \"{evidence}\"\n---\n\n{body}\n"
    )
}
