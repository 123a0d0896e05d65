//! What a `memdir.toml` sets, and what is wrong with it.

use memdir_settings::{Layer, OwnSettings, Trust};

fn check(layer: Layer, text: &[u8]) -> String {
    let file = OwnSettings::parse(layer, Trust::Untrusted, "memdir.toml", text);
    let entries = file.entries().iter().map(|entry| {
        format!(
            "{} = {} in line {}",
            entry.key.name, entry.value, entry.line
        )
    });
    let problems = file
        .problems()
        .iter()
        .map(|problem| format!("{:?} {problem}", problem.severity));
    entries.chain(problems).collect::<Vec<_>>().join("\n")
}

#[test]
fn sections_dotted_keys_and_inline_tables_say_the_same() {
    let text = b"\xef\xbb\xbf# mine\r
memory.refresh = \"turn\"\r
recall = { enabled = false, selector = \"MODEL\" }\r
\r
[dream]\r
mode = \"ask\" # for now\r
min_hours = 48\r
[budget]\r
daily_usd = 2\r
rate_limit_floor = 0.125\r
";
    insta::assert_snapshot!(check(Layer::User, text), @"
    memory.refresh = turn in line 2
    recall.enabled = false in line 3
    recall.selector = model in line 3
    dream.mode = ask in line 6
    dream.min_hours = 48 in line 7
    budget.daily_usd = 2.00 in line 9
    budget.rate_limit_floor = 0.125 in line 10
    ");
}

#[test]
fn what_is_misspelt_is_an_error_in_the_users_file_with_the_nearest_name() {
    let text = b"autoMemoryEnabled = true
skip-index = true
colour = \"red\"
memory = 3
[extraction]
mode = \"sometimes\"
evry = 2
every = 0
[budget]
daily_usd = -1
[proxy]
address = \"http://evil\"
";
    insta::assert_snapshot!(check(Layer::User, text), @r#"
    Error memdir.toml:1:1: there is no setting `autoMemoryEnabled`; did you mean `memory.enabled`?
    Error memdir.toml:2:1: there is no setting `skip-index`; did you mean `memory.skip_index`?
    Error memdir.toml:3:1: there is no setting `colour`
    Error memdir.toml:4:1: `memory` is a section; write `memory.…`, or its settings beneath `[memory]`
    Error memdir.toml:6:8: `extraction.mode` has to be "off", "ask" or "auto"
    Error memdir.toml:7:1: there is no setting `extraction.evry`; did you mean `extraction.every`?
    Error memdir.toml:8:9: `extraction.every` has to be a whole number from 1 to 1000000000
    Error memdir.toml:10:13: `budget.daily_usd` has to be a number from 0 to 100000.00 with at most four decimals
    Error memdir.toml: 1 more mistake
    "#);
}

#[test]
fn in_a_file_of_the_project_it_is_a_warning() {
    let text = b"[memory]\nrefesh = \"turn\"\nskip_index = \"yes\"\nindex_place = \"both\"\n";
    insta::assert_snapshot!(check(Layer::Project, text), @"
    memory.index_place = both in line 4
    Warning memdir.toml:2:1: there is no setting `memory.refesh`; did you mean `memory.refresh`? It is ignored
    Warning memdir.toml:3:14: `memory.skip_index` has to be true or false; it is ignored
    ");
}

#[test]
fn what_is_not_toml_is_a_problem_with_a_place() {
    let texts: [&[u8]; 6] = [
        b"",
        b"[memory\nenabled = false",
        b"memory.enabled = no",
        b"memory.enabled = true\nmemory.enabled = false\n",
        b"caf\xe9 = 1",
        b"[[memory]]\nenabled = false\n",
    ];
    let told: Vec<String> = texts
        .iter()
        .map(|text| format!("-- {}", check(Layer::Project, text)))
        .collect();
    insta::assert_snapshot!(told.join("\n"), @"
    -- 
    -- Warning memdir.toml:1:8: not TOML (unclosed table, expected `]`); the file is ignored
    -- Warning memdir.toml:1:18: not TOML (invalid float, expected `nan`); the file is ignored
    -- Warning memdir.toml:2:8: not TOML (duplicate key); the file is ignored
    -- Warning memdir.toml:1:4: not UTF-8; the file is ignored
    -- Warning memdir.toml:1:3: `memory` is a section; write `memory.…`, or its settings beneath `[memory]`; it is ignored
    ");
}

#[test]
fn a_file_full_of_mistakes_is_told_in_a_few_lines() {
    let mut text: String = (0..5_000).map(|at| format!("evil{at} = {at}\n")).collect();
    text.push_str(&format!("{} = 1\n", "x".repeat(500_000)));
    insta::assert_snapshot!(check(Layer::Project, text.as_bytes()), @"
    Warning memdir.toml:1:1: there is no setting `evil0`; it is ignored
    Warning memdir.toml:2:1: there is no setting `evil1`; it is ignored
    Warning memdir.toml:3:1: there is no setting `evil2`; it is ignored
    Warning memdir.toml:4:1: there is no setting `evil3`; it is ignored
    Warning memdir.toml:5:1: there is no setting `evil4`; it is ignored
    Warning memdir.toml:6:1: there is no setting `evil5`; it is ignored
    Warning memdir.toml:7:1: there is no setting `evil6`; it is ignored
    Warning memdir.toml:8:1: there is no setting `evil7`; it is ignored
    Warning memdir.toml: 4993 more mistakes, also ignored
    ");
}

#[test]
fn nesting_without_end_is_a_problem_and_not_a_crash() {
    let text = format!("memory.enabled = {}", "[".repeat(200_000));
    let file = OwnSettings::parse(Layer::Project, Trust::Untrusted, "f", text.as_bytes());
    assert_eq!((file.entries().len(), file.problems().len()), (0, 1));
    let text = format!("{}x = 1", "a.".repeat(100_000));
    let file = OwnSettings::parse(Layer::Project, Trust::Untrusted, "f", text.as_bytes());
    assert_eq!((file.entries().len(), file.problems().len()), (0, 1));
}

#[test]
fn names_of_long_words_get_no_suggestion_and_near_ones_do() {
    let meant = |name: &str| memdir_settings::nearest(name).map(|key| key.name);
    for (name, expected) in [
        ("memory.enable", Some("memory.enabled")),
        ("Memory.Enabled", Some("memory.enabled")),
        ("daily-log.enabled", Some("daily_log.enabled")),
        ("daily_usd", Some("budget.daily_usd")),
        ("extract.mode", Some("extraction.mode")),
        ("autoCompactEnabled", Some("compaction.auto")),
        ("enabled", None),
        ("mcp.command", None),
        ("", None),
    ] {
        assert_eq!(meant(name), expected, "{name}");
    }
}
