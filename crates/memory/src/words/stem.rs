//! A light stemmer and the words that carry no content.

/// Function words of English, and the most frequent ones of its neighbours, sorted.
const FUNCTION_WORDS: &[&str] = &[
    "a", "about", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be", "because",
    "been", "but", "by", "can", "could", "did", "do", "does", "for", "from", "had", "has", "have",
    "he", "her", "here", "his", "how", "i", "if", "im", "in", "into", "is", "it", "its", "just",
    "let", "lets", "may", "me", "must", "my", "of", "on", "or", "our", "please", "shall", "she",
    "should", "so", "some", "such", "than", "that", "the", "their", "them", "then", "there",
    "these", "they", "this", "those", "to", "too", "us", "very", "was", "we", "were", "what",
    "when", "where", "which", "while", "who", "why", "will", "with", "would", "you", "your",
];

/// Whether a normalised word carries grammar rather than content. Negations carry content.
pub fn is_function_word(word: &str) -> bool {
    FUNCTION_WORDS.binary_search(&word).is_ok()
}

/// A word without its commonest English endings; other words come back as they are.
///
/// It is deliberately weak: two words that differ in meaning must not meet.
pub(super) fn stem(word: &str) -> String {
    // Too short for the rules below, and the commonest verb of all instructions.
    if matches!(word, "uses" | "used" | "using") {
        return "use".to_owned();
    }
    if word.len() < 4 || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return word.to_owned();
    }
    if let Some(base) = word.strip_suffix("ies").filter(|base| base.len() >= 2) {
        return format!("{base}y");
    }
    for ending in ["ing", "ed"] {
        let base = word.strip_suffix(ending).unwrap_or_default();
        if base.len() >= 3 && has_vowel(base) && !base.ends_with('e') {
            return restored(base);
        }
    }
    for ending in ["ches", "shes", "sses", "xes", "zes"] {
        if word.ends_with(ending) {
            return word.strip_suffix("es").unwrap_or(word).to_owned();
        }
    }
    if let Some(base) = word
        .strip_suffix('s')
        .filter(|base| !base.ends_with(['s', 'u', 'i']))
    {
        return silent_e_dropped(base);
    }
    silent_e_dropped(word)
}

fn has_vowel(text: &str) -> bool {
    text.contains(['a', 'e', 'i', 'o', 'u', 'y'])
}

/// "running" and "runs" meet at "run".
fn restored(base: &str) -> String {
    let mut bytes = base.bytes().rev();
    let (last, before) = (bytes.next(), bytes.next());
    if last == before && !matches!(last, Some(b'l' | b's' | b'z')) {
        let mut shorter = base.to_owned();
        shorter.pop();
        return shorter;
    }
    base.to_owned()
}

/// "use", "uses" and "using" meet at "us"; short words keep their vowel.
fn silent_e_dropped(word: &str) -> String {
    match word.strip_suffix('e') {
        Some(base) if base.len() >= 3 && !base.ends_with('e') => base.to_owned(),
        _ => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{FUNCTION_WORDS, stem};

    #[test]
    fn function_words_are_sorted() {
        assert!(FUNCTION_WORDS.is_sorted());
    }

    #[test]
    fn forms_of_a_word_meet() {
        for (forms, expected) in [
            (&["test", "tests", "tested", "testing"][..], "test"),
            (&["use", "uses", "used", "using"][..], "use"),
            (&["run", "runs", "running"][..], "run"),
            (
                &["release", "releases", "released", "releasing"][..],
                "releas",
            ),
            (&["library", "libraries"][..], "library"),
            (&["branch", "branches"][..], "branch"),
            (&["status"][..], "status"),
            (&["class", "classes"][..], "class"),
            (&["tabs", "tab"][..], "tab"),
        ] {
            for form in forms {
                assert_eq!(stem(form), expected, "{form}");
            }
        }
    }
}
