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
    let log = fs::read_to_string(fixture.state().join("history/log.jsonl")).unwrap();
    let second: serde_json::Value = serde_json::from_str(log.lines().nth(1).unwrap()).unwrap();
    let temporary = second["files"][0]["tmp"].as_str().unwrap();
    fixture.outside(temporary, "one\ntwo\nthree\nFOUR\n");
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
    let text = fs::read_to_string(&log).unwrap() + "{\"v\":2,\"op\":2,\"shape\":\"unknown\"}\n";
    fs::write(&log, &text).unwrap();
    let store = fixture.another();
    let mut operation = store.operation(reason("write"));
    operation.write(&path("b.md"), None, b"two\n".to_vec());
    let error = operation.commit().unwrap_err();
    assert!(error.to_string().contains("newer memdir"), "{error}");
    assert_eq!(fs::read_to_string(&log).unwrap(), text);
    assert_snapshot!(fixture.tree(), @r#"a.md: "one\n""#);
}
