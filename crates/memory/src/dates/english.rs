//! English phrases, matched word by word.

use std::ops::Range;

use jiff::civil::{Date, Weekday};

use super::Replacement;
use super::calendar::{
    MONTHS, Unit, coming, day_of_week, end_of, latest, month_name, quarter, shifted, start_of,
};

/// The relative dates of a text, in order.
pub(super) fn find(text: &str, today: Date) -> Vec<Replacement> {
    let words = words(text);
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let reader = Reader {
            text,
            words: &words,
            at,
            today,
        };
        match reader.phrase() {
            Some(phrase) => {
                let start = at - phrase.back;
                let first = words.get(start);
                let last = words.get(at + phrase.words - 1);
                if let (Some(first), Some(last)) = (first, last) {
                    let range = first.range.start..last.range.end;
                    found.push(Replacement {
                        range,
                        to: phrase.to,
                    });
                }
                at += phrase.words;
            }
            None => at += 1,
        }
    }
    found
}

/// A run of ASCII letters and digits, and how it hangs together with the one before.
struct Word {
    range: Range<usize>,
    lower: String,
    /// Only white space stands between this word and the one before.
    follows: bool,
    /// A sentence begins here.
    opens: bool,
    /// Glued to a sign that makes it part of a name, a path or an identifier.
    glued: bool,
}

fn words(text: &str) -> Vec<Word> {
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

/// A matched phrase: words before the place that it takes along, words from it on, new text.
struct Phrase {
    back: usize,
    words: usize,
    to: String,
}

/// Looks at the words from one place on.
struct Reader<'a> {
    text: &'a str,
    words: &'a [Word],
    at: usize,
    today: Date,
}

