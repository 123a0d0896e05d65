//! Memories that other agents keep several to a file: each becomes one of its own.

use std::path::Path;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use memdir_memory::draft::{Draft, Given};
use memdir_memory::{MemoryPath, Source, naming};

use super::gather::{Gathered, Piece, Refused, read};

/// Codex keeps what it consolidated in two files; the others are its working files.
pub(super) fn codex(folder: &Path, gathered: &mut Gathered) {
    for name in ["MEMORY.md", "memory_summary.md"] {
        let file = folder.join(name);
        if file.exists() {
            sections(&file, gathered);
        }
    }
}

/// Each part under a heading of the first or second level.
pub(super) fn sections(file: &Path, gathered: &mut Gathered) {
    split(file, gathered, |text| {
        let mut parts = vec![String::new()];
        let mut fenced = false;
        for line in text.split_inclusive('\n') {
            fenced ^= line.trim_start().starts_with("```");
            let heads = !fenced && (line.starts_with("# ") || line.starts_with("## "));
            match parts.last_mut() {
                Some(part) if !heads => part.push_str(line),
                _ => parts.push(line.to_owned()),
            }
        }
        // A heading with nothing under it says nothing.
        let says = |part: &String| {
            part.lines()
                .any(|line| !line.starts_with('#') && !line.trim().is_empty())
        };
        parts.into_iter().filter(says).collect()
    });
}

/// Each item of the list that Gemini adds to: under a heading about memories, or all that link to no file.
pub(super) fn gemini(file: &Path, gathered: &mut Gathered) {
    if !file.exists() {
        return;
    }
    let is_index = file.file_name().is_some_and(|name| name == "MEMORY.md");
    split(file, gathered, |text| {
        let mut items: Vec<String> = Vec::new();
        let mut inside = is_index;
        for line in text.lines() {
            if line.starts_with('#') {
                inside = is_index || line.to_lowercase().contains("memories");
            } else if let Some(item) = line.strip_prefix("- ").filter(|_| inside) {
                items.push(item.to_owned());
            } else if let (Some(item), true) = (items.last_mut(), line.starts_with("  ")) {
                item.push('\n');
                item.push_str(line.trim_start());
            }
        }
        let links = |item: &String| item.starts_with('[') && item.contains("](");
        items.retain(|item| !links(item) && !item.trim().is_empty());
        items
    });
}

/// Makes a memory of each part of a file.
fn split(file: &Path, gathered: &mut Gathered, parts: impl FnOnce(&str) -> Vec<String>) {
    let from = file.display().to_string();
    let read = read(file).and_then(|(bytes, mtime)| {
        let text = String::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_owned())?;
        Ok((text, mtime))
    });
    let (text, mtime) = match read {
        Ok(read) => read,
        Err(reason) => {
            gathered.refused.push(Refused { path: from, reason });
            return;
        }
    };
    for part in parts(&text) {
        let draft = Draft::new(part.trim(), Given::default(), day(mtime));
        let stem = naming::file_stem(draft.memory_type, &draft.name);
        let Some(target) = free(&stem, gathered) else {
            gathered.refused.push(Refused {
                path: from.clone(),
                reason: "a part of it gives no name for a file".to_owned(),
            });
            continue;
        };
        gathered.pieces.push(Piece {
            target,
            bytes: draft.compose(Source::Import, &[]).into_bytes(),
            mtime,
            from: from.clone(),
        });
    }
}

/// The first name like this that no other part has.
fn free(stem: &str, gathered: &Gathered) -> Option<MemoryPath> {
    (1..10_000).find_map(|number| {
        let path = MemoryPath::new(&format!("{}.md", naming::numbered(stem, number))).ok()?;
        let taken = gathered.pieces.iter().any(|piece| piece.target == path);
        (!taken).then_some(path)
    })
}

/// The day from which dates such as "tomorrow" are counted.
fn day(mtime: Option<i64>) -> Date {
    let then = mtime.and_then(|mtime| Timestamp::from_second(mtime.div_euclid(1_000_000_000)).ok());
    let then = then.unwrap_or_else(Timestamp::now);
    then.to_zoned(TimeZone::system()).date()
}
