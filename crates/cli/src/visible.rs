//! Text of files on a terminal: nothing in it may act on the terminal or hide.

pub(crate) use memdir_memory::hidden::visible;

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
