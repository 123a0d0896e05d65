//! Text a person cannot see: found, named and taken out before it reaches the disk or a prompt.
//!
//! A character is hidden when it draws nothing and its place gives it no honest work. The same
//! joiner that spells a Persian word is a smuggled bit between two Latin letters, so most of the
//! decisions look at the neighbours. They look only at what is kept before and at the next
//! visible character after: that makes [`clean`] idempotent, because neither changes by cleaning.

mod scripts;

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use scripts::{
    breaks_by_zero_width, is_arabic_like, is_emoji, is_ideograph, is_indic, is_mongolian,
    is_right_to_left, is_variation_base, joins_letters,
};

/// What sort of hidden character was met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Unicode tag characters: an invisible alphabet.
    Tag,
    /// Bidirectional overrides, embeddings and isolates, and stray direction marks.
    Direction,
    /// Zero-width spaces, word joiners, soft hyphens, byte order marks inside text.
    ZeroWidth,
    /// Joiners and non-joiners where no script needs them.
    Joiner,
    /// Variation selectors in runs, or after a character that has no variants.
    VariationSelector,
    /// C0 and C1 control characters other than tab and line ends.
    Control,
    /// The Unicode line and paragraph separators.
    Separator,
    /// Interlinear annotation and other invisible formatting marks.
    Annotation,
    /// Letters that draw nothing: Hangul fillers, Khmer inherent vowels.
    Filler,
    /// Invisible mathematical operators.
    Operator,
}

impl Kind {
    /// The name shown to a person.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tag => "tag character",
            Self::Direction => "direction control",
            Self::ZeroWidth => "zero-width character",
            Self::Joiner => "stray joiner",
            Self::VariationSelector => "variation selector",
            Self::Control => "control character",
            Self::Separator => "line separator",
            Self::Annotation => "formatting mark",
            Self::Filler => "invisible letter",
            Self::Operator => "invisible operator",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// One hidden character and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hidden {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Bytes it takes in the text.
    pub range: Range<usize>,
    /// What it is.
    pub kind: Kind,
}

/// A text without its hidden characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cleaned<'a> {
    /// The text; borrowed when nothing had to go.
    pub text: Cow<'a, str>,
    /// How many characters were taken out.
    pub removed: usize,
    /// How many of each kind, by kind; empty when nothing was removed.
    pub kinds: Vec<(Kind, usize)>,
}

impl Cleaned<'_> {
    /// A short notice such as `3 tag characters, 1 direction control`; none when nothing was
    /// removed.
    #[must_use]
    pub fn notice(&self) -> Option<String> {
        if self.kinds.is_empty() {
            return None;
        }
        let parts: Vec<String> = self
            .kinds
            .iter()
            .map(|(kind, count)| format!("{count} {kind}{}", if *count == 1 { "" } else { "s" }))
            .collect();
        Some(parts.join(", "))
    }
}

/// Every hidden character of a text, in order.
///
/// ```
/// use memdir_memory::hidden::{find, Kind};
///
/// let found = find("use tabs\u{E0041}\u{202E}");
/// assert_eq!(found.len(), 2);
/// assert_eq!(found[0].kind, Kind::Tag);
/// assert_eq!((found[0].line, found[0].column), (1, 9));
/// ```
#[must_use]
pub fn find(text: &str) -> Vec<Hidden> {
    if is_plain(text) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut kept = Kept::default();
    let (mut line, mut column) = (1, 0);
    let mut flag_until = 0;
    let mut right_to_left = LineDirection::default();
    for (at, character) in text.char_indices() {
        column += 1;
        let rest = text.get(at..).unwrap_or_default();
        let hidden = candidate(character).filter(|kind| {
            if *kind == Kind::Tag && kept.may_wave() {
                flag_until = at + flag_letters(rest);
            }
            at >= flag_until
                && !earns_its_place(character, rest, &kept, || {
                    right_to_left.of_line_at(text, at)
                })
        });
        match hidden {
            Some(kind) => {
                let range = at..at + character.len_utf8();
                found.push(Hidden {
                    line,
                    column,
                    range,
                    kind,
                });
                kept.skip(kind);
            }
            None => kept.push(character),
        }
        if character == '\n' {
            line += 1;
            column = 0;
        }
    }
    found
}

