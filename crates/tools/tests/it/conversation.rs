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
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for name in ["work", "memory", "scratch", "outside"] {
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
