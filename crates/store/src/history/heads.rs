//! Heads: the last content that the history knows of each file, folded from the log.
//!
//! The fold is saved now and then, so that a new process reads the saved heads and the log's tail instead of the
//! whole log. It is derived: deleting it loses nothing.

use std::collections::HashMap;

use memdir_memory::MemoryPath;
use serde::{Deserialize, Serialize};

use super::log::{Log, Stretch};
use super::record::{FileRecord, Record};
use super::splice::{Delta, Text};
use crate::digest::Digest;
use crate::directory::{Directory, Stamp};
use crate::error::Result;
use crate::limits;

const HEADS_NAME: &str = "heads.json";
const HEADS_VERSION: u64 = 2;

/// The last content known of one file.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Head {
    pub(crate) digest: Digest,
    /// What the file looked like then; a file that still does need not be read.
    #[serde(rename = "m")]
    pub(crate) mtime: i64,
    #[serde(rename = "s")]
    pub(crate) size: u64,
    #[serde(rename = "i")]
    pub(crate) inode: u64,
    /// How many bytes of differences stand in the log since the last whole content.
    #[serde(rename = "c")]
    pub(crate) chain: u64,
    /// Where the segment of the log begins that has this content.
    #[serde(rename = "g")]
    pub(crate) segment: u64,
}

/// All heads, and how much of the log they cover.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Heads {
    version: u64,
    /// Which log; a purge makes another.
    #[serde(skip)]
    log: u64,
    /// How far it is folded.
    pub(crate) upto: u64,
    /// The end of the last line of that when they were saved: its checksum tells whether they belong to a log, also in a
    /// home that was copied.
    end: Vec<u8>,
    pub(crate) last_operation: u64,
    files: HashMap<MemoryPath, Head>,
    /// The end of the last line that was folded in without the lock: a writer that failed may have cut it off again.
    #[serde(skip)]
    unsure: Option<Vec<u8>>,
    /// How many bytes were saved.
    #[serde(skip)]
    weight: u64,
    /// How much of the log the saved ones cover.
    #[serde(skip)]
    saved: u64,
    /// How many lines cannot be read.
    pub(crate) damaged: usize,
    /// Files were found to look different with the same content, which the log does not tell.
    #[serde(skip)]
    restamped: bool,
}

impl Head {
    pub(crate) fn stamp(&self) -> Stamp {
        Stamp {
            mtime: self.mtime,
            size: self.size,
            inode: self.inode,
        }
    }
}

impl Heads {
    /// The heads as last saved; empty where there are none that fit this log.
    pub(crate) fn load(folder: &Directory, log: &Log) -> Heads {
        let saved = folder.read(HEADS_NAME, u64::MAX - 1).ok().flatten();
        let heads = saved.and_then(|found| {
            let mut heads = serde_json::from_slice::<Heads>(&found.bytes).ok()?;
            let fits = heads.version == HEADS_VERSION
                && heads.upto <= log.length
                && log
                    .end_of_line(heads.upto)
                    .is_ok_and(|end| end == heads.end);
            heads.log = log.identity;
            heads.weight = found.stamp.size;
            heads.saved = heads.upto;
            fits.then_some(heads)
        });
        heads.unwrap_or_else(|| Heads {
            version: HEADS_VERSION,
            log: log.identity,
            ..Heads::default()
        })
    }

    /// Whether these heads belong to this log.
    pub(crate) fn fit(&self, log: &Log) -> bool {
        let still_there = |end: &Vec<u8>| log.end_of_line(self.upto).is_ok_and(|now| now == *end);
        self.log == log.identity
            && self.upto <= log.length
            && self.unsure.as_ref().is_none_or(still_there)
    }

    /// Folds in what the log has gained, while another process may still write to it.
    pub(crate) fn advance_unlocked(&mut self, log: &Log) -> Result<()> {
        self.advance(log)?;
        self.unsure = Some(log.end_of_line(self.upto)?);
        Ok(())
    }

    /// Folds in what the log has gained.
    pub(crate) fn advance(&mut self, log: &Log) -> Result<()> {
        let Stretch {
            records,
            end,
            damaged,
        } = log.read_from(self.upto)?;
        for (record, end) in &records {
            self.fold(record, log.base_of(*end));
        }
        self.upto = end;
        self.damaged += damaged;
        self.unsure = None;
        Ok(())
    }

