//! A bare value beside the name of its service: `heroku_api_key = …`, "the Heroku token is …".
//!
//! Such a value has no sign of its own, so three things must come together: the service's name, a
//! word that means secrecy, and the form that the service gives its tokens.

use std::ops::Range;

use super::SecretValue;
use super::assignment::is_innocent;
use super::form::fits;
use super::randomness::is_wordlike;
use super::syntax::{Tie, name_around, value_of};

/// Words of which one must stand between a service's name and the value.
const SECRECY: &[&str] = &[
    "token", "key", "secret", "passw", "pwd", "auth", "cred", "login", "bearer", "access",
    "license", "licence", "_pat", "-pat", ".pat", " pat ", " pat:", "_pass", "-pass", ".pass",
    "__com",
];

/// The value that has one of the forms and is given to a name around `keyword`.
pub(super) fn find(text: &str, keyword: &Range<usize>, forms: &[&str]) -> Option<Range<usize>> {
    let name = name_around(text, keyword)?;
    let (value, tie) = value_of(text, &name)?;
    let found = text.get(value.clone())?;
    if !forms.iter().any(|form| fits(form, found)) {
        return None;
    }
    // By chance one short value in fifty looks like a word with a number.
    let numbered = tie != Tie::Loose && found.bytes().any(|byte| byte.is_ascii_digit());
    if !numbered && is_wordlike(SecretValue::new(found)) {
        return None;
    }
    let said = text.get(name.start..value.start)?.to_ascii_lowercase();
    let secret = SECRECY.iter().any(|word| said.contains(word));
    (secret && !is_innocent(text.get(name.start..value.start)?)).then_some(value)
}
