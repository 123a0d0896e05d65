//! Claude Code: taught something, given it, with tools, compacted, resumed, disconnected.

use std::fs;

use anyhow::Result;
use memdir_testkit::Program;
use serde_json::json;

use super::promises::{Promises, that};
use super::stage::{Ground, Stage, Talk, text};
use crate::workspace;

/// What the user has in their settings before.
const SETTINGS: &str = "{\n  \"includeCoAuthoredBy\": false,\n  \"hooks\": {\n    \"Stop\": [\n      { \"hooks\": [{ \"type\": \"command\", \"command\": \"true\" }] }\n    ]\n  }\n}\n";
const TEACHING: &str = "Remember: never push to main on a Friday.";
const ASKING: &str = "May I push to main on Friday evening?";
const FIRST: &str = "11111111-1111-4111-8111-111111111111";
const SECOND: &str = "22222222-2222-4222-8222-222222222222";
/// How our words at the beginning of a conversation begin, those beside a message, and those to whoever sums up.
pub(super) const SECTION: &str = "memdir looks after your memory of this project";
pub(super) const RECALLED: &str = "UserPromptSubmit hook additional context: Memory (";
const KEEPING: &str = "Keep word for word what the user corrected";
/// What the question of the module has, and nothing else.
const FORKED: &str = "Answer with JSON of this schema";
/// What the user alone is told.
const SAVED: &str = "Saved 1 memory";
const MEMORY: &str = "feedback_never_push_main_friday.md";

pub(super) const EVENTS: [&str; 7] = [
    "PostToolUse",
    "PreCompact",
    "PreToolUse",
    "SessionEnd",
    "SessionStart",
    "Stop",
    "UserPromptSubmit",
];

/// A conversation without a terminal.
pub(super) fn claude(stage: &Stage<'_>, prompt: &str, more: &[&str]) -> Program {
    stage
        .client("claude")
        .args(["-p", prompt, "--output-format", "json"])
        .args(["--allowedTools", "Read,Write,mcp__memdir"])
        .args(more)
}

pub(super) fn run(ground: &Ground, promises: &mut Promises) -> Result<()> {
    let stage = Stage::new(ground, "claude-code")?;
    stage.write(".claude/settings.json", SETTINGS)?;
    stage.connect("claude-code", &[])?;
    taught(&stage, promises)?;
    given(&stage, promises)?;
    with_tools(&stage, promises)?;
    compacted(&stage, promises)?;
    served(&stage, promises)?;
    with_plugin(ground, &stage, promises)?;
    with_fork(ground, promises)?;
    promises.hold("every event that memdir asked for was fired", {
        let fired = stage.fired("claude-code");
        that(fired == EVENTS, || format!("{fired:?}"))
    });
    promises.hold(
        "the doctor finds the connection proven",
        stage.proven("Claude Code"),
    );
    promises.hold("no process of memdir is left over", stage.no_strays());
    promises.hold("nothing went wrong in a hook", {
        let log = stage.read(".claude/memdir/hooks.log");
        that(log.is_empty(), || log)
    });
    stage.memdir(&["uninstall", "claude-code", "--yes"])?;
    promises.hold(
        "after uninstall the settings are what they were, byte for byte",
        {
            let after = stage.read(".claude/settings.json");
            that(after == SETTINGS, || after)
        },
    );
    promises.hold(
        "after uninstall the client's own file has nothing of memdir",
        {
            let after = stage.read(".claude.json");
            let servers = after.contains("\"mcpServers\": {}") || !after.contains("mcpServers");
            that(servers && !after.contains("bin/memdir"), || after)
        },
    );
    Ok(())
}

fn taught(stage: &Stage<'_>, promises: &mut Promises) -> Result<()> {
    stage.script(json!([{"reply": [{"text": "I will keep that in mind."}]}]))?;
    let talk = stage.talk(&claude(stage, TEACHING, &["--session-id", FIRST]))?;
    promises.hold("a conversation takes place", talk.ended());
    promises.hold(
        "what memdir says at the beginning is in the request, once",
        talk.last().and_then(|request| request.says(SECTION, 1)),
    );
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
    Ok(())
}

