//! What `memdir chat` costs, through the whole program: from its start to its prompt, and from Enter to the request.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use memdir_testkit::Sandbox;
use memdir_testkit::pty;
use memdir_testkit::server::{Exchange, Script, Server};
use serde_json::json;

use super::figures::{Row, Times};
use super::spawn::{self, NOTHING};

/// Starts, and turns of a conversation.
const FULL: (usize, usize) = (200, 60);
const SMOKE: (usize, usize) = (5, 3);
/// How many memories there are.
const MEMORIES: usize = 1_000;
/// How many times `true` the way to the prompt may take.
const START_MARK: f64 = 5.0;
/// How many times the serialising of a request memory may add before it.
const ADDED_MARK: f64 = 1.0;
/// How much of the input may have to be read anew.
const CACHE_MARK: f64 = 0.1;
/// How long a server waits for a request.
const PATIENCE: Duration = Duration::from_secs(60);
/// What stands where somebody may type.
const PROMPT: &str = "›";
/// What is written when the model has said all.
const LAST_WORDS: &str = "That is all";

/// A home with memories in it, and a model that answers.
struct Scene {
    sandbox: Sandbox,
    server: Server,
}

/// A conversation in a terminal.
struct Talk {
    terminal: File,
    /// Kept, so that the terminal stays when the program is gone.
    _end: OwnedFd,
    child: Child,
    written: String,
}

/// The rows of the table.
pub(super) fn measure(memdir: &Path, smoke: bool) -> Result<(Vec<Row>, String)> {
    let (starts, turns) = if smoke { SMOKE } else { FULL };
    let scene = Scene::new(MEMORIES)?;
    std::env::set_current_dir(scene.sandbox.project())?;

    println!("measuring {starts} starts …");
    let (mut nothing, mut prompt) = (Vec::new(), Vec::new());
    for _ in 0..starts {
        nothing.push(scene.nothing()?);
        let began = Instant::now();
        let mut talk = scene.talk(memdir, &[])?;
        talk.wait_for(PROMPT)?;
        prompt.push(nanoseconds(began.elapsed()));
        talk.end()?;
    }

    println!("measuring {turns} turns with {MEMORIES} memories and without …");
    let other = Scene::new(MEMORIES)?;
    let mut with = scene.talk(memdir, &[])?;
    let mut without = other.talk(memdir, &["--set", "memory.enabled=false"])?;
    for talk in [&mut with, &mut without] {
        talk.wait_for(PROMPT)?;
    }
    let (mut remembering, mut bare) = (Vec::new(), Vec::new());
    let mut written = Vec::new();
    for turn in 0..turns {
        let (took, body) = scene.turn(&mut with, turn)?;
        remembering.push(took);
        bare.push(other.turn(&mut without, turn)?.0);
        written.push(serialising(&body)?);
    }
    let added = remembering.iter().zip(&bare);
    let added: Vec<f64> = added
        .map(|(with, without)| (with - without).max(0.0))
        .collect();
    with.end()?;
    without.end()?;
    let recalled = scene.recalled();
    ensure!(recalled > 0, "no memory was ever recalled");

    // The first one finds nothing in the cache, and its table of tokens may still be loading.
    let later = |list: Vec<f64>| Times::of(list.into_iter().skip(1).collect());
    let rows = vec![
        Row::times(
            format!(
                "from the start of `memdir chat` to its prompt, in a terminal, against `{NOTHING}`"
            ),
            Times::of(nothing),
            Times::of(prompt),
            START_MARK,
        ),
        Row::unmarked_times(
            format!(
                "from Enter to the request at the server, {MEMORIES} memories, against memory switched off"
            ),
            later(bare),
            later(remembering),
        ),
        Row::times(
            "what memory adds from Enter to the request, against serialising that request"
                .to_owned(),
            later(written),
            later(added),
            ADDED_MARK,
        ),
        Row::share(
            "input that the provider read anew from the second request on, with memory".to_owned(),
            scene.read_anew()?,
            Some(CACHE_MARK),
        ),
        Row::share(
            "the same with memory switched off".to_owned(),
            other.read_anew()?,
            Some(CACHE_MARK),
        ),
    ];
    let note = format!(
        "{turns} turns each, by turns; the last request carries {recalled} recalled memories."
    );
    println!("{note}");
    Ok((rows, note))
}