    /// Folds in a record of the segment that begins here.
    pub(crate) fn fold(&mut self, record: &Record, segment: u64) {
        self.last_operation = self.last_operation.max(record.op);
        for file in &record.files {
            self.fold_file(file, segment);
        }
    }

    fn fold_file(&mut self, file: &FileRecord, segment: u64) {
        let Some(digest) = file.after else {
            self.files.remove(&file.path);
            return;
        };
        let weight = file.delta.as_ref().map_or(0, Delta::weight);
        let before = self.files.get(&file.path);
        let (chain, size) = match (&file.delta, before) {
            (Some(Delta::Splice { cut, .. }), _) if file.base.is_some() => {
                let cut = u64::try_from(*cut).unwrap_or(u64::MAX);
                let length = file.base.as_ref().map_or(0, Text::length);
                (weight, (length + weight).saturating_sub(cut))
            }
            (Some(Delta::Splice { cut, .. }), Some(head)) => {
                let cut = u64::try_from(*cut).unwrap_or(u64::MAX);
                (
                    head.chain.saturating_add(weight),
                    (head.size + weight).saturating_sub(cut),
                )
            }
            (Some(Delta::Splice { .. }), None) => (u64::MAX, 0),
            (Some(Delta::Whole(_)), _) => (0, weight),
            (None, Some(head)) => (head.chain, head.size),
            (None, None) => (u64::MAX, 0),
        };
        let mtime = file.mtime.unwrap_or(0);
        self.files.insert(
            file.path.clone(),
            Head {
                digest,
                mtime,
                size,
                inode: file.inode,
                chain,
                segment,
            },
        );
    }

    /// Notes that a file looks different but has the same content.
    pub(crate) fn restamp(&mut self, path: &MemoryPath, stamp: Stamp) {
        if let Some(head) = self.files.get_mut(path) {
            head.mtime = stamp.mtime;
            head.inode = stamp.inode;
            self.restamped = true;
        }
    }

    pub(crate) fn get(&self, path: &MemoryPath) -> Option<&Head> {
        self.files.get(path)
    }

    pub(crate) fn paths(&self) -> impl Iterator<Item = &MemoryPath> {
        self.files.keys()
    }

    /// How a change of a file is kept in the segment that begins here: the content before, where the segment does not have
    /// it, and the new one. That is a difference while the differences weigh less than the content, so that reading a
    /// content back never costs more than about twice its size.
    pub(crate) fn keep(
        &self,
        path: &MemoryPath,
        old: Option<&[u8]>,
        new: Option<&[u8]>,
        segment: u64,
    ) -> (Option<Text>, Option<Delta>) {
        let Some(old) = old else {
            return (None, new.map(Delta::whole));
        };
        let head = self.files.get(path).filter(|head| head.segment == segment);
        let base = head.is_none().then(|| Text::new(old));
        let chain = head.map_or(0, |head| head.chain);
        let delta = new.map(|new| {
            let splice = Delta::between(old, new);
            let length = u64::try_from(new.len()).unwrap_or(u64::MAX);
            match chain.saturating_add(splice.weight()) < length {
                true => splice,
                false => Delta::whole(new),
            }
        });
        (base, delta)
    }

    /// Saves the heads where the log, which was this long, has grown past the next multiple of what they weigh: of many
    /// writers one does. Failure costs time later, nothing else.
    pub(crate) fn save_when_due(&mut self, folder: &Directory, log: &Log, before: u64) {
        let stretch = self.weight.max(limits::TAIL_BYTES);
        // Where none were saved for long, or those that were are gone, nobody shall fold it all again.
        let is_behind = self.upto.saturating_sub(self.saved) > stretch.saturating_mul(2);
        if !self.restamped && !is_behind && before / stretch == self.upto / stretch {
            return;
        }
        self.save(folder, log);
    }

    /// Saves the heads. Failure costs time later, nothing else.
    pub(crate) fn save(&mut self, folder: &Directory, log: &Log) {
        let Ok(end) = log.end_of_line(self.upto) else {
            return;
        };
        self.end = end;
        let Ok(bytes) = serde_json::to_vec(self) else {
            return;
        };
        if folder.replace_unsynced(HEADS_NAME, &bytes).is_ok() {
            self.restamped = false;
            self.saved = self.upto;
            self.weight = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        }
    }
}
