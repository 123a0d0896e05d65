//! `memdir paths`: where everything lives, and who chose the place.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use memdir_store::places::{Located, Origin};
use memdir_store::project::{ProjectKind, Unfollowed};
use serde::Serialize;

use crate::failure::Failure;
use crate::output::{FAINT, Output};
use crate::remarks;
use crate::table;
use crate::workplace::Workplace;

/// Where everything lives, and why there
///
/// Nothing is created by looking. With the name of one place, only its path is printed, for scripts.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  memdir paths
  cd \"$(memdir paths memory)\"

JSON: {home, project, memory, state, history, everywhere, transcripts, settings, remarks}; home and \
memory have {path, origin, exists, refused}, project has {root, checkout, kind, slug}.")]
pub(crate) struct Paths {
    /// Print only this path
    place: Option<Place>,
}

/// A place that can be asked for by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Place {
    /// memdir's home, shared with Claude Code
    Home,
    /// The root of the project
    Project,
    /// The memory directory
    Memory,
    /// History, lock and state of this memory directory
    State,
    /// The history of this memory directory
    History,
    /// The memories for all projects
    Everywhere,
    /// Transcripts of conversations that began here
    Transcripts,
    /// memdir's own settings
    Settings,
}

#[derive(Serialize)]
struct Answer {
    home: Chosen,
    project: ProjectAnswer,
    memory: Chosen,
    state: PathBuf,
    history: PathBuf,
    everywhere: PathBuf,
    transcripts: PathBuf,
    settings: PathBuf,
    remarks: Vec<String>,
}

#[derive(Serialize)]
struct Chosen {
    path: PathBuf,
    origin: String,
    exists: bool,
    refused: Vec<Refused>,
}

#[derive(Serialize)]
struct Refused {
    value: String,
    origin: String,
    reason: String,
}

#[derive(Serialize)]
struct ProjectAnswer {
    root: PathBuf,
    checkout: PathBuf,
    kind: &'static str,
    slug: String,
}

impl Paths {
    pub(crate) fn run(self, workplace: &Workplace, output: &mut Output) -> Result<(), Failure> {
        if let Some(place) = self.place {
            let path = path_of(place, workplace);
            return match output.json {
                true => Ok(output.json(&path)?),
                false => Ok(output.line(path.display().to_string())?),
            };
        }
        if output.json {
            return Ok(output.json(&answer(workplace))?);
        }
        let places = &workplace.places;
        let plain = |place| path_of(place, workplace).display().to_string();
        let rows = [
            ("home", with_note(&places.home.path, &note(&places.home))),
            (
                "project",
                with_note(&places.project.root, &kind_note(places.project.kind)),
            ),
            ("slug", places.slug.clone()),
            (
                "memory",
                with_note(workplace.store.memory_directory(), &memory_note(workplace)),
            ),
            ("state", plain(Place::State)),
            ("history", plain(Place::History)),
            ("everywhere", plain(Place::Everywhere)),
            ("transcripts", plain(Place::Transcripts)),
            ("settings", plain(Place::Settings)),
        ];
        for row in table::pairs(&rows) {
            output.line(row)?;
        }
        for remark in remarks::all(workplace) {
            output.warn(remark);
        }
        Ok(())
    }
}

fn path_of(place: Place, workplace: &Workplace) -> PathBuf {
    let places = &workplace.places;
    let state = workplace.store.state_directory();
    match place {
        Place::Home => places.home.path.clone(),
        Place::Project => places.project.root.clone(),
        Place::Memory => workplace.store.memory_directory().to_path_buf(),
        Place::State => state.to_path_buf(),
        Place::History => state.join("history"),
        Place::Everywhere => places.everywhere_dir(),
        Place::Transcripts => places.sessions_dir(),
        Place::Settings => places.settings_file(),
    }
}

fn answer(workplace: &Workplace) -> Answer {
    let places = &workplace.places;
    let memory = match workplace.everywhere {
        true => Located {
            path: places.everywhere_dir(),
            origin: Origin::Flag("--everywhere"),
            refused: Vec::new(),
        },
        false => places.memory_dir.clone(),
    };
    Answer {
        home: chosen(&places.home),
        project: ProjectAnswer {
            root: places.project.root.clone(),
            checkout: places.project.checkout.clone(),
            kind: kind_word(places.project.kind),
            slug: places.slug.clone(),
        },
        memory: chosen(&memory),
        state: path_of(Place::State, workplace),
        history: path_of(Place::History, workplace),
        everywhere: path_of(Place::Everywhere, workplace),
        transcripts: path_of(Place::Transcripts, workplace),
        settings: path_of(Place::Settings, workplace),
        remarks: remarks::all(workplace),
    }
}

fn chosen(located: &Located) -> Chosen {
    let refused = located.refused.iter().map(|refusal| Refused {
        value: refusal.value.clone(),
        origin: refusal.origin.to_string(),
        reason: refusal.reason.to_string(),
    });
    Chosen {
        path: located.path.clone(),
        origin: located.origin.to_string(),
        exists: located.path.exists(),
        refused: refused.collect(),
    }
}

fn with_note(path: &Path, note: &str) -> String {
    format!("{} {FAINT}({note}){FAINT:#}", path.display())
}

fn note(located: &Located) -> String {
    let exists = located.path.exists();
    let chosen = match &located.origin {
        Origin::BuiltIn => "the built-in place".to_owned(),
        origin => format!("from {origin}"),
    };
    format!("{chosen}{}", if exists { "" } else { "; not there yet" })
}

fn memory_note(workplace: &Workplace) -> String {
    match workplace.everywhere {
        true => "for all projects".to_owned(),
        false => note(&workplace.places.memory_dir),
    }
}

/// How the project was recognised, in one word.
pub(crate) fn kind_word(kind: ProjectKind) -> &'static str {
    match kind {
        ProjectKind::Folder => "folder",
        ProjectKind::Checkout => "checkout",
        ProjectKind::Worktree => "worktree",
        ProjectKind::Own(Unfollowed::Submodule) => "submodule",
        ProjectKind::Own(_) => "own",
    }
}

fn kind_note(kind: ProjectKind) -> String {
    match kind {
        ProjectKind::Folder => "a folder outside of git".to_owned(),
        ProjectKind::Checkout => "a git checkout".to_owned(),
        ProjectKind::Worktree => "the main checkout of this worktree".to_owned(),
        ProjectKind::Own(Unfollowed::Submodule) => "a submodule, a project of its own".to_owned(),
        ProjectKind::Own(unfollowed) => format!("a project of its own: {unfollowed}"),
    }
}
