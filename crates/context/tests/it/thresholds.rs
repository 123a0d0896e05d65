//! Sizes for a window, and what happens as it fills.

use memdir_context::{
    Automatic, Compaction, CompactionSwitches, Configured, Limits, MemoryForm, Percent, State,
    Switch, Trigger,
};
use proptest::prelude::*;

fn limits(window: u64) -> Limits {
    Limits::new(window, 32_000, &Configured::default())
}

#[test]
fn every_size_for_every_window() {
    let mut table = format!(
        "{:>9}{:>9}{:>10}{:>10}{:>11}{:>10}{:>7}{:>7}{:>9}{:>7}{:>10}{:>8}{:>7}{:>7}{:>9}{:>8}  memory\n",
        "window",
        "reserve",
        "available",
        "warning",
        "compaction",
        "blocking",
        "first",
        "growth",
        "section",
        "notes",
        "standing",
        "saving",
        "least",
        "most",
        "restored",
        "in all",
    );
    for window in [
        0, 1, 4_096, 7_999, 8_000, 32_000, 63_999, 64_000, 128_000, 200_000, 1_000_000, 10_000_000,
    ] {
        let Limits {
            reserved_output,
            available,
            thresholds,
            notes,
            cleared,
            kept,
            restored,
            ..
        } = limits(window);
        table.push_str(&format!(
            "{window:>9}{reserved_output:>9}{available:>10}{:>10}{:>11}{:>10}{:>7}{:>7}{:>9}{:>7}{:>10}{:>8}{:>7}{:>7}{:>9}{:>8}  {:?}\n",
            thresholds.warning,
            thresholds.compaction,
            thresholds.blocking,
            notes.first,
            notes.growth,
            notes.section,
            notes.total,
            cleared.standing,
            cleared.saving,
            kept.least,
            kept.most,
            restored.file,
            restored.total,
            limits(window).memory(),
        ));
    }
    insta::assert_snapshot!(table, @"
      window  reserve available   warning compaction  blocking  first growth  section  notes  standing  saving  least   most restored  in all  memory
           0        0         0         0          0         0      0      0        0      0         0       0      0      0        0       0  OneLine
           1        0         1         1          1         1      0      0        0      0         0       0      0      0        0       0  OneLine
        4096     1280      2816      1536       1984      2624    640    320      128    768       768     384    640   2560      320    3200  OneLine
        7999     2499      5500      3001       3876      5126   1249    624      249   1499      1500     750   1249   4999      624    6249  OneLine
        8000     2500      5500      3000       3875      5125   1250    625      250   1500      1500     750   1250   5000      625    6250  Whole
       32000    10000     22000     12000      15500     20500   5000   2500     1000   6000      6000    3000   5000  20000     2500   25000  Whole
       63999    19999     44000     24001      31001     41001   9999   4999     1999  11999     12000    6000   9999  39999     4999   49999  Whole
       64000    20000     44000     24000      31000     41000  10000   5000     2000  12000     12000    6000  10000  40000     5000   50000  Whole
      128000    20000    108000     88000      95000    105000  10000   5000     2000  12000     40000   20000  10000  40000     5000   50000  Whole
      200000    20000    180000    160000     167000    177000  10000   5000     2000  12000     40000   20000  10000  40000     5000   50000  Whole
     1000000    20000    980000    960000     967000    977000  10000   5000     2000  12000     40000   20000  10000  40000     5000   50000  Whole
    10000000    20000   9980000   9960000    9967000   9977000  10000   5000     2000  12000     40000   20000  10000  40000     5000   50000  Whole
    ");
    assert_eq!(limits(7_999).memory(), MemoryForm::OneLine);
}

#[test]
fn counts_do_not_shrink() {
    for window in [4_096, 200_000] {
        let Limits {
            notes,
            cleared,
            kept,
            restored,
            failures,
            ..
        } = limits(window);
        assert_eq!(
            (
                notes.tool_calls,
                cleared.results,
                kept.messages,
                restored.files,
                failures
            ),
            (3, 3, 5, 5, 3)
        );
    }
}

#[test]
fn what_is_reserved_is_what_a_model_asks_for_up_to_a_limit() {
    let reserved =
        |window, asked| Limits::new(window, asked, &Configured::default()).reserved_output;
    assert_eq!(reserved(200_000, 19_999), 19_999);
    assert_eq!(reserved(200_000, 20_001), 20_000);
    assert_eq!(reserved(32_000, 8_000), 8_000);
    assert_eq!(reserved(32_000, 10_001), 10_000);
    assert_eq!(reserved(200_000, 0), 0);
}

/// What happens at each boundary and one token before it, as `used state left%`.
fn boundaries(limits: &Limits, automatic: &Automatic) -> String {
    let at = limits.thresholds;
    let mut marks = vec![
        0,
        at.warning,
        at.error,
        at.compaction,
        at.blocking,
        at.available,
    ];
    marks.extend(
        marks
            .clone()
            .iter()
            .filter_map(|mark: &u64| mark.checked_sub(1)),
    );
    marks.push(u64::MAX);
    marks.sort_unstable();
    marks.dedup();
    let lines: Vec<String> = marks
        .into_iter()
        .map(|used| {
            let standing = at.standing(used, automatic);
            let due = if standing.compaction_due { " due" } else { "" };
            format!(
                "{used} {:?} {}%{due}",
                standing.state, standing.percent_left
            )
        })
        .collect();
    lines.join("\n")
}

#[test]
fn states_change_exactly_at_their_thresholds() {
    insta::assert_snapshot!(boundaries(&limits(200_000), &Automatic::On), @"
    0 Normal 100%
    159999 Normal 11%
    160000 Error 11%
    166999 Error 7%
    167000 Compaction 7% due
    176999 Compaction 1% due
    177000 Blocked 1% due
    179999 Blocked 0% due
    180000 Blocked 0% due
    18446744073709551615 Blocked 0% due
    ");
    let apart = Configured {
        warning_tokens: 40_000,
        error_tokens: 15_000,
        ..Configured::default()
    };
    let apart = Limits::new(200_000, 20_000, &apart);
    insta::assert_snapshot!(boundaries(&apart, &Automatic::On), @"
    0 Normal 100%
    139999 Normal 22%
    140000 Warning 22%
    164999 Warning 8%
    165000 Error 8%
    166999 Error 7%
    167000 Compaction 7% due
    176999 Compaction 1% due
    177000 Blocked 1% due
    179999 Blocked 0% due
    180000 Blocked 0% due
    18446744073709551615 Blocked 0% due
    ");
    let off = Automatic::Off {
        by: "autoCompactEnabled".to_owned(),
    };
    insta::assert_snapshot!(boundaries(&limits(200_000), &off), @"
    0 Normal 100%
    159999 Normal 11%
    160000 Error 11%
    166999 Error 7%
    167000 Error 7%
    176999 Error 1%
    177000 Blocked 1%
    179999 Blocked 0%
    180000 Blocked 0%
    18446744073709551615 Blocked 0%
    ");
    let early = Configured {
        compact_at: Percent::parse("50"),
        ..Configured::default()
    };
    let early = Limits::new(200_000, 20_000, &early);
    insta::assert_snapshot!(boundaries(&early, &Automatic::On), @"
    0 Normal 100%
    89999 Normal 50%
    90000 Compaction 50% due
    159999 Compaction 11% due
    160000 Compaction 11% due
    176999 Compaction 1% due
    177000 Blocked 1% due
    179999 Blocked 0% due
    180000 Blocked 0% due
    18446744073709551615 Blocked 0% due
    ");
}

#[test]
fn a_share_counts_only_where_it_is_lower() {
    let compaction = |text| {
        let configured = Configured {
            compact_at: Percent::parse(text),
            ..Configured::default()
        };
        Limits::new(200_000, 20_000, &configured)
            .thresholds
            .compaction
    };
    for (text, expected) in [
        ("50", 90_000),
        ("33.333", 59_999),
        ("0.0001", 0),
        (".5", 900),
        ("92.8", 167_000),
        ("92.7", 166_860),
        ("100", 167_000),
        // Ignored.
        ("100.000001", 167_000),
        ("101", 167_000),
        ("99999999999999999999", 167_000),
        ("0", 167_000),
        ("0.0000001", 167_000),
        ("-1", 167_000),
        ("+5", 167_000),
        ("5%", 167_000),
        ("5.5.5", 167_000),
        (".", 167_000),
        ("", 167_000),
        ("NaN", 167_000),
    ] {
        assert_eq!(compaction(text), expected, "{text:?}");
    }
}

#[test]
fn who_is_blocked_reads_why_and_what_helps() {
    let off = |by: &str| Switch::Off { by: by.to_owned() };
    let on = CompactionSwitches::default();
    let automatic = CompactionSwitches {
        automatic: off("autoCompactEnabled in ~/.claude/settings.json (user)"),
        ..on.clone()
    };
    let all = CompactionSwitches {
        automatic: off("DISABLE_COMPACT"),
        manual: off("DISABLE_COMPACT"),
        micro: off("DISABLE_COMPACT"),
        notes: off("DISABLE_COMPACT"),
        full: off("DISABLE_COMPACT"),
    };
    let limits = limits(1_000_000);
    let used = limits.thresholds.blocking;
    let reasons: Vec<String> = [(&on, 0), (&on, 2), (&on, 3), (&automatic, 3), (&all, 3)]
        .into_iter()
        .map(|(switches, failures)| {
            let automatic = switches.automatic(failures, &limits);
            let standing = limits.thresholds.standing(used, &automatic);
            assert_eq!(standing.state, State::Blocked);
            standing.reason.unwrap()
        })
        .collect();
    insta::assert_snapshot!(reasons.join("\n"), @"
    The context is full: 977,000 of 980,000 tokens are used, and from 977,000 on no message is taken. Automatic compaction has not made room; /compact tries again, /clear begins anew.
    The context is full: 977,000 of 980,000 tokens are used, and from 977,000 on no message is taken. Automatic compaction has not made room; /compact tries again, /clear begins anew.
    The context is full: 977,000 of 980,000 tokens are used, and from 977,000 on no message is taken. Automatic compaction failed 3 times in a row and no longer tries; /compact tries again, /clear begins anew.
    The context is full: 977,000 of 980,000 tokens are used, and from 977,000 on no message is taken. Automatic compaction is off (autoCompactEnabled in ~/.claude/settings.json (user)); /compact makes room, /clear begins anew.
    The context is full: 977,000 of 980,000 tokens are used, and from 977,000 on no message is taken. Compaction is off (DISABLE_COMPACT); /clear begins anew.
    ");
    let before = limits.thresholds.standing(used - 1, &Automatic::On);
    assert_eq!(before.reason, None);
}

#[test]
fn each_way_to_make_room_has_its_switch() {
    let off = |by: &str| Switch::Off { by: by.to_owned() };
    let switches = CompactionSwitches {
        manual: off("manual"),
        notes: off("notes"),
        ..CompactionSwitches::default()
    };
    let by = |compaction, trigger| match switches.of(compaction, trigger) {
        Switch::On => "on".to_owned(),
        Switch::Off { by } => by.clone(),
    };
    let ways = [Compaction::Micro, Compaction::Notes, Compaction::Full];
    assert_eq!(
        ways.map(|way| by(way, Trigger::Automatic)),
        ["on", "notes", "on"]
    );
    assert_eq!(
        ways.map(|way| by(way, Trigger::Manual)),
        ["on", "manual", "manual"]
    );
}

#[test]
fn notes_are_kept_only_where_compaction_happens_by_itself() {
    let off = |by: &str| Switch::Off { by: by.to_owned() };
    let on = CompactionSwitches::default();
    let automatic = CompactionSwitches {
        automatic: off("auto"),
        ..CompactionSwitches::default()
    };
    assert_eq!(on.keeping_notes(&Switch::On), &Switch::On);
    assert_eq!(
        on.keeping_notes(&off("notes.enabled")),
        &off("notes.enabled")
    );
    assert_eq!(automatic.keeping_notes(&Switch::On), &off("auto"));
}

fn any_configured() -> impl Strategy<Value = Configured> {
    let percent = prop::option::of(
        (0..=100_u32, 0..1_000_000_u32).prop_filter_map("not a share", |(a, b)| {
            Percent::parse(&format!("{a}.{b:06}"))
        }),
    );
    (
        percent,
        any::<[u64; 4]>(),
        prop::collection::vec(1..100_000_u64, 2),
    )
        .prop_map(|(compact_at, sizes, margins)| Configured {
            compact_at,
            warning_tokens: margins[0],
            error_tokens: margins[1],
            notes_first: sizes[0],
            notes_growth: sizes[1],
            notes_tool_calls: sizes[2],
        })
}

fn any_size() -> impl Strategy<Value = u64> {
    prop_oneof![0..200_000_u64, 0..2_000_000_u64, any::<u64>()]
}

proptest! {
    #[test]
    fn thresholds_are_ordered_and_within_the_window(
        window in any_size(), reserved in any_size(), configured in any_configured()
    ) {
        let limits = Limits::new(window, reserved, &configured);
        let at = limits.thresholds;
        prop_assert_eq!(limits.available + limits.reserved_output, window);
        prop_assert!(at.compaction <= at.blocking && at.blocking <= limits.available);
        prop_assert!(at.warning <= limits.available && at.error <= limits.available);
        prop_assert_eq!(at.available, limits.available);
        let usual = Limits::new(window, reserved, &Configured::default()).thresholds;
        prop_assert!(usual.warning == usual.error && usual.error <= usual.compaction);
        // Nothing configured makes compaction later, and no window makes a size larger than it is by itself.
        prop_assert!(at.compaction <= usual.compaction);
        prop_assert!(limits.cleared.standing <= 40_000 && limits.kept.most <= 40_000);
        prop_assert!(limits.notes.section <= limits.notes.total);
        prop_assert!(limits.restored.file <= limits.restored.total);
    }

    #[test]
    fn a_conversation_that_grows_never_stands_better(
        window in any_size(), reserved in any_size(), configured in any_configured(),
        used in any_size(), more in any_size(), on in any::<bool>()
    ) {
        let at = Limits::new(window, reserved, &configured).thresholds;
        let automatic = match on {
            true => Automatic::On,
            false => Automatic::GaveUp { failures: 3 },
        };
        let now = at.standing(used, &automatic);
        let later = at.standing(used.saturating_add(more), &automatic);
        prop_assert!(now.state <= later.state);
        prop_assert!(now.percent_left >= later.percent_left && now.percent_left <= 100);
        prop_assert!(now.compaction_due <= later.compaction_due);
        prop_assert!(at.is_warning(used) <= at.is_warning(used.saturating_add(more)));
        prop_assert_eq!(now.reason.is_some(), now.state == State::Blocked);
    }
}
