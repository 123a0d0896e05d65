//! Messages as Anthropic's API takes them.

use std::borrow::Cow;

use super::ids::Ids;
use crate::{Block, Flat, FlatMessage, Kind, Role};

/// At most so many marks go into a request, those in system and tools included.
pub const MARKS: usize = 4;

const MARK: &str = r#","cache_control":{"type":"ephemeral"}}"#;

/// The `messages` of a request. `marks` are the numbers of those whose last block gets a mark for the cache; the same
/// messages give the same bytes, marks aside. Calls whose ids the API would refuse, as those of other clients, get new ones, and
/// their results with them.
///
/// ```
/// use memdir_conversation::{Flattening, Message, flatten, wire::anthropic};
///
/// let said = Message::user("1", "hello");
/// let flat = flatten(&[&said], &Flattening::default());
/// assert_eq!(
///     anthropic::messages(&flat, &[]),
///     r#"[{"role":"user","content":[{"type":"text","text":"hello"}]}]"#
/// );
/// ```
#[must_use]
pub fn messages(flat: &Flat<'_>, marks: &[usize]) -> String {
    let length: usize = flat.messages.iter().map(length).sum();
    let mut json = String::with_capacity(length + marks.len() * MARK.len() + 2);
    let ids = Ids::of(flat);
    json.push('[');
    for (number, message) in flat.messages.iter().enumerate() {
        if number > 0 {
            json.push(',');
        }
        write(&mut json, message, &ids, marks.contains(&number));
    }
    json.push(']');
    json
}

/// One message of a request, under the ids that it has.
#[must_use]
pub fn message(message: &FlatMessage<'_>) -> String {
    let mut json = String::with_capacity(length(message));
    write(&mut json, message, &Ids::default(), false);
    json
}

fn write(json: &mut String, message: &FlatMessage<'_>, ids: &Ids<'_>, marked: bool) {
    let role = match message.role {
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::System => "system",
    };
    json.push_str("{\"role\":\"");
    json.push_str(role);
    json.push_str("\",\"content\":[");
    let mark = marked
        .then(|| message.blocks.iter().rposition(|block| takes_mark(block)))
        .flatten();
    for (number, block) in message.blocks.iter().enumerate() {
        if number > 0 {
            json.push(',');
        }
        let block = match ids.renamed(block) {
            Some(block) => Cow::Owned(block),
            None => Cow::Borrowed(&**block),
        };
        match block.json().strip_suffix('}') {
            Some(open) if mark == Some(number) => {
                json.push_str(open.trim_end());
                json.push_str(MARK);
            }
            _ => json.push_str(block.json()),
        }
    }
    json.push_str("]}");
}

fn takes_mark(block: &Block) -> bool {
    !matches!(block.kind(), Kind::Thinking | Kind::Other)
}

fn length(message: &FlatMessage<'_>) -> usize {
    let blocks: usize = message
        .blocks
        .iter()
        .map(|block| block.json().len() + 1)
        .sum();
    blocks + 40
}
