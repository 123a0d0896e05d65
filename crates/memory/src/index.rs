//! The index of a memory directory: one line for each memory, and whatever else its user wrote.
//!
//! Lines that are not entries are kept as they are, and so is every byte of an index outside an
//! edit, invalid UTF-8 included; for showing, such bytes become replacement characters.

mod edit;
mod load;
mod parse;
mod problem;
mod reworded;

use std::borrow::Cow;

use crate::{MemoryPath, PathProblem, lines::Line};

pub use crate::path::INDEX_NAME;
pub use edit::entry_line;
pub use load::{Loaded, beginning, load};
pub use problem::IndexProblem;
pub use reworded::Words;

/// At most this many lines of an index are loaded.
pub const MAX_LINES: usize = 200;

/// At most this many bytes of an index are loaded.
pub const MAX_BYTES: usize = 25_000;

/// About how many characters a line of an index should have at most.
pub const LINE_CHARACTERS: usize = 150;

/// An index as it is on disk.
///
/// ```
/// use memdir_memory::{Index, MemoryPath};
/// let index = Index::parse(b"# Memory\n\n- [Tabs](tabs.md) - use tabs\n\nThe end.\n");
/// let edited = index.with_entry("Role", &MemoryPath::new("role.md")?, "who the user is");
/// assert_eq!(
///     String::from_utf8_lossy(edited.bytes()),
///     "# Memory\n\n- [Tabs](tabs.md) - use tabs\n- [Role](role.md) — who the user is\n\nThe end.\n",
/// );
/// # Ok::<(), memdir_memory::PathProblem>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Index {
    bytes: Vec<u8>,
    entries: Vec<Place>,
}

/// One entry of an index: `- [Title](file.md) — hook`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry<'a> {
    /// The text of its link.
    pub title: Cow<'a, str>,
    /// Where its link leads, as it stands there.
    pub target: Cow<'a, str>,
    /// What it says about the memory.
    pub hook: Option<Cow<'a, str>>,
    /// The line it is on, counted from 1.
    pub line: usize,
}

impl Entry<'_> {
    /// Its target as a path beneath the memory directory.
    pub fn path(&self) -> Result<MemoryPath, PathProblem> {
        MemoryPath::new(parse::normal_target(&self.target))
    }
}

/// Where an entry and its parts stand.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    line: Line,
    number: usize,
    /// The link without its bullet, from `[` on.
    link: usize,
    title: (usize, usize),
    target: (usize, usize),
    hook: (usize, usize),
}

impl Index {
    /// Takes an index apart. Never fails; see [`Index::problems`].
    pub fn parse(bytes: &[u8]) -> Self {
        Self::from_bytes(bytes.to_vec())
    }

    /// Like [`Index::parse`], for bytes that need not be copied.
    pub fn from_bytes(bytes: Vec<u8>) -> Self {
        let entries = parse::places(&bytes);
        Self { bytes, entries }
    }

    /// The entries in their order.
    pub fn entries(&self) -> impl DoubleEndedIterator<Item = Entry<'_>> + ExactSizeIterator {
        self.entries.iter().map(|place| place.entry(&self.bytes))
    }

    /// The entry for a file; the first, where there are more.
    pub fn entry(&self, target: &MemoryPath) -> Option<Entry<'_>> {
        self.places_of(target)
            .next()
            .map(|place| place.entry(&self.bytes))
    }

    /// The whole file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The whole file.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// What is not as it should be. Whether targets exist is for the store to say.
    pub fn problems(&self) -> Vec<IndexProblem> {
        problem::problems(self)
    }

    fn places_of(&self, target: &MemoryPath) -> impl DoubleEndedIterator<Item = &Place> {
        let target = target.as_str().as_bytes();
        self.entries
            .iter()
            .filter(move |place| place.leads_to(&self.bytes, target))
    }
}
