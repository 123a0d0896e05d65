//! The second reader: a YAML parser on a short leash.

use std::borrow::Cow;

use serde::Deserialize;
use serde_saphyr::{
    Options,
    options::{DuplicateKeyPolicy, MergeKeyPolicy, NonFiniteFloatPolicy},
};

use super::{Fields, HEADER_BYTES};
use crate::contained;

/// Reads the lines between the two `---` as YAML; `None` where they are not, or hold what a header
/// has no need of.
pub(crate) fn read(region: &str) -> Option<Fields<'static>> {
    if region.len() > HEADER_BYTES || has_tag(region) {
        return None;
    }
    // What the parser trips over is no YAML either: the third reader takes it line by line.
    let parsed = contained(|| serde_saphyr::from_str_with_options(region, options()));
    let parsed: Option<Flat> = parsed.ok()?.ok()?;
    let flat = parsed.unwrap_or_default();
    let nested = flat.metadata.unwrap_or_default();
    let text = |text: Option<String>| text.map(Cow::Owned);
    Some(Fields {
        name: text(flat.name),
        description: text(flat.description),
        flat_type: text(flat.kind),
        nested_type: text(nested.kind),
        source: text(nested.source),
        modified: text(nested.modified),
        expires: text(nested.expires),
        origin_session: text(nested.origin_session),
        are_plain: false,
    })
}

#[derive(Default, Deserialize)]
struct Flat {
    name: Option<String>,
    description: Option<String>,
    #[serde(rename = "type")]
    kind: Option<String>,
    metadata: Option<Nested>,
}

#[derive(Default, Deserialize)]
struct Nested {
    #[serde(rename = "type")]
    kind: Option<String>,
    source: Option<String>,
    modified: Option<String>,
    expires: Option<String>,
    #[serde(rename = "originSessionId")]
    origin_session: Option<String>,
}

/// A header is a few dozen words: whatever needs more than this is an attack or a mistake.
fn options() -> Options {
    serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_anchors: 0,
            max_aliases: 0,
            max_depth: 8,
            flow_nesting_limit: 8,
            max_documents: 1,
            max_events: 2_000,
            max_nodes: 1_000,
            max_total_scalar_bytes: HEADER_BYTES,
        },
        duplicate_keys: DuplicateKeyPolicy::FirstWins,
        merge_keys: MergeKeyPolicy::Error,
        // A key that is not ours may hold any number.
        non_finite_float_policy: NonFiniteFloatPolicy::PassThrough,
        reject_unsupported_tags: true,
        with_snippet: false,
    }
}

/// Whether a value begins with a tag. The parser refuses those it does not know; this refuses the
/// ones it does.
fn has_tag(region: &str) -> bool {
    region.lines().any(|line| {
        let value = line.split_once(": ").map_or(line, |(_, value)| value);
        value.trim_start_matches([' ', '-']).starts_with('!')
    })
}
