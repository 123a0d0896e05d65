//! How far a dream is, for whoever watches.

use std::cell::RefCell;

use memdir_conversation::Kind;
use memdir_memory::MemoryPath;
use memdir_model::{Price, Reply};

/// How far a dream is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Progress {
    /// Whether it has begun to write; it only reads until then.
    pub writing: bool,
    /// What it said last.
    pub said: Option<String>,
    /// Requests that were answered.
    pub requests: usize,
    /// Tools that were called.
    pub calls: usize,
    /// Memories that it wants changed so far.
    pub touched: Vec<MemoryPath>,
    /// What the answers cost, in billionths of a dollar.
    pub nano_usd: u64,
}

/// Keeps the progress, and tells it after each step.
pub(super) struct Teller<'a> {
    progress: RefCell<Progress>,
    tell: &'a dyn Fn(&Progress),
}

impl<'a> Teller<'a> {
    pub(super) fn new(tell: &'a dyn Fn(&Progress)) -> Self {
        Self {
            progress: RefCell::default(),
            tell,
        }
    }

    /// An answer came.
    pub(super) fn answered(&self, reply: &Reply, price: Option<Price>) {
        let calls = reply
            .blocks
            .iter()
            .filter(|block| matches!(block.kind(), Kind::ToolCall { .. }));
        let calls = calls.count();
        let said = reply.words();
        let cost = price.map_or(0, |price| price.of(&reply.billed));
        self.change(|progress| {
            progress.requests += 1;
            progress.calls += calls;
            progress.nano_usd = progress.nano_usd.saturating_add(cost);
            if !said.trim().is_empty() {
                progress.said = Some(said.trim().to_owned());
            }
        });
    }

    /// A memory is to change.
    pub(super) fn touched(&self, path: &MemoryPath) {
        self.change(|progress| {
            progress.writing = true;
            if !progress.touched.contains(path) {
                progress.touched.push(path.clone());
            }
        });
    }

    /// How far it came.
    pub(super) fn last(&self) -> Progress {
        self.progress.borrow().clone()
    }

    fn change(&self, change: impl FnOnce(&mut Progress)) {
        change(&mut self.progress.borrow_mut());
        (self.tell)(&self.last());
    }
}
