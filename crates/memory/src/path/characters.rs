//! Characters that have no place in a file's name because nobody can see what they are.

/// Format characters, default-ignorable ones, and line and paragraph separators.
pub(super) fn is_invisible(c: char) -> bool {
    INVISIBLE
        .iter()
        .any(|&(first, last)| (first..=last).contains(&c))
}

/// Drawn like a slash, backslash or colon, but not turned into one by normalising.
pub(super) fn looks_like_separator(c: char) -> bool {
    matches!(
        c,
        '\u{2044}' // fraction slash
            | '\u{2215}' // division slash
            | '\u{2216}' // set minus
            | '\u{2236}' // ratio
            | '\u{2571}' // box drawings, rising diagonal
            | '\u{2572}' // box drawings, falling diagonal
            | '\u{27CB}' // mathematical rising diagonal
            | '\u{27CD}' // mathematical falling diagonal
            | '\u{29F5}' // reverse solidus operator
            | '\u{29F8}' // big solidus
            | '\u{29F9}' // big reverse solidus
            | '\u{A789}' // modifier letter colon
    )
}

const INVISIBLE: &[(char, char)] = &[
    ('\u{00AD}', '\u{00AD}'),
    ('\u{034F}', '\u{034F}'),
    ('\u{0600}', '\u{0605}'),
    ('\u{061C}', '\u{061C}'),
    ('\u{06DD}', '\u{06DD}'),
    ('\u{070F}', '\u{070F}'),
    ('\u{0890}', '\u{0891}'),
    ('\u{08E2}', '\u{08E2}'),
    ('\u{115F}', '\u{1160}'),
    ('\u{17B4}', '\u{17B5}'),
    ('\u{180B}', '\u{180F}'),
    ('\u{200B}', '\u{200F}'),
    ('\u{2028}', '\u{202E}'),
    ('\u{2060}', '\u{206F}'),
    ('\u{3164}', '\u{3164}'),
    ('\u{FE00}', '\u{FE0F}'),
    ('\u{FEFF}', '\u{FEFF}'),
    ('\u{FFA0}', '\u{FFA0}'),
    ('\u{FFF0}', '\u{FFFB}'),
    ('\u{FFFE}', '\u{FFFF}'),
    ('\u{110BD}', '\u{110BD}'),
    ('\u{110CD}', '\u{110CD}'),
    ('\u{13430}', '\u{1343F}'),
    ('\u{1BCA0}', '\u{1BCA3}'),
    ('\u{1D173}', '\u{1D17A}'),
    ('\u{E0000}', '\u{E0FFF}'),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_and_default_ignorable_character_is_in_the_table() {
        let pattern = r"[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]";
        let expected = regex::Regex::new(pattern).unwrap();
        for c in '\u{80}'..=char::MAX {
            if expected.is_match(c.encode_utf8(&mut [0; 4])) {
                assert!(is_invisible(c), "U+{:04X} is missing", u32::from(c));
            }
        }
    }
}
