//! Where every line of a conversation stands and which it follows. It is made for files of half a gigabyte: what is
//! kept of a line is a few dozen bytes, whatever it holds.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{Read, Seek};

use serde::Deserialize;
use serde::de::{Deserializer, SeqAccess, Visitor};

use crate::transcript::json::{Flag, Lenient, Text};
use crate::transcript::lines::Lines;
use crate::transcript::{ReadError, Report, Trouble, said};

/// The number of a line among those of conversations.
pub(super) type Place = u32;

const NOWHERE: Place = Place::MAX;

/// What is known of a line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub(super) offset: u64,
    pub(super) length: u64,
    /// Which reply it belongs to; 0: none.
    pub(super) reply: u64,
    pub(super) line: u32,
    parent: Place,
    pub(super) kind: Sort,
    pub(super) side: bool,
    /// Whether it names a parent that is not in the file.
    pub(super) orphan: bool,
    /// Whether the model changes files or memories in it, or the user says something beside the others.
    pub(super) tells: bool,
}

/// What kind of line it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    User,
    Result,
    Assistant,
    /// Attachments, and what the client notes for itself.
    Beside,
    Boundary,
}

/// The lines of a file that belong to conversations, in order.
pub(super) struct Index {
    entries: Vec<Entry>,
    /// By the key of its id.
    places: Vec<(u128, Place)>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Head<'a> {
    #[serde(borrow)]
    r#type: Text<'a>,
    #[serde(borrow)]
    subtype: Text<'a>,
    #[serde(borrow)]
    uuid: Text<'a>,
    #[serde(borrow)]
    parent_uuid: Text<'a>,
    #[serde(borrow)]
    logical_parent_uuid: Text<'a>,
    is_sidechain: Flag,
    #[serde(borrow)]
    session_id: Text<'a>,
    #[serde(borrow)]
    forked_from: Lenient<Forked<'a>>,
    #[serde(borrow)]
    cwd: Text<'a>,
    #[serde(borrow)]
    entrypoint: Text<'a>,
    #[serde(borrow)]
    message: Lenient<Inner<'a>>,
    #[serde(borrow)]
    attachment: Lenient<Typed<'a>>,
}

/// Of which conversation a line is a copy.
#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Forked<'a> {
    #[serde(borrow)]
    session_id: Text<'a>,
}

/// Of a message only which reply it is, and whether it holds results of tools.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Inner<'a> {
    #[serde(borrow)]
    id: Text<'a>,
    content: Results,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Typed<'a> {
    #[serde(borrow)]
    r#type: Text<'a>,
    #[serde(borrow)]
    name: Text<'a>,
}

/// What content holds.
#[derive(Default)]
struct Results {
    /// Results of tools.
    any: bool,
    /// Calls that change files or memories.
    writes: bool,
}

impl Index {
    pub(super) fn read<R: Read + Seek>(
        lines: &mut Lines<R>,
        report: &mut Report,
    ) -> Result<Self, ReadError> {
        let mut entries: Vec<Entry> = Vec::new();
        let mut keys: Vec<(u128, Option<u128>)> = Vec::new();
        while let Some(line) = lines.next(report)? {
            let parsed = line.parse(report, serde_json::from_slice::<Head<'_>>, |head| {
                head.uuid.0.is_some() || head.session_id.0.is_some()
            });
            let Some((head, bytes, offset)) = parsed else {
                continue;
            };
            describe(&head, report);
            let (Some(kind), Some(uuid)) = (sort(&head), head.uuid.get()) else {
                report.skip(head.r#type.get().unwrap_or("untyped"));
                continue;
            };
            let parent = match kind {
                Sort::Boundary => head.logical_parent_uuid.get().or(head.parent_uuid.get()),
                _ => head.parent_uuid.get(),
            };
            entries.push(Entry {
                offset,
                length: bytes.len() as u64,
                reply: match kind {
                    Sort::Assistant => head.message.0.id.get().map_or(0, reply),
                    _ => 0,
                },
                line: u32::try_from(line.number).unwrap_or(u32::MAX),
                parent: NOWHERE,
                kind,
                side: head.is_sidechain.0,
                orphan: false,
                tells: head.message.0.content.writes
                    || head.attachment.0.r#type.is("queued_command"),
            });
            keys.push((key(uuid), parent.map(key)));
        }
        report.lines = lines.number();
        Ok(Self::linked(entries, &keys, report))
    }

