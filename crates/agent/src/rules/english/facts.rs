//! Facts about the person, places outside of the code, and what is going on.

mod words;

use jiff::civil::Date;
use memdir_memory::dates;

pub(super) use self::words::*;
use super::seeming;
use super::words::{AT_HAND, PRONOUNS};
use super::{has_address, head, is_question, without_lead_in, words_of};

/// Something the user says of themselves that will still be so next month.
pub(super) fn is_person(clause: &str) -> bool {
    is_of_themselves(clause) && !seeming::is_an_account(clause)
}

fn is_of_themselves(clause: &str) -> bool {
    let said = head(clause);
    if PASSING.within(said) || is_question(said) {
        return false;
    }
    if WORKS.opens(said) {
        return true;
    }
    if let Some(rest) = PERSON_OPENINGS.after(said) {
        let ailing = MY.opens(said) && AILING.opens(rest);
        return !VAGUE_PERSON.opens(rest) && !ailing && words_of(rest).count() >= 1;
    }
    // "Data scientist here".
    if said.ends_with(" here") && ROLES_HERE.within(said) {
        return words_of(said).count() <= 5 && !SOMEONE.opens(said);
    }
    if let Some(rest) = MY.after(said) {
        let at = BEINGS.find(rest);
        let (noun, being) = rest.split_at_checked(at.unwrap_or(0)).unwrap_or((rest, ""));
        return PERSONAL_NOUNS.within(noun)
            && words_of(noun).count() <= 3
            && BEINGS
                .after(being)
                .is_some_and(|state| !AILING.opens(state));
    }
    if let Some(rest) = LEADS.after(said) {
        return TEAMS.within(rest) && !FAILURES.within(clause);
    }
    if let Some(rest) = USES.after(said) {
        return PERSONAL_TOOLS.within(rest) && !AT_HAND.within(rest) && !FAILURES.within(clause);
    }
    if NOT_KNOWN.within(said) {
        return !VAGUE_SUBJECTS.opens(said) && words_of(said).count() >= 4;
    }
    if FIRST_LANGUAGE.within(said) {
        return true;
    }
    if let Some(rest) = KNOWS.after(said) {
        let subject = SUBJECTS.opens(rest) && words_of(rest).count() <= 4;
        return (subject || MASTERY.within(rest)) && !AT_HAND.within(rest);
    }
    if let Some(rest) = I_AM.after(said) {
        let rest = ADVERBS.after(rest).unwrap_or(rest);
        if BEING.opens(rest) || CONDITIONS.within(rest) || NATIONALITIES.is(rest) {
            return true;
        }
        if MINOR.opens(rest) {
            return false;
        }
        if words_of(rest).count() == 1 {
            // "I'm Noor, one of the maintainers".
            let more = clause.get(said.len()..).unwrap_or_default();
            let more = more.trim_start_matches([',', ' ', '(', '-']);
            let bare = words_of(head(more)).count() <= 3 && has_role(head(more), 3);
            return bare || ARTICLES.after(more).is_some_and(|role| has_role(role, 6));
        }
        return match ARTICLES.after(rest) {
            Some(role) => has_role(role, 6),
            None => !ELSEWHERE.opens(rest) && has_role(rest, 3),
        };
    }
    let Some(rest) = HAVE_BEEN.after(said) else {
        return false;
    };
    if CONDITIONS.opens(rest) {
        return true;
    }
    // "Been writing Java for 15 years".
    if BEEN.opens(said) && (!PRACTISING.opens(rest) || AT_HAND.within(rest)) {
        return false;
    }
    let years = YEARS.within(rest) || INEXPERIENCE.within(rest);
    let number = rest
        .chars()
        .next()
        .is_some_and(|digit| digit.is_ascii_digit());
    years && (number || EXPERIENCE_VERBS.opens(rest)) && !TROUBLE.within(rest)
}

/// Whether one of the first words is a role, before the sentence goes on to say what they do.
fn has_role(text: &str, within: usize) -> bool {
    words_of(text)
        .take(within)
        .take_while(|word| {
            !matches!(
                *word,
                "who" | "that" | "and" | "using" | "trying" | "in" | "with" | "on"
            )
        })
        .any(|word| ROLES.is(word) || word.strip_suffix('s').is_some_and(|one| ROLES.is(one)))
}

/// Where something lives outside of the code.
pub(super) fn lives_somewhere(clause: &str) -> bool {
    let asked_for = NEEDS.after(clause).and_then(|need| {
        let joined = THERE
            .find(head(need))
            .and_then(|at| need.split_at_checked(at));
        joined.or_else(|| need.split_once(','))
    });
    let told = match asked_for {
        Some((_, place)) => without_lead_in(place),
        None => clause,
    };
    let said = head(told);
    if BROKEN.within(said) || is_question(said) {
        return false;
    }
    // The address may stand behind a colon: "the contract is on their portal: https://…".
    let place = names_a_place(said) || has_address(told);
    if !place {
        return false;
    }
    if let Some(rest) = TRACKERS.after(said) {
        let stays = PREPOSITIONS.within(rest) && !USES.opens(said);
        return (THINGS.within(rest) || TRACKED.within(rest) || stays) && !AT_HAND.within(rest);
    }
    // "Ask in #platform-help if the cluster misbehaves."
    let asks_there =
        told.contains('#') && ASK_IN.opens(said) && OCCASIONS.within(told) && !AT_HAND.within(told);
    if FINDS.opens(said) || asks_there {
        return true;
    }
    // "Release checklist: https://…".
    if let Some((name, _)) = told.split_once(": http") {
        let short = words_of(name).count() <= 5 && THINGS.within(name);
        if short && !NOT_ABOUT_A_PLACE.opens(name) {
            return true;
        }
    }
    if WHAT_FOR.opens(told) {
        return ASKING_PLACES.within(told);
    }
    let subject = asked_for.is_some() || !NOT_ABOUT_A_PLACE.opens(said);
    let firmly = FIRM_LOCATIONS.within(said) || is_put_somewhere(said);
    let loosely = LOCATIONS.within(said) && (THINGS.within(told) || asked_for.is_some());
    subject && (firmly || loosely)
}