impl Scene {
    fn new(memories: usize) -> Result<Self> {
        let text =
            "The answer to this is short, and it has a list:\n\n- one\n- two\n\nThat is all.";
        let script = json!({"step": [{"reply": [{"text": text}]}]});
        let server = Server::start(Script::from_value(script)?)?;
        let sandbox = Sandbox::new()?;
        let home = sandbox.home().join("memdir-home");
        let project = sandbox.project();
        let dashed = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        let slug: String = project.to_string_lossy().chars().map(dashed).collect();
        let memory = home.join("projects").join(slug).join("memory");
        fs::create_dir_all(&memory)?;
        let mut index = String::new();
        for number in 0..memories {
            let (name, what) = topic(number);
            let text = format!(
                "---\nname: {name}\ndescription: {what}\nmetadata:\n  type: project\n---\n\n{what}. It was decided in spring, \
                 and holds until somebody says otherwise.\n"
            );
            fs::write(memory.join(format!("project_{name}.md")), text)?;
            if number < 150 {
                index.push_str(&format!("- [{name}](project_{name}.md) — {what}\n"));
            }
        }
        fs::write(memory.join("MEMORY.md"), index)?;
        let settings = format!(
            "[models.test]\nprovider = \"anthropic\"\nmodel = \"claude-sonnet-5-5\"\naddress = \"{}\"\n\
             key_variable = \"ANTHROPIC_API_KEY\"\n\n[extraction]\nmode = \"off\"\n",
            server.url()
        );
        fs::write(home.join("memdir.toml"), settings)?;
        Ok(Self { sandbox, server })
    }

    /// How long a program that does nothing takes in a terminal.
    fn nothing(&self) -> Result<f64> {
        let began = Instant::now();
        let mut talk = self.talk(Path::new(NOTHING), &[])?;
        ensure!(talk.child.wait()?.success(), "{NOTHING} failed");
        Ok(nanoseconds(began.elapsed()))
    }

    fn talk(&self, program: &Path, words: &[&str]) -> Result<Talk> {
        let home = self.sandbox.home().join("memdir-home");
        let words: Vec<&str> = ["chat"].iter().chain(words).copied().collect();
        let mut command = spawn::command(program, &words, &home, self.sandbox.home().as_ref());
        command
            .env("ANTHROPIC_API_KEY", "sk-test")
            .env("TERM", "xterm-256color");
        Talk::start(&mut command)
    }

    /// A whole turn; how long it took from Enter to the request, and the request.
    fn turn(&self, talk: &mut Talk, number: usize) -> Result<(f64, Vec<u8>)> {
        let before = self.requests().len();
        let (_, what) = topic(number * 7 % MEMORIES);
        talk.press(&format!("What was decided about this: {what}?"))?;
        // What was typed is on the screen before Enter is pressed.
        talk.wait_for("?")?;
        let enter = Instant::now();
        talk.press("\r")?;
        let came = self.server.wait_until(PATIENCE, |all| count(all) > before);
        ensure!(came, "no request came; the terminal has\n{}", talk.written);
        talk.wait_for(LAST_WORDS)?;
        talk.wait_for(PROMPT)?;
        let requests = self.requests();
        let request = requests.get(before).context("the request is gone")?;
        let took = nanoseconds(request.arrived.duration_since(enter));
        Ok((took, request.body.clone()))
    }

    fn requests(&self) -> Vec<Exchange> {
        let all = self.server.exchanges().into_iter();
        all.filter(is_request).collect()
    }

