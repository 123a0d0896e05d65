//! The memory directory on disk: where things live, safe handles, atomic writes, locks, history and undo.
//!
//! The only crate that writes durable files. Everything beneath a directory is reached through a handle
//! ([`Directory`]); every change is an [`Operation`] that goes into the [`History`] before it goes into the files, and
//! can be taken back ([`Store::plan_undo`]). Reading writes nothing.

mod agents;
mod bounded_log;
mod digest;
mod directory;
mod error;
mod file_lock;
mod gate;
mod history;
mod inbox;
mod index;
mod index_line;
mod instruction_reader;
mod intent;
mod lease;
mod leftovers;
pub mod limits;
mod listing;
mod local_files;
mod lock;
mod merge;
mod names;
mod operation;
mod oversized;
mod place;
mod purge;
mod reader;
mod rename;
mod repository;
mod retired;
mod roots;
mod scan;
mod session_notes;
mod settings_file;
mod step;
mod store;
mod sweep;
mod temporary;
mod tracked;
mod transcript_file;
mod trust;
mod undo;
mod user_file;
mod walk;

pub mod consolidate;
pub mod ledger;
pub mod places;
pub mod process;
pub mod project;
pub mod records;
pub mod slug;

pub use agents::{AgentIndex, AgentMemory, Agents, migrate_agent_index, read_agent_index};
pub use bounded_log::BoundedLog;
pub use digest::Digest;
pub use directory::{Directory, Found, Stamp};
pub use error::{Error, Result};
pub use gate::{Notice, Objection, SecretPolicy, objections};
pub use history::{Author, Change, History, Operation as PastOperation, Reason};
pub use inbox::{
    ACCEPT, Acceptance, Accepted, INBOX_FOLDER, Inbox, Stray, Suggested, Waiting, suggested_origin,
};
pub use index::{IndexCheck, index_of, index_words};
pub use index_line::IndexLine;
pub use instruction_reader::{InstructionReader, Met, Ownership, Whereabouts};
pub use lease::{JOBS_FOLDER, Lease, lease_state};
pub use listing::{Entry, EntryKind};
pub use lock::{LockState, Owner, lock_state};
pub use operation::{Operation, Outcome};
pub use purge::{
    Purged, RENAME, SharedLine, SharedLines, named_as, remove_traces, scrub, traces, unsearched,
};
pub use rename::{Linking, Renaming, name_of};
pub use scan::{Memory, Scan};
pub use store::Store;
pub use sweep::{Outside, Sweep};
pub use temporary::{TEMPORARY_PREFIX, TEMPORARY_SUFFIX, remove_orphans};
pub use undo::{Restoration, Restored, Undoing};
pub use walk::Skipped;

pub use local_files::{
    Asks, COMMITTED_NAME, LOCAL_NAMES, LocalFile, LocalFileError, local_file, local_files,
};
pub use names::{NameProblem, PlainName};
pub use places::{Environment, Places};
pub use reader::{Unreadable, open_regular, open_transcript, read_regular};
pub use records::{Record, RecordError, Records};
pub use repository::Repository;
pub use roots::{LeftBehind, RecordedRoot, left_behind, moved_here, record_root, recorded_roots};
pub use session_notes::SessionNotes;
pub use settings_file::{SETTINGS_NAME, read_settings_file, replace_settings_file};
pub use slug::slug;
pub use tracked::Tracked;
pub use transcript_file::TranscriptFile;
pub use trust::{is_trusted, trust};
pub use user_file::{read_user_file, read_user_text, remove_empty_folder, replace_user_file};
