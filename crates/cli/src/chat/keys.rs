//! From the bytes of a terminal to keys.

/// A key, or what came as one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Key {
    /// Characters that were typed.
    Text(String),
    /// Text that was pasted.
    Paste(String),
    Enter,
    /// A line end that sends nothing.
    NewLine,
    Backspace,
    Delete,
    Left,
    Right,
    WordLeft,
    WordRight,
    Up,
    Down,
    Home,
    End,
    /// What stands behind the cursor goes, what stands before it, the word before it.
    CutToEnd,
    CutToStart,
    CutWord,
    ClearScreen,
    Tab,
    Escape,
    /// Ctrl-C.
    Interrupt,
    /// Ctrl-D.
    EndOfInput,
}

const PASTE_END: &[u8] = b"\x1b[201~";
/// No sequence that means something is longer.
const LONGEST: usize = 32;

/// Bytes as they come, however they are cut.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    pending: Vec<u8>,
    paste: Option<Vec<u8>>,
}

impl Keys {
    /// Takes what was read.
    pub(crate) fn feed(&mut self, bytes: &[u8]) -> Vec<Key> {
        let mut keys = Vec::new();
        let mut rest = match self.paste.take() {
            Some(paste) => self.pasted(paste, bytes, &mut keys),
            None => {
                self.pending.extend_from_slice(bytes);
                std::mem::take(&mut self.pending)
            }
        };
        while !rest.is_empty() {
            match step(&rest) {
                Step::Key(key, length) => {
                    push(&mut keys, key);
                    rest.drain(..length);
                }
                Step::Nothing(length) => {
                    rest.drain(..length);
                }
                Step::Paste(length) => {
                    let behind = rest.split_off(length);
                    rest = self.pasted(Vec::new(), &behind, &mut keys);
                }
                Step::Unfinished => {
                    self.pending = rest;
                    break;
                }
            }
        }
        keys
    }

    /// Whether it is not clear yet what came last.
    pub(crate) fn is_waiting(&self) -> bool {
        !self.pending.is_empty()
    }

    /// Nothing more came: what began like a sequence was the key Escape.
    pub(crate) fn settle(&mut self) -> Vec<Key> {
        match self.pending.first() {
            Some(0x1b) => {
                self.pending.clear();
                vec![Key::Escape]
            }
            _ => Vec::new(),
        }
    }

    /// Takes text that is being pasted, and gives back what stands behind its end.
    fn pasted(&mut self, mut paste: Vec<u8>, bytes: &[u8], keys: &mut Vec<Key>) -> Vec<u8> {
        let known = paste.len().saturating_sub(PASTE_END.len());
        paste.extend_from_slice(bytes);
        let new = paste.get(known..).unwrap_or_default();
        let end = new
            .windows(PASTE_END.len())
            .position(|part| part == PASTE_END);
        let Some(end) = end.map(|end| known + end) else {
            self.paste = Some(paste);
            return Vec::new();
        };
        let behind = paste.split_off(end);
        let text = String::from_utf8_lossy(&paste);
        keys.push(Key::Paste(text.replace("\r\n", "\n").replace('\r', "\n")));
        behind.get(PASTE_END.len()..).unwrap_or_default().to_vec()
    }
}

enum Step {
    Key(Key, usize),
    Nothing(usize),
    Paste(usize),
    Unfinished,
}

/// What stands at the beginning.
fn step(bytes: &[u8]) -> Step {
    let Some((first, rest)) = bytes.split_first() else {
        return Step::Unfinished;
    };
    let key = match first {
        b'\r' => Key::Enter,
        b'\n' => Key::NewLine,
        b'\t' => Key::Tab,
        0x01 => Key::Home,
        0x02 => Key::Left,
        0x03 => Key::Interrupt,
        0x04 => Key::EndOfInput,
        0x05 => Key::End,
        0x06 => Key::Right,
        0x08 | 0x7f => Key::Backspace,
        0x0b => Key::CutToEnd,
        0x0c => Key::ClearScreen,
        0x0e => Key::Down,
        0x10 => Key::Up,
        0x15 => Key::CutToStart,
        0x17 => Key::CutWord,
        0x1b => return escape(rest),
        0x00..0x20 => return Step::Nothing(1),
        _ => return text(bytes),
    };
    Step::Key(key, 1)
}

