//! Armoured private keys: a header, a body of Base64, a footer.

use std::ops::Range;

/// Longest key looked at, in bytes: far above any real one.
const LONGEST: usize = 32 * 1024;
/// Least Base64 in the body: below it, somebody only mentions the header.
const LEAST_BODY: usize = 60;

/// The key whose header begins at `start`: from the header to the footer, or to the end of what
/// looks like its body where the footer is missing.
pub(super) fn find(text: &str, start: usize) -> Option<Range<usize>> {
    let rest = text.get(start..)?;
    let after_dashes = rest.strip_prefix("-----BEGIN ")?;
    let close = after_dashes.find("-----").filter(|close| *close <= 60)?;
    let label = after_dashes.get(..close)?;
    if !label.contains("PRIVATE KEY") {
        return None;
    }
    let body_start = start + "-----BEGIN ".len() + close + "-----".len();
    let mut most = text.len().min(body_start + LONGEST);
    while !text.is_char_boundary(most) {
        most -= 1;
    }
    let body = text.get(body_start..most)?;
    // The footer of another block, a certificate's for one, does not close a header that was only
    // mentioned.
    let footer = body.find("-----END ").filter(|end| {
        let label = body.get(end + "-----END ".len()..).unwrap_or_default();
        label.find("-----").is_none_or(|close| {
            label
                .get(..close)
                .is_some_and(|label| label.contains("KEY"))
        })
    });
    let body_end = match footer {
        Some(end) => end,
        None => body_length(body),
    };
    let base64 = body
        .get(..body_end)?
        .bytes()
        .filter(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='))
        .count();
    if base64 < LEAST_BODY || is_elided(body.get(..body_end)?) {
        return None;
    }
    let end = match footer {
        Some(end) => {
            let tail = body.get(end + "-----END ".len()..)?;
            let close = tail
                .find("-----")
                .filter(|close| *close <= 60)
                .map_or(0, |close| close + "-----".len());
            end + "-----END ".len() + close
        }
        None => body_end,
    };
    Some(start..body_start + end)
}

/// Whether the body is only hinted at.
fn is_elided(body: &str) -> bool {
    body.contains("...") || body.contains('…')
}

/// Bytes of the body of a key without a footer: lines of one length and a shorter last one.
fn body_length(body: &str) -> usize {
    let mut length = 0;
    let mut width = 0;
    for line in body.split_inclusive('\n') {
        let bare = line.trim();
        let is_body = bare
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte));
        // Headers such as `Proc-Type: 4,ENCRYPTED` may come before the body.
        let is_header = width == 0 && bare.contains(": ");
        if !(is_body || is_header) {
            break;
        }
        length += line.len();
        if is_body && !bare.is_empty() {
            if bare.len() < width {
                break;
            }
            width = bare.len();
        }
    }
    let kept = body.get(..length).unwrap_or_default();
    kept.trim_end().len()
}
