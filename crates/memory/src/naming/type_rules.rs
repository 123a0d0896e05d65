//! Which type a statement reads like: by how it opens and by the words it uses.

use crate::MemoryType;
use crate::words::{normalise, sentences};

/// The type whose signs a statement shows; the order decides between several.
pub(super) fn guess_type(text: &str) -> MemoryType {
    let lower = text.to_lowercase().replace('’', "'");
    let first = format!("{} ", normalise(sentences(text).next().unwrap_or_default()));
    let spaced = format!(" {} ", normalise(text));
    let has = |signs: &[&str]| {
        signs
            .iter()
            .any(|sign| spaced.contains(&format!(" {sign} ")))
    };
    let holds = |signs: &[&str]| signs.iter().any(|sign| lower.contains(sign));

    if opens_with(&first, FEEDBACK_OPENINGS) {
        return MemoryType::Feedback;
    }
    if opens_with(&first, USER_OPENINGS) || holds(USER_UNSPACED) {
        return MemoryType::User;
    }
    if holds(&["http://", "https://"])
        || has(REFERENCE_SIGNS)
        || holds(REFERENCE_UNSPACED)
        || names_channel(text)
    {
        return MemoryType::Reference;
    }
    if opens_with(&first, PROJECT_OPENINGS) || has_date(text) {
        return MemoryType::Project;
    }
    if has(FEEDBACK_SIGNS) || holds(FEEDBACK_UNSPACED) {
        return MemoryType::Feedback;
    }
    MemoryType::Project
}

/// Whether a normalised sentence begins with one of these.
fn opens_with(sentence: &str, openings: &[&str]) -> bool {
    openings.iter().any(|opening| {
        sentence
            .strip_prefix(opening)
            .is_some_and(|rest| rest.starts_with(' '))
    })
}

/// Whether the text has a date such as 2026-12-18.
fn has_date(text: &str) -> bool {
    text.as_bytes().windows(10).any(|window| {
        window.iter().zip(b"dddd-dd-dd").all(|(byte, form)| {
            if *form == b'd' {
                byte.is_ascii_digit()
            } else {
                byte == form
            }
        })
    })
}

/// Whether the text names a chat channel: `#` directly before a lower-case word.
fn names_channel(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.windows(2).enumerate().any(|(at, pair)| {
        matches!(pair, [b'#', letter] if letter.is_ascii_lowercase())
            && at
                .checked_sub(1)
                .and_then(|before| bytes.get(before))
                .is_some_and(u8::is_ascii_whitespace)
    })
}

const FEEDBACK_OPENINGS: &[&str] = &[
    "always",
    "never",
    "dont",
    "do not",
    "please",
    "prefer",
    "avoid",
    "stop",
    "use",
    "when you",
    "make sure",
    "be sure",
    "remember to",
    "keep",
    "ask",
    "i prefer",
    "i want you to",
    "i dont want",
    "i dont like it when",
    "i like it when",
    "i hate it when",
    "you should",
    "you must",
    "instead of",
    "no",
    "only",
    "write",
    "run",
    "before you",
    "after you",
    "if you",
    "answer",
    "reply",
];

const FEEDBACK_SIGNS: &[&str] = &[
    "always",
    "never",
    "prefer",
    "dont",
    "do not",
    "should not",
    "must not",
    "instead of",
    "rather than",
    "avoid",
];

const FEEDBACK_UNSPACED: &[&str] = &[
    "不要",
    "禁止",
    "必须",
    "总是",
    "永远",
    "请勿",
    "别用",
    "请用",
    "请使用",
    "优先使用",
    "してください",
    "しないで",
];

const USER_OPENINGS: &[&str] = &[
    "i am",
    "im",
    "i was",
    "i have",
    "ive",
    "i work",
    "i know",
    "i like",
    "i love",
    "i live",
    "i speak",
    "i use",
    "i do",
    "i write",
    "i learn",
    "im learning",
    "i study",
    "i usually",
    "i lead",
    "i manage",
    "i maintain",
    "my name",
    "my role",
    "my job",
    "my background",
    "my team",
    "my favourite",
    "my favorite",
    "my timezone",
    "my time zone",
    "my pronouns",
    "call me",
    "the user",
    "user is",
    "user prefers",
];

const USER_UNSPACED: &[&str] = &[
    "我是",
    "我叫",
    "我的角色",
    "我喜欢",
    "我在做",
    "我负责",
    "我的名字",
    "私は",
];

const PROJECT_OPENINGS: &[&str] = &[
    "we are",
    "we will",
    "we have",
    "we decided",
    "we chose",
    "we plan",
    "the team",
    "the release",
    "the deadline",
    "the freeze",
    "the launch",
    "the migration",
    "release",
    "merge freeze",
    "code freeze",
    "deadline",
    "launch",
];

const REFERENCE_SIGNS: &[&str] = &[
    "lives in",
    "lives at",
    "live in",
    "is tracked in",
    "are tracked in",
    "tracked in",
    "tracked on",
    "dashboard",
    "dashboards",
    "grafana board",
    "docs at",
    "docs are in",
    "documented in",
    "documentation is",
    "wiki",
    "confluence",
    "notion page",
    "runbook",
    "slack channel",
    "linear project",
    "jira project",
    "jira board",
    "can be found",
    "is found in",
    "are found in",
    "stored in",
    "is kept in",
    "are kept in",
    "figma file",
    "google doc",
    "spreadsheet",
];

const REFERENCE_UNSPACED: &[&str] = &[
    "文档在",
    "文档位于",
    "看板",
    "仪表盘",
    "记录在",
    "保存在",
    "频道",
];
