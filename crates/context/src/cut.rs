//! The beginning of a text that fits into so many tokens.

/// How many bytes a token has at most in the first guess; a wrong guess only costs another count.
const GUESSED_BYTES: u64 = 8;

/// How much of a text is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shown {
    /// Whole lines.
    Lines {
        /// How many.
        shown: usize,
        /// Of how many.
        of: usize,
    },
    /// The beginning of the first line.
    PartOfLine {
        /// How many lines there are.
        of: usize,
    },
    /// Nothing but the note, if even that has room.
    Nothing,
}

/// A text that had to be cut.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cut {
    /// Its beginning, and below it the note. Both together are within the limit.
    pub(crate) text: String,
    /// How much of it that is.
    pub(crate) shown: Shown,
}

/// Cuts a text of more than `limit` tokens after a line, or within the first where that is too long by itself; `note` says
/// so to the reader. `None` for a text that fits. `count` need not grow strictly with a text; what is returned was
/// counted.
pub(crate) fn cut(
    text: &str,
    limit: u64,
    count: &dyn Fn(&str) -> u64,
    note: &dyn Fn(&str, Shown) -> String,
) -> Option<Cut> {
    let end = too_long(text, limit, count)?;
    let of = text.lines().count();
    let whole = |kept: &str, shown: Shown| {
        let kept = kept.trim_end();
        let note = note(kept, shown);
        match kept.is_empty() {
            true => note,
            false => format!("{kept}\n\n{note}"),
        }
    };
    let fits = |kept: &str, shown: Shown| count(&whole(kept, shown)) <= limit;

    let beginning = text.get(..end).unwrap_or(text);
    let ends: Vec<usize> = beginning.match_indices('\n').map(|(at, _)| at).collect();
    let lines = |lines: usize| {
        let at = lines.checked_sub(1).and_then(|last| ends.get(last));
        let kept = text.get(..at.copied().unwrap_or(0)).unwrap_or_default();
        (kept, Shown::Lines { shown: lines, of })
    };
    let most = largest(ends.len(), |number| {
        let (kept, shown) = lines(number);
        fits(kept, shown)
    });
    if let Some(most) = most.filter(|most| *most > 0) {
        let (kept, shown) = lines(most);
        let text = whole(kept, shown);
        return Some(Cut { text, shown });
    }
    let shown = Shown::PartOfLine { of };
    let first = beginning.lines().next().unwrap_or_default();
    let part = |bytes: usize| {
        first
            .get(..first.floor_char_boundary(bytes))
            .unwrap_or_default()
    };
    let bytes = largest(first.len(), |bytes| fits(part(bytes), shown));
    let kept = part(bytes.unwrap_or(0));
    if !kept.trim().is_empty() {
        let text = whole(kept, shown);
        return Some(Cut { text, shown });
    }
    let shown = Shown::Nothing;
    let text = match fits("", shown) {
        true => whole("", shown),
        false => String::new(),
    };
    Some(Cut { text, shown })
}

/// A place in the text before which there are more tokens than the limit; `None` where the whole fits. What lies far behind
/// it is never counted.
fn too_long(text: &str, limit: u64, count: &dyn Fn(&str) -> u64) -> Option<usize> {
    let mut bytes = usize::try_from(limit.saturating_mul(GUESSED_BYTES))
        .unwrap_or(usize::MAX)
        .max(64);
    loop {
        let end = text.floor_char_boundary(bytes);
        if count(text.get(..end).unwrap_or(text)) > limit {
            return Some(end);
        }
        if end == text.len() {
            return None;
        }
        bytes = bytes.saturating_mul(2);
    }
}

/// The largest number up to `most` that fits, where what is smaller than one that fits does too.
fn largest(most: usize, fits: impl Fn(usize) -> bool) -> Option<usize> {
    let (mut least, mut beyond) = (0, most + 1);
    if !fits(0) {
        return None;
    }
    while beyond - least > 1 {
        let middle = least.midpoint(beyond);
        match fits(middle) {
            true => least = middle,
            false => beyond = middle,
        }
    }
    Some(least)
}

#[cfg(test)]
mod tests {
    use super::{Shown, cut};

    fn count(text: &str) -> u64 {
        u64::try_from(text.len().div_ceil(4)).unwrap()
    }

    fn note(_: &str, shown: Shown) -> String {
        match shown {
            Shown::Lines { shown, of } => format!("> {shown}/{of}"),
            Shown::PartOfLine { .. } => "> part".to_owned(),
            Shown::Nothing => "> none".to_owned(),
        }
    }

    #[test]
    fn a_text_is_cut_after_the_last_line_that_fits_with_the_note() {
        let text = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";
        assert_eq!(cut(text, 9, &count, &note), None);
        let shown = |limit| cut(text, limit, &count, &note).unwrap().text;
        assert_eq!(shown(8), "one\ntwo\nthree\nfour\nfive\n\n> 5/7");
        assert_eq!(shown(4), "one\ntwo\n\n> 2/7");
        assert_eq!(shown(2), "> none");
        assert_eq!(shown(1), "");
    }

    #[test]
    fn a_first_line_that_is_too_long_is_cut_between_characters() {
        let text = "é".repeat(400);
        let cut = cut(&text, 10, &count, &note).unwrap();
        assert_eq!(cut.text, format!("{}\n\n> part", "é".repeat(16)));
        assert_eq!(cut.shown, Shown::PartOfLine { of: 1 });
    }

    #[test]
    fn what_lies_far_behind_the_limit_is_not_counted() {
        let text = "a line of text\n".repeat(100_000);
        let longest = std::cell::Cell::new(0);
        let counted = |text: &str| {
            longest.set(longest.get().max(text.len()));
            count(text)
        };
        assert!(cut(&text, 1_000, &counted, &note).is_some());
        assert!(longest.get() <= 16_000, "{}", longest.get());
    }
}
