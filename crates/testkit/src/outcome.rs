//! What a program did, as text that is the same on every machine and every day.

use std::fmt;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{ExitStatus, Output};

use regex::Regex;

/// Exit code, standard output and standard error of a program.
///
/// Its `Display` form is for snapshots: all three, with folders and times replaced.
#[derive(Debug, Clone)]
pub struct Outcome {
    status: ExitStatus,
    hung: bool,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    filters: Filters,
}

impl Outcome {
    pub(crate) fn new(output: Output, hung: bool, filters: Filters) -> Self {
        Self {
            status: output.status,
            hung,
            stdout: output.stdout,
            stderr: output.stderr,
            filters,
        }
    }

    /// The exit code, if a signal did not end it.
    pub fn code(&self) -> Option<i32> {
        self.status.code()
    }

    /// The signal that ended it, if one did.
    pub fn signal(&self) -> Option<i32> {
        self.status.signal()
    }

    /// Whether it had to be killed because it did not end.
    pub fn hung(&self) -> bool {
        self.hung
    }

    /// Whether it ended with code 0.
    pub fn success(&self) -> bool {
        self.status.success()
    }

    /// Standard output as it was, invalid UTF-8 replaced.
    pub fn stdout(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    /// Standard error as it was, invalid UTF-8 replaced.
    pub fn stderr(&self) -> String {
        String::from_utf8_lossy(&self.stderr).into_owned()
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.status.code(), self.status.signal()) {
            _ if self.hung => writeln!(out, "hung, and was killed")?,
            (Some(code), _) => writeln!(out, "exit {code}")?,
            (None, Some(signal)) => writeln!(out, "ended by signal {signal}")?,
            (None, None) => writeln!(out, "{}", self.status)?,
        }
        for (title, bytes) in [("stdout", &self.stdout), ("stderr", &self.stderr)] {
            let text = self.filters.apply(&String::from_utf8_lossy(bytes));
            writeln!(out, "-- {title}")?;
            out.write_str(&text)?;
            if !text.is_empty() && !text.ends_with('\n') {
                writeln!(out, "\n[no final newline]")?;
            }
        }
        Ok(())
    }
}

/// Replacements that take out of a text what differs from run to run.
#[derive(Debug, Clone)]
pub struct Filters {
    patterns: Vec<(Regex, String)>,
}

/// A point in time as machines write it.
const TIME: &str = r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?";

impl Default for Filters {
    /// Points in time become `[TIME]`.
    fn default() -> Self {
        let mut filters = Self {
            patterns: Vec::new(),
        };
        filters.pattern(TIME, "[TIME]");
        filters
    }
}

impl Filters {
    /// Adds a replacement, after those already there. `$1` stands for the first group.
    ///
    /// # Panics
    /// When the pattern is not a regular expression: the test is wrong then.
    #[allow(clippy::panic, reason = "a wrong test has to say so")]
    pub fn pattern(&mut self, pattern: &str, replacement: &str) {
        match Regex::new(pattern) {
            Ok(regex) => self.patterns.push((regex, replacement.to_owned())),
            Err(error) => panic!("{pattern:?} is not a regular expression: {error}"),
        }
    }

    /// Replaces a folder's path, and the same path with `-` for all but letters and digits, which
    /// is how memory directories are named after their projects.
    pub fn folder(&mut self, folder: &Path, name: &str) {
        let path = folder.to_string_lossy();
        let dashed: String = path
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
            .collect();
        self.pattern(&regex::escape(&path), name);
        let inner = name.trim_matches(['[', ']']);
        self.pattern(&regex::escape(&dashed), &format!("[-{inner}]"));
    }

    /// The text with every replacement made.
    pub fn apply(&self, text: &str) -> String {
        self.patterns
            .iter()
            .fold(text.to_owned(), |text, (pattern, replacement)| {
                pattern
                    .replace_all(&text, replacement.as_str())
                    .into_owned()
            })
    }
}

#[cfg(test)]
mod tests {
    use crate::Sandbox;

    #[test]
    fn an_outcome_shows_all_that_happened_and_nothing_of_the_machine() {
        let sandbox = Sandbox::new().unwrap();
        let script =
            "echo \"at 2026-11-05T10:11:12.345Z in $PWD\"; printf 'sorry' >&2; cat; exit 3";
        let outcome = sandbox
            .program("sh")
            .args(["-c", script])
            .stdin("input\n")
            .run()
            .unwrap();
        insta::assert_snapshot!(outcome, @"
        exit 3
        -- stdout
        at [TIME] in [PROJECT]
        input
        -- stderr
        sorry
        [no final newline]
        ");
        assert_eq!(outcome.code(), Some(3));
    }

    #[test]
    fn the_environment_of_the_caller_does_not_get_in() {
        let sandbox = Sandbox::new().unwrap();
        let outcome = sandbox
            .program("env")
            .env("EXTRA", "1")
            .filter("PATH=.*", "PATH=[PATH]")
            .run()
            .unwrap();
        insta::assert_snapshot!(outcome, @"
        exit 0
        -- stdout
        EXTRA=1
        HOME=[HOME]
        LC_ALL=C.UTF-8
        PATH=[PATH]
        TZ=UTC
        -- stderr
        ");
    }

    #[test]
    fn a_signal_is_told_apart_from_an_exit_code() {
        let sandbox = Sandbox::new().unwrap();
        let outcome = sandbox
            .program("sh")
            .args(["-c", "kill -9 $$"])
            .run()
            .unwrap();
        insta::assert_snapshot!(outcome, @"
        ended by signal 9
        -- stdout
        -- stderr
        ");
    }
}
