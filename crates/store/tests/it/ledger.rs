//! The ledger: what is reserved stays charged until it is settled, whatever happens to processes and disks.

use std::fs::{self, OpenOptions};
use std::io::Write;

use jiff::Timestamp;
use memdir_store::ledger::{Budget, Ledger, LedgerError, Spent, Wanted, start_of_day};

fn at(text: &str) -> Timestamp {
    format!("2026-11-{text}Z").parse().unwrap()
}

fn budget(daily: u64) -> Budget {
    Budget {
        daily_nano_usd: daily,
        floor_per_mille: 250,
        no_spend: false,
    }
}

fn wanted(nano_usd: u64) -> Wanted {
    Wanted {
        purpose: "extraction".into(),
        provider: "https://models.example".into(),
        nano_usd,
        ..Wanted::default()
    }
}

fn spent(nano_usd: u64) -> Spent {
    Spent {
        nano_usd,
        ..Spent::default()
    }
}

#[test]
fn a_new_day_has_a_new_budget() {
    let folder = memdir_testkit::temporary_folder().unwrap();
    let ledger = Ledger::new(folder.path());
    let (monday, tuesday) = (at("16T00:00"), at("17T00:00"));
    let late = ledger
        .reserve(&wanted(90), &budget(100), at("16T23:59"), monday)
        .unwrap();
    let over = ledger.reserve(&wanted(11), &budget(100), at("16T23:59"), monday);
    assert!(matches!(over, Err(LedgerError::Cap { spent: 90, .. })));
    // What was reserved before midnight belongs to the day before, whenever it is settled.
    let _under_way = ledger
        .reserve(&wanted(100), &budget(100), at("17T00:01"), tuesday)
        .unwrap();
    ledger.settle(late, spent(95), at("17T00:02")).unwrap();
    let entries = ledger.entries(Some(monday)).unwrap();
    let charged: Vec<u64> = entries
        .requests
        .iter()
        .map(|entry| entry.nano_usd())
        .collect();
    assert_eq!(charged, [95, 100]);
    assert_eq!(ledger.entries(Some(tuesday)).unwrap().requests.len(), 1);
}

#[test]
fn a_torn_line_is_cut_off_by_the_next_writer() {
    let folder = memdir_testkit::temporary_folder().unwrap();
    let ledger = Ledger::new(folder.path());
    let day = at("16T00:00");
    let first = ledger
        .reserve(&wanted(40), &budget(100), at("16T08:00"), day)
        .unwrap();
    let mut file = OpenOptions::new().append(true).open(ledger.path()).unwrap();
    file.write_all(b"{\"v\":1,\"id\":\"x\",\"at\":\"2026-11-16T08:0")
        .unwrap();
    // To a reader it is not there yet.
    assert_eq!(ledger.entries(None).unwrap().requests.len(), 1);
    ledger.settle(first, spent(5), at("16T08:01")).unwrap();
    let text = fs::read_to_string(ledger.path()).unwrap();
    assert_eq!(text.lines().count(), 2);
    assert!(text.ends_with('\n') && !text.contains("\"x\""));
    assert_eq!(ledger.entries(None).unwrap().damaged, 0);
}

#[test]
fn the_budget_is_kept_however_long_the_ledger_is() {
    let folder = memdir_testkit::temporary_folder().unwrap();
    let ledger = Ledger::new(folder.path());
    // Far more than is read at once, all of yesterday; and so many of today that one look is not enough.
    let line = |id: usize, at: &str, nano: u64| {
        format!(
            "{{\"v\":1,\"id\":\"{id}\",\"at\":\"2026-11-{at}Z\",\"reserved\":{{\"purpose\":\"dream\",\"project\":\"/p\",\"provider\":\"x\",\"model\":\"m\",\"nano_usd\":{nano}}}}}\n"
        )
    };
    let mut text: String = (0..2000).map(|id| line(id, "15T12:00:00", 1_000)).collect();
    text.extend((2000..4000).map(|id| line(id, "16T07:00:00", 1)));
    fs::write(ledger.path(), text).unwrap();
    let day = at("16T00:00");
    let over = ledger.reserve(&wanted(1), &budget(2000), at("16T08:00"), day);
    assert!(matches!(over, Err(LedgerError::Cap { spent: 2000, .. })));
    let fits = ledger.reserve(&wanted(1), &budget(2001), at("16T08:00"), day);
    assert!(fits.is_ok());
}

#[test]
fn a_newer_ledger_is_left_alone_and_a_link_not_followed() {
    let folder = memdir_testkit::temporary_folder().unwrap();
    let ledger = Ledger::new(folder.path());
    let newer = "{\"v\":2,\"paid\":true}\n";
    fs::write(ledger.path(), newer).unwrap();
    let day = at("16T00:00");
    let refused = ledger.reserve(&wanted(1), &budget(100), at("16T08:00"), day);
    assert!(refused.unwrap_err().to_string().contains("newer memdir"));
    assert_eq!(fs::read_to_string(ledger.path()).unwrap(), newer);

    let elsewhere = folder.path().join("elsewhere");
    fs::write(&elsewhere, "").unwrap();
    fs::remove_file(ledger.path()).unwrap();
    std::os::unix::fs::symlink(&elsewhere, ledger.path()).unwrap();
    assert!(
        ledger
            .reserve(&wanted(1), &budget(100), at("16T08:00"), day)
            .is_err()
    );
    assert_eq!(fs::read_to_string(&elsewhere).unwrap(), "");
}

