//! What looks like a secret and stands for one: examples, variables, ellipses.

use std::ops::Range;

use super::SecretValue;
use super::randomness::is_wordlike;

/// Words that say "put yours here". A random value holds one of them by chance about once in ten
/// million times.
const WORDS: &[&str] = &[
    "example",
    "placeholder",
    "changeme",
    "change-me",
    "change_me",
    "redacted",
    "dummy",
    "sample",
    "your-",
    "your_",
    "yourkey",
    "yourtoken",
    "yoursecret",
    "yourapi",
    "insert",
    "replace",
    "fake-",
    "fake_",
    "notreal",
    "not-real",
    "not_real",
    "goeshere",
    "goes-here",
    "goes_here",
    "foobar",
    "secrethere",
    "mytoken",
    "my-token",
    "my_token",
    "mysecret",
    "my-secret",
    "my_secret",
    "mypassword",
    "my_password",
    "my-password",
    "mykey",
];

/// What fills a place: it makes a placeholder of a value unless enough else is left.
const FILLERS: &[&str] = &[
    "xxxx", "....", "****", "____", "----", "1234567", "abcdefg", "deadbeef", "cafebabe", "todo",
    "lorem",
];

/// Signs of a variable or a template in place of a value.
const TEMPLATES: &[&str] = &[
    "${",
    "$(",
    "{{",
    "}}",
    "<%",
    "%>",
    "process.env",
    "os.environ",
    "getenv",
    "env.",
    "secrets.",
    "vault:",
    "op://",
    "ref+",
    "!ref",
    "[redacted",
];

/// The payload of the token that every JWT page shows.
const WELL_KNOWN: &[&str] = &["eyJzdWIiOiIxMjM0NTY3ODkwI"];

/// Whether a value stands for a secret instead of being one.
pub(super) fn is_placeholder(value: SecretValue<'_>) -> bool {
    let text = value.expose();
    let lower = text.to_ascii_lowercase();
    text.contains(['…', '•', '●'])
        || text.starts_with(['<', '[', '{'])
        || is_variable(text.trim_end_matches(['.', ',', ';', ':', ')', '!', '?']))
        || WELL_KNOWN.iter().any(|known| text.contains(known))
        || TEMPLATES.iter().any(|sign| lower.contains(sign))
        || WORDS.iter().any(|word| holds_word(text, &lower, word))
        || is_filled(text, &lower)
}

/// Whether a value is made of fillers and runs, and what is left without them is no secret: a real
/// token may hold `AAAAAAAAAA` or, by chance, `todo`.
fn is_filled(text: &str, lower: &str) -> bool {
    const ENOUGH: usize = 16;
    let mut filler = vec![false; text.len()];
    let mut fill = |range: Range<usize>| {
        filler.get_mut(range).unwrap_or_default().fill(true);
    };
    for word in FILLERS {
        for (start, _) in lower.match_indices(word) {
            if is_written(text, start, word) {
                fill(start..start + word.len());
            }
        }
    }
    runs(text.as_bytes(), fill);
    if !filler.contains(&true) {
        return false;
    }
    let left: Vec<u8> = text
        .bytes()
        .zip(&filler)
        .filter_map(|(byte, filler)| (!filler).then_some(byte))
        .collect();
    // What separates the parts of a token, and its prefix, say nothing.
    let telling = left
        .iter()
        .filter(|byte| byte.is_ascii_alphanumeric())
        .count();
    let left = String::from_utf8_lossy(&left);
    let mut seen = [false; 256];
    for byte in left.bytes() {
        if let Some(seen) = seen.get_mut(usize::from(byte)) {
            *seen = true;
        }
    }
    let different = seen.iter().filter(|seen| **seen).count();
    telling < ENOUGH || different < 9 || is_wordlike(SecretValue::new(&left))
}

/// Whether a value holds a word written as people write: in one case, or with a capital.
fn holds_word(text: &str, lower: &str, word: &str) -> bool {
    lower
        .match_indices(word)
        .any(|(start, _)| is_written(text, start, word))
}

fn is_written(text: &str, start: usize, word: &str) -> bool {
    let written = text.get(start..start + word.len()).unwrap_or_default();
    let tail = written.get(1..).unwrap_or_default();
    tail.bytes().all(|byte| !byte.is_ascii_uppercase())
        || written.bytes().all(|byte| !byte.is_ascii_lowercase())
}

/// `$NAME` and `%NAME%`.
fn is_variable(text: &str) -> bool {
    let name = text.strip_prefix('$').or_else(|| {
        text.strip_prefix('%')
            .and_then(|rest| rest.strip_suffix('%'))
    });
    name.is_some_and(|name| {
        !name.is_empty()
            && !name.starts_with(|first: char| first.is_ascii_digit())
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            && (name.bytes().all(|byte| !byte.is_ascii_lowercase())
                || name.bytes().all(|byte| !byte.is_ascii_uppercase()))
    })
}

/// Names each run: six or more of one character, or eight or more in the order of the alphabet or
/// the digits.
fn runs(bytes: &[u8], mut each: impl FnMut(Range<usize>)) {
    let (mut same, mut ascending) = (0, 0);
    for (at, byte) in bytes.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|before| bytes.get(before));
        if before != Some(byte) {
            same = at;
        }
        if before.and_then(|before| before.checked_add(1)) != Some(*byte)
            || !byte.is_ascii_alphanumeric()
        {
            ascending = at;
        }
        if at - same >= 5 {
            each(same..at + 1);
        }
        if at - ascending >= 7 {
            each(ascending..at + 1);
        }
    }
}

/// Whether a password is one of the defaults that tutorials and local databases use.
pub(super) fn is_default_password(value: SecretValue<'_>) -> bool {
    const DEFAULTS: &[&str] = &[
        "admin",
        "changeme",
        "db",
        "default",
        "demo",
        "dev",
        "development",
        "example",
        "guest",
        "local",
        "localhost",
        "minioadmin",
        "mongo",
        "mysql",
        "none",
        "null",
        "pass",
        "passwd",
        "password",
        "postgres",
        "pw",
        "pwd",
        "rabbitmq",
        "redis",
        "root",
        "secret",
        "test",
        "testing",
        "token",
        "user",
        "username",
    ];
    let lower = value.expose().to_ascii_lowercase();
    DEFAULTS
        .binary_search(&lower.trim_end_matches(|last: char| last.is_ascii_digit()))
        .is_ok()
}

#[cfg(test)]
mod tests {
    use super::{SecretValue, is_default_password, is_placeholder};

    #[test]
    fn placeholders() {
        for text in [
            "AKIAIOSFODNN7EXAMPLE",
            "sk-xxxxxxxxxxxxxxxxxxxx",
            "<your-key>",
            "${API_KEY}",
            "$API_KEY",
            "%TOKEN%",
            "process.env.KEY",
            "{{ key }}",
            "sk-abcdefghijklmnop",
            "sk-0000000000000000",
            "sk-…",
            "ghp_12345678901234567890",
        ] {
            assert!(is_placeholder(SecretValue::new(text)), "{text}");
        }
        for text in ["q7Vt2mZ9xLw4", "$2Kd9sW1x", "aB3dE6gH9jK2mN5p"] {
            assert!(!is_placeholder(SecretValue::new(text)), "{text}");
        }
    }

    #[test]
    fn default_passwords() {
        assert!(is_default_password(SecretValue::new("postgres")));
        assert!(is_default_password(SecretValue::new("Root123")));
        assert!(!is_default_password(SecretValue::new("hunter2x")));
    }
}
