//! What looks like a secret and stands for one: examples, variables, ellipses.

use super::SecretValue;

/// Words that say "put yours here". A random value holds one of them by chance about once in a
/// hundred thousand times.
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
    "xxxx",
    "....",
    "****",
    "____",
    "----",
    "1234567",
    "abcdefg",
    "fake-",
    "fake_",
    "notreal",
    "not-real",
    "not_real",
    "goeshere",
    "goes-here",
    "goes_here",
    "deadbeef",
    "foobar",
    "lorem",
    "todo",
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
        || is_variable(text)
        || WELL_KNOWN.iter().any(|known| text.contains(known))
        || TEMPLATES.iter().any(|sign| lower.contains(sign))
        || WORDS.iter().any(|word| holds_word(text, &lower, word))
        || has_long_run(text)
}

/// Whether a value holds a word written as people write: in one case, or with a capital.
fn holds_word(text: &str, lower: &str, word: &str) -> bool {
    lower.match_indices(word).any(|(start, _)| {
        let written = text.get(start..start + word.len()).unwrap_or_default();
        let tail = written.get(1..).unwrap_or_default();
        tail.bytes().all(|byte| !byte.is_ascii_uppercase())
            || written.bytes().all(|byte| !byte.is_ascii_lowercase())
    })
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

/// Six or more of one character, or eight or more in the order of the alphabet or the digits.
fn has_long_run(text: &str) -> bool {
    let (mut same, mut ascending) = (1, 1);
    text.as_bytes().windows(2).any(|pair| {
        let [a, b] = pair else { return false };
        same = if a == b { same + 1 } else { 1 };
        ascending = if a.checked_add(1) == Some(*b) && a.is_ascii_alphanumeric() {
            ascending + 1
        } else {
            1
        };
        same >= 6 || ascending >= 8
    })
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
