//! `memdir chat -p`: one question, one answer.

use std::io::{IsTerminal, Read};
use std::time::Duration;

use clap::ValueEnum;
use memdir_conversation::transcript::uuid_of;
use memdir_session::{Event, Session};
use memdir_tools::{Answer, Call};
use serde::Serialize;

use super::interactive::Begin;
use super::long_text::{Fitted, fitted};
use super::notice::{notice, wrote};
use super::setting::Setting;
use super::talk::{OUT_OF_REQUESTS, Problem, Show, Talk, Turn};
use crate::asking::word;
use crate::failure::Failure;
use crate::output::Output;
use crate::signals::until_a_signal;
use crate::visible::visible;

/// So much is read from standard input.
const MOST_INPUT: u64 = 32 * 1024 * 1024;
const NANO: f64 = 1e9;

/// How the answer is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// The model's last words.
    Text,
    /// These, what they cost, and what happened beside them.
    Json,
}

/// One question.
pub(crate) struct Once {
    pub(crate) question: String,
    pub(crate) format: Format,
    pub(crate) begin: Begin,
}

/// What is printed as JSON.
#[derive(Serialize)]
struct Report<'a> {
    conversation: &'a str,
    model: &'a str,
    result: &'a str,
    stop: String,
    requests: u64,
    input: u64,
    cache_read: u64,
    cache_write: u64,
    output: u64,
    usd: Option<f64>,
    #[serde(flatten)]
    heard: &'a Heard,
}

/// What happened beside what was said.
#[derive(Debug, Default, Serialize)]
struct Heard {
    /// Memories that were shown to the model.
    recalled: Vec<String>,
    /// Memories that were saved.
    saved: Vec<String>,
    /// Calls of tools, and whether they worked.
    calls: Vec<Called>,
    /// What a person would have been told.
    notices: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Called {
    tool: String,
    error: Option<String>,
}

impl Once {
    pub(crate) fn run(self, setting: &Setting<'_>, output: &mut Output) -> Result<(), Failure> {
        let question = with_input(&self.question)?;
        if question.trim().is_empty() {
            return Err(Failure::usage("-p: there is nothing to ask"));
        }
        let name = match self.begin {
            Begin::New => uuid_of(&format!("chat/{}", word())),
            Begin::Resume(name) => name,
        };
        let cancel = until_a_signal()?;
        let mut shelf = setting.shelf(&name);
        let mut bench = setting.bench(&name, &mut shelf)?;
        let (mut session, warnings) = setting.session(&name, false).map_err(failed)?;
        for warning in warnings {
            output.warn(warning);
        }
        let mut heard = Heard::default();
        let number = session.conversation().messages().len();
        let available = session.limits().available;
        let scratchpad = session.places().scratchpad();
        let Fitted { text, told } = fitted(question, number, available, &scratchpad)?;
        if let Some(told) = told {
            output.warn(&told);
            heard.notices.push(told);
        }
        let mut turn = Turn::default();
        let mut talk = Talk {
            session: &mut session,
            bench: &mut bench,
        };
        let said = talk.turn(&text, &cancel, &mut heard, &mut turn);
        close(session, said, &mut heard)?;
        if turn.stop.is_none() {
            return Err(Failure::new("stopped", ""));
        }
        let words = turn.words.trim_end();
        if self.format == Format::Json || output.json {
            output.json(&report(&name, setting, &turn, &heard))?;
        } else if std::io::stdout().is_terminal() {
            output.line(visible(words))?;
        } else {
            output.raw(format!("{words}\n").as_bytes())?;
        }
        match broken_off(&turn) {
            None => Ok(()),
            Some(why) => {
                // The answer first, then what is wrong with it.
                output.flush()?;
                let advice =
                    format!("`memdir chat --resume {name} -p \"go on\"` asks for the rest");
                Err(Failure::new(why, advice))
            }
        }
    }
}

/// Why an answer is not whole, if so.
fn broken_off(turn: &Turn) -> Option<String> {
    use memdir_model::Stop;
    match &turn.stop {
        Some(Stop::MostOutput) => {
            Some("the answer was cut off where it may not be longer".to_owned())
        }
        Some(Stop::WindowFull) => Some("the answer was cut off: the window is full".to_owned()),
        Some(Stop::Refusal) => Some("the model refuses to answer this".to_owned()),
        Some(Stop::Other(why)) if why == OUT_OF_REQUESTS => {
            Some(format!("stopped after {} requests", turn.requests))
        }
        _ => None,
    }
}

/// Ends the conversation, whatever became of the turn.
fn close(session: Session, said: Result<(), Problem>, heard: &mut Heard) -> Result<(), Failure> {
    let closed = session.close();
    said.map_err(problem)?;
    heard.events(closed.map_err(failed)?);
    Ok(())
}

fn report<'a>(
    name: &'a str,
    setting: &'a Setting<'_>,
    turn: &'a Turn,
    heard: &'a Heard,
) -> Report<'a> {
    let usage = &turn.spent.usage;
    Report {
        conversation: name,
        model: &setting.called,
        result: turn.words.trim_end(),
        stop: stop(turn),
        requests: turn.requests,
        input: usage.input,
        cache_read: usage.cache_read,
        cache_write: usage.cache_write,
        output: usage.output,
        usd: turn.spent.cost.map(|cost| cost as f64 / NANO),
        heard,
    }
}

