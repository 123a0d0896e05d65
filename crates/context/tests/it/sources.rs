//! Where instruction files come from, and in which order.

use insta::assert_snapshot;

use crate::disk::{Disk, USER, sources};

fn everything() -> Disk {
    let files = [
        "/etc/claude-code/CLAUDE.md",
        "/etc/claude-code/rules/b.md",
        "/etc/claude-code/rules/a.md",
        "/etc/claude-code/rules/deeper/never.md",
        "/home/ada/.claude/CLAUDE.md",
        "/home/ada/.claude/rules/own.md",
        "/CLAUDE.md",
        "/p/CLAUDE.md",
        "/p/.claude/CLAUDE.md",
        "/p/.claude/rules/z.md",
        "/p/.claude/rules/deeper/still/a.md",
        "/p/CLAUDE.local.md",
        "/p/sub/CLAUDE.md",
        "/p/sub/CLAUDE.local.md",
        "/p/sub/below/CLAUDE.md",
        "/home/ada/.claude/projects/-p/memory/MEMORY.md",
    ];
    files
        .iter()
        .fold(Disk::new(), |disk, path| disk.file(path, path))
}

#[test]
fn every_source_in_order() {
    let mut sources = sources();
    sources.start_folder = "/p/sub".into();
    assert_snapshot!(everything().tell(sources), @"
    Managed /etc/claude-code/CLAUDE.md
    Managed /etc/claude-code/rules/a.md
    Managed /etc/claude-code/rules/b.md
    User /home/ada/.claude/CLAUDE.md
    User /home/ada/.claude/rules/own.md
    Project /CLAUDE.md
    Project /p/CLAUDE.md
    Project /p/.claude/CLAUDE.md
    Project /p/.claude/rules/z.md
    Project /p/.claude/rules/deeper/still/a.md
    Project /p/sub/CLAUDE.md
    Local /p/CLAUDE.local.md
    Local /p/sub/CLAUDE.local.md
    AutoMem /home/ada/.claude/projects/-p/memory/MEMORY.md
    ");
}

#[test]
fn nothing_is_asked_for_below_the_start_folder_or_beside_the_way_to_it() {
    let (_, asked) = Disk::new().search(sources());
    let asked: Vec<_> = asked.iter().map(|path| path.to_str().unwrap()).collect();
    assert_snapshot!(asked.join("\n"), @"
    /etc/claude-code/CLAUDE.md
    /etc/claude-code/rules
    /home/ada/.claude/CLAUDE.md
    /home/ada/.claude/rules
    /CLAUDE.md
    /.claude/CLAUDE.md
    /AGENTS.md
    /.claude/rules
    /p/CLAUDE.md
    /p/.claude/CLAUDE.md
    /p/AGENTS.md
    /p/.claude/rules
    /CLAUDE.local.md
    /p/CLAUDE.local.md
    /home/ada/.claude/projects/-p/memory/MEMORY.md
    ");
}

#[test]
fn a_folder_that_is_the_users_own_is_not_read_a_second_time_for_the_project() {
    let mut sources = sources();
    sources.project = "/home/ada".into();
    sources.start_folder = "/home/ada".into();
    let disk = Disk::new()
        .file("/home/ada/.claude/CLAUDE.md", "x")
        .file("/home/ada/.claude/rules/own.md", "x")
        .file("/home/ada/CLAUDE.md", "x");
    assert_snapshot!(disk.tell(sources), @"
    User /home/ada/.claude/CLAUDE.md
    User /home/ada/.claude/rules/own.md
    Project /home/ada/CLAUDE.md
    ");
}

#[test]
fn the_users_own_folder_is_not_judged_as_one_above_the_project() {
    let mut sources = sources();
    sources.project = "/home/ada/p".into();
    sources.start_folder = "/home/ada/p".into();
    let disk = Disk::new()
        .file("/home/ada/.claude/CLAUDE.md", "x")
        .file("/home/ada/.claude/rules/own.md", "x")
        .owned("/home/ada/.claude", USER, 0o775);
    assert_snapshot!(disk.tell(sources), @"
    User /home/ada/.claude/CLAUDE.md
    User /home/ada/.claude/rules/own.md
    ");
}

#[test]
fn a_project_on_a_disk_in_memory_is_a_project() {
    let mut sources = sources();
    sources.project = "/dev/shm/p".into();
    sources.start_folder = "/dev/shm/p".into();
    let disk = Disk::new()
        .file("/dev/shm/p/CLAUDE.md", "@a.md @../b.md")
        .file("/dev/shm/p/a.md", "");
    assert_snapshot!(disk.tell(sources), @"
    Project /dev/shm/p/CLAUDE.md
    Project /dev/shm/p/a.md < /dev/shm/p/CLAUDE.md:1
    - /dev/shm/b.md < /dev/shm/p/CLAUDE.md:1: it belongs to the system, not to a person
    ");
}

#[test]
fn a_worktree_within_gits_folder_is_a_project() {
    let mut sources = sources();
    sources.project = "/r/.git/trees/p".into();
    sources.start_folder = "/r/.git/trees/p".into();
    let disk = Disk::new()
        .file("/r/.git/trees/p/CLAUDE.md", "@a.md @.git/b.md")
        .file("/r/.git/trees/p/a.md", "");
    assert_snapshot!(disk.tell(sources), @"
    Project /r/.git/trees/p/CLAUDE.md
    Project /r/.git/trees/p/a.md < /r/.git/trees/p/CLAUDE.md:1
    - /r/.git/trees/p/.git/b.md < /r/.git/trees/p/CLAUDE.md:1: it is git's own data
    ");
}

#[test]
fn two_names_of_one_file_are_one_file() {
    let disk = Disk::new()
        .file("/p/docs/CLAUDE.md", "x")
        .link("/p/CLAUDE.md", "/p/docs/CLAUDE.md")
        .link("/p/.claude", "/p/docs");
    assert_snapshot!(disk.tell(sources()), @"Project /p/CLAUDE.md");
}

#[test]
fn the_request_stands_until_it_is_answered_and_says_who_asks() {
    use memdir_context::instructions::{Answer, Discovery, Sources};
    let mut discovery = Discovery::new(Sources::new("/", "/", 0));
    let first = discovery.request().cloned();
    assert_eq!(first, discovery.request().cloned());
    discovery.feed(Answer::file("/CLAUDE.md", "\n@x.md", 0));
    insta::assert_debug_snapshot!(discovery.request(), @r#"
    Some(
        Request {
            want: File,
            path: "/x.md",
            kind: Project,
            asker: Include {
                file: "/CLAUDE.md",
                line: 2,
            },
        },
    )
    "#);
    discovery.feed(Answer::Absent);
    while discovery.request().is_some() {
        discovery.feed(Answer::Absent);
    }
    // An answer that nobody asked for changes nothing.
    discovery.feed(Answer::file("/CLAUDE.md", "@y.md", 0));
    assert!(discovery.request().is_none());
    assert_eq!(discovery.finish().files.len(), 1);
}

#[test]
fn an_answer_of_the_wrong_sort_is_a_refusal() {
    use memdir_context::instructions::{Answer, Discovery, Sources};
    let mut discovery = Discovery::new(Sources::new("/", "/", 0));
    discovery.request();
    let Answer::File(opened) = Answer::file("/CLAUDE.md", "x", 0) else {
        panic!("a file")
    };
    let (files, folders) = (Vec::new(), Vec::new());
    discovery.feed(Answer::Folder {
        opened,
        files,
        folders,
    });
    assert_snapshot!(crate::disk::told(&discovery.finish()), @"- /CLAUDE.md: it is not what was asked for");
}

#[test]
fn a_claude_md_in_the_claude_folder_or_one_that_cannot_be_read_keeps_agents_md_out() {
    let agents = Disk::new().file("/p/AGENTS.md", "agents");
    assert_snapshot!(agents.tell(sources()), @"Project /p/AGENTS.md");
    for path in ["/p/CLAUDE.md", "/p/.claude/CLAUDE.md"] {
        let both = agents.clone().file(path, "");
        assert_eq!(both.tell(sources()), format!("Project {path}\n"));
    }
    // One that cannot be read is there all the same.
    let odd = agents.odd("/p/CLAUDE.md", "it is a FIFO, not a regular file");
    assert_snapshot!(odd.tell(sources()), @"- /p/CLAUDE.md: it is a FIFO, not a regular file");
}

#[test]
fn agents_md_is_decided_folder_by_folder() {
    let mut sources = sources();
    sources.start_folder = "/p/sub".into();
    let disk = Disk::new()
        .file("/p/AGENTS.md", "x")
        .file("/p/sub/CLAUDE.md", "x")
        .file("/p/sub/AGENTS.md", "x");
    assert_snapshot!(disk.tell(sources), @"
    Project /p/AGENTS.md
    Project /p/sub/CLAUDE.md
    ");
}

#[test]
fn memory_md_is_no_place_for_includes() {
    let index = "/home/ada/.claude/projects/-p/memory/MEMORY.md";
    let disk = Disk::new().file(index, "@x.md").file("/p/x.md", "x");
    let (found, asked) = disk.search(sources());
    assert_eq!(found.files.len(), 1);
    assert!(asked.iter().all(|path| !path.ends_with("x.md")));
}
