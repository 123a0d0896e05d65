use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};

use insta::assert_snapshot;
use memdir_store::{Error, Notice, SecretPolicy};

use crate::fixture::{Fixture, path, reason};

#[test]
fn a_new_memory_and_its_index_line_are_one_operation() {
    let fixture = Fixture::new();
    let mut operation = fixture.store.operation(reason("remember"));
    operation.write(&path("user_role.md"), None, b"Keeps bees.\n".to_vec());
    operation.update(&path("MEMORY.md"), |current| {
        assert_eq!(current, None);
        Some(b"- [Role](user_role.md)\n".to_vec())
    });
    let outcome = operation.commit().unwrap();
    assert_eq!(outcome.operation, Some(1));
    assert_snapshot!(fixture.tree(), @r#"
    MEMORY.md: "- [Role](user_role.md)\n"
    user_role.md: "Keeps bees.\n"
    "#);
    assert_snapshot!(fixture.log(), @"#1 user remember: +user_role.md +MEMORY.md");
}

#[test]
fn files_and_folders_are_private() {
    let fixture = Fixture::new();
    fixture.write("team/a.md", "x\n");
    for (file, mode) in [
        ("memory", 0o700),
        ("memory/team", 0o700),
        ("memory/team/a.md", 0o600),
        ("state", 0o700),
    ] {
        let metadata = fs::metadata(fixture.root().join(file)).unwrap();
        assert_eq!(metadata.permissions().mode() & 0o777, mode, "{file}");
    }
    for file in ["state/lock", "state/history/log.jsonl"] {
        assert_eq!(
            fs::metadata(fixture.root().join(file)).unwrap().mode() & 0o777,
            0o600,
            "{file}"
        );
    }
}

#[test]
fn a_replaced_file_keeps_its_mode() {
    let fixture = Fixture::new();
    fixture.outside("a.md", "one\n");
    fs::set_permissions(
        fixture.memory().join("a.md"),
        fs::Permissions::from_mode(0o640),
    )
    .unwrap();
    fixture.write("a.md", "two\n");
    assert_eq!(
        fs::metadata(fixture.memory().join("a.md")).unwrap().mode() & 0o777,
        0o640
    );
}

#[test]
fn the_lock_file_can_be_read_after_the_longest_of_descriptions() {
    let fixture = Fixture::new();
    let lock = fixture.state().join("lock");
    let read = || serde_json::from_slice::<serde_json::Value>(&fs::read(&lock).unwrap()).unwrap();
    let mut operation = fixture.store.operation(reason(&"\u{1}".repeat(200)));
    operation.update(&path("a.md"), |_| {
        read()["owner"].as_object().unwrap();
        Some(b"one\n".to_vec())
    });
    operation.commit().unwrap();
    assert_eq!(read()["applied"]["operation"], 1);
}

#[test]
fn nothing_to_change_leaves_no_operation() {
    let fixture = Fixture::new();
    fixture.write("a.md", "same\n");
    assert_eq!(fixture.write("a.md", "same\n").operation, None);
    assert_snapshot!(fixture.log(), @"#1 user write: +a.md");
}

#[test]
fn an_outside_change_to_other_lines_is_recorded_and_merged() {
    let fixture = Fixture::new();
    fixture.write("a.md", "one\ntwo\nthree\nfour\n");
    let seen = fixture.store.read(&path("a.md")).unwrap();
    fixture.outside("a.md", "ONE\ntwo\nthree\nfour\n");
    let mut operation = fixture.store.operation(reason("edit"));
    operation.write(&path("a.md"), seen, b"one\ntwo\nthree\nFOUR\n".to_vec());
    operation.commit().unwrap();
    assert_snapshot!(fixture.tree(), @r#"a.md: "ONE\ntwo\nthree\nFOUR\n""#);
    assert_snapshot!(fixture.log(), @"
    #1 user write: +a.md
    #2 outside changed outside: ~a.md
    #3 user edit: ~a.md
    ");
}

#[test]
fn an_outside_change_to_the_same_line_is_a_conflict_and_stays() {
    let fixture = Fixture::new();
    fixture.write("a.md", "one\n");
    let seen = fixture.store.read(&path("a.md")).unwrap();
    fixture.outside("a.md", "theirs\n");
    let mut operation = fixture.store.operation(reason("edit"));
    operation.write(&path("a.md"), seen, b"ours\n".to_vec());
    let error = operation.commit().unwrap_err();
    assert!(matches!(error, Error::Conflict { .. }), "{error}");
    assert_snapshot!(fixture.tree(), @r#"a.md: "theirs\n""#);
}

#[test]
fn a_file_that_appeared_meanwhile_is_not_overwritten() {
    let fixture = Fixture::new();
    fixture.outside("a.md", "theirs\n");
    let mut operation = fixture.store.operation(reason("remember"));
    operation.write(&path("a.md"), None, b"ours\n".to_vec());
    assert!(matches!(operation.commit().unwrap_err(), Error::Exists(_)));
    assert_snapshot!(fixture.tree(), @r#"a.md: "theirs\n""#);
}

#[test]
fn a_file_changed_meanwhile_is_not_removed() {
    let fixture = Fixture::new();
    fixture.write("a.md", "one\n");
    let seen = fixture.store.read(&path("a.md")).unwrap().unwrap();
    fixture.outside("a.md", "two\n");
    let mut operation = fixture.store.operation(reason("forget"));
    operation.remove(&path("a.md"), seen);
    assert!(matches!(
        operation.commit().unwrap_err(),
        Error::Conflict { .. }
    ));
    assert_snapshot!(fixture.tree(), @r#"a.md: "two\n""#);
}

#[test]
fn one_file_in_conflict_holds_up_the_whole_operation() {
    let fixture = Fixture::new();
    fixture.write("a.md", "one\n");
    let seen = fixture.store.read(&path("a.md")).unwrap();
    fixture.outside("a.md", "theirs\n");
    let mut operation = fixture.store.operation(reason("edit"));
    operation.write(&path("new.md"), None, b"new\n".to_vec());
    operation.write(&path("a.md"), seen, b"ours\n".to_vec());
    operation.commit().unwrap_err();
    assert_snapshot!(fixture.tree(), @r#"a.md: "theirs\n""#);
}

#[test]
fn a_secret_is_refused_by_rule_and_never_written_anywhere() {
    let fixture = Fixture::new();
    let token = ["gh", "p_", "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"].concat();
    let mut operation = fixture.store.operation(reason("remember"));
    operation.write(
        &path("a.md"),
        None,
        format!("fine\nthe token is {token}\n").into_bytes(),
    );
    let error = operation.commit().unwrap_err();
    assert_snapshot!(error, @"a.md was not written: line 2 looks like a secret (rule github-personal-token: GitHub personal access token)");
    assert_eq!(fixture.tree(), "");
}

#[test]
fn a_secret_that_was_there_before_does_not_hold_up_other_lines() {
    let fixture = Fixture::new();
    let token = ["gh", "p_", "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"].concat();
    fixture.outside("a.md", &format!("{token}\nold\n"));
    fixture.write("a.md", &format!("{token}\nnew\n"));
    assert!(fixture.content("a.md").unwrap().ends_with("new\n"));
}

#[test]
fn redacting_is_a_choice_but_not_for_the_team() {
    let fixture = Fixture::new();
    let token = ["gh", "p_", "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"].concat();
    for name in ["a.md", "team/a.md"] {
        let mut operation = fixture.store.operation(reason("remember"));
        operation.secrets(SecretPolicy::Redact).write(
            &path(name),
            None,
            format!("see {token}\n").into_bytes(),
        );
        match operation.commit() {
            Ok(outcome) => assert!(matches!(
                outcome.notices.as_slice(),
                [Notice::Redacted { .. }]
            )),
            Err(error) => assert!(
                matches!(error, Error::Secret { .. }) && name == "team/a.md",
                "{error}"
            ),
        }
    }
    assert_snapshot!(fixture.tree(), @r#"a.md: "see [redacted: github-personal-token]\n""#);
}

#[test]
fn hidden_text_goes_from_new_lines_and_stays_in_old_ones() {
    let fixture = Fixture::new();
    fixture.outside("a.md", "old\u{202E}line\n");
    let outcome = fixture.write("a.md", "old\u{202E}line\nnew\u{E0041}\u{E0042}line\n");
    assert_eq!(
        outcome.notices,
        [Notice::HiddenRemoved {
            path: path("a.md"),
            count: 2
        }]
    );
    assert_eq!(
        fixture.content("a.md").unwrap(),
        "old\u{202E}line\nnewline\n"
    );
}

#[test]
fn links_fifos_and_folders_are_never_followed_or_waited_for() {
    let fixture = Fixture::new();
    let outside = fixture.root().join("outside.md");
    fs::write(&outside, "outside\n").unwrap();
    fixture.write("plain.md", "x\n");
    let memory = fixture.memory();
    std::os::unix::fs::symlink(&outside, memory.join("link.md")).unwrap();
    std::os::unix::fs::symlink(fixture.root(), memory.join("linked")).unwrap();
    fs::create_dir(memory.join("folder.md")).unwrap();
    assert!(
        std::process::Command::new("mkfifo")
            .arg(memory.join("fifo.md"))
            .status()
            .unwrap()
            .success()
    );
    for name in ["link.md", "linked/outside.md", "folder.md", "fifo.md"] {
        let error = fixture.store.read(&path(name)).unwrap_err();
        assert!(matches!(error, Error::NotPlain { .. }), "{name}: {error}");
        let mut operation = fixture.store.operation(reason("write"));
        operation.write(&path(name), None, b"inside\n".to_vec());
        operation.commit().unwrap_err();
    }
    assert_eq!(fs::read_to_string(outside).unwrap(), "outside\n");
}

#[test]
fn a_hard_link_to_the_outside_is_cut_not_written_through() {
    let fixture = Fixture::new();
    fixture.write("a.md", "inside\n");
    let outside = fixture.root().join("outside.md");
    fs::write(&outside, "outside\n").unwrap();
    fs::remove_file(fixture.memory().join("a.md")).unwrap();
    fs::hard_link(&outside, fixture.memory().join("a.md")).unwrap();
    fixture.write("a.md", "ours\n");
    assert_eq!(fs::read_to_string(outside).unwrap(), "outside\n");
    assert_eq!(fixture.content("a.md").unwrap(), "ours\n");
}

#[test]
fn the_memory_directory_itself_may_be_a_link_of_the_users() {
    let fixture = Fixture::new();
    let real = fixture.root().join("real");
    fs::create_dir(&real).unwrap();
    std::os::unix::fs::symlink(&real, fixture.memory()).unwrap();
    fixture.write("a.md", "x\n");
    assert_eq!(fs::read_to_string(real.join("a.md")).unwrap(), "x\n");
}

#[test]
fn a_file_over_the_limit_is_refused_whole() {
    let fixture = Fixture::new();
    let mut operation = fixture.store.operation(reason("write"));
    operation.write(&path("a.md"), None, vec![b'x'; 5 * 1024 * 1024]);
    assert!(matches!(
        operation.commit().unwrap_err(),
        Error::TooLarge { .. }
    ));
    assert_eq!(fixture.tree(), "");
}

#[test]
fn bytes_that_are_no_text_survive_in_file_and_history() {
    let fixture = Fixture::new();
    let content = b"one\r\n\xFF\xFE\0two".to_vec();
    let mut operation = fixture.store.operation(reason("write"));
    operation.write(&path("a.md"), None, content.clone());
    operation.commit().unwrap();
    fixture.remove("a.md");
    let history = fixture.store.history().unwrap();
    let change = &history.operations[0].changes[0];
    assert_eq!(
        history
            .content(&change.path, change.after.unwrap())
            .unwrap(),
        content
    );
}
