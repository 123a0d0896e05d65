//! Where a conversation was compacted, and what was kept.

use serde::Deserialize;

use super::index::{Index, Place};
use crate::transcript::json::{Count, Lenient, Text};
use crate::{Boundary, Trigger};

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Line<'a> {
    #[serde(borrow)]
    compact_metadata: Lenient<Metadata<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Metadata<'a> {
    #[serde(borrow)]
    trigger: Text<'a>,
    pre_tokens: Count,
    post_tokens: Count,
    #[serde(borrow)]
    preserved_segment: Lenient<Segment<'a>>,
    #[serde(borrow)]
    preserved_messages: Lenient<Messages<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Segment<'a> {
    #[serde(borrow)]
    head_uuid: Text<'a>,
    #[serde(borrow)]
    anchor_uuid: Text<'a>,
    #[serde(borrow)]
    tail_uuid: Text<'a>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Messages<'a> {
    #[serde(borrow)]
    anchor_uuid: Text<'a>,
    #[serde(borrow)]
    uuids: Vec<Text<'a>>,
    #[serde(borrow)]
    all_uuids: Vec<Text<'a>>,
}

/// What a boundary's own line says of it.
pub(super) struct Marks {
    pub(super) boundary: Boundary,
    pub(super) anchor: Option<String>,
}

impl Marks {
    pub(super) fn of(metadata: &Metadata<'_>) -> Self {
        let anchor = metadata.preserved_messages.0.anchor_uuid.get();
        let anchor = anchor.or(metadata.preserved_segment.0.anchor_uuid.get());
        Self {
            boundary: Boundary {
                trigger: match metadata.trigger.get() {
                    Some("manual") => Trigger::Manual,
                    Some("too_long") => Trigger::TooLong,
                    _ => Trigger::Auto,
                },
                tokens_before: metadata.pre_tokens.0,
                tokens_after: metadata.post_tokens.0,
                ..Boundary::default()
            },
            anchor: anchor.map(str::to_owned),
        }
    }
}

/// The lines that the boundary in this line keeps, in their order. Where only the ends of the kept part are named, it
/// is the way from its last line to its first.
pub(super) fn kept(line: &[u8], index: &Index) -> Vec<Place> {
    let line: Line<'_> = serde_json::from_slice(line).unwrap_or_default();
    let metadata = line.compact_metadata.0;
    let listed = metadata.preserved_messages.0;
    let names = match listed.all_uuids.is_empty() {
        true => listed.uuids,
        false => listed.all_uuids,
    };
    // Some that are named were never written: they belong to the client's screen alone.
    let mut kept: Vec<Place> = names
        .iter()
        .filter_map(|name| index.find(name.get()?))
        .collect();
    if kept.is_empty() {
        kept = segment(&metadata.preserved_segment.0, index);
    }
    kept
}

fn segment(segment: &Segment<'_>, index: &Index) -> Vec<Place> {
    let ends = (segment.head_uuid.get(), segment.tail_uuid.get());
    let (Some(head), Some(tail)) = ends else {
        return Vec::new();
    };
    let (Some(head), Some(tail)) = (index.find(head), index.find(tail)) else {
        return Vec::new();
    };
    let mut way = Vec::new();
    let mut next = Some(tail);
    while let Some(place) = next.filter(|_| way.len() <= index.entries().len()) {
        way.push(place);
        if place == head {
            way.reverse();
            return way;
        }
        next = index.parent(place);
    }
    Vec::new()
}
