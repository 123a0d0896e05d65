//! The owner of a lock dies and its process id is given to another: in a namespace of its own,
//! where process ids can be chosen.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use memdir_testkit::strace::{self, Fault};
use memdir_testkit::tree;
use regex::Regex;

use super::Plan;
use super::report::Report;
use super::scene::Scene;

/// The word with which we call ourselves inside the namespace.
pub(crate) const INSIDE: &str = "faults-pid-inside";

/// A stale lock must not make anybody wait.
const AT_ONCE: Duration = Duration::from_secs(5);
const ROUNDS: usize = 25;
const SHORT_ROUNDS: usize = 3;

pub(super) fn run(plan: &Plan, report: &mut Report) -> Result<()> {
    let rounds = if plan.short { SHORT_ROUNDS } else { ROUNDS };
    let output = Command::new("unshare")
        .args(["--pid", "--fork", "--mount-proc"])
        .arg(std::env::current_exe()?)
        .arg(INSIDE)
        .args([&plan.memdir, &plan.ground.join("pid")])
        .args([rounds.to_string(), plan.short.to_string()])
        .output()
        .context("starting unshare (Debian: apt-get install util-linux)")?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() {
        bail!(
            "inside the namespace: {text}{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    let mut broken = Vec::new();
    for line in text.lines() {
        match line.split_once('\t') {
            Some(("broken", what)) => broken.push(format!("pid: {what}")),
            Some((what, figure)) => report.figure(what, figure),
            None => {}
        }
    }
    report.violations(broken);
    Ok(())
}

/// The part that runs as the namespace's first process.
pub(crate) fn inside(words: &[String]) -> Result<()> {
    let [memdir, folder, rounds, short] = words else {
        bail!("four words are needed: {words:?}")
    };
    let scene = Scene::with_memories(Path::new(folder), Path::new(memdir))?;
    let lock = lock_file(&scene)?;
    let rounds: usize = rounds.parse()?;
    let mut reclaimed = 0;
    for round in 0..rounds {
        let dead = die_holding(&scene, &lock, round)?;
        // Somebody else's process has the number now.
        let mut stranger = spawn_as(dead, Command::new("sleep").arg("60"))?;
        let words = [
            "remember",
            &format!("Cabinet {round} was opened after a stranger came"),
        ];
        reclaimed += usize::from(at_once(&scene, &words)?);
        stranger.kill()?;
        stranger.wait()?;

        // One of our own has it, and asks for the lock itself.
        let dead = die_holding(&scene, &lock, rounds + round)?;
        let begun = Instant::now();
        let fact = format!("Cupboard {round} was opened by a namesake");
        let mut namesake = spawn_as(dead, &mut scene.program(&["remember", &fact]).command())?;
        reclaimed += usize::from(namesake.wait()?.success() && begun.elapsed() < AT_ONCE);
    }
    println!(
        "locks of dead owners whose process id lives on\t{}",
        2 * rounds
    );
    println!("… taken over at once\t{reclaimed}");
    if reclaimed != 2 * rounds {
        println!(
            "broken\t{} stale locks were not taken over at once",
            2 * rounds - reclaimed
        );
    }
    if short != "true" {
        live_lock(&scene, &lock)?;
    }
    Ok(())
}

/// A lock that is held stays held, though its record names a process that is dead.
fn live_lock(scene: &Scene, lock: &Path) -> Result<()> {
    let before = scene.tree()?;
    // Without a fork the sleeper itself holds the lock, and ending it frees the lock.
    let hold = [
        "--no-fork".as_ref(),
        lock.as_os_str(),
        "sleep".as_ref(),
        "600".as_ref(),
    ];
    let mut holder = Command::new("flock").args(hold).spawn()?;
    std::thread::sleep(Duration::from_millis(500));
    let outcome = scene
        .program(&["remember", "This must wait for its turn"])
        .run()?;
    let stolen = outcome.success() || scene.tree()? != before;
    holder.kill()?;
    holder.wait()?;
    println!("live locks stolen\t{}", usize::from(stolen));
    if stolen {
        println!(
            "broken\ta live lock was stolen: {}",
            outcome.to_string().replace('\n', " ")
        );
    }
    Ok(())
}

/// Kills a process that holds the lock; its id, which the lock's record still names.
fn die_holding(scene: &Scene, lock: &Path, round: usize) -> Result<i32> {
    let words = [
        "remember".to_owned(),
        format!("Basket {round} is never packed"),
    ];
    let killed = strace::inject(
        &scene.program(&words),
        "renameat2",
        1,
        Fault::Kill,
        &scene.log,
    )?;
    ensure!(
        killed.hit.is_some(),
        "remember renames nothing\n{}",
        killed.outcome
    );
    let body = fs::read_to_string(lock)?;
    let number = Regex::new(r#""pid":\s*(\d+)"#)?
        .captures(&body)
        .and_then(|found| found.get(1)?.as_str().parse().ok());
    number.with_context(|| format!("the lock's record names no process: {}", body.trim()))
}

/// Starts a process with a chosen id.
fn spawn_as(id: i32, command: &mut Command) -> Result<Child> {
    for _ in 0..100 {
        fs::write("/proc/sys/kernel/ns_last_pid", (id - 1).to_string())?;
        let mut child = command.spawn()?;
        if i32::try_from(child.id())? == id {
            return Ok(child);
        }
        child.kill()?;
        child.wait()?;
    }
    bail!("process id {id} could not be had")
}

fn at_once(scene: &Scene, words: &[&str]) -> Result<bool> {
    let begun = Instant::now();
    let outcome = scene.program(words).run()?;
    if !outcome.success() {
        println!("broken\t{}", outcome.to_string().replace('\n', " "));
    }
    Ok(outcome.success() && begun.elapsed() < AT_ONCE)
}

/// The store's lock file, wherever beneath its home it is.
fn lock_file(scene: &Scene) -> Result<PathBuf> {
    let files = tree::read(&scene.home())?;
    let found = files
        .keys()
        .find(|path| path.ends_with("/lock"))
        .context("no lock file")?;
    Ok(scene.home().join(found))
}
