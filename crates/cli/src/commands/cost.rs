//! `memdir cost`: what background work has cost.

use std::collections::BTreeMap;

use clap::{Args, ValueEnum};
use jiff::tz::TimeZone;
use memdir_store::ledger::{Entry, Ledger, LedgerError, dollars, start_of_day};
use serde::Serialize;

use crate::clock::Clock;
use crate::failure::Failure;
use crate::output::{FAINT, GOOD, Output, STRONG, WARN};
use crate::table::{GAP, count, one_line, push_padded, thousands, widest};
use crate::workplace::Workplace;

/// The longest bar.
const BAR: usize = 16;

/// What background work has cost
///
/// Every request that you did not make yourself is written down before it is sent, at its worst case, and settled with what
/// the provider counted. One that broke off stays at its worst case. `budget.daily_usd` is the most for a day.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir cost
  memdir cost --by day --days 7
  memdir cost --by project --json

JSON: {by, rows, total, today_usd, daily_usd, unusual, damaged}; unusual, where yesterday was, has {yesterday_usd, median_usd}; a row and the total have {key, requests, open, input, \
cache_read, cache_write, output, cache_share, usd}; open are requests whose cost is not known, cache_share is in per cent.")]
pub(crate) struct Cost {
    /// What the rows are
    #[arg(long, value_enum, default_value_t = By::Purpose)]
    by: By,
    /// Only the last so many days, today included
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    days: Option<u16>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
enum By {
    Purpose,
    Day,
    Project,
}

impl By {
    fn head(self) -> &'static str {
        match self {
            By::Purpose => "purpose",
            By::Day => "day",
            By::Project => "project",
        }
    }
}

#[derive(Serialize)]
struct Answer<'a> {
    by: By,
    rows: &'a [Row],
    total: &'a Row,
    today_usd: f64,
    daily_usd: f64,
    unusual: Option<Unusual>,
    damaged: usize,
}

/// Yesterday, if it cost far more than the days before it.
#[derive(Serialize)]
struct Unusual {
    yesterday_usd: f64,
    median_usd: f64,
}

/// A sum of requests.
#[derive(Default, Serialize)]
struct Row {
    key: String,
    requests: usize,
    open: usize,
    input: u64,
    cache_read: u64,
    cache_write: u64,
    output: u64,
    cache_share: f64,
    usd: f64,
    #[serde(skip)]
    nano_usd: u64,
}

impl Row {
    fn add(&mut self, entry: &Entry) {
        self.requests += 1;
        self.nano_usd = self.nano_usd.saturating_add(entry.nano_usd());
        match &entry.spent {
            Some(spent) => {
                self.input += spent.input;
                self.cache_read += spent.cache_read;
                self.cache_write += spent.cache_write;
                self.output += spent.output;
            }
            None => self.open += 1,
        }
    }

    /// The figures that follow from the sums.
    fn closed(mut self) -> Self {
        let whole = self.prompt();
        // To one decimal, as every figure of the kind here.
        self.cache_share = match whole {
            0 => 0.0,
            _ => (self.cache_read as f64 * 1000.0 / whole as f64).round() / 10.0,
        };
        self.usd = usd(self.nano_usd);
        self
    }

    fn prompt(&self) -> u64 {
        self.input + self.cache_read + self.cache_write
    }
}

impl Cost {
    pub(crate) fn run(self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        let ledger = Ledger::new(workplace.places.own_dir());
        let zone = TimeZone::system();
        let now = Clock::new().now().to_zoned(zone.clone());
        let today = start_of_day(&now, 0);
        let since = self
            .days
            .map(|days| start_of_day(&now, i64::from(days) - 1));
        let entries = ledger.entries(since).map_err(failure)?;
        let unusual = ledger.unusual(&now).map_err(failure)?;
        let mut rows: BTreeMap<String, Row> = BTreeMap::new();
        let (mut total, mut spent_today) = (Row::default(), 0_u64);
        for entry in &entries.requests {
            let key = match self.by {
                By::Purpose => entry.wanted.purpose.clone(),
                By::Day => entry.at.to_zoned(zone.clone()).date().to_string(),
                By::Project => entry.wanted.project.clone(),
            };
            rows.entry(key).or_default().add(entry);
            total.add(entry);
            // The cap is for what is done in the background.
            if entry.at >= today && !entry.wanted.own {
                spent_today = spent_today.saturating_add(entry.nano_usd());
            }
        }
        let mut rows: Vec<Row> = rows
            .into_iter()
            .map(|(key, row)| Row { key, ..row }.closed())
            .collect();
        if self.by != By::Day {
            rows.sort_by_key(|row| std::cmp::Reverse(row.nano_usd));
        }
        let total = Row {
            key: "total".to_owned(),
            ..total
        }
        .closed();
        let daily = workplace.places.settings.settings().budget.daily_usd;
        if output.json {
            return Ok(output.json(&Answer {
                by: self.by,
                rows: &rows,
                total: &total,
                today_usd: usd(spent_today),
                daily_usd: daily.as_f64(),
                unusual: unusual.map(|day| Unusual {
                    yesterday_usd: usd(day.nano_usd),
                    median_usd: usd(day.median_nano_usd),
                }),
                damaged: entries.damaged,
            })?);
        }
        if rows.is_empty() {
            output.line(match self.days {
                None => "Background work has cost nothing.",
                Some(1) => "Background work has cost nothing today.",
                Some(_) => "Background work has cost nothing in these days.",
            })?;
        } else {
            print(self.by, &rows, &total, output)?;
        }
        output.line(format!(
            "{FAINT}today {} of the day's {}{FAINT:#}",
            dollars(spent_today),
            dollars(workplace.home().budget().daily_nano_usd)
        ))?;
        output.flush()?;
        if let Some(day) = unusual {
            let command = workplace.command("cost --by day");
            output.warn(format!("{day}; {command} shows the days"));
        }
        if entries.damaged > 0 {
            let lines = count(entries.damaged, "line", "lines");
            let path = workplace.shown(&ledger.path());
            output.warn(format!(
                "{lines} of {path} cannot be read: what they say is not counted"
            ));
        }
        Ok(())
    }
}

