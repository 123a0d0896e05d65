//! `memdir remember --team`: shared, with an index of its own.

use insta::assert_snapshot;

use crate::fixture::Fixture;
use crate::remember::memories;

#[test]
fn what_is_for_the_team_goes_to_its_folder() {
    let fixture = Fixture::new();
    let text = "Releases are cut from the branch stable.";
    fixture.run(&["remember", text, "--type", "project"]);
    let words = ["remember", text, "--type", "project", "--team"];
    assert_snapshot!(fixture.run(&words), @r#"
    exit 0
    -- stdout
    Remembered team/project_releases_cut_branch_stable.md (project): "Releases are cut from the branch stable."
    in ~/.claude/projects/[-PROJECT]/memory
    guessed name releases-cut-branch-stable; `--name`, `--description` set them
    `memdir undo` takes it back
    -- stderr
    warning: team memory is off here, so that no agent is told of it: `memdir config set team.enabled true`
    "#);
    let on = [&words[..], &["--set", "team.enabled=true"]].concat();
    assert_snapshot!(fixture.run(&on), @r#"
    exit 0
    -- stdout
    Nothing changed; this is known already: team/project_releases_cut_branch_stable.md (project): "Releases are cut from the branch stable."
    `memdir show project_releases_cut_branch_stable` prints it whole
    -- stderr
    "#);
    assert_snapshot!(memories(&fixture), @"
    MEMORY.md
      | - [releases-cut-branch-stable](project_releases_cut_branch_stable.md) — Releases are cut from the branch stable.
    project_releases_cut_branch_stable.md
      | ---
      | name: releases-cut-branch-stable
      | description: Releases are cut from the branch stable.
      | metadata:
      |   type: project
      |   source: user
      | ---
      |
      | Releases are cut from the branch stable.
    team/
    team/MEMORY.md
      | - [releases-cut-branch-stable](project_releases_cut_branch_stable.md) — Releases are cut from the branch stable.
    team/project_releases_cut_branch_stable.md
      | ---
      | name: releases-cut-branch-stable
      | description: Releases are cut from the branch stable.
      | metadata:
      |   type: project
      |   source: user
      | ---
      |
      | Releases are cut from the branch stable.
    ");
}

#[test]
fn what_is_about_the_user_and_secrets_are_never_shared() {
    let fixture = Fixture::new();
    assert_snapshot!(fixture.run(&["remember", "I'm a nurse.", "--team"]), @"
    exit 1
    -- stdout
    -- stderr
    error: what is about you is never shared with the team; nothing was saved
      without `--team` it is kept for you alone; `--type` says what else it is
    ");
    let token = "The deploy token is ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8.";
    let words = [
        "remember",
        token,
        "--team",
        "--set",
        "secrets.private=redact",
    ];
    assert_snapshot!(fixture.run(&words), @"
    exit 1
    -- stdout
    -- stderr
    error: the text was not saved: line 1 looks like a secret (rule github-personal-token: GitHub personal access token)
      say where the secret is kept instead of what it is; nothing was written
    ");
    assert_snapshot!(memories(&fixture), @"");
}

#[test]
fn a_database_password_with_an_at_sign_is_refused_for_oneself_and_the_team() {
    let fixture = Fixture::new();
    for address in [
        "postgresql://admin:p@ssw0rd@host/db",
        "redis://:p@ssw0rd@cache.acme.io:6379/0",
        "app:p@ssw0rd@tcp(db.acme.io:3306)/app",
    ] {
        let text = format!("The staging database is {address}, ask before you use it.");
        for words in [&["remember", &text][..], &["remember", &text, "--team"]] {
            let said = fixture.run(words).to_string();
            assert!(said.contains("database-"), "{said}");
            assert!(!said.contains("ssw0rd"), "{said}");
            assert!(!memories(&fixture).contains("ssw0rd"), "{address}");
        }
    }
    let redacting = ["--set", "secrets.private=redact"];
    let text = "The staging database is postgresql://admin:p@ssw0rd@host/db.";
    fixture.run(&[&["remember", text][..], &redacting].concat());
    let kept = memories(&fixture);
    assert!(
        kept.contains("postgresql://admin:[redacted: database-url]@host/db"),
        "{kept}"
    );
    assert!(!kept.contains("ssw0rd"), "{kept}");
    fixture.run(&[&["remember", text, "--team"][..], &redacting].concat());
    assert!(
        !memories(&fixture).contains("team/project_staging"),
        "a team's memory is never redacted"
    );
}
