//! Edits of a topic file. Each changes the bytes it is about and no others, and is read back
//! before it is handed out: a header in a form that cannot be edited this way is refused, not
//! damaged.

use std::ops::Range;

use super::{
    Topic,
    entries::{Entry, entries, indent_beneath, is_comment},
};
use crate::{
    Header, MemoryType,
    header::{bom_length, is_key_byte},
    lines::{is_blank, line_end_before, line_end_of, lines_from, part},
    scalar::{self, one_line},
};

/// Why an edit of a header is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// A key with a character that keys do not have.
    #[error("`{0}` cannot be a key of a header: letters, digits, `-` and `_` only")]
    Key(String),
    /// A form of header that cannot be edited without touching more than the field.
    #[error(
        "the header is written in a form in which `{field}` cannot be set: write it as `key: value`, one a line"
    )]
    Form {
        /// The field that was to be set.
        field: String,
    },
}

/// Whose key is meant.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Flat,
    Nested,
}

impl Topic {
    /// Sets `name`. Like every text of a header it is put on one line.
    pub fn with_name(&self, name: &str) -> Result<Self, EditError> {
        let edited = self.set(Level::Flat, "name", name);
        self.checked("name", edited, |topic| {
            topic.header.name.as_deref() == text(name).as_deref()
        })
    }

    /// Sets `description`.
    pub fn with_description(&self, description: &str) -> Result<Self, EditError> {
        let edited = self.set(Level::Flat, "description", description);
        self.checked("description", edited, |topic| {
            topic.header.description.as_deref() == text(description).as_deref()
        })
    }

    /// Sets the type where the file has it, as `type` or as `metadata.type`; both where it has
    /// both, so that every reader sees the same, and `metadata.type` where it has neither.
    pub fn with_type(&self, memory_type: MemoryType) -> Result<Self, EditError> {
        let word = memory_type.as_str();
        let is_flat = self.entry(Level::Flat, "type").is_some();
        let edited = if !is_flat {
            self.set(Level::Nested, "type", word)
        } else {
            let flat = self.set(Level::Flat, "type", word);
            if self.entry(Level::Nested, "type").is_some() {
                flat.and_then(|bytes| Self::from_bytes(bytes).set(Level::Nested, "type", word))
            } else {
                flat
            }
        };
        self.checked("type", edited, |topic| {
            topic.header.memory_type == Some(memory_type)
        })
    }

    /// Sets a key beneath `metadata`.
    pub fn with_metadata(&self, key: &str, value: &str) -> Result<Self, EditError> {
        if key.is_empty() || !key.bytes().all(is_key_byte) {
            return Err(EditError::Key(key.to_owned()));
        }
        let edited = self.set(Level::Nested, key, value);
        self.checked(key, edited, |topic| topic.metadata(key) == text(value))
    }

    /// Removes a key beneath `metadata`, and `metadata` with its last key.
    pub fn without_metadata(&self, key: &str) -> Result<Self, EditError> {
        let Some(entry) = self.entry(Level::Nested, key) else {
            return if self.metadata(key).is_none() {
                Ok(self.clone())
            } else {
                Err(EditError::Form {
                    field: key.to_owned(),
                })
            };
        };
        let mut range = entry.line.start..entry.end;
        if let Some(parent) = self.entry(Level::Flat, "metadata") {
            let is_needed = |line: &crate::lines::Line| {
                !range.contains(&line.start) && !is_blank(line.content(&self.bytes))
            };
            let beneath = part(&self.bytes, 0, parent.end);
            let comment = parent
                .scalar(&self.bytes)
                .is_none_or(|scalar| scalar.has_comment);
            if !comment && !lines_from(beneath, parent.line.next).any(|line| is_needed(&line)) {
                range = parent.line.start..range.end;
            }
        }
        // An unclosed header may end the file; if its last line is not ended, that stays so.
        if range.end == self.bytes.len() && entry.end == entry.line.end {
            let before = part(&self.bytes, 0, range.start);
            let open = before.strip_suffix(b"\n").unwrap_or(before);
            range.start = open.strip_suffix(b"\r").unwrap_or(open).len();
        }
        let edited = Self::from_bytes(replaced(&self.bytes, range, b""));
        // Of a key that stood twice the second would now count.
        if edited.entry(Level::Nested, key).is_some() {
            edited.without_metadata(key)
        } else {
            Ok(edited)
        }
    }

