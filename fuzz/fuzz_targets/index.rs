//! Any bytes as an index: nothing panics, the limits hold, and edits keep to their own lines.

#![no_main]

use libfuzzer_sys::fuzz_target;
use memdir_memory::{Index, MemoryPath, index};

fuzz_target!(|bytes: &[u8]| {
    let parsed = Index::parse(bytes);
    assert_eq!(parsed.bytes(), bytes);
    parsed.problems();

    let loaded = index::load(bytes);
    assert!(loaded.text.len() <= index::MAX_BYTES);
    assert_eq!(loaded.warning.is_some(), loaded.text.len() < loaded.bytes);

    let target = MemoryPath::new("a.md").expect("a plain name");
    let moved = MemoryPath::new("b (1).md").expect("a plain name");
    let with = parsed.with_entry("Title", &target, "hook");
    let entry = with.entry(&target).expect("the entry that was put in");
    assert_eq!((&*entry.title, entry.hook.as_deref()), ("Title", Some("hook")));
    assert!(with.entries().len() <= parsed.entries().len() + 1);
    assert_eq!(with.with_entry("Title", &target, "hook"), with);

    let retargeted = with.retarget(&target, &moved);
    assert_eq!(retargeted.entries().len(), with.entries().len());
    assert_eq!(retargeted.entry(&target), None);
    let without = with.without_target(&target);
    assert_eq!(without.entry(&target), None);
    if parsed.entry(&target).is_none() && !bytes.is_empty() {
        assert_eq!(without.bytes(), bytes);
    }
    for entry in parsed.entries() {
        let _ = entry.path();
    }
});
