//! The user's word on what the model wants to do.

use std::collections::HashMap;
use std::io;
use std::time::Duration;

use memdir_tools::{Act, Asked, Denial};
use similar::TextDiff;

use super::keyboard::Keyboard;
use super::keys::Key;
use super::prompt::put;
use super::screen::{called, styled};
use super::signals::Signals;
use super::terminal::{self, Terminal};
use crate::output::{BAD, FAINT, GOOD, STRONG};
use crate::table::{count, cut, wrapped};
use crate::visible::visible;

/// So many lines of a command or a difference are shown.
const SHOWN_LINES: usize = 40;
/// How long a wait for a key is, of which there may be many.
const PATIENCE: Duration = Duration::from_secs(3600);
/// What the model reads.
const NEVER: &str =
    "the user does not allow this in this conversation: do without, or ask what they want";
const STOPPED: &str = "the user stopped the turn here";

/// What the user has decided for the whole conversation.
pub(crate) struct Permissions<'a> {
    terminal: &'a Terminal,
    signals: &'a Signals,
    colour: bool,
    decided: HashMap<Matter, bool>,
}

/// What a decision holds for: a command word for word, every change of a file in the project, one place elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Matter {
    Command(String),
    ProjectFiles,
    Change(String),
    Look(String),
}

enum Word {
    Once,
    Conversation,
    Never,
    Stop,
}

impl<'a> Permissions<'a> {
    pub(crate) fn new(terminal: &'a Terminal, signals: &'a Signals, colour: bool) -> Self {
        Self {
            terminal,
            signals,
            colour,
            decided: HashMap::new(),
        }
    }

    /// Asks, unless it was decided before.
    pub(crate) fn ask(&mut self, asked: &Asked<'_>) -> Result<(), Denial> {
        let matter = matter(asked);
        match self.decided.get(&matter) {
            Some(true) => return Ok(()),
            Some(false) => return Err(Denial::new(NEVER)),
            None => {}
        }
        // Nobody to ask any more is as good as a no.
        let word = self.word(asked, &matter).unwrap_or(Word::Stop);
        match word {
            Word::Once => Ok(()),
            Word::Conversation => {
                self.decided.insert(matter, true);
                Ok(())
            }
            Word::Never => {
                self.decided.insert(matter, false);
                Err(Denial::new(NEVER))
            }
            Word::Stop => {
                self.signals.stop_turn();
                Err(Denial::new(STOPPED))
            }
        }
    }

    fn word(&self, asked: &Asked<'_>, matter: &Matter) -> io::Result<Word> {
        let (columns, _) = terminal::size();
        let mut text = String::new();
        for line in shown(asked) {
            text.push_str(&format!("  {line}\n"));
        }
        text.push_str(&format!("  {STRONG}{}?{STRONG:#}\n", question(asked)));
        let holds = match matter {
            Matter::Command(_) => "this very command",
            Matter::ProjectFiles => "every file of the project, but .git and .claude",
            Matter::Change(_) | Matter::Look(_) => "this place",
        };
        let choice = format!("[a] for this conversation: {holds}");
        let choice = wrapped(&choice, 6, Some(columns));
        let choices = format!("  [y] once   [n] never   [Esc] stop\n  {choice}");
        text.push_str(&choices);
        // Before the question is seen: whoever answers it at once is not to be forgotten.
        self.terminal.type_in();
        self.terminal.forget_typed();
        // What moves the cursor is no style: it stays where there are none.
        put(&format!("\r\u{1b}[K{}", styled(self.colour, &text)))?;
        let word = answer(self.terminal, self.signals);
        self.terminal.work_in();
        let said = match &word {
            Ok(Word::Once) => "allowed, once",
            Ok(Word::Conversation) => "allowed, for this conversation",
            Ok(Word::Never) => "not allowed",
            Ok(Word::Stop) | Err(_) => "stopped",
        };
        // The choices have done their work.
        let up = choices.lines().count().saturating_sub(1);
        put(&format!("\r\u{1b}[{up}A\u{1b}[J  {said}\n"))?;
        word
    }
}

