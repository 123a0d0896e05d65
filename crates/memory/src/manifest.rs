//! One line about one memory, as a model reads it when it chooses what to recall.

use jiff::Timestamp;

use crate::{MemoryPath, MemoryType, scalar::one_line};

/// The manifest line of one topic file.
///
/// ```
/// use memdir_memory::{MemoryPath, MemoryType, manifest_line};
/// let path = MemoryPath::new("user_role.md")?;
/// let modified = "2026-03-30T12:00:00Z".parse()?;
/// assert_eq!(
///     manifest_line(&path, Some(MemoryType::User), modified, Some("Who the user is")),
///     "- [user] user_role.md (2026-03-30T12:00:00Z): Who the user is",
/// );
/// assert_eq!(manifest_line(&path, None, modified, None), "- user_role.md (2026-03-30T12:00:00Z)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn manifest_line(
    path: &MemoryPath,
    memory_type: Option<MemoryType>,
    modified: Timestamp,
    description: Option<&str>,
) -> String {
    // Fractions of a second would make lines of one directory differ in form.
    let modified = Timestamp::from_second(modified.as_second()).unwrap_or(modified);
    let mut line = String::from("- ");
    if let Some(memory_type) = memory_type {
        line.push('[');
        line.push_str(memory_type.as_str());
        line.push_str("] ");
    }
    line.push_str(path.as_str());
    line.push_str(" (");
    line.push_str(&modified.to_string());
    line.push(')');
    if let Some(description) = description.map(one_line).filter(|text| !text.is_empty()) {
        line.push_str(": ");
        line.push_str(&description);
    }
    line
}
