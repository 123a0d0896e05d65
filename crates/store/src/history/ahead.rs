//! Reading what others append while they hold the lock, so that little is left to read once it is ours.

use super::HISTORY_FOLDER;
use super::heads::Heads;
use super::log::Log;
use crate::directory::Directory;
use crate::error::Result;

/// Heads that keep up with the log while the lock is waited for.
pub(crate) struct ReadAhead<'a> {
    state: &'a Directory,
    heads: Option<Heads>,
}

impl<'a> ReadAhead<'a> {
    pub(crate) fn new(state: &'a Directory, heads: Option<Heads>) -> ReadAhead<'a> {
        ReadAhead { state, heads }
    }

    /// Folds in what the log has gained. If that fails, everything is read again under the lock.
    pub(crate) fn read(&mut self) {
        let heads = self.heads.take();
        self.heads = self.folded(heads).ok().flatten();
    }

    fn folded(&self, heads: Option<Heads>) -> Result<Option<Heads>> {
        let Some(folder) = self.state.folder(HISTORY_FOLDER)? else {
            return Ok(None);
        };
        let Some(log) = Log::open(&folder)? else {
            return Ok(None);
        };
        let mut heads = fitting(heads, &folder, &log);
        heads.advance_unlocked(&log)?;
        Ok(Some(heads))
    }

    /// The heads at the end of the log, which nobody else may write to now.
    pub(crate) fn finish(self, folder: &Directory, log: &Log) -> Result<Heads> {
        let mut heads = fitting(self.heads, folder, log);
        heads.advance(log)?;
        Ok(heads)
    }
}

fn fitting(heads: Option<Heads>, folder: &Directory, log: &Log) -> Heads {
    heads
        .filter(|heads| heads.fit(log))
        .unwrap_or_else(|| Heads::load(folder, log))
}

#[cfg(test)]
mod tests {
    use memdir_memory::MemoryPath;

    use super::*;
    use crate::history::record::{Author, FileRecord, Reason, Record, VERSION};
    use crate::history::splice::Delta;

    fn record(path: &str) -> Record {
        Record {
            v: VERSION,
            op: 1,
            at: jiff::Timestamp::UNIX_EPOCH,
            reason: Reason::new(Author::User, "test"),
            undoes: None,
            aborts: None,
            purged: 0,
            files: vec![FileRecord {
                path: MemoryPath::new(path).unwrap(),
                before: None,
                after: Some(crate::digest::Digest::of(path.as_bytes())),
                mtime_before: None,
                mtime: Some(0),
                inode: 1,
                tmp: None,
                base: None,
                delta: Some(Delta::whole(path.as_bytes())),
            }],
        }
    }

    #[test]
    fn what_a_failed_writer_cut_off_again_is_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let state = Directory::create(folder.path()).unwrap();
        let history = state.folder_or_create(HISTORY_FOLDER).unwrap();
        let mut log = Log::open_or_create(&history).unwrap();
        log.append(&[record("cut_off.md")]).unwrap();
        let length = log.length;

        let mut ahead = ReadAhead::new(&state, None);
        ahead.read();
        log.cut(0).unwrap();
        log.append(&[record("written.md")]).unwrap();
        assert_eq!(log.length, length, "the lengths do not tell them apart");

        let heads = ahead.finish(&history, &log).unwrap();
        let paths: Vec<_> = heads.paths().map(MemoryPath::as_str).collect();
        assert_eq!(paths, ["written.md"]);
    }
}
