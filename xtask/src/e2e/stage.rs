//! One home with one project, a client in it, and a model server beside.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use memdir_testkit::server::{Script, Server};
use memdir_testkit::{Outcome, Program, Sandbox};
use serde_json::Value;

use super::clients::Clients;
use super::requests::Request;

/// How long is waited for something that happens in the background.
const PATIENCE: Duration = Duration::from_secs(60);
const PAUSE: Duration = Duration::from_millis(100);
/// How long a client may take for one conversation.
const CONVERSATION: Duration = Duration::from_secs(150);

/// What all scenes stand on.
pub(super) struct Ground {
    pub(super) clients: Clients,
    pub(super) program: PathBuf,
    pub(super) folder: PathBuf,
    pub(super) keep: bool,
}

/// The place of one scene.
pub(super) struct Stage<'g> {
    ground: &'g Ground,
    pub(super) sandbox: Sandbox,
    pub(super) server: Server,
    /// The program, under the name that users have it by.
    pub(super) memdir: PathBuf,
}

impl Drop for Stage<'_> {
    fn drop(&mut self) {
        if self.ground.keep {
            println!("  (kept in {})", self.sandbox.root().display());
        } else {
            // What cannot be removed is in the way of nobody.
            let _ = fs::remove_dir_all(self.sandbox.root());
        }
    }
}

impl<'g> Stage<'g> {
    /// A fresh home, and a project that is a git repository with one file.
    pub(super) fn new(ground: &'g Ground, name: &str) -> Result<Stage<'g>> {
        let folder = ground.folder.join(format!("{name}-{}", std::process::id()));
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        let sandbox = Sandbox::within(&folder)?;
        let memdir = sandbox.root().join("bin/memdir");
        fs::create_dir_all(memdir.parent().context("a place for memdir")?)?;
        fs::copy(&ground.program, &memdir).context("copying memdir")?;
        fs::write(
            sandbox.project().join("notes.txt"),
            "The importer reads CSV.\n",
        )?;
        for words in [
            vec!["init", "--quiet", "--initial-branch=main"],
            vec!["add", "."],
            vec![
                "-c",
                "user.name=t",
                "-c",
                "user.email=t@t",
                "commit",
                "--quiet",
                "-m",
                "begin",
            ],
        ] {
            let mut git = Command::new("git");
            let status = git.current_dir(sandbox.project()).args(&words).status()?;
            ensure!(status.success(), "git {words:?}");
        }
        let server = Server::start(Script::default())?;
        Ok(Stage {
            ground,
            sandbox,
            server,
            memdir,
        })
    }

    /// A file in the home.
    pub(super) fn home(&self, file: &str) -> PathBuf {
        self.sandbox.home().join(file)
    }

    /// Writes a file in the home.
    pub(super) fn write(&self, file: &str, text: &str) -> Result<()> {
        let path = self.home(file);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&path, text).with_context(|| format!("writing {}", path.display()))
    }

    /// The text of a file in the home; empty where there is none.
    pub(super) fn read(&self, file: &str) -> String {
        fs::read_to_string(self.home(file)).unwrap_or_default()
    }

    /// Runs memdir, which has to end well.
    pub(super) fn memdir(&self, words: &[&str]) -> Result<String> {
        let outcome = self.try_memdir(words)?;
        ensure!(outcome.success(), "memdir {}: {outcome}", words.join(" "));
        Ok(outcome.stdout())
    }

    pub(super) fn try_memdir(&self, words: &[&str]) -> Result<Outcome> {
        Ok(self.sandbox.program(&self.memdir).args(words).run()?)
    }

    /// Connects a client, with leave to learn from conversations in front of which nobody sits.
    pub(super) fn connect(&self, client: &str, more: &[&str]) -> Result<()> {
        let program = self.memdir.to_str().context("a path that is text")?;
        let mut words = vec!["setup", client, "--program", program, "--yes"];
        words.extend(more);
        self.memdir(&words)?;
        self.memdir(&["config", "set", "extraction.non_interactive", "true"])?;
        Ok(())
    }

