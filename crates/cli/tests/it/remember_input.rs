//! `memdir remember`: what may be given to it, and what is refused.

use insta::assert_snapshot;

use crate::fixture::Fixture;
use crate::remember::memories;

/// A token as a forge makes them, put together so that no scanner takes this file for a leak.
fn token() -> String {
    format!("ghp_{}", "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6")
}

#[test]
fn secrets_are_refused_by_the_name_of_their_rule() {
    let fixture = Fixture::new();
    let secret = token();
    let text = format!("The deploy key\nis {secret}");
    let outcome = fixture.run(&["remember", &text]);
    assert_snapshot!(outcome, @"
    exit 1
    -- stdout
    -- stderr
    error: the text was not saved: line 2 looks like a secret (rule github-personal-token: GitHub personal access token)
      say where the secret is kept instead of what it is; nothing was written
    ");
    for arguments in [
        vec!["remember", "A note", "--name", &secret],
        vec!["remember", "A note", "--description", &secret],
        vec!["remember", &text, "--dry-run"],
        vec!["remember", &text, "--json"],
    ] {
        let outcome = fixture.run(&arguments);
        assert_eq!(outcome.code(), Some(1));
        assert!(!outcome.stdout().contains(&secret) && !outcome.stderr().contains(&secret));
    }
    assert!(!fixture.memory_dir().exists());
}

#[test]
fn hidden_text_is_removed_with_a_notice() {
    let fixture = Fixture::new();
    assert_snapshot!(fixture.run(&["remember", "Use\u{202e} tabs\u{e0041}\u{e0042}"]), @r#"
    exit 0
    -- stdout
    Remembered feedback_use_tabs.md (feedback): "Use tabs"
    in ~/.claude/projects/[-PROJECT]/memory
    guessed type feedback and name use-tabs; `--type`, `--name`, `--description` set them
    `memdir undo` takes it back
    -- stderr
    warning: 3 invisible characters removed from the text
    "#);
    assert_snapshot!(memories(&fixture), @"
    MEMORY.md
      | - [use-tabs](feedback_use_tabs.md) — Use tabs
    feedback_use_tabs.md
      | ---
      | name: use-tabs
      | description: Use tabs
      | metadata:
      |   type: feedback
      |   source: user
      | ---
      |
      | Use tabs
    ");
}

#[test]
fn what_is_no_text_is_refused() {
    let fixture = Fixture::new();
    assert_snapshot!(fixture.run(&["remember", "  \n "]), @"
    exit 2
    -- stdout
    -- stderr
    error: there is nothing to remember: the text is empty
      `memdir help` lists what can be typed
    ");
    assert_snapshot!(fixture.run(&["remember"]), @"
    exit 2
    -- stdout
    -- stderr
    error: the following required arguments were not provided:
      <TEXT>...

    Usage: memdir remember <TEXT>...

    For more information, try '--help'.
    ");
    let stdin = |bytes: &[u8]| {
        fixture
            .program(&["remember", "-"])
            .stdin(bytes)
            .run()
            .unwrap()
    };
    assert_snapshot!(stdin(b"before\0after"), @"
    exit 1
    -- stdout
    -- stderr
    error: the text has a NUL character in it; nothing was saved
      memories are text
    ");
    assert_snapshot!(stdin(b"caf\xe9"), @"
    exit 1
    -- stdout
    -- stderr
    error: standard input is not UTF-8 text: byte 4 is the first that is not
      memories are text; convert it first, for instance with `iconv -t utf-8`
    ");
    assert_snapshot!(stdin(&[b'a'; 1024 * 1024 + 1]), @"
    exit 1
    -- stdout
    -- stderr
    error: the text is over 1 MiB long, which is no memory any more
      say in a few sentences what is worth keeping, and where the rest is
    ");
    assert_snapshot!(stdin(b""), @"
    exit 2
    -- stdout
    -- stderr
    error: there is nothing to remember: the text is empty
      `memdir help` lists what can be typed
    ");
    assert_snapshot!(fixture.run(&["remember", "x", "--type", "opinion"]), @"
    exit 2
    -- stdout
    -- stderr
    error: invalid value 'opinion' for '--type <TYPE>'
      [possible values: user, feedback, project, reference]

    For more information, try '--help'.
    ");
    assert!(!fixture.memory_dir().exists());
}

#[test]
fn standard_input_is_kept_with_its_paragraphs() {
    let fixture = Fixture::new();
    let text = "\u{feff}Dashboards live in Grafana.\r\n\r\nFolder Edge.\r\n\r\n";
    let outcome = fixture
        .program(&["remember", "-"])
        .stdin(text)
        .run()
        .unwrap();
    assert_snapshot!(outcome, @r#"
    exit 0
    -- stdout
    Remembered reference_dashboards_live_grafana.md (reference): "Dashboards live in Grafana."
    in ~/.claude/projects/[-PROJECT]/memory
    guessed type reference and name dashboards-live-grafana; `--type`, `--name`, `--description` set them
    `memdir undo` takes it back
    -- stderr
    "#);
    assert_snapshot!(memories(&fixture), @"
    MEMORY.md
      | - [dashboards-live-grafana](reference_dashboards_live_grafana.md) — Dashboards live in Grafana.
    reference_dashboards_live_grafana.md
      | ---
      | name: dashboards-live-grafana
      | description: Dashboards live in Grafana.
      | metadata:
      |   type: reference
      |   source: user
      | ---
      |
      | Dashboards live in Grafana.
      |
      | Folder Edge.
    ");
}

#[test]
fn the_201st_line_is_warned_of() {
    let fixture = Fixture::new();
    let lines: String = (0..200)
        .map(|n| format!("- [m{n}](m{n}.md) — memory {n}\n"))
        .collect();
    fixture.file("MEMORY.md", 0, lines);
    assert_snapshot!(fixture.run(&["remember", "Use tabs"]), @r#"
    exit 0
    -- stdout
    Remembered feedback_use_tabs.md (feedback): "Use tabs"
    in ~/.claude/projects/[-PROJECT]/memory
    guessed type feedback and name use-tabs; `--type`, `--name`, `--description` set them
    `memdir undo` takes it back
    -- stderr
    warning: MEMORY.md has 201 lines and 6,317 bytes; agents load only the first 200 lines and 25,000 bytes, so that its last lines are not seen. `memdir forget` or `--into` make room
    "#);
}

#[test]
fn a_project_knows_dates_and_not_days() {
    let fixture = Fixture::new();
    let words = [
        "remember",
        "Ada freezes the API tomorrow",
        "--expires",
        "2w",
    ];
    let dated = fixture
        .program(&words)
        .filter(r"\d{4}[-_]\d\d[-_]\d\d", "[DATE]");
    assert_snapshot!(dated.run().unwrap(), @r#"
    exit 0
    -- stdout
    Remembered project_ada_freezes_api.md (project): "Ada freezes the API [DATE]"
    in ~/.claude/projects/[-PROJECT]/memory
    "tomorrow" became [DATE], so that it still says when later
    holds until [DATE]
    guessed type project and name ada-freezes-api; `--type`, `--name`, `--description` set them
    `memdir undo` takes it back
    -- stderr
    "#);
    assert_snapshot!(fixture.run(&["remember", "x", "--expires", "2020-02-29"]).code().unwrap(), @"2");
    assert_snapshot!(fixture.run(&["remember", "x", "--expires", "soon"]), @"
    exit 2
    -- stdout
    -- stderr
    error: invalid value 'soon' for '--expires <DATE>': no day; try `2026-12-31`, `tomorrow`, `next friday`, `30d` or `2w` (from now)

    For more information, try '--help'.
    ");
}

/// Whether any file of this home, in name or content, has the word.
fn kept(fixture: &Fixture, word: &str) -> bool {
    let all = memdir_testkit::tree::read(&fixture.sandbox.home()).unwrap();
    all.iter().any(|(path, node)| {
        let inside = matches!(node, memdir_testkit::tree::Node::File(bytes)
            if String::from_utf8_lossy(bytes).to_lowercase().contains(word));
        inside || path.to_string().to_lowercase().contains(word)
    })
}

#[test]
fn what_is_private_is_kept_nowhere() {
    let fixture = Fixture::new();
    let said = "Deploys start in Leeds <private>because of Zanzibar</private> with Ada";
    let first = fixture.run(&["remember", said, "--type", "project", "--name", "deploys"]);
    let notice = "warning: what is marked <private> was left out of the text\n";
    assert!(first.to_string().ends_with(notice), "{first}");
    let name = "<PRIVATE>Zanzibar";
    for words in [
        &["remember", "<private>Zanzibar"][..],
        &["remember", "Bees are kept here", "--name", name],
        &["log", "<private>Zanzibar</private> "],
    ] {
        let refused = fixture.run(words);
        assert_eq!(refused.code(), Some(2), "{refused}");
        assert!(refused.to_string().contains("is private"), "{refused}");
    }
    let logged = fixture.run(&["log", "met <pri\u{200b}vate>Zanzibar</private> Ada"]);
    assert!(logged.stdout().contains("met Ada\n"), "{logged}");
    let into = [
        "remember",
        "Not in May <private>Zanzibar</private>",
        "--into",
        "project_deploys",
        "--description",
        "x <private>Zanzibar</private>",
    ];
    assert_eq!(fixture.run(&into).code(), Some(0));
    assert!(kept(&fixture, "met ada") && kept(&fixture, "in leeds with ada"));
    assert!(!kept(&fixture, "zanzibar"));
}
