//! The program is killed as it enters each of its file-system calls, one run for each.

use anyhow::Result;
use memdir_testkit::strace::{self, Fault};

use super::report::Report;
use super::verbs::{Staged, VERBS, Verb};
use super::{Plan, check, pool};

/// No command comes near it; it ends a sweep in which the fault never stops firing.
const MOST_CALLS: usize = 20_000;

/// One in so many calls of a long verb is tried in a short sweep.
const SAMPLE: usize = 8;

/// All calls of one name by one verb.
struct Job {
    verb: &'static Verb,
    call: String,
    first: usize,
    /// From one call that is tried to the next.
    step: usize,
}

#[derive(Default)]
struct Sweep {
    verb: &'static str,
    points: usize,
    most_left: usize,
    broken: Vec<String>,
}

pub(super) fn run(plan: &Plan, report: &mut Report) -> Result<()> {
    let mut jobs = Vec::new();
    for verb in VERBS {
        let staged = verb.stage(&plan.ground.join("kill-look"), &plan.memdir)?;
        // The checks must pass where nothing was wrong, or they would prove nothing.
        report.violations(clean(verb, &staged)?);
        jobs.extend(staged.calls.iter().filter_map(|(call, ordinals)| {
            Some(Job {
                verb,
                call: call.clone(),
                first: *ordinals.first()?,
                // A dream does more than all others together; its changes are made as theirs are.
                step: if plan.short && verb.locks().is_some() {
                    SAMPLE
                } else {
                    1
                },
            })
        }));
        std::fs::remove_dir_all(plan.ground.join("kill-look"))?;
    }
    let sweeps = pool::spread(
        &jobs,
        |worker| Ok((plan.ground.join(format!("kill-{worker}")), None)),
        |(folder, staged), job| {
            let staged = job.verb.staged_in(folder, &plan.memdir, staged)?;
            sweep(job, staged)
        },
    )?;

    let mut all = 0;
    for verb in VERBS {
        let mine = sweeps.iter().filter(|sweep| sweep.verb == verb.name);
        let points: usize = mine.map(|sweep| sweep.points).sum();
        report.figure(format!("kill points of `{}`", verb.name), points);
        all += points;
    }
    let most_left = sweeps
        .iter()
        .map(|sweep| sweep.most_left)
        .max()
        .unwrap_or(0);
    let broken: Vec<String> = sweeps.into_iter().flat_map(|sweep| sweep.broken).collect();
    report.figure("kill points in all", all);
    report.figure(
        "most temporary files left by one kill, gone after the next start",
        most_left,
    );
    report.figure("promises broken", broken.len());
    report.violations(broken);
    Ok(())
}

fn clean(verb: &Verb, staged: &Staged) -> Result<Vec<String>> {
    let outcome = staged.program.run()?;
    let mut broken = check::old_or_new(staged)?;
    if !outcome.success() {
        broken.push(format!("without a fault it fails: {outcome}"));
    }
    broken.extend(check::reported_is_true(staged)?);
    broken.extend(check::life_goes_on(verb, staged)?);
    Ok(broken
        .into_iter()
        .map(|what| format!("{} without a fault: {what}", verb.name))
        .collect())
}

fn sweep(job: &Job, staged: &Staged) -> Result<Sweep> {
    let mut sweep = Sweep {
        verb: job.verb.name,
        ..Sweep::default()
    };
    for ordinal in (job.first..MOST_CALLS).step_by(job.step) {
        staged.scene.reset()?;
        let killed = strace::inject(
            &staged.program,
            &job.call,
            ordinal,
            Fault::Kill,
            &staged.scene.log,
        )?;
        let Some(hit) = killed.hit else {
            if !killed.outcome.success() {
                sweep.broken.push(format!(
                    "{} fails without a fault: {}",
                    job.verb.name, killed.outcome
                ));
            }
            break;
        };
        sweep.points += 1;
        sweep.most_left = sweep.most_left.max(staged.scene.temporaries()?.len());
        let mut broken = check::old_or_new(staged)?;
        if !killed.outcome.stdout().is_empty() {
            broken.extend(check::reported_is_true(staged)?);
        }
        broken.extend(check::life_goes_on(job.verb, staged)?);
        let place = format!("{} killed at {}", job.verb.name, shorten(&hit));
        sweep
            .broken
            .extend(broken.into_iter().map(|what| format!("{place}: {what}")));
    }
    Ok(sweep)
}

/// A call as a line that can be read: strace prints up to 200 characters of each argument.
pub(super) fn shorten(line: &str) -> String {
    line.chars().take(160).collect()
}

/// Everything that killing one verb at all its calls of one name breaks.
#[cfg(test)]
pub(super) fn sweep_call(verb: &'static Verb, staged: &Staged, call: &str) -> Result<Vec<String>> {
    let first = staged
        .calls
        .get(call)
        .and_then(|ordinals| ordinals.first().copied());
    let job = Job {
        verb,
        call: call.to_owned(),
        first: first.unwrap_or(1),
        step: 1,
    };
    Ok(sweep(&job, staged)?.broken)
}
