//! Chinese sentences.

mod seeming;
mod words;

use jiff::civil::Date;
use memdir_memory::MemoryType::{self, Feedback, Project, Reference, User};
use memdir_memory::dates;

use super::Act;
use super::speech::{Found, Sentence};
pub(super) use words::CUES;
use words::*;

/// What a sentence asks for.
pub(super) fn find(sentence: &Sentence<'_>, today: Date) -> Option<Found> {
    let plain = sentence.plain.as_str();
    let clause = without_lead_in(plain);
    let from = |rest: &str| plain.len() - rest.len();
    let keep = |rest: &str, kind, rule| Some(sentence.found(from(rest), Act::Keep(kind), rule));
    if sentence.question {
        return told_before_asking(sentence, clause);
    }
    if clause.chars().count() < 4 || asks(clause) || seeming::is_mockery(plain) {
        return None;
    }
    if let Some(rest) = forget(clause) {
        return Some(sentence.found(from(rest), Act::Forget, "forget"));
    }
    if is_question(clause) {
        return None;
    }
    if let Some(rest) = remember(clause) {
        return keep(rest, kind_of(rest, today), "remember");
    }
    if let Some(told) = before_reminder(clause) {
        return keep(clause, kind_of(told, today), "remember");
    }
    if is_confirmed(clause) {
        return keep(clause, Feedback, "confirmed");
    }
    if let Some(kind) = kind_outright(clause, today) {
        return keep(clause, kind, rule(kind));
    }
    let tail = tail(clause)?;
    match remember(tail) {
        Some(rest) => keep(rest, kind_of(rest, today), "remember"),
        None => (is_standing(tail) && !ONE_OFF.within(tail) && !seeming::is_of_a_program(clause))
            .then(|| sentence.found(from(tail), Act::Keep(Feedback), rule(Feedback))),
    }
}

fn rule(kind: MemoryType) -> &'static str {
    match kind {
        Feedback => "standing wish",
        User => "who they are",
        Reference => "where things live",
        Project => "plan or decision",
    }
}

/// Whether a sentence only asks that the one before it be kept.
pub(super) fn is_reminder(sentence: &Sentence<'_>) -> bool {
    let bare = without_lead_in(sentence.plain.trim_end_matches(['。', '！', '.', '!', ' ']));
    sentence.chinese && !sentence.question && REMINDERS.is(bare)
}

/// The kind of a sentence that was asked to be kept.
pub(super) fn kind_of_told(sentence: &Sentence<'_>, today: Date) -> Option<MemoryType> {
    let clause = without_lead_in(&sentence.plain);
    let told = !sentence.question && !is_question(clause) && clause.chars().count() >= 4;
    told.then(|| kind_of(clause, today))
}

/// The pieces of a sentence between commas, each with the rest of the sentence from there on.
fn pieces(clause: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = clause;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let from_here = rest;
        let end = rest.find(['，', ',', '。']).unwrap_or(rest.len());
        let piece = rest.get(..end)?;
        rest = rest.get(end..)?.trim_start_matches(['，', ',', '。', ' ']);
        Some((piece, from_here))
    })
}

fn head(clause: &str) -> &str {
    pieces(clause).next().map_or(clause, |(piece, _)| piece)
}

fn without_lead_in(text: &str) -> &str {
    let mut rest = text.trim_start_matches([' ', '-', '，', '、', '！']);
    while let Some(shorter) = LEAD_INS.after(rest) {
        let shorter = shorter.trim_start_matches(['！', '。', ' ', '，', '~', '～']);
        if shorter.is_empty() {
            break;
        }
        rest = shorter;
    }
    rest
}

fn is_question(clause: &str) -> bool {
    let bare = clause.trim_end_matches(['。', '！', '.', ' ', '~']);
    ["吗", "呢", "么", "没有", "吧", "不"]
        .iter()
        .any(|end| bare.ends_with(end) && (*end != "没有" || bare.contains("有没有")))
        || asks(clause)
}

/// Whether a word of asking stands in it: "怎么", but not "不怎么".
fn asks(clause: &str) -> bool {
    let mut rest = clause;
    while let Some(at) = QUESTION_SIGNS.find(rest) {
        let before = rest.get(..at).unwrap_or_default();
        // "谁的分支都不行" asks nothing.
        let behind = rest.get(at..).map_or("", head);
        let whoever = WHOEVER.opens(behind) && behind.contains('都');
        let indirect = ["问我", "告诉我", "跟我说", "问清楚"]
            .iter()
            .any(|told| before.ends_with(told));
        if !before.ends_with(['不', '没']) && !whoever && !indirect {
            return true;
        }
        rest = rest
            .get(at..)
            .and_then(|sign| QUESTION_SIGNS.after(sign))
            .unwrap_or_default();
    }
    false
}

