//! opencode, through its plugin.

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
const EVENTS: [&str; 5] = [
    "PostToolUse",
    "PreToolUse",
    "SessionStart",
    "Stop",
    "UserPromptSubmit",
];

fn settings(url: &str) -> String {
    format!(
        "{{\n  \"$schema\": \"https://opencode.ai/config.json\",\n  // mine\n  \"model\": \"local/model\",\n  \"permission\": \"allow\",\n  \"provider\": {{\n    \"local\": {{\n      \"npm\": \"@ai-sdk/openai-compatible\",\n      \"options\": {{ \"baseURL\": \"{url}/v1\", \"apiKey\": \"dummy\" }},\n      \"models\": {{ \"model\": {{}} }},\n    }},\n  }},\n}}\n"
    )
}

/// A conversation without a terminal. Words that stand in one argument would come in quotation marks, as if somebody else had
/// said them.
fn opencode(stage: &Stage<'_>, prompt: &str, more: &[&str]) -> Program {
    let program = stage.client("opencode").args(["run"]).args(more);
    program.args(prompt.split_whitespace())
}

/// What stands in opencode's own log. There is no screen here on which it would be seen.
fn logged(stage: &Stage<'_>) -> String {
    let files = std::fs::read_dir(stage.home(".local/share/opencode/log"));
    let files = files.into_iter().flatten().flatten();
    let texts = files.filter_map(|file| std::fs::read_to_string(file.path()).ok());
    texts.collect()
}

pub(super) fn run(ground: &Ground, promises: &mut Promises) -> Result<()> {
    let stage = Stage::new(ground, "opencode")?;
    let settings = settings(&stage.server.url());
    stage.write(".config/opencode/opencode.jsonc", &settings)?;
    stage.connect("opencode", &[])?;
    stage.script(json!([{"reply": [{"text": "I will keep that in mind."}]}]))?;
    let talk = stage.talk(&opencode(&stage, TEACHING, &[]))?;
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
    let notes = stage.sandbox.project().join("notes.txt");
    let folder = stage.memdir(&["paths", "memory"])?;
    stage.script(json!([
        {"when": {"system": "title"}, "reply": [{"text": "A title"}]},
        {"times": 1, "reply": [{"tool": "read", "input": {"filePath": text(&notes)?}}]},
        {"times": 1, "reply": [{"tool": "write", "input": {
            "filePath": format!("{}/reference_token.md", folder.trim_end()),
            "content": format!("The token is ghp_{}.", "16C7e42F292c6912E7710c838347Ae178B4a")
        }}]},
        {"times": 1, "reply": [{"tool": "memdir_recall", "input": {"query": "pushing to main on Friday"}}]},
        {"reply": [{"text": "Done."}]}
    ]))?;
    let talk = stage.talk(&opencode(&stage, ASKING, &[]))?;
    promises.hold(
        "the next conversation is given the memory, once, beside the message",
        talk.last().and_then(|request| request.says(RECALLED, 1)),
    );
    promises.hold("the index is sent once", {
        let line = format!("]({MEMORY})");
        talk.last().and_then(|request| request.says(&line, 1))
    });
    promises.hold("the user is told what was saved", {
        let told = logged(&stage);
        that(told.contains("Saved 1 memory"), || told)
    });
    promises.hold("a tool runs and its result is sent", {
        talk.saying("The importer reads CSV").map(|_| ())
    });
    promises.hold("a memory with a secret is refused before it is written", {
        let file = format!("{}/reference_token.md", folder.trim_end());
        that(!std::path::Path::new(&file).exists(), || {
            format!("{}", talk.outcome)
        })
    });
    promises.hold(
        "the tools of the MCP server are offered, and one answers",
        {
            talk.last().and_then(|request| {
                let tools = request.tools();
                let offered = tools.iter().any(|tool| tool == "memdir_recall");
                that(offered, || format!("{tools:?}\n{}", talk.outcome))
                    .and(request.answers(MEMORY))
            })
        },
    );
    stage.script(json!([{"reply": [{"text": "No."}]}]))?;
    let again = stage.talk(&opencode(
        &stage,
        "And on a Friday morning?",
        &["--continue"],
    ))?;
    promises.hold("a resumed conversation is given nothing twice", {
        let once = |words| again.last().and_then(|request| request.says(words, 1));
        once(RECALLED).and(once(SECTION))
    });
    promises.hold("every event that memdir asked for was fired", {
        let fired = stage.fired("opencode");
        that(fired == EVENTS, || format!("{fired:?}"))
    });
    promises.hold(
        "the doctor finds the connection proven",
        stage.proven("opencode"),
    );
    promises.hold("no process of memdir is left over", stage.no_strays());
    promises.hold("nothing went wrong in a hook", {
        let log = stage.read(".claude/memdir/hooks.log");
        that(log.is_empty(), || log)
    });
    stage.memdir(&["uninstall", "opencode", "--yes"])?;
    promises.hold(
        "after uninstall the settings are what they were, byte for byte",
        {
            let after = stage.read(".config/opencode/opencode.jsonc");
            let plugin = stage.home(".config/opencode/plugins/memdir.js").exists();
            that(after == settings && !plugin, || after)
        },
    );
    Ok(())
}
