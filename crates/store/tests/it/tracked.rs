//! Which files a repository tracks, by the real git's index in all its forms, and by damaged ones.

use std::fs;
use std::os::unix::fs::symlink;

use memdir_store::Tracked;
use memdir_store::project::Project;

use crate::project::Disk;

/// The files of a folder, each with whether the repository tracks it.
fn tracked(disk: &Disk, folder: &str, files: &[&str]) -> Vec<(String, bool)> {
    let tracked = Tracked::of(&Project::find(&disk.path(folder)));
    let one = |file: &&str| ((*file).to_owned(), tracked.has(&disk.path(file)));
    files.iter().map(one).collect()
}

#[test]
fn what_git_tracks_is_read_from_every_form_of_its_index() {
    for version in ["2", "3", "4"] {
        let disk = Disk::new();
        disk.git("main", &["init", "-q"]);
        // Something to make a worktree of; older versions of git make none of nothing.
        disk.git("main", &["commit", "-q", "--allow-empty", "-m", "start"]);
        let names = ["a", "src/lib.rs", "src/library.rs", "src/ü/深い.md", "zz"];
        for name in names {
            disk.write(&format!("main/{name}"), name);
        }
        disk.git("main", &["add", "-A"]);
        disk.git("main", &["update-index", "--index-version", version]);
        if version == "3" {
            // An entry that is only announced has a longer form.
            disk.write("main/announced", "");
            disk.git("main", &["add", "-N", "announced"]);
        }
        disk.git("main", &["worktree", "add", "-q", "--detach", "../tree"]);
        disk.write("tree/only-here", "");
        disk.git("tree", &["add", "only-here"]);
        disk.write("main/later", "");
        disk.write("outside", "");
        symlink(disk.path("outside"), disk.path("main/link")).unwrap();
        symlink("a", disk.path("main/to-a")).unwrap();
        disk.git("main", &["add", "link", "to-a"]);

        let all = names.iter().map(|name| format!("main/{name}"));
        for name in all {
            let found = tracked(&disk, "main", &[&name]);
            assert_eq!(found, [(name.clone(), true)], "version {version}");
        }
        insta::allow_duplicates! {
            insta::assert_debug_snapshot!(tracked(
                &disk,
                "main/src",
                &["main/later", "main/link", "main/to-a", "main/src", "main/gone", "outside", "tree/only-here"],
            ), @r#"
            [
                (
                    "main/later",
                    false,
                ),
                (
                    "main/link",
                    false,
                ),
                (
                    "main/to-a",
                    true,
                ),
                (
                    "main/src",
                    false,
                ),
                (
                    "main/gone",
                    false,
                ),
                (
                    "outside",
                    false,
                ),
                (
                    "tree/only-here",
                    false,
                ),
            ]
            "#);
            insta::assert_debug_snapshot!(tracked(&disk, "tree", &["tree/only-here", "main/a"]), @r#"
            [
                (
                    "tree/only-here",
                    true,
                ),
                (
                    "main/a",
                    false,
                ),
            ]
            "#);
        }
    }
}

#[test]
fn an_index_that_is_damaged_or_lies_elsewhere_tracks_nothing() {
    let disk = Disk::new();
    disk.git("main", &["init", "-q"]);
    disk.write("main/a", "a");
    disk.git("main", &["add", "a"]);
    let index = disk.path("main/.git/index");
    let whole = fs::read(&index).unwrap();
    assert!(Tracked::of(&Project::find(&disk.path("main"))).has(&disk.path("main/a")));
    // Behind the entries stand extensions and a checksum, which nobody needs.
    for cut in 0..72 {
        fs::write(&index, &whole[..cut]).unwrap();
        let found = tracked(&disk, "main", &["main/a"]);
        assert_eq!(found, [("main/a".to_owned(), false)], "{cut} bytes");
    }
    fs::write(
        &index,
        [&b"DIRC\0\0\0\x04\xff\xff\xff\xff"[..], &[0xff; 4000]].concat(),
    )
    .unwrap();
    assert!(!tracked(&disk, "main", &["main/a"])[0].1);

    fs::write(&index, &whole).unwrap();
    disk.folder("other");
    disk.write("other/a", "a");
    disk.write(
        "other/.git",
        &format!("gitdir: {}\n", disk.path("main/.git").display()),
    );
    assert!(!tracked(&disk, "other", &["other/a"])[0].1);
}
