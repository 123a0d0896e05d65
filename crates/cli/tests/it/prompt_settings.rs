//! What settings, flags and variables do to the prompt and the instruction files, and which folders are made for it.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use insta::assert_snapshot;

use crate::fixture::Fixture;

const INDEX_LINE: &str = "- [Role](user_role.md) — writes Rust";

/// A project with memories and an instruction file.
fn project() -> Fixture {
    let fixture = Fixture::with_some();
    fixture
        .sandbox
        .write("project/CLAUDE.md", "Use tabs.\n")
        .unwrap();
    fixture
}

fn settings(fixture: &Fixture, text: &str) {
    fixture
        .sandbox
        .write("home/.claude/memdir.toml", text)
        .unwrap();
}

fn text(fixture: &Fixture, arguments: &[&str]) -> String {
    let outcome = fixture.run(arguments);
    assert!(outcome.success(), "{outcome}");
    outcome.stdout()
}

/// Where the index stands in a prompt with its instruction files: in the memory section, in the block.
fn index_places(fixture: &Fixture, arguments: &[&str]) -> (usize, usize) {
    let mut words = vec!["prompt", "--instructions"];
    words.extend(arguments);
    let whole = text(fixture, &words);
    let (prompt, block) = whole
        .split_once("<system-reminder>")
        .unwrap_or((&whole, ""));
    let count = |text: &str| text.lines().filter(|line| *line == INDEX_LINE).count();
    (count(prompt), count(block))
}

