//! What was typed before, for the arrow keys: a file of ours that only the user can read.

use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;

use memdir_memory::scrub;
use memdir_serve::hook::scrubbing::CHAT_HISTORY as NAME;
use memdir_store::{Directory, Places, read_regular};

use super::line::Line;

/// Longer texts are not worth going back to.
const LONGEST: usize = 4_000;
/// So many are offered.
const OFFERED: usize = 1_000;
/// Past this size the older half goes.
const LARGEST: u64 = 2 * 1024 * 1024;

/// What was typed before.
pub(crate) struct History {
    folder: PathBuf,
    /// The oldest first; read when somebody asks.
    entries: Option<Vec<String>>,
    /// How far back it was gone, and what was being typed.
    at: Option<(usize, Line)>,
}

impl History {
    pub(crate) fn new(places: &Places) -> Self {
        Self {
            folder: places.own_dir(),
            entries: None,
            at: None,
        }
    }

    /// Notes what was sent. What is private or secret is not kept; nor is anything where the disk refuses.
    pub(crate) fn note(&mut self, text: &str) {
        self.at = None;
        let kept = scrub(text).into_owned();
        if kept.trim().is_empty() || kept.len() > LONGEST {
            return;
        }
        if let Some(entries) = &mut self.entries {
            entries.push(kept.clone());
        }
        let line = format!("{}\n", serde_json::Value::from(kept));
        let _ = self.append(&line);
    }

    fn append(&self, line: &str) -> std::io::Result<()> {
        Directory::create(&self.folder).map_err(std::io::Error::other)?;
        let file = OpenOptions::new()
            .append(true)
            .create(true)
            .mode(0o600)
            .open(self.folder.join(NAME));
        file?.write_all(line.as_bytes())
    }

    /// The entry before, while `typed` stands in the line.
    pub(crate) fn back(&mut self, typed: &Line) -> Option<Line> {
        let before = self.at.as_ref().map(|(at, _)| *at);
        let entries = self.entries();
        let at = before.unwrap_or(entries.len()).checked_sub(1)?;
        let entry = Line::of(entries.get(at)?);
        match &mut self.at {
            Some((known, _)) => *known = at,
            None => self.at = Some((at, typed.clone())),
        }
        Some(entry)
    }

    /// The entry after it; at the end what was being typed.
    pub(crate) fn forth(&mut self) -> Option<Line> {
        let (at, typed) = self.at.take()?;
        match self.entries().get(at + 1).map(|entry| Line::of(entry)) {
            Some(entry) => {
                self.at = Some((at + 1, typed));
                Some(entry)
            }
            None => Some(typed),
        }
    }

    fn entries(&mut self) -> &[String] {
        if self.entries.is_none() {
            self.entries = Some(self.read());
        }
        self.entries.as_deref().unwrap_or_default()
    }

    fn read(&self) -> Vec<String> {
        let path = self.folder.join(NAME);
        // Twice the size, because another process may be writing too.
        let bytes = read_regular(&path, 2 * LARGEST)
            .ok()
            .flatten()
            .unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let lines = text
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok());
        let mut entries: Vec<String> = lines.collect();
        entries.dedup();
        entries.drain(..entries.len().saturating_sub(OFFERED));
        if bytes.len() as u64 > LARGEST {
            self.shorten(&entries);
        }
        entries
    }

    fn shorten(&self, entries: &[String]) {
        let lines = entries.iter();
        let lines = lines.map(|entry| format!("{}\n", serde_json::Value::from(entry.as_str())));
        let text: String = lines.collect();
        if let Ok(folder) = Directory::create(&self.folder) {
            let _ = folder.replace_file(NAME, text.as_bytes());
        }
    }
}
