//! Reading only what was said, which leaves out most of a file.

use memdir_conversation::transcript::Reading;
use memdir_conversation::{Block, Kind, Message, Source};

use crate::transcript::{ANTHROPIC, CLAUDE_CODE, CODEX, COMPACTED, GEMINI, OPENAI, read};

/// What the user said, and the calls that change files.
fn said(text: &str, reading: &Reading) -> Vec<String> {
    let (conversation, _) = read(text.as_bytes(), reading);
    let writes = |block: &&Block| matches!(block.kind(), Kind::ToolCall { name, .. } if ["Write", "Edit", "apply_patch", "write_file"].contains(&&**name));
    let line = |message: &Message| match message.source {
        Source::User => vec![format!("{} {}", message.id, message.words())],
        _ => message
            .blocks
            .iter()
            .filter(writes)
            .map(|block| block.json().to_string())
            .collect(),
    };
    conversation.messages().iter().flat_map(line).collect()
}

#[test]
fn nothing_that_was_said_or_written_is_left_out() {
    for file in [CLAUDE_CODE, COMPACTED, CODEX, GEMINI, ANTHROPIC, OPENAI] {
        let whole = said(file, &Reading::whole());
        assert!(!whole.is_empty());
        assert_eq!(said(file, &Reading::speech()), whole);
    }
}

#[test]
fn results_of_tools_are() {
    let results = |reading: &Reading| {
        let (conversation, _) = read(CLAUDE_CODE.as_bytes(), reading);
        let tools = conversation
            .messages()
            .iter()
            .filter(|message| message.source == Source::Tool);
        tools.count()
    };
    assert!(results(&Reading::whole()) > 0);
    assert_eq!(results(&Reading::speech()), 0);
}
