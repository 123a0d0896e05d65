//! English sentences.

mod facts;
mod forget;
mod lasting;
mod seeming;
mod words;
mod working;

use jiff::civil::Date;
use memdir_memory::MemoryType::{self, Feedback, Project, Reference, User};

use super::Act;
use super::phrases::Phrases;
use super::speech::{Found, Sentence};
use words::*;

/// A message without a phrase of one of these asks for nothing.
pub(super) static CUES: [&Phrases; 60] = [
    &REMEMBER,
    &forget::FORGET,
    &forget::ERASE,
    &forget::REMEMBER_NO_MORE,
    &FOR_LATER,
    &REMINDERS,
    &FROM_NOW_ON,
    &FROM_NOW_ON_WITHIN,
    &HABITS,
    &ALWAYS,
    &NEVER,
    &STOP,
    &AVOID,
    &BANS,
    &NO,
    &ONLY,
    &KEEP,
    &PREFERENCES,
    &WORK_PRODUCTS,
    &WORKING_SCOPES,
    &YOU,
    &CONFIRMATIONS,
    &CONFIRMED,
    &OUR_WAY,
    &INDEFINITE,
    &FOR_MY_SAKE,
    &forget::FORGET_IT,
    &facts::CHOSEN,
    &facts::FINDS,
    &facts::WORKS,
    &facts::MY,
    &facts::PERSON_OPENINGS,
    &facts::LEADS,
    &facts::USES,
    &facts::NOT_KNOWN,
    &facts::FIRST_LANGUAGE,
    &facts::KNOWS,
    &facts::I_AM,
    &facts::HAVE_BEEN,
    &facts::SYSTEMS,
    &facts::ADDRESSES,
    &facts::DECISIONS,
    &facts::DEMANDS,
    &facts::NEEDING,
    &facts::INCIDENTS,
    &facts::PLANS,
    &facts::AWAY,
    &facts::ROLES_HERE,
    &NOTES,
    &RULE_NAMES,
    &ASK_BEFORE,
    &lasting::TRAILING,
    &lasting::TONES,
    &lasting::TONGUES,
    &lasting::I_WANT,
    &lasting::JOINED_SCOPES,
    &lasting::WE_DO,
    &REPETITIONS,
    &lasting::REPORT_TO_ME,
    &facts::ASK_IN,
];

/// What a sentence asks for.
pub(super) fn find(sentence: &Sentence<'_>, today: Date) -> Option<Found> {
    sought(sentence, today).filter(|_| !seeming::is_not_meant(&sentence.plain))
}

/// What the words of a sentence ask for, meant or not.
fn sought(sentence: &Sentence<'_>, today: Date) -> Option<Found> {
    let plain = sentence.plain.as_str();
    let clause = without_lead_in(plain);
    let from = |rest: &str| plain.len() - rest.len();
    if sentence.question || POLITE.opens(clause) {
        return asked(sentence, clause);
    }
    if words_of(clause).count() < 3 {
        return None;
    }
    if let Some(rest) = forget::object(clause) {
        return Some(sentence.found(from(rest), Act::Forget, "forget"));
    }
    if is_question(clause) {
        return None;
    }
    if let Some(rest) = remember(clause) {
        let kind = kind_of(without_lead_in(rest), today);
        return Some(sentence.found(from(rest), Act::Keep(kind), "remember"));
    }
    if let Some(told) = before_reminder(clause) {
        let kind = kind_of(told, today);
        return Some(sentence.found(from(clause), Act::Keep(kind), "remember"));
    }
    if let Some(rule) = declared_rule(plain) {
        return Some(sentence.found(from(rule), Act::Keep(Feedback), "rule"));
    }
    if working::is_confirmed(clause) {
        return Some(sentence.found(from(clause), Act::Keep(Feedback), "confirmed"));
    }
    if let Some((kind, rule)) = statement(clause, today) {
        return Some(sentence.found(from(clause), Act::Keep(kind), rule));
    }
    let tail = tail(clause)?;
    if let Some(rest) = remember(tail) {
        let kind = kind_of(without_lead_in(rest), today);
        return Some(sentence.found(from(rest), Act::Keep(kind), "remember"));
    }
    let rule = working::standing(tail).filter(|_| !is_once(tail))?;
    Some(sentence.found(from(tail), Act::Keep(Feedback), rule))
}

