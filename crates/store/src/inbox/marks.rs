//! The marks of a suggestion in its header, which the memory itself never has, and taking them out again without a trace.

use memdir_memory::{MemoryPath, Source, Topic};

use super::Suggested;
use crate::digest::Digest;

pub(super) const TARGET: &str = "target";
const BASE: &str = "base";
const CHANGE: &str = "change";
const REMOVAL: &str = "remove";
const ORIGIN: &str = "wanted_by";
const FROM: &str = "brought_from";
const DATED: &str = "dated";
/// The header is ours alone; the memory with whatever header it has begins behind it.
const FRAME: &str = "frame";
const OURS: &str = "ours";
const ALL: [&str; 7] = [TARGET, BASE, CHANGE, ORIGIN, FROM, DATED, FRAME];
/// What follows a header of ours.
const BEHIND: &[u8] = b"\n---\n\n";

/// What the marks of a suggestion say.
#[derive(Debug, Default)]
pub(super) struct Marks {
    pub(super) target: Option<MemoryPath>,
    pub(super) base: Option<Digest>,
    pub(super) removes: bool,
    pub(super) origin: Option<Source>,
    pub(super) from: Option<String>,
    pub(super) dated: Option<i64>,
}

impl Marks {
    pub(super) fn of(topic: &Topic) -> Self {
        let target = topic.metadata(TARGET);
        let target = target.and_then(|target| MemoryPath::new(&target).ok());
        Self {
            target: target.filter(|target| !target.is_index()),
            base: topic.metadata(BASE).and_then(|base| Digest::parse(&base)),
            removes: topic.metadata(CHANGE).as_deref() == Some(REMOVAL),
            origin: topic
                .metadata(ORIGIN)
                .and_then(|origin| Source::parse(&origin)),
            from: topic.metadata(FROM),
            dated: topic.metadata(DATED).and_then(|dated| dated.parse().ok()),
        }
    }
}

impl Suggested {
    /// The file in the inbox.
    pub(super) fn marked(&self) -> Topic {
        let base = self
            .base
            .as_deref()
            .map(|base| Digest::of(base).to_string());
        let dated = self.dated.map(|dated| dated.to_string());
        let marks = [
            (TARGET, Some(self.target.as_str())),
            (BASE, base.as_deref()),
            (CHANGE, self.removes.then_some(REMOVAL)),
            (ORIGIN, self.origin.map(Source::as_str)),
            (FROM, self.from.as_deref()),
            (DATED, dated.as_deref()),
        ];
        let mark = |topic: Topic| {
            let given = marks
                .iter()
                .filter_map(|(key, value)| Some((*key, (*value)?)));
            // Where a header has a form that cannot be edited, the target is read from the file's name.
            given.fold(topic, |topic, (key, value)| {
                topic.with_metadata(key, value).unwrap_or(topic)
            })
        };
        // Its author can have written marks as well. What is brought in comes out again as it was, all others do not get to
        // say anything by them.
        let plain = match self.origin {
            Some(Source::Import) => self.topic.clone(),
            _ => unmarked(&self.topic),
        };
        let marked = mark(plain.clone());
        if unmarked(&marked).bytes() == plain.bytes() && marked.metadata(TARGET).is_some() {
            return marked;
        }
        let empty = Topic::parse(b"");
        let frame = empty.with_metadata(FRAME, OURS).unwrap_or(empty);
        let mut bytes = mark(frame).into_bytes();
        bytes.extend_from_slice(b"\n");
        bytes.extend_from_slice(plain.bytes());
        Topic::from_bytes(bytes)
    }
}

/// A memory without the marks of a suggestion.
pub(super) fn unmarked(topic: &Topic) -> Topic {
    if topic.metadata(FRAME).as_deref() == Some(OURS)
        && let Some(framed) = behind(topic.bytes())
    {
        return Topic::parse(framed);
    }
    ALL.iter().fold(topic.clone(), |topic, key| {
        topic.without_metadata(key).unwrap_or(topic)
    })
}

fn behind(bytes: &[u8]) -> Option<&[u8]> {
    let at = bytes
        .windows(BEHIND.len())
        .position(|part| part == BEHIND)?;
    bytes.get(at + BEHIND.len()..)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suggested(text: &[u8]) -> Suggested {
        Suggested {
            target: MemoryPath::new("notes/x.md").unwrap(),
            base: None,
            topic: Topic::parse(text),
            removes: false,
            origin: Some(Source::Import),
            from: Some("claude-code /home/ada: \"odd\" folder".to_owned()),
            dated: Some(1_700_000_000_123_456_789),
        }
    }

    #[test]
    fn whatever_a_memory_looks_like_its_bytes_come_back() {
        let texts: [&[u8]; 16] = [
            b"",
            b"plain\n",
            b"no end",
            b"\n\n---\n\nlines\n",
            b"---\nname: x\n---\n\nbody\n",
            b"---\nname: x\ntype: user\n---\nbody",
            b"---\nname: x\nmetadata:\n  type: user\n  source: agent\n---\n\nbody\n",
            b"---\nname: x\nmetadata: {type: user}\n---\n\nbody\n",
            b"---\nmetadata:\n---\nx\n",
            b"---\n---\nx\n",
            b"---\nname: x\n",
            b"\xef\xbb\xbf---\nname: x\n---\nb\n",
            b"---\r\nname: x\r\nmetadata:\r\n  type: user\r\n---\r\n\r\nbody\r\n",
            b"---\nname: \xff\n---\n\xfe\n",
            b"---\nname: x\nmetadata:\n  target: other.md\n  wanted_by: user\n  brought_from: y\n---\n\nbody\n",
            b"---\nmetadata:\n  frame: ours\n---\n\nx\n---\n\ny\n",
        ];
        for text in texts {
            let marked = suggested(text).marked();
            let shown = String::from_utf8_lossy(text);
            assert_eq!(unmarked(&marked).bytes(), text, "{shown:?}");
            let marks = Marks::of(&marked);
            assert_eq!(marks.target.unwrap().as_str(), "notes/x.md", "{shown:?}");
            assert_eq!(marks.origin, Some(Source::Import), "{shown:?}");
            assert_eq!(marks.dated, Some(1_700_000_000_123_456_789), "{shown:?}");
            assert!(marks.from.unwrap().contains("odd"), "{shown:?}");
        }
    }
}
