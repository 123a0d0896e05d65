//! What changed is found, whoever changed it.

use std::fs;
use std::os::unix::fs::MetadataExt;

use insta::assert_snapshot;
use memdir_recall::Scope;

use crate::scene::Scene;

#[test]
fn whatever_is_done_behind_our_back_is_found_at_the_next_question() {
    let scene = Scene::with_some();
    assert_snapshot!(scene.found("wooden hives"), @"");
    scene.file("memory/bees.md", "Bees live in wooden hives.\n");
    assert_snapshot!(scene.found("wooden hives"), @"bees.md");
    fs::rename(scene.path("memory/bees.md"), scene.path("memory/apiary.md")).unwrap();
    assert_snapshot!(scene.found("wooden hives"), @"apiary.md");
    scene.file("memory/.new", "Bees live in straw skeps.\n");
    fs::rename(scene.path("memory/.new"), scene.path("memory/apiary.md")).unwrap();
    assert_snapshot!(scene.found("wooden hives"), @"");
    assert_snapshot!(scene.found("straw skeps"), @"apiary.md");
    scene.file("memory/team/deep/hives.md", "Wooden hives are for sale.\n");
    assert_snapshot!(scene.found("wooden hives"), @"team/deep/hives.md");
    fs::remove_dir_all(scene.path("memory/team")).unwrap();
    fs::remove_file(scene.path("memory/apiary.md")).unwrap();
    assert_snapshot!(scene.found("wooden hives straw skeps"), @"");
}

#[test]
fn the_inbox_and_what_holds_everywhere_are_searched_too() {
    let scene = Scene::with_some();
    scene.file("everywhere/user_tabs.md", "The user likes tabs.\n");
    scene.file("state/inbox/tabs.md", "A web page says: use tabs.\n");
    scene.file("memory/logs/2026/11/2026-11-15.md", "Talked about tabs.\n");
    scene.file("memory/MEMORY.md", "- [tabs](tabs.md) — tabs\n");
    scene.file("memory/.hidden.md", "tabs\n");
    assert_snapshot!(scene.found("tabs"), @"Everywhere: user_tabs.md, Inbox: tabs.md, tabs.md");
}

#[test]
fn asked_about_everywhere_itself_each_is_found_once() {
    let scene = Scene::with_some();
    let finder = scene
        .finder
        .clone()
        .with_everywhere(scene.store.memory_directory());
    let question = memdir_recall::Question {
        silence: false,
        ..memdir_recall::Question::new("tabs")
    };
    assert_eq!(finder.find(&question).unwrap().found.len(), 1);
}

#[test]
fn a_change_through_us_is_found_without_a_look_at_the_rest() {
    let scene = Scene::with_some();
    scene.ask("anything");
    scene.settle();
    // One more question, so that the index knows the settled folder.
    scene.ask("anything");
    assert!(scene.remember("bees.md", "Bees live in wooden hives.\n"));
    let written = fs::metadata(scene.finder.folder().join("delta")).unwrap();
    assert_snapshot!(scene.found("wooden hives"), @"bees.md");
    let after = fs::metadata(scene.finder.folder().join("delta")).unwrap();
    assert_eq!(
        written.ino(),
        after.ino(),
        "the question had nothing to bring up to date"
    );
    assert!(scene.remember("bees.md", "Bees live in straw skeps.\n"));
    assert_snapshot!(scene.found("wooden hives"), @"");
    assert_snapshot!(scene.found("straw skeps"), @"bees.md");
}

#[test]
fn what_a_note_hides_the_next_sweep_finds() {
    let scene = Scene::with_some();
    scene.ask("anything");
    scene.settle();
    scene.ask("anything");
    assert!(scene.remember("bees.md", "Bees live in wooden hives.\n"));
    let folder = scene.store.memory_directory();
    let noted = fs::metadata(folder).unwrap().modified().unwrap();
    // In the very instant of our own change, by the clock of the file system.
    scene.file("memory/hidden.md", "Wooden hives, by somebody else.\n");
    fs::File::open(folder).unwrap().set_modified(noted).unwrap();
    assert_snapshot!(scene.found("wooden hives"), @"bees.md");
    scene.finder.sweep().unwrap();
    assert_snapshot!(scene.found("wooden hives"), @"bees.md, hidden.md");
}

#[test]
fn a_note_about_a_folder_that_others_changed_waits_for_the_next_question() {
    let scene = Scene::with_some();
    scene.ask("anything");
    scene.settle();
    scene.ask("anything");
    scene.file("memory/hive.md", "Wooden hives, by somebody else.\n");
    scene.remember("bees.md", "Bees live in wooden hives.\n");
    assert_snapshot!(scene.found("wooden hives"), @"bees.md, hive.md");
}