fn given(stage: &Stage<'_>, promises: &mut Promises) -> Result<()> {
    let talk = stage.talk(&claude(stage, ASKING, &["--session-id", SECOND]))?;
    promises.hold(
        "the next conversation is given the memory, once, beside the message",
        talk.last().and_then(|request| request.says(RECALLED, 1)),
    );
    promises.hold("the index is sent once, by the client itself", {
        let line = format!("]({MEMORY})");
        talk.last().and_then(|request| request.says(&line, 1))
    });
    promises.hold("what the user is told of it the model is not", {
        let told = stage.told(SECOND);
        let shown = that(told.contains(SAVED), || format!("nobody is told: {told}"));
        shown.and(
            talk.requests
                .iter()
                .try_for_each(|request| request.says(SAVED, 0)),
        )
    });
    promises.hold("what is new since the last conversation is told", {
        talk.last()
            .and_then(|request| request.says("New in memory since the last conversation", 1))
    });
    let again = stage.talk(&claude(
        stage,
        "And on a Friday morning, to main?",
        &["--resume", SECOND],
    ))?;
    promises.hold("a resumed conversation is given nothing twice", {
        let once = |words| again.last().and_then(|request| request.says(words, 1));
        let never = again.last().and_then(|request| request.says(SAVED, 0));
        once(RECALLED).and(once(SECTION)).and(never)
    });
    Ok(())
}

fn with_tools(stage: &Stage<'_>, promises: &mut Promises) -> Result<()> {
    let folder = stage.memdir(&["paths", "memory"])?;
    let folder = folder.trim_end();
    let secret = format!("ghp_{}", "16C7e42F292c6912E7710c838347Ae178B4a");
    let memory = |name: &str, body: &str| {
        format!(
            "---\nname: {name}\ndescription: {name} of the project\nmetadata:\n  type: reference\n---\n\n{body}\n"
        )
    };
    let notes = stage.sandbox.project().join("notes.txt");
    stage.script(json!([
        {"times": 1, "reply": [{"tool": "Read", "input": {"file_path": text(&notes)?}}]},
        {"times": 1, "reply": [{"tool": "Write", "input": {
            "file_path": format!("{folder}/reference_token.md"),
            "content": memory("token", &format!("The token is {secret}."))
        }}]},
        {"times": 1, "reply": [{"tool": "Write", "input": {
            "file_path": format!("{folder}/reference_importer.md"),
            "content": memory("importer", "The importer is described on the wiki page Import.")
        }}]},
        {"reply": [{"text": "Done."}]}
    ]))?;
    let talk = stage.talk(&claude(
        stage,
        "Read notes.txt and save what you learn about the importer.",
        &[],
    ))?;
    promises.hold(
        "a memory with a secret is refused before it is written, and the agent is told why",
        {
            let refused = that(
                !stage
                    .sandbox
                    .home()
                    .join(format!("{folder}/reference_token.md"))
                    .exists(),
                || "it was written".to_owned(),
            );
            let told = talk.last().and_then(|request| {
                let told = request.count("secret") > 0;
                that(told, || format!("the agent is not told\n{}", talk.outcome))
            });
            refused.and(told)
        },
    );
    promises.hold("an ordinary memory of the agent's is written", {
        let file = format!("{folder}/reference_importer.md");
        that(
            fs::read_to_string(&file).is_ok_and(|text| text.contains("wiki page Import")),
            || format!("{file} is not there\n{}", talk.outcome),
        )
    });
    Ok(())
}

fn compacted(stage: &Stage<'_>, promises: &mut Promises) -> Result<()> {
    stage.script(json!([
        {"when": {"body": "Additional Instructions"}, "reply": [{"text": "<analysis>short</analysis><summary>The user asked about pushing.</summary>"}]},
        {"reply": [{"text": "As before."}]}
    ]))?;
    let talk = stage.talk(&claude(
        stage,
        "/compact keep the zebra",
        &["--resume", SECOND],
    ))?;
    promises.hold("whoever sums up is told what has to be kept, once", {
        talk.saying("keep the zebra")
            .and_then(|request| request.says(KEEPING, 1))
    });
    let after = stage.talk(&claude(
        stage,
        "Go on with the work on main.",
        &["--resume", SECOND],
    ))?;
    promises.hold("after the compaction memdir speaks once more, and once", {
        after.last().and_then(|request| request.says(SECTION, 1))
    });
    Ok(())
}

fn served(stage: &Stage<'_>, promises: &mut Promises) -> Result<()> {
    stage.script(json!([
        {"times": 1, "reply": [{"tool": "mcp__memdir__recall", "input": {"query": "pushing to main on Friday"}}]},
        {"reply": [{"text": "Never on a Friday."}]}
    ]))?;
    let talk: Talk = stage.talk(&claude(
        stage,
        "Use the tool to look up when pushing is fine.",
        &[],
    ))?;
    promises.hold("the tools of the MCP server are offered", {
        talk.last().and_then(|request| {
            let tools = request.tools();
            that(
                tools.iter().any(|tool| tool == "mcp__memdir__recall"),
                || format!("{tools:?}"),
            )
        })
    });
    promises.hold(
        "a tool of the MCP server answers",
        talk.last().and_then(|request| request.answers(MEMORY)),
    );
    Ok(())
}

