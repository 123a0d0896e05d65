//! The user's editor, on a private copy that outlives every failure.

use std::ffi::OsString;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use memdir_memory::MemoryPath;
use memdir_store::limits::MAX_FILE_BYTES;
use memdir_store::{Environment, Error, Places};
use signal_hook::consts::{SIGINT, SIGQUIT};

use crate::failure::Failure;
use crate::handed_on;

/// Where the copies lie, beneath the state directory.
const FOLDER: &str = "edits";
/// What is asked for an editor, in this order.
const VARIABLES: [&str; 2] = ["VISUAL", "EDITOR"];
/// What edits where nobody said.
const FALLBACK: &str = "vi";

/// An editor with its arguments.
#[derive(Debug)]
pub(crate) struct Editor {
    words: Vec<String>,
    environment: Vec<(OsString, OsString)>,
}

impl Editor {
    /// The one that the user has chosen. A variable that a file of the project sets is not the user's choice.
    pub(crate) fn find(environment: &Environment, places: &Places) -> Result<Editor, Failure> {
        for name in VARIABLES
            .into_iter()
            .filter(|name| !places.ignores_variable(name))
        {
            let Some(value) = environment.value(name).filter(|value| !value.is_empty()) else {
                continue;
            };
            let words = value.to_str().and_then(split).ok_or_else(|| {
                Failure::new(
                    format!(
                        "{name} is not a command with arguments: {}",
                        value.to_string_lossy()
                    ),
                    "check its quotes",
                )
            })?;
            if !words.is_empty() {
                return Ok(Editor::of(words, places));
            }
        }
        Ok(Editor::of(vec![FALLBACK.to_owned()], places))
    }

    fn of(words: Vec<String>, places: &Places) -> Editor {
        let program = words.first().map(String::as_str).unwrap_or_default();
        Editor {
            environment: handed_on::environment(places, program),
            words,
        }
    }

    /// Runs it on a file, to its end. Never through a shell.
    pub(crate) fn open(&self, file: &Path) -> Result<ExitStatus, Failure> {
        let Some((program, arguments)) = self.words.split_first() else {
            return Err(Failure::new("there is no editor", "set EDITOR"));
        };
        // Ctrl-C is for the editor: many take it for a key of theirs.
        let ignored = Arc::new(AtomicBool::new(false));
        let handlers = [SIGINT, SIGQUIT]
            .map(|signal| signal_hook::flag::register(signal, Arc::clone(&ignored)));
        let mut editor = Command::new(program);
        editor.args(arguments).arg(file);
        let own = self.environment.iter().map(|(name, value)| (name, value));
        let status = editor.env_clear().envs(own).status();
        for handler in handlers.into_iter().flatten() {
            signal_hook::low_level::unregister(handler);
        }
        status.map_err(|error| {
            let why = match error.kind() {
                io::ErrorKind::NotFound => "there is no such program".to_owned(),
                _ => error.to_string(),
            };
            Failure::new(
                format!("the editor `{program}` did not start: {why}"),
                "set VISUAL or EDITOR to an editor that you have",
            )
        })
    }
}

/// Words as a shell would see them, as far as blanks, quotes and backslashes go; `None` where a quote stays open.
fn split(command: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = command.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Some(open), _) if character == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None | Some('"'), '\\') => word.get_or_insert_default().push(characters.next()?),
            (None, _) if character.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

/// A private copy of a memory. It stays until it is discarded, so that no typed word is lost.
#[derive(Debug)]
pub(crate) struct Copy {
    folder: PathBuf,
    pub(crate) file: PathBuf,
}

impl Copy {
    pub(crate) fn make(state: &Path, path: &MemoryPath, content: &[u8]) -> Result<Copy, Error> {
        let edits = state.join(FOLDER);
        let private = |recursive| {
            let mut builder = DirBuilder::new();
            builder.recursive(recursive).mode(0o700);
            builder
        };
        private(true)
            .create(&edits)
            .map_err(|error| Error::io("create", &edits, error))?;
        let mut number = 0;
        let folder = loop {
            let folder = edits.join(format!("{}-{number}", std::process::id()));
            match private(false).create(&folder) {
                Ok(()) => break folder,
                // Left by somebody with the same process id.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(Error::io("create", &folder, error)),
            }
        };
        let copy = Copy {
            file: folder.join(path.file_name()),
            folder,
        };
        let written = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&copy.file)
            .and_then(|mut file| file.write_all(content));
        if let Err(error) = written {
            let file = copy.file.clone();
            copy.discard();
            return Err(Error::io("write", file, error));
        }
        Ok(copy)
    }

    /// What the editor left.
    pub(crate) fn read(&self) -> Result<Vec<u8>, Error> {
        let mut content = Vec::new();
        let read = File::open(&self.file)
            .and_then(|file| file.take(MAX_FILE_BYTES + 1).read_to_end(&mut content));
        read.map_err(|error| Error::io("read", &self.file, error))?;
        let bytes = u64::try_from(content.len()).unwrap_or(u64::MAX);
        match bytes > MAX_FILE_BYTES {
            true => Err(Error::TooLarge {
                path: self.file.clone(),
                bytes,
                limit: MAX_FILE_BYTES,
            }),
            false => Ok(content),
        }
    }

    /// Removes it, with whatever the editor left beside it.
    pub(crate) fn discard(self) {
        // A copy too many is no harm; the next edit mentions it.
        let _ = fs::remove_dir_all(&self.folder);
        if let Some(edits) = self.folder.parent() {
            let _ = fs::remove_dir(edits);
        }
    }
}

/// Copies of some memories that were kept because they could not be saved.
pub(crate) fn kept(state: &Path, names: &[MemoryPath]) -> Vec<PathBuf> {
    let Ok(folders) = fs::read_dir(state.join(FOLDER)) else {
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = folders
        .flatten()
        .flat_map(|folder| {
            names
                .iter()
                .map(move |name| folder.path().join(name.file_name()))
        })
        .filter(|file| file.is_file())
        .collect();
    files.sort();
    files
}

/// Removes such copies, with what the editor left beside them.
pub(crate) fn remove_kept(state: &Path, names: &[MemoryPath]) -> Result<(), Error> {
    for file in kept(state, names) {
        let folder = file.parent().unwrap_or(&file);
        fs::remove_dir_all(folder).map_err(|error| Error::io("remove", folder, error))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_like_words() {
        let table = |command: &str| match split(command) {
            Some(words) => words.join("|"),
            None => "-".to_owned(),
        };
        assert_eq!(table("vim"), "vim");
        assert_eq!(table("  code   --wait "), "code|--wait");
        assert_eq!(
            table(r#""/opt/my editor/bin" -c 'set tw=72'"#),
            "/opt/my editor/bin|-c|set tw=72"
        );
        assert_eq!(table(r"my\ editor $(rm) ; `x`"), "my editor|$(rm)|;|`x`");
        assert_eq!(table(r#"a "b \" c" ''"#), r#"a|b " c|"#);
        assert_eq!(table("'open"), "-");
        assert_eq!(table(r"back\"), "-");
        assert_eq!(table(""), "");
    }
}
