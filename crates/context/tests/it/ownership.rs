//! Above the project only what is the user's own counts.

use std::fmt::Write as _;

use crate::disk::{Disk, STRANGER, USER, sources, told};

#[test]
fn whose_file_above_the_project_is_obeyed() {
    let cases = [
        ("the user's", (0, 0o755), (USER, 0o755), (USER, 0o644)),
        ("root's", (0, 0o755), (0, 0o755), (0, 0o644)),
        (
            "another's file",
            (0, 0o755),
            (USER, 0o755),
            (STRANGER, 0o644),
        ),
        (
            "another's folder",
            (0, 0o755),
            (STRANGER, 0o755),
            (USER, 0o644),
        ),
        (
            "another's root",
            (STRANGER, 0o755),
            (USER, 0o755),
            (USER, 0o644),
        ),
        (
            "group can write the file",
            (0, 0o755),
            (USER, 0o755),
            (USER, 0o664),
        ),
        (
            "all can write the file",
            (0, 0o755),
            (USER, 0o755),
            (USER, 0o646),
        ),
        (
            "all can write the folder",
            (0, 0o755),
            (USER, 0o777),
            (USER, 0o644),
        ),
        ("as in /tmp itself", (0, 0o755), (0, 0o1777), (USER, 0o644)),
        ("beneath a /tmp", (0, 0o1777), (USER, 0o700), (USER, 0o600)),
        (
            "beneath a folder of all",
            (0, 0o777),
            (USER, 0o700),
            (USER, 0o600),
        ),
    ];
    let mut out = String::new();
    for (case, root, folder, file) in cases {
        let mut sources = sources();
        sources.project = "/up/p".into();
        sources.start_folder = "/up/p/sub".into();
        let disk = Disk::new()
            .owned("/", root.0, root.1)
            .owned("/up", folder.0, folder.1)
            .owned("/up/CLAUDE.md", file.0, file.1)
            .file("/up/CLAUDE.md", "x");
        writeln!(out, "{case}: {}", told(&disk.search(sources).0).trim_end()).unwrap();
    }
    insta::assert_snapshot!(out, @"
    the user's: Project /up/CLAUDE.md
    root's: Project /up/CLAUDE.md
    another's file: - /up/CLAUDE.md: /up/CLAUDE.md belongs to another user (1001)
    another's folder: - /up/CLAUDE.md: /up belongs to another user (1001)
    another's root: - /up/CLAUDE.md: / belongs to another user (1001)
    group can write the file: - /up/CLAUDE.md: others than you can write /up/CLAUDE.md
    all can write the file: - /up/CLAUDE.md: others than you can write /up/CLAUDE.md
    all can write the folder: - /up/CLAUDE.md: others than you can write /up
    as in /tmp itself: - /up/CLAUDE.md: others than you can write /up
    beneath a /tmp: Project /up/CLAUDE.md
    beneath a folder of all: - /up/CLAUDE.md: others than you can write /
    ");
}

#[test]
fn what_lies_between_the_folder_and_the_file_counts_too() {
    let mut sources = sources();
    sources.project = "/up/p".into();
    sources.start_folder = "/up/p".into();
    let disk = Disk::new()
        .file("/up/.claude/rules/x.md", "x")
        .owned("/up/.claude", USER, 0o777);
    insta::assert_snapshot!(disk.tell(sources.clone()), @"- /up/.claude/rules: others than you can write /up/.claude");
    let link = Disk::new()
        .link("/up/CLAUDE.md", "/home/ada/notes.md")
        .file("/home/ada/notes.md", "x");
    insta::assert_snapshot!(link.tell(sources), @"- /up/CLAUDE.md: above the project no symbolic link is followed");
}

#[test]
fn a_reader_that_does_not_know_whose_a_file_is_is_not_believed() {
    use memdir_context::instructions::{Answer, Discovery, Opened, Sources};
    for project in ["/", "/p"] {
        let mut discovery = Discovery::new(Sources::new(project, "/p", USER));
        discovery.request();
        discovery.feed(Answer::File(Opened {
            bytes: b"x".to_vec(),
            real: "/CLAUDE.md".into(),
            owners: Vec::new(),
        }));
        let told = told(&discovery.finish());
        assert_eq!(told, "- /CLAUDE.md: nobody can say whose it is\n");
    }
}
