//! Wishes about how to work.

use super::lasting;
use super::seeming;
use super::words::*;
use super::{first_word, head, is_question, without_lead_in, words_of};

/// A standing wish about how to work, by the rule that found it.
pub(super) fn standing(clause: &str) -> Option<&'static str> {
    if let Some(rest) = FROM_NOW_ON.after(clause) {
        let rest = without_lead_in(rest);
        let weak = WEAK_FROM_NOW_ON.opens(clause);
        let told = FORECASTS.opens(rest) || is_question(rest);
        // "By default the timeout should be 30 s" is about a program.
        let must = MUSTS.within(head(rest)) && !(weak && told);
        let order = is_order(rest) || ORDERS.opens(rest) || must;
        let meant = order || !told && !weak;
        let task =
            seeming::is_a_task(rest) && !SCOPES.opens(rest) || weak && seeming::is_a_setting(rest);
        return (meant && !task && words_of(rest).count() >= 2).then_some("from now on");
    }
    if FROM_NOW_ON_WITHIN.within(clause) {
        // "For SQL, use lower-case keywords from now on."
        let scoped = clause.split_once(',').filter(|_| SCOPES.opens(clause));
        let inner = scoped.map_or(clause, |(_, rest)| without_lead_in(rest));
        if is_order(inner) || BANS.opens(inner) {
            return Some("from now on");
        }
    }
    if lasting::is_lasting(clause) {
        return Some("habit");
    }
    if let Some(rest) = HABITS.after(clause) {
        return (words_of(rest).count() >= 2).then_some("habit");
    }
    if is_order(clause) && FOR_MY_SAKE.within(clause) && !points_at_something(head(clause)) {
        return Some("for my sake");
    }
    let inner = ORDER_PREFACES.after(clause).unwrap_or(clause);
    if let Some(rest) = ALWAYS.after(inner) {
        let ours = WE.opens(clause) && OCCURRENCES.opens(rest);
        return (!is_state(rest) && !ours).then_some("always");
    }
    if let Some(rest) = NEVER.after(inner) {
        let ours = WE.opens(clause) && OCCURRENCES.opens(rest);
        return (!is_past(rest) && !ours && !NEVER_MIND.opens(rest)).then_some("never");
    }
    if let Some(rest) = ASK_BEFORE.after(inner) {
        let at_hand =
            |word: &str| matches!(word, "the" | "this" | "it" | "them" | "these" | "those");
        let general = !words_of(rest).any(at_hand);
        return (general && words_of(rest).count() >= 2).then_some("ask first");
    }
    if let Some(rest) = STOP.after(inner) {
        let word = first_word(rest);
        let doing = is_doing(word);
        let object = rest.get(word.len()..).unwrap_or_default().trim_start();
        let lasting = LASTING_SIGNS.within(object);
        let at_hand = AT_HAND.opens(object) || GOING_ON.opens(word) || seeming::is_a_case(object);
        return (doing && (lasting || !at_hand)).then_some("stop");
    }
    if let Some(rest) = AVOID.after(inner) {
        let inside = seeming::is_inside(head(rest));
        return (words_of(rest).count() >= 2 && !inside && !points_at_something(head(rest)))
            .then_some("avoid");
    }
    if let Some(rest) = BANS.after(inner) {
        let again = rest.trim_end_matches(['.', '!', ' ']);
        let for_once = again.ends_with(" again") && !again.ends_with(" ever again");
        let unneeded = NO_NEED.opens(inner) && for_once;
        return (!unneeded && is_general_ban(rest)).then_some("don't");
    }
    if let Some(rest) = NO.after(clause) {
        let more = MORE.after(rest);
        let rest = more.unwrap_or(rest);
        // "No more one-line functions".
        let enough = more.is_some() && words_of(rest).take(3).any(is_plural);
        let unwanted = (UNWANTED_THINGS.opens(rest) || enough && !THAN.opens(rest))
            && !DESCRIPTIONS.within(rest)
            && !seeming::is_for_this_answer(rest)
            && !seeming::is_in_a_part(rest);
        return unwanted.then_some("no such thing");
    }
    if let Some(rest) = ONLY.after(clause) {
        let wish = is_order(rest) && words_of(rest).count() >= 3 && !points_at_something(rest);
        return wish.then_some("only");
    }
    if let Some(rest) = KEEP.after(clause) {
        let word = first_word(rest);
        let manner = MANNERS.within(rest) && MANNER_OBJECTS.opens(rest);
        let doing = is_doing(word)
            && words_of(rest).count() >= 3
            && !points_at_something(rest)
            && !GOING_ON.opens(word);
        return (manner || doing).then_some("keep");
    }
    let here = OUR_PLACE.after(clause);
    if let Some(rest) = OUR_WAY.after(here.unwrap_or(clause)) {
        let told = here.is_some()
            || rest
                .split_once(',')
                .is_some_and(|(_, more)| CONTRAST.opens(more.trim_start()))
            || CONTRAST.within(head(rest));
        return (told && !points_at_something(head(rest)) && !OCCURRENCES.opens(rest))
            .then_some("our way");
    }
    preference(clause)
        .or_else(|| scoped(clause))
        .or_else(|| is_convention(clause).then_some("convention"))
}

/// Whether a clause tells someone to do something.
pub(super) fn is_order(clause: &str) -> bool {
    IMPERATIVES.opens(clause)
}

