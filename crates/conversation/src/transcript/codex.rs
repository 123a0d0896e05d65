//! Rollouts of Codex: items of a response one by one, and events between them.

mod index;
mod item;

use std::collections::HashSet;
use std::io::{Read, Seek};
use std::ops::ControlFlow;
use std::sync::Arc;

use self::index::{Index, Line, Payload, Sort, counted, meaning, name};
use self::item::Item;
use super::json;
use super::lines::Lines;
use super::said::{self, Following, Said};
use super::{Parts, ReadError, Reading, Report, Sink, Span, Trouble};
use crate::{Block, Boundary, Message, Role, Source};

pub(super) fn read(
    from: impl Read + Seek,
    reading: &Reading,
    report: &mut Report,
    to: &mut Sink<'_>,
) -> Result<(), ReadError> {
    let mut lines = Lines::new(from)?;
    let index = Index::read(&mut lines, report)?;
    let last = index
        .entries
        .iter()
        .rposition(|entry| entry.sort == Sort::Compacted);
    let start = match reading.span {
        Span::Visible => last.unwrap_or_default(),
        Span::Whole => 0,
    };
    let mut pass = Pass {
        lines,
        index: &index,
        visible: reading.span == Span::Visible,
        parts: reading.parts,
        model: None,
        reply: None,
        answered: false,
        waiting: Vec::new(),
        following: Following::default(),
        report,
        to,
    };
    for place in start..index.entries.len() {
        if pass.entry(place)?.is_break() {
            return Ok(());
        }
    }
    let _ = pass.flush();
    Ok(())
}

/// The second time over the file.
struct Pass<'a, 'b, R> {
    lines: Lines<R>,
    index: &'a Index,
    visible: bool,
    parts: Parts,
    model: Option<Arc<str>>,
    /// The reply that items are being added to. Its usage comes behind it, sometimes behind the first results too.
    reply: Option<Message>,
    answered: bool,
    waiting: Vec<Message>,
    following: Following,
    report: &'a mut Report,
    to: &'a mut Sink<'b>,
}

impl<R: Read + Seek> Pass<'_, '_, R> {
    fn entry(&mut self, place: usize) -> Result<ControlFlow<()>, ReadError> {
        let Some(entry) = self.index.entries.get(place) else {
            return Ok(ControlFlow::Continue(()));
        };
        if self.parts == Parts::Speech && entry.unsaid {
            return Ok(ControlFlow::Continue(()));
        }
        let bytes = self.lines.at(entry.offset, entry.length)?.to_vec();
        let Ok(text) = std::str::from_utf8(&bytes) else {
            let trouble = Trouble::NotJson("not UTF-8".to_owned());
            self.report.problem(entry.line, trouble);
            return Ok(ControlFlow::Continue(()));
        };
        let line: Line<'_> = serde_json::from_str(text).unwrap_or_default();
        let raw = match line.payload {
            Some(payload) => payload.get(),
            None => text,
        };
        let at = said::time(line.timestamp.get());
        let payload: Payload<'_> = serde_json::from_str(raw).unwrap_or_default();
        match entry.sort {
            Sort::Settings => {
                self.model = payload.model.get().map(Into::into);
                Ok(ControlFlow::Continue(()))
            }
            Sort::Usage => {
                if let Some(reply) = &mut self.reply {
                    reply.usage = counted(&payload).or(reply.usage);
                    self.answered = true;
                }
                Ok(ControlFlow::Continue(()))
            }
            Sort::Compacted => self.compacted(place, entry.line, &payload, at),
            Sort::Turn | Sort::Item => {
                let id = name(entry, payload.id.get());
                Ok(self.item(raw, &id, entry.line, at))
            }
        }
    }

    fn item(
        &mut self,
        raw: &str,
        id: &str,
        line: u64,
        at: Option<jiff::Timestamp>,
    ) -> ControlFlow<()> {
        let report = &mut *self.report;
        let item = Item::read(raw, &mut |why| report.problem(line, Trouble::Block(why)));
        match item {
            Item::Said(role, blocks) => {
                self.flush()?;
                let said = Said {
                    id: id.into(),
                    role,
                    blocks,
                    at,
                };
                said.messages()
                    .into_iter()
                    .try_for_each(|message| self.give(message))
            }
            Item::Model(blocks) => self.model(id, blocks, at),
            Item::Answer(block) => {
                let mut message = Message::results(id, vec![block]);
                message.at = at;
                match self.reply {
                    Some(_) => {
                        self.waiting.push(message);
                        ControlFlow::Continue(())
                    }
                    None => self.give(message),
                }
            }
        }
    }

