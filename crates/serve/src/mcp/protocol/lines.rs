//! Lines from a client, however it sends them: one message each, and none longer than we want to hold.

/// The longest message that is taken.
pub(super) const MAX_LINE: usize = 4 * 1024 * 1024;

/// Cuts bytes into lines.
#[derive(Debug, Default)]
pub(super) struct Lines {
    line: Vec<u8>,
    /// Whether the rest of a line that was too long is passed over.
    passing: bool,
}

/// One line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// Whole.
    Whole(Vec<u8>),
    /// It is longer than any message; all of it is passed over.
    TooLong,
}

impl Lines {
    /// The lines that are complete with these bytes.
    pub(super) fn take(&mut self, bytes: &[u8], mut each: impl FnMut(Line)) {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            let ends = part.ends_with(b"\n");
            if self.passing {
                self.passing = !ends;
                continue;
            }
            if self.line.len() + part.len() > MAX_LINE {
                self.line = Vec::new();
                self.passing = !ends;
                each(Line::TooLong);
                continue;
            }
            self.line.extend_from_slice(part);
            if ends {
                let line = std::mem::take(&mut self.line);
                let trimmed = line.trim_ascii();
                if !trimmed.is_empty() {
                    each(Line::Whole(trimmed.to_vec()));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(pieces: &[&[u8]]) -> Vec<Line> {
        let mut lines = Lines::default();
        let mut all = Vec::new();
        for piece in pieces {
            lines.take(piece, |line| all.push(line));
        }
        all
    }

    #[test]
    fn lines_come_whole_however_they_are_cut() {
        let whole = |text: &str| Line::Whole(text.into());
        assert_eq!(
            cut(&[b"o", b"ne\r\n\n  \ntw", b"o\nrest"]),
            [whole("one"), whole("two")]
        );
    }

    #[test]
    fn a_line_without_end_takes_no_room_and_the_next_one_comes() {
        let long = vec![b'x'; MAX_LINE];
        let all = cut(&[&long, b"y", &long, b"z\nnext\n"]);
        assert_eq!(all, [Line::TooLong, Line::Whole(b"next".to_vec())]);
        let exact = vec![b'x'; MAX_LINE - 1];
        assert_eq!(cut(&[&exact, b"\n"]), [Line::Whole(exact)]);
    }
}
