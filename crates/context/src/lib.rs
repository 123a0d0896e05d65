//! What the model sees: memory prompt, sections, reminders.
//!
//! Pure: no files, no clock. What comes from disk is handed in as text, the date as a value; the same values give the
//! same bytes. Everything that enters a prompt here is a bounded fragment, cleaned of hidden text, in which no text
//! can open or close a reminder.

mod fragment;
mod prompt;
mod reminder;
mod sections;
mod templates;

pub use prompt::{
    Audience, GUIDELINES_BYTES, HOOK_CHARACTERS, HOOK_TOTAL_CHARACTERS, IndexPart, MEMORY_TOOLS,
    MemoryPrompt, PastContext, scratchpad, tools_with_memory,
};
pub use reminder::{Reminder, escaped};
pub use sections::{Kind, Refresh, Renewal, SECTION_BYTES, SectionName, Sections, Turn};
pub use templates::PromptError;
