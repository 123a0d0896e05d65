//! A compaction by another client, as its hooks tell of it.

use serde_json::json;

use crate::fixture::Fixture;
use crate::hook::Talk;

#[test]
fn a_compaction_that_is_begun_twice_at_once_has_its_words_each_time() {
    let fixture = Fixture::with_some();
    let talk = Talk::new(&fixture, "talk");
    talk.prompt("May I push to main on a Friday?");
    let compact = json!({"trigger": "auto", "custom_instructions": ""});
    // The first is given up, the second is the one that is made.
    for _ in 0..3 {
        let outcome = talk.fire("PreCompact", compact.clone());
        assert!(outcome.stdout().contains("Keep word for word"), "{outcome}");
        assert!(
            outcome.stdout().contains("feedback_no_push_on_friday.md"),
            "{outcome}"
        );
    }
}
