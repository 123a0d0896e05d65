//! A model's summary in place of the conversation; everything but asking the model.

use memdir_conversation::{Edits, Message, Source, Usage};
use minijinja::context;

use super::kept;
use super::rounds::without_oldest;
use super::situation::{Compacted, Fit, Situation};
use crate::fragment::{block, inline};
use crate::templates::{PromptError, render};

/// How often a model is asked again after a failure.
const RETRIES: usize = 2;
/// How often the oldest rounds are dropped from a request that is too long.
const DROPS: usize = 6;
/// The most bytes of what a user or a hook adds to the prompt.
const INSTRUCTION_BYTES: usize = 10_000;

/// Somebody who can write a summary: a fork of the conversation, another model, a script.
pub trait Summarise {
    /// Writes one.
    ///
    /// # Errors
    ///
    /// When it could not; a request that was too long comes again with less in it.
    fn summarise(&mut self, request: &SummaryRequest<'_>) -> Result<Written, SummariseError>;
}

/// What is to be summed up.
#[derive(Debug, Clone)]
pub struct SummaryRequest<'a> {
    /// The messages, as the conversation has them. While nothing is dropped they are its beginning, so that a fork
    /// repeats it byte for byte.
    pub messages: &'a [&'a Message],
    /// What of them is sent differently.
    pub edits: &'a Edits,
    /// What to do with them: a text behind the last message.
    pub instruction: &'a str,
    /// How many of the oldest messages were dropped because the request was too long.
    pub dropped: usize,
}

/// A summary as it was written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Written {
    /// Its text.
    pub text: String,
    /// What the provider counted.
    pub usage: Option<Usage>,
}

/// Why there is no summary.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SummariseError {
    /// The request was too long.
    #[error("the request for a summary was too long")]
    TooLong,
    /// Nobody was asked, and asking again would change nothing: it was stopped, or may not be paid for.
    #[error("{0}")]
    NotAsked(String),
    /// Anything else.
    #[error("{0}")]
    Failed(String),
}

/// What somebody adds to the prompt for the summary.
#[derive(Debug, Clone, Copy, Default)]
pub struct Instructions<'a> {
    /// What the user said when asking for it.
    pub user: &'a [String],
    /// What hooks said.
    pub hooks: &'a [String],
}

/// A conversation that was summed up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SummedUp {
    /// What stands in its place.
    pub compacted: Compacted,
    /// How often a model was asked.
    pub requests: usize,
    /// How many messages the summary was written without.
    pub dropped: usize,
    /// Whether the answer was empty, so that the record stands alone.
    pub empty: bool,
    /// What the requests cost, one by one, as far as that is known.
    pub usage: Vec<Usage>,
}

/// Why a conversation could not be summed up.
#[derive(Debug, thiserror::Error)]
pub enum FullError {
    /// There is nothing before the last reply.
    #[error("there is nothing to sum up yet")]
    Nothing,
    /// Nobody was asked for one.
    #[error("no summary: {0}")]
    NotAsked(String),
    /// Nobody wrote a summary.
    #[error("no summary after {requests} requests: {last}")]
    Failed {
        /// How often a model was asked.
        requests: usize,
        /// What was wrong the last time.
        last: SummariseError,
    },
    /// The prompt could not be made.
    #[error(transparent)]
    Prompt(#[from] PromptError),
}

impl FullError {
    /// Whether a model was asked in vain, as opposed to nobody having been asked.
    pub(super) fn counts(&self) -> bool {
        !matches!(self, Self::Nothing | Self::NotAsked(_))
    }
}

/// The conversation with a model's summary in place of all but its last reply.
///
/// # Errors
///
/// When there is nothing to sum up, or nobody did; nothing has changed then.
pub fn summed_up(
    situation: &Situation<'_>,
    instructions: Instructions<'_>,
    summariser: &mut dyn Summarise,
) -> Result<SummedUp, FullError> {
    let visible = situation.conversation.visible();
    let start = last_reply(&visible, situation.edits);
    let mut messages: Vec<&Message> = visible.get(..start).unwrap_or_default().to_vec();
    if messages
        .iter()
        .all(|message| message.source == Source::Summary)
    {
        return Err(FullError::Nothing);
    }
    let instruction = prompt(situation, instructions)?;
    let whole = messages.len();
    let (mut requests, mut failures, mut drops) = (0, 0, 0);
    let mut usage = Vec::new();
    let body = loop {
        requests += 1;
        let asked = summariser.summarise(&SummaryRequest {
            messages: &messages,
            edits: situation.edits,
            instruction: &instruction,
            dropped: whole - messages.len(),
        });
        let last = match asked {
            Ok(written) => {
                usage.extend(written.usage);
                let body = body(&written.text);
                if !body.is_empty() || failures == RETRIES {
                    break body;
                }
                SummariseError::Failed("the summary was empty".to_owned())
            }
            Err(SummariseError::NotAsked(why)) => return Err(FullError::NotAsked(why)),
            Err(error) => error,
        };
        let shorter = match last {
            SummariseError::TooLong if drops < DROPS => {
                without_oldest(&messages, situation.weights, situation.edits)
            }
            _ => None,
        };
        match shorter {
            Some(shorter) => {
                messages = shorter;
                drops += 1;
            }
            None if failures < RETRIES && matches!(last, SummariseError::Failed(_)) => {
                failures += 1
            }
            None => return Err(FullError::Failed { requests, last }),
        }
    };
    Ok(SummedUp {
        compacted: situation.compacted(&visible, start, "Summary", &body, Fit::Whole),
        requests,
        dropped: whole - messages.len(),
        empty: body.is_empty(),
        usage,
    })
}

/// Where the last reply begins, with all that belongs to it.
fn last_reply(visible: &[&Message], edits: &Edits) -> usize {
    let floor = kept::floor(visible);
    let cuts = kept::Cuts::new(visible, edits, floor);
    // Without a reply the user's last message is what must not be lost.
    let last = cuts.last_reply();
    let last = last.unwrap_or_else(|| visible.len().saturating_sub(1));
    cuts.whole_from(last.max(floor))
}

fn prompt(
    situation: &Situation<'_>,
    instructions: Instructions<'_>,
) -> Result<String, PromptError> {
    let texts = |all: &[String]| -> Vec<String> {
        all.iter()
            .map(|text| block(crate::fragment::bounded(text.trim(), INSTRUCTION_BYTES).as_ref()))
            .filter(|text| !text.is_empty())
            .collect()
    };
    render(
        "summary.md",
        context! {
            transcript => situation.transcript.map(inline),
            instructions => texts(instructions.user),
            from_hooks => texts(instructions.hooks),
        },
    )
}

/// The summary without what a model thought aloud before it.
fn body(text: &str) -> String {
    let text = match text.split_once("<summary>") {
        Some((_, inside)) => inside.split("</summary>").next().unwrap_or(inside),
        None => match text.split_once("</analysis>") {
            Some((_, after)) => after,
            None => text,
        },
    };
    text.trim().to_owned()
}
