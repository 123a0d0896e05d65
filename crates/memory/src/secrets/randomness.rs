//! How random a value looks.

use super::SecretValue;

/// Shannon entropy of a value's bytes, in tenths of a bit for each byte.
pub(super) fn entropy_tenths(value: SecretValue<'_>) -> u32 {
    let mut counts = [0_u32; 256];
    for byte in value.expose().bytes() {
        if let Some(count) = counts.get_mut(usize::from(byte)) {
            *count += 1;
        }
    }
    let total: f64 = counts.iter().map(|count| f64::from(*count)).sum();
    let bits: f64 = counts
        .iter()
        .filter(|count| **count > 0)
        .map(|count| {
            let share = f64::from(*count) / total;
            -share * share.log2()
        })
        .sum();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "0 to 80"
    )]
    let tenths = (bits * 10.0).round() as u32;
    tenths
}

/// Which kinds of characters a value has.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Classes {
    pub(super) lower: usize,
    pub(super) upper: usize,
    pub(super) digit: usize,
    pub(super) sign: usize,
}

impl Classes {
    pub(super) fn of(value: SecretValue<'_>) -> Self {
        let mut classes = Self::default();
        for byte in value.expose().bytes() {
            match byte {
                b'a'..=b'z' => classes.lower += 1,
                b'A'..=b'Z' => classes.upper += 1,
                b'0'..=b'9' => classes.digit += 1,
                _ => classes.sign += 1,
            }
        }
        classes
    }

    pub(super) fn count(self) -> usize {
        [self.lower, self.upper, self.digit, self.sign]
            .iter()
            .filter(|count| **count > 0)
            .count()
    }
}

/// Whether a value reads as words, identifiers or small numbers rather than as random letters.
///
/// `my-service-token-v2`, `getSecretFromVault` and `projects/acme/keys/3` do; `k3Jd9fQ0x` does not.
pub(super) fn is_wordlike(value: SecretValue<'_>) -> bool {
    let text = value.expose();
    is_constant(text)
        || text
            .split(['-', '_', '.', '/', ':', ',', '@', '+'])
            .all(is_wordlike_part)
}

/// `D3D_PRESENT_HISTORY`: capitals, digits and underscores around at least one word.
fn is_constant(text: &str) -> bool {
    text.contains('_')
        && text
            .bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
        && text.split('_').any(|part| {
            part.len() >= 5
                && part.bytes().all(|byte| byte.is_ascii_uppercase())
                && is_pronounceable(part)
        })
}

fn is_wordlike_part(part: &str) -> bool {
    if !part.chars().all(char::is_alphanumeric) {
        return false;
    }
    let letters = part.trim_end_matches(|character: char| character.is_ascii_digit());
    let digits = part.len() - letters.len();
    if letters.is_empty() {
        return digits <= 8;
    }
    // A version or a count may hang on a word, or lead it: `v2`, `sha256`, `2fa`, `argon2id`.
    let (letters, inner) = match letters.find(|character: char| character.is_ascii_digit()) {
        // Small and capital letters around a digit are no word's, unless they are many:
        // `X509CertificateTemplate`.
        Some(_)
            if letters.len() < 16
                && letters.bytes().any(|byte| byte.is_ascii_lowercase())
                && letters.bytes().any(|byte| byte.is_ascii_uppercase()) =>
        {
            return false;
        }
        Some(at) => {
            let (head, tail) = letters.split_at(at);
            let rest = tail.trim_start_matches(|character: char| character.is_ascii_digit());
            if rest.chars().any(|character| character.is_ascii_digit())
                || tail.len() - rest.len() > 3
            {
                return false;
            }
            (format!("{head}{rest}"), tail.len() - rest.len())
        }
        None => (letters.to_owned(), 0),
    };
    digits + inner <= 4 && is_pronounceable(&letters)
}

/// Whether letters look like words: enough vowels, and capitals only where words begin.
fn is_pronounceable(letters: &str) -> bool {
    let length = letters.chars().count();
    if length <= 4 {
        return true;
    }
    if !letters.is_ascii() {
        return true;
    }
    let vowels = letters
        .bytes()
        .filter(|byte| b"aeiouyAEIOUY".contains(byte))
        .count();
    let turns = letters
        .as_bytes()
        .windows(2)
        .filter(|pair| matches!(pair, [a, b] if a.is_ascii_lowercase() && b.is_ascii_uppercase()))
        .count();
    let capitals = letters.bytes().filter(u8::is_ascii_uppercase).count();
    // Random letters turn every fourth time; words that are run together turn rarely.
    let mixed = capitals < length && (turns * 5 > length || capitals * 20 > length * 7);
    let longest_bare = letters
        .split(|character: char| "aeiouyAEIOUY".contains(character))
        .map(str::len)
        .max()
        .unwrap_or_default();
    vowels * 6 >= length && vowels * 10 <= length * 8 && !mixed && longest_bare <= 5
}

#[cfg(test)]
mod tests {
    use super::{SecretValue, entropy_tenths, is_wordlike};

    #[test]
    fn entropy_of_known_texts() {
        for (text, tenths) in [
            ("", 0),
            ("aaaa", 0),
            ("abab", 10),
            ("abcd", 20),
            ("0123456789abcdef", 40),
        ] {
            assert_eq!(entropy_tenths(SecretValue::new(text)), tenths, "{text}");
        }
    }

    #[test]
    fn words_and_random_letters_differ() {
        for text in [
            "my-service-token-v2",
            "getSecretFromVault",
            "projects/acme/keys/3",
            "argon2id",
            "sha256",
            "OPENAI_API_KEY",
            "process.env.API_TOKEN",
            "src/secrets/rules.rs",
            "us-east-1",
            "2fa-backup-codes",
        ] {
            assert!(is_wordlike(SecretValue::new(text)), "{text}");
        }
        for text in [
            "k3Jd9fQ0xLw2",
            "XkPqRtLmWzNv",
            "8f14e45fceea167a",
            "x7Kq-Pz2M-wB9d",
        ] {
            assert!(!is_wordlike(SecretValue::new(text)), "{text}");
        }
    }
}
