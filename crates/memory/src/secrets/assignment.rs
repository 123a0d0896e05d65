//! The generic case: a name that means secrecy, an operator, a value that looks random.
//!
//! Written by hand rather than as an expression: words such as "token" and "password" are common
//! in notes, and a note that only talks about them must not pay for compiling anything.

use std::ops::Range;

use super::SecretValue;
use super::column;
use super::placeholder::{is_default_password, is_placeholder};
use super::prose;
use super::randomness::{Classes, entropy_tenths, is_wordlike};
use super::syntax::{Tie, name_around, value_of};

/// Parts of a name that make its value something other than a secret.
const INNOCENT_PARTS: &[&str] = &[
    "arn",
    "bits",
    "cache",
    "checksum",
    "class",
    "column",
    "commit",
    "contract",
    "correlation",
    "count",
    "digest",
    "dir",
    "endpoint",
    "env",
    "expires",
    "expiry",
    "field",
    "file",
    "fingerprint",
    "foreign",
    "format",
    "group",
    "hash",
    "hashed",
    "header",
    "id",
    "idempotency",
    "ids",
    "integrity",
    "kid",
    "label",
    "len",
    "length",
    "limit",
    "manager",
    "map",
    "max",
    "md5",
    "min",
    "name",
    "partition",
    "path",
    "policy",
    "prefix",
    "primary",
    "public",
    "publishable",
    "ref",
    "request",
    "resource",
    "revision",
    "sha",
    "sha1",
    "sha256",
    "sha512",
    "site",
    "size",
    "sort",
    "suffix",
    "tokenize",
    "tokenizer",
    "tokenizers",
    "tokens",
    "trace",
    "ttl",
    "type",
    "uri",
    "url",
    "usage",
    "version",
];

/// The value given to the name whose keyword stands at `keyword`.
pub(super) fn find(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let (name, password) = named(text, keyword)?;
    let short = is_short(text.get(name.clone())?);
    let judged = |(value, tie): (Range<usize>, Tie)| {
        let found = SecretValue::new(text.get(value.clone())?);
        (!(short && tie == Tie::Loose) && is_secret(found, tie, password)).then_some(value)
    };
    value_of(text, &name).and_then(judged).or_else(|| {
        prose::values(text, &name, password && !short)
            .into_iter()
            .find_map(judged)
    })
}

/// The values of the column that the keyword is the title of, in a table or in comma-separated values.
pub(super) fn find_column(text: &str, keyword: Range<usize>) -> Vec<Range<usize>> {
    let Some((name, password)) = named(text, keyword) else {
        return Vec::new();
    };
    let mut cells = column::cells(text, &name);
    cells.retain(|cell| {
        text.get(cell.clone())
            .is_some_and(|cell| is_secret(SecretValue::new(cell), Tie::Direct, password))
    });
    cells
}

/// The name around a keyword, if it is one of a secret, and whether people make such secrets up themselves.
fn named(text: &str, keyword: Range<usize>) -> Option<(Range<usize>, bool)> {
    // `pw:` is too short to be looked for without its operator.
    let found = text.get(keyword.clone())?;
    let found = found.trim_end_matches([':', '=', ' ', '"', '\'']);
    let keyword = keyword.start..keyword.start + found.len();
    let name = name_around(text, &keyword)?;
    let full_name = text.get(name.clone())?;
    // "bypass", "passed" and "compass" are words.
    if is_short(found) && !is_short(full_name) {
        return None;
    }
    let public = is_innocent(full_name) || is_resource_name(text, name.start);
    (!public).then_some((name, is_password(found)))
}

/// Whether a name is `pass` or `pw`, or ends in one of them as a part of its own.
fn is_short(name: &str) -> bool {
    let last = name.rsplit(['_', '-', '.']).next().unwrap_or(name);
    last.eq_ignore_ascii_case("pass") || last.eq_ignore_ascii_case("pw")
}

/// Whether a keyword names something that people make up themselves.
fn is_password(keyword: &str) -> bool {
    !keyword.is_ascii()
        || ["pass", "_pass", "-pass", "pw", "senha"]
            .iter()
            .any(|sign| keyword.to_ascii_lowercase().starts_with(sign))
        || keyword.eq_ignore_ascii_case("mot de passe")
}

/// Whether the text before the keyword is the beginning of a resource name of AWS.
fn is_resource_name(text: &str, at: usize) -> bool {
    const REACH: usize = 120;
    let before = text
        .as_bytes()
        .get(at.saturating_sub(REACH)..at)
        .unwrap_or_default();
    let start = before
        .iter()
        .rposition(u8::is_ascii_whitespace)
        .map_or(0, |place| place + 1);
    before
        .get(start..)
        .unwrap_or_default()
        .windows(4)
        .any(|window| window == b"arn:")
}

/// Whether the name says that its value is public, a measure or a pointer.
pub(super) fn is_innocent(name: &str) -> bool {
    let mut part = String::new();
    let mut parts = Vec::new();
    let mut before = ' ';
    for character in name.chars() {
        let begins = character.is_ascii_uppercase() && before.is_ascii_lowercase();
        if !character.is_ascii_alphanumeric() || begins {
            parts.push(std::mem::take(&mut part));
        }
        if character.is_ascii_alphanumeric() {
            part.push(character.to_ascii_lowercase());
        }
        before = character;
    }
    parts.push(part);
    parts
        .iter()
        .any(|part| INNOCENT_PARTS.binary_search(&part.as_str()).is_ok())
}