    /// Replaces the body; header and blank lines before it stay.
    pub fn with_body(&self, body: &[u8]) -> Self {
        let start = self.body_start();
        let kept = part(&self.bytes, 0, start);
        let line_end = line_end_of(&self.bytes);
        let mut bytes = kept.to_vec();
        let is_open_line = self.frame.is_some() && !kept.ends_with(b"\n") && !kept.ends_with(b"\r");
        if !body.is_empty() && is_open_line {
            bytes.extend_from_slice(line_end);
        }
        // A body that begins like a header must not become one.
        let begins_like_header = self.frame.is_none() && Self::parse(body).frame.is_some();
        if begins_like_header {
            bytes.extend_from_slice(line_end);
        }
        bytes.extend_from_slice(body);
        Self::from_bytes(bytes)
    }

    /// Hands an edit out if the field then reads as it was meant to and no other field is gone.
    fn checked(
        &self,
        field: &str,
        edited: Option<Vec<u8>>,
        reads_right: impl Fn(&Self) -> bool,
    ) -> Result<Self, EditError> {
        edited
            .map(Self::from_bytes)
            .filter(|topic| reads_right(topic) && keeps_fields(&self.header, &topic.header, field))
            .ok_or_else(|| EditError::Form {
                field: field.to_owned(),
            })
    }

    fn entry(&self, level: Level, key: &str) -> Option<Entry<'_>> {
        let frame = self.frame?;
        let (start, end, indent) = match level {
            Level::Flat => (frame.start, frame.end, 0),
            Level::Nested => {
                let parent = self.entry(Level::Flat, "metadata")?;
                (
                    parent.line.next,
                    parent.end,
                    indent_beneath(&self.bytes, &parent)?,
                )
            }
        };
        entries(&self.bytes, start, end, indent)
            .into_iter()
            .find(|entry| entry.key == key)
    }

    fn set(&self, level: Level, key: &str, value: &str) -> Option<Vec<u8>> {
        let value = one_line(value);
        if self.frame.is_none() {
            return Some(self.with_new_header(level, key, &value));
        }
        match self.entry(level, key) {
            Some(entry) => Some(self.with_value(&entry, &value)),
            None => self.with_new_entry(level, key, &value),
        }
    }

    /// Replaces a value, keeping its key, the comment after it and comment lines beneath it.
    fn with_value(&self, entry: &Entry<'_>, value: &str) -> Vec<u8> {
        let bytes = &self.bytes;
        let scalar = entry.scalar(bytes);
        let rest = part(bytes, entry.colon, entry.line.end);
        let blanks = rest
            .iter()
            .take_while(|byte| matches!(byte, b' ' | b'\t'))
            .count();
        let (range, written) = match scalar {
            // Beside a comment a plain value would be ambiguous to the reader of key lines.
            Some(scalar) if scalar.has_comment => {
                let lead = if scalar.value.is_none() {
                    format!("{} ", scalar::quote(value))
                } else {
                    scalar::quote(value)
                };
                (entry.colon + scalar.start..entry.colon + scalar.end, lead)
            }
            _ => {
                let lead = if blanks == 0 { " " } else { "" };
                let start = entry.colon + blanks;
                (
                    start..entry.line.end,
                    format!("{lead}{}", scalar::write(value)),
                )
            }
        };
        let mut edited = part(bytes, 0, range.start).to_vec();
        edited.extend_from_slice(written.as_bytes());
        edited.extend_from_slice(part(bytes, range.end, entry.line.next));
        edited.extend_from_slice(part(bytes, self.end_of_value(entry), bytes.len()));
        edited
    }

    /// After the last line that is part of a value, comments after it not counted.
    fn end_of_value(&self, entry: &Entry<'_>) -> usize {
        if entry.is_block_text(&self.bytes) {
            return entry.end;
        }
        lines_from(part(&self.bytes, 0, entry.end), entry.line.next)
            .filter(|line| {
                let content = line.content(&self.bytes);
                !is_blank(content) && !is_comment(content)
            })
            .last()
            .map_or(entry.line.next, |line| line.next)
    }

    fn with_new_entry(&self, level: Level, key: &str, value: &str) -> Option<Vec<u8>> {
        let frame = self.frame?;
        let written = scalar::write(value);
        if level == Level::Flat {
            let at = match key {
                "description" => self
                    .entry(Level::Flat, "name")
                    .map_or(frame.start, |name| self.end_of_value(&name)),
                _ => frame.start,
            };
            return Some(self.with_lines(at, &[format!("{key}: {written}")]));
        }
        let Some(parent) = self.entry(Level::Flat, "metadata") else {
            let lines = ["metadata:".to_owned(), format!("  {key}: {written}")];
            return Some(self.with_lines(frame.end, &lines));
        };
        if let Some(indent) = indent_beneath(&self.bytes, &parent) {
            let found = entries(&self.bytes, parent.line.next, parent.end, indent);
            let first = found.first()?;
            let at = if key == "type" {
                first.line.start
            } else {
                self.end_of_value(found.last()?)
            };
            let indent = part(&self.bytes, first.line.start, first.line.start + indent);
            let indent = String::from_utf8_lossy(indent);
            return Some(self.with_lines(at, &[format!("{indent}{key}: {written}")]));
        }
        let line = [format!("  {key}: {written}")];
        let rest = parent.rest(&self.bytes)?;
        if rest.trim() == "{}" {
            let braces = parent.colon..parent.line.end;
            let emptied = Self::from_bytes(replaced(&self.bytes, braces, b""));
            let at = parent.colon + part(&self.bytes, parent.line.end, parent.line.next).len();
            return Some(emptied.with_lines(at, &line));
        }
        let is_empty = parent.scalar(&self.bytes)?.value.is_none();
        is_empty.then(|| self.with_lines(parent.line.next, &line))
    }

    /// A header for a file that has none.
    fn with_new_header(&self, level: Level, key: &str, value: &str) -> Vec<u8> {
        let line_end = String::from_utf8_lossy(line_end_of(&self.bytes)).into_owned();
        let written = scalar::write(value);
        let entry = match level {
            Level::Flat => format!("{key}: {written}{line_end}"),
            Level::Nested => format!("metadata:{line_end}  {key}: {written}{line_end}"),
        };
        let at = bom_length(&self.bytes);
        let first = lines_from(&self.bytes, at).next();
        let needs_blank = first.is_some_and(|line| !is_blank(line.content(&self.bytes)));
        let gap = if needs_blank { line_end.as_str() } else { "" };
        let header = format!("---{line_end}{entry}---{line_end}{gap}");
        replaced(&self.bytes, at..at, header.as_bytes())
    }

    /// Puts lines in at an offset where a line begins, or at the end of a file whose last line is
    /// not ended, which then stays so.
    fn with_lines(&self, at: usize, lines: &[String]) -> Vec<u8> {
        let line_end = String::from_utf8_lossy(line_end_before(&self.bytes, at)).into_owned();
        let before = part(&self.bytes, 0, at);
        let text = lines.join(&line_end);
        let text = if before.ends_with(b"\n") || before.ends_with(b"\r") {
            text + &line_end
        } else {
            line_end + &text
        };
        replaced(&self.bytes, at..at, text.as_bytes())
    }
}

