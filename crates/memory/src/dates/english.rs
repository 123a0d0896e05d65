//! English phrases, matched word by word.

mod reader;

use jiff::civil::{Date, Weekday};

use super::Replacement;
use super::calendar::{
    MONTHS, Unit, coming, day_of_week, end_of, latest, month_name, quarter, shifted, start_of,
};

use reader::{Reader, words};

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
                    let to = like(text.get(range.clone()).unwrap_or_default(), phrase.to);
                    found.push(Replacement { range, to });
                }
                at += phrase.words;
            }
            None => at += 1,
        }
    }
    found
}

/// The new text with a capital where the old one had it.
fn like(old: &str, new: String) -> String {
    let mut characters = new.chars();
    match characters.next() {
        Some(first) if old.starts_with(|letter: char| letter.is_ascii_uppercase()) => {
            first.to_ascii_uppercase().to_string() + characters.as_str()
        }
        _ => new,
    }
}

/// A matched phrase: words before the place that it takes along, words from it on, new text.
struct Phrase {
    back: usize,
    words: usize,
    to: String,
}

impl Reader<'_> {
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
            Unit::Month => self.within(format!("{} {}", month_name(date), date.year())),
            Unit::Quarter => self.within(format!("Q{} {}", quarter(date), date.year())),
            Unit::Year => self.within(date.year().to_string()),
        };
        Some(Phrase {
            back: 0,
            words: 2,
            to,
        })
    }

    /// A month, quarter or year with the "in" that "next month" does without, where it says when.
    fn within(&self, period: String) -> String {
        let bound = matches!(
            self.before(1),
            Some(
                "in" | "by"
                    | "until"
                    | "till"
                    | "from"
                    | "to"
                    | "for"
                    | "of"
                    | "since"
                    | "before"
                    | "after"
                    | "during"
                    | "through"
                    | "than"
                    | "early"
                    | "late"
                    | "mid"
                    | "and"
                    | "or"
                    | "is"
                    | "was"
                    | "about"
                    | "over"
            )
        );
        let subject = matches!(
            self.word(2),
            Some("is" | "was" | "will" | "has" | "and" | "or" | "to")
        );
        let possessive = self.words.get(self.at + 1).is_some_and(|word| {
            self.text
                .get(word.range.end..)
                .is_some_and(|after| after.starts_with(['\'', '’', '-']))
        });
        if bound || subject || possessive {
            period
        } else {
            format!("in {period}")
        }
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
