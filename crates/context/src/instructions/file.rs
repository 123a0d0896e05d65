//! What was found: the files in order, and what goes with them.

use std::fmt;
use std::path::{Path, PathBuf};

use super::rule::Condition;
use super::{Asker, Refusal, Warning};

/// On whose behalf a file is loaded, the weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Whoever administers the machine.
    Managed,
    /// The user, for all projects.
    User,
    /// The project, or a folder above it.
    Project,
    /// The user, for this project.
    Local,
    /// The index of the memory directory.
    AutoMem,
}

impl Kind {
    /// The name by which Claude Code knows it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Managed => "Managed",
            Self::User => "User",
            Self::Project => "Project",
            Self::Local => "Local",
            Self::AutoMem => "AutoMem",
        }
    }

    /// Whose words these are, for the model.
    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::Managed => "set by whoever administers this machine",
            Self::User => "the user's own, for every project",
            Self::Project => "kept with the project",
            Self::Local => "the user's own, for this project alone",
            Self::AutoMem => "the index of the agent's memory of this project",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

/// What a file is among those of its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// `CLAUDE.md` or `CLAUDE.local.md`.
    Main,
    /// `AGENTS.md`, in a folder without `CLAUDE.md`.
    Agents,
    /// A file of a folder of rules.
    Rule,
    /// Included by another file.
    Include,
    /// The memory index.
    Index,
}

/// When a file is shown to the model.
#[derive(Debug, Clone)]
pub enum Applies {
    /// From the beginning.
    Always,
    /// Once a matching file is touched: the patterns, as they were written.
    WhenTouched(Vec<String>),
    /// Together with the rule that includes it.
    WithIncluder,
    /// Not at all: there is a limit to all files together.
    LeftOut,
}

/// A file that was loaded.
#[derive(Debug, Clone)]
pub struct LoadedFile {
    /// Where it was asked for.
    pub path: PathBuf,
    /// On whose behalf.
    pub kind: Kind,
    /// What it is among those.
    pub role: Role,
    /// Who asked for it.
    pub asker: Asker,
    /// Its size on the disk.
    pub bytes: usize,
    /// What the model sees of it.
    pub text: String,
    /// When the model sees it.
    pub applies: Applies,
    pub(super) condition: Option<(PathBuf, Condition)>,
    /// Which files it includes, by their place in the order.
    pub(super) includes: Vec<usize>,
}

impl LoadedFile {
    /// Whether it is part of the leading block.
    #[must_use]
    pub fn is_shown(&self) -> bool {
        matches!(self.applies, Applies::Always)
    }

    /// About how many tokens the model sees of it.
    #[must_use]
    pub fn tokens(&self) -> usize {
        super::estimated_tokens(&self.text)
    }

    /// How many characters the model sees of it.
    #[must_use]
    pub fn characters(&self) -> usize {
        self.text.chars().count()
    }

    fn holds_for(&self, touched: &Path) -> bool {
        self.condition.as_ref().is_some_and(|(folder, condition)| {
            touched
                .strip_prefix(folder)
                .is_ok_and(|relative| condition.holds_for(relative))
        })
    }
}

/// Everything that discovery found.
#[derive(Debug, Clone, Default)]
pub struct Instructions {
    /// The files, the weakest first.
    pub files: Vec<LoadedFile>,
    /// What was asked for and is not among them.
    pub refused: Vec<Refusal>,
    /// What a user should know.
    pub warnings: Vec<Warning>,
}

impl Instructions {
    /// The rules that hold because this file (an absolute path) is touched, and what they include, in order.
    #[must_use]
    pub fn touched(&self, path: &Path) -> Vec<&LoadedFile> {
        let mut holds: Vec<bool> = self.files.iter().map(|file| file.holds_for(path)).collect();
        let mut waiting: Vec<usize> = (0..holds.len())
            .filter(|at| holds.get(*at) == Some(&true))
            .collect();
        while let Some(at) = waiting.pop() {
            for included in self.files.get(at).iter().flat_map(|file| &file.includes) {
                let is_bound = |file: &LoadedFile| matches!(file.applies, Applies::WithIncluder);
                if self.files.get(*included).is_some_and(is_bound)
                    && let Some(holds) = holds.get_mut(*included)
                    && !*holds
                {
                    *holds = true;
                    waiting.push(*included);
                }
            }
        }
        let files = self.files.iter().zip(holds);
        files
            .filter_map(|(file, holds)| holds.then_some(file))
            .collect()
    }

    /// Whether the leading block ends with a memory index.
    #[must_use]
    pub fn has_index(&self) -> bool {
        let mut shown = self.files.iter().filter(|file| file.is_shown());
        shown.any(|file| file.role == Role::Index && !file.text.trim().is_empty())
    }

    /// About how many tokens the files of the leading block have.
    #[must_use]
    pub fn tokens(&self) -> usize {
        let shown = self.files.iter().filter(|file| file.is_shown());
        shown.map(LoadedFile::tokens).sum()
    }
}
