//! `memdir setup` and `memdir uninstall`: what goes into the files of a client comes out again, and nothing else does.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use insta::assert_snapshot;
use memdir_testkit::Outcome;

use crate::fixture::Fixture;

const MEMDIR: &str = env!("CARGO_BIN_EXE_memdir");

/// Runs a command, with the program that was built as the installed one.
fn run(fixture: &Fixture, words: &[&str]) -> Outcome {
    let program = fixture.program(words).filter(&regex_of(MEMDIR), "[MEMDIR]");
    let plugin = r#""diff": "[^"]{0,80}memdir\.js(\\.|[^"\\])*""#;
    let program = program.filter(plugin, r#""diff": "[PLUGIN]""#);
    program.run().unwrap()
}

fn regex_of(path: &str) -> String {
    path.replace('.', r"\.")
}

fn connect(fixture: &Fixture, client: &str, more: &[&str]) -> Outcome {
    let mut words = vec!["setup", client, "--program", MEMDIR];
    words.extend(more);
    run(fixture, &words)
}

fn ok(outcome: &Outcome) {
    assert_eq!(outcome.code(), Some(0), "{outcome}");
}

/// A file in the sandbox's home.
fn at_home(fixture: &Fixture, file: &str) -> PathBuf {
    fixture.sandbox.home().join(file)
}

fn write(path: &Path, content: &str) {
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
    +      { "matcher": "Write|Edit|MultiEdit|NotebookEdit", "hooks": [{ "type": "command", "command": "[MEMDIR]", "args": ["hook", "claude-code"], "timeout": 10 }] }
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
    +      { "matcher": "Write|Edit|MultiEdit|NotebookEdit", "hooks": [{ "type": "command", "command": "[MEMDIR]", "args": ["hook", "claude-code"], "timeout": 10 }] }
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
    -      { "matcher": "Write|Edit|MultiEdit|NotebookEdit", "hooks": [{ "type": "command", "command": "[MEMDIR]", "args": ["hook", "claude-code"], "timeout": 10 }] }
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
    +      { "matcher": "write_file|replace", "hooks": [{ "name": "memdir", "type": "command", "command": "[MEMDIR] hook gemini", "timeout": 10000 }] }
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
      ]
    }
    -- stderr
    "#);
}

