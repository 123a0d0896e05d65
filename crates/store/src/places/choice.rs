//! Directories that somebody configured: which are taken, which are refused, and why.

use std::ffi::OsStr;
use std::fmt;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use memdir_settings::Layer;

/// Who chose a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// A flag that the user typed.
    Flag(&'static str),
    /// A variable of the environment.
    Variable(&'static str),
    /// A settings file.
    Setting {
        /// The key in it.
        key: &'static str,
        /// Its layer.
        layer: Layer,
        /// Its path.
        file: String,
    },
    /// Nobody: the built-in place.
    BuiltIn,
}

impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(name) | Self::Variable(name) => formatter.write_str(name),
            Self::Setting { key, layer, file } => write!(formatter, "{key} in {file} ({layer})"),
            Self::BuiltIn => formatter.write_str("built-in"),
        }
    }
}

/// A directory, who chose it, and what was not taken before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// The directory: absolute, without `.` and `..`.
    pub path: PathBuf,
    /// Who chose it.
    pub origin: Origin,
    /// Stronger choices that were refused.
    pub refused: Vec<Refusal>,
}

/// A configured directory that was not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Who asked for it.
    pub origin: Origin,
    /// What was asked for.
    pub value: String,
    /// Why not.
    pub reason: RefusalReason,
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{:?} from {} is not used: {}",
            self.value, self.origin, self.reason
        )
    }
}

/// Why a configured directory is not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefusalReason {
    /// Nothing at all.
    Empty,
    /// Not absolute: it would depend on where the program runs.
    Relative,
    /// The root of the file system.
    Root,
    /// One step from the root, such as `/etc`.
    OneStep,
    /// A drive, such as `C:`.
    Drive,
    /// A share on another machine.
    Unc,
    /// A NUL byte in it.
    Nul,
    /// The home directory itself, or above it.
    HomeItself,
    /// Asked for by a file that came with the repository.
    Repository,
    /// The variable is named by the `env` block of a file that came with the repository.
    NamedByRepository {
        /// The file.
        file: String,
    },
}

impl fmt::Display for RefusalReason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Empty => "it is empty",
            Self::Relative => "it is not an absolute path",
            Self::Root => "it is the root of the file system",
            Self::OneStep => "it is only one step from the root of the file system",
            Self::Drive => "it is a drive",
            Self::Unc => "it is a network path",
            Self::Nul => "it contains a NUL byte",
            Self::HomeItself => "it is the home directory itself or above it",
            Self::Repository => "a file that comes with the project may not choose a directory",
            Self::NamedByRepository { file } => {
                return write!(formatter, "the project's {file} sets this variable");
            }
        })
    }
}

/// How strict the check is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Strictness {
    /// A folder in which memories are written.
    Memory,
    /// A home, which in a container may well stand one step from the root.
    Home,
}

/// Checks a configured directory and takes `.` and `..` out of it, so that what was checked is
/// what is used. `tilde` is what `~/` stands for, where it stands for anything.
pub(super) fn check(
    value: &OsStr,
    tilde: Option<&Path>,
    strictness: Strictness,
) -> Result<PathBuf, RefusalReason> {
    let bytes = value.as_bytes();
    if bytes.is_empty() {
        return Err(RefusalReason::Empty);
    }
    if bytes.contains(&0) {
        return Err(RefusalReason::Nul);
    }
    if bytes.starts_with(b"//") || bytes.starts_with(b"\\\\") {
        return Err(RefusalReason::Unc);
    }
    if let [letter, b':', ..] = bytes
        && letter.is_ascii_alphabetic()
    {
        return Err(RefusalReason::Drive);
    }
    if let Some(rest) = bytes.strip_prefix(b"~") {
        return check_tilde(rest, tilde);
    }
    let path = Path::new(value);
    if !path.is_absolute() {
        return Err(RefusalReason::Relative);
    }
    let path = normal(path);
    match (path.components().count(), strictness) {
        (0 | 1, _) => Err(RefusalReason::Root),
        (2, Strictness::Memory) => Err(RefusalReason::OneStep),
        _ => Ok(path),
    }
}

