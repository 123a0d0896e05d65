//! What begins with a slash.

use jiff::Timestamp;

use super::conversations::{Whose, meant, past};
use super::interactive::{Begin, Current, Place};
use super::talk::Show;
use super::terminal;
use crate::arguments::typed;
use crate::commands::context::draw;
use crate::failure::Failure;
use crate::output::{FAINT, Output, STRONG};
use crate::table::{pairs, widest, wrapped};
use crate::window::tokens;
use memdir_memory::age;

/// What a text was.
pub(crate) enum Done {
    /// No command: something to say.
    Nothing,
    /// A command, and it is done.
    Here,
    /// The model is to go on from where the conversation stands.
    GoOn,
    /// Another conversation is wanted.
    Next(Begin),
    /// None any more.
    Quit,
}

const HELP: [(&str, &str); 17] = [
    (
        "/memory [NAME]",
        "what is remembered; with a name, one in your editor",
    ),
    ("/remember TEXT", "save something now"),
    ("/forget NAME", "delete a memory"),
    (
        "/undo [N]",
        "take the last change of memory back, or change N",
    ),
    ("/dream", "tidy the memories up now"),
    (
        "/why",
        "what the last turn was given of the memories, and why",
    ),
    ("/pause", "nothing is recalled or saved, until /pause again"),
    ("/context", "what fills the window"),
    (
        "/compact [TEXT]",
        "make room in the window; the text says what matters",
    ),
    ("/cost", "what this conversation and background work cost"),
    ("/todos", "what is to be done"),
    ("/clear", "begin a new conversation"),
    (
        "/resume [N]",
        "go on with an earlier one; without N, which there are",
    ),
    ("/retry", "ask the model once more"),
    ("/help", "this list"),
    ("/quit", "end; so do Ctrl-D and Ctrl-C twice"),
    (
        "Alt-Enter, \\ at the end",
        "another line; Ctrl-C stops a turn",
    ),
];

/// A column of text that is narrower reads badly.
const LEAST_COLUMN: usize = 30;

/// Does what a command says; what is none is left to be said.
pub(crate) fn run(
    place: &mut Place<'_>,
    current: &mut Current<'_>,
    text: &str,
) -> Result<Done, Failure> {
    let Some(command) = text.strip_prefix('/') else {
        return Ok(Done::Nothing);
    };
    let (name, rest) = command
        .split_once(char::is_whitespace)
        .unwrap_or((command, ""));
    let rest = rest.trim();
    if !rest.is_empty() && takes_nothing(name) {
        let usage = format!("/{name} stands alone: what was typed behind it is not known to it");
        place
            .screen
            .fail(&usage, "without the slash it is something to say");
        return Ok(Done::Here);
    }
    match name {
        "help" | "?" => {
            for line in help(terminal::size().0) {
                place.screen.line(&line);
            }
        }
        "memory" if rest.is_empty() => {
            place.program(&["list"]);
            place.screen.tell("/memory NAME opens one in your editor");
        }
        "memory" => place.program(&["edit", "--", rest]),
        "remember" | "forget" if rest.is_empty() => {
            place
                .screen
                .fail(&format!("/{name} needs to be told what"), "");
        }
        "remember" => place.program(&["remember", "--", rest]),
        "forget" => place.program(&["forget", "--", rest]),
        "undo" if rest.is_empty() => place.program(&["undo"]),
        "undo" => match rest.trim_start_matches('#').parse::<u64>() {
            Ok(number) => place.program(&["undo", &number.to_string()]),
            Err(_) => place.screen.fail(
                "/undo takes the number of a change, or nothing",
                "`memdir history` lists the changes",
            ),
        },
        "dream" => place.program(&["dream"]),
        "why" => place.program(&["why", "--conversation", &current.name, "--turns", "1"]),
        "cost" => {
            place.cost(current);
            place.program(&["cost"]);
        }
        "pause" => place.pause(current),
        "context" => place.context(current)?,
        "compact" => place.compact(current, rest),
        "todos" => {
            let list = current.todos().to_vec();
            match list.is_empty() {
                true => place.screen.tell("nothing is on the list"),
                false => place.screen.todos(&list),
            }
        }
        "clear" | "new" => return Ok(Done::Next(Begin::New)),
        "resume" => return Ok(place.resume_which(current, rest)),
        "retry" if current.is_answered() => place
            .screen
            .tell("nothing to retry: the model has answered; say \"go on\" for more"),
        "retry" => return Ok(Done::GoOn),
        "quit" | "exit" => return Ok(Done::Quit),
        // A path is no command.
        _ if name.contains('/') => return Ok(Done::Nothing),
        _ => place
            .screen
            .fail(&format!("there is no command /{name}"), "/help lists them"),
    }
    Ok(Done::Here)
}

/// Whether a command is complete without anything behind it.
fn takes_nothing(name: &str) -> bool {
    [
        "help", "?", "dream", "why", "cost", "pause", "context", "todos", "clear", "new", "retry",
        "quit", "exit",
    ]
    .contains(&name)
}

