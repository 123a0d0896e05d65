//! What is opened on behalf of a file that anybody may have written.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};

use memdir_store::limits::{MAX_INSTRUCTION_BYTES, MAX_LISTED};
use memdir_store::{InstructionReader, Met};
use rustix::fs::{CWD, FileType, Mode, mknodat};

fn folder() -> (tempfile::TempDir, PathBuf) {
    let owner = memdir_testkit::temporary_folder().unwrap();
    let root = owner.path().canonicalize().unwrap();
    (owner, root)
}

fn refusal(met: &Met) -> &str {
    match met {
        Met::Refused(reason) => reason,
        other => panic!("{other:?}"),
    }
}

#[test]
fn only_regular_files_are_opened() {
    let (_owner, root) = folder();
    let mut reader = InstructionReader::default();
    mknodat(CWD, root.join("fifo"), FileType::Fifo, Mode::RWXU, 0).unwrap();
    let _listener = UnixListener::bind(root.join("socket")).unwrap();
    symlink("/dev/zero", root.join("device")).unwrap();
    symlink("fifo", root.join("link-to-fifo")).unwrap();
    symlink("circle", root.join("circle")).unwrap();
    let cases = ["fifo", "link-to-fifo", "socket", "device", ".", "circle"];
    let told = cases.map(|name| {
        let met = reader.file(&root.join(name));
        format!("{name}: {}", refusal(&met))
    });
    insta::assert_snapshot!(told.join("\n"), @"
    fifo: it is a FIFO, not a regular file
    link-to-fifo: it is a FIFO, not a regular file
    socket: it is a socket, not a regular file
    device: it is a device, not a regular file
    .: it is a folder, not a regular file
    circle: its symbolic links lead in a circle
    ");
}

#[test]
fn what_is_not_there_is_nothing() {
    let (_owner, root) = folder();
    fs::write(root.join("file"), "").unwrap();
    symlink("nowhere", root.join("dangling")).unwrap();
    let mut reader = InstructionReader::default();
    for name in ["none", "none/x", "file/x", "dangling", &"x".repeat(300)] {
        let path = root.join(name);
        assert!(matches!(reader.file(&path), Met::Nothing), "{name}");
        assert!(matches!(reader.folder(&path), Met::Nothing), "{name}");
    }
    assert!(matches!(reader.folder(&root.join("file")), Met::Nothing));
}

#[test]
fn size_is_capped() {
    let (_owner, root) = folder();
    let path = root.join("CLAUDE.md");
    let mut reader = InstructionReader::default();
    let limit = usize::try_from(MAX_INSTRUCTION_BYTES).unwrap();
    fs::write(&path, vec![b'x'; limit]).unwrap();
    let Met::File { bytes, .. } = reader.file(&path) else {
        panic!("the largest file is read");
    };
    assert_eq!(bytes.len(), limit);
    fs::write(&path, vec![b'x'; limit + 1]).unwrap();
    insta::assert_snapshot!(refusal(&reader.file(&path)), @"it is larger than 1048576 bytes");
}

#[test]
fn where_it_really_is_and_whose() {
    let (_owner, root) = folder();
    fs::create_dir(root.join("there")).unwrap();
    fs::set_permissions(root.join("there"), Permissions::from_mode(0o1777)).unwrap();
    fs::write(root.join("there/x.md"), "text").unwrap();
    fs::set_permissions(root.join("there/x.md"), Permissions::from_mode(0o640)).unwrap();
    symlink("there", root.join("here")).unwrap();
    let Met::File { bytes, whereabouts } =
        InstructionReader::default().file(&root.join("here/x.md"))
    else {
        panic!("a link is followed, and where it leads is told");
    };
    assert_eq!(bytes, b"text");
    assert_eq!(whereabouts.real, root.join("there/x.md"));
    let mut parts: Vec<&Path> = whereabouts.real.ancestors().collect();
    parts.reverse();
    let expected: Vec<(u32, u32)> = parts
        .iter()
        .map(|part| fs::symlink_metadata(part).unwrap())
        .map(|metadata| (metadata.uid(), metadata.mode() & 0o7777))
        .collect();
    let owners: Vec<(u32, u32)> = (whereabouts.owners.iter())
        .map(|owner| (owner.user, owner.mode))
        .collect();
    assert_eq!(owners, expected);
    assert_eq!(owners[owners.len() - 2].1, 0o1777);
    assert_eq!(owners[owners.len() - 1], (InstructionReader::user(), 0o640));
}

#[test]
fn a_folder_lists_markdown_and_folders_and_no_names_that_hide() {
    let (_owner, root) = folder();
    for name in ["a.md", "b.txt", ".hidden.md", "c.MD"] {
        fs::write(root.join(name), "").unwrap();
    }
    fs::create_dir(root.join("sub")).unwrap();
    fs::create_dir(root.join("folder.md")).unwrap();
    symlink("sub", root.join("link-to-folder")).unwrap();
    symlink("b.txt", root.join("link.md")).unwrap();
    let Met::Folder {
        mut files,
        mut folders,
        whereabouts,
    } = InstructionReader::default().folder(&root)
    else {
        panic!("it is a folder");
    };
    files.sort();
    folders.sort();
    insta::assert_debug_snapshot!((files, folders), @r#"
    (
        [
            "a.md",
            "link.md",
        ],
        [
            "folder.md",
            "link-to-folder",
            "sub",
        ],
    )
    "#);
    assert_eq!(whereabouts.real, root);
    assert_eq!(whereabouts.owners.len(), root.ancestors().count());
}

#[test]
fn a_folder_with_too_many_entries_is_not_listed() {
    let (_owner, root) = folder();
    fs::write(root.join("first"), "").unwrap();
    for number in 0..=MAX_LISTED {
        fs::hard_link(root.join("first"), root.join(number.to_string())).unwrap();
    }
    let met = InstructionReader::default().folder(&root);
    insta::assert_snapshot!(refusal(&met), @"the folder has more than 10000 entries");
}

#[test]
fn files_of_any_number_of_folders_are_read_where_they_are() {
    let (_owner, root) = folder();
    let mut reader = InstructionReader::default();
    for number in 0..100 {
        let file = root.join(format!("{number}/x.md"));
        fs::create_dir(file.parent().unwrap()).unwrap();
        fs::write(&file, number.to_string()).unwrap();
        match reader.file(&file) {
            Met::File { bytes, whereabouts } => {
                assert_eq!(bytes, number.to_string().as_bytes());
                assert_eq!(whereabouts.real, file);
                assert_eq!(whereabouts.owners.len(), file.ancestors().count());
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_folder_that_was_swapped_for_a_link_leads_nowhere_else() {
    let (_owner, root) = folder();
    let mut reader = InstructionReader::default();
    let (rules, outside) = (root.join("rules"), root.join("outside"));
    for (folder, text) in [(&rules, "ours"), (&outside, "theirs")] {
        fs::create_dir(folder).unwrap();
        fs::write(folder.join("a.md"), text).unwrap();
    }
    assert!(matches!(reader.folder(&rules), Met::Folder { .. }));
    fs::rename(&rules, root.join("away")).unwrap();
    symlink(&outside, &rules).unwrap();
    // What is read is what was listed, by the handle of the folder and not by its name.
    match reader.file(&rules.join("a.md")) {
        Met::File { bytes, .. } => assert_eq!(bytes, b"ours"),
        other => panic!("{other:?}"),
    }
}
