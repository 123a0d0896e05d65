//! What the main agent may do: the project with the user's word, memories and its scratchpad without, nothing else unseen.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use memdir_model::Cancel;
use memdir_store::{Author, Reason, Store};
use memdir_tools::{Asked, Bench, Call, Denial, Powers, Rooms, StoreShelf};
use serde_json::{Value, json};

struct Scene {
    _folder: tempfile::TempDir,
    root: PathBuf,
}

impl Scene {
    fn new() -> Scene {
        let folder = memdir_testkit::temporary_folder().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for name in ["work", "memory", "scratch", "outside", "past"] {
            std::fs::create_dir(root.join(name)).unwrap();
        }
        std::fs::write(root.join("work/main.rs"), "fn main() {}\n").unwrap();
        std::fs::write(root.join("outside/key"), "secret\n").unwrap();
        std::os::unix::fs::symlink(root.join("outside/key"), root.join("work/-l")).unwrap();
        Scene {
            _folder: folder,
            root,
        }
    }

    /// Runs calls one after the other, with a user who says yes to whatever does not contain `no`.
    fn calls(&self, calls: &[(&str, Value)], cancel: &Cancel) -> String {
        let lines = RefCell::new(Vec::new());
        let ask = |asked: &Asked<'_>| {
            let what = match (&asked.path, &asked.change) {
                (Some(path), Some((before, after))) => {
                    format!("{} {before:?} to {after:?}", path.display())
                }
                (Some(path), None) => path.display().to_string(),
                (None, _) => asked.call.input["command"].to_string(),
            };
            lines
                .borrow_mut()
                .push(format!("? {} {what}", asked.call.tool));
            match what.contains("no") {
                true => Err(Denial::new("the user does not want this")),
                false => Ok(()),
            }
        };
        let at = |name: &str| self.root.join(name);
        let store = Store::new(at("memory"), at("state"));
        let mut shelf = StoreShelf::new(&store, Reason::new(Author::Agent, "chat"));
        let rooms = Rooms::new(&at("work"), &at("memory")).unwrap();
        let rooms = rooms.with_scratchpad(&at("scratch")).unwrap();
        let rooms = rooms.with_record(&at("past")).unwrap();
        let bench = Bench::new(rooms, &mut shelf, Powers::Conversation);
        let mut bench = bench.with_asking(ask);
        bench.stop_with(cancel);
        for (tool, input) in calls {
            let input = input
                .to_string()
                .replace("ROOT", self.root.to_str().unwrap());
            let answer = bench.call(&Call::new(tool, serde_json::from_str(&input).unwrap()));
            let mark = if answer.error { "✗" } else { "✓" };
            lines
                .borrow_mut()
                .push(format!("{mark} {tool}: {}", answer.text));
        }
        let todos = bench.todos().to_vec();
        drop(bench);
        let mut lines = lines.into_inner();
        lines.extend(todos.iter().map(|todo| format!("- {todo:?}")));
        self.plain(&lines.join("\n"))
    }

    fn plain(&self, text: &str) -> String {
        text.replace(self.root.to_str().unwrap(), "ROOT")
    }
}

