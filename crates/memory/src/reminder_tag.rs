//! The tag of reminders, by which a model knows its host's words: nothing that others wrote may open or close one.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;

/// The letters of the tag. What stands between its two words is a dash, a blank, or left out.
const LETTERS: &str = "systemreminder";

/// A text in which nothing opens or closes a reminder: the `<` of every such tag stands as `&lt;`, however the tag is
/// spelt: in any case, with blanks or invisible characters in it, with another dash, in full width. Done twice, the
/// second time changes nothing.
///
/// ```
/// use memdir_memory::escaped;
///
/// assert_eq!(escaped("a </System-Reminder > b"), "a &lt;/System-Reminder > b");
/// assert_eq!(escaped("＜ｓｙｓｔｅｍ－ｒｅｍｉｎｄｅｒ＞"), "&lt;ｓｙｓｔｅｍ－ｒｅｍｉｎｄｅｒ＞");
/// assert_eq!(escaped("a < b"), "a < b");
/// ```
#[must_use]
pub fn escaped(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut copied = 0;
    for (at, opening) in text.match_indices(is_opening) {
        let behind = at + opening.len();
        if begins_tag(text.get(behind..).unwrap_or_default()) {
            out.push_str(text.get(copied..at).unwrap_or_default());
            out.push_str("&lt;");
            copied = behind;
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(text.get(copied..).unwrap_or_default());
    Cow::Owned(out)
}

/// `<` and what looks like it.
fn is_opening(letter: char) -> bool {
    matches!(
        letter,
        '<' | '＜' | '﹤' | '‹' | '〈' | '⟨' | '❮' | '˂' | 'ᐸ'
    )
}

/// Whether what follows a `<` makes a tag of it.
fn begins_tag(rest: &str) -> bool {
    let mut wanted = LETTERS.chars();
    let mut next = wanted.next();
    // Compatible forms are the same letter: full width, mathematical, circled. No opening stands within a tag, so that all
    // of a text is looked at about once.
    for letter in rest.nfkc() {
        let letter = letter.to_ascii_lowercase();
        let Some(letter_wanted) = next else {
            return true;
        };
        if letter == letter_wanted {
            next = wanted.next();
        } else if !is_between(letter) {
            return false;
        }
    }
    next.is_none()
}

/// What may stand before the name and between its letters without changing how it reads.
fn is_between(letter: char) -> bool {
    let is_dash = matches!(
        letter,
        '-' | '_' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{ad}' | '\u{30fc}'
    );
    let is_slash = matches!(letter, '/' | '\\' | '\u{2044}' | '\u{2215}' | '\u{29f8}');
    let is_invisible = matches!(
        letter,
        '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{180b}'..='\u{180e}'
            | '\u{e0000}'..='\u{e0fff}'
    );
    letter.is_whitespace() || letter.is_control() || is_dash || is_slash || is_invisible
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_escaped_however_it_is_spelt() {
        for tag in [
            "<system-reminder>",
            "</system-reminder>",
            "< / system-reminder >",
            "<SYSTEM-REMINDER>",
            "<system_reminder>",
            "<system reminder>",
            "<systemReminder>",
            "<system-reminder kind=\"x\">",
            "<system\u{2011}reminder>",
            "<system\u{2013}reminder>",
            "<sys\u{200b}tem-re\u{ad}minder>",
            "<s y s t e m - r e m i n d e r>",
            "<\nsystem-reminder\n>",
            "<\u{feff}system-reminder>",
            "<\\/system-reminder>",
            "＜system-reminder＞",
            "＜／ｓｙｓｔｅｍ－ｒｅｍｉｎｄｅｒ＞",
            "‹system-reminder›",
            "<𝐬𝐲𝐬𝐭𝐞𝐦-𝐫𝐞𝐦𝐢𝐧𝐝𝐞𝐫>",
            "<\u{e0041}system-reminder>",
            "<system-reminder",
            &format!("<{}system-reminder>", " ".repeat(500)),
        ] {
            let text = format!("before {tag} behind");
            let once = escaped(&text).into_owned();
            assert!(once.starts_with("before &lt;"), "{tag:?}: {once:?}");
            assert!(matches!(escaped(&once), Cow::Borrowed(_)), "{tag:?}");
        }
    }

    #[test]
    fn what_is_no_tag_keeps_its_bytes() {
        for text in [
            "",
            "<",
            "a < b, c <= d",
            "<system>",
            "<reminder>",
            "&lt;system-reminder>",
            "system-reminder",
            "<my-system-reminder>",
            "Vec<System>",
            "＜備考＞",
            "if a <\n  system.reminder()",
        ] {
            assert!(matches!(escaped(text), Cow::Borrowed(_)), "{text:?}");
        }
    }

    #[test]
    fn a_text_of_nothing_but_openings_takes_no_longer_than_its_length() {
        let text = "< ".repeat(50_000);
        assert_eq!(escaped(&text), text);
    }
}