/// The text without hidden characters; separators become a space, everything else goes.
///
/// ```
/// use memdir_memory::hidden::clean;
///
/// let cleaned = clean("deploy\u{200B}\u{200B} \u{1F468}\u{200D}\u{1F469}");
/// assert_eq!(cleaned.text, "deploy \u{1F468}\u{200D}\u{1F469}");
/// assert_eq!(cleaned.notice().as_deref(), Some("2 zero-width characters"));
/// ```
#[must_use]
pub fn clean(text: &str) -> Cleaned<'_> {
    let found = find(text);
    if found.is_empty() {
        return Cleaned {
            text: Cow::Borrowed(text),
            removed: 0,
            kinds: Vec::new(),
        };
    }
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    let mut kinds: Vec<(Kind, usize)> = Vec::new();
    for hidden in &found {
        out.push_str(text.get(from..hidden.range.start).unwrap_or_default());
        if hidden.kind == Kind::Separator {
            // Removing it would glue two words together.
            out.push(' ');
        }
        from = hidden.range.end;
        match kinds.iter_mut().find(|(kind, _)| *kind == hidden.kind) {
            Some((_, count)) => *count += 1,
            None => kinds.push((hidden.kind, 1)),
        }
    }
    out.push_str(text.get(from..).unwrap_or_default());
    kinds.sort_unstable();
    Cleaned {
        text: Cow::Owned(out),
        removed: found.len(),
        kinds,
    }
}

/// How many bytes are looked at together.
const CHUNK: usize = 32;

/// Whether a text can be passed over: none of its characters could be hidden. Every text on its way to a prompt comes
/// through here, and nearly all of it is printable ASCII, which is recognised many bytes at a time.
fn is_plain(text: &str) -> bool {
    let (chunks, rest) = text.as_bytes().as_chunks::<CHUNK>();
    let mut chunks_at = chunks.iter().enumerate();
    chunks_at
        .all(|(number, chunk)| is_printable(chunk) || !has_candidate(text, number * CHUNK, chunk))
        && !has_candidate(text, chunks.len() * CHUNK, rest)
}

/// Whether there is nothing but printable ASCII and line ends. Of a fixed length and without a way out in the middle, so
/// that the compiler can take the bytes all at once.
fn is_printable(chunk: &[u8; CHUNK]) -> bool {
    let mut strange = 0;
    for byte in chunk {
        let printable = (byte.wrapping_sub(b' ') < 0x5F) | (*byte == b'\n') | (*byte == b'\r');
        strange |= u8::from(!printable);
    }
    strange == 0
}

fn has_candidate(text: &str, start: usize, chunk: &[u8]) -> bool {
    chunk.iter().enumerate().any(|(at, byte)| {
        BEGINS_CANDIDATE.get(usize::from(*byte)) == Some(&true)
            && text
                .get(start + at..)
                .and_then(|rest| rest.chars().next())
                .is_some_and(|character| candidate(character).is_some())
    })
}

/// Whether the encoding of a candidate can begin with a byte; most bytes of most texts cannot.
static BEGINS_CANDIDATE: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte: u8 = 0;
    loop {
        let begins = matches!(byte,
            0x00..=0x08 | 0x0B | 0x0C | 0x0E..=0x1F | 0x7F
            | 0xC2 | 0xCD | 0xD8 | 0xE1..=0xE3 | 0xEF | 0xF0 | 0xF3);
        #[expect(clippy::indexing_slicing, reason = "at compile time, within the table")]
        {
            table[byte as usize] = begins;
        }
        if byte == u8::MAX {
            break table;
        }
        byte += 1;
    }
};

const BLACK_FLAG: char = '\u{1F3F4}';
const EMOJI_SELECTOR: char = '\u{FE0F}';
const KEYCAP: char = '\u{20E3}';

/// Whether a character draws nothing, whatever stands beside it.
pub(crate) fn is_invisible(character: char) -> bool {
    candidate(character).is_some_and(|kind| kind != Kind::Separator)
}

