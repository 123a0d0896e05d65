//! English sentences.

mod words;

use jiff::civil::Date;
use memdir_memory::MemoryType::{Feedback, Project, Reference, User};
use memdir_memory::dates;

use super::speech::Sentence;
use super::{Act, Wish, items, wish};
use words::*;

/// What a sentence asks for.
pub(super) fn find(sentence: &Sentence<'_>, today: Date) -> Option<Wish> {
    let plain = sentence.plain.as_str();
    let clause = without_lead_in(plain);
    let from = |rest: &str| plain.len() - rest.len();
    if sentence.question {
        let asked = polite(clause)?;
        return standing(asked)
            .and_then(|rule| wish(sentence, from(asked), Act::Keep(Feedback), rule));
    }
    if is_question(clause) || words(clause).count() < 3 {
        return None;
    }
    if let Some(rest) = forget(clause) {
        return wish(sentence, from(rest), Act::Forget, "forget");
    }
    if let Some(rest) = remember(clause) {
        let kind = kind_of(without_lead_in(rest), today);
        return wish(sentence, from(rest), Act::Keep(kind), "remember");
    }
    if is_for_now(plain) {
        return None;
    }
    if let Some(rule) = standing(clause) {
        return wish(sentence, from(clause), Act::Keep(Feedback), rule);
    }
    if let Some(rule) = person(clause) {
        return wish(sentence, from(clause), Act::Keep(User), rule);
    }
    if lives_somewhere(clause) {
        return wish(
            sentence,
            from(clause),
            Act::Keep(Reference),
            "where things live",
        );
    }
    if is_dated_plan(clause, sentence.text, today) {
        return wish(sentence, from(clause), Act::Keep(Project), "dated plan");
    }
    None
}

/// What comes behind one of these openings, which end at a word boundary.
fn after<'a>(text: &'a str, openings: &str) -> Option<&'a str> {
    items(openings).find_map(|opening| {
        let mut rest = text;
        for wanted in opening.chars() {
            let found = rest.chars().next()?;
            let same = found == wanted || wanted == '\'' && found == '’';
            if !same {
                return None;
            }
            rest = rest.get(found.len_utf8()..)?;
        }
        let ends = rest
            .chars()
            .next()
            .is_none_or(|next| !next.is_alphanumeric());
        ends.then(|| rest.trim_start_matches([' ', ',', ':']))
    })
}

fn opens(text: &str, openings: &str) -> bool {
    after(text, openings).is_some()
}

/// Whether one of these stands in the text as whole words.
fn has(text: &str, signs: &str) -> bool {
    let words: Vec<String> = words(text).map(str::to_owned).collect();
    let spaced = format!(" {} ", words.join(" ").replace('’', "'"));
    items(signs).any(|sign| spaced.contains(&format!(" {sign} ")))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| {
        !(character.is_alphanumeric() || matches!(character, '\'' | '’' | '-' | '_' | '\u{1}'))
    })
    .filter(|word| !word.is_empty())
}

fn first_word(text: &str) -> &str {
    words(text).next().unwrap_or_default()
}

/// Without greetings, thanks, agreement and the like.
fn without_lead_in(text: &str) -> &str {
    let mut rest = text.trim_start_matches([' ', '-', '—', '*']);
    while let Some(shorter) = after(rest, LEAD_INS) {
        // "No emojis" is a wish, "no, use tabs" an answer before one.
        let said = rest.len() - shorter.len();
        let comma = rest
            .get(..said)
            .is_some_and(|said| said.contains([',', ':']));
        let needs_comma = opens(rest, LEAD_INS_WITH_COMMA);
        if needs_comma && !comma || shorter.is_empty() {
            break;
        }
        rest = shorter.trim_start_matches(['-', '—', '!', '.', ' ']);
    }
    rest
}

fn is_question(clause: &str) -> bool {
    opens(clause, QUESTION_OPENINGS)
}

