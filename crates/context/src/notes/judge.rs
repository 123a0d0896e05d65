//! What becomes of a notes file that somebody wrote: it is taken, mended, or refused.

use std::fmt;

use super::check::Problem;
use super::recover::recover;
use super::{Notes, Template};
use crate::fragment::block;
use crate::limits::NotesLimits;

/// How many times the limit of all sections a file may have; what is longer no longer fits a prompt.
pub(super) const TOO_LONG: u64 = 2;

/// What becomes of a text that was written as notes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It is good as it is.
    Accepted {
        /// The text of the file.
        text: String,
    },
    /// Headings or description lines had to be put back.
    Repaired {
        /// The text of the file.
        text: String,
        /// What was wrong.
        problems: Vec<Problem>,
    },
    /// It cannot be told what was meant: the file stays as it was before.
    Refused(Refusal),
}

/// Why notes are not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// Most of the sections are not to be found.
    Foreign {
        /// How many are.
        found: usize,
        /// Of how many.
        of: usize,
    },
    /// Everything that stood in them is gone.
    Emptied,
    /// They are longer than a prompt could take.
    TooLong {
        /// How many tokens they have.
        tokens: u64,
        /// How many they may have.
        most: u64,
    },
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Foreign { found, of } => {
                write!(out, "only {found} of {of} sections are to be found in it")
            }
            Self::Emptied => out.write_str("everything that stood in the notes is gone"),
            Self::TooLong { tokens, most } => {
                write!(out, "it has {tokens} tokens, and {most} are the most")
            }
        }
    }
}

impl Verdict {
    /// The text that the file is to have; `None` where it stays as it was.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Accepted { text } | Self::Repaired { text, .. } => Some(text),
            Self::Refused(_) => None,
        }
    }
}

/// Judges a text that was written over the notes `before`. What it returns has exactly the sections of the template: those
/// that were renamed, moved, repeated or stripped of their description are put back, and one that is gone has its old
/// content.
///
/// ```
/// use memdir_context::notes::{Template, Verdict, judge};
/// use memdir_context::{Configured, Limits};
///
/// let limits = Limits::new(200_000, 20_000, &Configured::default()).notes;
/// let template = Template::built_in();
/// let before = template.print(&template.bare());
/// let after = before.replace("# Worklog", "## WORKLOG:").replace("_What was done", "- built\n_What was done");
/// let verdict = judge(template, &before, &after, &limits, &|text| text.len() as u64 / 4);
/// let Verdict::Repaired { text, .. } = verdict else { panic!() };
/// assert!(text.contains("\n# Worklog\n_What was done"));
/// ```
#[must_use]
pub fn judge(
    template: &Template,
    before: &str,
    after: &str,
    limits: &NotesLimits,
    count: &dyn Fn(&str) -> u64,
) -> Verdict {
    // Cleaned here, so that the file is what a prompt shows of it: an edit must find its place.
    let after = block(after);
    let old = Notes::read(template, before).unwrap_or_else(|| template.bare());
    let (notes, verdict) = match Notes::parse(template, &after) {
        Ok(notes) => (notes, Verdict::Accepted { text: after }),
        Err(problems) => {
            let recovered = recover(template, &after, &old);
            let (found, of) = (recovered.found, template.sections.len());
            if !recovered.is_most_of(template) {
                return Verdict::Refused(Refusal::Foreign { found, of });
            }
            let verdict = Verdict::Repaired {
                text: template.print(&recovered.notes),
                problems: recovered.named(template, problems),
            };
            (recovered.notes, verdict)
        }
    };
    if notes.is_bare(template) && !old.is_bare(template) {
        return Verdict::Refused(Refusal::Emptied);
    }
    let tokens = verdict.text().map_or(0, count);
    // Who makes notes shorter that are too long already is not held back.
    let most = limits.total.saturating_mul(TOO_LONG).max(count(before));
    if tokens > most {
        return Verdict::Refused(Refusal::TooLong { tokens, most });
    }
    verdict
}
