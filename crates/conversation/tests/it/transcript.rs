//! Transcripts of every kind, read.

use std::fmt::Write as _;
use std::io::Cursor;

use memdir_conversation::transcript::{
    Format, Reading, Report, Span, conversation, detect, format_of,
};
use memdir_conversation::{Block, Conversation, Flattening, Kind, Message, Source, flatten, wire};

pub(crate) const CLAUDE_CODE: &str = include_str!("../data/claude-code.jsonl");
pub(crate) const COMPACTED: &str = include_str!("../data/claude-code-compacted.jsonl");
pub(crate) const CODEX: &str = include_str!("../data/codex.jsonl");
pub(crate) const GEMINI: &str = include_str!("../data/gemini.jsonl");
pub(crate) const ANTHROPIC: &str = include_str!("../data/anthropic.json");
pub(crate) const OPENAI: &str = include_str!("../data/openai.json");

pub(crate) fn read(text: &[u8], reading: &Reading) -> (Conversation, Report) {
    let format = detect(text).unwrap();
    conversation(format, Cursor::new(text), reading).unwrap()
}

/// A line a message, and what the reader had to say.
pub(crate) fn shown(text: &str, reading: &Reading) -> String {
    let (conversation, report) = read(text.as_bytes(), reading);
    let mut shown = String::new();
    for message in conversation.messages() {
        shown.push_str(&line(message));
    }
    for problem in &report.problems {
        let _ = writeln!(shown, "line {}: {}", problem.line, problem.trouble);
    }
    let skipped: Vec<String> = report
        .skipped
        .iter()
        .map(|(kind, count)| format!("{kind} {count}"))
        .collect();
    let _ = write!(
        shown,
        "{} lines, {} messages; skipped: {}; abandoned {}, sidechain {}",
        report.lines,
        report.messages,
        skipped.join(", "),
        report.abandoned,
        report.sidechain
    );
    shown
}

fn line(message: &Message) -> String {
    let source = match &message.source {
        Source::Boundary(boundary) => format!("{boundary:?}").replace("Boundary {", "{"),
        source => format!("{source:?}"),
    };
    let blocks: Vec<String> = message.blocks.iter().map(block).collect();
    let usage = message
        .usage
        .map(|usage| format!(" {}+{}", usage.prompt(), usage.output));
    format!(
        "{} {:?} {source}{} {}\n",
        message.id,
        message.role,
        usage.unwrap_or_default(),
        blocks.join(" | ")
    )
}

fn block(block: &Block) -> String {
    match block.kind() {
        Kind::Text => block
            .words()
            .unwrap_or_default()
            .into_owned()
            .replace('\n', "⏎"),
        Kind::ToolCall { name, .. } => format!("{name}({})", block.input().unwrap_or_default()),
        Kind::ToolResult { call, error } => {
            format!(
                "{call}{}{}",
                if *error { " failed: " } else { ": " },
                block.result_text()
            )
        }
        _ => block.json().to_owned(),
    }
}

