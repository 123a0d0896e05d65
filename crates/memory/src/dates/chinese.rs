//! Chinese phrases, matched character by character: the script has no spaces to cut at.

use jiff::civil::{Date, Weekday};

use super::Replacement;
use super::calendar::{Unit, coming, day_of_week, end_of, monday, quarter, shifted, start_of};

/// The relative dates of a text, in order.
pub(super) fn find(text: &str, today: Date) -> Vec<Replacement> {
    let mut found = Vec::new();
    if text.is_ascii() {
        return found;
    }
    let mut at = 0;
    let mut before: Option<char> = None;
    while let Some(rest) = text.get(at..) {
        let Some(first) = rest.chars().next() else {
            break;
        };
        match phrase(rest, before, today) {
            Some((length, to)) => {
                found.push(Replacement {
                    range: at..at + length,
                    to,
                });
                at += length;
                before = None;
            }
            None => {
                at += first.len_utf8();
                before = Some(first);
            }
        }
    }
    found
}

/// The phrase at the start of `rest`: its length and its absolute form.
fn phrase(rest: &str, before: Option<char>, today: Date) -> Option<(usize, String)> {
    named_day(rest, before, today)
        .or_else(|| weekday(rest, before, today))
        .or_else(|| end(rest, before, today))
        .or_else(|| period(rest, before, today))
        .or_else(|| counted(rest, before, today))
}

/// 今天, 明天, 后天 and their kin.
fn named_day(rest: &str, before: Option<char>, today: Date) -> Option<(usize, String)> {
    const DAYS: [(&str, i64, &str); 14] = [
        ("大后天", 3, ""),
        ("大前天", -3, ""),
        ("今天", 0, ""),
        ("今日", 0, ""),
        ("明天", 1, ""),
        ("明日", 1, ""),
        ("昨天", -1, ""),
        ("昨日", -1, ""),
        ("后天", 2, ""),
        ("前天", -2, ""),
        ("今晚", 0, "晚上"),
        ("明晚", 1, "晚上"),
        ("昨晚", -1, "晚上"),
        ("今早", 0, "早上"),
    ];
    let (word, days, part) = DAYS.iter().find(|(word, ..)| rest.starts_with(word))?;
    // 目前天气, 以后天天: the characters meet by chance.
    if before.is_some_and(|before| "目之以提从今最随然日先事会此午".contains(before))
        && (word.starts_with('后') || word.starts_with('前'))
    {
        return None;
    }
    Some((
        word.len(),
        format!("{}{part}", shifted(today, *days, Unit::Day)?),
    ))
}

/// 下周一, 本周三, 上星期五; 周五 alone only before 前, 之前 or 截止.
fn weekday(rest: &str, before: Option<char>, today: Date) -> Option<(usize, String)> {
    const WEEKS: [(&str, i64); 9] = [
        ("下下", 2),
        ("上上", -2),
        ("下个", 1),
        ("上个", -1),
        ("这个", 0),
        ("下", 1),
        ("上", -1),
        ("本", 0),
        ("这", 0),
    ];
    let prefix = WEEKS.iter().find(|(word, _)| rest.starts_with(word));
    let start = prefix.map_or(0, |(word, _)| word.len());
    let after = rest.get(start..)?;
    let week = ["周", "星期", "礼拜"]
        .into_iter()
        .find(|week| after.starts_with(week))?;
    let after = after.get(week.len()..)?;
    let name = after.chars().next()?;
    let day = weekday_of(name)?;
    let length = start + week.len() + name.len_utf8();
    if prefix.is_some() && before.is_some_and(ends_a_word) {
        return None;
    }
    if let Some((_, weeks)) = prefix {
        return Some((length, day_of_week(today, day, *weeks)?.to_string()));
    }
    let tail = rest.get(length..)?;
    let due = ["前", "之前", "以前", "截止", "到期"]
        .iter()
        .any(|word| tail.starts_with(word));
    let habit = before.is_some_and(|before| "每逢各".contains(before));
    (due && !habit).then_some(())?;
    Some((length, coming(today, day)?.to_string()))
}

