//! The picture: a bar of the window, what it is made of, and what it is spent on.

use std::io;

use memdir_context::{Limits, State};
use memdir_conversation::tokens::Basis;

use super::Found;
use crate::output::{BAD, FAINT, GOOD, Output, STRONG, WARN};
use crate::table::{self, GAP, count, one_line, push_padded, widest};
use crate::window::{Drawn, bar, column, tokens};

/// How wide the bar is without a terminal, and at least and at most.
const COLUMNS: usize = 80;
const NARROWEST: usize = 40;
const WIDEST: usize = 200;
/// How many tools and files are named.
const NAMED: usize = 5;

pub(super) fn print(found: &Found, output: &mut Output) -> io::Result<()> {
    let columns = output.width.unwrap_or(COLUMNS).clamp(NARROWEST, WIDEST);
    let coloured = output.coloured();
    title(found, columns, output)?;
    output.line("")?;
    output.line(bar(&found.measure.kinds, &found.limits, columns, coloured))?;
    for line in marks(&found.limits, columns) {
        output.line(format!("{FAINT}{line}{FAINT:#}"))?;
    }
    output.line("")?;
    for line in legend(found, coloured) {
        output.line(line)?;
    }
    spent(found, columns, output)
}

fn title(found: &Found, columns: usize, output: &mut Output) -> io::Result<()> {
    let mut about = vec![
        found.format.to_owned(),
        count(found.messages, "message", "messages"),
    ];
    about.extend(
        found
            .model
            .as_deref()
            .map(|model| one_line(model).into_owned()),
    );
    let name = one_line(&found.name);
    output.line(format!("{STRONG}{}{STRONG:#}", table::cut(&name, columns)))?;
    output.line(format!(
        "{FAINT}{}{FAINT:#}",
        table::cut(&about.join(", "), columns)
    ))?;
    let standing = &found.standing;
    let (style, word) = match standing.state {
        State::Normal => (GOOD, "room left"),
        State::Warning => (WARN, "nearly full"),
        State::Error => (BAD, "nearly full"),
        State::Compaction => (BAD, "compaction is due"),
        State::Blocked => (BAD, "full"),
    };
    let (used, window) = (tokens(standing.used), tokens(found.limits.window));
    let left = format!("{} % left", standing.percent_left);
    let room = columns.saturating_sub(table::width(&format!("{used} of {window} tokens, {left}")));
    // In a narrow terminal the colour says it.
    let word = format!(", {word}");
    let word = if table::width(&word) <= room {
        word.as_str()
    } else {
        ""
    };
    output.line(format!(
        "{STRONG}{used}{STRONG:#} of {window} tokens, {style}{left}{style:#}{word}"
    ))?;
    let basis = match found.measure.basis {
        Basis::Usage => {
            "as the provider counted it; what came after the last response is estimated".to_owned()
        }
        Basis::Learnt => format!(
            "estimated, times {:.2} as the model's responses taught",
            found.measure.factor
        ),
        Basis::Margin => "estimated, with a third on top: no response has been counted".to_owned(),
    };
    let basis = table::wrapped(&basis, 0, Some(columns));
    output.line(format!("{FAINT}{basis}{FAINT:#}"))
}

/// Lines below the bar: each threshold with its name left of its column.
fn marks(limits: &Limits, columns: usize) -> Vec<String> {
    let thresholds = &limits.thresholds;
    let mut marks = vec![
        (thresholds.warning, "warning"),
        (thresholds.compaction, "compaction"),
        (thresholds.blocking, "blocking"),
    ];
    if thresholds.error != thresholds.warning {
        marks.push((thresholds.error, "red"));
    }
    marks.sort_unstable();
    let places: Vec<usize> = marks
        .iter()
        .map(|(at, _)| column(*at, limits.window, columns).min(columns - 1))
        .collect();
    let lines = marks.iter().zip(&places).enumerate();
    lines
        .map(|(number, ((at, name), place))| {
            let label = format!("{name} {}", tokens(*at));
            let later = places.get(number + 1..).unwrap_or_default();
            let mut line = String::new();
            match place.checked_sub(table::width(&label) + 1) {
                Some(before) => {
                    line.extend(std::iter::repeat_n(' ', before));
                    line.push_str(&label);
                    line.push(' ');
                    line.push(if later.contains(place) { '┤' } else { '┘' });
                }
                // So far left that its name goes to the right; only an override puts one there.
                None => {
                    line.extend(std::iter::repeat_n(' ', *place));
                    line.push(if later.contains(place) { '├' } else { '└' });
                    line.push(' ');
                    line.push_str(&label);
                }
            }
            for column in later {
                let gap = column.checked_sub(table::width(&line));
                if let Some(gap) = gap {
                    line.extend(std::iter::repeat_n(' ', gap));
                    line.push('│');
                }
            }
            line
        })
        .collect()
}