/// The list of commands: two columns where there is room for them.
fn help(columns: usize) -> Vec<String> {
    let names = widest(HELP.iter().map(|(name, _)| *name));
    let room = columns.saturating_sub(names + 4);
    if room >= LEAST_COLUMN {
        let broken = |what: &str| wrapped(what, names + 4, Some(columns));
        let rows = HELP.map(|(name, what)| (name, broken(what)));
        return pairs(&rows).map(|line| format!("  {line}")).collect();
    }
    let rows = HELP.iter().map(|(name, what)| {
        let what = wrapped(what, 6, Some(columns));
        format!("  {name}\n      {what}")
    });
    rows.collect()
}

impl Place<'_> {
    /// One of the program's own commands, as if it were typed in a shell.
    fn program(&mut self, words: &[&str]) {
        // What the conversation was given is told where it is kept: with the project.
        let workplace = match words.first() {
            Some(&"why") => self.setting.workplace,
            _ => self.setting.memories(),
        };
        let mut output = Output::new(false);
        self.terminal.lend();
        let done = typed(words)
            .map_err(|error| Failure::usage(error.to_string()))
            .and_then(|command| crate::commands::run_at(workplace, command, &mut output));
        let told = output.flush().map_err(Failure::from);
        self.terminal.work_in();
        // What was pressed in an editor was for the editor.
        self.signals.take_interruptions();
        if let Err(failure) = done.and(told) {
            failure.report();
        }
    }

    fn pause(&mut self, current: &mut Current<'_>) {
        let paused = !self.paused;
        if let Some(session) = &mut current.session {
            let events = session.pause(paused);
            self.screen.events(events);
        }
        self.paused = paused;
        current.pause(paused);
        self.screen.tell(match paused {
            true => "memory is paused: nothing is recalled, and nothing of what is said is saved; /pause again goes on",
            false => "memory goes on; what was said meanwhile is not saved",
        });
    }

    fn context(&mut self, current: &mut Current<'_>) -> Result<(), Failure> {
        let Some(session) = &mut current.session else {
            self.nothing_said();
            return Ok(());
        };
        let mut output = Output::new(false);
        draw(session, &mut output)?;
        Ok(output.flush()?)
    }

    fn compact(&mut self, current: &mut Current<'_>, instructions: &str) {
        let Some(session) = &mut current.session else {
            return self.nothing_said();
        };
        let instructions = match instructions {
            "" => Vec::new(),
            text => vec![text.to_owned()],
        };
        session.stop_with(&self.signals.turn());
        self.screen.asking(true);
        match session.compact(&instructions) {
            Ok(events) => {
                // Who asked for it wants to know also why not.
                for event in &events {
                    self.screen.tell(&event.to_string());
                }
            }
            Err(error) => self.screen.fail(&error.to_string(), "`/clear` begins anew"),
        }
    }

    fn cost(&mut self, current: &Current<'_>) {
        let usage = &current.spent.usage;
        let prompt = usage.prompt();
        let share = (usage.cache_read * 100).checked_div(prompt).unwrap_or(0);
        let cost = match current.spent.cost {
            Some(cost) => format!(", {}", memdir_store::ledger::dollars(cost)),
            None => String::new(),
        };
        let told = format!(
            "This conversation  {} tokens in ({share} % from the cache), {} out{cost}",
            tokens(prompt),
            tokens(usage.output)
        );
        let told = wrapped(&told, 2, Some(terminal::size().0));
        let head = format!("{STRONG}This conversation{STRONG:#}");
        self.screen
            .line(&told.replacen("This conversation", &head, 1));
    }

    /// The conversation that is to go on, or which there are.
    fn resume_which(&mut self, current: &Current<'_>, word: &str) -> Done {
        let home = self.setting.workplace.home();
        let whose = Whose::Of(self.setting.agent.as_ref());
        if !word.is_empty() {
            match meant(&home, whose, word) {
                Some(name) if name == current.name => self.screen.tell("you are in it"),
                Some(name) => return Done::Next(Begin::Resume(name)),
                None => self.screen.fail(
                    &format!("there is no conversation {word}"),
                    "/resume lists them",
                ),
            }
            return Done::Here;
        }
        let now = Timestamp::now();
        let all = past(&home, whose);
        for (number, one) in (1..).zip(&all) {
            let when = Timestamp::try_from(one.when).unwrap_or(now);
            let when = age::describe(age::days_between(when, now));
            let own = if one.name == current.name {
                ", this one"
            } else {
                ""
            };
            self.screen.line(&format!(
                "{number:>4}  {} {FAINT}{when}{own}{FAINT:#}",
                one.title()
            ));
        }
        match all.is_empty() {
            true => self.screen.tell("no conversation was had here yet"),
            false => self.screen.tell("/resume N goes on with one"),
        }
        Done::Here
    }

    fn nothing_said(&mut self) {
        self.screen.tell("nothing was said yet");
    }
}
