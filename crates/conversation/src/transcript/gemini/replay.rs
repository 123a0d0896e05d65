//! Which messages a chat holds once every change of its list is made.

use std::collections::{HashMap, HashSet};
use std::io::{Read, Seek};
use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::transcript::json::{self, Lenient, Text};
use crate::transcript::lines::Lines;
use crate::transcript::{ReadError, Report};

/// Where the newest version of a message stands.
pub(super) struct Slot {
    pub(super) id: Arc<str>,
    pub(super) offset: u64,
    pub(super) length: u64,
    pub(super) line: u64,
    /// Its number in a line that sets the whole list.
    pub(super) element: Option<usize>,
}

/// What happened, in order.
pub(super) enum Event {
    /// The message in this slot.
    Message(usize),
    /// The list was replaced by a shorter one; the messages in these slots stayed, behind a new one.
    Boundary {
        line: u64,
        kept: Vec<usize>,
        anchor: Option<Arc<str>>,
    },
}

#[derive(Default)]
pub(super) struct Replay {
    slots: Vec<Slot>,
    by_id: HashMap<Arc<str>, usize>,
    events: Vec<Event>,
    /// Whether an agent speaks in the user's place.
    pub(super) side: bool,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Line<'a> {
    #[serde(borrow)]
    id: Text<'a>,
    #[serde(borrow)]
    r#type: Text<'a>,
    #[serde(borrow)]
    session_id: Text<'a>,
    #[serde(borrow)]
    kind: Text<'a>,
    #[serde(borrow)]
    messages: Option<&'a RawValue>,
    #[serde(borrow, rename = "$set")]
    set: Option<Lenient<Set<'a>>>,
    #[serde(borrow, rename = "$rewindTo")]
    rewind_to: Text<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Set<'a> {
    #[serde(borrow)]
    messages: Option<&'a RawValue>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Named<'a> {
    #[serde(borrow)]
    pub(super) id: Text<'a>,
}

/// The messages in a line that sets the whole list.
pub(super) fn elements(raw: &RawValue) -> Vec<Box<RawValue>> {
    let line: Line<'_> = json::object(Some(raw));
    let list = json::array(line.set.and_then(|set| set.0.messages).or(line.messages));
    list.into_iter().map(ToOwned::to_owned).collect()
}

impl Replay {
    pub(super) fn read<R: Read + Seek>(
        lines: &mut Lines<R>,
        report: &mut Report,
    ) -> Result<Self, ReadError> {
        let mut replay = Self::default();
        while let Some(line) = lines.next(report)? {
            let parsed = line.parse(report, serde_json::from_slice::<Line<'_>>, |line| {
                line.set.is_some() || (line.id.0.is_some() && line.r#type.0.is_some())
            });
            let Some((parsed, bytes, offset)) = parsed else {
                continue;
            };
            let slot = |id: Arc<str>, element| Slot {
                id,
                offset,
                length: bytes.len() as u64,
                line: line.number,
                element,
            };
            let list = parsed.set.as_ref().and_then(|set| set.0.messages);
            if let Some(to) = parsed.rewind_to.get() {
                replay.rewind(to);
            } else if let Some(list) = list.or(parsed.messages) {
                let slots = json::array(Some(list)).into_iter().enumerate();
                let slots = slots.map(|(number, raw)| {
                    let named: Named<'_> = json::object(Some(raw));
                    let id = match named.id.get() {
                        Some(id) => id.into(),
                        None => format!("line-{}.{}", line.number, number + 1).into(),
                    };
                    slot(id, Some(number))
                });
                replay.replace(slots.collect(), line.number);
            } else if let Some(id) = parsed.id.get().filter(|_| parsed.r#type.0.is_some()) {
                replay.put(slot(id.into(), None));
            } else {
                replay.side |= parsed.kind.get().is_some_and(|kind| kind != "main");
                report.session = report
                    .session
                    .take()
                    .or(parsed.session_id.get().map(Into::into));
                report.skip(match parsed.set {
                    Some(_) => "$set",
                    None => "header",
                });
            }
        }
        report.lines = lines.number();
        Ok(replay)
    }

