//! What was given to be remembered: read whole, cleaned, and refused where it must not be kept.

use std::borrow::Cow;
use std::io::Read;

use memdir_memory::{hidden, private_spans};
use memdir_store::SecretPolicy;

use crate::failure::Failure;
use crate::secret;
use crate::warning::{Warnings, hidden_removed};

/// The longest text that is taken.
const MAX_TEXT: u64 = 1024 * 1024;

/// The text: the words as they were typed, or standard input for `-`.
pub(super) fn read(words: &[String]) -> Result<String, Failure> {
    let text = match words {
        [dash] if dash == "-" => read_stdin()?,
        words => words.join(" "),
    };
    if u64::try_from(text.len()).is_ok_and(|length| length > MAX_TEXT) {
        return Err(too_long());
    }
    Ok(text)
}

fn read_stdin() -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let read = std::io::stdin()
        .lock()
        .take(MAX_TEXT + 1)
        .read_to_end(&mut bytes);
    read.map_err(|error| Failure::new(format!("could not read standard input: {error}"), ""))?;
    // Before the check for UTF-8, which a text that is cut off might fail.
    if u64::try_from(bytes.len()).is_ok_and(|length| length > MAX_TEXT) {
        return Err(too_long());
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Failure::new(
            format!(
                "standard input is not UTF-8 text: byte {} is the first that is not",
                at + 1
            ),
            "memories are text; convert it first, for instance with `iconv -t utf-8`",
        )
    })
}

fn too_long() -> Failure {
    Failure::new(
        "the text is over 1 MiB long, which is no memory any more",
        "say in a few sentences what is worth keeping, and where the rest is",
    )
}

/// A text that may go into a memory: without hidden characters and private words, in our line ends. A secret is refused or taken out, as
/// the user's settings have it; its value is never repeated.
pub(super) fn admit(
    what: &str,
    given: &str,
    policy: SecretPolicy,
    warnings: &mut Warnings,
) -> Result<String, Failure> {
    if given.contains('\0') {
        return Err(Failure::new(
            format!("the {what} has a NUL character in it; nothing was saved"),
            "memories are text",
        ));
    }
    let lines = given
        .strip_prefix('\u{FEFF}')
        .unwrap_or(given)
        .replace("\r\n", "\n");
    let cleaned = hidden::clean(&lines);
    if cleaned.removed > 0 {
        warnings.add(hidden_removed(cleaned.removed, &format!("the {what}")));
    }
    // Only now: a mark may be hidden from us by characters that nobody sees.
    let open = without_private(&cleaned.text);
    let is_cut = open.is_some();
    if is_cut {
        warnings.add(format!(
            "what is marked <private> was left out of the {what}"
        ));
    }
    let open = open.map_or(cleaned.text, Cow::Owned);
    let clean = match policy {
        SecretPolicy::Refuse => {
            secret::refuse(what, &open)?;
            open
        }
        SecretPolicy::Redact => secret::redact(what, open, warnings),
    };
    let text = clean.trim_start_matches(['\n', '\r']).trim_end();
    if text.trim().is_empty() {
        let why = match is_cut {
            true => "private",
            false => "empty",
        };
        return Err(Failure::usage(format!(
            "there is nothing to remember: the {what} is {why}"
        )));
    }
    Ok(text.to_owned())
}

/// The text without its private spans, if it has any. Of the spaces around a span one stays.
pub(in crate::commands) fn without_private(text: &str) -> Option<String> {
    let spans = private_spans(text);
    let starts = spans.iter().map(|span| span.start);
    let ends = starts.skip(1).chain([text.len()]);
    let mut open = text.get(..spans.first()?.start)?.to_owned();
    for (span, end) in spans.iter().zip(ends) {
        let more = text.get(span.end..end)?;
        let doubled = open.is_empty() || open.ends_with([' ', '\n']);
        open.push_str(more.strip_prefix(' ').filter(|_| doubled).unwrap_or(more));
    }
    Some(open)
}

/// A line that may go into a log.
pub(in crate::commands) fn admit_line(
    given: &str,
    policy: SecretPolicy,
    warnings: &mut Warnings,
) -> Result<String, Failure> {
    admit("line", given, policy, warnings)
}
