//! A value that is handled but never shown.

use std::fmt;

/// A piece of text that may be a secret: it can be looked at by code, and no formatter prints it.
///
/// ```
/// use memdir_memory::secrets::SecretValue;
///
/// let value = SecretValue::new("a password");
/// assert_eq!(format!("{value} {value:?}"), "[secret] [secret]");
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SecretValue<'a>(&'a str);

impl<'a> SecretValue<'a> {
    /// Wraps a text.
    #[must_use]
    pub const fn new(text: &'a str) -> Self {
        Self(text)
    }

    /// The text itself, for code that compares or measures it. Never pass it to a formatter.
    #[must_use]
    pub const fn expose(self) -> &'a str {
        self.0
    }
}

impl fmt::Debug for SecretValue<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("[secret]")
    }
}

impl fmt::Display for SecretValue<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("[secret]")
    }
}
