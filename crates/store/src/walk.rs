//! Every Markdown file beneath a memory directory, without following a link.

use std::ffi::CStr;
use std::mem::MaybeUninit;
use std::os::fd::BorrowedFd;
use std::path::PathBuf;

use memdir_memory::MemoryPath;
use rustix::fs::{FileType, RawDir};
use rustix::io::Errno;

use crate::directory::Directory;
use crate::error::{Error, Result};
use crate::limits::MAX_DEPTH;
use crate::temporary::is_temporary;

/// A file that was met.
pub(crate) struct Met<'a> {
    pub(crate) folder: BorrowedFd<'a>,
    pub(crate) name: &'a CStr,
    pub(crate) path: MemoryPath,
}

/// Something that was passed over, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// What, relative to the memory directory.
    pub path: PathBuf,
    /// Why.
    pub reason: String,
    /// The system failed to read it: it may well be a memory. Else it is known to be none.
    pub unread: bool,
}

/// What was met besides the files.
#[derive(Debug, Default)]
pub(crate) struct Aside {
    pub(crate) skipped: Vec<Skipped>,
    /// Temporaries of ours: the folder (relative, with a `/` at its end unless empty) and the name.
    pub(crate) temporaries: Vec<(String, String)>,
}

impl Aside {
    /// Passes over what is not a memory.
    pub(crate) fn skip(&mut self, path: impl Into<PathBuf>, reason: impl ToString) {
        self.skipped.push(Skipped {
            path: path.into(),
            reason: reason.to_string(),
            unread: false,
        });
    }

    /// Passes over what could not be looked at.
    pub(crate) fn fail(&mut self, path: impl Into<PathBuf>, error: impl ToString) {
        self.skipped.push(Skipped {
            path: path.into(),
            reason: error.to_string(),
            unread: true,
        });
    }
}

/// The temporaries of ours directly in a folder.
pub(crate) fn temporaries_in(folder: &Directory) -> Result<Vec<String>> {
    let mut names = every_name(folder)?;
    names.retain(|(name, _)| is_temporary(name.as_bytes()));
    Ok(names.into_iter().map(|(name, _)| name).collect())
}

/// What stands directly in a folder, by name; dot-files and names that are no text are left out.
pub(crate) fn names_in(folder: &Directory) -> Result<Vec<(String, FileType)>> {
    let mut names = every_name(folder)?;
    names.retain(|(name, _)| !name.starts_with('.'));
    names.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
    Ok(names)
}

fn every_name(folder: &Directory) -> Result<Vec<(String, FileType)>> {
    let folder = folder.reopened()?;
    let mut names = Vec::new();
    let mut buffer = vec![MaybeUninit::uninit(); 16 * 1024];
    let mut entries = RawDir::new(folder.handle(), &mut buffer);
    while let Some(entry) = entries.next() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(Errno::INTR) => continue,
            Err(error) => return Err(Error::io("list", folder.path(), error)),
        };
        let name = entry.file_name().to_str().unwrap_or_default();
        if !name.is_empty() {
            names.push((name.to_owned(), entry.file_type()));
        }
    }
    Ok(names)
}

/// Visits every `*.md` beneath a directory. Folders for which `enter` says no, and dot-files, are left out.
pub(crate) fn walk(
    root: &Directory,
    enter: impl Fn(&str) -> bool,
    mut visit: impl FnMut(Met<'_>, &mut Aside),
) -> Result<Aside> {
    let mut aside = Aside::default();
    let mut buffer = vec![MaybeUninit::uninit(); 64 * 1024];
    let mut waiting = vec![String::new()];
    while let Some(prefix) = waiting.pop() {
        let folder = match open(root, &prefix) {
            Ok(Some(folder)) => folder,
            Ok(None) => continue,
            // What cannot be opened or listed at the top is an error; further down it is one folder passed over.
            Err(error) if prefix.is_empty() => return Err(error),
            Err(error) => {
                aside.fail(prefix.trim_end_matches('/'), error);
                continue;
            }
        };
        let mut entries = RawDir::new(folder.handle(), &mut buffer);
        while let Some(entry) = entries.next() {
            let entry = match entry {
                Ok(entry) => entry,
                Err(Errno::INTR) => continue,
                Err(error) if prefix.is_empty() => {
                    return Err(Error::io("list", folder.path(), error));
                }
                Err(error) => {
                    aside.fail(prefix.trim_end_matches('/'), std::io::Error::from(error));
                    break;
                }
            };
            let bytes = entry.file_name().to_bytes();
            if bytes.starts_with(b".") {
                if is_temporary(bytes) {
                    aside
                        .temporaries
                        .push((prefix.clone(), String::from_utf8_lossy(bytes).into_owned()));
                }
                continue;
            }
            if entry.file_type() == FileType::Directory {
                enter_folder(&prefix, bytes, &enter, &mut waiting, &mut aside);
            } else if bytes.ends_with(b".md") || entry.file_type() == FileType::Unknown {
                match name_of(&prefix, bytes) {
                    Ok(path) => {
                        visit(
                            Met {
                                folder: folder.handle(),
                                name: entry.file_name(),
                                path,
                            },
                            &mut aside,
                        );
                    }
                    Err(reason) => aside.skip(
                        format!("{prefix}{}", String::from_utf8_lossy(bytes)),
                        reason,
                    ),
                }
            }
        }
    }
    Ok(aside)
}

fn open(root: &Directory, prefix: &str) -> Result<Option<Directory>> {
    let mut folder = root.same()?;
    for name in prefix.split('/').filter(|name| !name.is_empty()) {
        match folder.folder(name)? {
            Some(next) => folder = next,
            None => return Ok(None),
        }
    }
    // A handle of its own: the listing's position must not be shared with other users of the root handle.
    folder.reopened().map(Some)
}

fn enter_folder(
    prefix: &str,
    name: &[u8],
    enter: impl Fn(&str) -> bool,
    waiting: &mut Vec<String>,
    aside: &mut Aside,
) {
    match std::str::from_utf8(name) {
        Err(_) => aside.skip(
            format!("{prefix}{}", String::from_utf8_lossy(name)),
            "its name is not valid UTF-8",
        ),
        Ok(name) => {
            let path = format!("{prefix}{name}/");
            if path.matches('/').count() > MAX_DEPTH {
                aside.skip(path, "folders nest too deep");
            } else if enter(&path) {
                waiting.push(path);
            }
        }
    }
}

fn name_of(prefix: &str, name: &[u8]) -> Result<MemoryPath, String> {
    let name = std::str::from_utf8(name).map_err(|_| "its name is not valid UTF-8".to_owned())?;
    MemoryPath::try_from([prefix, name].concat()).map_err(|problem| problem.to_string())
}
