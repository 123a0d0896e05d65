//! Columns that line up.

use crate::visible::width;

/// Between two columns.
pub(crate) const GAP: &str = "  ";

/// The widest of some texts.
pub(crate) fn widest<'a>(texts: impl IntoIterator<Item = &'a str>) -> usize {
    texts.into_iter().map(width).max().unwrap_or(0)
}

/// Appends a text, filled up to a number of columns.
pub(crate) fn push_padded(line: &mut String, text: &str, columns: usize) {
    line.push_str(text);
    line.extend(std::iter::repeat_n(
        ' ',
        columns.saturating_sub(width(text)),
    ));
}

/// Lines of a name and what it is, the second column aligned.
pub(crate) fn pairs<'a>(rows: &'a [(&'a str, String)]) -> impl Iterator<Item = String> + 'a {
    let columns = widest(rows.iter().map(|(name, _)| *name));
    rows.iter().map(move |(name, value)| {
        let mut line = String::new();
        push_padded(&mut line, name, columns);
        line.push_str(GAP);
        line.push_str(value);
        line
    })
}

/// `1 memory`, `2 memories`: the number with thousands separated, and the word that fits it.
pub(crate) fn count(number: usize, one: &str, many: &str) -> String {
    format!(
        "{} {}",
        thousands(number),
        if number == 1 { one } else { many }
    )
}

/// A number that is easy to read: `25,000`.
pub(crate) fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{pairs, thousands};

    #[test]
    fn thousands_are_separated() {
        let shown = [0, 7, 999, 1000, 25_000, 1_234_567].map(thousands);
        assert_eq!(shown, ["0", "7", "999", "1,000", "25,000", "1,234,567"]);
    }

    #[test]
    fn wide_characters_line_up() {
        let rows = [("类型", "user".to_owned()), ("path", "a.md".to_owned())];
        assert_eq!(
            pairs(&rows).collect::<Vec<_>>(),
            ["类型  user", "path  a.md"]
        );
    }
}
