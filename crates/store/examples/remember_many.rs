//! Saves one memory after another, each with its index line as one operation, and says which were acknowledged.
//!
//! `cargo xtask faults writers` runs sixteen of these at once on one directory.

#![allow(clippy::print_stdout, reason = "a program that prints what it did")]

use std::error::Error;

use memdir_memory::{INDEX_NAME, Index, MemoryPath, MemoryType, NewTopic, Source, Topic};
use memdir_store::{Author, Reason, Store};

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [memory, state, count, marks] = words.as_slice() else {
        return Err("usage: remember_many MEMORY STATE COUNT MARK".into());
    };
    let store = Store::new(memory, state);
    let index = MemoryPath::new(INDEX_NAME)?;
    for number in 0..count.parse::<usize>()? {
        let mark = format!("{marks}r{number:04}");
        let path = MemoryPath::new(&format!("reference_drawer_{mark}.md"))?;
        let fact = format!("Drawer {mark} holds the plans of house {number}");
        let topic = Topic::compose(&NewTopic {
            name: &mark,
            description: &fact,
            memory_type: MemoryType::Reference,
            source: Source::User,
            expires: None,
            metadata: &[],
            body: &fact,
        });
        let mut operation = store.operation(Reason::new(Author::User, "remember"));
        operation.write(&path, None, topic.into_bytes());
        operation.update(&index, |current| {
            let index = Index::parse(current.unwrap_or_default());
            Some(index.with_entry(&mark, &path, &fact).into_bytes())
        });
        operation.commit()?;
        println!("{mark}");
    }
    Ok(())
}
