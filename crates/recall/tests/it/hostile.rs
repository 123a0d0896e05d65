//! Bad questions and bad files: a clear answer, and never a missing result for the files that are fine.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};

use insta::assert_snapshot;
use memdir_store::Store;

use crate::scene::Scene;

fn unread(scene: &Scene) -> String {
    let answer = scene.ask("wooden hives");
    let root = scene.path("").display().to_string();
    let lines = answer.unread.iter();
    let lines: Vec<String> = lines
        .map(|one| format!("{}: {}", one.path, one.reason.replace(&root, "/")))
        .collect();
    lines.join("\n")
}

#[test]
fn questions_that_ask_nothing_get_nothing() {
    let scene = Scene::with_some();
    let control = "\u{0}\u{1}\u{fffd}\u{202e}";
    for query in ["", " ", "\n\n", "?!…", control, "🐝"] {
        assert_eq!(scene.ask(query).found.len(), 0, "{query:?}");
    }
}

#[test]
fn a_question_of_a_megabyte_is_asked_by_its_ends() {
    let scene = Scene::with_some();
    let noise = "lorem ipsum ".repeat(90_000);
    assert_snapshot!(scene.found(&format!("indent with tabs {noise}")), @"tabs.md");
    assert_snapshot!(scene.found(&format!("{noise} release manager")), @"release.md");
}

#[test]
fn a_missing_or_empty_directory_has_nothing_to_find() {
    let scene = Scene::new();
    let answer = scene.ask("anything at all");
    assert_eq!((answer.memories, answer.found.len()), (0, 0));
    fs::remove_dir(scene.store.memory_directory()).unwrap();
    let answer = scene.ask("anything at all");
    assert_eq!((answer.memories, answer.found.len()), (0, 0));
}

#[test]
fn a_file_in_the_place_of_the_directory_is_told() {
    let scene = Scene::new();
    let store = Store::new(scene.file("plain", ""), scene.path("state"));
    let finder = memdir_recall::Finder::new(&store);
    let error = finder.find(&memdir_recall::Question::new("two words"));
    let told = error.unwrap_err().to_string();
    let told = told.replace(&scene.path("").display().to_string(), "/");
    assert_snapshot!(told, @"could not open the folder /plain: not a directory");
}

#[test]
fn files_that_cannot_be_read_are_named_and_the_rest_is_found() {
    let scene = Scene::with_some();
    scene.file("memory/bees.md", "Bees live in wooden hives.\n");
    rustix::fs::mknodat(
        rustix::fs::CWD,
        scene.path("memory/fifo.md"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RUSR,
        0,
    )
    .unwrap();
    symlink("/dev/zero", scene.path("memory/link.md")).unwrap();
    symlink(scene.path(""), scene.path("memory/loop")).unwrap();
    fs::create_dir(scene.path("memory/folder.md")).unwrap();
    scene.file("memory/huge.md", vec![b'x'; 5 * 1024 * 1024]);
    scene.file(
        "memory/binary.md",
        [0, 159, 146, 150, 255, 0, 10].repeat(1000),
    );
    scene.file(
        "memory/broken.md",
        "---\nname: [unclosed\ndescription: wooden: hives: too\n",
    );
    scene.file("memory/empty.md", "");
    let name = std::ffi::OsStr::from_bytes(b"caf\xe9.md");
    fs::write(scene.store.memory_directory().join(name), "wooden hives").unwrap();
    assert_snapshot!(scene.found("wooden hives"), @"bees.md, broken.md");
    assert_snapshot!(unread(&scene), @"
    caf�.md: its name is not valid UTF-8
    fifo.md: it is not a plain file
    huge.md: /memory/huge.md is 5242880 bytes; memdir reads memory files up to 4194304 bytes
    link.md: it is not a plain file
    ");
    // Told as often as it is asked, without reading them again.
    scene.settle();
    scene.ask("anything");
    assert_eq!(scene.ask("anything").unread.len(), 4);
    fs::remove_file(scene.path("memory/fifo.md")).unwrap();
    assert_eq!(scene.ask("anything").unread.len(), 3);
}

#[test]
fn who_may_not_read_a_file_or_folder_is_told_and_finds_the_rest() {
    if rustix::process::geteuid().is_root() {
        // For root nothing is out of reach.
        return;
    }
    let scene = Scene::with_some();
    let file = scene.file("memory/secret.md", "wooden hives\n");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o000)).unwrap();
    scene.file("memory/closed/a.md", "wooden hives\n");
    let closed = scene.path("memory/closed");
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
    scene.file("memory/bees.md", "wooden hives\n");
    assert_snapshot!(scene.found("wooden hives"), @"bees.md");
    assert_eq!(scene.ask("anything").unread.len(), 2);
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).unwrap();
    assert_snapshot!(scene.found("wooden hives"), @"bees.md, closed/a.md");
}

#[test]
fn files_that_vanish_while_they_are_looked_at_are_no_error() {
    let scene = Scene::with_some();
    scene.file("memory/bees.md", "Bees live in wooden hives.\n");
    let stop = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut number = 0;
            while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                number += 1;
                let path = scene.file(&format!("memory/flicker_{}.md", number % 7), "wooden");
                let _ = fs::remove_file(path);
            }
        });
        for _ in 0..50 {
            let answer = scene.ask("wooden hives");
            let stays = |found: &memdir_recall::Found| found.path.as_str() == "bees.md";
            assert!(answer.found.iter().any(stays));
        }
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
    });
}

#[test]
fn hidden_text_is_no_word_to_be_found_by() {
    let scene = Scene::with_some();
    // Tag characters spell a word that nobody sees.
    let hidden: String = "hives"
        .chars()
        .map(|c| char::from_u32(0xe0000 + u32::from(c)).unwrap())
        .collect();
    scene.file("memory/sly.md", format!("Nothing{hidden} to see.\n"));
    assert_snapshot!(scene.found("hives"), @"");
    assert_snapshot!(scene.found("nothing to see"), @"sly.md");
}
