//! Files that were touched before: which are shown again, and how much of each.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;

use crate::cut::{Shown, cut};
use crate::fragment::{block_of, inline};
use crate::limits::RestoredLimits;
use crate::reminder::Reminder;

/// How many bytes of a file are asked for, for each token that may be shown of it.
const BYTES_A_TOKEN: u64 = 16;

/// A file that a tool read, wrote or changed in the conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadFile {
    /// Its path, the same for each time it was touched.
    pub path: String,
    /// When: any number that grows, such as that of the message.
    pub when: u64,
    /// Whether it stands whole in a message that is kept.
    pub kept: bool,
    /// What it is.
    pub kind: FileKind,
}

/// What a file is to the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A file as any other.
    Ordinary,
    /// A transcript: it would bring back what was just summed up.
    Transcript,
    /// The plan, which has its own place.
    Plan,
    /// An instruction file or the memory index, which are sent anyway.
    Instructions,
}

/// A file that is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request<'a> {
    /// Its path.
    pub path: &'a str,
    /// More of it than this is not needed.
    pub most_bytes: u64,
}

/// What is on disk of a file that was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// Its text.
    Text {
        /// From the beginning.
        text: String,
        /// Whether that is all of it.
        whole: bool,
    },
    /// There is no such file any more.
    Gone,
    /// It is not text.
    NotText,
    /// It cannot be read, for this reason.
    Unreadable(String),
}

/// A file that is shown again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestoredFile {
    /// Its path.
    pub path: String,
    /// The tokens of its block.
    pub tokens: u64,
    /// Whether only its beginning is shown.
    pub cut: bool,
}

/// Why a file is not shown again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LeftOut {
    /// It is a transcript.
    Transcript,
    /// It is the plan, which is shown by itself.
    Plan,
    /// It is an instruction file, which is sent anyway.
    Instructions,
    /// It stands in a message that is kept.
    Kept,
    /// Others were touched later.
    Older,
    /// There is no room.
    NoRoom,
    /// There is no such file any more.
    Gone,
    /// It is not text.
    NotText,
    /// It cannot be read, for this reason.
    Unreadable(String),
}

impl fmt::Display for LeftOut {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Transcript => out.write_str("a transcript"),
            Self::Plan => out.write_str("the plan, which is shown by itself"),
            Self::Instructions => out.write_str("an instruction file, which is sent anyway"),
            Self::Kept => out.write_str("still in a kept message"),
            Self::Older => out.write_str("others were touched later"),
            Self::NoRoom => out.write_str("no room is left"),
            Self::Gone => out.write_str("no longer there"),
            Self::NotText => out.write_str("not text"),
            Self::Unreadable(reason) => write!(out, "cannot be read: {reason}"),
        }
    }
}

/// The files of one restoration.
pub(super) struct Files<'a> {
    limits: RestoredLimits,
    /// What is left for all of them.
    room: u64,
    count: &'a dyn Fn(&str) -> u64,
    /// The one read last first.
    waiting: VecDeque<String>,
    reminders: Vec<Reminder>,
    restored: Vec<RestoredFile>,
    left_out: Vec<(String, LeftOut)>,
}

impl<'a> Files<'a> {
    pub(super) fn new(
        read: &[ReadFile],
        limits: RestoredLimits,
        room: u64,
        count: &'a dyn Fn(&str) -> u64,
    ) -> Self {
        let kept: BTreeSet<&str> = read
            .iter()
            .filter(|file| file.kept)
            .map(|file| file.path.as_str())
            .collect();
        // By path, so that a file counts once, as when it was read last; of two at the same time the later in the list.
        let mut last: BTreeMap<&str, (u64, usize, FileKind)> = BTreeMap::new();
        for (at, file) in read.iter().enumerate() {
            let this = (file.when, at, file.kind);
            let known = last.entry(&file.path).or_insert(this);
            if (file.when, at) >= (known.0, known.1) {
                *known = this;
            }
        }
        let mut newest: Vec<_> = last.into_iter().collect();
        newest.sort_by_key(|(_, (when, at, _))| std::cmp::Reverse((*when, *at)));

        let mut files = Self {
            limits,
            room: room.min(limits.total),
            count,
            waiting: VecDeque::new(),
            reminders: Vec::new(),
            restored: Vec::new(),
            left_out: Vec::new(),
        };
        for (path, (_, _, kind)) in newest {
            let reason = match kind {
                FileKind::Ordinary if kept.contains(path) => Some(LeftOut::Kept),
                FileKind::Ordinary => None,
                FileKind::Transcript => Some(LeftOut::Transcript),
                FileKind::Plan => Some(LeftOut::Plan),
                FileKind::Instructions => Some(LeftOut::Instructions),
            };
            match reason {
                Some(reason) => files.left_out.push((path.to_owned(), reason)),
                None => files.waiting.push_back(path.to_owned()),
            }
        }
        files
    }

