//! Histories that broke other clients, each under the name of its report.

use memdir_context::compaction::{Instructions, WrittenNotes, summed_up, with_notes};
use memdir_context::{KeptLimits, Limits};
use memdir_conversation::{
    Block, Conversation, Edits, Flattening, Message, MessageId, flatten, wire,
};
use memdir_testkit::oracle::{anthropic, openai};
use serde_json::{Value, json};

use super::{Scripted, conversation, read, situation, usual};

/// Sizes at which every message counts.
fn tight() -> Limits {
    let kept = KeptLimits {
        least: 1,
        messages: 1,
        most: 1_000,
    };
    Limits { kept, ..usual() }
}

fn valid(conversation: &Conversation) {
    let visible = conversation.visible();
    let flat = flatten(&visible, &Flattening::default());
    let messages: Value = serde_json::from_str(&wire::anthropic::messages(&flat, &[])).unwrap();
    let request = json!({"model": "claude-opus-4-8", "max_tokens": 1000, "messages": messages});
    assert_eq!(anthropic::check(&request), [], "{request:#}");
    let messages: Value = serde_json::from_str(&wire::openai::messages(&flat)).unwrap();
    let request = json!({"model": "gpt-5.6", "messages": messages});
    assert_eq!(openai::check(&request), [], "{request:#}");
}

fn with_notes_up_to(conversation: &mut Conversation, covered: &str, number: usize) {
    let (edits, limits) = (Edits::new(), tight());
    let before = conversation.clone();
    let covered = MessageId::new(covered);
    let notes = WrittenNotes {
        text: "Notes.",
        cut: &[],
        bare: false,
        covered: Some(&covered),
    };
    let done = with_notes(&situation(&before, &edits, &limits), Some(notes), false).unwrap();
    done.append_to(conversation, &format!("b{number}"), &format!("s{number}"))
        .unwrap();
    valid(conversation);
}

fn summed(conversation: &mut Conversation, number: usize) {
    let (edits, limits) = (Edits::new(), tight());
    let before = conversation.clone();
    let done = summed_up(
        &situation(&before, &edits, &limits),
        Instructions::default(),
        &mut Scripted::default(),
    );
    done.unwrap()
        .compacted
        .append_to(conversation, &format!("b{number}"), &format!("s{number}"))
        .unwrap();
    valid(conversation);
}

/// The cut fell between a call and its result: the result stayed without its call.
#[test]
fn openclaw_8525_and_16095_a_result_whose_call_was_summed_up() {
    for covered in ["a-call", "a-result", "b-call", "b-result"] {
        let mut messages = vec![Message::user("1", "look")];
        messages.extend(read("a", 5));
        messages.extend(read("b", 5));
        let mut conversation = conversation(messages);
        with_notes_up_to(&mut conversation, covered, 1);
        let visible = conversation.visible();
        let flat = flatten(&visible, &Flattening::default());
        assert_eq!(flat.repairs, [], "covered up to {covered}");
    }
}

/// The second compaction cut into what the first had kept.
#[test]
fn pi_4570_a_compaction_behind_a_compaction() {
    let mut messages = vec![Message::user("1", "look")];
    messages.extend(read("a", 5));
    messages.extend(read("b", 5));
    let mut conversation = conversation(messages);
    with_notes_up_to(&mut conversation, "b-result", 1);
    for message in read("c", 5) {
        conversation.append(message).unwrap();
    }
    with_notes_up_to(&mut conversation, "b-result", 2);
    summed(&mut conversation, 3);
    for message in read("d", 5) {
        conversation.append(message).unwrap();
    }
    summed(&mut conversation, 4);
    let visible = conversation.visible();
    assert_eq!(flatten(&visible, &Flattening::default()).repairs, []);
}

/// Words of the user stood before the results in one message.
#[test]
fn codewhale_6119_words_and_results_in_one_message() {
    let call = |id: &str| Block::tool_call(id, "Read", "{}").unwrap();
    let mut conversation = conversation(vec![
        Message::user("1", "look"),
        Message::assistant("2", vec![Block::text("both"), call("a"), call("b")]),
        Message::results(
            "3",
            vec![
                Block::text("wait"),
                Block::tool_result("b", "two", false),
                Block::text("and"),
                Block::tool_result("a", "one", false),
            ],
        ),
    ]);
    valid(&conversation);
    summed(&mut conversation, 1);
    assert!(
        wire::anthropic::messages(
            &flatten(&conversation.visible(), &Flattening::default()),
            &[]
        )
        .contains("wait")
    );
}

/// A call was interrupted and has no result; the user went on.
#[test]
fn open_harness_191_a_call_without_a_result() {
    let call = Block::tool_call("a", "Bash", r#"{"command":"sleep 9"}"#).unwrap();
    let mut conversation = conversation(vec![
        Message::user("1", "look"),
        Message::assistant("2", vec![call]),
        Message::user("3", "stop"),
    ]);
    valid(&conversation);
    summed(&mut conversation, 1);
}

/// The same id twice, with thinking, and a result of neither.
#[test]
fn opencode_claude_auth_263_one_id_twice_and_an_orphan_beside_thinking() {
    let thinking =
        Block::from_json(r#"{"type":"thinking","thinking":"t","signature":"s"}"#).unwrap();
    let call = || Block::tool_call("a", "Read", "{}").unwrap();
    let mut conversation = conversation(vec![
        Message::user("1", "look"),
        Message::assistant("2", vec![thinking.clone(), call()]),
        Message::results("3", vec![Block::tool_result("a", "one", false)]),
        Message::assistant("4", vec![thinking, call()]),
        Message::results(
            "5",
            vec![
                Block::tool_result("a", "two", false),
                Block::tool_result("lost", "x", false),
            ],
        ),
    ]);
    valid(&conversation);
    with_notes_up_to(&mut conversation, "5", 1);
    summed(&mut conversation, 2);
}
