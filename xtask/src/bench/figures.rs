//! Figures as a bench program prints them, and as a table shows them.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result};

use crate::document;

/// Lines `name value`.
pub(super) struct Figures(BTreeMap<String, f64>);

/// Median and 90th percentile, in nanoseconds.
#[derive(Clone, Copy)]
pub(super) struct Times {
    pub(super) median: f64,
    pub(super) p90: f64,
}

impl Figures {
    pub(super) fn parse(text: &str) -> Result<Self> {
        let parse = |line: &str| -> Result<(String, f64)> {
            let (name, value) = line
                .split_once(' ')
                .with_context(|| format!("`{line}` is no figure"))?;
            Ok((
                name.to_owned(),
                value
                    .parse()
                    .with_context(|| format!("`{line}` has no number"))?,
            ))
        };
        text.lines().map(parse).collect::<Result<_>>().map(Self)
    }

    pub(super) fn number(&self, name: &str) -> Result<f64> {
        self.0
            .get(name)
            .copied()
            .with_context(|| format!("the bench printed no `{name}`"))
    }

    pub(super) fn times(&self, name: &str) -> Result<Times> {
        let median = self.number(&format!("{name}_median"))?;
        Ok(Times {
            median,
            p90: self.number(&format!("{name}_p90"))?,
        })
    }
}

impl Times {
    /// Of a list in nanoseconds.
    pub(super) fn of(mut list: Vec<f64>) -> Self {
        list.sort_unstable_by(f64::total_cmp);
        let at = |share: usize| {
            let place = (list.len() * share / 100).min(list.len().saturating_sub(1));
            list.get(place).copied().unwrap_or(0.0)
        };
        Self {
            median: at(50),
            p90: at(90),
        }
    }
}

/// One line of the table.
pub(super) struct Row {
    pub(super) what: String,
    floor: String,
    ours: String,
    value: f64,
    shown: String,
    mark: Option<Mark>,
}

#[derive(Clone, Copy)]
enum Mark {
    AtMost(f64),
    AtLeast(f64),
    Bytes(f64),
    Nanoseconds(f64),
    Share(f64),
}

impl Row {
    /// Times, of which ours may be at most so many times the floor's.
    pub(super) fn times(what: String, floor: Times, ours: Times, mark: f64) -> Self {
        Self {
            mark: Some(Mark::AtMost(mark)),
            ..Self::unmarked_times(what, floor, ours)
        }
    }

    /// Times without a mark.
    pub(super) fn unmarked_times(what: String, floor: Times, ours: Times) -> Self {
        let value = ours.median / floor.median;
        Self {
            what,
            floor: show_times(floor),
            ours: show_times(ours),
            value,
            shown: format!("{value:.2}"),
            mark: None,
        }
    }

    /// Rates, of which ours must be at least so many times the floor's.
    pub(super) fn rates(what: String, floor: f64, ours: f64, mark: f64) -> Self {
        let value = ours / floor;
        Self {
            what,
            floor: format!("{floor:.0}/s"),
            ours: format!("{ours:.0}/s"),
            value,
            shown: format!("{value:.2}"),
            mark: Some(Mark::AtLeast(mark)),
        }
    }

    /// A time by itself, which is what a user waits.
    pub(super) fn time(what: String, nanoseconds: f64, most: f64) -> Self {
        Self {
            what,
            floor: "–".to_owned(),
            ours: show(nanoseconds),
            value: nanoseconds,
            shown: "–".to_owned(),
            mark: Some(Mark::Nanoseconds(most)),
        }
    }

    /// An amount of memory.
    pub(super) fn bytes(what: String, value: f64, most: Option<f64>) -> Self {
        let shown = format!("{:.1} MB", value / 1e6);
        let mark = most.map(Mark::Bytes);
        Self {
            what,
            floor: "–".to_owned(),
            ours: shown,
            value,
            shown: "–".to_owned(),
            mark,
        }
    }

