//! Who has a file open for writing, as the kernel tells it.

use std::collections::HashSet;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, Instant};

/// What tells one file from every other: its device and its inode number.
pub(crate) type Identity = (u64, u64);

/// Those of some files that a process has open for writing. `None` when that cannot be told. Newer processes are
/// asked first, for as long as there is time. Processes that belong to others or run in other containers are not seen.
pub(crate) fn held(files: &HashSet<Identity>, time: Option<Duration>) -> Option<HashSet<Identity>> {
    let mut held = HashSet::new();
    let begin = Instant::now();
    let mut processes: Vec<u32> = fs::read_dir("/proc")
        .ok()?
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .collect();
    processes.sort_unstable_by(|one, other| other.cmp(one));
    if processes.is_empty() {
        return None;
    }
    for process in processes {
        if held.len() == files.len() || time.is_some_and(|time| begin.elapsed() > time) {
            break;
        }
        let process = Path::new("/proc").join(process.to_string());
        // It has ended, or it is not ours to look at.
        let Ok(descriptors) = fs::read_dir(process.join("fd")) else {
            continue;
        };
        for descriptor in descriptors.flatten() {
            let Ok(metadata) = fs::metadata(descriptor.path()) else {
                continue;
            };
            let identity = (metadata.dev(), metadata.ino());
            if files.contains(&identity)
                && may_write(&process.join("fdinfo").join(descriptor.file_name()))
            {
                held.insert(identity);
            }
        }
    }
    Some(held)
}

/// Whether a descriptor is one for writing; one that cannot be looked at may be.
fn may_write(description: &Path) -> bool {
    let text = fs::read_to_string(description).unwrap_or_default();
    let flags = text.lines().find_map(|line| line.strip_prefix("flags:"));
    let flags = flags.and_then(|flags| u32::from_str_radix(flags.trim(), 8).ok());
    flags.is_none_or(|flags| flags & 0o3 != 0)
}
