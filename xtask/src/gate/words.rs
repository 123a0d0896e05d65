//! Words that have no place in the tree: marks of unfinished work, switched-off tests, and what
//! belongs to one developer's machine.

use regex::Regex;

use super::{Finding, Source};

struct Rule {
    pattern: &'static str,
    /// Which files it looks at, by how their names end; all when empty.
    only: &'static [&'static str],
    what: &'static str,
    remedy: &'static str,
}

const RULES: &[Rule] = &[
    Rule {
        pattern: r"\b(todo|unimplemented)!\s*\(",
        only: &[".rs"],
        what: "unfinished code",
        remedy: "finish it, or return an error that says what is missing",
    },
    Rule {
        pattern: r"\bdbg!\s*\(",
        only: &[".rs"],
        what: "a debugging print",
        remedy: "remove it",
    },
    Rule {
        pattern: r"\b(TODO|FIXME|XXX)\b",
        only: &[],
        what: "a mark of unfinished work",
        remedy: "do it now, or open an issue and take the mark out",
    },
    Rule {
        pattern: r"#\s*\[\s*ignore\b",
        only: &[".rs"],
        what: "a test that is switched off",
        remedy: "make it pass, or delete it",
    },
    Rule {
        pattern: r"(^|[^\w.$}>\]/~-])/(home/[a-z][\w.-]*|root\b|work\b|tmp/(plan|target-))",
        only: &[],
        what: "a path of one developer's machine",
        remedy: "use a temporary folder, or an invented home from the list in this rule",
    },
    Rule {
        pattern: r"(?i)(index|static)\.crates\.io|crates\.io-index|registry\.npmjs\.org|pypi\.org/simple|pythonhosted\.org|proxy\.golang\.org",
        // Not in code: the tests of secret rules show such addresses beside tokens.
        only: &[".toml", ".lock", ".md", ".json", ".yml", ".yaml", ".ci/run"],
        what: "the address of a package registry",
        remedy: "leave the choice of a registry to the user's own cargo configuration",
    },
];

/// Homes of invented people, for examples and tests.
const INVENTED_HOMES: &[&str] = &[
    "/home/ada",
    "/home/anna",
    "/home/me",
    "/home/unknown",
    "/home/user",
];

/// Files that must contain such words, and why.
const EXCEPTIONS: &[(&str, &str)] = &[
    (
        "Cargo.lock",
        "cargo writes the registry beside every package",
    ),
    (
        "fuzz/Cargo.lock",
        "cargo writes the registry beside every package",
    ),
    ("xtask/src/gate/words.rs", "it names the words"),
];

pub(super) fn check(sources: &[Source]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for rule in RULES {
        // The patterns are constants: `every_pattern_compiles` holds them to it.
        let Ok(pattern) = Regex::new(rule.pattern) else {
            continue;
        };
        for source in sources.iter().filter(|source| rule.concerns(&source.path)) {
            for (number, line) in source.text.lines().enumerate() {
                if let Some(found) = pattern
                    .find_iter(line)
                    .find(|found| !invented(found.as_str()))
                {
                    findings.push(Finding {
                        place: format!("{}:{}", source.path, number + 1),
                        what: format!("{}: `{}`", rule.what, found.as_str().trim()),
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
        let excepted = EXCEPTIONS.iter().any(|(exception, _)| *exception == path);
        !excepted && (self.only.is_empty() || self.only.iter().any(|end| path.ends_with(end)))
    }
}

fn invented(found: &str) -> bool {
    INVENTED_HOMES.iter().any(|home| found.ends_with(home))
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
    fn words_are_found_where_they_stand_and_not_inside_others() {
        let text = "\
fn f() { todo!() }
let todos = 1; // a to-do list is fine
// FIXME later
#[ignore]
#[ignore = \"slow\"]
cd /home/somebody/project
cd /home/ada/project
let path = \"/root/.cache\";
<root>/root and crates/work/root and ~/work and [tmp]/work
see /work/shared
";
        let found: Vec<String> = check(&[Source {
            path: "a.rs".to_owned(),
            text: text.to_owned(),
        }])
        .iter()
        .map(|finding| format!("{}: {}", finding.place, finding.what))
        .collect();
        insta::assert_debug_snapshot!(found, @r#"
        [
            "a.rs:1: unfinished code: `todo!(`",
            "a.rs:3: a mark of unfinished work: `FIXME`",
            "a.rs:4: a test that is switched off: `#[ignore`",
            "a.rs:5: a test that is switched off: `#[ignore`",
            "a.rs:6: a path of one developer's machine: `/home/somebody`",
            "a.rs:8: a path of one developer's machine: `\"/root`",
            "a.rs:10: a path of one developer's machine: `/work`",
        ]
        "#);
    }

    #[test]
    fn registry_addresses_are_for_the_users_own_configuration() {
        let text = "url = https://index.crates.io/".to_owned();
        let source = |path: &str| Source {
            path: path.to_owned(),
            text: text.clone(),
        };
        assert_eq!(check(&[source(".cargo/config.toml")]).len(), 1);
        assert_eq!(check(&[source("Cargo.lock"), source("a.rs")]).len(), 0);
    }
}
