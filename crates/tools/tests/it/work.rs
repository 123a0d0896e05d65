use memdir_memory::MemoryPath;
use memdir_store::{Author, Reason, Store};
use memdir_tools::{Bench, Call, Powers, Rooms, StoreShelf};
use serde_json::{Value, json};

/// Runs calls one after the other and prints what the model would read.
fn session(setup: impl Fn(&std::path::Path), calls: &[(&str, Value)]) -> String {
    let root = memdir_testkit::temporary_folder().unwrap();
    let path = root.path().canonicalize().unwrap();
    for folder in ["work", "memory"] {
        std::fs::create_dir(path.join(folder)).unwrap();
    }
    setup(&path);
    let store = Store::new(path.join("memory"), path.join("state"));
    let mut shelf = StoreShelf::new(&store, Reason::new(Author::Extraction, "extract"));
    let rooms = Rooms::new(&path.join("work"), &path.join("memory")).unwrap();
    let mut bench = Bench::new(rooms, &mut shelf, Powers::Memory);
    let mut lines = Vec::new();
    for (tool, input) in calls {
        let input = input.to_string().replace("ROOT", path.to_str().unwrap());
        let answer = bench.call(&Call::new(tool, serde_json::from_str(&input).unwrap()));
        let mark = if answer.error { "✗" } else { "✓" };
        lines.push(format!("{mark} {tool}: {}", answer.text));
    }
    for denied in bench.denied() {
        lines.push(format!(
            "denied {} {}: {}",
            denied.tool, denied.target, denied.reason
        ));
    }
    lines.push(format!(
        "written {:?}",
        bench
            .written()
            .iter()
            .map(MemoryPath::as_str)
            .collect::<Vec<_>>()
    ));
    lines.join("\n").replace(path.to_str().unwrap(), "ROOT")
}

