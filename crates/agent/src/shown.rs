//! What a request shows that is asked once: data between marks that nothing in it can know.

use std::collections::HashSet;

use memdir_conversation::{Kind, Message, Source};
use memdir_memory::{hidden, secrets, without_hidden_or_private};
use serde_json::{Value, json};

use crate::pieces::Pieces;
use crate::private_words::{self, PrivateWords};

/// So much of a message is shown, in characters: what is longer was pasted, and what is wished stands at its ends.
const MESSAGE_CHARACTERS: usize = 20_000;
/// A message takes no more of the room than one in so many parts, in characters: one may take six bytes.
const PARTS: usize = 16;

/// A conversation as data, and what goes before it.
pub(crate) struct Shown<'a> {
    /// What there is beside the messages, a line each.
    pub(crate) before: &'a [Value],
    pub(crate) messages: &'a [&'a Message],
    /// Words that were said in private: lines of others that repeat one are left out.
    pub(crate) private: &'a HashSet<String>,
    pub(crate) detail: Detail,
    pub(crate) most_bytes: usize,
}

/// How much is shown of what tools were asked and answered, in characters.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Detail {
    pub(crate) input: usize,
    pub(crate) result: usize,
}

impl Shown<'_> {
    /// All of it, as JSON lines between two lines with a word that was not known before; and how many of the messages, the
    /// oldest ones, there was room for. Those behind are for the next time.
    pub(crate) fn written(&self, word: &str) -> (String, usize) {
        let mut lines: Vec<String> = self.before.iter().map(escaped).collect();
        let mut room = self
            .most_bytes
            .saturating_sub(lines.iter().map(String::len).sum());
        let longest = MESSAGE_CHARACTERS.min(self.most_bytes / PARTS);
        let mut seen = 0;
        let mut is_first = true;
        let mut pieces = Pieces::default();
        for message in self.messages {
            let mut shown = Vec::new();
            for piece in &*message.apart() {
                let told = self.told(piece, &mut pieces);
                shown.extend(told.map(|mut told| {
                    shorten(&mut told, longest);
                    escaped(&told)
                }));
            }
            if !shown.is_empty() {
                let length: usize = shown.iter().map(|line| line.len() + 1).sum();
                match room.checked_sub(length) {
                    Some(left) => room = left,
                    // One is always shown: else the same would be asked for ever.
                    None if is_first => room = 0,
                    None => break,
                }
                is_first = false;
                lines.append(&mut shown);
            }
            seen += 1;
        }
        (format!("{word}\n{}\n{word}", lines.join("\n")), seen)
    }

    /// A message without thinking and without what was recalled; nothing where nothing is left.
    fn told(&self, message: &Message, pieces: &mut Pieces) -> Option<Value> {
        let who = match message.source {
            Source::User => "user",
            Source::Model | Source::Summary => "agent",
            Source::Tool => "tool",
            Source::Reminder(_) | Source::Boundary(_) | Source::Notice => return None,
        };
        let mut parts = Vec::new();
        for block in &message.blocks {
            match block.kind() {
                Kind::Text => {
                    let words = block.words().unwrap_or_default();
                    parts.push(match message.source {
                        Source::User => shown(&pieces.spans(message).replace(&words, "")),
                        _ => self.of_others(&words),
                    });
                }
                Kind::ToolCall { name, .. } => parts.push(match self.detail.input {
                    0 => format!("[calls {name}]"),
                    most => {
                        let input: String = self
                            .of_others(block.input().unwrap_or_default())
                            .chars()
                            .take(most)
                            .collect();
                        format!("[calls {name}: {input}]")
                    }
                }),
                Kind::ToolResult { .. } => {
                    let text = self.of_others(&block.result_text());
                    parts.push(text.chars().take(self.detail.result).collect());
                }
                Kind::Image | Kind::Document => parts.push("[a picture or a document]".to_owned()),
                Kind::Thinking | Kind::Other => {}
            }
        }
        let text = parts.join("\n");
        (!text.trim().is_empty()).then(|| json!({"who": who, "text": text}))
    }

    /// What others said, without the lines in which they repeat what is private.
    fn of_others(&self, text: &str) -> String {
        clean(&private_words::without(text, self.private))
    }
}

/// Content words that the user said in private and nowhere else. Whoever answered may have repeated them.
pub(crate) fn said_in_private(visible: &[&Message]) -> HashSet<String> {
    let mut pieces = Pieces::default();
    let mut words = PrivateWords::default();
    let typed = visible
        .iter()
        .flat_map(|message| message.apart().into_owned());
    for message in typed.filter(|message| message.source == Source::User) {
        let whole = message.words();
        let shown = pieces.spans(&message).replace(&whole, "\n");
        words.hear(&whole, &shown);
    }
    words.finish()
}

/// Takes the middle out of a message that is too long.
fn shorten(told: &mut Value, longest: usize) {
    let Some(Value::String(text)) = told.get_mut("text") else {
        return;
    };
    let characters = text.chars().count();
    if characters <= longest {
        return;
    }
    let half = longest / 2;
    let head: String = text.chars().take(half).collect();
    let tail: String = text.chars().skip(characters - half).collect();
    let left_out = characters - 2 * half;
    *text = format!("{head}\n[{left_out} characters left out]\n{tail}");
}

/// A text without what is private, hidden or secret.
pub(crate) fn clean(text: &str) -> String {
    shown(&without_hidden_or_private(text, ""))
}

/// A text without what is hidden or secret.
fn shown(text: &str) -> String {
    let seen = hidden::clean(text);
    secrets::redact(&seen.text).text.into_owned()
}

/// JSON in which no tag can be read.
fn escaped(value: &Value) -> String {
    value
        .to_string()
        .replace('<', "\\u003c")
        .replace('>', "\\u003e")
}

#[cfg(test)]
mod tests {
    use memdir_conversation::{Block, Reminded, Role};

    use super::*;

    #[test]
    fn what_is_private_stays_so_over_blocks_and_pieces() {
        let blocks = ["Hello. <private>my own stuff:", "my street"].map(Block::text);
        let first = Message::new("1", Role::User, Source::User, blocks.to_vec());
        let between = Message::reminder("1.2", Reminded::Context, "</private>");
        let last = Message::user("1.3", "My bank is Zebra4711.\n</private>Bye.");
        let shown = Shown {
            before: &[],
            detail: Detail {
                input: 0,
                result: 1_000,
            },
            messages: &[&first, &between, &last],
            private: &HashSet::new(),
            most_bytes: 1_000,
        };
        let (written, _) = shown.written("word");
        assert!(written.contains("Hello.") && written.contains("Bye."));
        assert!(!written.contains("street") && !written.contains("Zebra"));
    }
}
