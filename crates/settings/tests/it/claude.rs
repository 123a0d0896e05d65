//! What a `settings.json` says, to whom it may say it, and what is wrong with it.

use memdir_settings::{
    ClaudeSettings, Key, Layer, NamedVariables, Origin, Sources, Trust, Value, resolve,
};

/// `autoMemoryEnabled`, as far as the layer may set it.
fn enabled(settings: &ClaudeSettings) -> Option<bool> {
    let claude = std::slice::from_ref(settings);
    let resolved = resolve(
        Sources {
            claude,
            ..Sources::default()
        },
        |_| None,
    );
    let setting = resolved.get(Key::find("memory.enabled").unwrap()).unwrap();
    (setting.origin != Origin::BuiltIn).then_some(setting.value == Value::Switch(true))
}

fn check(text: &[u8]) -> String {
    let settings = ClaudeSettings::parse(Layer::User, Trust::Untrusted, "settings.json", text);
    let mut lines = vec![format!(
        "enabled {:?}, directory {:?}, variables {:?}",
        enabled(&settings),
        settings.directory().map(|setting| setting.value),
        settings.variables().iter().collect::<Vec<_>>(),
    )];
    lines.extend(settings.problems().iter().map(ToString::to_string));
    lines.join("\n")
}

#[test]
fn both_values_beside_everything_else() {
    let text = br#"{
        "permissions": {"allow": ["Bash(ls:*)"], "autoMemoryEnabled": true},
        "autoMemoryEnabled": false,
        "autoMemoryDirectory": "~/memories",
        "env": {"MEMDIR_HOME": "/x", "RUST_LOG": "info"}
    }"#;
    insta::assert_snapshot!(check(text), @r#"enabled Some(false), directory Some("~/memories"), variables ["MEMDIR_HOME"]"#);
}

#[test]
fn of_a_key_that_stands_twice_the_last_counts() {
    let text = br#"{"autoMemoryEnabled": true, "autoMemoryEnabled": false}"#;
    insta::assert_snapshot!(check(text), @"enabled Some(false), directory None, variables []");
}

