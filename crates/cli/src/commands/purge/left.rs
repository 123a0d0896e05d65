//! What a purge leaves, because it belongs to others: transcripts of the agents, and other memory directories.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use memdir_settings::variables;
use memdir_store::{Purged, named_as, traces, unsearched};

use crate::failure::Failure;
use crate::output::{FAINT, Output};
use crate::workplace::Workplace;

/// Files that a purge leaves.
#[derive(Default)]
pub(super) struct Left {
    /// Of the agents, and of other memories in this directory.
    theirs: BTreeSet<PathBuf>,
    /// Of other memory directories, their states and histories.
    elsewhere: BTreeSet<PathBuf>,
    /// Those that are too large to be searched.
    unsearched: BTreeSet<PathBuf>,
}

impl Left {
    /// Looks for them.
    pub(super) fn find(workplace: &Workplace, plan: &Purged, dry_run: bool) -> Left {
        let sought: Vec<String> = plan.needles.iter().chain(&plan.quotes).cloned().collect();
        let memory = workplace.store.memory_directory();
        let state = workplace.store.state_directory();
        let is_ours = |path: &Path| path.starts_with(memory) || path.starts_with(state);
        let mut left = Left::default();
        for folder in agents_folders(workplace) {
            left.theirs.extend(traces(&folder, &sought));
            left.theirs.extend(named_as(&folder, &plan.conversations));
            left.unsearched.extend(unsearched(&folder));
        }
        for folder in other_directories(workplace) {
            let found = traces(&folder, &plan.needles);
            left.elsewhere
                .extend(found.into_iter().filter(|path| !is_ours(path)));
            left.unsearched.extend(unsearched(&folder));
        }
        left.theirs.retain(|path| !left.elsewhere.contains(path));
        // Before the purge the memories themselves contain the text, of course.
        left.theirs.retain(|path| !(dry_run && is_ours(path)));
        left
    }

    /// All of them, in order.
    pub(super) fn all(&self) -> Vec<&PathBuf> {
        let all = self.theirs.iter().chain(&self.elsewhere);
        let all: BTreeSet<&PathBuf> = all.chain(&self.unsearched).collect();
        all.into_iter().collect()
    }

    /// Says what is left, and how it goes.
    pub(super) fn report(
        &self,
        workplace: &Workplace,
        plan: &Purged,
        output: &mut Output,
    ) -> Result<(), Failure> {
        if plan.needles.is_empty() && !plan.names.is_empty() {
            output.line(format!(
                "{FAINT}No line of it is long enough to look for in other files.{FAINT:#}"
            ))?;
        }
        let memory = workplace.store.memory_directory();
        // Their lines were shown already.
        let theirs = self.theirs.iter().filter(|path| !path.starts_with(memory));
        let theirs: Vec<&PathBuf> = theirs.collect();
        if !theirs.is_empty() {
            output.line("These files of your agents still contain the text. They belong to the agents and are left:")?;
            print_paths(workplace, theirs, output)?;
        }
        if !self.elsewhere.is_empty() {
            output.line("Other memory directories have the text too, and are left:")?;
            print_paths(workplace, &self.elsewhere, output)?;
            output.line("To remove it there:")?;
            for way in self.ways(workplace) {
                output.line(format!("  {way}"))?;
            }
        }
        if !self.unsearched.is_empty() {
            output.line("These files are too large to be searched; look yourself:")?;
            print_paths(workplace, &self.unsearched, output)?;
        }
        Ok(())
    }

    /// What removes the text from other directories.
    fn ways(&self, workplace: &Workplace) -> BTreeSet<String> {
        let directories = memory_directories(workplace);
        let own = workplace.places.own_dir();
        let mut ways = BTreeSet::new();
        let mut states = BTreeMap::new();
        for directory in &directories {
            states.insert(workplace.places.state_dir_of(directory), directory);
        }
        for path in &self.elsewhere {
            let holder = directories.iter().find(|one| path.starts_with(one));
            if let Some(directory) = holder {
                let name = path.strip_prefix(directory).unwrap_or(path);
                // The line of an index goes with its memory.
                if name.file_name().is_none_or(|name| name != "MEMORY.md") {
                    let at = quoted(&directory.display().to_string());
                    let name = quoted(&name.with_extension("").display().to_string());
                    ways.insert(format!("memdir --memory-dir {at} purge {name}"));
                }
                continue;
            }
            let beneath = path.strip_prefix(&own).ok();
            let Some(key) = beneath.and_then(|path| path.components().next()) else {
                continue;
            };
            let state = own.join(key);
            ways.insert(match states.get(&state) {
                Some(directory) => {
                    let at = quoted(&directory.display().to_string());
                    format!("memdir --memory-dir {at} history, then `purge` with the name it had")
                }
                None => {
                    let at = quoted(&state.display().to_string());
                    format!("rm -r {at}, the state of a directory that is gone or has moved")
                }
            });
        }
        ways
    }
}

/// A word of a command as a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = |one: char| one.is_alphanumeric() || "/._-".contains(one);
    match word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// Where the clients keep conversations of this project.
fn agents_folders(workplace: &Workplace) -> BTreeSet<PathBuf> {
    let places = &workplace.places;
    let value = |name: &str| {
        let believed = !places.ignores_variable(name);
        workplace
            .environment
            .value(name)
            .filter(|_| believed)
            .map(PathBuf::from)
    };
    let at_home = |name: &str| places.user_home.as_ref().map(|home| home.join(name));
    let claude = value(variables::CLAUDE_CONFIG_DIR).or_else(|| at_home(".claude"));
    let codex = value(variables::CODEX_HOME).or_else(|| at_home(".codex"));
    let mut folders = BTreeSet::from([
        places.sessions_dir(),
        places.home.path.join("projects").join(&places.slug),
    ]);
    for slug in [&places.slug, &places.start_slug] {
        folders.extend(claude.as_ref().map(|home| home.join("projects").join(slug)));
    }
    folders.extend(codex.map(|home| home.join("sessions")));
    folders.extend(at_home(".gemini").map(|home| home.join("tmp")));
    folders
}

/// Every memory directory beneath the home but this one.
fn memory_directories(workplace: &Workplace) -> BTreeSet<PathBuf> {
    let places = &workplace.places;
    let beneath = |folder: PathBuf| {
        let entries = std::fs::read_dir(folder).into_iter();
        entries.flatten().flatten().map(|entry| entry.path())
    };
    let projects = beneath(places.home.path.join("projects"));
    let mut found: BTreeSet<PathBuf> = projects.map(|one| one.join("memory")).collect();
    found.extend(beneath(places.home.path.join("agent-memory")));
    found.insert(places.everywhere_dir());
    found.remove(workplace.store.memory_directory());
    found.retain(|folder| folder.is_dir());
    found
}

/// Other memory directories, and all that memdir keeps.
fn other_directories(workplace: &Workplace) -> BTreeSet<PathBuf> {
    let mut folders = memory_directories(workplace);
    folders.insert(workplace.places.own_dir());
    folders
}

fn print_paths<'a>(
    workplace: &Workplace,
    paths: impl IntoIterator<Item = &'a PathBuf>,
    output: &mut Output,
) -> Result<(), Failure> {
    for path in paths {
        output.line(format!("  {}", workplace.shown(path)))?;
    }
    Ok(())
}
