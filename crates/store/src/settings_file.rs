//! Our own settings file, `<home>/memdir.toml`, as `memdir config` changes it.

use std::path::Path;

use crate::error::Error;
use crate::records::RecordError;
use crate::user_file::{read_user_text, replace_user_file};

/// The name of our settings file, in home and in the folder `.claude` of a project.
pub const SETTINGS_NAME: &str = "memdir.toml";

/// Reads the user's settings file; `None` when there is none.
pub fn read_settings_file(home: &Path) -> Result<Option<String>, Error> {
    read_user_text(&home.join(SETTINGS_NAME))
}

/// Puts a text in the place of the one that was read. If somebody else wrote meanwhile, theirs stays, and the caller is
/// told.
pub fn replace_settings_file(
    home: &Path,
    seen: Option<&str>,
    text: &str,
) -> Result<(), RecordError> {
    let (seen, text) = (seen.map(str::as_bytes), Some(text.as_bytes()));
    let file = home.join(SETTINGS_NAME);
    replace_user_file(&home.join("memdir"), &file, seen, text, None)
}
