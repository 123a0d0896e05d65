//! Memories as lines of JSON, as `memdir export jsonl` writes them.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;

use memdir_memory::MemoryPath;
use memdir_store::{limits, open_regular};
use serde::{Deserialize, Serialize};

use super::gather::{Gathered, Piece, Refused};
use crate::failure::Failure;

/// The format that this program writes.
pub(in crate::commands) const VERSION: u64 = 1;

/// The first line.
#[derive(Debug, Serialize, Deserialize)]
pub(in crate::commands) struct Heading {
    /// The version of the format.
    pub(in crate::commands) memdir_export: u64,
}

/// A memory.
#[derive(Debug, Serialize, Deserialize)]
pub(in crate::commands) struct Line {
    /// Whether it holds for this project or everywhere.
    pub(in crate::commands) scope: String,
    pub(in crate::commands) path: String,
    /// When it was last changed, in nanoseconds since 1970.
    pub(in crate::commands) modified: i64,
    /// Whose word it is, as its header says, for whoever reads this elsewhere.
    pub(in crate::commands) source: Option<String>,
    /// Its text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::commands) content: Option<String>,
    /// Its bytes in hexadecimal digits, where they are no UTF-8 text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::commands) content_hex: Option<String>,
}

pub(in crate::commands) const PROJECT: &str = "project";
pub(in crate::commands) const EVERYWHERE: &str = "everywhere";

/// Six bytes of JSON for each of a memory, and what is around it.
const MAX_LINE: u64 = limits::MAX_FILE_BYTES * 6 + 64 * 1024;

const NO_HEADING: &str = "its first line is not that of an export of memdir's";

pub(super) fn read(path: &Path, everywhere: bool, gathered: &mut Gathered) -> Result<(), Failure> {
    let failed =
        |error: String| Failure::new(format!("cannot read {}: {error}", path.display()), "");
    let file = open_regular(path).map_err(|error| failed(error.to_string()))?;
    let file = file.ok_or_else(|| failed("there is no such file".to_owned()))?;
    let mut lines = BufReader::new(file);
    let mut number = 0_usize;
    let mut is_headed = false;
    loop {
        let mut line = Vec::new();
        let read = (&mut lines).take(MAX_LINE).read_until(b'\n', &mut line);
        if read.map_err(|error| failed(error.to_string()))? == 0 {
            return Ok(());
        }
        number += 1;
        let from = format!("{}:{number}", path.display());
        if u64::try_from(line.len()).is_ok_and(|length| length == MAX_LINE)
            && !line.ends_with(b"\n")
        {
            let rest = lines.skip_until(b'\n');
            rest.map_err(|error| failed(error.to_string()))?;
            if !is_headed {
                return Err(failed(NO_HEADING.to_owned()));
            }
            let reason = "it is longer than any memory".to_owned();
            gathered.refused.push(Refused { path: from, reason });
            continue;
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        if !is_headed {
            must_be_known(&line).map_err(failed)?;
            is_headed = true;
            continue;
        }
        match piece(&line, everywhere, &from) {
            Ok(piece) => gathered.add(piece),
            Err(reason) => gathered.refused.push(Refused { path: from, reason }),
        }
    }
}

fn must_be_known(line: &[u8]) -> Result<(), String> {
    match serde_json::from_slice::<Heading>(line) {
        Ok(heading) if heading.memdir_export == VERSION => Ok(()),
        Ok(heading) => Err(format!(
            "it was written by a newer memdir (format {}, this one knows {VERSION})",
            heading.memdir_export
        )),
        Err(_) => Err(NO_HEADING.to_owned()),
    }
}

fn piece(line: &[u8], everywhere: bool, from: &str) -> Result<Piece, String> {
    let line: Line = serde_json::from_slice(line).map_err(|error| error.to_string())?;
    match (line.scope.as_str(), everywhere) {
        (PROJECT, false) | (EVERYWHERE, true) => {}
        (EVERYWHERE, false) => {
            return Err("it holds for all projects: import it with --everywhere".to_owned());
        }
        (PROJECT, true) => {
            return Err("it is about one project: import it without --everywhere".to_owned());
        }
        _ => return Err("its scope is neither project nor everywhere".to_owned()),
    }
    let target = MemoryPath::new(&line.path).map_err(|problem| problem.to_string())?;
    if target.is_index() || target.components().next() == Some("logs") {
        return Err("it is an index or a log, not a memory".to_owned());
    }
    let bytes = match (line.content, line.content_hex) {
        (Some(content), None) => content.into_bytes(),
        (None, Some(hex)) => bytes_of(&hex).ok_or("its bytes are not in hexadecimal digits")?,
        _ => return Err("it has no content, or two".to_owned()),
    };
    Ok(Piece {
        target,
        bytes,
        mtime: Some(line.modified).filter(|modified| *modified > 0),
        from: from.to_owned(),
        part: None,
        is_cut: false,
    })
}

fn bytes_of(hex: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> = hex
        .chars()
        .map(|digit| {
            digit
                .to_digit(16)
                .and_then(|digit| u8::try_from(digit).ok())
        })
        .collect();
    let pairs = digits?;
    (pairs.len() % 2 == 0).then(|| {
        let pairs = pairs.chunks_exact(2);
        pairs
            .map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | digit))
            .collect()
    })
}
