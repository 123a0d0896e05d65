//! Relative dates of `project` memories made absolute, counted from the day each was written.

use jiff::civil::Date;
use memdir_memory::{MemoryPath, MemoryType, Topic, dates};

use super::told::Mending;

/// The memory with dates that mean the same next month; none where nothing changes.
pub(super) fn dated(
    path: &MemoryPath,
    topic: &Topic,
    day: Date,
    told: &mut Vec<Mending>,
) -> Option<Topic> {
    if topic.header().memory_type != Some(MemoryType::Project) {
        return None;
    }
    let mut changed = topic.clone();
    let body = topic.body_text();
    let new_body = dates::absolute(&body, day);
    if new_body != body {
        tell(path, &body, day, told);
        changed = changed.with_body(new_body.as_bytes());
    }
    let description = topic.header().description.clone().unwrap_or_default();
    let new_description = dates::absolute(&description, day);
    if new_description != description
        && let Ok(described) = changed.with_description(&new_description)
    {
        tell(path, &description, day, told);
        changed = described;
    }
    (changed != *topic).then_some(changed)
}

fn tell(path: &MemoryPath, text: &str, day: Date, told: &mut Vec<Mending>) {
    for replacement in dates::replacements(text, day) {
        told.push(Mending::Dated {
            path: path.clone(),
            from: text.get(replacement.range).unwrap_or_default().to_owned(),
            to: replacement.to,
        });
    }
}
