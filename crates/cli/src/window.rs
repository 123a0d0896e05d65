//! The window of a model as a bar, by what fills it.

use anstyle::{AnsiColor, Style};
use memdir_context::Limits;
use memdir_conversation::tokens::Kinds;

use crate::output::FAINT;
use crate::table::thousands;

/// A kind as it is drawn: its name, the letter that stands for it without colours, and its colour.
pub(crate) struct Drawn {
    kind: &'static str,
    pub(crate) name: &'static str,
    letter: char,
    colour: AnsiColor,
}

const DRAWN: [Drawn; 10] = [
    drawn(
        "unaccounted",
        "system, tools, unseen",
        's',
        AnsiColor::BrightBlack,
    ),
    drawn("system", "system prompt", 's', AnsiColor::BrightBlack),
    drawn("tools", "definitions of tools", 'd', AnsiColor::White),
    drawn("summaries", "summaries", 'y', AnsiColor::BrightMagenta),
    drawn(
        "attachments",
        "attached by the host",
        'a',
        AnsiColor::Magenta,
    ),
    drawn("human", "typed by the user", 'u', AnsiColor::Green),
    drawn("assistant", "written by the model", 'm', AnsiColor::Blue),
    drawn("thinking", "thinking", 't', AnsiColor::BrightBlue),
    drawn("requests", "calls of tools", 'c', AnsiColor::Cyan),
    drawn("results", "results of tools", 'r', AnsiColor::Yellow),
];

const fn drawn(kind: &'static str, name: &'static str, letter: char, colour: AnsiColor) -> Drawn {
    Drawn {
        kind,
        name,
        letter,
        colour,
    }
}

impl Drawn {
    /// How a kind is drawn.
    pub(crate) fn of(kind: &str) -> Option<&'static Drawn> {
        DRAWN.iter().find(|drawn| drawn.kind == kind)
    }

    /// One column of the bar, as it looks with or without colours.
    fn cell(&self, coloured: bool) -> char {
        if coloured { '█' } else { self.letter }
    }

    /// The same in its colour, for a legend.
    pub(crate) fn mark(&self, coloured: bool) -> String {
        let style = self.style();
        format!("{style}{}{style:#}", self.cell(coloured))
    }

    fn style(&self) -> Style {
        self.colour.on_default()
    }
}

/// The window from end to end: what is used, what is free, what is kept for the answer.
pub(crate) fn bar(kinds: &Kinds, limits: &Limits, columns: usize, coloured: bool) -> String {
    let whole = limits.window.max(kinds.total());
    let mut line = String::new();
    let (mut passed, mut drawn) = (0, 0);
    for (kind, tokens) in kinds.each() {
        passed += tokens;
        let end = column(passed, whole, columns);
        let Some(kind) = Drawn::of(kind) else {
            continue;
        };
        if end > drawn {
            let style = kind.style();
            let cells: String = std::iter::repeat_n(kind.cell(coloured), end - drawn).collect();
            line.push_str(&format!("{style}{cells}{style:#}"));
            drawn = end;
        }
    }
    let available = column(limits.available, whole, columns).max(drawn);
    let free: String = std::iter::repeat_n('·', available - drawn).collect();
    let kept: String = std::iter::repeat_n('░', columns - available).collect();
    line.push_str(&format!("{FAINT}{free}{kept}{FAINT:#}"));
    line
}

/// Where so many tokens end in a bar of so many columns.
pub(crate) fn column(tokens: u64, whole: u64, columns: usize) -> usize {
    let place = u128::from(tokens) * columns as u128 + u128::from(whole) / 2;
    let place = place.checked_div(u128::from(whole)).unwrap_or(0);
    usize::try_from(place).unwrap_or(columns).min(columns)
}

/// A number of tokens as people read it.
pub(crate) fn tokens(number: u64) -> String {
    thousands(usize::try_from(number).unwrap_or(usize::MAX))
}
