//! Secrets in what was typed: refused by the name of their rule before anything can repeat them.

use memdir_memory::secrets;

use crate::failure::Failure;

/// Refuses a text that holds a secret. The value is never shown.
pub(crate) fn refuse(what: &str, text: &str) -> Result<(), Failure> {
    match secrets::scan(text).first() {
        None => Ok(()),
        Some(finding) => Err(Failure::new(
            format!(
                "the {what} was not saved: line {} looks like a secret (rule {}: {})",
                finding.line, finding.rule.id, finding.rule.description
            ),
            "say where the secret is kept instead of what it is; nothing was written",
        )),
    }
}