/// The kind a character would have if nothing beside it speaks for it.
fn candidate(character: char) -> Option<Kind> {
    let kind = match character {
        '\t' | '\n' | '\r' => return None,
        ' '..='~' => return None,
        '\u{0085}' | '\u{2028}' | '\u{2029}' => Kind::Separator,
        '\u{0000}'..='\u{001F}' | '\u{007F}'..='\u{009F}' | '\u{FFFE}' | '\u{FFFF}' => {
            Kind::Control
        }
        '\u{00AD}' | '\u{200B}' | '\u{2060}' | '\u{FEFF}' | '\u{180E}' => Kind::ZeroWidth,
        '\u{200C}' | '\u{200D}' | '\u{034F}' => Kind::Joiner,
        '\u{061C}'
        | '\u{200E}'
        | '\u{200F}'
        | '\u{202A}'..='\u{202E}'
        | '\u{2066}'..='\u{2069}' => Kind::Direction,
        '\u{FE00}'..='\u{FE0F}'
        | '\u{180B}'..='\u{180D}'
        | '\u{180F}'
        | '\u{E0100}'..='\u{E01EF}' => Kind::VariationSelector,
        '\u{E0000}'..='\u{E00FF}' | '\u{E01F0}'..='\u{E0FFF}' => Kind::Tag,
        '\u{115F}' | '\u{1160}' | '\u{3164}' | '\u{FFA0}' | '\u{17B4}' | '\u{17B5}' => Kind::Filler,
        '\u{2061}'..='\u{2064}' => Kind::Operator,
        '\u{2065}'
        | '\u{206A}'..='\u{206F}'
        | '\u{FFF0}'..='\u{FFFB}'
        | '\u{1BCA0}'..='\u{1BCA3}'
        | '\u{1D173}'..='\u{1D17A}' => Kind::Annotation,
        _ => return None,
    };
    Some(kind)
}

/// The last two characters that stay.
#[derive(Default)]
struct Kept {
    before_last: Option<char>,
    last: Option<char>,
    /// Tag characters behind the last one were hidden already: no flag can begin after them.
    tagged: bool,
}

impl Kept {
    fn push(&mut self, character: char) {
        self.before_last = self.last;
        self.last = Some(character);
        self.tagged = false;
    }

    /// Passes over a hidden character, minding what takes its place.
    fn skip(&mut self, kind: Kind) {
        match kind {
            Kind::Separator => self.push(' '),
            Kind::Tag => self.tagged = true,
            _ => {}
        }
    }

    /// Whether the letters of a subdivision flag may follow.
    fn may_wave(&self) -> bool {
        self.last == Some(BLACK_FLAG) && !self.tagged
    }

    /// The last one that is visible by itself: an emoji selector stands for its base.
    fn emoji(&self) -> bool {
        match self.last {
            Some(EMOJI_SELECTOR) => self.before_last.is_some_and(is_emoji),
            Some(last) => is_emoji(last),
            None => false,
        }
    }
}

/// Whether a character that is hidden elsewhere does honest work here.
fn earns_its_place(
    character: char,
    rest: &str,
    kept: &Kept,
    right_to_left_line: impl FnOnce() -> bool,
) -> bool {
    let last = kept.last;
    match character {
        // A byte order mark at the very start is the file's, not the text's.
        '\u{FEFF}' => last.is_none(),
        '\u{200B}' => {
            last.is_some_and(breaks_by_zero_width)
                && next_visible(rest).is_some_and(breaks_by_zero_width)
        }
        '\u{180E}' => last.is_some_and(is_mongolian),
        '\u{180B}'..='\u{180D}' | '\u{180F}' => last.is_some_and(is_mongolian),
        '\u{034F}' => last.is_some_and(|last| ('\u{0591}'..='\u{05F4}').contains(&last)),
        '\u{200C}' => match (last, next_visible(rest)) {
            (Some(last), Some(next)) => {
                (joins_letters(last) && joins_letters(next))
                    // Latin words take Persian endings: "PDF" + non-joiner + plural.
                    || (last.is_alphanumeric() && is_arabic_like(next))
            }
            _ => false,
        },
        '\u{200D}' => {
            let next = next_visible(rest);
            (kept.emoji() && next.is_some_and(is_emoji))
                || last.is_some_and(is_indic)
                || last.is_some_and(is_arabic_like)
                || (last.is_some_and(is_mongolian) && next.is_some_and(is_mongolian))
        }
        '\u{061C}' | '\u{200E}' | '\u{200F}' => {
            last.is_none_or(|last| candidate(last) != Some(Kind::Direction)) && right_to_left_line()
        }
        EMOJI_SELECTOR if last.is_some_and(|last| matches!(last, '0'..='9' | '#' | '*')) => {
            rest.chars().nth(1) == Some(KEYCAP)
        }
        '\u{FE00}'..='\u{FE0F}' => last.is_some_and(is_variation_base),
        '\u{E0100}'..='\u{E01EF}' => last.is_some_and(is_ideograph),
        _ => false,
    }
}