#[test]
fn each_is_known_by_its_beginning() {
    let found = [CLAUDE_CODE, COMPACTED, CODEX, GEMINI, ANTHROPIC, OPENAI]
        .map(|text| detect(&text.as_bytes()[..120]).map(Format::name));
    insta::assert_debug_snapshot!(found, @r#"
    [
        Some(
            "claude-code",
        ),
        Some(
            "claude-code",
        ),
        Some(
            "codex",
        ),
        Some(
            "gemini",
        ),
        Some(
            "anthropic",
        ),
        Some(
            "openai",
        ),
    ]
    "#);
    assert_eq!(detect(b"[1, 2]"), None);
    assert_eq!(detect(b""), None);
    assert_eq!(format_of(&mut Cursor::new(CODEX)).unwrap(), Format::Codex);
}

#[test]
fn a_session_with_two_tools_at_once_a_prompt_taken_back_and_a_sub_agent() {
    insta::assert_snapshot!(shown(CLAUDE_CODE, &Reading::whole()), @r#"
    u1 User User count the bees
    a2 User Reminder(Context) <system-reminder>⏎Instructions: use tabs.⏎</system-reminder>
    a3 System Reminder(Memories(["/m/user_bees.md"])) <system-reminder>⏎Memory (saved yesterday): /m/user_bees.md:⏎Keeps bees.⏎</system-reminder>
    x1 Assistant Model 950+20 {"type":"thinking","thinking":"Two files.","signature":"c2ln"} | Read({"file_path":"/home/ada/hive/a.txt"}) | Bash({"command":"false"})
    a4 System Notice checked
    r1 User Tool toolu_1: 1	one bee
    a5 System Reminder(Context) <system-reminder>⏎after Read⏎</system-reminder>
    r2 User Tool toolu_2 failed: Exit code 1
    a6 User User and the queen
    x4 Assistant Model 950+9 One bee, one queen.
    n1 System Notice turn_duration
    20 lines, 11 messages; skipped: api-request-blob 1, last-prompt 1, queue-operation 1; abandoned 2, sidechain 1
    "#);
}

#[test]
fn a_sub_agent_is_read_when_asked_for() {
    let reading = Reading {
        span: Span::Whole,
        sidechains: true,
        ..Reading::default()
    };
    insta::assert_snapshot!(shown(CLAUDE_CODE, &reading), @"
    s1 User Reminder(Context) look for drones
    20 lines, 1 messages; skipped: api-request-blob 1, last-prompt 1, queue-operation 1; abandoned 0, sidechain 0
    ");
    let own: String = CLAUDE_CODE
        .lines()
        .filter(|line| line.contains("\"isSidechain\":true"))
        .collect();
    insta::assert_snapshot!(shown(&own, &Reading::default()), @"
    s1 User Reminder(Context) look for drones
    1 lines, 1 messages; skipped: ; abandoned 0, sidechain 0
    ");
}

#[test]
fn a_compacted_session_whole_and_as_the_model_sees_it() {
    insta::assert_snapshot!(shown(COMPACTED, &Reading::whole()), @r#"
    u1 User User my hive is blue
    x1 Assistant Model 950+20 Noted.
    u2 User User read the log
    x2 Assistant Model 950+20 Reading. | Read({"file_path":"/log"})
    r1 User Tool toolu_1: 1	all quiet
    n1 System Notice stop_hook_summary
    b1 System { trigger: Auto, tokens_before: Some(90000), tokens_after: Some(700), kept: [#x2, #r1, #n1], anchor: Some(#c1), after: Some(#n1) } 
    c1 User Summary Summary: the hive is blue.
    m1 User Reminder(Context) <local-command-caveat>below</local-command-caveat>
    f1 User Reminder(Restored("/log")) <system-reminder>⏎Called Read⏎</system-reminder> | <system-reminder>⏎all quiet⏎</system-reminder>
    u3 User User what colour?
    x4 Assistant Model 950+20 Blue.
    13 lines, 12 messages; skipped: ; abandoned 0, sidechain 0
    "#);
    insta::assert_snapshot!(shown(COMPACTED, &Reading::default()), @r#"
    x2 Assistant Model 950+20 Reading. | Read({"file_path":"/log"})
    r1 User Tool toolu_1: 1	all quiet
    n1 System Notice stop_hook_summary
    b1 System { trigger: Auto, tokens_before: Some(90000), tokens_after: Some(700), kept: [#x2, #r1, #n1], anchor: Some(#c1), after: Some(#n1) } 
    c1 User Summary Summary: the hive is blue.
    m1 User Reminder(Context) <local-command-caveat>below</local-command-caveat>
    f1 User Reminder(Restored("/log")) <system-reminder>⏎Called Read⏎</system-reminder> | <system-reminder>⏎all quiet⏎</system-reminder>
    u3 User User what colour?
    x4 Assistant Model 950+20 Blue.
    13 lines, 9 messages; skipped: ; abandoned 0, sidechain 0
    "#);
}

#[test]
fn both_spans_show_the_model_the_same() {
    for text in [CLAUDE_CODE, COMPACTED, CODEX, GEMINI, ANTHROPIC, OPENAI] {
        let seen = |reading: &Reading| {
            let (conversation, _) = read(text.as_bytes(), reading);
            let flat = flatten(&conversation.visible(), &Flattening::default());
            (wire::anthropic::messages(&flat, &[]), flat.repairs)
        };
        let (sent, repairs) = seen(&Reading::default());
        assert_eq!((sent, repairs.clone()), seen(&Reading::whole()));
        assert_eq!(repairs, []);
    }
}

#[test]
fn lines_that_follow_a_kept_one_stand_behind_the_boundary() {
    // What was kept is put behind the summary, so a client may go on from there.
    let text = COMPACTED.replace(r#"{"parentUuid":"c1""#, r#"{"parentUuid":"n1""#);
    let (conversation, report) = read(text.as_bytes(), &Reading::default());
    assert_eq!(report.problems, []);
    let ids: Vec<&str> = conversation
        .visible()
        .iter()
        .map(|message| message.id.as_str())
        .collect();
    assert_eq!(ids, ["c1", "x2", "r1", "m1", "f1", "u3", "x4"]);
}

#[test]
fn a_boundary_that_names_only_the_ends() {
    let start = COMPACTED.find(r#","preservedMessages""#).unwrap();
    let end = COMPACTED[start..].find(r#"}},"userType""#).unwrap() + start;
    let text = [&COMPACTED[..start], &COMPACTED[end + 1..]].concat();
    assert_eq!(
        shown(&text, &Reading::default()),
        shown(COMPACTED, &Reading::default())
    );
}

#[test]
fn a_rollout() {
    insta::assert_snapshot!(shown(CODEX, &Reading::whole()), @r#"
    msg_d System Reminder(Context) <permissions>all</permissions>
    msg_c User Reminder(Context) # AGENTS.md instructions for /home/ada/hive⏎⏎Use tabs. | <environment_context></environment_context>
    msg_u1 User User count the bees
    rs_1 Assistant Model 100+10 {"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"c2VjcmV0"} | shell({"command":["ls"]}) | apply_patch({"input":"*** Begin Patch"})
    line-10 User Tool call_1 failed: no such hive
    line-13 User Tool call_2: Done
    msg_a1 Assistant Model 150+5 Three.
    line-19 System { trigger: Auto, tokens_before: None, tokens_after: None, kept: [#msg_u1], anchor: None, after: None } 
    line-19.2 User Summary Another model began this. Its summary:⏎The hive holds three bees.
    line-20 User User and drones?
    line-21 Assistant Model None.
    21 lines, 11 messages; skipped: event_msg 1, session_meta 1; abandoned 2, sidechain 0
    "#);
    insta::assert_snapshot!(shown(CODEX, &Reading::default()), @"
    msg_u1 User User count the bees
    line-19 System { trigger: Auto, tokens_before: None, tokens_after: None, kept: [#msg_u1], anchor: None, after: None } 
    line-19.2 User Summary Another model began this. Its summary:⏎The hive holds three bees.
    line-20 User User and drones?
    line-21 Assistant Model None.
    21 lines, 5 messages; skipped: event_msg 1, session_meta 1; abandoned 2, sidechain 0
    ");
}

#[test]
fn a_chat() {
    insta::assert_snapshot!(shown(GEMINI, &Reading::whole()), @r#"
    g0 User Reminder(Context) <session_context>⏎It is Sunday.⏎</session_context>
    g1 User Reminder(Memories(["/m/a.md"])) <hook_context>Memory (saved today): /m/a.md:⏎Bees.</hook_context>
    g1.2 User User count the bees
    g1.3 User Reminder(Context) <hook_context>be brief</hook_context>
    g2 Assistant Model 100+15 {"type":"thought","subject":"Plan","description":"Read it."} | read_file({"file_path":"/a.txt"})
    g2.results User Tool read__1: one bee
    g4 Assistant Model 100+15 One.
    g6 System Notice Saved.
    line-12 System { trigger: Auto, tokens_before: None, tokens_after: None, kept: [#g4], anchor: Some(#g7), after: None } 
    g7 User Summary <state_snapshot>one bee</state_snapshot>
    g8 User User thanks
    13 lines, 11 messages; skipped: $set 1, header 1; abandoned 0, sidechain 0
    "#);
    insta::assert_snapshot!(shown(GEMINI, &Reading::default()), @"
    g4 Assistant Model 100+15 One.
    line-12 System { trigger: Auto, tokens_before: None, tokens_after: None, kept: [#g4], anchor: Some(#g7), after: None } 
    g7 User Summary <state_snapshot>one bee</state_snapshot>
    g8 User User thanks
    13 lines, 4 messages; skipped: $set 1, header 1; abandoned 0, sidechain 0
    ");
}

#[test]
fn a_chat_of_old_is_one_json_text() {
    let text = "{\n \"sessionId\": \"8ff0\",\n \"projectHash\": \"26b6\",\n \"messages\": [\n  {\"id\": \"g1\", \"type\": \"user\", \"content\": \"hello\"}\n ]\n}";
    insta::assert_snapshot!(shown(text, &Reading::default()), @"
    g1 User User hello
    1 lines, 1 messages; skipped: ; abandoned 0, sidechain 0
    ");
}

#[test]
fn a_request() {
    insta::assert_snapshot!(shown(ANTHROPIC, &Reading::default()), @r#"
    m1-50149982 User Reminder(Context) <system-reminder>⏎Use tabs.⏎</system-reminder>
    m1-50149982.2 User User count the bees
    m2-8f033757 Assistant Model Reading. | Read({
          "file_path": "/a"
         })
    m3-9c99192f User Tool toolu_1: one bee
    m3-9c99192f.2 User User and drones?
    m4-05e1bd29 System Reminder(Context) It is Sunday.
    m5-583a6790 Assistant Model None.
    5 lines, 7 messages; skipped: ; abandoned 0, sidechain 0
    "#);
    let (_, report) = read(ANTHROPIC.as_bytes(), &Reading::default());
    assert_eq!(report.system.as_deref(), Some("\"Be brief.\""));
    assert!(report.tools.unwrap().contains("Read"));
}

#[test]
fn messages_of_chat_completions_go_back_byte_for_byte() {
    insta::assert_snapshot!(shown(OPENAI, &Reading::default()), @r#"
    m1-46dc4df9 System Reminder(Context) Be brief.
    m2-72b588c8 User User what is this? | {"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBO"}}
    m3-f6477fd9 Assistant Model read({"path": "/a"})
    m4-10bfaa93 User Tool call_1: one bee
    m5-39bc87cf Assistant Model A bee.
    5 lines, 5 messages; skipped: ; abandoned 0, sidechain 0
    "#);
    let (conversation, _) = read(OPENAI.as_bytes(), &Reading::default());
    let how = Flattening {
        system_messages: true,
        ..Flattening::default()
    };
    let sent = wire::openai::messages(&flatten(&conversation.visible(), &how));
    for message in conversation.messages() {
        if message.source == Source::Model {
            assert!(
                sent.contains(&*message.wire.as_ref().unwrap().json),
                "{sent}"
            );
        }
    }
}
