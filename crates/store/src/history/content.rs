//! Contents of the past, put together from the log.

use std::collections::HashMap;

use memdir_memory::MemoryPath;

use super::log::Log;
use super::record::{FileRecord, Record};
use super::splice::Delta;
use crate::digest::Digest;
use crate::error::{Error, Result};

/// Every version of every file in one segment of the log.
#[derive(Debug, Default)]
pub(crate) struct Contents {
    versions: HashMap<MemoryPath, Vec<Version>>,
}

#[derive(Debug)]
struct Version {
    after: Option<Digest>,
    delta: Option<Delta>,
}

/// The content of a file that has this digest, from the newest segment that knows it.
pub(crate) fn look_up(log: &Log, path: &MemoryPath, digest: Digest) -> Result<Vec<u8>> {
    look_up_before(log, log.segment_count(), path, digest)
}

/// The same in so many of the oldest segments.
pub(crate) fn look_up_before(
    log: &Log,
    segments: usize,
    path: &MemoryPath,
    digest: Digest,
) -> Result<Vec<u8>> {
    for number in (0..segments).rev() {
        let mut contents = Contents::default();
        for (record, _) in log.read_segment(number, 0)?.records {
            contents.add(record);
        }
        if let Some(content) = contents.find(path, digest) {
            return Ok(content);
        }
    }
    Err(Error::Unknown {
        path: path.clone(),
        digest,
    })
}

impl Contents {
    /// Takes over the contents of the next record.
    pub(crate) fn add(&mut self, record: Record) {
        for FileRecord {
            path,
            before,
            after,
            base,
            delta,
            ..
        } in record.files
        {
            let versions = self.versions.entry(path).or_default();
            versions.extend(base.map(|base| Version {
                after: before,
                delta: Some(Delta::Whole(base)),
            }));
            versions.push(Version { after, delta });
        }
    }

    /// The content of a file that has this digest.
    pub(crate) fn find(&self, path: &MemoryPath, digest: Digest) -> Option<Vec<u8>> {
        let versions = self
            .versions
            .get(path)
            .map(Vec::as_slice)
            .unwrap_or_default();
        // A damaged line breaks the chain until the next whole content; the digest tells, and the
        // same content may stand elsewhere in the history.
        let wanted = versions
            .iter()
            .enumerate()
            .filter(|(_, version)| version.after == Some(digest));
        let found = wanted.filter_map(|(last, _)| assemble(versions.get(..=last)?));
        found.into_iter().find(|bytes| Digest::of(bytes) == digest)
    }
}

/// The last of some versions, from the whole content before it on.
fn assemble(versions: &[Version]) -> Option<Vec<u8>> {
    let is_whole = |version: &Version| matches!(version.delta, Some(Delta::Whole(_)));
    let whole = versions.iter().rposition(is_whole)?;
    versions
        .get(whole..)?
        .iter()
        .try_fold(Vec::new(), |content, version| {
            version.delta.as_ref()?.apply(&content)
        })
}
