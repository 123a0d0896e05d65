//! What Claude Code 2.1.325 was seen to do with memory files: one test for each fact, named after it.

use insta::assert_snapshot;
use jiff::{Timestamp, ToSpan};
use memdir_memory::{MemoryPath, MemoryType, NewTopic, Source, Topic, age, index};

const SESSION: &str = "5f0c1a52-6d0e-4a55-9d1a-2a7c5d3b9f11";

/// A topic file after the client has been at it.
fn rewritten() -> String {
    format!(
        "---\nname: no-friday-push\ndescription: Never push to main on a Friday\nmetadata:\n  type: feedback\n  \
         node_type: memory\n  originSessionId: {SESSION}\n  modified: 2026-11-12T09:30:00.123Z\n---\n\nNever.\n\n\
         **Why:** nobody is there. **How to apply:** wait, see [[on-call]].\n"
    )
}

#[test]
fn frontmatter_is_name_description_and_a_type_beneath_metadata() {
    let topic = Topic::parse(rewritten().as_bytes());
    let header = topic.header();
    assert_eq!(header.name.as_deref(), Some("no-friday-push"));
    assert_eq!(
        header.description.as_deref(),
        Some("Never push to main on a Friday")
    );
    assert_eq!(header.memory_type, Some(MemoryType::Feedback));
    assert!(topic.problems().is_empty(), "{:?}", topic.problems());
}

#[test]
fn frontmatter_that_we_write_has_the_form_that_the_client_asks_for() {
    let text = Topic::compose(&NewTopic {
        name: "no-friday-push",
        description: "Never push to main on a Friday",
        memory_type: MemoryType::Feedback,
        source: Source::User,
        expires: None,
        metadata: &[],
        body: "Never.",
    });
    let keys: Vec<&str> = text.lines().take(7).collect();
    assert_snapshot!(keys.join("\n"), @"
    ---
    name: no-friday-push
    description: Never push to main on a Friday
    metadata:
      type: feedback
      source: user
    ---
    ");
}

#[test]
fn node_type_origin_session_id_and_modified_are_added_by_the_client_and_stay_through_our_edits() {
    let topic = Topic::parse(rewritten().as_bytes());
    assert_eq!(topic.metadata("originSessionId").as_deref(), Some(SESSION));
    let edited = topic
        .with_description("Never push on a Friday")
        .and_then(|topic| topic.with_type(MemoryType::Project))
        .unwrap();
    let expected = rewritten()
        .replace("Never push to main on a Friday", "Never push on a Friday")
        .replace("type: feedback", "type: project");
    assert_eq!(String::from_utf8_lossy(edited.bytes()), expected);
}

#[test]
fn index_lines_are_a_title_a_file_and_a_hook_without_frontmatter() {
    let target = MemoryPath::new("feedback_no_friday_push.md").unwrap();
    assert_snapshot!(index::entry_line("No push on Friday", &target, "not even a small fix"), @"- [No push on Friday](feedback_no_friday_push.md) — not even a small fix");
}

#[test]
fn an_index_that_the_client_wrote_itself_is_read() {
    // Of every visible topic file: the stem, the path and the description.
    let text = "- [user_role](user_role.md) — Writes Rust\n- [deep](notes/deep.md) — Kept in a sub-folder\n";
    let index = index::Index::parse(text.as_bytes());
    assert!(index.problems().is_empty(), "{:?}", index.problems());
    let paths: Vec<String> = index
        .entries()
        .map(|entry| entry.path().unwrap().to_string())
        .collect();
    assert_eq!(paths, ["user_role.md", "notes/deep.md"]);
}

#[test]
fn of_the_index_the_first_200_lines_are_loaded() {
    let lines =
        |count: usize| -> String { (1..=count).map(|n| format!("- [{n}]({n}.md)\n")).collect() };
    assert_eq!(index::load(lines(200).as_bytes()).warning, None);
    let cut = index::load(lines(201).as_bytes());
    assert!(cut.text.ends_with("- [200](200.md)"), "{}", cut.text);
    assert!(cut.warning.is_some());
}

#[test]
fn of_the_index_25_000_bytes_are_loaded_cut_at_a_line_and_a_warning_follows() {
    let line = format!("- [a](a.md) — {}\n", "x".repeat(985));
    assert_eq!(line.len(), 1_002);
    let cut = index::load(line.repeat(30).as_bytes());
    assert_eq!(cut.text.len(), 24 * line.len() - 1);
    let shown = cut.to_string();
    let (_, warning) = shown.split_once("\n\n> ").unwrap();
    assert!(warning.starts_with("Warning: MEMORY.md"), "{warning}");
}

#[test]
fn a_memory_of_30_hours_has_no_caveat_and_one_of_50_hours_has() {
    let now: Timestamp = "2026-11-15T12:00:00Z".parse().unwrap();
    let caveat = |hours: i64| age::caveat(age::days_between(now - hours.hours(), now));
    assert_eq!(caveat(30), None);
    assert!(caveat(50).unwrap().starts_with("Written 2 days ago."));
}
