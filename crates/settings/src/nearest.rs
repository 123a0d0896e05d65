//! The setting that somebody meant.

use crate::tree::{KEYS, Key};

/// Longer than any name; what is longer is no misspelt one.
const MAX_LENGTH: usize = 48;
/// How many letters may be wrong: one in this many.
const LETTERS_FOR_ONE_WRONG: usize = 3;

/// Names under which Claude Code knows some of them.
pub(crate) const CLAUDE_NAMES: [(&str, &str); 3] = [
    (AUTO_MEMORY, "memory.enabled"),
    (AUTO_COMPACT, "compaction.auto"),
    (EXTERNAL_INCLUDES, "instructions.external_includes"),
];
pub(crate) const AUTO_MEMORY: &str = "autoMemoryEnabled";
pub(crate) const AUTO_COMPACT: &str = "autoCompactEnabled";
pub(crate) const EXTERNAL_INCLUDES: &str = "claudeMd.allowExternalIncludes";

/// The setting whose name is most like this one, if any is.
///
/// ```
/// use memdir_settings::nearest;
///
/// assert_eq!(nearest("memory.refesh").unwrap().name, "memory.refresh");
/// assert_eq!(nearest("autoMemoryEnabled").unwrap().name, "memory.enabled");
/// assert!(nearest("proxy.address").is_none());
/// ```
#[must_use]
pub fn nearest(name: &str) -> Option<&'static Key> {
    let length = name.chars().count();
    if length > MAX_LENGTH {
        return None;
    }
    if let Some((_, ours)) = CLAUDE_NAMES.iter().find(|(theirs, _)| *theirs == name) {
        return Key::find(ours);
    }
    let same = |character: char| match character {
        '-' | ' ' => '_',
        other => other.to_ascii_lowercase(),
    };
    let typed: String = name.chars().map(same).collect();
    // A field alone, where only one section has it.
    let mut fields = KEYS.iter().filter(|key| key.parts().1 == typed);
    if let (Some(only), None) = (fields.next(), fields.next()) {
        return Some(only);
    }
    let wrong = |key: &Key| strsim::osa_distance(key.name, &typed);
    let best = KEYS.iter().min_by_key(|key| wrong(key))?;
    (wrong(best) * LETTERS_FOR_ONE_WRONG <= length).then_some(best)
}
