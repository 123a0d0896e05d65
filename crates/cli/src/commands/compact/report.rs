//! What is said about making room.

use std::io;
use std::path::PathBuf;

use memdir_context::Limits;
use memdir_context::compaction::SummedUp;
use memdir_conversation::Usage;
use memdir_conversation::tokens::Kinds;
use serde::Serialize;

use crate::output::{BAD, FAINT, GOOD, Output, STRONG};
use crate::table::{GAP, count, cut, one_line, push_padded, widest, wrapped};
use crate::window::{Drawn, bar, tokens};

/// How much of the first message that stays is shown.
const FIRST_COLUMNS: usize = 60;
/// How wide the picture is without a terminal, and at least and at most.
const COLUMNS: usize = 80;
const NARROWEST: usize = 40;
const WIDEST: usize = 120;
/// The narrowest bar that says anything.
const SHORTEST_BAR: usize = 16;

/// What `memdir compact` says.
#[derive(Serialize)]
pub(super) struct Report {
    pub(super) file: PathBuf,
    pub(super) format: &'static str,
    pub(super) messages: usize,
    pub(super) model: Option<String>,
    pub(super) tokens: u64,
    pub(super) basis: &'static str,
    pub(super) kinds: Kinds,
    pub(super) window: u64,
    /// From how many tokens on a conversation is compacted by itself.
    pub(super) limit: u64,
    pub(super) clearing: Clear,
    pub(super) compaction: Compaction,
    pub(super) written: Option<Written>,
}

/// What clearing results of tools would do.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Clear {
    Possible {
        results: usize,
        faded: usize,
        tokens_after: u64,
        kinds_after: Box<Kinds>,
        /// After how many requests it has paid for itself.
        turns: Option<u64>,
    },
    Impossible {
        why_not: String,
    },
}

/// What notes or a summary in place of the conversation would do.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Compaction {
    Possible(Box<Done>),
    Impossible { why_not: String },
}

#[derive(Serialize)]
pub(super) struct Done {
    pub(super) tokens_after: u64,
    pub(super) kinds_after: Kinds,
    /// Whether there are notes.
    pub(super) notes: bool,
    /// The model that has summed it up, where one has.
    pub(super) by: Option<By>,
    /// Sections of the notes that were cut.
    pub(super) cut: Vec<String>,
    /// How many messages go.
    pub(super) goes: usize,
    /// How many stay.
    pub(super) stays: usize,
    /// The first words that stay.
    pub(super) first: Option<String>,
    /// How many messages of the user are repeated.
    pub(super) typed: usize,
    /// How many files are named.
    pub(super) files: usize,
    /// How many failed commands are named.
    pub(super) failed: usize,
    /// The files that a host would show again.
    pub(super) restored: Vec<String>,
    /// How many tokens there would be for them.
    pub(super) room_to_restore: u64,
    /// The message that stands in place of what goes.
    pub(super) summary: String,
}

/// What a model had to do with it.
#[derive(Serialize)]
pub(super) struct By {
    pub(super) model: String,
    /// How often it was asked.
    pub(super) requests: usize,
    /// How many messages, the oldest ones, it was not shown because they were too many.
    pub(super) dropped: usize,
    /// Whether it wrote nothing.
    pub(super) empty: bool,
    pub(super) tokens_in: u64,
    pub(super) tokens_out: u64,
}

impl By {
    pub(super) fn of(model: &str, summed_up: &SummedUp) -> Self {
        Self {
            model: model.to_owned(),
            requests: summed_up.requests,
            dropped: summed_up.dropped,
            empty: summed_up.empty,
            tokens_in: summed_up.usage.iter().map(Usage::prompt).sum(),
            tokens_out: summed_up.usage.iter().map(|usage| usage.output).sum(),
        }
    }

    /// In a line.
    fn told(&self) -> String {
        let mut told = format!(
            "{}, {} tokens in, {} out",
            count(self.requests, "request", "requests"),
            tokens(self.tokens_in),
            tokens(self.tokens_out)
        );
        if self.dropped > 0 {
            let messages = count(self.dropped, "message", "messages");
            told.push_str(&format!(
                "; without the oldest {messages}, which did not fit"
            ));
        }
        if self.empty {
            told.push_str("; it wrote nothing: what was gathered without it stands alone");
        }
        told
    }
}

/// The file that was written, or would have been.
#[derive(Serialize)]
pub(super) struct Written {
    pub(super) file: PathBuf,
    pub(super) bytes: u64,
    pub(super) dry_run: bool,
}

/// The window at one time.
struct State<'a> {
    name: &'static str,
    kinds: &'a Kinds,
    tokens: u64,
}

