//! Steps through the calendar, all of them checked: a date out of range is no date.

use jiff::ToSpan;
use jiff::civil::{Date, Weekday};

/// Units a text counts in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Day,
    Week,
    Month,
    Quarter,
    Year,
}

/// The date so many units away.
pub(super) fn shifted(from: Date, count: i64, unit: Unit) -> Option<Date> {
    // Further than any plan reaches: more likely a year or another number.
    if count.abs() > 999 {
        return None;
    }
    let span = match unit {
        Unit::Day => count.days(),
        Unit::Week => count.weeks(),
        Unit::Month => count.months(),
        Unit::Quarter => (3 * count).months(),
        Unit::Year => count.years(),
    };
    from.checked_add(span).ok()
}

/// The Monday of the week that is so many weeks away.
pub(super) fn monday(today: Date, weeks: i64) -> Option<Date> {
    let back = i64::from(today.weekday().to_monday_zero_offset());
    shifted(today, 7 * weeks - back, Unit::Day)
}

/// A weekday of the week that is so many weeks away.
pub(super) fn day_of_week(today: Date, weekday: Weekday, weeks: i64) -> Option<Date> {
    shifted(
        monday(today, weeks)?,
        i64::from(weekday.to_monday_zero_offset()),
        Unit::Day,
    )
}

/// The first such weekday after today.
pub(super) fn coming(today: Date, weekday: Weekday) -> Option<Date> {
    today.nth_weekday(1, weekday).ok()
}

/// The last such weekday before today.
pub(super) fn latest(today: Date, weekday: Weekday) -> Option<Date> {
    today.nth_weekday(-1, weekday).ok()
}

/// First month of the quarter of a date, as a date.
pub(super) fn quarter_start(date: Date) -> Option<Date> {
    Date::new(date.year(), (quarter(date) - 1) * 3 + 1, 1).ok()
}

/// The quarter of a date, from 1.
pub(super) fn quarter(date: Date) -> i8 {
    (date.month() - 1) / 3 + 1
}

/// First day of a unit so many units away.
pub(super) fn start_of(today: Date, unit: Unit, count: i64) -> Option<Date> {
    match unit {
        Unit::Day => shifted(today, count, Unit::Day),
        Unit::Week => monday(today, count),
        Unit::Month => shifted(today.first_of_month(), count, Unit::Month),
        Unit::Quarter => shifted(quarter_start(today)?, count, Unit::Quarter),
        Unit::Year => shifted(today.first_of_year(), count, Unit::Year),
    }
}

/// Last day of a unit so many units away. A week ends on its Friday, unless that is past.
pub(super) fn end_of(today: Date, unit: Unit, count: i64) -> Option<Date> {
    match unit {
        Unit::Week => {
            let friday = day_of_week(today, Weekday::Friday, count)?;
            if friday < today {
                day_of_week(today, Weekday::Sunday, count)
            } else {
                Some(friday)
            }
        }
        _ => start_of(today, unit, count + 1)?.yesterday().ok(),
    }
}

/// English name of a month.
pub(super) fn month_name(date: Date) -> &'static str {
    MONTHS
        .get(usize::try_from(date.month() - 1).unwrap_or_default())
        .copied()
        .unwrap_or_default()
}

/// The months, in order.
pub(super) const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
