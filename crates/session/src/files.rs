//! Which file a path is that a tool was called with, and what that file is to the conversation.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use memdir_context::compaction::NamedFile;
use memdir_context::instructions::Instructions;
use memdir_context::restore::FileKind;
use memdir_memory::INDEX_NAME;
use memdir_store::Places;
use memdir_tools::Origin;

use crate::{Home, Session};

/// Names that instruction files have, in every folder from the conversation's upwards.
const INSTRUCTION_NAMES: [&str; 3] = ["CLAUDE.md", "CLAUDE.local.md", "AGENTS.md"];
/// Folders beneath the user's home directory in which clients keep what was said.
const OTHER_TRANSCRIPTS: [&str; 4] = [
    ".claude/projects",
    ".codex/sessions",
    ".codex/archived_sessions",
    ".gemini/tmp",
];

/// Tells the files of one conversation apart, however a tool wrote their paths.
#[derive(Debug)]
pub struct Files {
    folder: PathBuf,
    user_home: Option<PathBuf>,
    /// All real, as paths that are compared with them.
    transcripts: Vec<PathBuf>,
    plans: Vec<PathBuf>,
    instructions: BTreeSet<PathBuf>,
    rules: Vec<PathBuf>,
    real_folder: PathBuf,
}

impl Files {
    /// The files of a conversation in `folder`, with the instruction files that were found for it and the host's plan file.
    #[must_use]
    pub fn new(
        home: &Home,
        folder: &Path,
        found: Option<&Instructions>,
        plan: Option<&str>,
    ) -> Self {
        let places = &home.places;
        let user_home = places.user_home.clone();
        let origin = Origin {
            folder,
            home: user_home.as_deref(),
        };
        let real = |path: &Path| origin.name(&path.to_string_lossy()).real;
        let others = user_home.iter();
        let others = others.flat_map(|home| OTHER_TRANSCRIPTS.map(|folder| home.join(folder)));
        let transcripts = [places.home.path.join("projects")];
        let files = found.into_iter().flat_map(|found| &found.files);
        let index = places.memory_dir.path.join(INDEX_NAME);
        let own = places.home.path.join("CLAUDE.md");
        let plan = plan.map(|plan| origin.name(plan).real);
        Self {
            transcripts: transcripts
                .into_iter()
                .chain(others)
                .map(|path| real(&path))
                .collect(),
            plans: std::iter::once(real(&places.home.path.join("plans")))
                .chain(plan)
                .collect(),
            instructions: files
                .map(|file| file.path.clone())
                .chain([index, own])
                .map(|path| real(&path))
                .collect(),
            rules: vec![real(&places.home.path.join("rules"))],
            real_folder: real(folder),
            folder: folder.to_owned(),
            user_home,
        }
    }

    /// The file at a path.
    #[must_use]
    pub fn named(&self, path: &str) -> NamedFile {
        let origin = Origin {
            folder: &self.folder,
            home: self.user_home.as_deref(),
        };
        let name = origin.name(path);
        // What the tools call it is how the model knows it, unless that is a detour.
        let is_plain = Path::new(path).components().collect::<PathBuf>() == Path::new(path)
            && self.folder.join(path) == name.path;
        NamedFile {
            path: match is_plain {
                true => path.to_owned(),
                false => name.path.to_string_lossy().into_owned(),
            },
            kind: self.kind(&name.real),
            identity: name.real.to_string_lossy().into_owned(),
        }
    }

    fn kind(&self, real: &Path) -> FileKind {
        let is_beneath = |folders: &[PathBuf]| folders.iter().any(|one| real.starts_with(one));
        if is_beneath(&self.transcripts) && is_transcript(real) {
            FileKind::Transcript
        } else if is_beneath(&self.plans) {
            FileKind::Plan
        } else if self.instructions.contains(real) || self.is_instruction(real) {
            FileKind::Instructions
        } else {
            FileKind::Ordinary
        }
    }

    /// Whether a file is one that a conversation in this folder is instructed by, as its place and name have it: that holds
    /// also where the disk no longer shows it.
    fn is_instruction(&self, real: &Path) -> bool {
        let around = |folder: &Path| self.real_folder.starts_with(folder);
        let is_markdown = real.extension().is_some_and(|end| end == "md");
        let in_rules = |folder: &Path| {
            let claude = folder.parent().filter(|claude| claude.ends_with(".claude"));
            folder.ends_with("rules") && claude.and_then(Path::parent).is_some_and(around)
        };
        if is_markdown
            && (real.ancestors().skip(1).any(in_rules)
                || self.rules.iter().any(|rules| real.starts_with(rules)))
        {
            return true;
        }
        let is_named = real
            .file_name()
            .is_some_and(|name| INSTRUCTION_NAMES.iter().any(|known| name == *known));
        let folder = real.parent().filter(|_| is_named);
        folder.is_some_and(|folder| {
            let beside = folder.ends_with(".claude").then(|| folder.parent());
            around(folder) || beside.flatten().is_some_and(around)
        })
    }
}

/// Whether a file among transcripts tells what was said: the lines themselves, or the notes of it.
fn is_transcript(path: &Path) -> bool {
    let is_lines = path
        .extension()
        .is_some_and(|end| end == "jsonl" || end == "json");
    is_lines || path.ends_with("session-memory/summary.md")
}

/// Where the paths of a conversation begin that works in its start folder.
pub(crate) fn origin(places: &Places) -> Origin<'_> {
    Origin {
        folder: &places.start_folder,
        home: places.user_home.as_deref(),
    }
}

impl Session {
    /// What recall calls the memory at a path; `None` for what is none.
    pub(crate) fn memory_at(&self, path: &str) -> Option<String> {
        let places = &self.home.places;
        let origin = origin(places);
        let real = origin.name(path).real;
        let folders = [
            self.home.store.memory_directory().to_path_buf(),
            places.everywhere_dir(),
        ];
        folders.iter().find_map(|folder| {
            let beneath = origin.name(&folder.to_string_lossy()).real;
            let beneath = real.strip_prefix(beneath).ok()?;
            Some(folder.join(beneath).to_string_lossy().into_owned())
        })
    }
}
