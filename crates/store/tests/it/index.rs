use insta::assert_snapshot;

use memdir_store::Skipped;

use crate::fixture::{Fixture, reason};

fn topic(name: &str, kind: &str) -> String {
    format!("---\nname: {name}\ndescription: about {name}\ntype: {kind}\n---\n\nText.\n")
}

#[test]
fn rebuilding_keeps_good_lines_and_mends_the_rest() {
    let fixture = Fixture::new();
    fixture.outside("a.md", &topic("a", "user"));
    fixture.outside("b.md", &topic("b", "feedback"));
    fixture.outside("c.md", &topic("c", "user"));
    fixture.outside("team/d.md", &topic("d", "project"));
    fixture.outside(
        "MEMORY.md",
        "# Mine\n\n- [Bee](b.md) — my own words\n- [Gone](gone.md)\n- [Again](b.md)\n\nA note.\n",
    );
    let scan = fixture.store.scan().unwrap();
    let checks = fixture.store.check_indexes(&scan).unwrap();
    assert_eq!(checks[0].dead, [(4, "gone.md".to_owned())]);
    assert!(!checks[0].agrees());
    fixture.store.rebuild_indexes(reason("index")).unwrap();
    assert_snapshot!(fixture.content("MEMORY.md").unwrap(), @"
    # Mine

    - [Bee](b.md) — my own words
    - [a](a.md) — about a
    - [c](c.md) — about c

    A note.
    ");
    assert_snapshot!(fixture.content("team/MEMORY.md").unwrap(), @"- [d](d.md) — about d");
    let scan = fixture.store.scan().unwrap();
    assert!(
        fixture
            .store
            .check_indexes(&scan)
            .unwrap()
            .iter()
            .all(|check| check.agrees())
    );
}

#[test]
fn an_index_is_not_made_for_nothing() {
    let fixture = Fixture::new();
    fixture.outside("notes.txt", "x");
    assert_eq!(
        fixture
            .store
            .rebuild_indexes(reason("index"))
            .unwrap()
            .operation,
        None
    );
    assert_eq!(fixture.content("MEMORY.md"), None);
}

#[test]
fn a_file_that_cannot_be_read_keeps_its_line() {
    let fixture = Fixture::new();
    fixture.outside("a.md", &topic("a", "user"));
    fixture.outside("sub/b.md", &topic("b", "user"));
    fixture.outside("MEMORY.md", "- [A](a.md)\n- [B](sub/b.md)\n");
    let mut scan = fixture.store.scan().unwrap();
    scan.memories
        .retain(|memory| memory.path.as_str() == "a.md");
    scan.skipped.push(Skipped {
        path: "sub".into(),
        reason: "Input/output error".to_owned(),
        unread: true,
    });
    let check = fixture.store.check_indexes(&scan).unwrap().remove(0);
    assert!(check.agrees());
    assert_eq!(check.mended, b"- [A](a.md)\n- [B](sub/b.md)\n");
}
