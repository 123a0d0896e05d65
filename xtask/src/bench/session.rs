//! What memory adds before a request leaves.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use super::figures::{Figures, Row, Times};
use crate::workspace;

/// Tokens of the conversations, memories, batches and turns of each.
const FULL: ([&str; 3], [&str; 3]) = (["20000", "50000", "150000"], ["1000", "8", "25"]);
const SMOKE: ([&str; 3], [&str; 3]) = (["1000", "2000", "3000"], ["50", "1", "3"]);

/// Turns with memory and without, by turns, beside the serialising of the same request and finding alone.
pub(super) fn measure(bench: &Path, smoke: bool) -> Result<(Vec<Row>, String)> {
    let (lengths, size) = if smoke { SMOKE } else { FULL };
    let mut rows = Vec::new();
    let mut note = String::new();
    for tokens in lengths {
        println!("measuring a conversation of {tokens} tokens …");
        let mut command = Command::new(bench);
        let found = Figures::parse(&workspace::output(command.arg(tokens).args(size))?)?;
        rows.push(Row::times(
            format!("added before a request of {tokens} tokens, against serialising it"),
            found.times("serialise")?,
            found.times("added")?,
            1.0,
        ));
        rows.push(Row::unmarked_times(
            "the same in time of the processor".to_owned(),
            found.times("serialise_processor")?,
            found.times("added_processor")?,
        ));
        rows.push(Row::unmarked_times(
            "the same against finding alone".to_owned(),
            found.times("find")?,
            found.times("added")?,
        ));
        let shown = |times: Times| format!("{:.2} ms", times.median / 1e6);
        note.push_str(&format!(
            "{tokens} tokens: {} with memory and {} without, {:.0} bytes of JSON, {:.1} memories a turn.\n",
            shown(found.times("on")?),
            shown(found.times("off")?),
            found.number("bytes")?,
            found.number("recalled")?
        ));
    }
    Ok((rows, note.trim_end().to_owned()))
}
