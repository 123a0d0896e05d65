//! Which crates may touch the world: files, the environment, other processes, the clock.
//!
//! Time, ids and the environment are arguments everywhere else, so that a test can choose them.

use regex::Regex;

use super::{Finding, Source};

struct Rule {
    pattern: &'static str,
    /// Rooms that keep it.
    rooms: &'static [&'static str],
    what: &'static str,
    remedy: &'static str,
}

const RULES: &[Rule] = &[
    Rule {
        pattern: r"\bstd::(fs|net|process)\b|\bFile::(open|create)\b",
        rooms: &["memory", "settings", "conversation", "context"],
        what: "touches the world from a crate that only computes",
        remedy: "take what it needs as an argument",
    },
    Rule {
        pattern: r"\b(SystemTime|Instant|Timestamp|Zoned)::now\s*\(",
        rooms: &["memory", "settings", "conversation", "context"],
        what: "reads the clock in a crate that only computes",
        remedy: "take the time as an argument",
    },
    Rule {
        pattern: r"\benv::(var|vars|var_os|vars_os|home_dir|current_dir|args)\b",
        rooms: &[
            "memory",
            "settings",
            "conversation",
            "store",
            "recall",
            "model",
            "context",
            "tools",
            "agent",
            "session",
            "serve",
        ],
        what: "reads the environment outside `cli`",
        remedy: "take the environment as a value, as `store`'s places do",
    },
];

pub(super) fn check(sources: &[Source]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for rule in RULES {
        // The patterns are constants: `every_pattern_compiles` holds them to it.
        let Ok(pattern) = Regex::new(rule.pattern) else {
            continue;
        };
        for source in sources.iter().filter(|source| rule.concerns(&source.path)) {
            for (number, line) in product_lines(&source.text) {
                if let Some(found) = pattern.find(line) {
                    findings.push(Finding {
                        place: format!("{}:{number}", source.path),
                        what: format!("{}: `{}`", rule.what, found.as_str()),
                        remedy: rule.remedy,
                    });
                }
            }
        }
    }
    findings
}

impl Rule {
    fn concerns(&self, path: &str) -> bool {
        let mut parts = path.split('/');
        parts.next() == Some("crates")
            && parts.next().is_some_and(|room| self.rooms.contains(&room))
            && parts.next() == Some("src")
            && path.ends_with(".rs")
            && !path.ends_with("/tests.rs")
    }
}

/// The numbered lines of a file up to its test module, without comments.
fn product_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines()
        .enumerate()
        .take_while(|(_, line)| line.trim() != "#[cfg(test)]")
        .filter(|(_, line)| !line.trim_start().starts_with("//"))
        .map(|(index, line)| (index + 1, line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles() {
        for rule in RULES {
            assert!(Regex::new(rule.pattern).is_ok(), "{}", rule.pattern);
        }
    }

    #[test]
    fn only_product_code_of_the_named_rooms_is_looked_at() {
        let text = "\
/// std::fs is not used here.
let now = Timestamp::now();
let home = std::env::var(\"HOME\");
#[cfg(test)]
mod tests { use std::fs; }
";
        let source = |path: &str| Source {
            path: path.to_owned(),
            text: text.to_owned(),
        };
        let found: Vec<String> = check(&[
            source("crates/memory/src/age.rs"),
            source("crates/store/src/places.rs"),
            source("crates/cli/src/main.rs"),
            source("crates/memory/tests/it/main.rs"),
        ])
        .iter()
        .map(|finding| format!("{}: {}", finding.place, finding.what))
        .collect();
        insta::assert_debug_snapshot!(found, @r#"
        [
            "crates/memory/src/age.rs:2: reads the clock in a crate that only computes: `Timestamp::now(`",
            "crates/memory/src/age.rs:3: reads the environment outside `cli`: `env::var`",
            "crates/store/src/places.rs:3: reads the environment outside `cli`: `env::var`",
        ]
        "#);
    }
}