impl Report {
    /// The report for people: the window before and after, then what goes and what stays.
    pub(super) fn print(&self, limits: &Limits, output: &mut Output) -> io::Result<()> {
        let columns = output.width.unwrap_or(COLUMNS).clamp(NARROWEST, WIDEST);
        self.title(columns, output)?;
        let states = self.states();
        output.line("")?;
        self.bars(&states, limits, columns, output)?;
        output.line("")?;
        self.kinds(&states, columns, output)?;
        self.clearing(output)?;
        self.compaction(output)?;
        self.written(output)
    }

    fn title(&self, columns: usize, output: &mut Output) -> io::Result<()> {
        let name = self.file.file_name().unwrap_or(self.file.as_os_str());
        let name = name.to_string_lossy();
        let shown = one_line(&name);
        output.line(format!("{STRONG}{}{STRONG:#}", cut(&shown, columns)))?;
        let mut about = vec![
            self.format.to_owned(),
            count(self.messages, "message", "messages"),
        ];
        about.extend(self.model.as_deref().map(|model| one_line(model).into()));
        let about = about.join(", ");
        output.line(format!("{FAINT}{}{FAINT:#}", cut(&about, columns)))?;
        let due = match self.tokens >= self.limit {
            true => format!("{BAD}compaction is due{BAD:#}"),
            false => format!("{GOOD}no compaction is due{GOOD:#}"),
        };
        output.line(format!(
            "{STRONG}{}{STRONG:#} tokens of {}; {due}: it comes at {}",
            tokens(self.tokens),
            tokens(self.window),
            tokens(self.limit)
        ))
    }

