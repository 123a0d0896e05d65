//! One durable change of one topic file, history and all.

use std::fs::{self, File};

use memdir_memory::MemoryPath;
use memdir_store::{Author, Reason, Store};

use crate::statistics::Times;
use crate::{Result, floor, scan};

/// Changes a file through the store by turns with the bare calls, with the same bytes.
pub(crate) fn measure(rounds: usize) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let bare_folder = folder.path().join("bare");
    fs::create_dir(&bare_folder)?;
    let bare_handle = File::open(&bare_folder)?;
    let store = Store::new(folder.path().join("memory"), folder.path().join("state"));
    let path = MemoryPath::new("project_topic.md")?;

    let (mut bare, mut ours) = (Times::default(), Times::default());
    for round in 0..=rounds {
        let content = scan::topic(round).into_bytes();
        let floor = |content: &[u8]| floor::durable_change(&bare_handle, path.as_str(), content);
        let change = |content: Vec<u8>| -> Result<()> {
            let seen = store.read(&path)?;
            let mut operation = store.operation(Reason::new(Author::User, "bench"));
            operation.write(&path, seen, content);
            operation.commit()?;
            Ok(())
        };
        if round == 0 {
            // The first change makes folders and files that later ones find.
            floor(&content)?;
            change(content)?;
        } else {
            bare.take(|| floor(&content))?;
            ours.take(|| change(content))?;
        }
    }
    bare.report("change_floor");
    ours.report("change");
    Ok(())
}
