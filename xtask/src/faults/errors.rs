//! Each file-system call of the program fails, once or for good, with each error that disks have.

use anyhow::Result;
use memdir_testkit::Outcome;
use memdir_testkit::strace::{self, Fault};

use super::kill::shorten;
use super::report::Report;
use super::verbs::{Staged, VERBS, Verb};
use super::{Plan, check, pool};

const FAULTS: &[Fault] = &[
    Fault::Error("EIO"),
    Fault::Error("ENOSPC"),
    Fault::Error("EDQUOT"),
    Fault::Error("EROFS"),
    Fault::Error("EACCES"),
    // For good, std's own loops would rightly try again for ever.
    Fault::Error("EINTR"),
    Fault::ErrorForGood("EIO"),
    Fault::ErrorForGood("ENOSPC"),
    Fault::ErrorForGood("EDQUOT"),
    Fault::ErrorForGood("EROFS"),
    Fault::ErrorForGood("EACCES"),
];

/// A failing `close` tells nothing: what had to be on disk was synced before.
const LEFT_OUT: &[&str] = &["close"];

/// The share of runs that a short sweep makes.
const SAMPLE: usize = 16;

/// One error at all calls of one name by one verb.
struct Job {
    verb: &'static Verb,
    call: String,
    ordinals: Ordinals,
    fault: Fault,
}

enum Ordinals {
    /// From here until the fault no longer fires.
    From(usize),
    /// Just these.
    Sample(Vec<usize>),
}

#[derive(Default)]
struct Sweep {
    failed: usize,
    carried_on: usize,
    broken: Vec<String>,
}

pub(super) fn run(plan: &Plan, report: &mut Report) -> Result<()> {
    let jobs = jobs(plan)?;
    let sweeps = pool::spread(
        &jobs,
        |worker| Ok((plan.ground.join(format!("errors-{worker}")), None)),
        |(folder, staged), job| {
            let staged = job.verb.staged_in(folder, &plan.memdir, staged)?;
            sweep(job, staged)
        },
    )?;
    let failed: usize = sweeps.iter().map(|sweep| sweep.failed).sum();
    let carried_on: usize = sweeps.iter().map(|sweep| sweep.carried_on).sum();
    let broken: Vec<String> = sweeps.into_iter().flat_map(|sweep| sweep.broken).collect();
    report.figure("runs with an error injected", failed + carried_on);
    report.figure("… in which the command failed and said so", failed);
    report.figure(
        "… in which it carried on and all it reported was true",
        carried_on,
    );
    report.figure("promises broken", broken.len());
    report.violations(broken);
    Ok(())
}

fn jobs(plan: &Plan) -> Result<Vec<Job>> {
    let mut jobs = Vec::new();
    let mut counter = 0;
    for verb in VERBS {
        // A dream does more than all others together.
        if plan.short && verb.locks().is_some() {
            continue;
        }
        let folder = plan.ground.join("errors-look");
        let staged = verb.stage(&folder, &plan.memdir)?;
        for (call, known) in &staged.calls {
            let Some(first) = known.first() else { continue };
            if LEFT_OUT.contains(&call.as_str()) {
                continue;
            }
            for fault in FAULTS {
                let ordinals = if plan.short {
                    let sampled = known.iter().copied().filter(|_| {
                        counter += 1;
                        counter % SAMPLE == 0
                    });
                    Ordinals::Sample(sampled.collect())
                } else {
                    Ordinals::From(*first)
                };
                jobs.push(Job {
                    verb,
                    call: call.clone(),
                    ordinals,
                    fault: *fault,
                });
            }
        }
        std::fs::remove_dir_all(folder)?;
    }
    jobs.retain(|job| !matches!(&job.ordinals, Ordinals::Sample(few) if few.is_empty()));
    Ok(jobs)
}

fn sweep(job: &Job, staged: &Staged) -> Result<Sweep> {
    let mut sweep = Sweep::default();
    match &job.ordinals {
        Ordinals::Sample(few) => {
            for ordinal in few {
                one(job, staged, *ordinal, &mut sweep)?;
            }
        }
        Ordinals::From(first) => {
            let mut ordinal = *first;
            while one(job, staged, ordinal, &mut sweep)? {
                ordinal += 1;
            }
        }
    }
    Ok(sweep)
}

/// One run; whether the fault fired.
fn one(job: &Job, staged: &Staged, ordinal: usize, sweep: &mut Sweep) -> Result<bool> {
    staged.scene.reset()?;
    let run = strace::inject(
        &staged.program,
        &job.call,
        ordinal,
        job.fault,
        &staged.scene.log,
    )?;
    let Some(hit) = run.hit else { return Ok(false) };
    let mut broken = check::old_or_new(staged)?;
    match run.outcome.code() {
        Some(0) => {
            sweep.carried_on += 1;
            broken.extend(check::reported_is_true(staged)?);
        }
        Some(1 | 2) => {
            sweep.failed += 1;
            if run.outcome.stderr().trim().is_empty() && can_speak(job, &hit) {
                broken.push("it failed without a word".to_owned());
            }
        }
        _ => broken.push(format!("it ended badly: {}", ending(&run.outcome))),
    }
    broken.extend(check::life_goes_on(job.verb, staged)?);
    let place = format!("{}, {} at {}", job.verb.name, job.fault, shorten(&hit));
    sweep
        .broken
        .extend(broken.into_iter().map(|what| format!("{place}: {what}")));
    Ok(true)
}

/// Whether the fault left the program a way to say anything.
fn can_speak(job: &Job, hit: &str) -> bool {
    let writes = ["write", "writev"].contains(&job.call.as_str());
    let for_good = matches!(job.fault, Fault::ErrorForGood(_));
    !(writes && (for_good || hit.contains("(2, ")))
}

fn ending(outcome: &Outcome) -> String {
    if outcome.hung() {
        "it hung".to_owned()
    } else {
        outcome.to_string()
    }
}

/// Everything that one error at all calls of one name breaks.
#[cfg(test)]
pub(super) fn sweep_call(
    verb: &'static Verb,
    staged: &Staged,
    call: &str,
    fault: Fault,
) -> Result<Vec<String>> {
    let ordinals = Ordinals::Sample(staged.calls.get(call).cloned().unwrap_or_default());
    let job = Job {
        verb,
        call: call.to_owned(),
        ordinals,
        fault,
    };
    Ok(sweep(&job, staged)?.broken)
}