/// "When you …, always …", "in this repository, never …".
fn scoped(clause: &str) -> Option<&'static str> {
    if lasting::is_joined(clause) {
        return Some("whenever");
    }
    let (scope, rest) = clause.split_once(',')?;
    if !SCOPES.opens(scope) || words_of(scope).count() > 12 {
        return None;
    }
    let rest = without_lead_in(rest);
    let products = ABOUT_WORK
        .after(scope)
        .is_some_and(|about| WORK_PRODUCTS.opens(about));
    let you = YOU.within(scope) || WORKING_SCOPES.opens(scope) || products;
    if seeming::comes_once(scope) || seeming::is_of_a_program(scope, rest) {
        return None;
    }
    let recurring = RECURRING.opens(scope);
    let strong = ALWAYS.after(rest).or_else(|| NEVER.after(rest));
    let strong = strong.is_some_and(|order| !is_past(order) && !is_state(order));
    let ban = BANS
        .after(rest)
        .is_some_and(|banned| you && !points_at_something(head(banned)));
    let any = INDEFINITE.opens(scope) && TO_ME.within(rest);
    // What happens to whoever runs it is no scope of work, unless the user wants to hear of it.
    let symptom = SYMPTOMS.opens(scope) && !TO_ME.within(rest);
    // "When you propose an alternative, tell me what it costs": it is the alternative.
    let of_any = words_of(scope).any(|word| matches!(word, "a" | "an" | "any" | "every"));
    let told = of_any && TO_ME.opens(rest) && !SYMPTOMS.opens(scope);
    let general = recurring || told || !points_at_something(head(rest));
    let order = (you || any) && !symptom && (is_order(rest) || told) && general;
    (strong || ban || order).then_some("whenever")
}

fn preference(clause: &str) -> Option<&'static str> {
    let rest = PREFERENCES.after(clause)?;
    let picks = points_at_something(head(rest)) || PICKS.opens(rest) || CHOICES.within(rest);
    (!picks && words_of(rest).count() >= 1).then_some("preference")
}

/// "Error messages should start with a lower-case letter."
pub(super) fn is_convention(clause: &str) -> bool {
    let Some(rest) = WORK_PRODUCTS.after(clause) else {
        return false;
    };
    let about = rest
        .split_whitespace()
        .take(6)
        .collect::<Vec<_>>()
        .join(" ");
    MUSTS.find(&about).is_some_and(|at| {
        let must = about.get(at..).unwrap_or_default();
        let what = MUSTS.after(must).unwrap_or_default();
        !OUTCOMES.opens(what)
    }) && !seeming::is_done_by_a_part(rest)
        && !seeming::is_a_task(clause)
}

/// What was done well and should stay so, where the sentence says what.
pub(super) fn is_confirmed(clause: &str) -> bool {
    if HESITATION.within(clause) {
        return false;
    }
    if let Some(rest) = CONFIRMATIONS.after(clause) {
        let there = clause.trim_end_matches(['.', '!', ' ']).ends_with(" there");
        return words_of(rest).count() >= 3 && !PRONOUNS.within(head(rest)) && !there;
    }
    // "… was helpful, please do that every time".
    let again = clause.rsplit_once(',').is_some_and(|(told, last)| {
        REPETITIONS.opens(without_lead_in(last)) && PRAISE.within(told) && !PRONOUNS.opens(told)
    });
    if again {
        return true;
    }
    let Some(at) = CONFIRMED.find(clause) else {
        return false;
    };
    let what = clause.get(..at).unwrap_or_default();
    let said = is_doing(first_word(what)) || DEEDS.opens(what);
    said && words_of(what).count() >= 2 && !PRONOUNS.opens(what)
}

/// Whether a ban is about how to work and not about the thing at hand.
pub(super) fn is_general_ban(rest: &str) -> bool {
    let banned = head(rest);
    if NOT_BANS.opens(rest) {
        return false;
    }
    if AGAIN.within(rest) {
        return true;
    }
    if GUARDED.opens(banned) && !seeming::is_for_this_answer(rest) && !points_at_something(banned) {
        return true;
    }
    let verb = BANNED_VERBS.after(banned);
    verb.is_some_and(|object| {
        let bare =
            USING.opens(banned) && words_of(object).count() <= 3 && !DETERMINERS.opens(object);
        let general = bare || words_of(object).any(is_plural) || UNWANTED_THINGS.within(object);
        general && !points_at_something(banned)
    }) || BANNED_HABITS.opens(banned) && !points_at_something(banned)
}

fn is_plural(word: &str) -> bool {
    word.len() > 3 && word.ends_with('s') && !word.ends_with("ss") && !word.ends_with("us")
}

/// Whether it is about something at hand: "this", "that file", "the second one", "it".
pub(super) fn points_at_something(rest: &str) -> bool {
    PRONOUNS.opens(rest) || AT_HAND.within(rest) && !NOT_AT_HAND.within(rest)
}

/// Whether a word is a verb's "doing".
fn is_doing(word: &str) -> bool {
    word.len() > 4 && word.ends_with("ing") && !THINGS_IN_ING.opens(word)
}

/// "always fails", "always there": how things are, not how they shall be.
fn is_state(rest: &str) -> bool {
    let word = first_word(rest);
    let third_person = word.len() > 3 && word.ends_with('s') && !word.ends_with("ss");
    STATES.opens(rest)
        || third_person && !ENDS_IN_S.opens(word) && words_of(rest).count() < 3
        || is_participle(word)
}

fn is_past(rest: &str) -> bool {
    PAST.opens(rest) || is_participle(first_word(rest))
}

fn is_participle(word: &str) -> bool {
    word.len() > 3 && word.ends_with("ed") && !ENDS_IN_ED.opens(word)
}