/// What a polite question asks for: "could you always …?".
fn polite(clause: &str) -> Option<&str> {
    let rest = after(
        clause,
        "can you; could you; would you; will you; can we; could we",
    )?;
    let rest = after(rest, "please; just").unwrap_or(rest);
    let standing = opens(rest, "always; never; stop; from now on")
        || has(rest, "from now on; in the future; going forward");
    standing.then_some(rest)
}

fn forget(clause: &str) -> Option<&str> {
    let rest = after(
        clause,
        "you can; you may; you should; let's; i want you to; i'd like you to",
    )
    .unwrap_or(clause);
    let rest = after(rest, "now; please; just").unwrap_or(rest);
    if has(
        rest,
        "from memory; from your memory; from your memories; from the memory",
    ) && opens(rest, "delete; remove; drop; erase; clear")
    {
        return after(rest, "delete; remove; drop; erase; clear");
    }
    let rest = after(rest, "forget")?;
    let rest = after(rest, FORGET_OBJECTS).map_or(rest, |shorter| {
        if opens(rest, "my; the") {
            rest
        } else {
            shorter
        }
    });
    let vague = opens(rest, VAGUE_OBJECTS);
    (!vague && words(rest).count() >= 2).then_some(rest)
}

fn remember(clause: &str) -> Option<&str> {
    let rest = after(clause, REMEMBER_PREFACES).unwrap_or(clause);
    let rest = after(rest, "always; please; also").unwrap_or(rest);
    if let Some(rest) = after(
        rest,
        "for future reference; for the future; for next time; for future sessions",
    ) {
        return (words(rest).count() >= 3 && !is_question(rest)).then_some(rest);
    }
    let rest = after(rest, REMEMBER)?;
    let recalls = opens(rest, RECOLLECTIONS);
    // "Don't forget to add a test" is part of the task at hand.
    let task = opens(clause, "don't forget; do not forget")
        && opens(rest, "to")
        && !opens(rest, "to always; to never");
    let rest = match after(rest, "to") {
        Some(doing) if !task => doing,
        _ => rest,
    };
    let once = opens(clause, "remember to; always remember to") && points_at_something(rest);
    (!recalls && !task && !once && words(rest).count() >= 2).then_some(rest)
}

/// Whether it holds for the moment or for one place only.
fn is_for_now(plain: &str) -> bool {
    has(plain, FOR_NOW)
}

/// A standing wish about how to work.
fn standing(clause: &str) -> Option<&'static str> {
    if let Some(rest) = after(clause, FROM_NOW_ON) {
        let told = opens(rest, FORECASTS);
        return (!told && words(rest).count() >= 2).then_some("from now on");
    }
    if has(clause, "from now on; going forward") && opens(clause, IMPERATIVES) {
        return Some("from now on");
    }
    let inner = after(clause, ORDER_PREFACES).unwrap_or(clause);
    if let Some(rest) = after(inner, "always") {
        return (!is_state(rest)).then_some("always");
    }
    if let Some(rest) = after(
        inner,
        "never; don't ever; do not ever; under no circumstances",
    ) {
        return (!is_past(rest) && !opens(rest, "mind; got; mentioned")).then_some("never");
    }
    if let Some(rest) = after(inner, "stop") {
        let word = first_word(rest);
        let doing = word.len() > 4
            && word.ends_with("ing")
            && !matches!(word, "something" | "anything" | "everything" | "nothing");
        let object = after(rest, word).unwrap_or_default();
        return (doing && !opens(object, "the; this; that; it; now")).then_some("stop");
    }
    if let Some(rest) = after(inner, "avoid") {
        return (words(rest).count() >= 2 && !points_at_something(rest)).then_some("avoid");
    }
    if let Some(rest) = after(inner, "don't; dont; do not; refrain from") {
        return is_general_ban(rest).then_some("don't");
    }
    if opens(clause, "no") {
        return no_such_thing(clause).then_some("no such thing");
    }
    if let Some(rest) = after(clause, "only ever; only") {
        return (opens(rest, IMPERATIVES)
            && words(rest).count() >= 3
            && !points_at_something(rest))
        .then_some("only");
    }
    if let Some(rest) = after(clause, "keep") {
        let word = first_word(rest);
        let manner = has(rest, MANNERS) && opens(rest, MANNER_OBJECTS);
        let doing = word.ends_with("ing")
            && word.len() > 4
            && words(rest).count() >= 3
            && !points_at_something(rest)
            && !matches!(
                word,
                "going" | "trying" | "looking" | "working" | "digging" | "running"
            );
        return (manner || doing).then_some("keep");
    }
    preference(clause)
        .or_else(|| scoped(clause))
        .or_else(|| confirmed(clause))
}

