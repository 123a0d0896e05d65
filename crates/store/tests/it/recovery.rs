//! What the next process finds after one was killed, for each place in which it can be killed.

use std::fs;

use insta::assert_snapshot;

use crate::fixture::{Fixture, path, reason};

/// Two writes; the second one's record is then all that is left of it.
fn killed_before_the_files_changed(fixture: &Fixture) {
    fixture.write("a.md", "one\n");
    let mut operation = fixture.store.operation(reason("second"));
    operation.write(
        &path("a.md"),
        fixture.store.read(&path("a.md")).unwrap(),
        b"two\n".to_vec(),
    );
    operation.write(&path("b.md"), None, b"new\n".to_vec());
    operation.commit().unwrap();
    fixture.outside("a.md", "one\n");
    fs::remove_file(fixture.memory().join("b.md")).unwrap();
    forget_applied(fixture);
}

/// As if the process had died holding the lock after its first operation.
fn forget_applied(fixture: &Fixture) {
    let lock = fixture.state().join("lock");
    let log = fs::read(fixture.state().join("history/log.jsonl")).unwrap();
    let first = log.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    let body = format!(r#"{{"version":1,"applied":{{"operation":1,"offset":{first}}}}}"#);
    fs::write(lock, format!("{body:512}")).unwrap();
}

/// The temporary that an operation used for its first file.
fn temporary_of(fixture: &Fixture, operation: usize) -> String {
    let log = fs::read_to_string(fixture.state().join("history/log.jsonl")).unwrap();
    let line = log.lines().nth(operation - 1).unwrap();
    let record: serde_json::Value = serde_json::from_str(line).unwrap();
    record["files"][0]["tmp"].as_str().unwrap().to_owned()
}

#[test]
fn an_operation_in_the_log_is_finished_in_the_files() {
    let fixture = Fixture::new();
    killed_before_the_files_changed(&fixture);
    let store = fixture.another();
    let mut next = store.operation(reason("next"));
    next.write(&path("c.md"), None, b"c\n".to_vec());
    next.commit().unwrap();
    assert_snapshot!(fixture.tree(), @r#"
    a.md: "two\n"
    b.md: "new\n"
    c.md: "c\n"
    "#);
    assert!(store.sweep().unwrap().outside.is_empty());
}

#[test]
fn a_file_that_somebody_changed_since_stays_theirs() {
    let fixture = Fixture::new();
    killed_before_the_files_changed(&fixture);
    fixture.outside("a.md", "theirs\n");
    fixture.another().sweep().unwrap();
    assert_snapshot!(fixture.tree(), @r#"
    a.md: "theirs\n"
    b.md: "new\n"
    "#);
}

#[test]
fn what_came_out_of_an_exchange_unseen_is_put_together_with_ours() {
    let fixture = Fixture::new();
    fixture.write("a.md", "one\ntwo\nthree\nfour\n");
    fixture.write("a.md", "ONE\ntwo\nthree\nfour\n");
    fixture.outside(&temporary_of(&fixture, 2), "one\ntwo\nthree\nFOUR\n");
    forget_applied(&fixture);
    fixture.another().sweep().unwrap();
    assert_snapshot!(fixture.log(), @"
    #1 user write: +a.md
    #2 user write: ~a.md
    #3 outside changed outside: ~a.md
    #4 rules finish after a crash: ~a.md
    ");
    assert_snapshot!(fixture.tree(), @r#"
    a.md: "ONE\ntwo\nthree\nFOUR\n"
    "#);
}

#[test]
fn what_came_out_unseen_goes_to_the_history_where_somebody_wrote_again_since() {
    let fixture = Fixture::new();
    fixture.write("a.md", "one\n");
    fixture.write("a.md", "two\n");
    fixture.outside(&temporary_of(&fixture, 2), "theirs\n");
    fixture.outside("a.md", "theirs, again\n");
    forget_applied(&fixture);
    fixture.another().sweep().unwrap();
    assert_snapshot!(fixture.log(), @"
    #1 user write: +a.md
    #2 user write: ~a.md
    #3 outside changed outside: ~a.md
    #4 outside changed outside: ~a.md
    ");
    assert_snapshot!(fixture.tree(), @r#"a.md: "theirs, again\n""#);
}

#[test]
fn what_came_out_of_a_removal_unseen_is_brought_back() {
    let fixture = Fixture::new();
    fixture.write("a.md", "one\n");
    fixture.remove("a.md");
    fixture.outside(&temporary_of(&fixture, 2), "one\ntwo, by another\n");
    forget_applied(&fixture);
    fixture.another().sweep().unwrap();
    assert_snapshot!(fixture.tree(), @r#"a.md: "one\ntwo, by another\n""#);
}

#[test]
fn a_change_that_was_only_noticed_is_not_made_again() {
    let fixture = Fixture::new();
    fixture.write("a.md", "one\n");
    fixture.outside("a.md", "two\n");
    fixture.store.sweep().unwrap();
    // The sweep was killed before it was done, and its user went back to the first content.
    fixture.outside("a.md", "one\n");
    forget_applied(&fixture);
    fixture.another().sweep().unwrap();
    assert_snapshot!(fixture.tree(), @r#"a.md: "one\n""#);
}

#[test]
fn what_cannot_be_finished_holds_up_nothing() {
    let elsewhere = memdir_testkit::temporary_folder().unwrap();
    for swap in ["link", "file", "damage"] {
        let fixture = Fixture::new();
        fixture.write("sub/a.md", "one\n");
        fixture.write("sub/a.md", "one\ntwo\n");
        let sub = fixture.memory().join("sub");
        match swap {
            "damage" => {
                let log = fixture.state().join("history/log.jsonl");
                let text = fs::read_to_string(&log).unwrap().replacen("one", "uno", 1);
                fs::write(&log, text).unwrap();
                fixture.outside("sub/a.md", "one\n");
            }
            "link" => {
                fs::remove_dir_all(&sub).unwrap();
                std::os::unix::fs::symlink(elsewhere.path(), &sub).unwrap();
            }
            _ => {
                fs::remove_dir_all(&sub).unwrap();
                fs::write(&sub, "").unwrap();
            }
        }
        forget_applied(&fixture);
        fixture.write("b.md", "next\n");
        assert_eq!(fixture.content("b.md").unwrap(), "next\n", "{swap}");
    }
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);
}

#[test]
fn a_note_about_a_log_that_is_gone_hides_nothing_unfinished() {
    let fixture = Fixture::new();
    for text in ["one\n", "two\n", "three\n"] {
        fixture.write("a.md", text);
    }
    // The power failed: the lock file tells of three operations, the log has one.
    let log = fixture.state().join("history/log.jsonl");
    let first = fs::read_to_string(&log)
        .unwrap()
        .lines()
        .next()
        .unwrap()
        .len()
        + 1;
    fs::File::options()
        .write(true)
        .open(&log)
        .unwrap()
        .set_len(first as u64)
        .unwrap();
    fixture.outside("a.md", "one\n");
    let lock = fixture.state().join("lock");
    let mut killed = Vec::new();
    let store = fixture.another();
    let mut operation = store.operation(reason("killed"));
    operation.update(&path("a.md"), |_| {
        killed = fs::read(&lock).unwrap();
        Some(b"three\n".to_vec())
    });
    operation.commit().unwrap();
    // Whoever wrote then was killed before the file changed.
    fixture.outside("a.md", "one\n");
    fs::write(&lock, killed).unwrap();
    fixture.write("b.md", "next\n");
    assert_snapshot!(fixture.tree(), @r#"
    a.md: "three\n"
    b.md: "next\n"
    "#);
}

#[test]
fn a_torn_last_line_of_the_log_is_cut_off_by_the_next_writer() {
    let fixture = Fixture::new();
    fixture.write("a.md", "one\n");
    let log = fixture.state().join("history/log.jsonl");
    let whole = fs::read(&log).unwrap();
    for cut in 0..whole.len() {
        let torn = [whole.as_slice(), &whole[..cut]].concat();
        fs::write(&log, &torn).unwrap();
        let store = fixture.another();
        assert_eq!(store.history().unwrap().operations.len(), 1, "{cut}");
    }
    let outcome = fixture.write("b.md", "two\n");
    assert_eq!(outcome.operation, Some(2));
    assert_snapshot!(fixture.log(), @"
    #1 user write: +a.md
    #2 user write: +b.md
    ");
}

#[test]
fn a_damaged_line_in_the_middle_is_counted_and_the_rest_is_kept() {
    let fixture = Fixture::new();
    for text in ["one\n", "two\n", "three\n"] {
        fixture.write("a.md", text);
    }
    let log = fixture.state().join("history/log.jsonl");
    let text = fs::read_to_string(&log).unwrap().replacen("two", "tvo", 1);
    fs::write(&log, text).unwrap();
    let history = fixture.another().history().unwrap();
    assert_eq!((history.operations.len(), history.damaged), (2, 1));
    let change = &history.operations[1].changes[0];
    assert_eq!(
        history
            .content(&change.path, change.after.unwrap())
            .unwrap(),
        b"three\n"
    );
}

#[test]
fn a_history_of_a_newer_program_is_left_alone() {
    let fixture = Fixture::new();
    fixture.write("a.md", "one\n");
    let log = fixture.state().join("history/log.jsonl");
    let text = fs::read_to_string(&log).unwrap() + "{\"v\":3,\"op\":2,\"shape\":\"unknown\"}\n";
    fs::write(&log, &text).unwrap();
    let store = fixture.another();
    let mut operation = store.operation(reason("write"));
    operation.write(&path("b.md"), None, b"two\n".to_vec());
    let error = operation.commit().unwrap_err();
    assert!(error.to_string().contains("newer memdir"), "{error}");
    assert_eq!(fs::read_to_string(&log).unwrap(), text);
    assert_snapshot!(fixture.tree(), @r#"a.md: "one\n""#);
}

#[test]
fn heads_saved_for_a_log_that_somebody_removed_do_not_pass_for_those_of_the_next() {
    let fixture = Fixture::new();
    fixture.write("a.md", "one\n");
    fixture.write("b.md", "one\n");
    // The same content with another time: the heads are saved at once.
    fixture.outside("a.md", "one\n");
    fixture.another().sweep().unwrap();
    assert!(fixture.state().join("history/heads.json").exists());
    fs::remove_file(fixture.state().join("history/log.jsonl")).unwrap();
    for number in 0..8 {
        let store = fixture.another();
        let mut operation = store.operation(reason("append"));
        operation.update(&path("a.md"), |current| {
            Some([current.unwrap(), format!("{number}\n").as_bytes()].concat())
        });
        operation.commit().unwrap();
    }
    let history = fixture.another().history().unwrap();
    for operation in &history.operations {
        for change in &operation.changes {
            history
                .content(&change.path, change.after.unwrap())
                .unwrap();
        }
    }
    assert_eq!(history.operations.last().unwrap().id, 9);
    assert_eq!(fixture.another().sweep().unwrap().damaged, 0);
}
