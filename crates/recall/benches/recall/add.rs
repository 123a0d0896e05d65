//! Adding a memory and finding it from another process, against the bare durable write.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use memdir_memory::MemoryPath;
use memdir_recall::{Finder, Question};
use memdir_store::{Author, Reason, Store, slug};

use crate::{Result, notes, report};

pub(crate) fn measure(files: usize, rounds: usize, memdir: &Path) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let home = folder.path().canonicalize()?;
    let memory = home.join("memory");
    // Where the program looks for the state of this directory.
    let store = Store::new(&memory, home.join("memdir").join(slug(&memory)));
    notes::plant(&memory, files)?;
    let finder = Finder::new(&store).with_everywhere(home.join("memdir/everywhere"));
    finder.reindex()?;
    notes::settle();
    finder.find(&Question::new("settled now"))?;

    let bare = home.join("bare");
    std::fs::create_dir(&bare)?;
    let (mut floor, mut ours) = (Vec::new(), Vec::new());
    for round in 0..=rounds {
        let content = notes::topic(files + round);
        let begun = Instant::now();
        durable_write(&bare, &format!("{round}.md"), content.as_bytes())?;
        let floor_taken = begun.elapsed();

        let begun = Instant::now();
        let path = MemoryPath::new(&format!("added_{round:04}.md"))?;
        let watch = finder.watch();
        let mut operation = store.operation(Reason::new(Author::User, "bench"));
        operation.write(&path, None, content.into_bytes());
        let outcome = operation.commit()?;
        let noted = finder.note(watch.as_ref(), &outcome.changed);
        let answer = Command::new(memdir)
            .env_clear()
            .env("MEMDIR_HOME", &home)
            .arg("--memory-dir")
            .arg(&memory)
            .args(["recall", "--always", "--json"])
            .arg(format!("added {round:04}"))
            .output()?;
        let taken = begun.elapsed();
        let text = String::from_utf8_lossy(&answer.stdout);
        if !noted || !text.contains(path.as_str()) {
            return Err(format!("{path} was not found (noted: {noted}): {text}").into());
        }
        if round > 0 {
            floor.push(floor_taken);
            ours.push(taken);
        }
    }
    let shares = [("median", 50), ("p90", 90)];
    report("add_floor", floor, &shares);
    report("add", ours, &shares);
    Ok(())
}

/// Writes a file under another name, syncs it, renames it and syncs the folder.
fn durable_write(folder: &Path, name: &str, content: &[u8]) -> Result<()> {
    let new = folder.join(".new");
    let mut file = File::create(&new)?;
    file.write_all(content)?;
    file.sync_all()?;
    std::fs::rename(new, folder.join(name))?;
    File::open(folder)?.sync_all()?;
    Ok(())
}