/// "When you …, always …", "in this repository, never …".
fn scoped(clause: &str) -> Option<&'static str> {
    let (scope, rest) = clause.split_once(',')?;
    let scoped = opens(scope, SCOPES);
    if !scoped || words(scope).count() > 12 {
        return None;
    }
    let rest = without_lead_in(rest);
    let you = has(scope, "you; your") || opens(scope, WORKING_SCOPES);
    let strong = opens(rest, "always; never; don't ever")
        && !is_past(after(rest, "always; never; don't ever").unwrap_or_default());
    let ban =
        after(rest, "don't; do not; avoid").is_some_and(|banned| you && is_general_ban(banned));
    let order = you && opens(rest, IMPERATIVES) && !points_at_something(rest);
    (strong || ban || order).then_some("whenever")
}

fn preference(clause: &str) -> Option<&'static str> {
    let rest = after(clause, PREFERENCES)?;
    let picks = points_at_something(rest)
        || opens(rest, PICKS)
        || has(
            rest,
            "option; approach a; approach b; your version; your suggestion; of the two",
        );
    (!picks && words(rest).count() >= 1).then_some("preference")
}

/// What was done well and should stay so, where the sentence says what.
fn confirmed(clause: &str) -> Option<&'static str> {
    let rest = after(clause, CONFIRMATIONS)?;
    let rest_words = words(rest).count();
    (rest_words >= 3 && !has(rest, "this; it")).then_some("confirmed")
}

/// Something the user says of themselves that will still be so next month.
fn person(clause: &str) -> Option<&'static str> {
    if let Some(rest) = after(clause, PERSON_OPENINGS) {
        let vague = opens(rest, VAGUE_PERSON) && !opens(clause, "i no longer work");
        let enough =
            words(rest).count() >= 1 || clause.contains("blind") || clause.contains("dyslexic");
        return (!vague && enough).then_some("who they are");
    }
    if let Some(rest) = after(clause, ROLE_OPENINGS) {
        let as_a = opens(clause, "as a");
        let until = rest.split([',', ';']).next().unwrap_or(rest);
        let role = words(until).take(6).any(is_role);
        return (role && !as_a && !opens(rest, "bit; little; fan; big fan; huge fan"))
            .then_some("who they are");
    }
    let rest = after(clause, "i've been; i have been; i've; i have")?;
    let years = has(rest, "years; decade; decades") || has(rest, INEXPERIENCE);
    let verb = opens(rest, EXPERIENCE_VERBS)
        || first_word(rest)
            .chars()
            .all(|character| character.is_ascii_digit());
    let error = has(rest, "error; bug; issue; problem; this");
    (years && verb && !error).then_some("who they are")
}

fn is_role(word: &str) -> bool {
    items(ROLES).any(|role| role == word)
}

/// Where something lives outside of the code.
fn lives_somewhere(clause: &str) -> bool {
    let place = has(clause, SYSTEMS)
        || clause.contains("http://")
        || clause.contains("https://")
        || clause.split_whitespace().any(|word| {
            word.starts_with('#')
                && word
                    .chars()
                    .nth(1)
                    .is_some_and(|next| next.is_ascii_lowercase())
        });
    let verb = has(clause, LOCATIONS);
    let thing = has(clause, THINGS);
    let told = !opens(clause, NOT_ABOUT_A_PLACE) || opens(clause, "i keep; i track");
    let track = opens(clause, TRACKERS);
    let broken = has(clause, BROKEN);
    place && !broken && (track && thing || told && verb && thing)
}

