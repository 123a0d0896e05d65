//! The gate before the disk: new lines are searched for secrets and hidden text. Lines that were there already pass.

use std::borrow::Cow;
use std::collections::HashSet;
use std::path::PathBuf;

use memdir_memory::{MemoryPath, hidden, private_spans, secrets};

use crate::error::{Error, Result};

/// What to do about a secret in private memory. In team memory it is always refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SecretPolicy {
    /// The write fails and names the rule.
    #[default]
    Refuse,
    /// The value is replaced by the rule's name.
    Redact,
}

/// Something that was altered on the way to the disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// Invisible characters were removed.
    HiddenRemoved {
        /// From which file.
        path: MemoryPath,
        /// How many.
        count: usize,
    },
    /// An index was larger than any memory may be. It was moved aside, and the part that counts stayed.
    SetAside {
        /// Which index.
        path: MemoryPath,
        /// Its size.
        bytes: u64,
        /// Where it is now.
        kept: PathBuf,
    },
    /// Secrets were replaced.
    Redacted {
        /// In which file.
        path: MemoryPath,
        /// By which rules.
        rules: Vec<&'static str>,
    },
}

/// How strict the gate is for one operation.
pub(crate) struct Gate {
    pub(crate) secrets: SecretPolicy,
    /// Restoring what was there before passes unlooked at.
    pub(crate) open: bool,
}

impl Gate {
    /// Lets a content pass, cleaned, or refuses it.
    pub(crate) fn admit(
        &self,
        path: &MemoryPath,
        old: Option<&[u8]>,
        new: Vec<u8>,
        notices: &mut Vec<Notice>,
    ) -> Result<Vec<u8>> {
        if self.open || old == Some(new.as_slice()) {
            return Ok(new);
        }
        if old.is_none()
            && let Some(finding) = secrets::scan(path.as_str()).first()
        {
            let (rule, description) = (finding.rule.id, finding.rule.description);
            return Err(Error::SecretName { rule, description });
        }
        let content = clean(path, old, new, notices);
        let text = String::from_utf8_lossy(&content);
        let known: HashSet<&[u8]> = lines(old).collect();
        let mut findings = secrets::scan(&text);
        findings.retain(|finding| !is_known(&text, finding, &known));
        let Some(first) = findings.first() else {
            return Ok(content);
        };
        let team = path.as_str().starts_with("team/");
        if team || self.secrets == SecretPolicy::Refuse || matches!(text, Cow::Owned(_)) {
            return Err(Error::Secret {
                path: path.clone(),
                line: first.line,
                rule: first.rule.id,
                description: first.rule.description,
            });
        }
        let rules = findings.iter().map(|finding| finding.rule.id).collect();
        let mut redacted = text.into_owned();
        for finding in findings.iter().rev() {
            redacted.replace_range(
                finding.range.clone(),
                &format!("[redacted: {}]", finding.rule.id),
            );
        }
        notices.push(Notice::Redacted {
            path: path.clone(),
            rules,
        });
        Ok(redacted.into_bytes())
    }
}

/// What the gate has to say against a text that somebody else is about to write. It prints as what whoever wrote it can act
/// on; a secret's value is not in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Objection {
    /// There is a secret in a new line.
    Secret {
        /// Which line.
        line: usize,
        /// The rule's name.
        rule: &'static str,
        /// What the rule is about.
        description: &'static str,
    },
    /// Words in new lines are marked as private.
    Private,
    /// There are hidden characters in new lines.
    Hidden {
        /// How many, and of which kinds.
        notice: String,
    },
}

impl std::fmt::Display for Objection {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Secret {
                line,
                rule,
                description,
            } => write!(to, "line {line} holds a secret ({rule}: {description})"),
            Self::Private => to.write_str("there are words in it that are marked <private>"),
            Self::Hidden { notice } => write!(to, "there is invisible text in it ({notice})"),
        }
    }
}

/// What speaks against a new content of a file. Lines that were there before pass, as they do on our own way to the disk.
#[must_use]
pub fn objections(old: Option<&[u8]>, new: &str) -> Vec<Objection> {
    let known: HashSet<&[u8]> = lines(old).collect();
    let is_new = |line: &&str| !known.contains(line.as_bytes());
    let mut found: Vec<Objection> = secrets::scan(new)
        .iter()
        .filter(|finding| !is_known(new, finding, &known))
        .map(|finding| Objection::Secret {
            line: finding.line,
            rule: finding.rule.id,
            description: finding.rule.description,
        })
        .collect();
    let before = String::from_utf8_lossy(old.unwrap_or_default());
    let seen = hidden::clean(new).text;
    let mut spans = private_spans(&seen).into_iter();
    if spans.any(|span| seen.get(span).is_none_or(|span| !before.contains(span))) {
        found.push(Objection::Private);
    }
    if !hidden::find(new).is_empty() {
        let fresh: String = new.split_inclusive('\n').filter(is_new).collect();
        let notice = hidden::clean(&fresh).notice();
        found.extend(notice.map(|notice| Objection::Hidden { notice }));
    }
    found
}

fn lines(content: Option<&[u8]>) -> impl Iterator<Item = &[u8]> {
    content
        .unwrap_or_default()
        .split_inclusive(|byte| *byte == b'\n')
}

/// Whether a finding lies in lines that were there before.
fn is_known(text: &str, finding: &secrets::Finding, known: &HashSet<&[u8]>) -> bool {
    let mut offset = 0;
    text.split_inclusive('\n').all(|line| {
        let range = offset..offset + line.len();
        offset = range.end;
        let touched = finding.range.start < range.end && range.start < finding.range.end;
        !touched || known.contains(line.as_bytes())
    })
}

/// Removes hidden text from new lines; lines that were there keep their bytes.
fn clean(
    path: &MemoryPath,
    old: Option<&[u8]>,
    new: Vec<u8>,
    notices: &mut Vec<Notice>,
) -> Vec<u8> {
    let Ok(text) = std::str::from_utf8(&new) else {
        return new;
    };
    if text.is_ascii()
        && !text
            .bytes()
            .any(|byte| byte.is_ascii_control() && !byte.is_ascii_whitespace())
    {
        return new;
    }
    if hidden::find(text).is_empty() {
        return new;
    }
    let known: HashSet<&[u8]> = lines(old).collect();
    let mut count = 0;
    let mut cleaned = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if known.contains(line.as_bytes()) {
            cleaned.push_str(line);
        } else {
            let clean = hidden::clean(line);
            count += clean.removed;
            cleaned.push_str(&clean.text);
        }
    }
    if count > 0 {
        notices.push(Notice::HiddenRemoved {
            path: path.clone(),
            count,
        });
    }
    cleaned.into_bytes()
}
