//! Text of files on a terminal: nothing in it may act on the terminal or hide.

use std::borrow::Cow;

use memdir_memory::hidden;

/// A text whose control and hidden characters stand as `<U+202E>`; line ends and tabs stay.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    let acts = |character: char| character.is_control() && !matches!(character, '\n' | '\t');
    if text.is_ascii() && !text.contains(acts) {
        return Cow::Borrowed(text);
    }
    let hidden = hidden::find(text);
    if hidden.is_empty() && !text.contains(acts) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    let mut places = hidden.iter().map(|hidden| hidden.range.start).peekable();
    for (at, character) in text.char_indices() {
        let is_hidden = places.next_if_eq(&at).is_some();
        // The end of a line as other systems write it is nothing to see.
        let ends_line = character == '\r'
            && text
                .get(at + 1..)
                .is_some_and(|rest| rest.starts_with('\n'));
        if !ends_line && (is_hidden || acts(character)) {
            shown.push_str(&format!("<U+{:04X}>", u32::from(character)));
        } else {
            shown.push(character);
        }
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn nothing_acts_on_the_terminal_and_nothing_hides() {
        assert_eq!(visible("plain\ttext\r\n"), "plain\ttext\r\n");
        assert_eq!(visible("\u{1b}[31mred\u{7}"), "<U+001B>[31mred<U+0007>");
        assert_eq!(visible("a\u{202e}b\u{e0041}"), "a<U+202E>b<U+E0041>");
        assert_eq!(visible("over\rwritten"), "over<U+000D>written");
    }
}