    pub(super) fn request(&self) -> Option<Request<'_>> {
        let path = self.waiting.front()?;
        let is_wanted = self.restored.len() < self.limits.files && self.room > 0;
        is_wanted.then_some(Request {
            path,
            most_bytes: self
                .limits
                .file
                .min(self.room)
                .saturating_mul(BYTES_A_TOKEN),
        })
    }

    pub(super) fn feed(&mut self, answer: Answer) {
        if self.request().is_none() {
            return;
        }
        let Some(path) = self.waiting.pop_front() else {
            return;
        };
        let reason = match answer {
            Answer::Text { text, whole } => match self.shown(&path, text, whole) {
                Some((body, cut)) => {
                    let tokens = (self.count)(&body);
                    self.room = self.room.saturating_sub(tokens);
                    self.reminders.push(Reminder::of(body));
                    self.restored.push(RestoredFile { path, tokens, cut });
                    return;
                }
                None => {
                    // Where not a line has room, no other file needs to be read either.
                    self.room = 0;
                    LeftOut::NoRoom
                }
            },
            Answer::Gone => LeftOut::Gone,
            Answer::NotText => LeftOut::NotText,
            Answer::Unreadable(reason) => LeftOut::Unreadable(reason),
        };
        self.left_out.push((path, reason));
    }

    /// The block of a file within its limit, and whether it had to be cut; `None` where nothing of it has room.
    fn shown(&self, path: &str, text: String, whole: bool) -> Option<(String, bool)> {
        let head = format!(
            "The file `{}` as it is on disk now. It was in use before the conversation was compacted.",
            inline(path)
        );
        let note = |_: &str, shown: Shown| {
            let how_much = match (shown, whole) {
                (Shown::Lines { shown, of }, true) => format!("{shown} of {of} lines are shown"),
                (Shown::Lines { shown, .. }, false) => {
                    format!("the first {shown} lines are shown")
                }
                (Shown::PartOfLine { .. } | Shown::Nothing, _) => {
                    "only the beginning of the first line is shown".to_owned()
                }
            };
            format!("> Cut here: {how_much}. Read the rest of the file where you need it.")
        };
        let limit = self.limits.file.min(self.room);
        let counted = |text: &str| (self.count)(&format!("{head}\n\n{text}"));
        let mut text = block_of(text);
        if !whole && let Some(end) = text.rfind('\n') {
            // The last line that was read need not be all of it.
            text.truncate(end);
        }
        text.truncate(text.trim_end().len());
        if text.is_empty() {
            text.push_str("> It is empty.");
        } else if !whole {
            text.push_str("\n\n> The file goes on. Read the rest of it where you need it.");
        }
        let (text, is_cut) = match cut(&text, limit, &counted, &note) {
            Some(cut) if cut.shown == Shown::Nothing => return None,
            Some(cut) => (cut.text, true),
            None => (text, !whole),
        };
        Some((format!("{head}\n\n{text}"), is_cut))
    }

    /// The blocks, which files they are of, and which are left out.
    pub(super) fn finish(mut self) -> (Vec<Reminder>, Vec<RestoredFile>, Vec<(String, LeftOut)>) {
        let reason = match self.restored.len() < self.limits.files {
            true => LeftOut::NoRoom,
            false => LeftOut::Older,
        };
        let waiting = self.waiting.into_iter().map(|path| (path, reason.clone()));
        self.left_out.extend(waiting);
        (self.reminders, self.restored, self.left_out)
    }
}