/// A table that fits eighty columns unless a project's path does not.
fn print(by: By, rows: &[Row], total: &Row, output: &mut Output) -> Result<(), Failure> {
    let head = [by.head(), "cost", "requests", "tokens in", "cached", "out"].map(str::to_owned);
    let mut table = vec![head];
    table.extend(rows.iter().chain([total]).map(cells));
    let mut widths = [0; 6];
    for (number, width) in widths.iter_mut().enumerate() {
        *width = widest(
            table
                .iter()
                .filter_map(|row| Some(row.get(number)?.as_str())),
        );
    }
    let most = rows.iter().map(|row| row.nano_usd).max().unwrap_or(0);
    let last = table.len() - 1;
    for (place, cells) in table.iter().enumerate() {
        let line = line(cells, &widths);
        let row = place.checked_sub(1).and_then(|place| rows.get(place));
        output.line(match row {
            Some(row) if row.nano_usd > 0 => {
                format!("{line}{GAP}{GOOD}{}{GOOD:#}", bar(row.nano_usd, most))
            }
            Some(_) => line,
            None if place == last => format!("{STRONG}{line}{STRONG:#}"),
            None => format!("{FAINT}{line}{FAINT:#}"),
        })?;
    }
    if total.open > 0 {
        let (verb, its) = match total.open {
            1 => ("is", "it cost is not known"),
            _ => ("are", "they cost is not known"),
        };
        let open = count(total.open, "request", "requests");
        output.line(format!(
            "{WARN}≤ {open} {verb} counted at the worst case: what {its}{WARN:#}"
        ))?;
    }
    Ok(())
}

fn line(cells: &[String; 6], widths: &[usize; 6]) -> String {
    let mut line = String::new();
    for (number, (cell, width)) in cells.iter().zip(widths).enumerate() {
        if number == 0 {
            push_padded(&mut line, cell, *width);
        } else {
            // Figures stand to the right of their column.
            line.push_str(GAP);
            let padding = width.saturating_sub(crate::table::width(cell));
            line.extend(std::iter::repeat_n(' ', padding));
            line.push_str(cell);
        }
    }
    line
}

fn cells(row: &Row) -> [String; 6] {
    let whole = |number: u64| thousands(usize::try_from(number).unwrap_or(usize::MAX));
    let cost = dollars(row.nano_usd);
    [
        one_line(&row.key).into_owned(),
        if row.open > 0 {
            format!("≤ {cost}")
        } else {
            cost
        },
        thousands(row.requests),
        whole(row.prompt()),
        format!("{:.1} %", row.cache_share),
        whole(row.output),
    ]
}

/// A bar as long as its share of the longest, to an eighth of a column.
fn bar(nano: u64, most: u64) -> String {
    const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    if most == 0 {
        return String::new();
    }
    let eighths = u128::from(nano) * (BAR as u128) * 8 / u128::from(most);
    let eighths = usize::try_from(eighths).unwrap_or(0);
    let mut bar = "█".repeat(eighths / 8);
    bar.push_str(PARTS.get(eighths % 8).copied().unwrap_or_default());
    bar
}

fn usd(nano: u64) -> f64 {
    nano as f64 / 1e9
}

fn failure(error: LedgerError) -> Failure {
    match error {
        LedgerError::Store(error) => error.into(),
        other => Failure::new(other.to_string(), ""),
    }
}
