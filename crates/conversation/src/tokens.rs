//! How many tokens a conversation holds, as well as one can tell without its provider.
//!
//! An [`Estimate`] counts texts: [`Pairs`] with a tokeniser, [`Classes`] without one where nothing may be loaded, [`Bytes`]
//! by length alone. A [`Meter`] makes of that what a request will be billed, with what the provider has said so far.

mod allowance;
mod cache;
mod classes;
mod counts;
mod factors;
mod kinds;
mod makeup;
mod meter;
mod pairs;
mod usage;

pub use classes::Classes;
pub use counts::{Counts, Weights};
pub use factors::{Factor, Factors, NEEDED};
pub use kinds::Kinds;
pub use meter::{Basis, Measure, Measuring, Meter};
pub use pairs::Pairs;
pub use usage::{Breakdown, FileUse, ToolUse};

use crate::{Block, Kind, Message, Part};

/// Tokens of a picture or a document, whatever its size.
pub const PICTURE: u64 = 2_000;

/// Counts the tokens of a text, without any allowance for error.
pub trait Estimate {
    /// How many tokens this text may have.
    fn text(&self, text: &str) -> u64;

    /// How many more another tokeniser may need for this text, where dictionaries differ by more than a factor. It counts only
    /// until a factor is learnt.
    fn allowance(&self, text: &str) -> u64 {
        let _ = text;
        0
    }

    /// The same for a block.
    fn block_allowance(&self, block: &Block) -> u64 {
        let json = block.json();
        // Letters beyond ASCII stand in JSON as they are or as `\u`.
        if json.is_ascii() && !json.contains("\\u") {
            return 0;
        }
        match block.kind() {
            Kind::Text => self.allowance(&block.words().unwrap_or_default()),
            Kind::Image | Kind::Document => 0,
            Kind::ToolResult { .. } => block
                .parts()
                .iter()
                .map(|part| match part {
                    Part::Text(text) => self.allowance(text),
                    Part::Picture(_) => 0,
                    Part::Other(json) => self.allowance(json),
                })
                .sum(),
            Kind::ToolCall { .. } | Kind::Thinking | Kind::Other => self.allowance(json),
        }
    }

    /// What it is called where factors are kept: what was learnt for one estimator says nothing about another.
    fn name(&self) -> &'static str {
        "other"
    }

    /// How many a block may have: words by their words, results by their words and pictures, all else by its JSON.
    fn block(&self, block: &Block) -> u64 {
        match block.kind() {
            Kind::Text => self.text(&block.words().unwrap_or_default()),
            Kind::Image | Kind::Document => PICTURE,
            Kind::ToolResult { .. } => block
                .parts()
                .iter()
                .map(|part| match part {
                    Part::Text(text) => self.text(text),
                    Part::Picture(_) => PICTURE,
                    Part::Other(json) => self.text(json),
                })
                .sum(),
            Kind::ToolCall { .. } | Kind::Thinking | Kind::Other => self.text(block.json()),
        }
    }

    /// How many a message may have.
    fn message(&self, message: &Message) -> u64 {
        message.blocks.iter().map(|block| self.block(block)).sum()
    }
}

/// A token for every four bytes.
#[derive(Debug, Clone, Copy, Default)]
pub struct Bytes;

impl Estimate for Bytes {
    fn text(&self, text: &str) -> u64 {
        (text.len() as u64).div_ceil(4)
    }

    fn name(&self) -> &'static str {
        "bytes"
    }
}
