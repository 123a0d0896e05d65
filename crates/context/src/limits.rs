//! Every size that a context is held to, for one window.

use crate::thresholds::{Percent, Thresholds};

/// Below this window everything that is counted in tokens shrinks in proportion.
pub const FULL_WINDOW: u64 = 64_000;
/// Below this window memory is one line, and no model extracts it.
pub const MEMORY_WINDOW: u64 = 8_000;

/// What is reserved for the answer, at most.
const RESERVED_OUTPUT: u64 = 20_000;
/// How far before the end of what is available compaction happens by itself.
const COMPACTION_MARGIN: u64 = 13_000;
/// How far before the end no message is taken any more.
const BLOCKING_MARGIN: u64 = 3_000;
/// How far before the end a host warns, unless settings say otherwise.
const WARNING_MARGIN: u64 = 20_000;
/// What may stand of results and what clearing has to save, at most as parts of what a conversation has when the host warns:
/// else, in a window of 64,000 tokens and less, compaction would always come first.
const STANDING_PART: u64 = 2;
const SAVING_PART: u64 = 4;

/// What settings and variables say about sizes.
///
/// ```
/// use memdir_context::{Configured, Limits, Percent};
///
/// let half = Configured { compact_at: Percent::parse("50"), ..Configured::default() };
/// assert_eq!(Limits::new(200_000, 32_000, &half).thresholds.compaction, 90_000);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Configured {
    /// The share of the context at which compaction happens, where that is earlier than without it.
    pub compact_at: Option<Percent>,
    /// How far before the end of what is available a host warns (`compaction.warning_tokens`).
    pub warning_tokens: u64,
    /// How far before the end the warning turns red (`compaction.error_tokens`).
    pub error_tokens: u64,
    /// How long a conversation is when its notes are first written (`notes.init_tokens`).
    pub notes_first: u64,
    /// By how much it has grown when they are brought up to date (`notes.update_tokens`).
    pub notes_growth: u64,
    /// How many tool calls lie between two updates (`notes.tool_calls`).
    pub notes_tool_calls: u64,
}

impl Default for Configured {
    fn default() -> Self {
        Self {
            compact_at: None,
            warning_tokens: WARNING_MARGIN,
            error_tokens: WARNING_MARGIN,
            notes_first: 10_000,
            notes_growth: 5_000,
            notes_tool_calls: 3,
        }
    }
}

/// Every size, in tokens where nothing else is said. Made once for a window, so that no other place knows a number.
///
/// ```
/// use memdir_context::{Configured, Limits};
///
/// let limits = Limits::new(200_000, 32_000, &Configured::default());
/// assert_eq!(limits.available, 180_000);
/// assert_eq!(limits.thresholds.compaction, 167_000);
/// assert_eq!(limits.cleared.standing, 40_000);
/// // A local model has less of everything, so that results are still cleared before compaction is due.
/// let local = Limits::new(32_000, 32_000, &Configured::default());
/// assert_eq!(local.available, 22_000);
/// assert_eq!(local.cleared.standing, 6_000);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The context window of the model.
    pub window: u64,
    /// What of it is kept free for the answer.
    pub reserved_output: u64,
    /// What remains.
    pub available: u64,
    /// When what happens.
    pub thresholds: Thresholds,
    /// Notes of the conversation.
    pub notes: NotesLimits,
    /// Results of tools that are cleared.
    pub cleared: ClearedLimits,
    /// Messages that stay when notes stand in for the rest.
    pub kept: KeptLimits,
    /// What is shown again after compaction.
    pub restored: RestoredLimits,
    /// What stands in place of a conversation.
    pub record: RecordLimits,
    /// After how many failures in a row compaction no longer happens by itself.
    pub failures: u64,
}

/// Sizes of the notes of a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotesLimits {
    /// How long the conversation is when they are first written.
    pub first: u64,
    /// By how much it has grown when they are brought up to date.
    pub growth: u64,
    /// How many tool calls lie between two updates.
    pub tool_calls: u64,
    /// The most of one section.
    pub section: u64,
    /// The most of all sections together.
    pub total: u64,
}