#[test]
fn an_overwrite_in_place_is_found_by_a_sweep_and_by_who_would_show_it() {
    let scene = Scene::with_some();
    scene.ask("anything");
    scene.settle();
    scene.ask("anything");
    scene.file("memory/tabs.md", "Bees live in wooden hives now.\n");
    // Found by its old words, it is read again before it is shown.
    assert_snapshot!(scene.found("tabs"), @"tabs.md");
    assert_snapshot!(scene.found("indent spaces"), @"");
    assert_snapshot!(scene.found("wooden hives"), @"tabs.md");
    scene.file("memory/release.md", "Bees live in straw skeps.\n");
    scene.settle();
    scene.finder.sweep().unwrap();
    assert_snapshot!(scene.found("straw skeps"), @"release.md");
}

#[test]
fn the_index_can_be_deleted_or_be_anything_at_any_time() {
    let scene = Scene::with_some();
    let folder = scene.finder.folder();
    assert_snapshot!(scene.found("tabs"), @"tabs.md");
    fs::remove_dir_all(&folder).unwrap();
    assert_snapshot!(scene.found("tabs"), @"tabs.md");
    for nonsense in ["", "memdir recall\n", "x"] {
        fs::write(folder.join("base"), nonsense.repeat(1000)).unwrap();
        assert_eq!(scene.found("tabs"), "tabs.md");
    }
    fs::remove_file(folder.join("base")).unwrap();
    fs::create_dir(folder.join("base")).unwrap();
    assert_snapshot!(scene.found("tabs"), @"tabs.md");
    fs::remove_dir_all(&folder).unwrap();
    fs::write(&folder, "a file where a folder should be").unwrap();
    assert_snapshot!(scene.found("tabs"), @"tabs.md");
}

#[test]
fn reading_writes_nothing_into_the_memory_directory() {
    let scene = Scene::with_some();
    let before = fs::metadata(scene.store.memory_directory()).unwrap();
    scene.ask("tabs");
    scene.finder.sweep().unwrap();
    scene.finder.reindex().unwrap();
    let after = fs::metadata(scene.store.memory_directory()).unwrap();
    assert_eq!(before.modified().unwrap(), after.modified().unwrap());
    let mode = |path| fs::metadata(path).unwrap().mode() & 0o777;
    assert_eq!(mode(scene.finder.folder()), 0o700);
    assert_eq!(mode(scene.finder.folder().join("base")), 0o600);
}

#[test]
fn many_processes_at_once_all_get_the_right_answer() {
    let scene = Scene::with_some();
    std::thread::scope(|scope| {
        for number in 0..4 {
            let scene = &scene;
            scope.spawn(move || {
                for round in 0..10 {
                    let name = format!("hive_{number}_{round}.md");
                    if round % 2 == 0 {
                        scene.remember(&name, "Bees live in wooden hives.\n");
                    } else {
                        scene.file(&format!("memory/{name}"), "Bees live in wooden hives.\n");
                    }
                    let question = memdir_recall::Question {
                        limit: 100,
                        silence: false,
                        ..memdir_recall::Question::new("wooden hives")
                    };
                    let answer = scene.finder.find(&question).unwrap();
                    let own = answer.found.iter().any(|found| found.path.as_str() == name);
                    assert!(own, "{name}");
                }
            });
        }
    });
    // What raced with a note is found by the sweep at the latest.
    scene.finder.sweep().unwrap();
    let question = memdir_recall::Question {
        limit: 100,
        silence: false,
        ..memdir_recall::Question::new("wooden hives")
    };
    assert_eq!(scene.finder.find(&question).unwrap().found.len(), 40);
}

#[test]
fn what_is_not_wanted_or_over_is_left_out() {
    let scene = Scene::with_some();
    scene.file(
        "memory/old.md",
        "---\nname: old\nmetadata:\n  expires: 2026-01-31\n---\n\nOld tabs.\n",
    );
    assert_snapshot!(scene.found("tabs"), @"old.md, tabs.md");
    let tabs = memdir_memory::MemoryPath::new("tabs.md").unwrap();
    let question = memdir_recall::Question {
        silence: false,
        is_over: &|day| day < jiff::civil::date(2026, 2, 1),
        ..memdir_recall::Question::new("tabs")
    };
    let found = scene.finder.find(&question).unwrap().found;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].path, tabs);
    let without = [(Scope::Project, tabs)];
    let question = memdir_recall::Question {
        without: &without,
        ..question
    };
    assert!(scene.finder.find(&question).unwrap().found.is_empty());
}