/// Whether it is meant for now only; "from here on" is not.
fn is_once(text: &str) -> bool {
    let mut rest = text;
    while let Some(at) = ONE_OFF.find(rest) {
        let before = rest.get(..at).unwrap_or_default();
        let (_, behind) = rest.split_at_checked(at).unwrap_or_default();
        if !(before.ends_with("from ") && HERE_ON.opens(behind)) {
            return true;
        }
        rest = ONE_OFF.after(behind).unwrap_or_default();
    }
    false
}

/// Whether a sentence only asks that the one before it be kept: "Please keep that in mind."
pub(super) fn is_reminder(sentence: &Sentence<'_>) -> bool {
    let bare = sentence.plain.trim_end_matches(['.', '!', ' ']);
    let bare = without_lead_in(bare);
    let bare = before_please(bare);
    !sentence.question && (REMINDERS.is(bare) || GENERALISES.opens(bare) || is_repetition(sentence))
}

/// Whether a sentence asks to do again what was praised before: "Keep doing that."
pub(super) fn is_repetition(sentence: &Sentence<'_>) -> bool {
    let bare = without_lead_in(&sentence.plain);
    let emphasis = EMPHASES.is(before_please(bare.trim_end_matches(['.', '!', ' '])));
    !sentence.question && (emphasis || REPETITIONS.opens(bare) && words_of(bare).count() <= 12)
}

/// The kind of a sentence that was asked to be kept.
pub(super) fn kind_of_told(sentence: &Sentence<'_>, today: Date) -> Option<MemoryType> {
    let clause = without_lead_in(&sentence.plain);
    let told = !sentence.question && !is_question(clause) && words_of(clause).count() >= 3;
    told.then(|| kind_of(clause, today))
}

/// Whether the sentence says that something was done well.
pub(super) fn praises(sentence: &Sentence<'_>) -> bool {
    !sentence.question && PRAISE.within(&sentence.plain)
}

/// Whether the sentence rules something out, however shortly: "No emojis."
pub(super) fn rules_out(sentence: &Sentence<'_>) -> bool {
    let clause = without_lead_in(&sentence.plain);
    !sentence.question && NO.opens(clause) && working::standing(clause).is_some()
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| {
        !(character.is_alphanumeric() || matches!(character, '\'' | '’' | '-' | '_' | '\u{1}'))
    })
    .filter(|word| !word.is_empty())
}

fn first_word(text: &str) -> &str {
    words_of(text).next().unwrap_or_default()
}

/// The first part of a clause, which says the thing itself.
fn head(clause: &str) -> &str {
    let mark = clause.char_indices().find_map(|(at, character)| {
        let next = clause.get(at + character.len_utf8()..)?.chars().next();
        let stops = match character {
            ',' | ';' | '(' | '—' | '–' => true,
            ':' => next.is_none_or(char::is_whitespace),
            _ => false,
        };
        stops.then_some(at)
    });
    let head = clause.get(..mark.unwrap_or(clause.len())).unwrap_or(clause);
    let joint = JOINTS.find(head).filter(|at| *at > 0);
    let head = head.get(..joint.unwrap_or(head.len())).unwrap_or(head);
    head.split(" - ").next().unwrap_or(head).trim_end()
}

/// Without greetings, thanks, agreement and the like.
fn without_lead_in(text: &str) -> &str {
    let mut rest = text.trim_start_matches([' ', '-', '—', '*']);
    while let Some(shorter) = LEAD_INS.after(rest) {
        // "No emojis" is a wish, "no, use tabs" an answer before one.
        let said = rest
            .get(..rest.len() - shorter.len())
            .unwrap_or_default()
            .trim_end();
        let marked = said.ends_with([',', ':']) || shorter.starts_with(['-', '—', '!', '.']);
        if NEED_COMMA.is(said.trim_end_matches([',', ':'])) && !marked || shorter.is_empty() {
            break;
        }
        rest = shorter.trim_start_matches(['-', '—', '!', '.', ' ']);
    }
    match rest.split_once(": ") {
        // "One thing I want to be clear about: never …".
        Some((preface, wish))
            if words_of(preface).count() <= 9
                && PREFACES.within(preface)
                && !REPORTS.within(preface)
                && !REMEMBER.opens(preface)
                && !NOTES.is(preface)
                && !seeming::is_from_a_document(preface)
                && !FROM_NOW_ON.opens(preface)
                && !is_question(preface)
                && (!working::is_order(preface) || LET_ME.opens(preface)) =>
        {
            without_lead_in(wish)
        }
        _ => rest,
    }
}

