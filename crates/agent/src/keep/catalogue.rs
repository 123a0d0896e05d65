//! The memories that there are, read once: which one says something already, which comes nearest, which name is free.

use std::cell::OnceCell;
use std::collections::HashSet;

use memdir_memory::{Header, MemoryPath, MemoryType, Topic, naming, words};
use memdir_store::{Directory, Error, Found, Scan, Store, limits};

/// From this likeness on a memory is named to the user.
const ALIKE: f64 = 0.6;

/// Every memory of a directory with its text.
#[derive(Debug, Default)]
pub struct Catalogue {
    memories: Vec<Known>,
    /// Names that cannot be given: those of memories, and of what could not be read.
    taken: HashSet<String>,
}

/// A memory that there is, or will be.
#[derive(Debug)]
pub struct Known {
    /// Where it is.
    pub path: MemoryPath,
    /// What its header says.
    pub header: Header,
    /// Its content, as it is or shall be.
    pub bytes: Vec<u8>,
    /// When it was last changed, in nanoseconds since 1970.
    pub mtime: i64,
    /// What is on the disk; none for a new memory.
    pub seen: Option<Found>,
    told: OnceCell<HashSet<String>>,
    folded: OnceCell<Option<Vec<u8>>>,
}

/// How the memories that there are compare to a new text.
#[derive(Debug)]
pub struct Likeness<'a> {
    /// One that says it already.
    pub known: Option<&'a Known>,
    /// The one that is most like it, if any is much.
    pub nearest: Option<Near<'a>>,
}

/// A memory that is much like a text.
#[derive(Debug)]
pub struct Near<'a> {
    /// Where it is.
    pub path: &'a MemoryPath,
    /// From 0 to 1.
    pub likeness: f64,
    /// Whether one of the two says what the other denies.
    pub opposed: bool,
}

impl Catalogue {
    /// Reads every memory of a store.
    ///
    /// # Errors
    ///
    /// When the directory cannot be read. A single file that cannot be is left out: it cannot be compared.
    pub fn read(store: &Store) -> Result<Self, Error> {
        let scan = store.scan()?;
        let mut catalogue = Self {
            taken: taken(&scan),
            memories: Vec::with_capacity(scan.memories.len()),
        };
        let Some(directory) = Directory::open(store.memory_directory())? else {
            return Ok(catalogue);
        };
        for memory in scan.memories {
            let folder = directory.parent_of(&memory.path).ok().flatten();
            let read = |folder: Directory| {
                let name = memory.path.file_name();
                folder.read(name, limits::MAX_FILE_BYTES).ok()
            };
            let found = folder.and_then(read).flatten();
            catalogue.memories.push(Known {
                bytes: found
                    .as_ref()
                    .map(|found| found.bytes.clone())
                    .unwrap_or_default(),
                mtime: memory.stamp.mtime,
                path: memory.path,
                header: memory.header,
                seen: found,
                told: OnceCell::new(),
                folded: OnceCell::new(),
            });
        }
        Ok(catalogue)
    }

    /// The team's memories alone; the names of the others are still taken.
    #[must_use]
    pub fn of_team(mut self) -> Self {
        self.memories
            .retain(|known| known.path.as_str().starts_with("team/"));
        self
    }

    /// Every memory, newest first.
    pub fn memories(&self) -> &[Known] {
        &self.memories
    }

    /// The memory of this path.
    #[must_use]
    pub fn get(&self, path: &MemoryPath) -> Option<&Known> {
        self.memories.iter().find(|known| known.path == *path)
    }

    /// Puts in a content that a memory shall have. What is on the disk is remembered as it was.
    pub(super) fn put(&mut self, path: &MemoryPath, bytes: Vec<u8>, mtime: i64) {
        let header = Header::read(&bytes);
        self.taken.insert(path.folded());
        if let Some(known) = self.memories.iter_mut().find(|known| known.path == *path) {
            known.header = header;
            known.bytes = bytes;
            known.mtime = mtime;
            known.told = OnceCell::new();
            known.folded = OnceCell::new();
            return;
        }
        self.memories.push(Known {
            path: path.clone(),
            header,
            bytes,
            mtime,
            seen: None,
            told: OnceCell::new(),
            folded: OnceCell::new(),
        });
    }

    /// Takes a memory out.
    pub(super) fn remove(&mut self, path: &MemoryPath) {
        self.memories.retain(|known| known.path != *path);
    }

