//! A home, a project and an outside, all temporary.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::{Filters, Program};

/// Creates a temporary folder whose path has the same length on every machine.
///
/// It lies in `/tmp` whatever `TMPDIR` says: a screen of 80 columns, a count of tokens and a name
/// that the file system bounds all depend on the length of paths.
pub fn temporary_folder() -> io::Result<TempDir> {
    folder_with_prefix(".tmp")
}

fn folder_with_prefix(prefix: &str) -> io::Result<TempDir> {
    let folder = |base: &Path| tempfile::Builder::new().prefix(prefix).tempdir_in(base);
    folder(Path::new("/tmp")).or_else(|_| folder(&std::env::temp_dir()))
}

/// Folders for one test, removed when it is dropped.
///
/// The program under test sees `home` as its home and starts in `project`; `outside` is a
/// neighbour that it must never touch.
#[derive(Debug)]
pub struct Sandbox {
    /// Holds the folder alive; `None` when somebody else does.
    _owner: Option<TempDir>,
    root: PathBuf,
}

impl Sandbox {
    /// A sandbox in a new temporary folder.
    pub fn new() -> io::Result<Self> {
        let owner = folder_with_prefix("memdir-test-")?;
        // Canonical, because programs print canonical paths and the filters look for them.
        let root = owner.path().canonicalize()?;
        let sandbox = Self {
            _owner: Some(owner),
            root,
        };
        sandbox.make_folders()?;
        Ok(sandbox)
    }

    /// A sandbox in a folder that the caller owns and removes.
    pub fn within(root: &Path) -> io::Result<Self> {
        fs::create_dir_all(root)?;
        let sandbox = Self {
            _owner: None,
            root: root.canonicalize()?,
        };
        sandbox.make_folders()?;
        Ok(sandbox)
    }

    fn make_folders(&self) -> io::Result<()> {
        for folder in [self.home(), self.project(), self.outside()] {
            fs::create_dir_all(folder)?;
        }
        Ok(())
    }

    /// The folder that everything is in.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// What the program takes for the user's home.
    pub fn home(&self) -> PathBuf {
        self.root.join("home")
    }

    /// Where the program starts.
    pub fn project(&self) -> PathBuf {
        self.root.join("project")
    }

    /// A neighbour that must stay as it is.
    pub fn outside(&self) -> PathBuf {
        self.root.join("outside")
    }

    /// Writes a file beneath the sandbox's root, with its folders.
    pub fn write(&self, path: &str, content: impl AsRef<[u8]>) -> io::Result<PathBuf> {
        let path = self.root.join(path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&path, content)?;
        Ok(path)
    }

    /// A program to run in here: it starts in `project`, knows nothing of the caller's
    /// environment, and its output names the sandbox's folders by `[HOME]`, `[PROJECT]`, ….
    pub fn program(&self, program: impl AsRef<OsStr>) -> Program {
        let mut filters = Filters::default();
        filters.folder(&self.home(), "[HOME]");
        filters.folder(&self.project(), "[PROJECT]");
        filters.folder(&self.outside(), "[OUTSIDE]");
        filters.folder(&self.root, "[ROOT]");
        Program::new(program, filters)
            .current_folder(self.project())
            .env("HOME", self.home())
    }
}
