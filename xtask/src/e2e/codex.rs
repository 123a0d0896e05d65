//! Codex: the same, with its own way of asking a model and of summing up.

use anyhow::Result;
use memdir_testkit::Program;
use serde_json::json;

use super::promises::{Promises, that};
use super::stage::{Ground, Stage};

const TEACHING: &str = "Remember: never push to main on a Friday.";
const ASKING: &str = "May I push to main on Friday evening?";
const SECTION: &str = "# auto memory";
const RECALLED: &str = "Memory (saved ";
const MEMORY: &str = "feedback_never_push_main_friday.md";
const HOOKS: &str =
    "{\"hooks\":{\"Stop\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"true\"}]}]}}";
const EVENTS: [&str; 7] = super::claude_code::EVENTS;

/// What the user has in their settings before: a provider of their own, with comments, and that they trust the project, which
/// Codex would write there otherwise.
pub(super) fn settings(stage: &Stage<'_>) -> String {
    let (url, project) = (stage.server.url(), stage.sandbox.project());
    format!(
        "# mine\nmodel = \"gpt-5\" # for now\nmodel_provider = \"local\"\n\n[model_providers.local]\nname = \"local\"\nbase_url = \"{url}/v1\"\nwire_api = \"responses\"\nenv_key = \"MODEL_KEY\"\n\n[projects.\"{}\"]\ntrust_level = \"trusted\"\n",
        project.display()
    )
}

/// A conversation without a terminal. Nobody is there to trust hooks, which is what the last flag stands for.
pub(super) fn codex(stage: &Stage<'_>, words: &[&str], prompt: &str) -> Program {
    stage
        .client("codex")
        .args(["exec"])
        .args(words)
        .args(["--skip-git-repo-check", "--dangerously-bypass-hook-trust"])
        .args(["--dangerously-bypass-approvals-and-sandbox", prompt])
}

pub(super) fn run(ground: &Ground, promises: &mut Promises) -> Result<()> {
    let stage = Stage::new(ground, "codex")?;
    let settings = settings(&stage);
    stage.write(".codex/config.toml", &settings)?;
    stage.write(".codex/hooks.json", HOOKS)?;
    stage.connect("codex", &[])?;

    stage.script(json!([{"reply": [{"text": "I will keep that in mind."}]}]))?;
    let talk = stage.talk(&codex(&stage, &[], TEACHING))?;
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

    let talk = stage.talk(&codex(&stage, &[], ASKING))?;
    promises.hold(
        "the next conversation is given the memory, once, beside the message",
        talk.last().and_then(|request| request.says(RECALLED, 1)),
    );
    promises.hold("the index is sent once", {
        let line = format!("]({MEMORY})");
        talk.last().and_then(|request| request.says(&line, 1))
    });
    let again = stage.talk(&codex(
        &stage,
        &["resume", "--last"],
        "And on a Friday morning?",
    ))?;
    promises.hold("a resumed conversation is given nothing twice", {
        let once = |words| again.last().and_then(|request| request.says(words, 1));
        once(RECALLED).and(once(SECTION))
    });

    with_tools_and_compaction(&stage, promises)?;
    promises.hold("every event that memdir asked for was fired", {
        let fired = stage.fired("codex");
        that(fired == EVENTS, || format!("{fired:?}"))
    });
    promises.hold(
        "the doctor finds the connection proven",
        stage.proven("Codex"),
    );
    promises.hold("no process of memdir is left over", stage.no_strays());
    promises.hold("nothing went wrong in a hook", {
        let log = stage.read(".claude/memdir/hooks.log");
        that(log.is_empty(), || log)
    });
    silent(&stage, promises)?;
    let before = stage.read(".codex/config.toml");
    stage.memdir(&["uninstall", "codex", "--yes"])?;
    promises.hold(
        "after uninstall the settings are what they were, byte for byte",
        {
            let after = stage.read(".codex/config.toml");
            let hooks = stage.read(".codex/hooks.json");
            that(after == settings && hooks == HOOKS, || {
                format!("{before}\n--\n{after}\n--\n{hooks}")
            })
        },
    );
    Ok(())
}

/// A tool, and so many tokens that Codex sums up.
fn with_tools_and_compaction(stage: &Stage<'_>, promises: &mut Promises) -> Result<()> {
    stage.script(json!([
        {"when": {"body": "CONTEXT CHECKPOINT COMPACTION"}, "reply": [{"text": "The user asked about pushing."}]},
        {"times": 1, "reply": [{"tool": "exec_command", "input": {"cmd": "cat notes.txt"}}], "output_tokens": 900000},
        {"reply": [{"text": "Done."}]}
    ]))?;
    let limit = ["-c", "model_auto_compact_token_limit=200000"];
    let talk = stage.talk(&codex(
        stage,
        &limit,
        "Read notes.txt, please, before I push to main on a Friday.",
    ))?;
    promises.hold("a tool runs and its result is sent", {
        talk.saying("The importer reads CSV").map(|_| ())
    });
    promises.hold(
        "the conversation is summed up, and memory is explained again, once",
        {
            talk.saying("CONTEXT CHECKPOINT COMPACTION")
                .and(talk.last())
                .and_then(|request| request.says(SECTION, 1))
        },
    );
    stage.script(json!([
        {"times": 1, "reply": [{"tool": "mcp__memdir__recall", "input": {"query": "pushing to main on Friday"}}]},
        {"reply": [{"text": "Never on a Friday."}]}
    ]))?;
    let talk = stage.talk(&codex(
        stage,
        &[],
        "Use the tool to look up when pushing is fine.",
    ))?;
    promises.hold("the tools of the MCP server are offered", {
        talk.last().and_then(|request| {
            let tools = request.tools();
            that(tools.iter().any(|tool| tool.contains("recall")), || {
                format!("{tools:?}")
            })
        })
    });
    promises.hold(
        "a tool of the MCP server answers",
        talk.last().and_then(|request| request.answers(MEMORY)),
    );
    Ok(())
}

/// Without the user's trust nothing of ours runs, and nothing of ours gives it.
fn silent(stage: &Stage<'_>, promises: &mut Promises) -> Result<()> {
    stage.script(json!([{"reply": [{"text": "Yes."}]}]))?;
    let program = stage.client("codex").args([
        "exec",
        "--skip-git-repo-check",
        "--dangerously-bypass-approvals-and-sandbox",
        ASKING,
    ]);
    let talk = stage.talk(&program)?;
    promises.hold("hooks that the user has not trusted stay silent", {
        talk.last().and_then(|request| request.says(SECTION, 0))
    });
    Ok(())
}
