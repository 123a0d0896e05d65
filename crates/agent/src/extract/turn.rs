//! Whether a turn that has ended is looked at, and how far back.

use jiff::Timestamp;
use memdir_conversation::{Block, Kind, Message, Role};
use memdir_store::{Author, Error, Record, RecordError, Records, Store};
use memdir_tools::{Place, Rooms};
use serde::{Deserialize, Serialize};

/// Tools of ours by which the agent itself saves.
const OWN_TOOLS: [&str; 2] = ["remember", "forget"];

/// A turn of a conversation that has ended.
#[derive(Debug, Clone, Copy)]
pub struct Turn<'a> {
    /// All that the model sees, the last reply included.
    pub visible: &'a [&'a Message],
    /// The last message that was looked at before.
    pub cursor: Option<&'a str>,
    /// Whether it is the conversation of a sub-agent.
    pub sub_agent: bool,
    /// Whether the host runs somewhere else than at the user's.
    pub remote: bool,
    /// Whether somebody sits in front of it.
    pub interactive: bool,
    /// Whether it is looked at all the same when nobody does.
    pub non_interactive: bool,
    /// Whether memories changed since, and not through us.
    pub changed_outside: bool,
    /// Whether nothing more will be said, so that it is looked at however it ended.
    pub over: bool,
}

/// What is to be done about a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Eligible {
    /// The last so many messages are looked at.
    Look(usize),
    /// Not now; the cursor stays.
    Skip(&'static str),
    /// Never: the cursor advances.
    Pass(&'static str),
}

impl Turn<'_> {
    /// Decides, the cheapest question first.
    ///
    /// ```
    /// use memdir_agent::extract::turn::{Eligible, Turn};
    /// use memdir_conversation::{Block, Message};
    /// use memdir_tools::Rooms;
    ///
    /// let said = [
    ///     Message::user("1", "Use tabs."),
    ///     Message::assistant("2", vec![Block::text("I will.")]),
    /// ];
    /// let visible: Vec<&Message> = said.iter().collect();
    /// let turn = Turn {
    ///     visible: &visible,
    ///     cursor: None,
    ///     sub_agent: false,
    ///     remote: false,
    ///     interactive: true,
    ///     non_interactive: false,
    ///     changed_outside: false,
    ///     over: false,
    /// };
    /// let rooms = Rooms::new("/".as_ref(), "/memory".as_ref()).unwrap();
    /// assert_eq!(turn.eligible(&rooms), Eligible::Look(2));
    /// let again = Turn { cursor: Some("2"), ..turn };
    /// assert_eq!(again.eligible(&rooms), Eligible::Skip("nothing was said since"));
    /// ```
    #[must_use]
    pub fn eligible(&self, rooms: &Rooms) -> Eligible {
        if self.sub_agent {
            return Eligible::Skip("it is a sub-agent's");
        }
        if self.remote {
            return Eligible::Skip("it is remote");
        }
        if !self.interactive && !self.non_interactive {
            return Eligible::Skip("nobody sits in front of it");
        }
        match self.visible.last() {
            Some(last) if last.role == Role::Assistant && !has_calls(last) => {}
            Some(_) if self.over => {}
            _ => return Eligible::Skip("the agent is not done"),
        }
        let new = self.since_cursor();
        if new.is_empty() {
            return Eligible::Skip("nothing was said since");
        }
        if self.changed_outside {
            return Eligible::Pass("memories were changed meanwhile");
        }
        let blocks = new.iter().flat_map(|message| &message.blocks);
        if blocks.into_iter().any(|block| saves(block, rooms)) {
            return Eligible::Pass("the agent saved something itself");
        }
        Eligible::Look(new.len())
    }

    /// What was said behind the cursor; everything where the cursor's message is no longer there.
    #[must_use]
    pub fn since_cursor(&self) -> &[&Message] {
        let place = self.cursor.and_then(|cursor| {
            let found = |message: &&Message| message.id.as_str() == cursor;
            self.visible.iter().position(found)
        });
        let from = place.map_or(0, |place| place + 1);
        self.visible.get(from..).unwrap_or_default()
    }
}

/// Whether a memory was changed since then by somebody else than us: an editor, another agent, this one with a command.
/// What nobody had noticed yet goes into the history first.
///
/// # Errors
///
/// When memories or history cannot be read or written.
pub fn changed_outside(store: &Store, since: Timestamp) -> Result<bool, Error> {
    store.sweep()?;
    let history = store.history_until(|read| {
        let oldest = read.operations.first();
        oldest.is_some_and(|oldest| oldest.at <= since)
    })?;
    let later = history.operations.iter().rev();
    let mut outside = later
        .take_while(|operation| operation.at > since)
        .filter(|operation| operation.reason.who == Author::Outside && !operation.is_first_sight());
    Ok(outside.any(|operation| {
        let mut changes = operation.changes.iter();
        changes.any(|change| !change.path.is_index())
    }))
}

fn has_calls(message: &Message) -> bool {
    let mut blocks = message.blocks.iter();
    blocks.any(|block| matches!(block.kind(), Kind::ToolCall { .. }))
}

/// Whether a call writes to memory.
fn saves(block: &Block, rooms: &Rooms) -> bool {
    let Kind::ToolCall { name, .. } = block.kind() else {
        return false;
    };
    let own = name.rsplit("__").next().unwrap_or(name);
    if OWN_TOOLS.contains(&own) {
        return true;
    }
    let is_write = matches!(
        &**name,
        "Write" | "Edit" | "MultiEdit" | "write_file" | "replace" | "apply_patch"
    );
    if **name == *"apply_patch" {
        let memory = rooms.memory().to_string_lossy();
        return block.json().contains(&*memory);
    }
    let place = block.file().map(|file| rooms.place(&file));
    is_write && matches!(place, Some(Ok(Place::Memory(_))))
}

/// How many turns of a conversation were passed over since the last that was looked at.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Passed {
    turns: u32,
}

impl Record for Passed {
    const KIND: &'static str = "turns";
    const VERSION: u64 = 1;
}

/// Counts an eligible turn; whether it is the one of every so many that is looked at.
///
/// # Errors
///
/// When the count cannot be kept.
pub fn is_its_turn(records: &Records, conversation: &str, every: u32) -> Result<bool, RecordError> {
    if every <= 1 {
        return Ok(true);
    }
    let mut turns = 0;
    records.update(conversation, |passed: Option<Passed>| {
        turns = passed.unwrap_or_default().turns.saturating_add(1);
        Passed {
            turns: if turns >= every { 0 } else { turns },
        }
    })?;
    Ok(turns >= every)
}
