//! Halves of surrogate pairs in JSON. JavaScript writes them where it cut a text inside an emoji, and strict readers then
//! refuse the whole document: a hook would answer nothing, and a line of a transcript would be lost.

use memchr::memmem;

/// Replaces each `\uXXXX` that is half of a surrogate pair by `\ufffd`, which is as long: places in the text stay.
pub fn mend_surrogates(json: &mut [u8]) {
    let mut from = 0;
    while let Some(found) = json.get(from..).and_then(|rest| memmem::find(rest, br"\u")) {
        let at = from + found;
        from = at + 2;
        if is_escaped(json, at) {
            continue;
        }
        match (unit(json, at), unit(json, at + 6)) {
            (Some(0xd800..0xdc00), Some(0xdc00..0xe000)) => from = at + 12,
            (Some(0xd800..0xe000), _) => {
                if let Some(place) = json.get_mut(at..at + 6) {
                    place.copy_from_slice(br"\ufffd");
                }
            }
            _ => {}
        }
    }
}

/// Whether the backslash at a place is the second of a pair, which stands for itself.
fn is_escaped(json: &[u8], at: usize) -> bool {
    let before = json.get(..at).unwrap_or_default().iter().rev();
    before.take_while(|byte| **byte == b'\\').count() % 2 == 1
}

/// The code unit of an escape that begins at a place.
fn unit(json: &[u8], at: usize) -> Option<u16> {
    let digits = json.get(at..at + 6)?.strip_prefix(br"\u")?;
    let digits = std::str::from_utf8(digits).ok()?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::mend_surrogates;

    #[test]
    fn only_halves_are_replaced_and_nothing_moves() {
        for (json, wanted) in [
            (r#"{"a":"cut \ud83d"}"#, r#"{"a":"cut \ufffd"}"#),
            (
                r#"{"a":"\udc1d\uD83D\ude00"}"#,
                r#"{"a":"\ufffd\uD83D\ude00"}"#,
            ),
            (
                r#"{"a":"\ud83d\ud83d\ude00"}"#,
                r#"{"a":"\ufffd\ud83d\ude00"}"#,
            ),
            (r#"{"a":"\\ud83d \\\ud83d"}"#, r#"{"a":"\\ud83d \\\ufffd"}"#),
            (r#"{"a":"\u00e4 \u12"}"#, r#"{"a":"\u00e4 \u12"}"#),
            (r#"{"a":"\ud83"#, r#"{"a":"\ud83"#),
        ] {
            let mut bytes = json.as_bytes().to_vec();
            mend_surrogates(&mut bytes);
            assert_eq!(String::from_utf8(bytes).unwrap(), wanted);
        }
    }
}
