//! Whether a command may write into the memory directory. A shell cannot be read completely: what is not seen here is seen by
//! the sweep after the turn.

use std::path::{Component, Path, PathBuf};

use memdir_tools::{Place, Rooms};

use super::scene::Scene;

/// So many words of a command are looked at, and so many files that it may copy.
const MOST_WORDS: usize = 2_000;
const MOST_FILES: usize = 16;
/// A name this long in a command is no accident.
const TELLING: usize = 8;
/// What ends a word, besides blanks.
const BETWEEN: [char; 12] = [';', '|', '&', '<', '>', '(', ')', '`', '=', ',', ':', '@'];
/// Programs that bring the content of other files along.
const COPIES: [&str; 14] = [
    "cp", "mv", "install", "ln", "dd", "tee", "rsync", "scp", "patch", "apply", "cat", "xargs",
    "sed", "ed",
];

/// The files outside of memory that a command may bring into it; none where it does not name the memory directory.
pub(super) fn into_memory(scene: &Scene, command: &str) -> Option<Vec<PathBuf>> {
    let places = &scene.home.places;
    let folder = scene.event.folder.as_ref().unwrap_or(&places.start_folder);
    let rooms = scene.attempt(
        "memory directory",
        Rooms::new(folder, &places.memory_dir.path),
    )?;
    let plain = Expansion::of(scene, folder).expanded(command);
    let memories = [places.memory_dir.path.as_path(), rooms.memory()];
    let bases = bases(folder, &plain);
    let words: Vec<&str> = plain
        .split(|character: char| character.is_whitespace() || BETWEEN.contains(&character))
        .filter(|word| !word.is_empty())
        .take(MOST_WORDS)
        .collect();
    let leads_there = |path: &Path| memories.iter().any(|memory| may_be_beneath(path, memory));
    let is_named = || {
        let name_of = |path: &Path| path.to_string_lossy().into_owned();
        let slug = &places.slug;
        memories
            .iter()
            .any(|memory| plain.contains(&name_of(memory)))
            || (slug.len() >= TELLING && plain.contains(slug.as_str()))
    };
    let is_reached = || {
        let of_words = words.iter().any(|word| {
            bases
                .iter()
                .any(|base| leads_there(&normal(&base.join(word))))
                || is_linked(&rooms, word)
        });
        of_words || bases.iter().any(|base| leads_there(base))
    };
    if !is_named() && !is_reached() {
        return None;
    }
    let copies = plain.contains('>') || words.iter().any(|word| COPIES.contains(word));
    let files = words
        .iter()
        .filter(|_| copies)
        .flat_map(|word| bases.iter().map(move |base| normal(&base.join(word))))
        .filter(|path| !leads_there(path) && path.is_file());
    Some(files.take(MOST_FILES).collect())
}

/// Whether a word leads into memory by way of links.
fn is_linked(rooms: &Rooms, word: &str) -> bool {
    word.contains('/')
        && matches!(
            rooms.place(word),
            Ok(Place::Memory(_) | Place::MemoryFolder(_))
        )
}

/// What stands for something else in a command.
struct Expansion {
    variables: Vec<(String, String)>,
    home: Option<String>,
}

impl Expansion {
    fn of(scene: &Scene, folder: &Path) -> Self {
        let places = &scene.home.places;
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let home = places.user_home.as_deref().map(text);
        let mut variables = vec![
            ("CLAUDE_CONFIG_DIR".to_owned(), text(&places.home.path)),
            ("MEMDIR_HOME".to_owned(), text(&places.home.path)),
            ("CLAUDE_PROJECT_DIR".to_owned(), text(&places.start_folder)),
            ("PWD".to_owned(), text(folder)),
        ];
        variables.extend(home.clone().map(|home| ("HOME".to_owned(), home)));
        Self { variables, home }
    }

