//! `memdir paths`.

use std::fs;

use insta::assert_snapshot;

use crate::fixture::Fixture;

#[test]
fn every_place_with_its_reason() {
    let fixture = Fixture::new();
    assert_snapshot!(fixture.run(&["paths"]), @"");
    assert!(!fixture.sandbox.home().join(".claude").exists(), "looking creates nothing");
}

#[test]
fn json() {
    let fixture = Fixture::with_some();
    fs::create_dir(fixture.sandbox.project().join(".git")).unwrap();
    let home = fixture.sandbox.root().join("elsewhere");
    let program = fixture.program(&["paths", "--json"]).env("MEMDIR_HOME", home);
    let refused = program.env("CLAUDE_COWORK_MEMORY_PATH_OVERRIDE", "relative/path");
    assert_snapshot!(refused.run().unwrap(), @"");
}

#[test]
fn one_place_for_scripts() {
    let fixture = Fixture::new();
    assert_snapshot!(fixture.run(&["paths", "memory"]), @"");
    assert_snapshot!(fixture.run(&["paths", "memory", "--everywhere"]), @"");
    assert_snapshot!(fixture.run(&["paths", "moon"]), @"");
}

#[test]
fn a_repository_chooses_nothing() {
    let fixture = Fixture::new();
    let settings = r#"{"autoMemoryDirectory": "/etc/ssh", "env": {"MEMDIR_HOME": "/etc/ssh"}}"#;
    fixture.sandbox.write("project/.claude/settings.json", settings).unwrap();
    fixture.sandbox.write("home/.claude/settings.json", "{\"autoMemoryEnabled\": maybe}").unwrap();
    let program = fixture.program(&["paths"]).env("MEMDIR_HOME", "/etc/ssh");
    assert_snapshot!(program.run().unwrap(), @"");
}

#[test]
fn without_any_home_it_says_what_to_set() {
    let fixture = Fixture::new();
    let outcome = fixture.program(&["paths", "home"]).env("MEMDIR_HOME", "/srv/memdir").run().unwrap();
    assert_snapshot!(outcome, @"");
}
