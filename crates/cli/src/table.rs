//! Columns that line up, and texts cut to fit them.

use std::borrow::Cow;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::visible::visible;

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

/// How many columns a text takes on a terminal.
pub(crate) fn width(text: &str) -> usize {
    if text.is_ascii() {
        text.len()
    } else {
        text.width()
    }
}

/// A text of a memory on one line, with nothing in it that acts on the terminal or hides.
pub(crate) fn one_line(text: &str) -> Cow<'_, str> {
    let shown = visible(text);
    match shown.contains(['\n', '\t']) {
        true => Cow::Owned(shown.replace(['\n', '\t'], " ")),
        false => shown,
    }
}

/// A text cut to a number of columns, with `…` where something is missing.
pub(crate) fn cut(text: &str, columns: usize) -> Cow<'_, str> {
    if width(text) <= columns {
        return Cow::Borrowed(text);
    }
    let mut out = String::new();
    let mut used = 0;
    for character in text.chars() {
        let wide = character.width().unwrap_or(0);
        // One column is kept for the `…`.
        if used + wide + 1 > columns {
            break;
        }
        used += wide;
        out.push(character);
    }
    out.truncate(out.trim_end().len());
    out.push('…');
    Cow::Owned(out)
}

/// A text broken between words so that it stays right of `indent` on a terminal; the first line has its indentation
/// already. Without a terminal nothing is broken, and a word that is too long stays whole: it may be a path to copy.
pub(crate) fn wrapped(text: &str, indent: usize, columns: Option<usize>) -> String {
    let Some(room) = columns
        .and_then(|columns| columns.checked_sub(indent))
        .filter(|room| *room >= 20)
    else {
        return text.to_owned();
    };
    let mut out = String::with_capacity(text.len() + indent);
    let mut used = 0;
    for word in text.split(' ') {
        let wide = width(word);
        if used > 0 && used + 1 + wide > room {
            out.push('\n');
            out.extend(std::iter::repeat_n(' ', indent));
            used = 0;
        } else if used > 0 {
            out.push(' ');
            used += 1;
        }
        out.push_str(word);
        used += wide;
    }
    out
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
    use super::{cut, pairs, thousands, width, wrapped};

    #[test]
    fn wrapping_keeps_the_indentation_and_breaks_no_word() {
        let text = "the quick brown fox jumps over /a/path/that/is/far/too/long lazily";
        assert_eq!(wrapped(text, 4, None), text);
        assert_eq!(
            wrapped(text, 4, Some(26)),
            "the quick brown fox\n    jumps over\n    /a/path/that/is/far/too/long\n    lazily"
        );
    }

    #[test]
    fn cutting_counts_columns_not_characters() {
        assert_eq!(cut("deploy on Friday", 16), "deploy on Friday");
        assert_eq!(cut("deploy on Friday", 15), "deploy on Frid…");
        assert_eq!(cut("deploy on Friday", 8), "deploy…");
        assert_eq!(cut("发布在星期五", 12), "发布在星期五");
        assert_eq!(cut("发布在星期五", 11), "发布在星期…");
        assert_eq!(width(&cut("发布在星期五", 10)), 9);
        assert_eq!(cut("anything", 1), "…");
    }

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
