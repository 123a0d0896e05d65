//! What a conversation is shown again after it was compacted.
//!
//! Files fresh from disk, and what the host knows of the work: to-dos, plan, skills, tasks. Pure: [`Restoration`] asks
//! for a file and is fed its text. What the host knows has the first claim on the room, because it is nowhere else;
//! a file that is not shown can be read again.

mod files;
mod state;

pub use files::{Answer, FileKind, LeftOut, ReadFile, Request, RestoredFile};
pub use state::{Host, Plan, Skill, Stage, Task, Todo};

use crate::limits::RestoredLimits;
use crate::reminder::Reminder;
use files::Files;
use state::State;

/// What is shown again.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Restored {
    /// The blocks: files, the one read last first; to-dos; plan; skills, the one used last first; tasks.
    pub reminders: Vec<Reminder>,
    /// The files among them.
    pub files: Vec<RestoredFile>,
    /// Files that are not among them, and why.
    pub left_out: Vec<(String, LeftOut)>,
    /// Skills without a text or without room for it, which are only named in a block.
    pub skills_left_out: Vec<String>,
    /// The tokens of all blocks.
    pub tokens: u64,
}

/// Gathers what is shown again.
///
/// ```
/// use memdir_context::restore::{Answer, FileKind, Host, ReadFile, Restoration};
/// use memdir_context::{Configured, Limits};
///
/// let limits = Limits::new(200_000, 20_000, &Configured::default()).restored;
/// let count = |text: &str| text.len() as u64 / 4;
/// let read = ReadFile { path: "/p/a.rs".into(), when: 7, kept: false, kind: FileKind::Ordinary };
/// let mut restoration = Restoration::new(&[read], &Host::default(), limits, 100_000, &count);
/// while let Some(request) = restoration.request() {
///     assert_eq!(request.path, "/p/a.rs");
///     restoration.feed(Answer::Text { text: "fn main() {}\n".into(), whole: true });
/// }
/// let restored = restoration.finish();
/// assert!(restored.reminders[0].body().ends_with("fn main() {}"));
/// ```
pub struct Restoration<'a> {
    files: Files<'a>,
    state: State,
}

impl<'a> Restoration<'a> {
    /// Begins with the files that were read, in any order, and what the host knows. All of it together takes at most
    /// `room` tokens.
    #[must_use]
    pub fn new(
        read: &[ReadFile],
        host: &Host<'_>,
        limits: RestoredLimits,
        room: u64,
        count: &'a dyn Fn(&str) -> u64,
    ) -> Self {
        let state = State::of(host, limits, room, count);
        let room = room.saturating_sub(state.tokens);
        Self {
            files: Files::new(read, limits, room, count),
            state,
        }
    }

    /// The file that is needed next.
    #[must_use]
    pub fn request(&self) -> Option<Request<'_>> {
        self.files.request()
    }

    /// What is on disk of the file that was asked for.
    pub fn feed(&mut self, answer: Answer) {
        self.files.feed(answer);
    }

    /// What is shown again. Files that were not fed are left out.
    #[must_use]
    pub fn finish(self) -> Restored {
        let (blocks, files, left_out) = self.files.finish();
        let tokens = files.iter().map(|file| file.tokens).sum::<u64>();
        let mut reminders = blocks;
        reminders.extend(self.state.reminders);
        Restored {
            reminders,
            files,
            left_out,
            skills_left_out: self.state.skills_left_out,
            tokens: tokens.saturating_add(self.state.tokens),
        }
    }
}
