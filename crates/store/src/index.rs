//! The index against the topic files: which line leads nowhere, which file has no line, and mending both.

use std::cell::RefCell;
use std::collections::HashSet;
use std::path::Path;

use memdir_memory::index::IndexProblem;
use memdir_memory::{Header, INDEX_NAME, Index, MemoryPath};

use crate::error::{Error, Result};
use crate::history::Reason;
use crate::operation::Outcome;
use crate::scan::Scan;
use crate::store::Store;
use crate::walk::Skipped;

const TEAM: &str = "team/";

/// An index and the topic files that it should list.
#[derive(Debug)]
pub struct IndexCheck {
    /// Which index.
    pub path: MemoryPath,
    /// Whether there is one.
    pub exists: bool,
    /// Lines that lead to no file: line number and target.
    pub dead: Vec<(usize, String)>,
    /// Topic files without a line.
    pub missing: Vec<MemoryPath>,
    /// What is wrong with its text alone.
    pub problems: Vec<IndexProblem>,
    /// The index as it should be.
    pub mended: Vec<u8>,
}

impl IndexCheck {
    /// Whether every line leads to a file and every file has a line.
    pub fn agrees(&self) -> bool {
        self.dead.is_empty() && self.missing.is_empty()
    }
}

/// The index that lists a topic file, and the file's name in it.
pub fn index_of(path: &MemoryPath) -> Result<(MemoryPath, MemoryPath)> {
    match path.as_str().strip_prefix(TEAM) {
        Some(name) => Ok((
            MemoryPath::new(&format!("{TEAM}{INDEX_NAME}"))?,
            MemoryPath::new(name)?,
        )),
        None => Ok((MemoryPath::new(INDEX_NAME)?, path.clone())),
    }
}

/// The index line's words for a memory: a title and a hook.
pub fn index_words<'a>(path: &'a MemoryPath, header: &'a Header) -> (&'a str, &'a str) {
    let title = header.name.as_deref().unwrap_or_else(|| path.stem());
    (title, header.description.as_deref().unwrap_or_default())
}

impl Store {
    /// Compares the index, and the team's where there is one, with the topic files. Writes nothing.
    pub fn check_indexes(&self, scan: &Scan) -> Result<Vec<IndexCheck>> {
        let mut checks = vec![self.check_index("", scan)?];
        let team = self.check_index(TEAM, scan)?;
        if team.exists || !team.missing.is_empty() {
            checks.push(team);
        }
        Ok(checks)
    }

    fn check_index(&self, folder: &str, scan: &Scan) -> Result<IndexCheck> {
        let path = MemoryPath::new(&format!("{folder}{INDEX_NAME}"))?;
        let found = self.read(&path)?;
        let exists = found.is_some();
        let index = Index::from_bytes(found.map(|found| found.bytes).unwrap_or_default());
        let topics = listed(folder, scan)?;
        let listed: HashSet<&MemoryPath> = topics.iter().map(|(target, _)| target).collect();
        let is_dead =
            |target: &MemoryPath| !listed.contains(target) && !is_unread(folder, target, scan);
        let dead = index
            .entries()
            .filter(|entry| entry.path().is_ok_and(|path| is_dead(&path)))
            .map(|entry| (entry.line, entry.target.to_string()))
            .collect();
        let lines: HashSet<MemoryPath> = index
            .entries()
            .filter_map(|entry| entry.path().ok())
            .collect();
        let missing = topics
            .iter()
            .filter(|(target, _)| !lines.contains(target))
            .map(|(target, _)| MemoryPath::new(&format!("{folder}{target}")))
            .collect::<Result<_, _>>()?;
        let problems = index.problems();
        Ok(IndexCheck {
            path,
            exists,
            dead,
            missing,
            problems,
            mended: mend(folder, index, &topics, scan).into_bytes(),
        })
    }

    /// Brings every index into agreement with the topic files, as one operation.
    pub fn rebuild_indexes(&self, reason: Reason) -> Result<Outcome> {
        let checks = self.check_indexes(&self.scan()?)?;
        let failed = RefCell::new(None);
        let mut operation = self.operation(reason);
        for path in checks.iter().map(|check| &check.path) {
            let folder = path.as_str().strip_suffix(INDEX_NAME).unwrap_or_default();
            let failed = &failed;
            operation.update(path, move |current| {
                // Scanned again, under the lock: a memory that came or went meanwhile keeps or loses its line.
                match self.scan().and_then(|scan| mended(folder, current, &scan)) {
                    Ok(mended) => (current.is_some() || !mended.is_empty()).then_some(mended),
                    Err(error) => {
                        failed.replace(Some(error));
                        current.map(<[u8]>::to_vec)
                    }
                }
            });
        }
        let outcome = operation.commit()?;
        match failed.into_inner() {
            Some(error) => Err(error),
            None => Ok(outcome),
        }
    }
}

fn mended(folder: &str, current: Option<&[u8]>, scan: &Scan) -> Result<Vec<u8>> {
    if let Some(Skipped { path, reason, .. }) = scan.skipped.iter().find(|skipped| skipped.unread) {
        let (path, reason) = (path.display().to_string(), reason.clone());
        return Err(Error::Unread { path, reason });
    }
    let index = Index::parse(current.unwrap_or_default());
    Ok(mend(folder, index, &listed(folder, scan)?, scan).into_bytes())
}

/// The topics that an index lists, by the name they have in it; by kind, then by name, for those that are new to it.
fn listed<'a>(folder: &str, scan: &'a Scan) -> Result<Vec<(MemoryPath, &'a Header)>> {
    let mut topics = Vec::new();
    for memory in &scan.memories {
        let (index, target) = index_of(&memory.path)?;
        if index.folder().map_or("", |folder| folder) == folder.trim_end_matches('/') {
            topics.push((target, &memory.header));
        }
    }
    topics.sort_by(|(a, one), (b, other)| {
        one.memory_type
            .cmp(&other.memory_type)
            .then_with(|| a.cmp(b))
    });
    Ok(topics)
}

/// Whether the scan could not read a file or a folder it is in: then it may well be there.
fn is_unread(folder: &str, target: &MemoryPath, scan: &Scan) -> bool {
    let path = Path::new(folder).join(target.as_str());
    let unread = scan.skipped.iter().filter(|skipped| skipped.unread);
    unread
        .into_iter()
        .any(|skipped| path.starts_with(&skipped.path))
}

/// Lines that lead nowhere go, second lines for one file go, files without a line get one; the rest stays as it is.
fn mend(folder: &str, index: Index, topics: &[(MemoryPath, &Header)], scan: &Scan) -> Index {
    let listed: HashSet<&MemoryPath> = topics.iter().map(|(target, _)| target).collect();
    let mut seen = HashSet::new();
    let kept = index.retain(|entry| match entry.path() {
        Ok(path) => (listed.contains(&path) || is_unread(folder, &path, scan)) && seen.insert(path),
        // Not the name of a memory: what its user meant by it is not for us to say.
        Err(_) => true,
    });
    let missing = topics.iter().filter(|(target, _)| !seen.contains(target));
    kept.with_new_entries(missing.map(|(target, header)| {
        let (title, hook) = index_words(target, header);
        (title, target, hook)
    }))
}
