//! Where a line may be broken between two characters without a space.

use unicode_width::UnicodeWidthChar;

/// Signs that do not begin a line, and such that do not end one.
const CLOSING: &str = "，。、；：！？）】」』》〉”’…～·％,.;:!?)]}%";
const OPENING: &str = "（【「『《〈“‘([{";
/// Joins two signs into one.
const JOINER: char = '\u{200d}';

/// Whether a line may be broken between these two: in scripts without spaces, nearly everywhere.
pub(crate) fn may_break(before: char, after: char) -> bool {
    let is_wide = |character: char| character.width() == Some(2);
    let is_part = after.width() == Some(0) || ('\u{1f3fb}'..='\u{1f3ff}').contains(&after);
    (is_wide(before) || is_wide(after))
        && !is_part
        && before != JOINER
        && !CLOSING.contains(after)
        && !OPENING.contains(before)
}

#[cfg(test)]
mod tests {
    use super::may_break;

    #[test]
    fn words_of_letters_stay_whole_and_signs_stay_with_their_words() {
        assert!(may_break('部', '署'));
        assert!(may_break('用', 'R') && may_break('t', '写'));
        assert!(!may_break('a', 'b'));
        assert!(!may_break('署', '。') && !may_break('（', '部'));
        assert!(!may_break('👩', JOINED) && !may_break(JOINED, '💻'));
    }

    const JOINED: char = super::JOINER;
}
