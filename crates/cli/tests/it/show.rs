//! `memdir show`.

use insta::assert_snapshot;

use crate::fixture::Fixture;

#[test]
fn a_memory_with_its_links() {
    let fixture = Fixture::with_some();
    assert_snapshot!(fixture.run(&["show", "feedback_no_push_on_friday.md"]), @"");
}

#[test]
fn an_old_one_comes_with_a_caveat() {
    let fixture = Fixture::with_some();
    assert_snapshot!(fixture.run(&["show", "user_role"]), @"");
}

#[test]
fn json() {
    let fixture = Fixture::with_some();
    assert_snapshot!(fixture.run(&["show", "feedback", "--json"]), @"");
}

#[test]
fn the_index_is_shown_as_an_agent_sees_it() {
    let fixture = Fixture::with_some();
    assert_snapshot!(fixture.run(&["show", "MEMORY.md"]), @"");
    assert_snapshot!(fixture.run(&["show", "memory.md", "--json"]), @"");

    let long: String = (0..230).map(|n| format!("- [N{n}](n{n}.md) — number\n")).collect();
    fixture.file("MEMORY.md", 0, long);
    let shown = fixture.run(&["show", "MEMORY.md"]).stdout();
    let tail: Vec<&str> = shown.lines().skip(198).collect();
    assert_snapshot!(tail.join("\n"), @"");
}

#[test]
fn hidden_text_is_made_visible() {
    let fixture = Fixture::new();
    let sly = "---\nname: sly\ndescription: har\u{202E}mless\ntype: user\n---\n\n\
               Line one\rLine 1 \u{1B}[2J\u{E0041}\u{E0042}, and \u{1F468}\u{200D}\u{1F469} stays.\r\n";
    fixture.file("sly.md", 0, sly);
    assert_snapshot!(fixture.run(&["show", "sly"]), @"");
    assert_eq!(fixture.run(&["show", "sly", "--raw"]).stdout(), sly);
}

#[test]
fn expiry_and_origin_are_told() {
    let fixture = Fixture::new();
    let metadata = ["source: tool", "expires: 2020-02-29"];
    fixture.topic_with("freeze.md", 0, "project", "Frozen", &metadata, "Frozen.");
    assert_snapshot!(fixture.run(&["show", "freeze"]), @"");
}

#[test]
fn what_is_not_there_is_told_kindly() {
    let fixture = Fixture::with_some();
    fixture.topic("user_rooms.md", 0, "user", "Rooms", "Rooms.");
    assert_snapshot!(fixture.run(&["show", "user_rolle"]), @"");
    assert_snapshot!(fixture.run(&["show", "user_ro"]), @"");
    assert_snapshot!(fixture.run(&["show", "../../etc/passwd"]), @"");
    assert_snapshot!(fixture.run(&["show", "team/MEMORY.md"]), @"");
    assert_snapshot!(fixture.run(&["show"]), @"");
}
