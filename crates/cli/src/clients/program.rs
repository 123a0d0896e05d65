//! The program that entries start: an installed one, wherever this one was built.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use memdir_store::{read_user_file, replace_user_file};

use crate::failure::Failure;
use crate::workplace::Workplace;

/// Where programs of a user's own are kept.
const LOCAL_PROGRAMS: &str = ".local/bin";
/// Where programs are installed, under the user's home and for all.
const OWN_FOLDERS: [&str; 2] = [LOCAL_PROGRAMS, ".cargo/bin"];
const SHARED_FOLDERS: [&str; 3] = ["/usr/local/bin", "/usr/bin", "/opt/homebrew/bin"];
/// What cargo leaves in every folder that it builds in.
const CARGO_MARK: &str = ".rustc_info.json";
const NAME: &str = "memdir";
const EXECUTABLE: u32 = 0o755;

/// The program that entries will start.
#[derive(Debug)]
pub(crate) struct Installed {
    pub(crate) path: PathBuf,
    /// What has to be copied there first.
    pub(crate) copy_from: Option<PathBuf>,
}

/// Decides which program entries start. Copies nothing yet.
pub(crate) fn choose(told: Option<&Path>, workplace: &Workplace) -> Result<Installed, Failure> {
    if let Some(told) = told {
        return chosen(told);
    }
    let current = std::env::current_exe().map_err(|error| {
        Failure::new(
            format!("memdir cannot find its own file: {error}"),
            "say which program to use: `--program PATH`",
        )
    })?;
    let home = workplace.places.user_home.as_deref();
    if !is_built(&current) {
        return Ok(Installed {
            path: as_found(&current, home),
            copy_from: None,
        });
    }
    let home = home.ok_or_else(|| Failure::new("there is no home directory", "set HOME"))?;
    let path = home.join(LOCAL_PROGRAMS).join(NAME);
    let is_same = read_user_file(&path)? == read_user_file(&current)?;
    Ok(Installed {
        path,
        copy_from: (!is_same).then_some(current),
    })
}

/// The program that the user names: it has to be there, and to be a memdir.
fn chosen(told: &Path) -> Result<Installed, Failure> {
    let failed = |what: String| {
        let program = told.display();
        Failure::new(format!("{program} {what}"), "nothing was changed")
    };
    let path = std::path::absolute(told).map_err(|error| failed(format!("is no path: {error}")))?;
    let said = Command::new(&path).arg("--version").output();
    let said = said.map_err(|error| failed(format!("cannot be started: {error}")))?;
    let is_memdir = said.status.success() && said.stdout.starts_with(b"memdir ");
    match is_memdir {
        true => Ok(Installed {
            path,
            copy_from: None,
        }),
        false => Err(failed(
            "is not memdir: it does not say its version".to_owned(),
        )),
    }
}

/// Whether a program lies where cargo builds, and may be gone tomorrow.
fn is_built(program: &Path) -> bool {
    program.ancestors().skip(1).any(|folder| {
        folder.file_name() == Some(OsStr::new("target")) || folder.join(CARGO_MARK).exists()
    })
}

/// The program by the name under which it is installed, which stays when a newer one takes its place. The search path is
/// not asked: a project can have put a folder of its own there.
fn as_found(current: &Path, home: Option<&Path>) -> PathBuf {
    let own = home
        .into_iter()
        .flat_map(|home| OWN_FOLDERS.map(|folder| home.join(folder)));
    let shared = SHARED_FOLDERS.map(PathBuf::from);
    let mut named = own.chain(shared).map(|folder| folder.join(NAME));
    let is_same = |path: &PathBuf| path.canonicalize().is_ok_and(|path| path == *current);
    named.find(is_same).unwrap_or_else(|| current.to_path_buf())
}

/// Copies the program to where entries will look for it.
pub(crate) fn install(installed: &Installed, own: &Path) -> Result<(), Failure> {
    let Some(from) = &installed.copy_from else {
        return Ok(());
    };
    let new = read_user_file(from)?;
    let old = read_user_file(&installed.path)?;
    replace_user_file(
        own,
        &installed.path,
        old.as_deref(),
        new.as_deref(),
        Some(EXECUTABLE),
    )
    .map_err(|error| Failure::new(error.to_string(), "nothing else was changed"))
}
