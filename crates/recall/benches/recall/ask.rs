//! Questions in one process, the index open.

use std::time::Instant;

use memdir_recall::{Finder, Question};
use memdir_store::Store;

use crate::{Result, notes, report};

pub(crate) fn measure(files: usize, questions: usize) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let store = Store::new(folder.path().join("memory"), folder.path().join("state"));
    notes::plant(store.memory_directory(), files)?;
    let finder = Finder::new(&store);
    finder.reindex()?;
    notes::settle();
    let mut open = finder.open();
    let mut times = Vec::new();
    for number in 0..=questions {
        let query = notes::question(number);
        let begun = Instant::now();
        let answer = open.find(&Question::new(&query))?;
        let taken = begun.elapsed();
        if answer.memories != u32::try_from(files)? {
            return Err(format!("{} of {files} memories are indexed", answer.memories).into());
        }
        // The first lists the folder once more, because it was planted just now.
        if number > 0 {
            times.push(taken);
        }
    }
    report("ask", times, &[("median", 50), ("p90", 90), ("p99", 99)]);
    Ok(())
}
