//! Exit codes: 2 for what is not understood, 1 for what is understood and not there.

use crate::fixture::Fixture;

/// What is typed and the code that it ends with.
const TYPED: [(&str, u8); 69] = [
    ("nosuch", 2),
    ("--set nosuch=1 list", 2),
    ("--set memory.enabled=maybe list", 2),
    ("--project /nosuch list", 1),
    ("list --nosuch", 2),
    ("accept nosuch", 1),
    ("agents nosuch", 2),
    ("audit nosuch", 2),
    ("bench nosuch", 2),
    ("chat --resume nosuch", 1),
    ("chat --agent a/b --print x", 2),
    ("chat --agent a --scope nosuch", 2),
    ("compact nosuch", 1),
    ("completions nosuch", 2),
    ("config nosuch", 2),
    ("config get nosuch", 2),
    ("config get memory.enable", 2),
    ("config set nosuch 1", 2),
    ("config set memory.enabled maybe", 2),
    ("config set extraction.every nosuch", 2),
    ("config unset nosuch", 2),
    ("context nosuch", 1),
    ("cost --by nosuch", 2),
    ("diff nosuch", 1),
    ("diff 99", 1),
    ("doctor nosuch", 2),
    ("dream nosuch", 2),
    ("edit nosuch", 1),
    ("export nosuch", 2),
    ("extract nosuch", 1),
    ("forget nosuch", 1),
    ("fork nosuch", 2),
    ("history nosuch", 1),
    ("history --since nosuch", 2),
    ("import nosuch", 2),
    ("inbox nosuch", 1),
    ("index nosuch", 2),
    ("instructions nosuch", 2),
    ("jobs nosuch", 2),
    ("list --sort nosuch", 2),
    ("list --type nosuch", 2),
    ("log --date nosuch x", 2),
    ("man nosuch", 2),
    ("mcp nosuch", 2),
    ("model nosuch", 2),
    ("models nosuch", 2),
    ("move nosuch", 2),
    ("move nosuch nowhere", 1),
    ("notes nosuch", 2),
    ("paths nosuch", 2),
    ("pause nosuch", 2),
    ("prompt --agent a --scope nosuch", 2),
    ("prompt --agent a/b --scope user", 2),
    ("prompt --session a/b", 2),
    ("prompt --agent a --scope user --tools Bash", 2),
    ("purge nosuch", 1),
    ("recall", 2),
    ("reindex nosuch", 2),
    ("reject nosuch", 1),
    ("remember --type nosuch x", 2),
    ("rename nosuch other", 1),
    ("setup nosuch", 2),
    ("show nosuch", 1),
    ("status nosuch", 2),
    ("transcript nosuch", 2),
    ("trust nosuch", 1),
    ("try nosuch", 2),
    ("undo nosuch", 2),
    ("undo 99", 1),
];

#[test]
fn a_word_that_is_none_of_those_there_are_ended_with_1() {
    let fixture = Fixture::with_some();
    let wrong: Vec<String> = TYPED
        .iter()
        .filter_map(|(typed, code)| {
            let words: Vec<&str> = typed.split(' ').collect();
            let shown = fixture.run(&words).to_string();
            let expected = format!("exit {code}\n");
            (!shown.starts_with(&expected)).then(|| format!("{typed}, not {code}: {shown}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_command_is_tried() {
    // These take any words, or are for agents, or are tried under their own names above.
    let others = [
        "help",
        "hook",
        "why",
        "uninstall",
        "log",
        "remember",
        "rename",
    ];
    let help = Fixture::new().run(&["--help"]).stdout();
    let (_, commands) = help.split_once("Commands:\n").unwrap();
    let (commands, _) = commands.split_once("\n\n").unwrap();
    for line in commands.lines() {
        let Some(name) = line
            .strip_prefix("  ")
            .and_then(|line| line.split(' ').next())
        else {
            continue;
        };
        let tried = TYPED
            .iter()
            .any(|(typed, _)| typed.split(' ').next() == Some(name));
        assert!(
            name.is_empty() || tried || others.contains(&name),
            "{name} is not tried"
        );
    }
}
