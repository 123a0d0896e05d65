//! Whole folders as values: to compare, to print, to put back.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, File, FileTimes};
use std::io;
use std::os::unix::fs::{MetadataExt as _, symlink};
use std::path::Path;

/// What stands at one path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node {
    /// A plain file and its bytes.
    File(Vec<u8>),
    /// A folder.
    Folder,
    /// A symbolic link and where it points.
    Link(String),
    /// A FIFO, a socket or a device: never opened.
    Special,
}

/// A folder's content by path relative to it; parts are joined with `/`.
pub type Tree = BTreeMap<String, Node>;

/// Reads everything beneath a folder, without following links. A missing folder is an empty tree.
pub fn read(folder: &Path) -> io::Result<Tree> {
    let mut tree = Tree::new();
    walk(folder, "", &mut |name, path, kind| {
        let node = if kind.is_dir() {
            Node::Folder
        } else if kind.is_symlink() {
            Node::Link(fs::read_link(path)?.to_string_lossy().into_owned())
        } else if kind.is_file() {
            Node::File(fs::read(path)?)
        } else {
            Node::Special
        };
        tree.insert(name, node);
        Ok(())
    })?;
    Ok(tree)
}

/// The plain files beneath a folder that have these bytes in them or in their name.
pub fn files_with(folder: &Path, bytes: &[u8]) -> io::Result<Vec<String>> {
    let has = |text: &[u8]| text.windows(bytes.len().max(1)).any(|part| part == bytes);
    let files = read(folder)?.into_iter().filter(|(name, node)| {
        has(name.as_bytes()) || matches!(node, Node::File(content) if has(content))
    });
    Ok(files.map(|(name, _)| name).collect())
}

/// The tree as text for a snapshot: each path, each file's content indented beneath it.
pub fn render(tree: &Tree) -> String {
    let mut text = String::new();
    for (path, node) in tree {
        // Writing to a string cannot fail.
        let _ = match node {
            Node::Folder => writeln!(text, "{path}/"),
            Node::Link(target) => writeln!(text, "{path} -> {target}"),
            Node::Special => writeln!(text, "{path} (special)"),
            Node::File(bytes) => {
                let _ = writeln!(text, "{path}");
                String::from_utf8_lossy(bytes)
                    .lines()
                    .try_for_each(|line| writeln!(text, "{}", format!("  | {line}").trim_end()))
            }
        };
    }
    text
}

/// Everything by which a change could be noticed, for a folder that must not change: names, bytes,
/// modes, modification times and inodes.
pub fn fingerprint(folder: &Path) -> io::Result<String> {
    let mut text = String::new();
    walk(folder, "", &mut |name, path, kind| {
        let about = fs::symlink_metadata(path)?;
        let content = if kind.is_file() {
            fs::read(path)?
        } else {
            Vec::new()
        };
        let _ = writeln!(
            text,
            "{name} {:o} {}.{} {} {:?}",
            about.mode(),
            about.mtime(),
            about.mtime_nsec(),
            about.ino(),
            String::from_utf8_lossy(&content),
        );
        Ok(())
    })?;
    Ok(text)
}

/// Makes `to` a copy of `from`: bytes, modes, links and modification times. What was there before
/// is removed.
pub fn restore(from: &Path, to: &Path) -> io::Result<()> {
    match fs::remove_dir_all(to) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => copy(from, to),
    }
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type()?;
        if kind.is_dir() {
            copy(&source, &target)?;
        } else if kind.is_symlink() {
            symlink(fs::read_link(&source)?, &target)?;
        } else if kind.is_file() {
            fs::copy(&source, &target)?;
            let modified = entry.metadata()?.modified()?;
            File::open(&target)?.set_times(FileTimes::new().set_modified(modified))?;
        }
    }
    let about = fs::metadata(from)?;
    fs::set_permissions(to, about.permissions())?;
    File::open(to)?.set_times(FileTimes::new().set_modified(about.modified()?))
}

fn walk(
    folder: &Path,
    prefix: &str,
    visit: &mut dyn FnMut(String, &Path, fs::FileType) -> io::Result<()>,
) -> io::Result<()> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    let mut entries = entries.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let kind = entry.file_type()?;
        visit(name.clone(), &entry.path(), kind)?;
        if kind.is_dir() {
            walk(&entry.path(), &format!("{name}/"), visit)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sandbox;

    #[test]
    fn a_restored_folder_is_the_same_tree_with_the_same_times() {
        let sandbox = Sandbox::new().unwrap();
        sandbox.write("saved/team/a.md", "one\n\ntwo").unwrap();
        sandbox.write("saved/b.md", "").unwrap();
        sandbox.write("work/left-over.md", "gone").unwrap();
        let (saved, work) = (sandbox.root().join("saved"), sandbox.root().join("work"));
        symlink("b.md", saved.join("link.md")).unwrap();

        restore(&saved, &work).unwrap();

        insta::assert_snapshot!(render(&read(&work).unwrap()), @"
        b.md
        link.md -> b.md
        team/
        team/a.md
          | one
          |
          | two
        ");
        let modified = |root: &Path| {
            fs::metadata(root.join("team/a.md"))
                .unwrap()
                .modified()
                .unwrap()
        };
        assert_eq!(modified(&saved), modified(&work));
    }

    #[test]
    fn a_file_written_again_with_the_same_bytes_leaves_another_fingerprint() {
        let sandbox = Sandbox::new().unwrap();
        sandbox.write("outside/a.md", "same").unwrap();
        let before = fingerprint(&sandbox.outside()).unwrap();
        assert_eq!(before, fingerprint(&sandbox.outside()).unwrap());
        let other = sandbox.write("other", "same").unwrap();
        fs::rename(other, sandbox.outside().join("a.md")).unwrap();
        assert_ne!(before, fingerprint(&sandbox.outside()).unwrap());
    }
}