    /// A client's program with what every client gets: nothing that calls home, and the address of the server.
    pub(super) fn client(&self, name: &str) -> Program {
        let url = self.server.url();
        let quiet = [
            "DISABLE_TELEMETRY",
            "DISABLE_AUTOUPDATER",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
            "OPENCODE_DISABLE_AUTOUPDATE",
            "OPENCODE_DISABLE_MODELS_FETCH",
            "OPENCODE_DISABLE_LSP_DOWNLOAD",
            "OPENCODE_DISABLE_DEFAULT_PLUGINS",
        ];
        let mut program = self
            .sandbox
            .program(self.ground.clients.program(name))
            .patience(CONVERSATION)
            .env("ANTHROPIC_BASE_URL", &url)
            .env("ANTHROPIC_API_KEY", "dummy")
            .env("MODEL_KEY", "dummy")
            .env("GOOGLE_GEMINI_BASE_URL", &url)
            .env("GEMINI_API_KEY", "dummy")
            .env("GEMINI_CLI_TRUST_WORKSPACE", "true")
            .env("TERM", "xterm-256color")
            // opencode looks for packages first, and would wait for a minute.
            .env("npm_config_fetch_retries", "0");
        for name in quiet {
            program = program.env(name, "1");
        }
        program
    }

    /// What the model answers from now on.
    pub(super) fn script(&self, steps: Value) -> Result<()> {
        let script = Script::from_value(serde_json::json!({"enforce": false, "step": steps}))?;
        self.server.set_script(script);
        Ok(())
    }

    /// Plays a conversation, and what the client sent in it.
    pub(super) fn talk(&self, program: &Program) -> Result<Talk> {
        let from = self.server.exchanges().len();
        let outcome = program.run()?;
        let exchanges = self.server.settled();
        let requests = exchanges.iter().skip(from);
        let requests = requests
            .filter(|exchange| exchange.method == "POST")
            .map(Request::of);
        Ok(Talk {
            requests: requests.collect(),
            outcome,
        })
    }

    /// Waits until the background work of a project is done: everything that was due, and somebody did something since.
    pub(super) fn settle(&self, more_than: usize) -> Result<Jobs> {
        let began = Instant::now();
        loop {
            let jobs = self.jobs()?;
            if jobs.past > more_than && jobs.is_idle {
                return Ok(jobs);
            }
            ensure!(
                began.elapsed() < PATIENCE,
                "background work did not end within {} s\n{}",
                PATIENCE.as_secs(),
                self.diagnosis()
            );
            thread::sleep(PAUSE);
        }
    }

    /// What background work there was and is.
    pub(super) fn jobs(&self) -> Result<Jobs> {
        let told: Value = serde_json::from_str(&self.memdir(&["jobs", "--json"])?)?;
        let past = told.get("past").and_then(Value::as_array);
        let due = told.get("due").and_then(Value::as_array);
        let running = told.get("running");
        Ok(Jobs {
            past: past.map_or(0, Vec::len),
            is_idle: due.is_none_or(Vec::is_empty) && running.is_none_or(Value::is_null),
        })
    }

    /// The memories of the project, as a person sees them.
    pub(super) fn memories(&self) -> Result<String> {
        self.memdir(&["list"])
    }

