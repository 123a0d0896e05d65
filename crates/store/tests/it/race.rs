//! Writers that take no lock of ours, and many that do.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use memdir_memory::MemoryPath;
use memdir_store::Error;
use rustix::fs::{CWD, RenameFlags};

use crate::fixture::{Fixture, path, reason, store_in};

/// Saves as an editor does, by rename, and tells what it replaced.
fn save_by_exchange(folder: &Path, name: &str, content: &str) -> String {
    let temporary = folder.join("editor-swap");
    fs::write(&temporary, content).unwrap();
    loop {
        match rustix::fs::renameat_with(
            CWD,
            &temporary,
            CWD,
            folder.join(name),
            RenameFlags::EXCHANGE,
        ) {
            Ok(()) => return fs::read_to_string(&temporary).unwrap(),
            Err(_) => std::thread::yield_now(),
        }
    }
}

#[test]
fn no_content_that_an_editor_saves_in_the_same_instant_is_lost() {
    let fixture = Fixture::new();
    fixture.write("a.md", "begin\n");
    let done = AtomicBool::new(false);
    let mut failed = Vec::new();
    let (saved, replaced) = std::thread::scope(|scope| {
        let editor = scope.spawn(|| {
            let (mut saved, mut replaced) = (HashSet::new(), HashSet::new());
            let mut number = 0;
            while !done.load(Ordering::Relaxed) {
                number += 1;
                let content = format!("saved {number}\n");
                replaced.insert(save_by_exchange(&fixture.memory(), "a.md", &content));
                saved.insert(content);
            }
            (saved, replaced)
        });
        let store = fixture.another();
        for number in 0..150 {
            let mut operation = store.operation(reason("append"));
            operation.update(&path("a.md"), |current| {
                Some(
                    [
                        current.unwrap_or_default(),
                        format!("ours {number}\n").as_bytes(),
                    ]
                    .concat(),
                )
            });
            match operation.commit() {
                Ok(_) | Err(Error::Conflict { .. }) => {}
                Err(error) => failed.push(error.to_string()),
            }
        }
        done.store(true, Ordering::Relaxed);
        editor.join().unwrap()
    });
    assert!(failed.is_empty(), "{failed:?}");
    fixture.another().sweep().unwrap();
    let history = fixture.store.history().unwrap();
    let mut known = HashSet::new();
    for change in history
        .operations
        .iter()
        .flat_map(|operation| &operation.changes)
    {
        if let Some(digest) = change.after {
            known
                .insert(String::from_utf8(history.content(&change.path, digest).unwrap()).unwrap());
        }
    }
    let last = fixture.content("a.md").unwrap();
    // What the editor saved and did not itself replace, we replaced: then it must be known.
    let lost: Vec<&String> = saved
        .iter()
        .filter(|content| {
            !replaced.contains(*content) && **content != last && !known.contains(*content)
        })
        .collect();
    assert!(lost.is_empty(), "{lost:?} of {}", saved.len());
    assert_eq!(history.damaged, 0);
}

#[test]
fn sixteen_writers_lose_no_memory_and_no_index_line() {
    const WRITERS: usize = 16;
    const EACH: usize = 12;
    let fixture = Fixture::new();
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            let root = fixture.root();
            scope.spawn(move || {
                let store = store_in(root);
                for number in 0..EACH {
                    let name = MemoryPath::new(&format!("note-{writer}-{number}.md")).unwrap();
                    let mut operation = store.operation(reason("remember"));
                    operation.write(&name, None, format!("{writer} {number}\n").into_bytes());
                    let line = format!("- [n]({name})\n");
                    operation.update(&path("MEMORY.md"), move |current| {
                        Some([current.unwrap_or_default(), line.as_bytes()].concat())
                    });
                    operation.commit().unwrap();
                }
            });
        }
    });
    let index = fixture.content("MEMORY.md").unwrap();
    assert_eq!(index.lines().collect::<HashSet<_>>().len(), WRITERS * EACH);
    assert_eq!(fixture.store.scan().unwrap().memories.len(), WRITERS * EACH);
    let history = fixture.store.history().unwrap();
    assert_eq!(history.operations.len(), WRITERS * EACH);
    assert!(fixture.another().sweep().unwrap().outside.is_empty());
}

#[test]
fn an_index_made_anew_while_others_remember_has_a_line_for_each_memory() {
    let fixture = Fixture::new();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let store = fixture.another();
            while !done.load(Ordering::Relaxed) {
                store.rebuild_indexes(reason("rebuild")).unwrap();
            }
        });
        let store = fixture.another();
        for number in 0..100 {
            let name = MemoryPath::new(&format!("note-{number}.md")).unwrap();
            let mut operation = store.operation(reason("remember"));
            operation.write(&name, None, b"text\n".to_vec());
            let line = format!("- [n]({name})\n");
            operation.update(&path("MEMORY.md"), move |current| {
                Some([current.unwrap_or_default(), line.as_bytes()].concat())
            });
            operation.commit().unwrap();
        }
        done.store(true, Ordering::Relaxed);
    });
    let scan = fixture.store.scan().unwrap();
    assert!(fixture.store.check_indexes(&scan).unwrap()[0].agrees());
}

#[test]
fn a_folder_swapped_for_a_link_while_writing_lets_nothing_out() {
    let fixture = Fixture::new();
    fixture.write("sub/a.md", "begin\n");
    let outside = fixture.root().join("outside");
    fs::create_dir(&outside).unwrap();
    let (folder, link) = (fixture.memory().join("sub"), fixture.memory().join("swap"));
    std::os::unix::fs::symlink(&outside, &link).unwrap();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                let _ = rustix::fs::renameat_with(CWD, &folder, CWD, &link, RenameFlags::EXCHANGE);
            }
        });
        let store = fixture.another();
        for number in 0..300 {
            let mut operation = store.operation(reason("write"));
            operation.update(&path("sub/a.md"), |_| {
                Some(format!("{number}\n").into_bytes())
            });
            // Refused while the link stands there, written while the folder does.
            let _ = operation.commit();
        }
        done.store(true, Ordering::Relaxed);
    });
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);
}
