//! Whether a command may write into the memory directory. A shell cannot be read completely: what is not seen here is seen by
//! the sweep after the turn.

use std::path::{Component, Path, PathBuf};

use memdir_tools::{Place, Rooms};

use super::command_kind::{Kind, kind, program, runs_text};
use super::command_line;
use super::scene::Scene;
use super::tool_call::is_shell;

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

/// What may come into memory by a command.
pub(super) struct Flow {
    /// Its text, as far as it may come in.
    pub(super) text: String,
    /// The files outside of memory that may come in.
    pub(super) files: Vec<PathBuf>,
}

/// Whether a command is about memory at all.
pub(super) fn reaches(scene: &Scene, command: &str) -> bool {
    Sight::new(scene).is_some_and(|sight| {
        let plain = sight.expansion.clone().expanded(command);
        sight.reaches(&plain, &sight.bases(&plain))
    })
}

/// What a command may bring into memory; none where it writes nothing there.
pub(super) fn flow(scene: &Scene, tool: &str, command: &str) -> Option<Flow> {
    let sight = Sight::new(scene)?;
    let mut expansion = sight.expansion.clone();
    let plain = expansion.take_in(command);
    let plain = expansion.filled(&plain);
    let all = sight.bases(&plain);
    if !sight.reaches(&plain, &all) {
        return None;
    }
    let whole = || Flow {
        text: format!("{command}\n{plain}"),
        files: sight.files(&plain, &all),
    };
    let pipelines = match is_shell(tool) {
        true => command_line::pipelines(command),
        false => None,
    };
    let Some(pipelines) = pipelines else {
        return Some(whole());
    };
    let mut before: Vec<(String, String)> = Vec::new();
    let mut passed = String::new();
    let mut flow: Option<Flow> = None;
    for pipeline in &pipelines {
        let raw = format!("{}\n{}", pipeline.raw, pipeline.body);
        let plain = expansion.filled(&without_quotes(&raw));
        passed.push_str(&plain);
        passed.push_str(" ; ");
        let bases = sight.bases(&passed);
        let here = bases.last().cloned().into_iter().collect::<Vec<_>>();
        let near = |path: &str| here.iter().any(|base| sight.is_memory(path, base));
        let mut simples = command_line::commands(&pipeline.raw);
        for simple in &mut simples {
            for word in simple.words.iter_mut().chain(&mut simple.targets) {
                *word = expansion.filled(word);
            }
        }
        let is_nested = ["$(", "`", "<(", ">("]
            .iter()
            .any(|mark| raw.contains(mark));
        let mut kinds = simples.iter().map(|simple| kind(simple, &near));
        let reaches = sight.reaches(&plain, &bases);
        let strongest = kinds.clone().max().unwrap_or(Kind::Looks);
        let is_code = simples.iter().any(runs_text);
        let shares = |text: &str| {
            let words: Vec<&str> = words(&plain).collect();
            let telling = |word: &&str| word.len() > 1 && !word.starts_with('-');
            words_of(text)
                .filter(telling)
                .any(|word| words.contains(&word))
        };
        let runs_written = is_code
            && before
                .iter()
                .any(|(_, earlier)| sight.reaches(earlier, &here) && shares(earlier));
        if runs_written || reaches && strongest == Kind::Opaque {
            return Some(whole());
        }
        let writes = strongest == Kind::Writes || reaches && is_nested || {
            reaches && kinds.any(|kind| kind == Kind::Unknown)
        };
        if writes {
            let flow = flow.get_or_insert_with(|| Flow {
                text: String::new(),
                files: Vec::new(),
            });
            flow.text.push_str(&format!("{raw}\n{plain}\n"));
            let only_says = !is_nested
                && simples
                    .iter()
                    .all(|simple| matches!(program(simple), "echo" | "printf"));
            if !only_says {
                flow.files.extend(sight.files(&plain, &bases));
                // What an earlier command made of something else.
                for (raw, earlier) in before.iter().filter(|(_, earlier)| shares(earlier)) {
                    flow.text.push_str(raw);
                    flow.files.extend(sight.files(earlier, &bases));
                }
            }
        }
        before.push((raw, plain));
    }
    flow
}

/// What of the disk is memory, as a command sees it.
struct Sight {
    rooms: Rooms,
    roots: Vec<PathBuf>,
    slug: String,
    folder: PathBuf,
    expansion: Expansion,
}

