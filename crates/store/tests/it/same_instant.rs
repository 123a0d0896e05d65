//! Somebody without a lock of ours writes between our look at a file and our move into its place. The function of an
//! update runs in just that instant, and again after each race: a chosen interleaving without threads.

use insta::assert_snapshot;
use memdir_store::Error;
use memdir_store::limits::RACE_ATTEMPTS;

use crate::fixture::{Fixture, path, reason};

#[test]
fn who_did_the_same_keeps_the_file() {
    let fixture = Fixture::new();
    fixture.write("MEMORY.md", "- [A](a.md)\n- [B](b.md)\n");
    let mut operation = fixture.store.operation(reason("forget"));
    operation.update(&path("MEMORY.md"), |_| {
        fixture.outside("MEMORY.md", "- [B](b.md)\n");
        Some(b"- [B](b.md)\n".to_vec())
    });
    operation.commit().unwrap();
    assert_snapshot!(fixture.tree(), @r#"MEMORY.md: "- [B](b.md)\n""#);
    assert_snapshot!(fixture.log(), @"
    #1 user write: +MEMORY.md
    #2 user forget: ~MEMORY.md
    ");
}

#[test]
fn who_leaves_nothing_to_do_keeps_the_file() {
    let fixture = Fixture::new();
    fixture.write("MEMORY.md", "- [A](a.md)\n");
    let mut operation = fixture.store.operation(reason("remember"));
    operation.update(&path("MEMORY.md"), |current| {
        let both = b"- [A](a.md)\n- [B](b.md), by another\n".to_vec();
        if current == Some(&both) {
            return Some(both);
        }
        fixture.outside("MEMORY.md", &String::from_utf8(both).unwrap());
        Some(b"- [A](a.md)\n- [B](b.md)\n".to_vec())
    });
    let outcome = operation.commit().unwrap();
    assert!(outcome.changed.is_empty());
    assert_snapshot!(fixture.tree(), @r#"MEMORY.md: "- [A](a.md)\n- [B](b.md), by another\n""#);
    assert_snapshot!(fixture.log(), @"
    #1 user write: +MEMORY.md
    #2 user remember: ~MEMORY.md
    #3 outside changed outside: ~MEMORY.md
    ");
}

#[test]
fn who_makes_the_same_new_file_keeps_it() {
    let fixture = Fixture::new();
    let mut operation = fixture.store.operation(reason("remember"));
    operation.write(&path("a.md"), None, b"same\n".to_vec());
    operation.update(&path("MEMORY.md"), |_| {
        fixture.outside("a.md", "same\n");
        Some(b"- [A](a.md)\n".to_vec())
    });
    operation.commit().unwrap();
    assert_snapshot!(fixture.tree(), @r#"
    MEMORY.md: "- [A](a.md)\n"
    a.md: "same\n"
    "#);
}

#[test]
fn who_never_stops_writing_has_the_last_word() {
    let fixture = Fixture::new();
    fixture.write("a.md", "begin\n");
    let mut number = 0;
    let mut operation = fixture.store.operation(reason("append"));
    operation.update(&path("a.md"), |current| {
        number += 1;
        if number <= RACE_ATTEMPTS {
            fixture.outside("a.md", &format!("saved {number}\n"));
        }
        Some([current.unwrap_or_default(), b"ours\n"].concat())
    });
    let error = operation.commit().unwrap_err();
    assert!(matches!(error, Error::Conflict { .. }), "{error}");
    assert_snapshot!(fixture.tree(), @r#"a.md: "saved 16\n""#);
    assert!(fixture.another().sweep().unwrap().outside.is_empty());
}

#[test]
fn who_writes_again_while_ours_is_refused_is_not_overwritten() {
    let token = ["gh", "p_", "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"].concat();
    for start in [Some("begin\n"), None] {
        let fixture = Fixture::new();
        if let Some(start) = start {
            fixture.write("a.md", start);
        }
        let mut number = 0;
        let mut operation = fixture.store.operation(reason("append"));
        operation.update(&path("a.md"), |_| {
            number += 1;
            fixture.outside("a.md", &format!("saved {number}\n"));
            let ours = if number == 1 { "ours" } else { &token };
            Some(format!("{ours}\n").into_bytes())
        });
        let error = operation.commit().unwrap_err();
        assert!(matches!(error, Error::Secret { .. }), "{error}");
        assert_eq!(fixture.tree(), r#"a.md: "saved 2\n""#);
        assert!(known(&fixture, "saved 1\n"), "{}", fixture.log());
    }
}

#[test]
fn who_makes_a_removed_file_anew_is_not_overwritten() {
    let fixture = Fixture::new();
    fixture.write("a.md", "begin\n");
    let seen = fixture.store.read(&path("a.md")).unwrap();
    let mut operation = fixture.store.operation(reason("edit"));
    operation.write(&path("a.md"), seen, b"ours\n".to_vec());
    operation.update(&path("MEMORY.md"), |_| {
        std::fs::remove_file(fixture.memory().join("a.md")).unwrap();
        Some(b"- [A](a.md)\n".to_vec())
    });
    assert!(matches!(
        operation.commit().unwrap_err(),
        Error::Conflict { .. }
    ));
    assert_snapshot!(fixture.tree(), @"");
}

#[test]
fn what_is_taken_back_leaves_alone_what_somebody_wrote_since() {
    let fixture = Fixture::new();
    fixture.write("a.md", "begin\n");
    let mut saved = false;
    let mut operation = fixture.store.operation(reason("edit"));
    operation.update(&path("a.md"), |_| Some(b"ours\n".to_vec()));
    operation.update(&path("new.md"), |_| Some(b"ours\n".to_vec()));
    operation.update(&path("z.md"), |current| {
        if current.is_none() {
            fixture.outside("z.md", "raced\n");
            return Some(b"ours\n".to_vec());
        }
        // By now the first two are in place, and this one is about to fail.
        if !saved {
            saved = true;
            fixture.outside("a.md", "saved\n");
            fixture.outside("new.md", "saved\n");
        }
        Some(vec![b'x'; 5 * 1024 * 1024])
    });
    assert!(matches!(
        operation.commit().unwrap_err(),
        Error::TooLarge { .. }
    ));
    assert_snapshot!(fixture.tree(), @r#"
    a.md: "saved\n"
    new.md: "saved\n"
    z.md: "raced\n"
    "#);
    assert!(fixture.another().sweep().unwrap().outside.is_empty());
}

#[test]
fn what_is_taken_back_after_a_race_leaves_theirs() {
    let fixture = Fixture::new();
    fixture.write("a.md", "begin\n");
    let mut operation = fixture.store.operation(reason("edit"));
    operation.update(&path("a.md"), |current| {
        if current == Some(b"begin\n") {
            fixture.outside("a.md", "saved\n");
        }
        Some([current.unwrap(), b"ours\n"].concat())
    });
    operation.update(&path("z.md"), |current| {
        fixture.outside("z.md", "raced\n");
        let length = if current.is_some() {
            5 * 1024 * 1024
        } else {
            1
        };
        Some(vec![b'x'; length])
    });
    assert!(matches!(
        operation.commit().unwrap_err(),
        Error::TooLarge { .. }
    ));
    assert_snapshot!(fixture.tree(), @r#"
    a.md: "saved\n"
    z.md: "raced\n"
    "#);
    assert!(fixture.another().sweep().unwrap().outside.is_empty());
}

#[test]
fn who_puts_in_what_is_no_memory_gets_it_back() {
    let fixture = Fixture::new();
    fixture.write("a.md", "begin\n");
    let large = "x".repeat(5 * 1024 * 1024);
    let mut operation = fixture.store.operation(reason("append"));
    operation.update(&path("a.md"), |_| {
        fixture.outside("a.md", &large);
        Some(b"ours\n".to_vec())
    });
    assert!(matches!(
        operation.commit().unwrap_err(),
        Error::TooLarge { .. }
    ));
    assert!(fixture.content("a.md").unwrap() == large);
}

/// Whether the history has this content of `a.md`.
fn known(fixture: &Fixture, content: &str) -> bool {
    let history = fixture.another().history().unwrap();
    let digests = history
        .operations
        .iter()
        .flat_map(|operation| &operation.changes)
        .filter_map(|change| change.after);
    digests
        .filter_map(|digest| history.content(&path("a.md"), digest).ok())
        .any(|bytes| bytes == content.as_bytes())
}