    /// Compares a text, as it is to be saved and as it was typed, with every memory.
    #[must_use]
    pub fn compare(&self, text: &str, typed: &str) -> Likeness<'_> {
        let wordings = if text == typed {
            vec![text]
        } else {
            vec![text, typed]
        };
        let wordings: Vec<Wording<'_>> = wordings.into_iter().map(Wording::new).collect();
        let wanted = words::terms(text);
        let mut nearest: Option<(f64, &Known)> = None;
        for known in &self.memories {
            if known.says(&wordings) {
                return Likeness {
                    known: Some(known),
                    nearest: None,
                };
            }
            let likeness = words::overlap(known.told(), &wanted);
            if likeness >= ALIKE && nearest.is_none_or(|(most, _)| likeness > most) {
                nearest = Some((likeness, known));
            }
        }
        Likeness {
            known: None,
            nearest: nearest.map(|(likeness, known)| Near {
                path: &known.path,
                likeness,
                opposed: words::negation_differs(known.line().unwrap_or_default(), text),
            }),
        }
    }

    /// A path that no other memory has, not even in other case.
    ///
    /// # Errors
    ///
    /// When the name makes no path.
    pub fn free_path(
        &self,
        kind: MemoryType,
        name: &str,
        team: bool,
    ) -> Result<MemoryPath, memdir_memory::PathProblem> {
        let stem = naming::file_stem(kind, name);
        let folder = if team { "team/" } else { "" };
        let mut number = 1;
        loop {
            let numbered = naming::numbered(&stem, number);
            let path = MemoryPath::new(&format!("{folder}{numbered}.md"))?;
            if !self.taken.contains(&path.folded()) {
                return Ok(path);
            }
            number += 1;
        }
    }
}

impl Known {
    /// The line that says what it is about. Where there is a description, the name is made of its words.
    pub(super) fn line(&self) -> Option<&str> {
        let header = &self.header;
        header.description.as_deref().or(header.name.as_deref())
    }

    fn told(&self) -> &HashSet<String> {
        self.told
            .get_or_init(|| self.line().map(words::terms).unwrap_or_default())
    }

    fn folded(&self) -> Option<&[u8]> {
        let folded = self.folded.get_or_init(|| folded(&self.bytes));
        folded.as_deref()
    }

    fn says(&self, wordings: &[Wording<'_>]) -> bool {
        let told = [
            self.header.name.as_deref(),
            self.header.description.as_deref(),
        ];
        let mut told = told.into_iter().flatten();
        if told.any(|told| wordings.iter().any(|wording| wording.is_in(told))) {
            return true;
        }
        let mut likely = wordings
            .iter()
            .filter(|wording| wording.may_be_in(self.folded()))
            .peekable();
        if likely.peek().is_none() {
            return false;
        }
        let topic = Topic::parse(&self.bytes);
        likely.any(|wording| wording.is_in(&topic.body_text()))
    }
}

/// Whether one memory says it.
#[must_use]
pub fn topic_says(topic: &Topic, text: &str) -> bool {
    words::already_says(&topic.body_text(), text)
}

fn taken(scan: &Scan) -> HashSet<String> {
    let met = scan.memories.iter().map(|memory| memory.path.clone());
    let skipped = scan
        .skipped
        .iter()
        .filter_map(|skipped| MemoryPath::new(skipped.path.to_str()?).ok());
    met.chain(skipped).map(|path| path.folded()).collect()
}

/// A text to look for, with its longest plain word. What does not have that word need not be
/// compared word for word, which takes a hundred times as long.
struct Wording<'a> {
    text: &'a str,
    longest: Option<String>,
}

impl<'a> Wording<'a> {
    fn new(text: &'a str) -> Wording<'a> {
        let normal = words::normalise(text);
        let is_plain = |word: &&str| word.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let longest = normal
            .split(' ')
            .filter(is_plain)
            .max_by_key(|word| word.len());
        Wording {
            text,
            longest: longest.map(str::to_owned),
        }
    }

    fn is_in(&self, existing: &str) -> bool {
        self.may_be_in(folded(existing.as_bytes()).as_deref())
            && words::already_says(existing, self.text)
    }

    /// `folded` is a content in lower case, where looking for a word in it proves anything.
    fn may_be_in(&self, folded: Option<&[u8]>) -> bool {
        let word = self.longest.as_ref().filter(|word| !word.is_empty());
        match (word, folded) {
            (Some(word), Some(folded)) => memchr::memmem::find(folded, word.as_bytes()).is_some(),
            _ => true,
        }
    }
}

/// A content in lower case. Letters beyond ASCII may fold into others, and an apostrophe may stand inside a word: there
/// it says nothing.
fn folded(content: &[u8]) -> Option<Vec<u8>> {
    (content.is_ascii() && !content.contains(&b'\'')).then(|| content.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_ruled_out_early_does_not_say_it() {
        let texts = [
            "Use tabs",
            "don't use tabs",
            "ＵＳＥ ＴＡＢＳ",
            "C++ is fine",
            "use 'tabs'",
            "全角",
            "3.11",
            "",
        ];
        for existing in texts {
            for new in texts {
                if words::already_says(existing, new) {
                    assert!(
                        Wording::new(new).may_be_in(folded(existing.as_bytes()).as_deref()),
                        "{new:?} in {existing:?}"
                    );
                }
            }
        }
    }
}
