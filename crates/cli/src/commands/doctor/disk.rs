//! Folders: there, writable, private, and on a file system that can do what is asked of it.

use std::fs::{self, Metadata};
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use memdir_store::Directory;
use rustix::fs::{Access, CWD, RenameFlags, access, renameat_with};
use rustix::io::Errno;

use super::Check;
use crate::workplace::Workplace;

/// Where the exchange is tried out.
const PROBES: [&str; 2] = [".memdir-doctor-1.tmp", ".memdir-doctor-2.tmp"];

/// Home, the memory directory and the state folder.
pub(super) fn folders(workplace: &Workplace) -> Vec<Check> {
    let home = &workplace.places.home.path;
    let memory = workplace.store.memory_directory();
    let state = workplace.store.state_directory();
    let mut checks = vec![
        folder("home", home, workplace),
        folder("memory directory", memory, workplace),
        folder("state folder", state, workplace),
    ];
    checks.extend(privacy("memory directory", memory, workplace));
    checks.extend(privacy("state folder", state, workplace));
    checks
}

fn folder(check: &'static str, path: &Path, workplace: &Workplace) -> Check {
    let shown = workplace.shown(path);
    match fs::metadata(path) {
        Ok(found) if !found.is_dir() => Check::fail(
            check,
            format!("{shown} is not a folder"),
            "move it away, or choose another place; `memdir paths` says who chose this one",
        ),
        Ok(_) if !is_writable(path) => Check::fail(
            check,
            format!("{shown} cannot be written"),
            write_remedy(path),
        ),
        Ok(_) => Check::ok(check, shown),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            missing(check, path, workplace)
        }
        Err(error) => {
            let error = error.to_string();
            let words = error.split(" (os error").next().unwrap_or_default();
            Check::fail(
                check,
                format!("{shown} cannot be looked at: {words}"),
                write_remedy(path),
            )
        }
    }
}

/// What is not there yet is fine, as long as it can be made.
fn missing(check: &'static str, path: &Path, workplace: &Workplace) -> Check {
    let shown = workplace.shown(path);
    let above = path.ancestors().skip(1).find(|folder| folder.exists());
    match above {
        Some(above) if !above.is_dir() => Check::fail(
            check,
            format!(
                "{shown} cannot be made: {} is not a folder",
                workplace.shown(above)
            ),
            "move it away, or choose another place; `memdir paths` says who chose this one",
        ),
        Some(above) if !is_writable(above) => Check::fail(
            check,
            format!(
                "{shown} cannot be made: {} cannot be written",
                workplace.shown(above)
            ),
            write_remedy(above),
        ),
        _ => Check::ok(
            check,
            format!("{shown} is not there yet; the first `memdir remember` makes it"),
        ),
    }
}

fn is_writable(path: &Path) -> bool {
    access(path, Access::WRITE_OK | Access::EXEC_OK).is_ok()
}

fn write_remedy(path: &Path) -> String {
    match access(path, Access::WRITE_OK) {
        Err(Errno::ROFS) => "the file system is mounted read-only".to_owned(),
        _ => {
            "check who owns it and its permissions; a file system mounted read-only looks the same"
                .to_owned()
        }
    }
}

/// Whether somebody else can read it, by its own permissions and those of all folders above.
fn privacy(check: &'static str, path: &Path, workplace: &Workplace) -> Option<Check> {
    let folder = path.canonicalize().ok()?;
    let above: Vec<Metadata> = folder
        .ancestors()
        .skip(1)
        .filter_map(|above| fs::metadata(above).ok())
        .collect();
    let own = fs::metadata(&folder).ok()?;
    let is_open = |read: u32, search: u32| {
        own.mode() & read != 0
            && own.mode() & search != 0
            && above.iter().all(|above| above.mode() & search != 0)
    };
    let who = match (is_open(0o004, 0o001), is_open(0o040, 0o010)) {
        (true, _) => "everybody on this machine",
        (false, true) => "the group",
        (false, false) => return None,
    };
    let shown = workplace.shown(path);
    let mode = own.mode() & 0o777;
    Some(Check::warn(
        check,
        format!("{who} can read {shown} (mode {mode:03o})"),
        format!("chmod 700 '{}'", folder.display()),
    ))
}

/// Whether the file system can swap two files in one step, which is how a change made by somebody else in the same
/// instant is never overwritten. Tried only where there is a folder of ours already.
pub(super) fn exchange(workplace: &Workplace) -> Option<Check> {
    const CHECK: &str = "file system";
    let state = Directory::open(workplace.store.state_directory())
        .ok()
        .flatten()?;
    let memory = fs::metadata(workplace.store.memory_directory()).ok()?;
    if fs::metadata(state.path()).ok()?.dev() != memory.dev() || !is_writable(state.path()) {
        return None;
    }
    let tried = try_exchange(&state);
    for probe in PROBES {
        // A probe that stays behind harms nobody, and the next run replaces it.
        let _ = state.remove(probe);
    }
    Some(match tried {
        Ok(()) => Check::ok(CHECK, "swaps files in one step"),
        Err(Failed::Exchange(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP)) => Check::warn(
            CHECK,
            "cannot swap files in one step: a change that another program makes in the same instant can be lost",
            "keep memories on a local disk, such as ext4, xfs, btrfs or apfs",
        ),
        Err(failed) => Check::fail(
            CHECK,
            format!("a test file could not be written: {failed}"),
            "free some space",
        ),
    })
}

#[derive(Debug, thiserror::Error)]
enum Failed {
    #[error(transparent)]
    Store(#[from] memdir_store::Error),
    #[error("{}", std::io::Error::from(*.0))]
    Exchange(Errno),
}

fn try_exchange(state: &Directory) -> Result<(), Failed> {
    let [one, other] = PROBES;
    state.replace_file(one, b"1")?;
    // Locked, it is not taken for one that a killed process left.
    let held = fs::File::open(state.path().join(one)).and_then(|file| file.lock().map(|()| file));
    state.replace_file(other, b"2")?;
    drop(held);
    let (one, other) = (state.path().join(one), state.path().join(other));
    renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE).map_err(Failed::Exchange)
}
