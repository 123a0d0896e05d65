//! What the model sees: instruction files, memory prompt, sections, reminders, and how much of it there may be.
//!
//! Pure: no files, no clock. What comes from disk is asked for and fed, the date is a value; the same values give the
//! same bytes. Everything that enters a prompt here is a bounded fragment, cleaned of hidden text, in which no text
//! can open or close a reminder.

pub mod compaction;
mod cut;
mod dream;
mod extraction;
mod fragment;
mod hook;
pub mod instructions;
mod limits;
pub mod notes;
mod prompt;
mod reminder;
pub mod restore;
mod sections;
mod switches;
mod templates;
mod thresholds;

pub use dream::DreamPrompt;
pub use extraction::{ExtractionPrompt, selector_prompt};
pub use hook::{hook_after_compaction, hook_beside, hook_to_keep};
pub use limits::{
    ClearedLimits, Configured, FULL_WINDOW, KeptLimits, Limits, MEMORY_WINDOW, MemoryForm,
    NotesLimits, RecordLimits, RestoredLimits,
};
pub use memdir_memory::escaped;
pub use prompt::{
    Audience, GUIDELINES_BYTES, HOOK_CHARACTERS, HOOK_TOTAL_CHARACTERS, IndexPart, MEMORY_TOOLS,
    MemoryPrompt, PastContext, Style, scratchpad, tools_with_memory,
};
pub use reminder::Reminder;
pub use sections::{
    Kind, Refresh, Renewal, SECTION_BYTES, SavedSections, SectionName, Sections, Turn,
};
pub use switches::{Compaction, CompactionSwitches, Switch, Trigger};
pub use templates::PromptError;
pub use thresholds::{Automatic, Percent, Standing, State, Thresholds};
