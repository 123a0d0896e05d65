//! What it costs to make a request of a long conversation, and how far the tokens of it are foreseen.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use super::figures::{Figures, Row};
use crate::workspace;

/// Messages, tokens and rounds of the conversation that is sent.
const FULL: [&str; 3] = ["2000", "200000", "200"];
const SMOKE: [&str; 3] = ["20", "2000", "3"];

/// A request of a conversation whose messages are known but for the last.
pub(super) fn speed(bench: &Path, smoke: bool) -> Result<(Vec<Row>, String)> {
    let words = if smoke { SMOKE } else { FULL };
    println!("measuring a conversation of {} messages …", words[0]);
    let found = Figures::parse(&workspace::output(Command::new(bench).args(words))?)?;
    let (tokens, bytes) = (found.number("tokens")?, found.number("bytes")?);
    let cleared = found.number("cleared")?;
    let (whole, again) = (found.times("first")?, found.times("again")?);
    let rows = vec![
        Row::times(
            "count, look what to clear, flatten and write a request, all messages known but the last, against `serde_json` \
             parsing it"
                .to_owned(),
            found.times("parse")?,
            found.times("request")?,
            1.0,
        ),
        Row::times(
            format!("the same with {cleared:.0} results to clear"),
            found.times("parse")?,
            found.times("clearing")?,
            1.0,
        ),
        Row::times(
            "first count of everything, against the bare tokeniser".to_owned(),
            found.times("bare")?,
            whole,
            1.2,
        ),
        Row::rates(
            "count after one new message, against the first count".to_owned(),
            1e9 / whole.median,
            1e9 / again.median,
            100.0,
        ),
    ];
    let note = format!(
        "The conversation has {} messages, {tokens:.0} tokens by o200k and {bytes:.0} bytes of JSON.",
        words[0]
    );
    Ok((rows, note))
}

/// What was foreseen against a bill by another tokeniser, at a rate that nobody tells.
pub(super) fn errors(bench: &Path, root: &Path, smoke: bool) -> Result<(Vec<Row>, String)> {
    let conversations = if smoke { "2" } else { "200" };
    println!("measuring {conversations} conversations with each estimator …");
    let mut command = Command::new(bench);
    command.args(["errors", conversations]).arg(root);
    let found = Figures::parse(&workspace::output(&mut command)?)?;
    let mut rows = Vec::new();
    let estimators = [
        ("pairs", "the tokeniser", true),
        ("classes", "classes of bytes, as hooks count", true),
        ("bytes", "a quarter of the bytes", false),
    ];
    for (name, shown, marked) in estimators {
        let mut figures = vec![
            (
                "median",
                "next request after five responses, median",
                Some(0.02),
            ),
            ("p95", "the same, p95", Some(0.05)),
            ("worst", "the same, worst", None),
            (
                "first_under",
                "first request, most that it was under the bill",
                Some(0.10),
            ),
            ("first_over", "first request, median over the bill", None),
        ];
        if marked {
            figures.extend([
                (
                    "languages_median",
                    "in other languages, next request after five responses, median",
                    None,
                ),
                ("languages_p95", "in other languages, the same, p95", None),
                (
                    "languages_first_under",
                    "in other languages, first request, most that it was under the bill",
                    Some(0.10),
                ),
                (
                    "languages_first_over",
                    "in other languages, first request, median over the bill",
                    None,
                ),
            ]);
        }
        for (figure, what, most) in figures {
            let share = found.number(&format!("{name}_{figure}"))?;
            let what = format!("{shown}: {what}");
            rows.push(Row::share(what, share, most.filter(|_| marked)));
        }
    }
    let note = format!(
        "{conversations} conversations of 25 requests, and a fifth as many in each of seven languages, billed by cl100k."
    );
    Ok((rows, note))
}
