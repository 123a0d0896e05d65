//! What happens in a turn, on the terminal.

use std::io;
use std::time::Duration;

use memdir_session::Event;
use memdir_tools::{Answer, Call, Todo};

use super::markdown::Markdown;
use super::notice::{notice, wrote};
use super::prompt::put;
use super::{terminal, todos};
use crate::output::{BAD, FAINT, STRONG};
use crate::table::{count, cut, one_line, wrapped};
use crate::visible::visible;

/// So many lines of what a tool answered are shown.
const SHOWN_LINES: usize = 4;
/// Takes the current row away.
const ERASE: &str = "\r\u{1b}[K";

/// A terminal that shows a conversation.
pub(crate) struct Screen {
    pub(crate) colour: bool,
    markdown: Markdown,
    /// Whether a line stands there that goes as soon as something happens.
    waits: bool,
    /// Whether words of the model stand there, so that what follows needs room.
    spoke: bool,
    /// What the first write that failed said: nobody looks at this terminal any more.
    pub(crate) broken: Option<io::Error>,
}

impl Screen {
    pub(crate) fn new(colour: bool) -> Self {
        Self {
            colour,
            markdown: Markdown::default(),
            waits: false,
            spoke: false,
            broken: None,
        }
    }

    /// One line or several, with styles.
    pub(crate) fn line(&mut self, text: &str) {
        self.end_words();
        self.put(&format!("{}\n", text));
    }

    /// Something that the user should know, broken to the width of the terminal.
    pub(crate) fn tell(&mut self, text: &str) {
        let (columns, _) = terminal::size();
        let text = wrapped(&one_line(text), 2, Some(columns));
        self.line(&format!("{FAINT}· {text}{FAINT:#}"));
    }

    /// Something that went wrong, and what to do next.
    pub(crate) fn fail(&mut self, what: &str, advice: &str) {
        let (columns, _) = terminal::size();
        let told = wrapped(&format!("error: {}", one_line(what)), 0, Some(columns));
        let told = told.replacen("error", &format!("{BAD}error{BAD:#}"), 1);
        self.line(&told);
        for line in advice.lines() {
            let line = wrapped(line, 2, Some(columns));
            self.line(&format!("  {line}"));
        }
    }

    /// A text as it is shown: with styles or without.
    pub(crate) fn styled(&self, text: &str) -> String {
        styled(self.colour, text)
    }

    /// A line that goes as soon as something happens.
    fn wait(&mut self, text: &str) {
        self.end_words();
        // Of two rows only the last would go.
        let (columns, _) = terminal::size();
        let text = cut(text, columns.saturating_sub(1));
        self.put(&format!("{FAINT}{text}{FAINT:#}"));
        self.waits = true;
    }

    fn end_words(&mut self) {
        if self.spoke {
            let (columns, _) = terminal::size();
            let rest = self.markdown.finish(columns);
            self.put(&rest);
            self.spoke = false;
        }
    }

    fn put(&mut self, text: &str) {
        let text = self.styled(text);
        let erase = if std::mem::take(&mut self.waits) {
            ERASE
        } else {
            ""
        };
        if let Err(error) = put(&format!("{erase}{text}")) {
            self.broken.get_or_insert(error);
        }
    }

    pub(crate) fn todos(&mut self, list: &[Todo]) {
        for line in todos::lines(list) {
            self.line(&line);
        }
    }
}

/// A call in one line.
pub(crate) struct Called {
    tool: String,
    about: String,
    /// Whether that is all of what it acts on, as it is.
    pub(crate) is_whole: bool,
}

/// A call as it is told in a line of so many columns.
pub(crate) fn called(call: &Call, columns: usize) -> Called {
    let about = ["command", "file_path", "pattern", "path"]
        .iter()
        .find_map(|name| call.input.get(*name)?.as_str());
    let about = about.unwrap_or_default();
    let tool = one_line(&call.tool).into_owned();
    let room = columns.saturating_sub(tool.len() + 4);
    let line = one_line(about);
    let shown = cut(&line, room).into_owned();
    Called {
        tool,
        is_whole: shown == about,
        about: shown,
    }
}

/// A text with styles, or without where they are not wanted.
pub(crate) fn styled(colour: bool, text: &str) -> String {
    match colour {
        true => text.to_owned(),
        false => anstream::adapter::strip_str(text).to_string(),
    }
}

impl super::talk::Show for Screen {
    fn asking(&mut self, compacts: bool) {
        self.wait(match compacts {
            true => "… making room in the window (Ctrl-C stops)",
            false => "… (Ctrl-C stops)",
        });
    }

    fn waiting(&mut self, pause: Duration) {
        // Shorter ones nobody notices.
        let seconds = pause.as_secs();
        if seconds > 0 {
            self.wait(&format!(
                "… the provider is busy; asked again in {seconds} s (Ctrl-C stops)"
            ));
        }
    }

    fn words(&mut self, piece: &str) {
        let (columns, _) = terminal::size();
        let shown = self.markdown.push(piece, columns);
        self.spoke = true;
        if !shown.is_empty() {
            self.put(&shown);
        }
    }

    fn said(&mut self) {
        self.end_words();
        self.put("");
    }

    fn called(&mut self, call: &Call) {
        let (columns, _) = terminal::size();
        let Called { tool, about, .. } = called(call, columns);
        self.line(&format!("{STRONG}• {tool}{STRONG:#} {about}"));
        if call.tool == "Bash" {
            self.wait("  … (Ctrl-C stops)");
        }
    }

    fn answered(&mut self, call: &Call, answer: &Answer) {
        if let ("TodoWrite", Ok(list)) = (call.tool.as_str(), Todo::list(call)) {
            return self.todos(&list);
        }
        let (columns, _) = terminal::size();
        let style = if answer.error { BAD } else { FAINT };
        // What a file holds is for the model; that it was read is enough to know.
        if call.tool == "Read" && !answer.error {
            let lines = count(answer.text.lines().count(), "line", "lines");
            return self.line(&format!("  {style}{lines}{style:#}"));
        }
        let lines: Vec<&str> = answer.text.trim_end().lines().collect();
        for line in lines.iter().take(SHOWN_LINES) {
            let shown = visible(line).replace('\t', "    ");
            let shown = cut(&shown, columns.saturating_sub(3));
            self.line(&format!("  {style}{shown}{style:#}"));
        }
        let more = lines.len().saturating_sub(SHOWN_LINES);
        if more > 0 {
            let more = count(more, "more line", "more lines");
            self.line(&format!("  {FAINT}… {more}{FAINT:#}"));
        }
    }

    fn wrote(&mut self, names: &[String]) {
        self.tell(&wrote(names));
    }

    fn events(&mut self, events: Vec<Event>) {
        for event in &events {
            if let Some(notice) = notice(event) {
                self.tell(&notice);
            }
        }
    }
}
