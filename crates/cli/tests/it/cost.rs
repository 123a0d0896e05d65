//! `memdir cost`: what background work has cost.

use std::fs;

use crate::fixture::Fixture;

/// A ledger as it is on disk: two projects, three purposes, one request that broke off.
const LEDGER: &str = r#"{"v":1,"id":"a","at":"2025-11-14T09:00:00Z","reserved":{"purpose":"extraction","project":"/home/ada/app","provider":"https://api.anthropic.com","model":"claude-haiku-4-5","nano_usd":9000000}}
{"v":1,"id":"a","at":"2025-11-14T09:00:04Z","settled":{"input":1200,"cache_read":40000,"cache_write":800,"output":350,"nano_usd":7950000}}
{"v":1,"id":"b","at":"2025-11-15T10:00:00Z","reserved":{"purpose":"dream","project":"/home/ada/app","provider":"https://api.anthropic.com","model":"claude-sonnet-4-6","nano_usd":90000000}}
{"v":1,"id":"c","at":"2025-11-15T10:00:01Z","reserved":{"purpose":"recall","project":"/home/ada/site","provider":"https://api.anthropic.com","model":"claude-haiku-4-5","nano_usd":4000000}}
{"v":1,"id":"c","at":"2025-11-15T10:00:02Z","settled":{"input":900,"cache_read":0,"cache_write":0,"output":20,"nano_usd":1000000,"left_per_mille":900}}
{"v":1,"id":"b","at":"2025-11-15T10:03:00Z","settled":{"input":20000,"cache_read":0,"cache_write":0,"output":1500,"nano_usd":82500000}}
{"v":1,"id":"d","at":"2025-11-15T11:00:00Z","reserved":{"purpose":"extraction","project":"/home/ada/site","provider":"https://api.anthropic.com","model":"claude-haiku-4-5","nano_usd":3000000}}
"#;

fn with_ledger(text: &str) -> Fixture {
    let fixture = Fixture::new();
    let folder = fixture.sandbox.home().join(".claude/memdir");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("ledger.jsonl"), text).unwrap();
    fixture
}

