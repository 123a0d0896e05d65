//! What the user said outright, found without a model.
//!
//! Precision before recall: a wrong memory costs more than none, so a sentence counts only when its words make it a
//! standing wish, a fact about the person, a plan or decision, or the place where something lives. Questions, quoted
//! text, code, logs, letters and text that was handed over to be translated or summarised are not the user's wishes.

mod chinese;
mod english;
mod excluded;
mod phrases;
mod sieve;
mod speech;

use std::ops::Range;

use jiff::civil::Date;
use memdir_memory::MemoryType;

use speech::{Found, Sentence};

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
    if !sieve::may_hold_a_wish(message) {
        return Vec::new();
    }
    let mut all: Vec<Found> = Vec::new();
    let mut before: Option<Sentence<'_>> = None;
    for sentence in speech::sentences(message) {
        let here = found(&sentence, before.as_ref(), today);
        let next_to =
            |earlier: &Found| adjoins(message, earlier.evidence.end, sentence.range.start);
        match (here, all.last_mut()) {
            // Said in one breath: one memory.
            (Some(here), Some(last))
                if last.act == here.act && next_to(last) && !is_forget(&here) =>
            {
                last.evidence.end = here.evidence.end;
                last.said.end = here.said.end;
            }
            (Some(here), _) => all.push(here),
            (None, Some(last)) if !is_forget(last) && next_to(last) && goes_on(&sentence) => {
                last.evidence.end = sentence.range.end;
                last.said.end = sentence.range.end;
            }
            (None, _) => {}
        }
        before = Some(sentence);
    }
    let mut wishes: Vec<Wish> = Vec::new();
    for wish in all.into_iter().filter_map(|found| wish(message, found)) {
        let again = wishes.iter().any(|earlier| earlier.text == wish.text);
        if !again && !excluded::is_excluded(&wish) {
            wishes.push(wish);
        }
    }
    wishes
}

/// What of a message the user says themselves: not what is quoted, pasted or handed over, and not what is asked about.
pub(crate) fn own_speech(message: &str) -> String {
    let sentences = speech::sentences(message);
    let is_wish = |sentence: &Sentence<'_>| !wishes(sentence.text, Date::default()).is_empty();
    let own = sentences
        .iter()
        .filter(|sentence| !sentence.question || is_wish(sentence));
    own.map(speech::unquoted).collect::<Vec<_>>().join("\n")
}

/// What a sentence asks for, which may be that the one before it be kept.
fn found(sentence: &Sentence<'_>, before: Option<&Sentence<'_>>, today: Date) -> Option<Found> {
    let here = match sentence.chinese {
        _ if !sieve::may_hold_a_wish(sentence.text) => None,
        true => chinese::find(sentence, today),
        false => english::find(sentence, today),
    };
    if here.is_some() || !is_reminder(sentence) {
        return here;
    }
    let told = before?;
    let same_line = !told.text.ends_with('\n') && told.range.end <= sentence.range.start;
    let kind = match told.chinese {
        true => chinese::kind_of_told(told, today),
        false if english::is_repetition(sentence) => {
            let again = english::praises(told) || english::rules_out(told);
            again.then_some(MemoryType::Feedback)
        }
        false => english::kind_of_told(told, today),
    };
    let kind = kind.filter(|_| same_line)?;
    Some(Found {
        act: Act::Keep(kind),
        said: told.range.start..sentence.range.end,
        evidence: told.range.start..sentence.range.end,
        rule: "remember",
    })
}

fn is_reminder(sentence: &Sentence<'_>) -> bool {
    chinese::is_reminder(sentence) || english::is_reminder(sentence)
}

/// Whether a sentence only adds to the wish before it.
fn goes_on(sentence: &Sentence<'_>) -> bool {
    speech::gives_a_reason(sentence) || is_reminder(sentence)
}

fn is_forget(found: &Found) -> bool {
    found.act == Act::Forget
}

/// Whether nothing but spaces stands between the end of one thing and the start of another on the same line.
fn adjoins(message: &str, end: usize, start: usize) -> bool {
    message
        .get(end..start)
        .is_some_and(|gap| gap.chars().all(|gap| gap == ' '))
}

/// What was found, in the user's words.
fn wish(message: &str, found: Found) -> Option<Wish> {
    let text = message.get(found.said)?;
    let text = text.trim_start_matches([' ', ',', ':', ';', '-', '—', '，', '：', '、']);
    let mut text = text.trim().to_owned();
    let first = text.chars().next()?;
    if first.is_ascii_lowercase() {
        text.replace_range(..1, &first.to_ascii_uppercase().to_string());
    }
    Some(Wish {
        act: found.act,
        text,
        evidence: found.evidence,
        rule: found.rule,
    })
}
