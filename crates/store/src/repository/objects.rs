//! Whether a repository has an object, by the names in its object store alone. Nothing is unpacked, and git is not run.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use crate::reader::open_regular;

/// More packs than this are not looked into.
const MOST_PACKS: usize = 1_000;
/// How the second version of a pack's index begins, the only one written since 2007.
const SIGNATURE: [u8; 8] = [0xff, b't', b'O', b'c', 0, 0, 0, 2];
/// Behind it: for each first byte of a name, how many names begin with it or a smaller one.
const FAN_OUT: u64 = 8;
const NAMES: u64 = FAN_OUT + 256 * 4;

/// Whether the object of this name is in the store of a repository's own folder.
pub(super) fn has(git: &Path, name: &str) -> bool {
    let objects = git.join("objects");
    let Some((folder, rest)) = name.split_at_checked(2) else {
        return false;
    };
    if objects.join(folder).join(rest).is_file() {
        return true;
    }
    let Some(name) = bytes_of(name) else {
        return false;
    };
    let packs = std::fs::read_dir(objects.join("pack"));
    let packs = packs.into_iter().flatten().flatten();
    packs
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "idx"))
        .take(MOST_PACKS)
        .any(|index| is_in(&index, &name).unwrap_or(false))
}

/// Whether a pack's index has a name. The names stand in order, so that a few reads tell, however large it is.
fn is_in(index: &Path, name: &[u8]) -> Option<bool> {
    let file = open_regular(index).ok()??;
    let mut signature = [0; SIGNATURE.len()];
    file.read_exact_at(&mut signature, 0).ok()?;
    if signature != SIGNATURE {
        return None;
    }
    let first = u64::from(*name.first()?);
    let count = |byte: u64| number_at(&file, FAN_OUT + byte * 4);
    let mut low = match first.checked_sub(1) {
        Some(before) => count(before)?,
        None => 0,
    };
    let mut high = count(first)?;
    let length = u64::try_from(name.len()).ok()?;
    let mut found = vec![0; name.len()];
    while low < high {
        let middle = low + (high - low) / 2;
        file.read_exact_at(&mut found, NAMES + middle * length)
            .ok()?;
        match found.as_slice().cmp(name) {
            std::cmp::Ordering::Equal => return Some(true),
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Greater => high = middle,
        }
    }
    Some(false)
}

fn number_at(file: &File, offset: u64) -> Option<u64> {
    let mut bytes = [0; 4];
    file.read_exact_at(&mut bytes, offset).ok()?;
    Some(u64::from(u32::from_be_bytes(bytes)))
}

/// The bytes of a name in hexadecimal digits.
fn bytes_of(name: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u32>> = name.chars().map(|digit| digit.to_digit(16)).collect();
    let pair = |pair: &[u32]| {
        let byte = pair.iter().fold(0, |byte, digit| byte << 4 | digit);
        u8::try_from(byte).ok()
    };
    digits?.chunks(2).map(pair).collect()
}
