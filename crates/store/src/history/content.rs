//! Contents of the past, put together from the log.

use memdir_memory::MemoryPath;

use super::log::Log;
use crate::digest::Digest;
use crate::error::{Error, Result};

/// The content of a file that has this digest.
pub(crate) fn find(log: &Log, path: &MemoryPath, digest: Digest) -> Result<Vec<u8>> {
    let stretch = log.read_from(0)?;
    let mut content: Option<Vec<u8>> = None;
    for (record, _) in &stretch.records {
        for file in record.files.iter().filter(|file| file.path == *path) {
            content = match &file.delta {
                Some(delta) => delta.apply(content.as_deref().unwrap_or_default()),
                None if file.after.is_none() => None,
                None => content,
            };
            // A damaged line breaks the chain until the next whole content; the digest tells.
            content = content.filter(|bytes| file.after == Some(Digest::of(bytes)));
            if file.after == Some(digest)
                && let Some(bytes) = content
            {
                return Ok(bytes);
            }
        }
    }
    Err(Error::Damaged {
        path: log.path().to_path_buf(),
        what: format!("the content {digest} of {path} is not in it"),
    })
}
