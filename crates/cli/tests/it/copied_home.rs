//! Records name files by their whole paths: in a home that was copied they lead to the original.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use memdir_testkit::Outcome;

use crate::fixture::Fixture;
use crate::setup::{MEMDIR, at_home, connect, ok, write};

const CLIENTS: [&str; 4] = ["claude-code", "codex", "gemini", "opencode"];

/// A home in which every client had settings of its own and is connected, and a block in a project.
fn connected() -> Fixture {
    let fixture = Fixture::new();
    write(
        &at_home(&fixture, ".claude/settings.json"),
        "{ \"model\": \"opus\" }\n",
    );
    write(&at_home(&fixture, ".codex/config.toml"), "model = \"x\"\n");
    for client in CLIENTS {
        ok(&connect(&fixture, client, &["--yes"]));
    }
    fixture
}

fn copy(from: &Path, to: &Path) {
    let copied = Command::new("cp").arg("-a").args([from, to]).status();
    assert!(copied.unwrap().success());
}

/// Every file and folder with its bytes.
fn everything(folder: &Path) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    let mut all = BTreeMap::new();
    let mut waiting = vec![folder.to_path_buf()];
    while let Some(next) = waiting.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.is_symlink() {
                waiting.push(path.clone());
                all.insert(path, None);
            } else {
                let bytes = fs::read(&path).ok();
                all.insert(path, bytes);
            }
        }
    }
    all
}

fn run_at(fixture: &Fixture, home: &Path, words: &[&str]) -> Outcome {
    let program = fixture.program(words).env("HOME", home);
    program.run().unwrap()
}

#[test]
fn uninstall_in_a_copied_home_leaves_the_original_alone() {
    let fixture = connected();
    let original = fixture.sandbox.home();
    // Beside the original, in it, and around it.
    for place in ["copy", "home/copy"] {
        let copied = fixture.sandbox.root().join(place);
        copy(&original, &fixture.sandbox.root().join("between"));
        fs::rename(fixture.sandbox.root().join("between"), &copied).unwrap();
        let mut before = everything(&original);
        before.retain(|path, _| !path.starts_with(&copied));
        for client in CLIENTS {
            let outcome = run_at(&fixture, &copied, &["uninstall", client, "--yes"]);
            ok(&outcome);
            assert!(
                outcome.stdout().contains("is outside of this home"),
                "{outcome}"
            );
        }
        let mut after = everything(&original);
        after.retain(|path, _| !path.starts_with(&copied));
        assert!(before == after, "{place}");
        // And the copy is what the original was before it was connected.
        let settings = fs::read_to_string(copied.join(".claude/settings.json")).unwrap();
        assert_eq!(settings, "{ \"model\": \"opus\" }\n");
        assert!(!copied.join(".codex/hooks.json").exists());
        assert!(!copied.join(".config/opencode/plugins/memdir.js").exists());
        fs::remove_dir_all(&copied).unwrap();
    }
}

#[test]
fn setup_and_doctor_in_a_copied_home_leave_the_original_alone() {
    let fixture = connected();
    let original = fixture.sandbox.home();
    let copied = fixture.sandbox.root().join("copy");
    copy(&original, &copied);
    let before = everything(&original);
    for client in CLIENTS {
        let words = ["setup", client, "--yes", "--program", MEMDIR];
        ok(&run_at(&fixture, &copied, &words));
    }
    run_at(&fixture, &copied, &["doctor"]);
    for client in CLIENTS {
        ok(&run_at(&fixture, &copied, &["uninstall", client, "--yes"]));
    }
    assert!(before == everything(&original));
}

#[test]
fn a_file_elsewhere_is_included_when_it_is_named() {
    let fixture = connected();
    let copied = fixture.sandbox.root().join("copy");
    copy(&fixture.sandbox.home(), &copied);
    let elsewhere = at_home(&fixture, ".codex/hooks.json");
    assert!(elsewhere.exists());
    let file = elsewhere.to_str().unwrap();
    let words = ["uninstall", "codex", "--yes", "--file", file];
    ok(&run_at(&fixture, &copied, &words));
    assert!(!elsewhere.exists());
    let config = fs::read_to_string(at_home(&fixture, ".codex/config.toml")).unwrap();
    assert!(config.contains("memdir"), "{config}");
}

#[test]
fn a_home_by_another_name_is_the_same_home() {
    let fixture = connected();
    let other = fixture.sandbox.root().join("another-name");
    symlink(fixture.sandbox.home(), &other).unwrap();
    for client in CLIENTS {
        let outcome = run_at(&fixture, &other, &["uninstall", client, "--yes"]);
        ok(&outcome);
        assert!(
            !outcome.stdout().contains("outside of this home"),
            "{outcome}"
        );
    }
    let config = fs::read_to_string(at_home(&fixture, ".codex/config.toml")).unwrap();
    assert_eq!(config, "model = \"x\"\n");
}
