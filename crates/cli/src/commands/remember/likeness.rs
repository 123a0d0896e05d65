//! Whether a memory already says it, and which one comes nearest.

use memdir_memory::{MemoryPath, Topic, words};
use memdir_store::{Directory, Error, Memory, Scan, Store, limits};

/// From this likeness on a memory is named to the user.
const ALIKE: f64 = 0.6;

/// How the memories that there are compare to a new text.
pub(super) struct Likeness<'a> {
    /// One that says it already.
    pub(super) known: Option<&'a Memory>,
    /// The one that is most like it, if any is much.
    pub(super) nearest: Option<Near<'a>>,
}

/// A memory that is much like a text.
pub(super) struct Near<'a> {
    pub(super) path: &'a MemoryPath,
    /// From 0 to 1.
    pub(super) likeness: f64,
    /// Whether one of the two says what the other denies.
    pub(super) opposed: bool,
}

/// Compares a text, as it is to be saved and as it was typed, with every memory. Likeness never
/// decides anything: it is only shown.
pub(super) fn compare<'a>(
    store: &Store,
    scan: &'a Scan,
    text: &str,
    typed: &str,
) -> Result<Likeness<'a>, Error> {
    let none = Likeness {
        known: None,
        nearest: None,
    };
    let Some(directory) = Directory::open(store.memory_directory())? else {
        return Ok(none);
    };
    let wordings = if text == typed {
        vec![text]
    } else {
        vec![text, typed]
    };
    let wordings: Vec<Wording<'_>> = wordings.into_iter().map(Wording::new).collect();
    let wanted = words::terms(text);
    let mut nearest: Option<(f64, &Memory, &str)> = None;
    for memory in &scan.memories {
        let header = &memory.header;
        let told = [header.name.as_deref(), header.description.as_deref()];
        let told = || told.into_iter().flatten();
        if told().any(|told| wordings.iter().any(|wording| wording.is_in(told)))
            || body_says(&directory, memory, &wordings)
        {
            return Ok(Likeness {
                known: Some(memory),
                nearest: None,
            });
        }
        // Where there is a description, the name is made of its words.
        if let Some(told) = header.description.as_deref().or(header.name.as_deref()) {
            let likeness = words::overlap(&words::terms(told), &wanted);
            if likeness >= ALIKE && nearest.is_none_or(|(most, _, _)| likeness > most) {
                nearest = Some((likeness, memory, told));
            }
        }
    }
    let nearest = nearest.map(|(likeness, memory, told)| Near {
        path: &memory.path,
        likeness,
        opposed: words::negation_differs(told, text),
    });
    Ok(Likeness {
        known: None,
        nearest,
    })
}

/// Whether one memory says it: for `--into`.
pub(super) fn topic_says(topic: &Topic, text: &str) -> bool {
    words::already_says(&topic.body_text(), text)
}

fn body_says(directory: &Directory, memory: &Memory, wordings: &[Wording<'_>]) -> bool {
    let folder = directory.parent_of(&memory.path).ok().flatten();
    let read = |folder: Directory| {
        folder
            .read(memory.path.file_name(), limits::MAX_FILE_BYTES)
            .ok()
    };
    // What cannot be read cannot be compared either; the scan reports such files elsewhere.
    let Some(found) = folder.and_then(read).flatten() else {
        return false;
    };
    let mut likely = wordings
        .iter()
        .filter(|wording| wording.may_be_in(&found.bytes))
        .peekable();
    if likely.peek().is_none() {
        return false;
    }
    let topic = Topic::parse(&found.bytes);
    likely.any(|wording| wording.is_in(&topic.body_text()))
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
        self.may_be_in(existing.as_bytes()) && words::already_says(existing, self.text)
    }

    fn may_be_in(&self, content: &[u8]) -> bool {
        let Some(word) = self.longest.as_ref().filter(|word| !word.is_empty()) else {
            return true;
        };
        // Letters beyond ASCII may fold into it, and an apostrophe may stand inside it.
        if !content.is_ascii() || content.contains(&b'\'') {
            return true;
        }
        content
            .windows(word.len())
            .any(|window| window.eq_ignore_ascii_case(word.as_bytes()))
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
            "3.11",
            "",
        ];
        for existing in texts {
            for new in texts {
                if words::already_says(existing, new) {
                    assert!(
                        Wording::new(new).may_be_in(existing.as_bytes()),
                        "{new:?} in {existing:?}"
                    );
                }
            }
        }
    }
}
