//! The variables that a program gets which we start: the user's, and none that a repository has set.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use memdir_settings::variables;
use memdir_store::Places;

/// Where programs are looked for.
const PATH: &str = "PATH";
/// Where they are on every system, and where their installers put them for one user alone, beneath home.
const USUAL: [&str; 3] = ["/usr/local/bin", "/usr/bin", "/bin"];
const USUAL_AT_HOME: &str = ".local/bin";

/// All of them, for a program by its name or path.
pub(crate) fn environment(places: &Places, program: &str) -> Vec<(OsString, OsString)> {
    let own = env::vars_os().filter(|(name, _)| !places.withholds(name));
    let mut all: Vec<(OsString, OsString)> = own.collect();
    if places.withholds(variables::HOME.as_ref())
        && let Some(home) = &places.user_home
    {
        all.push((variables::HOME.into(), home.into()));
    }
    if places.withholds(PATH.as_ref()) {
        // What a program needs often lies beside it, such as its interpreter.
        let beside = Path::new(program).parent().filter(|it| it.is_absolute());
        let folders = beside.map(Path::to_path_buf).into_iter();
        let folders = folders.chain(usual_folders(places));
        all.extend(env::join_paths(folders).map(|path| (PATH.into(), path)));
    }
    all
}

/// Where a program is that is started by its name.
pub(crate) fn found(places: &Places, program: &str) -> Option<PathBuf> {
    let folders: Vec<PathBuf> = match env::var_os(PATH) {
        Some(path) if !places.withholds(PATH.as_ref()) => env::split_paths(&path).collect(),
        _ => usual_folders(places).collect(),
    };
    let mut files = folders.iter().map(|folder| folder.join(program));
    files.find(|file| file.is_absolute() && is_program(file.as_os_str()))
}

fn usual_folders(places: &Places) -> impl Iterator<Item = PathBuf> {
    let at_home = places.user_home.as_ref();
    let at_home = at_home.map(|home| home.join(USUAL_AT_HOME));
    at_home
        .into_iter()
        .chain(USUAL.into_iter().map(PathBuf::from))
}

fn is_program(file: &OsStr) -> bool {
    let is_file = Path::new(file).is_file();
    is_file && rustix::fs::access(file, rustix::fs::Access::EXEC_OK).is_ok()
}