fn is_question(clause: &str) -> bool {
    QUESTION_OPENINGS.opens(clause)
}

/// What a question asks for: "could you always …?", or says before it asks: "I'm a nurse, what is a shell?".
fn asked(sentence: &Sentence<'_>, clause: &str) -> Option<Found> {
    let from = |rest: &str| sentence.plain.len() - rest.len();
    if let Some(rest) = POLITE.after(clause) {
        let rest = POLITE_FILLERS.after(rest).unwrap_or(rest);
        let lasting = |doing: &&str| LASTING.opens(doing) || LASTING_SIGNS.within(doing);
        let to_do = POLITE_TO_DO.after(rest).filter(lasting);
        if let Some(told) = POLITE_REMEMBER.after(rest).or(to_do) {
            let kind = kind_of(told, Date::MIN);
            return Some(sentence.found(from(told), Act::Keep(kind), "remember"));
        }
        // "Could you not reformat files that you don't change?"
        let ban = POLITE_NOT
            .after(rest)
            .filter(|ban| !ban.contains(" again") && !seeming::is_in_a_part(ban));
        if ban.is_some_and(|ban| working::is_general_ban(ban) && !is_once(ban)) {
            return Some(sentence.found(from(rest), Act::Keep(Feedback), "don't"));
        }
        let standing = POLITE_WISHES.opens(rest) || POLITE_SIGNS.within(rest);
        let rule = working::standing(rest).filter(|_| standing && !is_once(rest))?;
        return Some(sentence.found(from(rest), Act::Keep(Feedback), rule));
    }
    let said = head(clause);
    let rest = clause.get(said.len()..)?;
    let told = rest.starts_with([',', ';', '-', '—']) && !is_question(clause);
    (told && facts::is_person(said)).then(|| {
        let start = from(clause);
        sentence.found_within(start..start + said.len(), Act::Keep(User), "who they are")
    })
}

/// Without "that" before it, rather a memory of something than a fact.
static OUR: Phrases = Phrases::of("our");

fn remember(clause: &str) -> Option<&str> {
    let rest = REMEMBER_PREFACES.after(clause).unwrap_or(clause);
    let rest = FILLERS.after(rest).unwrap_or(rest);
    if let Some(rest) = FOR_LATER.after(rest) {
        let kept = words_of(rest).count() >= 3 && !is_question(rest) && !INTO_A_FILE.opens(rest);
        return (kept && !ONE_OFF.within(rest)).then_some(rest);
    }
    // "Make a note: …", unless it is a thing to do.
    if let Some((_, noted)) = rest.split_once(": ").filter(|(note, _)| NOTES.is(note)) {
        let kept = words_of(noted).count() >= 3
            && !working::is_order(noted)
            && !is_question(noted)
            && !noted.starts_with("todo");
        return (kept && !ONE_OFF.within(noted)).then_some(noted);
    }
    let said = REMEMBER.after(rest)?;
    // "Don't forget to add a test" is part of the task at hand.
    let not_to_forget = FORGET_NOT.opens(rest);
    let (to_do, said) = match TO.after(said) {
        Some(doing) => (true, doing),
        None => (false, said),
    };
    let lasting = LASTING.opens(said) || LASTING_SIGNS.within(said);
    let step = not_to_forget || working::points_at_something(said) || seeming::is_a_step(said);
    let task = to_do && !lasting && step;
    let thing = not_to_forget && !to_do && !FACT_OPENINGS.opens(said) && !PERSONAL.opens(said);
    let cue = rest.get(..rest.len() - said.len()).unwrap_or_default();
    let stated = cue.trim_end().to_ascii_lowercase().ends_with("that");
    let recalls = RECOLLECTIONS.opens(said) || (OUR.opens(said) && !stated);
    let recalls = !to_do && recalls;
    let once = ONE_OFF.within(said) && !lasting;
    (!recalls && !task && !thing && !once && words_of(said).count() >= 2).then_some(said)
}

