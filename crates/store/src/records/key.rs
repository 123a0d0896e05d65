//! Keys as file names: any text becomes one safe name, and two keys never the same.

use std::fmt::Write;

/// The end of a record's file name.
pub(super) const SUFFIX: &str = ".json";
/// Longer names are cut and told apart by a hash; with the marks of a damaged record they still
/// have to fit into 255 bytes.
const MAX_NAME: usize = 180;
const KEPT: usize = 100;

/// A key that cannot be one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a record needs a key")]
pub struct KeyProblem;

/// The file name of a key. Letters, digits, `-`, `_` and inner dots stand for themselves, every other
/// byte is written as `%` and two digits.
pub(super) fn file_name(key: &str) -> Result<String, KeyProblem> {
    if key.is_empty() {
        return Err(KeyProblem);
    }
    let mut name = String::with_capacity(key.len() + SUFFIX.len());
    for (place, byte) in key.bytes().enumerate() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_') || byte == b'.' && place > 0
        {
            name.push(char::from(byte));
        } else {
            // Writing to a string does not fail.
            let _ = write!(name, "%{byte:02x}");
        }
    }
    if name.len() > MAX_NAME {
        name.truncate(KEPT);
        // After a `%` always come two digits: with a second `%` no other key has this name.
        name.push_str("%%");
        name.push_str(&blake3::hash(key.as_bytes()).to_hex());
    }
    name.push_str(SUFFIX);
    Ok(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn keys_as_file_names() {
        for (key, expected) in [
            ("session-7", "session-7.json"),
            ("a/b", "a%2fb.json"),
            ("..", "%2e..json"),
            (".hidden", "%2ehidden.json"),
            ("100%", "100%25.json"),
            ("é", "%c3%a9.json"),
            ("a\0b", "a%00b.json"),
        ] {
            assert_eq!(file_name(key).unwrap(), expected, "{key:?}");
        }
        assert_eq!(file_name(""), Err(KeyProblem));
        let long = file_name(&"/".repeat(1000)).unwrap();
        assert!(long.len() < 200 && long.starts_with("%2f%2f"), "{long}");
    }

    proptest! {
        #[test]
        fn a_name_is_one_component_and_belongs_to_one_key(one in "\\PC{1,120}", other in "\\PC{1,120}") {
            let names = (file_name(&one).unwrap(), file_name(&other).unwrap());
            prop_assert_eq!(one == other, names.0 == names.1);
            prop_assert!(names.0.len() < 200 && !names.0.contains('/') && !names.0.starts_with('.'));
        }
    }
}
