//! `memdir import` and `memdir export`.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::os::unix::fs::symlink;
use std::path::Path;

use insta::assert_snapshot;

use crate::fixture::{Fixture, set_age};

/// A second home with nothing in it.
fn other() -> Fixture {
    Fixture::new()
}

fn files(fixture: &Fixture) -> Vec<(String, Vec<u8>, i64)> {
    let folder = fixture.memory_dir();
    let mut files: Vec<(String, Vec<u8>, i64)> = Vec::new();
    let mut folders = vec![folder.clone()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(&folder).unwrap().display().to_string();
            let modified = fs::metadata(&path).unwrap();
            let nanoseconds = modified.mtime() * 1_000_000_000 + modified.mtime_nsec();
            if name != "MEMORY.md" {
                files.push((name, fs::read(&path).unwrap(), nanoseconds));
            }
        }
    }
    files.sort();
    files
}

/// Memories in every form that a file can have.
fn odd() -> Fixture {
    let fixture = Fixture::with_some();
    fixture.file("plain.md", 9, "No header at all\n");
    fixture.file(
        "notes/deep/flow.md",
        40,
        "---\nname: x\nmetadata: {type: user}\n---\n\nFlow.\n",
    );
    fixture.file("crlf.md", 5, "---\r\nname: x\r\n---\r\n\r\nLines.\r\n");
    fixture.file("bytes.md", 2, b"caf\xe9 is no UTF-8\n");
    fixture.file("no_end.md", 2, "without an end");
    fixture.file(
        "marks.md",
        2,
        "---\nname: marks\nmetadata:\n  target: elsewhere.md\n  wanted_by: user\n  brought_from: x\n---\n\nIt has marks of the inbox.\n",
    );
    fixture.file(
        "größe.md",
        2,
        "---\nname: größe\ndescription: \"quoted: yes\"\n---\n\nGroß.\n",
    );
    fixture
}

#[test]
fn what_is_exported_imported_and_accepted_is_the_same_bytes_and_as_old() {
    for (format, name) in [("markdown", "out"), ("jsonl", "out.jsonl")] {
        let from = odd();
        let out = from.sandbox.root().join(name);
        let out = out.to_str().unwrap();
        let exported = from.run(&["export", format, out]);
        assert!(exported.success(), "{exported}");
        let to = other();
        let imported = to.run(&["import", format, out]);
        assert!(
            imported.success() && imported.stderr().is_empty(),
            "{imported}"
        );
        assert!(!to.memory_dir().exists(), "an import is no memory yet");
        let accepted = to.run(&["accept", "--all"]);
        assert!(accepted.success(), "{accepted}");
        assert_eq!(files(&to), files(&from));
        // And once more, nothing happens.
        let again = to.run(&["import", format, out]);
        assert!(again.stdout().contains("0 memories"), "{again}");
        assert!(to.run(&["doctor"]).success());
    }
}