/// A plan with a day on which something happens.
fn is_dated_plan(clause: &str, typed: &str, today: Date) -> bool {
    let dated = !dates::replacements(typed, today).is_empty() || names_a_day(clause);
    let who = opens(clause, PLANNERS)
        || typed.chars().next().is_some_and(char::is_uppercase)
            && !opens(clause, IMPERATIVES)
            && !opens(clause, NOT_PLANNERS);
    let past = has(clause, PAST_EVENTS);
    dated && who && !past && has(clause, PLANS) && words(clause).count() >= 4
}

/// Whether a day is named as such: "March 5", "5 December", "2026-12-01".
fn names_a_day(clause: &str) -> bool {
    let all: Vec<&str> = words(clause).collect();
    let day = |word: &str| {
        let digits: String = word.chars().take_while(char::is_ascii_digit).collect();
        digits
            .parse::<u32>()
            .is_ok_and(|day| (1..=31).contains(&day))
    };
    let month = |word: &str| items(MONTHS).any(|month| month == word);
    let spoken = all.windows(2).any(|pair| match pair {
        [first, second] => month(first) && day(second) || day(first) && month(second),
        _ => false,
    });
    let written = all.iter().any(|word| {
        let parts: Vec<&str> = word.split('-').collect();
        parts.len() == 3
            && parts.first().is_some_and(|year| year.len() == 4)
            && parts
                .iter()
                .all(|part| part.chars().all(|digit| digit.is_ascii_digit()))
    });
    spoken || written
}

/// Whether a ban is about how to work and not about the thing at hand.
fn is_general_ban(rest: &str) -> bool {
    let verb = opens(rest, BANNED_VERBS);
    let again = has(rest, AGAIN);
    let unlike = opens(rest, NOT_BANS);
    let vague = points_at_something(rest) && !again;
    !unlike && !vague && (again || verb && words(rest).count() >= 2)
}

/// "No emojis in commit messages."
fn no_such_thing(clause: &str) -> bool {
    let Some(rest) = after(clause, "no") else {
        return false;
    };
    let told = has(rest, DESCRIPTIONS);
    let manner = opens(rest, UNWANTED_THINGS);
    manner && !told
}

/// Whether it is about something at hand: "this", "that file", "the second one", "it".
fn points_at_something(rest: &str) -> bool {
    opens(rest, "this; that; these; those; it; them")
        || has(rest, AT_HAND) && !has(rest, NOT_AT_HAND)
}

/// "always fails", "always there": how things are, not how they shall be.
fn is_state(rest: &str) -> bool {
    let word = first_word(rest);
    opens(rest, STATES)
        || word.ends_with('s')
            && !matches!(
                word,
                "process"
                    | "pass"
                    | "address"
                    | "express"
                    | "focus"
                    | "discuss"
                    | "access"
                    | "bypass"
                    | "canvas"
            )
            && words(rest).count() < 3
        || word.ends_with("ed")
            && word != "embed"
            && word != "need"
            && word != "feed"
            && word != "seed"
}

fn is_past(rest: &str) -> bool {
    let word = first_word(rest);
    opens(rest, PAST)
        || word.ends_with("ed")
            && !matches!(
                word,
                "embed" | "need" | "feed" | "seed" | "speed" | "proceed" | "exceed"
            )
}

/// What kind of memory something is that the user asked to remember.
fn kind_of(clause: &str, today: Date) -> memdir_memory::MemoryType {
    if person(clause).is_some() || opens(clause, PERSONAL) {
        User
    } else if lives_somewhere(clause) || clause.contains("https://") || clause.contains("http://") {
        Reference
    } else if standing(clause).is_some()
        || opens(clause, IMPERATIVES)
        || opens(clause, FEEDBACK_OPENINGS)
    {
        Feedback
    } else if is_dated_plan(clause, clause, today) {
        Project
    } else {
        memdir_memory::naming::guess(clause).memory_type
    }
}