    /// What Claude Code showed the user alone in a conversation, as its transcript has it.
    pub(super) fn told(&self, session: &str) -> String {
        let projects = fs::read_dir(self.home(".claude/projects"));
        let folders = projects.into_iter().flatten().flatten();
        let texts = folders.filter_map(|folder| {
            fs::read_to_string(folder.path().join(format!("{session}.jsonl"))).ok()
        });
        let lines: Vec<String> = texts
            .flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>())
            .filter(|line| line.contains("hook_system_message") || line.contains("systemMessage"))
            .collect();
        lines.join("\n")
    }

    /// Events that a client fired, as memdir noted them.
    pub(super) fn fired(&self, client: &str) -> Vec<String> {
        let text = self.read(&format!(".claude/memdir/fired/{client}.json"));
        let told: Value = serde_json::from_str(&text).unwrap_or_default();
        let events = told.pointer("/value/events").and_then(Value::as_object);
        events
            .map(|events| events.keys().cloned().collect())
            .unwrap_or_default()
    }

    /// That `memdir doctor` takes a client for connected, by an event that the client itself fired.
    pub(super) fn proven(&self, title: &str) -> Result<(), String> {
        let told = self
            .try_memdir(&["doctor", "--json"])
            .map_err(|error| error.to_string())?;
        let told = told.stdout();
        let report: Value = serde_json::from_str(&told).unwrap_or_default();
        let checks = report.get("checks").and_then(Value::as_array);
        let mut checks = checks.into_iter().flatten();
        let proven = checks.any(|check| {
            let field = |name: &str| check.get(name).and_then(Value::as_str).unwrap_or_default();
            field("check") == title && field("state") == "ok"
        });
        match proven {
            true => Ok(()),
            false => Err(told),
        }
    }

    /// That no process of memdir is left once there is nothing more to do.
    pub(super) fn no_strays(&self) -> Result<(), String> {
        let own = self.memdir.display().to_string();
        let began = Instant::now();
        loop {
            let left: Vec<String> = processes()
                .lines()
                .filter(|line| line.contains(&own))
                .map(str::to_owned)
                .collect();
            if left.is_empty() {
                return Ok(());
            }
            if began.elapsed() > PATIENCE {
                return Err(left.join("\n"));
            }
            thread::sleep(PAUSE);
        }
    }

    /// Everything that helps to understand what went wrong.
    pub(super) fn diagnosis(&self) -> String {
        let jobs = self
            .try_memdir(&["jobs", "--json"])
            .map(|outcome| outcome.stdout());
        let doctor = self.try_memdir(&["doctor"]).map(|outcome| outcome.stdout());
        let log = self.read(".claude/memdir/hooks.log");
        let server: Vec<String> = self
            .server
            .exchanges()
            .iter()
            .map(|exchange| exchange.line())
            .collect();
        let processes = processes();
        let own = self.sandbox.root().display().to_string();
        let own: Vec<&str> = processes
            .lines()
            .filter(|line| line.contains(&own))
            .collect();
        format!(
            "hooks.log:\n{log}\njobs:\n{}\ndoctor:\n{}\nserver:\n{}\nprocesses:\n{}",
            jobs.unwrap_or_default(),
            doctor.unwrap_or_default(),
            server.join("\n"),
            own.join("\n")
        )
    }
}

fn processes() -> String {
    let listed = Command::new("ps")
        .args(["-eo", "pid,ppid,etimes,args"])
        .output();
    let listed = listed.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    listed.unwrap_or_default()
}

/// What was said in a conversation.
pub(super) struct Talk {
    pub(super) requests: Vec<Request>,
    pub(super) outcome: Outcome,
}

impl Talk {
    /// The last request, where there is one.
    pub(super) fn last(&self) -> Result<&Request, String> {
        let last = self.requests.last();
        last.ok_or_else(|| format!("the client sent nothing\n{}", self.outcome))
    }

    /// The first request that says this.
    pub(super) fn saying(&self, words: &str) -> Result<&Request, String> {
        let found = self
            .requests
            .iter()
            .find(|request| request.count(words) > 0);
        found.ok_or_else(|| format!("no request says {words:?}\n{}", self.outcome))
    }

    /// That the client ended well.
    pub(super) fn ended(&self) -> Result<(), String> {
        match self.outcome.success() {
            true => Ok(()),
            false => Err(self.outcome.to_string()),
        }
    }
}

/// Background work, in numbers.
pub(super) struct Jobs {
    pub(super) past: usize,
    is_idle: bool,
}

/// A path as text.
pub(super) fn text(path: &Path) -> Result<&str> {
    path.to_str().context("a path that is text")
}
