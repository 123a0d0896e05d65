//! What asking a model costs beyond the bare system, and how soon a server notices that nobody wants its answer.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use super::figures::{Figures, Row};
use crate::workspace;

/// Cancels, builds of a client, readings of a long answer.
const FULL: [&str; 3] = ["200", "100", "60"];
const SMOKE: [&str; 3] = ["5", "3", "2"];

pub(super) fn measure(bench: &Path, smoke: bool) -> Result<(Vec<Row>, String)> {
    let words = if smoke { SMOKE } else { FULL };
    println!("measuring {} cancelled requests …", words[0]);
    let found = Figures::parse(&workspace::output(Command::new(bench).args(words))?)?;
    let (started, built) = (found.times("started")?, found.times("built")?);
    let rows = vec![
        Row::time(
            "from cancelling a request to the server seeing it, median".to_owned(),
            found.number("cancel_median")?,
            100e6,
        ),
        Row::time(
            "the same, worst".to_owned(),
            found.number("cancel_worst")?,
            100e6,
        ),
        Row::unmarked_times(
            "first request by TLS: thread, client and certificates, against starting `/bin/true`"
                .to_owned(),
            started,
            built,
        ),
        Row::times(
            "naming a model by the table, which builds no client, against starting `/bin/true`"
                .to_owned(),
            started,
            found.times("named")?,
            0.2,
        ),
        Row::times(
            "reading a streamed answer to its end, against a bare socket".to_owned(),
            found.times("bare")?,
            found.times("read")?,
            2.0,
        ),
    ];
    let note = format!(
        "{} requests were cancelled. The answer has {:.0} events in {:.0} bytes; the test server makes it anew each time, for both.",
        words[0],
        found.number("events")?,
        found.number("bytes")?
    );
    Ok((rows, note))
}
