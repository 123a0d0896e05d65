//! From a conversation to what may be sent.
//!
//! Providers refuse a history in which a tool call has no result right behind it, or a result no call. Histories get
//! that way all the same: a killed process, a compaction that cut between the two, a client that wrote a line twice.
//! Here they are mended, the same way every time, and every mend is reported.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::edits::Edited;
use crate::{Block, Edits, Kind, Message, Role};

/// What stands for a result that was never recorded.
pub const NO_RESULT: &str = "[No result was recorded: the call was interrupted.]";
/// What stands before a reply whose question is gone.
pub const NO_BEGINNING: &str = "[The beginning of this conversation is no longer here.]";

/// How to flatten.
#[derive(Debug, Clone, Copy, Default)]
pub struct Flattening<'a> {
    /// What is sent differently from how it was said.
    pub edits: Option<&'a Edits>,
    /// Whether the model takes messages of the host in its own name; else they go with the user's.
    pub system_messages: bool,
}

/// A block that is sent: one of the conversation or one that was made.
pub type FlatBlock<'a> = Cow<'a, Block>;

/// What may be sent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Flat<'a> {
    /// Roles alternate, the user's first; each call is followed by its result.
    pub messages: Vec<FlatMessage<'a>>,
    /// What had to be mended.
    pub repairs: Vec<Repair>,
}

/// A message that is sent: neighbours of one role are one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlatMessage<'a> {
    /// In whose name.
    pub role: Role,
    /// Never empty; results of tools first.
    pub blocks: Vec<FlatBlock<'a>>,
    /// The message of the conversation, where it is sent alone and untouched.
    pub alone: Option<&'a Message>,
}

/// What had to be mended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Repair {
    /// A call without a result got one that says so.
    NoResult(Arc<str>),
    /// A result without a call is not sent.
    NoCall(Arc<str>),
    /// A result stood elsewhere than behind its call.
    Moved(Arc<str>),
    /// A second call had the id of an earlier one and got its own.
    Renamed(Arc<str>),
}

/// What may be sent of these messages.
///
/// ```
/// use memdir_conversation::{Block, Flattening, Message, Repair, flatten};
///
/// let call = Block::tool_call("call_1", "Read", r#"{"file_path":"a.rs"}"#).unwrap();
/// let said = [Message::user("1", "look"), Message::assistant("2", vec![call])];
/// let flat = flatten(&said.iter().collect::<Vec<_>>(), &Flattening::default());
/// assert_eq!(flat.messages.len(), 3);
/// assert_eq!(flat.repairs, [Repair::NoResult("call_1".into())]);
/// ```
#[must_use]
pub fn flatten<'a>(visible: &[&'a Message], how: &Flattening<'_>) -> Flat<'a> {
    let groups = grouped(visible, how);
    let mut pairs = Pairs::of(&groups);
    let mut flat = Flat::default();
    let mut groups = groups.into_iter().peekable();
    while let Some(group) = groups.next() {
        match group.role {
            Role::Assistant => {
                if flat.messages.is_empty() {
                    flat.messages
                        .push(made(Role::User, vec![Block::text(NO_BEGINNING)]));
                }
                let (message, calls) = pairs.calls(group, &mut flat.repairs);
                let results: Vec<_> = calls
                    .into_iter()
                    .map(|call| pairs.result(call, &mut flat.repairs))
                    .collect();
                flat.push(message);
                if results.is_empty() {
                    continue;
                }
                let said = groups.next_if(|next| next.role == Role::User);
                flat.push(answered(results, said));
            }
            Role::User | Role::System => flat.push(without_results(group)),
        }
    }
    pairs.report_orphans(&mut flat.repairs);
    flat
}

/// The replies as they are sent, each by the places of its first and its last message: what came in several messages
/// is one reply where nothing of what stands between them is sent there.
///
/// ```
/// use memdir_conversation::{Block, Flattening, Message, replies};
///
/// let said = [
///     Message::user("1", "look"),
///     Message::assistant("2", vec![Block::text("a parser,")]),
///     Message::user("3", " "),
///     Message::assistant("4", vec![Block::text("by hand")]),
/// ];
/// let said: Vec<&Message> = said.iter().collect();
/// assert_eq!(replies(&said, &Flattening::default()), [1..=3]);
/// ```
#[must_use]
pub fn replies(visible: &[&Message], how: &Flattening<'_>) -> Vec<RangeInclusive<usize>> {
    let mut replies: Vec<RangeInclusive<usize>> = Vec::new();
    // Whether what comes next still goes to the last one.
    let mut open = false;
    for group in grouped(visible, how) {
        let (first, last) = (*group.places.start(), *group.places.end());
        match (group.role, replies.last_mut()) {
            (Role::Assistant, Some(reply)) if open => *reply = *reply.start()..=last,
            (Role::Assistant, _) => replies.push(first..=last),
            _ => {}
        }
        open = match group.role {
            // Calls get their results right behind them.
            Role::Assistant => !group.blocks.iter().any(|block| is_call(block)),
            // Results stand with their calls or are not sent.
            _ => open && group.blocks.iter().all(|block| is_result(block)),
        };
    }
    replies
}

