//! The words of a text and the looks around one of them.

use std::ops::Range;

use jiff::civil::Date;

/// A run of ASCII letters and digits, and how it hangs together with the one before.
pub(super) struct Word {
    pub(super) range: Range<usize>,
    pub(super) lower: String,
    /// Only white space stands between this word and the one before.
    pub(super) follows: bool,
    /// A sentence begins here.
    pub(super) opens: bool,
    /// Glued to a sign that makes it part of a name, a path or an identifier.
    pub(super) glued: bool,
}

pub(super) fn words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut at = 0;
    while let Some(offset) = text.get(at..).and_then(|rest| rest.find(is_word)) {
        let start = at + offset;
        let rest = text.get(start..).unwrap_or_default();
        let length = rest
            .find(|character| !is_word(character))
            .unwrap_or(rest.len());
        let gap = text.get(at..start).unwrap_or_default();
        let after = text.get(start + length..).unwrap_or_default();
        words.push(Word {
            range: start..start + length,
            lower: rest.get(..length).unwrap_or_default().to_ascii_lowercase(),
            follows: !words.is_empty()
                && !gap.is_empty()
                && gap.chars().all(char::is_whitespace)
                && !gap.contains("\n\n"),
            opens: words.is_empty() || gap.contains(['.', '!', '?', ';', '\n', ':', '。']),
            glued: gap.ends_with(['/', '\\', '-', '_', '@', '#', '.', '$', '=', '\''])
                && !gap.ends_with("- ")
                || gap.chars().next_back().is_some_and(char::is_alphanumeric)
                || is_glue(after),
        });
        at = start + length;
    }
    words
}

fn is_word(character: char) -> bool {
    character.is_ascii_alphanumeric()
}

/// Whether what follows a word makes it part of something longer.
fn is_glue(after: &str) -> bool {
    let mut characters = after.chars();
    match characters.next() {
        Some('/' | '\\' | '_' | '-' | '@' | '(' | '=') => true,
        Some('.' | ':') => characters.next().is_some_and(char::is_alphanumeric),
        Some(other) => {
            !other.is_ascii() && other.is_alphabetic() && !crate::words::is_unspaced(other)
        }
        None => false,
    }
}

/// Looks at the words from one place on.
pub(super) struct Reader<'a> {
    pub(super) text: &'a str,
    pub(super) words: &'a [Word],
    pub(super) at: usize,
    pub(super) today: Date,
}

impl<'a> Reader<'a> {
    /// The word so many places on, if it hangs together with those before it.
    pub(super) fn word(&self, ahead: usize) -> Option<&'a str> {
        let words = self.words.get(self.at..=self.at + ahead)?;
        let whole = words.iter().skip(1).all(|word| word.follows);
        let inner_glued = words
            .iter()
            .rev()
            .skip(1)
            .any(|word| is_glued_after(self.text, word));
        (whole && !inner_glued).then(|| words.last().map(|word| word.lower.as_str()))?
    }

    /// The word so many places back.
    pub(super) fn before(&self, back: usize) -> Option<&'a str> {
        let start = self.at.checked_sub(back)?;
        let linked = self
            .words
            .get(start + 1..=self.at)?
            .iter()
            .all(|word| word.follows);
        linked.then(|| self.words.get(start).map(|word| word.lower.as_str()))?
    }

    /// Whether the words of a phrase stand free of paths, names and identifiers.
    pub(super) fn free(&self, words: usize) -> bool {
        self.words
            .get(self.at..self.at + words)
            .is_some_and(|words| words.iter().all(|word| !word.glued))
    }

    pub(super) fn possessive(&self) -> bool {
        let end = self.words.get(self.at).map_or(0, |word| word.range.end);
        let after = self.text.get(end..).unwrap_or_default();
        after.starts_with("'s") || after.starts_with("’s")
    }

    pub(super) fn capitalised(&self, ahead: usize) -> bool {
        self.words
            .get(self.at + ahead)
            .and_then(|word| self.text.get(word.range.clone()))
            .is_some_and(|word| word.starts_with(|first: char| first.is_ascii_uppercase()))
    }

    pub(super) fn original(&self, ahead: usize) -> &'a str {
        self.words
            .get(self.at + ahead)
            .and_then(|word| self.text.get(word.range.clone()))
            .unwrap_or_default()
    }

    /// The words of the sentence around the place.
    pub(super) fn sentence(&self) -> &'a [Word] {
        // A sentence of thousands of words is no sentence; its far ends say nothing of this place.
        const REACH: usize = 40;
        let earliest = self.at.saturating_sub(REACH);
        let start = self
            .words
            .get(earliest..=self.at)
            .and_then(|words| words.iter().rposition(|word| word.opens))
            .map_or(earliest, |offset| earliest + offset);
        let latest = self.words.len().min(self.at + REACH);
        let end = self
            .words
            .get(self.at + 1..latest)
            .and_then(|words| words.iter().position(|word| word.opens))
            .map_or(latest, |offset| self.at + 1 + offset);
        self.words.get(start..end).unwrap_or_default()
    }

    /// Whether the sentence speaks of what is always so.
    pub(super) fn habit(&self) -> bool {
        self.sentence().iter().any(|word| {
            matches!(
                word.lower.as_str(),
                "never"
                    | "always"
                    | "every"
                    | "each"
                    | "usually"
                    | "weekly"
                    | "monthly"
                    | "whenever"
                    | "normally"
                    | "often"
            )
        })
    }

    /// Whether the sentence speaks of what has happened.
    pub(super) fn past(&self) -> bool {
        let mut before = "";
        let (mut past, mut future) = (false, false);
        for word in self.sentence() {
            let word = word.lower.as_str();
            let passive = matches!(
                before,
                "is" | "are" | "be" | "been" | "being" | "get" | "gets"
            );
            past |= matches!(
                word,
                "was"
                    | "were"
                    | "did"
                    | "had"
                    | "went"
                    | "broke"
                    | "came"
                    | "said"
                    | "met"
                    | "took"
                    | "began"
                    | "told"
                    | "got"
                    | "fell"
                    | "made"
                    | "ran"
                    | "cut"
                    | "lost"
                    | "found"
            ) || (word.len() > 4
                && word.ends_with("ed")
                && !passive
                && !matches!(
                    word,
                    "need" | "speed" | "embed" | "exceed" | "proceed" | "indeed"
                ));
            future |= matches!(
                word,
                "will"
                    | "must"
                    | "should"
                    | "shall"
                    | "due"
                    | "planned"
                    | "scheduled"
                    | "going"
                    | "needs"
                    | "need"
            );
            before = word;
        }
        past && !future
    }
}

/// Whether a word is directly followed by a sign other than white space.
fn is_glued_after(text: &str, word: &Word) -> bool {
    text.get(word.range.end..)
        .and_then(|after| after.chars().next())
        .is_some_and(|next| !next.is_whitespace())
}
