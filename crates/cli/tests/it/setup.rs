//! `memdir setup` and `memdir uninstall`: what goes into the files of a client comes out again, and nothing else does.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use insta::assert_snapshot;
use memdir_testkit::Outcome;

use crate::fixture::Fixture;

pub(crate) const MEMDIR: &str = env!("CARGO_BIN_EXE_memdir");

/// Runs a command, with the program that was built as the installed one.
pub(crate) fn run(fixture: &Fixture, words: &[&str]) -> Outcome {
    let program = fixture.program(words).filter(&regex_of(MEMDIR), "[MEMDIR]");
    let plugin = r#""diff": "[^"]{0,80}memdir\.js(\\.|[^"\\])*""#;
    let program = program.filter(plugin, r#""diff": "[PLUGIN]""#);
    program.run().unwrap()
}

fn regex_of(path: &str) -> String {
    path.replace('.', r"\.")
}

pub(crate) fn connect(fixture: &Fixture, client: &str, more: &[&str]) -> Outcome {
    let mut words = vec!["setup", client, "--program", MEMDIR];
    words.extend(more);
    run(fixture, &words)
}

pub(crate) fn ok(outcome: &Outcome) {
    assert_eq!(outcome.code(), Some(0), "{outcome}");
}

/// A file in the sandbox's home.
pub(crate) fn at_home(fixture: &Fixture, file: &str) -> PathBuf {
    fixture.sandbox.home().join(file)
}

pub(crate) fn write(path: &Path, content: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
    fs::set_permissions(path, Permissions::from_mode(0o640)).unwrap();
}

#[test]
fn claude_code_is_connected_and_disconnected() {
    let fixture = Fixture::new();
    write(
        &at_home(&fixture, ".claude/settings.json"),
        "{\n  \"model\": \"opus\",\n  \"hooks\": {\n    \"Stop\": [\n      { \"hooks\": [{ \"type\": \"command\", \"command\": \"say done\" }] }\n    ]\n  }\n}\n",
    );
    assert_snapshot!(connect(&fixture, "claude-code", &["--dry-run"]), @r#"
    exit 0
    -- stdout
    --- ~/.claude/settings.json
    +++ ~/.claude/settings.json
    @@ -2,7 +2,26 @@
       "model": "opus",
       "hooks": {
         "Stop": [
    -      { "hooks": [{ "type": "command", "command": "say done" }] }
    +      { "hooks": [{ "type": "command", "command": "say done" }] },
    +      { "hooks": [{ "type": "command", "command": "[MEMDIR]", "args": ["hook", "claude-code"], "timeout": 10 }] }
    +    ],
    +    "SessionStart": [
    +      { "hooks": [{ "type": "command", "command": "[MEMDIR]", "args": ["hook", "claude-code"], "timeout": 10 }] }
    +    ],
    +    "UserPromptSubmit": [
    +      { "hooks": [{ "type": "command", "command": "[MEMDIR]", "args": ["hook", "claude-code"], "timeout": 10 }] }
    +    ],
    +    "PreToolUse": [
    +      { "matcher": "Write|Edit|MultiEdit|NotebookEdit|Bash|PowerShell|mcp__.*", "hooks": [{ "type": "command", "command": "[MEMDIR]", "args": ["hook", "claude-code"], "timeout": 10 }] }
    +    ],
    +    "PostToolUse": [
    +      { "hooks": [{ "type": "command", "command": "[MEMDIR]", "args": ["hook", "claude-code"], "timeout": 10 }] }
    +    ],
    +    "PreCompact": [
    +      { "hooks": [{ "type": "command", "command": "[MEMDIR]", "args": ["hook", "claude-code"], "timeout": 10 }] }
    +    ],
    +    "SessionEnd": [
    +      { "hooks": [{ "type": "command", "command": "[MEMDIR]", "args": ["hook", "claude-code"], "timeout": 5 }] }
         ]
       }
     }
    --- /dev/null
    +++ ~/.claude.json
    @@ -0,0 +1,5 @@
    +{
    +  "mcpServers": {
    +    "memdir": { "type": "stdio", "command": "[MEMDIR]", "args": ["mcp"] }
    +  }
    +}
    -- stderr
    "#);
    assert_snapshot!(connect(&fixture, "claude-code", &[]), @r#"
    exit 1
    -- stdout
    --- ~/.claude/settings.json
    +++ ~/.claude/settings.json
    @@ -2,7 +2,26 @@
       "model": "opus",
       "hooks": {
         "Stop": [
    -      { "hooks": [{ "type": "command", "command": "say done" }] }
    +      { "hooks": [{ "type": "command", "command": "say done" }] },
    +      { "hooks": [{ "type": "command", "command": "[MEMDIR]", "args": ["hook", "claude-code"], "timeout": 10 }] }
    +    ],
    +    "SessionStart": [
    +      { "hooks": [{ "type": "command", "command": "[MEMDIR]", "args": ["hook", "claude-code"], "timeout": 10 }] }
    +    ],
    +    "UserPromptSubmit": [
    +      { "hooks": [{ "type": "command", "command": "[MEMDIR]", "args": ["hook", "claude-code"], "timeout": 10 }] }
    +    ],
    +    "PreToolUse": [
    +      { "matcher": "Write|Edit|MultiEdit|NotebookEdit|Bash|PowerShell|mcp__.*", "hooks": [{ "type": "command", "command": "[MEMDIR]", "args": ["hook", "claude-code"], "timeout": 10 }] }
    +    ],
    +    "PostToolUse": [
    +      { "hooks": [{ "type": "command", "command": "[MEMDIR]", "args": ["hook", "claude-code"], "timeout": 10 }] }
    +    ],
    +    "PreCompact": [
    +      { "hooks": [{ "type": "command", "command": "[MEMDIR]", "args": ["hook", "claude-code"], "timeout": 10 }] }
    +    ],
    +    "SessionEnd": [
    +      { "hooks": [{ "type": "command", "command": "[MEMDIR]", "args": ["hook", "claude-code"], "timeout": 5 }] }
         ]
       }
     }
    --- /dev/null
    +++ ~/.claude.json
    @@ -0,0 +1,5 @@
    +{
    +  "mcpServers": {
    +    "memdir": { "type": "stdio", "command": "[MEMDIR]", "args": ["mcp"] }
    +  }
    +}
    -- stderr
    error: nobody is there to ask whether this is meant; nothing was done
      add `--yes` to do it without asking, or `--dry-run` to only look
    "#);
    ok(&connect(&fixture, "claude-code", &["--yes"]));
    assert_snapshot!(connect(&fixture, "claude-code", &["--yes"]), @"
    exit 0
    -- stdout
    Claude Code was connected already; nothing had to be changed
    Background work is done by rules; no model is asked. `memdir help models` says how to name one.
    Talk to Claude Code once, then `memdir doctor` says whether it arrived. `memdir uninstall claude-code` takes it back.
    -- stderr
    ");
    assert_snapshot!(run(&fixture, &["uninstall", "claude-code", "--yes"]), @r#"
    exit 0
    -- stdout
    --- ~/.claude/settings.json
    +++ ~/.claude/settings.json
    @@ -2,26 +2,7 @@
       "model": "opus",
       "hooks": {
         "Stop": [
    -      { "hooks": [{ "type": "command", "command": "say done" }] },
    -      { "hooks": [{ "type": "command", "command": "[MEMDIR]", "args": ["hook", "claude-code"], "timeout": 10 }] }
    -    ],
    -    "SessionStart": [
    -      { "hooks": [{ "type": "command", "command": "[MEMDIR]", "args": ["hook", "claude-code"], "timeout": 10 }] }
    -    ],
    -    "UserPromptSubmit": [
    -      { "hooks": [{ "type": "command", "command": "[MEMDIR]", "args": ["hook", "claude-code"], "timeout": 10 }] }
    -    ],
    -    "PreToolUse": [
    -      { "matcher": "Write|Edit|MultiEdit|NotebookEdit|Bash|PowerShell|mcp__.*", "hooks": [{ "type": "command", "command": "[MEMDIR]", "args": ["hook", "claude-code"], "timeout": 10 }] }
    -    ],
    -    "PostToolUse": [
    -      { "hooks": [{ "type": "command", "command": "[MEMDIR]", "args": ["hook", "claude-code"], "timeout": 10 }] }
    -    ],
    -    "PreCompact": [
    -      { "hooks": [{ "type": "command", "command": "[MEMDIR]", "args": ["hook", "claude-code"], "timeout": 10 }] }
    -    ],
    -    "SessionEnd": [
    -      { "hooks": [{ "type": "command", "command": "[MEMDIR]", "args": ["hook", "claude-code"], "timeout": 5 }] }
    +      { "hooks": [{ "type": "command", "command": "say done" }] }
         ]
       }
     }
    --- ~/.claude.json
    +++ /dev/null
    @@ -1,5 +0,0 @@
    -{
    -  "mcpServers": {
    -    "memdir": { "type": "stdio", "command": "[MEMDIR]", "args": ["mcp"] }
    -  }
    -}
    Claude Code is no longer connected
    Your memories stay: `memdir list` shows those of this project.
    -- stderr
    "#);
    assert_snapshot!(run(&fixture, &["uninstall", "claude-code", "--yes"]), @"
    exit 0
    -- stdout
    There was nothing of memdir in the settings of Claude Code
    Your memories stay: `memdir list` shows those of this project.
    -- stderr
    ");
}

#[test]
fn codex_gemini_and_opencode_have_forms_of_their_own() {
    let fixture = Fixture::new();
    assert_snapshot!(connect(&fixture, "codex", &["--yes"]), @r#"
    exit 0
    -- stdout
    --- /dev/null
    +++ ~/.codex/hooks.json
    @@ -0,0 +1,25 @@
    +{
    +  "hooks": {
    +    "SessionStart": [
    +      { "hooks": [{ "type": "command", "command": "[MEMDIR] hook codex", "timeout": 10 }] }
    +    ],
    +    "UserPromptSubmit": [
    +      { "hooks": [{ "type": "command", "command": "[MEMDIR] hook codex", "timeout": 10 }] }
    +    ],
    +    "PreToolUse": [
    +      { "hooks": [{ "type": "command", "command": "[MEMDIR] hook codex", "timeout": 10 }] }
    +    ],
    +    "PostToolUse": [
    +      { "hooks": [{ "type": "command", "command": "[MEMDIR] hook codex", "timeout": 10 }] }
    +    ],
    +    "PreCompact": [
    +      { "hooks": [{ "type": "command", "command": "[MEMDIR] hook codex", "timeout": 10 }] }
    +    ],
    +    "Stop": [
    +      { "hooks": [{ "type": "command", "command": "[MEMDIR] hook codex", "timeout": 10 }] }
    +    ],
    +    "SessionEnd": [
    +      { "hooks": [{ "type": "command", "command": "[MEMDIR] hook codex", "timeout": 3 }] }
    +    ]
    +  }
    +}
    --- /dev/null
    +++ ~/.codex/config.toml
    @@ -0,0 +1,3 @@
    +[mcp_servers.memdir]
    +command = "[MEMDIR]"
    +args = ["mcp"]
    Codex is connected to [MEMDIR]
    Codex runs no hook before you have trusted it: start `codex`, and look at /hooks. Until then they stay silent.
    Background work is done by rules; no model is asked. `memdir help models` says how to name one.
    Talk to Codex once, then `memdir doctor` says whether it arrived. `memdir uninstall codex` takes it back.
    -- stderr
    "#);
    assert_snapshot!(connect(&fixture, "gemini", &["--yes"]), @r#"
    exit 0
    -- stdout
    --- /dev/null
    +++ ~/.gemini/settings.json
    @@ -0,0 +1,25 @@
    +{
    +  "hooks": {
    +    "SessionStart": [
    +      { "hooks": [{ "name": "memdir", "type": "command", "command": "[MEMDIR] hook gemini", "timeout": 10000 }] }
    +    ],
    +    "BeforeAgent": [
    +      { "hooks": [{ "name": "memdir", "type": "command", "command": "[MEMDIR] hook gemini", "timeout": 10000 }] }
    +    ],
    +    "BeforeTool": [
    +      { "hooks": [{ "name": "memdir", "type": "command", "command": "[MEMDIR] hook gemini", "timeout": 10000 }] }
    +    ],
    +    "AfterTool": [
    +      { "hooks": [{ "name": "memdir", "type": "command", "command": "[MEMDIR] hook gemini", "timeout": 10000 }] }
    +    ],
    +    "AfterAgent": [
    +      { "hooks": [{ "name": "memdir", "type": "command", "command": "[MEMDIR] hook gemini", "timeout": 10000 }] }
    +    ],
    +    "SessionEnd": [
    +      { "hooks": [{ "name": "memdir", "type": "command", "command": "[MEMDIR] hook gemini", "timeout": 5000 }] }
    +    ]
    +  },
    +  "mcpServers": {
    +    "memdir": { "command": "[MEMDIR]", "args": ["mcp"] }
    +  }
    +}
    Gemini CLI is connected to [MEMDIR]
    Background work is done by rules; no model is asked. `memdir help models` says how to name one.
    Talk to Gemini CLI once, then `memdir doctor` says whether it arrived. `memdir uninstall gemini` takes it back.
    -- stderr
    "#);
    assert_snapshot!(connect(&fixture, "opencode", &["--yes", "--json"]), @r#"
    exit 0
    -- stdout
    {
      "client": "opencode",
      "dry_run": false,
      "changed": true,
      "program": "[MEMDIR]",
      "copied": false,
      "files": [
        {
          "path": "[HOME]/.config/opencode/plugins/memdir.js",
          "change": "added",
          "diff": "[PLUGIN]"
        },
        {
          "path": "[HOME]/.config/opencode/opencode.json",
          "change": "added",
          "diff": "--- /dev/null\n+++ ~/.config/opencode/opencode.json\n@@ -0,0 +1,5 @@\n+{\n+  \"mcp\": {\n+    \"memdir\": { \"type\": \"local\", \"command\": [\"[MEMDIR]\", \"mcp\"], \"enabled\": true }\n+  }\n+}\n"
        }
      ],
      "remarks": []
    }
    -- stderr
    "#);
    assert_snapshot!(run(&fixture, &["uninstall", "opencode", "--yes", "--json"]), @r#"
    exit 0
    -- stdout
    {
      "client": "opencode",
      "dry_run": false,
      "changed": true,
      "files": [
        {
          "path": "[HOME]/.config/opencode/plugins/memdir.js",
          "change": "removed",
          "diff": "[PLUGIN]"
        },
        {
          "path": "[HOME]/.config/opencode/opencode.json",
          "change": "removed",
          "diff": "--- ~/.config/opencode/opencode.json\n+++ /dev/null\n@@ -1,5 +0,0 @@\n-{\n-  \"mcp\": {\n-    \"memdir\": { \"type\": \"local\", \"command\": [\"[MEMDIR]\", \"mcp\"], \"enabled\": true }\n-  }\n-}\n"
        }
      ],
      "skipped": []
    }
    -- stderr
    "#);
}

#[test]
fn a_program_of_any_name_is_recognised_again() {
    let fixture = Fixture::new();
    let settings = at_home(&fixture, ".claude/settings.json");
    write(&settings, "{}\n");
    let renamed = at_home(&fixture, "my programs/it's recollection");
    fs::create_dir_all(renamed.parent().unwrap()).unwrap();
    symlink(MEMDIR, &renamed).unwrap();
    let renamed = renamed.to_str().unwrap();
    for client in ["claude-code", "codex"] {
        ok(&run(
            &fixture,
            &["setup", client, "--program", renamed, "--yes"],
        ));
    }
    let hooks = at_home(&fixture, ".codex/hooks.json");
    let hooks = fs::read_to_string(hooks).unwrap();
    assert!(
        hooks.contains(r#"/my programs/it'\\''s recollection' hook codex"#),
        "{hooks}"
    );
    // Another program takes its place everywhere, and both are known.
    let outcome = connect(&fixture, "claude-code", &["--yes"]);
    ok(&outcome);
    assert!(
        !fs::read_to_string(&settings)
            .unwrap()
            .contains("recollection")
    );
    ok(&run(&fixture, &["uninstall", "claude-code", "--yes"]));
    assert_eq!(fs::read_to_string(&settings).unwrap(), "{}\n");
    assert_snapshot!(run(&fixture, &["setup", "codex", "--program", "/bin/true", "--yes"]), @"
    exit 1
    -- stdout
    -- stderr
    error: /bin/true is not memdir: it does not say its version
      nothing was changed
    ");
    assert_snapshot!(run(&fixture, &["setup", "codex", "--program", "nowhere", "--yes"]), @"
    exit 1
    -- stdout
    -- stderr
    error: nowhere cannot be started: No such file or directory (os error 2)
      nothing was changed
    ");
}

#[test]
fn a_program_that_cargo_built_is_copied_first() {
    let fixture = Fixture::new();
    let outcome = run(&fixture, &["setup", "opencode", "--yes", "--json"]);
    ok(&outcome);
    let copy = at_home(&fixture, ".local/bin/memdir");
    let mode = fs::metadata(&copy).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o755);
    let plugin =
        fs::read_to_string(at_home(&fixture, ".config/opencode/plugins/memdir.js")).unwrap();
    assert!(
        plugin.contains(&format!("{:?}", copy.to_str().unwrap())),
        "{plugin}"
    );
    assert!(outcome.stdout().contains("\"copied\": true"), "{outcome}");
    let again = run(&fixture, &["setup", "opencode", "--yes", "--json"]);
    assert!(again.stdout().contains("\"changed\": false"), "{again}");
}

#[test]
fn a_model_is_named_only_where_the_user_says_so() {
    let fixture = Fixture::new();
    let own = at_home(&fixture, ".claude/memdir.toml");
    ok(&connect(&fixture, "claude-code", &["--yes"]));
    assert!(!own.exists());
    let outcome = connect(
        &fixture,
        "claude-code",
        &[
            "--yes",
            "--model",
            "claude-haiku-4-5",
            "--daily-usd",
            "much",
        ],
    );
    assert_snapshot!(outcome, @r#"
    exit 1
    -- stdout
    -- stderr
    error: "much" is no amount of dollars
      no model was named; nothing was changed
    "#);
    write(&own, "recall.selector = \"embedded\" # fast");
    let outcome = connect(
        &fixture,
        "claude-code",
        &[
            "--yes",
            "--model",
            "claude-haiku-4-5",
            "--daily-usd",
            "0.25",
        ],
    );
    ok(&outcome);
    assert_snapshot!(fs::read_to_string(&own).unwrap(), @r#"
    recall.selector = "embedded" # fast

    [models.background]
    provider = "anthropic"
    model = "claude-haiku-4-5"

    [model_for]
    extraction = "background"
    dream = "background"
    notes = "background"

    [budget]
    daily_usd = 0.25
    "#);
    assert_snapshot!(connect(&fixture, "claude-code", &["--yes", "--model", "claude"]), @"
    exit 1
    -- stdout
    -- stderr
    error: you have named models already; they stay as they are, and nothing was changed
      `memdir models` shows them; leave `--model` out
    ");
}
