//! From what a person types to operations and memories of the past.

use std::collections::BTreeSet;

use memdir_memory::MemoryPath;
use memdir_store::{Author, Change, History, PastOperation, RENAME, Scan};

use crate::failure::Failure;
use crate::resolve;

/// The number of an operation, as `12` or `#12`.
pub(crate) fn number(typed: &str) -> Option<u64> {
    let digits = typed.strip_prefix('#').unwrap_or(typed);
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| digits.parse().ok()).flatten()
}

/// The memory that is meant, also when it is only in the history any more.
pub(crate) fn memory(scan: &Scan, history: &History, typed: &str) -> Result<MemoryPath, Failure> {
    let missing = match resolve::memory(scan, typed) {
        Ok(memory) => return Ok(memory.path.clone()),
        Err(failure) => failure,
    };
    let changes = history
        .operations
        .iter()
        .flat_map(|operation| &operation.changes);
    let known: BTreeSet<&MemoryPath> = changes.map(|change| &change.path).collect();
    let is_meant = |path: &&&MemoryPath| {
        let stem = path.as_str().strip_suffix(".md").unwrap_or_default();
        [path.as_str(), path.file_name(), path.stem(), stem].contains(&typed)
    };
    let mut found = known.iter().filter(is_meant);
    match (found.next(), found.next()) {
        (Some(only), None) => Ok((*only).clone()),
        (Some(one), Some(other)) => Err(Failure::new(
            format!("`{typed}` could be {one} or {other}"),
            "write the whole path",
        )),
        (None, _) => Err(missing),
    }
}

/// Every name that a memory ever had, its present one included.
pub(crate) fn names(history: &History, path: &MemoryPath) -> BTreeSet<MemoryPath> {
    let mut names = BTreeSet::from([path.clone()]);
    for operation in history
        .operations
        .iter()
        .rev()
        .filter(|operation| operation.reason.what == RENAME)
    {
        let made = |path: &MemoryPath| {
            operation
                .changes
                .iter()
                .any(|change| change.before.is_none() && change.path == *path)
        };
        if names.iter().any(made) {
            let gone = operation
                .changes
                .iter()
                .filter(|change| change.after.is_none());
            names.extend(gone.map(|change| change.path.clone()));
        }
    }
    names
}

/// What an operation did, in the order in which it was done; by name where others did it.
pub(crate) fn changes(operation: &PastOperation) -> Vec<&Change> {
    let mut changes: Vec<&Change> = operation.changes.iter().collect();
    if operation.reason.who == Author::Outside {
        changes.sort_by(|one, other| one.path.cmp(&other.path));
    }
    changes
}

/// Whether an operation touched one of these files.
pub(crate) fn touches(operation: &PastOperation, names: &BTreeSet<MemoryPath>) -> bool {
    operation
        .changes
        .iter()
        .any(|change| names.contains(&change.path))
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_of_operations() {
        assert_eq!(number("12"), Some(12));
        assert_eq!(number("#12"), Some(12));
        assert_eq!(number("12th"), None);
        assert_eq!(number("#"), None);
        assert_eq!(number("99999999999999999999999"), None);
    }
}