#[test]
fn a_memory_is_read_edited_and_written() {
    insta::assert_snapshot!(session(
        |root| std::fs::write(root.join("memory/a.md"), "tabs\nspaces\n").unwrap(),
        &[
            ("Edit", json!({"file_path": "ROOT/memory/a.md", "old_string": "tabs", "new_string": "TABS"})),
            ("Read", json!({"file_path": "ROOT/memory/a.md"})),
            ("Edit", json!({"file_path": "ROOT/memory/a.md", "old_string": "s", "new_string": "S"})),
            ("Edit", json!({"file_path": "ROOT/memory/a.md", "old_string": "tabs", "new_string": "TABS"})),
            ("Edit", json!({"file_path": "ROOT/memory/a.md", "old_string": "TABS", "new_string": "Tabs"})),
            ("Write", json!({"file_path": "ROOT/memory/new.md", "content": "fresh\n"})),
            ("Read", json!({"file_path": "ROOT/memory/a.md", "offset": 2, "limit": "1"})),
            ("Write", json!({"file_path": "ROOT/memory/b.md"})),
        ],
    ), @r#"
    ✗ Edit: this file was not read in this run: Read it first
    ✓ Read:      1	tabs
         2	spaces

    ✗ Edit: old_string occurs 3 times: make it longer until it occurs once, or set replace_all
    ✓ Edit: Updated a.md
    ✓ Edit: Updated a.md
    ✓ Write: Created new.md
    ✓ Read:      2	spaces

    ✗ Write: Write needs `content`, a string
    written ["a.md", "new.md"]
    "#);
}

#[test]
fn what_was_not_read_is_not_overwritten() {
    insta::assert_snapshot!(session(
        |root| std::fs::write(root.join("memory/a.md"), "old\n").unwrap(),
        &[("Write", json!({"file_path": "ROOT/memory/a.md", "content": "new\n"}))],
    ), @"
    ✗ Write: a.md exists and was not read in this run: Read it first, then update it
    written []
    ");
}

#[test]
fn nothing_is_written_elsewhere_and_no_command_runs() {
    insta::assert_snapshot!(session(
        |root| std::fs::write(root.join("work/x.rs"), "fn main() {}\n").unwrap(),
        &[
            ("Write", json!({"file_path": "ROOT/work/x.rs", "content": "gone"})),
            ("Edit", json!({"file_path": "ROOT/memory/../work/x.rs", "old_string": "fn", "new_string": "x"})),
            ("Bash", json!({"command": "rm -rf ROOT/memory"})),
            ("Bash", json!({"command": "cat x.rs"})),
            ("WebFetch", json!({"url": "http://127.0.0.1"})),
            ("Read", json!({"file_path": "ROOT/work/x.rs"})),
        ],
    ), @"
    ✗ Write: this run may write only memories: name a .md file beneath the memory directory
    ✗ Edit: this run may write only memories: name a .md file beneath the memory directory
    ✗ Bash: this run has no shell, only ls, find, cat, stat, wc, head and tail with plain arguments: `rm` is none of them
    ✓ Bash: fn main() {}

    ✗ WebFetch: WebFetch is not allowed in this run: use Read, Grep and Glob, and Write or Edit for memories
    ✓ Read:      1	fn main() {}

    denied Write ROOT/work/x.rs: this run may write only memories: name a .md file beneath the memory directory
    denied Edit ROOT/work/x.rs: this run may write only memories: name a .md file beneath the memory directory
    denied Bash rm: this run has no shell, only ls, find, cat, stat, wc, head and tail with plain arguments: `rm` is none of them
    denied WebFetch : WebFetch is not allowed in this run: use Read, Grep and Glob, and Write or Edit for memories
    written []
    ");
}

#[test]
fn a_secret_is_refused_and_not_repeated() {
    let key = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let said = session(
        |_| {},
        &[(
            "Write",
            json!({"file_path": "ROOT/memory/k.md", "content": format!("token {key}\n")}),
        )],
    );
    assert!(!said.contains(&key), "{said}");
    assert!(said.contains("✗ Write"), "{said}");
}

#[test]
fn searching() {
    insta::assert_snapshot!(session(
        |root| {
            std::fs::write(root.join("memory/a.md"), "use tabs\nnever spaces\n").unwrap();
            std::fs::write(root.join("work/b.txt"), "Tabs\n").unwrap();
        },
        &[
            ("Grep", json!({"pattern": "tabs", "path": "ROOT", "-i": true, "output_mode": "content", "glob": "*.md"})),
            ("Grep", json!({"pattern": "tabs", "path": "ROOT/work"})),
            ("Grep", json!({"pattern": "(", "path": "ROOT"})),
            ("Grep", json!({"pattern": "s", "path": "ROOT/memory", "output_mode": "count"})),
            ("Glob", json!({"pattern": "**/*.md", "path": "ROOT"})),
            ("Glob", json!({"pattern": "*.none"})),
        ],
    ), @"
    ✓ Grep: ROOT/memory/a.md:1:use tabs
    ✓ Grep: [no match]
    ✗ Grep: the pattern is not understood: regex parse error:
        (?:()
        ^
    error: unclosed group
    ✓ Grep: ROOT/memory/a.md:2
    ✓ Glob: ROOT/memory/a.md
    ✓ Glob: [no file matches]
    written []
    ");
}

#[test]
fn nothing_that_is_no_file_is_waited_for() {
    let pipe = |path: std::path::PathBuf| {
        let made = std::process::Command::new("mkfifo").arg(path).status();
        assert!(made.unwrap().success());
    };
    let shown = session(
        |root| {
            for folder in ["work/a", "work/b"] {
                std::fs::create_dir(root.join(folder)).unwrap();
                std::fs::write(root.join(folder).join("x.md"), "tabs\n").unwrap();
            }
            pipe(root.join("work/pipe"));
            // Whoever walks through folders reads these.
            pipe(root.join("work/a/.gitignore"));
            pipe(root.join(".ignore"));
        },
        &[
            ("Read", json!({"file_path": "pipe"})),
            ("Grep", json!({"pattern": "tabs"})),
            ("Grep", json!({"pattern": "tabs", "path": "pipe"})),
            ("Glob", json!({"pattern": "**/*.md"})),
            ("Grep", json!({"pattern": "tabs", "path": "a"})),
            ("Read", json!({"file_path": "/proc/1/environ"})),
            ("Bash", json!({"command": "cat pipe"})),
            ("Bash", json!({"command": "head -c 1 /dev/zero"})),
            (
                "Bash",
                json!({"command": "wc -c -- a/x.md /proc/self/environ"}),
            ),
        ],
    );
    insta::assert_snapshot!(shown, @"
    ✗ Read: ROOT/work/pipe: not a regular file
    ✓ Grep: ROOT/work/b/x.md
    ✓ Grep: [no match]
    ✓ Glob: ROOT/work/b/x.md
    ✓ Grep: [no match]
    ✗ Read: devices and processes are not read in this run: name a file or a folder of files
    ✗ Bash: this run has no shell, only ls, find, cat, stat, wc, head and tail with plain arguments: pipe is no file and no folder of files
    ✗ Bash: this run has no shell, only ls, find, cat, stat, wc, head and tail with plain arguments: /dev/zero is no file and no folder of files
    ✗ Bash: this run has no shell, only ls, find, cat, stat, wc, head and tail with plain arguments: /proc/self/environ is no file and no folder of files
    denied Read /proc/1/environ: devices and processes are not read in this run: name a file or a folder of files
    denied Bash cat: this run has no shell, only ls, find, cat, stat, wc, head and tail with plain arguments: pipe is no file and no folder of files
    denied Bash head: this run has no shell, only ls, find, cat, stat, wc, head and tail with plain arguments: /dev/zero is no file and no folder of files
    denied Bash wc: this run has no shell, only ls, find, cat, stat, wc, head and tail with plain arguments: /proc/self/environ is no file and no folder of files
    written []
    ");
}
