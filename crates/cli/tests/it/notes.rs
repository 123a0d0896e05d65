//! `memdir notes`.

use std::fs;

use insta::assert_snapshot;
use memdir_testkit::Outcome;
use memdir_testkit::server::{Script, Server};
use serde_json::{Value, json};

use crate::fixture::Fixture;

struct Scene {
    server: Server,
    fixture: Fixture,
}

impl Scene {
    /// A project with a conversation of some eleven thousand tokens, and a model for notes.
    fn new(steps: &Value) -> Scene {
        let script = json!({ "step": steps });
        let server = Server::start(Script::from_value(script).unwrap()).unwrap();
        let fixture = Fixture::new();
        let home = fixture.sandbox.home().join(".claude");
        fs::create_dir_all(&home).unwrap();
        let settings = format!(
            "[models.small]\nprovider = \"anthropic\"\nmodel = \"claude-haiku-4-5\"\naddress = \"{}\"\n\
             key_variable = \"ANTHROPIC_API_KEY\"\n\n\
             [model_for]\nnotes = \"small\"\n",
            server.url()
        );
        fs::write(home.join("memdir.toml"), settings).unwrap();
        transcript(&fixture, &[]);
        Scene { server, fixture }
    }

    fn run(&self, words: &[&str]) -> Outcome {
        let moment = r"\d{4}-\d\d-\d\d \d\d:\d\d";
        let program = self
            .fixture
            .program(words)
            .env("ANTHROPIC_API_KEY", "sk-test");
        program.filter(moment, "[TIME]").run().unwrap()
    }
}

fn transcript(fixture: &Fixture, more: &[&str]) {
    let mut messages = json!([
        {"role": "user", "content": "Port the parser. Never use unsafe."},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "Read", "input": {"file_path": "src/a.rs"}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "word ".repeat(9_000)}]},
        {"role": "assistant", "content": "Done with the parser."},
    ]);
    let more = more
        .iter()
        .map(|words| json!({"role": "user", "content": words}));
    messages.as_array_mut().unwrap().extend(more);
    let file = fixture.sandbox.project().join("talk.json");
    fs::write(file, messages.to_string()).unwrap();
}

fn answer(sections: &Value) -> Value {
    let text = json!({ "sections": sections }).to_string();
    json!({"times": 1, "reply": [{"text": text}]})
}

