//! Ids of calls in the shape that an API takes.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::transcript::uuid_of;
use crate::{Block, Flat, Kind};

/// The longest id that every host of this API takes.
const LONGEST: usize = 64;
/// How much of an id is kept where it has to change: people look for it.
const KEPT: usize = 24;

/// New ids for those calls that other clients gave ids of another shape.
#[derive(Debug, Default)]
pub(super) struct Ids<'a> {
    new: HashMap<&'a str, Arc<str>>,
}

impl<'a> Ids<'a> {
    /// What the calls of a request are called in it. An id depends on those before it alone, so that one more message changes
    /// none that was sent.
    pub(super) fn of(flat: &'a Flat<'_>) -> Self {
        let mut ids = Self::default();
        // Nearly always all of them are fine.
        if calls(flat).all(is_plain) {
            return ids;
        }
        let mut given: HashSet<Arc<str>> = HashSet::new();
        for id in calls(flat) {
            let shaped = match is_plain(id) {
                true => id.to_owned(),
                false => shaped(id),
            };
            let mut new: Arc<str> = shaped.as_str().into();
            let mut number = 2;
            while !given.insert(Arc::clone(&new)) {
                new = format!("{shaped}_{number}").into();
                number += 1;
            }
            if &*new != id {
                ids.new.insert(id, new);
            }
        }
        ids
    }

    /// The block under its new id, where it needs one.
    pub(super) fn renamed(&self, block: &Block) -> Option<Block> {
        let id = match block.kind() {
            _ if self.new.is_empty() => return None,
            Kind::ToolCall { id, .. } => id,
            Kind::ToolResult { call, .. } => call,
            _ => return None,
        };
        Some(block.renamed(self.new.get(&**id)?))
    }
}

/// The ids of all calls, in order.
fn calls<'a>(flat: &'a Flat<'_>) -> impl Iterator<Item = &'a str> {
    let blocks = flat.messages.iter().flat_map(|message| &message.blocks);
    blocks.filter_map(|block| match block.kind() {
        Kind::ToolCall { id, .. } => Some(&**id),
        _ => None,
    })
}

fn is_plain(id: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    !id.is_empty() && id.len() <= LONGEST && id.bytes().all(plain)
}

/// An id that the API takes: the beginning of the old one, and a name made from all of it.
fn shaped(id: &str) -> String {
    let plain = |letter: char| match letter.is_ascii_alphanumeric() || letter == '-' {
        true => letter,
        false => '_',
    };
    let kept: String = id.chars().take(KEPT).map(plain).collect();
    format!("{kept}_{}", uuid_of(id))
}
