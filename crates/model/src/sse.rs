//! Server-sent events: bytes in, in whatever pieces, whole events out.
//!
//! The standard's own rules, because a reader that is stricter fails on servers in use: fields that it does not know and
//! lines without a colon are passed over, `event` may be said twice. What comes out does not depend on where the
//! network cut, and no line grows without bound. On streams that it accepts, the crate `sse-stream` reads the same.

/// The longest event that is read: a message with a picture in it fits.
const MAX_EVENT: usize = 32 * 1024 * 1024;

/// One event.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Frame {
    /// What kind it is said to be.
    pub(crate) event: Option<String>,
    /// What it carries, byte for byte; several lines joined by `\n`.
    pub(crate) data: String,
}

/// Why a stream is not one of events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FrameError {
    /// A line is not UTF-8.
    NotText,
    /// An event is longer than any in use.
    TooLong,
}

/// Makes events of bytes.
#[derive(Debug, Default)]
pub(crate) struct Framing {
    line: Vec<u8>,
    event: Option<String>,
    data: Option<String>,
    /// Whether the last byte was `\r`, whose line a `\n` may still belong to.
    after_return: bool,
    begun: bool,
}

impl Framing {
    /// Takes the next bytes; whole events go to `frames`.
    pub(crate) fn take(&mut self, bytes: &[u8], frames: &mut Vec<Frame>) -> Result<(), FrameError> {
        let mut rest = bytes;
        while let Some((first, tail)) = rest.split_first() {
            if std::mem::take(&mut self.after_return) && *first == b'\n' {
                rest = tail;
                continue;
            }
            let end = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let (part, behind) = rest.split_at(end.unwrap_or(rest.len()));
            let held = self.line.len() + self.data.as_ref().map_or(0, String::len);
            if held.saturating_add(part.len()) > MAX_EVENT {
                return Err(FrameError::TooLong);
            }
            self.line.extend_from_slice(part);
            let Some((delimiter, behind)) = behind.split_first() else {
                return Ok(());
            };
            self.after_return = *delimiter == b'\r';
            rest = behind;
            let line = std::mem::take(&mut self.line);
            frames.extend(self.line(&line)?);
        }
        Ok(())
    }

    /// Takes a whole line; an empty one ends an event.
    fn line(&mut self, line: &[u8]) -> Result<Option<Frame>, FrameError> {
        let line = std::str::from_utf8(line).map_err(|_| FrameError::NotText)?;
        let line = match std::mem::replace(&mut self.begun, true) {
            true => line,
            false => line.strip_prefix('\u{feff}').unwrap_or(line),
        };
        if line.is_empty() {
            let event = self.event.take();
            let data = self.data.take();
            return Ok(data.map(|data| Frame { event, data }));
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => match &mut self.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                none => *none = Some(value.to_owned()),
            },
            "event" => self.event = Some(value.to_owned()),
            _ => {}
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pieces: &[&[u8]]) -> Result<Vec<Frame>, FrameError> {
        let mut framing = Framing::default();
        let mut frames = Vec::new();
        for piece in pieces {
            framing.take(piece, &mut frames)?;
        }
        Ok(frames)
    }

    #[test]
    fn what_servers_send_is_read() {
        let stream = "\u{feff}event: ping\ndata: {}\n\n: a comment\nretry: soon\nerror: odd\n\ndata:{\"a\":1}\r\ndata: b\r\n\r\n\
                      nothing\ndata\n\nevent: lost\n\ndata: no end\n";
        let frames = read(&[stream.as_bytes()]).unwrap();
        insta::assert_debug_snapshot!(frames, @r#"
        [
            Frame {
                event: Some(
                    "ping",
                ),
                data: "{}",
            },
            Frame {
                event: None,
                data: "{\"a\":1}\nb",
            },
            Frame {
                event: None,
                data: "",
            },
        ]
        "#);
    }

    #[test]
    fn a_character_cut_in_two_is_whole_again_and_a_broken_one_is_an_error() {
        let frames = read(&[b"data: \xc3", b"\xa9\n\n"]).unwrap();
        assert_eq!(frames.first().map(|frame| frame.data.as_str()), Some("é"));
        assert_eq!(read(&[b"data: \xc3\n\n"]), Err(FrameError::NotText));
    }

    #[test]
    fn a_line_without_end_does_not_fill_the_memory() {
        let part = vec![b'x'; 1024 * 1024];
        let mut framing = Framing::default();
        let mut taken = Ok(());
        for _ in 0..40 {
            taken = framing.take(&part, &mut Vec::new());
            if taken.is_err() {
                break;
            }
        }
        assert_eq!(taken, Err(FrameError::TooLong));
    }
}