impl<'a> Flat<'a> {
    fn push(&mut self, message: FlatMessage<'a>) {
        if message.blocks.is_empty() {
            return;
        }
        match self.messages.last_mut() {
            Some(last) if last.role == message.role => {
                last.blocks.extend(message.blocks);
                last.alone = None;
            }
            _ => self.messages.push(message),
        }
    }
}

/// Messages of one role behind one another.
struct Group<'a> {
    role: Role,
    blocks: Vec<FlatBlock<'a>>,
    alone: Option<&'a Message>,
    /// Where its first and its last message stand.
    places: RangeInclusive<usize>,
}

impl<'a> Group<'a> {
    fn join(&mut self, next: Self) {
        self.blocks.extend(next.blocks);
        self.alone = None;
        self.places = *self.places.start()..=*next.places.end();
    }
}

/// Neighbours of one role together, edits applied, what no provider takes left out.
fn grouped<'a>(visible: &[&'a Message], how: &Flattening<'_>) -> Vec<Group<'a>> {
    let mut groups: Vec<Group<'a>> = Vec::with_capacity(visible.len());
    let sent = visible.iter().enumerate().filter(|(_, m)| m.is_sent());
    for (place, message) in sent {
        let role = match message.role {
            Role::System if !how.system_messages => Role::User,
            role => role,
        };
        let mut whole = true;
        let mut blocks = Vec::with_capacity(message.blocks.len());
        for block in &message.blocks {
            match edited(message, block, role, how.edits) {
                Some(block) => {
                    whole &= matches!(block, Cow::Borrowed(_));
                    blocks.push(block);
                }
                None => whole = false,
            }
        }
        if blocks.is_empty() {
            continue;
        }
        let group = Group {
            role,
            blocks,
            alone: (whole && role == message.role).then_some(*message),
            places: place..=place,
        };
        match groups.last_mut() {
            Some(last) if last.role == role => last.join(group),
            _ => groups.push(group),
        }
    }
    settle_system(groups)
}

/// The block as it is sent, if it is.
fn edited<'a>(
    message: &Message,
    block: &'a Block,
    role: Role,
    edits: Option<&Edits>,
) -> Option<FlatBlock<'a>> {
    if block.is_blank() || misplaced(block, role) {
        return None;
    }
    let edited = edits.map_or(Edited::Same, |edits| edits.apply(message, block));
    match edited {
        Edited::Gone => None,
        Edited::Other(block) => Some(Cow::Owned(block)),
        Edited::Same if block.is_marked() => Some(Cow::Owned(block.unmarked())),
        Edited::Same => Some(Cow::Borrowed(block)),
    }
}

fn misplaced(block: &Block, role: Role) -> bool {
    match block.kind() {
        Kind::ToolCall { .. } | Kind::Thinking => role != Role::Assistant,
        Kind::ToolResult { .. } => role != Role::User,
        Kind::Text => false,
        _ => role == Role::System,
    }
}