/// The next character that is not a candidate itself.
///
/// Bounded, so that a payload of a million invisible characters does not cost a million looks
/// each: an honest sequence never has that many.
fn next_visible(rest: &str) -> Option<char> {
    const REACH: usize = 64;
    rest.chars()
        .skip(1)
        .take(REACH)
        .find_map(|character| match candidate(character) {
            None => Some(character),
            // It becomes a space.
            Some(Kind::Separator) => Some(' '),
            Some(_) => None,
        })
}

/// Bytes of the tag letters of a subdivision flag (England, Scotland, Wales, …) at the start of
/// `rest`, the closing tag included; none if they are not two to six letters and a close.
fn flag_letters(rest: &str) -> usize {
    const CLOSE: char = '\u{E007F}';
    let letters = rest
        .chars()
        .take_while(|tag| matches!(tag, '\u{E0030}'..='\u{E0039}' | '\u{E0061}'..='\u{E007A}'))
        .take(7)
        .count();
    let closed = rest.chars().nth(letters) == Some(CLOSE);
    if closed && (2..=6).contains(&letters) {
        (letters + 1) * CLOSE.len_utf8()
    } else {
        0
    }
}

/// Whether the line of a place has right-to-left letters, looked up once a line.
#[derive(Default)]
struct LineDirection {
    known: Option<(usize, bool)>,
}

impl LineDirection {
    fn of_line_at(&mut self, text: &str, at: usize) -> bool {
        let start = match self.known {
            // The cached end of line tells whether we are still on it.
            Some((end, answer)) if at < end => return answer,
            Some((end, _)) => end,
            None => 0,
        };
        let before = text.get(start..at).unwrap_or_default();
        let line_start = before
            .rfind('\n')
            .map_or(start, |newline| start + newline + 1);
        let after = text.get(at..).unwrap_or_default();
        let end = after.find('\n').map_or(text.len(), |newline| at + newline);
        let answer = text
            .get(line_start..end)
            .unwrap_or_default()
            .chars()
            .any(is_right_to_left);
        self.known = Some((end, answer));
        answer
    }
}

/// A text whose control and hidden characters stand as `<U+202E>`; line ends and tabs stay.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    let acts = |character: char| character.is_control() && !matches!(character, '\n' | '\t');
    if text.is_ascii() && !text.contains(acts) {
        return Cow::Borrowed(text);
    }
    let hidden = find(text);
    if hidden.is_empty() && !text.contains(acts) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    let mut places = hidden.iter().map(|hidden| hidden.range.start).peekable();
    for (at, character) in text.char_indices() {
        let is_hidden = places.next_if_eq(&at).is_some();
        // The end of a line as other systems write it is nothing to see.
        let ends_line = character == '\r'
            && text
                .get(at + 1..)
                .is_some_and(|rest| rest.starts_with('\n'));
        if !ends_line && (is_hidden || acts(character)) {
            shown.push_str(&format!("<U+{:04X}>", u32::from(character)));
        } else {
            shown.push(character);
        }
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::{BEGINS_CANDIDATE, candidate};

    #[test]
    fn no_candidate_is_passed_over() {
        for character in ('\0'..=char::MAX).filter(|character| candidate(*character).is_some()) {
            let byte = character.encode_utf8(&mut [0; 4]).as_bytes()[0];
            assert!(BEGINS_CANDIDATE[usize::from(byte)], "{character:?}");
        }
    }
}