    /// The window now and after each way that is possible.
    fn states(&self) -> Vec<State<'_>> {
        let state = |name, kinds, tokens| State {
            name,
            kinds,
            tokens,
        };
        let mut states = vec![state("now", &self.kinds, self.tokens)];
        if let Clear::Possible {
            kinds_after,
            tokens_after,
            ..
        } = &self.clearing
        {
            states.push(state("cleared", kinds_after, *tokens_after));
        }
        if let Compaction::Possible(done) = &self.compaction {
            states.push(state("compacted", &done.kinds_after, done.tokens_after));
        }
        states
    }

    fn bars(
        &self,
        states: &[State<'_>],
        limits: &Limits,
        columns: usize,
        output: &mut Output,
    ) -> io::Result<()> {
        let names = widest(states.iter().map(|state| state.name));
        let numbers: Vec<String> = states.iter().map(|state| tokens(state.tokens)).collect();
        let digits = widest(numbers.iter().map(String::as_str));
        let room = columns.saturating_sub(names + digits + 2 * GAP.len());
        let coloured = output.coloured();
        for (state, number) in states.iter().zip(&numbers) {
            let mut line = String::new();
            push_padded(&mut line, state.name, names);
            let bar = bar(state.kinds, limits, room.max(SHORTEST_BAR), coloured);
            output.line(format!(
                "{line}{GAP}{bar}{GAP}{STRONG}{number:>digits$}{STRONG:#}"
            ))?;
        }
        Ok(())
    }

    /// What it is made of, in a column for each.
    fn kinds(&self, states: &[State<'_>], columns: usize, output: &mut Output) -> io::Result<()> {
        let each: Vec<_> = states.iter().map(|state| state.kinds.each()).collect();
        let numbers: Vec<usize> = states
            .iter()
            .map(|state| state.name.len().max(tokens(state.tokens).len()))
            .collect();
        let taken: usize = numbers.iter().map(|width| width + GAP.len()).sum();
        let room = columns.saturating_sub(taken + GAP.len());
        let rows: Vec<_> = self
            .kinds
            .each()
            .iter()
            .enumerate()
            .filter_map(|(at, (kind, _))| {
                let values: Vec<u64> = each
                    .iter()
                    .map(|kinds| kinds.get(at).map_or(0, |(_, tokens)| *tokens))
                    .collect();
                let drawn = Drawn::of(kind)?;
                values
                    .iter()
                    .any(|value| *value > 0)
                    .then_some((drawn, values))
            })
            .collect();
        let names = widest(rows.iter().map(|(drawn, _)| drawn.name)).min(room);
        let mut head = " ".repeat(names + 2);
        for (state, width) in states.iter().zip(&numbers) {
            head.push_str(&format!("{GAP}{:>width$}", state.name));
        }
        output.line(format!("{FAINT}{head}{FAINT:#}"))?;
        for (drawn, values) in rows {
            let mut line = format!("{} ", drawn.mark(output.coloured()));
            push_padded(&mut line, &cut(drawn.name, names), names);
            let mut before = None;
            for (value, width) in values.iter().zip(&numbers) {
                let shown = match value {
                    0 => "–".to_owned(),
                    value => tokens(*value),
                };
                // What a way leaves as it is need not be read again.
                let style = if before == Some(*value) {
                    FAINT
                } else {
                    STRONG
                };
                before = before.or(Some(*value));
                line.push_str(&format!("{GAP}{style}{shown:>width$}{style:#}"));
            }
            output.line(line)?;
        }
        Ok(())
    }

    fn clearing(&self, output: &mut Output) -> io::Result<()> {
        match &self.clearing {
            Clear::Impossible { why_not } => heading("Clearing old results", why_not, output),
            Clear::Possible {
                results,
                faded,
                turns,
                ..
            } => {
                heading("Clearing old results", "", output)?;
                let mut goes = count(*results, "result of a tool", "results of tools");
                goes.push_str(", each into a file that its place names");
                if *faded > 0 {
                    goes.push_str(&format!("; {}", count(*faded, "reminder", "reminders")));
                }
                let stays = "every message, and the last results".to_owned();
                let mut rows = vec![("goes", goes), ("stays", stays)];
                if let Some(turns) = turns {
                    let turns = usize::try_from(*turns).unwrap_or(usize::MAX);
                    let turns = count(turns, "request", "requests");
                    rows.push(("pays", format!("for the lost cache after {turns}")));
                }
                list(&rows, output)
            }
        }
    }

    fn compaction(&self, output: &mut Output) -> io::Result<()> {
        let done = match &self.compaction {
            Compaction::Impossible { why_not } => return heading("Compaction", why_not, output),
            Compaction::Possible(done) => done,
        };
        let title = match (&done.by, done.notes) {
            (Some(by), _) => format!("Compaction, summed up by {}", one_line(&by.model)),
            (None, true) => "Compaction, with the notes".to_owned(),
            (None, false) => "Compaction, without notes".to_owned(),
        };
        heading(&title, "", output)?;
        let messages = |number| count(number, "message", "messages");
        let from = match done.first.as_deref() {
            Some(words) => format!(", from “{}” on", cut(words, FIRST_COLUMNS)),
            None => String::new(),
        };
        let restored = match done.restored.is_empty() {
            true => "nothing".to_owned(),
            false => {
                let files: Vec<_> = done.restored.iter().map(|file| one_line(file)).collect();
                let room = tokens(done.room_to_restore);
                format!("{}, in at most {room} tokens", files.join(", "))
            }
        };
        let mut rows = vec![
            ("goes", messages(done.goes)),
            ("stays", messages(done.stays) + &from),
            (
                "repeated",
                format!(
                    "{} of the user, {}, {}",
                    messages(done.typed),
                    count(done.files, "file touched", "files touched"),
                    count(done.failed, "command that failed", "commands that failed")
                ),
            ),
            ("a host may restore", restored),
        ];
        rows.extend(done.by.as_ref().map(|by| ("asked", by.told())));
        if !done.cut.is_empty() {
            rows.push(("cut", format!("the notes in {}", done.cut.join(", "))));
        }
        list(&rows, output)
    }

    fn written(&self, output: &mut Output) -> io::Result<()> {
        output.line("")?;
        let Some(written) = &self.written else {
            let hint = match &self.compaction {
                Compaction::Possible(_) => {
                    "Nothing was written; -o FILE writes the compacted conversation."
                }
                Compaction::Impossible { .. } => "Nothing was written.",
            };
            return output.line(format!("{FAINT}{hint}{FAINT:#}"));
        };
        let verb = match written.dry_run {
            true => "would write",
            false => "wrote",
        };
        output.line(format!(
            "{verb} {} bytes to {}",
            tokens(written.bytes),
            written.file.display()
        ))
    }
}

fn heading(title: &str, why_not: &str, output: &mut Output) -> io::Result<()> {
    let why_not = match why_not {
        "" => String::new(),
        why_not => format!(": not now ({why_not})"),
    };
    output.line(format!("\n{STRONG}{title}{STRONG:#}{why_not}"))
}

fn list(rows: &[(&str, String)], output: &mut Output) -> io::Result<()> {
    let names = widest(rows.iter().map(|(name, _)| *name));
    for (name, value) in rows {
        let style = match *name {
            "goes" => BAD,
            "stays" | "repeated" | "restored" => GOOD,
            _ => FAINT,
        };
        let mut padding = String::new();
        push_padded(&mut padding, name, names);
        let value = wrapped(value, GAP.len() + names + GAP.len(), output.width);
        output.line(format!("{GAP}{style}{padding}{style:#}{GAP}{value}"))?;
    }
    Ok(())
}
