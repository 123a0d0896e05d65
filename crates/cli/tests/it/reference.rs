//! The command reference: the help of every command, as the program itself prints it.
//!
//! `docs/commands.md` is made by `UPDATE_EXPECT=1 cargo test -p memdir-cli reference`, so that no help text changes
//! unseen.

use std::fs;
use std::path::Path;

use crate::fixture::Fixture;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/commands.md");

const HEAD: &str = "\
# Commands

What `memdir help` and `memdir help COMMAND` print. Made from the program: do not edit, but run
`UPDATE_EXPECT=1 cargo test -p memdir-cli reference`.
";

fn help(fixture: &Fixture, command: &[&str]) -> String {
    let arguments: Vec<&str> = std::iter::once("help")
        .chain(command.iter().copied())
        .collect();
    let outcome = fixture
        .program(&arguments)
        .env("COLUMNS", "80")
        .run()
        .unwrap();
    assert!(outcome.success(), "{outcome}");
    outcome.stdout()
}

/// The names of the commands, as the program lists them.
fn commands(help: &str) -> Vec<String> {
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = listed
        .take_while(|line| !line.is_empty())
        .filter_map(|line| {
            let indented = line
                .strip_prefix("  ")
                .filter(|line| !line.starts_with(' '))?;
            indented.split_whitespace().next().map(str::to_owned)
        });
    names.filter(|name| name != "help").collect()
}

#[test]
fn the_command_reference_is_up_to_date() {
    let fixture = Fixture::new();
    let whole = help(&fixture, &[]);
    let names = commands(&whole);
    assert!(names.len() >= 17, "{names:?}");
    let mut reference = format!("{HEAD}\n## memdir\n\n```text\n{whole}```\n");
    for name in &names {
        let text = help(&fixture, &[name]);
        reference.push_str(&format!("\n## memdir {name}\n\n```text\n{text}```\n"));
    }
    let file = Path::new(FILE);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(file, &reference).unwrap();
    }
    let written = fs::read_to_string(file).unwrap_or_default();
    assert!(
        written == reference,
        "docs/commands.md is behind the program: {}",
        HEAD.lines().last().unwrap()
    );
}

#[test]
fn help_fits_eighty_columns_and_has_examples() {
    let fixture = Fixture::new();
    let whole = help(&fixture, &[]);
    for name in std::iter::once(String::new()).chain(commands(&whole)) {
        let command: Vec<&str> = Some(name.as_str())
            .filter(|name| !name.is_empty())
            .into_iter()
            .collect();
        let text = help(&fixture, &command);
        let long: Vec<&str> = text
            .lines()
            .filter(|line| line.chars().count() > 80)
            .collect();
        assert!(long.is_empty(), "memdir {name}: {long:#?}");
        assert!(
            text.contains("Example"),
            "memdir {name} has no example:\n{text}"
        );
    }
}

#[test]
fn completions_are_made_for_every_shell() {
    let fixture = Fixture::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let outcome = fixture.run(&["completions", shell]);
        assert!(outcome.success(), "{outcome}");
        for word in ["remember", "--everywhere"] {
            assert!(
                outcome.stdout().contains(word.trim_start_matches('-')),
                "{shell} misses {word}"
            );
        }
    }
    insta::assert_snapshot!(fixture.run(&["completions", "tcsh"]), @"
    exit 2
    -- stdout
    -- stderr
    error: invalid value 'tcsh' for '<SHELL>'
      [possible values: bash, elvish, fish, powershell, zsh]

      tip: a similar value exists: 'zsh'

    For more information, try '--help'.
    ");
}

