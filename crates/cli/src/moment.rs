//! Points in time and days as people type them.

use jiff::civil::{Date, DateTime, Time};
use jiff::{Span, Timestamp, Zoned};
use memdir_memory::dates;

/// What may be typed for a point in time, for help texts and complaints.
const FORMS: &str = "try `2026-11-15`, `2026-11-15 21:00`, `yesterday`, `10m`, `2h` or `3d` (ago)";

/// A point in time for an argument, seen from now.
pub(crate) fn argument(typed: &str) -> Result<Timestamp, String> {
    parse(typed, &Zoned::now()).ok_or_else(|| format!("no point in time; {FORMS}"))
}

/// A day for an argument, seen from today.
pub(crate) fn day_argument(typed: &str) -> Result<Date, String> {
    let complaint = "no day; try `2026-12-31`, `tomorrow`, `next friday`, `30d` or `2w` (from now)";
    day(typed, Zoned::now().date()).ok_or_else(|| complaint.to_owned())
}

/// A time as a person reads it, in the zone of this machine.
pub(crate) fn shown(at: Timestamp) -> String {
    at.to_zoned(jiff::tz::TimeZone::system())
        .strftime("%Y-%m-%d %H:%M")
        .to_string()
}

fn parse(typed: &str, now: &Zoned) -> Option<Timestamp> {
    let typed = typed.trim();
    let zone = now.time_zone();
    match typed.to_lowercase().as_str() {
        "now" => return Some(now.timestamp()),
        "today" => return Some(now.start_of_day().ok()?.timestamp()),
        "yesterday" => return Some(now.yesterday().ok()?.start_of_day().ok()?.timestamp()),
        _ => {}
    }
    if let Ok(exact) = typed.parse::<Timestamp>() {
        return Some(exact);
    }
    if let Ok(local) = typed.parse::<DateTime>() {
        return Some(local.to_zoned(zone.clone()).ok()?.timestamp());
    }
    // A bare `T` or a lone number would also read as a time of day.
    if let Some(time) = typed
        .contains(':')
        .then(|| typed.parse::<Time>().ok())
        .flatten()
    {
        return Some(
            now.date()
                .to_datetime(time)
                .to_zoned(zone.clone())
                .ok()?
                .timestamp(),
        );
    }
    let ago = typed.strip_suffix("ago").map_or(typed, str::trim_end);
    Some(now.checked_sub(span(ago)?).ok()?.timestamp())
}

fn day(typed: &str, today: Date) -> Option<Date> {
    let typed = typed.trim();
    if let Ok(date) = typed.parse::<Date>() {
        return Some(date);
    }
    if let Some(span) = span(typed) {
        return today.checked_add(span).ok();
    }
    dates::absolute(typed, today).parse().ok()
}

/// A number and a unit: `10m`, `3 days`.
fn span(typed: &str) -> Option<Span> {
    let end = typed.find(|character: char| !character.is_ascii_digit())?;
    let (number, unit) = typed.split_at_checked(end)?;
    let number: i64 = number.parse().ok()?;
    match unit.trim().to_lowercase().as_str() {
        "s" | "sec" | "second" | "seconds" => Span::new().try_seconds(number).ok(),
        "m" | "min" | "minute" | "minutes" => Span::new().try_minutes(number).ok(),
        "h" | "hour" | "hours" => Span::new().try_hours(number).ok(),
        "d" | "day" | "days" => Span::new().try_days(number).ok(),
        "w" | "week" | "weeks" => Span::new().try_weeks(number).ok(),
        "month" | "months" => Span::new().try_months(number).ok(),
        "y" | "year" | "years" => Span::new().try_years(number).ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_a_person_means_them() {
        let now: Zoned = "2026-11-16T12:30:00+01:00[Europe/Berlin]".parse().unwrap();
        let read = |typed: &str| {
            let found = parse(typed, &now);
            found.map_or("-".to_owned(), |at| {
                at.to_zoned(now.time_zone().clone()).to_string()
            })
        };
        let all = [
            "now",
            "today",
            "Yesterday",
            "2026-11-15",
            "2026-11-15 21:00",
            "2026-11-15T21:00:05",
            "2026-11-15T21:00:00Z",
            "09:15",
            "10m",
            "10 minutes ago",
            "2h",
            "3d",
            "1w",
            "0s",
            // Berlin leaves summer time in October: three weeks are not a multiple of 24 hours.
            "4 weeks ago",
            "",
            "soon",
            "m",
            "-3d",
            "99999999999999999999d",
            "9999999999y",
            "2026-02-30",
            "12",
            "#12",
            "3 fortnights",
        ];
        let table: Vec<String> = all
            .iter()
            .map(|typed| format!("{typed:24} {}", read(typed)))
            .collect();
        insta::assert_snapshot!(table.join("\n"), @"
        now                      2026-11-16T12:30:00+01:00[Europe/Berlin]
        today                    2026-11-16T00:00:00+01:00[Europe/Berlin]
        Yesterday                2026-11-15T00:00:00+01:00[Europe/Berlin]
        2026-11-15               2026-11-15T00:00:00+01:00[Europe/Berlin]
        2026-11-15 21:00         2026-11-15T21:00:00+01:00[Europe/Berlin]
        2026-11-15T21:00:05      2026-11-15T21:00:05+01:00[Europe/Berlin]
        2026-11-15T21:00:00Z     2026-11-15T22:00:00+01:00[Europe/Berlin]
        09:15                    2026-11-16T09:15:00+01:00[Europe/Berlin]
        10m                      2026-11-16T12:20:00+01:00[Europe/Berlin]
        10 minutes ago           2026-11-16T12:20:00+01:00[Europe/Berlin]
        2h                       2026-11-16T10:30:00+01:00[Europe/Berlin]
        3d                       2026-11-13T12:30:00+01:00[Europe/Berlin]
        1w                       2026-11-09T12:30:00+01:00[Europe/Berlin]
        0s                       2026-11-16T12:30:00+01:00[Europe/Berlin]
        4 weeks ago              2026-10-19T12:30:00+02:00[Europe/Berlin]
                                 -
        soon                     -
        m                        -
        -3d                      -
        99999999999999999999d    -
        9999999999y              -
        2026-02-30               -
        12                       -
        #12                      -
        3 fortnights             -
        ");
    }

    #[test]
    fn days_lie_ahead() {
        let today: Date = "2026-11-16".parse().unwrap();
        let all = [
            "2026-12-31",
            "tomorrow",
            "next friday",
            "30d",
            "2w",
            "2 months",
            "never",
            "",
        ];
        let read = |typed: &str| day(typed, today).map_or("-".to_owned(), |day| day.to_string());
        let table: Vec<String> = all
            .iter()
            .map(|typed| format!("{typed:12} {}", read(typed)))
            .collect();
        insta::assert_snapshot!(table.join("\n"), @"
        2026-12-31   2026-12-31
        tomorrow     2026-11-17
        next friday  2026-11-27
        30d          2026-12-16
        2w           2026-11-30
        2 months     2027-01-16
        never        -
                     -
        ");
    }
}