/// "I'm a nurse, what is a shell?": what was said before the question.
fn told_before_asking(sentence: &Sentence<'_>, clause: &str) -> Option<Found> {
    let said = head(clause);
    let told = said.len() < clause.len() && !asks(said) && is_person(said);
    let start = sentence.plain.len() - clause.len();
    told.then(|| sentence.found_within(start..start + said.len(), Act::Keep(User), rule(User)))
}

fn forget(clause: &str) -> Option<&str> {
    if ONE_OFF.within(clause) || clause.ends_with('吗') {
        return None;
    }
    let rest = FORGET_PREFACES.after(clause).unwrap_or(clause);
    let bare = rest.trim_end_matches(['。', '！', ' ']);
    if let Some(object) = FORGET.after(rest) {
        let said = SAID_BEFORE.after(object);
        let matter = ["的事", "的事情", "这件事", "那件事"]
            .iter()
            .any(|end| head(object).ends_with(end) && object.chars().count() >= 6);
        let known = said.is_some() || FORGET_OBJECTS.opens(object) || matter;
        let object = said.unwrap_or(object);
        return (known && object.chars().count() >= 3).then_some(object);
    }
    // "之前存的机器信息删掉".
    let saved =
        SAVED_BEFORE.opens(rest) && KNOWLEDGE.within(head(rest)) && !head(rest).contains("文件");
    if saved && DELETED.within(head(rest)) {
        return Some(rest);
    }
    // "Take … out of memory", "… need not be remembered any more".
    let at = FORGET_ENDS.find(bare)?;
    let object = bare.get(..at)?.trim_end_matches(['，', ' ', '，']);
    let known = MEMORY_SIGNS.within(bare) || FORGET_OBJECTS.opens(object);
    let whole = rest;
    // A memory is a memory, whatever it is about.
    let thing = NOT_FORGOTTEN.within(object) && !bare.contains("记忆");
    (known && object.chars().count() >= 3 && !thing).then_some(whole)
}

fn remember(clause: &str) -> Option<&str> {
    let rest = REMEMBER_PREFACES.after(clause).unwrap_or(clause);
    let said = REMEMBER.after(rest)?;
    let said = PARTICLES.after(said).unwrap_or(said);
    let lasting = LASTING.within(said);
    let recalls = RECOLLECTIONS.within(said) && !lasting;
    let task = TASK_REMINDERS.opens(rest) && TASK_VERBS.opens(said) && !lasting;
    let once = ONE_OFF.within(said) && !lasting;
    (!recalls && !task && !once && said.chars().count() >= 4).then_some(said)
}

/// What stands before "…，麻烦记住这点".
fn before_reminder(clause: &str) -> Option<&str> {
    let bare = clause.trim_end_matches(['。', '！', ' ', '.', '哈', '哦', '啊']);
    let (told, last) = bare.rsplit_once(['，', ',', '；'])?;
    let reminds = REMINDERS.is(without_lead_in(last.trim()));
    (reminds && told.chars().count() >= 4 && !ONE_OFF.within(told)).then_some(told)
}

/// A standing wish behind something else: "先把这个修了，另外以后别再…".
fn tail(clause: &str) -> Option<&str> {
    let mut reported = false;
    for (at, (piece, rest)) in pieces(clause).enumerate() {
        let inner = without_lead_in(rest);
        if at > 0 && !reported && (TAILS.opens(inner)) {
            return Some(inner);
        }
        reported |= REPORTS.within(piece) || piece.contains(['：', ':']);
    }
    None
}

/// The kind of a sentence that says it outright.
fn kind_outright(clause: &str, today: Date) -> Option<MemoryType> {
    if is_person(clause) {
        Some(User)
    } else if is_standing(clause) && !ONE_OFF.within(clause) {
        Some(Feedback)
    } else if lives_somewhere(clause) {
        Some(Reference)
    } else if is_project(clause, today) && !FOR_THE_MOMENT.within(clause) {
        Some(Project)
    } else {
        None
    }
}

fn kind_of(rest: &str, today: Date) -> MemoryType {
    kind_outright(rest, today).unwrap_or_else(|| {
        if rest.starts_with('我') && !rest.starts_with("我们") {
            User
        } else if ORDERS.within(rest) {
            Feedback
        } else if SYSTEMS.within(rest) && LOCATIONS.within(rest) {
            Reference
        } else {
            memdir_memory::naming::guess(rest).memory_type
        }
    })
}