fn legend(found: &Found, coloured: bool) -> Vec<String> {
    let kinds = found.measure.kinds.each();
    let mut rows: Vec<(String, &str, u64)> = kinds
        .into_iter()
        .filter(|(_, tokens)| *tokens > 0)
        .filter_map(|(kind, tokens)| {
            let drawn = Drawn::of(kind)?;
            Some((drawn.mark(coloured), drawn.name, tokens))
        })
        .collect();
    let free = found.limits.available.saturating_sub(found.measure.tokens);
    rows.push((format!("{FAINT}·{FAINT:#}"), "free", free));
    let kept = found.limits.window - found.limits.available;
    rows.push((format!("{FAINT}░{FAINT:#}"), "kept for the answer", kept));
    let names = widest(rows.iter().map(|(_, name, _)| *name));
    let numbers: Vec<String> = rows.iter().map(|(_, _, number)| tokens(*number)).collect();
    let digits = widest(numbers.iter().map(String::as_str));
    rows.iter()
        .zip(&numbers)
        .map(|((cell, name, number), shown)| {
            let mut line = format!("{cell} ");
            push_padded(&mut line, name, names);
            let share = *number as f64 * 100.0 / found.limits.window as f64;
            format!("{line}{GAP}{shown:>digits$}{GAP}{share:>3.0} %")
        })
        .collect()
}

/// The tools and files that cost most, and what was read again.
fn spent(found: &Found, columns: usize, output: &mut Output) -> io::Result<()> {
    let tools = found.breakdown.tools.iter().take(NAMED).map(|tool| {
        let name = if tool.name.is_empty() {
            "(call not seen)"
        } else {
            &tool.name
        };
        let calls = count(tool.calls as usize, "call", "calls");
        (tool.requests + tool.results, calls, name)
    });
    list("Tools", &tools.collect::<Vec<_>>(), columns, output)?;
    let files = found.breakdown.files.iter().take(NAMED);
    let files = files.map(|file| {
        let calls = count(file.calls as usize, "call", "calls");
        (file.tokens, calls, file.path.as_str())
    });
    list("Files", &files.collect::<Vec<_>>(), columns, output)?;
    let mut again: Vec<_> = found
        .breakdown
        .files
        .iter()
        .filter(|file| file.duplicates > 0)
        .collect();
    again.sort_by_key(|file| std::cmp::Reverse(file.duplicates));
    let wasted: u64 = again.iter().map(|file| file.duplicates).sum();
    let title = format!("Read again, {} tokens to spare", tokens(wasted));
    let again = again.iter().take(NAMED);
    let again = again.map(|file| {
        let reads = count(file.reads as usize, "read", "reads");
        (file.duplicates, reads, file.path.as_str())
    });
    list(&title, &again.collect::<Vec<_>>(), columns, output)
}

fn list(
    title: &str,
    rows: &[(u64, String, &str)],
    columns: usize,
    output: &mut Output,
) -> io::Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    output.line(format!("\n{STRONG}{title}{STRONG:#}"))?;
    let numbers: Vec<String> = rows.iter().map(|(number, ..)| tokens(*number)).collect();
    let digits = widest(numbers.iter().map(String::as_str));
    let counts = widest(rows.iter().map(|(_, count, _)| count.as_str()));
    for ((_, times, name), number) in rows.iter().zip(&numbers) {
        let room = columns.saturating_sub(digits + counts + 2 * GAP.len());
        let name = one_line(name);
        let name = end_of(&name, room);
        output.line(format!(
            "{number:>digits$}{GAP}{FAINT}{times:>counts$}{FAINT:#}{GAP}{name}"
        ))?;
    }
    Ok(())
}

/// The end of a path that is too long: it tells files apart.
fn end_of(path: &str, columns: usize) -> String {
    if table::width(path) <= columns {
        return path.to_owned();
    }
    let mut end = String::new();
    for character in path.chars().rev() {
        let longer = format!("{character}{end}");
        if table::width(&longer) + 1 > columns {
            break;
        }
        end = longer;
    }
    format!("…{end}")
}
