//! One piece of background work at a time, with real processes and real kills.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use jiff::Timestamp;
use memdir_agent::jobs::{Job, JobKind, Jobs, Outcome, Worked, Worker};
use memdir_model::Cancel;
use memdir_store::{Lease, LockState, lease_state};

/// What tells this very test that it is the process to be killed, or one of many.
const FOLDER: &str = "JOBS_FOLDER";

fn job(conversation: &str, second: i64) -> Job {
    let since = Timestamp::from_second(1_800_000_000 + second).unwrap();
    Job::new(JobKind::Extraction, conversation, since)
}

fn wait_for(what: impl Fn() -> bool) {
    let begin = std::time::Instant::now();
    while !what() {
        assert!(
            begin.elapsed() < Duration::from_secs(60),
            "it never happened"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn append(path: &Path, line: &str) {
    let file = fs::OpenOptions::new().create(true).append(true).open(path);
    writeln!(file.unwrap(), "{line}").unwrap();
}

fn outcomes(jobs: &Jobs) -> Vec<String> {
    let mut past = jobs.standing().unwrap().past;
    past.reverse();
    let shown = past.iter().map(|run| match &run.outcome {
        Outcome::Done(said) => format!("{}: done, {said}", run.conversation),
        other => format!("{}: {other:?}", run.conversation),
    });
    shown.collect()
}

/// This test once more, as a process of its own.
fn process(test: &str, folder: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .env(FOLDER, folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

/// No process that was started for this folder is left, and nobody holds the lease.
fn assert_nothing_left(folder: &Path) {
    let needle = format!("{FOLDER}={}", folder.display());
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let environment = fs::read(entry.path().join("environ")).unwrap_or_default();
        let left = environment
            .split(|byte| *byte == 0)
            .any(|variable| variable == needle.as_bytes());
        assert!(!left, "{} is left", entry.path().display());
    }
    let state = lease_state(&folder.join("state")).unwrap();
    assert!(matches!(state, LockState::Free), "{state:?}");
}

#[test]
fn killed_in_the_middle_it_is_done_by_the_next() {
    if let Ok(folder) = std::env::var(FOLDER) {
        let folder = PathBuf::from(folder);
        let jobs = Jobs::new(&folder.join("state"));
        let mut work = |job: &Job, _: &Cancel| {
            append(
                &folder.join("log"),
                &format!("began, attempt {}", job.attempts),
            );
            wait_for(|| folder.join("go").exists());
            Worked::Done("saved 1".to_owned().into())
        };
        assert!(jobs.run(&Cancel::new(), &mut work).unwrap());
        return;
    }
    let folder = memdir_testkit::temporary_folder().unwrap();
    let name = "jobs::killed_in_the_middle_it_is_done_by_the_next";
    let jobs = Jobs::new(&folder.path().join("state"));
    jobs.note(&job("one", 0)).unwrap();
    let log = folder.path().join("log");
    let mut first = process(name, folder.path());
    wait_for(|| fs::read_to_string(&log).is_ok_and(|text| text.lines().count() == 1));
    let standing = jobs.standing().unwrap();
    assert!(standing.holder.is_some() && standing.running.is_some());
    first.kill().unwrap();
    first.wait().unwrap();
    assert_nothing_left(folder.path());
    let standing = jobs.standing().unwrap();
    assert!(standing.running.is_none());
    assert_eq!(standing.due.len(), 1);

    fs::write(folder.path().join("go"), "").unwrap();
    let mut second = process(name, folder.path());
    assert!(second.wait().unwrap().success());
    insta::assert_debug_snapshot!((outcomes(&jobs), fs::read_to_string(log).unwrap()), @r#"
    (
        [
            "one: Killed",
            "one: done, saved 1",
        ],
        "began, attempt 1\nbegan, attempt 2\n",
    )
    "#);
    assert!(jobs.standing().unwrap().due.is_empty());
    assert_nothing_left(folder.path());
}

#[test]
fn sixteen_processes_and_never_two_at_once() {
    const PROCESSES: usize = 16;
    if let Ok(folder) = std::env::var(FOLDER) {
        let folder = PathBuf::from(folder);
        let own = std::process::id();
        let jobs = Jobs::new(&folder.join("state"));
        for round in 0..4 {
            // Four conversations, whose turns end all the time.
            let conversation = format!("c{}", (own + round) % 4);
            jobs.note(&job(&conversation, i64::from(own) * 10 + i64::from(round)))
                .unwrap();
            let mut work = |job: &Job, _: &Cancel| {
                append(&folder.join("log"), &format!("begin {own}"));
                std::thread::sleep(Duration::from_millis(2));
                append(&folder.join("log"), &format!("end {own}"));
                Worked::Done(job.since.as_second().to_string().into())
            };
            jobs.run(&Cancel::new(), &mut work).unwrap();
        }
        return;
    }
    let folder = memdir_testkit::temporary_folder().unwrap();
    let running: Vec<Child> = (0..PROCESSES)
        .map(|_| {
            process(
                "jobs::sixteen_processes_and_never_two_at_once",
                folder.path(),
            )
        })
        .collect();
    for mut process in running {
        assert!(process.wait().unwrap().success());
    }
    let log = fs::read_to_string(folder.path().join("log")).unwrap();
    let lines: Vec<&str> = log.lines().collect();
    for pair in lines.chunks(2) {
        assert_eq!(pair[0].replace("begin", "end"), pair[1], "two at once");
    }
    // Whatever was noted last was done, by whoever was there.
    let jobs = Jobs::new(&folder.path().join("state"));
    assert!(jobs.standing().unwrap().due.is_empty());
    println!("{} notes, {} runs", PROCESSES * 4, lines.len() / 2);
    assert_nothing_left(folder.path());
}

#[test]
fn turns_that_end_while_one_runs_have_one_trailing_run() {
    let folder = memdir_testkit::temporary_folder().unwrap();
    let jobs = Jobs::new(folder.path());
    jobs.note(&job("one", 0)).unwrap();
    let mut seen = Vec::new();
    let mut work = |done: &Job, _: &Cancel| {
        seen.push((done.since.as_second() - 1_800_000_000, done.trailing));
        if seen.len() == 1 {
            // Meanwhile: three turns of the same conversation end, and one of another.
            for second in 1..=3 {
                jobs.note(&job("one", second)).unwrap();
            }
            jobs.note(&job("two", 2)).unwrap();
        }
        Worked::Done(format!("run {}", seen.len()).into())
    };
    assert!(jobs.run(&Cancel::new(), &mut work).unwrap());
    assert_eq!(seen, [(0, false), (2, true), (3, true)]);
    assert!(jobs.standing().unwrap().due.is_empty());
}

#[test]
fn what_fails_stays_due_and_is_given_up_at_last() {
    let folder = memdir_testkit::temporary_folder().unwrap();
    let jobs = Jobs::new(folder.path());
    jobs.note(&job("one", 0)).unwrap();
    let mut runs = 0;
    for _ in 0..4 {
        let mut work = |_: &Job, _: &Cancel| {
            runs += 1;
            Worked::Failed("no answer".to_owned())
        };
        jobs.run(&Cancel::new(), &mut work).unwrap();
    }
    assert_eq!(runs, 3);
    insta::assert_debug_snapshot!(outcomes(&jobs), @r#"
    [
        "one: Failed(\"no answer\")",
        "one: Failed(\"no answer\")",
        "one: GivenUp(\"no answer\")",
    ]
    "#);
    assert!(jobs.standing().unwrap().due.is_empty());
}

/// Work that ends only when it is told to.
fn until_stopped(_: &Job, cancel: &Cancel) -> Worked {
    wait_for(|| cancel.is_cancelled());
    Worked::Failed("stopped".to_owned())
}

#[test]
fn time_is_up() {
    let folder = memdir_testkit::temporary_folder().unwrap();
    let jobs = Jobs::new(folder.path()).within(Duration::ZERO);
    jobs.note(&job("one", 0)).unwrap();
    jobs.run(&Cancel::new(), &mut until_stopped).unwrap();
    assert_eq!(outcomes(&jobs), ["one: TimedOut"]);
    assert_eq!(jobs.standing().unwrap().due.len(), 1);
}

#[test]
fn somebody_asks_to_stop() {
    let folder = memdir_testkit::temporary_folder().unwrap();
    let jobs = Jobs::new(folder.path());
    assert!(!jobs.stop().unwrap());
    jobs.note(&job("one", 0)).unwrap();
    let worker = Worker::start(jobs.clone(), until_stopped).unwrap();
    wait_for(|| jobs.stop().unwrap());
    assert!(worker.drain(Duration::from_secs(60)).unwrap());
    assert_eq!(outcomes(&jobs), ["one: Stopped"]);
    assert!(jobs.standing().unwrap().due.is_empty());
}

#[test]
fn a_program_that_ends_waits_and_then_no_longer() {
    let folder = memdir_testkit::temporary_folder().unwrap();
    let jobs = Jobs::new(folder.path());
    jobs.note(&job("one", 0)).unwrap();
    let worker = Worker::start(jobs.clone(), until_stopped).unwrap();
    wait_for(|| jobs.standing().unwrap().running.is_some());
    assert!(!worker.drain(Duration::ZERO).unwrap());
    assert_eq!(outcomes(&jobs), ["one: Interrupted"]);
    assert_eq!(jobs.standing().unwrap().due.len(), 1);
    let quick = |_: &Job, _: &Cancel| Worked::Skipped("nothing new".to_owned());
    let worker = Worker::start(jobs.clone(), quick).unwrap();
    assert!(worker.drain(Duration::from_secs(60)).unwrap());
    assert!(jobs.standing().unwrap().due.is_empty());
    assert!(matches!(
        lease_state(folder.path()).unwrap(),
        LockState::Free
    ));
}

#[test]
fn what_may_not_be_done_yet_is_never_given_up() {
    let folder = memdir_testkit::temporary_folder().unwrap();
    let jobs = Jobs::new(folder.path());
    jobs.note(&job("one", 0)).unwrap();
    for _ in 0..4 {
        let mut work = |_: &Job, _: &Cancel| Worked::NotNow("no money".to_owned());
        jobs.run(&Cancel::new(), &mut work).unwrap();
    }
    assert_eq!(outcomes(&jobs), ["one: NotNow(\"no money\")"; 4]);
    for _ in 0..4 {
        let worker = Worker::start(jobs.clone(), until_stopped).unwrap();
        wait_for(|| jobs.standing().unwrap().running.is_some());
        assert!(!worker.drain(Duration::ZERO).unwrap());
    }
    assert_eq!(outcomes(&jobs)[4..], ["one: Interrupted"; 4]);
    let due = jobs.standing().unwrap().due;
    let due: Vec<_> = due.iter().map(|job| (job.attempts, job.trailing)).collect();
    // One attempt is always left.
    assert_eq!(due, [(2, true)]);
}

#[test]
fn a_damaged_record_holds_nothing_up() {
    let folder = memdir_testkit::temporary_folder().unwrap();
    let jobs = Jobs::new(folder.path());
    for kind in ["running/now", "past/past"] {
        let path = folder.path().join(format!("jobs/{kind}.json"));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "{").unwrap();
    }
    assert_eq!(jobs.standing().unwrap().problems.len(), 2);
    assert!(!jobs.stop().unwrap());
    jobs.note(&job("one", 0)).unwrap();
    let mut work = |_: &Job, _: &Cancel| Worked::Done("saved 1".to_owned().into());
    assert!(jobs.run(&Cancel::new(), &mut work).unwrap());
    assert_eq!(outcomes(&jobs), ["one: done, saved 1"]);
    assert_eq!(jobs.standing().unwrap().problems, [""; 0]);
}

#[test]
fn who_only_looks_is_in_nobodys_way() {
    let folder = memdir_testkit::temporary_folder().unwrap();
    let state = folder.path();
    drop(Lease::try_take(state, "first").unwrap());
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                lease_state(state).unwrap();
            }
        });
        let taken = (0..500).filter(|_| Lease::try_take(state, "jobs").unwrap().is_some());
        let taken = taken.count();
        over.store(true, Ordering::Relaxed);
        assert_eq!(taken, 500);
    });
}
