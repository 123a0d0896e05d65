//! Layers on top of one another.

use memdir_settings::{
    Assignment, ClaudeSettings, KEYS, Layer, OwnSettings, Sources, Trust, Value, nearest,
    reference, resolve,
};
use proptest::prelude::*;

fn own(layer: Layer, trust: Trust, file: &str, text: &str) -> OwnSettings {
    OwnSettings::parse(layer, trust, file, text.as_bytes())
}

/// What is not built in, then what was refused.
fn check(own: &[OwnSettings], claude: &[ClaudeSettings], variables: &[(&str, &str)]) -> String {
    let value_of = |name: &str| {
        let found = variables.iter().find(|(own, _)| *own == name);
        found.map(|(_, value)| *value)
    };
    let resolved = resolve(
        Sources {
            claude,
            own,
            flags: &[],
        },
        value_of,
    );
    let set = resolved
        .values()
        .iter()
        .filter(|sourced| sourced.origin != memdir_settings::Origin::BuiltIn)
        .map(|sourced| {
            format!(
                "{} = {} by {}",
                sourced.key.name, sourced.value, sourced.origin
            )
        });
    let refused = resolved.refused().iter().map(ToString::to_string);
    let problems = resolved.problems().iter().map(ToString::to_string);
    let lines: Vec<String> = set.chain(refused).chain(problems).collect();
    lines.join("\n")
}

