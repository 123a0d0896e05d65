//! Gemini CLI, as far as it goes without a terminal: there is no compaction to ask for.

use anyhow::Result;
use memdir_testkit::Program;
use serde_json::json;

use super::promises::{Promises, that};
use super::stage::{Ground, Stage, text};

const TEACHING: &str = "Remember: never push to main on a Friday.";
const ASKING: &str = "May I push to main on Friday evening?";
const SECTION: &str = "# auto memory";
const RECALLED: &str = "Memory (saved ";
const MEMORY: &str = "feedback_never_push_main_friday.md";
const SETTINGS: &str = "{\n\t// mine\n\t\"security\": { \"auth\": { \"selectedType\": \"gemini-api-key\" } },\n\t\"general\": { \"enableAutoUpdate\": false },\n\t\"privacy\": { \"usageStatisticsEnabled\": false } // none\n}\n";
const EVENTS: [&str; 6] = [
    "AfterAgent",
    "AfterTool",
    "BeforeAgent",
    "BeforeTool",
    "SessionEnd",
    "SessionStart",
];

fn gemini(stage: &Stage<'_>, prompt: &str, more: &[&str]) -> Program {
    let program = stage.client("gemini").args(["-p", prompt]).args(more);
    program.args(["--model", "gemini-2.5-flash", "--output-format", "json"])
}

pub(super) fn run(ground: &Ground, promises: &mut Promises) -> Result<()> {
    let stage = Stage::new(ground, "gemini")?;
    stage.write(".gemini/settings.json", SETTINGS)?;
    stage.connect("gemini", &[])?;
    stage.script(json!([{"reply": [{"text": "I will keep that in mind."}]}]))?;
    let talk = stage.talk(&gemini(&stage, TEACHING, &[]))?;
    promises.hold("a conversation takes place", talk.ended());
    promises.hold("memory is explained in the request, once", {
        talk.last().and_then(|request| request.says(SECTION, 1))
    });
    stage.settle(0)?;
    let memories = stage.memories()?;
    promises.hold(
        "what the user said is a memory when the conversation is over",
        {
            that(memories.contains(MEMORY), || {
                format!("{memories}\n{}", stage.diagnosis())
            })
        },
    );
    let talk = stage.talk(&gemini(&stage, ASKING, &[]))?;
    promises.hold(
        "the next conversation is given the memory, once, beside the message",
        talk.last().and_then(|request| request.says(RECALLED, 1)),
    );
    promises.hold("the index is sent once", {
        let line = format!("]({MEMORY})");
        talk.last().and_then(|request| request.says(&line, 1))
    });
    // It brings a conversation back without the messages that hooks added words to, and these words are said anew.
    let again = stage.talk(&gemini(&stage, ASKING, &["--resume", "latest"]))?;
    promises.hold(
        "a resumed conversation has everything, and nothing twice",
        {
            let once = |words| again.last().and_then(|request| request.says(words, 1));
            once(RECALLED).and(once(SECTION))
        },
    );
    let written = stage.sandbox.project().join("dates.txt");
    let notes = stage.sandbox.project().join("notes.txt");
    stage.script(json!([
        {"times": 1, "reply": [{"tool": "read_file", "input": {"file_path": text(&notes)?}}]},
        {"times": 1, "reply": [{"tool": "write_file", "input": {
            "file_path": text(&written)?,
            "content": "Dates are read as days.\n"
        }}]},
        {"times": 1, "reply": [{"tool": "mcp_memdir_recall", "input": {"query": "pushing to main on Friday"}}]},
        {"reply": [{"text": "Done."}]}
    ]))?;
    let talk = stage.talk(&gemini(
        &stage,
        "Read notes.txt, please.",
        &["--approval-mode", "yolo"],
    ))?;
    promises.hold("a tool runs and its result is sent", {
        talk.saying("The importer reads CSV").map(|_| ())
    });
    promises.hold("a tool that writes outside of memory is left alone", {
        that(written.exists(), || format!("{}", talk.outcome))
    });
    promises.hold(
        "the tools of the MCP server are offered, and one answers",
        {
            talk.last().and_then(|request| {
                let tools = request.tools();
                let offered = tools.iter().any(|tool| tool == "mcp_memdir_recall");
                that(offered, || format!("{tools:?}\n{}", talk.outcome))
                    .and(request.answers(MEMORY))
            })
        },
    );
    promises.hold("every event that memdir asked for was fired", {
        let fired = stage.fired("gemini");
        that(fired == EVENTS, || format!("{fired:?}"))
    });
    promises.hold(
        "the doctor finds the connection proven",
        stage.proven("Gemini CLI"),
    );
    promises.hold("no process of memdir is left over", stage.no_strays());
    promises.hold("nothing went wrong in a hook", {
        let log = stage.read(".claude/memdir/hooks.log");
        that(log.is_empty(), || log)
    });
    stage.memdir(&["uninstall", "gemini", "--yes"])?;
    promises.hold(
        "after uninstall the settings are what they were, byte for byte",
        {
            let after = stage.read(".gemini/settings.json");
            that(after == SETTINGS, || after)
        },
    );
    Ok(())
}
