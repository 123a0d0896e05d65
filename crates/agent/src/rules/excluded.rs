//! What is never kept, even when asked: code knows it, git knows it, or it will be over tomorrow.

use super::{Act, Wish};

/// Whether a wish is for something that is never saved.
pub(super) fn is_excluded(wish: &Wish) -> bool {
    if !matches!(wish.act, Act::Keep(_)) {
        return false;
    }
    let lower = wish.text.to_lowercase();
    says_where_code_is(&lower)
        || is_state_of_the_task(&lower)
        || wish.text.chars().count() > LONGEST
}

/// A statement is short; what is longer was handed over as something else.
const LONGEST: usize = 600;

/// "The parser is in src/parser.rs": the code says so itself.
fn says_where_code_is(lower: &str) -> bool {
    let path = lower.split_whitespace().any(|word| {
        let word =
            word.trim_matches(|c: char| !(c.is_alphanumeric() || matches!(c, '/' | '.' | '_')));
        let word = word.trim_end_matches('.');
        let file = word.rsplit('/').next().unwrap_or(word);
        let extension = file.rsplit_once('.').map(|(_, extension)| extension);
        extension.is_some_and(|extension| {
            matches!(
                extension,
                "rs" | "py"
                    | "ts"
                    | "tsx"
                    | "js"
                    | "jsx"
                    | "go"
                    | "java"
                    | "c"
                    | "h"
                    | "cpp"
                    | "hpp"
                    | "rb"
                    | "kt"
                    | "swift"
                    | "cs"
                    | "php"
            )
        })
    });
    let located = [
        " is in ",
        " are in ",
        " lives in ",
        " live in ",
        " is defined in ",
        " is implemented in ",
        " is at ",
        " on line ",
        "在",
    ]
    .iter()
    .any(|located| lower.contains(located));
    path && located && !lower.starts_with("never ") && !lower.starts_with("don't ")
}

/// "We are on step 3": over with this conversation.
fn is_state_of_the_task(lower: &str) -> bool {
    [
        "we are on step",
        "we're on step",
        "we stopped at",
        "we were at",
        "i'm on step",
        "the next step is",
        "we are currently",
        "we're currently",
        "current task",
        "where we left off",
        "this conversation",
        "当前任务",
        "下一步是",
        "我们做到",
    ]
    .iter()
    .any(|sign| lower.contains(sign))
}
