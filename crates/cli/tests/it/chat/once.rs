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
    let told = fixture.run(&["chat"]).to_string();
    assert!(told.lines().all(|line| line.chars().count() < 80), "{told}");
    insta::assert_snapshot!(told, @r#"
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

#[test]
fn what_is_too_long_for_the_window_goes_into_a_file() {
    let scene = Scene::new(json!([{"reply": [{"text": "Seen."}]}]));
    let log = "a line of a log that somebody wants to have looked at\n".repeat(200_000);
    let ran = scene.program(&["-p", "What is wrong here?"]).stdin(log);
    insta::assert_snapshot!(ran.run().unwrap(), @"
    exit 0
    -- stdout
    Seen.
    -- stderr
    warning: that is about 2,700,005 tokens, and there is room for 980,000: the model got its beginning and its end, and can search the rest in a temporary file
    ");
    let asked = scene.asked();
    assert!(asked[0].contains("What is wrong here?") && asked[0].len() < 100_000);
}

#[test]
fn an_answer_that_is_not_whole_says_so() {
    let scene =
        Scene::new(json!([{"reply": [{"text": "The first half"}], "stop_reason": "max_tokens"}]));
    insta::assert_snapshot!(scene.program(&["-p", "Say something long."]).run().unwrap(), @r#"
    exit 1
    -- stdout
    The first half
    -- stderr
    error: the answer was cut off where it may not be longer
      `memdir chat --resume [ID] -p "go on"` asks for the rest
    "#);
    let json = ["-p", "Say something long.", "--output-format", "json"];
    let ran = scene.program(&json).run().unwrap().to_string();
    assert!(
        ran.starts_with("exit 1") && ran.contains("\"stop\": \"most_output\""),
        "{ran}"
    );
}

#[test]
fn a_model_that_calls_tools_for_ever_is_stopped() {
    let scene = Scene::new(json!([{"reply": [{"tool": "Glob", "input": {"pattern": "*.rs"}}]}]));
    insta::assert_snapshot!(scene.program(&["-p", "Look at it for ever."]).run().unwrap(), @r#"
    exit 1
    -- stdout

    -- stderr
    error: stopped after 200 requests
      `memdir chat --resume [ID] -p "go on"` asks for the rest
    "#);
}

#[test]
fn a_large_file_does_not_end_a_conversation() {
    let read = |times: usize| {
        let calls: Vec<_> = (0..times)
            .map(|_| json!({"tool": "Read", "input": {"file_path": "large.txt"}}))
            .collect();
        json!({"times": 1, "reply": calls})
    };
    let scene = Scene::new(json!([read(1), read(30), {"reply": [{"text": "Seen."}]}]));
    let large = format!("{}\n", "words of a file ".repeat(122)).repeat(2_000);
    scene
        .fixture
        .sandbox
        .write("project/large.txt", large)
        .unwrap();
    let own = scene.fixture.sandbox.home().join(".claude/memdir");
    std::fs::create_dir_all(&own).unwrap();
    let model = "[[model]]\nname = \"claude-sonnet-5-5\"\nwindow = 200000\noutput = 32000\n";
    std::fs::write(own.join("models.toml"), model).unwrap();
    insta::assert_snapshot!(scene.program(&["-p", "What is in it?"]).run().unwrap(), @"
    exit 0
    -- stdout
    Seen.
    -- stderr
    ");
    insta::assert_snapshot!(scene.program(&["--continue", "-p", "And now?"]).run().unwrap(), @"
    exit 0
    -- stdout
    Seen.
    -- stderr
    ");
    let longest = scene.asked().iter().map(String::len).max().unwrap();
    assert!(longest < 500_000, "{longest}");
    assert!(scene.asked()[1].contains("Read with offset"));
}
