//! Secrets in what was typed: refused or taken out by the name of their rule before anything can repeat them.

use std::borrow::Cow;

use memdir_memory::secrets;

use crate::failure::Failure;
use crate::warning::Warnings;

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

/// A text without its secrets, each replaced by the name of its rule.
pub(crate) fn redact<'a>(what: &str, text: Cow<'a, str>, warnings: &mut Warnings) -> Cow<'a, str> {
    let redacted = secrets::redact(&text);
    if redacted.findings.is_empty() {
        return text;
    }
    let rules: Vec<&str> = redacted
        .findings
        .iter()
        .map(|finding| finding.rule.id)
        .collect();
    warnings.add(format!(
        "secrets in the {what} were replaced (rules: {})",
        rules.join(", ")
    ));
    Cow::Owned(redacted.text.into_owned())
}