#[test]
fn a_limit_that_says_no_end_holds_for_a_minute() {
    let folder = memdir_testkit::temporary_folder().unwrap();
    let ledger = Ledger::new(folder.path());
    let day = at("16T00:00");
    let first = ledger
        .reserve(&wanted(1), &budget(100), at("16T08:00"), day)
        .unwrap();
    let told = Spent {
        left_per_mille: Some(100),
        ..spent(1)
    };
    ledger.settle(first, told, at("16T08:00")).unwrap();
    let soon = ledger.reserve(&wanted(1), &budget(100), at("16T08:00:59"), day);
    assert!(matches!(
        soon,
        Err(LedgerError::Floor {
            left_per_mille: 100,
            ..
        })
    ));
    // Another provider has limits of its own.
    let other = Wanted {
        provider: "https://other.example".into(),
        ..wanted(1)
    };
    let elsewhere = ledger.reserve(&other, &budget(100), at("16T08:00:59"), day);
    assert!(elsewhere.is_ok());
    let later = ledger.reserve(&wanted(1), &budget(100), at("16T08:01"), day);
    assert!(later.is_ok());
}

/// A ledger whose days, counted back from a Monday, cost these amounts.
fn of_days(costs: &[(i64, u64)]) -> (tempfile::TempDir, Ledger) {
    let folder = memdir_testkit::temporary_folder().unwrap();
    let ledger = Ledger::new(folder.path());
    let mut costs = costs.to_vec();
    costs.sort_by_key(|(days, _)| std::cmp::Reverse(*days));
    for (days, cost) in costs {
        let day = start_of_day(&monday(), days);
        let now = day + jiff::SignedDuration::from_hours(9);
        let _open = ledger
            .reserve(&wanted(cost), &budget(u64::MAX), now, day)
            .unwrap();
    }
    (folder, ledger)
}

fn monday() -> jiff::Zoned {
    "2026-11-16T08:00[Europe/Paris]".parse().unwrap()
}

#[test]
fn a_day_of_more_than_three_times_the_weeks_median_is_told() {
    let unusual = |costs: &[(i64, u64)]| {
        let (_folder, ledger) = of_days(costs);
        ledger
            .unusual(&monday())
            .unwrap()
            .map(|day| day.to_string())
    };
    let week = |yesterday: u64| [(1, yesterday), (2, 500_000), (4, 900_000), (8, 700_000)];
    insta::assert_debug_snapshot!([
        unusual(&week(2_100_000)),
        unusual(&week(2_100_001)),
        // The day before the week, and today, are no measure.
        unusual(&[(0, 1), (1, 9_000_000), (9, 1)]),
        unusual(&[(1, 9_000_000), (8, 1)]),
        unusual(&[(0, 9_000_000), (2, 1)]),
        unusual(&[]),
    ], @r#"
    [
        None,
        Some(
            "background work cost $0.0022 yesterday, more than 3 times the week's median of $0.0007",
        ),
        None,
        Some(
            "background work cost $0.0090 yesterday, more than 3 times the week's median of $0.0001",
        ),
        None,
        None,
    ]
    "#);
}

#[test]
fn a_day_begins_at_the_users_midnight() {
    assert_eq!(start_of_day(&monday(), 0), at("15T23:00"));
    // The clocks went back three weeks before.
    assert_eq!(
        start_of_day(&monday(), 22),
        "2026-10-24T22:00:00Z".parse().unwrap()
    );
}

#[test]
fn what_is_part_of_the_conversation_is_written_down_and_not_held_to_the_cap() {
    let folder = memdir_testkit::temporary_folder().unwrap();
    let ledger = Ledger::new(folder.path());
    let (now, day) = (at("16T09:00"), at("16T00:00"));
    let own = Wanted {
        own: true,
        ..wanted(1_000)
    };
    let _under_way = ledger.reserve(&own, &budget(100), now, day).unwrap();
    // Nor does it leave background work without a budget.
    let _under_way = ledger
        .reserve(&wanted(100), &budget(100), now, day)
        .unwrap();
    let over = ledger.reserve(&wanted(1), &budget(100), now, day);
    assert!(matches!(over, Err(LedgerError::Cap { spent: 100, .. })));
    let nothing = Budget {
        no_spend: true,
        ..budget(100)
    };
    let refused = ledger.reserve(&own, &nothing, now, day);
    assert!(matches!(refused, Err(LedgerError::NoSpend)));
    assert_eq!(ledger.entries(None).unwrap().requests.len(), 2);
}
