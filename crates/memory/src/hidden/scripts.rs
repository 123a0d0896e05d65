//! The few facts about scripts that decide whether an invisible character is needed.

/// Pictographs that take part in joined emoji.
pub(super) fn is_emoji(character: char) -> bool {
    matches!(character,
        '\u{1F000}'..='\u{1FAFF}'
        | '\u{2190}'..='\u{21FF}'
        | '\u{2300}'..='\u{23FF}'
        | '\u{25A0}'..='\u{27BF}'
        | '\u{2B00}'..='\u{2BFF}'
        | '\u{3030}' | '\u{303D}' | '\u{3297}' | '\u{3299}'
        | '\u{00A9}' | '\u{00AE}' | '\u{203C}' | '\u{2049}' | '\u{2122}' | '\u{2139}')
}

/// Scripts whose conjuncts are steered with joiners.
pub(super) fn is_indic(character: char) -> bool {
    matches!(character,
        '\u{0900}'..='\u{0DFF}'
        | '\u{0F00}'..='\u{109F}'
        | '\u{1780}'..='\u{17FF}'
        | '\u{1B00}'..='\u{1BFF}'
        | '\u{1CD0}'..='\u{1CFF}'
        | '\u{A880}'..='\u{A8FF}'
        | '\u{A980}'..='\u{A9DF}'
        | '\u{11000}'..='\u{116CF}')
        && !matches!(character, '\u{17B4}' | '\u{17B5}')
}

/// Arabic, Persian, Urdu, Syriac, N'Ko, Adlam and their kin: cursive, so joiners shape them.
pub(super) fn is_arabic_like(character: char) -> bool {
    matches!(character,
        '\u{0620}'..='\u{07FF}'
        | '\u{0840}'..='\u{08FF}'
        | '\u{FB50}'..='\u{FDFF}'
        | '\u{FE70}'..='\u{FEFC}'
        | '\u{10D00}'..='\u{10D3F}'
        | '\u{1E900}'..='\u{1E95F}')
}

/// Mongolian letters.
pub(super) fn is_mongolian(character: char) -> bool {
    matches!(character, '\u{1820}'..='\u{18AF}')
}

/// Scripts in which a non-joiner between two letters is spelling.
pub(super) fn joins_letters(character: char) -> bool {
    is_arabic_like(character) || is_indic(character) || is_mongolian(character)
}

/// Scripts written without spaces that mark word ends with a zero-width space.
pub(super) fn breaks_by_zero_width(character: char) -> bool {
    matches!(character,
        '\u{0E00}'..='\u{0FFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}'
        | '\u{1950}'..='\u{19DF}' | '\u{1A20}'..='\u{1AAF}')
        && !matches!(character, '\u{17B4}' | '\u{17B5}')
}

/// Letters of scripts written from right to left.
pub(super) fn is_right_to_left(character: char) -> bool {
    matches!(character,
        '\u{0590}'..='\u{061B}' | '\u{061D}'..='\u{08FF}'
        | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}'
        | '\u{10800}'..='\u{10FFF}' | '\u{1E800}'..='\u{1EFFF}')
}

/// Characters that ideographic variation selectors may follow.
pub(super) fn is_ideograph(character: char) -> bool {
    matches!(character,
        '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}'
        | '\u{3005}'..='\u{3007}' | '\u{20000}'..='\u{3FFFD}')
}

/// Characters that one of the sixteen common selectors may follow: visible and not ASCII.
pub(super) fn is_variation_base(character: char) -> bool {
    !character.is_ascii() && !character.is_whitespace() && super::candidate(character).is_none()
}
