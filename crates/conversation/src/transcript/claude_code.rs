//! Sessions of Claude Code: a line for each block, each line naming the one it follows.

mod attachment;
mod boundary;
mod chain;
mod index;
mod line;
mod memdir;

use std::collections::HashMap;
use std::io::{Read, Seek};
use std::ops::ControlFlow;

use self::boundary::Marks;
use self::chain::Chain;
use self::index::{Index, Place, Sort};
use self::line::{Context, Part};
use super::lines::Lines;
use super::said::Following;
use super::{Parts, ReadError, Reading, Report, Sink};
use crate::{Kind, Message, MessageId, Source};

pub(super) use self::memdir::Mark;

pub(super) fn read(
    from: impl Read + Seek,
    reading: &Reading,
    report: &mut Report,
    to: &mut Sink<'_>,
) -> Result<(), ReadError> {
    let mut lines = Lines::new(from)?;
    let index = Index::read(&mut lines, report)?;
    let side = reading.sidechains || index.only_side();
    let chain = Chain::of(&index, &mut lines, reading.span, side, report)?;
    let mut pass = Pass {
        context: Context { side },
        parts: reading.parts,
        lines,
        index: &index,
        chain: &chain,
        names: HashMap::new(),
        report,
    };
    pass.all(to)
}

/// The second time over the file: the lines that are needed, in order.
struct Pass<'a, R> {
    context: Context,
    parts: Parts,
    lines: Lines<R>,
    index: &'a Index,
    chain: &'a Chain,
    /// The messages that lines which a compaction kept became part of.
    names: HashMap<Place, Vec<MessageId>>,
    report: &'a mut Report,
}

impl<R: Read + Seek> Pass<'_, R> {
    fn all(&mut self, to: &mut Sink<'_>) -> Result<(), ReadError> {
        let mut following = Following::default();
        for place in &self.chain.order {
            let messages = match self.parts {
                Parts::Everything => self.message(*place)?,
                Parts::Speech => self.speech(*place)?,
            };
            for mut message in messages {
                following.follow(&mut message);
                self.report.messages += 1;
                if to(message) == ControlFlow::Break(()) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// What one line says, where it is the user's or changes something.
    fn speech(&mut self, place: Place) -> Result<Vec<Message>, ReadError> {
        let needed = self
            .index
            .entry(place)
            .is_some_and(|entry| match entry.kind {
                Sort::User => true,
                Sort::Assistant | Sort::Beside => entry.tells,
                Sort::Result | Sort::Boundary => false,
            });
        match needed {
            true => Ok(self.part(place)?.unwrap_or_default()),
            false => Ok(Vec::new()),
        }
    }

    /// What begins at this line: mostly one message, of this line and of the later lines of the same reply.
    fn message(&mut self, place: Place) -> Result<Vec<Message>, ReadError> {
        let members = self.chain.members(self.index, place);
        if members.first().is_some_and(|first| *first != place) {
            return Ok(Vec::new());
        }
        let Some(mut messages) = self.part(place)? else {
            return Ok(Vec::new());
        };
        for later in members.iter().skip(1) {
            let parts = self.part(*later)?.unwrap_or_default();
            for part in parts {
                match messages.first_mut() {
                    Some(message) => join(message, part),
                    None => messages.push(part),
                }
            }
        }
        for member in members.iter().chain([&place]) {
            if self.chain.named.contains(member) {
                let names = messages.iter().map(|message| message.id.clone());
                self.names.insert(*member, names.collect());
            }
        }
        Ok(messages)
    }

    fn part(&mut self, place: Place) -> Result<Option<Vec<Message>>, ReadError> {
        let Some(entry) = self.index.entry(place) else {
            return Ok(None);
        };
        let bytes = self.lines.at(entry.offset, entry.length)?;
        let number = u64::from(entry.line);
        match line::part(bytes, number, &self.context, self.report) {
            None => Ok(None),
            Some(Part::Messages(messages)) => Ok(Some(messages)),
            Some(Part::Boundary(found)) => {
                let (mut message, marks) = *found;
                message.source = Source::Boundary(Box::new(self.boundary(place, &marks)?));
                Ok(Some(vec![message]))
            }
        }
    }

    fn boundary(&mut self, place: Place, marks: &Marks) -> Result<crate::Boundary, ReadError> {
        let mut boundary = marks.boundary.clone();
        for kept in self.chain.kept(place) {
            // Lines of one reply stand behind one another, and are one message.
            for name in self.names.get(kept).into_iter().flatten() {
                if boundary.kept.last() != Some(name) {
                    boundary.kept.push(name.clone());
                }
            }
        }
        boundary.anchor = marks
            .anchor
            .as_deref()
            .filter(|anchor| self.index.find(anchor).is_some_and(|found| found != place))
            .map(MessageId::new);
        boundary.after = self.before(place)?;
        Ok(boundary)
    }

    /// The last message before a boundary, whether or not it was asked for.
    fn before(&mut self, boundary: Place) -> Result<Option<MessageId>, ReadError> {
        let mut scratch = Report::new(self.report.format);
        let mut next = self.index.parent(boundary);
        // What is no message stands in runs of a few lines; a longer one is not worth the search.
        for _ in 0..64 {
            let Some(place) = next else { break };
            let first = self.chain.first_of(self.index, place);
            if let Some(entry) = self.index.entry(first) {
                let bytes = self.lines.at(entry.offset, entry.length)?;
                match line::part(bytes, 0, &self.context, &mut scratch) {
                    Some(Part::Messages(messages)) if !messages.is_empty() => {
                        return Ok(messages.last().map(|message| message.id.clone()));
                    }
                    Some(Part::Boundary(found)) => return Ok(Some(found.0.id)),
                    _ => {}
                }
            }
            next = self.index.parent(place);
        }
        Ok(None)
    }
}

/// Adds a later line of a reply to it. A call that was written twice is one call.
fn join(message: &mut Message, part: Message) {
    for block in part.blocks {
        let twice = match block.kind() {
            Kind::ToolCall { .. } => message.blocks.iter().any(|had| had.kind() == block.kind()),
            _ => false,
        };
        if !twice {
            message.blocks.push(block);
        }
    }
    message.usage = part.usage.or(message.usage);
    message.model = part.model.or_else(|| message.model.take());
}
