//! Whether a result may be applied by itself: it loses few memories, every one that is kept keeps its origin, and the index
//! fits.

use std::fmt;

use memdir_memory::index::load;
use memdir_memory::{INDEX_NAME, MemoryPath, Source, Topic};

use super::draft::{Draft, Snapshot, is_retained, merged_names, terms_of};

/// What in a header tells where a memory came from.
const ORIGIN: [&str; 3] = ["originSessionId", "message", "evidence"];

/// Why a result waits for the user instead of being applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Because {
    /// The user wants to be asked.
    Asked,
    /// Too many memories would be lost.
    Loss {
        /// So many.
        lost: usize,
        /// Of so many.
        of: usize,
        /// So many of a hundred may be.
        most: u64,
    },
    /// A memory would no longer say where it came from.
    Origin(MemoryPath),
    /// The index would be longer than what is loaded of it.
    Index(String),
    /// The run did not come to its end.
    Unfinished(String),
    /// Somebody changed a memory meanwhile.
    Changed(MemoryPath),
}

impl fmt::Display for Because {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Asked => to.write_str("you want to be asked (dream.mode is ask)"),
            Self::Loss { lost, of, most } => write!(
                to,
                "{lost} of {of} memories would be lost, and at most {most} of 100 may be (dream.max_loss)"
            ),
            Self::Origin(path) => write!(to, "{path} would no longer say where it came from"),
            Self::Index(why) => write!(to, "the index would be too long: {why}"),
            Self::Unfinished(how) => write!(to, "the run did not come to its end: {how}"),
            Self::Changed(path) => write!(to, "{path} was changed meanwhile"),
        }
    }
}

/// What is found out about a result.
#[derive(Debug, Default)]
pub(super) struct Judgement {
    /// Memories that are neither there any more nor named by one that says what they said.
    pub(super) lost: Vec<MemoryPath>,
    pub(super) because: Vec<Because>,
}

/// Looks at a result.
pub(super) fn judge(before: &Snapshot, after: &Draft, max_loss: u64) -> Judgement {
    let mut judgement = Judgement::default();
    let mut of = 0;
    for (path, found) in before.topics() {
        of += 1;
        match after.survivor(path) {
            Some(kept) if says(path, &found.bytes, kept, after) => {
                if !keeps_origin(path, &found.bytes, kept, after) {
                    judgement.because.push(Because::Origin(kept.clone()));
                }
            }
            _ => judgement.lost.push(path.clone()),
        }
    }
    let lost = judgement.lost.len();
    if lost as u64 * 100 > of as u64 * max_loss {
        let loss = Because::Loss {
            lost,
            of,
            most: max_loss,
        };
        judgement.because.insert(0, loss);
    }
    let index = MemoryPath::new(INDEX_NAME).ok();
    let index = index.and_then(|index| after.files.get(&index));
    if let Some(warning) = index.and_then(|index| load(&index.text).warning) {
        judgement.because.push(Because::Index(warning));
    }
    judgement
}

/// Whether what a memory said is said by the one that is left of it, and that one names it.
fn says(path: &MemoryPath, before: &[u8], kept: &MemoryPath, after: &Draft) -> bool {
    let Some(item) = after.files.get(kept) else {
        return false;
    };
    if item.text == before {
        return true;
    }
    let named = || merged_names(&Topic::parse(&item.text)).contains(&path.to_string());
    (kept == path || named()) && is_retained(before, &terms_of(&item.text))
}

/// Whether a memory's origin is still told: by itself unchanged but for less trust, by the one that it was merged into with
/// no more trust than it had.
fn keeps_origin(path: &MemoryPath, before: &[u8], kept: &MemoryPath, after: &Draft) -> bool {
    let Some(item) = after.files.get(kept) else {
        return false;
    };
    let (old, new) = (Topic::parse(before), Topic::parse(&item.text));
    let rank = |source: Option<Source>| {
        let source = source.unwrap_or(Source::Agent);
        Source::ALL.iter().position(|known| *known == source)
    };
    let trusted = rank(new.header().source) < rank(old.header().source);
    let same = || {
        ORIGIN
            .iter()
            .all(|key| old.metadata(key) == new.metadata(key))
    };
    !trusted && (kept != path || same())
}