#[test]
fn a_wrong_type_is_a_problem_with_a_place_and_costs_nothing_else() {
    let text =
        b"{\n  \"autoMemoryEnabled\": \"yes\",\n  \"autoMemoryDirectory\": 7,\n  \"env\": []\n}";
    insta::assert_snapshot!(check(text), @r"
    enabled None, directory None, variables []
    settings.json:2:24: `autoMemoryEnabled` has to be true or false; it is ignored
    settings.json:3:26: `autoMemoryDirectory` has to be a string; it is ignored
    settings.json:4:10: `env` has to be an object; it is ignored
    ");
}

#[test]
fn null_is_as_good_as_unset() {
    let text = br#"{"autoMemoryEnabled": null, "autoMemoryDirectory": null, "env": null}"#;
    insta::assert_snapshot!(check(text), @"enabled None, directory None, variables []");
}

#[test]
fn a_byte_order_mark_and_an_empty_file_are_fine() {
    insta::assert_snapshot!(check(b"\xef\xbb\xbf{\"autoMemoryEnabled\": false}"), @"enabled Some(false), directory None, variables []");
    insta::assert_snapshot!(check(b" \n"), @"enabled None, directory None, variables []");
}

#[test]
fn what_is_not_json_is_a_problem_with_a_place() {
    insta::assert_snapshot!(check(b"{\n  \"autoMemoryEnabled\": fal\n}"), @r"
    enabled None, directory None, variables []
    settings.json:3:1: not a JSON object; the file is ignored
    ");
    insta::assert_snapshot!(check(b"[]"), @r"
    enabled None, directory None, variables []
    settings.json:1:1: not a JSON object; the file is ignored
    ");
    insta::assert_snapshot!(check(b"{} {}"), @r"
    enabled None, directory None, variables []
    settings.json:1:4: not a JSON object; the file is ignored
    ");
    insta::assert_snapshot!(check(b"{\"a\": \"\xff\"}"), @r"
    enabled None, directory None, variables []
    settings.json:1:8: not UTF-8; the file is ignored
    ");
}

#[test]
fn nesting_without_end_is_a_problem_and_not_a_crash() {
    let text = format!("{{\"a\": {}", "[".repeat(100_000));
    assert!(check(text.as_bytes()).contains("not a JSON object"));
}

#[test]
fn a_text_that_is_not_json_still_names_the_variables_that_occur_in_it() {
    // With comments, or a comma too many, another parser may read it.
    insta::assert_snapshot!(check(b"{\"env\": {\"MEMDIR_HOME\": \"/x\",}}"), @r#"
    enabled None, directory None, variables ["MEMDIR_HOME"]
    settings.json:1:30: not a JSON object; the file is ignored
    "#);
    let hidden = ClaudeSettings::parse(
        Layer::Project,
        Trust::Untrusted,
        "settings.json",
        br#"{"env": {"\u004dEMDIR_HOME": "/x",}}"#,
    );
    assert_eq!(hidden.variables(), &NamedVariables::all());
}

#[test]
fn an_escape_does_not_hide_a_variable() {
    let text = br#"{"env": {"\u004dEMDIR_HOME": "/x"}}"#;
    insta::assert_snapshot!(check(text), @r#"enabled None, directory None, variables ["MEMDIR_HOME"]"#);
}

#[test]
fn which_layer_may_set_what() {
    let layers = [
        (Layer::Managed, Trust::Untrusted),
        (Layer::Local, Trust::Trusted),
        (Layer::Local, Trust::Untrusted),
        (Layer::Project, Trust::Untrusted),
        // Nobody can vouch for a committed file.
        (Layer::Project, Trust::Trusted),
        (Layer::User, Trust::Untrusted),
    ];
    let mut lines = Vec::new();
    for (layer, trust) in layers {
        for value in ["true", "false"] {
            let text =
                format!(r#"{{"autoMemoryEnabled": {value}, "autoMemoryDirectory": "/a/b"}}"#);
            let settings = ClaudeSettings::parse(layer, trust, "x", text.as_bytes());
            lines.push(format!(
                "{layer} {trust:?} {value}: enabled {:?}, directory {:?}, refused {:?}",
                enabled(&settings),
                settings.directory().map(|setting| setting.value),
                settings.refused_directory().map(|setting| setting.value),
            ));
        }
    }
    insta::assert_snapshot!(lines.join("\n"), @r#"
    managed Untrusted true: enabled Some(true), directory Some("/a/b"), refused None
    managed Untrusted false: enabled Some(false), directory Some("/a/b"), refused None
    local Trusted true: enabled Some(true), directory Some("/a/b"), refused None
    local Trusted false: enabled Some(false), directory Some("/a/b"), refused None
    local Untrusted true: enabled None, directory None, refused Some("/a/b")
    local Untrusted false: enabled Some(false), directory None, refused Some("/a/b")
    project Untrusted true: enabled None, directory None, refused Some("/a/b")
    project Untrusted false: enabled Some(false), directory None, refused Some("/a/b")
    project Trusted true: enabled None, directory None, refused Some("/a/b")
    project Trusted false: enabled Some(false), directory None, refused Some("/a/b")
    user Untrusted true: enabled Some(true), directory Some("/a/b"), refused None
    user Untrusted false: enabled Some(false), directory Some("/a/b"), refused None
    "#);
}

#[test]
fn includes_from_outside_are_the_users_to_allow() {
    let allowed = |layer, text: &str| {
        let file = ClaudeSettings::parse(layer, Trust::Untrusted, "settings.json", text.as_bytes());
        assert!(file.problems().is_empty(), "{:?}", file.problems());
        let sources = Sources {
            claude: &[file],
            ..Sources::default()
        };
        resolve(sources, |_| None)
            .settings()
            .instructions
            .external_includes
    };
    let nested = r#"{"claudeMd": {"allowExternalIncludes": true, "other": 1}}"#;
    let dotted = r#"{"claudeMd.allowExternalIncludes": true}"#;
    for text in [nested, dotted] {
        assert!(allowed(Layer::User, text));
        assert!(allowed(Layer::Managed, text));
        assert!(!allowed(Layer::Project, text));
        assert!(!allowed(Layer::Local, text));
    }
    // The same name can hold a text of whoever administers the machine.
    assert!(!allowed(Layer::Managed, r#"{"claudeMd": "Be brief."}"#));
}
