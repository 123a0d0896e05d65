//! A new paragraph for a memory that there is.

use super::Topic;

impl Topic {
    /// The text as a new paragraph at the end; every byte before it stays, and so does how lines end.
    pub fn with_paragraph(&self, text: &str) -> Self {
        let end = if self.bytes().windows(2).any(|pair| pair == b"\r\n") {
            "\r\n"
        } else {
            "\n"
        };
        let text = text.replace('\n', end);
        let body = self.body();
        if body.is_empty() {
            return self.with_body(format!("{text}{end}").as_bytes());
        }
        let is_open = !body.ends_with(b"\n");
        let is_blank = body.ends_with(format!("{end}{end}").as_bytes());
        let before = match (is_open, is_blank) {
            (true, _) => format!("{end}{end}"),
            (false, true) => String::new(),
            (false, false) => end.to_owned(),
        };
        let after = if is_open { "" } else { end };
        self.with_body(&[body, before.as_bytes(), text.as_bytes(), after.as_bytes()].concat())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(content: &[u8]) -> String {
        let edited = Topic::parse(content).with_paragraph("Two\nlines.");
        String::from_utf8_lossy(edited.bytes())
            .escape_debug()
            .to_string()
    }

    #[test]
    fn a_paragraph_goes_to_the_end_and_every_other_byte_stays() {
        assert_eq!(
            after(b"---\nname: a\n---\n\nOne.\n"),
            r"---\nname: a\n---\n\nOne.\n\nTwo\nlines.\n"
        );
        assert_eq!(after(b"One."), r"One.\n\nTwo\nlines.");
        assert_eq!(after(b"One.\r\n"), r"One.\r\n\r\nTwo\r\nlines.\r\n");
        assert_eq!(after(b"One.\n\n"), r"One.\n\nTwo\nlines.\n");
        assert_eq!(after(b""), r"Two\nlines.\n");
    }
}