impl<'a> Reader<'a> {
    /// The word so many places on, if it hangs together with those before it.
    fn word(&self, ahead: usize) -> Option<&'a str> {
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
    fn before(&self, back: usize) -> Option<&'a str> {
        let start = self.at.checked_sub(back)?;
        let linked = self
            .words
            .get(start + 1..=self.at)?
            .iter()
            .all(|word| word.follows);
        linked.then(|| self.words.get(start).map(|word| word.lower.as_str()))?
    }

    /// Whether the words of a phrase stand free of paths, names and identifiers.
    fn free(&self, words: usize) -> bool {
        self.words
            .get(self.at..self.at + words)
            .is_some_and(|words| words.iter().all(|word| !word.glued))
    }

    fn phrase(&self) -> Option<Phrase> {
        let phrase = self
            .named_day()
            .or_else(|| self.end_or_start())
            .or_else(|| self.relative_period())
            .or_else(|| self.counted())
            .or_else(|| self.bare_weekday())?;
        self.free(phrase.words).then_some(phrase)
    }

    fn days(&self, count: i64) -> Option<String> {
        Some(shifted(self.today, count, Unit::Day)?.to_string())
    }

    /// today, tomorrow, tonight, the day after tomorrow, last night, this morning, EOD.
    fn named_day(&self) -> Option<Phrase> {
        let words = [self.word(0), self.word(1), self.word(2), self.word(3)];
        let (count, to) = match words {
            [Some("the"), Some("day"), Some("after"), Some("tomorrow")] => (4, self.days(2)?),
            [Some("the"), Some("day"), Some("before"), Some("yesterday")] => (4, self.days(-2)?),
            [Some("day"), Some("after"), Some("tomorrow"), _] => (3, self.days(2)?),
            [Some("day"), Some("before"), Some("yesterday"), _] => (3, self.days(-2)?),
            [Some("last"), Some("night"), ..] => (2, format!("the night of {}", self.days(-1)?)),
            [
                Some("this"),
                Some(part @ ("morning" | "afternoon" | "evening")),
                ..,
            ] => (2, format!("the {part} of {}", self.days(0)?)),
            // "today's models" means those of our time.
            [Some("today"), ..] if !self.possessive() => (1, self.days(0)?),
            [Some("tomorrow"), ..] => (1, self.days(1)?),
            [Some("yesterday"), ..] => (1, self.days(-1)?),
            [Some("tonight"), ..] => (1, format!("the night of {}", self.days(0)?)),
            [Some("eod"), ..] => (1, format!("the end of {}", self.days(0)?)),
            _ => return None,
        };
        Some(Phrase {
            back: 0,
            words: count,
            to,
        })
    }

    fn possessive(&self) -> bool {
        let end = self.words.get(self.at).map_or(0, |word| word.range.end);
        let after = self.text.get(end..).unwrap_or_default();
        after.starts_with("'s") || after.starts_with("’s")
    }

    /// (the) end of (this | next | the) week / month / quarter / year; EOW, EOM, EOQ, EOY.
    fn end_or_start(&self) -> Option<Phrase> {
        let short = match self.word(0)? {
            "eow" => Some(Unit::Week),
            "eom" => Some(Unit::Month),
            "eoq" => Some(Unit::Quarter),
            "eoy" => Some(Unit::Year),
            _ => None,
        };
        if let Some(unit) = short {
            return Some(Phrase {
                back: 0,
                words: 1,
                to: end_of(self.today, unit, 0)?.to_string(),
            });
        }
        let article = usize::from(self.word(0)? == "the");
        let last = match self.word(article)? {
            "end" => true,
            "start" | "beginning" => false,
            _ => return None,
        };
        if self.word(article + 1)? != "of" || self.habit() {
            return None;
        }
        let (count, step) = match self.word(article + 2)? {
            "next" => (1, 1),
            "this" | "the" => (0, 1),
            "last" => (-1, 1),
            _ => (0, 0),
        };
        let unit = unit_of(self.word(article + 2 + step)?).filter(|unit| *unit != Unit::Day)?;
        let date = if last {
            end_of(self.today, unit, count)?
        } else {
            start_of(self.today, unit, count)?
        };
        // "at 2026-11-30" reads badly: the preposition goes along.
        let at = self.before(1) == Some("at");
        let to = if at {
            format!("on {date}")
        } else {
            date.to_string()
        };
        Some(Phrase {
            back: usize::from(at),
            words: article + 3 + step,
            to,
        })
    }

    /// next | this | last | coming, with a weekday, week, weekend, month, quarter, year or month's name.
    fn relative_period(&self) -> Option<Phrase> {
        let count = match self.word(0)? {
            "next" => 1_i8,
            "this" | "coming" | "upcoming" => 0,
            "last" | "previous" | "past" => -1,
            _ => return None,
        };
        let coming_only = matches!(self.word(0)?, "coming" | "upcoming" | "past" | "previous");
        let name = self.word(1)?;
        if let Some(weekday) = weekday_of(name) {
            let date = match self.word(0)? {
                "next" => day_of_week(self.today, weekday, 1),
                "this" => day_of_week(self.today, weekday, 0),
                "coming" | "upcoming" => coming(self.today, weekday),
                _ => latest(self.today, weekday),
            }?;
            // "this coming Friday", "the coming Friday", "on next Friday" keep their first word.
            let back = usize::from(coming_only && matches!(self.before(1), Some("this" | "the")));
            return Some(Phrase {
                back,
                words: 2,
                to: date.to_string(),
            });
        }
        if coming_only {
            return None;
        }
        // "in the next week" counts days from now; "the last month" may be any.
        if matches!(self.before(1), Some("the" | "each" | "every" | "a" | "per")) {
            return None;
        }
        if let Some(number) = month_of(name).filter(|_| self.capitalised(1)) {
            let year = match (count, number.cmp(&self.today.month())) {
                (1, std::cmp::Ordering::Greater) | (-1, std::cmp::Ordering::Less) | (0, _) => 0,
                _ => i16::from(count),
            };
            let date = Date::new(self.today.year().checked_add(year)?, number, 1).ok()?;
            return Some(Phrase {
                back: 0,
                words: 2,
                to: format!("{} {}", month_name(date), date.year()),
            });
        }
        let count = i64::from(count);
        if name == "weekend" {
            let saturday = day_of_week(self.today, Weekday::Saturday, count)?;
            return Some(Phrase {
                back: 0,
                words: 2,
                to: format!("the weekend of {saturday}"),
            });
        }
        let unit = singular_unit(name)?;
        let date = start_of(self.today, unit, count)?;
        let to = match unit {
            Unit::Day => return None,
            Unit::Week
                if matches!(
                    self.before(1),
                    Some("early" | "late" | "later" | "earlier" | "sometime")
                ) =>
            {
                format!("in the week of {date}")
            }
            Unit::Week => format!("the week of {date}"),
            Unit::Month => format!("{} {}", month_name(date), date.year()),
            Unit::Quarter => format!("Q{} {}", quarter(date), date.year()),
            Unit::Year => date.year().to_string(),
        };
        Some(Phrase {
            back: 0,
            words: 2,
            to,
        })
    }

    fn capitalised(&self, ahead: usize) -> bool {
        self.words
            .get(self.at + ahead)
            .and_then(|word| self.text.get(word.range.clone()))
            .is_some_and(|word| word.starts_with(|first: char| first.is_ascii_uppercase()))
    }

    /// in 3 days, in two weeks; 3 days ago, a week ago; 3 days from now.
    fn counted(&self) -> Option<Phrase> {
        let ahead = usize::from(self.word(0)? == "in");
        let (words, count) = number(self, ahead)?;
        let unit = unit_of(self.word(ahead + words)?)?;
        let tail = ahead + words + 1;
        let (sign, length) = match (self.word(tail), self.word(tail + 1)) {
            (Some("ago"), _) if ahead == 0 => (-1, tail + 1),
            (Some("from"), Some("now" | "today")) if ahead == 0 => (1, tail + 2),
            // "took place in 3 days", "once in 2 weeks" and "in 3 days' time" are lengths or habits.
            _ if ahead == 1 && !self.past() && !self.habit() && !self.is_rate() => (1, tail),
            _ => return None,
        };
        let bound = matches!(
            self.before(1),
            Some("since" | "from" | "until" | "till" | "before" | "after" | "by" | "of")
        );
        let date = shifted(self.today, sign * count, unit)?;
        let (preposition, date) = match unit {
            Unit::Day | Unit::Week => ("on ", date.to_string()),
            Unit::Month | Unit::Quarter => ("in ", format!("{} {}", month_name(date), date.year())),
            Unit::Year => ("in ", date.year().to_string()),
        };
        let to = if bound {
            date
        } else {
            format!("{preposition}{date}")
        };
        Some(Phrase {
            back: 0,
            words: length,
            to,
        })
    }

    /// "once in 3 days", "every … in 2 weeks".
    fn is_rate(&self) -> bool {
        matches!(
            self.before(1),
            Some("once" | "twice" | "times" | "only" | "done" | "finished")
        )
    }

    /// A weekday after a preposition that ties it to one day: by, on, until, before, since, …
    fn bare_weekday(&self) -> Option<Phrase> {
        let preposition = self.word(0)?;
        let weekday = weekday_of(self.word(1)?).filter(|_| self.capitalised(1))?;
        let plural = matches!(
            self.word(2),
            Some("mornings" | "afternoons" | "evenings" | "nights")
        );
        if plural || self.habit() {
            return None;
        }
        let date = match preposition {
            "since" => latest(self.today, weekday),
            "on" | "from" | "after" | "before" | "until" | "till" if self.past() => {
                latest(self.today, weekday)
            }
            "by" | "on" | "until" | "till" | "before" | "after" | "from" | "due" | "through"
            | "starting" | "for" => coming(self.today, weekday),
            _ => return None,
        }?;
        Some(Phrase {
            back: 0,
            words: 2,
            to: format!("{} {date}", self.original(0)),
        })
    }

    fn original(&self, ahead: usize) -> &'a str {
        self.words
            .get(self.at + ahead)
            .and_then(|word| self.text.get(word.range.clone()))
            .unwrap_or_default()
    }

    /// The words of the sentence around the place.
    fn sentence(&self) -> &'a [Word] {
        let start = self
            .words
            .get(..=self.at)
            .and_then(|words| words.iter().rposition(|word| word.opens))
            .unwrap_or(0);
        let end = self
            .words
            .get(self.at + 1..)
            .and_then(|words| words.iter().position(|word| word.opens))
            .map_or(self.words.len(), |offset| self.at + 1 + offset);
        // A sentence of thousands of words is no sentence; its far ends say nothing of this place.
        const REACH: usize = 40;
        let start = start.max(self.at.saturating_sub(REACH));
        let end = end.min(self.at + REACH);
        self.words.get(start..end).unwrap_or_default()
    }

    /// Whether the sentence speaks of what is always so.
    fn habit(&self) -> bool {
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
    fn past(&self) -> bool {
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

/// A count: digits, a number word, "a", "a couple of"; its words and value.
fn number(reader: &Reader<'_>, ahead: usize) -> Option<(usize, i64)> {
    const NAMES: [&str; 12] = [
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    let word = reader.word(ahead)?;
    if matches!(
        (word, reader.word(ahead + 1), reader.word(ahead + 2)),
        ("a", Some("couple"), Some("of"))
    ) {
        return Some((3, 2));
    }
    if matches!(word, "a" | "an") {
        return Some((1, 1));
    }
    if let Some(place) = NAMES.iter().position(|name| *name == word) {
        return Some((1, i64::try_from(place).ok()? + 1));
    }
    (word.len() <= 4).then_some(())?;
    Some((1, word.parse().ok()?))
}

fn singular_unit(word: &str) -> Option<Unit> {
    Some(match word {
        "week" => Unit::Week,
        "month" => Unit::Month,
        "quarter" => Unit::Quarter,
        "year" => Unit::Year,
        _ => return None,
    })
}

fn unit_of(word: &str) -> Option<Unit> {
    if matches!(word, "day" | "days") {
        return Some(Unit::Day);
    }
    singular_unit(word.strip_suffix('s').unwrap_or(word))
}

fn weekday_of(word: &str) -> Option<Weekday> {
    Some(match word {
        "monday" => Weekday::Monday,
        "tuesday" => Weekday::Tuesday,
        "wednesday" => Weekday::Wednesday,
        "thursday" => Weekday::Thursday,
        "friday" => Weekday::Friday,
        "saturday" => Weekday::Saturday,
        "sunday" => Weekday::Sunday,
        _ => return None,
    })
}

fn month_of(word: &str) -> Option<i8> {
    let place = MONTHS
        .iter()
        .position(|month| month.eq_ignore_ascii_case(word))?;
    i8::try_from(place + 1).ok()
}
