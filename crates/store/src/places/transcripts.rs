//! Where the conversations of a project have left their transcripts: one folder for each start folder.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use memchr::memmem;

use super::Places;
use crate::directory::Directory;
use crate::project::Project;
use crate::reader::{canonical_folder, open_transcript, read_regular};
use crate::slug::slug;
use crate::walk::names_in;

/// How much of a transcript is read to learn where its conversation began.
const BEGINNING: u64 = 64 * 1024;
/// The same where that was not enough: the first line can hold all that the user has put into a prompt.
const LONG_BEGINNING: u64 = 16 * 1024 * 1024;
/// A pointer of git is one path.
const MAX_POINTER: u64 = 16 * 1024;

impl Places {
    /// The folders with transcripts of this project: of its root, of the start folder, of folders beneath the root and
    /// of its worktrees; only those that exist. A slug is lossy, so that a folder whose name only looks like one
    /// beneath the root counts if a conversation in it says that it began there.
    #[must_use]
    pub fn transcript_folders(&self) -> Vec<PathBuf> {
        let projects = self.home.path.join("projects");
        let Ok(Some(folder)) = Directory::open(&projects) else {
            return Vec::new();
        };
        let known: Vec<String> = [self.slug.clone(), self.start_slug.clone()]
            .into_iter()
            .chain(self.worktrees().iter().map(|worktree| slug(worktree)))
            .collect();
        let beneath = format!("{}-", self.slug);
        let mut folders = Vec::new();
        for (name, _) in names_in(&folder).unwrap_or_default() {
            let is_known = known.contains(&name);
            if !is_known && !name.starts_with(&beneath) {
                continue;
            }
            let Ok(Some(transcripts)) = folder.folder(&name) else {
                continue;
            };
            let transcript = first_transcript(&transcripts);
            let belongs = |file| began_in(file).is_some_and(|start| self.holds(&start));
            if transcript.is_some_and(|file| is_known || belongs(file)) {
                folders.push(projects.join(name));
            }
        }
        // The project's own first, whatever else sorts before it.
        folders.sort_by_key(|folder| !folder.ends_with(&self.slug));
        folders
    }

    /// Whether a start folder is one of this project.
    fn holds(&self, start: &Path) -> bool {
        match canonical_folder(start) {
            Ok(start) => Project::find(&start).root == self.project.root,
            // It is gone, and its path is all there is to go by.
            Err(_) => start.starts_with(&self.project.root),
        }
    }

    /// The worktrees of the project, as far as they agree that they are.
    fn worktrees(&self) -> Vec<PathBuf> {
        let root = &self.project.root;
        // The second is where a bare repository has them.
        [root.join(".git").join("worktrees"), root.join("worktrees")]
            .iter()
            .flat_map(|folder| self.worktrees_in(folder))
            .collect()
    }

    fn worktrees_in(&self, git: &Path) -> Vec<PathBuf> {
        let Ok(Some(folder)) = Directory::open(git) else {
            return Vec::new();
        };
        let names = names_in(&folder).unwrap_or_default();
        names
            .into_iter()
            .filter_map(|(name, _)| {
                let private = git.join(name);
                let pointer = read_regular(&private.join("gitdir"), MAX_POINTER);
                let pointer = String::from_utf8(pointer.ok()??).ok()?;
                let worktree = private.join(pointer.trim_end_matches('\n'));
                let worktree = canonical_folder(worktree.parent()?).ok()?;
                self.holds(&worktree).then_some(worktree)
            })
            .collect()
    }
}

fn first_transcript(folder: &Directory) -> Option<File> {
    let names = names_in(folder).ok()?;
    let (name, _) = names.iter().find(|(name, _)| name.ends_with(".jsonl"))?;
    let (file, _) = folder.open_plain(name).ok()??;
    Some(file)
}

/// The folder in which a conversation began, as its transcript says.
fn began_in(transcript: File) -> Option<PathBuf> {
    Beginning::until(transcript, "cwd")?
        .text("cwd")
        .map(PathBuf::from)
}

/// The first lines of a transcript, whoever wrote it.
#[derive(Debug)]
pub struct Beginning(Vec<u8>);

impl Beginning {
    /// Those of a transcript; `None` when there is none that can be read.
    #[must_use]
    pub fn of(transcript: &Path) -> Option<Self> {
        Self::read(open_transcript(transcript).ok()??)
    }

    /// Those up to the first text under this key, however long they are within reason.
    #[must_use]
    pub fn of_until(transcript: &Path, key: &str) -> Option<Self> {
        Self::until(open_transcript(transcript).ok()??, key)
    }

    fn read(transcript: File) -> Option<Self> {
        let mut beginning = Vec::new();
        transcript
            .take(BEGINNING)
            .read_to_end(&mut beginning)
            .ok()?;
        Some(Self(beginning))
    }

    fn until(transcript: File, key: &str) -> Option<Self> {
        let mut beginning = Self(Vec::new());
        let mut transcript = transcript.take(LONG_BEGINNING);
        let mut searched = 0;
        loop {
            let mut part = transcript.by_ref().take(BEGINNING);
            let read = part.read_to_end(&mut beginning.0).ok()?;
            let text = beginning.text_from(searched, key);
            if read == 0 || text.is_some() {
                return Some(beginning);
            }
            // A line may have been cut within the text: what began in this part is looked at again.
            searched = (beginning.0.len().saturating_sub(read)).saturating_sub(key.len() + 3);
        }
    }

    /// The first text under this key. Inside of a text a key cannot stand: its marks would be escaped.
    #[must_use]
    pub fn text(&self, key: &str) -> Option<String> {
        self.text_from(0, key)
    }

    fn text_from(&self, start: usize, key: &str) -> Option<String> {
        let key = format!("\"{key}\":");
        let found = memmem::find(self.0.get(start..)?, key.as_bytes())?;
        let rest = self.0.get(start + found + key.len()..)?;
        let mut values = serde_json::Deserializer::from_slice(rest).into_iter::<String>();
        values.next()?.ok()
    }
}
