//! A listing compared with the names that the index knows of the same folder.

use std::collections::HashMap;

use super::listing::{Listing, Name};

/// A name that both know, and the file that the index has under it.
pub(super) struct Same {
    pub(super) name: Name,
    pub(super) file: Number,
}

/// A file of the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Number {
    Base(u32),
    Delta(u32),
}

/// What a listing says about the index.
#[derive(Default)]
pub(super) struct Difference {
    /// Names that are new, or lead to another file than before.
    pub(super) new: Vec<Name>,
    /// Files of the index whose names are gone or lead elsewhere.
    pub(super) gone: Vec<Number>,
    /// The rest, where it was asked for.
    pub(super) same: Vec<Same>,
}

/// Compares a listing with what is known: hash, inode and file, of the base sorted by hash.
pub(super) fn compare(
    listing: &Listing,
    base: impl Iterator<Item = (u64, u64, u32)>,
    delta: impl Iterator<Item = (u64, u64, u32)>,
    wants_same: bool,
) -> Difference {
    let mut difference = Difference::default();
    let mut delta: HashMap<u64, (u64, u32)> = delta
        .map(|(hash, inode, file)| (hash, (inode, file)))
        .collect();
    let mut base = base.peekable();
    for name in &listing.names {
        while let Some((.., file)) = base.next_if(|(hash, ..)| *hash < name.hash) {
            difference.gone.push(Number::Base(file));
        }
        let in_base = base
            .next_if(|(hash, ..)| *hash == name.hash)
            .map(|(_, inode, file)| (inode, Number::Base(file)));
        let in_delta = delta
            .remove(&name.hash)
            .map(|(inode, file)| (inode, Number::Delta(file)));
        // The newer one counts where both have the name.
        if in_delta.is_some() {
            difference.gone.extend(in_base.map(|(_, file)| file));
        }
        match in_delta.or(in_base) {
            Some((inode, file)) if inode == name.inode => {
                if wants_same {
                    difference.same.push(Same { name: *name, file });
                }
            }
            known => {
                difference.gone.extend(known.map(|(_, file)| file));
                difference.new.push(*name);
            }
        }
    }
    let rest = base.map(|(.., file)| Number::Base(file));
    difference.gone.extend(rest);
    let rest = delta.into_values().map(|(_, file)| Number::Delta(file));
    difference.gone.extend(rest);
    difference
}
