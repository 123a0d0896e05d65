//! Transcripts of our own: what is written is read back.

use std::io::Cursor;

use memdir_conversation::transcript::{Format, Reading, Writer, conversation, detect};
use memdir_conversation::wire::{Api, Wire};
use memdir_conversation::{
    Block, Boundary, Flattening, Message, MessageId, Reminded, Role, Source, Trigger, Usage,
    flatten, wire,
};
use proptest::prelude::*;

const NOW: &str = "2026-11-15T12:00:00Z";

fn written(messages: &[Message]) -> String {
    let mut writer = Writer::new(
        "5d1c4e3a-0000-4000-8000-000000000000",
        "/home/ada/hive",
        "1.0.0",
    );
    let now = NOW.parse().unwrap();
    messages
        .iter()
        .map(|message| writer.lines(message, now))
        .collect()
}

#[test]
fn a_conversation_in_the_form_of_claude_code() {
    let call = Block::tool_call("toolu_1", "Read", r#"{"file_path":"/a"}"#).unwrap();
    let mut reply = Message::assistant("2", vec![Block::text("Reading."), call]);
    reply.model = Some("claude-opus-5-5".into());
    reply.usage = Some(Usage {
        input: 5,
        cache_read: 3,
        cache_write: 2,
        output: 7,
    });
    let boundary = Boundary {
        trigger: Trigger::Manual,
        tokens_before: Some(9_000),
        kept: vec![MessageId::new("2"), MessageId::new("3")],
        anchor: Some(MessageId::new("5")),
        after: Some(MessageId::new("3")),
        ..Boundary::default()
    };
    let messages = [
        Message::user("1", "look"),
        reply,
        Message::results("3", vec![Block::tool_result("toolu_1", "bees", false)]),
        Message::new(
            "4",
            Role::System,
            Source::Boundary(Box::new(boundary)),
            Vec::new(),
        ),
        Message::new(
            "5",
            Role::User,
            Source::Summary,
            vec![Block::text("They looked.")],
        ),
        Message::reminder("6", Reminded::Memories(vec!["/m/a.md".into()]), "Memory"),
        Message::new(
            "7",
            Role::System,
            Source::Notice,
            vec![Block::text("saved")],
        ),
    ];
    let text = written(&messages);
    assert_eq!(detect(text.as_bytes()), Some(Format::ClaudeCode));
    insta::assert_snapshot!(text, @r#"
    {"parentUuid":null,"isSidechain":false,"type":"user","message":{"role":"user","content":"look"},"promptSource":"typed","origin":{"kind":"human"},"uuid":"1","timestamp":"2026-11-15T12:00:00Z","userType":"external","entrypoint":"memdir","cwd":"/home/ada/hive","sessionId":"5d1c4e3a-0000-4000-8000-000000000000","version":"1.0.0","memdir":{"source":"user","role":"user"}}
    {"parentUuid":"1","isSidechain":false,"type":"assistant","message":{"id":"msg_2","type":"message","role":"assistant","model":"claude-opus-5-5","content":[{"type":"text","text":"Reading."}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":5,"cache_creation_input_tokens":2,"cache_read_input_tokens":3,"output_tokens":7}},"uuid":"2","timestamp":"2026-11-15T12:00:00Z","userType":"external","entrypoint":"memdir","cwd":"/home/ada/hive","sessionId":"5d1c4e3a-0000-4000-8000-000000000000","version":"1.0.0"}
    {"parentUuid":"2","isSidechain":false,"type":"assistant","message":{"id":"msg_2","type":"message","role":"assistant","model":"claude-opus-5-5","content":[{"type":"tool_use","id":"toolu_1","name":"Read","input":{"file_path":"/a"}}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":5,"cache_creation_input_tokens":2,"cache_read_input_tokens":3,"output_tokens":7}},"uuid":"a68c970c-658b-8822-836d-bc7924a207c8","timestamp":"2026-11-15T12:00:00Z","userType":"external","entrypoint":"memdir","cwd":"/home/ada/hive","sessionId":"5d1c4e3a-0000-4000-8000-000000000000","version":"1.0.0"}
    {"parentUuid":"a68c970c-658b-8822-836d-bc7924a207c8","isSidechain":false,"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"bees"}]},"uuid":"3","timestamp":"2026-11-15T12:00:00Z","userType":"external","entrypoint":"memdir","cwd":"/home/ada/hive","sessionId":"5d1c4e3a-0000-4000-8000-000000000000","version":"1.0.0","memdir":{"source":"tool","role":"user"}}
    {"parentUuid":null,"logicalParentUuid":"3","isSidechain":false,"type":"system","subtype":"compact_boundary","content":"Conversation compacted","level":"info","compactMetadata":{"trigger":"manual","preTokens":9000,"preservedSegment":{"headUuid":"2","anchorUuid":"5","tailUuid":"3"},"preservedMessages":{"anchorUuid":"5","uuids":["2","a68c970c-658b-8822-836d-bc7924a207c8","3"],"allUuids":["2","a68c970c-658b-8822-836d-bc7924a207c8","3"]}},"uuid":"4","timestamp":"2026-11-15T12:00:00Z","userType":"external","entrypoint":"memdir","cwd":"/home/ada/hive","sessionId":"5d1c4e3a-0000-4000-8000-000000000000","version":"1.0.0"}
    {"parentUuid":"4","isSidechain":false,"type":"user","message":{"role":"user","content":"They looked."},"isCompactSummary":true,"isVisibleInTranscriptOnly":true,"uuid":"5","timestamp":"2026-11-15T12:00:00Z","userType":"external","entrypoint":"memdir","cwd":"/home/ada/hive","sessionId":"5d1c4e3a-0000-4000-8000-000000000000","version":"1.0.0","memdir":{"source":"summary","role":"user"}}
    {"parentUuid":"5","isSidechain":false,"type":"user","message":{"role":"user","content":"Memory"},"isMeta":true,"uuid":"6","timestamp":"2026-11-15T12:00:00Z","userType":"external","entrypoint":"memdir","cwd":"/home/ada/hive","sessionId":"5d1c4e3a-0000-4000-8000-000000000000","version":"1.0.0","memdir":{"source":"reminder","role":"user","about":"memories","paths":["/m/a.md"]}}
    {"parentUuid":"6","isSidechain":false,"type":"system","subtype":"informational","content":"saved","level":"info","uuid":"7","timestamp":"2026-11-15T12:00:00Z","userType":"external","entrypoint":"memdir","cwd":"/home/ada/hive","sessionId":"5d1c4e3a-0000-4000-8000-000000000000","version":"1.0.0","memdir":{"source":"notice","role":"system"}}
    "#);
}

fn block() -> impl Strategy<Value = Block> {
    prop_oneof![
        ".{0,12}".prop_map(|text| Block::text(&text)),
        Just(Block::from_json(r#"{"text": "spaced",  "type": "text", "cache_control": {"type":"ephemeral"}}"#).unwrap()),
        Just(Block::from_json(r#"{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBO"}}"#).unwrap()),
        Just(Block::from_json(r#"{"type":"novelty","of":"next year"}"#).unwrap()),
    ]
}

/// A message of every kind; tool calls have ids of their own.
fn message() -> impl Strategy<Value = (Role, Source, Vec<Block>, bool)> {
    let blocks = || prop::collection::vec(block(), 0..4);
    let paths = || prop::collection::vec("[a-z/]{1,8}", 0..3);
    let about = prop_oneof![
        Just(Reminded::Context),
        paths().prop_map(Reminded::Memories),
        paths().prop_map(Reminded::Rules),
        "[a-z/]{1,8}".prop_map(Reminded::Restored),
    ];
    prop_oneof![
        3 => blocks().prop_map(|blocks| (Role::User, Source::User, blocks, false)),
        4 => blocks().prop_map(|blocks| (Role::Assistant, Source::Model, blocks, true)),
        2 => blocks().prop_map(|blocks| (Role::User, Source::Tool, blocks, false)),
        1 => (about, blocks(), any::<bool>()).prop_map(|(about, blocks, system)| {
            let role = if system { Role::System } else { Role::User };
            (role, Source::Reminder(about), blocks, false)
        }),
        1 => blocks().prop_map(|blocks| (Role::User, Source::Summary, blocks, false)),
        1 => (blocks(), any::<bool>()).prop_map(|(blocks, model)| {
            let role = if model { Role::Assistant } else { Role::System };
            (role, Source::Notice, blocks, false)
        }),
        1 => (any::<Option<u32>>(), any::<Option<u32>>(), 0..3_u8).prop_map(|(before, after, trigger)| {
            let boundary = Boundary {
                trigger: [Trigger::Auto, Trigger::Manual, Trigger::TooLong][usize::from(trigger)],
                tokens_before: before.map(u64::from),
                tokens_after: after.map(u64::from),
                ..Boundary::default()
            };
            (Role::System, Source::Boundary(Box::new(boundary)), Vec::new(), false)
        }),
    ]
}

/// A conversation in which boundaries keep messages from before, and each message follows the one before.
fn messages() -> impl Strategy<Value = Vec<Message>> {
    let one = (message(), any::<bool>(), any::<u16>(), any::<u64>());
    prop::collection::vec(one, 0..12).prop_map(|parts| {
        let mut messages: Vec<Message> = Vec::new();
        for (number, ((role, source, mut blocks, model), wired, bits, tokens)) in
            parts.into_iter().enumerate()
        {
            if model && wired {
                blocks.push(Block::tool_call(&format!("toolu_{number}"), "Read", "{}").unwrap());
            }
            let mut message = Message::new(&format!("id-{number}"), role, source, blocks);
            message.at = Some(NOW.parse().unwrap());
            if let Source::Boundary(boundary) = &mut message.source {
                let kept = messages
                    .iter()
                    .enumerate()
                    .filter(|(place, _)| bits >> (place % 16) & 1 == 1);
                boundary.kept = kept.map(|(_, message)| message.id.clone()).collect();
                boundary.after = messages.last().map(|message| message.id.clone());
            } else {
                message.parent = messages.last().map(|message| message.id.clone());
            }
            if model {
                message.model = wired.then(|| "claude-opus-5-5".into());
                message.usage = wired.then_some(Usage {
                    input: tokens,
                    cache_read: 1,
                    cache_write: 2,
                    output: 3,
                });
                let json = r#"{"role":"assistant",  "content":"spaced"}"#;
                message.wire = (bits & 1 == 1).then(|| Wire {
                    api: Api::OpenAi,
                    json: json.into(),
                });
            }
            messages.push(message);
        }
        // The summary that a boundary is followed by is where the kept ones go.
        for place in 0..messages.len() {
            let next = messages
                .get(place + 1)
                .filter(|next| next.source == Source::Summary);
            let anchor = next.map(|next| next.id.clone());
            if let Source::Boundary(boundary) = &mut messages[place].source {
                boundary.anchor = anchor;
            }
        }
        messages
    })
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(messages in messages()) {
        let text = written(&messages);
        let (read, report) = conversation(Format::ClaudeCode, Cursor::new(&text), &Reading::whole()).unwrap();
        prop_assert_eq!(read.messages(), &messages[..], "{}", text);
        prop_assert_eq!(report.problems, []);
        let (visible, _) = conversation(Format::ClaudeCode, Cursor::new(&text), &Reading::default()).unwrap();
        let sent = |conversation: &memdir_conversation::Conversation| {
            wire::anthropic::messages(&flatten(&conversation.visible(), &Flattening::default()), &[])
        };
        prop_assert_eq!(sent(&visible), sent(&read));
    }

    /// A host that starts anew goes on where it was.
    #[test]
    fn a_writer_may_be_started_anew(messages in messages(), at in any::<prop::sample::Index>()) {
        let whole = written(&messages);
        let place = at.index(messages.len() + 1);
        let mut text = written(&messages[..place]);
        let mut writer = Writer::new("5d1c4e3a-0000-4000-8000-000000000000", "/home/ada/hive", "1.0.0");
        messages[..place].iter().for_each(|message| writer.resume(message));
        for message in &messages[place..] {
            text.push_str(&writer.lines(message, NOW.parse().unwrap()));
        }
        prop_assert_eq!(text, whole);
    }
}

#[test]
fn json_over_many_lines_is_written_on_one() {
    let block = Block::from_json("{\n  \"type\": \"text\",\n  \"text\": \"a\\nb\"\n}").unwrap();
    let text = written(&[Message::new("1", Role::User, Source::User, vec![block])]);
    assert_eq!(text.lines().count(), 1);
    let (read, _) =
        conversation(Format::ClaudeCode, Cursor::new(text), &Reading::default()).unwrap();
    assert_eq!(read.messages()[0].words(), "a\nb");
}
