//! Relative dates, read on Monday 16 November 2026.

use jiff::civil::{Date, date};
use memdir_memory::dates::{absolute, replacements};

const MONDAY: Date = date(2026, 11, 16);

/// Each line of a text beside what it becomes; `=` where nothing changes.
fn table(text: &str, today: Date) -> String {
    text.lines()
        .map(|line| {
            let line = line.trim();
            let after = absolute(line, today);
            if after == line {
                format!("= {line}\n")
            } else {
                format!("{line}\n  {after}\n")
            }
        })
        .collect()
}

#[test]
fn days() {
    insta::assert_snapshot!(table("\
Today we chose Postgres.
ship it tomorrow
broke yesterday, fixed tonight
the day after tomorrow is a holiday
demo this afternoon; it crashed last night
due EOD
yesterday's release is bad
today's models are larger", MONDAY), @"
    Today we chose Postgres.
      2026-11-16 we chose Postgres.
    ship it tomorrow
      ship it 2026-11-17
    broke yesterday, fixed tonight
      broke 2026-11-15, fixed the night of 2026-11-16
    the day after tomorrow is a holiday
      2026-11-18 is a holiday
    demo this afternoon; it crashed last night
      demo the afternoon of 2026-11-16; it crashed the night of 2026-11-15
    due EOD
      due The end of 2026-11-16
    yesterday's release is bad
      2026-11-15's release is bad
    = today's models are larger
    ");
}

#[test]
fn weekdays() {
    insta::assert_snapshot!(table("\
done by Friday
done by next Friday
the review is on Wednesday
this Thursday we freeze
last Thursday we froze
the coming Monday
freeze starts after Friday
blocked since Tuesday
we shipped on Thursday
the talk is planned on Thursday
until next Monday morning", MONDAY), @"
    done by Friday
      done by 2026-11-20
    done by next Friday
      done by 2026-11-27
    the review is on Wednesday
      the review is on 2026-11-18
    this Thursday we freeze
      2026-11-19 we freeze
    last Thursday we froze
      2026-11-12 we froze
    the coming Monday
      2026-11-23
    freeze starts after Friday
      freeze starts after 2026-11-20
    blocked since Tuesday
      blocked since 2026-11-10
    we shipped on Thursday
      we shipped on 2026-11-12
    the talk is planned on Thursday
      the talk is planned on 2026-11-19
    until next Monday morning
      until 2026-11-23 morning
    ");
}

#[test]
fn periods() {
    insta::assert_snapshot!(table("\
release next week
early next week
it slipped from last month to this quarter
hiring starts next quarter
next year we drop Python 3.9
later this week
this weekend
next March and last June
by the end of the month
at the end of next week
end of this quarter
by EOM
the beginning of next month", MONDAY), @"
    release next week
      release the week of 2026-11-23
    early next week
      early in the week of 2026-11-23
    it slipped from last month to this quarter
      it slipped from October 2026 to Q4 2026
    hiring starts next quarter
      hiring starts in Q1 2027
    next year we drop Python 3.9
      in 2027 we drop Python 3.9
    later this week
      later in the week of 2026-11-16
    this weekend
      the weekend of 2026-11-21
    next March and last June
      March 2027 and June 2026
    by the end of the month
      by 2026-11-30
    at the end of next week
      on 2026-11-27
    end of this quarter
      2026-12-31
    by EOM
      by 2026-11-30
    the beginning of next month
      2026-12-01
    ");
}

#[test]
fn counted() {
    insta::assert_snapshot!(table("\
in 3 days
migrate in two weeks
the contract ends in 3 months
in a year
2 weeks ago Anna left
moved a month ago
unchanged since 3 days ago
10 days from now
a couple of days ago", MONDAY), @"
    in 3 days
      on 2026-11-19
    migrate in two weeks
      migrate on 2026-11-30
    the contract ends in 3 months
      the contract ends in February 2027
    in a year
      in 2027
    2 weeks ago Anna left
      on 2026-11-02 Anna left
    moved a month ago
      moved in October 2026
    unchanged since 3 days ago
      unchanged since 2026-11-13
    10 days from now
      on 2026-11-26
    a couple of days ago
      on 2026-11-14
    ");
}

#[test]
fn what_only_looks_like_a_date() {
    insta::assert_snapshot!(table("\
call `today()` and see `next week`
he wrote \"done by Friday\"
> by Friday
see [notes](https://acme.io/today/tomorrow.html)
https://acme.io/by/tomorrow
never deploy on Friday
we always meet on Monday
Friday is our bot's name
on Friday afternoons
every Friday
in the next week or two
took place in 3 days
at the end of the day it works
today.js and tomorrow_job
the today-view
the Monday.com board
[[next week]]
once in 2 weeks
in 3 files", MONDAY), @r#"
    = call `today()` and see `next week`
    = he wrote "done by Friday"
    = > by Friday
    = see [notes](https://acme.io/today/tomorrow.html)
    = https://acme.io/by/tomorrow
    = never deploy on Friday
    = we always meet on Monday
    = Friday is our bot's name
    = on Friday afternoons
    = every Friday
    = in the next week or two
    = took place in 3 days
    = at the end of the day it works
    = today.js and tomorrow_job
    = the today-view
    = the Monday.com board
    = [[next week]]
    = once in 2 weeks
    = in 3 files
    "#);
}

#[test]
fn chinese() {
    insta::assert_snapshot!(table("\
今天决定用 Postgres
明天上线，后天复盘
昨天出了故障，前天还好
今晚发布
下周一开始冻结
上周五发布了
本周三评审
下下周二
周五前完成
每周五例会
3天后切换
两周前安娜离职
三个月后到期
十二天后
下周培训
下个月停用旧接口
上个月底
月底交付
下月底交付
11月底交付
每月底对账
明年预算，去年结余
本季度目标
年底前
目前天气
本周期
版本周报
以下周一至周五
2026年前
「明天」这个词", MONDAY), @"
    今天决定用 Postgres
      2026-11-16决定用 Postgres
    明天上线，后天复盘
      2026-11-17上线，2026-11-18复盘
    昨天出了故障，前天还好
      2026-11-15出了故障，2026-11-14还好
    今晚发布
      2026-11-16晚上发布
    下周一开始冻结
      2026-11-23开始冻结
    上周五发布了
      2026-11-13发布了
    本周三评审
      2026-11-18评审
    下下周二
      2026-12-01
    周五前完成
      2026-11-20前完成
    = 每周五例会
    3天后切换
      2026-11-19切换
    两周前安娜离职
      2026-11-02安娜离职
    三个月后到期
      2027年2月到期
    十二天后
      2026-11-28
    下周培训
      2026-11-23那一周培训
    下个月停用旧接口
      2026年12月停用旧接口
    上个月底
      2026年10月底
    月底交付
      2026-11-30交付
    下月底交付
      2026-12-31交付
    = 11月底交付
    = 每月底对账
    明年预算，去年结余
      2027年预算，2025年结余
    本季度目标
      2026年第四季度目标
    年底前
      2026-12-31前
    = 目前天气
    = 本周期
    = 版本周报
    = 以下周一至周五
    = 2026年前
    = 「明天」这个词
    ");
}

#[test]
fn code_is_left_alone() {
    let text = "by tomorrow\n```\nby tomorrow\n~~~\n```\nby tomorrow\n~~~sh\nby tomorrow\n~~~\n";
    insta::assert_snapshot!(absolute(text, MONDAY), @"
    by 2026-11-17
    ```
    by tomorrow
    ~~~
    ```
    by 2026-11-17
    ~~~sh
    by tomorrow
    ~~~
    ");
}

#[test]
fn the_week_begins_on_monday() {
    let text =
        "this Friday\nnext Friday\nlast Friday\nby Friday\nnext Monday\nnext week\nend of the week";
    insta::assert_snapshot!(table(text, date(2026, 11, 22)), @"
    this Friday
      2026-11-20
    next Friday
      2026-11-27
    last Friday
      2026-11-20
    by Friday
      by 2026-11-27
    next Monday
      2026-11-23
    next week
      the week of 2026-11-23
    end of the week
      2026-11-22
    ");
    insta::assert_snapshot!(table("last Friday\nby Friday\nthis Friday", date(2026, 11, 20)), @"
    last Friday
      2026-11-13
    by Friday
      by 2026-11-27
    this Friday
      2026-11-20
    ");
}

#[test]
fn ends_of_the_calendar_are_left_alone() {
    let last = Date::MAX;
    assert_eq!(
        absolute(
            "tomorrow, next week, next year, 月底, 下周一, in 999 years",
            last
        )
        .matches("tomorrow")
        .count(),
        1
    );
    assert_eq!(
        absolute("yesterday, last week, 昨天", Date::MIN)
            .matches("yesterday")
            .count(),
        1
    );
    assert_eq!(
        absolute("2 months ago", date(2026, 12, 31)),
        "in October 2026"
    );
}

proptest::proptest! {
    #[test]
    fn a_second_reading_changes_nothing(
        words in proptest::collection::vec("(by|on|next|last|this|week|Friday|tomorrow|today|in|3|days|ago|end|of|the|month|下周|一|月底|明天|天后|`|\"|\\.|,|\n)", 0..14),
        day in 0..2000_i64,
    ) {
        let today = date(2024, 1, 1).checked_add(jiff::Span::new().days(day)).unwrap();
        let text = words.join(" ");
        let once = absolute(&text, today).into_owned();
        proptest::prop_assert_eq!(absolute(&once, today), once.as_str());
    }

    #[test]
    fn places_fit_and_do_not_overlap(text in "\\PC{0,60}|(tomorrow|下周一| |by|Friday|\\PC){0,20}") {
        let mut end = 0;
        for replacement in replacements(&text, MONDAY) {
            proptest::prop_assert!(replacement.range.start >= end);
            proptest::prop_assert!(text.get(replacement.range.clone()).is_some());
            end = replacement.range.end;
        }
    }
}
