//! Chats of Gemini CLI: each line a message, a newer version of one, or a change of the list.

mod message;
mod replay;

use std::collections::{HashMap, HashSet};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::ops::ControlFlow;
use std::sync::Arc;

use serde_json::value::RawValue;

use self::message::Answered;
use self::replay::{Event, Named, Replay, Slot};
use super::document::{self, Item};
use super::json;
use super::lines::Lines;
use super::said::{self, Following};
use super::{ReadError, Reading, Report, Sink, Span, Trouble};
use crate::{Boundary, Message, MessageId, Role, Source};

pub(super) fn read(
    mut from: impl Read + Seek,
    reading: &Reading,
    report: &mut Report,
    to: &mut Sink<'_>,
) -> Result<(), ReadError> {
    let mut pass = Giving {
        answered: HashSet::new(),
        list: None,
        names: HashMap::new(),
        following: Following::default(),
        side: false,
        to,
    };
    if is_spread(&mut from)? {
        return document::read(from, &[], report, &mut |item, report| match item {
            Item::Message(number, raw) => {
                let named: Named<'_> = json::object(Some(raw));
                let id = named.id.get().filter(|id| !pass.names.contains_key(*id));
                let id = id.map_or_else(|| document::id(number, raw), str::to_owned);
                pass.message(raw, number, &id, report)
            }
            Item::Field(..) => ControlFlow::Continue(()),
        });
    }
    let mut lines = Lines::new(from)?;
    let replay = Replay::read(&mut lines, report)?;
    pass.side = replay.side;
    let visible = reading.span == Span::Visible;
    for event in replay.events(visible) {
        let flow = match event {
            Event::Message(place) => match replay.slot(*place) {
                Some(slot) => pass.slot(&mut lines, slot, report)?,
                None => ControlFlow::Continue(()),
            },
            Event::Boundary { line, kept, anchor } => {
                if visible {
                    for slot in kept.iter().filter_map(|place| replay.slot(*place)) {
                        if pass.slot(&mut lines, slot, report)?.is_break() {
                            return Ok(());
                        }
                    }
                }
                let boundary = pass.boundary(&replay, *line, kept, anchor.as_deref());
                pass.give(boundary, report)
            }
        };
        if flow.is_break() {
            break;
        }
    }
    Ok(())
}

/// Of old a chat was one JSON text over many lines.
fn is_spread(from: &mut (impl Read + Seek)) -> Result<bool, ReadError> {
    from.seek(SeekFrom::Start(0))?;
    let mut first = Vec::new();
    BufReader::new(from.by_ref().take(64)).read_until(b'\n', &mut first)?;
    from.seek(SeekFrom::Start(0))?;
    Ok(first.trim_ascii().last() == Some(&b'{'))
}

/// Messages on their way out.
struct Giving<'a, 'b> {
    /// Calls whose answer stood with them: it is written a second time behind.
    answered: Answered,
    /// The line last read that sets the whole list, by where it stands: its messages mostly come behind one another.
    list: Option<(u64, Vec<Box<RawValue>>)>,
    /// The messages that each line became.
    names: HashMap<Arc<str>, Vec<MessageId>>,
    following: Following,
    /// Whether an agent speaks in the user's place.
    side: bool,
    to: &'a mut Sink<'b>,
}

impl Giving<'_, '_> {
    fn boundary(
        &self,
        replay: &Replay,
        line: u64,
        kept: &[usize],
        anchor: Option<&str>,
    ) -> Message {
        let kept = kept.iter().filter_map(|place| replay.slot(*place));
        let names = kept.filter_map(|slot| self.names.get(&slot.id)).flatten();
        let boundary = Boundary {
            kept: names.cloned().collect(),
            anchor: anchor.map(MessageId::new),
            ..Boundary::default()
        };
        let source = Source::Boundary(Box::new(boundary));
        Message::new(&format!("line-{line}"), Role::System, source, Vec::new())
    }

    fn slot<R: Read + Seek>(
        &mut self,
        lines: &mut Lines<R>,
        slot: &Slot,
        report: &mut Report,
    ) -> Result<ControlFlow<()>, ReadError> {
        if let Some(number) = slot.element
            && let Some((offset, list)) = &self.list
            && *offset == slot.offset
        {
            let raw = list.get(number).cloned();
            return Ok(match raw {
                Some(raw) => self.message(&raw, slot.line, &slot.id, report),
                None => ControlFlow::Continue(()),
            });
        }
        let bytes = lines.at(slot.offset, slot.length)?.to_vec();
        let raw = std::str::from_utf8(&bytes)
            .ok()
            .and_then(|text| serde_json::from_str::<&RawValue>(text).ok());
        let Some(raw) = raw else {
            let trouble = Trouble::NotJson("not UTF-8".to_owned());
            report.problem(slot.line, trouble);
            return Ok(ControlFlow::Continue(()));
        };
        if slot.element.is_some() {
            self.list = Some((slot.offset, replay::elements(raw)));
            return self.slot(lines, slot, report);
        }
        Ok(self.message(raw, slot.line, &slot.id, report))
    }

    fn message(
        &mut self,
        raw: &RawValue,
        line: u64,
        id: &str,
        report: &mut Report,
    ) -> ControlFlow<()> {
        let mut bad = |why| report.problem(line, Trouble::Block(why));
        let messages = message::messages(raw, id, &mut self.answered, &mut bad);
        let names = messages.iter().map(|message| message.id.clone());
        self.names.insert(id.into(), names.collect());
        messages
            .into_iter()
            .try_for_each(|message| self.give(message, report))
    }

    fn give(&mut self, mut message: Message, report: &mut Report) -> ControlFlow<()> {
        if self.side {
            said::take_from_user(&mut message);
        }
        self.following.follow(&mut message);
        report.messages += 1;
        (self.to)(message)
    }
}