fn check_tilde(rest: &[u8], tilde: Option<&Path>) -> Result<PathBuf, RefusalReason> {
    let beneath = match rest {
        b"" => b"",
        [b'/', beneath @ ..] => beneath,
        _ => return Err(RefusalReason::Relative),
    };
    let beneath = Path::new(OsStr::from_bytes(beneath));
    // Joining something absolute (`~//etc`) would throw the home away.
    let beneath = beneath.strip_prefix("/").unwrap_or(beneath);
    let home = normal(tilde.unwrap_or(Path::new("/home/unknown")));
    let path = normal(&home.join(beneath));
    if home.starts_with(&path) {
        return Err(RefusalReason::HomeItself);
    }
    match tilde {
        Some(_) if path.components().count() <= 2 => Err(RefusalReason::OneStep),
        Some(_) => Ok(path),
        None => Err(RefusalReason::Relative),
    }
}

/// Takes `.`, `..` and doubled separators out of an absolute path, by its words alone.
pub(super) fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::from("/");
    for component in path.components() {
        match component {
            Component::Normal(name) => normal.push(name),
            Component::ParentDir => {
                normal.pop();
            }
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    normal
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(value: &str, tilde: Option<&str>) -> String {
        match check(OsStr::new(value), tilde.map(Path::new), Strictness::Memory) {
            Ok(path) => path.display().to_string(),
            Err(reason) => format!("{reason:?}"),
        }
    }

    #[test]
    fn configured_directories() {
        let home = Some("/home/ada");
        for (value, expected) in [
            ("/srv/memory", "/srv/memory"),
            ("/srv//memory/./x/", "/srv/memory/x"),
            ("~/memory", "/home/ada/memory"),
            ("~/a/../b", "/home/ada/b"),
            ("~//etc/x", "/home/ada/etc/x"),
            ("", "Empty"),
            ("memory", "Relative"),
            ("./memory", "Relative"),
            ("../memory", "Relative"),
            ("~ada/memory", "Relative"),
            ("/", "Root"),
            ("/.", "Root"),
            ("/a/..", "Root"),
            ("/../..", "Root"),
            ("/a", "OneStep"),
            ("/a/", "OneStep"),
            ("/a/b/..", "OneStep"),
            ("C:", "Drive"),
            ("C:\\", "Drive"),
            ("c:/memory", "Drive"),
            ("\\\\server\\share", "Unc"),
            ("//server/share", "Unc"),
            ("/a/b\0c", "Nul"),
            ("~", "HomeItself"),
            ("~/", "HomeItself"),
            ("~/.", "HomeItself"),
            ("~/..", "HomeItself"),
            ("~/../..", "HomeItself"),
            ("~/a/..", "HomeItself"),
            ("~/../ada", "HomeItself"),
            ("~/../../etc", "OneStep"),
        ] {
            assert_eq!(shown(value, home), expected, "{value:?}");
        }
    }

    #[test]
    fn a_variable_does_not_expand_the_tilde() {
        assert_eq!(shown("~/memory", None), "Relative");
        assert_eq!(shown("~", None), "HomeItself");
        assert_eq!(shown("~/..", None), "HomeItself");
    }

    proptest::proptest! {
        #[test]
        fn what_is_taken_is_deep_enough_and_goes_nowhere_else(
            value in "(~|~/|/|//|C:|)((\\.|\\.\\.|a|b c|~|\\\\)/?){0,6}"
        ) {
            let home = Path::new("/home/ada");
            if let Ok(path) = check(OsStr::new(&value), Some(home), Strictness::Memory) {
                proptest::prop_assert!(path.is_absolute() && path.components().count() > 2);
                proptest::prop_assert!(!home.starts_with(&path));
                proptest::prop_assert_eq!(normal(&path), path);
            }
        }
    }
}
