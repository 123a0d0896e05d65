//! Whether memory and compaction are on, by the first switch that applies.

use memdir_settings::{
    ClaudeSettings, Decision, Key, Layer, Sources, Switches, Trust, decide, decide_compaction,
    resolve, truth, variables,
};

const UNTRUSTED: Trust = Trust::Untrusted;

/// One line: variables, then files as `layer=value`, `local!` for one that the user trusts.
fn check(environment: &[(&str, &str)], files: &[&str]) -> String {
    let value_of = |name: &str| {
        environment
            .iter()
            .find(|(own, _)| *own == name)
            .map(|(_, value)| *value)
    };
    let mut switches = Switches::read(value_of, |_| false);
    switches.remote_directory = value_of(variables::REMOTE_MEMORY_DIR).is_some();
    let files: Vec<ClaudeSettings> = files.iter().map(|file| parse(file)).collect();
    let decision = decided(&switches, &files);
    format!(
        "{}: {}",
        if decision.enabled { "on" } else { "off" },
        decision.reason
    )
}

fn decided(switches: &Switches, claude: &[ClaudeSettings]) -> Decision {
    let resolved = resolve(
        Sources {
            claude,
            ..Sources::default()
        },
        |_| None,
    );
    decide(switches, resolved.get(Key::find("memory.enabled").unwrap()))
}

