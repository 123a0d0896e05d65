//! The files of the memory directory, and the index against them.

use std::collections::BTreeMap;

use memdir_store::{IndexCheck, Scan, Skipped, Sweep};

use super::Check;
use crate::table::count;
use crate::workplace::Workplace;

pub(super) fn checks(workplace: &Workplace, sweep: &Sweep) -> Vec<Check> {
    let mut checks = vec![leftovers(sweep)];
    let scan = match workplace.store.scan() {
        Ok(scan) => scan,
        Err(error) => {
            let remedy = "check who owns the memory directory";
            checks.push(Check::fail("memories", error.to_string(), remedy));
            return checks;
        }
    };
    checks.push(Check::ok(
        "memories",
        count(scan.memories.len(), "memory", "memories"),
    ));
    // The sweep also looks into folders that hold no memories; what both met is said once.
    let mut skipped: Vec<&Skipped> = scan.skipped.iter().chain(&sweep.skipped).collect();
    skipped.sort_by(|one, other| one.path.cmp(&other.path));
    skipped.dedup_by(|one, other| one.path == other.path);
    checks.extend(skipped.into_iter().map(passed_over));
    checks.extend(twins(&scan));
    checks.extend(indexes(workplace, &scan));
    checks
}

fn leftovers(sweep: &Sweep) -> Check {
    const CHECK: &str = "leftovers";
    match sweep.orphans {
        0 => Check::ok(CHECK, "none"),
        number => Check::ok(
            CHECK,
            format!(
                "{} of a killed command removed",
                count(number, "temporary file", "temporary files")
            ),
        ),
    }
}

fn passed_over(skipped: &Skipped) -> Check {
    Check::warn(
        "memories",
        format!(
            "{} is passed over: {}",
            skipped.path.display(),
            skipped.reason
        ),
        "memdir reads plain files with names that work everywhere: rename it, or put such a file there",
    )
}

/// Names that are one file on other systems: a copy of the directory would lose one of them.
fn twins(scan: &Scan) -> Vec<Check> {
    let mut by_name: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for memory in &scan.memories {
        by_name
            .entry(memory.path.folded())
            .or_default()
            .push(memory.path.as_str());
    }
    let twins = by_name
        .into_values()
        .filter(|paths| paths.len() > 1)
        .map(|mut paths| {
            paths.sort_unstable();
            Check::warn(
                "names",
                format!(
                    "{} are one file where case does not count",
                    paths.join(" and ")
                ),
                "give one of them another name with `memdir rename`",
            )
        });
    twins.collect()
}

fn indexes(workplace: &Workplace, scan: &Scan) -> Vec<Check> {
    const CHECK: &str = "index";
    let indexes = match workplace.store.check_indexes(scan) {
        Ok(indexes) => indexes,
        Err(error) => {
            return vec![Check::fail(
                CHECK,
                error.to_string(),
                "make it a plain file",
            )];
        }
    };
    indexes
        .iter()
        .map(|index| of_index(CHECK, index, workplace))
        .collect()
}

fn of_index(check: &'static str, index: &IndexCheck, workplace: &Workplace) -> Check {
    let path = &index.path;
    if index.agrees() {
        return match (index.exists, index.problems.first()) {
            (true, Some(problem)) => Check::warn(
                check,
                format!("{path}: {problem}"),
                format!("{} has all of it", workplace.command("audit")),
            ),
            (true, None) => Check::ok(check, format!("{path} agrees with the files")),
            (false, _) => Check::ok(check, "nothing to index yet"),
        };
    }
    let missing = count(
        index.missing.len(),
        "memory has no line",
        "memories have no line",
    );
    let dead = count(index.dead.len(), "line leads nowhere", "lines lead nowhere");
    let what = match (index.missing.len(), index.dead.len()) {
        (0, _) => dead,
        (_, 0) => missing,
        _ => format!("{missing}, {dead}"),
    };
    Check::warn(
        check,
        format!("{path}: {what}"),
        format!("{} mends it", workplace.command("index --rebuild")),
    )
}