#[test]
fn the_manual_has_every_command() {
    let fixture = Fixture::new();
    let page = fixture.run(&["man"]).stdout();
    let titles: Vec<&str> = page
        .lines()
        .filter_map(|line| line.strip_prefix(".SH "))
        .collect();
    insta::assert_snapshot!(titles.join("\n"), @r#"
    NAME
    SYNOPSIS
    DESCRIPTION
    OPTIONS
    "OPTIONS OF EVERY COMMAND"
    "MEMDIR TRY"
    "MEMDIR CHAT"
    "MEMDIR STATUS"
    "MEMDIR PATHS"
    "MEMDIR LIST"
    "MEMDIR SHOW"
    "MEMDIR RECALL"
    "MEMDIR WHY"
    "MEMDIR REMEMBER"
    "MEMDIR FORGET"
    "MEMDIR EDIT"
    "MEMDIR RENAME"
    "MEMDIR EXTRACT"
    "MEMDIR NOTES"
    "MEMDIR DREAM"
    "MEMDIR INBOX"
    "MEMDIR ACCEPT"
    "MEMDIR REJECT"
    "MEMDIR IMPORT"
    "MEMDIR EXPORT"
    "MEMDIR MOVE"
    "MEMDIR LOG"
    "MEMDIR INDEX"
    "MEMDIR INSTRUCTIONS"
    "MEMDIR HISTORY"
    "MEMDIR DIFF"
    "MEMDIR UNDO"
    "MEMDIR PURGE"
    "MEMDIR PROMPT"
    "MEMDIR AGENTS"
    "MEMDIR MCP"
    "MEMDIR AUDIT"
    "MEMDIR MODELS"
    "MEMDIR COST"
    "MEMDIR JOBS"
    "MEMDIR PAUSE"
    "MEMDIR HOOK"
    "MEMDIR CONFIG"
    "MEMDIR TRUST"
    "MEMDIR SETUP"
    "MEMDIR UNINSTALL"
    "MEMDIR DOCTOR"
    "MEMDIR REINDEX"
    "MEMDIR MODEL"
    "MEMDIR CONTEXT"
    "MEMDIR TRANSCRIPT"
    "MEMDIR COMPACT"
    "MEMDIR BENCH"
    "MEMDIR COMPLETIONS"
    "MEMDIR MAN"
    EXAMPLES
    VERSION
    "#);

    let folder = fixture.sandbox.root().join("man1");
    let outcome = fixture.run(&["man", "--dir", &folder.display().to_string()]);
    insta::assert_snapshot!(outcome, @"
    exit 0
    -- stdout
    [ROOT]/man1/memdir.1
    [ROOT]/man1/memdir-try.1
    [ROOT]/man1/memdir-chat.1
    [ROOT]/man1/memdir-status.1
    [ROOT]/man1/memdir-paths.1
    [ROOT]/man1/memdir-list.1
    [ROOT]/man1/memdir-show.1
    [ROOT]/man1/memdir-recall.1
    [ROOT]/man1/memdir-why.1
    [ROOT]/man1/memdir-remember.1
    [ROOT]/man1/memdir-forget.1
    [ROOT]/man1/memdir-edit.1
    [ROOT]/man1/memdir-rename.1
    [ROOT]/man1/memdir-extract.1
    [ROOT]/man1/memdir-notes.1
    [ROOT]/man1/memdir-dream.1
    [ROOT]/man1/memdir-inbox.1
    [ROOT]/man1/memdir-accept.1
    [ROOT]/man1/memdir-reject.1
    [ROOT]/man1/memdir-import.1
    [ROOT]/man1/memdir-export.1
    [ROOT]/man1/memdir-move.1
    [ROOT]/man1/memdir-log.1
    [ROOT]/man1/memdir-index.1
    [ROOT]/man1/memdir-instructions.1
    [ROOT]/man1/memdir-history.1
    [ROOT]/man1/memdir-diff.1
    [ROOT]/man1/memdir-undo.1
    [ROOT]/man1/memdir-purge.1
    [ROOT]/man1/memdir-prompt.1
    [ROOT]/man1/memdir-agents.1
    [ROOT]/man1/memdir-mcp.1
    [ROOT]/man1/memdir-audit.1
    [ROOT]/man1/memdir-models.1
    [ROOT]/man1/memdir-cost.1
    [ROOT]/man1/memdir-jobs.1
    [ROOT]/man1/memdir-pause.1
    [ROOT]/man1/memdir-hook.1
    [ROOT]/man1/memdir-config.1
    [ROOT]/man1/memdir-trust.1
    [ROOT]/man1/memdir-setup.1
    [ROOT]/man1/memdir-uninstall.1
    [ROOT]/man1/memdir-doctor.1
    [ROOT]/man1/memdir-reindex.1
    [ROOT]/man1/memdir-model.1
    [ROOT]/man1/memdir-context.1
    [ROOT]/man1/memdir-transcript.1
    [ROOT]/man1/memdir-compact.1
    [ROOT]/man1/memdir-bench.1
    [ROOT]/man1/memdir-completions.1
    [ROOT]/man1/memdir-man.1
    -- stderr
    ");
    let page = fs::read_to_string(folder.join("memdir-list.1")).unwrap();
    assert!(page.contains("memdir\\-list"), "{page}");
}