    /// How many recalled memories the last request carries.
    fn recalled(&self) -> usize {
        let requests = self.requests();
        let last = requests.last().map(|request| request.body.clone());
        let last = String::from_utf8_lossy(&last.unwrap_or_default()).into_owned();
        last.matches("Memory (saved").count()
    }

    /// The share of the input that was not read from the cache, from the second request on.
    fn read_anew(&self) -> Result<f64> {
        let (mut read, mut all) = (0, 0);
        for request in self.requests().iter().skip(1) {
            ensure!(request.violations.is_empty(), "{:?}", request.violations);
            let usage = request.usage.as_ref().context("a request has no bill")?;
            read += usage.cache_read;
            all += usage.whole_input();
        }
        ensure!(all > 0, "there was only one request");
        Ok(1.0 - read as f64 / all as f64)
    }
}

impl Talk {
    fn start(command: &mut Command) -> Result<Self> {
        let (terminal, end) = pty::open(100, 30)?;
        let child = command
            .stdin(end.try_clone()?)
            .stdout(end.try_clone()?)
            .stderr(end.try_clone()?)
            .spawn()?;
        Ok(Self {
            terminal,
            _end: end,
            child,
            written: String::new(),
        })
    }

    fn press(&mut self, keys: &str) -> Result<()> {
        self.written.clear();
        Ok(self.terminal.write_all(keys.as_bytes())?)
    }

    /// Reads until this was written.
    fn wait_for(&mut self, text: &str) -> Result<()> {
        let mut buffer = [0; 4096];
        loop {
            if let Some((_, rest)) = self.written.split_once(text) {
                self.written = rest.to_owned();
                return Ok(());
            }
            let read = self.terminal.read(&mut buffer)?;
            if read == 0 {
                bail!("the terminal is gone; it had\n{}", self.written);
            }
            let bytes = buffer.get(..read).unwrap_or_default();
            self.written.push_str(&String::from_utf8_lossy(bytes));
        }
    }

    /// Ends it, as Ctrl-D does.
    fn end(mut self) -> Result<()> {
        self.press("\u{4}")?;
        // What it writes at the end has to go somewhere.
        let mut terminal = self.terminal.try_clone()?;
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(1..) = terminal.read(&mut buffer) {}
        });
        let ended = self.child.wait()?;
        ensure!(ended.success(), "memdir chat ended with {ended}");
        Ok(())
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        // It has ended, unless something failed before.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A memory by its number: its name, and what it says.
fn topic(number: usize) -> (String, String) {
    const THINGS: [&str; 10] = [
        "parser",
        "queue",
        "ledger",
        "scheduler",
        "renderer",
        "importer",
        "billing",
        "search",
        "session",
        "mailer",
    ];
    const DEEDS: [&str; 10] = [
        "retries", "timeouts", "batches", "limits", "owners", "releases", "backups", "metrics",
        "names", "formats",
    ];
    let pick =
        |list: &[&'static str], at: usize| list.get(at % list.len()).copied().unwrap_or_default();
    let (thing, deed) = (pick(&THINGS, number), pick(&DEEDS, number / 10));
    (
        format!("{thing}_{deed}_{number}"),
        format!("The {deed} of the {thing} are set to level {number}"),
    )
}

/// How long it takes to write a request as JSON, by serde_json and as this program is built.
fn serialising(body: &[u8]) -> Result<f64> {
    let request: serde_json::Value = serde_json::from_slice(body)?;
    let began = Instant::now();
    let written = serde_json::to_vec(&request)?;
    let took = began.elapsed();
    ensure!(!written.is_empty(), "nothing was written");
    Ok(nanoseconds(took))
}

fn is_request(exchange: &Exchange) -> bool {
    exchange.path == "/v1/messages"
}

fn count(all: &[Exchange]) -> usize {
    all.iter().filter(|exchange| is_request(exchange)).count()
}

fn nanoseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e9
}
