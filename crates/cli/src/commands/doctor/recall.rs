//! What recall can find, and what went wrong where nobody looks.

use jiff::{SignedDuration, Timestamp};
use memdir_serve::hook::Failures;

use super::Check;
use crate::finding::being_built;
use crate::moment;
use crate::table::{count, thousands};
use crate::workplace::Workplace;

/// Failures of the past that still matter.
const DAYS: i64 = 7;
/// How many files or failures are named before the rest is counted.
const NAMED: usize = 3;

/// What recall cannot find, or not yet. Where it can find everything there is nothing to say.
pub(super) fn index(workplace: &Workplace) -> Vec<Check> {
    const CHECK: &str = "recall";
    let finder = workplace.finder();
    let mut checks = Vec::new();
    if let Some(built) = finder.built().filter(|built| built.pending > 0) {
        let what = being_built(built.memories, built.pending);
        let now = workplace.command("reindex --changed");
        checks.push(match built.under_way {
            true => Check::ok(CHECK, what),
            false => Check::warn(
                CHECK,
                format!("{what}; nobody is at it just now"),
                format!("the next message of an agent goes on with it; {now} does it at once"),
            ),
        });
    }
    let unread = finder.unread();
    if !unread.is_empty() {
        let named = unread.iter().take(NAMED);
        let mut named: Vec<String> = named
            .map(|one| format!("{}: {}", one.path, one.reason))
            .collect();
        if let Some(more) = unread.len().checked_sub(NAMED).filter(|more| *more > 0) {
            named.push(format!("{} more", thousands(more)));
        }
        checks.push(Check::warn(
            CHECK,
            format!(
                "{} cannot be found by recall: {}",
                count(unread.len(), "file", "files"),
                named.join("; ")
            ),
            "the files themselves are untouched; what is said of each tells what to do",
        ));
    }
    checks
}

/// What hooks and background work could not do, if anything.
pub(super) fn hook_log(workplace: &Workplace) -> Option<Check> {
    const CHECK: &str = "hook log";
    let log = Failures::new(&workplace.places.own_dir());
    let since = Timestamp::now().checked_sub(SignedDuration::from_hours(24 * DAYS));
    let noted = log.since(since.unwrap_or(Timestamp::UNIX_EPOCH));
    let last = noted.last()?;
    let panics = noted.iter().filter(|one| one.is_panic).count();
    let mut what = format!(
        "{} in the last {DAYS} days",
        count(noted.len(), "failure", "failures")
    );
    if panics > 0 {
        let mistakes = count(panics, "is a mistake in memdir", "are mistakes in memdir");
        what.push_str(&format!(", of which {mistakes}"));
    }
    // A mistake of ours is the one to report, whatever came after it.
    let told = noted.iter().rev().find(|one| one.is_panic).unwrap_or(last);
    what.push_str(&format!("; {}: {}", moment::shown(told.at), told.said));
    let path = workplace.shown(&log.path());
    let remedy = match panics {
        0 => format!("{path} has all of them; delete it once they are dealt with"),
        _ => format!("please report it with the line in {path}, and delete that file afterwards"),
    };
    Some(Check::warn(CHECK, what, remedy))
}