/// Sizes for clearing the results of tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClearedLimits {
    /// How many of the last results always stay.
    pub results: usize,
    /// How much of them still stands afterwards, at most.
    pub standing: u64,
    /// How much clearing has to save, at least.
    pub saving: u64,
}

/// Sizes for the messages that stay when notes stand in for the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeptLimits {
    /// How much they are, at least.
    pub least: u64,
    /// How many of them have text, at least.
    pub messages: usize,
    /// How much they are, at most.
    pub most: u64,
}

/// Sizes for what is shown again after compaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RestoredLimits {
    /// How many files.
    pub files: usize,
    /// The most of one file; also of the to-do list, of the plan, of one skill and of the list of tasks.
    pub file: u64,
    /// The most of all files.
    pub total: u64,
    /// The most of all skills that are in use.
    pub skills: u64,
}

/// Sizes for what stands in place of a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordLimits {
    /// What the user typed.
    pub typed: u64,
    /// The files that were touched.
    pub files: u64,
    /// The commands that failed.
    pub failed: u64,
    /// What a model or the notes say of the rest.
    pub summary: u64,
}

impl RecordLimits {
    /// Each of them, so many per cent of it.
    pub(crate) const fn shrunk(self, percent: u64) -> Self {
        Self {
            typed: self.typed * percent / 100,
            files: self.files * percent / 100,
            failed: self.failed * percent / 100,
            summary: self.summary,
        }
    }
}

/// How memory is sent and kept in a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemoryForm {
    /// The whole index; a model may extract.
    Whole,
    /// One line ([`MemoryPrompt::render_one_line`](crate::MemoryPrompt::render_one_line)) is all that is sent; extraction by
    /// rules.
    OneLine,
}

impl Limits {
    /// The sizes for a window of which a model may use `reserved_output` for its answer.
    #[must_use]
    pub fn new(window: u64, reserved_output: u64, configured: &Configured) -> Self {
        let shrunk = |size: u64| in_proportion(size, window);
        // The most that is reserved shrinks, not what a model asks for: an answer that is short anyway stays whole.
        let reserved_output = reserved_output.min(shrunk(RESERVED_OUTPUT));
        let available = window.saturating_sub(reserved_output);
        let before_end = |margin: u64| available.saturating_sub(shrunk(margin));
        // Not where settings put the warning: that could be anywhere.
        let usual_warning = before_end(WARNING_MARGIN);
        let by_share = configured.compact_at.map_or(u64::MAX, |p| p.of(available));
        Self {
            window,
            reserved_output,
            available,
            thresholds: Thresholds {
                available,
                warning: before_end(configured.warning_tokens),
                error: before_end(configured.error_tokens),
                compaction: before_end(COMPACTION_MARGIN).min(by_share),
                blocking: before_end(BLOCKING_MARGIN),
            },
            notes: NotesLimits {
                first: shrunk(configured.notes_first),
                growth: shrunk(configured.notes_growth),
                tool_calls: configured.notes_tool_calls,
                section: shrunk(2_000),
                total: shrunk(12_000),
            },
            cleared: ClearedLimits {
                results: 3,
                standing: shrunk(40_000).min(usual_warning / STANDING_PART),
                saving: shrunk(20_000).min(usual_warning / SAVING_PART),
            },
            kept: KeptLimits {
                least: shrunk(10_000),
                messages: 5,
                most: shrunk(40_000),
            },
            restored: RestoredLimits {
                files: 5,
                file: shrunk(5_000),
                total: shrunk(50_000),
                skills: shrunk(25_000),
            },
            record: RecordLimits {
                typed: shrunk(10_000),
                files: shrunk(8_000),
                failed: shrunk(4_000),
                summary: shrunk(20_000),
            },
            failures: 3,
        }
    }

    /// How memory is sent and kept.
    #[must_use]
    pub const fn memory(&self) -> MemoryForm {
        match self.window < MEMORY_WINDOW {
            true => MemoryForm::OneLine,
            false => MemoryForm::Whole,
        }
    }
}

/// A size in a window that may be smaller than the one it was made for; rounded down.
fn in_proportion(size: u64, window: u64) -> u64 {
    let share = u128::from(size) * u128::from(window.min(FULL_WINDOW)) / u128::from(FULL_WINDOW);
    u64::try_from(share).unwrap_or(u64::MAX)
}
