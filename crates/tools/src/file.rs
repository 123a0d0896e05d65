//! Files that are no memories: changed whole, by who has seen what is in them.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::Path;

use crate::{Answer, Bench};

/// Writes a file that the run has read, or that is new.
pub(crate) fn write(bench: &mut Bench<'_>, path: &Path, content: &str) -> Answer {
    let shown = path.display();
    let is_new = match is_new(bench, path) {
        Ok(is_new) => is_new,
        Err(answer) => return answer,
    };
    match replace(path, content.as_bytes()) {
        Ok(()) => {
            bench.read.insert(path.to_owned(), content.to_owned());
            let done = if is_new { "Created" } else { "Updated" };
            Answer::ok(format!("{done} {shown}"))
        }
        Err(error) => Answer::error(format!("{shown} was not written: {error}")),
    }
}

/// Whether there is no such file yet; why it may not be written, where it is not what the run has seen.
pub(crate) fn is_new(bench: &Bench<'_>, path: &Path) -> Result<bool, Answer> {
    let shown = path.display();
    let now = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(true),
        Err(error) => return Err(Answer::error(format!("{shown}: {error}"))),
    };
    match bench.read.get(path) {
        None => Err(Answer::error(format!(
            "{shown} exists and was not read in this conversation: Read it first"
        ))),
        Some(seen) if now != seen.as_bytes() => Err(Answer::error(format!(
            "{shown} has changed since it was read: Read it again"
        ))),
        Some(_) => Ok(false),
    }
}

/// Whoever looks meanwhile, and whatever happens, sees the old file or the new one, whole. Its permissions stay.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().ok_or(ErrorKind::InvalidInput)?;
    fs::create_dir_all(folder)?;
    let mut name = OsString::from(".");
    name.push(path.file_name().ok_or(ErrorKind::InvalidInput)?);
    name.push(format!(".{}", std::process::id()));
    let beside = folder.join(name);
    let written = File::create_new(&beside).and_then(|mut file| {
        if let Ok(found) = fs::metadata(path) {
            file.set_permissions(found.permissions())?;
        }
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&beside, path)
    });
    if written.is_err() {
        // The first error is the one to tell.
        let _ = fs::remove_file(&beside);
    }
    written
}
