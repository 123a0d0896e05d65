//! Links that follow a memory into the one that took it in.

use std::collections::BTreeMap;

use memdir_memory::{MemoryPath, Topic, links};

use super::told::Mending;

/// Names by which memories are linked to, with what links to those that are gone must say now.
#[derive(Debug)]
pub(super) struct Follower {
    names: BTreeMap<String, String>,
    paths: BTreeMap<MemoryPath, MemoryPath>,
}

impl Follower {
    /// `gone` are memories that went into others, each with its name; `left` those that there are now.
    pub(super) fn new(
        gone: &BTreeMap<MemoryPath, (MemoryPath, Option<String>)>,
        left: &BTreeMap<&MemoryPath, Option<String>>,
    ) -> Self {
        let mut taken: Vec<&str> = Vec::new();
        for (path, name) in left {
            taken.extend([path.as_str(), path.file_name(), plain(path), path.stem()]);
            taken.extend(name.as_deref());
        }
        taken.sort_unstable();
        let mut names = BTreeMap::new();
        for (path, (into, name)) in gone {
            let new_name = left.get(into).cloned().flatten();
            let new_name = new_name.unwrap_or_else(|| into.stem().to_owned());
            let pairs = [
                (name.clone(), new_name),
                (Some(path.as_str().to_owned()), into.as_str().to_owned()),
                (
                    Some(path.file_name().to_owned()),
                    into.file_name().to_owned(),
                ),
                (Some(plain(path).to_owned()), plain(into).to_owned()),
                (Some(path.stem().to_owned()), into.stem().to_owned()),
            ];
            for (old, new) in pairs {
                // A link that still leads to something is not ours to change.
                if let Some(old) = old.filter(|old| taken.binary_search(&old.as_str()).is_err()) {
                    names.entry(old).or_insert(new);
                }
            }
        }
        let paths = gone
            .iter()
            .map(|(path, (into, _))| (path.clone(), into.clone()))
            .collect();
        Self { names, paths }
    }

    /// The file with its links following; none where it has none that must.
    pub(super) fn followed(
        &self,
        path: &MemoryPath,
        topic: &Topic,
        told: &mut Vec<Mending>,
    ) -> Option<Topic> {
        let text = std::str::from_utf8(topic.body()).ok()?;
        let mut changes: Vec<(std::ops::Range<usize>, String)> = links(text)
            .into_iter()
            .filter_map(|link| Some((link.range, self.names.get(link.name)?.clone())))
            .collect();
        changes.extend(self.targets(path, text));
        if changes.is_empty() {
            return None;
        }
        changes.sort_by_key(|(range, _)| range.start);
        let mut followed = String::with_capacity(text.len());
        let mut at = 0;
        for (range, new) in changes {
            if range.start < at {
                continue;
            }
            followed.push_str(text.get(at..range.start)?);
            followed.push_str(&new);
            at = range.end;
            told.push(Mending::Followed {
                path: path.clone(),
                from: text.get(range)?.to_owned(),
                to: new,
            });
        }
        followed.push_str(text.get(at..)?);
        Some(topic.with_body(followed.as_bytes()))
    }

    /// Targets of Markdown links to files that are gone, and what they must be now.
    fn targets(&self, path: &MemoryPath, text: &str) -> Vec<(std::ops::Range<usize>, String)> {
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(next) = text.get(at..).and_then(|rest| rest.find("](")) {
            let start = at + next + 2;
            at = start;
            let rest = text.get(start..).unwrap_or_default();
            let Some(length) = rest.find([')', '\n']) else {
                break;
            };
            let target = rest.get(..length).unwrap_or_default();
            if let Some(new) = self.target(path, target) {
                found.push((start..start + length, new));
            }
        }
        found
    }

    fn target(&self, path: &MemoryPath, target: &str) -> Option<String> {
        let folder = path
            .folder()
            .map_or_else(String::new, |folder| format!("{folder}/"));
        let target = target.strip_prefix("./").unwrap_or(target);
        let meant = MemoryPath::new(&format!("{folder}{target}")).ok()?;
        let into = self.paths.get(&meant)?.as_str();
        Some(match into.strip_prefix(folder.as_str()) {
            Some(beneath) => beneath.to_owned(),
            None => format!("{}{into}", "../".repeat(folder.matches('/').count())),
        })
    }
}

fn plain(path: &MemoryPath) -> &str {
    path.as_str().strip_suffix(".md").unwrap_or_default()
}
