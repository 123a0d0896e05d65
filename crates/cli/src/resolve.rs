//! From what a person types to the memory that is meant.

use memdir_memory::MemoryPath;
use memdir_store::{Memory, Scan};

use crate::failure::Failure;

/// Finds a memory by its path, its file name with or without `.md`, its name, or an unambiguous beginning of one.
pub(crate) fn memory<'a>(scan: &'a Scan, typed: &str) -> Result<&'a Memory, Failure> {
    let found = scan.called(typed);
    match found.as_slice() {
        [only] => Ok(only),
        [] => Err(missing(scan, typed)),
        several => {
            let paths: Vec<&str> = several
                .iter()
                .take(8)
                .map(|memory| memory.path.as_str())
                .collect();
            Err(Failure::new(
                format!("`{typed}` could be any of {} memories", several.len()),
                format!("write more of the name: {}", paths.join(", ")),
            ))
        }
    }
}

fn missing(scan: &Scan, typed: &str) -> Failure {
    // A name that could never be one deserves its own reason: `../x` is not just "not found".
    let with_ending = if typed.ends_with(".md") {
        typed.to_owned()
    } else {
        format!("{typed}.md")
    };
    if let Err(problem) = MemoryPath::new(&with_ending) {
        return Failure::new(
            format!("`{}` cannot be a memory: {problem}", typed.escape_debug()),
            LIST_HINT,
        );
    }
    let near = scan
        .memories
        .iter()
        .map(|memory| memory.path.stem())
        .min_by_key(|stem| distance(stem, typed));
    match near.filter(|stem| distance(stem, typed) <= typed.chars().count() / 3) {
        Some(near) => Failure::new(
            format!("there is no memory `{typed}`"),
            format!("did you mean `{near}`?"),
        ),
        None => Failure::new(format!("there is no memory `{typed}`"), LIST_HINT),
    }
}

const LIST_HINT: &str = "`memdir list` shows what there is";

/// How many characters must be added, taken or changed to get from one word to the other.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.chars().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        for (cell, b) in row.iter_mut().skip(1).zip(&other) {
            let best = (diagonal + usize::from(a != *b))
                .min(left + 1)
                .min(*cell + 1);
            diagonal = std::mem::replace(cell, best);
            left = best;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::distance;

    #[test]
    fn distance_counts_single_changes() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("user_role", "user_rule"), 1);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
