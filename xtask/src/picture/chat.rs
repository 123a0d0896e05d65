//! `memdir chat` as somebody new to it meets it: four scenes, each a screen.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, ensure};
use memdir_testkit::Sandbox;
use memdir_testkit::pty::Pty;
use memdir_testkit::server::{Script, Server};
use serde_json::{Value, json};

use super::COLUMNS;

/// High enough for every scene.
const ROWS: u16 = 70;

/// A home, a project, and a model that answers from a script.
struct Scene {
    sandbox: Sandbox,
    server: Server,
    memdir: PathBuf,
}

/// The scenes: the name of each picture, and the lines of its screen.
pub(super) fn scenes(memdir: &Path) -> Result<Vec<(&'static str, Vec<String>)>> {
    let scene = Scene::new(memdir)?;
    Ok(vec![
        ("chat-first.svg", scene.first()?),
        ("chat-teach.svg", scene.teach()?),
        ("chat-next-day.svg", scene.next_day()?),
        ("chat-long.svg", scene.long()?),
    ])
}

impl Scene {
    fn new(memdir: &Path) -> Result<Self> {
        let sandbox = Sandbox::new()?;
        let code = "use std::time::Duration;\n\npub fn release() -> Result<(), Error> {\n    let lock = lock().unwrap();\n    \
                    push(&lock, Duration::from_secs(30))\n}\n";
        sandbox.write("project/src/release.rs", code)?;
        Ok(Self {
            sandbox,
            server: Server::start(Script::default())?,
            memdir: memdir.to_path_buf(),
        })
    }

    /// A first run: no model is named yet.
    fn first(&self) -> Result<Vec<String>> {
        let mut pty = self.open()?;
        ensure!(pty.wait_for_end().is_some(), "{}", pty.all());
        Ok(self.screen("memdir chat", &pty))
    }

    /// A conversation that teaches three things.
    fn teach(&self) -> Result<Vec<String>> {
        self.settings("")?;
        self.script(&json!([
            {"when": {"last_user": "Thursdays"}, "reply": [{"text": "Understood: **Thursdays** only, and never on a Friday."}]},
            {"when": {"last_user": "unwrap"}, "reply": [{"text": "No `unwrap` in library code, then. Errors go up with `?`."}]},
            {"reply": [{"text": "Good to know. I shall explain the Rust side with what you know from Python and SQL."}]}
        ]))?;
        let mut pty = self.open()?;
        for said in [
            "Remember that we deploy on Thursdays, never on a Friday.",
            "Never use unwrap in library code.",
            "I am a data engineer and new to Rust.",
        ] {
            self.say(&mut pty, said, "Saved 1 memory")?;
        }
        let screen = self.screen("memdir chat", &pty);
        self.quit(&mut pty)?;
        Ok(screen)
    }

    /// The next day: what was taught is recalled, and used.
    fn next_day(&self) -> Result<Vec<String>> {
        let file = self.sandbox.project().join("src/release.rs");
        self.script(&json!([
            {"times": 1, "reply": [
                {"text": "I look at it first."},
                {"tool": "Read", "input": {"file_path": "src/release.rs"}}]},
            {"times": 1, "reply": [
                {"text": "There is an `unwrap`, and you do not want any in library code:"},
                {"tool": "Edit", "input": {"file_path": file, "old_string": "lock().unwrap()", "new_string": "lock()?"}}]},
            {"times": 1, "reply": [{"text": "Done. The error of the lock goes up now, like one of `push`: `?` is what `raise` is to you in Python, but the compiler sees it."}]},
            {"reply": [{"text": "On **Thursday**: you deploy on Thursdays, and never on a Friday. Today is too early."}]}
        ]))?;
        let mut pty = self.open()?;
        pty.press("Is release.rs fit for a library, or does it use unwrap somewhere?\r")?;
        self.wait(&mut pty, "[Esc] stop")?;
        let asked = pty.drawn();
        pty.press("y")?;
        self.wait(&mut pty, "compiler sees it")?;
        self.prompt(&mut pty)?;
        self.say(&mut pty, "On which day should I deploy it?", "too early")?;
        let mut screen = self.screen("memdir chat", &pty);
        // The choices are gone once one was made; the picture shows them where they were.
        let at = screen
            .iter()
            .position(|line| line.contains("allowed, once"));
        if let Some(at) = at {
            let choices = asked
                .iter()
                .filter(|line| line.contains("[y]") || line.contains("[a]"));
            let choices: Vec<String> = choices.cloned().collect();
            screen.splice(at..at, choices);
        }
        self.quit(&mut pty)?;
        Ok(screen)
    }

