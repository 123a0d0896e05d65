//! The format of git's index: versions 2 to 4, SHA-1 and SHA-256, whole, split or sparse.

use std::collections::HashSet;

/// Times, numbers and sizes in front of an entry's mode.
const BEFORE_MODE: usize = 24;
/// From the mode to the checksum of the content: owner, group, size.
const BEFORE_CHECKSUM: usize = 12;
/// How long checksums are, by SHA-1 and by SHA-256. Nothing in the file says which: it has to come out even.
const CHECKSUMS: [usize; 2] = [20, 32];
const EXTENDED: u16 = 0x4000;
const FILE_TYPE: u32 = 0o170_000;
const REGULAR: u32 = 0o100_000;
/// The most that all paths together may take, and the most entries that a bitmap may speak of: a small file can stand for much.
const MAX_PATHS: usize = 256 * 1024 * 1024;
const MAX_BITS: usize = 8 * 1024 * 1024;
/// Extensions that change what entries mean, and that are known here: a split index, and folders that stand for all in them.
const SPLIT: &[u8] = b"link";
const SPARSE: &[u8] = b"sdir";

/// What an index lists.
#[derive(Debug)]
pub(super) struct GitIndex {
    entries: Vec<Entry>,
    split: Option<Split>,
}

#[derive(Debug)]
struct Entry {
    path: Vec<u8>,
    is_regular: bool,
}

/// What an index changes of one that it shares.
#[derive(Debug)]
struct Split {
    base: String,
    removed: Bits,
    replaced: Bits,
}

type Bits = HashSet<usize>;

impl GitIndex {
    /// Reads an index; the reason where it is none that is known here.
    pub(super) fn parse(index: &[u8]) -> Result<Self, String> {
        let mut reason = "it is damaged".to_owned();
        for checksum in CHECKSUMS {
            match parse(index, checksum) {
                Ok(Some(index)) => return Ok(index),
                Ok(None) => {}
                Err(unknown) => reason = unknown,
            }
        }
        Err(reason)
    }

    /// The index that this one changes, by its checksum.
    pub(super) fn base(&self) -> Option<&str> {
        self.split.as_ref().map(|split| split.base.as_str())
    }

    /// The regular files that it lists itself.
    pub(super) fn files(self) -> impl Iterator<Item = Vec<u8>> {
        let files = self.entries.into_iter().filter(|entry| entry.is_regular);
        files.map(|entry| entry.path)
    }

    /// The regular files of a split index upon the one that it shares; `None` where they do not go together.
    pub(super) fn upon(self, base: GitIndex) -> Option<HashSet<Vec<u8>>> {
        let Split {
            removed, replaced, ..
        } = self.split?;
        let last = removed.iter().chain(&replaced).max();
        if base.split.is_some() || last.is_some_and(|last| *last >= base.entries.len()) {
            return None;
        }
        // What replaces an entry comes first, in their order and without a path.
        let mut own = self.entries.into_iter();
        let mut files = HashSet::new();
        for (position, entry) in base.entries.into_iter().enumerate() {
            let is_regular = match replaced.contains(&position) {
                true => own.next().filter(|own| own.path.is_empty())?.is_regular,
                false => entry.is_regular,
            };
            if is_regular && !removed.contains(&position) {
                files.insert(entry.path);
            }
        }
        for entry in own {
            if entry.path.is_empty() {
                return None;
            }
            if entry.is_regular {
                files.insert(entry.path);
            }
        }
        Some(files)
    }
}

/// `None` is damage, an error something that is not known here.
fn parse(index: &[u8], checksum: usize) -> Result<Option<GitIndex>, String> {
    let mut rest = Rest(index);
    let header = (rest.take(4), rest.number(), rest.number());
    let (Some(b"DIRC"), Some(version), Some(count)) = header else {
        return Ok(None);
    };
    if !(2..=4).contains(&version) {
        return Err(format!("it has version {version}"));
    }
    let Some(entries) = entries(&mut rest, version, count, checksum) else {
        return Ok(None);
    };
    let mut split = None;
    // The checksum of the whole comes last; it may be all zeroes.
    while rest.0.len() > checksum {
        let Some((name, content)) = rest.extension() else {
            return Ok(None);
        };
        match name {
            SPARSE => {}
            SPLIT => match self::split(content, checksum) {
                Some(found) => split = found,
                None => return Ok(None),
            },
            // Who does not know it may pass over one that begins with a capital letter.
            [first, ..] if first.is_ascii_uppercase() => {}
            _ => return Err("it has an extension that is not known here".to_owned()),
        }
    }
    Ok((rest.0.len() == checksum).then_some(GitIndex { entries, split }))
}

