//! `memdir config`.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use insta::assert_snapshot;

use crate::fixture::Fixture;

fn settings(fixture: &Fixture) -> String {
    fs::read_to_string(fixture.sandbox.home().join(".claude/memdir.toml")).unwrap()
}

fn write(fixture: &Fixture, path: &str, text: &str) {
    fixture.sandbox.write(path, text).unwrap();
}

#[test]
fn every_setting_with_its_value() {
    let fixture = Fixture::new();
    let listed = fixture.run(&["config", "list", "--origin"]);
    assert_snapshot!(listed, @"
    exit 0
    -- stdout
    memory.enabled = true                   built-in
    memory.refresh = session                built-in
    memory.index_place = reminder           built-in
    memory.skip_index = false               built-in
    memory.trust = tracked                  built-in
    recall.enabled = true                   built-in
    recall.selector = embedded              built-in
    recall.model = none                     built-in
    past_context.enabled = true             built-in
    extraction.mode = auto                  built-in
    extraction.every = 1                    built-in
    extraction.non_interactive = false      built-in
    extraction.fork = false                 built-in
    dream.mode = auto                       built-in
    dream.min_hours = 24                    built-in
    dream.min_sessions = 5                  built-in
    dream.max_loss = 25                     built-in
    team.enabled = false                    built-in
    daily_log.enabled = false               built-in
    notes.enabled = true                    built-in
    notes.init_tokens = 10000               built-in
    notes.update_tokens = 5000              built-in
    notes.tool_calls = 3                    built-in
    scratchpad.enabled = true               built-in
    instructions.max_tokens = 0             built-in
    instructions.external_includes = false  built-in
    prompt.style = full                     built-in
    compaction.auto = true                  built-in
    compaction.micro = true                 built-in
    compaction.notes = true                 built-in
    compaction.full = true                  built-in
    compaction.warning_tokens = 20000       built-in
    compaction.error_tokens = 20000         built-in
    budget.daily_usd = 1.00                 built-in
    budget.rate_limit_floor = 0.25          built-in
    hooks.shrink_over = 0                   built-in
    secrets.private = refuse                built-in
    -- stderr
    ");
    // Without a word it lists.
    let plain = fixture.run(&["config"]).stdout();
    assert_eq!(plain, fixture.run(&["config", "list"]).stdout());
    assert!(plain.starts_with("memory.enabled = true\n"), "{plain}");
    // Looking creates nothing.
    assert!(!fixture.sandbox.home().join(".claude").exists());
}

#[test]
fn each_value_says_where_it_comes_from() {
    let fixture = Fixture::new();
    write(
        &fixture,
        "home/.claude/memdir.toml",
        "# mine\n[extraction]\nmode = \"ask\"\nevery = 3\n",
    );
    write(
        &fixture,
        "home/.claude/settings.json",
        "{\n  \"autoCompactEnabled\": false\n}",
    );
    write(
        &fixture,
        "project/.claude/memdir.toml",
        "dream.mode = \"off\"\nextraction.every = 5\n",
    );
    let program = fixture
        .program(&["config", "list", "--origin"])
        .env("MEMDIR_RECALL_ENABLED", "no")
        .env("MEMDIR_PROMPT_STYLE", "tiny");
    let outcome = program.run().unwrap();
    let set: Vec<String> = outcome
        .to_string()
        .lines()
        .filter(|line| !line.ends_with("built-in"))
        .map(str::to_owned)
        .collect();
    assert_snapshot!(set.join("\n"), @r#"
    exit 0
    -- stdout
    recall.enabled = false                  environment MEMDIR_RECALL_ENABLED
    extraction.mode = ask                   user ~/.claude/memdir.toml:3
    extraction.every = 5                    project [PROJECT]/.claude/memdir.toml:2
    dream.mode = off                        project [PROJECT]/.claude/memdir.toml:1
    compaction.auto = false                 user ~/.claude/settings.json:2
    -- stderr
    warning: MEMDIR_PROMPT_STYLE: it has to be "full" or "short"; it is ignored
    "#);
    assert_snapshot!(fixture.run(&["config", "get", "extraction.every", "--json"]), @r#"
    exit 0
    -- stdout
    {
      "key": "extraction.every",
      "value": 5,
      "default": 1,
      "origin": {
        "layer": "project",
        "file": "[PROJECT]/.claude/memdir.toml",
        "line": 2,
        "variable": null
      },
      "values": "a whole number from 1 to 1000000000",
      "about": "Every how many turns."
    }
    -- stderr
    "#);
    assert_snapshot!(fixture.run(&["config", "get", "extraction.mode"]), @"
    exit 0
    -- stdout
    ask
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["status"]), @r#"
    exit 0
    -- stdout
    Memory of [PROJECT] is on
    directory  ~/.claude/projects/[-PROJECT]/memory
    settings   extraction.mode = ask (user ~/.claude/memdir.toml:3)
               extraction.every = 5 (project [PROJECT]/.claude/memdir.toml:2)
               dream.mode = off (project [PROJECT]/.claude/memdir.toml:1)
               compaction.auto = false (user ~/.claude/settings.json:2)

    No memories here yet. Begin with:
      memdir remember "Never push to main on a Friday"
    -- stderr
    "#);
}

#[test]
fn a_name_that_is_none_is_told_with_the_nearest() {
    let fixture = Fixture::new();
    assert_snapshot!(fixture.run(&["config", "get", "memory.enabeld"]), @"
    exit 2
    -- stdout
    -- stderr
    error: there is no setting `memory.enabeld`
      did you mean `memory.enabled`?
    ");
    assert_snapshot!(fixture.run(&["config", "set", "proxy.address", "http://x"]), @"
    exit 2
    -- stdout
    -- stderr
    error: there is no setting `proxy.address`
      `memdir config list` shows every setting
    ");
    assert_snapshot!(fixture.run(&["config", "set", "dream.mode", "often"]), @r#"
    exit 2
    -- stdout
    -- stderr
    error: `dream.mode` has to be "off", "ask" or "auto", not "often"
      nothing was changed
    "#);
    assert_snapshot!(fixture.run(&["config", "unset", "dream.mod"]), @"
    exit 2
    -- stdout
    -- stderr
    error: there is no setting `dream.mod`
      did you mean `dream.mode`?
    ");
}

#[test]
fn a_value_is_set_and_everything_else_in_the_file_stays() {
    let fixture = Fixture::new();
    assert_snapshot!(fixture.run(&["config", "set", "dream.mode", "ask"]), @"
    exit 0
    -- stdout
    Set dream.mode = ask in ~/.claude/memdir.toml
    -- stderr
    ");
    assert_snapshot!(settings(&fixture), @r#"
    [dream]
    mode = "ask"
    "#);
    let file = fixture.sandbox.home().join(".claude/memdir.toml");
    assert_eq!(
        fs::metadata(&file).unwrap().permissions().mode() & 0o777,
        0o600
    );
    write(
        &fixture,
        "home/.claude/memdir.toml",
        "# mine\n\n[dream] # at night\nmode = 'ask'   # for now\n\n[zebra]\nstripes = 3\n",
    );
    assert_snapshot!(fixture.run(&["config", "set", "dream.mode", "off", "--dry-run"]), @r#"
    exit 0
    -- stdout
    Would set dream.mode = off in ~/.claude/memdir.toml
    --- ~/.claude/memdir.toml
    +++ ~/.claude/memdir.toml
    @@ -1,7 +1,7 @@
     # mine
     
     [dream] # at night
    -mode = 'ask'   # for now
    +mode = "off"   # for now
     
     [zebra]
     stripes = 3
    -- stderr
    "#);
    assert_snapshot!(fixture.run(&["config", "set", "dream.mode", "off"]), @"
    exit 0
    -- stdout
    Set dream.mode = off in ~/.claude/memdir.toml
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["config", "set", "dream.mode", "off"]), @"
    exit 0
    -- stdout
    Nothing to change: it says dream.mode = off in ~/.claude/memdir.toml
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["config", "set", "budget.daily_usd", "0.5", "--json"]), @r#"
    exit 0
    -- stdout
    {
      "dry_run": false,
      "file": "[HOME]/.claude/memdir.toml",
      "key": "budget.daily_usd",
      "value": "0.50",
      "changed": true,
      "diff": "--- ~/.claude/memdir.toml\n+++ ~/.claude/memdir.toml\n@@ -5,3 +5,6 @@\n \n [zebra]\n stripes = 3\n+\n+[budget]\n+daily_usd = 0.50\n",
      "effective": true
    }
    -- stderr
    "#);
    // A name that is none can be taken out of the file.
    assert_snapshot!(fixture.run(&["config", "unset", "zebra.stripes"]), @"
    exit 0
    -- stdout
    Took zebra.stripes out of ~/.claude/memdir.toml
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["config", "unset", "budget.daily_usd"]), @"
    exit 0
    -- stdout
    Took budget.daily_usd out of ~/.claude/memdir.toml
    built-in is 1.00
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["config", "unset", "budget.daily_usd"]), @"
    exit 0
    -- stdout
    Nothing to change: there is no budget.daily_usd in ~/.claude/memdir.toml
    -- stderr
    ");
    assert_snapshot!(settings(&fixture), @r#"
    # mine

    [dream] # at night
    mode = "off"   # for now
    "#);
}

#[test]
fn a_link_of_the_users_is_followed_and_the_mode_kept() {
    let fixture = Fixture::new();
    write(
        &fixture,
        "outside/dotfiles/memdir.toml",
        "# kept elsewhere\n",
    );
    let real = fixture.sandbox.outside().join("dotfiles/memdir.toml");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    fs::create_dir_all(fixture.sandbox.home().join(".claude")).unwrap();
    let link = fixture.sandbox.home().join(".claude/memdir.toml");
    symlink(&real, &link).unwrap();
    assert!(
        fixture
            .run(&["config", "set", "team.enabled", "on"])
            .success()
    );
    assert!(link.symlink_metadata().unwrap().is_symlink());
    assert_eq!(
        fs::read_to_string(&real).unwrap(),
        "# kept elsewhere\n\n[team]\nenabled = true\n"
    );
    assert_eq!(
        fs::metadata(&real).unwrap().permissions().mode() & 0o777,
        0o640
    );
    let left: Vec<_> = fs::read_dir(real.parent().unwrap()).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

#[test]
fn many_who_set_values_at_once_lose_none() {
    let fixture = Fixture::new();
    let keys = [
        "dream.min_hours",
        "dream.min_sessions",
        "extraction.every",
        "notes.tool_calls",
    ];
    std::thread::scope(|scope| {
        for key in keys {
            let fixture = &fixture;
            scope.spawn(move || {
                for value in 1..=5 {
                    let outcome = fixture.run(&["config", "set", key, &value.to_string()]);
                    assert!(outcome.success(), "{outcome}");
                }
            });
        }
    });
    for key in keys {
        assert_eq!(
            fixture.run(&["config", "get", key]).stdout(),
            "5\n",
            "{key}"
        );
    }
}

#[test]
fn a_more_careful_word_of_the_users_counts_in_a_project_that_is_careful_too() {
    let fixture = Fixture::new();
    write(
        &fixture,
        "project/.claude/memdir.toml",
        "extraction.mode = \"ask\"\n",
    );
    assert_snapshot!(fixture.run(&["config", "set", "extraction.mode", "off"]), @"
    exit 0
    -- stdout
    Set extraction.mode = off in ~/.claude/memdir.toml
    -- stderr
    ");
}

#[test]
fn what_a_stronger_layer_says_is_told() {
    let fixture = Fixture::new();
    write(
        &fixture,
        "project/.claude/memdir.toml",
        "extraction.mode = \"off\"\n",
    );
    assert_snapshot!(fixture.run(&["config", "set", "extraction.mode", "auto"]), @"
    exit 0
    -- stdout
    Set extraction.mode = auto in ~/.claude/memdir.toml
    -- stderr
    warning: it does not count here: project [PROJECT]/.claude/memdir.toml:1 says off, which is stronger
    ");
}

#[test]
fn a_mistake_in_the_users_file_stops_commands_but_not_those_that_show_it() {
    let fixture = Fixture::with_some();
    write(
        &fixture,
        "home/.claude/memdir.toml",
        "[memory]\nrefesh = \"turn\"\nenabled = \"nope\"\n",
    );
    assert_snapshot!(fixture.run(&["list"]), @"
    exit 1
    -- stdout
    -- stderr
    error: [HOME]/.claude/memdir.toml:2:1: there is no setting `memory.refesh`; did you mean `memory.refresh`?
      also [HOME]/.claude/memdir.toml:3:11: `memory.enabled` has to be true or false
      mend the file; `memdir config list` shows every setting
    ");
    assert_snapshot!(fixture.run(&["remember", "Never push to main on a Friday"]), @"
    exit 1
    -- stdout
    -- stderr
    error: [HOME]/.claude/memdir.toml:2:1: there is no setting `memory.refesh`; did you mean `memory.refresh`?
      also [HOME]/.claude/memdir.toml:3:11: `memory.enabled` has to be true or false
      mend the file; `memdir config list` shows every setting
    ");
    for words in [&["status"] as &[&str], &["paths"], &["config"]] {
        let outcome = fixture.run(words);
        assert!(outcome.success(), "{outcome}");
        assert!(
            outcome
                .to_string()
                .contains("did you mean `memory.refresh`?"),
            "{outcome}"
        );
    }
    let doctor = fixture.run(&["doctor"]).to_string();
    let found: Vec<&str> = doctor
        .lines()
        .filter(|line| line.contains("  settings  "))
        .collect();
    assert_snapshot!(found.join("\n"), @"
    FAIL  settings          [HOME]/.claude/memdir.toml:2:1: there is no setting `memory.refesh`; did you mean `memory.refresh`?
    FAIL  settings          [HOME]/.claude/memdir.toml:3:11: `memory.enabled` has to be true or false
    ");
    // It can be mended without an editor.
    assert!(fixture.run(&["config", "unset", "memory.refesh"]).success());
    assert!(
        fixture
            .run(&["config", "set", "memory.enabled", "true"])
            .success()
    );
    assert!(fixture.run(&["list"]).success());
    write(&fixture, "home/.claude/memdir.toml", "[memory\n");
    assert_snapshot!(fixture.run(&["config", "set", "memory.enabled", "true"]), @"
    exit 1
    -- stdout
    -- stderr
    error: ~/.claude/memdir.toml:1:8: not TOML (unclosed table, expected `]`)
      mend the file first; nothing was changed
    ");
    assert_snapshot!(fixture.run(&["show", "user_role"]), @"
    exit 1
    -- stdout
    -- stderr
    error: [HOME]/.claude/memdir.toml:1:8: not TOML (unclosed table, expected `]`)
      mend the file; `memdir config list` shows every setting
    ");
}

#[test]
fn a_file_of_the_users_that_cannot_be_read_is_an_error_too() {
    let fixture = Fixture::new();
    fs::create_dir_all(fixture.sandbox.home().join(".claude/memdir.toml")).unwrap();
    assert_snapshot!(fixture.run(&["list"]), @"
    exit 1
    -- stdout
    -- stderr
    error: [HOME]/.claude/memdir.toml: not a regular file
      mend the file; `memdir config list` shows every setting
    ");
    assert_snapshot!(fixture.run(&["config", "set", "dream.mode", "off"]), @"
    exit 1
    -- stdout
    -- stderr
    error: [HOME]/.claude/memdir.toml is a folder; memdir reads and writes plain files only
    ");
    fs::remove_dir(fixture.sandbox.home().join(".claude/memdir.toml")).unwrap();
    write(
        &fixture,
        "home/.claude/memdir.toml",
        &"# long\n".repeat(200_000),
    );
    assert_snapshot!(fixture.run(&["list"]), @"
    exit 1
    -- stdout
    -- stderr
    error: [HOME]/.claude/memdir.toml: it has 1400000 bytes, more than the 1048576 that memdir reads
      mend the file; `memdir config list` shows every setting
    ");
}

#[test]
fn secrets_are_taken_out_where_the_user_wants_it_so() {
    let fixture = Fixture::new();
    // In two parts, so that no scanner takes this file for a leak.
    let key = ["ghp_", "q7Wn2LxV9rTb4YkHs8Dm3ZfPc6Gj1KoEu5Ra"].concat();
    let text = format!("Deploys use the token {key} of the build account");
    assert!(!fixture.run(&["remember", &text]).success());
    assert!(
        fixture
            .run(&["config", "set", "secrets.private", "redact"])
            .success()
    );
    let outcome = fixture.run(&["remember", &text, "--json"]);
    assert!(outcome.success(), "{outcome}");
    assert!(!outcome.to_string().contains(&key), "{outcome}");
    let shown = fixture.run(&["list"]).to_string();
    assert!(shown.contains("[redacted: "), "{shown}");
}