/// Whether a character makes a word with the 上, 下, 本 or 后 after it: 以下周期, 版本周报, 之后年份.
fn ends_a_word(before: char) -> bool {
    "以之如目根日版基样文脚成课一".contains(before)
}

fn weekday_of(name: char) -> Option<Weekday> {
    Some(match name {
        '一' => Weekday::Monday,
        '二' => Weekday::Tuesday,
        '三' => Weekday::Wednesday,
        '四' => Weekday::Thursday,
        '五' => Weekday::Friday,
        '六' | '末' => Weekday::Saturday,
        '日' | '天' => Weekday::Sunday,
        _ => return None,
    })
}

/// 月底, 下月底, 年底, 本周末.
fn end(rest: &str, before: Option<char>, today: Date) -> Option<(usize, String)> {
    const ENDS: [(&str, Unit, i64); 14] = [
        ("下个月底", Unit::Month, 1),
        ("下月底", Unit::Month, 1),
        ("这个月底", Unit::Month, 0),
        ("本月底", Unit::Month, 0),
        ("月底", Unit::Month, 0),
        ("明年底", Unit::Year, 1),
        ("明年年底", Unit::Year, 1),
        ("今年底", Unit::Year, 0),
        ("今年年底", Unit::Year, 0),
        ("年底", Unit::Year, 0),
        ("本季度末", Unit::Quarter, 0),
        ("季度末", Unit::Quarter, 0),
        ("下季度末", Unit::Quarter, 1),
        ("下个季度末", Unit::Quarter, 1),
    ];
    let (word, unit, count) = ENDS.iter().find(|(word, ..)| rest.starts_with(word))?;
    // 每月底 is a habit, 11月底 already has its month.
    let bound = before.is_some_and(|before| {
        before.is_numeric() || "每各个一二三四五六七八九十年月".contains(before)
    });
    (!bound).then_some(())?;
    Some((word.len(), end_of(today, *unit, *count)?.to_string()))
}

/// 下周, 上个月, 本季度, 明年.
fn period(rest: &str, before: Option<char>, today: Date) -> Option<(usize, String)> {
    const PERIODS: [(&str, Unit, i64); 31] = [
        ("下下周", Unit::Week, 2),
        ("下个星期", Unit::Week, 1),
        ("下星期", Unit::Week, 1),
        ("下周", Unit::Week, 1),
        ("上个星期", Unit::Week, -1),
        ("上星期", Unit::Week, -1),
        ("上周", Unit::Week, -1),
        ("这个星期", Unit::Week, 0),
        ("本周", Unit::Week, 0),
        ("这周", Unit::Week, 0),
        ("下下个月", Unit::Month, 2),
        ("下个月", Unit::Month, 1),
        ("下月", Unit::Month, 1),
        ("上个月", Unit::Month, -1),
        ("上月", Unit::Month, -1),
        ("这个月", Unit::Month, 0),
        ("本月", Unit::Month, 0),
        ("下个季度", Unit::Quarter, 1),
        ("下季度", Unit::Quarter, 1),
        ("上个季度", Unit::Quarter, -1),
        ("上季度", Unit::Quarter, -1),
        ("这个季度", Unit::Quarter, 0),
        ("本季度", Unit::Quarter, 0),
        ("明年", Unit::Year, 1),
        ("后年", Unit::Year, 2),
        ("去年", Unit::Year, -1),
        ("前年", Unit::Year, -2),
        ("今年", Unit::Year, 0),
        ("本年", Unit::Year, 0),
        ("下一周", Unit::Week, 1),
        ("上一周", Unit::Week, -1),
    ];
    let (word, unit, count) = PERIODS.iter().find(|(word, ..)| rest.starts_with(word))?;
    if before.is_some_and(|before| before.is_numeric() || before == '每' || ends_a_word(before)) {
        return None;
    }
    // 本周期 is a cycle, not a week.
    let tail = rest.get(word.len()..)?.chars().next();
    if word.ends_with('周') && tail.is_some_and(|next| "期边年岁".contains(next)) {
        return None;
    }
    let date = start_of(today, *unit, *count)?;
    let to = match unit {
        Unit::Day => date.to_string(),
        Unit::Week => format!("{}那一周", monday(date, 0)?),
        Unit::Month => format!("{}年{}月", date.year(), date.month()),
        Unit::Quarter => {
            let name = "一二三四"
                .chars()
                .nth(usize::try_from(quarter(date) - 1).ok()?)?;
            format!("{}年第{name}季度", date.year())
        }
        Unit::Year => format!("{}年", date.year()),
    };
    Some((word.len(), to))
}

