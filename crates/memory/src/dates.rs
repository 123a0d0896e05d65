//! Relative dates turned into absolute ones: "by Friday" is worthless next month.
//!
//! Given the day a text was written, [`absolute`] replaces what points at a day, week, month,
//! quarter or year by its date, in English and Chinese. Weeks begin on Monday: "next Friday" is the
//! Friday of the following week, "last Friday" the most recent one before today, "by Friday" the
//! first one after today. Code, quotations and links are left alone, and so is a habit ("never
//! deploy on Friday").

mod calendar;
mod chinese;
mod english;
mod protected;

use std::borrow::Cow;
use std::ops::Range;

use jiff::civil::Date;

/// One phrase and the absolute date that takes its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replacement {
    /// Bytes of the phrase in the original text.
    pub range: Range<usize>,
    /// The text that replaces it.
    pub to: String,
}

/// The relative dates of a text, in order and without overlap.
///
/// ```
/// use jiff::civil::date;
/// use memdir_memory::dates::replacements;
///
/// let found = replacements("Freeze starts tomorrow", date(2026, 11, 16));
/// assert_eq!((found[0].range.clone(), found[0].to.as_str()), (14..22, "2026-11-17"));
/// ```
#[must_use]
pub fn replacements(text: &str, today: Date) -> Vec<Replacement> {
    let protected = protected::spans(text);
    let mut found = english::find(text, today);
    found.extend(chinese::find(text, today));
    found.retain(|replacement| {
        !protected
            .iter()
            .any(|span| span.start < replacement.range.end && replacement.range.start < span.end)
    });
    found.sort_by_key(|replacement| {
        (
            replacement.range.start,
            std::cmp::Reverse(replacement.range.end),
        )
    });
    let mut end = 0;
    found.retain(|replacement| {
        let free = replacement.range.start >= end;
        if free {
            end = replacement.range.end;
        }
        free
    });
    found
}

/// The text with its relative dates made absolute; borrowed when there are none.
///
/// ```
/// use jiff::civil::date;
/// use memdir_memory::dates::absolute;
///
/// let monday = date(2026, 11, 16);
/// assert_eq!(absolute("Done by Friday, shipped next week", monday),
///            "Done by 2026-11-20, shipped the week of 2026-11-23");
/// assert_eq!(absolute("下周一上线", monday), "2026-11-23上线");
/// ```
#[must_use]
pub fn absolute(text: &str, today: Date) -> Cow<'_, str> {
    let found = replacements(text, today);
    if found.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8 * found.len());
    let mut from = 0;
    for replacement in &found {
        out.push_str(text.get(from..replacement.range.start).unwrap_or_default());
        out.push_str(&replacement.to);
        from = replacement.range.end;
    }
    out.push_str(text.get(from..).unwrap_or_default());
    Cow::Owned(out)
}