    pub(super) fn slot(&self, place: usize) -> Option<&Slot> {
        self.slots.get(place)
    }

    /// What happened from the last boundary on, or all of it.
    pub(super) fn events(&self, visible: bool) -> &[Event] {
        let last = self
            .events
            .iter()
            .rposition(|event| matches!(event, Event::Boundary { .. }));
        let start = last.filter(|_| visible).unwrap_or_default();
        self.events.get(start..).unwrap_or_default()
    }

    /// A new message, or a newer version of one.
    fn put(&mut self, slot: Slot) {
        if let Some(had) = self
            .by_id
            .get(&slot.id)
            .and_then(|place| self.slots.get_mut(*place))
        {
            *had = slot;
            return;
        }
        let place = self.slots.len();
        self.by_id.insert(Arc::clone(&slot.id), place);
        self.slots.push(slot);
        self.events.push(Event::Message(place));
    }

    /// The slots that are in the list now.
    fn current(&self) -> Vec<usize> {
        let mut current = Vec::new();
        for event in self.events(true) {
            match event {
                Event::Message(place) => current.push(*place),
                Event::Boundary { kept, .. } => current.extend(kept),
            }
        }
        current
    }

    /// The whole list is another one. Messages taken off its end were never meant to be; a list that lost others was
    /// compacted.
    fn replace(&mut self, slots: Vec<Slot>, line: u64) {
        let before = self.current();
        let listed: HashSet<usize> = before.iter().copied().collect();
        let stays: Vec<usize> = slots
            .iter()
            .filter_map(|slot| self.by_id.get(&slot.id).copied())
            .filter(|place| listed.contains(place))
            .collect();
        let staying: HashSet<usize> = stays.iter().copied().collect();
        if stays.len() == before.len() {
            slots.into_iter().for_each(|slot| self.put(slot));
            return;
        }
        let is_beginning = stays.len() == slots.len() && before.starts_with(&stays);
        match before.get(stays.len()).copied() {
            Some(cut) if is_beginning && !stays.is_empty() => self.cut(cut),
            _ => {
                let stays_first = |slot: &Slot| {
                    let place = self.by_id.get(&slot.id);
                    place.is_some_and(|place| staying.contains(place))
                };
                let before_kept = slots.iter().take_while(|slot| !stays_first(slot));
                let anchor = before_kept.last().map(|slot| Arc::clone(&slot.id));
                self.events.push(Event::Boundary {
                    line,
                    kept: stays.clone(),
                    anchor,
                });
                for slot in slots {
                    let known = self.by_id.get(&slot.id).copied();
                    match known {
                        Some(place) if staying.contains(&place) => {}
                        // Named like one that was dropped before: it comes anew.
                        Some(_) => self.put_again(slot, line),
                        None => self.put(slot),
                    }
                }
            }
        }
    }

    fn put_again(&mut self, mut slot: Slot, line: u64) {
        slot.id = format!("{}.line-{line}", slot.id).into();
        self.put(slot);
    }

    /// The user went back to before this message. One that is not there takes everything with it, as in the client.
    fn rewind(&mut self, to: &str) {
        let place = self.by_id.get(to).copied();
        match place.filter(|place| self.current().contains(place)) {
            Some(place) => self.cut(place),
            None => {
                self.events.clear();
                self.by_id.clear();
            }
        }
    }

    /// Takes this message and all behind it off the list.
    fn cut(&mut self, from: usize) {
        let mut gone = HashSet::new();
        while let Some(event) = self.events.pop() {
            match event {
                Event::Message(place) => {
                    gone.insert(place);
                    if place == from {
                        break;
                    }
                }
                Event::Boundary {
                    line,
                    mut kept,
                    anchor,
                } => {
                    let cut = kept.iter().position(|place| *place == from);
                    kept.truncate(cut.unwrap_or(kept.len()));
                    self.events.push(Event::Boundary { line, kept, anchor });
                    break;
                }
            }
        }
        // Their names are free: what is written under them later is new.
        self.by_id.retain(|_, place| !gone.contains(place));
    }
}