/// Waits for one of the keys.
fn answer(terminal: &Terminal, signals: &Signals) -> io::Result<Word> {
    let mut keyboard = Keyboard::new(terminal, signals);
    while let Some(keys) = keyboard.wait(PATIENCE)? {
        // Another size of the window is nothing to wake up for here.
        signals.take_resized();
        let mut keys = keys.into_iter();
        while let Some(key) = keys.next() {
            match key {
                Key::Text(text) => match text.chars().next() {
                    Some('y' | 'Y') => return Ok(Word::Once),
                    Some('a' | 'A') => return Ok(Word::Conversation),
                    Some('n' | 'N') => return Ok(Word::Never),
                    _ => {}
                },
                Key::Escape | Key::Interrupt | Key::EndOfInput => {
                    // Who presses it twice means it.
                    for _ in keys.filter(|key| *key == Key::Interrupt) {
                        signals.stop_turn();
                    }
                    return Ok(Word::Stop);
                }
                _ => {}
            }
        }
    }
    Ok(Word::Stop)
}

fn matter(asked: &Asked<'_>) -> Matter {
    let path = || {
        let path = asked.path.as_deref().unwrap_or_else(|| "".as_ref());
        path.display().to_string()
    };
    match asked.act {
        Act::Edit(memdir_tools::Place::Open(_)) | Act::Write(memdir_tools::Place::Open(_)) => {
            Matter::ProjectFiles
        }
        Act::Edit(_) | Act::Write(_) => Matter::Change(path()),
        Act::Look(_) => Matter::Look(path()),
        _ => {
            let command = asked.call.input.get("command");
            Matter::Command(command.map(ToString::to_string).unwrap_or_default())
        }
    }
}

fn question(asked: &Asked<'_>) -> String {
    let path = asked.path.as_deref().map(|path| path.display().to_string());
    let path = path.map(|path| visible(&path).replace(['\n', '\t'], " "));
    match (asked.act, path) {
        (Act::Look(_), Some(path)) => format!("Look at {path}, outside of the project"),
        (_, Some(path)) => format!("Write to {path}"),
        (_, None) => "Run this command".to_owned(),
    }
}

/// What would be done, line by line.
fn shown(asked: &Asked<'_>) -> Vec<String> {
    let (columns, _) = terminal::size();
    let room = columns.saturating_sub(4);
    let clean = |line: &str| {
        let line = visible(line).replace('\t', "    ");
        line.replace('\n', "")
    };
    let mut lines: Vec<String> = match &asked.change {
        Some((before, after)) => {
            difference(before, after, &|line| cut(&clean(line), room).into_owned())
        }
        None => {
            let command = asked
                .call
                .input
                .get("command")
                .and_then(|line| line.as_str());
            // A command is never cut: what is allowed is what was seen. It need not be seen twice.
            match called(asked.call, columns).is_whole {
                true => Vec::new(),
                false => command.unwrap_or_default().lines().map(clean).collect(),
            }
        }
    };
    if asked.change.is_some() && lines.len() > SHOWN_LINES {
        let more = count(lines.len() - SHOWN_LINES, "more line", "more lines");
        lines.truncate(SHOWN_LINES);
        lines.push(format!("{FAINT}… {more}{FAINT:#}"));
    }
    lines
}

fn difference(before: &str, after: &str, shown: &dyn Fn(&str) -> String) -> Vec<String> {
    let diff = TextDiff::from_lines(before, after);
    let unified = diff.unified_diff().context_radius(2).to_string();
    let lines = unified.lines();
    lines
        .map(|line| {
            let text = shown(line);
            match line.chars().next() {
                Some('+') => format!("{GOOD}{text}{GOOD:#}"),
                Some('-') => format!("{BAD}{text}{BAD:#}"),
                Some('@') => format!("{FAINT}{text}{FAINT:#}"),
                _ => text,
            }
        })
        .collect()
}
