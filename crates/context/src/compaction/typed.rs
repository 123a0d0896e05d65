//! What the user typed, kept word for word through every compaction.

use memdir_conversation::tokens::Estimate;
use memdir_conversation::{Kind, Message, Source};
use memdir_memory::{PRIVATE_STAND_IN, without_hidden_or_private};

use super::fence::{clean, fenced, shortened, within};

const SAID: &str = "said";
const LEFT_OUT: &str = "left-out";
const CUT: &str = "\n<memdir-cut/>\n";

/// Messages over this share of all room are pasted rather than typed: they lose their middle before others go.
const PASTED: u64 = 4;
/// How many messages that are left out are named.
const NAMED: usize = 40;
/// How much of each.
const NAME_BYTES: usize = 80;

/// Messages of the user, oldest first, as texts that may stand within a fence.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Typed {
    said: Vec<Said>,
    /// The first words of what an earlier compaction left out, oldest first.
    named: Vec<String>,
    /// How many more it left out.
    unnamed: usize,
}

/// One message: whole, or its beginning and its end.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Said {
    text: String,
    end: Option<String>,
}

impl Typed {
    /// Adds a message, if the user wrote it.
    pub(super) fn add(&mut self, message: &Message) {
        if message.source != Source::User {
            return;
        }
        let words: Vec<String> = message
            .blocks
            .iter()
            .filter(|block| *block.kind() == Kind::Text)
            .filter_map(|block| block.words().map(std::borrow::Cow::into_owned))
            .filter(|words| !words.trim().is_empty() && !is_reminder(words))
            .collect();
        if !words.is_empty() {
            // A summary is stored, and what is private must not be.
            self.said.push(Said {
                text: clean(&without_hidden_or_private(
                    &words.join("\n\n"),
                    PRIVATE_STAND_IN,
                )),
                end: None,
            });
        }
    }

    /// Adds what an earlier summary carried, unless the messages themselves are known.
    pub(super) fn add_carried(&mut self, summary: &str) {
        let carried = within(SAID, summary)
            .into_iter()
            .map(|text| match text.split_once(CUT) {
                Some((text, end)) => Said {
                    text: text.to_owned(),
                    end: Some(end.to_owned()),
                },
                None => Said {
                    text: text.to_owned(),
                    end: None,
                },
            });
        let mut taken = vec![false; self.said.len()];
        let mut missing: Vec<Said> = carried.filter(|one| !self.takes(one, &mut taken)).collect();
        missing.append(&mut self.said);
        self.said = missing;
        for line in within(LEFT_OUT, summary)
            .iter()
            .flat_map(|text| text.lines())
        {
            match line.strip_prefix("- ") {
                Some(name) if !self.said.iter().any(|said| said.name() == name) => {
                    self.named.push(name.to_owned());
                }
                Some(_) => {}
                None => self.unnamed = self.unnamed.max(leading_number(line)),
            }
        }
    }

    /// Whether a carried message is one of those that are known; each of them is found once.
    fn takes(&self, carried: &Said, taken: &mut [bool]) -> bool {
        let found = self.said.iter().zip(taken).find(|(known, taken)| {
            let same = match &carried.end {
                Some(end) => {
                    known.text.starts_with(&carried.text) && known.text.ends_with(end.as_str())
                }
                None => known.text == carried.text,
            };
            same && !**taken
        });
        match found {
            Some((_, taken)) => {
                *taken = true;
                true
            }
            None => false,
        }
    }

    /// How many messages there are, those included that an earlier compaction left out.
    pub(super) fn count(&self) -> usize {
        self.said.len() + self.named.len() + self.unnamed
    }

    /// Whether the user wrote nothing that is known.
    pub(super) fn is_empty(&self) -> bool {
        self.said.is_empty() && self.named.is_empty() && self.unnamed == 0
    }

    /// The messages in their fences, at most `room` tokens: the newest whole, of pasted ones the beginning and the
    /// end, and those for which there is no room by their first words.
    pub(super) fn render(&self, weights: &dyn Estimate, room: u64) -> String {
        let mut left = room;
        let mut shown = Vec::new();
        let mut out = Vec::new();
        let total: u64 = self
            .said
            .iter()
            .map(|said| weights.text(&said.rendered()))
            .sum();
        for said in self.said.iter().rev() {
            let whole = said.rendered();
            let weight = weights.text(&whole);
            if weight <= left {
                left -= weight;
                shown.push(whole);
            } else if total > room && weight > room / PASTED && left > 0 {
                let rest = left.min(room / PASTED);
                match said.within(weights, rest) {
                    Some(part) => {
                        left -= weights.text(&part).min(left);
                        shown.push(part);
                    }
                    None => out.push(said.name()),
                }
            } else {
                out.push(said.name());
            }
        }
        shown.reverse();
        out.extend(self.named.iter().rev().cloned());
        shown.concat() + &self.left_out(&out)
    }

    /// The names of what is not shown, newest first.
    fn left_out(&self, out: &[String]) -> String {
        let unnamed = self.unnamed + out.len().saturating_sub(NAMED);
        let mut lines: Vec<String> = out
            .iter()
            .take(NAMED)
            .map(|name| format!("- {name}"))
            .collect();
        if unnamed > 0 {
            lines.push(format!("{unnamed} more before these"));
        }
        lines.reverse();
        match lines.is_empty() {
            true => String::new(),
            false => fenced(LEFT_OUT, &lines.join("\n")),
        }
    }
}

impl Said {
    fn rendered(&self) -> String {
        match &self.end {
            Some(end) => fenced(SAID, &format!("{}{CUT}{end}", self.text)),
            None => fenced(SAID, &self.text),
        }
    }

    /// Its first words, in one line.
    fn name(&self) -> String {
        let words: Vec<&str> = self.text.split_whitespace().take(24).collect();
        shortened(&words.join(" "), NAME_BYTES)
    }

    /// Its beginning and its end in so many tokens, if there is any sense in it.
    fn within(&self, weights: &dyn Estimate, room: u64) -> Option<String> {
        let end = self.end.as_deref().unwrap_or(&self.text);
        let mut bytes = self.text.len() / 2;
        while bytes >= NAME_BYTES {
            let head = self.text.get(..self.text.floor_char_boundary(bytes))?;
            let from = end.len().saturating_sub(bytes);
            let tail = end.get(end.ceil_char_boundary(from)..)?;
            let part = fenced(SAID, &format!("{head}{CUT}{tail}"));
            if weights.text(&part) <= room {
                return Some(part);
            }
            bytes = bytes * 3 / 4;
        }
        None
    }
}

/// A block that a client put beside the user's words.
fn is_reminder(words: &str) -> bool {
    let words = words.trim();
    words.starts_with("<system-reminder>") && words.ends_with("</system-reminder>")
}

fn leading_number(line: &str) -> usize {
    let digits: String = line.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap_or(0)
}
