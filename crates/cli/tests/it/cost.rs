//! `memdir cost`: what background work has cost.

use std::fs;

use crate::fixture::Fixture;

/// A ledger as it is on disk: two projects, three purposes, one request that broke off.
const LEDGER: &str = r#"{"v":1,"id":"a","at":"2026-11-14T09:00:00Z","reserved":{"purpose":"extraction","project":"/home/ada/app","provider":"https://api.anthropic.com","model":"claude-haiku-4-5","nano_usd":9000000}}
{"v":1,"id":"a","at":"2026-11-14T09:00:04Z","settled":{"input":1200,"cache_read":40000,"cache_write":800,"output":350,"nano_usd":7950000}}
{"v":1,"id":"b","at":"2026-11-15T10:00:00Z","reserved":{"purpose":"dream","project":"/home/ada/app","provider":"https://api.anthropic.com","model":"claude-sonnet-4-6","nano_usd":90000000}}
{"v":1,"id":"c","at":"2026-11-15T10:00:01Z","reserved":{"purpose":"recall","project":"/home/ada/site","provider":"https://api.anthropic.com","model":"claude-haiku-4-5","nano_usd":4000000}}
{"v":1,"id":"c","at":"2026-11-15T10:00:02Z","settled":{"input":900,"cache_read":0,"cache_write":0,"output":20,"nano_usd":1000000,"left_per_mille":900}}
{"v":1,"id":"b","at":"2026-11-15T10:03:00Z","settled":{"input":20000,"cache_read":0,"cache_write":0,"output":1500,"nano_usd":82500000}}
{"v":1,"id":"d","at":"2026-11-15T11:00:00Z","reserved":{"purpose":"extraction","project":"/home/ada/site","provider":"https://api.anthropic.com","model":"claude-haiku-4-5","nano_usd":3000000}}
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
    insta::assert_snapshot!(fixture.run(&["cost"]), @"");
    assert!(!fixture.sandbox.home().join(".claude/memdir").exists());
}

#[test]
fn by_purpose_day_and_project() {
    let fixture = with_ledger(LEDGER);
    insta::assert_snapshot!(fixture.run(&["cost"]), @"");
    insta::assert_snapshot!(fixture.run(&["cost", "--by", "day"]), @"");
    insta::assert_snapshot!(fixture.run(&["cost", "--by", "project"]), @"");
    insta::assert_snapshot!(fixture.run(&["cost", "--json"]), @"");
}

#[test]
fn what_cannot_be_read_is_told_and_what_is_newer_left_alone() {
    let fixture = with_ledger(&format!(
        "{LEDGER}not a line\n{{\"v\":1,\"id\":\"e\",\"at\":\"2026-"
    ));
    insta::assert_snapshot!(fixture.run(&["cost", "--by", "day"]), @"");
    let fixture =
        with_ledger("{\"v\":2,\"id\":\"a\",\"at\":\"2026-11-14T09:00:00Z\",\"paid\":1}\n");
    insta::assert_snapshot!(fixture.run(&["cost"]), @"");
}