fn parse(file: &str) -> ClaudeSettings {
    let (layer, value) = file.split_once('=').unwrap();
    let (layer, trust) = match layer {
        "user" => (Layer::User, UNTRUSTED),
        "project" => (Layer::Project, UNTRUSTED),
        "local" => (Layer::Local, UNTRUSTED),
        "local!" => (Layer::Local, Trust::Trusted),
        _ => (Layer::Managed, UNTRUSTED),
    };
    let text = format!(r#"{{"autoMemoryEnabled": {value}}}"#);
    ClaudeSettings::parse(layer, trust, "f", text.as_bytes())
}

#[test]
fn the_first_switch_that_applies_decides() {
    const SIMPLE: &str = variables::SIMPLE;
    const DISABLE: &str = variables::DISABLE_AUTO_MEMORY;
    const REMOTE: &str = variables::REMOTE;
    const DIRECTORY: &str = variables::REMOTE_MEMORY_DIR;
    type Case = (
        &'static [(&'static str, &'static str)],
        &'static [&'static str],
    );
    let cases: [Case; 12] = [
        (&[], &[]),
        (&[(SIMPLE, "1"), (DISABLE, "0")], &["managed=true"]),
        (&[(SIMPLE, "0")], &[]),
        (&[(SIMPLE, "maybe")], &[]),
        (&[(DISABLE, "TRUE"), (REMOTE, "0")], &["managed=true"]),
        (&[(DISABLE, "off"), (REMOTE, "1")], &["managed=false"]),
        (&[(DISABLE, "2")], &["user=false"]),
        (&[(REMOTE, "1")], &["user=true"]),
        (&[(REMOTE, "1"), (DIRECTORY, "/x/y")], &[]),
        (&[(REMOTE, "no")], &["user=false"]),
        (&[(DIRECTORY, "/x/y")], &["project=false"]),
        (&[(DISABLE, "")], &["project=true"]),
    ];
    let lines: Vec<String> = cases
        .iter()
        .map(|(environment, files)| check(environment, files))
        .collect();
    insta::assert_snapshot!(lines.join("\n"), @r"
    on: built-in
    off: CLAUDE_CODE_SIMPLE
    on: built-in
    on: built-in
    off: CLAUDE_CODE_DISABLE_AUTO_MEMORY
    on: CLAUDE_CODE_DISABLE_AUTO_MEMORY
    off: autoMemoryEnabled in f (user)
    off: CLAUDE_CODE_REMOTE without a usable CLAUDE_CODE_REMOTE_MEMORY_DIR
    on: built-in
    off: autoMemoryEnabled in f (user)
    off: autoMemoryEnabled in f (project)
    on: built-in
    ");
}

#[test]
fn the_strongest_file_that_sets_it_decides() {
    let cases: [&[&str]; 10] = [
        &["user=false", "project=true"],
        &["user=true", "project=false"],
        &["user=false", "local=true"],
        &["user=false", "local!=true"],
        &["user=true", "local=false"],
        &["project=false", "local!=true"],
        &["project=false", "local=true"],
        &["local=false", "local!=true"],
        &["local!=false", "local!=true"],
        &[
            "local!=false",
            "project=false",
            "managed=true",
            "user=false",
        ],
    ];
    let lines: Vec<String> = cases
        .iter()
        .map(|files| format!("{} -> {}", files.join(" "), check(&[], files)))
        .collect();
    insta::assert_snapshot!(lines.join("\n"), @r"
    user=false project=true -> off: autoMemoryEnabled in f (user)
    user=true project=false -> off: autoMemoryEnabled in f (project)
    user=false local=true -> off: autoMemoryEnabled in f (user)
    user=false local!=true -> on: autoMemoryEnabled in f (local)
    user=true local=false -> off: autoMemoryEnabled in f (local)
    project=false local!=true -> on: autoMemoryEnabled in f (local)
    project=false local=true -> off: autoMemoryEnabled in f (project)
    local=false local!=true -> on: autoMemoryEnabled in f (local)
    local!=false local!=true -> off: autoMemoryEnabled in f (local)
    local!=false project=false managed=true user=false -> on: autoMemoryEnabled in f (managed)
    ");
}

#[test]
fn bare_is_off_whatever_else_says() {
    let switches = Switches {
        bare: true,
        disable: Some(false),
        ..Switches::default()
    };
    let decision = decided(&switches, &[parse("managed=true")]);
    assert_eq!(
        (decision.enabled, decision.reason.to_string().as_str()),
        (false, "--bare")
    );
}

#[test]
fn a_variable_that_the_repository_names_may_only_switch_off() {
    let on = Switches::read(
        |name| (name == variables::DISABLE_AUTO_MEMORY).then_some("0"),
        |_| true,
    );
    assert_eq!(on.disable, None);
    let off = Switches::read(
        |name| (name == variables::DISABLE_AUTO_MEMORY).then_some("1"),
        |_| true,
    );
    assert_eq!(off.disable, Some(true));
}

/// One line: which compactions are on with these variables, and these fields of the user's `settings.json`.
fn compaction(environment: &[(&str, &str)], fields: &str) -> String {
    let value_of = |name: &str| {
        let mut own = environment.iter();
        own.find(|(own, _)| *own == name).map(|(_, value)| *value)
    };
    let claude = [ClaudeSettings::parse(
        Layer::User,
        UNTRUSTED,
        "f",
        fields.as_bytes(),
    )];
    let sources = Sources {
        claude: &claude,
        ..Sources::default()
    };
    let decisions = decide_compaction(
        &Switches::read(value_of, |_| false),
        &resolve(sources, value_of),
    );
    let shown = [
        ("automatic", decisions.automatic),
        ("manual", decisions.manual),
        ("micro", decisions.micro),
        ("notes", decisions.notes),
        ("full", decisions.full),
    ]
    .map(|(name, decision)| match decision.enabled {
        true => name.to_owned(),
        false => format!("no {name} by {}", decision.reason),
    });
    shown.join(", ")
}

#[test]
fn the_first_switch_that_applies_decides_about_compaction() {
    const ALL: &str = variables::DISABLE_COMPACT;
    const AUTOMATIC: &str = variables::DISABLE_AUTO_COMPACT;
    let off = r#"{"autoCompactEnabled": false}"#;
    let lines = [
        compaction(&[], "{}"),
        compaction(&[(ALL, "1"), (AUTOMATIC, "1")], off),
        compaction(&[(ALL, "0"), (AUTOMATIC, "on")], off),
        compaction(&[(ALL, "maybe"), (AUTOMATIC, "false")], off),
        compaction(&[("MEMDIR_COMPACTION_MICRO", "0")], "{}"),
        compaction(
            &[
                ("MEMDIR_COMPACTION_AUTO", "1"),
                ("MEMDIR_COMPACTION_FULL", "no"),
            ],
            off,
        ),
    ];
    insta::assert_snapshot!(lines.join("\n"), @"
    automatic, manual, micro, notes, full
    no automatic by DISABLE_COMPACT, no manual by DISABLE_COMPACT, no micro by DISABLE_COMPACT, no notes by DISABLE_COMPACT, no full by DISABLE_COMPACT
    no automatic by DISABLE_AUTO_COMPACT, manual, micro, notes, full
    no automatic by autoCompactEnabled in f (user), manual, micro, notes, full
    automatic, manual, no micro by MEMDIR_COMPACTION_MICRO, notes, full
    automatic, manual, micro, notes, no full by MEMDIR_COMPACTION_FULL
    ");
}

#[test]
fn every_variable_about_compaction_is_known_and_recognised_in_a_file() {
    for name in [
        variables::DISABLE_COMPACT,
        variables::DISABLE_AUTO_COMPACT,
        variables::AUTOCOMPACT_PERCENT,
    ] {
        assert!(variables::is_known(name), "{name}");
        let text = format!(r#"{{"env": {{"{name}": "1"}}}}"#);
        let file = ClaudeSettings::parse(Layer::Project, UNTRUSTED, "f", text.as_bytes());
        assert!(file.variables().contains(name), "{name}");
    }
}

#[test]
fn words_for_true_and_false() {
    for word in ["1", "true", "TRUE", "Yes", "on"] {
        assert_eq!(truth(word), Some(true), "{word}");
    }
    for word in ["0", "false", "False", "NO", "off"] {
        assert_eq!(truth(word), Some(false), "{word}");
    }
    for word in ["", "2", "tru", "y", "enabled", " 1", "１"] {
        assert_eq!(truth(word), None, "{word}");
    }
}
