//! Texts on their way to a client: bounded as it counts, and unable to pass for anything else.

use memdir_context::escaped;
use memdir_memory::hidden;

/// How many characters a text has for a client that counts as JavaScript does.
pub(super) fn characters(text: &str) -> usize {
    text.encode_utf16().count()
}

/// A text that stands within a line, such as a name.
pub(super) fn inline(text: &str) -> String {
    escaped(&hidden::clean(text).text).replace(['\n', '\r', '\t'], " ")
}

/// A text in which nothing hides, and nothing opens or closes what the client puts around it.
pub(super) fn block(text: &str) -> String {
    escaped(&hidden::clean(text).text).into_owned()
}

/// The text within so many characters, cut at a line, with a note that says so and is counted.
pub(super) fn within(text: &str, limit: usize) -> String {
    let all = characters(text);
    if all <= limit {
        return text.to_owned();
    }
    let note = format!(
        "\n\n> Cut here: this was {all} characters long, of which a hook may give {limit}. Read the files themselves for the rest."
    );
    let room = limit.saturating_sub(characters(&note));
    let mut used = 0;
    let (mut cut, mut line) = (0, 0);
    for (at, character) in text.char_indices() {
        used += character.len_utf16();
        if used > room {
            break;
        }
        cut = at + character.len_utf8();
        if character == '\n' {
            line = at;
        }
    }
    // One endless line is cut where it is.
    let end = if line > 0 { line } else { cut };
    format!("{}{note}", text.get(..end).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_at_a_line_within_what_the_client_counts() {
        assert_eq!(within("one\ntwo", 7), "one\ntwo");
        let lines = "a line of words 🐝\n".repeat(100);
        for limit in [200, 300, 999, 1_899] {
            let cut = within(&lines, limit);
            assert!(characters(&cut) <= limit, "{limit}");
            let (kept, note) = cut.split_once("\n\n> Cut here").unwrap();
            assert!(kept.ends_with('🐝'));
            assert!(note.contains("1900"));
        }
        let endless = "🐝".repeat(1_000);
        assert!(characters(&within(&endless, 400)) <= 400);
    }
}
