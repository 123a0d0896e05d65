//! Reasons in words.

use std::fmt;

use crate::Reason;

impl fmt::Display for Reason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Word(word) => out.write_str(word),
            Reason::Near(asked, has) => write!(out, "{has} (near {asked})"),
        }
    }
}
