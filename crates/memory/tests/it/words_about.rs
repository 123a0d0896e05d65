//! What is said about a memory: its age, its line in a manifest, its links.

use memdir_memory::{MemoryPath, MemoryType, age, links, manifest_line};

#[test]
fn ages() {
    let said: String = [0, 1, 2, 400]
        .map(|days| {
            format!(
                "{}: {}\n",
                age::describe(days),
                age::caveat(days).unwrap_or_default()
            )
        })
        .concat();
    insta::assert_snapshot!(said, @"
    today: 
    yesterday: 
    2 days ago: Written 2 days ago. It records what was seen at that moment, not how things are now: what it says about code may no longer hold, and places given as file:line may have moved. Look at the present state before you rely on it.
    400 days ago: Written 400 days ago. It records what was seen at that moment, not how things are now: what it says about code may no longer hold, and places given as file:line may have moved. Look at the present state before you rely on it.
    ");
    let at = |text: &str| text.parse::<jiff::Timestamp>().unwrap();
    let now = at("2026-03-30T12:00:00Z");
    for (modified, days) in [
        ("2026-03-30T12:00:01Z", 0),
        ("9999-12-30T00:00:00Z", 0),
        ("2026-03-29T12:00:00.000000001Z", 0),
        ("2026-03-29T12:00:00Z", 1),
        ("2026-03-28T12:00:01Z", 1),
        ("2026-03-28T12:00:00Z", 2),
    ] {
        assert_eq!(age::days_between(at(modified), now), days, "{modified}");
    }
}

#[test]
fn manifest_lines() {
    let path = MemoryPath::new("team/a.md").unwrap();
    let line = |kind, description| {
        manifest_line(
            &path,
            kind,
            "2026-03-30T12:00:00.987Z".parse().unwrap(),
            description,
        )
    };
    assert_eq!(
        line(Some(MemoryType::User), Some("a\nb")),
        "- [user] team/a.md (2026-03-30T12:00:00Z): a b"
    );
    assert_eq!(
        line(None, Some("a")),
        "- team/a.md (2026-03-30T12:00:00Z): a"
    );
    assert_eq!(
        line(Some(MemoryType::Project), None),
        "- [project] team/a.md (2026-03-30T12:00:00Z)"
    );
    assert_eq!(line(None, Some(" ")), "- team/a.md (2026-03-30T12:00:00Z)");
}

#[test]
fn links_are_found_outside_code() {
    let body = "See [[a]], [[ b c ]] and [[日本]].\n`[[no]]` ``x ` [[no]]`` [[d]] `open [[e]]\n```sh\n[[ -f x ]]\n````\n\
                ~~~\n[[no]]\n```\n~~~\n[[]] [[ ]] [[f]g]] [[[h]]] [x][[i]] [[j";
    let found: String = links(body)
        .iter()
        .map(|link| {
            assert_eq!(&body[link.range.clone()], link.name);
            format!("{} {}\n", link.line, link.name)
        })
        .collect();
    insta::assert_snapshot!(found, @"
    1 a
    1 b c
    1 日本
    2 d
    2 e
    10 h
    10 i
    ");
}
