//! `memdir audit`.

use std::os::unix::fs::symlink;

use insta::assert_snapshot;
use memdir_testkit::tree::fingerprint;

use crate::fixture::Fixture;

/// Put together here, so that no scanner takes this file for a leak.
fn token() -> String {
    ["ghp_", "aB3dE6gH9jK2mN5p", "Q8sT1vW4yZ7bC0eF3hJ6"].concat()
}

#[test]
fn clean_memories_pass() {
    let fixture = Fixture::new();
    fixture.topic("user_role.md", 3, "user", "Writes Rust", "Ten years of Rust.");
    fixture.file("MEMORY.md", 0, "- [Role](user_role.md) — writes Rust\n");
    assert_snapshot!(fixture.run(&["audit"]), @"");
}

#[test]
fn nothing_there_is_nothing_wrong() {
    let fixture = Fixture::new();
    assert_snapshot!(fixture.run(&["audit"]), @"");
}

/// One of every fault.
fn faulty() -> Fixture {
    let fixture = Fixture::new();
    fixture.topic("reference_api.md", 0, "reference", "The API", &format!("The key:\n{}", token()));
    fixture.topic("sly.md", 0, "user", "Sly", "Nothing\u{202E} here\u{E0041}\u{E0042}.");
    fixture.topic("feedback_tabs.md", 1, "feedback", "Use tabs in Makefiles", "Use tabs in Makefiles.");
    fixture.topic("feedback_no_tabs.md", 2, "feedback", "Never use tabs in Makefiles", "Never use tabs in Makefiles.");
    fixture.topic_with("past.md", 9, "project", "Frozen", &["expires: 2020-02-29"], "Frozen builds.");
    fixture.topic("old_project.md", 31, "project", "Moving the cluster", "Cluster moves.");
    fixture.topic("old_user.md", 31, "user", "Likes short answers", "Short answers.");
    fixture.topic_with("web.md", 0, "reference", "From the web", &["source: tool"], "See [[nowhere]].");
    fixture.topic("long.md", 0, "reference", "Long", &"A line of some length.\n".repeat(300));
    fixture.topic("huge.md", 0, "reference", "Huge", &"Some other words in here.\n".repeat(2000));
    fixture.file("bare.md", 0, "Text alone.\n");
    fixture.file("broken.md", 0, "---\nname: broken\ntype: opinion\n\nNever closed.\n");
    symlink("/etc/passwd", fixture.memory_dir().join("link.md")).unwrap();
    let indexed = ["reference_api", "sly", "feedback_tabs", "feedback_tabs", "gone", "../up"];
    let index: String = indexed.iter().map(|name| format!("- [{name}]({name}.md) — x\n")).collect();
    fixture.file("MEMORY.md", 0, index);
    fixture
}

#[test]
fn one_of_every_fault() {
    let outcome = faulty().run(&["audit"]);
    assert!(!outcome.to_string().contains(&token()));
    assert_snapshot!(outcome, @"");
}

#[test]
fn json() {
    let fixture = Fixture::new();
    fixture.topic("reference_api.md", 0, "reference", "The API", &format!("The key:\n{}", token()));
    fixture.topic("web.md", 0, "reference", "From\u{200B} the web", "See [[nowhere]].");
    fixture.file("MEMORY.md", 0, "- [API](reference_api.md)\n- [Web](web.md)\n");
    let outcome = fixture.run(&["audit", "--json"]);
    assert!(!outcome.to_string().contains(&token()));
    assert_snapshot!(outcome, @"");
}

#[test]
fn many_places_are_cut_unless_all_are_asked_for() {
    let fixture = Fixture::new();
    let subjects = ["ants", "bees", "cats", "dogs", "elks"];
    let verbs = ["eat", "sleep", "swim", "walk", "jump"];
    let mut index = String::new();
    for (at, subject) in subjects.iter().enumerate() {
        for (also, verb) in verbs.iter().enumerate() {
            let name = format!("old_{at}_{also}.md");
            fixture.topic(&name, 100, "user", &format!("{subject} {verb}"), "");
            index.push_str(&format!("- [Old]({name})\n"));
        }
    }
    fixture.file("MEMORY.md", 0, index);
    let few = fixture.run(&["audit"]);
    assert!(few.stdout().contains("… and 5 more (--all)"), "{few}");
    let all = fixture.run(&["audit", "--all"]);
    assert_eq!(all.stdout().matches("100 days old").count(), 25, "{all}");
    assert_eq!(all.code(), Some(0), "notes alone are no failure: {all}");
}

#[test]
fn an_audit_changes_nothing() {
    let fixture = faulty();
    let before = fingerprint(fixture.sandbox.root()).unwrap();
    fixture.run(&["audit"]);
    assert_eq!(fingerprint(fixture.sandbox.root()).unwrap(), before);
}
