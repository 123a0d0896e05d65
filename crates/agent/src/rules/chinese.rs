//! Chinese sentences.

mod words;

use jiff::civil::Date;
use memdir_memory::MemoryType::{self, Feedback, Project, Reference, User};
use memdir_memory::dates;

use super::speech::Sentence;
use super::{Act, Wish, items, wish};
use words::*;

/// What a sentence asks for.
pub(super) fn find(sentence: &Sentence<'_>, today: Date) -> Option<Wish> {
    let plain = sentence.plain.as_str();
    let clause = without_lead_in(plain);
    let from = |rest: &str| plain.len() - rest.len();
    if sentence.question || is_question(clause) || clause.chars().count() < 4 {
        return None;
    }
    if let Some(rest) = forget(clause) {
        return wish(sentence, from(rest), Act::Forget, "forget");
    }
    if let Some(rest) = remember(clause) {
        return wish(
            sentence,
            from(rest),
            Act::Keep(kind_of(rest, today)),
            "remember",
        );
    }
    if has(plain, FOR_NOW) {
        return None;
    }
    let kind = kind_outright(clause, today)?;
    let rule = match kind {
        Feedback => "standing wish",
        User => "who they are",
        Reference => "where things live",
        Project => "dated plan",
    };
    wish(sentence, from(clause), Act::Keep(kind), rule)
}

fn after<'a>(text: &'a str, openings: &str) -> Option<&'a str> {
    items(openings)
        .find_map(|opening| text.strip_prefix(opening))
        .map(|rest| rest.trim_start_matches([' ', '，', ',', '：', ':', '、']))
}

fn has(text: &str, signs: &str) -> bool {
    items(signs).any(|sign| text.contains(sign))
}

fn without_lead_in(text: &str) -> &str {
    let mut rest = text.trim_start_matches([' ', '-', '，', '、', '！']);
    while let Some(shorter) = after(rest, LEAD_INS) {
        let shorter = shorter.trim_start_matches(['！', '。', ' ', '，']);
        if shorter.is_empty() {
            break;
        }
        rest = shorter;
    }
    rest
}

fn is_question(clause: &str) -> bool {
    let bare = clause.trim_end_matches(['。', '！', '.', ' ']);
    ["吗", "呢", "么", "没有", "吧"]
        .iter()
        .any(|end| bare.ends_with(end) && (*end != "没有" || bare.contains("有没有")))
        || has(clause, QUESTION_SIGNS)
}

fn forget(clause: &str) -> Option<&str> {
    let rest = after(clause, "你可以; 帮我; 把").unwrap_or(clause);
    let rest = match after(rest, "忘掉; 忘记; 删掉关于; 不用再记得; 不用记得") {
        Some(rest) => rest,
        // "Take … out of memory".
        None if clause.starts_with('把')
            && has(rest, "忘掉; 从记忆里删; 从记忆中删; 从记忆里去掉") =>
        {
            rest
        }
        None => return None,
    };
    let rest = after(rest, "我之前说的; 我说过的; 我说的; 之前说的; 关于").unwrap_or(rest);
    let vague = has(rest, "它吧")
        || rest.chars().count() < 3
        || rest.starts_with("了")
        || rest.starts_with("这件事");
    (!vague).then_some(rest)
}

fn remember(clause: &str) -> Option<&str> {
    let rest = after(clause, REMEMBER_PREFACES).unwrap_or(clause);
    let rest = after(rest, REMEMBER)?;
    let rest = after(rest, "了; 啊; 哦").unwrap_or(rest);
    let recalls = has(rest, "上次; 那次; 那天; 以前我们") && !has(rest, "以后; 都要; 不要; 总是");
    let task = ["别忘了", "不要忘了", "记得", "不要忘记", "别忘记"]
        .iter()
        .any(|opening| clause.starts_with(opening))
        && [
            "加", "跑", "提交", "更新", "检查", "改", "写", "删", "测试", "把", "推", "运行", "补",
        ]
        .iter()
        .any(|verb| rest.starts_with(verb))
        && !has(rest, "每次; 以后; 总是; 都要; 永远");
    (!recalls && !task && rest.chars().count() >= 4).then_some(rest)
}

