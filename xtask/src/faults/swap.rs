//! A folder is swapped for a link to the outside and back, as fast as it goes, while memories are
//! written into it. No byte may land outside.

use std::fs;
use std::os::unix::fs::symlink;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use anyhow::{Context as _, Result, ensure};
use rustix::fs::{CWD, RenameFlags, renameat_with};

use super::Plan;
use super::report::Report;
use super::scene::Scene;

const WRITES: usize = 100_000;
const SHORT_WRITES: usize = 2_000;

pub(super) fn run(plan: &Plan, report: &mut Report) -> Result<()> {
    let writes = if plan.short { SHORT_WRITES } else { WRITES };
    let scene = Scene::empty(&plan.ground.join("swap"), &plan.memdir)?;
    let (memory, outside) = (scene.memory(), scene.sandbox().outside());
    let (folder, link) = (memory.join("team"), memory.join("swapped"));
    fs::create_dir_all(&folder)?;
    symlink(&outside, &link)?;
    let built = super::build(
        &plan.root,
        plan.short,
        &["--package", "memdir-store", "--example", "write_many"],
    )?;
    let writer = built.join("examples/write_many");

    let (stop, swaps) = (AtomicBool::new(false), AtomicUsize::new(0));
    let outcome = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                if renameat_with(CWD, &folder, CWD, &link, RenameFlags::EXCHANGE).is_ok() {
                    swaps.fetch_add(1, Ordering::Relaxed);
                }
            }
        });
        let state = scene.home().join("memdir/swap");
        let outcome = scene
            .sandbox()
            .program(&writer)
            .args([memory.as_os_str(), state.as_os_str(), "team".as_ref()])
            .args([writes.to_string()])
            .run();
        stop.store(true, Ordering::Relaxed);
        outcome
    })?;
    ensure!(outcome.success(), "the writer failed\n{outcome}");

    let text = outcome.stdout();
    let count = |name: &str| -> Result<usize> {
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        let number = line.with_context(|| format!("the writer printed no `{name}`\n{text}"))?;
        number
            .trim()
            .parse()
            .with_context(|| format!("`{name}` is followed by no number"))
    };
    let (written, refused) = (count("written")?, count("refused")?);
    report.figure("writes tried", written + refused);
    report.figure("… kept inside", written);
    report.figure("… refused, because a link stood there", refused);
    report.figure("swaps meanwhile", swaps.load(Ordering::Relaxed));
    let touched = scene.outside_touched()?;
    report.figure(
        "writes that changed something outside",
        if touched { "some" } else { "0" },
    );
    let mut broken = Vec::new();
    if touched {
        broken.push("swap: something outside the memory directory changed".to_owned());
    }
    if written == 0 || refused == 0 {
        broken.push(format!(
            "swap: the race never happened ({written} written, {refused} refused)"
        ));
    }
    report.violations(broken);
    Ok(())
}
