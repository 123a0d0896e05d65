//! A conversation for those who sum it up: shorter where it is too long, and as plain text.

use memdir_conversation::tokens::Estimate;
use memdir_conversation::{Edits, Kind, Message, Role, Source};

use super::full::SummaryRequest;
use super::kept;
use super::weight;
use crate::fragment::block;

/// The share of a request that goes at a time.
const SHARE: u64 = 4;

/// The messages without the oldest rounds, a quarter of all tokens at least; an earlier summary stays. None where
/// nothing can go.
pub(super) fn without_oldest<'a>(
    messages: &[&'a Message],
    weights: &dyn Estimate,
    edits: &Edits,
) -> Option<Vec<&'a Message>> {
    let first = messages
        .iter()
        .take_while(|message| message.source == Source::Summary)
        .count();
    let weigh = |message: &Message| weight::message(weights, edits, message);
    let total: u64 = messages.iter().skip(first).map(|each| weigh(each)).sum();
    let cuts = kept::Cuts::new(messages, edits, first);
    let mut gone = 0;
    for (at, pair) in messages.windows(2).enumerate().skip(first) {
        let [before, next] = pair else { continue };
        gone += weigh(before);
        let begins = next.source == Source::User
            || (next.role == Role::Assistant && before.role != Role::Assistant);
        let at = at + 1;
        if begins && gone >= total / SHARE && cuts.whole_from(at) == at {
            let (summary, _) = messages.split_at_checked(first)?;
            let (_, rest) = messages.split_at_checked(at)?;
            return Some([summary, rest].concat());
        }
    }
    None
}

impl SummaryRequest<'_> {
    /// The messages as plain text, for a model that is not the conversation's own. Thinking is left out: some models
    /// refuse to sum up what another one thought.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        for message in self.messages.iter().filter(|message| message.is_sent()) {
            let who = match (&message.source, message.role) {
                (Source::User, _) => "User",
                (Source::Summary, _) => "Summary of what was before",
                (_, Role::Assistant) => "Assistant",
                (Source::Tool, _) => "Tools",
                _ => "Context",
            };
            let said = self.said(message);
            if !said.is_empty() {
                text.push_str(&format!("## {who}\n\n{said}\n\n"));
            }
        }
        text
    }

    fn said(&self, message: &Message) -> String {
        let lines: Vec<String> = message
            .blocks
            .iter()
            .filter_map(|each| match each.kind() {
                Kind::Thinking => None,
                Kind::Text => match self.edits.faded(&message.id) {
                    Some(marker) => Some(marker.to_owned()),
                    None => each.words().map(|words| words.into_owned()),
                },
                Kind::ToolCall { name, .. } => {
                    Some(format!("[calls {name}: {}]", each.input().unwrap_or("{}")))
                }
                Kind::ToolResult { call, error } => {
                    let result = match self.edits.cleared(&message.id, call) {
                        Some(marker) => marker.to_owned(),
                        None => each.result_text(),
                    };
                    let what = if *error { "failed with" } else { "answered" };
                    Some(format!("[a tool {what}:\n{result}\n]"))
                }
                Kind::Image => Some("[a picture]".to_owned()),
                Kind::Document => Some("[a document]".to_owned()),
                Kind::Other => None,
            })
            .map(|text| block(text.trim()))
            .filter(|text| !text.is_empty())
            .collect();
        lines.join("\n\n")
    }
}