#[test]
fn nothing_was_asked() {
    let fixture = Fixture::new();
    insta::assert_snapshot!(fixture.run(&["cost"]), @"
    exit 0
    -- stdout
    Background work has cost nothing.
    today $0.0000 of the day's $1.0000
    -- stderr
    ");
    assert!(!fixture.sandbox.home().join(".claude/memdir").exists());
}

#[test]
fn by_purpose_day_and_project() {
    let fixture = with_ledger(LEDGER);
    insta::assert_snapshot!(fixture.run(&["cost"]), @"
    exit 0
    -- stdout
    purpose          cost  requests  tokens in  cached    out
    dream         $0.0825         1     20,000   0.0 %  1,500  ████████████████
    extraction  ≤ $0.0110         2     42,000  95.2 %    350  ██
    recall        $0.0010         1        900   0.0 %     20  ▏
    total       ≤ $0.0945         4     62,900  63.6 %  1,870
    ≤ 1 request is counted at the worst case: what it cost is not known
    today $0.0000 of the day's $1.0000
    -- stderr
    ");
    insta::assert_snapshot!(fixture.run(&["cost", "--by", "day"]), @"
    exit 0
    -- stdout
    day              cost  requests  tokens in  cached    out
    2025-11-14    $0.0080         1     42,000  95.2 %    350  █▍
    2025-11-15  ≤ $0.0865         3     20,900   0.0 %  1,520  ████████████████
    total       ≤ $0.0945         4     62,900  63.6 %  1,870
    ≤ 1 request is counted at the worst case: what it cost is not known
    today $0.0000 of the day's $1.0000
    -- stderr
    ");
    insta::assert_snapshot!(fixture.run(&["cost", "--by", "project"]), @"
    exit 0
    -- stdout
    project              cost  requests  tokens in  cached    out
    /home/ada/app     $0.0905         2     62,000  64.5 %  1,850  ████████████████
    /home/ada/site  ≤ $0.0040         2        900   0.0 %     20  ▋
    total           ≤ $0.0945         4     62,900  63.6 %  1,870
    ≤ 1 request is counted at the worst case: what it cost is not known
    today $0.0000 of the day's $1.0000
    -- stderr
    ");
    insta::assert_snapshot!(fixture.run(&["cost", "--json"]), @r#"
    exit 0
    -- stdout
    {
      "by": "purpose",
      "rows": [
        {
          "key": "dream",
          "requests": 1,
          "open": 0,
          "input": 20000,
          "cache_read": 0,
          "cache_write": 0,
          "output": 1500,
          "cache_share": 0.0,
          "usd": 0.0825
        },
        {
          "key": "extraction",
          "requests": 2,
          "open": 1,
          "input": 1200,
          "cache_read": 40000,
          "cache_write": 800,
          "output": 350,
          "cache_share": 95.2,
          "usd": 0.01095
        },
        {
          "key": "recall",
          "requests": 1,
          "open": 0,
          "input": 900,
          "cache_read": 0,
          "cache_write": 0,
          "output": 20,
          "cache_share": 0.0,
          "usd": 0.001
        }
      ],
      "total": {
        "key": "total",
        "requests": 4,
        "open": 1,
        "input": 22100,
        "cache_read": 40000,
        "cache_write": 800,
        "output": 1870,
        "cache_share": 63.6,
        "usd": 0.09445
      },
      "today_usd": 0.0,
      "daily_usd": 1.0,
      "unusual": null,
      "damaged": 0
    }
    -- stderr
    "#);
}

#[test]
fn what_cannot_be_read_is_told_and_what_is_newer_left_alone() {
    let fixture = with_ledger(&format!(
        "{LEDGER}not a line\n{{\"v\":1,\"id\":\"e\",\"at\":\"2026-"
    ));
    insta::assert_snapshot!(fixture.run(&["cost", "--by", "day"]), @"
    exit 0
    -- stdout
    day              cost  requests  tokens in  cached    out
    2025-11-14    $0.0080         1     42,000  95.2 %    350  █▍
    2025-11-15  ≤ $0.0865         3     20,900   0.0 %  1,520  ████████████████
    total       ≤ $0.0945         4     62,900  63.6 %  1,870
    ≤ 1 request is counted at the worst case: what it cost is not known
    today $0.0000 of the day's $1.0000
    -- stderr
    warning: 1 line of ~/.claude/memdir/ledger.jsonl cannot be read: what they say is not counted
    ");
    let fixture =
        with_ledger("{\"v\":2,\"id\":\"a\",\"at\":\"2025-11-14T09:00:00Z\",\"paid\":1}\n");
    insta::assert_snapshot!(fixture.run(&["cost"]), @"
    exit 1
    -- stdout
    -- stderr
    error: [HOME]/.claude/memdir/ledger.jsonl was written by a newer memdir (format 2, this one knows 1); update memdir
    ");
}

#[test]
fn a_day_that_cost_far_more_than_the_week_before_is_told() {
    let now = jiff::Timestamp::now();
    let line = |id: &str, days: i64, nano: u64| {
        let at = now - jiff::SignedDuration::from_hours(24 * days);
        format!(
            "{{\"v\":1,\"id\":\"{id}\",\"at\":\"{at}\",\"reserved\":{{\"purpose\":\"dream\",\"project\":\"/p\",\"provider\":\"x\",\"model\":\"m\",\"nano_usd\":{nano}}}}}\n"
        )
    };
    let week = [
        line("a", 4, 9_000_000),
        line("b", 3, 10_000_000),
        line("c", 2, 11_000_000),
    ]
    .concat();
    let usual = with_ledger(&[week.clone(), line("d", 1, 29_000_000)].concat());
    assert_eq!(usual.run(&["cost"]).stderr(), "");
    let unusual = with_ledger(&[week, line("d", 1, 86_500_000)].concat());
    insta::assert_snapshot!(unusual.run(&["cost", "--days", "1"]), @"
    exit 0
    -- stdout
    Background work has cost nothing today.
    today $0.0000 of the day's $1.0000
    -- stderr
    warning: background work cost $0.0865 yesterday, more than 3 times the week's median of $0.0100; `memdir cost --by day` shows the days
    ");
    let json = unusual.run(&["cost", "--json"]).to_string();
    assert!(json.contains("\"yesterday_usd\": 0.0865"), "{json}");
}