#[test]
fn the_strongest_layer_that_sets_a_value_decides() {
    let text = |style: &str, hours: u64| {
        format!("prompt.style = \"{style}\"\ndream.min_hours = {hours}\n")
    };
    let user = own(Layer::User, Trust::Untrusted, "user", &text("full", 10));
    let project = own(
        Layer::Project,
        Trust::Untrusted,
        "project",
        &text("short", 20),
    );
    let local = own(Layer::Local, Trust::Trusted, "local", "dream.min_hours = 1");
    let all = [local, project, user];
    insta::assert_snapshot!(check(&all, &[], &[]), @"
    dream.min_hours = 1 by local:1 (local)
    prompt.style = short by project:1 (project)
    ");
    let variables = [
        ("MEMDIR_DREAM_MIN_HOURS", " 3 "),
        ("MEMDIR_PROMPT_STYLE", "long"),
    ];
    insta::assert_snapshot!(check(&all, &[], &variables), @r#"
    dream.min_hours = 3 by MEMDIR_DREAM_MIN_HOURS
    prompt.style = short by project:1 (project)
    MEMDIR_PROMPT_STYLE: it has to be "full" or "short"; it is ignored
    "#);
}

#[test]
fn a_flag_is_stronger_than_a_variable_and_managed_settings_than_a_flag() {
    let flags = [
        "dream.min_hours=4",
        "dream.min_hours = 5",
        "prompt.style=short",
    ]
    .map(|text| Assignment::parse(text).unwrap());
    let resolved = |own: &[OwnSettings]| {
        let sources = Sources {
            own,
            flags: &flags,
            ..Sources::default()
        };
        let resolved = resolve(sources, |name| {
            (name == "MEMDIR_DREAM_MIN_HOURS").then_some("3")
        });
        let set = resolved.values().iter();
        let set = set.filter(|sourced| sourced.origin != memdir_settings::Origin::BuiltIn);
        let lines = set.map(|sourced| format!("{} by {}", sourced.value, sourced.origin));
        lines.collect::<Vec<_>>().join("\n")
    };
    let user = own(Layer::User, Trust::Untrusted, "user", "dream.min_hours = 1");
    insta::assert_snapshot!(resolved(std::slice::from_ref(&user)), @"
    5 by --set
    short by --set
    ");
    let managed = own(
        Layer::Managed,
        Trust::Untrusted,
        "managed",
        "dream.min_hours = 9",
    );
    insta::assert_snapshot!(resolved(&[managed, user]), @"
    9 by managed:1 (managed)
    short by --set
    ");
}

#[test]
fn a_flag_that_says_nothing_names_what_was_meant() {
    let told = |text: &str| Assignment::parse(text).unwrap_err().to_string();
    insta::assert_snapshot!(told("prompt.style"), @r#""prompt.style" is not of the form KEY=VALUE"#);
    insta::assert_snapshot!(told("memory.refesh=turn"), @"there is no setting `memory.refesh`; did you mean `memory.refresh`?");
    insta::assert_snapshot!(told("proxy.address=x"), @"there is no setting `proxy.address`");
    insta::assert_snapshot!(told("prompt.style=tiny"), @r#"`prompt.style` has to be "full" or "short", not "tiny""#);
}

#[test]
fn names_of_claude_code_stand_in_the_same_layers() {
    let json = br#"{"autoMemoryEnabled": false,
        "autoCompactEnabled": false}"#;
    let claude = |layer| ClaudeSettings::parse(layer, Trust::Untrusted, "json", json);
    insta::assert_snapshot!(check(&[], &[claude(Layer::Project)], &[]), @"
    memory.enabled = false by json:1 (project)
    compaction.auto = false by json:2 (project)
    ");
    let text = "memory.enabled = true\ncompaction.auto = true\n";
    let user = own(Layer::User, Trust::Untrusted, "toml", text);
    // Ours is the nearer one in the same layer; nobody is above whoever administers the machine.
    insta::assert_snapshot!(check(std::slice::from_ref(&user), &[claude(Layer::User)], &[]), @"
    memory.enabled = true by toml:1 (user)
    compaction.auto = true by toml:2 (user)
    ");
    let variables = [("MEMDIR_MEMORY_ENABLED", "1")];
    insta::assert_snapshot!(check(&[user], &[claude(Layer::Managed)], &variables), @"
    memory.enabled = false by json:1 (managed)
    compaction.auto = false by json:2 (managed)
    ");
}

/// A repository that wants everything, against a user who wants little.
#[test]
fn a_committed_file_may_only_be_more_careful() {
    let greedy = "\
memory = { enabled = true, refresh = \"turn\" }
recall.selector = \"model\"
extraction = { mode = \"auto\", every = 1, non_interactive = true }
dream = { mode = \"auto\", min_hours = 0, min_sessions = 0 }
team.enabled = true
daily_log.enabled = true
notes = { init_tokens = 1, update_tokens = 1, tool_calls = 0 }
instructions.max_tokens = 1
budget = { daily_usd = 1000.0, rate_limit_floor = 0.0 }
secrets.private = \"redact\"
";
    let user = "memory.enabled = false\nextraction.mode = \"ask\"\ndream.mode = \"off\"\n";
    let user = own(Layer::User, Trust::Untrusted, "user", user);
    let project = own(Layer::Project, Trust::Untrusted, "project", greedy);
    let untrusted = own(Layer::Local, Trust::Untrusted, "local", greedy);
    insta::assert_snapshot!(check(&[project, user.clone()], &[], &[]), @"
    memory.enabled = false by user:1 (user)
    memory.refresh = turn by project:1 (project)
    extraction.mode = ask by user:2 (user)
    dream.mode = off by user:3 (user)
    `memory.enabled = true` from project:1 (project) is not used, memory.enabled stays false: a file that comes with the project may only make memory do less
    `recall.selector = model` from project:2 (project) is not used, recall.selector stays embedded: a file that comes with the project may only make memory do less
    `extraction.mode = auto` from project:3 (project) is not used, extraction.mode stays ask: a file that comes with the project may only make memory do less
    `extraction.non_interactive = true` from project:3 (project) is not used, extraction.non_interactive stays false: a file that comes with the project may only make memory do less
    `dream.mode = auto` from project:4 (project) is not used, dream.mode stays off: a file that comes with the project may only make memory do less
    `dream.min_hours = 0` from project:4 (project) is not used, dream.min_hours stays 24: a file that comes with the project may only make memory work more seldom
    `dream.min_sessions = 0` from project:4 (project) is not used, dream.min_sessions stays 5: a file that comes with the project may only make memory work more seldom
    `team.enabled = true` from project:5 (project) is not used, team.enabled stays false: a file that comes with the project may only make memory do less
    `daily_log.enabled = true` from project:6 (project) is not used, daily_log.enabled stays false: a file that comes with the project may only make memory do less
    `notes.init_tokens = 1` from project:7 (project) is not used, notes.init_tokens stays 10000: a file that comes with the project may only make memory work more seldom
    `notes.update_tokens = 1` from project:7 (project) is not used, notes.update_tokens stays 5000: a file that comes with the project may only make memory work more seldom
    `notes.tool_calls = 0` from project:7 (project) is not used, notes.tool_calls stays 3: a file that comes with the project may only make memory work more seldom
    `instructions.max_tokens = 1` from project:8 (project) is not used, instructions.max_tokens stays 0: a file that comes with the project may not set it
    `budget.daily_usd = 1000.00` from project:9 (project) is not used, budget.daily_usd stays 1.00: a file that comes with the project may only make memory do less
    `budget.rate_limit_floor = 0.00` from project:9 (project) is not used, budget.rate_limit_floor stays 0.25: a file that comes with the project may only make memory work more seldom
    `secrets.private = redact` from project:10 (project) is not used, secrets.private stays refuse: a file that comes with the project may only make memory do less
    ");
    let with = resolve(
        Sources {
            claude: &[],
            own: &[untrusted.clone(), user.clone()],
            flags: &[],
        },
        |_| None,
    );
    assert_eq!(with.refused().len(), 16);
    // Vouched for, the local file is the user's own word.
    let trusted = untrusted.with_trust(Trust::Trusted);
    let with = resolve(
        Sources {
            claude: &[],
            own: &[trusted, user],
            flags: &[],
        },
        |_| None,
    );
    assert_eq!(with.refused(), []);
    assert!(with.settings().memory.enabled && with.settings().team.enabled);
}

#[test]
fn the_typed_tree_is_the_table() {
    let resolved = resolve(Sources::default(), |_| None);
    insta::assert_debug_snapshot!(resolved.settings(), @"
    Settings {
        memory: MemorySettings {
            enabled: true,
            refresh: Session,
            index_place: Reminder,
            skip_index: false,
            trust: Tracked,
        },
        recall: RecallSettings {
            enabled: true,
            selector: Embedded,
            model: None,
        },
        past_context: PastContextSettings {
            enabled: true,
        },
        extraction: ExtractionSettings {
            mode: Auto,
            every: 1,
            non_interactive: false,
            fork: false,
        },
        dream: DreamSettings {
            mode: Auto,
            min_hours: 24,
            min_sessions: 5,
            max_loss: 25,
        },
        team: TeamSettings {
            enabled: false,
        },
        daily_log: DailyLogSettings {
            enabled: false,
        },
        notes: NotesSettings {
            enabled: true,
            init_tokens: 10000,
            update_tokens: 5000,
            tool_calls: 3,
        },
        scratchpad: ScratchpadSettings {
            enabled: true,
        },
        instructions: InstructionsSettings {
            max_tokens: 0,
            external_includes: false,
        },
        prompt: PromptSettings {
            style: Full,
        },
        compaction: CompactionSettings {
            auto: true,
            micro: true,
            notes: true,
            full: true,
            warning_tokens: 20000,
            error_tokens: 20000,
        },
        budget: BudgetSettings {
            daily_usd: Amount(
                10000,
            ),
            rate_limit_floor: Amount(
                2500,
            ),
        },
        hooks: HooksSettings {
            shrink_over: 0,
        },
        secrets: SecretsSettings {
            private: Refuse,
        },
    }
    ");
}

#[test]
fn every_key_is_sound() {
    let mut names: Vec<&str> = KEYS.iter().map(|key| key.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), KEYS.len());
    for key in KEYS {
        let (section, field) = key.parts();
        let variable = format!("MEMDIR_{section}_{field}").to_uppercase();
        assert_eq!(key.variable, variable);
        // What is built in is a value that could be typed.
        assert_eq!(
            key.kind.read(&key.default.to_string()),
            Some(key.default),
            "{}",
            key.name
        );
        assert_eq!(nearest(key.name), Some(key));
        assert!(key.about.trim().ends_with('.'), "{}", key.name);
    }
}

#[test]
fn the_page_of_settings_is_up_to_date() {
    const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/settings.md");
    const HEAD: &str = include_str!("settings_head.md");
    let page = format!("{HEAD}{}", reference());
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(FILE, &page).unwrap();
    }
    assert!(
        std::fs::read_to_string(FILE).unwrap_or_default() == page,
        "docs/settings.md is behind the table: `UPDATE_EXPECT=1 cargo test -p memdir-settings`"
    );
}

fn any_text() -> impl Strategy<Value = String> {
    let line = (0..KEYS.len(), 0..6_usize).prop_map(|(at, value)| {
        let key = &KEYS[at];
        let value = match (key.kind, value) {
            (memdir_settings::Kind::Switch, value) => (value % 2 == 0).to_string(),
            (memdir_settings::Kind::Word(words), value) => {
                format!("{:?}", words[value % words.len()])
            }
            (memdir_settings::Kind::Amount { .. }, value) => format!("0.{value}"),
            (memdir_settings::Kind::Whole { .. }, value) => (value * 7).to_string(),
        };
        (key.name, format!("{} = {value}\n", key.name))
    });
    proptest::collection::btree_map(0..KEYS.len(), line, 0..12).prop_map(|lines| {
        let mut seen = std::collections::BTreeSet::new();
        let lines = lines.into_values().filter(|(name, _)| seen.insert(*name));
        let mut lines: Vec<String> = lines.map(|(_, line)| line).collect();
        lines.sort();
        lines.concat()
    })
}

proptest! {
    /// Whatever a repository carries, nothing does more, costs more or asks less than the user wants.
    #[test]
    fn a_repository_never_gets_more_than_the_user_gives(user in any_text(), project in any_text()) {
        let user = own(Layer::User, Trust::Untrusted, "user", &user);
        let project = own(Layer::Project, Trust::Untrusted, "project", &project);
        let rank = |value: Value, key: &memdir_settings::Key| match (key.kind, value) {
            (memdir_settings::Kind::Word(words), Value::Word(word)) => {
                words.iter().position(|other| *other == word).unwrap() as f64
            }
            (_, Value::Switch(on)) => f64::from(u8::from(on)),
            (_, Value::Whole(number)) => number as f64,
            (_, Value::Amount(amount)) => amount.as_f64(),
            _ => panic!("{} = {value}", key.name),
        };
        let alone = resolve(Sources { own: std::slice::from_ref(&user), ..Sources::default() }, |_| None);
        let with = resolve(Sources { own: &[project, user], ..Sources::default() }, |_| None);
        for (before, after) in alone.values().iter().zip(with.values()) {
            let (given, got) = (rank(before.value, before.key), rank(after.value, after.key));
            let holds = match before.key.committed {
                memdir_settings::Committed::Any => true,
                memdir_settings::Committed::Lower => got <= given,
                memdir_settings::Committed::Higher => got >= given,
                memdir_settings::Committed::Never => got == given,
            };
            prop_assert!(holds, "{} {} {}", before.key.name, before.value, after.value);
        }
    }
}