fn entries(rest: &mut Rest<'_>, version: u32, count: u32, checksum: usize) -> Option<Vec<Entry>> {
    let mut entries = Vec::new();
    let (mut path, mut all) = (Vec::new(), 0_usize);
    for _ in 0..count {
        let before = rest.0.len();
        rest.take(BEFORE_MODE)?;
        let mode = rest.number()?;
        rest.take(BEFORE_CHECKSUM + checksum)?;
        let flags = u16::from_be_bytes(rest.take(2)?.try_into().ok()?);
        if flags & EXTENDED != 0 {
            rest.take(2)?;
        }
        if version == 4 {
            // What this path shares with the one before is left out.
            let dropped = rest.varying()?;
            path.truncate(path.len().checked_sub(dropped)?);
            path.extend_from_slice(rest.until_nul()?);
        } else {
            path = rest.until_nul()?.to_vec();
            // An entry ends with one to eight zeroes, at a multiple of eight.
            let long = before - rest.0.len();
            let padding = rest.take(long.next_multiple_of(8) - long)?;
            if padding.iter().any(|byte| *byte != 0) {
                return None;
            }
        }
        all = all.saturating_add(path.len());
        if all > MAX_PATHS {
            return None;
        }
        entries.push(Entry {
            path: path.clone(),
            is_regular: mode & FILE_TYPE == REGULAR,
        });
    }
    Some(entries)
}

/// The extension of a split index. Where it names no other index, there is nothing to change.
fn split(content: &[u8], checksum: usize) -> Option<Option<Split>> {
    let mut rest = Rest(content);
    let base = rest.take(checksum)?;
    if base.iter().all(|byte| *byte == 0) {
        return Some(None);
    }
    let base = base.iter().map(|byte| format!("{byte:02x}")).collect();
    // Where nothing is removed or replaced, that is left out.
    let (removed, replaced) = match rest.0.is_empty() {
        true => (Bits::new(), Bits::new()),
        false => (rest.bits()?, rest.bits()?),
    };
    Some(Some(Split {
        base,
        removed,
        replaced,
    }))
}

/// What is still to be read.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn take(&mut self, long: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(long)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self) -> Option<u32> {
        Some(u32::from_be_bytes(self.take(4)?.try_into().ok()?))
    }

    /// A number in as many bytes as it needs, as in git's packs with offsets.
    fn varying(&mut self) -> Option<usize> {
        let mut value = 0_usize;
        loop {
            let byte = *self.take(1)?.first()?;
            value = value.checked_add(usize::from(byte & 0x7f))?;
            if byte & 0x80 == 0 {
                return Some(value);
            }
            value = value.checked_add(1)?.checked_mul(128)?;
        }
    }

    fn until_nul(&mut self) -> Option<&'a [u8]> {
        let end = self.0.iter().position(|byte| *byte == 0)?;
        let text = self.take(end)?;
        self.take(1)?;
        Some(text)
    }

    fn extension(&mut self) -> Option<(&'a [u8], &'a [u8])> {
        let name = self.take(4)?;
        let long = usize::try_from(self.number()?).ok()?;
        Some((name, self.take(long)?))
    }

    /// The positions of a bitmap that is compressed by runs of whole words: a word that counts how many are all the same,
    /// and how many follow as they are.
    fn bits(&mut self) -> Option<Bits> {
        let size = usize::try_from(self.number()?).ok();
        let size = size.filter(|size| *size <= MAX_BITS)?;
        let words = self.number()?;
        let mut words = (0..words)
            .map(|_| Some(u64::from_be_bytes(self.take(8)?.try_into().ok()?)))
            .collect::<Option<Vec<u64>>>()?
            .into_iter();
        // Where the last such word stands matters to who appends.
        self.number()?;
        let (mut bits, mut at) = (Bits::new(), 0_usize);
        while let Some(run) = words.next() {
            let same = usize::try_from((run >> 1) & 0xffff_ffff).ok()?;
            let end = same.checked_mul(64).and_then(|long| at.checked_add(long))?;
            if run & 1 == 1 {
                bits.extend(at..end.min(size));
            }
            at = end;
            for _ in 0..run >> 33 {
                let word = words.next()?;
                let set = (0..64).filter(|bit| word >> bit & 1 == 1);
                bits.extend(
                    set.map(|bit| at.saturating_add(bit))
                        .filter(|at| *at < size),
                );
                at = at.checked_add(64)?;
            }
        }
        Some(bits)
    }
}
