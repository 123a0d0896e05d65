//! Orders that a word beside them makes last: a scope in the same breath, a word at the end, the manner of speaking.

use super::seeming;
use super::words::*;
use super::working::{is_order, points_at_something};
use super::{head, without_lead_in, words_of};
use crate::rules::phrases::Phrases;

/// Whether an order is meant to last by the way it is put.
pub(super) fn is_lasting(clause: &str) -> bool {
    is_made_general(clause) || is_tone(clause) || is_report_to_me(clause)
}

/// "Double check the numbers, always", "one line is enough for your commits from now on", "I want every PR to have …".
fn is_made_general(clause: &str) -> bool {
    let bare = clause.trim_end_matches(['.', '!', ' ']);
    let inner = |told: &str| {
        let order = ORDER_PREFACES.after(told).unwrap_or(told);
        is_order(order) || BANS.opens(told)
    };
    let trailing = bare
        .rsplit_once([',', '-', '—'])
        .is_some_and(|(told, last)| {
            TRAILING.is(last.trim_start())
                && inner(told)
                && !points_at_something(head(told))
                && !words_of(told).any(|word| word == "the")
                && words_of(told).count() >= 3
        });
    let ends = ENDS_FROM_NOW_ON.iter().any(|end| bare.ends_with(end));
    let told = ends && IN_WORK.within(bare) && !FORECASTS.opens(clause);
    let every = I_WANT.opens(clause).then(|| EVERY.find(clause)).flatten();
    let wanted = every
        .and_then(|at| clause.get(at..))
        .is_some_and(|thing| WORK_PRODUCTS.opens(thing) && !TURNING_GREEN.within(thing));
    trailing || told || wanted
}

/// "Be more concise", "answer in Spanish": how to speak is meant to last.
fn is_tone(clause: &str) -> bool {
    let tongue = SPEAK.opens(clause) && TONGUES.within(head(clause)) && !TO_OTHERS.within(clause);
    (tongue || TONES.opens(clause)) && !clause.contains(':') && !AT_HAND.within(clause)
}

/// "If tests are flaky tell me": said of any, and in one breath.
fn is_report_to_me(clause: &str) -> bool {
    if !SCOPES.opens(clause) {
        return false;
    }
    let scope = REPORT_TO_ME
        .find(head(clause))
        .and_then(|at| clause.get(..at));
    scope.is_some_and(|scope| {
        let ruled = RULED.within(clause.get(scope.len()..).unwrap_or_default());
        ruled && words_of(scope).count() >= 3 && !OF_THE_MOMENT.within(scope)
    })
}

/// "When reviewing my code be blunt", "in our Terraform code we never …": a scope without a comma.
pub(super) fn is_joined(clause: &str) -> bool {
    let doubting = DOUBT.after(clause).map(without_lead_in);
    if doubting.is_some_and(|rest| is_order(rest) || BANS.opens(rest)) {
        return true;
    }
    if !SCOPES.opens(clause) && !OUR_SCOPES.opens(clause) {
        return false;
    }
    let said = head(clause);
    let ours = OUR_SCOPES.opens(said).then(|| WE_DO.find(said)).flatten();
    if let Some(rest) = ours.and_then(|at| WE_DO.after(said.get(at..)?)) {
        return BANNED_VERBS.opens(rest) && said.len() == clause.len();
    }
    let Some(behind) = JOINED_SCOPES.after(said) else {
        return false;
    };
    let Some(at) = JOINED_ORDERS.find(behind) else {
        return false;
    };
    let (object, order) = behind.split_at_checked(at).unwrap_or_default();
    let definite = words_of(object).any(|word| matches!(word, "the" | "it" | "this" | "that"));
    words_of(object).count() >= 1
        && words_of(order).count() >= 2
        && !definite
        && !seeming::comes_once(said)
        && !SYMPTOMS.opens(said)
        && !points_at_something(order)
}

/// At the end of an order, it makes it one for all time.
pub(super) static TRAILING: Phrases = Phrases::of(
    "\
    always; always please; please always; in general; as a rule; as a general rule; every time; every single time; by default; at all times; everywhere; no exceptions; ever; without exception; each time; all the time; in every case; for everything; for all of them; that's a must",
);
pub(super) static TONES: Phrases = Phrases::of(
    "be more concise; be more brief; be less verbose; be less chatty; be more direct; be less formal; be more critical; be less wordy; be more terse",
);
static SPEAK: Phrases = Phrases::of(
    "answer; reply; respond; speak; talk; talk to me; write to me; answer me; reply to me; communicate",
);
pub(super) static TONGUES: Phrases = Phrases::of(
    "in english; in german; in french; in spanish; in italian; in portuguese; in dutch; in polish; in czech; in swedish; in norwegian; in danish; in finnish; in turkish; in greek; in hindi; in chinese; in japanese; in korean; in vietnamese; in russian; in ukrainian; in arabic; in hebrew",
);
static TO_OTHERS: Phrases =
    Phrases::of("to the; to him; to her; to them; to this; for the; the email; the customer");
pub(super) static I_WANT: Phrases = Phrases::of(
    "i want every; i want each; i expect every; i expect each; i'd like every; i'd like each; i would like every; i need every",
);
static EVERY: Phrases = Phrases::of("every; each");
static TURNING_GREEN: Phrases =
    Phrases::of("pass; green; fixed; run; listed; removed; deleted; checked; to work");
pub(super) static REPORT_TO_ME: Phrases =
    Phrases::of("tell me; ask me; let me know; warn me; ping me; ask first; stop and ask");
static RULED: Phrases =
    Phrases::of("don't; do not; instead of; rather than; never; always; every time");
static OF_THE_MOMENT: Phrases = Phrases::of(
    "it; this; that; the; these; those; they; you're done; you are done; i; my; you need; you find; you have",
);
static IN_WORK: Phrases = Phrases::of(
    "in comments; in code comments; in docs; in commits; in commit messages; in tests; in prs; in pr descriptions; in reviews; in replies; in answers; in docstrings; in changelogs; for commits; for commit messages; for branch names; for tests; your; you",
);
static ENDS_FROM_NOW_ON: [&str; 4] = [
    "from now on",
    "going forward",
    "from here on",
    "in the future",
];
/// Behind a scope without a comma, what begins the order.
static JOINED_ORDERS: Phrases = Phrases::of(
    "be; use; always; never; don't; dont; do not; please; keep; make sure; ask; tell me; show me; give me; prefer; avoid; include; start with; put; i want; i'd like; i expect; i'd prefer; stick to",
);
pub(super) static JOINED_SCOPES: Phrases = Phrases::of(
    "when you; whenever you; whenever i paste; whenever i ask; whenever i send; whenever i share; whenever i report; whenever i give you; whenever i mention; when i ask; when i paste; when i send; when i share; when writing; when reviewing; when naming; when adding; when committing; when refactoring; when explaining; when answering; when testing; when fixing; when debugging; when creating; every time you; each time you; every time i ask; every time i paste; each time i ask; before committing; before pushing; before merging",
);
static OUR_SCOPES: Phrases = Phrases::of("in our; in my; on our; at our; for our; in all our");
pub(super) static WE_DO: Phrases = Phrases::of("we never; we always");
static DOUBT: Phrases = Phrases::of(
    "when in doubt; if in doubt; when unsure; if unsure; if you're unsure; when you're unsure; if you are unsure; if you're not sure; when you're not sure; if you aren't sure; if anything is unclear; if something is unclear; when something is unclear",
);
