//! `memdir setup` and files that are not as one would expect, or changed in between.

use std::fs;
use std::os::unix::fs::symlink;

use insta::assert_snapshot;

use crate::fixture::Fixture;
use crate::setup::{MEMDIR, at_home, connect, ok, run, write};

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
    +      { "hooks": [{ "name": "memdir", "type": "command", "command": "[MEMDIR] hook gemini", "timeout": 10000 }] }
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
    assert_eq!(all(&dry).trim(), "");
    let refused = run(
        &fixture,
        &["setup", "codex", "--program", MEMDIR, "--dry-run"],
    );
    assert!(!refused.success(), "{refused}");
    let names = "CLAUDE_CONFIG_DIR and CODEX_HOME and GEMINI_CLI_HOME and XDG_CONFIG_HOME";
    assert!(refused.to_string().contains(names), "{refused}");
}

#[test]
fn what_was_written_elsewhere_is_taken_out_as_well() {
    let fixture = Fixture::new();
    let other = at_home(&fixture, "other-codex");
    let words = ["setup", "codex", "--program", MEMDIR, "--yes"];
    let elsewhere = fixture.program(&words).env("CODEX_HOME", &other);
    write(&other.join("config.toml"), "model = \"x\"\n");
    ok(&elsewhere.run().unwrap());
    ok(&connect(&fixture, "codex", &["--yes"]));
    assert!(other.join("hooks.json").exists());
    ok(&run(&fixture, &["uninstall", "codex", "--yes"]));
    assert!(!other.join("hooks.json").exists());
    let config = fs::read_to_string(other.join("config.toml")).unwrap();
    assert_eq!(config, "model = \"x\"\n");
    assert!(!at_home(&fixture, ".codex").exists());
}

#[test]
fn a_block_that_somebody_took_out_of_a_repository_stays_out() {
    let fixture = Fixture::new();
    let agents = fixture.sandbox.project().join("AGENTS.md");
    let project = fixture.sandbox.project().display().to_string();
    ok(&connect(
        &fixture,
        "codex",
        &["--yes", "--project", &project],
    ));
    assert!(agents.exists());
    write(&agents, "Be brief.\n");
    ok(&connect(&fixture, "codex", &["--yes"]));
    assert_eq!(fs::read_to_string(&agents).unwrap(), "Be brief.\n");
    fs::remove_file(&agents).unwrap();
    ok(&connect(&fixture, "codex", &["--yes"]));
    assert!(!agents.exists());
    // Asked for once more, it is there.
    ok(&connect(
        &fixture,
        "codex",
        &["--yes", "--project", &project],
    ));
    assert!(agents.exists());
}
