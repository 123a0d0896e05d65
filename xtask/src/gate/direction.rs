//! Nothing below knows what is above it: which of our crates may use which.

use super::Finding;
use super::manifests::Member;

/// Every room of the house and what it may use, bottom first. A crate that is not here does not
/// exist: give it its row before its folder.
const TABLE: &[(&str, &[&str])] = &[
    ("memory", &[]),
    ("settings", &[]),
    ("conversation", &[]),
    ("store", &["memory", "settings"]),
    ("recall", &["memory", "store"]),
    ("model", &["conversation"]),
    ("context", &["memory", "conversation"]),
    ("tools", &["memory", "conversation", "store", "model"]),
    (
        "agent",
        &[
            "memory",
            "settings",
            "conversation",
            "store",
            "recall",
            "model",
            "context",
            "tools",
        ],
    ),
    (
        "session",
        &[
            "memory",
            "settings",
            "conversation",
            "store",
            "recall",
            "model",
            "context",
            "tools",
            "agent",
        ],
    ),
    (
        "serve",
        &[
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
        ],
    ),
    (
        "cli",
        &[
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
    ),
    ("testkit", &[]),
    ("xtask", &["testkit"]),
];

/// The only one of ours that tests may use besides what their crate already uses.
const FOR_TESTS: &str = "testkit";

pub(super) fn check(members: &[Member]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for member in members {
        let Some((_, allowed)) = TABLE.iter().find(|(room, _)| *room == member.room) else {
            findings.push(Finding {
                place: member.package.clone(),
                what: "a crate that the table of rooms does not know".to_owned(),
                remedy: "add its row to xtask/src/gate/direction.rs and to ARCHITECTURE.md",
            });
            continue;
        };
        for used in &member.uses {
            let fine = allowed.contains(&used.room.as_str())
                || (used.only_in_tests && used.room == FOR_TESTS);
            if !fine {
                findings.push(Finding {
                    place: member.package.clone(),
                    what: format!("uses `{}`, which is not below it", used.room),
                    remedy: "move the code to the crate whose job it is, or pass the value in",
                });
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::manifests::Use;
    use super::*;

    fn member(room: &str, uses: &[(&str, bool)]) -> Member {
        let uses = uses
            .iter()
            .map(|(room, only_in_tests)| Use {
                room: (*room).to_owned(),
                only_in_tests: *only_in_tests,
            })
            .collect();
        Member {
            package: format!("memdir-{room}"),
            room: room.to_owned(),
            manifest: String::new(),
            uses,
        }
    }

    #[test]
    fn a_lower_crate_may_not_use_a_higher_one() {
        let members = [
            member("store", &[("memory", false), ("testkit", true)]),
            member("memory", &[("store", true)]),
            member("settings", &[("testkit", false)]),
            member("cellar", &[]),
        ];
        let found: Vec<String> = check(&members).iter().map(ToString::to_string).collect();
        insta::assert_debug_snapshot!(found, @r#"
        [
            "memdir-memory: uses `store`, which is not below it; move the code to the crate whose job it is, or pass the value in",
            "memdir-settings: uses `testkit`, which is not below it; move the code to the crate whose job it is, or pass the value in",
            "memdir-cellar: a crate that the table of rooms does not know; add its row to xtask/src/gate/direction.rs and to ARCHITECTURE.md",
        ]
        "#);
    }

    #[test]
    fn the_table_names_only_rooms_that_stand_before() {
        for (position, (room, uses)) in TABLE.iter().enumerate() {
            for used in *uses {
                assert!(
                    TABLE.iter().take(position).any(|(below, _)| below == used),
                    "{room} may use {used}, which does not stand before it"
                );
            }
        }
    }
}