#[test]
fn an_import_waits_with_where_it_came_from_and_is_not_brought_in_twice() {
    let from = Fixture::with_some();
    let to = other();
    let folder = from.memory_dir();
    let folder = folder.to_str().unwrap();
    let import = |words: &[&str]| {
        let words: Vec<&str> = ["import", "claude-code", folder]
            .iter()
            .chain(words)
            .copied()
            .collect();
        to.program(&words).filter("from=.*", "").run().unwrap()
    };
    assert_snapshot!(import(&["--dry-run"]), @"
    exit 0
    -- stdout
    Would bring in 3 memories from claude-code
    -- stderr
    ");
    assert_snapshot!(to.run(&["inbox"]), @"
    exit 0
    -- stdout
    Nothing waits for your word.
    -- stderr
    ");
    assert_snapshot!(import(&[]), @"
    exit 0
    -- stdout
    Brought in 3 memories from claude-code
    they wait for your word: `memdir inbox` shows them, `memdir accept --all` takes them all in
    -- stderr
    ");
    assert_snapshot!(to.run(&["inbox"]), @r#"
    exit 0
    -- stdout
    #1  + project_release.md (project): "2.0 is out on 2026-12-01"
    #2  + feedback_no_push_on_friday.md (feedback): "Never push to main on a Friday"
    #3  + user_role.md (user): "Writes Rust, reads Go"
    3 suggestions; `memdir inbox 1` shows it whole, `memdir accept 1` saves it, `memdir reject 1` lets it go
    -- stderr
    "#);
    assert_snapshot!(import(&[]), @"
    exit 0
    -- stdout
    Brought in 0 memories from claude-code
    3 are here already or waiting
    -- stderr
    ");
    to.run(&["accept", "1"]);
    to.run(&["reject", "2"]);
    assert_snapshot!(import(&[]), @"
    exit 0
    -- stdout
    Brought in 0 memories from claude-code
    2 are here already or waiting
    1 was decided about before
    -- stderr
    ");
    let waiting = to.state_file("inbox/3-user_role.md");
    let waiting = fs::read_to_string(waiting).unwrap();
    assert!(
        waiting.contains("wanted_by: import") && waiting.contains("brought_from:"),
        "{waiting}"
    );
    let told = to.run(&["inbox", "--json"]).stdout();
    assert!(told.contains("\"source\": \"import\""), "{told}");
}

#[test]
fn an_export_overwrites_nothing() {
    let fixture = Fixture::with_some();
    fixture.sandbox.write("taken/file", "mine").unwrap();
    let taken = fixture.sandbox.root().join("taken");
    for words in [["markdown", ""], ["jsonl", ""], ["jsonl", "/file"]] {
        let path = format!("{}{}", taken.display(), words[1]);
        let refused = fixture.run(&["export", words[0], &path]);
        assert_eq!(refused.code(), Some(1), "{refused}");
    }
    assert_eq!(fs::read_to_string(taken.join("file")).unwrap(), "mine");
    let out = fixture.sandbox.root().join("out");
    let out = out.to_str().unwrap();
    assert_snapshot!(fixture.run(&["export", "markdown", out, "--dry-run"]), @"
    exit 0
    -- stdout
    Would copy 3 memories to [ROOT]/out
    -- stderr
    ");
    assert!(!Path::new(out).exists());
    assert_snapshot!(fixture.run(&["export", "markdown", out, "--json"]), @r#"
    exit 0
    -- stdout
    {
      "dry_run": false,
      "format": "markdown",
      "path": "[ROOT]/out",
      "memories": 3,
      "bytes": 633,
      "warnings": []
    }
    -- stderr
    "#);
    let lines = fixture.run(&["export", "jsonl", "-"]).stdout();
    assert_eq!(lines.lines().count(), 4, "{lines}");
    assert_snapshot!(fixture.run(&["export", "markdown", out]), @"
    exit 1
    -- stdout
    -- stderr
    error: [ROOT]/out is there already
      name a place where nothing is; nothing was written
    ");
}

#[test]
fn what_is_no_memory_is_left_out_of_an_export() {
    let fixture = Fixture::with_some();
    let folder = fixture.memory_dir();
    symlink("/etc/hostname", folder.join("link.md")).unwrap();
    let large = fs::File::create(folder.join("large.md")).unwrap();
    large.set_len(5 * 1024 * 1024).unwrap();
    for (format, name) in [("markdown", "out"), ("jsonl", "out.jsonl")] {
        let told = fixture.run(&["export", format, name]);
        assert_eq!(told.code(), Some(1), "{told}");
        assert!(told.stdout().contains("Copied"), "{told}");
        assert!(told.stderr().contains("large.md"), "{told}");
    }
}

#[test]
fn memories_of_other_agents_become_one_each() {
    let fixture = other();
    let write = |path: &str, text: &str| {
        let path = fixture.sandbox.write(path, text).unwrap();
        set_age(&path, 3);
    };
    write(
        "codex/memories/MEMORY.md",
        "# Deploys\n\nDeploys happen on Thursdays.\n\n```\n# not a heading\n```\n\n# Empty\n\n## Tests\n\nThe suite needs Postgres 15.\n",
    );
    write(
        "codex/memories/memory_summary.md",
        "The user writes Rust.\n",
    );
    write("codex/memories/raw_memories.md", "working notes\n");
    write(
        "gemini/GEMINI.md",
        "# Rules\n\n- not a memory\n\n## Gemini Added Memories\n\n- The user keeps bees.\n  In wooden hives.\n- Prefers tabs over spaces in Go.\n\n## More\n\n- not one either\n",
    );
    write(
        "gemini/memory/MEMORY.md",
        "- [Host](host.md) — where it is\n- The staging host is quartz.\n",
    );
    write(
        "gemini/memory/host.md",
        "---\nname: host\ndescription: Where the host is\n---\n\nRoom 4.\n",
    );
    let root = fixture.sandbox.root().display().to_string();
    for (format, path) in [("codex", "codex"), ("gemini", "gemini")] {
        let done = fixture.run(&["import", format, &format!("{root}/{path}")]);
        assert!(done.success() && done.stderr().is_empty(), "{done}");
    }
    assert_snapshot!(fixture.run(&["inbox"]), @r#"
    exit 0
    -- stdout
    #1  + project_deploys.md (project): "Deploys"
    #2  + project_tests.md (project): "Tests"
    #3  + user_user_writes_rust.md (user): "The user writes Rust."
    #4  + host.md: "Where the host is"
    #5  + project_staging_host_quartz.md (project): "The staging host is quartz."
    #6  + user_user_keeps_bees.md (user): "The user keeps bees."
    #7  + project_prefers_tabs_over_spaces_go.md (project): "Prefers tabs over spaces in Go."
    7 suggestions; `memdir inbox 1` shows it whole, `memdir accept 1` saves it, `memdir reject 1` lets it go
    -- stderr
    "#);
    fixture.run(&["accept", "--all"]);
    assert_snapshot!(fixture.run(&["list", "--sort", "path"]), @"
    exit 0
    -- stdout
    host.md                                 -        3 days ago  Where the host is
    project_deploys.md                      project  3 days ago  Deploys
    project_prefers_tabs_over_spaces_go.md  project  3 days ago  Prefers tabs over spaces in Go.
    project_staging_host_quartz.md          project  3 days ago  The staging host is quartz.
    project_tests.md                        project  3 days ago  Tests
    user_user_keeps_bees.md                 user     3 days ago  The user keeps bees.
    user_user_writes_rust.md                user     3 days ago  The user writes Rust.
    -- stderr
    ");
}

#[test]
fn what_is_hostile_in_an_archive_is_refused_and_counted() {
    let fixture = other();
    let key = "ghp_R7kQ2vZx9LmP4tYw8NcB1sDf6HjG3aKe0UiO";
    let write = |path: &str, text: &str| fixture.sandbox.write(path, text).unwrap();
    write("outside/secret.md", "of the neighbour");
    write("from/good.md", "A good one.\n");
    write("from/token.md", &format!("The token is {key}\n"));
    write("from/hidden.md", "Tabs\u{e0041} are\u{202e} wanted\n");
    write("from/~home.md", "A name that a shell takes for a folder\n");
    write("from/empty.md", "");
    write("from/huge.md", &"many words\n".repeat(500_000));
    let root = fixture.sandbox.root().to_owned();
    symlink(root.join("outside/secret.md"), root.join("from/link.md")).unwrap();
    symlink(root.join("outside"), root.join("from/folder")).unwrap();
    rustix::fs::mknodat(
        rustix::fs::CWD,
        root.join("from/pipe.md"),
        rustix::fs::FileType::Fifo,
        0o600.into(),
        0,
    )
    .unwrap();
    let from = root.join("from").display().to_string();
    assert_snapshot!(fixture.run(&["import", "markdown", &from]), @"
    exit 1
    -- stdout
    Brought in 2 memories from markdown
    2 characters that nobody can see taken out
    they wait for your word: `memdir inbox` shows them, `memdir accept --all` takes them all in
    -- stderr
    warning: [ROOT]/from/huge.md was refused: [ROOT]/from/huge.md is 5500000 bytes; memdir reads memory files up to 4194304 bytes
    warning: [ROOT]/from/pipe.md was refused: it is not a plain file
    warning: [ROOT]/from/link.md was refused: it is a symbolic link
    warning: [ROOT]/from/~home.md was refused: a part of the path begins with `~`, `-` or `$`, which a shell would not take for a name
    warning: [ROOT]/from/empty.md was refused: it is empty
    warning: [ROOT]/from/token.md was refused: line 1 looks like a secret (rule github-personal-token: GitHub personal access token)
    ");
    let line = |path: &str, content: &str| {
        serde_json::json!({"scope": "project", "path": path, "modified": 1, "source": null, "content": content}).to_string()
    };
    let lines = [
        "{\"memdir_export\":1}".to_owned(),
        line("../../escape.md", "x"),
        line("/etc/cron.d/x.md", "x"),
        line("MEMORY.md", "x"),
        line("token.md", key),
        line("fine.md", "Fine.\n"),
        "not json".to_owned(),
        serde_json::json!({"scope": "everywhere", "path": "a.md", "modified": 1, "content": "x"})
            .to_string(),
        serde_json::json!({"scope": "project", "path": "b.md", "modified": 1, "content_hex": "6"})
            .to_string(),
    ];
    let file = write("lines.jsonl", &lines.join("\n"));
    assert_snapshot!(fixture.run(&["import", "jsonl", &file.display().to_string()]), @"
    exit 1
    -- stdout
    Brought in 1 memory from jsonl
    they wait for your word: `memdir inbox` shows them, `memdir accept --all` takes them all in
    -- stderr
    warning: [ROOT]/lines.jsonl:2 was refused: the path has `.` or `..` as a part: name the file directly
    warning: [ROOT]/lines.jsonl:3 was refused: the path is absolute: give it relative to the memory directory
    warning: [ROOT]/lines.jsonl:4 was refused: it is an index or a log, not a memory
    warning: [ROOT]/lines.jsonl:7 was refused: expected ident at line 1 column 2
    warning: [ROOT]/lines.jsonl:8 was refused: it holds for all projects: import it with --everywhere
    warning: [ROOT]/lines.jsonl:9 was refused: its bytes are not in hexadecimal digits
    warning: [ROOT]/lines.jsonl:5 was refused: line 1 looks like a secret (rule github-personal-token: GitHub personal access token)
    ");
    let other = write("other.jsonl", "{\"memdir_export\":2}\n");
    assert_snapshot!(fixture.run(&["import", "jsonl", &other.display().to_string()]), @"
    exit 1
    -- stdout
    -- stderr
    error: cannot read [ROOT]/other.jsonl: it was written by a newer memdir (format 2, this one knows 1)
    ");
    assert_snapshot!(fixture.run(&["import", "markdown", "/no/such/folder"]), @"
    exit 1
    -- stdout
    -- stderr
    error: cannot look at /no/such/folder: No such file or directory (os error 2)
      name a folder or a file that is there
    ");
    let home = fixture.sandbox.home();
    for needle in [key.as_bytes(), b"neighbour", "\u{e0041}".as_bytes()] {
        assert!(
            memdir_testkit::tree::files_with(&home, needle)
                .unwrap()
                .is_empty()
        );
    }
}
