//! What stands at the top of a topic file, read for the scan: fast where the form is an ordinary
//! one, right where it is not, and never a reason to lose the file.
//!
//! Three readers, each for what the one before does not know:
//! 1. `line_reader`: the forms that we and Claude Code write, and nothing it is not sure about;
//! 2. `yaml`: a real YAML parser, with anchors, aliases and tags refused and everything bounded;
//! 3. `key_lines`: `key: value` lines, for what models write that is not quite YAML.
//!
//! Of a key that stands twice the first counts, in all three.

mod frame;
mod key_lines;
mod line_reader;
#[cfg(test)]
mod tests;
mod yaml;

use std::borrow::Cow;

use jiff::civil::Date;

use crate::{MemoryType, Source, scalar::one_line};

pub(crate) use frame::{Frame, bom_length, is_key_byte};

/// A header is looked for in this many lines at the start of a file.
pub const HEADER_LINES: usize = 30;

/// And in this many bytes.
pub const HEADER_BYTES: usize = 16 * 1024;

/// The fields of a header that have a meaning to us. Texts are on one line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// `name`.
    pub name: Option<String>,
    /// `description`: the one line that decides whether a memory is ever recalled.
    pub description: Option<String>,
    /// `metadata.type`, or `type` where that says nothing. An unknown word reads as none.
    pub memory_type: Option<MemoryType>,
    /// `metadata.source`.
    pub source: Option<Source>,
    /// `metadata.modified`, as it stands there.
    pub modified: Option<String>,
    /// `metadata.expires`.
    pub expires: Option<Date>,
    /// `metadata.originSessionId`.
    pub origin_session: Option<String>,
}

impl Header {
    /// Reads the header from the first lines of a file. Never fails: what cannot be read is none.
    ///
    /// At most [`HEADER_LINES`] lines and [`HEADER_BYTES`] bytes are looked at. A header that is
    /// not closed within them is read as far as its lines look like one.
    ///
    /// ```
    /// use memdir_memory::{Header, MemoryType};
    /// let header = Header::read(b"---\nname: tabs\nmetadata:\n  type: feedback\n---\n\nUse tabs.\n");
    /// assert_eq!(header.name.as_deref(), Some("tabs"));
    /// assert_eq!(header.memory_type, Some(MemoryType::Feedback));
    /// ```
    pub fn read(first_lines: &[u8]) -> Self {
        Self::read_with_form(first_lines).0
    }

    /// Reads the header and says which reader understood it.
    pub(crate) fn read_with_form(first_lines: &[u8]) -> (Self, Form) {
        let window = frame::window(first_lines);
        let Some(frame) = Frame::locate(window) else {
            return (Self::default(), Form::Missing);
        };
        let region = frame.region(window);
        if frame.is_closed()
            && let Ok(text) = std::str::from_utf8(region)
        {
            if let Some(fields) = line_reader::read(text) {
                return (fields.into_header(), Form::Plain);
            }
            if let Some(fields) = yaml::read(text) {
                return (fields.into_header(), Form::Yaml);
            }
        }
        let text = String::from_utf8_lossy(region);
        (key_lines::read(&text).into_header(), Form::KeyLines)
    }

    /// Whether `first_block`, the beginning of a longer file, ends before its header does, so that
    /// a reader who wants the header must read on.
    ///
    /// ```
    /// use memdir_memory::Header;
    /// assert!(Header::is_cut_off(b"---\nname: ta"));
    /// assert!(!Header::is_cut_off(b"---\nname: tabs\n---\nUse"));
    /// assert!(!Header::is_cut_off(b"Just text"));
    /// ```
    pub fn is_cut_off(first_block: &[u8]) -> bool {
        frame::is_cut_off(first_block)
    }
}

/// Which of the readers understood a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Missing,
    Plain,
    Yaml,
    KeyLines,
}

/// Field texts as a reader found them.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Fields<'a> {
    pub(crate) name: Option<Cow<'a, str>>,
    pub(crate) description: Option<Cow<'a, str>>,
    pub(crate) flat_type: Option<Cow<'a, str>>,
    pub(crate) nested_type: Option<Cow<'a, str>>,
    pub(crate) source: Option<Cow<'a, str>>,
    pub(crate) modified: Option<Cow<'a, str>>,
    pub(crate) expires: Option<Cow<'a, str>>,
    pub(crate) origin_session: Option<Cow<'a, str>>,
    /// Whether what is borrowed is known to be on one line.
    pub(crate) are_plain: bool,
}

/// A field that a reader looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    Name,
    Description,
    FlatType,
    NestedType,
    Source,
    Modified,
    Expires,
    OriginSession,
}

impl Field {
    /// The field of a key at the margin.
    pub(crate) fn flat(key: &str) -> Option<Self> {
        match key {
            "name" => Some(Self::Name),
            "description" => Some(Self::Description),
            "type" => Some(Self::FlatType),
            _ => None,
        }
    }

    /// The field of a key beneath `metadata`.
    pub(crate) fn nested(key: &str) -> Option<Self> {
        match key {
            "type" => Some(Self::NestedType),
            "source" => Some(Self::Source),
            "modified" => Some(Self::Modified),
            "expires" => Some(Self::Expires),
            "originSessionId" => Some(Self::OriginSession),
            _ => None,
        }
    }
}

/// The fields that have stood already, so that of two the first counts.
#[derive(Default)]
pub(crate) struct Seen(u8);

impl Seen {
    /// Notes a field; false where it stood before.
    pub(crate) fn is_first(&mut self, field: Field) -> bool {
        let bit = 1_u8 << field as u8;
        let is_first = self.0 & bit == 0;
        self.0 |= bit;
        is_first
    }
}

impl<'a> Fields<'a> {
    pub(crate) fn slot(&mut self, field: Field) -> &mut Option<Cow<'a, str>> {
        match field {
            Field::Name => &mut self.name,
            Field::Description => &mut self.description,
            Field::FlatType => &mut self.flat_type,
            Field::NestedType => &mut self.nested_type,
            Field::Source => &mut self.source,
            Field::Modified => &mut self.modified,
            Field::Expires => &mut self.expires,
            Field::OriginSession => &mut self.origin_session,
        }
    }

    fn into_header(self) -> Header {
        let line = |text| line(text, self.are_plain);
        let kind = |word: Option<Cow<'_, str>>| word.and_then(|word| MemoryType::parse(&word));
        Header {
            name: line(self.name),
            description: line(self.description),
            memory_type: kind(self.nested_type).or_else(|| kind(self.flat_type)),
            source: self.source.and_then(|word| Source::parse(&word)),
            modified: line(self.modified),
            expires: self.expires.and_then(|day| day.trim().parse().ok()),
            origin_session: line(self.origin_session),
        }
    }
}

fn line(text: Option<Cow<'_, str>>, is_plain: bool) -> Option<String> {
    let text = text?;
    let line = match text {
        Cow::Borrowed(text) if is_plain => Cow::Borrowed(text.trim()),
        _ => one_line(&text),
    };
    (!line.is_empty()).then(|| line.into_owned())
}