#[test]
fn files_of_the_project_are_changed_with_the_users_word() {
    let scene = Scene::new();
    let mode = |path: &Path| {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::metadata(path).unwrap().permissions().mode() & 0o777
    };
    let path = scene.root.join("work/main.rs");
    let before = mode(&path);
    insta::assert_snapshot!(scene.calls(&[
        ("Write", json!({"file_path": "main.rs", "content": "x"})),
        ("Read", json!({"file_path": "main.rs"})),
        ("Edit", json!({"file_path": "main.rs", "old_string": "main", "new_string": "start"})),
        ("Edit", json!({"file_path": "main.rs", "old_string": "start", "new_string": "no"})),
        ("Write", json!({"file_path": "new/deep.txt", "content": "new\n"})),
        ("Write", json!({"file_path": "ROOT/scratch/t.txt", "content": "a\n"})),
        ("Write", json!({"file_path": "ROOT/memory/user_x.md", "content": "---\nname: x\ndescription: d\ntype: user\n---\n\nb\n"})),
        ("Write", json!({"file_path": "ROOT/memory/x.sh", "content": "b\n"})),
        ("Bash", json!({"command": "echo b > ROOT/memory/no.md"})),
    ], &Cancel::new()), @r#"
    ✗ Write: ROOT/work/main.rs exists and was not read in this conversation: Read it first
    ✓ Read:      1	fn main() {}

    ? Edit ROOT/work/main.rs "fn main() {}\n" to "fn start() {}\n"
    ✓ Edit: Updated ROOT/work/main.rs
    ? Edit ROOT/work/main.rs "fn start() {}\n" to "fn no() {}\n"
    ✗ Edit: the user does not want this
    ? Write ROOT/work/new/deep.txt "" to "new\n"
    ✓ Write: Created ROOT/work/new/deep.txt
    ✓ Write: Created ROOT/scratch/t.txt
    ✓ Write: Created user_x.md
    ✗ Write: ROOT/memory/x.sh: this cannot be a memory: the name does not end in `.md`
    ? Bash "echo b > ROOT/memory/no.md"
    ✗ Bash: the user does not want this
    "#);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "fn start() {}\n");
    assert_eq!(mode(&path), before);
}

#[test]
fn what_lies_elsewhere_is_not_even_looked_at_unasked() {
    let scene = Scene::new();
    insta::assert_snapshot!(scene.calls(&[
        ("Read", json!({"file_path": "ROOT/outside/key"})),
        ("Read", json!({"file_path": "-l"})),
        ("Grep", json!({"pattern": "s", "path": "ROOT/outside"})),
        ("Bash", json!({"command": "cat main.rs"})),
        ("Bash", json!({"command": "cat ROOT/outside/key"})),
        ("Bash", json!({"command": "cat -- -l"})),
        ("Bash", json!({"command": "ls /proc/1/environ /no"})),
        ("WebFetch", json!({"url": "x"})),
    ], &Cancel::new()), @r#"
    ? Read ROOT/outside/key
    ✓ Read:      1	secret

    ? Read ROOT/outside/key
    ✓ Read:      1	secret

    ? Grep ROOT/outside
    ✓ Grep: ROOT/outside/key
    ✓ Bash: fn main() {}

    ? Bash "cat ROOT/outside/key"
    ✓ Bash: secret

    ? Bash "cat -- -l"
    ✓ Bash: secret

    ? Bash "ls /proc/1/environ /no"
    ✗ Bash: the user does not want this
    ✗ WebFetch: there is no tool WebFetch
    "#);
}

#[test]
fn what_others_keep_is_read_and_never_written() {
    let scene = Scene::new();
    std::fs::write(scene.root.join("past/a.jsonl"), "said\n").unwrap();
    std::fs::create_dir_all(scene.root.join("work/.git/hooks")).unwrap();
    insta::assert_snapshot!(scene.calls(&[
        ("Read", json!({"file_path": "ROOT/past/a.jsonl"})),
        ("Bash", json!({"command": "cat ROOT/past/a.jsonl"})),
        ("Write", json!({"file_path": "ROOT/past/a.jsonl", "content": "x"})),
        ("Edit", json!({"file_path": "ROOT/past/a.jsonl", "old_string": "said", "new_string": "x"})),
        ("Write", json!({"file_path": ".git/hooks/pre-commit", "content": "x"})),
    ], &Cancel::new()), @r#"
    ✓ Read:      1	said

    ✓ Bash: said

    ✗ Write: this is a record of what was said, or waits for the user: it is read, not written
    ✗ Edit: this is a record of what was said, or waits for the user: it is read, not written
    ? Write ROOT/work/.git/hooks/pre-commit "" to "x"
    ✓ Write: Created ROOT/work/.git/hooks/pre-commit
    "#);
    let kept = std::fs::read_to_string(scene.root.join("past/a.jsonl")).unwrap();
    assert_eq!(kept, "said\n");
}

#[test]
fn what_git_and_agents_obey_is_told_from_the_rest_of_the_project() {
    let scene = Scene::new();
    let at = |name: &str| scene.root.join(name);
    let place = |folder: &str, path: &str| {
        let rooms = Rooms::new(&at(folder), &at("memory")).unwrap();
        let rooms = rooms.with_record(&at("past")).unwrap();
        let place = rooms.place(&path.replace("ROOT", scene.root.to_str().unwrap()));
        scene.plain(&format!("{:?}", place.unwrap()))
    };
    let shown = [
        place("work", "main.rs"),
        place("work", ".git/config"),
        place("work", "deep/.Claude/settings.json"),
        place("work", ".github/x"),
        // Who works above the records, and who works among them.
        place(".", "ROOT/past/a.jsonl"),
        place("past", "ROOT/past/a.jsonl"),
    ];
    insta::assert_snapshot!(shown.join("\n"), @r#"
    Open("ROOT/work/main.rs")
    Obeyed("ROOT/work/.git/config")
    Obeyed("ROOT/work/deep/.Claude/settings.json")
    Open("ROOT/work/.github/x")
    Record("ROOT/past/a.jsonl")
    Open("ROOT/past/a.jsonl")
    "#);
}

#[test]
fn no_result_is_too_long_for_a_window_and_the_rest_can_be_asked_for() {
    let scene = Scene::new();
    let line = "x".repeat(1_999);
    let long = format!("{line}\n").repeat(2_000);
    std::fs::write(scene.root.join("work/long.txt"), &long).unwrap();
    std::fs::write(scene.root.join("work/wide.txt"), "y".repeat(5_000)).unwrap();
    let shown = scene.calls(
        &[
            ("Read", json!({"file_path": "long.txt"})),
            (
                "Read",
                json!({"file_path": "long.txt", "offset": 50, "limit": 1}),
            ),
            (
                "Grep",
                json!({"pattern": "x", "path": "long.txt", "output_mode": "content"}),
            ),
            ("Bash", json!({"command": "cat long.txt"})),
            ("Read", json!({"file_path": "wide.txt"})),
        ],
        &Cancel::new(),
    );
    assert!(shown.len() < 400_000, "{}", shown.len());
    let shown = shown
        .replace(&line, "[LINE]")
        .replace(&"y".repeat(2_000), "[WIDE]");
    let told: Vec<&str> = shown
        .lines()
        .filter(|line| line.contains(['[', '✓']) && !line.ends_with("\t[LINE]"))
        .collect();
    let told: Vec<&str> = told
        .into_iter()
        .filter(|line| line.len() < 300 && !line.starts_with("[LINE]"))
        .collect();
    insta::assert_snapshot!(told.join("\n"), @"
    [2000 lines in all; the next one is 50: Read with offset 50, or Grep]
    [2000 lines in all; the next one is 51: Read with offset 51, or Grep]
    [33660 bytes left out: ask for a smaller part]
    ✓ Bash: [LINE]
    [cut here]
    ✓ Read:      1	[WIDE] [3000 more bytes]
    ");
}

#[test]
fn while_memory_is_closed_none_is_written() {
    let scene = Scene::new();
    let at = |name: &str| scene.root.join(name);
    let store = Store::new(at("memory"), at("state"));
    let mut shelf = StoreShelf::new(&store, Reason::new(Author::Agent, "chat"));
    let rooms = Rooms::new(&at("work"), &at("memory")).unwrap();
    let mut bench = Bench::new(rooms, &mut shelf, Powers::Conversation);
    let content = "---\nname: x\ndescription: d\ntype: user\n---\n\nb\n";
    let path = at("memory/user_x.md");
    let call = Call::new("Write", json!({"file_path": path, "content": content}));
    bench.close_memory(Some(Denial::new("memory is paused")));
    let answer = bench.call(&call);
    assert!(answer.error && answer.text == "memory is paused");
    assert!(bench.take_written().is_empty() && !path.exists());
    bench.close_memory(None);
    assert!(!bench.call(&call).error);
    assert_eq!(bench.take_written().len(), 1);
    assert!(bench.take_written().is_empty());
}

#[test]
fn a_file_that_changed_since_it_was_read_is_not_overwritten() {
    let scene = Scene::new();
    insta::assert_snapshot!(scene.calls(&[
        ("Read", json!({"file_path": "main.rs"})),
        ("Bash", json!({"command": "echo more >> main.rs; echo done"})),
        ("Edit", json!({"file_path": "main.rs", "old_string": "main", "new_string": "start"})),
    ], &Cancel::new()), @r#"
    ✓ Read:      1	fn main() {}

    ? Bash "echo more >> main.rs; echo done"
    ✓ Bash: done

    ✗ Edit: ROOT/work/main.rs has changed since it was read: Read it again
    "#);
}

#[test]
fn a_command_ends_with_all_that_it_started() {
    let scene = Scene::new();
    insta::assert_snapshot!(scene.calls(&[
        ("Bash", json!({"command": "echo out; echo err >&2; exit 3"})),
        ("Bash", json!({"command": "true"})),
        ("Bash", json!({"command": "sleep 1000 & echo left", "timeout": 60_000})),
        ("Bash", json!({"command": "echo first; sleep 1000", "timeout": 300})),
        ("Bash", json!({"command": "head -c 40000 /dev/zero | tr '\\0' x"})),
    ], &Cancel::new()).replace(&"x".repeat(15_000), "[x]"), @r#"
    ? Bash "echo out; echo err >&2; exit 3"
    ✗ Bash: out
    err
    [exit status: 3]
    ? Bash "true"
    ✓ Bash: [it printed nothing]
    ? Bash "sleep 1000 & echo left"
    ✓ Bash: left

    ? Bash "echo first; sleep 1000"
    ✗ Bash: first
    [it was ended after 300ms]
    ? Bash "head -c 40000 /dev/zero | tr '\\0' x"
    ✓ Bash: [x]
    [10000 bytes left out]
    [x]
    "#);
}

#[test]
fn what_was_printed_counts_although_somebody_holds_the_pipe() {
    let scene = Scene::new();
    insta::assert_snapshot!(scene.calls(&[
        ("Bash", json!({"command": "echo hello; setsid sleep 5 &"})),
    ], &Cancel::new()), @r#"
    ? Bash "echo hello; setsid sleep 5 &"
    ✓ Bash: hello
    "#);
}

#[test]
fn a_command_that_runs_for_ever_is_stopped() {
    let scene = Scene::new();
    let cancel = Cancel::new();
    let stop = cancel.clone();
    let began = scene.root.join("work/began");
    let stopper = std::thread::spawn(move || {
        let until = Instant::now() + Duration::from_secs(60);
        while !began.exists() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(5));
        }
        stop.cancel();
    });
    let shown = scene.calls(
        &[(
            "Bash",
            json!({"command": "touch began; while :; do sleep 1; done"}),
        )],
        &cancel,
    );
    stopper.join().unwrap();
    insta::assert_snapshot!(shown, @r#"
    ? Bash "touch began; while :; do sleep 1; done"
    ✗ Bash: [the user stopped it]
    "#);
}

#[test]
fn what_is_to_be_done() {
    let scene = Scene::new();
    insta::assert_snapshot!(scene.calls(&[
        ("TodoWrite", json!({"todos": [{"content": "one", "status": "pending"}]})),
        ("TodoWrite", json!({"todos": [{"content": "one", "status": "completed"}, {"content": "two", "status": "in_progress"}]})),
        ("TodoWrite", json!({"todos": [{"content": "one"}]})),
        ("TodoWrite", json!({})),
    ], &Cancel::new()), @r#"
    ✓ TodoWrite: The list is kept.
    ✓ TodoWrite: The list is kept.
    ✗ TodoWrite: TodoWrite: each entry needs `content` and a `status`: pending, in_progress or completed
    ✗ TodoWrite: TodoWrite: `todos` has to be a list
    - Todo { text: "one", progress: Done }
    - Todo { text: "two", progress: Doing }
    "#);
}
