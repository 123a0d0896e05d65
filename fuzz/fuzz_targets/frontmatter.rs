//! Any bytes as a topic file: nothing panics, nothing is lost, and what an edit sets is read back.

#![no_main]

use libfuzzer_sys::fuzz_target;
use memdir_memory::{Header, MemoryType, Topic, links};

fuzz_target!(|bytes: &[u8]| {
    let topic = Topic::parse(bytes);
    assert_eq!(topic.bytes(), bytes);
    assert_eq!(topic.header(), &Header::read(bytes));
    topic.problems();
    links(&topic.body_text());

    // A block that is said to be enough must be enough.
    let block = &bytes[..bytes.len().min(64)];
    if !Header::is_cut_off(block) {
        assert_eq!(Header::read(block), Header::read(bytes));
    }

    let value = "a: \"b\" # c";
    let edits = [
        topic.with_name(value),
        topic.with_description(value),
        topic.with_type(MemoryType::Project),
        topic.with_metadata("evidence", value),
    ];
    for edited in edits.into_iter().flatten() {
        assert!(edited.bytes().ends_with(topic.body()));
        assert!(edited.bytes().len() > topic.body().len());
    }
    if let Ok(edited) = topic.with_metadata("evidence", value) {
        assert_eq!(edited.metadata("evidence").as_deref(), Some(value));
        let removed = edited.without_metadata("evidence").expect("what was set can be removed");
        assert_eq!(removed.metadata("evidence"), None);
    }
    let body = b"New body.\n";
    let replaced = topic.with_body(body);
    assert_eq!(replaced.body(), body);
    assert_eq!(replaced.header(), topic.header());
});
