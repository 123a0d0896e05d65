//! `memdir instructions`.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

use insta::assert_snapshot;

use crate::fixture::Fixture;

/// A project in git with instruction files of most kinds.
fn project() -> Fixture {
    let fixture = Fixture::with_some();
    fs::create_dir(fixture.sandbox.project().join(".git")).unwrap();
    for (path, text) in [
        ("home/.claude/CLAUDE.md", "Be brief. See @~/notes.md\n"),
        ("home/notes.md", "Ada prefers tabs.\n"),
        ("CLAUDE.md", "Above the project.\n"),
        (
            "project/AGENTS.md",
            "Run `cargo test`. <!-- for people -->\nStyle: @docs/style.md and @docs/none.md\n",
        ),
        ("project/docs/style.md", "Short lines, says @../AGENTS.md\n"),
        (
            "project/.claude/rules/web.md",
            "---\npaths: \"web/**/*.ts\"\n---\nNo `any`.\n",
        ),
        ("project/CLAUDE.local.md", "Answer in French.\n"),
    ] {
        let path = fixture.sandbox.write(path, text).unwrap();
        fs::set_permissions(path, Permissions::from_mode(0o644)).unwrap();
    }
    fixture
}

#[test]
fn every_file_in_order() {
    assert_snapshot!(project().run(&["instructions"]), @"
    exit 0
    -- stdout
    User      26 B  ~/.claude/CLAUDE.md
    User      18 B  ~/notes.md  included by ~/.claude/CLAUDE.md:1
    Project   19 B  [ROOT]/CLAUDE.md
    Project   78 B  [PROJECT]/AGENTS.md
    Project   32 B  [PROJECT]/docs/style.md  included by [PROJECT]/AGENTS.md:2
    Project   39 B  [PROJECT]/.claude/rules/web.md  for web/**/*.ts
    Local     18 B  [PROJECT]/CLAUDE.local.md
    AutoMem  168 B  ~/.claude/projects/[-PROJECT]/memory/MEMORY.md

    7 files from the beginning, about 87 tokens
    -- stderr
    ");
}

#[test]
fn why_each_is_read_and_what_is_not() {
    assert_snapshot!(project().run(&["instructions", "--why"]), @"
    exit 0
    -- stdout
    User      26 B  ~/.claude/CLAUDE.md  read wherever it is found; about 7 tokens
    User      18 B  ~/notes.md  included by ~/.claude/CLAUDE.md:1; about 5 tokens
    Project   19 B  [ROOT]/CLAUDE.md  read wherever it is found; about 5 tokens
    Project   78 B  [PROJECT]/AGENTS.md  read because the folder has no CLAUDE.md; about 15 tokens
    Project   32 B  [PROJECT]/docs/style.md  included by [PROJECT]/AGENTS.md:2; about 8 tokens
    Project   39 B  [PROJECT]/.claude/rules/web.md  in a folder of rules; for web/**/*.ts
    Local     18 B  [PROJECT]/CLAUDE.local.md  read wherever it is found; about 5 tokens
    AutoMem  168 B  ~/.claude/projects/[-PROJECT]/memory/MEMORY.md  the index of the memory directory; about 42 tokens

    7 files from the beginning, about 87 tokens

    not loaded
      [PROJECT]/AGENTS.md (included by [PROJECT]/docs/style.md:1): it includes itself; it is loaded once
      [PROJECT]/docs/none.md (included by [PROJECT]/AGENTS.md:2): there is no such file
    -- stderr
    ");
}

#[test]
fn the_text_as_the_model_sees_it() {
    assert_snapshot!(project().run(&["instructions", "--text"]), @"
    exit 0
    -- stdout
    <system-reminder>
    Context for this conversation. It may or may not be relevant to what is asked.

    # Instruction files

    Standing instructions, each under the path of its file. Follow those that bear on the task. Where two of them disagree, the later one counts.

    ## [HOME]/.claude/CLAUDE.md (the user's own, for every project)

    Be brief. See @~/notes.md

    ## [HOME]/notes.md (the user's own, for every project)

    Ada prefers tabs.

    ## [ROOT]/CLAUDE.md (kept with the project)

    Above the project.

    ## [PROJECT]/AGENTS.md (kept with the project)

    Run `cargo test`. 
    Style: @docs/style.md and @docs/none.md

    ## [PROJECT]/docs/style.md (kept with the project)

    Short lines, says @../AGENTS.md

    ## [PROJECT]/CLAUDE.local.md (the user's own, for this project alone)

    Answer in French.

    ## [HOME]/.claude/projects/[-PROJECT]/memory/MEMORY.md (the index of the agent's memory of this project)

    - [Role](user_role.md) — writes Rust
    - [No push on Friday](feedback_no_push_on_friday.md) — not even a small fix
    - [Release](project_release.md) — the day of 2.0
    </system-reminder>
    -- stderr
    ");
}

#[test]
fn json() {
    assert_snapshot!(project().run(&["instructions", "--json", "--max-tokens", "60"]), @r#"
    exit 0
    -- stdout
    {
      "enabled": true,
      "files": [
        {
          "path": "[HOME]/.claude/CLAUDE.md",
          "kind": "User",
          "role": "main",
          "bytes": 26,
          "characters": 26,
          "tokens": 7,
          "included_by": null,
          "line": null,
          "applies": "left-out",
          "patterns": []
        },
        {
          "path": "[HOME]/notes.md",
          "kind": "User",
          "role": "include",
          "bytes": 18,
          "characters": 18,
          "tokens": 5,
          "included_by": "[HOME]/.claude/CLAUDE.md",
          "line": 1,
          "applies": "left-out",
          "patterns": []
        },
        {
          "path": "[ROOT]/CLAUDE.md",
          "kind": "Project",
          "role": "main",
          "bytes": 19,
          "characters": 19,
          "tokens": 5,
          "included_by": null,
          "line": null,
          "applies": "left-out",
          "patterns": []
        },
        {
          "path": "[PROJECT]/AGENTS.md",
          "kind": "Project",
          "role": "agents",
          "bytes": 78,
          "characters": 59,
          "tokens": 15,
          "included_by": null,
          "line": null,
          "applies": "left-out",
          "patterns": []
        },
        {
          "path": "[PROJECT]/docs/style.md",
          "kind": "Project",
          "role": "include",
          "bytes": 32,
          "characters": 32,
          "tokens": 8,
          "included_by": "[PROJECT]/AGENTS.md",
          "line": 2,
          "applies": "always",
          "patterns": []
        },
        {
          "path": "[PROJECT]/.claude/rules/web.md",
          "kind": "Project",
          "role": "rule",
          "bytes": 39,
          "characters": 10,
          "tokens": 3,
          "included_by": null,
          "line": null,
          "applies": "when-touched",
          "patterns": [
            "web/**/*.ts"
          ]
        },
        {
          "path": "[PROJECT]/CLAUDE.local.md",
          "kind": "Local",
          "role": "main",
          "bytes": 18,
          "characters": 18,
          "tokens": 5,
          "included_by": null,
          "line": null,
          "applies": "always",
          "patterns": []
        },
        {
          "path": "[HOME]/.claude/projects/[-PROJECT]/memory/MEMORY.md",
          "kind": "AutoMem",
          "role": "index",
          "bytes": 168,
          "characters": 161,
          "tokens": 42,
          "included_by": null,
          "line": null,
          "applies": "always",
          "patterns": []
        }
      ],
      "refused": [
        {
          "path": "[PROJECT]/AGENTS.md",
          "kind": "Project",
          "included_by": "[PROJECT]/docs/style.md",
          "line": 1,
          "reason": "it includes itself; it is loaded once"
        },
        {
          "path": "[PROJECT]/docs/none.md",
          "kind": "Project",
          "included_by": "[PROJECT]/AGENTS.md",
          "line": 2,
          "reason": "there is no such file"
        }
      ],
      "warnings": [
        "[HOME]/.claude/CLAUDE.md (about 7 tokens) is left out: instructions.max_tokens is 60",
        "[HOME]/notes.md (about 5 tokens) is left out: instructions.max_tokens is 60",
        "[ROOT]/CLAUDE.md (about 5 tokens) is left out: instructions.max_tokens is 60",
        "[PROJECT]/AGENTS.md (about 15 tokens) is left out: instructions.max_tokens is 60"
      ],
      "tokens": 55,
      "text": null
    }
    -- stderr
    "#);
    let text = Fixture::new().run(&["instructions", "--json", "--text"]);
    assert_snapshot!(text, @r#"
    exit 0
    -- stdout
    {
      "enabled": true,
      "files": [],
      "refused": [],
      "warnings": [],
      "tokens": 0,
      "text": ""
    }
    -- stderr
    "#);
}

#[test]
fn rules_for_a_file_that_is_touched() {
    let fixture = project();
    assert_snapshot!(fixture.run(&["instructions", "--for", "web/src/page.ts"]), @"
    exit 0
    -- stdout
    Project  39 B  [PROJECT]/.claude/rules/web.md  for web/**/*.ts
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["instructions", "--for", "README.md"]), @"
    exit 0
    -- stdout
    no rule begins to hold when this file is touched
    -- stderr
    ");
}

#[test]
fn nothing_there() {
    let fixture = Fixture::new();
    assert_snapshot!(fixture.run(&["instructions"]), @"
    exit 0
    -- stdout
    no instruction files
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["instructions", "--text"]), @"
    exit 0
    -- stdout
    -- stderr
    ");
    assert!(
        !fixture.sandbox.home().join(".claude").exists(),
        "looking creates nothing"
    );
}

#[test]
fn the_user_switches_all_of_it_off_and_a_repository_does_not() {
    let fixture = project();
    let off = |fixture: &Fixture| {
        let program = fixture.program(&["instructions"]);
        program
            .env("CLAUDE_CODE_DISABLE_CLAUDE_MDS", "1")
            .run()
            .unwrap()
    };
    assert_snapshot!(off(&fixture), @"
    exit 0
    -- stdout
    instruction files are switched off by CLAUDE_CODE_DISABLE_CLAUDE_MDS
    -- stderr
    ");
    let settings = r#"{"env": {"CLAUDE_CODE_DISABLE_CLAUDE_MDS": "1"}}"#;
    fixture
        .sandbox
        .write("project/.claude/settings.json", settings)
        .unwrap();
    assert_eq!(
        off(&fixture).stdout(),
        fixture.run(&["instructions"]).stdout()
    );
}

#[test]
fn memory_that_is_off_sends_no_index() {
    let fixture = project();
    let program = fixture.program(&["instructions"]);
    let outcome = program
        .env("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1")
        .run()
        .unwrap();
    assert!(!outcome.stdout().contains("MEMORY.md"), "{outcome}");
    assert!(outcome.stdout().contains("AGENTS.md"), "{outcome}");
}

#[test]
fn large_files_are_warned_of_in_status_and_doctor_too() {
    let fixture = Fixture::new();
    fixture
        .sandbox
        .write("project/CLAUDE.md", "x".repeat(200_000))
        .unwrap();
    assert_snapshot!(fixture.run(&["instructions"]), @"
    exit 0
    -- stdout
    Project  200,000 B  [PROJECT]/CLAUDE.md

    1 file from the beginning, about 50,000 tokens
    -- stderr
    warning: [PROJECT]/CLAUDE.md has 200000 characters, more than 40000; it is loaded whole, in every conversation
    warning: all instruction files have about 50000 tokens, more than 40000
    ");
    let warnings = |outcome: memdir_testkit::Outcome| {
        let all = outcome.to_string();
        let of_instructions = |line: &&str| line.contains("instruction") || line.contains("40000");
        let lines: Vec<String> = all
            .lines()
            .filter(of_instructions)
            .map(str::to_owned)
            .collect();
        lines.join("\n")
    };
    assert_snapshot!(warnings(fixture.run(&["status"])), @"
    warning: [PROJECT]/CLAUDE.md has 200000 characters, more than 40000; it is loaded whole, in every conversation
    warning: all instruction files have about 50000 tokens, more than 40000
    ");
    assert_snapshot!(warnings(fixture.run(&["doctor"])), @"
    warn  instructions      [PROJECT]/CLAUDE.md has 200000 characters, more than 40000; it is loaded whole, in every conversation
                            `memdir instructions` lists them
    warn  instructions      all instruction files have about 50000 tokens, more than 40000
                            `memdir instructions` lists them
    ");
}
