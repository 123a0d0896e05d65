//! What is said about people's words: whose they are, and how many there are of something.

use memdir_memory::Source;

/// Where something came from, in words.
pub(crate) fn from_whom(source: Source) -> &'static str {
    match source {
        Source::User => "from the user",
        Source::Agent => "from an agent",
        Source::Rules => "found by rules in what the user said",
        Source::Tool => "from a tool, a file or the web",
        Source::Import => "from an import",
        Source::Team => "from the team",
    }
}

/// A number of things.
pub(crate) fn count(number: usize, one: &str, many: &str) -> String {
    match number {
        1 => format!("1 {one}"),
        _ => format!("{number} {many}"),
    }
}
