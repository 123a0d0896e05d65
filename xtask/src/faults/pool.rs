//! Many short runs on two threads, with a line that shows how far they are.

use std::io::{IsTerminal as _, Write as _};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Result, anyhow};

/// How many runs go on at a time.
const WORKERS: usize = 2;

/// Runs every job once; each worker has a state of its own, made from its number.
pub(super) fn spread<Job: Sync, State, Done: Send>(
    jobs: &[Job],
    make: impl Fn(usize) -> Result<State> + Sync,
    run: impl Fn(&mut State, &Job) -> Result<Done> + Sync,
) -> Result<Vec<Done>> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::with_capacity(jobs.len()));
    let work = |worker: usize| -> Result<()> {
        let mut state = make(worker)?;
        while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let done = run(&mut state, job)?;
            let mut results = results
                .lock()
                .map_err(|_| anyhow!("another worker panicked"))?;
            results.push(done);
            progress(results.len(), jobs.len());
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..WORKERS)
            .map(|number| scope.spawn(move || work(number)))
            .collect();
        workers
            .into_iter()
            .try_for_each(|worker| worker.join().map_err(|_| anyhow!("a worker panicked"))?)
    })?;
    results
        .into_inner()
        .map_err(|_| anyhow!("a worker panicked"))
}

/// Shows how far the jobs are, where somebody looks.
fn progress(done: usize, all: usize) {
    let mut err = std::io::stderr();
    if err.is_terminal() {
        let end = if done == all { "\r\x1b[K" } else { "\r" };
        // Whether a progress line can be shown changes nothing about the runs.
        let _ = write!(err, "  {done} of {all} jobs{end}").and_then(|()| err.flush());
    }
}
