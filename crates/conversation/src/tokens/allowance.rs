//! What another dictionary may need beyond ours for letters that some dictionaries hardly know.

use super::makeup::is_ideograph;

/// Tokens that a tokeniser with a poorer dictionary may need for a text beyond what is counted here.
///
/// For Latin letters, digits and punctuation tokenisers differ by a factor that is learnt. For other scripts they differ by
/// far more: where one has words, another has single letters or their bytes. Until a factor is learnt the difference is
/// taken as a poor one has it, so that a first request is not expected too short.
pub(super) fn allowance(text: &str) -> u64 {
    if text.is_ascii() {
        return 0;
    }
    let thousandths: u64 = text.chars().map(thousandths).sum();
    thousandths.div_ceil(1_000)
}

/// Thousandths of a token for a letter: what cl100k, the poorest dictionary in use, needs for sentences of that script beyond
/// o200k, a tenth less, with room for sentences that are worse than others.
fn thousandths(letter: char) -> u64 {
    match letter {
        '\0'..='\u{36f}' => 0,
        // Greek, Cyrillic.
        '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => 600,
        '\u{400}'..='\u{52f}' => 250,
        // Hebrew, Arabic and their neighbours.
        '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}' => 500,
        // Indic, Thai, Georgian, Ethiopic and others.
        '\u{530}'..='\u{58f}' | '\u{900}'..='\u{1dff}' => 850,
        // Kana, Hangul.
        '\u{3040}'..='\u{30ff}' => 350,
        '\u{ac00}'..='\u{d7af}' => 420,
        letter if is_ideograph(letter) => 250,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_for_letters_that_dictionaries_differ_in() {
        let texts = [
            "plain",
            "naïve café",
            "über",
            "→ ✓ …",
            "привет",
            "γειά",
            "नमस्ते",
            "日本語",
        ];
        assert_eq!(texts.map(allowance), [0, 0, 0, 0, 2, 3, 6, 1]);
    }
}