/// 3天后, 两周前, 三个月后.
fn counted(rest: &str, before: Option<char>, today: Date) -> Option<(usize, String)> {
    // Part of a longer number, or a habit: 每3天后.
    if before.is_some_and(|before| before.is_numeric() || "每第前后.-/".contains(before)) {
        return None;
    }
    let (length, count) = number(rest)?;
    let after = rest.get(length..)?;
    let gap = after.len() - after.trim_start_matches(' ').len();
    let after = after.get(gap..)?;
    const UNITS: [(&str, Unit); 8] = [
        ("个星期", Unit::Week),
        ("个月", Unit::Month),
        ("星期", Unit::Week),
        ("周", Unit::Week),
        ("天", Unit::Day),
        ("日", Unit::Day),
        ("年", Unit::Year),
        ("个季度", Unit::Quarter),
    ];
    let (word, unit) = UNITS.iter().find(|(word, _)| after.starts_with(word))?;
    let tail = after.get(word.len()..)?;
    const DIRECTIONS: [(&str, i64); 6] = [
        ("之后", 1),
        ("以后", 1),
        ("后", 1),
        ("之前", -1),
        ("以前", -1),
        ("前", -1),
    ];
    let (direction, sign) = DIRECTIONS.iter().find(|(word, _)| tail.starts_with(word))?;
    // 2026年前 names a year, not a distance; 16日前 a day of the month.
    if (*unit == Unit::Year && count >= 100) || (*word == "日" && *sign < 0) {
        return None;
    }
    let date = shifted(today, sign * count, *unit)?;
    let to = match unit {
        Unit::Month | Unit::Quarter => format!("{}年{}月", date.year(), date.month()),
        Unit::Year => format!("{}年", date.year()),
        Unit::Day | Unit::Week => date.to_string(),
    };
    Some((length + gap + word.len() + direction.len(), to))
}

/// A number up to 9999 in digits, or up to 99 in characters: its length and value.
fn number(rest: &str) -> Option<(usize, i64)> {
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    if digits > 0 {
        return Some((
            digits,
            rest.get(..digits).filter(|_| digits <= 4)?.parse().ok()?,
        ));
    }
    let value = |character: char| {
        "一二三四五六七八九"
            .chars()
            .zip(1..)
            .find(|(digit, _)| *digit == character)
            .map(|(_, value)| value)
    };
    let mut characters = rest.chars();
    let first = characters.next()?;
    let (mut length, mut total) = match first {
        '十' => (first.len_utf8(), 10),
        '两' => return Some((first.len_utf8(), 2)),
        _ => (first.len_utf8(), value(first)?),
    };
    let mut next = characters.next();
    if first != '十' && next == Some('十') {
        length += '十'.len_utf8();
        total *= 10;
        next = characters.next();
    }
    if total >= 10
        && let Some((digit, unit)) = next.and_then(|digit| Some((digit, value(digit)?)))
    {
        length += digit.len_utf8();
        total += unit;
    }
    Some((length, total))
}
