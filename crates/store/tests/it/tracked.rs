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

type Words = &'static [&'static str];

/// How a repository is made, and what is done to it once it has five committed files, in git's words.
const FORMS: [(&str, Words, &[Words]); 14] = [
    ("plain", &[], &[]),
    ("sha256", &["--object-format=sha256"], &[]),
    ("split", &[], &[&["update-index", "--split-index"]]),
    (
        "split sha256",
        &["--object-format=sha256"],
        &[&["update-index", "--split-index"]],
    ),
    (
        "split version 4",
        &[],
        &[
            &["update-index", "--index-version", "4"],
            &["update-index", "--split-index"],
        ],
    ),
    (
        "split again",
        &[],
        &[
            &["update-index", "--split-index"],
            &["update-index", "--no-split-index"],
        ],
    ),
    (
        "sha256 version 4",
        &["--object-format=sha256"],
        &[&["update-index", "--index-version", "4"]],
    ),
    (
        "untracked cache",
        &[],
        &[&["update-index", "--force-untracked-cache"], &["status"]],
    ),
    (
        "without a checksum",
        &[],
        &[
            &["config", "index.skipHash", "true"],
            &["update-index", "--force-write-index"],
        ],
    ),
    (
        "many files",
        &[],
        &[
            &["config", "feature.manyFiles", "true"],
            &["update-index", "--force-write-index"],
        ],
    ),
    (
        "threads",
        &[],
        &[
            &["config", "index.threads", "4"],
            &["update-index", "--force-write-index"],
        ],
    ),
    (
        "sparse",
        &[],
        &[&["sparse-checkout", "set", "--cone", "--sparse-index", "src"]],
    ),
    (
        "sparse sha256",
        &["--object-format=sha256"],
        &[&["sparse-checkout", "set", "--cone", "--sparse-index", "src"]],
    ),
    ("refreshed", &[], &[&["update-index", "--really-refresh"]]),
];

#[test]
fn an_index_of_sha256_split_or_sparse_was_taken_for_none() {
    for (form, init, steps) in FORMS {
        let disk = Disk::new();
        disk.git("main", &[&["init", "-q"], init].concat());
        for name in ["a", "far/away", "src/lib.rs", "src/old", "zz"] {
            disk.write(&format!("main/{name}"), name);
        }
        disk.git("main", &["add", "-A"]);
        disk.git("main", &["commit", "-q", "-m", "all"]);
        for step in steps {
            disk.git("main", step);
        }
        // Changes upon that: one removed, one replaced, one that becomes a link, one that is new.
        disk.git("main", &["rm", "-q", "--cached", "src/old"]);
        disk.write("main/a", "another");
        fs::remove_file(disk.path("main/zz")).unwrap();
        symlink("a", disk.path("main/zz")).unwrap();
        disk.write("main/src/new", "new");
        disk.write("main/later", "later");
        disk.git("main", &["add", "a", "zz", "src/new"]);
        let all = ["a", "src/lib.rs", "src/new", "src/old", "later"];
        let tracked = Tracked::of(&Project::find(&disk.path("main")));
        let found = all.map(|name| tracked.has(&disk.path(&format!("main/{name}"))));
        assert_eq!(found, [true, true, true, false, false], "{form}");
        assert_eq!(tracked.problem(), None, "{form}");
    }
}

#[test]
fn an_index_of_another_time_tracks_nothing_and_says_so() {
    let disk = Disk::new();
    disk.git("main", &["init", "-q"]);
    disk.write("main/a", "a");
    disk.git("main", &["add", "a"]);
    let index = disk.path("main/.git/index");
    let whole = fs::read(&index).unwrap();
    let problem = || {
        let tracked = Tracked::of(&Project::find(&disk.path("main")));
        assert!(!tracked.has(&disk.path("main/a")));
        let problem = tracked.problem().unwrap_or_default();
        problem.replace(disk.path("main").to_str().unwrap(), "[MAIN]")
    };
    let mut newer = whole.clone();
    newer[7] = 5;
    fs::write(&index, &newer).unwrap();
    insta::assert_snapshot!(problem(), @"[MAIN]/.git/index cannot be read: it has version 5");
    let (entries, checksum) = whole.split_at(whole.len() - 20);
    let extended = [entries, b"newx\0\0\0\x01x", checksum].concat();
    fs::write(&index, &extended).unwrap();
    insta::assert_snapshot!(problem(), @"[MAIN]/.git/index cannot be read: it has an extension that is not known here");
    fs::write(&index, &whole[..whole.len() - 7]).unwrap();
    insta::assert_snapshot!(problem(), @"[MAIN]/.git/index cannot be read: it is damaged");
    fs::write(&index, &whole).unwrap();
    disk.git("main", &["update-index", "--split-index"]);
    for entry in fs::read_dir(disk.path("main/.git")).unwrap() {
        let path = entry.unwrap().path();
        if path.to_str().unwrap().contains("sharedindex") {
            fs::remove_file(path).unwrap();
        }
    }
    assert!(problem().starts_with("there is no [MAIN]/.git/sharedindex."));
}
