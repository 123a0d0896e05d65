//! `memdir chat`, as somebody in front of a terminal meets it, and as a script does.

mod agents;
mod commands;
mod days;
mod faults;
mod once;
mod permissions;
mod providers;
mod pty;
mod resumed;
mod turns;

use std::fs;

use memdir_testkit::Program;
use memdir_testkit::server::{Script, Server};
use serde_json::{Value, json};

use crate::fixture::Fixture;
use pty::Pty;

pub(crate) const KEY: &str = "sk-ant-api03-seeded-7Qx1";

/// A home with a model in it that answers from a script.
pub(crate) struct Scene {
    pub(crate) server: Server,
    pub(crate) fixture: Fixture,
}

impl Scene {
    /// `steps` is what the model answers; in it `ROOT` is the folder of the test, `SLUG` its project under home.
    pub(crate) fn new(steps: Value) -> Scene {
        Scene::with(json!({"keys": [KEY], "step": steps}))
    }

    pub(crate) fn with(script: Value) -> Scene {
        let fixture = Fixture::new();
        let root = fixture.sandbox.root().to_str().unwrap().to_owned();
        let memory = fixture.memory_dir();
        let slug = memory
            .parent()
            .unwrap()
            .file_name()
            .unwrap()
            .to_str()
            .unwrap();
        let script = script
            .to_string()
            .replace("ROOT", &root)
            .replace("SLUG", slug);
        let script = Script::from_value(serde_json::from_str(&script).unwrap()).unwrap();
        let server = Server::start(script).unwrap();
        let scene = Scene { server, fixture };
        scene.settings(&scene.server.url(), "");
        scene
    }

    /// The user's settings: the model at this address, and more.
    pub(crate) fn settings(&self, address: &str, more: &str) {
        let home = self.fixture.sandbox.home().join(".claude");
        fs::create_dir_all(&home).unwrap();
        let settings = format!(
            "[models.test]\nprovider = \"anthropic\"\nmodel = \"claude-sonnet-5-5\"\naddress = \"{address}\"\n\
             key_variable = \"ANTHROPIC_API_KEY\"\n\n{more}"
        );
        fs::write(home.join("memdir.toml"), settings).unwrap();
    }

    pub(crate) fn program(&self, words: &[&str]) -> Program {
        let words: Vec<&str> = ["chat"].iter().chain(words).copied().collect();
        self.fixture
            .program(&words)
            .env("ANTHROPIC_API_KEY", KEY)
            .filter(r"127\.0\.0\.1:\d+", "[SERVER]")
            .filter(
                "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
                "[ID]",
            )
    }

    /// A terminal of the usual size in which it runs.
    pub(crate) fn open(&self, words: &[&str]) -> Pty {
        let mut pty = Pty::start(&self.program(words), 80, 24);
        pty.wait_for_prompt();
        pty
    }

    /// A screen without what differs from run to run.
    pub(crate) fn plain(&self, screen: &str) -> String {
        let root = self.fixture.sandbox.root().to_str().unwrap().to_owned();
        let dashed = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        let slug: String = root.chars().map(dashed).collect();
        without_ids(&screen.replace(&root, "[ROOT]").replace(&slug, "[SLUG]"))
    }

    /// What the server was asked, each as text.
    pub(crate) fn asked(&self) -> Vec<String> {
        let exchanges = self.server.settled();
        for exchange in &exchanges {
            assert!(exchange.violations.is_empty(), "{:?}", exchange.violations);
        }
        let bodies = exchanges.iter().map(|exchange| exchange.body.clone());
        bodies
            .map(|body| String::from_utf8(body).unwrap())
            .collect()
    }
}

/// A text in which every name of a conversation stands as `[ID]`.
fn without_ids(text: &str) -> String {
    const FORM: &str = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
    let characters: Vec<char> = text.chars().collect();
    let is_id = |part: &[char]| {
        part.len() == FORM.len()
            && part
                .iter()
                .zip(FORM.chars())
                .all(|(found, form)| match form {
                    '-' => *found == '-',
                    _ => found.is_ascii_hexdigit(),
                })
    };
    let mut out = String::new();
    let mut at = 0;
    while at < characters.len() {
        let end = (at + FORM.len()).min(characters.len());
        if is_id(&characters[at..end]) {
            out.push_str("[ID]");
            at = end;
        } else {
            out.push(characters[at]);
            at += 1;
        }
    }
    out
}
