use std::fs;
use std::time::{Duration, SystemTime};

use insta::assert_snapshot;
use jiff::Timestamp;
use memdir_store::Error;

use crate::fixture::{Fixture, path, store_in};

fn undo(fixture: &Fixture, operation: u64) -> Result<(), Error> {
    let history = fixture.store.history()?;
    let plan = fixture.store.plan_undo(&history, operation)?;
    fixture.store.restore(plan).map(|_| ())
}

#[test]
fn undo_of_a_removal_brings_back_content_and_time() {
    let fixture = Fixture::new();
    fixture.write("a.md", "one\n");
    let old = SystemTime::now() - Duration::from_secs(100_000);
    fs::File::open(fixture.memory().join("a.md"))
        .unwrap()
        .set_modified(old)
        .unwrap();
    fixture.store.sweep().unwrap();
    fixture.remove("a.md");
    undo(&fixture, 2).unwrap();
    assert_snapshot!(fixture.tree(), @r#"a.md: "one\n""#);
    let now = fs::metadata(fixture.memory().join("a.md"))
        .unwrap()
        .modified()
        .unwrap();
    assert!(now.duration_since(old).unwrap() < Duration::from_secs(1));
}

#[test]
fn undo_keeps_later_changes_to_other_lines() {
    let fixture = Fixture::new();
    fixture.write("a.md", "one\ntwo\nthree\nfour\n");
    fixture.write("a.md", "ONE\ntwo\nthree\nfour\n");
    fixture.write("a.md", "ONE\ntwo\nthree\nFOUR\n");
    undo(&fixture, 2).unwrap();
    assert_snapshot!(fixture.tree(), @r#"a.md: "one\ntwo\nthree\nFOUR\n""#);
}

#[test]
fn undo_of_one_of_several_index_lines_leaves_the_others() {
    let fixture = Fixture::new();
    fixture.write("MEMORY.md", "- [A](a.md)\n");
    fixture.write("MEMORY.md", "- [A](a.md)\n- [B](b.md)\n");
    fixture.write("MEMORY.md", "- [A](a.md)\n- [B](b.md)\n- [C](c.md)\n");
    undo(&fixture, 2).unwrap();
    assert_snapshot!(fixture.tree(), @r#"MEMORY.md: "- [A](a.md)\n- [C](c.md)\n""#);
    undo(&fixture, 1).unwrap();
    assert_snapshot!(fixture.tree(), @r#"MEMORY.md: "- [C](c.md)\n""#);
    undo(&fixture, 5).unwrap();
    // A line that was taken out comes back beside one that stands in its place by now.
    fixture.write("MEMORY.md", "- [A](a.md)\n");
    fixture.write("MEMORY.md", "- [A](a.md)\n- [D](d.md)\n");
    undo(&fixture, 7).unwrap();
    let index = fixture.content("MEMORY.md").unwrap();
    assert_eq!(index, "- [A](a.md)\n- [C](c.md)\n- [D](d.md)\n");
}

#[test]
fn undo_refuses_where_the_same_lines_changed_later() {
    let fixture = Fixture::new();
    fixture.write("a.md", "one\n");
    fixture.write("a.md", "two\n");
    fixture.write("a.md", "three\n");
    let error = undo(&fixture, 2).unwrap_err();
    assert!(
        matches!(&error, Error::UndoConflict { later, .. } if *later == [3]),
        "{error}"
    );
    assert_snapshot!(fixture.tree(), @r#"a.md: "three\n""#);
}

#[test]
fn undo_of_an_undo_is_a_redo() {
    let fixture = Fixture::new();
    fixture.write("a.md", "one\n");
    fixture.write("a.md", "two\n");
    undo(&fixture, 2).unwrap();
    assert_eq!(fixture.content("a.md").unwrap(), "one\n");
    undo(&fixture, 3).unwrap();
    assert_eq!(fixture.content("a.md").unwrap(), "two\n");
    let history = fixture.store.history().unwrap();
    assert_eq!(history.undone(), [3].into());
    assert_eq!(history.last_undoable().unwrap().id, 2);
}

#[test]
fn undoing_again_and_again_walks_back() {
    let fixture = Fixture::new();
    for text in ["one\n", "two\n", "three\n"] {
        fixture.write("a.md", text);
    }
    let mut seen = Vec::new();
    while let Some(id) = fixture
        .store
        .history()
        .unwrap()
        .last_undoable()
        .map(|operation| operation.id)
    {
        undo(&fixture, id).unwrap();
        seen.push(fixture.content("a.md"));
    }
    assert_eq!(
        seen,
        [Some("two\n".to_owned()), Some("one\n".to_owned()), None]
    );
}

#[test]
fn back_to_a_time_brings_back_every_file() {
    let fixture = Fixture::new();
    fixture.write("a.md", "a\n");
    fixture.write("b.md", "b\n");
    let then = Timestamp::now();
    std::thread::sleep(Duration::from_millis(2));
    fixture.write("a.md", "changed\n");
    fixture.write("c.md", "c\n");
    fixture.remove("b.md");
    fixture.outside("a.md", "behind our back\n");
    fixture.store.sweep().unwrap();
    let history = fixture.store.history().unwrap();
    let plan = fixture.store.plan_undo_to(&history, then).unwrap();
    fixture.store.restore(plan).unwrap();
    assert_snapshot!(fixture.tree(), @r#"
    a.md: "a\n"
    b.md: "b\n"
    "#);
}

#[test]
fn the_first_sight_of_a_directory_cannot_be_undone() {
    let fixture = Fixture::new();
    fixture.outside("a.md", "there before\n");
    fixture.store.sweep().unwrap();
    assert!(matches!(
        undo(&fixture, 1).unwrap_err(),
        Error::FirstSight(1)
    ));
    let history = fixture.store.history().unwrap();
    let plan = fixture
        .store
        .plan_undo_to(&history, Timestamp::UNIX_EPOCH)
        .unwrap();
    assert!(plan.files.is_empty());
}

#[test]
fn every_version_of_a_long_file_can_be_read_back() {
    let fixture = Fixture::new();
    let mut text = String::new();
    for number in 0..200 {
        text.push_str(&format!("line {number}\n"));
        fixture.write("long.md", &text);
    }
    let history = store_in(fixture.root()).history().unwrap();
    for (number, operation) in history.operations.iter().enumerate() {
        let change = &operation.changes[0];
        let content = history
            .content(&path("long.md"), change.after.unwrap())
            .unwrap();
        assert_eq!(
            content.iter().filter(|byte| **byte == b'\n').count(),
            number + 1
        );
    }
    // Whole versions at every change would be 200 times half the text.
    let size = fs::metadata(fixture.state().join("history/log.jsonl"))
        .unwrap()
        .len();
    assert!(size < 200 * 400 + 4 * text.len() as u64, "{size}");
}
