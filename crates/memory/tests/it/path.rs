//! The table of paths that must never leave the directory, and those that are fine.

use memdir_memory::{MemoryPath, PathProblem};
use proptest::prelude::*;

#[test]
fn every_refusal_has_its_reason() {
    use PathProblem::*;
    let long_name = format!("{}.md", "x".repeat(253));
    let long_path = format!("{}x.md", "abcdefghi/".repeat(100));
    let deep = format!("{}x.md", "a/".repeat(16));
    let table: &[(&str, PathProblem)] = &[
        ("", Empty),
        ("..", DotComponent),
        (".", DotComponent),
        ("../x.md", DotComponent),
        ("a/../../x", DotComponent),
        ("a/./x.md", DotComponent),
        ("/etc/passwd", Absolute),
        ("//srv/s", Absolute),
        ("a//x.md", EmptyComponent),
        ("a.md/", EmptyComponent),
        ("%2e%2e%2f", PercentEncoded),
        ("%2E%2E/x.md", PercentEncoded),
        ("%252e%252e/x.md", PercentEncoded),
        ("a%00.md", PercentEncoded),
        ("a%5cx.md", PercentEncoded),
        ("％2e％2e/x.md", LookAlike),
        ("．．／x.md", LookAlike),
        ("․․/x.md", LookAlike),
        ("…/x.md", LookAlike),
        ("a∕x.md", LookAlike),
        ("a⁄x.md", LookAlike),
        ("½.md", LookAlike),
        ("a＼x.md", LookAlike),
        ("a﹨x.md", LookAlike),
        ("a∖x.md", LookAlike),
        ("a：x.md", LookAlike),
        ("a\\x.md", Backslash),
        ("C:\\x", Backslash),
        ("C:x.md", Colon),
        ("\\\\srv\\s", Backslash),
        ("\\\\?\\x.md", Backslash),
        ("x.md::$DATA", Colon),
        ("NUL", Reserved),
        ("con.md", Reserved),
        ("a/Aux.tar.md", Reserved),
        ("COM1.md", Reserved),
        ("lpt².md", Reserved),
        ("ｃｏｎ.md", Reserved),
        ("con .md", Reserved),
        ("x.md.", Edge),
        ("x.md ", Edge),
        (" x.md", Edge),
        ("a /x.md", Edge),
        ("\u{3000}x.md", Edge),
        ("~/x", ShellStart),
        ("~root/x.md", ShellStart),
        ("～/x.md", ShellStart),
        ("$HOME", ShellStart),
        ("-rf.md", ShellStart),
        ("a\nb.md", Control),
        ("a\0.md", Control),
        ("a\u{85}b.md", Control),
        ("a\u{202e}dm.md", Invisible),
        ("a\u{200b}b.md", Invisible),
        ("a\u{feff}b.md", Invisible),
        ("a\u{e0041}.md", Invisible),
        ("a\u{2028}b.md", Invisible),
        ("e\u{301}.md", NotComposed),
        ("\u{212b}.md", NotComposed),
        (".git/config", Hidden),
        (".hidden.md", Hidden),
        ("...md", Hidden),
        ("a?.md", Forbidden),
        ("a|b.md", Forbidden),
        ("notes.txt", NotMarkdown),
        ("notes", NotMarkdown),
        ("MEMORY.MD", NotMarkdown),
        (&long_name, ComponentTooLong),
        (&long_path, TooLong),
        (&deep, TooDeep),
    ];
    for (path, problem) in table {
        assert_eq!(MemoryPath::new(path), Err(*problem), "{path:?}");
    }
}

#[test]
fn bytes_that_are_no_text_stay_what_they_look_like() {
    // Overlong forms of `.` never reach the rule as dots, because a path is text first.
    let name = String::from_utf8_lossy(b"\xC0\xAE\xC0\xAE.md");
    assert_eq!(MemoryPath::new(&name).unwrap().stem(), "\u{fffd}".repeat(4));
}

#[test]
fn ordinary_names_of_every_language_are_fine() {
    let deep = format!("{}x.md", "a/".repeat(15));
    for path in [
        "user_role.md",
        "team/x.md",
        "logs/2026/03/2026-03-30.md",
        "MEMORY.md",
        "my notes (old).md",
        "100%.md",
        "a%zz.md",
        "Größe.md",
        "日本語の記録.md",
        "заметки.md",
        "σημείωση.md",
        "ملاحظة٠.md",
        "\u{e9}t\u{e9}.md",
        "console.md",
        "com10.md",
        "nulls.md",
        "a.b.c.md",
        "what？.md",
        "x~y-z$.md",
        deep.as_str(),
    ] {
        let accepted = MemoryPath::new(path);
        assert_eq!(accepted.as_ref().map(MemoryPath::as_str), Ok(path));
    }
}

#[test]
fn parts_of_a_path() {
    let path = MemoryPath::new("team/a/Memory.md").unwrap();
    assert_eq!(
        path.components().collect::<Vec<_>>(),
        ["team", "a", "Memory.md"]
    );
    assert_eq!(
        (path.file_name(), path.stem(), path.folder()),
        ("Memory.md", "Memory", Some("team/a"))
    );
    assert!(path.is_index());
    assert_eq!(
        path.folded(),
        MemoryPath::new("TEAM/A/MEMORY.md").unwrap().folded()
    );
    assert_eq!(
        serde_json::to_string(&path).unwrap(),
        "\"team/a/Memory.md\""
    );
    assert!(
        serde_json::from_str::<MemoryPath>("\"../x.md\"")
            .unwrap_err()
            .to_string()
            .contains("`..`")
    );
}

proptest! {
    /// Whatever is accepted stays beneath the directory, before and after normalising.
    #[test]
    fn what_is_accepted_is_beneath(path in "[a./\\\\:%~$ \u{ff0e}\u{ff0f}\u{2024}\u{2215}\u{200b}e2f]{0,12}(\\.md)?") {
        if let Ok(path) = MemoryPath::new(&path) {
            for part in path.components().chain(path.folded().split('/')) {
                prop_assert!(!part.is_empty() && !part.starts_with('.') && !part.contains(['\\', ':']));
            }
            prop_assert_eq!(path.folded().split('/').count(), path.components().count());
        }
    }

    #[test]
    fn no_text_makes_it_panic(path in any::<String>()) {
        let _ = MemoryPath::new(&path);
    }
}