#[test]
fn the_whole_prompt_sends_the_index_once() {
    let fixture = project();
    let whole = text(&fixture, &["prompt", "--instructions"]);
    assert_eq!(whole.matches(INDEX_LINE).count(), 1);
    let (_, end) = whole.split_once("\n## MEMORY.md\n").unwrap();
    let end: Vec<&str> = end
        .lines()
        .filter(|line| !line.starts_with("## /"))
        .collect();
    assert_snapshot!(end.join("\n"), @"

    The index comes with the instruction files at the beginning of the conversation.

    <system-reminder>
    Context for this conversation. It may or may not be relevant to what is asked.

    # Instruction files

    Standing instructions, each under the path of its file. Follow those that bear on the task. Where two of them disagree, the later one counts.


    Use tabs.


    - [Role](user_role.md) — writes Rust
    - [No push on Friday](feedback_no_push_on_friday.md) — not even a small fix
    - [Release](project_release.md) — the day of 2.0
    </system-reminder>
    ");
    // By themselves, both are what they are together.
    let block = text(&fixture, &["instructions", "--text"]);
    assert!(whole.ends_with(&format!("\n\n{block}")), "{whole}");
}

#[test]
fn the_index_goes_where_it_is_wanted() {
    let fixture = project();
    assert_eq!(index_places(&fixture, &[]), (0, 1));
    assert_eq!(
        index_places(&fixture, &["--set", "memory.index_place=prompt"]),
        (1, 0)
    );
    assert_eq!(
        index_places(&fixture, &["--set", "memory.index_place=both"]),
        (1, 1)
    );
    settings(&fixture, "memory.index_place = \"prompt\"\n");
    assert_eq!(index_places(&fixture, &[]), (1, 0));
    assert!(!text(&fixture, &["instructions"]).contains("MEMORY.md"));
    settings(&fixture, "memory.skip_index = true\n");
    assert_eq!(index_places(&fixture, &[]), (0, 0));
    assert!(!text(&fixture, &["instructions"]).contains("MEMORY.md"));
    assert!(text(&fixture, &["prompt"]).contains("is brought up to date for you"));
}

#[test]
fn memdir_prompt_prints_the_index_in_every_case() {
    let fixture = project();
    for place in ["reminder", "prompt", "both"] {
        settings(&fixture, &format!("memory.index_place = \"{place}\"\n"));
        let prompt = text(&fixture, &["prompt"]);
        assert_eq!(prompt.matches(INDEX_LINE).count(), 1, "{place}");
    }
}

#[test]
fn an_empty_index_is_said_to_be_empty_wherever_it_would_be() {
    let fixture = Fixture::new();
    let whole = text(&fixture, &["prompt", "--instructions"]);
    assert!(whole.ends_with("The index is empty: nothing has been saved yet.\n"));
}

#[test]
fn without_instruction_files_the_index_moves_into_the_prompt() {
    let fixture = project();
    let outcome = fixture
        .program(&["prompt", "--instructions"])
        .env("CLAUDE_CODE_DISABLE_CLAUDE_MDS", "1")
        .run()
        .unwrap();
    assert!(
        outcome.stdout().ends_with("— the day of 2.0\n"),
        "{outcome}"
    );
    assert!(!outcome.stdout().contains("Use tabs."), "{outcome}");
}

#[test]
fn an_agent_has_its_own_index_and_no_other_switch_of_the_project() {
    let fixture = project();
    settings(
        &fixture,
        "memory.skip_index = true\nteam.enabled = true\ndaily_log.enabled = true\n",
    );
    let prompt = text(&fixture, &["prompt", "--agent", "a", "--scope", "user"]);
    assert!(prompt.ends_with("The index is empty: nothing has been saved yet.\n"));
    assert!(!prompt.contains("team") && !prompt.contains("logs/"));
}

#[test]
fn settings_choose_the_variant_and_flags_are_stronger() {
    let fixture = project();
    settings(
        &fixture,
        "team.enabled = true\ndaily_log.enabled = true\npast_context.enabled = false\nprompt.style = \"short\"\n",
    );
    let by_settings = text(&fixture, &["prompt"]);
    assert!(!by_settings.contains("Searching the past"));
    let flags: Vec<&str> = "prompt --set team.enabled=off --set daily_log.enabled=off \
        --set past_context.enabled=on --set prompt.style=full"
        .split_whitespace()
        .collect();
    let by_flags = text(&fixture, &flags);
    settings(&fixture, "");
    assert_eq!(by_flags, text(&fixture, &["prompt"]));
    let same = "prompt --team --daily-log --set past_context.enabled=off --set prompt.style=short";
    let same: Vec<&str> = same.split_whitespace().collect();
    assert_eq!(by_settings, text(&fixture, &same));
    assert!(by_settings.len() * 2 < by_flags.len() + 2_000);
}

#[test]
fn the_form_for_hooks_follows_the_settings_too() {
    let fixture = project();
    assert!(text(&fixture, &["prompt", "--hook"]).contains("To search the past"));
    settings(
        &fixture,
        "past_context.enabled = false\nteam.enabled = true\n",
    );
    let hook = text(&fixture, &["prompt", "--hook"]);
    assert!(!hook.contains("To search the past"), "{hook}");
    assert!(hook.contains("The team's index"), "{hook}");
}

#[test]
fn the_index_of_the_team_is_named_and_never_shown() {
    let fixture = project();
    settings(
        &fixture,
        "team.enabled = true\nmemory.index_place = \"both\"\n",
    );
    fixture.file("team/MEMORY.md", 0, "- [Theirs](theirs.md) — obey\n");
    for arguments in [
        &["prompt", "--instructions"][..],
        &["prompt", "--hook"],
        &["instructions", "--text"],
    ] {
        let text = text(&fixture, arguments);
        assert!(!text.contains("obey"), "{text}");
        assert_eq!(text.contains("/team/MEMORY.md"), arguments[0] == "prompt");
    }
}

#[test]
fn memory_that_is_off_takes_everything_but_the_instruction_files() {
    let fixture = project();
    settings(&fixture, "memory.enabled = false\nteam.enabled = true\n");
    let whole = text(&fixture, &["prompt", "--instructions", "--team"]);
    assert!(whole.starts_with("<system-reminder>\n"), "{whole}");
    assert!(whole.contains("Use tabs.") && !whole.contains("MEMORY.md"));
    let agent = text(&fixture, &["prompt", "--agent", "a", "--scope", "user"]);
    assert_eq!(agent, "");
    assert!(!fixture.memory_dir().join("team").exists());
    assert!(!fixture.sandbox.home().join(".claude/agent-memory").exists());
    // The client's bare mode is off as well, with all that a prompt can do without.
    settings(&fixture, "");
    let run = |name: &str| {
        let program = fixture.program(&["prompt", "--session", "5f"]);
        program.env(name, "1").run().unwrap().stdout()
    };
    assert_eq!(run("CLAUDE_CODE_SIMPLE"), "");
    assert!(run("CLAUDE_CODE_DISABLE_AUTO_MEMORY").starts_with("# Scratchpad\n"));
}

#[test]
fn a_repository_tunes_and_switches_off_but_neither_on_nor_out() {
    let fixture = project();
    fixture
        .sandbox
        .write(
            "project/.claude/memdir.toml",
            "team.enabled = true\ninstructions.external_includes = true\ninstructions.max_tokens = 1\nprompt.style = \"short\"\n",
        )
        .unwrap();
    fixture
        .sandbox
        .write("outside/notes.md", "from outside")
        .unwrap();
    let include = format!("@{}/notes.md\n", fixture.sandbox.outside().display());
    fixture
        .sandbox
        .write("project/CLAUDE.md", format!("Use tabs.\n{include}"))
        .unwrap();
    let whole = text(&fixture, &["prompt", "--instructions"]);
    assert!(!whole.contains("team/") && !whole.contains("from outside"));
    assert!(whole.contains("Use tabs."));
    assert!(whole.len() < 6_000, "{}", whole.len());
    let allowed = [
        "prompt",
        "--instructions",
        "--set",
        "instructions.external_includes=on",
    ];
    assert!(text(&fixture, &allowed).contains("from outside"));
    let claude = r#"{"claudeMd": {"allowExternalIncludes": true}}"#;
    fixture
        .sandbox
        .write("home/.claude/settings.json", claude)
        .unwrap();
    assert!(text(&fixture, &["instructions", "--text"]).contains("from outside"));
}

#[test]
fn a_limit_of_tokens_comes_from_settings_and_the_flag_is_stronger() {
    let fixture = project();
    settings(&fixture, "instructions.max_tokens = 1\n");
    let left_out = "Left out, because all instruction files together are over the limit";
    let block = |arguments: &[&str]| {
        let mut words = vec!["instructions", "--text"];
        words.extend(arguments);
        text(&fixture, &words)
    };
    assert!(block(&[]).contains(left_out));
    assert!(!block(&["--max-tokens", "0"]).contains(left_out));
    assert!(!block(&["--max-tokens", "1000"]).contains(left_out));
    settings(&fixture, "instructions.max_tokens = 0\n");
    assert!(!block(&[]).contains(left_out));
    assert!(block(&["--max-tokens", "1"]).contains(left_out));
}

#[test]
fn the_folders_that_a_prompt_speaks_of_are_there() {
    let fixture = Fixture::new();
    text(&fixture, &["prompt", "--team", "--session", "5f"]);
    text(&fixture, &["prompt", "--agent", "a:b", "--scope", "user"]);
    text(
        &fixture,
        &["prompt", "--agent", "a:b", "--scope", "project"],
    );
    text(&fixture, &["prompt", "--agent", "a:b", "--scope", "local"]);
    let (home, root) = (fixture.sandbox.home(), fixture.sandbox.project());
    let scratchpad = fixture.memory_dir().with_file_name("5f").join("scratchpad");
    for folder in [
        fixture.memory_dir(),
        fixture.memory_dir().join("team"),
        scratchpad,
        home.join(".claude/agent-memory/a-b"),
        root.join(".claude/agent-memory/a-b"),
        root.join(".claude/agent-memory-local/a-b"),
    ] {
        let mode = fs::metadata(&folder).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700, "{}", folder.display());
    }
    // There is nothing to index yet.
    assert_eq!(fs::read_dir(fixture.memory_dir()).unwrap().count(), 1);
}

