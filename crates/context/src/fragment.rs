//! Texts from outside on their way into a prompt: cleaned of what hides, bounded, unable to open or close a reminder.

use std::borrow::Cow;

use memdir_memory::{escaped, hidden};

/// A text of several lines.
pub(crate) fn block(text: &str) -> String {
    // Cleaning first: what is taken out could have kept a tag apart.
    escaped(&hidden::clean(text).text).into_owned()
}

/// The same, of a text that nobody else needs: one that is fine is not copied.
pub(crate) fn block_of(text: String) -> String {
    let fine = {
        let cleaned = hidden::clean(&text);
        cleaned.removed == 0 && matches!(escaped(&cleaned.text), Cow::Borrowed(_))
    };
    match fine {
        true => text,
        false => block(&text),
    }
}

/// A text that stands within a line, such as a path or a name.
pub(crate) fn inline(text: &str) -> String {
    block(text).replace(['\n', '\r', '\t'], " ")
}

/// A path as one word of a shell command.
pub(crate) fn quoted(path: &str) -> String {
    format!("'{}'", inline(path).replace('\'', r"'\''"))
}

/// At most `limit` bytes of a text, cut after a line where there is one, with a note outside the limit that says so.
pub(crate) fn bounded(text: &str, limit: usize) -> Cow<'_, str> {
    if text.len() <= limit {
        return Cow::Borrowed(text);
    }
    let within = text.floor_char_boundary(limit);
    let kept = text.get(..within).unwrap_or_default();
    let kept = match kept.rfind('\n') {
        Some(end) => kept.get(..end).unwrap_or_default(),
        None => kept,
    };
    Cow::Owned(format!(
        "{kept}\n\n> Cut here: only {} of {} bytes are shown.",
        kept.len(),
        text.len()
    ))
}

/// How many characters a text has for a client that counts as JavaScript does.
pub(crate) fn characters(text: &str) -> usize {
    text.encode_utf16().count()
}

#[cfg(test)]
mod tests {
    use super::{bounded, quoted};

    #[test]
    fn a_text_is_cut_after_a_line_and_says_so() {
        assert_eq!(bounded("one\ntwo", 7), "one\ntwo");
        assert_eq!(
            bounded("one\ntwo", 6),
            "one\n\n> Cut here: only 3 of 7 bytes are shown."
        );
        assert_eq!(
            bounded("ééé", 3),
            "é\n\n> Cut here: only 2 of 6 bytes are shown."
        );
    }

    #[test]
    fn a_path_is_one_word_of_a_command() {
        assert_eq!(quoted("/a b/it's"), r"'/a b/it'\''s'");
    }
}
