use std::fs;

use insta::{assert_debug_snapshot, assert_snapshot};

use crate::fixture::Fixture;

#[test]
fn the_first_sight_is_a_baseline_without_alarm() {
    let fixture = Fixture::new();
    fixture.outside("MEMORY.md", "- [A](a.md)\n");
    fixture.outside("a.md", "a\n");
    fixture.outside("logs/2026/11/2026-11-15.md", "- 10:00 x\n");
    let sweep = fixture.store.sweep().unwrap();
    assert!(sweep.first && sweep.outside.is_empty());
    assert_eq!(
        fixture.store.history().unwrap().operations[0].changes.len(),
        3
    );
}

#[test]
fn what_others_did_is_recorded_against_the_last_content_known() {
    let fixture = Fixture::new();
    for name in ["kept.md", "changed.md", "removed.md"] {
        fixture.write(name, "one\n");
    }
    fixture.outside("changed.md", "two\n");
    fixture.outside("added.md", "new\n");
    fs::remove_file(fixture.memory().join("removed.md")).unwrap();
    let outside = fixture.store.sweep().unwrap().outside;
    assert_debug_snapshot!(outside, @r#"
    [
        (
            MemoryPath(
                "added.md",
            ),
            Added,
        ),
        (
            MemoryPath(
                "changed.md",
            ),
            Changed,
        ),
        (
            MemoryPath(
                "removed.md",
            ),
            Removed,
        ),
    ]
    "#);
    assert!(fixture.store.sweep().unwrap().outside.is_empty());
}

#[test]
fn a_directory_that_is_not_there_is_not_made() {
    let fixture = Fixture::new();
    fixture.store.sweep().unwrap();
    fixture.store.scan().unwrap();
    fixture.store.history().unwrap();
    assert_eq!(fs::read_dir(fixture.root()).unwrap().count(), 0);
}

#[test]
fn a_sweep_with_nothing_to_record_writes_nothing() {
    let fixture = Fixture::new();
    fixture.write("a.md", "one\n");
    let before = fs::metadata(fixture.state().join("lock"))
        .unwrap()
        .modified()
        .unwrap();
    fixture.another().sweep().unwrap();
    assert_eq!(
        fs::metadata(fixture.state().join("lock"))
            .unwrap()
            .modified()
            .unwrap(),
        before
    );
}

#[test]
fn temporaries_of_the_dead_go_and_those_of_the_living_stay() {
    let fixture = Fixture::new();
    fixture.write("a.md", "one\n");
    fixture.outside(".memdir-dead-1.tmp", "half");
    let living = fixture.memory().join(".memdir-living-1.tmp");
    let held = fs::File::create(&living).unwrap();
    held.lock().unwrap();
    let sweep = fixture.store.sweep().unwrap();
    assert_eq!(sweep.orphans, 1);
    assert_snapshot!(fixture.tree(), @r#"
    .memdir-living-1.tmp: ""
    a.md: "one\n"
    "#);
}

#[test]
fn what_only_bears_the_name_of_a_temporary_holds_up_nothing() {
    let fixture = Fixture::new();
    fixture.write("a.md", "one\n");
    fs::create_dir(fixture.memory().join(".memdir-folder-1.tmp")).unwrap();
    let link = fixture.memory().join(".memdir-link-1.tmp");
    std::os::unix::fs::symlink(fixture.memory().join("a.md"), link).unwrap();
    fixture.outside("a.md", "two\n");
    let sweep = fixture.store.sweep().unwrap();
    assert_eq!((sweep.outside.len(), sweep.orphans), (1, 0));
    let mut skipped: Vec<_> = sweep.skipped.iter().map(|skipped| &skipped.path).collect();
    skipped.sort();
    assert_debug_snapshot!(skipped, @r#"
    [
        ".memdir-folder-1.tmp",
        ".memdir-link-1.tmp",
    ]
    "#);
}

#[test]
fn what_a_killed_process_left_beside_the_history_goes() {
    let fixture = Fixture::new();
    fixture.write("a.md", "one\n");
    let left = fixture.state().join("history/.memdir-dead-1.tmp");
    fs::write(&left, "half").unwrap();
    assert_eq!(fixture.store.sweep().unwrap().orphans, 1);
    assert!(!left.exists());
}

#[test]
fn deleting_the_saved_heads_loses_nothing() {
    let fixture = Fixture::new();
    for number in 0..400 {
        fixture.write(&format!("note-{number}.md"), &"text\n".repeat(80));
    }
    let heads = fixture.state().join("history/heads.json");
    assert!(heads.exists());
    fs::remove_file(&heads).unwrap();
    assert!(fixture.another().sweep().unwrap().outside.is_empty());
    fs::write(&heads, "not json").unwrap();
    assert!(fixture.another().sweep().unwrap().outside.is_empty());
}
