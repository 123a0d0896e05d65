//! `memdir doctor`: whether everything works, and what to do where it does not.

mod connections;
mod disk;
mod files;
mod models;
mod projects;
mod recall;
mod state;

use clap::Args;
use serde::Serialize;

use crate::failure::Failure;
use crate::output::{BAD, FAINT, GOOD, Output, WARN};
use crate::table::{GAP, count, one_line, push_padded, widest, width, wrapped};
use crate::workplace::Workplace;

/// Check that everything works, and say what to do where it does not
///
/// Looks at folders and their permissions, the lock, the history, background work and what is left of it, the index, what
/// recall can find, what hooks noted as failed in the last seven days, the settings, the instruction files, and the agents that are set up: a connection is proven by an event that the agent
/// itself has fired since.
/// Removes what killed commands left behind and records what changed outside; changes no memory.
/// Exits with 1 when something fails, with 0 when there are only warnings.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir doctor
  memdir doctor --json | jq '.checks[] | select(.state != \"ok\")'

JSON: {version, platform, failures, warnings, checks}; a check has {check, state, what, remedy}, its \
state is ok, warn or fail.")]
pub(crate) struct Doctor {}

/// How a check went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum State {
    Ok,
    Warn,
    Fail,
}

/// One thing that was looked at.
#[derive(Debug, Serialize)]
struct Check {
    check: &'static str,
    state: State,
    what: String,
    remedy: Option<String>,
}

impl Check {
    fn ok(check: &'static str, what: impl Into<String>) -> Check {
        Check {
            check,
            state: State::Ok,
            what: what.into(),
            remedy: None,
        }
    }

    fn warn(check: &'static str, what: impl Into<String>, remedy: impl Into<String>) -> Check {
        Check {
            check,
            state: State::Warn,
            what: what.into(),
            remedy: Some(remedy.into()),
        }
    }

    fn fail(check: &'static str, what: impl Into<String>, remedy: impl Into<String>) -> Check {
        Check {
            check,
            state: State::Fail,
            what: what.into(),
            remedy: Some(remedy.into()),
        }
    }
}

#[derive(Serialize)]
struct Report {
    version: &'static str,
    platform: String,
    failures: usize,
    warnings: usize,
    checks: Vec<Check>,
}

impl Doctor {
    pub(crate) fn run(self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        let report = examine(workplace);
        match output.json {
            true => output.json(&report)?,
            false => print(&report, output)?,
        }
        if report.failures > 0 {
            Err(Failure::Found)
        } else {
            Ok(())
        }
    }
}

/// Everything that can be checked. A check that cannot be made is itself a finding: the doctor never gives up.
fn examine(workplace: &Workplace) -> Report {
    let mut checks = disk::folders(workplace);
    checks.extend(disk::exchange(workplace));
    checks.push(state::lock(workplace));
    let (sweep, recorded) = state::sweep(workplace);
    checks.push(state::history(workplace));
    checks.push(recorded);
    checks.extend(state::records(workplace));
    checks.extend(state::set_aside(workplace));
    checks.push(state::consolidation(workplace));
    checks.extend(state::jobs(workplace));
    checks.extend(files::checks(workplace, &sweep));
    checks.extend(recall::index(workplace));
    checks.extend(recall::hook_log(workplace));
    checks.push(projects::switch(workplace));
    checks.extend(projects::settings(workplace));
    checks.extend(projects::instructions(workplace));
    checks.extend(projects::roots(workplace));
    checks.extend(models::checks(workplace));
    checks.extend(connections::checks(workplace));
    let of = |state| checks.iter().filter(|check| check.state == state).count();
    Report {
        version: env!("CARGO_PKG_VERSION"),
        platform: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        failures: of(State::Fail),
        warnings: of(State::Warn),
        checks,
    }
}

fn print(report: &Report, output: &mut Output) -> Result<(), Failure> {
    output.line(format!(
        "memdir {} on {}\n",
        report.version, report.platform
    ))?;
    let columns = widest(report.checks.iter().map(|check| check.check));
    let signs = output.width.is_some();
    for check in &report.checks {
        let (style, sign, word) = match check.state {
            State::Ok => (GOOD, "✓", "ok  "),
            State::Warn => (WARN, "!", "warn"),
            State::Fail => (BAD, "✗", "FAIL"),
        };
        let mark = if signs { sign } else { word };
        let indent = width(mark) + GAP.len() + columns + GAP.len();
        let mut line = format!("{style}{mark}{style:#}{GAP}");
        push_padded(&mut line, check.check, columns);
        line.push_str(GAP);
        line.push_str(&wrapped(&one_line(&check.what), indent, output.width));
        output.line(line)?;
        if let Some(remedy) = &check.remedy {
            let remedy = wrapped(&one_line(remedy), indent, output.width);
            output.line(format!("{}{FAINT}{remedy}{FAINT:#}", " ".repeat(indent)))?;
        }
    }
    output.line(match (report.failures, report.warnings) {
        (0, 0) => "\nEverything works.".to_owned(),
        (0, warnings) => {
            format!(
                "\nEverything works, with {}.",
                count(warnings, "warning", "warnings")
            )
        }
        (failures, warnings) => format!(
            "\n{} and {}.",
            count(failures, "failure", "failures"),
            count(warnings, "warning", "warnings")
        ),
    })?;
    Ok(())
}