#[test]
fn what_the_user_changed_in_between_stays() {
    let fixture = Fixture::new();
    let settings = at_home(&fixture, ".claude/settings.json");
    write(&settings, "{\n  \"model\": \"opus\"\n}\n");
    ok(&connect(&fixture, "claude-code", &["--yes"]));
    // One more hook beside ours on an event, one of their own before the next, another key at the end.
    let text = fs::read_to_string(&settings).unwrap();
    let text = text.replacen(
        "\"timeout\": 10 }] }\n",
        "\"timeout\": 10 }] },\n      { \"hooks\": [] } // mine\n",
        1,
    );
    let text = text.replacen(
        "    \"Stop\": [\n",
        "    \"Stop\": [\n      { \"matcher\": \"\", \"hooks\": [] },\n",
        1,
    );
    let text = text.replacen("\n  }\n}\n", "\n  },\n  \"theme\": \"dark\"\n}\n", 1);
    write(&settings, &text);
    ok(&run(&fixture, &["uninstall", "claude-code", "--yes"]));
    assert_snapshot!(fs::read_to_string(&settings).unwrap(), @r#"
    {
      "model": "opus",
      "hooks": {
        "SessionStart": [
          { "hooks": [] } // mine
        ],
        "Stop": [
          { "matcher": "", "hooks": [] }
        ]
      },
      "theme": "dark"
    }
    "#);

    // In TOML, with sections behind ours and keys in it.
    let config = at_home(&fixture, ".codex/config.toml");
    write(&config, "model = \"x\"");
    ok(&connect(&fixture, "codex", &["--yes"]));
    let text = fs::read_to_string(&config).unwrap();
    let more = "startup_timeout_sec = 20 # slow disk\n\n[mcp_servers.memdir.env]\nA = \"1\"\n[projects.\"/x\"]\ntrust_level = \"trusted\"\n[mcp_servers.memdir.tools.recall]\napproval_mode = \"approve\"\n[tui]\n";
    write(&config, &format!("# mine\n{text}{more}"));
    ok(&run(&fixture, &["uninstall", "codex", "--yes"]));
    assert_snapshot!(fs::read_to_string(&config).unwrap(), @r#"
    # mine
    model = "x"

    [projects."/x"]
    trust_level = "trusted"
    [tui]
    "#);
}

#[test]
fn entries_written_by_hand_are_ours_and_a_server_of_another_is_not() {
    let fixture = Fixture::new();
    let settings = at_home(&fixture, ".gemini/settings.json");
    write(
        &settings,
        "{\n  \"hooks\": {\n    \"AfterAgent\": [\n      { \"hooks\": [{ \"type\": \"command\", \"command\": \"memdir hook gemini\" }] }\n    ],\n    \"PreCompress\": [{ \"hooks\": [{ \"type\": \"command\", \"command\": \"/old/memdir hook gemini\" }] }]\n  },\n  \"mcpServers\": { \"memdir\": { \"command\": \"docker\", \"args\": [\"run\", \"memdir\"] } }\n}\n",
    );
    assert_snapshot!(connect(&fixture, "gemini", &["--yes"]), @r#"
    exit 0
    -- stdout
    --- ~/.gemini/settings.json
    +++ ~/.gemini/settings.json
    @@ -1,9 +1,23 @@
     {
       "hooks": {
         "AfterAgent": [
    -      { "hooks": [{ "type": "command", "command": "memdir hook gemini" }] }
    +      { "hooks": [{ "name": "memdir", "type": "command", "command": "[MEMDIR] hook gemini", "timeout": 10000 }] }
    +    ],
    +    "SessionStart": [
    +      { "hooks": [{ "name": "memdir", "type": "command", "command": "[MEMDIR] hook gemini", "timeout": 10000 }] }
    +    ],
    +    "BeforeAgent": [
    +      { "hooks": [{ "name": "memdir", "type": "command", "command": "[MEMDIR] hook gemini", "timeout": 10000 }] }
    +    ],
    +    "BeforeTool": [
    +      { "matcher": "write_file|replace", "hooks": [{ "name": "memdir", "type": "command", "command": "[MEMDIR] hook gemini", "timeout": 10000 }] }
         ],
    -    "PreCompress": [{ "hooks": [{ "type": "command", "command": "/old/memdir hook gemini" }] }]
    +    "AfterTool": [
    +      { "hooks": [{ "name": "memdir", "type": "command", "command": "[MEMDIR] hook gemini", "timeout": 10000 }] }
    +    ],
    +    "SessionEnd": [
    +      { "hooks": [{ "name": "memdir", "type": "command", "command": "[MEMDIR] hook gemini", "timeout": 5000 }] }
    +    ]
       },
       "mcpServers": { "memdir": { "command": "docker", "args": ["run", "memdir"] } }
     }
    Gemini CLI is connected to [MEMDIR]
    Background work is done by rules; no model is asked. `memdir help models` says how to name one.
    Talk to Gemini CLI once, then `memdir doctor` says whether it arrived. `memdir uninstall gemini` takes it back.
    -- stderr
    warning: ~/.gemini/settings.json: the MCP server `memdir` starts another program, and is left alone
    "#);
    ok(&run(&fixture, &["uninstall", "gemini", "--yes"]));
    assert_snapshot!(fs::read_to_string(&settings).unwrap(), @r#"
    {
      "hooks": {
      },
      "mcpServers": { "memdir": { "command": "docker", "args": ["run", "memdir"] } }
    }
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
fn a_link_of_the_users_is_followed_and_stays_a_link() {
    let fixture = Fixture::new();
    let kept = at_home(&fixture, "dotfiles/settings.json");
    write(&kept, "{\n    \"model\": \"opus\"\n}\n");
    let link = at_home(&fixture, ".claude/settings.json");
    fs::create_dir_all(link.parent().unwrap()).unwrap();
    symlink("../dotfiles/settings.json", &link).unwrap();
    ok(&connect(&fixture, "claude-code", &["--yes"]));
    assert!(fs::read_to_string(&kept).unwrap().contains("claude-code"));
    assert!(link.symlink_metadata().unwrap().is_symlink());
    ok(&run(&fixture, &["uninstall", "claude-code", "--yes"]));
    assert_eq!(
        fs::read_to_string(&kept).unwrap(),
        "{\n    \"model\": \"opus\"\n}\n"
    );
    assert!(link.symlink_metadata().unwrap().is_symlink());
}

#[test]
fn files_that_cannot_be_changed_are_left_and_told() {
    let fixture = Fixture::new();
    let settings = at_home(&fixture, ".claude/settings.json");
    for text in [
        "{\"hooks\": []}\n",
        "[]\n",
        "{\"a\" 1}\n",
        "{\"hooks\": {\"Stop\": {}}}",
    ] {
        write(&settings, text);
        let outcome = connect(&fixture, "claude-code", &["--yes"]);
        assert_eq!(outcome.code(), Some(1), "{outcome}");
        assert_eq!(fs::read_to_string(&settings).unwrap(), text);
    }
    assert_snapshot!(connect(&fixture, "claude-code", &["--yes"]), @"
    exit 1
    -- stdout
    -- stderr
    error: ~/.claude/settings.json: `hooks/Stop` is not what it should be
      mend the file first; nothing was changed
    ");
    write(
        &at_home(&fixture, ".codex/config.toml"),
        "mcp_servers = 3\n",
    );
    assert_snapshot!(connect(&fixture, "codex", &["--yes"]), @"
    exit 1
    -- stdout
    -- stderr
    error: ~/.codex/config.toml: `mcp_servers` is not what it should be
      mend the file first; nothing was changed
    ");
    assert!(
        !at_home(&fixture, ".codex/hooks.json").exists(),
        "nothing is written by halves"
    );
}

#[test]
fn a_client_that_takes_no_comments_is_told_of() {
    let fixture = Fixture::new();
    let text = "{\n  // mine\n  \"model\": \"opus\"\n}\n";
    for file in [
        ".claude/settings.json",
        ".codex/hooks.json",
        ".gemini/settings.json",
    ] {
        write(&at_home(&fixture, file), text);
    }
    let warnings = ["claude-code", "codex", "gemini"]
        .map(|client| connect(&fixture, client, &["--dry-run"]).stderr())
        .concat();
    assert_snapshot!(warnings, @"
    warning: ~/.claude/settings.json: Claude Code takes no comments and no commas at the end: it ignores the whole file, without a word
    warning: ~/.codex/hooks.json: Codex takes no comments and no commas at the end: it ignores the whole file, without a word
    ");
}

#[test]
fn a_project_gets_a_block_only_where_it_is_named() {
    let fixture = Fixture::new();
    let file = fixture.sandbox.project().join("AGENTS.md");
    write(&file, "# Rules\n\nBe kind.");
    ok(&connect(&fixture, "codex", &["--yes"]));
    assert_eq!(fs::read_to_string(&file).unwrap(), "# Rules\n\nBe kind.");
    ok(&connect(&fixture, "codex", &["--yes", "--project", "."]));
    assert_snapshot!(fs::read_to_string(&file).unwrap(), @r#"
    # Rules

    Be kind.

    <!-- memdir: begin -->
    ## Memory

    What earlier conversations taught is kept by memdir, outside of this repository. What fits the task comes by itself, or is found with the tools of the MCP server `memdir`; without them, `memdir recall "a few words"` finds it. Save what the user asks to remember with `memdir remember "…"`, and take it out again with `memdir forget NAME`.
    <!-- memdir: end -->
    "#);
    ok(&connect(&fixture, "codex", &["--yes"]));
    ok(&run(&fixture, &["uninstall", "codex", "--yes"]));
    assert_eq!(fs::read_to_string(&file).unwrap(), "# Rules\n\nBe kind.");
    assert_snapshot!(connect(&fixture, "claude-code", &["--yes", "--project", "."]), @"
    exit 2
    -- stdout
    -- stderr
    error: Claude Code is told by its hooks alone; leave `--project` out
      `memdir help` lists what can be typed
    ");
}

#[test]
fn homes_of_clients_are_where_the_user_says_and_not_where_a_project_does() {
    let fixture = Fixture::new();
    let home = fixture.sandbox.home();
    let elsewhere = home.join("elsewhere");
    let dry = |client: &str| {
        let program =
            fixture.program(&["setup", client, "--program", MEMDIR, "--dry-run", "--json"]);
        let program = program.env("CLAUDE_CONFIG_DIR", elsewhere.join("claude"));
        let program = program.env("CODEX_HOME", elsewhere.join("codex"));
        let program = program.env("GEMINI_CLI_HOME", elsewhere.join("gemini"));
        let outcome = program
            .env("XDG_CONFIG_HOME", elsewhere.join("config"))
            .run()
            .unwrap();
        let text = outcome.to_string();
        let paths = text
            .lines()
            .filter_map(|line| line.trim().strip_prefix("\"path\": "));
        paths.collect::<Vec<_>>().join("\n")
    };
    let all = |dry: &dyn Fn(&str) -> String| {
        ["claude-code", "codex", "gemini", "opencode"]
            .map(dry)
            .join("\n")
    };
    assert_snapshot!(all(&dry), @r#"
    "[HOME]/elsewhere/claude/settings.json",
    "[HOME]/elsewhere/claude/.claude.json",
    "[HOME]/elsewhere/codex/hooks.json",
    "[HOME]/elsewhere/codex/config.toml",
    "[HOME]/elsewhere/gemini/.gemini/settings.json",
    "[HOME]/elsewhere/config/opencode/plugins/memdir.js",
    "[HOME]/elsewhere/config/opencode/opencode.json",
    "#);
    fixture
        .sandbox
        .write(
            "project/.claude/settings.json",
            r#"{"env": {"CLAUDE_CONFIG_DIR": "x", "CODEX_HOME": "x", "GEMINI_CLI_HOME": "x", "XDG_CONFIG_HOME": "x"}}"#,
        )
        .unwrap();
    assert_snapshot!(all(&dry), @r#"
    "[HOME]/.claude/settings.json",
    "[HOME]/.claude.json",
    "[HOME]/.codex/hooks.json",
    "[HOME]/.codex/config.toml",
    "[HOME]/.gemini/settings.json",
    "[HOME]/.config/opencode/plugins/memdir.js",
    "[HOME]/.config/opencode/opencode.json",
    "#);
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
      no model was named; nothing is asked
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
    error: you have named models already; they stay as they are
      `memdir models` shows them; everything else is done
    ");
}

/// What the doctor says about an agent and about processes.
fn examined(fixture: &Fixture) -> String {
    let told = run(fixture, &["doctor"]).to_string();
    let from = told
        .lines()
        .skip_while(|line| !line.contains("  project  "));
    from.skip(1).collect::<Vec<_>>().join("\n")
}

/// An event, as if the client had fired it.
fn fire(fixture: &Fixture, client: &str, event: &str, transcript: &Path) {
    let project = fixture.sandbox.project();
    let event = format!(
        r#"{{"hook_event_name":"{event}","session_id":"s1","cwd":"{}","transcript_path":"{}"}}"#,
        project.display(),
        transcript.display()
    );
    let outcome = fixture
        .program(&["hook", client])
        .stdin(event)
        .run()
        .unwrap();
    ok(&outcome);
}

#[test]
fn the_doctor_believes_only_what_a_client_fired_since() {
    let fixture = Fixture::new();
    let slug = fixture.memory_dir();
    let transcript = slug.parent().unwrap().join("s1.jsonl");
    write(&transcript, "{\"type\":\"user\",\"version\":\"2.1.325\"}\n");
    fire(&fixture, "claude-code", "Notification", &transcript);
    assert_snapshot!(examined(&fixture), @"
    ok    Claude Code       connected: Notification was fired [TIME] by version 2.1.325, by a plugin or entries of your own
    ok    processes         none is left over

    Everything works.
    -- stderr
    ");
    ok(&connect(&fixture, "claude-code", &["--yes"]));
    ok(&connect(&fixture, "codex", &["--yes"]));
    assert_snapshot!(examined(&fixture), @"
    warn  Claude Code       set up [TIME], and not heard of since
                            start a new conversation there; one that runs already knows nothing of it
    warn  Codex             set up [TIME], and not heard of since
                            start `codex`, trust the hooks (/hooks) and say something; untrusted hooks stay silent
    ok    processes         none is left over

    Everything works, with 2 warnings.
    -- stderr
    ");
    fire(&fixture, "claude-code", "SubagentStop", &transcript);
    assert_snapshot!(examined(&fixture), @"
    ok    Claude Code       connected: SubagentStop was fired [TIME] by version 2.1.325
    warn  Codex             set up [TIME], and not heard of since
                            start `codex`, trust the hooks (/hooks) and say something; untrusted hooks stay silent
    ok    processes         none is left over

    Everything works, with 1 warning.
    -- stderr
    ");
}

#[test]
fn the_doctor_names_what_is_wrong_and_what_mends_it() {
    let fixture = Fixture::new();
    let settings = at_home(&fixture, ".claude/settings.json");
    let renamed = at_home(&fixture, "bin/memdir");
    fs::create_dir_all(renamed.parent().unwrap()).unwrap();
    symlink(MEMDIR, &renamed).unwrap();
    for client in ["claude-code", "codex", "opencode"] {
        ok(&run(
            &fixture,
            &[
                "setup",
                client,
                "--program",
                renamed.to_str().unwrap(),
                "--yes",
            ],
        ));
    }
    fs::remove_file(&renamed).unwrap();
    let text = fs::read_to_string(&settings).unwrap();
    write(&settings, &text.replace("\"Stop\"", "\"Halt\""));
    write(&at_home(&fixture, ".claude.json"), "{\"mcpServers\": {}}");
    write(&at_home(&fixture, ".codex/hooks.json"), "{} // none");
    fs::remove_file(at_home(&fixture, ".config/opencode/plugins/memdir.js")).unwrap();
    assert_snapshot!(examined(&fixture), @"
    FAIL  Claude Code       ~/bin/memdir: the program that its entries start is not there
                            `memdir setup claude-code` mends it
    FAIL  Claude Code       ~/.claude/settings.json: no hook on Stop
                            `memdir setup claude-code` mends it
    FAIL  Claude Code       ~/.claude.json: no MCP server
                            `memdir setup claude-code` mends it
    FAIL  Codex             ~/bin/memdir: the program that its entries start is not there
                            `memdir setup codex` mends it
    FAIL  Codex             ~/.codex/hooks.json: Codex takes no comments and no commas at the end: it ignores the whole file, without a word
                            mend the file; until then nothing of memdir runs there
    FAIL  opencode          ~/bin/memdir: the program that its entries start is not there
                            `memdir setup opencode` mends it
    FAIL  opencode          ~/.config/opencode/plugins/memdir.js: the plugin is not there
                            `memdir setup opencode` mends it
    ok    processes         none is left over

    7 failures and 0 warnings.
    -- stderr
    ");
}

#[test]
fn a_client_that_keeps_its_memories_elsewhere_is_told_of() {
    let fixture = Fixture::new();
    let project = fixture
        .memory_dir()
        .parent()
        .unwrap()
        .file_name()
        .unwrap()
        .to_owned();
    let transcript = at_home(&fixture, "other/projects")
        .join(&project)
        .join("s1.jsonl");
    write(&transcript, "{}\n");
    ok(&connect(&fixture, "claude-code", &["--yes"]));
    fire(&fixture, "claude-code", "Notification", &transcript);
    assert_snapshot!(examined(&fixture), @"
    ok    Claude Code       connected: Notification was fired [TIME]
    FAIL  Claude Code       keeps the memories of this project in ~/other/projects/[-PROJECT]/memory, memdir in ~/.claude/projects/[-PROJECT]/memory
                            let both have one home: unset MEMDIR_HOME, or set it to CLAUDE_CONFIG_DIR
    ok    processes         none is left over

    1 failure and 0 warnings.
    -- stderr
    ");
}
