//! What `memdir doctor` says about clients that were set up.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use insta::assert_snapshot;

use crate::fixture::Fixture;
use crate::setup::{MEMDIR, at_home, connect, ok, run, write};

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

#[test]
fn a_directory_that_only_the_client_takes_from_the_project_is_told_of() {
    for file in ["settings.json", "settings.local.json"] {
        let fixture = Fixture::new();
        let slug = fixture.memory_dir();
        let transcript = slug.parent().unwrap().join("s1.jsonl");
        write(&transcript, "{}\n");
        let theirs = fixture.sandbox.outside().join("memory");
        let settings = serde_json::json!({"autoMemoryDirectory": theirs}).to_string();
        let path = format!("project/.claude/{file}");
        fixture.sandbox.write(&path, settings).unwrap();
        // A plugin: nothing was set up.
        fire(&fixture, "claude-code", "Notification", &transcript);
        let told = examined(&fixture).replace(file, "[FILE]");
        let told: Vec<&str> = told
            .lines()
            .filter(|line| line.contains("keeps the"))
            .collect();
        let told = told.join("\n").replace("(local)", "(project)");
        insta::allow_duplicates! {
            assert_snapshot!(told, @"FAIL  Claude Code       keeps the memories of this project in [OUTSIDE]/memory, as autoMemoryDirectory in [PROJECT]/.claude/[FILE] (project) says; memdir obeys no file that comes with the project, and keeps them in ~/.claude/projects/[-PROJECT]/memory");
        }
    }
}

#[test]
fn an_event_that_somebody_typed_proves_nothing() {
    let fixture = Fixture::new();
    let event = format!(
        r#"{{"hook_event_name":"SessionStart","session_id":"s1","cwd":"{}"}}"#,
        fixture.sandbox.project().display()
    );
    let program = fixture.program(&["hook", "claude-code"]);
    ok(&program.stdin(event).run().unwrap());
    assert!(!examined(&fixture).contains("Claude Code"));
}
