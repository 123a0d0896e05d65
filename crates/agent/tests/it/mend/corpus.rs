//! Memories as people and agents write them, with copies in other words and with what opposes them.

use std::collections::BTreeMap;

use jiff::Timestamp;
use memdir_agent::mend::{After, Before, Mended};
use memdir_memory::MemoryPath;

/// What a memory of the corpus is to the one that stands before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Original,
    Again,
    Opposed,
}

#[derive(Debug, Clone)]
pub(super) struct Sample {
    pub(super) group: usize,
    pub(super) role: Role,
    pub(super) kind: String,
    pub(super) name: String,
    pub(super) description: String,
    pub(super) body: String,
}

/// Reads `=== kind | name | description`, `--- again | name | description` and bodies.
pub(super) fn read(text: &str) -> Vec<Sample> {
    let mut samples: Vec<Sample> = Vec::new();
    let mut group = 0;
    for line in text.lines() {
        let header = line.strip_prefix("=== ").or(line.strip_prefix("--- "));
        let Some(header) = header else {
            let body = &mut samples.last_mut().unwrap().body;
            body.push_str(line);
            body.push('\n');
            continue;
        };
        let parts: Vec<&str> = header.split(" | ").collect();
        let (role, kind) = match parts[0] {
            "again" => (Role::Again, samples.last().unwrap().kind.clone()),
            "opposed" => (Role::Opposed, samples.last().unwrap().kind.clone()),
            kind => (Role::Original, kind.to_owned()),
        };
        group += usize::from(role == Role::Original);
        samples.push(Sample {
            group,
            role,
            kind,
            name: parts[1].to_owned(),
            description: parts[2].to_owned(),
            body: String::new(),
        });
    }
    samples
}

impl Sample {
    pub(super) fn path(&self) -> MemoryPath {
        let name = self.name.replace('-', "_");
        MemoryPath::new(&format!("{}_{name}.md", self.kind)).unwrap()
    }

    pub(super) fn text(&self) -> String {
        format!(
            "---\nname: {}\ndescription: {:?}\nmetadata:\n  type: {}\n  source: user\n---\n\n{}",
            self.name, self.description, self.kind, self.body
        )
    }
}

/// A file that was written so many days after 2026-01-01.
pub(super) fn file(text: impl Into<Vec<u8>>, day: i64) -> Before {
    let first: Timestamp = "2026-01-01T12:00:00Z".parse().unwrap();
    let modified = first + jiff::SignedDuration::from_hours(24 * day);
    Before {
        text: text.into(),
        modified,
    }
}

/// The directory after mending.
pub(super) fn applied(
    files: &BTreeMap<MemoryPath, Before>,
    mended: &Mended,
) -> BTreeMap<MemoryPath, Before> {
    let mut files = files.clone();
    let now: Timestamp = "2030-01-01T00:00:00Z".parse().unwrap();
    for (path, after) in &mended.changes {
        match after {
            After::Removed { .. } => {
                files.remove(path);
            }
            After::Written { text, keeps_time } => {
                let known = files.get(path).map(|before| before.modified);
                let modified = known.filter(|_| *keeps_time).unwrap_or(now);
                let text = text.clone();
                files.insert(path.clone(), Before { text, modified });
            }
        }
    }
    files
}
