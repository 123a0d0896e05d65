//! Writes one memory after another into a folder of a memory directory, and counts how that went.
//!
//! `cargo xtask faults swap` runs it while the folder is swapped for a link to the outside.

#![allow(clippy::print_stdout, reason = "a program that prints figures")]

use std::error::Error;

use memdir_memory::MemoryPath;
use memdir_store::{Author, Reason, Store};

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [memory, state, folder, count] = words.as_slice() else {
        return Err("usage: write_many MEMORY STATE FOLDER COUNT".into());
    };
    let store = Store::new(memory, state);
    let (mut written, mut refused) = (0_usize, 0_usize);
    for number in 0..count.parse()? {
        let number: usize = number;
        let path = MemoryPath::new(&format!("{folder}/topic-{}.md", number % 100))?;
        let content = format!("Line {number} of a memory that must stay inside.\n");
        let done = store.read(&path).and_then(|seen| {
            let mut operation = store.operation(Reason::new(Author::User, "write many"));
            operation.write(&path, seen, content.into_bytes());
            operation.commit()
        });
        match done {
            Ok(_) => written += 1,
            Err(_) => refused += 1,
        }
    }
    println!("written {written}\nrefused {refused}");
    Ok(())
}