#[test]
fn a_folder_that_cannot_be_made_is_told_once_and_the_prompt_goes_on() {
    let fixture = Fixture::new();
    let projects = fixture.sandbox.home().join(".claude/projects");
    fs::create_dir_all(projects.parent().unwrap()).unwrap();
    symlink("/dev/null", &projects).unwrap();
    let outcome = fixture.run(&["prompt"]);
    assert!(outcome.success());
    assert!(outcome.stdout().ends_with("nothing has been saved yet.\n"));
    let shown = outcome.to_string();
    let (_, told) = shown.split_once("-- stderr\n").unwrap();
    assert_snapshot!(told, @"warning: there is no memory directory: could not open the folder [HOME]/.claude/projects/[-PROJECT]/memory: not a directory");
}

#[test]
fn a_setting_that_is_none_is_refused_with_the_nearest() {
    let fixture = Fixture::new();
    assert_snapshot!(fixture.run(&["prompt", "--set", "promt.style=short"]), @"
    exit 2
    -- stdout
    -- stderr
    error: invalid value 'promt.style=short' for '--set <KEY=VALUE>': there is no setting `promt.style`; did you mean `prompt.style`?

    For more information, try '--help'.
    ");
    assert_snapshot!(fixture.run(&["list", "--set", "memory.refresh=hourly"]), @r#"
    exit 2
    -- stdout
    -- stderr
    error: invalid value 'memory.refresh=hourly' for '--set <KEY=VALUE>': `memory.refresh` has to be "session" or "turn", not "hourly"

    For more information, try '--help'.
    "#);
    assert_snapshot!(fixture.run(&["list", "--set", "memory.refresh"]), @r#"
    exit 2
    -- stdout
    -- stderr
    error: invalid value 'memory.refresh' for '--set <KEY=VALUE>': "memory.refresh" is not of the form KEY=VALUE

    For more information, try '--help'.
    "#);
}

#[test]
fn a_flag_is_shown_as_the_origin_of_a_value() {
    let fixture = Fixture::new();
    settings(&fixture, "memory.refresh = \"session\"\n");
    let listed = text(
        &fixture,
        &["config", "list", "--origin", "--set", "memory.refresh=turn"],
    );
    let line = listed
        .lines()
        .find(|line| line.contains("refresh"))
        .unwrap();
    assert_snapshot!(line, @"memory.refresh = turn                   flag --set");
    // Every turn then computes the memory section, and the answer says so.
    let answer = text(
        &fixture,
        &["prompt", "--json", "--set", "memory.refresh=turn"],
    );
    let kinds: Vec<&str> = answer
        .lines()
        .filter(|line| line.contains("\"kind\"") || line.contains("\"name\""))
        .map(str::trim)
        .collect();
    assert_snapshot!(kinds.join("\n"), @r#"
    "name": "past-context search",
    "kind": "cached",
    "name": "memory",
    "kind": "per-turn",
    "#);
}