impl Sight {
    fn new(scene: &Scene) -> Option<Self> {
        let places = &scene.home.places;
        let folder = scene.event.folder.as_ref().unwrap_or(&places.start_folder);
        let rooms = Rooms::new(folder, &places.memory_dir.path);
        let rooms = scene.attempt("memory directory", rooms)?;
        Some(Self {
            roots: roots(scene, &rooms),
            slug: places.slug.clone(),
            folder: folder.clone(),
            expansion: Expansion::of(scene, folder),
            rooms,
        })
    }

    fn bases(&self, plain: &str) -> Vec<PathBuf> {
        bases(&self.folder, plain)
    }

    fn leads_there(&self, path: &Path) -> bool {
        self.roots.iter().any(|root| may_be_beneath(path, root))
    }

    fn is_memory(&self, word: &str, base: &Path) -> bool {
        self.is_named(word)
            || self.leads_there(&normal(&base.join(word)))
            || is_linked(&self.rooms, word)
    }

    fn is_named(&self, plain: &str) -> bool {
        let mut roots = self.roots.iter().map(|root| root.to_string_lossy());
        roots.any(|root| plain.contains(root.as_ref()))
            || (self.slug.len() >= TELLING && plain.contains(self.slug.as_str()))
    }

    fn reaches(&self, plain: &str, bases: &[PathBuf]) -> bool {
        let is_memory = |word: &str| bases.iter().any(|base| self.is_memory(word, base));
        self.is_named(plain)
            || words(plain).any(is_memory)
            || bases.iter().any(|base| self.leads_there(base))
    }

    /// The files outside of memory that a text may copy.
    fn files(&self, plain: &str, bases: &[PathBuf]) -> Vec<PathBuf> {
        let copies = plain.contains('>') || words(plain).any(|word| COPIES.contains(&word));
        words(plain)
            .filter(|_| copies)
            .flat_map(|word| bases.iter().map(move |base| normal(&base.join(word))))
            .filter(|path| !self.leads_there(path) && path.is_file())
            .take(MOST_FILES)
            .collect()
    }
}

/// The folders that are memory: of this project, of all projects, of agents, and of other projects, where `*` is any of them.
pub(super) fn roots(scene: &Scene, rooms: &Rooms) -> Vec<PathBuf> {
    let places = &scene.home.places;
    let home = &places.home.path;
    let claude = places.start_folder.join(".claude");
    vec![
        rooms.memory().to_path_buf(),
        places.memory_dir.path.clone(),
        places.own_dir(),
        home.join("agent-memory"),
        claude.join("agent-memory"),
        claude.join("agent-memory-local"),
        home.join("projects").join("*").join("memory"),
    ]
}

fn words(plain: &str) -> impl Iterator<Item = &str> {
    plain
        .split(|character: char| character.is_whitespace() || BETWEEN.contains(&character))
        .filter(|word| !word.is_empty())
        .take(MOST_WORDS)
}

/// The words of a command but for its program.
fn words_of(plain: &str) -> impl Iterator<Item = &str> {
    words(plain).skip(1)
}

/// Quotes in the midst of a path change nothing about where it leads.
fn without_quotes(command: &str) -> String {
    command.replace("\\\n", "").replace(['"', '\'', '\\'], "")
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
#[derive(Clone)]
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
        let plain = self.take_in(command);
        self.filled(&plain)
    }

    /// Learns the variables that a command sets; the command without quotes.
    fn take_in(&mut self, command: &str) -> String {
        let plain = without_quotes(command);
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
        plain
    }

    fn filled(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (name, value) in &self.variables {
            if text.contains('$') {
                text = text.replace(&format!("${{{name}}}"), value);
                text = replace_variable(&text, name, value);
            }
        }
        let text = text.replace(VALUE, "");
        match &self.home {
            Some(home) => text.replace("~/", &format!("{home}/")),
            None => text,
        }
    }
}

/// Where a value begins: the name of a variable before it ends there.
const VALUE: &str = "\0";

/// Puts a value in the place of `$NAME`, where the name ends there.
fn replace_variable(text: &str, name: &str, value: &str) -> String {
    let mark = format!("${name}");
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(mark.as_str()) {
        let goes_on = after.starts_with(|next: char| next.is_ascii_alphanumeric() || next == '_');
        filled.push_str(before);
        match goes_on {
            true => filled.push_str(&mark),
            false => filled.extend([VALUE, value]),
        }
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
            part == wanted
                || wanted == "*"
                || matches(&part.to_string_lossy(), &wanted.to_string_lossy())
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
