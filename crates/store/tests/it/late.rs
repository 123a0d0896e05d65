//! A writer that opened a memory before a change of ours goes on writing to the file that came out of its place.

use std::fs::{self, File, OpenOptions};
use std::io::{Seek, Write};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use insta::assert_snapshot;
use memdir_store::Outside;
use memdir_store::limits::MAX_RETIRED;

use crate::fixture::{Fixture, path, reason};

impl Fixture {
    fn held(&self, name: &str) -> File {
        let file = self.memory().join(name);
        OpenOptions::new().append(true).open(file).unwrap()
    }

    fn add(&self, name: &str, line: &str) {
        let mut operation = self.store.operation(reason("remember"));
        operation.update(&path(name), |current| {
            Some([current.unwrap_or_default(), line.as_bytes()].concat())
        });
        operation.commit().unwrap();
    }

    fn retired(&self) -> usize {
        fs::read_dir(self.state().join("retired")).map_or(0, |entries| entries.count() / 2)
    }
}

#[test]
fn a_line_appended_through_an_old_handle_is_taken_in_by_the_next_change() {
    let fixture = Fixture::new();
    fixture.write("MEMORY.md", "- [A](a.md)\n");
    let mut held = fixture.held("MEMORY.md");
    fixture.add("MEMORY.md", "- [B](b.md)\n");
    held.write_all(b"- [Late](late.md)\n").unwrap();
    fixture.add("MEMORY.md", "- [C](c.md)\n");
    // The same handle once more, and after two changes.
    held.write_all(b"- [Later](later.md)\n").unwrap();
    drop(held);
    let sweep = fixture.another().sweep().unwrap();
    assert_eq!(sweep.outside, [(path("MEMORY.md"), Outside::Changed)]);
    assert_snapshot!(fixture.tree(), @r#"MEMORY.md: "- [A](a.md)\n- [B](b.md)\n- [Late](late.md)\n- [C](c.md)\n- [Later](later.md)\n""#);
    assert_snapshot!(fixture.log(), @"
    #1 user write: +MEMORY.md
    #2 user remember: ~MEMORY.md
    #3 outside changed outside: ~MEMORY.md
    #4 user remember: ~MEMORY.md
    #5 outside changed outside: ~MEMORY.md
    ");
    assert!(fixture.another().sweep().unwrap().outside.is_empty());
}

#[test]
fn two_writers_at_files_of_two_generations_both_keep_their_lines() {
    let fixture = Fixture::new();
    fixture.write("a.md", "one\n");
    let mut first = fixture.held("a.md");
    fixture.add("a.md", "two\n");
    let mut second = fixture.held("a.md");
    fixture.add("a.md", "three\n");
    second.write_all(b"by the second\n").unwrap();
    first.write_all(b"by the first\n").unwrap();
    fixture.store.sweep().unwrap();
    let content = fixture.content("a.md").unwrap();
    for line in ["one", "two", "three", "by the first", "by the second"] {
        assert_eq!(
            content.matches(&format!("{line}\n")).count(),
            1,
            "{content}"
        );
    }
}

#[test]
fn what_is_written_anew_through_an_old_handle_is_taken_in_once_it_is_done() {
    let fixture = Fixture::new();
    fixture.write("a.md", "one\ntwo\nthree\n");
    let file = fixture.memory().join("a.md");
    let mut held = OpenOptions::new().write(true).open(file).unwrap();
    fixture.add("a.md", "four\n");
    held.set_len(0).unwrap();
    fixture.store.sweep().unwrap();
    assert_eq!(fixture.content("a.md").unwrap(), "one\ntwo\nthree\nfour\n");
    held.rewind().unwrap();
    held.write_all(b"ONE\ntwo\nthree\n").unwrap();
    drop(held);
    fixture.store.sweep().unwrap();
    assert_eq!(fixture.content("a.md").unwrap(), "ONE\ntwo\nthree\nfour\n");
}

#[test]
fn lines_that_do_not_fit_are_kept_at_the_end_and_in_the_history() {
    let fixture = Fixture::new();
    fixture.write("a.md", "one\n");
    let file = fixture.memory().join("a.md");
    let mut held = OpenOptions::new().write(true).open(file).unwrap();
    fixture.write("a.md", "ours\n");
    held.write_all(b"two\n").unwrap();
    drop(held);
    fixture.store.sweep().unwrap();
    assert_eq!(fixture.content("a.md").unwrap(), "ours\ntwo\n");
}

#[test]
fn half_a_line_waits_for_its_other_half() {
    let fixture = Fixture::new();
    fixture.write("a.md", "one\n");
    let mut held = fixture.held("a.md");
    fixture.add("a.md", "two\n");
    held.write_all(b"half ").unwrap();
    fixture.add("a.md", "three\n");
    assert_eq!(fixture.content("a.md").unwrap(), "one\ntwo\nthree\n");
    held.write_all(b"a line\n").unwrap();
    fixture.add("a.md", "four\n");
    assert_eq!(
        fixture.content("a.md").unwrap(),
        "one\ntwo\nthree\nhalf a line\nfour\n"
    );
}

#[test]
fn a_line_for_a_memory_that_got_another_name_follows_it() {
    let fixture = Fixture::new();
    fixture.write("a.md", "one\n");
    let mut held = fixture.held("a.md");
    for (old, new) in [("a.md", "b.md"), ("b.md", "c.md")] {
        let seen = fixture.store.read(&path(old)).unwrap().unwrap();
        let mut operation = fixture.store.operation(reason("rename"));
        operation.write(&path(new), None, seen.bytes.clone());
        operation.remove(&path(old), seen);
        operation.commit().unwrap();
    }
    held.write_all(b"late\n").unwrap();
    fixture.store.sweep().unwrap();
    assert_snapshot!(fixture.tree(), @r#"c.md: "one\nlate\n""#);
}

#[test]
fn a_line_for_a_memory_that_is_gone_is_in_the_history_alone() {
    let fixture = Fixture::new();
    fixture.write("a.md", "one\n");
    let mut held = fixture.held("a.md");
    fixture.remove("a.md");
    held.write_all(b"late\n").unwrap();
    fixture.store.sweep().unwrap();
    assert_snapshot!(fixture.tree(), @"");
    assert_snapshot!(fixture.log(), @"
    #1 user write: +a.md
    #2 user remove: -a.md
    #3 outside changed outside: +a.md
    #4 outside changed outside: -a.md
    ");
}

#[test]
fn an_undo_while_somebody_writes_keeps_what_they_write() {
    let fixture = Fixture::new();
    fixture.write("a.md", "one\n");
    fixture.add("a.md", "two\n");
    let mut held = fixture.held("a.md");
    let history = fixture.store.history().unwrap();
    let plan = fixture.store.plan_undo(&history, 2).unwrap();
    fixture.store.restore(plan).unwrap();
    held.write_all(b"late\n").unwrap();
    fixture.store.sweep().unwrap();
    assert_eq!(fixture.content("a.md").unwrap(), "one\nlate\n");
}

#[test]
fn a_purge_leaves_nothing_of_a_file_that_somebody_still_has_open() {
    let fixture = Fixture::new();
    fixture.write("a.md", "the marmalade plan\n");
    fixture.write("MEMORY.md", "- [Marmalade](a.md)\n- [B](b.md)\n");
    let mut topic = fixture.held("a.md");
    let mut index = fixture.held("MEMORY.md");
    fixture.add("a.md", "two\n");
    fixture.add("MEMORY.md", "- [C](c.md)\n");
    fixture
        .store
        .purge(&[path("a.md")], memdir_store::SharedLines::Keep)
        .unwrap();
    index.write_all(b"- [Late](late.md)\n").unwrap();
    topic.write_all(b"more marmalade\n").unwrap();
    fixture.store.sweep().unwrap();
    assert_snapshot!(fixture.tree(), @r#"MEMORY.md: "- [B](b.md)\n- [C](c.md)\n- [Late](late.md)\n""#);
    let found = Command::new("grep")
        .args(["-rli", "marmalade"])
        .arg(fixture.root())
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&found.stdout), "");
}

#[test]
fn files_that_nobody_writes_to_do_not_pile_up() {
    let fixture = Fixture::new();
    fixture.write("a.md", "begin\n");
    let mut held = fixture.held("a.md");
    for number in 0..3 * MAX_RETIRED / 16 {
        fixture.add("a.md", &format!("{number}\n"));
    }
    assert!(
        fixture.retired() <= MAX_RETIRED / 16 + 1,
        "{}",
        fixture.retired()
    );
    // The one that is held is among those that are left.
    held.write_all(b"late\n").unwrap();
    fixture.store.sweep().unwrap();
    assert!(fixture.content("a.md").unwrap().contains("late\n"));
}

/// A process that has a file open for appending and writes a line to it when told to.
fn writer(file: &std::path::Path) -> Child {
    let script = r#"exec 3>>"$1"; echo open; read -r line; echo "$line" >&3"#;
    Command::new("sh")
        .args(["-c", script, "sh"])
        .arg(file)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

#[test]
fn a_process_that_holds_the_file_across_a_change_is_waited_for() {
    let fixture = Fixture::new();
    for name in ["MEMORY.md", "a.md"] {
        fixture.write(name, "one\n");
        let mut child = writer(&fixture.memory().join(name));
        let mut ready = [0; 5];
        std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut ready).unwrap();
        fixture.add(name, "two\n");
        child.stdin.take().unwrap().write_all(b"late\n").unwrap();
        fixture
            .store
            .wait_for_writers(Duration::from_secs(60))
            .unwrap();
        child.wait().unwrap();
        fixture.store.sweep().unwrap();
        assert_eq!(fixture.content(name).unwrap(), "one\ntwo\nlate\n");
    }
}
