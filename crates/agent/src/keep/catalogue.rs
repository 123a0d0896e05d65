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
    whole: OnceCell<HashSet<String>>,
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
                whole: OnceCell::new(),
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
            known.whole = OnceCell::new();
            return;
        }
        self.memories.push(Known {
            path: path.clone(),
            header,
            bytes,
            mtime,
            seen: None,
            told: OnceCell::new(),
            whole: OnceCell::new(),
        });
    }

    /// Takes a memory out.
    pub(super) fn remove(&mut self, path: &MemoryPath) {
        self.memories.retain(|known| known.path != *path);
    }

    /// Compares a text, as it is to be saved and as it was typed, with every memory.
    #[must_use]
    pub fn compare(&self, text: &str, typed: &str) -> Likeness<'_> {
        let wanted = words::terms(text);
        let mut wordings = vec![Wording::new(text, wanted.clone())];
        if text != typed {
            wordings.push(Wording::new(typed, words::terms(typed)));
        }
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

    /// Whether it is the team's.
    pub(super) fn is_shared(&self) -> bool {
        self.path.as_str().starts_with("team/")
    }

    /// Every content word of its name and description.
    pub(super) fn named(&self) -> HashSet<String> {
        let name = self.header.name.as_deref().unwrap_or_default();
        let mut named = words::terms(name);
        // Links join words by hyphens.
        named.extend(words::terms(&name.replace(['-', '_'], " ")));
        let description = self.header.description.as_deref();
        named.extend(words::terms(description.unwrap_or_default()));
        named
    }

    /// Every content word of it.
    pub(super) fn whole(&self) -> &HashSet<String> {
        self.whole.get_or_init(|| {
            let mut whole = self.named();
            whole.extend(words::terms(&Topic::parse(&self.bytes).body_text()));
            whole
        })
    }

    fn says(&self, wordings: &[Wording<'_>]) -> bool {
        let mut likely = wordings
            .iter()
            .filter(|wording| wording.may_be_among(self.whole()))
            .peekable();
        if likely.peek().is_none() {
            return false;
        }
        let topic = Topic::parse(&self.bytes);
        let body = topic.body_text();
        let header = &self.header;
        let told = [header.name.as_deref(), header.description.as_deref()];
        let told = || told.into_iter().flatten().chain([&*body]);
        likely.any(|wording| told().any(|told| words::already_says(told, wording.text)))
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

/// A text to look for, with its content words. What lacks one of them need not be compared word for word, which takes a
/// hundred times as long.
struct Wording<'a> {
    text: &'a str,
    terms: HashSet<String>,
}

impl<'a> Wording<'a> {
    fn new(text: &'a str, mut terms: HashSet<String>) -> Wording<'a> {
        // Pairs of characters change where a comma stands between two; and words that say nothing are in no list.
        terms.retain(|term| term.is_ascii() && !words::is_function_word(term));
        Wording { text, terms }
    }

    fn may_be_among(&self, whole: &HashSet<String>) -> bool {
        self.terms.iter().all(|term| whole.contains(term))
    }
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
            "以后，都用 tabs",
            "以后都用tabs",
            "to be or not to be",
            "it is not",
            "3.11",
            "",
        ];
        for existing in texts {
            for new in texts {
                if words::already_says(existing, new) {
                    let wording = Wording::new(new, words::terms(new));
                    let whole = words::terms(existing);
                    assert!(wording.may_be_among(&whole), "{new:?} in {existing:?}");
                }
            }
        }
    }
}