/// The value of any key beneath `metadata`.
pub(super) fn metadata(topic: &Topic, key: &str) -> Option<String> {
    let entry = topic.entry(Level::Nested, key)?;
    let end = topic.end_of_value(&entry);
    if end == entry.line.next
        && let Some(scalar) = entry.scalar(&topic.bytes)
    {
        return text(&scalar.value?);
    }
    let start = if entry.is_block_text(&topic.bytes) {
        entry.line.next
    } else {
        entry.colon
    };
    text(&String::from_utf8_lossy(part(&topic.bytes, start, end)))
}

/// Whether the file names a type, known or not.
pub(super) fn has_type(topic: &Topic) -> bool {
    topic.entry(Level::Flat, "type").is_some() || topic.entry(Level::Nested, "type").is_some()
}

/// Whether every field but the edited one that was read before is still there. It may read better
/// than before: an edit can turn a header that was not YAML into one that is.
fn keeps_fields(before: &Header, after: &Header, edited: &str) -> bool {
    fn keeps<T>(before: &Option<T>, after: &Option<T>) -> bool {
        before.is_none() || after.is_some()
    }
    [
        ("name", keeps(&before.name, &after.name)),
        (
            "description",
            keeps(&before.description, &after.description),
        ),
        ("type", keeps(&before.memory_type, &after.memory_type)),
        ("source", keeps(&before.source, &after.source)),
        ("modified", keeps(&before.modified, &after.modified)),
        ("expires", keeps(&before.expires, &after.expires)),
        (
            "originSessionId",
            keeps(&before.origin_session, &after.origin_session),
        ),
    ]
    .iter()
    .all(|(field, is_kept)| *field == edited || *is_kept)
}

fn text(value: &str) -> Option<String> {
    Some(one_line(value).into_owned()).filter(|text| !text.is_empty())
}

fn replaced(bytes: &[u8], range: Range<usize>, by: &[u8]) -> Vec<u8> {
    [
        part(bytes, 0, range.start),
        by,
        part(bytes, range.end, bytes.len()),
    ]
    .concat()
}
