//! Rules that hold only when a matching file is touched.

use std::path::Path;

use insta::assert_snapshot;

use crate::disk::{Disk, sources, told};

/// A project with one rule that has this header.
fn rule(header: &str) -> Disk {
    Disk::new().file(
        "/p/.claude/rules/r.md",
        format!("---\n{header}\n---\nThe rule.\n"),
    )
}

/// Whether a rule with this header holds for a file of the project.
fn holds(header: &str, touched: &str) -> bool {
    let (found, _) = rule(header).search(sources());
    !found.touched(&Path::new("/p").join(touched)).is_empty()
}

#[test]
fn a_rule_with_paths_is_reported_but_not_shown() {
    let disk = rule("paths: src/**/*.ts");
    let (found, _) = disk.search(sources());
    assert_snapshot!(told(&found), @r#"Project /p/.claude/rules/r.md for ["src/**/*.ts"]"#);
    assert_eq!(found.block(), None);
    let touched = found.touched(Path::new("/p/src/a/b.ts"));
    assert_eq!(touched[0].text, "The rule.\n", "without its header");
    assert!(found.touched(Path::new("/elsewhere/src/a/b.ts")).is_empty());
    assert!(
        found.touched(Path::new("src/a/b.ts")).is_empty(),
        "paths are absolute"
    );
}

#[test]
fn every_way_to_write_paths() {
    let ways = [
        "paths: src/**/*.ts",
        "paths: \"src/**/*.ts\"",
        "paths: **/*.ts",
        "paths:\n  - src/**/*.ts\n  - 'lib/**'",
        "paths:\n- **/*.ts\n- **/*.tsx",
        "paths: [\"src/**/*.ts\", 'lib/**']",
        "paths: [**/*.ts, lib/**]",
        "paths: lib/**, src/**/*.ts",
        "paths: \"{lib,src}/**/*.ts\"",
        "description: a: b\npaths: {lib,src}/**/*.{ts,tsx}",
        "paths: '*.ts'",
        "paths: src/",
        "paths: /src/a",
        "paths: ./src/**",
    ];
    for way in ways {
        assert!(holds(way, "src/a/b.ts"), "{way}");
        assert!(!holds(way, "docs/b.md"), "{way}");
    }
}

#[test]
fn patterns_are_read_as_in_ignore_files() {
    for (pattern, touched, expected) in [
        ("*.ts", "deep/down/x.ts", true),
        ("/*.ts", "deep/x.ts", false),
        ("src/*.ts", "src/a/x.ts", false),
        ("src/*.ts", "other/src/x.ts", false),
        ("src", "src/a/x.ts", true),
        ("src", "a/src/x.ts", true),
        ("src/**, !src/generated/**", "src/generated/x.ts", false),
        ("src/**, !src/generated/**", "src/x.ts", true),
        ("[ab].ts", "a.ts", true),
    ] {
        assert_eq!(
            holds(&format!("paths: '{pattern}'"), touched),
            expected,
            "{pattern} {touched}"
        );
    }
}

#[test]
fn a_rule_that_names_no_condition_holds_always() {
    for header in [
        "description: x",
        "paths:",
        "paths: '**'",
        "paths: **/*",
        "paths: []",
    ] {
        let (found, _) = rule(header).search(sources());
        assert!(found.files[0].is_shown(), "{header}");
        assert_eq!(found.files[0].text, "The rule.\n", "{header}");
    }
}

#[test]
fn what_cannot_be_read_is_told_and_loses_no_rule() {
    assert_snapshot!(rule("paths: 'src/[', 'a{b'").tell(sources()), @r#"
    Project /p/.claude/rules/r.md
    ! /p/.claude/rules/r.md: "src/[" in `paths` is not a pattern; it is ignored
    ! /p/.claude/rules/r.md: "a{b" in `paths` is not a pattern; it is ignored
    ! /p/.claude/rules/r.md: `paths` names no file; the rule applies always
    "#);
    assert_snapshot!(rule("paths:\n  - 'src/['\n  - lib/**").tell(sources()), @r#"
    Project /p/.claude/rules/r.md for ["src/[", "lib/**"]
    ! /p/.claude/rules/r.md: "src/[" in `paths` is not a pattern; it is ignored
    "#);
    assert_snapshot!(rule("paths: '!src/**'").tell(sources()), @"
    Project /p/.claude/rules/r.md
    ! /p/.claude/rules/r.md: `paths` names no file; the rule applies always
    ");
}

#[test]
fn a_header_is_only_a_header_where_rules_are() {
    let text = "---\npaths: src/**\n---\nbody";
    let disk = Disk::new().file("/p/CLAUDE.md", text);
    let (found, _) = disk.search(sources());
    assert_eq!(found.files[0].text, text);
    let unclosed = Disk::new().file("/p/.claude/rules/r.md", "---\npaths: src/**\nbody");
    let (found, _) = unclosed.search(sources());
    assert_eq!(found.files[0].text, "---\npaths: src/**\nbody");
}

#[test]
fn includes_of_a_rule_come_with_it_unless_they_are_there_anyway() {
    let disk = Disk::new()
        .file(
            "/p/.claude/rules/a.md",
            "---\npaths: '*.a'\n---\n\n@../../always.md @../../both.md @../../deep.md",
        )
        .file(
            "/p/.claude/rules/b.md",
            "---\npaths: '*.b'\n---\n@../../both.md",
        )
        .file("/p/always.md", "")
        .file("/p/both.md", "@both-too.md")
        .file("/p/both-too.md", "@both.md")
        .file("/p/deep.md", "")
        .file("/p/CLAUDE.local.md", "@always.md");
    let (found, _) = disk.search(sources());
    assert_snapshot!(told(&found), @r#"
    Project /p/.claude/rules/a.md for ["*.a"]
    Project /p/.claude/rules/b.md for ["*.b"]
    Local /p/CLAUDE.local.md
    Local /p/always.md < /p/CLAUDE.local.md:1
    Project /p/both.md < /p/.claude/rules/a.md:5 with its rule
    Project /p/both-too.md < /p/both.md:1 with its rule
    Project /p/deep.md < /p/.claude/rules/a.md:5 with its rule
    - /p/both.md < /p/both-too.md:1: it includes itself; it is loaded once
    "#);
    let touched = |name: &str| {
        let files = found.touched(Path::new(name));
        let names = files
            .iter()
            .map(|file| file.path.file_name().unwrap().to_str().unwrap());
        names.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(touched("/p/x.a"), "a.md both.md both-too.md deep.md");
    assert_eq!(touched("/p/x.b"), "b.md both.md both-too.md");
    assert_eq!(touched("/p/x.c"), "");
}

#[test]
fn rules_of_the_user_are_about_the_project() {
    let disk = Disk::new().file("/home/ada/.claude/rules/r.md", "---\npaths: src/**\n---\nx");
    let (found, _) = disk.search(sources());
    assert_eq!(found.touched(Path::new("/p/src/x")).len(), 1);
    assert_eq!(found.touched(Path::new("/home/ada/.claude/src/x")).len(), 0);
}

#[test]
fn rules_of_a_folder_are_about_that_folder() {
    let mut sources = sources();
    sources.start_folder = "/p/web".into();
    let disk = Disk::new().file("/p/web/.claude/rules/r.md", "---\npaths: /src/**\n---\nx");
    let (found, _) = disk.search(sources);
    assert_eq!(found.touched(Path::new("/p/web/src/x")).len(), 1);
    assert_eq!(found.touched(Path::new("/p/src/x")).len(), 0);
}
