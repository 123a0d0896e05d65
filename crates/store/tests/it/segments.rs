//! A history of many segments.

use std::fs;

use crate::fixture::{Fixture, path};

/// Changes some files so often that the history has several segments; how many.
fn grown() -> (Fixture, usize) {
    let fixture = Fixture::new();
    fixture.write("old.md", "never changed since\n");
    let filler = "a line that makes the content longer than a difference\n".repeat(100);
    for number in 0..160 {
        fixture.write(
            &format!("topic-{}.md", number % 3),
            &format!("{number}\n{filler}{number}\n"),
        );
        fixture.write(
            "MEMORY.md",
            &format!("- [Topic](topic.md): {number}\n{filler}"),
        );
    }
    let segments = segments(&fixture);
    (fixture, segments)
}

fn segments(fixture: &Fixture) -> usize {
    let entries = fs::read_dir(fixture.state().join("history")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.starts_with("log")).count()
}

#[test]
fn a_long_history_is_kept_in_segments_that_tell_all_together() {
    let (fixture, segments) = grown();
    assert!(segments > 3, "{segments}");
    let history = fixture.another().history().unwrap();
    assert_eq!(history.operations.len(), 321);
    for change in history.operations.iter().flat_map(|one| &one.changes) {
        for digest in [change.before, change.after].into_iter().flatten() {
            history.content(&change.path, digest).unwrap();
        }
    }
    assert!(fixture.another().sweep().unwrap().outside.is_empty());
    // Folded anew from all of them it is the same.
    fs::remove_file(fixture.state().join("history/heads.json")).unwrap();
    assert!(fixture.another().sweep().unwrap().outside.is_empty());
}

#[test]
fn the_latest_change_is_taken_back_by_the_last_segment_alone() {
    let (fixture, _) = grown();
    let seen = fixture.content("old.md").unwrap();
    fixture.write("old.md", "changed at last\n");
    let id = fixture
        .store
        .history()
        .unwrap()
        .operations
        .last()
        .unwrap()
        .id;
    // What stands in the other segments is not needed.
    let folder = fixture.state().join("history");
    let mut names: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with("log"))
        .collect();
    names.sort_by_key(|name| (name.len(), name.clone()));
    for name in &names[..names.len() - 1] {
        fs::write(folder.join(name), "unreadable").unwrap();
    }
    let store = fixture.another();
    let history = store
        .history_until(|read| read.last_undoable().is_some())
        .unwrap();
    assert!(history.operations.len() < 321);
    let plan = store.plan_undo(&history, id).unwrap();
    store.restore(plan).unwrap();
    assert_eq!(fixture.content("old.md").unwrap(), seen);
}

#[test]
fn any_operation_of_any_segment_can_be_taken_back() {
    let (fixture, _) = grown();
    let store = fixture.another();
    let history = store.history_of(1).unwrap();
    let plan = store.plan_undo(&history, 1).unwrap();
    store.restore(plan).unwrap();
    assert_eq!(fixture.content("old.md"), None);
    let last = store.history().unwrap().operations.last().unwrap().id;
    let history = store.history_of(last).unwrap();
    assert!(history.get(1).is_ok(), "with the one that it takes back");
    let plan = store.plan_undo(&history, last).unwrap();
    store.restore(plan).unwrap();
    assert_eq!(fixture.content("old.md").unwrap(), "never changed since\n");
}

#[test]
fn a_history_of_one_long_file_goes_on_in_a_new_segment() {
    let (fixture, _) = grown();
    let folder = fixture.state().join("history");
    let mut names: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with("log"))
        .collect();
    names.sort_by_key(|name| (name.len(), name.clone()));
    let all: Vec<u8> = names
        .iter()
        .flat_map(|name| fs::read(folder.join(name)).unwrap())
        .collect();
    for name in &names {
        fs::remove_file(folder.join(name)).unwrap();
    }
    fs::remove_file(folder.join("heads.json")).unwrap();
    // As older versions kept it.
    fs::write(folder.join("log.jsonl"), &all).unwrap();
    let store = fixture.another();
    let before = store.history().unwrap().operations.len();
    let mut operation = store.operation(crate::fixture::reason("write"));
    operation.write(&path("new.md"), None, b"new\n".to_vec());
    operation.commit().unwrap();
    assert_eq!(segments(&fixture), 2);
    assert_eq!(
        fs::read(folder.join("log.jsonl")).unwrap(),
        all,
        "it stays as it is"
    );
    assert_eq!(store.history().unwrap().operations.len(), before + 1);
}

#[test]
fn a_copied_home_keeps_what_was_folded() {
    let (fixture, _) = grown();
    let copy = tempfile::tempdir().unwrap();
    let copied = std::process::Command::new("cp")
        .args(["-a", "--"])
        .arg(fixture.state())
        .arg(fixture.memory())
        .arg(copy.path())
        .status()
        .unwrap();
    assert!(copied.success());
    let folder = copy.path().join("state/history");
    // Were they folded anew, these would be read, and found unreadable.
    fs::write(folder.join("log.jsonl"), "{\"v\":99}\n").unwrap();
    let store = crate::fixture::store_in(copy.path());
    let mut operation = store.operation(crate::fixture::reason("write"));
    operation.write(&path("new.md"), None, b"new\n".to_vec());
    operation.commit().unwrap();
}

#[test]
fn a_purge_reaches_into_every_segment() {
    let (fixture, _) = grown();
    let purged = fixture
        .store
        .purge(&[path("topic-1.md")], memdir_store::SharedLines::Cut)
        .unwrap();
    assert!(purged.versions > 50);
    let history = fixture.another().history().unwrap();
    let mut changes = history.operations.iter().flat_map(|one| &one.changes);
    assert!(changes.all(|change| change.path != path("topic-1.md")));
    assert!(fixture.another().sweep().unwrap().outside.is_empty());
    assert!(history.get(4).unwrap_err().to_string().contains("purged"));
}

#[test]
fn a_purge_that_was_killed_leaves_one_whole_history() {
    let (fixture, _) = grown();
    let state = fixture.state();
    let before = fixture.store.history().unwrap().operations.len();
    // Killed while the new history was written.
    fs::create_dir(state.join("history.other")).unwrap();
    fs::write(state.join("history.other/log.jsonl"), "half").unwrap();
    fixture.another().finish_purge().unwrap();
    assert!(!state.join("history.other").exists());
    assert_eq!(
        fixture.another().history().unwrap().operations.len(),
        before
    );
    // Killed where two folders cannot change places in one step.
    fs::rename(state.join("history"), state.join("history.other")).unwrap();
    fs::create_dir(state.join("history.gone")).unwrap();
    fixture.another().finish_purge().unwrap();
    assert!(!state.join("history.gone").exists());
    assert_eq!(
        fixture.another().history().unwrap().operations.len(),
        before
    );
}
