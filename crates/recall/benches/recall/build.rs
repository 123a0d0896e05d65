//! The index made anew, against reading the same files, all of them in the page cache.

use std::time::Instant;

use memdir_recall::Finder;
use memdir_store::Store;

use crate::{Result, notes, report};

pub(crate) fn measure(files: usize, rounds: usize) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let store = Store::new(folder.path().join("memory"), folder.path().join("state"));
    notes::plant(store.memory_directory(), files)?;
    notes::settle();
    let finder = Finder::new(&store);
    let (mut floor, mut ours) = (Vec::new(), Vec::new());
    for round in 0..=rounds {
        let begun = Instant::now();
        let mut bytes = 0;
        for entry in std::fs::read_dir(store.memory_directory())? {
            bytes += std::fs::read(entry?.path())?.len();
        }
        let floor_taken = begun.elapsed();
        if bytes == 0 {
            return Err("nothing was read".into());
        }
        if finder.folder().exists() {
            std::fs::remove_dir_all(finder.folder())?;
        }
        let begun = Instant::now();
        let done = finder.complete(&|_| true)?.ok_or("somebody else builds")?;
        let taken = begun.elapsed();
        if done.memories != u32::try_from(files)? || done.pending > 0 {
            return Err(format!("{} of {files} memories are indexed", done.memories).into());
        }
        // The first warms the caches.
        if round > 0 {
            floor.push(floor_taken);
            ours.push(taken);
        }
    }
    let shares = [("median", 50), ("p90", 90)];
    report("build_floor", floor, &shares);
    report("build", ours, &shares);
    Ok(())
}
