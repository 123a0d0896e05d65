//! Conversations written to files, as sessions of ours.

use std::io::Write as _;
use std::path::Path;

use jiff::Timestamp;
use memdir_conversation::transcript::{Report, Writer, uuid_of};
use memdir_conversation::{Message, MessageId, Source};
use memdir_session::cut_private;
use memdir_store::{TEMPORARY_PREFIX, TEMPORARY_SUFFIX, remove_orphans};

use crate::clock::Clock;
use crate::failure::Failure;
use crate::output::Output;
use crate::table::count;

/// The lines of a session. Its messages get UUIDs where they have none, for Claude Code wants such.
pub(crate) struct Session {
    pub(crate) text: String,
    writer: Writer,
    /// What the conversation was called, from which ids are made.
    name: String,
    now: Timestamp,
    /// How many messages had something private in them.
    private: usize,
}

impl Session {
    /// A session of a conversation that was read, under a new name where one is given: Claude Code looks for a session
    /// in the file of that name.
    pub(crate) fn of(report: &Report, new_name: Option<&str>) -> Session {
        let name = report.session.as_deref().unwrap_or("conversation");
        let cwd = match report.cwd.as_deref() {
            Some(cwd) => cwd.to_owned(),
            None => std::env::current_dir()
                .unwrap_or_default()
                .display()
                .to_string(),
        };
        let session = uuid(new_name.unwrap_or(name), "");
        Session {
            text: String::new(),
            writer: Writer::new(&session, &cwd, env!("CARGO_PKG_VERSION")),
            name: name.to_owned(),
            now: Clock::new().now(),
            private: 0,
        }
    }

    /// Adds a message, without what is private in it.
    pub(crate) fn add(&mut self, mut message: Message) {
        rename(&mut message, &self.name);
        self.private += usize::from(cut_private(&mut message));
        self.text.push_str(&self.writer.lines(&message, self.now));
    }

    /// Says what of the conversation is not in it.
    pub(crate) fn warn(&self, report: &Report, output: &Output) {
        warn_of_private(output, self.private);
        if report.system.is_some() || report.tools.is_some() {
            output
                .warn("the system prompt and the tools of the request have no place in a session");
        }
    }
}

pub(crate) fn warn_of_private(output: &Output, messages: usize) {
    if messages > 0 {
        output.warn(format!(
            "<private> spans left out of {}",
            count(messages, "message", "messages")
        ));
    }
}

fn rename(message: &mut Message, session: &str) {
    let new = |id: &MessageId| MessageId::new(&uuid(id.as_str(), session));
    message.parent = message.parent.as_ref().map(new);
    message.id = new(&message.id);
    if let Source::Boundary(boundary) = &mut message.source {
        boundary.kept = boundary.kept.iter().map(new).collect();
        boundary.anchor = boundary.anchor.as_ref().map(new);
        boundary.after = boundary.after.as_ref().map(new);
    }
}

/// A name that is a UUID stays; any other becomes one.
fn uuid(name: &str, within: &str) -> String {
    let is_one = name.len() == 36
        && name.char_indices().all(|(place, letter)| match place {
            8 | 13 | 18 | 23 => letter == '-',
            _ => letter.is_ascii_hexdigit(),
        });
    match is_one {
        true => name.to_owned(),
        false => uuid_of(&format!("{within}/{name}")),
    }
}

/// Refuses a name that is taken, before any work is done for it.
pub(crate) fn refuse_existing(path: &Path, hint: &str) -> Result<(), Failure> {
    match path.symlink_metadata() {
        Ok(_) => Err(exists(path, hint)),
        Err(_) => Ok(()),
    }
}

/// Writes a whole file or none, and never over one that is there.
pub(crate) fn create(path: &Path, text: &str, hint: &str) -> Result<(), Failure> {
    match beside(path, text)?.persist_noclobber(path) {
        Ok(_) => Ok(()),
        Err(error) if error.error.kind() == std::io::ErrorKind::AlreadyExists => {
            Err(exists(path, hint))
        }
        Err(error) => Err(failed(path, &error.error)),
    }
}

/// Writes a whole file or none, over one that may be there.
pub(crate) fn replace(path: &Path, text: &str) -> Result<(), Failure> {
    let written = beside(path, text)?.persist(path);
    written
        .map(|_| ())
        .map_err(|error| failed(path, &error.error))
}

/// The text in a temporary file of the same folder, on disk.
fn beside(path: &Path, text: &str) -> Result<tempfile::NamedTempFile, Failure> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let failed = |error: std::io::Error| failed(path, &error);
    if !folder.is_dir() {
        return Err(Failure::new(
            format!(
                "could not write {}: its folder is not there",
                path.display()
            ),
            "make the folder first, or name another",
        ));
    }
    let mut file = new_temporary(folder).map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)?;
    file.as_file().sync_all().map_err(failed)?;
    Ok(file)
}

/// A file under a temporary name, locked while it is in use; those that killed processes left there go.
pub(crate) fn new_temporary(folder: &Path) -> std::io::Result<tempfile::NamedTempFile> {
    // What cannot be removed is in nobody's way.
    let _ = remove_orphans(folder);
    let file = tempfile::Builder::new()
        .prefix(TEMPORARY_PREFIX)
        .suffix(TEMPORARY_SUFFIX)
        .tempfile_in(folder)?;
    file.as_file().lock()?;
    Ok(file)
}

fn failed(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(format!("could not write {}: {error}", path.display()), "")
}

fn exists(path: &Path, hint: &str) -> Failure {
    Failure::new(format!("{} exists", path.display()), hint)
}
