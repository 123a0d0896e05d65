//! Words of commands that a person can type next.

use std::path::Path;

/// A path as one word of a shell command, in quotes where it needs them.
pub(crate) fn quoted(path: &Path) -> String {
    let word = path.display().to_string();
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word,
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_takes_it_for_one_word() {
        let shown = ["/a/b-c", "/it's new", "", "/ünï"].map(|path| quoted(Path::new(path)));
        assert_eq!(shown, ["/a/b-c", r"'/it'\''s new'", "''", "/ünï"]);
    }
}
