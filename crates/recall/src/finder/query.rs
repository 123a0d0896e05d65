//! Questions of any length.

use std::borrow::Cow;

/// So much of a question is looked at. Who pastes a log asks before or after it.
pub const MAX_QUERY_BYTES: usize = 4_096;

/// The beginning and the end of a question that is too long.
pub(super) fn capped(query: &str) -> Cow<'_, str> {
    if query.len() <= MAX_QUERY_BYTES {
        return Cow::Borrowed(query);
    }
    let half = MAX_QUERY_BYTES / 2;
    let first = query.get(..query.floor_char_boundary(half));
    let last = query.get(query.ceil_char_boundary(query.len() - half)..);
    Cow::Owned([first.unwrap_or_default(), "\n", last.unwrap_or_default()].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_long_question_both_ends_are_kept() {
        assert_eq!(capped("short"), "short");
        let long = format!("why {} friday", "é".repeat(500_000));
        let kept = capped(&long);
        assert!(kept.len() <= MAX_QUERY_BYTES + 1);
        assert!(kept.starts_with("why ") && kept.ends_with(" friday"));
    }
}
