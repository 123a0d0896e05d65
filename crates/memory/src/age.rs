//! How old a memory is, and what to say about it.

use jiff::Timestamp;

const SECONDS_A_DAY: i64 = 24 * 60 * 60;

/// From this many whole days on a memory is shown with [`caveat`].
pub const CAVEAT_DAYS: u64 = 2;

/// Whole days from `modified` to `now`; none when the clock says that the file is from the future.
///
/// ```
/// use memdir_memory::age;
/// let modified = "2026-03-28T12:00:00Z".parse()?;
/// assert_eq!(age::days_between(modified, "2026-03-30T11:59:59Z".parse()?), 1);
/// assert_eq!(age::days_between(modified, "2026-03-30T12:00:00Z".parse()?), 2);
/// assert_eq!(age::days_between(modified, "2026-03-01T12:00:00Z".parse()?), 0);
/// # Ok::<(), jiff::Error>(())
/// ```
pub fn days_between(modified: Timestamp, now: Timestamp) -> u64 {
    let seconds = now.duration_since(modified).as_secs();
    u64::try_from(seconds / SECONDS_A_DAY).unwrap_or(0)
}

/// `today`, `yesterday`, `12 days ago`.
pub fn describe(days: u64) -> String {
    match days {
        0 => "today".to_owned(),
        1 => "yesterday".to_owned(),
        _ => format!("{days} days ago"),
    }
}

/// What an agent is told beside a memory that is [`CAVEAT_DAYS`] old or more.
pub fn caveat(days: u64) -> Option<String> {
    (days >= CAVEAT_DAYS).then(|| {
        format!(
            "Written {days} days ago. It records what was seen at that moment, not how things are \
             now: what it says about code may no longer hold, and places given as file:line may \
             have moved. Look at the present state before you rely on it."
        )
    })
}
