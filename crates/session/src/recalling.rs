//! What a message is given of the memories.

use std::collections::HashSet;
use std::sync::Arc;

use jiff::Timestamp;
use memdir_context::Reminder;
use memdir_context::compaction::touched_files;
use memdir_conversation::{Kind, Message as Said, Reminded, Source};
use memdir_memory::scrub_away;
use memdir_model::Cancel;
use memdir_recall::{
    Block, ConversationRecords, Finder, Message, Selected, Selector, Skip, take_turn_with,
};

use crate::prefetch::{ASKED, Prefetch, Shelves};
use crate::{Error, Event, Session};

impl Session {
    /// Looks for memories that help with what the user just said, and shows them beside it. Where that fails, the turn goes
    /// on without.
    pub(crate) fn recall(&mut self, text: &str) -> Result<(), Error> {
        let now = (self.now)();
        let today = now.to_zoned(self.zone.clone()).date();
        let tools = self.tools_used();
        // What was chosen for the message before comes with this one.
        self.surface_selected("the next message")?;
        self.give_up_selected("it had not answered when the next message came");
        let message = Message {
            off: self.recall_off(),
            tools: &tools,
            is_over: &|day| day < today,
            ..Message::new(text, now)
        };
        let open = self.finder.get_or_insert_with(|| {
            let everywhere = self.home.places.everywhere_dir();
            let finder = Finder::new(&self.home.store).with_everywhere(everywhere);
            finder.at_once().open()
        });
        let outcome = match take_turn_with(open, &self.recalled, &message) {
            Ok(outcome) => outcome,
            Err(error) => {
                let warning = format!("nothing could be recalled: {error}");
                self.events.push(Event::Warning(warning));
                return Ok(());
            }
        };
        if outcome.turn.partial.is_some() {
            open.complete_beside();
        }
        if !outcome.block.text.is_empty() {
            let shown = outcome.block.shown.iter().map(|(path, _)| path.clone());
            let paths = shown.chain(outcome.block.named.iter().cloned()).collect();
            let reminder = Reminder::new(&outcome.block.text).to_string();
            self.remind(Reminded::Memories(paths), &reminder)?;
        }
        let turn = outcome.turn.clone();
        self.recalled
            .note_turn(outcome.turn, &outcome.pieces, &outcome.block);
        self.recalled_is_news = true;
        self.events.push(Event::Recalled(Box::new(turn)));
        self.ask_selector((now, text), tools);
        Ok(())
    }

    /// Asks the model that selects, where the user wants one; nothing waits for it.
    fn ask_selector(&mut self, (at, text): (Timestamp, &str), tools: Vec<String>) {
        let cancel = Cancel::new();
        let Some(selector) = self.selector(text, &cancel) else {
            return;
        };
        let known = |path: &str| self.recalled.gate(path).is_some();
        let shelves = Shelves::of(&self.home);
        match Prefetch::start((selector, cancel), shelves, (at, text), tools, known) {
            Ok(prefetch) => {
                self.prefetch = Some(prefetch);
                let asked = Selected {
                    said: ASKED.to_owned(),
                    ..Selected::default()
                };
                let nothing = Block::default();
                self.recalled.note_selected(at, asked, &[], &[], &nothing);
            }
            Err(error) => self.events.push(Event::Warning(error.to_string())),
        }
    }

    /// Memories that the agent reads or writes by itself need not be shown to it.
    pub(crate) fn note_own_reads(&mut self) {
        let last = self.conversation.messages().iter().rev();
        let reply: Vec<&Said> = last.take_while(|one| !is_typed(one)).collect();
        let mut read = Vec::new();
        for message in &reply {
            for block in &message.blocks {
                let Kind::ToolCall { id, .. } = block.kind() else {
                    continue;
                };
                // It has seen nothing of it then.
                if has_failed(&reply, id) {
                    continue;
                }
                let touched = touched_files(block).into_iter();
                read.extend(touched.filter_map(|(path, _)| self.memory_at(&path)));
            }
        }
        for path in read {
            self.recalled.note_read(path);
            self.recalled_is_news = true;
        }
    }

