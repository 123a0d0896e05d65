//! `Grep`: lines that match.

use std::fs::File;
use std::io::Read;
use std::time::Instant;

use grep_regex::RegexMatcherBuilder;
use grep_searcher::sinks::Lossy;
use grep_searcher::{BinaryDetection, SearcherBuilder};
use memdir_store::open_regular;

use crate::looked::{Looked, looked};
use crate::program::TIME;
use crate::{Answer, Bench, Call, Place, Tool, glob};

/// As a model is told of it.
pub(crate) const TOOL: Tool = Tool {
    name: "Grep",
    description: "Searches files for a regular expression. output_mode: files_with_matches (default), content, count.",
    schema: r#"{"type":"object","properties":{"pattern":{"type":"string"},"path":{"type":"string","description":"File or folder"},"glob":{"type":"string","description":"Only files like this"},"output_mode":{"type":"string","enum":["content","files_with_matches","count"]},"-i":{"type":"boolean"},"-n":{"type":"boolean"},"head_limit":{"type":"integer"}},"required":["pattern"]}"#,
};

const MOST_LINES: usize = 250;
const LINE_CHARACTERS: usize = 500;
/// A file with a longer line is no text.
const LINE_BYTES: usize = 64 * 1_024 * 1_024;

pub(crate) fn run(bench: &Bench<'_>, call: &Call, place: &Place) -> Answer {
    let pattern = match call.text("pattern") {
        Ok(pattern) => pattern,
        Err(answer) => return answer,
    };
    let matcher = RegexMatcherBuilder::new()
        .case_insensitive(call.flag("-i"))
        .line_terminator(Some(b'\n'))
        .build(pattern);
    let matcher = match matcher {
        Ok(matcher) => matcher,
        Err(error) => return Answer::error(format!("the pattern is not understood: {error}")),
    };
    let only = match call.optional("glob").map(glob::matcher).transpose() {
        Ok(only) => only,
        Err(error) => return Answer::error(format!("the glob is not understood: {error}")),
    };
    let mode = call.optional("output_mode").unwrap_or("files_with_matches");
    let most = call
        .number("head_limit")
        .unwrap_or(MOST_LINES)
        .min(MOST_LINES);
    let mut searcher = SearcherBuilder::new()
        .binary_detection(BinaryDetection::quit(0))
        .line_number(true)
        .heap_limit(Some(LINE_BYTES))
        .build();
    let until = Instant::now() + TIME;
    let folder = place.path(&bench.rooms);
    let mut lines: Vec<String> = Vec::new();
    for file in looked(bench, place) {
        let path = file.path();
        let beneath = path.strip_prefix(&folder).unwrap_or(path);
        let wanted = only.as_ref().is_none_or(|only| {
            only.is_match(beneath) || path.file_name().is_some_and(|name| only.is_match(name))
        });
        if !wanted || bench.is_withheld(path) {
            continue;
        }
        let mut count = 0;
        let shown = path.display();
        let matched = Lossy(|number, line| {
            count += 1;
            if mode == "content" && lines.len() < most {
                let line: String = line.trim_end().chars().take(LINE_CHARACTERS).collect();
                lines.push(format!("{shown}:{number}:{line}"));
            }
            Ok(mode != "files_with_matches" && (mode != "content" || lines.len() < most))
        });
        // A file that cannot be read does not end the search.
        let _ = match &file {
            Looked::Copied(_, found) => searcher.search_slice(&matcher, &found.bytes, matched),
            Looked::OnDisk(_) => match open_regular(path) {
                Ok(Some(file)) => searcher.search_reader(&matcher, Timed { file, until }, matched),
                _ => continue,
            },
        };
        match mode {
            "content" => {}
            "count" if count > 0 => lines.push(format!("{shown}:{count}")),
            _ if count > 0 => lines.push(shown.to_string()),
            _ => {}
        }
        if lines.len() >= most {
            lines.push(format!("[cut at {most} lines]"));
            break;
        }
    }
    match lines.is_empty() {
        true => Answer::ok("[no match]"),
        false => Answer::ok(lines.join("\n")),
    }
}

/// A file that ends when the time is up.
struct Timed {
    file: File,
    until: Instant,
}

impl Read for Timed {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        match Instant::now() < self.until {
            true => self.file.read(buffer),
            false => Ok(0),
        }
    }
}
