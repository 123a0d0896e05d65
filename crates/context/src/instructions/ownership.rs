//! Whose word counts: who owns a file and the folders above it, and who else could write there.

use std::path::{Path, PathBuf};

use super::{Opened, RefusalReason};

/// The permission to write for the group and for others.
const OTHERS_WRITE: u32 = 0o022;
/// The permission to write for everybody.
const ALL_WRITE: u32 = 0o002;
/// In such a folder only the owner of a thing can remove or rename it.
const STICKY: u32 = 0o1000;
const ROOT: u32 = 0;

/// The owner of a file or folder, and who may do what with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Owned {
    /// The user's number.
    pub user: u32,
    /// The permission bits, as `stat` reports them.
    pub mode: u32,
}

impl Owned {
    fn is_ours(&self, user: u32) -> bool {
        self.user == user || self.user == ROOT
    }
}

/// Whether a file above the project may be obeyed: it and its folder, and what lies between them, belong to the user
/// or root and nobody else can write them. In a folder further up others may make files of their own, as in `/tmp`, as
/// long as they cannot replace ours.
pub(super) fn check_above(opened: &Opened, folder: &Path, user: u32) -> Result<(), RefusalReason> {
    check_complete(opened)?;
    let strict_from = folder.ancestors().count().saturating_sub(1);
    for (depth, owned) in opened.owners.iter().enumerate() {
        if !owned.is_ours(user) {
            return Err(RefusalReason::OtherOwner {
                path: part(opened, depth),
                user: owned.user,
            });
        }
    }
    for (depth, owned) in opened.owners.iter().enumerate() {
        let is_shielded = depth < strict_from && owned.mode & STICKY != 0;
        if owned.mode & OTHERS_WRITE != 0 && !is_shielded {
            return Err(RefusalReason::OthersCanWrite {
                path: part(opened, depth),
            });
        }
    }
    Ok(())
}

/// What stands at this depth on the way to something; the root is at 0.
fn part(opened: &Opened, depth: usize) -> PathBuf {
    let below = opened.owners.len().saturating_sub(depth + 1);
    let part = opened.real.ancestors().nth(below);
    part.unwrap_or(&opened.real).to_path_buf()
}

/// Whether a file was put where it is by somebody who has nothing to do with the project: something on the way to it
/// belongs to another user and stands in a folder in which everybody can make files.
pub(super) fn check_not_planted(opened: &Opened, user: u32) -> Result<(), RefusalReason> {
    check_complete(opened)?;
    let parents = opened.owners.iter();
    let children = opened.owners.iter().enumerate().skip(1);
    let planted = parents
        .zip(children)
        .find(|(parent, (_, child))| parent.mode & ALL_WRITE != 0 && !child.is_ours(user));
    match planted {
        Some((_, (depth, child))) => Err(RefusalReason::OtherOwner {
            path: part(opened, depth),
            user: child.user,
        }),
        None => Ok(()),
    }
}

fn check_complete(opened: &Opened) -> Result<(), RefusalReason> {
    match opened.owners.len() == opened.real.ancestors().count() {
        true => Ok(()),
        false => Err(RefusalReason::UnknownOwner),
    }
}
