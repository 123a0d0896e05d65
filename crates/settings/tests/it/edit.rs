//! Changing one value of a text, and no other byte.

use memdir_settings::{KEYS, Key, Layer, OwnSettings, Trust, with_value, without_value};
use proptest::prelude::*;

fn set(text: &str, name: &str, value: &str) -> String {
    let key = Key::find(name).unwrap();
    match with_value(text, key, key.kind.read(value).unwrap()) {
        Ok(text) => text,
        Err(problem) => format!("refused: {problem}"),
    }
}

#[test]
fn a_value_goes_where_its_section_is() {
    insta::assert_snapshot!(set("", "memory.refresh", "turn"), @r#"
    [memory]
    refresh = "turn"
    "#);
    let text = "# mine\n\n[memory] # all of it\n# how often\nrefresh = 'session' # cheap\n\n[dream]\nmode = \"off\"\n";
    insta::assert_snapshot!(set(text, "memory.refresh", "turn"), @r#"
    # mine

    [memory] # all of it
    # how often
    refresh = "turn" # cheap

    [dream]
    mode = "off"
    "#);
    insta::assert_snapshot!(set(text, "memory.skip_index", "yes"), @r#"
    # mine

    [memory] # all of it
    # how often
    refresh = 'session' # cheap
    skip_index = true

    [dream]
    mode = "off"
    "#);
    insta::assert_snapshot!(set(text, "budget.daily_usd", "2.5"), @r#"
    # mine

    [memory] # all of it
    # how often
    refresh = 'session' # cheap

    [dream]
    mode = "off"

    [budget]
    daily_usd = 2.50
    "#);
    insta::assert_snapshot!(set("memory = { refresh = 'turn' }\n", "memory.enabled", "off"), @"memory = { refresh = 'turn' , enabled = false }");
    insta::assert_snapshot!(set("memory.refresh = 'turn'\n", "memory.enabled", "off"), @"
    memory.refresh = 'turn'
    memory.enabled = false
    ");
}

#[test]
fn a_text_that_cannot_be_changed_is_refused_with_a_place() {
    insta::assert_snapshot!(set("a = 1\n[memory\n", "memory.refresh", "turn"), @"refused: 2:8: not TOML (unclosed table, expected `]`)");
    insta::assert_snapshot!(set("memory = 3\n", "memory.refresh", "turn"), @"refused: `memory` is not a section in it");
}

#[test]
fn line_ends_and_a_mark_at_the_beginning_stay() {
    let text = "\u{feff}# a\r\n[memory]\r\nrefresh = \"turn\"\r\n";
    assert_eq!(
        set(text, "memory.refresh", "session"),
        text.replace("turn", "session")
    );
}

#[test]
fn new_lines_end_as_the_others_do() {
    let text = "# a\r\n[memory]\r\nrefresh = \"turn\"\r\n";
    assert_eq!(
        set(text, "memory.enabled", "no"),
        format!("{text}enabled = false\r\n")
    );
    assert_eq!(
        set(text, "dream.mode", "off"),
        format!("{text}\r\n[dream]\r\nmode = \"off\"\r\n")
    );
    // What stands at the end, ended or not, stays before what is new.
    assert_eq!(
        set("# last words", "dream.mode", "off"),
        "# last words\n\n[dream]\nmode = \"off\"\n"
    );
}

#[test]
fn what_is_taken_out_takes_nothing_else_with_it() {
    let text =
        "[memory]\nrefresh = \"turn\"\nenabeld = true\n\n# keep\n[dream] # keep\nmode = \"off\"\n";
    let without = |name: &str| {
        without_value(text, name)
            .unwrap()
            .unwrap_or("(not there)".into())
    };
    insta::assert_snapshot!(without("memory.enabeld"), @r#"
[memory]
refresh = "turn"

# keep
[dream] # keep
mode = "off"
"#);
    insta::assert_snapshot!(without("dream.mode"), @r#"
    [memory]
    refresh = "turn"
    enabeld = true

    # keep
    [dream] # keep
    "#);
    assert_eq!(without("dream.min_hours"), "(not there)");
    assert_eq!(
        without_value("[memory]\nrefresh = \"turn\"\n", "memory.refresh")
            .unwrap()
            .unwrap(),
        ""
    );
}

proptest! {
    /// What is set is read back; what was there stays; what is taken out is gone.
    #[test]
    fn set_and_taken_out(picks in proptest::collection::vec((0..KEYS.len(), 0..3_usize), 1..8)) {
        let mut text = "# first\n\n[zebra] # unknown\nstripes = 3\n".to_owned();
        for (at, form) in picks {
            let key = &KEYS[at];
            if form == 0 {
                text = without_value(&text, key.name).unwrap().unwrap_or(text);
            } else {
                text = with_value(&text, key, key.default).unwrap();
            }
            let file = OwnSettings::parse(Layer::User, Trust::Untrusted, "f", text.as_bytes());
            let found = file.entries().iter().find(|entry| entry.key == key);
            prop_assert_eq!(found.map(|entry| entry.value), (form != 0).then_some(key.default));
            prop_assert_eq!(file.problems().len(), 1);
            prop_assert!(text.starts_with("# first\n\n[zebra] # unknown\nstripes = 3\n"));
        }
    }
}