/// "are collected on", "gets written down in".
fn is_put_somewhere(said: &str) -> bool {
    let all: Vec<&str> = words_of(said).collect();
    all.windows(3).any(|three| match three {
        [aux, done, to] => {
            AUXILIARIES.is(aux)
                && (done.len() > 4 && done.ends_with("ed") || PARTICIPLES.is(done))
                && PREPOSITIONS.is(to)
        }
        _ => false,
    })
}

/// Whether a system, an address or a channel is named.
pub(super) fn names_a_place(clause: &str) -> bool {
    let channel = clause.split_whitespace().any(|word| {
        let name = word.trim_start_matches(['(', '"']).strip_prefix('#');
        name.and_then(|name| name.chars().next())
            .is_some_and(|first| first.is_ascii_lowercase())
    });
    channel || has_address(clause) || SYSTEMS.within(clause)
}

/// Plans with a day, decisions, incidents, and who does what.
pub(super) fn project(clause: &str, today: Date) -> Option<&'static str> {
    if words_of(clause).count() < 4 || is_question(clause) {
        return None;
    }
    let said = head(clause);
    let named = !NOT_PLANNERS.opens(said) && !super::working::is_order(said);
    let decided = DECISIONS
        .after(said)
        .is_some_and(|rest| words_of(rest).count() >= 2 && !SMALL_DECISIONS.within(rest))
        && !seeming::is_a_task(clause);
    let demanded = STAKEHOLDERS
        .after(said)
        .is_some_and(|rest| DEMANDS.opens(rest) && words_of(rest).count() >= 3)
        && !seeming::is_a_task_of_others(clause);
    let chosen = CHOSEN.opens(said) && WHY.within(clause) && !SMALL_DECISIONS.within(said);
    if decided || demanded || chosen {
        return Some("decision");
    }
    let needed = STAKEHOLDERS
        .after(said)
        .is_some_and(|rest| NEEDING.opens(rest) && words_of(rest).count() >= 4);
    let dated = !dates::replacements(clause, today).is_empty() || names_a_day(clause);
    if INCIDENTS.within(said) && (named || AFTERWARDS.opens(said)) {
        return (dated || CONSEQUENCES.within(clause)).then_some("incident");
    }
    if named && AWAY.within(said) && !PRONOUNS.opens(said) {
        return Some("who does what");
    }
    // "The event starts on 3 March, change it to the 4th": of something at hand, not of ours.
    if !OURS.opens(said) && seeming::is_a_task_of_others(clause) {
        return None;
    }
    let away = I_AM_AWAY.opens(said);
    let planned = PLANS.within(said) && !PAST_EVENTS.within(said);
    let when = !dates::replacements(said, today).is_empty() || names_a_day(said);
    let behind = dated && PLANNERS.opens(said) && FIRM_PLANS.within(said);
    ((named || away) && planned && (when || behind) || needed && when).then_some("dated plan")
}

/// Whether a day, month or quarter is named: "March 5", "5 December", "2026-12-01", "Q2", "the 20th".
fn names_a_day(clause: &str) -> bool {
    let all: Vec<&str> = words_of(clause).collect();
    let number = |word: &str| {
        let digits: String = word.chars().take_while(char::is_ascii_digit).collect();
        digits.parse::<u32>().ok()
    };
    let day = |word: &str| number(word).is_some_and(|day| (1..=31).contains(&day));
    let year = |word: &str| number(word).is_some_and(|year| (2020..2100).contains(&year));
    let month = |word: &str| MONTHS.is(word);
    let spoken = all.windows(2).any(|pair| match pair {
        [first, second] => {
            month(first) && (day(second) || year(second))
                || day(first) && month(second)
                || NEAR_A_MONTH.is(first) && month(second) && *second != "may"
                || NEAR_A_DAY.is(first) && WEEKDAYS.is(second)
                || *first == "the"
                    && day(second)
                    && ["st", "nd", "rd", "th"]
                        .iter()
                        .any(|end| second.ends_with(end))
        }
        _ => false,
    });
    let written = all.iter().any(|word| {
        let parts: Vec<&str> = word.split('-').collect();
        let digits = |part: &&str| part.chars().all(|digit| digit.is_ascii_digit());
        parts.len() == 3
            && parts.first().is_some_and(|year| year.len() == 4)
            && parts.iter().all(digits)
            || QUARTERS.is(word)
    });
    spoken || written
}
