use std::fs;

use insta::assert_snapshot;
use memdir_store::{RENAME, Reason, SharedLines, traces};

use crate::fixture::{Fixture, path, reason};

const WORDS: &str = "the walrus was paid in herring";

fn remember(fixture: &Fixture, name: &str, text: &str) {
    let mut operation = fixture.store.operation(reason("remember"));
    operation.write(&path(name), None, format!("{text}\n").into_bytes());
    let line = format!("- [{text}]({name})\n").into_bytes();
    operation.update(&path("MEMORY.md"), move |current| {
        Some([current.unwrap_or_default(), &line].concat())
    });
    operation.commit().unwrap();
}

#[test]
fn nothing_of_a_purged_memory_is_left_in_files_or_history() {
    let fixture = Fixture::new();
    remember(&fixture, "kept.md", "something to keep for good");
    remember(&fixture, "walrus.md", WORDS);
    remember(&fixture, "also.md", "another thing to keep for good");
    let seen = fixture.store.read(&path("walrus.md")).unwrap().unwrap();
    let mut rename = fixture.store.operation(Reason {
        what: RENAME.to_owned(),
        ..reason("")
    });
    rename.write(&path("seal.md"), None, seen.bytes.clone());
    rename.remove(&path("walrus.md"), seen);
    rename.commit().unwrap();
    fixture.write("seal.md", &format!("{WORDS}, every week\n"));

    for derived in ["recall", "conversations"] {
        let folder = fixture.store.state_directory().join(derived);
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("base"), WORDS).unwrap();
    }

    let purged = fixture
        .store
        .purge(&[path("seal.md")], SharedLines::Keep)
        .unwrap();
    assert_eq!(purged.names, [path("seal.md"), path("walrus.md")]);
    assert_eq!(
        traces(fixture.root(), &[WORDS.to_owned(), "walrus".to_owned()]),
        Vec::<std::path::PathBuf>::new()
    );
    assert_snapshot!(fixture.tree(), @r#"
    MEMORY.md: "- [something to keep for good](kept.md)\n- [another thing to keep for good](also.md)\n"
    also.md: "another thing to keep for good\n"
    kept.md: "something to keep for good\n"
    "#);
    // The rest of the history still works.
    assert!(fixture.another().sweep().unwrap().outside.is_empty());
    let history = fixture.store.history().unwrap();
    for change in history
        .operations
        .iter()
        .flat_map(|operation| &operation.changes)
    {
        if let Some(digest) = change.after {
            history.content(&change.path, digest).unwrap();
        }
    }
    let plan = fixture.store.plan_undo(&history, 3).unwrap();
    fixture.store.restore(plan).unwrap();
    assert_eq!(
        fixture.content("MEMORY.md").unwrap(),
        "- [something to keep for good](kept.md)\n"
    );
}

#[test]
fn a_memory_that_is_only_in_the_history_can_be_purged() {
    let fixture = Fixture::new();
    remember(&fixture, "walrus.md", WORDS);
    fixture.remove("walrus.md");
    fixture
        .store
        .purge(&[path("walrus.md")], SharedLines::Keep)
        .unwrap();
    assert!(traces(fixture.root(), &[WORDS.to_owned()]).is_empty());
}

#[test]
fn planning_removes_nothing() {
    let fixture = Fixture::new();
    remember(&fixture, "walrus.md", WORDS);
    let purged = fixture.store.plan_purge(&[path("walrus.md")]).unwrap();
    assert_eq!((purged.files, purged.versions), (1, 1));
    assert_eq!(traces(fixture.root(), &[WORDS.to_owned()]).len(), 3);
}

#[test]
fn everything_goes_with_history_and_state() {
    let fixture = Fixture::new();
    remember(&fixture, "walrus.md", WORDS);
    fixture.outside(".memdir-dead-1.tmp", WORDS);
    fixture.store.purge_everything().unwrap();
    assert_eq!(fixture.tree(), "");
    assert!(!fixture.state().exists());
    assert!(fs::read_dir(fixture.root()).unwrap().count() == 1);
}

#[test]
fn another_memory_under_an_old_name_stays() {
    let fixture = Fixture::new();
    remember(&fixture, "walrus.md", WORDS);
    let seen = fixture.store.read(&path("walrus.md")).unwrap().unwrap();
    let mut rename = fixture.store.operation(Reason {
        what: RENAME.to_owned(),
        ..reason("")
    });
    rename.write(&path("seal.md"), None, seen.bytes.clone());
    rename.remove(&path("walrus.md"), seen);
    rename.update(&path("MEMORY.md"), |current| {
        Some(
            String::from_utf8_lossy(current?)
                .replace("walrus.md", "seal.md")
                .into_bytes(),
        )
    });
    rename.commit().unwrap();
    fixture.write("walrus.md", "quite another thing to keep\n");

    fixture
        .store
        .purge(&[path("seal.md")], SharedLines::Keep)
        .unwrap();
    assert!(traces(fixture.root(), &[WORDS.to_owned()]).is_empty());
    assert_eq!(
        fixture.content("walrus.md").unwrap(),
        "quite another thing to keep\n"
    );
    let history = fixture.store.history().unwrap();
    let last = history.operations.last().unwrap();
    assert_eq!(last.changes[0].path, path("walrus.md"));
    assert!(fixture.another().sweep().unwrap().outside.is_empty());
}

#[test]
fn lines_that_only_an_old_version_had_are_looked_for_too() {
    let fixture = Fixture::new();
    fixture.write(
        "walrus.md",
        "first line of some length\nlast line of some length\n",
    );
    fixture.write(
        "walrus.md",
        "first line of some length\nthe middle was here once\nlast line of some length\n",
    );
    fixture.write(
        "walrus.md",
        "first line of some length\nlast line of some length\n",
    );
    let purged = fixture.store.plan_purge(&[path("walrus.md")]).unwrap();
    assert!(
        purged
            .needles
            .contains(&"the middle was here once".to_owned())
    );
    assert_eq!(fixture.store.plan_purge_everything().unwrap().versions, 3);
}
