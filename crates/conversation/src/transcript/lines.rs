//! The lines of a file, with where they stand, so that one can come back for them.

use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

use super::{Report, Trouble};
use crate::surrogates::mend_surrogates;

/// A longer line is not read: it would have to be in memory whole.
pub const LONGEST: u64 = 64 << 20;

const AT_ONCE: usize = 128 << 10;
/// A buffer that one long line blew up is given back once lines are short again.
const ROOM: usize = 1 << 20;
/// In so many places of a broken line the beginning of the next is looked for.
const TRIES: usize = 16;

/// A file, line by line, or from any place.
pub(super) struct Lines<R> {
    from: BufReader<R>,
    buffer: Vec<u8>,
    number: u64,
    offset: u64,
}

/// One line that holds something.
pub(super) struct Line<'a> {
    pub(super) number: u64,
    pub(super) offset: u64,
    pub(super) bytes: &'a [u8],
    /// Whether a line break ended it.
    pub(super) ended: bool,
}

impl<R: Read + Seek> Lines<R> {
    pub(super) fn new(from: R) -> io::Result<Self> {
        let mut from = BufReader::with_capacity(AT_ONCE, from);
        from.seek(SeekFrom::Start(0))?;
        Ok(Self {
            from,
            buffer: Vec::new(),
            number: 0,
            offset: 0,
        })
    }

    /// How many lines there were so far.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// The next line that is not blank. Line breaks, byte order mark and the zeros that a crash of the system leaves
    /// are no part of it.
    pub(super) fn next(&mut self, report: &mut Report) -> io::Result<Option<Line<'_>>> {
        loop {
            let start = self.offset;
            let Some(ended) = self.fill(report)? else {
                return Ok(None);
            };
            let skipped = leading(&self.buffer, self.number == 1);
            let bytes = trimmed(&self.buffer, skipped);
            if bytes.is_empty() {
                continue;
            }
            // Borrowed anew because the loop would keep the first borrow alive.
            let number = self.number;
            let offset = start + skipped as u64;
            return Ok(Some(Line {
                number,
                offset,
                bytes: trimmed(&self.buffer, skipped),
                ended,
            }));
        }
    }

    /// Reads up to the next line break; none at the end of the file. Too long a line is passed over.
    fn fill(&mut self, report: &mut Report) -> io::Result<Option<bool>> {
        self.buffer.clear();
        if self.buffer.capacity() > ROOM {
            self.buffer.shrink_to(ROOM);
        }
        let read = (&mut self.from)
            .take(LONGEST)
            .read_until(b'\n', &mut self.buffer)? as u64;
        mend_surrogates(&mut self.buffer);
        if read == 0 {
            return Ok(None);
        }
        self.number += 1;
        self.offset += read;
        let ended = self.buffer.last() == Some(&b'\n');
        if !ended && read == LONGEST {
            let rest = self.pass()?;
            self.offset += rest;
            self.buffer = Vec::new();
            report.problem(self.number, Trouble::TooLong(read + rest));
        }
        Ok(Some(ended))
    }

    /// Passes over the rest of a line.
    fn pass(&mut self) -> io::Result<u64> {
        let mut passed = 0;
        loop {
            let available = self.from.fill_buf()?;
            if available.is_empty() {
                return Ok(passed);
            }
            let found = available.iter().position(|byte| *byte == b'\n');
            let used = found.map_or(available.len(), |place| place + 1);
            self.from.consume(used);
            passed += used as u64;
            if found.is_some() {
                return Ok(passed);
            }
        }
    }

    /// The bytes of a line that was met before.
    pub(super) fn at(&mut self, offset: u64, length: u64) -> io::Result<&[u8]> {
        let here = self.from.stream_position()?;
        // Relative, so that what is in the buffer is not read again.
        match i64::try_from(i128::from(offset) - i128::from(here)) {
            Ok(distance) => self.from.seek_relative(distance)?,
            Err(_) => {
                self.from.seek(SeekFrom::Start(offset))?;
            }
        }
        self.buffer.clear();
        if self.buffer.capacity() > ROOM && length < ROOM as u64 {
            self.buffer.shrink_to(ROOM);
        }
        (&mut self.from)
            .take(length)
            .read_to_end(&mut self.buffer)?;
        mend_surrogates(&mut self.buffer);
        Ok(&self.buffer)
    }
}

impl<'a> Line<'a> {
    /// What `parse` makes of it. A line that is broken is reported; if another begins in its middle, because its
    /// writer was killed and the next one went on from there, that one is taken, with where it stands.
    pub(super) fn parse<T>(
        &self,
        report: &mut Report,
        parse: impl Fn(&'a [u8]) -> Result<T, serde_json::Error>,
        is_line: impl Fn(&T) -> bool,
    ) -> Option<(T, &'a [u8], u64)> {
        let why = match self.bytes.first() {
            Some(b'{') => match parse(self.bytes) {
                Ok(parsed) => return Some((parsed, self.bytes, self.offset)),
                Err(error) => said(&error),
            },
            _ => "not an object".to_owned(),
        };
        for place in beginnings(self.bytes) {
            let rest = self.bytes.get(place..).unwrap_or_default();
            // A part of the broken line can be whole JSON too, such as a block of its content.
            if let Some(parsed) = parse(rest).ok().filter(&is_line) {
                report.problem(self.number, Trouble::Glued);
                return Some((parsed, rest, self.offset + place as u64));
            }
        }
        let trouble = match self.ended {
            true => Trouble::NotJson(why),
            false => Trouble::Unfinished,
        };
        report.problem(self.number, trouble);
        None
    }
}

/// Where in a line objects begin that could be lines themselves, last ones first: the lost part is the first.
fn beginnings(line: &[u8]) -> impl Iterator<Item = usize> {
    const STARTS: [&[u8]; 5] = [
        b"{\"parentUuid\"",
        b"{\"type\"",
        b"{\"timestamp\"",
        b"{\"id\"",
        b"{\"$set\"",
    ];
    let place = move |end: usize| {
        let before = line.get(..end)?;
        let place = before.iter().rposition(|byte| *byte == b'{')?;
        (place > 0).then_some(place)
    };
    std::iter::successors(place(line.len()), move |place_before| place(*place_before))
        .filter(|place| {
            let rest = line.get(*place..).unwrap_or_default();
            STARTS.iter().any(|start| rest.starts_with(start))
        })
        .take(TRIES)
}

/// A message of serde_json without the place, which counts from the line and says nothing to a reader of the file.
fn said(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(" at line ") {
        Some((said, _)) => said.to_owned(),
        None => text,
    }
}

fn leading(bytes: &[u8], first: bool) -> usize {
    let mark = match first && bytes.starts_with(b"\xef\xbb\xbf") {
        true => 3,
        false => 0,
    };
    let rest = bytes.get(mark..).unwrap_or_default();
    mark + rest.iter().take_while(|byte| is_blank(**byte)).count()
}

fn trimmed(bytes: &[u8], skipped: usize) -> &[u8] {
    let rest = bytes.get(skipped..).unwrap_or_default();
    let end = rest
        .iter()
        .rposition(|byte| !is_blank(*byte))
        .map_or(0, |place| place + 1);
    rest.get(..end).unwrap_or_default()
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | 0)
}
