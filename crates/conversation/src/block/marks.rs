//! Marks for the provider's cache, which stand in blocks and are no part of what was said.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::json::rewritten;
use super::{Content, Kind};

/// The field of a mark.
pub(super) const MARK: &str = "cache_control";

/// A field that is there, whatever it holds.
#[derive(Default)]
pub(super) struct Present(pub(super) bool);

impl<'de> Deserialize<'de> for Present {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        IgnoredAny::deserialize(from).map(|_| Self(true))
    }
}

#[derive(Deserialize)]
struct Marked {
    #[serde(default, rename = "cache_control")]
    mark: Present,
}

/// Whether a part of a tool result carries a mark for the provider's cache.
pub(super) fn has_marked_parts(json: &str, kind: &Kind) -> bool {
    // Nearly no result has the word in it; one that has it among its words alone is looked at in vain.
    matches!(kind, Kind::ToolResult { .. })
        && json.contains(MARK)
        && serde_json::from_str::<Content<'_>>(json)
            .ok()
            .and_then(|found| found.content)
            .is_some_and(|content| unmarked_parts(content.get()) != content.get())
}

/// What a tool answered without the marks of its parts; every other byte as it is.
pub(super) fn unmarked_parts(content: &str) -> String {
    let Ok(items) = serde_json::from_str::<Vec<&RawValue>>(content) else {
        return content.to_owned();
    };
    let is_marked =
        |item: &&RawValue| serde_json::from_str::<Marked>(item.get()).is_ok_and(|part| part.mark.0);
    if !items.iter().any(is_marked) {
        return content.to_owned();
    }
    let items: Vec<String> = items
        .iter()
        .map(|item| match is_marked(item) {
            true => rewritten(item.get(), |name, value| {
                (name != MARK).then(|| value.to_owned())
            }),
            false => item.get().to_owned(),
        })
        .collect();
    format!("[{}]", items.join(","))
}