    /// After a compaction only what is still in the conversation counts as shown or read; a memory that gave way to its
    /// name is not.
    pub(crate) fn forget_recalled(&mut self) {
        let mut stays: HashSet<String> = HashSet::new();
        for message in self.conversation.visible() {
            if self.edits.faded(&message.id).is_some() {
                continue;
            }
            match &message.source {
                Source::Reminder(Reminded::Memories(paths)) => stays.extend(paths.iter().cloned()),
                Source::Reminder(Reminded::Restored(path)) => stays.extend(self.memory_at(path)),
                _ => {
                    let files = message.blocks.iter().flat_map(touched_files);
                    stays.extend(files.filter_map(|(path, _)| self.memory_at(&path)));
                }
            }
        }
        self.recalled.keep_only(|path| stays.contains(path));
        self.recalled_is_news = true;
    }

    /// What the transcript shows was given, also where the process was killed before it wrote that down.
    pub(crate) fn remember_recalled(&mut self) {
        for message in self.conversation.visible() {
            let Source::Reminder(Reminded::Memories(paths)) = &message.source else {
                continue;
            };
            if self.edits.faded(&message.id).is_some() {
                continue;
            }
            // How the bytes are shared among several is known to the record alone; their sum is what counts.
            let bytes = message.words().len() / paths.len().max(1);
            for path in paths {
                self.recalled.note_shown(path, bytes as u64);
            }
        }
    }

    /// Writes down what `memdir why` shows and the next process goes on with. Not before a request has left: whoever is
    /// killed until then finds in the transcript what was given.
    pub(crate) fn keep_recalled(&mut self) {
        if !std::mem::take(&mut self.recalled_is_news) {
            return;
        }
        let records = ConversationRecords::new(self.home.store.state_directory());
        let recalled = &self.recalled;
        let kept = records.update(self.name.as_str(), |known| *known = recalled.clone());
        if let Err(error) = kept {
            let warning = format!("what was recalled could not be written down: {error}");
            self.events.push(Event::Warning(warning));
        }
    }

    /// The model that selects, where the user wants one and it has something to do.
    fn selector(&self, text: &str, cancel: &Cancel) -> Option<Arc<dyn Selector>> {
        let wanted = self.settings.recall.selector == memdir_settings::Selector::Model;
        let selector = self.after.selector(cancel).filter(|_| wanted)?;
        let skipped = self.recall_off().is_some()
            || Skip::of(&scrub_away(text), self.recalled.given_bytes()).is_some();
        (!skipped).then_some(selector)
    }

    fn recall_off(&self) -> Option<Skip> {
        let wanted = self.settings.recall.enabled && self.host.agent.is_none() && !self.paused;
        match (self.home.places.memory.enabled, wanted) {
            (false, _) => Some(Skip::MemoryOff),
            (true, false) => Some(Skip::RecallOff),
            (true, true) => None,
        }
    }

    /// The tools that were called without error since what the user said before.
    fn tools_used(&self) -> Vec<String> {
        let messages = self.conversation.messages();
        let mut said = messages.iter().rev().skip_while(|one| is_typed(one));
        let since: Vec<&Said> = said.by_ref().take_while(|one| !is_typed(one)).collect();
        let blocks = || since.iter().flat_map(|message| &message.blocks);
        let mut tools: Vec<String> = Vec::new();
        for block in blocks() {
            if let Kind::ToolCall { id, name } = block.kind()
                && !has_failed(&since, id)
                && !tools.iter().any(|tool| **tool == **name)
            {
                tools.push(name.to_string());
            }
        }
        tools
    }
}

/// Whether a call was answered with an error.
fn has_failed(messages: &[&Said], id: &str) -> bool {
    let mut blocks = messages.iter().flat_map(|message| &message.blocks);
    blocks.any(
        |block| matches!(block.kind(), Kind::ToolResult { call, error: true } if &**call == id),
    )
}

fn is_typed(message: &Said) -> bool {
    message.source == Source::User
}
