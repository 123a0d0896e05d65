//! What is never kept, even when asked: code knows it, git knows it, or it will be over tomorrow.

mod words;

use super::phrases::is_han;
use super::{Act, Wish};
use memdir_memory::MemoryType::{Feedback, Project, Reference};
use words::*;

/// A statement is short; what is longer was handed over as something else.
const LONGEST: usize = 600;

/// Whether a wish is for something that is never saved.
pub(super) fn is_excluded(wish: &Wish) -> bool {
    let Act::Keep(kind) = wish.act else {
        return false;
    };
    let lower = wish.text.to_lowercase();
    if wish.text.chars().count() > LONGEST || TASK_STATE.within(&lower) || names_a_line(&lower) {
        return true;
    }
    // How to work may well name files, commits and calls.
    if kind == Feedback {
        return names_a_commit(&lower);
    }
    let told = matches!(kind, Project | Reference);
    says_where_code_is(&lower)
        || told && (tells_history(&lower) || RECIPES.within(&lower))
        || told && says_how_code_works(&wish.text, &lower) && !HANDOVERS.within(&lower)
        || kind == Project
            && wish.rule == "remember"
            && CODE_TALK.within(&lower)
            && !BUSINESS.within(&lower)
}

/// "Line 12", "第 12 行".
fn names_a_line(lower: &str) -> bool {
    let behind = |sign: &str| {
        lower
            .split(sign)
            .skip(1)
            .any(|rest| rest.trim_start().starts_with(|c: char| c.is_ascii_digit()))
    };
    (behind("line ") || behind("第") && lower.contains('行')) && LINES.within(lower)
}

/// "The parser is in src/parser.rs": the code says so itself.
fn says_where_code_is(lower: &str) -> bool {
    let path = lower
        .split(|c: char| c.is_whitespace() || is_han(c) || matches!(c, '`' | '"' | '，' | '。'))
        .any(is_path);
    path && LOCATED.within(lower)
}

/// Whether a word is a path of the project or the name of a source file.
fn is_path(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !(c.is_alphanumeric() || matches!(c, '/' | '.' | '_')));
    let word = word.trim_end_matches('.');
    let (folder, file) = word.rsplit_once('/').unwrap_or(("", word));
    let source = file
        .rsplit_once('.')
        .is_some_and(|(_, extension)| EXTENSIONS.is(extension));
    let top = word.split('/').next().unwrap_or_default();
    source || !folder.is_empty() && FOLDERS.is(top)
}

/// "Commit 4f2a9c1 broke it", "Lee reverted it": git knows.
fn tells_history(lower: &str) -> bool {
    HISTORY.within(lower) || names_a_commit(lower)
}

fn names_a_commit(lower: &str) -> bool {
    lower
        .split(|c: char| !c.is_ascii_alphanumeric())
        .any(is_hash)
}

fn is_hash(word: &str) -> bool {
    (7..=40).contains(&word.len())
        && word.bytes().all(|byte| byte.is_ascii_hexdigit())
        && word.bytes().any(|byte| byte.is_ascii_digit())
        && word.bytes().any(|byte| byte.is_ascii_alphabetic())
}

/// "UserService calls BillingService": read the code.
fn says_how_code_works(text: &str, lower: &str) -> bool {
    let names = text
        .split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '(' | ':')))
        .filter(|word| is_code_name(word))
        .count();
    let part = CODE_PARTS.within(lower);
    let acts = CODE_VERBS.within(lower);
    acts && (names >= 1 || part) || names >= 2
}

/// Whether a word is the name of something in code: `UserService`, `load_all`, `open(`.
fn is_code_name(word: &str) -> bool {
    let letters: Vec<char> = word.chars().collect();
    let hump = letters
        .windows(2)
        .any(|pair| matches!(pair, [a, b] if a.is_ascii_lowercase() && b.is_ascii_uppercase()));
    let snake = word.trim_matches('_').contains('_');
    let product = PRODUCT_NAMES.is(word);
    (hump || snake || word.ends_with('(') || word.contains("::")) && !product && letters.len() > 3
}
