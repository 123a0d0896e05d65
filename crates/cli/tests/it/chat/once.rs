//! `-p`: one question, one answer.

use serde_json::json;

use super::Scene;
use crate::fixture::Fixture;

#[test]
fn the_answer_is_all_that_is_printed() {
    let scene = Scene::new(json!([{"reply": [{"text": "Here **I** am.\n"}]}]));
    insta::assert_snapshot!(scene.program(&["-p", "Are you there?"]).run().unwrap(), @"
    exit 0
    -- stdout
    Here **I** am.
    -- stderr
    ");
    let asked = scene.asked();
    assert!(
        asked[0].contains("Are you there?") && asked[0].contains("TodoWrite"),
        "{}",
        asked[0]
    );
}

#[test]
fn json_has_what_it_cost_and_what_happened() {
    let scene = Scene::new(json!([
        {"times": 1, "reply": [
            {"tool": "Bash", "id": "toolu_1", "input": {"command": "touch x"}},
            {"tool": "Write", "id": "toolu_2", "input": {
                "file_path": "ROOT/home/.claude/projects/SLUG/memory/user_role.md",
                "content": "---\nname: role\ndescription: Writes Rust\ntype: user\n---\n\nWrites Rust.\n"
            }}
        ]},
        {"reply": [{"text": "Done."}], "output_tokens": 2}
    ]));
    let ran = scene.program(&["-p", "Do it now, please.", "--output-format", "json"]);
    // What is counted depends on how long the folders of the test are called.
    let ran = ran.filter(
        r#""(cache_read|cache_write|output|usd)": [\d.]+"#,
        r#""$1": [N]"#,
    );
    insta::assert_snapshot!(ran.run().unwrap(), @r#"
    exit 0
    -- stdout
    {
      "conversation": "[ID]",
      "model": "claude-sonnet-5-5",
      "result": "Done.",
      "stop": "end",
      "requests": 2,
      "input": 0,
      "cache_read": [N],
      "cache_write": [N],
      "output": [N],
      "usd": [N],
      "recalled": [],
      "saved": [
        "user_role.md"
      ],
      "calls": [
        {
          "tool": "Bash",
          "error": "nobody is there to ask"
        },
        {
          "tool": "Write",
          "error": null
        }
      ],
      "notices": [
        "Saved 1 memory: user_role.md; /undo takes it back"
      ]
    }
    -- stderr
    "#);
    assert!(!scene.fixture.sandbox.project().join("x").exists());
}

#[test]
fn what_comes_from_standard_input_is_added() {
    let scene = Scene::new(json!([{"reply": [{"text": "Seen."}]}]));
    let ran = scene
        .program(&["-p", "What is this?"])
        .stdin("a log of the night\n");
    insta::assert_snapshot!(ran.run().unwrap(), @"
    exit 0
    -- stdout
    Seen.
    -- stderr
    ");
    insta::assert_snapshot!(scene.program(&["-p"]).stdin("only this\n").run().unwrap(), @"
    exit 0
    -- stdout
    Seen.
    -- stderr
    ");
    insta::assert_snapshot!(scene.program(&["-p"]).run().unwrap(), @"
    exit 2
    -- stdout
    -- stderr
    error: -p: there is nothing to ask
      `memdir help` lists what can be typed
    ");
    let asked = scene.asked();
    assert!(
        asked[0].contains(r"What is this?\n\na log of the night"),
        "{}",
        asked[0]
    );
}

#[test]
fn a_conversation_goes_on() {
    let scene = Scene::new(json!([{"reply": [{"text": "Yes."}]}]));
    scene
        .program(&["-p", "Is the first question asked?"])
        .run()
        .unwrap();
    insta::assert_snapshot!(scene.program(&["--continue", "-p", "And the second?"]).run().unwrap(), @"
    exit 0
    -- stdout
    Yes.
    -- stderr
    ");
    insta::assert_snapshot!(scene.program(&["--resume"]).run().unwrap(), @"
    exit 0
    -- stdout
    [ID]  Is the first question asked?
    -- stderr
    ");
    insta::assert_snapshot!(scene.program(&["--resume", "nothing", "-p", "x"]).run().unwrap(), @"
    exit 1
    -- stdout
    -- stderr
    error: there is no conversation nothing
      `memdir chat --resume` lists what there is
    ");
    let asked = scene.asked();
    assert!(asked[1].contains("first question") && asked[1].contains("And the second?"));
}

#[test]
fn without_a_model_it_says_how_to_name_one() {
    let fixture = Fixture::new();
    insta::assert_snapshot!(fixture.run(&["chat"]), @r#"
    exit 1
    -- stdout
    -- stderr
    error: there is no model to talk to yet
      Name one in ~/.claude/memdir.toml:
      
          [models.claude]
          provider = "anthropic"
          model = "claude-sonnet-5-5"
      
          [model_for]
          chat = "claude"
      
      Its key is read from ANTHROPIC_API_KEY. A model on your own machine (Ollama,
      llama.cpp, vLLM) has provider = "openai" and an address, such as
      "http://localhost:11434/v1"; `memdir help models` has more about it, and
      `memdir models --ping` says whether it is there.
      
      Memory works without a model: `memdir remember`, `memdir list`,
      `memdir recall`; `memdir try` shows three days of it.
    "#);
}

#[test]
fn without_the_key_it_says_where_it_is_missed() {
    let scene = Scene::new(json!([]));
    let program = scene.fixture.program(&["chat", "-p", "x"]);
    insta::assert_snapshot!(program.run().unwrap(), @"
    exit 1
    -- stdout
    -- stderr
    error: the key, ANTHROPIC_API_KEY: not set
      see `memdir models`
    ");
    insta::assert_snapshot!(scene.program(&["--model", "none", "-p", "x"]).run().unwrap(), @r#"
    exit 1
    -- stdout
    -- stderr
    error: there is no model "none" in memdir.toml
      see `memdir models`
    "#);
}

#[test]
fn an_agent_has_its_own_memory() {
    let scene = Scene::new(json!([{"reply": [{"text": "Yes."}]}]));
    scene.fixture.topic(
        "user_role.md",
        0,
        "user",
        "Writes Rust",
        "Ten years of Rust.",
    );
    let index = "- [Short](short.md) — reviews are short\n";
    scene
        .fixture
        .sandbox
        .write("project/.claude/agent-memory/reviewer/MEMORY.md", index)
        .unwrap();
    let ran = scene.program(&[
        "--agent",
        "reviewer",
        "--scope",
        "project",
        "-p",
        "Is Rust what I write?",
    ]);
    insta::assert_snapshot!(ran.run().unwrap(), @"
    exit 0
    -- stdout
    Yes.
    -- stderr
    ");
    let asked = scene.asked();
    assert!(asked[0].contains("reviews are short") && !asked[0].contains("Ten years of Rust"));
}
