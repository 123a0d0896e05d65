//! The message that stands in for what compaction took out.

use memdir_conversation::tokens::Estimate;

use super::fence::clean;
use super::record::Record;
use crate::cut::cut;
use crate::fragment::inline;
use crate::limits::RecordLimits;

/// How it begins. No other client's summary does, so that fences below it are known to be ours.
const BEGINNING: &str = "[From memdir, in place of the conversation so far";
/// Whoever wanted it, the window or the user.
const OPENING: &str = "\
[From memdir, in place of the conversation so far, which is told here in summary. The messages below this one are as they \
were said.]";

/// What is said of a summary that had to be cut.
const CUT: &str = "> Cut here: the rest was too long.";

/// By how much the record shrinks at a time where even it has no room.
const SHARES: [u64; 5] = [100, 50, 25, 12, 6];

/// What a summary is made of.
#[derive(Clone, Copy)]
pub(super) struct Summary<'a> {
    /// What its first part is called.
    pub(super) title: &'static str,
    /// What the notes or a model say.
    pub(super) body: &'a str,
    /// What is repeated word for word.
    pub(super) record: &'a Record,
    /// Where the whole conversation is.
    pub(super) transcript: Option<&'a str>,
}

/// Whether a summary was made here.
pub(super) fn is_ours(text: &str) -> bool {
    text.starts_with(BEGINNING)
}

impl Summary<'_> {
    /// The text, each part within its own limit.
    pub(super) fn text(&self, weights: &dyn Estimate, limits: RecordLimits) -> String {
        let record = self.record.render(weights, limits);
        self.with(weights, limits.summary, &record)
    }

    /// The text within so many tokens: first what was said of the conversation gives way, then the record.
    pub(super) fn within(&self, weights: &dyn Estimate, limits: RecordLimits, room: u64) -> String {
        let records = SHARES
            .iter()
            .map(|share| self.record.render(weights, limits.shrunk(*share)));
        for record in records.chain([String::new()]) {
            let bare = weights.text(&self.with(weights, 0, &record));
            let mut left = room.saturating_sub(bare).min(limits.summary);
            if bare > room {
                continue;
            }
            // Parts may count for a little more together than each for itself.
            loop {
                let text = self.with(weights, left, &record);
                let weight = weights.text(&text);
                if weight <= room {
                    return text;
                }
                left = left.saturating_sub(weight - room);
            }
        }
        self.frame()
    }

    /// The least that it can be.
    pub(super) fn frame(&self) -> String {
        self.joined("", "")
    }

    fn with(&self, weights: &dyn Estimate, body_room: u64, record: &str) -> String {
        let body = clean(self.body.trim());
        let shown = cut(&body, body_room, &|text| weights.text(text), &|_, _| {
            CUT.to_owned()
        });
        let body = shown.map_or(body, |cut| cut.text);
        self.joined(&body, record)
    }

    fn joined(&self, body: &str, record: &str) -> String {
        let mut parts = vec![OPENING.to_owned()];
        if !body.is_empty() {
            parts.push(format!("# {}\n\n{body}", self.title));
        }
        if !record.is_empty() {
            parts.push(record.trim_end().to_owned());
        }
        if let Some(transcript) = self.transcript {
            parts.push(format!(
                "# Transcript\n\nAll that was said is in `{}`. It is long: search it for narrow terms where an exact \
                 detail is missing here.",
                inline(transcript)
            ));
        }
        parts.join("\n\n") + "\n"
    }
}
