//! Passwords among the fields of a connection: `host=db user=app password=…`,
//! `Server=db;Uid=sa;Pwd=…;`.
//!
//! Beside a host or a user, what `password=` is given is a password, though it may be weak.

use std::ops::Range;

use super::SecretValue;
use super::assignment::is_expression;
use super::placeholder::is_default_password;
use super::randomness::is_wordlike;
use super::syntax::{Tie, name_around, on_boundary, value_of};

/// Fields that stand beside a password.
const FIELDS: &[&str] = &[
    "server",
    "host",
    "hostaddr",
    "hostname",
    "data source",
    "address",
    "addr",
    "dbname",
    "database",
    "initial catalog",
    "user id",
    "uid",
    "user",
    "username",
];

/// The value of the password field whose name stands at `keyword`.
pub(super) fn find(text: &str, keyword: &Range<usize>) -> Option<Range<usize>> {
    let name = name_around(text, keyword).filter(|name| name == keyword)?;
    let behind = text.get(name.end..)?.trim_start_matches(' ');
    if !behind.starts_with('=') || behind.starts_with("==") || !has_field(text, &name) {
        return None;
    }
    let (value, tie) = value_of(text, &name)?;
    let found = text.get(value.clone())?;
    let plain = SecretValue::new(found);
    let marked = found.bytes().any(|byte| !byte.is_ascii_alphabetic());
    let bare_name = tie != Tie::Quoted && found.contains(['.', '_']) && is_wordlike(plain);
    let secret = found.len() >= 4
        && (marked || !is_wordlike(plain))
        && !bare_name
        && !is_default_password(plain)
        && !is_expression(found);
    secret.then_some(value)
}

/// Bytes of the longest field's name.
const LONGEST: usize = 15;

/// Whether another field of a connection stands near a name, on its line.
fn has_field(text: &str, name: &Range<usize>) -> bool {
    const REACH: usize = 160;
    let from = on_boundary(text, name.start.saturating_sub(REACH));
    let to = on_boundary(text, name.end + REACH);
    let before = text.get(from..name.start).unwrap_or_default();
    let after = text.get(name.end..to).unwrap_or_default();
    let before = before.rsplit_once('\n').map_or(before, |(_, last)| last);
    let after = after.split_once('\n').map_or(after, |(first, _)| first);
    [before, after].iter().any(|part| {
        part.match_indices('=').any(|(at, _)| {
            let head = part.get(..at).unwrap_or_default().trim_end();
            let head = head.get(on_boundary(head, head.len().saturating_sub(LONGEST + 1))..);
            let head = head.unwrap_or_default().to_ascii_lowercase();
            FIELDS.iter().any(|field| {
                head.strip_suffix(field)
                    .is_some_and(|rest| !rest.ends_with(|last: char| last.is_ascii_alphanumeric()))
            })
        })
    })
}