fn stop(turn: &Turn) -> String {
    use memdir_model::Stop;
    match &turn.stop {
        None => "stopped",
        Some(Stop::End) => "end",
        Some(Stop::Tools) => "tools",
        Some(Stop::MostOutput) => "most_output",
        Some(Stop::WindowFull) => "window_full",
        Some(Stop::Refusal) => "refusal",
        Some(Stop::Pause) => "pause",
        Some(Stop::Compaction) => "compaction",
        Some(Stop::Other(other)) => other,
    }
    .to_owned()
}

/// The question, and what comes from standard input behind it.
fn with_input(question: &str) -> Result<String, Failure> {
    let stdin = std::io::stdin();
    let mut text = question.to_owned();
    if stdin.is_terminal() {
        return Ok(text);
    }
    let mut bytes = Vec::new();
    let unread =
        |error: std::io::Error| Failure::new(format!("standard input cannot be read: {error}"), "");
    stdin
        .lock()
        .take(MOST_INPUT + 1)
        .read_to_end(&mut bytes)
        .map_err(unread)?;
    if bytes.len() as u64 > MOST_INPUT {
        return Err(Failure::new(
            "standard input has more than 32 MB",
            "put it into a file, and ask about the file",
        ));
    }
    let input = String::from_utf8_lossy(&bytes);
    if !input.trim().is_empty() {
        if !text.is_empty() {
            text.push_str("\n\n");
        }
        text.push_str(&input);
    }
    Ok(text)
}

fn failed(error: memdir_session::Error) -> Failure {
    Failure::new(error.to_string(), "")
}

fn problem(problem: Problem) -> Failure {
    match problem {
        Problem::Unsaid(error) | Problem::Session(error) => failed(error),
        Problem::Model(error) => Failure::new(error.to_string(), error.advice()),
    }
}

impl Show for Heard {
    fn waiting(&mut self, pause: Duration) {
        let seconds = pause.as_secs();
        if seconds > 0 {
            self.notices.push(format!(
                "the provider was busy; asked again after {seconds} s"
            ));
        }
    }

    fn words(&mut self, _: &str) {}

    fn called(&mut self, _: &Call) {}

    fn answered(&mut self, call: &Call, answer: &Answer) {
        let first = answer.text.lines().next().unwrap_or_default();
        self.calls.push(Called {
            tool: call.tool.clone(),
            error: answer.error.then(|| first.to_owned()),
        });
    }

    fn wrote(&mut self, names: &[String]) {
        self.saved.extend(names.iter().cloned());
        self.notices.push(wrote(names));
    }

    fn events(&mut self, events: Vec<Event>) {
        for event in &events {
            match event {
                Event::Recalled(turn) => {
                    let given = turn.given.iter().map(|given| given.path.clone());
                    self.recalled.extend(given);
                }
                Event::Work(work) => self.saved.extend(work.saved.iter().cloned()),
                _ => {}
            }
            self.notices.extend(notice(event));
        }
    }
}