    /// The command without quotes, with what its variables and `~` stand for.
    fn expanded(mut self, command: &str) -> String {
        // Quotes in the midst of a path change nothing about where it leads.
        let plain = command.replace("\\\n", "").replace(['"', '\'', '\\'], "");
        let ends = |character: char| {
            character.is_whitespace() || matches!(character, ';' | '&' | '|' | '(')
        };
        for word in plain.split(ends) {
            if let Some((name, value)) = word.split_once('=')
                && !name.is_empty()
                && name
                    .chars()
                    .all(|one| one.is_ascii_alphanumeric() || one == '_')
            {
                let value = self.filled(value);
                self.variables.insert(0, (name.to_owned(), value));
            }
        }
        self.filled(&plain)
    }

    fn filled(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (name, value) in &self.variables {
            if text.contains('$') {
                text = text.replace(&format!("${{{name}}}"), value);
                text = replace_variable(&text, name, value);
            }
        }
        match &self.home {
            Some(home) => text.replace("~/", &format!("{home}/")),
            None => text,
        }
    }
}

/// Puts a value in the place of `$NAME`, where the name ends there.
fn replace_variable(text: &str, name: &str, value: &str) -> String {
    let mark = format!("${name}");
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(mark.as_str()) {
        let goes_on = after.starts_with(|next: char| next.is_ascii_alphanumeric() || next == '_');
        filled.push_str(before);
        filled.push_str(if goes_on { &mark } else { value });
        rest = after;
    }
    filled.push_str(rest);
    filled
}

/// The folders in which a command may work: where it is run, and every one that it goes to.
fn bases(folder: &Path, plain: &str) -> Vec<PathBuf> {
    let mut bases = vec![folder.to_path_buf()];
    let mut here = folder.to_path_buf();
    let mut words = plain
        .split(|character: char| {
            character.is_whitespace() || matches!(character, ';' | '&' | '|' | '(' | ')')
        })
        .filter(|word| !word.is_empty())
        .peekable();
    while let Some(word) = words.next() {
        let goes = matches!(
            word,
            "cd" | "pushd" | "chdir" | "-C" | "-d" | "--directory" | "-t"
        );
        let to = match (goes, word.split_once('=')) {
            (true, _) => words.peek().copied(),
            (false, Some(("--directory" | "--work-tree" | "--target-directory", to))) => Some(to),
            _ => None,
        };
        if let Some(to) = to {
            here = normal(&here.join(to));
            bases.push(here.clone());
        }
        if bases.len() > MOST_FILES {
            break;
        }
    }
    bases
}

/// A path without `.` and `..`, as far as its letters tell.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            part => normal.push(part),
        }
    }
    normal
}

/// Whether a path is the memory directory or beneath it, patterns in it read as a shell would.
fn may_be_beneath(path: &Path, memory: &Path) -> bool {
    let mut parts = path.components();
    memory.components().all(|wanted| {
        parts.next().is_some_and(|part| {
            let (part, wanted) = (part.as_os_str(), wanted.as_os_str());
            part == wanted || matches(&part.to_string_lossy(), &wanted.to_string_lossy())
        })
    })
}

/// Whether a pattern of a shell may stand for a name. Sets and alternatives stand for anything.
fn matches(pattern: &str, name: &str) -> bool {
    if pattern.contains(['[', '{', '$']) {
        return true;
    }
    match pattern.split_once('*') {
        None => {
            pattern.chars().count() == name.chars().count()
                && pattern
                    .chars()
                    .zip(name.chars())
                    .all(|(one, other)| one == '?' || one == other)
        }
        Some((start, rest)) => {
            let is_start = |start: &str, name: &str| {
                start.chars().count() <= name.chars().count()
                    && start
                        .chars()
                        .zip(name.chars())
                        .all(|(one, other)| one == '?' || one == other)
            };
            let last = rest.rsplit('*').next().unwrap_or_default();
            let backwards = |text: &str| text.chars().rev().collect::<String>();
            is_start(start, name) && is_start(&backwards(last), &backwards(name))
        }
    }
}