    /// A long one that makes room twice.
    fn long(&self) -> Result<Vec<String>> {
        let own = self.sandbox.home().join(".claude/memdir");
        fs::create_dir_all(&own)?;
        let small = "[[model]]\nname = \"claude-sonnet-5-5\"\nwindow = 24000\noutput = 4000\n";
        fs::write(own.join("models.toml"), small)?;
        let answer =
            "The parser reads a line, then the next one, and keeps what it has seen. ".repeat(40);
        self.script(&json!([
            {"when": {"last_user": "summary"}, "reply": [{"text": "<summary>The parser was explained, part by part.</summary>"}]},
            {"reply": [{"text": answer}]}
        ]))?;
        let mut pty = self.open()?;
        let mut part = 0;
        while pty.all().matches("compacted (").count() < 2 {
            part += 1;
            ensure!(part < 60, "no room was made\n{}", pty.all());
            self.say(
                &mut pty,
                &format!("Explain part {part} of the parser."),
                &format!("part {part} of"),
            )?;
        }
        self.script(
            &json!([{"reply": [{"text": "In `src/parse.rs`, as the summary still knows."}]}]),
        )?;
        pty.press("\u{c}")?;
        self.say(&mut pty, "Where is it, once more?", "still knows")?;
        self.say(&mut pty, "/context", "kept for the answer")?;
        let screen = self.screen("", &pty);
        self.quit(&mut pty)?;
        Ok(screen)
    }

    fn settings(&self, more: &str) -> Result<()> {
        let settings = format!(
            "[models.claude]\nprovider = \"anthropic\"\nmodel = \"claude-sonnet-5-5\"\naddress = \"{}\"\n\
             key_variable = \"ANTHROPIC_API_KEY\"\n{more}",
            self.server.url()
        );
        self.sandbox.write("home/.claude/memdir.toml", settings)?;
        Ok(())
    }

    fn script(&self, steps: &Value) -> Result<()> {
        self.server
            .set_script(Script::from_value(json!({ "step": steps }))?);
        Ok(())
    }

    fn open(&self) -> Result<Pty> {
        let program = self.sandbox.program(&self.memdir).args(["chat"]);
        let program = program
            .env("TERM", "xterm-256color")
            .env("ANTHROPIC_API_KEY", "sk-test");
        let command: Command = program.command_under("setsid", &["--ctty".into()]);
        let columns = u16::try_from(COLUMNS)?;
        let mut pty = Pty::start(command, columns, ROWS)?;
        pty.wait_until(|pty| pty.all().contains('›') || pty.all().contains("shows three days"));
        Ok(pty)
    }

    /// Says something, and waits until this was shown once more and somebody can type again.
    fn say(&self, pty: &mut Pty, text: &str, until: &str) -> Result<()> {
        let before = pty.all().matches(until).count();
        pty.press(&format!("{text}\r"))?;
        let shown = pty.wait_until(|pty| pty.all().matches(until).count() > before);
        ensure!(shown, "{until:?} was not shown\n{}", pty.all());
        self.prompt(pty)
    }

    fn wait(&self, pty: &mut Pty, text: &str) -> Result<()> {
        ensure!(
            pty.wait_until(|pty| pty.shown().contains(text)),
            "{text:?} was not shown\n{}",
            pty.all()
        );
        Ok(())
    }

    fn prompt(&self, pty: &mut Pty) -> Result<()> {
        let shown = pty.wait_until(|pty| {
            let screen = pty.shown();
            let mut lines = screen.lines().rev();
            lines.next().is_some_and(|line| line.contains(" left"))
                && lines.next().is_some_and(|line| line.trim() == "›")
        });
        ensure!(shown, "nobody can type\n{}", pty.all());
        Ok(())
    }

    fn quit(&self, pty: &mut Pty) -> Result<()> {
        pty.press("/quit\r")?;
        ensure!(
            pty.wait_for_end().is_some(),
            "it does not end\n{}",
            pty.all()
        );
        Ok(())
    }

    /// What stands there, under the command that was typed, with the folders of the scene as a reader would have them.
    fn screen(&self, command: &str, pty: &Pty) -> Vec<String> {
        let root = self.sandbox.root().display().to_string();
        let mut lines: Vec<String> = Vec::new();
        if !command.is_empty() {
            lines.push(format!("$ \u{1b}[1m{command}\u{1b}[0m"));
        }
        let shown = pty.drawn();
        lines.extend(shown.iter().map(|line| {
            let line = line.replace(&format!("{root}/project"), "~/shop");
            line.replace(&format!("{root}/home"), "~")
        }));
        while lines.last().is_some_and(|line| line.trim().is_empty()) {
            lines.pop();
        }
        lines
    }
}