/// What stands before "…, keep that in mind".
fn before_reminder(clause: &str) -> Option<&str> {
    let bare = before_please(clause.trim_end_matches(['.', '!', ' ']));
    let (told, last) = bare.rsplit_once([',', ';', '-', '—', '('])?;
    let last = last.trim_end_matches(')');
    let reminds = REMINDERS.is(without_lead_in(last.trim_start()));
    (reminds && words_of(told).count() >= 3 && !ONE_OFF.within(told)).then_some(told)
}

fn before_please(text: &str) -> &str {
    [" please", " pls", " thanks", " ok", " okay"]
        .iter()
        .find_map(|end| text.strip_suffix(end))
        .unwrap_or(text)
        .trim_end_matches([',', ' '])
}

/// "Rule for this repo: no new globals."
fn declared_rule(plain: &str) -> Option<&str> {
    let (preface, rule) = plain.split_once(": ")?;
    let declares = RULE_NAMES.within(preface)
        && words_of(preface).count() <= 6
        && !OTHER_RULES.within(preface)
        && !REPORTS.within(preface)
        && !is_question(preface)
        && !working::is_order(preface)
        && !FROM_NOW_ON.opens(without_lead_in(preface))
        && !seeming::is_from_a_document(preface);
    (declares && words_of(rule).count() >= 2 && !is_question(rule) && !is_once(rule))
        .then_some(rule)
}

/// A standing wish behind a task: "fix the test, and from now on …".
fn tail(clause: &str) -> Option<&str> {
    let at = TAILS.find(clause).filter(|at| *at > 0)?;
    let before = clause.get(..at)?.trim_end();
    let before = before.strip_suffix(" and").unwrap_or(before).trim_end();
    let joined = before.len() < clause.get(..at)?.trim_end().len()
        || before.ends_with([',', ';', '-', '—', '.', '!']);
    let told = REPORTS.within(before) || before.contains(':');
    let tail = clause.get(at..)?;
    (joined && !told && words_of(tail).count() >= 4).then_some(tail)
}

/// What a sentence is by itself, without being asked to be kept.
fn statement(clause: &str, today: Date) -> Option<(MemoryType, &'static str)> {
    let clause = FACT_PREFACES.after(clause).unwrap_or(clause);
    // "I'm Brazilian, and my working hours are …".
    let more = clause.split_once(", and ").map_or("", |(_, more)| more);
    if facts::is_person(clause) || facts::I_AM.opens(clause) && facts::is_person(more) {
        return Some((User, "who they are"));
    }
    let wished = FROM_NOW_ON.after(clause).unwrap_or(clause);
    if let Some(rule) = working::standing(clause).filter(|_| !is_once(wished)) {
        return Some((Feedback, rule));
    }
    if facts::lives_somewhere(clause) {
        return Some((Reference, "where things live"));
    }
    let for_now = FOR_THE_MOMENT.within(clause);
    facts::project(clause, today)
        .filter(|_| !for_now)
        .map(|rule| (Project, rule))
}

/// What kind of memory something is that the user asked to remember.
fn kind_of(clause: &str, today: Date) -> MemoryType {
    if let Some((kind, _)) = statement(clause, today) {
        return kind;
    }
    if working::is_order(clause) || FEEDBACK_OPENINGS.opens(clause) {
        Feedback
    } else if PERSONAL.opens(clause) {
        User
    } else if has_address(clause) || facts::names_a_place(clause) {
        Reference
    } else if working::is_convention(clause) || WORK_PRODUCTS.opens(clause) {
        Feedback
    } else {
        memdir_memory::naming::guess(clause).memory_type
    }
}

fn has_address(clause: &str) -> bool {
    let local = clause.contains("localhost") || clause.contains("127.0.0.1");
    (clause.contains("http://") || clause.contains("https://")) && !local
}
