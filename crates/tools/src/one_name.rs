//! One name for a file, however a model wrote its path.

use std::path::{Component, Path, PathBuf};

use crate::place::resolved;

/// Where paths that tools were called with begin.
#[derive(Debug, Clone, Copy)]
pub struct Origin<'a> {
    /// The folder of the conversation, absolute: relative paths begin there.
    pub folder: &'a Path,
    /// What `~` stands for.
    pub home: Option<&'a Path>,
}

/// A file under the one name that it has for every spelling of its path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileName {
    /// Absolute, without `.` and `..`: the path to open and to show.
    pub path: PathBuf,
    /// The same with its links resolved, as far as it exists: equal for the same file.
    pub real: PathBuf,
}

impl Origin<'_> {
    /// The name of the file at this path. Nothing has to exist: what the disk does not tell, the text does.
    ///
    /// ```
    /// use std::path::Path;
    /// use memdir_tools::Origin;
    ///
    /// let origin = Origin { folder: Path::new("/no/where/app"), home: Some(Path::new("/no/home")) };
    /// let name = |path| origin.name(path).path;
    /// for path in ["src/a.rs", "./src//a.rs", "src/b/../a.rs", "/no/where/app/src/a.rs", "file:///no/where/app/src/a.rs"] {
    ///     assert_eq!(name(path), Path::new("/no/where/app/src/a.rs"));
    /// }
    /// assert_eq!(name("~/notes.md"), Path::new("/no/home/notes.md"));
    /// ```
    #[must_use]
    pub fn name(&self, path: &str) -> FileName {
        let meant = self.meant(path.trim());
        let path = normal(&meant);
        let of_path = resolved(&path).unwrap_or_else(|_| path.clone());
        // `..` behind a link leads elsewhere than its text says.
        let real = match has_parent(&meant) {
            true => resolved(&meant).unwrap_or_else(|_| of_path.clone()),
            false => of_path.clone(),
        };
        match real == of_path {
            true => FileName { path, real },
            false => FileName {
                path: real.clone(),
                real,
            },
        }
    }

    fn meant(&self, path: &str) -> PathBuf {
        let path = match path.strip_prefix("file://") {
            Some(address) => decoded(address.strip_prefix("localhost").unwrap_or(address)),
            None => path.to_owned(),
        };
        match (path.strip_prefix('~'), self.home) {
            (Some(""), Some(home)) => home.to_owned(),
            (Some(rest), Some(home)) if rest.starts_with('/') => {
                home.join(rest.trim_start_matches('/'))
            }
            _ => self.folder.join(path),
        }
    }
}

fn has_parent(path: &Path) -> bool {
    path.components().any(|part| part == Component::ParentDir)
}

/// The path by its text alone, without `.` and `..`.
fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => _ = out.pop(),
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => out.push(part),
        }
    }
    out
}

/// What an address says, its percent signs taken for what they stand for; as it is where that is no text.
fn decoded(address: &str) -> String {
    let mut bytes = Vec::with_capacity(address.len());
    let mut rest = address;
    while let Some((before, behind)) = rest.split_once('%') {
        bytes.extend_from_slice(before.as_bytes());
        let code = behind
            .get(..2)
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match code {
            Some(byte) => {
                bytes.push(byte);
                rest = behind.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(b'%');
                rest = behind;
            }
        }
    }
    bytes.extend_from_slice(rest.as_bytes());
    String::from_utf8(bytes).unwrap_or_else(|_| address.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_one_name_however_its_path_is_written() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        let app = root.join("app");
        std::fs::create_dir_all(app.join("src")).unwrap();
        std::fs::create_dir_all(root.join("else/deep")).unwrap();
        std::fs::write(app.join("src/a b.rs"), "").unwrap();
        std::os::unix::fs::symlink(app.join("src"), app.join("link")).unwrap();
        std::os::unix::fs::symlink(root.join("else/deep"), app.join("out")).unwrap();
        let origin = Origin {
            folder: &app,
            home: Some(&root),
        };
        let file = app.join("src/a b.rs");
        let absolute = file.display().to_string();
        for path in [
            "src/a b.rs",
            "./src/a b.rs",
            "src/./a b.rs",
            "src//a b.rs",
            "src/../src/a b.rs",
            "gone/../src/a b.rs",
            "link/a b.rs",
            "~/app/src/a b.rs",
            " src/a b.rs\n",
            &absolute,
            &format!("file://{}", absolute.replace(' ', "%20")),
            &format!("file://localhost{}", absolute.replace(' ', "%20")),
        ] {
            assert_eq!(origin.name(path).real, file, "{path:?}");
        }
        // `..` is resolved as the system does when it opens the path.
        let outside = origin.name("out/../x.md");
        assert_eq!(outside.path, root.join("else/x.md"));
        assert_eq!(outside.real, outside.path);
        // What is not there has one name all the same.
        assert_eq!(origin.name("src/new.rs"), origin.name("./src/x/../new.rs"));
        for odd in [
            "",
            ".",
            "..",
            "~",
            "/",
            "/..",
            "%",
            "file://",
            "file://%zz",
            "a\0b",
        ] {
            assert!(origin.name(odd).path.is_absolute(), "{odd:?}");
        }
    }
}
