//! The files that a conversation has touched, for those that are shown again after it was compacted.

use std::collections::{BTreeSet, HashMap};

use memdir_conversation::{Conversation, Edits, Kind, MessageId, Reminded, Source};

use super::artefacts::{Touch, touched_files};
use crate::restore::{FileKind, ReadFile};

/// A file, however a tool wrote its path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedFile {
    /// The same for every spelling of its path.
    pub identity: String,
    /// Its path, to be read and shown.
    pub path: String,
    /// What it is to the conversation.
    pub kind: FileKind,
}

/// Every file that tools read, wrote or changed without error, once, with the place of its last touch. `kept` are the
/// messages that stay: what stands whole in one of them need not be shown again. `named` tells which file a path is, and
/// files that are never shown again from others.
///
/// ```
/// use memdir_context::{compaction::{NamedFile, files_touched}, restore::FileKind};
/// use memdir_conversation::{Block, Conversation, Edits, Message};
///
/// let mut conversation = Conversation::new();
/// let call = Block::tool_call("a", "Read", r#"{"file_path":"./a.rs"}"#).unwrap();
/// conversation.append(Message::assistant("1", vec![call])).unwrap();
/// conversation.append(Message::results("2", vec![Block::tool_result("a", "fn a()", false)])).unwrap();
/// let named = |path: &str| {
///     let path = path.replace("./", "/p/");
///     NamedFile { identity: path.clone(), path, kind: FileKind::Ordinary }
/// };
/// let read = files_touched(&conversation, &[], &Edits::new(), &named);
/// assert_eq!((read[0].path.as_str(), read[0].kept), ("/p/a.rs", false));
/// ```
pub fn files_touched(
    conversation: &Conversation,
    kept: &[MessageId],
    edits: &Edits,
    named: &dyn Fn(&str) -> NamedFile,
) -> Vec<ReadFile> {
    let kept: BTreeSet<&MessageId> = kept.iter().collect();
    let mut files = Files::default();
    let mut calls: HashMap<&str, Called> = HashMap::new();
    for message in conversation.messages() {
        let stays = kept.contains(&message.id);
        if let Source::Reminder(Reminded::Restored(path)) = &message.source {
            files.shown_again(named(path), stays);
        }
        for block in &message.blocks {
            match block.kind() {
                Kind::ToolCall { id, .. } => {
                    let touched = touched_files(block);
                    if !touched.is_empty() {
                        calls.insert(id, Called { touched, stays });
                    }
                }
                // Without a result nobody knows whether it was allowed, let alone done.
                Kind::ToolResult { call, error } => {
                    let Some(called) = calls.remove(&**call).filter(|_| !error) else {
                        continue;
                    };
                    let stands = stays && edits.cleared(&message.id, call).is_none();
                    for (path, touch) in called.touched {
                        let is_whole = match touch {
                            Touch::Read => stands,
                            Touch::Written => called.stays,
                            // An edit has a few lines of the file.
                            Touch::Edited => false,
                        };
                        files.touched(named(&path), is_whole);
                    }
                }
                _ => {}
            }
        }
    }
    files.found
}

/// A call that waits for its result.
struct Called {
    touched: Vec<(String, Touch)>,
    stays: bool,
}

/// What was found until now.
#[derive(Default)]
struct Files {
    found: Vec<ReadFile>,
    places: HashMap<String, usize>,
    touches: u64,
}

impl Files {
    /// A tool touched it.
    fn touched(&mut self, file: NamedFile, kept: bool) {
        self.touches += 1;
        let when = self.touches;
        if let Some(known) = self.of(file, kept) {
            known.when = when;
        }
    }

    /// It was shown behind an earlier compaction. That makes it no newer than what was touched since.
    fn shown_again(&mut self, file: NamedFile, kept: bool) {
        self.touches += 1;
        self.of(file, kept);
    }

    /// What is known of a file; how it was last written is how it is named.
    fn of(&mut self, file: NamedFile, kept: bool) -> Option<&mut ReadFile> {
        let place = *self.places.entry(file.identity).or_insert(self.found.len());
        if place == self.found.len() {
            self.found.push(ReadFile {
                path: String::new(),
                when: self.touches,
                kept: false,
                kind: file.kind,
            });
        }
        let known = self.found.get_mut(place)?;
        known.path = file.path;
        known.kept |= kept;
        Some(known)
    }
}
