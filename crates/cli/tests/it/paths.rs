//! `memdir paths`.

use std::fs;

use insta::assert_snapshot;

use crate::fixture::Fixture;

#[test]
fn every_place_with_its_reason() {
    let fixture = Fixture::new();
    assert_snapshot!(fixture.run(&["paths"]), @"
    exit 0
    -- stdout
    home         [HOME]/.claude (the built-in place; not there yet)
    project      [PROJECT] (a folder outside of git)
    slug         [-PROJECT]
    memory       [HOME]/.claude/projects/[-PROJECT]/memory (the built-in place; not there yet)
    state        [HOME]/.claude/memdir/[-HOME]--claude-projects-[-PROJECT]-memory
    history      [HOME]/.claude/memdir/[-HOME]--claude-projects-[-PROJECT]-memory/history
    everywhere   [HOME]/.claude/memdir/everywhere
    transcripts  [HOME]/.claude/projects/[-PROJECT]
    settings     [HOME]/.claude/memdir.toml
    -- stderr
    ");
    assert!(
        !fixture.sandbox.home().join(".claude").exists(),
        "looking creates nothing"
    );
}

#[test]
fn json() {
    let fixture = Fixture::with_some();
    fs::create_dir(fixture.sandbox.project().join(".git")).unwrap();
    let home = fixture.sandbox.root().join("elsewhere");
    let program = fixture
        .program(&["paths", "--json"])
        .env("MEMDIR_HOME", home);
    let refused = program.env("CLAUDE_COWORK_MEMORY_PATH_OVERRIDE", "relative/path");
    assert_snapshot!(refused.run().unwrap(), @r#"
    exit 0
    -- stdout
    {
      "home": {
        "path": "[ROOT]/elsewhere",
        "origin": "MEMDIR_HOME",
        "exists": false,
        "refused": []
      },
      "project": {
        "root": "[PROJECT]",
        "checkout": "[PROJECT]",
        "kind": "checkout",
        "slug": "[-PROJECT]"
      },
      "memory": {
        "path": "[ROOT]/elsewhere/projects/[-PROJECT]/memory",
        "origin": "built-in",
        "exists": false,
        "refused": [
          {
            "value": "relative/path",
            "origin": "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE",
            "reason": "it is not an absolute path"
          }
        ]
      },
      "state": "[ROOT]/elsewhere/memdir/[-ROOT]-elsewhere-projects-[-PROJECT]-memory",
      "history": "[ROOT]/elsewhere/memdir/[-ROOT]-elsewhere-projects-[-PROJECT]-memory/history",
      "everywhere": "[ROOT]/elsewhere/memdir/everywhere",
      "transcripts": "[ROOT]/elsewhere/projects/[-PROJECT]",
      "settings": "[ROOT]/elsewhere/memdir.toml",
      "remarks": [
        "\"relative/path\" from CLAUDE_COWORK_MEMORY_PATH_OVERRIDE is not used: it is not an absolute path"
      ]
    }
    -- stderr
    "#);
}

#[test]
fn one_place_for_scripts() {
    let fixture = Fixture::new();
    assert_snapshot!(fixture.run(&["paths", "memory"]), @"
    exit 0
    -- stdout
    [HOME]/.claude/projects/[-PROJECT]/memory
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["paths", "memory", "--everywhere"]), @"
    exit 0
    -- stdout
    [HOME]/.claude/memdir/everywhere
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["paths", "moon"]), @"
    exit 2
    -- stdout
    -- stderr
    error: invalid value 'moon' for '[PLACE]'
      [possible values: home, project, memory, state, history, everywhere, transcripts, settings]

    For more information, try '--help'.
    ");
}

#[test]
fn a_repository_chooses_nothing() {
    let fixture = Fixture::new();
    let settings = r#"{"autoMemoryDirectory": "/etc/ssh", "env": {"EDITOR": "evil"}}"#;
    fixture
        .sandbox
        .write("project/.claude/settings.json", settings)
        .unwrap();
    fixture
        .sandbox
        .write(
            "home/.claude/settings.json",
            "{\"autoMemoryEnabled\": maybe}",
        )
        .unwrap();
    assert_snapshot!(fixture.run(&["paths"]), @r#"
    exit 0
    -- stdout
    home         [HOME]/.claude (the built-in place)
    project      [PROJECT] (a folder outside of git)
    slug         [-PROJECT]
    memory       [HOME]/.claude/projects/[-PROJECT]/memory (the built-in place; not there yet)
    state        [HOME]/.claude/memdir/[-HOME]--claude-projects-[-PROJECT]-memory
    history      [HOME]/.claude/memdir/[-HOME]--claude-projects-[-PROJECT]-memory/history
    everywhere   [HOME]/.claude/memdir/everywhere
    transcripts  [HOME]/.claude/projects/[-PROJECT]
    settings     [HOME]/.claude/memdir.toml
    -- stderr
    warning: "/etc/ssh" from autoMemoryDirectory in [PROJECT]/.claude/settings.json (project) is not used: a file that comes with the project may not choose a directory
    warning: the variable EDITOR is not believed, because [PROJECT]/.claude/settings.json sets it
    warning: [HOME]/.claude/settings.json:1:23: not a JSON object; the file is ignored
    "#);
}

#[test]
fn home_is_where_the_variable_says() {
    let fixture = Fixture::new();
    let outcome = fixture
        .program(&["paths", "home"])
        .env("MEMDIR_HOME", "/srv/memdir")
        .run()
        .unwrap();
    assert_snapshot!(outcome, @"
    exit 0
    -- stdout
    /srv/memdir
    -- stderr
    ");
}
