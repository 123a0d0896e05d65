//! Records: small files that many processes write and none overwrites unseen.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::{Command, Stdio};

use memdir_store::records::{Record, RecordError, Records, Seen};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Count {
    number: u32,
}

impl Record for Count {
    const KIND: &'static str = "counts";
    const VERSION: u64 = 2;
}

fn count(number: u32) -> Count {
    Count { number }
}

struct Scene {
    temporary: tempfile::TempDir,
    records: Records,
}

impl Scene {
    fn new() -> Self {
        let temporary = memdir_testkit::temporary_folder().unwrap();
        let records = Records::new(temporary.path().join("state"));
        Self { temporary, records }
    }

    fn put(&self, number: u32, seen: Option<&Seen>) -> Result<Seen, RecordError> {
        self.records.put("k", &count(number), seen)
    }

    fn number(&self) -> Option<u32> {
        self.records
            .get::<Count>("k")
            .unwrap()
            .map(|(count, _)| count.number)
    }

    fn file(&self) -> std::path::PathBuf {
        self.records.path_of::<Count>("k").unwrap()
    }

    /// The names in the kind's folder.
    fn names(&self) -> Vec<String> {
        let folder = self.temporary.path().join("state/counts");
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

#[test]
fn a_record_is_what_was_put() {
    let scene = Scene::new();
    assert_eq!(scene.number(), None);
    let seen = scene.put(1, None).unwrap();
    let (value, read) = scene.records.get::<Count>("k").unwrap().unwrap();
    assert_eq!((value, &read), (count(1), &seen));
    let text = fs::read_to_string(scene.file()).unwrap();
    insta::assert_snapshot!(text, @r#"{"version":2,"key":"k","value":{"number":1}}"#);
}

#[test]
fn only_who_has_seen_a_record_replaces_or_removes_it() {
    let scene = Scene::new();
    let first = scene.put(1, None).unwrap();
    assert!(matches!(
        scene.put(9, None),
        Err(RecordError::Conflict { .. })
    ));
    let second = scene.put(2, Some(&first)).unwrap();
    assert!(matches!(
        scene.put(9, Some(&first)),
        Err(RecordError::Conflict { .. })
    ));
    let removed = scene.records.remove::<Count>("k", &first);
    assert!(matches!(removed, Err(RecordError::Conflict { .. })));
    assert_eq!(scene.number(), Some(2));
    scene.records.remove::<Count>("k", &second).unwrap();
    assert_eq!(scene.number(), None);
    // What is gone is no longer what was seen.
    assert!(matches!(
        scene.put(9, Some(&second)),
        Err(RecordError::Conflict { .. })
    ));
    scene.records.remove::<Count>("k", &second).unwrap();
}

#[test]
fn reading_creates_nothing() {
    let scene = Scene::new();
    scene.records.get::<Count>("k").unwrap();
    assert!(scene.records.list::<Count>().unwrap().records.is_empty());
    assert!(
        fs::read_dir(scene.temporary.path())
            .unwrap()
            .next()
            .is_none()
    );
}

#[test]
fn files_are_the_users_alone() {
    let scene = Scene::new();
    scene.put(1, None).unwrap();
    let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&scene.file()), 0o600);
    assert_eq!(mode(scene.file().parent().unwrap()), 0o700);
    assert_eq!(mode(&scene.temporary.path().join("state")), 0o700);
}

#[test]
fn a_record_of_a_newer_memdir_is_left_alone() {
    let scene = Scene::new();
    let seen = scene.put(1, None).unwrap();
    let newer = r#"{"version":3,"something":"else"}"#;
    fs::write(scene.file(), newer).unwrap();
    let is_newer = |error: &RecordError| {
        matches!(
            error,
            RecordError::Newer {
                found: 3,
                known: 2,
                ..
            }
        )
    };
    assert!(is_newer(&scene.records.get::<Count>("k").unwrap_err()));
    assert!(is_newer(&scene.put(2, None).unwrap_err()));
    assert!(is_newer(&scene.put(2, Some(&seen)).unwrap_err()));
    assert!(is_newer(
        &scene.records.remove::<Count>("k", &seen).unwrap_err()
    ));
    assert!(is_newer(
        &scene.records.update("k", |_| count(9)).unwrap_err()
    ));
    assert!(is_newer(
        &scene.records.list::<Count>().unwrap().problems[0]
    ));
    assert_eq!(fs::read_to_string(scene.file()).unwrap(), newer);
}

#[test]
fn a_damaged_record_is_reported_and_kept_beside_the_next_one() {
    let scene = Scene::new();
    scene.put(1, None).unwrap();
    for (round, damage) in ["", "{\"version\":2,\"key\":\"k\",\"val", "\0\0\0"]
        .iter()
        .enumerate()
    {
        fs::write(scene.file(), damage).unwrap();
        let error = scene.records.get::<Count>("k").unwrap_err();
        assert!(matches!(error, RecordError::Damaged { .. }), "{error}");
        assert_eq!(scene.records.list::<Count>().unwrap().problems.len(), 1);
        scene.put(5, None).unwrap();
        assert_eq!(scene.number(), Some(5));
        let kept = scene
            .file()
            .with_file_name(format!("k.json.bad-{}", round + 1));
        assert_eq!(&fs::read_to_string(kept).unwrap(), damage);
    }
    assert_eq!(
        scene.names(),
        [
            ".lock",
            "k.json",
            "k.json.bad-1",
            "k.json.bad-2",
            "k.json.bad-3"
        ]
    );
}

#[test]
fn a_link_in_a_records_place_is_not_followed() {
    let scene = Scene::new();
    scene.put(1, None).unwrap();
    let outside = scene.temporary.path().join("outside");
    fs::rename(scene.file(), &outside).unwrap();
    symlink(&outside, scene.file()).unwrap();
    let before = fs::read(&outside).unwrap();
    assert!(scene.records.get::<Count>("k").is_err());
    scene.put(7, None).unwrap();
    assert_eq!(fs::read(&outside).unwrap(), before);
    assert_eq!(scene.number(), Some(7));
}

#[test]
fn the_record_of_another_key_is_damage() {
    let scene = Scene::new();
    scene.records.put("other", &count(1), None).unwrap();
    fs::copy(
        scene.records.path_of::<Count>("other").unwrap(),
        scene.file(),
    )
    .unwrap();
    assert!(matches!(
        scene.records.get::<Count>("k").unwrap_err(),
        RecordError::Damaged { .. }
    ));
}

#[test]
fn any_text_is_a_key_and_stays_in_its_folder() {
    let scene = Scene::new();
    let long = "x/".repeat(400);
    let keys = [
        "..",
        "../../evil",
        "/etc/passwd",
        ".lock",
        "a\0b",
        "日本",
        &long,
    ];
    for (number, key) in (1..).zip(keys) {
        scene.records.put(key, &count(number), None).unwrap();
    }
    let listed = scene.records.list::<Count>().unwrap();
    let mut found: Vec<&str> = listed
        .records
        .iter()
        .map(|(key, ..)| key.as_str())
        .collect();
    found.sort_unstable();
    let mut expected = keys;
    expected.sort_unstable();
    assert_eq!(found, expected);
    assert_eq!(scene.names().len(), keys.len() + 1);
    assert!(matches!(
        scene.records.get::<Count>("").unwrap_err(),
        RecordError::Key(_)
    ));
}

#[test]
fn what_killed_writers_left_is_removed() {
    let scene = Scene::new();
    scene.put(1, None).unwrap();
    let orphan = scene.file().with_file_name(".memdir-1-2-3.tmp");
    fs::write(&orphan, "half").unwrap();
    assert_eq!(scene.records.list::<Count>().unwrap().records.len(), 1);
    assert_eq!(scene.records.remove_orphans::<Count>().unwrap(), 1);
    assert_eq!(scene.names(), [".lock", "k.json"]);
}

const PROCESSES: u32 = 6;
const UPDATES: u32 = 25;
const CHILD_FOLDER: &str = "MEMDIR_TEST_RECORDS";

#[test]
fn many_processes_update_one_record_and_no_update_is_lost() {
    let scene = Scene::new();
    let children: Vec<_> = (0..PROCESSES)
        .map(|_| {
            Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "records::as_a_child"])
                .env(CHILD_FOLDER, scene.temporary.path().join("state"))
                .stdout(Stdio::null())
                .spawn()
                .unwrap()
        })
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(scene.number(), Some(PROCESSES * UPDATES));
    assert_eq!(scene.names(), [".lock", "k.json"]);
}

/// One of the processes of another test; alone it has nothing to do.
#[test]
fn as_a_child() {
    let Some(folder) = std::env::var_os(CHILD_FOLDER) else {
        return;
    };
    let records = Records::new(folder);
    for _ in 0..UPDATES {
        records
            .update("k", |before: Option<Count>| {
                count(before.map_or(0, |count| count.number) + 1)
            })
            .unwrap();
    }
}
