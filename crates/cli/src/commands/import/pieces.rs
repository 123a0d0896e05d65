//! Memories that other agents keep several to a file: each becomes one of its own.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use memdir_memory::draft::{Draft, Given};
use memdir_memory::{Source, Topic, hidden, naming};
use memdir_store::{Digest, Directory};

use super::super::remember::without_private;
use super::gather::{Gathered, Piece, Refused, Text};

/// Codex keeps what it consolidated in two files; the others are its working files.
pub(super) fn codex(folder: &Directory, gathered: &mut Gathered) {
    for name in ["MEMORY.md", "memory_summary.md"] {
        sections(Text::beneath(folder, name), gathered);
    }
}

/// Each part under a heading of the first or second level.
pub(super) fn sections(file: Text, gathered: &mut Gathered) {
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
pub(super) fn gemini(file: Text, gathered: &mut Gathered) {
    let is_index = file.is_index;
    split(file, gathered, |text| {
        let mut items: Vec<String> = Vec::new();
        let mut inside = is_index;
        for line in text.lines() {
            if line.starts_with('#') {
                inside = is_index || line.to_lowercase().contains("memories");
            } else if let Some(item) = ["- ", "* "]
                .iter()
                .find_map(|mark| line.strip_prefix(mark))
                .filter(|_| inside)
            {
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
fn split(file: Text, gathered: &mut Gathered, parts: impl FnOnce(&str) -> Vec<String>) {
    let Text { from, read, .. } = file;
    let refuse = |reason: String| Refused {
        path: from.clone(),
        reason,
    };
    let (bytes, mtime) = match read {
        Ok(Some(read)) => read,
        Ok(None) => return,
        Err(reason) => {
            gathered.refused.push(refuse(reason));
            return;
        }
    };
    let Ok(text) = String::from_utf8(bytes) else {
        let refused = refuse("it is not UTF-8 text".to_owned());
        gathered.refused.push(refused);
        return;
    };
    // Before it is cut in parts: a span may go over several, and names are made of words.
    let open = without_private(&hidden::clean(&text).text);
    let is_cut = open.is_some();
    for part in parts(&open.unwrap_or(text)) {
        let draft = drafted(&part, day(mtime));
        let stem = naming::file_stem(draft.memory_type, &draft.name);
        let Some(target) = gathered.free(&stem) else {
            let refused = refuse("a part of it gives no name for a file".to_owned());
            gathered.refused.push(refused);
            continue;
        };
        gathered.add(Piece {
            target,
            bytes: draft.compose(Source::Import, &[]).into_bytes(),
            mtime,
            from: from.clone(),
            part: Some(part),
            is_cut,
        });
    }
}

fn drafted(part: &str, day: Date) -> Draft {
    Draft::new(part.trim(), Given::default(), day)
}

/// What a part says, had it been read from a file of this day: such a file is written anew as a whole, and "tomorrow" is
/// another day then.
pub(super) fn said_on(part: &str, day: Date) -> Digest {
    let composed = drafted(part, day).compose(Source::Import, &[]);
    said(&Topic::parse(hidden::clean(&composed).text.as_bytes()))
}

/// What a memory says, whatever it is called.
pub(super) fn said(topic: &Topic) -> Digest {
    Digest::of(topic.body())
}

/// The day from which dates such as "tomorrow" are counted.
pub(super) fn day(mtime: Option<i64>) -> Date {
    let then = mtime.and_then(|mtime| Timestamp::from_second(mtime.div_euclid(1_000_000_000)).ok());
    let then = then.unwrap_or_else(Timestamp::now);
    then.to_zoned(TimeZone::system()).date()
}