    /// Names replaced by places. Where an id was written twice the last line counts, in the place of the first.
    fn linked(mut entries: Vec<Entry>, keys: &[(u128, Option<u128>)], report: &mut Report) -> Self {
        let numbered = keys.iter().map(|(uuid, _)| *uuid).zip(0..NOWHERE);
        let mut places: Vec<(u128, Place)> = numbered.collect();
        places.sort_unstable();
        let mut gone: Vec<Place> = Vec::new();
        for pair in places.windows(2) {
            if let [(one, _), (two, again)] = pair
                && one == two
            {
                gone.push(*again);
            }
        }
        places.dedup_by_key(|(uuid, _)| *uuid);
        let mut index = Self { entries, places };
        let mut parents: Vec<Option<u128>> = keys.iter().map(|(_, parent)| *parent).collect();
        gone.sort_unstable();
        for again in &gone {
            index.replace(*again, keys, &mut parents, report);
        }
        let found: Vec<(Place, bool)> = parents
            .iter()
            .map(|parent| match parent {
                None => (NOWHERE, false),
                Some(key) => index
                    .place(*key)
                    .map_or((NOWHERE, true), |place| (place, false)),
            })
            .collect();
        entries = std::mem::take(&mut index.entries);
        for (entry, (parent, orphan)) in entries.iter_mut().zip(found) {
            entry.parent = parent;
            entry.orphan = orphan;
        }
        let mut gone = gone.into_iter().peekable();
        let mut kept = Vec::with_capacity(entries.len());
        let mut moved: Vec<Place> = Vec::with_capacity(entries.len());
        for (entry, place) in entries.into_iter().zip(0..NOWHERE) {
            moved.push(u32::try_from(kept.len()).unwrap_or(NOWHERE));
            if gone.next_if_eq(&place).is_none() {
                kept.push(entry);
            }
        }
        let now = |place: Place| moved.get(place as usize).copied().unwrap_or(NOWHERE);
        for entry in &mut kept {
            entry.parent = now(entry.parent);
        }
        for (_, place) in &mut index.places {
            *place = now(*place);
        }
        index.entries = kept;
        index
    }

    /// Puts what a second line of the same id says in the place of the first.
    fn replace(
        &mut self,
        again: Place,
        keys: &[(u128, Option<u128>)],
        parents: &mut [Option<u128>],
        report: &mut Report,
    ) {
        let Some((uuid, parent)) = keys.get(again as usize) else {
            return;
        };
        let newer = self.entries.get(again as usize).copied();
        let Some((first, newer)) = self.place(*uuid).zip(newer) else {
            return;
        };
        report.problem(u64::from(newer.line), Trouble::Twice);
        if let Some(entry) = self.entries.get_mut(first as usize) {
            *entry = newer;
        }
        if let Some(had) = parents.get_mut(first as usize) {
            *had = *parent;
        }
    }

    fn place(&self, key: u128) -> Option<Place> {
        let found = self.places.binary_search_by_key(&key, |(uuid, _)| *uuid);
        self.places.get(found.ok()?).map(|(_, place)| *place)
    }

    /// Where the line of this id stands.
    pub(super) fn find(&self, uuid: &str) -> Option<Place> {
        self.place(key(uuid))
    }

    pub(super) fn entry(&self, place: Place) -> Option<&Entry> {
        self.entries.get(place as usize)
    }

    pub(super) fn places(&self) -> std::ops::Range<Place> {
        0..Place::try_from(self.entries.len()).unwrap_or(NOWHERE)
    }

    pub(super) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The line that this one names as the one before, over a boundary too.
    pub(super) fn parent(&self, place: Place) -> Option<Place> {
        let parent = self.entry(place)?.parent;
        (parent != NOWHERE).then_some(parent)
    }

    /// Whether it is the file of a sub-agent.
    pub(super) fn only_side(&self) -> bool {
        self.entries.iter().all(|entry| entry.side)
    }
}

fn describe(head: &Head<'_>, report: &mut Report) {
    if report.session.is_none() {
        report.session = head.session_id.get().map(Into::into);
    }
    report.of_session(head.session_id.get());
    report.of_session(head.forked_from.0.session_id.get());
    if report.cwd.is_none() {
        report.cwd = head.cwd.get().map(Into::into);
    }
    // Whoever went on with it last.
    if let Some(entrypoint) = head.entrypoint.get() {
        report.unattended = entrypoint.starts_with("sdk");
    }
}

fn sort(head: &Head<'_>) -> Option<Sort> {
    Some(match head.r#type.get()? {
        "user" if head.message.0.content.any => Sort::Result,
        "user" => Sort::User,
        "assistant" => Sort::Assistant,
        "attachment" => Sort::Beside,
        "system" if head.subtype.is("compact_boundary") => Sort::Boundary,
        "system" => Sort::Beside,
        _ => return None,
    })
}

/// A UUID as its number, any other name as a hash of the same size.
fn key(name: &str) -> u128 {
    let digits = name.bytes().filter(|byte| *byte != b'-').count();
    let number = match name.len() == 36 && digits == 32 {
        true => {
            let mut hex = String::with_capacity(32);
            hex.extend(name.chars().filter(|letter| *letter != '-'));
            u128::from_str_radix(&hex, 16).ok()
        }
        false => None,
    };
    number.unwrap_or_else(|| u128::from(hash(&("a", name))) << 64 | u128::from(hash(&("b", name))))
}

fn reply(id: &str) -> u64 {
    hash(&id).max(1)
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

impl<'de> Deserialize<'de> for Results {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Items)
    }
}

struct Items;

impl<'de> Visitor<'de> for Items {
    type Value = Results;

    fn expecting(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str("the content of a message")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Results, A::Error> {
        let mut results = Results::default();
        while let Some(Lenient(item)) = items.next_element::<Lenient<Typed<'de>>>()? {
            results.any |= item.r#type.is("tool_result");
            results.writes |= item.name.get().is_some_and(said::may_write);
        }
        Ok(results)
    }

    fn visit_str<E>(self, _: &str) -> Result<Results, E> {
        Ok(Results::default())
    }

    fn visit_unit<E>(self) -> Result<Results, E> {
        Ok(Results::default())
    }
}