/// A message in the host's name stands behind one of the user's and before a reply; any other goes with the user's.
fn settle_system(groups: Vec<Group<'_>>) -> Vec<Group<'_>> {
    if groups.iter().all(|group| group.role != Role::System) {
        return groups;
    }
    let roles: Vec<Role> = groups.iter().map(|group| group.role).collect();
    let mut settled: Vec<Group<'_>> = Vec::with_capacity(groups.len());
    for (number, mut group) in groups.into_iter().enumerate() {
        let after = roles.get(number + 1).copied();
        let stands = ends_with_user(&settled) && after.is_none_or(|role| role == Role::Assistant);
        if group.role == Role::System && !stands {
            group.role = Role::User;
            group.alone = None;
        }
        match settled.last_mut() {
            Some(last) if last.role == group.role => last.join(group),
            _ => settled.push(group),
        }
    }
    settled
}

/// Whether the last thing that is sent of these is the user's: results without calls before them are not.
fn ends_with_user(groups: &[Group<'_>]) -> bool {
    match groups {
        [.., last] if last.role != Role::User => false,
        [.., last] if last.blocks.iter().any(|block| !is_result(block)) => true,
        [.., reply, _] => reply.blocks.iter().any(|block| is_call(block)),
        _ => false,
    }
}

/// The results of tools by the id of their call, in the order in which they stand.
struct Pairs<'a> {
    results: HashMap<Arc<str>, Vec<(usize, FlatBlock<'a>)>>,
    /// Where the calls of an id stand, later ones first.
    calls: HashMap<Arc<str>, Vec<usize>>,
    /// The ids that were given out. Later messages change nothing about earlier ones, so none is looked for ahead.
    given: HashSet<Arc<str>>,
    order: Vec<Arc<str>>,
}

/// A call that was sent: the id it had, the one it has now, where it stood and where the next one of its id stands.
struct Sent {
    was: Arc<str>,
    id: Arc<str>,
    group: usize,
    until: usize,
}

impl<'a> Pairs<'a> {
    fn of(groups: &[Group<'a>]) -> Self {
        // Mostly every second one calls.
        let many = groups.len() / 2;
        let mut pairs = Self {
            results: HashMap::with_capacity(many),
            calls: HashMap::with_capacity(many),
            given: HashSet::with_capacity(many),
            order: Vec::with_capacity(many),
        };
        for (number, group) in groups.iter().enumerate() {
            for block in &group.blocks {
                match block.kind() {
                    Kind::ToolResult { call, .. } => {
                        pairs.order.push(Arc::clone(call));
                        let results = pairs.results.entry(Arc::clone(call)).or_default();
                        results.push((number, block.clone()));
                    }
                    Kind::ToolCall { id, .. } => {
                        pairs
                            .calls
                            .entry(Arc::clone(id))
                            .or_default()
                            .insert(0, number);
                    }
                    _ => {}
                }
            }
        }
        pairs
    }

    /// A reply as it is sent, with its calls in order.
    fn calls(
        &mut self,
        group: Group<'a>,
        repairs: &mut Vec<Repair>,
    ) -> (FlatMessage<'a>, Vec<Sent>) {
        let mut sent = Vec::new();
        let mut alone = group.alone;
        let blocks = group
            .blocks
            .into_iter()
            .map(|block| {
                let Kind::ToolCall { id: was, .. } = block.kind() else {
                    return block;
                };
                let was = Arc::clone(was);
                let (group, until) = self.next_call(&was);
                let id = self.give(&was);
                let block = if id == was {
                    block
                } else {
                    repairs.push(Repair::Renamed(Arc::clone(&was)));
                    alone = None;
                    Cow::Owned(block.renamed(&id))
                };
                sent.push(Sent {
                    was,
                    id,
                    group,
                    until,
                });
                block
            })
            .collect();
        let message = FlatMessage {
            role: Role::Assistant,
            blocks,
            alone,
        };
        (message, sent)
    }

    /// Where this call of an id stands, and where the next one of the same id does.
    fn next_call(&mut self, id: &Arc<str>) -> (usize, usize) {
        let places = self.calls.entry(Arc::clone(id)).or_default();
        let group = places.pop().unwrap_or_default();
        let until = match places.last() {
            Some(next) if *next > group => *next,
            _ => usize::MAX,
        };
        (group, until)
    }

    /// This id, or one made from it where an earlier call has it.
    fn give(&mut self, id: &Arc<str>) -> Arc<str> {
        let mut given = Arc::clone(id);
        let mut number = 2;
        while !self.given.insert(Arc::clone(&given)) {
            given = format!("{id}_{number}").into();
            number += 1;
        }
        given
    }

    /// The result of a call: the first behind it that no other call took, or one that says there is none.
    fn result(&mut self, call: Sent, repairs: &mut Vec<Repair>) -> FlatBlock<'a> {
        let found = self.results.get_mut(&call.was).and_then(|results| {
            let place = results
                .iter()
                .position(|(group, _)| *group > call.group && *group <= call.until)?;
            Some(results.remove(place))
        });
        let Some((group, block)) = found else {
            repairs.push(Repair::NoResult(Arc::clone(&call.was)));
            return Cow::Owned(Block::tool_result(&call.id, NO_RESULT, true));
        };
        if group != call.group + 1 {
            repairs.push(Repair::Moved(Arc::clone(&call.was)));
        }
        if call.id == call.was {
            block
        } else {
            Cow::Owned(block.renamed(&call.id))
        }
    }

    fn report_orphans(mut self, repairs: &mut Vec<Repair>) {
        for call in self.order {
            let left = self.results.get_mut(&call).and_then(Vec::pop);
            if left.is_some() {
                repairs.push(Repair::NoCall(call));
            }
        }
    }
}

/// Results first, then what else was said.
fn answered<'a>(results: Vec<FlatBlock<'a>>, said: Option<Group<'a>>) -> FlatMessage<'a> {
    let Some(said) = said else {
        return FlatMessage {
            role: Role::User,
            blocks: results,
            alone: None,
        };
    };
    let same = said.blocks.len() >= results.len()
        && results.iter().zip(&said.blocks).all(|(a, b)| a == b)
        && said
            .blocks
            .iter()
            .skip(results.len())
            .all(|block| !is_result(block));
    let rest = said.blocks.into_iter().filter(|block| !is_result(block));
    FlatMessage {
        role: Role::User,
        blocks: results.into_iter().chain(rest).collect(),
        alone: said.alone.filter(|_| same),
    }
}

fn without_results(group: Group<'_>) -> FlatMessage<'_> {
    let results = group.blocks.iter().any(|block| is_result(block));
    FlatMessage {
        role: group.role,
        blocks: group
            .blocks
            .into_iter()
            .filter(|block| !is_result(block))
            .collect(),
        alone: group.alone.filter(|_| !results),
    }
}

fn is_result(block: &Block) -> bool {
    matches!(block.kind(), Kind::ToolResult { .. })
}

fn is_call(block: &Block) -> bool {
    matches!(block.kind(), Kind::ToolCall { .. })
}

fn made<'a>(role: Role, blocks: Vec<Block>) -> FlatMessage<'a> {
    FlatMessage {
        role,
        blocks: blocks.into_iter().map(Cow::Owned).collect(),
        alone: None,
    }
}
