//! A terminal with the program in it, and what a test expects of it.

use memdir_testkit::{Program, pty};
use rustix::process::Signal;

/// A terminal with the program in it.
pub(crate) struct Pty(pty::Pty);

impl Pty {
    /// Starts a program in a terminal of this size; it is the terminal's own, as in a window.
    pub(crate) fn start(program: &Program, columns: u16, rows: u16) -> Pty {
        Pty::start_under(program, &[], columns, rows)
    }

    /// The same by way of another program.
    pub(crate) fn start_under(program: &Program, words: &[&str], columns: u16, rows: u16) -> Pty {
        let program = program.clone().env("TERM", "xterm-256color");
        let words: Vec<std::ffi::OsString> =
            ["--ctty"].iter().chain(words).map(Into::into).collect();
        let command = program.command_under("setsid", &words);
        Pty(pty::Pty::start(command, columns, rows).unwrap())
    }

    /// Types keys.
    pub(crate) fn press(&mut self, keys: &str) {
        self.0.press(keys).unwrap();
    }

    /// Types a text and sends it.
    pub(crate) fn say(&mut self, text: &str) {
        self.press(&format!("{text}\r"));
    }

    /// Waits until this was shown.
    pub(crate) fn wait_for(&mut self, text: &str) {
        self.wait(&format!("for {text:?}"), |pty| pty.all().contains(text));
    }

    /// Waits until it was shown more often than before.
    pub(crate) fn wait_for_more(&mut self, text: &str, before: usize) {
        self.wait(&format!("for another {text:?}"), |pty| {
            pty.all().matches(text).count() > before
        });
    }

    /// Waits until the program waits for somebody to type.
    pub(crate) fn wait_for_prompt(&mut self) {
        self.wait("for a prompt", |pty| {
            let screen = pty.shown();
            let mut lines = screen.lines().rev().filter(|line| !line.trim().is_empty());
            let status = lines.next().unwrap_or_default();
            let typed = lines.next().unwrap_or_default();
            typed.starts_with('›') && (status.contains(" left") || status.contains("/help"))
        });
    }

    pub(crate) fn wait(&mut self, what: &str, holds: impl Fn(&pty::Pty) -> bool) {
        if !self.0.wait_until(holds) {
            panic!("waited {what}, and it shows\n{}", self.0.all());
        }
    }

    /// Waits for the end, after which the terminal is as it was.
    pub(crate) fn wait_for_end(&mut self) -> Option<i32> {
        let status = self.0.wait_for_end();
        let status = status.unwrap_or_else(|| panic!("it does not end, and shows\n{}", self.all()));
        assert!(self.0.is_as_found(), "the terminal is not as it was");
        status.code()
    }

    pub(crate) fn shown(&self) -> String {
        self.0.shown()
    }

    pub(crate) fn all(&self) -> String {
        self.0.all()
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.0.bytes()
    }

    pub(crate) fn resize(&mut self, columns: u16, rows: u16) {
        self.0.resize(columns, rows).unwrap();
    }

    pub(crate) fn signal(&self, signal: Signal) {
        self.0.signal(signal).unwrap();
    }
}
