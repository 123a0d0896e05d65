//! How a long conversation stays within its window.
//!
//! Three ways, the cheapest first: old results of tools are cleared ([`micro`]), the notes of the conversation stand in
//! for it ([`with_notes`]), a model's summary does ([`summed_up`]). [`make_room`] goes through them. None changes a
//! message; they say what is sent in its place. What the user typed, which files were touched and which commands failed
//! stands in every summary word for word ([`Record`]), whatever notes or model have to say.

mod artefacts;
mod budget;
mod economy;
mod event;
mod fade;
mod fence;
mod full;
mod kept;
mod micro;
mod notes;
mod order;
mod provider;
mod record;
mod reread;
mod rounds;
mod saved;
mod situation;
mod summary;
mod tools;
mod typed;
mod weight;

pub use artefacts::{FailedCommand, Touch, TouchedFile, touched_files};
pub use budget::{Budget, Fixed, Held};
pub use economy::{BreakEven, CachePrices};
pub use event::{Event, Why};
pub use full::{
    FullError, Instructions, Summarise, SummariseError, SummaryRequest, SummedUp, Written,
    summed_up,
};
pub use micro::{Cleared, Clearing, Micro, NothingCleared, Thinking, micro};
pub use notes::{NotesSkipped, WrittenNotes, wait_for_notes, with_notes};
pub use order::{Means, Progress, Room, make_room};
pub use provider::ProviderEditing;
pub use record::Record;
pub use reread::{NamedFile, files_touched};
pub use saved::{SavedResult, repeated_result_file, result_file};
pub use situation::{Compacted, Situation};
pub use tools::Tool;
