//! What the user said outright, found without a model.
//!
//! Precision before recall: a wrong memory costs more than none, so a sentence counts only when it opens with words that
//! make it a standing wish, a fact about the person, a dated plan or the place where something lives. Questions, quoted
//! text, code, logs and text that was handed over to be translated or summarised are not the user's wishes.

mod chinese;
mod english;
mod excluded;
mod speech;

use std::ops::Range;

use jiff::civil::Date;
use memdir_memory::MemoryType;

/// Something the user asked to be kept or forgotten.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wish {
    /// To keep it, as which kind, or to forget it.
    pub act: Act,
    /// What to keep, or what to forget, in the user's words.
    pub text: String,
    /// The bytes of the message it stands on.
    pub evidence: Range<usize>,
    /// The rule that found it, for people who ask why.
    pub rule: &'static str,
}

/// What is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// Keep it as a memory of this type.
    Keep(MemoryType),
    /// Forget what is known of it.
    Forget,
}

/// What one message of the user asks for. `today` is the day on which it was written.
///
/// ```
/// use memdir_agent::rules::{Act, wishes};
/// use memdir_memory::MemoryType;
///
/// let today = "2026-11-16".parse().unwrap();
/// let found = wishes("Thanks! From now on, run the linter before you commit.", today);
/// assert_eq!(found[0].act, Act::Keep(MemoryType::Feedback));
/// assert_eq!(found[0].text, "From now on, run the linter before you commit.");
/// assert!(wishes("Do you remember what we did yesterday?", today).is_empty());
/// ```
#[must_use]
pub fn wishes(message: &str, today: Date) -> Vec<Wish> {
    let sentences = speech::sentences(message);
    let mut found: Vec<Wish> = Vec::new();
    let mut reasons = false;
    for sentence in &sentences {
        if reasons && speech::gives_a_reason(sentence) {
            if let Some(last) = found.last_mut() {
                last.text = format!("{} {}", last.text, sentence.text);
                last.evidence.end = sentence.range.end;
            }
            continue;
        }
        let match_of = match sentence.chinese {
            true => chinese::find(sentence, today),
            false => english::find(sentence, today),
        };
        reasons = false;
        let Some(found_here) = match_of else { continue };
        if excluded::is_excluded(&found_here) {
            continue;
        }
        reasons = matches!(found_here.act, Act::Keep(_));
        if !found.iter().any(|wish| wish.text == found_here.text) {
            found.push(found_here);
        }
    }
    found
}

/// A wish that a rule found in a sentence: from this byte of the sentence on.
fn wish(
    sentence: &speech::Sentence<'_>,
    from: usize,
    act: Act,
    rule: &'static str,
) -> Option<Wish> {
    let text = sentence.text.get(from..)?;
    let text = text.trim_start_matches([' ', ',', ':', ';', '-', '—', '，', '：', '、']);
    let mut text = text.trim().to_owned();
    let first = text.chars().next()?;
    if first.is_ascii_lowercase() {
        text.replace_range(..1, &first.to_ascii_uppercase().to_string());
    }
    Some(Wish {
        act,
        text,
        evidence: sentence.range.clone(),
        rule,
    })
}

/// The entries of a list of words.
fn items(list: &str) -> impl Iterator<Item = &str> {
    list.split(';').map(str::trim)
}
