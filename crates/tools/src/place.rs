//! Where a path that a model names really leads.

use std::io;
use std::path::{Component, Path, PathBuf};

use memdir_memory::{MemoryPath, PathProblem};

/// Folders whose content git or an agent acts on.
const OBEYED: [&str; 2] = [".git", ".claude"];

/// The folders that a conversation has of its own.
#[derive(Debug, Clone)]
pub struct Rooms {
    folder: PathBuf,
    memory: PathBuf,
    scratchpad: Option<PathBuf>,
    notes: Option<PathBuf>,
    records: Vec<PathBuf>,
}

/// Where a path leads, links resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A file of the memory directory.
    Memory(MemoryPath),
    /// The memory directory itself or a folder in it.
    MemoryFolder(PathBuf),
    /// Beneath the scratchpad.
    Scratchpad(PathBuf),
    /// The notes of this conversation.
    Notes(PathBuf),
    /// Beneath the folder in which the conversation works.
    Open(PathBuf),
    /// The same, where git or an agent does what stands there: who may change files need not change these.
    Obeyed(PathBuf),
    /// Beneath a folder that may be looked at and is kept by others: past conversations, what waits for the user's word.
    Record(PathBuf),
    /// Anywhere else.
    Elsewhere(PathBuf),
}

/// Why a path leads nowhere.
#[derive(Debug, thiserror::Error)]
pub enum PlaceProblem {
    /// Nothing was named.
    #[error("no path was given")]
    Empty,
    /// A NUL, which no path can hold.
    #[error("the path has a NUL character")]
    Nul,
    /// `..` behind a folder that does not exist.
    #[error("the path goes up from a folder that does not exist")]
    UpFromNowhere,
    /// A link to something that does not exist.
    #[error("the path goes through a link to nothing")]
    Dangling,
    /// Beneath the memory directory, but no memory.
    #[error("this cannot be a memory: {0}")]
    Memory(#[from] PathProblem),
    /// The system refused to say.
    #[error("{0}")]
    Io(#[from] io::Error),
}

impl Rooms {
    /// A conversation that works in `folder` with this memory directory. Both are absolute.
    ///
    /// # Errors
    ///
    /// When the system refuses to say where they are.
    pub fn new(folder: &Path, memory: &Path) -> Result<Self, PlaceProblem> {
        Ok(Self {
            folder: resolved(folder)?,
            memory: resolved(memory)?,
            scratchpad: None,
            notes: None,
            records: Vec::new(),
        })
    }

    /// With a folder that may be looked at like the one in which the conversation works, and is not written to.
    ///
    /// # Errors
    ///
    /// When the system refuses to say where it is.
    pub fn with_record(mut self, folder: &Path) -> Result<Self, PlaceProblem> {
        self.records.push(resolved(folder)?);
        Ok(self)
    }

    /// With a scratchpad.
    ///
    /// # Errors
    ///
    /// When the system refuses to say where it is.
    pub fn with_scratchpad(mut self, folder: &Path) -> Result<Self, PlaceProblem> {
        self.scratchpad = Some(resolved(folder)?);
        Ok(self)
    }

    /// With notes.
    ///
    /// # Errors
    ///
    /// When the system refuses to say where they are.
    pub fn with_notes(mut self, file: &Path) -> Result<Self, PlaceProblem> {
        self.notes = Some(resolved(file)?);
        Ok(self)
    }

    /// The folder in which the conversation works.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The memory directory, links resolved.
    #[must_use]
    pub fn memory(&self) -> &Path {
        &self.memory
    }

    /// Where a path leads that a model named, relative ones from the working folder.
    ///
    /// # Errors
    ///
    /// When it leads nowhere, or to something beneath the memory directory that can be no memory.
    pub fn place(&self, path: &str) -> Result<Place, PlaceProblem> {
        if path.is_empty() {
            return Err(PlaceProblem::Empty);
        }
        if path.contains('\0') {
            return Err(PlaceProblem::Nul);
        }
        let real = resolved(&self.folder.join(path))?;
        if self.notes.as_ref() == Some(&real) {
            return Ok(Place::Notes(real));
        }
        if let Ok(beneath) = real.strip_prefix(&self.memory) {
            let Some(beneath) = beneath.to_str() else {
                return Err(PathProblem::Control.into());
            };
            if beneath.is_empty() || real.is_dir() {
                return Ok(Place::MemoryFolder(real));
            }
            return Ok(Place::Memory(MemoryPath::new(beneath)?));
        }
        let is_beneath = |folder: &PathBuf| real.starts_with(folder);
        let in_project = is_beneath(&self.folder);
        // Who works in the home directory has the records in the project; who works among the records has them around it.
        let is_record = self
            .records
            .iter()
            .any(|record| is_beneath(record) && !(in_project && self.folder.starts_with(record)));
        Ok(match &self.scratchpad {
            Some(scratchpad) if is_beneath(scratchpad) => Place::Scratchpad(real),
            _ if is_record => Place::Record(real),
            _ if in_project && self.is_obeyed(&real) => Place::Obeyed(real),
            _ if in_project => Place::Open(real),
            _ => Place::Elsewhere(real),
        })
    }

    /// Whether something beneath the working folder is done by git or an agent once it stands there: hooks, settings.
    fn is_obeyed(&self, real: &Path) -> bool {
        let beneath = real.strip_prefix(&self.folder).unwrap_or(real);
        beneath.components().any(|part| {
            let part = part.as_os_str();
            OBEYED.iter().any(|name| part.eq_ignore_ascii_case(name))
        })
    }
}

impl Place {
    /// The file or folder on disk, links resolved. A memory's is below `rooms`.
    #[must_use]
    pub fn path(&self, rooms: &Rooms) -> PathBuf {
        match self {
            Self::Memory(path) => rooms.memory.join(path.as_str()),
            Self::MemoryFolder(path)
            | Self::Scratchpad(path)
            | Self::Notes(path)
            | Self::Open(path)
            | Self::Obeyed(path)
            | Self::Record(path)
            | Self::Elsewhere(path) => path.clone(),
        }
    }
}

/// Whether a path leads to what the kernel shows as files: to read there can wait for ever, take something away from whoever
/// it was for, or tell the keys of other processes.
pub(crate) fn is_of_kernel(path: &Path) -> bool {
    ["/proc", "/sys", "/dev"]
        .iter()
        .any(|folder| path.starts_with(folder))
}

/// The path with the links of its deepest existing part resolved.
pub(crate) fn resolved(path: &Path) -> Result<PathBuf, PlaceProblem> {
    let mut missing = Vec::new();
    let mut existing = path.to_owned();
    loop {
        match existing.canonicalize() {
            Ok(mut real) => {
                for part in missing.iter().rev() {
                    real.push(part);
                }
                return Ok(real);
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                // A link to nothing is a way out once its target is made.
                if existing.is_symlink() {
                    return Err(PlaceProblem::Dangling);
                }
                match existing.components().next_back() {
                    Some(Component::Normal(name)) => missing.push(name.to_owned()),
                    Some(Component::ParentDir) => return Err(PlaceProblem::UpFromNowhere),
                    _ => {}
                }
                if !existing.pop() {
                    return Err(error.into());
                }
            }
            Err(error) => return Err(error.into()),
        }
    }
}
