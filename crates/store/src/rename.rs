//! Renaming a memory: another file name, the name in the header, the index line, and the links of other memories.

use memdir_memory::{Header, Index, MemoryPath, Topic, links};

use crate::directory::Found;
use crate::error::{Error, Result};
use crate::history::Reason;
use crate::index::{index_of, index_words};
use crate::operation::Operation;
use crate::scan::{Memory, Scan};
use crate::store::Store;

/// A memory on its way to another name. Look at it, then commit [`Renaming::operation`].
#[derive(Debug)]
pub struct Renaming {
    old: MemoryPath,
    old_header: Header,
    new: MemoryPath,
    found: Found,
    /// The memory under its new name.
    pub topic: Topic,
    /// Other memories whose links follow; what is taken out here stays as it is.
    pub linking: Vec<Linking>,
    /// What does not follow, and why.
    pub stays: Vec<String>,
}

/// Another memory whose links follow.
#[derive(Debug)]
pub struct Linking {
    /// Which.
    pub path: MemoryPath,
    found: Found,
    content: Vec<u8>,
}

/// The name that goes with a file name: `feedback_use_tabs.md` is `use-tabs`.
#[must_use]
pub fn name_of(path: &MemoryPath, header: &Header) -> String {
    let prefix = header.memory_type.map(|kind| format!("{kind}_"));
    let stem = prefix.and_then(|prefix| path.stem().strip_prefix(prefix.as_str()));
    stem.unwrap_or_else(|| path.stem()).replace('_', "-")
}

impl Store {
    /// Plans to give a memory another path, and another name in its header where it has one. Writes nothing.
    pub fn plan_rename(
        &self,
        scan: &Scan,
        memory: &Memory,
        new: &MemoryPath,
        name: &str,
    ) -> Result<Renaming> {
        let found = self.read(&memory.path)?;
        let found = found.ok_or_else(|| Error::NotFound(memory.path.clone()))?;
        let topic = Topic::parse(&found.bytes);
        let mut stays = Vec::new();
        // A file without a name in its header needs none now.
        let renamed = topic.header().name.is_some().then(|| topic.with_name(name));
        let topic = match renamed {
            Some(Ok(renamed)) => renamed,
            Some(Err(error)) => {
                stays.push(format!("the name in its header stays: {error}"));
                topic
            }
            None => topic,
        };
        let mut renaming = Renaming {
            old: memory.path.clone(),
            old_header: memory.header.clone(),
            new: new.clone(),
            found,
            topic,
            linking: Vec::new(),
            stays,
        };
        let others = scan.memories.iter().map(|other| &other.path);
        for path in others.filter(|path| **path != memory.path) {
            match self.read(path) {
                Ok(Some(found)) => {
                    let followed = renaming.followed(&found.bytes);
                    renaming.linking.extend(followed.map(|content| Linking {
                        path: path.clone(),
                        found,
                        content,
                    }));
                }
                Ok(None) => {}
                Err(error) => {
                    let stays = format!("links in {path} stay as they are: {error}");
                    renaming.stays.push(stays);
                }
            }
        }
        Ok(renaming)
    }
}

impl Renaming {
    /// What `[[…]]` must say now, where it led to this memory.
    fn follow(&self, link: &str) -> Option<&str> {
        let (old, new) = (&self.old, &self.new);
        match link {
            _ if Some(link) == self.old_header.name.as_deref() => {
                self.topic.header().name.as_deref()
            }
            _ if link == old.as_str() => Some(new.as_str()),
            _ if link == old.file_name() => Some(new.file_name()),
            _ if Some(link) == old.as_str().strip_suffix(".md") => new.as_str().strip_suffix(".md"),
            _ if link == old.stem() => Some(new.stem()),
            _ => None,
        }
    }

    /// The text of a memory with its links to this one following; `None` where it has none.
    fn followed(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let topic = Topic::parse(bytes);
        // A body that is not all text keeps its bytes.
        let text = std::str::from_utf8(topic.body()).ok()?;
        let mut followed = String::with_capacity(text.len());
        let mut at = 0;
        for link in links(text) {
            if let Some(new) = self.follow(link.name) {
                followed.push_str(text.get(at..link.range.start)?);
                followed.push_str(new);
                at = link.range.end;
            }
        }
        followed.push_str(text.get(at..)?);
        (followed != text).then(|| topic.with_body(followed.as_bytes()).into_bytes())
    }

    /// Everything that changes, as one operation.
    pub fn operation<'a>(&'a self, store: &'a Store, reason: Reason) -> Result<Operation<'a>> {
        let mut operation = store.operation(reason);
        let content = self
            .followed(self.topic.bytes())
            .unwrap_or_else(|| self.topic.bytes().to_vec());
        // What they say is as old as it was.
        operation.write_dated(&self.new, None, content, self.found.stamp.mtime);
        operation.remove(&self.old, self.found.clone());
        self.move_line(&mut operation)?;
        for one in &self.linking {
            let (seen, content) = (one.found.clone(), one.content.clone());
            let mtime = seen.stamp.mtime;
            operation.write_dated(&one.path, Some(seen), content, mtime);
        }
        Ok(operation)
    }

    fn move_line<'a>(&'a self, operation: &mut Operation<'a>) -> Result<()> {
        let (old_index, old_target) = index_of(&self.old)?;
        let (new_index, new_target) = index_of(&self.new)?;
        let old_words = index_words(&self.old, &self.old_header);
        let new_words = index_words(&self.new, self.topic.header());
        if old_index == new_index {
            operation.update(&old_index, move |current| {
                let index = Index::parse(current?).retarget(&old_target, &new_target);
                let index = index.reworded(&new_target, old_words, new_words);
                Some(index.into_bytes())
            });
            return Ok(());
        }
        operation.update(&old_index, move |current| {
            let index = Index::parse(current?).without_target(&old_target);
            Some(index.into_bytes())
        });
        operation.update(&new_index, move |current| {
            let index = Index::parse(current.unwrap_or_default());
            let index = index.with_entry(new_words.0, &new_target, new_words.1);
            Some(index.into_bytes())
        });
        Ok(())
    }
}