/// The kind of a sentence that says it outright.
fn kind_outright(clause: &str, today: Date) -> Option<MemoryType> {
    if is_standing(clause) {
        Some(Feedback)
    } else if is_person(clause) {
        Some(User)
    } else if lives_somewhere(clause) {
        Some(Reference)
    } else if is_dated_plan(clause, today) {
        Some(Project)
    } else {
        None
    }
}

fn kind_of(rest: &str, today: Date) -> MemoryType {
    kind_outright(rest, today).unwrap_or_else(|| {
        if rest.starts_with('我') && !rest.starts_with("我们") {
            User
        } else {
            memdir_memory::naming::guess(rest).memory_type
        }
    })
}

fn is_standing(clause: &str) -> bool {
    let told = has(clause, COMPLAINTS);
    let from_now_on = after(clause, FROM_NOW_ON).is_some_and(|rest| {
        rest.chars().count() >= 3
            && (has(rest, ORDER_SIGNS))
            && !rest.starts_with("会")
            && !rest.starts_with("可能")
            && !rest.starts_with("再")
    });
    let always = after(clause, ALWAYS).is_some_and(|rest| rest.chars().count() >= 3);
    let every = after(clause, SCOPES).is_some_and(|rest| has(rest, SCOPED_ORDERS));
    let ban = after(clause, BANS)
        .is_some_and(|rest| rest.chars().count() >= 2 && !has(rest, "这个; 那个; 它; 这样; 这么"));
    let preference = after(clause, PREFERENCES).is_some_and(|rest| {
        rest.chars().count() >= 2 && !has(rest, "第一个; 第二个; 这个; 那个; 方案; 它")
    });
    let ours = clause.starts_with("我们用") && !has(clause, "不用; 而不是; 不是");
    let instead = after(clause, "用; 请用; 使用; 统一用; 优先用; 优先使用").is_some_and(|rest| {
        has(rest, "回答; 回复; 写注释; 写提交信息")
            && has(rest, "中文; 英文; 简体; 繁体")
            && !has(rest, "这个问题; 这段; 一下; 这封")
    });
    !told && !ours && (from_now_on || always || every || ban || preference || instead)
}

fn is_person(clause: &str) -> bool {
    let role =
        after(clause, "我是一名; 我是一个; 我是个; 我是; 我在做; 我目前是").is_some_and(|rest| {
            let head = rest.split(['，', ',', '。']).next().unwrap_or(rest);
            has(head, ROLES) && !has(head, "想; 说; 觉得; 怕; 不是")
        });
    let named = after(clause, PERSON_OPENINGS)
        .is_some_and(|rest| rest.chars().count() >= 2 && !has(rest, "这个; 那个; 它; 你; 什么"));
    let works = clause.starts_with("我在")
        && has(clause, "工作; 上班; 读书; 任职")
        && !has(clause, "工作目录; 工作区; 工作流");
    let years = clause.starts_with('我')
        && has(clause, "写了; 用了; 做了; 干了")
        && has(clause, "年")
        && !has(clause, "去年; 今年; 明年");
    role || named || works || years
}

fn lives_somewhere(clause: &str) -> bool {
    has(clause, SYSTEMS)
        && has(clause, THINGS)
        && has(clause, LOCATIONS)
        && !has(clause, NOT_A_PLACE)
}

fn is_dated_plan(clause: &str, today: Date) -> bool {
    let dated = !dates::replacements(clause, today).is_empty()
        || clause.contains('月')
            && (clause.contains('日')
                || clause.contains('号')
                || clause.contains('底')
                || clause.contains('初'));
    let past = has(clause, PAST_EVENTS);
    let order = ["帮", "写", "把", "给", "看", "查", "改", "加", "跑", "在"]
        .iter()
        .any(|verb| clause.starts_with(verb));
    dated && has(clause, PLANS) && !past && !order
}