fn is_standing(clause: &str) -> bool {
    let said = head(clause);
    let scope = WORK_OPENINGS.opens(said) && said.contains("的时候");
    if COMPLAINTS.within(said) && !BANS.within(said) && !scope
        || DEFERRED.within(said)
        || AFTER_THIS.opens(said)
    {
        return false;
    }
    let repeated = pieces(clause).skip(1).any(|(piece, _)| {
        let piece = without_lead_in(piece).trim_end_matches(['。', '！', '.', '!', ' ']);
        LIKE_THIS.opens(piece) || FOREVER.is(piece) && ORDERS.within(said)
    });
    let long = |rest: &str, least| rest.chars().count() >= least;
    let from_now_on = FROM_NOW_ON
        .after(clause)
        .is_some_and(|rest| long(rest, 3) && ORDER_SIGNS.within(rest) && !FORECASTS.opens(rest));
    let always = ALWAYS
        .after(clause)
        .is_some_and(|rest| long(rest, 3) && !AT_HAND.within(head(rest)));
    let every = SCOPES
        .after(clause)
        .is_some_and(|rest| SCOPED_ORDERS.within(rest) && !seeming::is_done_once(clause, rest));
    let ban = BANS.after(clause).is_some_and(|rest| {
        long(rest, 2) && !AT_HAND.within(head(rest)) && !seeming::changes_course(rest)
    });
    // "不要动 vendor 目录里的东西".
    let guarded = GUARDS.find(said).is_some_and(|at| {
        let guarded = said.get(at..).unwrap_or_default();
        UNDER.within(guarded) && !AT_HAND.within(said)
    });
    // "给我命令的时候要写全参数".
    let whenever = clause.split_once("的时候").is_some_and(|(scope, order)| {
        let order = order.trim_start_matches(['，', ',', ' ']);
        (WORK_OPENINGS.opens(scope) || scope == "提交")
            && !scope.contains(['，', ','])
            && (SCOPED_ORDERS.within(order) || order.starts_with('要'))
            && !AT_HAND.within(said)
            && !seeming::is_done_once(clause, order)
    });
    let preference = PREFERENCES
        .after(clause)
        .is_some_and(|rest| long(rest, 2) && !PICKS.within(head(rest)));
    let ours = clause.starts_with("我们用") && !INSTEAD.within(clause);
    let language = USE.after(clause).is_some_and(|rest| {
        SPEAKING.within(rest) && LANGUAGES.within(rest) && !AT_HAND.within(rest)
    });
    let manner = MANNER_OBJECTS
        .after(clause)
        .is_some_and(|rest| MANNERS.opens(rest) && !AT_HAND.within(head(rest)));
    let reported = REPORTS.within(said) && !YOURS.opens(said);
    let firm = (FIRMLY.within(said) || FORBIDDEN.within(said) && seeming::is_of_work(said))
        && !AT_HAND.within(said)
        && !reported
        && (!ORDER_OPENINGS.opens(said) || said.starts_with('写') || YOURS.opens(said));
    let on_their_own =
        ON_YOUR_OWN.within(said) && !AT_HAND.within(said) && !OTHER_PEOPLE.within(said);
    let said_outright = firm
        || from_now_on
        || always
        || every
        || ban
        || preference
        || language
        || manner
        || guarded
        || on_their_own
        || whenever;
    repeated
        || said_outright
            && !ours
            && !seeming::is_a_task(clause)
            && !seeming::is_of_a_program(clause)
}

/// What was done well and should stay so, where the sentence says what.
fn is_confirmed(clause: &str) -> bool {
    let habit = pieces(clause)
        .skip(1)
        .any(|(piece, _)| THIS_HABIT.opens(piece) && PRAISED.within(piece));
    habit && clause.contains('你') && GOES_ON.within(clause)
        || pieces(clause).any(|(piece, _)| {
            CONFIRMED.find(piece).is_some_and(|at| {
                let what = piece.get(..at).unwrap_or_default();
                what.chars().count() >= 4 && !AT_HAND.opens(what)
            })
        })
}