#[test]
fn without_a_model_there_are_no_notes() {
    let fixture = Fixture::new();
    transcript(&fixture, &[]);
    assert_snapshot!(fixture.run(&["notes", "update", "talk.json"]), @"
    exit 1
    -- stdout
    -- stderr
    error: no model is named for notes
      name one in memdir.toml, `notes` under [model_for]: `memdir models` says how
    ");
    assert_snapshot!(fixture.run(&["notes"]), @"
    exit 1
    -- stdout
    -- stderr
    error: there are no notes in ~/.claude/projects/[-PROJECT]
      `memdir notes update TRANSCRIPT` writes some, with a model
    ");
    assert_snapshot!(fixture.run(&["notes", "show", "talk.json"]), @"
    exit 1
    -- stdout
    -- stderr
    error: there are no notes of talk
      `memdir notes update TRANSCRIPT` writes some, with a model
    ");
}

#[test]
fn written_once_shown_and_brought_up_to_date() {
    let scene = Scene::new(&json!([
        answer(
            &json!([{"title": "Current State", "text": "Ported.\u{1b}[31m"}, {"title": "Mood", "text": "Good."}])
        ),
        answer(&json!([{"title": "Worklog", "text": "- ported the parser"}])),
        answer(&json!([{"title": "Worklog", "text": "- ported the parser\n- wrote notes"}])),
    ]));
    assert_snapshot!(scene.run(&["notes", "update", "talk.json", "--no-spend"]), @"
    exit 1
    -- stdout
    -- stderr
    error: the notes are as they were: nothing is spent: --no-spend
      `memdir cost` shows what was spent
    ");
    assert_snapshot!(scene.run(&["notes", "update", "talk.json"]), @"
    exit 0
    -- stdout
    wrote ~/.claude/projects/[-PROJECT]/talk/session-memory/summary.md
    refused section Mood: there is no such section in the notes
    1,458 tokens in, 53 out
    -- stderr
    ");
    assert_snapshot!(scene.run(&["notes", "update", "talk.json"]), @"
    exit 0
    -- stdout
    the notes are as they were: nothing was said since
    0 tokens in, 0 out
    -- stderr
    ");
    transcript(&scene.fixture, &["Now the printer."]);
    assert_snapshot!(scene.run(&["notes", "update", "talk.json", "--model", "small", "--json"]), @r##"
    exit 0
    -- stdout
    {
      "session": "talk",
      "file": "[HOME]/.claude/projects/[-PROJECT]/talk/session-memory/summary.md",
      "outcome": "written",
      "why": null,
      "dry_run": false,
      "covered": "m5-b93ed000",
      "unseen": 0,
      "too_long": [],
      "denied": [],
      "tokens": {
        "input": 977,
        "output": 32
      },
      "text": "# Session Title\n_Five to ten dense words by which this conversation is recognised; no filler_\n\n# Current State\n_What is being worked on at this moment, what is still pending, and the very next step_\n\nPorted.[31m\n\n# Task specification\n_What the user asked for, in their terms, and every design decision with its reason_\n\n# Files and Functions\n_The files that matter, what is in each, and why it matters here_\n\n# Workflow\n_The commands that are run, in which order, and how their output is to be read_\n\n# Errors & Corrections\n_What went wrong and what fixed it, what the user corrected, and what must not be tried again_\n\n# Codebase and System Documentation\n_The parts of the system, what each does, and how they fit together_\n\n# Learnings\n_What works, what does not, what to avoid; nothing that another section says already_\n\n# Key results\n_The exact output that the user asked for, such as an answer, a table or a document, word for word_\n\n# Worklog\n_What was done, step by step, one terse line for each_\n\n- ported the parser\n"
    }
    -- stderr
    "##);
    transcript(&scene.fixture, &["Now the printer.", "And the tests."]);
    assert_snapshot!(scene.run(&["notes", "update", "talk.json", "--dry-run"]), @"
    exit 0
    -- stdout
    --- [HOME]/.claude/projects/[-PROJECT]/talk/session-memory/summary.md
    +++ [HOME]/.claude/projects/[-PROJECT]/talk/session-memory/summary.md
    @@ -31,3 +31,4 @@
     _What was done, step by step, one terse line for each_
     
     - ported the parser
    +- wrote notes
    would write ~/.claude/projects/[-PROJECT]/talk/session-memory/summary.md
    982 tokens in, 37 out
    -- stderr
    ");
    assert_snapshot!(scene.run(&["notes"]), @"
    exit 0
    -- stdout
    talk
    ~/.claude/projects/[-PROJECT]/talk/session-memory/summary.md
    up to message m5-b93ed000, at 12,059 tokens of conversation, [TIME]

      Session Title                           0 of 2,000
      Current State                           5 of 2,000
      Task specification                      0 of 2,000
      Files and Functions                     0 of 2,000
      Workflow                                0 of 2,000
      Errors & Corrections                    0 of 2,000
      Codebase and System Documentation       0 of 2,000
      Learnings                               0 of 2,000
      Key results                             0 of 2,000
      Worklog                                 5 of 2,000
      all                                   248 of 12,000

    # Session Title
    _Five to ten dense words by which this conversation is recognised; no filler_

    # Current State
    _What is being worked on at this moment, what is still pending, and the very next step_

    Ported.[31m

    # Task specification
    _What the user asked for, in their terms, and every design decision with its reason_

    # Files and Functions
    _The files that matter, what is in each, and why it matters here_

    # Workflow
    _The commands that are run, in which order, and how their output is to be read_

    # Errors & Corrections
    _What went wrong and what fixed it, what the user corrected, and what must not be tried again_

    # Codebase and System Documentation
    _The parts of the system, what each does, and how they fit together_

    # Learnings
    _What works, what does not, what to avoid; nothing that another section says already_

    # Key results
    _The exact output that the user asked for, such as an answer, a table or a document, word for word_

    # Worklog
    _What was done, step by step, one terse line for each_

    - ported the parser
    -- stderr
    ");
    assert_snapshot!(scene.run(&["notes", "show", "talk", "--json"]), @r##"
    exit 0
    -- stdout
    {
      "session": "talk",
      "file": "[HOME]/.claude/projects/[-PROJECT]/talk/session-memory/summary.md",
      "covers": {
        "message": "m5-b93ed000",
        "tokens": 12059,
        "at": "[TIME]"
      },
      "tokens": 248,
      "limit": 12000,
      "sections": [
        {
          "title": "Session Title",
          "tokens": 0,
          "limit": 2000
        },
        {
          "title": "Current State",
          "tokens": 5,
          "limit": 2000
        },
        {
          "title": "Task specification",
          "tokens": 0,
          "limit": 2000
        },
        {
          "title": "Files and Functions",
          "tokens": 0,
          "limit": 2000
        },
        {
          "title": "Workflow",
          "tokens": 0,
          "limit": 2000
        },
        {
          "title": "Errors & Corrections",
          "tokens": 0,
          "limit": 2000
        },
        {
          "title": "Codebase and System Documentation",
          "tokens": 0,
          "limit": 2000
        },
        {
          "title": "Learnings",
          "tokens": 0,
          "limit": 2000
        },
        {
          "title": "Key results",
          "tokens": 0,
          "limit": 2000
        },
        {
          "title": "Worklog",
          "tokens": 5,
          "limit": 2000
        }
      ],
      "text": "# Session Title\n_Five to ten dense words by which this conversation is recognised; no filler_\n\n# Current State\n_What is being worked on at this moment, what is still pending, and the very next step_\n\nPorted.[31m\n\n# Task specification\n_What the user asked for, in their terms, and every design decision with its reason_\n\n# Files and Functions\n_The files that matter, what is in each, and why it matters here_\n\n# Workflow\n_The commands that are run, in which order, and how their output is to be read_\n\n# Errors & Corrections\n_What went wrong and what fixed it, what the user corrected, and what must not be tried again_\n\n# Codebase and System Documentation\n_The parts of the system, what each does, and how they fit together_\n\n# Learnings\n_What works, what does not, what to avoid; nothing that another section says already_\n\n# Key results\n_The exact output that the user asked for, such as an answer, a table or a document, word for word_\n\n# Worklog\n_What was done, step by step, one terse line for each_\n\n- ported the parser\n"
    }
    -- stderr
    "##);
    assert_snapshot!(scene.run(&["cost"]), @"
    exit 0
    -- stdout
    purpose     cost  requests  tokens in  cached  out
    notes    $0.0041         3      3,417   0.0 %  122  ████████████████
    total    $0.0041         3      3,417   0.0 %  122
    today $0.0041 of the day's $1.0000
    -- stderr
    ");
    for exchange in scene.server.settled() {
        assert!(exchange.violations.is_empty(), "{:?}", exchange.violations);
    }
}

#[test]
fn own_sections_and_own_instructions() {
    let scene = Scene::new(&json!([answer(
        &json!([{"title": "Goal", "text": "A parser."}])
    )]));
    let config = scene
        .fixture
        .sandbox
        .home()
        .join(".claude/session-memory/config");
    fs::create_dir_all(&config).unwrap();
    fs::write(config.join("template.md"), "# Goal\n# Goal\n").unwrap();
    assert_snapshot!(scene.run(&["notes", "update", "talk.json"]), @"
    exit 1
    -- stdout
    -- stderr
    error: ~/.claude/session-memory/config/template.md: the heading `# Goal` stands in it twice
      mend it, or move it away
    ");
    fs::write(config.join("template.md"), "# Goal\n_What for_\n").unwrap();
    fs::write(config.join("prompt.md"), "In Latin.").unwrap();
    assert_snapshot!(scene.run(&["notes", "update", "talk.json"]), @"
    exit 0
    -- stdout
    wrote ~/.claude/projects/[-PROJECT]/talk/session-memory/summary.md
    1,011 tokens in, 29 out
    -- stderr
    ");
    assert_snapshot!(scene.run(&["notes", "show", "talk.json"]), @"
    exit 0
    -- stdout
    talk
    ~/.claude/projects/[-PROJECT]/talk/session-memory/summary.md
    up to message m4-257a3857, at 12,054 tokens of conversation, [TIME]

      Goal       3 of 2,000
      all       10 of 12,000

    # Goal
    _What for_

    A parser.
    -- stderr
    ");
    let asked = scene.server.settled().pop().unwrap().json().to_string();
    assert!(asked.contains("In Latin."));
}

#[test]
fn in_the_background_they_are_written_when_they_are_due_and_compaction_is_automatic() {
    let scene = Scene::new(&json!([answer(
        &json!([{"title": "Current State", "text": "Ported."}])
    )]));
    let run = ["jobs", "run", "talk.json"];
    let with = |setting: &'static str| [&run[..], &["--set", setting]].concat();
    for words in [
        with("notes.enabled=false"),
        with("compaction.auto=false"),
        with("notes.init_tokens=50000"),
        run.to_vec(),
        run.to_vec(),
    ] {
        scene.run(&words);
    }
    let standing = scene.run(&["jobs", "--json"]).to_string();
    let said: Vec<&str> = standing
        .lines()
        .filter(|line| line.contains("\"said\""))
        .filter(|line| !line.contains("memor"))
        .collect();
    assert_snapshot!(said.join("\n"), @r#"
    "said": "it has grown by 0 tokens of 5000",
    "said": "nothing was said since",
    "said": "notes written; 1458 in, 30 out",
    "said": "nothing was said since",
    "said": "the conversation has 12054 tokens of 50000",
    "said": "nothing was said since",
    "said": "notes serve automatic compaction, which is off (--set)",
    "said": "nothing was said since",
    "said": "notes are off",
    "#);
}