/// The plugin is valid, works by itself, and beside the settings says nothing twice.
fn with_plugin(ground: &Ground, stage: &Stage<'_>, promises: &mut Promises) -> Result<()> {
    let root = workspace::root()?;
    let plugin = root.join("plugins/claude-code");
    for (what, folder) in [
        ("plugin", plugin.as_path()),
        ("marketplace", root.as_path()),
    ] {
        let program = stage
            .client("claude")
            .args(["plugin", "validate", text(folder)?]);
        let outcome = program.run()?;
        let passed = outcome.success() && outcome.stdout().contains("Validation passed");
        promises.hold(
            &format!("the {what} is valid"),
            that(passed, || outcome.to_string()),
        );
    }
    stage.script(json!([{"reply": [{"text": "Yes."}]}]))?;
    let path = format!(
        "{}:{}",
        text(&stage.sandbox.root().join("bin"))?,
        std::env::var("PATH")?
    );
    let with = |stage: &Stage<'_>| -> Result<Program> {
        let program = claude(stage, ASKING, &["--plugin-dir", text(&plugin)?]);
        Ok(program.env("PATH", &path))
    };
    let talk = stage.talk(&with(stage)?)?;
    promises.hold(
        "with the plugin beside the settings nothing is said twice",
        {
            let once = |words| talk.last().and_then(|request| request.says(words, 1));
            once(SECTION).and(once(RECALLED))
        },
    );
    let alone = Stage::new(ground, "plugin")?;
    alone.script(json!([{"reply": [{"text": "Yes."}]}]))?;
    let path = format!(
        "{}:{}",
        text(&alone.sandbox.root().join("bin"))?,
        std::env::var("PATH")?
    );
    let program = claude(&alone, ASKING, &["--plugin-dir", text(&plugin)?]).env("PATH", path);
    let talk = alone.talk(&program)?;
    promises.hold(
        "the plugin works without set-up",
        talk.last().and_then(|request| request.says(SECTION, 1)),
    );
    Ok(())
}

/// The module of the plugin: where the user has switched it on, the client's own model is asked behind the turn, on top of the
/// conversation.
fn with_fork(ground: &Ground, promises: &mut Promises) -> Result<()> {
    let stage = Stage::new(ground, "fork")?;
    let plugin = workspace::root()?.join("plugins/claude-code");
    let path = format!(
        "{}:{}",
        text(&stage.sandbox.root().join("bin"))?,
        std::env::var("PATH")?
    );
    let answer = json!({"operations": [{
        "action": "create", "type": "feedback", "name": "tabs-in-makefiles",
        "description": "Use tabs in Makefiles", "body": "Use tabs in Makefiles.",
        "evidence": "use tabs in Makefiles",
    }]});
    stage.script(json!([
        {"when": {"body": FORKED}, "reply": [{"text": answer.to_string()}]},
        {"reply": [{"text": "I will keep that in mind."}]}
    ]))?;
    stage.memdir(&["config", "set", "extraction.non_interactive", "true"])?;
    let plugin = text(&plugin)?;
    let with = |prompt| claude(&stage, prompt, &["--plugin-dir", plugin]).env("PATH", &path);
    let talk = stage.talk(&with(TEACHING))?;
    promises.hold(
        "the module asks nothing unless the user has switched it on",
        that(talk.saying(FORKED).is_err(), || "it was asked".to_owned()),
    );
    stage.settle(0)?;
    stage.memdir(&["config", "set", "extraction.fork", "true"])?;
    let talk = stage.talk(&with("Remember: use tabs in Makefiles."))?;
    let (asked, first) = (talk.saying(FORKED), talk.requests.first());
    promises.hold(
        "what the module asks stands behind the conversation as it was sent",
        asked.and_then(|asked| match first {
            Some(first) => asked.repeats(first),
            None => Err("there is no conversation".to_owned()),
        }),
    );
    stage.settle(1)?;
    let (memories, history) = (stage.memories()?, stage.memdir(&["history"])?);
    promises.hold(
        "what the model proposed is a memory, by the gate of extraction",
        {
            let kept = memories.contains("tabs_makefiles") && history.contains("extraction");
            that(kept, || {
                format!("{memories}\n{history}\n{}", stage.diagnosis())
            })
        },
    );
    let spent = stage.read(".claude/memdir/ledger.jsonl");
    promises.hold(
        "what it took is in the ledger",
        that(spent.contains("fork claude-code"), || spent.clone()),
    );
    Ok(())
}