    /// A share of a whole, shown in per cent.
    pub(super) fn share(what: String, value: f64, most: Option<f64>) -> Self {
        Self {
            what,
            floor: "–".to_owned(),
            ours: format!("{:.2} %", value * 100.0),
            value,
            shown: "–".to_owned(),
            mark: most.map(Mark::Share),
        }
    }

    pub(super) fn missed(&self) -> bool {
        match self.mark {
            Some(
                Mark::AtMost(most)
                | Mark::Bytes(most)
                | Mark::Nanoseconds(most)
                | Mark::Share(most),
            ) => self.value > most,
            Some(Mark::AtLeast(least)) => self.value < least,
            None => false,
        }
    }

    fn mark(&self) -> String {
        let mark = match self.mark {
            Some(Mark::AtMost(most)) => format!("≤ {most}"),
            Some(Mark::AtLeast(least)) => format!("≥ {least}"),
            Some(Mark::Nanoseconds(most)) => format!("≤ {}", show(most)),
            Some(Mark::Share(most)) => format!("≤ {:.0} %", most * 100.0),
            Some(Mark::Bytes(most)) => format!("< {} MB", most / 1e6),
            None => return "–".to_owned(),
        };
        if self.missed() {
            format!("{mark}, missed")
        } else {
            mark
        }
    }
}

/// All rows as a Markdown table.
pub(super) fn table(rows: &[Row]) -> String {
    let cells: Vec<Vec<String>> = rows
        .iter()
        .map(|row| {
            vec![
                row.what.clone(),
                row.floor.clone(),
                row.ours.clone(),
                row.shown.clone(),
                row.mark(),
            ]
        })
        .collect();
    document::table(
        &[
            "what",
            "bare: median (p90)",
            "memdir: median (p90)",
            "ratio",
            "mark",
        ],
        &cells,
    )
}

fn show_times(times: Times) -> String {
    format!("{} ({})", show(times.median), show(times.p90))
}

fn show(nanoseconds: f64) -> String {
    match nanoseconds {
        small if small < 1e6 => format!("{:.0} µs", small / 1e3),
        middle if middle < 1e9 => format!("{:.2} ms", middle / 1e6),
        large => format!("{:.2} s", large / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_shows_each_ratio_beside_its_mark() {
        let found =
            Figures::parse("a_median 1000\na_p90 2000\nb_median 1600000\nb_p90 2e9\n").unwrap();
        let (a, b) = (found.times("a").unwrap(), found.times("b").unwrap());
        let rows = [
            Row::times("fine".to_owned(), a, a, 1.5),
            Row::times("slow".to_owned(), a, b, 1.5),
            Row::rates("crowd".to_owned(), 100.0, 99.0, 1.0),
            Row::bytes("memory".to_owned(), 31e6, Some(200e6)),
            Row::time("wait".to_owned(), 3e6, 2e6),
            Row::share("error".to_owned(), 0.0123, Some(0.05)),
        ];
        insta::assert_snapshot!(table(&rows), @"
        | what   | bare: median (p90) | memdir: median (p90) | ratio   | mark              |
        | ------ | ------------------ | -------------------- | ------- | ----------------- |
        | fine   | 1 µs (2 µs)        | 1 µs (2 µs)          | 1.00    | ≤ 1.5             |
        | slow   | 1 µs (2 µs)        | 1.60 ms (2.00 s)     | 1600.00 | ≤ 1.5, missed     |
        | crowd  | 100/s              | 99/s                 | 0.99    | ≥ 1, missed       |
        | memory | –                  | 31.0 MB              | –       | < 200 MB          |
        | wait   | –                  | 3.00 ms              | –       | ≤ 2.00 ms, missed |
        | error  | –                  | 1.23 %               | –       | ≤ 5 %             |
        ");
        assert!(found.number("c").is_err());
        assert!(Figures::parse("nonsense").is_err());
    }

    #[test]
    fn the_median_of_an_even_list_is_its_upper_middle() {
        let times = Times::of(vec![4.0, 1.0, 3.0, 2.0]);
        assert_eq!((times.median, times.p90), (3.0, 4.0));
    }
}