fn is_person(clause: &str) -> bool {
    let said = head(clause);
    if PASSING.within(said) {
        return false;
    }
    let role = ROLE_OPENINGS
        .after(said)
        .is_some_and(|rest| ROLES.within(rest) && !NOT_ROLES.within(rest));
    // "我是学物理的".
    let trade = TRADES.after(said).is_some_and(|rest| {
        rest.ends_with('的') && !NOT_TRADES.within(rest) && !NOT_ROLES.within(rest)
    });
    let practised = PRACTISED.opens(said) && YEARS.within(said) && !NOT_PRACTISED.within(said);
    let named = PERSON_OPENINGS
        .after(said)
        .is_some_and(|rest| rest.chars().count() >= 1 && !VAGUE_PERSON.within(rest));
    let mine = said.starts_with('我') && !said.starts_with("我们");
    let works = said.starts_with("我在")
        && said.chars().count() > 4
        && WORKPLACES.within(said)
        && !WORKSPACES.within(said);
    let years = mine
        && pieces(clause).take(2).any(|(piece, _)| {
            PRACTICE.within(piece) && YEARS.within(piece) && !NOT_YEARS.within(piece)
        });
    // "前端我基本不懂": what it is about may come first.
    let about = said.contains('我')
        && !said.contains("我们")
        && !said.contains(['：', ':'])
        && !said.starts_with(['这', '那'])
        && !REPORTS.within(said)
        && !HYPOTHESES.within(said)
        && !ORDER_OPENINGS.opens(said)
        && said.chars().count() <= 20;
    let skill = (mine || about) && SKILLS.within(said) && !VAGUE_PERSON.within(said);
    let tool = TOOL_OPENINGS
        .after(said)
        .is_some_and(|rest| PERSONAL_TOOLS.within(rest) && !FAILURES.within(clause));
    let tongue = said.contains("我的母语") || said.contains("不是我的母语");
    let owner = OWNED.find(said).and_then(|at| OWNED.after(said.get(at..)?));
    let owns = owner.is_some_and(|rest| rest.chars().count() <= 1)
        && !AT_HAND.within(said)
        && !FAILURES.within(clause);
    role || named
        || works
        || years
        || skill
        || tool
        || tongue
        || owns
        || trade
        || practised
        || STATES.is(said)
}

fn lives_somewhere(clause: &str) -> bool {
    let said = head(clause);
    // "监控看 Grafana 上的面板".
    let looked_up = THINGS.after(said).is_some_and(|rest| LOOKED_UP.opens(rest))
        || said.split_once('看').is_some_and(|(thing, place)| {
            THINGS.within(thing)
                && !thing.contains('我')
                && !AT_HAND.within(thing)
                && SYSTEMS.opens(place.trim_start())
        });
    // "集群有问题去企微的支持群问".
    let asked_there = said.contains("问题")
        && said.contains(['去', '到'])
        && ["问", "提", "反馈", "找人"]
            .iter()
            .any(|end| said.ends_with(end))
        && !AT_HAND.within(said);
    if asked_there && SYSTEMS.within(said) {
        return true;
    }
    // "限流以合作方门户为准".
    let authority = said.contains('以') && said.contains("为准") && !seeming::is_a_task(clause);
    SYSTEMS.within(said)
        && (THINGS.within(said) || authority)
        && (authority || LOCATIONS.within(said) || ADDRESSED.within(clause) || looked_up)
        && !NOT_A_PLACE.within(said)
        && !said.contains("localhost")
        && (!ORDER_OPENINGS.opens(said) || THINGS.opens(said))
}

fn is_project(clause: &str, today: Date) -> bool {
    if ORDER_OPENINGS.opens(clause) || HYPOTHESES.within(clause) {
        return false;
    }
    let mut told = pieces(clause).map(|(piece, _)| piece);
    let said = told.find(|piece| !GROUNDS.opens(piece)).unwrap_or(clause);
    let decided = DECISIONS.within(said)
        && !AT_HAND.within(said)
        && !SMALL_DECISIONS.within(said)
        && !seeming::is_a_task(clause)
        && said.chars().count() >= 6;
    // "选 Kafka 是因为…", not "选中".
    let picked = said
        .strip_prefix('选')
        .or_else(|| said.strip_prefix("不用"))
        .is_some_and(|what| what.starts_with(|sign: char| sign.is_ascii()));
    let chosen = (picked || CHOSEN.opens(said)) && WHY.within(said) && !AT_HAND.within(said);
    let incident = INCIDENTS.within(said) && CONSEQUENCES.within(clause);
    let dated = !dates::replacements(said, today).is_empty() || names_a_day(said);
    let planned = PLANS.within(clause) && !PAST_EVENTS.within(clause);
    let reported = REPORTS.within(said);
    decided || chosen || incident || dated && planned && !reported && !seeming::is_a_task(clause)
}

/// Whether a day, a month or a season of work is named: "3 月 5 号", "年底", "双十一".
fn names_a_day(clause: &str) -> bool {
    let month = clause.match_indices('月').any(|(at, _)| {
        let before = clause.get(..at).unwrap_or_default().trim_end();
        before
            .chars()
            .next_back()
            .is_some_and(|digit| digit.is_ascii_digit() || "一二三四五六七八九十".contains(digit))
    });
    let written = clause
        .split(|sign: char| !(sign.is_ascii_digit() || sign == '-'))
        .any(|day| day.parse::<Date>().is_ok());
    month || written || SEASONS.within(clause)
}
