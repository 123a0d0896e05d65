//! The files that a conversation has read, for those that are shown again after it was compacted.

use std::collections::BTreeSet;

use memdir_conversation::{Conversation, Kind, MessageId, Reminded, Source};

use super::tools::Tool;
use crate::restore::{FileKind, ReadFile};

/// Every file that was read, once, with the place of its last reading. `kept` are the messages that stay: what was read
/// in one of them need not be shown again. `kind` tells files that are never shown again from others.
///
/// ```
/// use memdir_context::{compaction::files_read, restore::FileKind};
/// use memdir_conversation::{Block, Conversation, Message};
///
/// let mut conversation = Conversation::new();
/// let call = Block::tool_call("a", "Read", r#"{"file_path":"/p/a.rs"}"#).unwrap();
/// conversation.append(Message::assistant("1", vec![call])).unwrap();
/// conversation.append(Message::results("2", vec![Block::tool_result("a", "fn a()", false)])).unwrap();
/// let read = files_read(&conversation, &[], &|_| FileKind::Ordinary);
/// assert_eq!((read[0].path.as_str(), read[0].kept), ("/p/a.rs", false));
/// ```
pub fn files_read(
    conversation: &Conversation,
    kept: &[MessageId],
    kind: &dyn Fn(&str) -> FileKind,
) -> Vec<ReadFile> {
    let kept: BTreeSet<&MessageId> = kept.iter().collect();
    let failed: BTreeSet<&str> = conversation
        .messages()
        .iter()
        .flat_map(|message| &message.blocks)
        .filter_map(|block| match block.kind() {
            Kind::ToolResult { call, error: true } => Some(&**call),
            _ => None,
        })
        .collect();
    let mut files: Vec<ReadFile> = Vec::new();
    for (when, message) in conversation.messages().iter().enumerate() {
        let restored = match &message.source {
            Source::Reminder(Reminded::Restored(path)) => Some(path.clone()),
            _ => None,
        };
        let called = message
            .blocks
            .iter()
            .filter_map(|block| match block.kind() {
                Kind::ToolCall { id, name }
                    if Tool::named(name) == Some(Tool::Read) && !failed.contains(&**id) =>
                {
                    block.file()
                }
                _ => None,
            });
        let is_shown_again = restored.is_some();
        for path in restored.into_iter().chain(called) {
            let stays = kept.contains(&message.id);
            let when = when as u64;
            match files.iter_mut().find(|file| file.path == path) {
                Some(file) => {
                    // Shown once more behind a compaction, it would look newer than what was read since.
                    if !is_shown_again {
                        file.when = when;
                    }
                    file.kept |= stays;
                }
                None => files.push(ReadFile {
                    kind: kind(&path),
                    path,
                    when,
                    kept: stays,
                }),
            }
        }
    }
    files
}