/// Whether a value so tied is likely a secret.
fn is_secret(value: SecretValue<'_>, tie: Tie, password: bool) -> bool {
    let text = value.expose();
    if !(8..=600).contains(&text.len()) || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
        return false;
    }
    if is_placeholder(value) || is_default_password(value) || is_expression(text) {
        return false;
    }
    // A UUID is a key where its name says so; in prose it is mostly the id of something.
    if is_uuid(text) {
        return tie != Tie::Loose;
    }
    let classes = Classes::of(value);
    let entropy = entropy_tenths(value);
    let strong_signs = text.bytes().any(|byte| b"!@#$%^&*?~+=".contains(&byte));
    // People make passwords of a word, a number and a sign.
    if password && tie != Tie::Loose && strong_signs && classes.digit > 0 && classes.count() >= 3 {
        return entropy >= 25 && !is_sum(text);
    }
    if is_wordlike(value) {
        return false;
    }
    if classes.digit == 0 && password && tie != Tie::Loose && strong_signs {
        return classes.lower > 1 && classes.upper > 1 && entropy >= 30;
    }
    if classes.digit == 0 {
        // By chance one long value in fifty has no digit.
        return text.len() >= 20 && classes.lower > 4 && classes.upper > 4 && entropy >= 38;
    }
    let hexadecimal = text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if hexadecimal {
        return tie != Tie::Loose && text.len() >= 24 && classes.count() >= 2 && entropy >= 28;
    }
    match (classes.count(), tie) {
        (0..=1, _) => false,
        (2, Tie::Loose) => text.len() >= 16 && classes.digit >= 3 && entropy >= 34,
        (2, _) if password => text.len() >= 9 && classes.digit >= 2 && entropy >= 27,
        (2, Tie::Quoted) => text.len() >= 10 && classes.digit >= 2 && entropy >= 28,
        (2, Tie::Direct) => text.len() >= 12 && classes.digit >= 2 && entropy >= 30,
        (_, Tie::Loose) => text.len() >= 10 && entropy >= 31,
        (_, _) => entropy >= 27,
    }
}

/// Code, paths and addresses.
pub(super) fn is_expression(text: &str) -> bool {
    text.contains("://")
        || text.contains("::")
        || text.contains("->")
        || text.contains(['(', '[', '{'])
        || text.starts_with(['.', '~', '@', '&', '-', '#'])
        || text.strip_prefix('/').is_some_and(|rest| rest.contains('/') || is_wordlike(SecretValue::new(rest)))
        || is_mail_address(text)
        // A short hexadecimal number, a colour, an address in memory or on a chain of blocks.
        || text.strip_prefix("0x").is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()) && (digits.len() < 24 || digits.len() == 40))
        || is_file(text)
        || text.split_once('=').is_some_and(|(name, value)| !value.is_empty() && !value.starts_with('=') && is_wordlike(SecretValue::new(name)))
}

/// `uploads/2026/8f14.png`: folders and a file.
fn is_file(text: &str) -> bool {
    let ending = |file: &str| {
        file.rsplit_once('.').is_some_and(|(_, ending)| {
            (2..=5).contains(&ending.len()) && ending.bytes().all(|byte| byte.is_ascii_lowercase())
        })
    };
    text.split_once('/').is_some_and(|(folder, file)| {
        folder.len() > 2
            && folder
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || b"-_".contains(&byte))
            && ending(file)
    })
}

fn is_mail_address(text: &str) -> bool {
    text.split_once('@').is_some_and(|(user, host)| {
        host.contains('.')
            && is_wordlike(SecretValue::new(user))
            && is_wordlike(SecretValue::new(host))
    })
}

/// `8+characters`, `2+2=4`: arithmetic, not a password.
fn is_sum(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_digit())
        && text
            .bytes()
            .filter(|byte| !byte.is_ascii_alphanumeric())
            .all(|byte| b"+=<>%".contains(&byte))
        && is_wordlike(SecretValue::new(text))
}

/// Eight, four, four, four and twelve hexadecimal digits.
fn is_uuid(text: &str) -> bool {
    let text = text.strip_prefix("urn:uuid:").unwrap_or(text);
    let mut groups = text.split('-');
    [8, 4, 4, 4, 12].iter().all(|length| {
        groups.next().is_some_and(|group| {
            group.len() == *length && group.bytes().all(|byte| byte.is_ascii_hexdigit())
        })
    }) && groups.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::{INNOCENT_PARTS, is_innocent};

    #[test]
    fn innocent_parts_are_sorted() {
        assert!(INNOCENT_PARTS.is_sorted());
    }

    #[test]
    fn names_are_read_by_part() {
        for name in [
            "token_id",
            "passwordHash",
            "secret-name",
            "apiKeyId",
            "public_key",
            "max_tokens",
        ] {
            assert!(is_innocent(name), "{name}");
        }
        for name in [
            "password",
            "apiKey",
            "client_secret",
            "accessToken",
            "provider-token",
        ] {
            assert!(!is_innocent(name), "{name}");
        }
    }
}
