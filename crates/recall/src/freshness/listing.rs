//! One folder listed: the names that can be memories, by hash, and the folders beneath.

use std::time::{SystemTime, UNIX_EPOCH};

use memdir_store::{Directory, EntryKind};

use crate::segment::{UNCLEAN, hash_of};

/// A change within this time of the last one may leave the same time behind: clocks of file systems move in steps.
const CLOCK_STEP_NS: i128 = 50_000_000;

/// A listed folder.
pub(super) struct Listing {
    /// Sorted by hash.
    pub(super) names: Vec<Name>,
    /// All names, one after the other.
    texts: Vec<u8>,
    pub(super) folders: Vec<Vec<u8>>,
    /// The folder's time before it was listed, or [`UNCLEAN`] where that cannot vouch for the listing.
    pub(super) mtime: i64,
}

/// A name in a folder.
#[derive(Clone, Copy)]
pub(super) struct Name {
    pub(super) hash: u64,
    pub(super) inode: u64,
    start: u32,
    length: u32,
    /// Neither a plain file nor unknown: it is not opened.
    pub(super) is_other: bool,
}

impl Listing {
    pub(super) fn of(folder: &Directory) -> Result<Listing, memdir_store::Error> {
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |since| i128::try_from(since.as_nanos()).unwrap_or(0));
        let mtime = folder.modified()?;
        // A time in the future vouches for nothing either.
        let is_settled = i128::from(mtime) + CLOCK_STEP_NS < now;
        let mut listing = Listing {
            names: Vec::new(),
            texts: Vec::new(),
            folders: Vec::new(),
            mtime: if is_settled { mtime } else { UNCLEAN },
        };
        folder.list(|entry| {
            if entry.name.starts_with(b".") {
                return;
            }
            match entry.kind {
                EntryKind::Folder => listing.folders.push(entry.name.to_vec()),
                kind if is_topic_name(entry.name) => {
                    let start = u32::try_from(listing.texts.len()).unwrap_or(u32::MAX);
                    listing.texts.extend_from_slice(entry.name);
                    listing.names.push(Name {
                        hash: hash_of(entry.name),
                        inode: entry.inode,
                        start,
                        length: u32::try_from(entry.name.len()).unwrap_or(0),
                        is_other: kind == EntryKind::Other,
                    });
                }
                _ => {}
            }
        })?;
        listing.names.sort_unstable_by_key(|name| name.hash);
        Ok(listing)
    }

    /// The bytes of a name.
    pub(super) fn text(&self, name: &Name) -> &[u8] {
        let start = name.start as usize;
        let end = start + name.length as usize;
        self.texts.get(start..end).unwrap_or_default()
    }
}

/// `*.md`, and no index in whatever case.
fn is_topic_name(name: &[u8]) -> bool {
    name.ends_with(b".md") && !name.eq_ignore_ascii_case(memdir_memory::INDEX_NAME.as_bytes())
}
