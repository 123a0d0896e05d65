//! Secrets in text: found by format, named by rule, never shown.
//!
//! One pass looks for the keywords of all rules at once. Only where a keyword stands is its rule
//! tried, on the few hundred bytes around it, and only then is the rule's expression
//! compiled: a text without keywords costs one pass and compiles nothing. What matches must then
//! be random enough and must not be a placeholder.
//!
//! Seen through: invisible characters inside a token, full-width letters, backslash line
//! continuations, percent encoding, and one layer of Base64 around a token with a format of its own. Not seen: a secret
//! wrapped over lines without a mark, reversed, encrypted, encoded twice, put together from
//! variables, or a password that is an ordinary word.

mod address;
mod assignment;
mod beside;
mod column;
mod connection;
mod disguise;
mod engine;
mod form;
mod kubernetes;
mod placeholder;
mod prefilter;
mod private_key;
mod prose;
mod randomness;
mod rules;
mod syntax;
mod value;

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

pub use rules::{Class, Rule};
pub use value::SecretValue;

/// A secret found in a text: which rule and where, never what.
#[derive(Clone, PartialEq, Eq)]
pub struct Finding {
    /// The rule that names it.
    pub rule: &'static Rule,
    /// Bytes of the value in the text that was scanned.
    pub range: Range<usize>,
    /// Line on which it begins, from 1.
    pub line: usize,
}

impl Finding {
    /// The value in the text that was scanned, in a wrapper that does not print it.
    #[must_use]
    pub fn value<'a>(&self, text: &'a str) -> SecretValue<'a> {
        SecretValue::new(text.get(self.range.clone()).unwrap_or_default())
    }
}

impl fmt::Debug for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{} at line {}, bytes {:?}",
            self.rule.id, self.line, self.range
        )
    }
}

/// A text whose secrets were replaced by the names of their rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redacted<'a> {
    /// The text; borrowed when it had no secret.
    pub text: Cow<'a, str>,
    /// What was replaced; places are those of the original text.
    pub findings: Vec<Finding>,
}

/// The secrets of a text, in order, each place once and by its most specific rule.
///
/// ```
/// use memdir_memory::secrets::scan;
///
/// let token = format!("ghp_{}", "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6");
/// let findings = scan(&format!("my token\nis {token}"));
/// assert_eq!(findings[0].rule.id, "github-personal-token");
/// assert_eq!(findings[0].line, 2);
/// assert!(!format!("{findings:?}").contains(&token));
///
/// assert!(scan("set OPENAI_API_KEY=sk-... and see <your-key>").is_empty());
/// ```
#[must_use]
pub fn scan(text: &str) -> Vec<Finding> {
    engine::scan(text)
}

/// Whether a text holds no secret.
#[must_use]
pub fn is_clean(text: &str) -> bool {
    scan(text).is_empty()
}

/// The text with each secret replaced by `[redacted: rule-id]`.
///
/// ```
/// use memdir_memory::secrets::redact;
///
/// let password = "q7#Vt2".to_owned() + "!mZ9x";
/// let redacted = redact(&format!("postgres://app:{password}@db.internal/app"))
///     .text
///     .into_owned();
/// assert_eq!(redacted, "postgres://app:[redacted: database-url]@db.internal/app");
/// ```
#[must_use]
pub fn redact(text: &str) -> Redacted<'_> {
    let findings = scan(text);
    if findings.is_empty() {
        return Redacted {
            text: Cow::Borrowed(text),
            findings,
        };
    }
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for finding in &findings {
        out.push_str(text.get(from..finding.range.start).unwrap_or_default());
        out.push_str("[redacted: ");
        out.push_str(finding.rule.id);
        out.push(']');
        from = finding.range.end;
    }
    out.push_str(text.get(from..).unwrap_or_default());
    Redacted {
        text: Cow::Owned(out),
        findings,
    }
}

/// Every rule, in the order in which they are preferred.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    rules::all()
}