    fn model(
        &mut self,
        id: &str,
        blocks: Vec<Block>,
        at: Option<jiff::Timestamp>,
    ) -> ControlFlow<()> {
        if self.answered || !self.waiting.is_empty() {
            self.flush()?;
        }
        match &mut self.reply {
            Some(reply) => reply.blocks.extend(blocks),
            None => {
                let mut message = Message::assistant(id, blocks);
                message.at = at;
                message.model = self.model.clone();
                self.reply = Some(message);
            }
        }
        ControlFlow::Continue(())
    }

    /// A boundary, and the history that stands in place of what was. What was said before word for word is kept, what
    /// is new follows.
    fn compacted(
        &mut self,
        here: usize,
        line: u64,
        payload: &Payload<'_>,
        at: Option<jiff::Timestamp>,
    ) -> Result<ControlFlow<()>, ReadError> {
        if self.flush().is_break() {
            return Ok(ControlFlow::Break(()));
        }
        let summary = payload
            .message
            .and_then(|raw| serde_json::from_str::<String>(raw.get()).ok());
        let summary = summary.filter(|summary| !summary.trim().is_empty());
        let mut boundary = Boundary::default();
        let mut fresh: Vec<Message> = Vec::new();
        let mut summarised = false;
        let mut used = HashSet::new();
        for (number, raw) in json::array(payload.replacement_history)
            .into_iter()
            .enumerate()
        {
            let written: Payload<'_> = json::object(Some(raw));
            // Two that say the same are two.
            let known = written.content.and_then(|content| {
                self.index
                    .said(meaning(&written.role, content), here, &used)
            });
            used.extend(known);
            let id = match known {
                Some(place) => self.name_at(place)?,
                None => format!("line-{line}.{}", number + 1),
            };
            let report = &mut *self.report;
            let item = Item::read(raw.get(), &mut |why| {
                report.problem(line, Trouble::Block(why))
            });
            let mut messages = item.messages(&id, at);
            if known.is_some() {
                boundary
                    .kept
                    .extend(messages.iter().map(|message| message.id.clone()));
                if self.visible
                    && messages
                        .into_iter()
                        .any(|message| self.give(message).is_break())
                {
                    return Ok(ControlFlow::Break(()));
                }
                continue;
            }
            for message in &mut messages {
                let is_summary = match &summary {
                    Some(summary) => message.words().contains(summary.trim()),
                    None => message
                        .blocks
                        .iter()
                        .any(|block| block.json().contains("\"encrypted_content\"")),
                };
                if is_summary {
                    message.source = Source::Summary;
                    message.role = Role::User;
                    summarised = true;
                }
            }
            fresh.extend(messages);
        }
        if let Some(summary) = summary.filter(|_| !summarised) {
            let id = format!("line-{line}.0");
            fresh.push(Message::new(
                &id,
                Role::User,
                Source::Summary,
                vec![Block::text(&summary)],
            ));
        }
        let id = format!("line-{line}");
        let mut marker = Message::new(
            &id,
            Role::System,
            Source::Boundary(Box::new(boundary)),
            Vec::new(),
        );
        marker.at = at;
        let mut all = std::iter::once(marker).chain(fresh);
        Ok(all.try_for_each(|message| self.give(message)))
    }

    /// The id of a message that stands elsewhere in the file.
    fn name_at(&mut self, place: usize) -> Result<String, ReadError> {
        let Some(entry) = self.index.entries.get(place) else {
            return Ok(String::new());
        };
        let bytes = self.lines.at(entry.offset, entry.length)?;
        let line: Line<'_> = serde_json::from_slice(bytes).unwrap_or_default();
        let payload: Payload<'_> = json::object(line.payload);
        Ok(name(entry, payload.id.get()))
    }

    fn flush(&mut self) -> ControlFlow<()> {
        self.answered = false;
        let reply = self.reply.take();
        let waiting = std::mem::take(&mut self.waiting);
        reply
            .into_iter()
            .chain(waiting)
            .try_for_each(|message| self.give(message))
    }

    fn give(&mut self, mut message: Message) -> ControlFlow<()> {
        if self.index.side {
            said::take_from_user(&mut message);
        }
        self.following.follow(&mut message);
        self.report.messages += 1;
        (self.to)(message)
    }
}
