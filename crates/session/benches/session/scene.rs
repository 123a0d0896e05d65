//! A home with memories, and a conversation that has come a long way.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use memdir_conversation::tokens::{Estimate as _, Pairs};
use memdir_conversation::{Block, Usage};
use memdir_model::{Anthropic, Catalogue, Key, Times};
use memdir_session::{Background, Home, Host, Session, Setup};
use memdir_store::{Environment, PlainName};
use memdir_testkit::texts::{Dice, Sort, text};
use memdir_tools::TOOLS;
use serde_json::{Value, json};

use crate::Result;

const MODEL: &str = "claude-sonnet-5-5";
/// What a result of a tool has, in bytes: about a thousand tokens.
const RESULT_BYTES: usize = 3_300;
/// Words that the memories are about, so many for each of two places.
const SUBJECTS: [&str; 20] = [
    "parser",
    "lexer",
    "invoice",
    "customer",
    "deploy",
    "branch",
    "release",
    "database",
    "index",
    "cache",
    "certificate",
    "password",
    "calendar",
    "garden",
    "kitchen",
    "bicycle",
    "printer",
    "compiler",
    "scheduler",
    "backup",
];
const AREAS: [&str; 10] = [
    "berlin",
    "staging",
    "production",
    "mobile",
    "desktop",
    "archive",
    "payroll",
    "reporting",
    "weekend",
    "migration",
];

/// Whether a session has memory.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Memory {
    On,
    Off,
}

pub(crate) struct Scene {
    folder: tempfile::TempDir,
    transcript: PathBuf,
    /// What the conversation has before the first turn that is measured.
    pub(crate) tokens: u64,
}

impl Scene {
    /// Plants memories and a conversation of about so many tokens.
    pub(crate) fn new(tokens: usize, memories: usize) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        for name in ["work", "home"] {
            fs::create_dir(folder.path().join(name))?;
        }
        let mut scene = Self {
            transcript: PathBuf::new(),
            folder,
            tokens: 0,
        };
        let directory = scene.home(Memory::On)?.store.memory_directory().to_owned();
        fs::create_dir_all(&directory)?;
        let mut dice = Dice::new(7);
        let mut index = String::new();
        for number in 0..memories {
            let about = subject(number);
            let name = format!("note_{number:04}");
            let body = text(Sort::Markdown, 300, &mut dice);
            let header = format!(
                "name: {name}\ndescription: {about}, case {number}\nmetadata:\n  type: project"
            );
            fs::write(
                directory.join(format!("{name}.md")),
                format!("---\n{header}\n---\n\nCase {number} of the {about}.\n{body}\n"),
            )?;
            // As many lines as an index may have.
            if number < 200 {
                index.push_str(&format!("- [{name}]({name}.md) — {about}, case {number}\n"));
            }
        }
        fs::write(directory.join("MEMORY.md"), index)?;
        let mut session = scene.start("long", Memory::Off)?;
        scene.tokens = talk(&mut session, tokens as u64)?;
        scene.transcript = session.places().transcript.clone();
        session.close()?;
        // A folder's time vouches for a listing that is a little younger.
        std::thread::sleep(Duration::from_millis(150));
        Ok(scene)
    }

    pub(crate) fn home(&self, memory: Memory) -> Result<Home> {
        let root = self.folder.path().canonicalize()?;
        let home = root.join("home").display().to_string();
        let off = ("CLAUDE_CODE_DISABLE_AUTO_MEMORY".to_owned(), "1".to_owned());
        let off = Some(off).filter(|_| memory == Memory::Off);
        let variables = ["HOME", "MEMDIR_HOME"].map(|name| (name.to_owned(), home.clone()));
        // Nobody works beside what is measured.
        let quiet = ["MEMDIR_DREAM_MODE", "MEMDIR_EXTRACTION_MODE"];
        let quiet = quiet.map(|name| (name.to_owned(), "off".to_owned()));
        let variables = variables.into_iter().chain(quiet).chain(off);
        Ok(Home::find(Environment::new(root.join("work"), variables))?)
    }

    /// A session that goes on with the long conversation, under a name of its own.
    pub(crate) fn start(&self, name: &str, memory: Memory) -> Result<Session> {
        let home = self.home(memory)?;
        if self.transcript.exists() {
            let own = home.places.session(&PlainName::new(name)?).transcript;
            fs::copy(&self.transcript, own)?;
        }
        let key = Key::from_variable("ANTHROPIC_API_KEY", "sk-test")?;
        let facts = Catalogue::built_in().facts(MODEL);
        // Nobody listens there: nothing is sent.
        let model = Anthropic::new(
            MODEL,
            "http://127.0.0.1:9",
            Some(&key),
            facts,
            Times::default(),
        )?;
        let tools = TOOLS.iter().map(|tool| {
            let schema: Value = serde_json::from_str(tool.schema)?;
            let tool =
                json!({"name": tool.name, "description": tool.description, "input_schema": schema});
            Ok(Arc::from(tool.to_string()))
        });
        Ok(Session::start(Setup {
            home,
            host: Host {
                system: vec![Block::text("You are an agent that helps with code.")],
                tools: tools.collect::<Result<_>>()?,
                most_output: 16_000,
                ..Host::default()
            },
            model: Arc::new(model),
            background: Background::default(),
            name: name.to_owned(),
            now: jiff::Timestamp::now,
            zone: jiff::tz::TimeZone::UTC,
        })?)
    }

    /// What the user asks in a turn: something of which there are memories.
    pub(crate) fn question(&self, number: usize) -> String {
        let about = subject(number * 7);
        format!(
            "What did we say about the {about}, case {}?",
            number * 7 % 1_000
        )
    }
}

fn subject(number: usize) -> String {
    let subject = SUBJECTS
        .get(number % SUBJECTS.len())
        .copied()
        .unwrap_or_default();
    let area = number / SUBJECTS.len() % AREAS.len();
    format!(
        "{subject} in {}",
        AREAS.get(area).copied().unwrap_or_default()
    )
}

/// Talks until there are so many tokens: the user asks, the agent reads a file and answers.
fn talk(session: &mut Session, tokens: u64) -> Result<u64> {
    let mut dice = Dice::new(1);
    let mut said = 0;
    let mut number = 0;
    while said < tokens {
        let id = format!("toolu_{number:024x}");
        let input = format!(r#"{{"file_path":"src/part_{number}.rs"}}"#);
        let content = text(Sort::Code, RESULT_BYTES, &mut dice);
        let usage = |output| Usage {
            input: 10_000 + said,
            output,
            ..Usage::default()
        };
        session.user_message(&format!("Please read part number {number} of the program."))?;
        session.replied_with(
            vec![Block::tool_call(&id, "Read", &input)?],
            Some(usage(40)),
        )?;
        session.results(vec![Block::tool_result(&id, &content, false)])?;
        let answer = text(Sort::Markdown, 400, &mut dice);
        said += Pairs.text(&content) + Pairs.text(&answer) + 80;
        session.replied_with(
            vec![Block::text(&answer)],
            Some(Usage {
                input: 10_000 + said,
                output: 120,
                ..Usage::default()
            }),
        )?;
        number += 1;
    }
    Ok(said)
}