/// What stands behind an escape character.
fn escape(rest: &[u8]) -> Step {
    match rest.first() {
        None => Step::Unfinished,
        Some(b'\r' | b'\n') => Step::Key(Key::NewLine, 2),
        Some(0x7f | 0x08) => Step::Key(Key::CutWord, 2),
        Some(b'b') => Step::Key(Key::WordLeft, 2),
        Some(b'f') => Step::Key(Key::WordRight, 2),
        Some(b'O') => match rest.get(1) {
            None => Step::Unfinished,
            Some(letter) => named(&[], *letter, 3),
        },
        Some(b'[') => {
            let parameters = rest.get(1..).unwrap_or_default();
            let end = parameters
                .iter()
                .position(|byte| (0x40..=0x7e).contains(byte));
            match (end, parameters.len() > LONGEST) {
                (None, false) => Step::Unfinished,
                (None, true) => Step::Nothing(2),
                (Some(end), _) => {
                    let letter = parameters.get(end).copied().unwrap_or_default();
                    let parameters = parameters.get(..end).unwrap_or_default();
                    named(parameters, letter, end + 3)
                }
            }
        }
        Some(0x1b) => Step::Key(Key::Escape, 1),
        Some(_) => Step::Nothing(2),
    }
}

/// A key by the last letter of its sequence and what stands before.
fn named(parameters: &[u8], letter: u8, length: usize) -> Step {
    let key = match (letter, parameters) {
        (b'A', _) => Key::Up,
        (b'B', _) => Key::Down,
        (b'C', b"1;5" | b"1;3") => Key::WordRight,
        (b'D', b"1;5" | b"1;3") => Key::WordLeft,
        (b'C', _) => Key::Right,
        (b'D', _) => Key::Left,
        (b'H', _) | (b'~', b"1" | b"7") => Key::Home,
        (b'F', _) | (b'~', b"4" | b"8") => Key::End,
        (b'~', b"3") => Key::Delete,
        (b'~', b"200") => return Step::Paste(length),
        (b'u', b"13;2" | b"13;3") => Key::NewLine,
        _ => return Step::Nothing(length),
    };
    Step::Key(key, length)
}

/// Characters up to the next key.
fn text(bytes: &[u8]) -> Step {
    let is_plain = |byte: &u8| *byte >= 0x20 && *byte != 0x7f;
    let end = bytes.iter().position(|byte| !is_plain(byte));
    let plain = bytes.get(..end.unwrap_or(bytes.len())).unwrap_or_default();
    match std::str::from_utf8(plain) {
        Ok(text) => Step::Key(Key::Text(text.to_owned()), plain.len()),
        Err(error) if error.valid_up_to() > 0 => {
            let whole = plain.get(..error.valid_up_to()).unwrap_or_default();
            let text = String::from_utf8_lossy(whole).into_owned();
            Step::Key(Key::Text(text), whole.len())
        }
        // The rest of a character is still on its way, unless something else came.
        Err(error) if error.error_len().is_none() && end.is_none() => Step::Unfinished,
        Err(error) => Step::Nothing(error.error_len().unwrap_or(1)),
    }
}

/// Characters that follow one another are one text.
fn push(keys: &mut Vec<Key>, key: Key) {
    match (keys.last_mut(), key) {
        (Some(Key::Text(text)), Key::Text(more)) => text.push_str(&more),
        (_, key) => keys.push(key),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &[u8], piece: usize) -> Vec<Key> {
        let mut keys = Keys::default();
        let mut found = Vec::new();
        for part in bytes.chunks(piece) {
            for key in keys.feed(part) {
                push(&mut found, key);
            }
        }
        found.extend(keys.settle());
        found
    }

    #[test]
    fn keys_are_the_same_however_they_are_cut() {
        let bytes =
            "a\u{fc}\u{6f22}\x1b[A\x1bOB\x1b[1;5C\x1b[3~\x1b\rb\x1b[200~x\ry\x1b[3~\r\n\x1b[201~\x03\x1b[99;99Zz\r"
                .as_bytes();
        let whole = all(bytes, bytes.len());
        for piece in 1..bytes.len() {
            assert_eq!(all(bytes, piece), whole, "in pieces of {piece}");
        }
        let text = |text: &str| Key::Text(text.to_owned());
        assert_eq!(
            whole,
            [
                text("a\u{fc}\u{6f22}"),
                Key::Up,
                Key::Down,
                Key::WordRight,
                Key::Delete,
                Key::NewLine,
                text("b"),
                Key::Paste("x\ny\u{1b}[3~\n".to_owned()),
                Key::Interrupt,
                text("z"),
                Key::Enter,
            ]
        );
        assert_eq!(all(b"\x1b", 1), [Key::Escape]);
        assert_eq!(all(b"a\xff\xc3(", 2), [text("a("),]);
    }
}
