//! Where everything lives, by the whole order of precedence.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use memdir_store::places::{AgentScope, PlacesError, RefusalReason};
use memdir_store::{Places, PlainName, record_root, recorded_roots, slug, trust};

use crate::scene::Scene;

#[test]
fn without_any_choice_claude_codes_own_places() {
    let scene = Scene::new();
    let places = scene.places();
    let session = places.session(&PlainName::new("7f3c").unwrap());
    let agent = PlainName::agent("review:security").unwrap();
    let mut lines = vec![
        ("start", places.start_folder.clone()),
        ("root", places.project.root.clone()),
        ("home", places.home.path.clone()),
        ("memory", places.memory_dir.path.clone()),
        ("state", places.state_dir.clone()),
        ("everywhere", places.everywhere_dir()),
        ("its state", places.state_dir_of(&places.everywhere_dir())),
        ("ledger", places.ledger()),
        ("settings", places.settings_file()),
        ("transcript", session.transcript.clone()),
        ("notes", session.notes()),
        (
            "result",
            session.tool_result(&PlainName::new("toolu_1").unwrap()),
        ),
        ("scratchpad", session.scratchpad()),
        ("notes config", places.notes_config_dir()),
    ];
    lines.extend(
        AgentScope::ALL.map(|scope| (scope.as_str(), places.agent_memory_dir(&agent, scope))),
    );
    let lines: Vec<String> = lines
        .iter()
        .map(|(name, path)| format!("{name}: {}", path.display()))
        .collect();
    insta::assert_snapshot!(scene.plain(&lines.join("\n")), @"
    start: [T]/work/app/src
    root: [T]/work/app
    home: [T]/home/ada/.claude
    memory: [T]/home/ada/.claude/projects/[t]-work-app/memory
    state: [T]/home/ada/.claude/memdir/[t]-home-ada--claude-projects-[t]-work-app-memory
    everywhere: [T]/home/ada/.claude/memdir/everywhere
    its state: [T]/home/ada/.claude/memdir/[t]-home-ada--claude-memdir-everywhere
    ledger: [T]/home/ada/.claude/memdir/ledger.jsonl
    settings: [T]/home/ada/.claude/memdir.toml
    transcript: [T]/home/ada/.claude/projects/[t]-work-app-src/7f3c.jsonl
    notes: [T]/home/ada/.claude/projects/[t]-work-app-src/7f3c/session-memory/summary.md
    result: [T]/home/ada/.claude/projects/[t]-work-app-src/7f3c/tool-results/toolu_1.txt
    scratchpad: [T]/home/ada/.claude/projects/[t]-work-app-src/7f3c/scratchpad
    notes config: [T]/home/ada/.claude/session-memory/config
    user: [T]/home/ada/.claude/agent-memory/review-security
    project: [T]/work/app/src/.claude/agent-memory/review-security
    local: [T]/work/app/src/.claude/agent-memory-local/review-security
    ");
}

#[test]
fn home_is_memdirs_then_claudes_then_the_users() {
    let mut scene = Scene::new();
    scene
        .set("MEMDIR_HOME", "[T]/mine")
        .set("CLAUDE_CONFIG_DIR", "[T]/claude");
    assert_eq!(scene.places().home.path, scene.path("mine"));
    scene.set("MEMDIR_HOME", "");
    assert_eq!(scene.places().home.path, scene.path("claude"));
    scene.unset("CLAUDE_CONFIG_DIR");
    assert_eq!(scene.places().home.path, scene.path("home/ada/.claude"));
}

#[test]
fn a_home_that_is_not_absolute_is_refused() {
    let mut scene = Scene::new();
    scene
        .set("MEMDIR_HOME", "here")
        .set("CLAUDE_CONFIG_DIR", "/");
    insta::assert_snapshot!(scene.shown(), @r#"
    home [T]/home/ada/.claude (built-in)
    memory [T]/home/ada/.claude/projects/[t]-work-app/memory (built-in)
    on (built-in)
    refused "here" from MEMDIR_HOME is not used: it is not an absolute path
    refused "/" from CLAUDE_CONFIG_DIR is not used: it is the root of the file system
    "#);
}

#[test]
fn without_a_home_in_the_environment_the_systems_record_counts() {
    let mut scene = Scene::new();
    scene.unset("HOME");
    let error = Places::find(&scene.environment()).unwrap_err();
    assert!(matches!(error, PlacesError::NoHome), "{error}");
    let user = rustix::process::getuid().as_raw();
    scene.write(
        "passwd",
        &format!("x:x:99999:1::/nobody:\nada:x:{user}:1:Ada,,:[T]/home/ada:/bin/sh\n"),
    );
    assert_eq!(scene.places().home.path, scene.path("home/ada/.claude"));
}

#[test]
fn the_memory_directory_by_order_of_precedence() {
    let mut scene = Scene::new();
    let setting = |value: &str| format!(r#"{{"autoMemoryDirectory": "{value}"}}"#);
    let local = scene.path("work/app/.claude/settings.local.json");
    scene
        .set("CLAUDE_COWORK_MEMORY_PATH_OVERRIDE", "[T]/override")
        .set("CLAUDE_CODE_REMOTE_MEMORY_DIR", "[T]/remote")
        .write("managed.json", &setting("[T]/managed"))
        .write(
            "work/app/.claude/settings.local.json",
            &setting("[T]/local"),
        )
        .write("home/ada/.claude/settings.json", &setting("~/user"));
    let home = scene.path("home/ada/.claude");
    trust(&home, &local, &fs::read(&local).unwrap()).unwrap();

    let mut lines = Vec::new();
    let environment = scene.environment().with_memory_dir("relative/./flag");
    let mut note = |places: Places| {
        assert_eq!(places.memory_dir.refused, []);
        lines.push(format!(
            "{} ({})",
            places.memory_dir.path.display(),
            places.memory_dir.origin
        ));
    };
    note(Places::find(&environment).unwrap());
    note(scene.places());
    scene.unset("CLAUDE_COWORK_MEMORY_PATH_OVERRIDE");
    note(scene.places());
    fs::remove_file(scene.path("managed.json")).unwrap();
    note(scene.places());
    fs::remove_file(&local).unwrap();
    note(scene.places());
    fs::remove_file(scene.path("home/ada/.claude/settings.json")).unwrap();
    note(scene.places());
    scene.unset("CLAUDE_CODE_REMOTE_MEMORY_DIR");
    note(scene.places());
    insta::assert_snapshot!(scene.plain(&lines.join("\n")), @"
    [T]/work/app/src/relative/flag (--memory-dir)
    [T]/override (CLAUDE_COWORK_MEMORY_PATH_OVERRIDE)
    [T]/managed (autoMemoryDirectory in [T]/managed.json (managed))
    [T]/local (autoMemoryDirectory in [T]/work/app/.claude/settings.local.json (local))
    [T]/home/ada/user (autoMemoryDirectory in [T]/home/ada/.claude/settings.json (user))
    [T]/remote/projects/[t]-work-app/memory (CLAUDE_CODE_REMOTE_MEMORY_DIR)
    [T]/home/ada/.claude/projects/[t]-work-app/memory (built-in)
    ");
}

#[test]
fn a_refused_value_falls_to_the_next_and_is_named() {
    let mut scene = Scene::new();
    scene
        .set("CLAUDE_COWORK_MEMORY_PATH_OVERRIDE", "~/memory")
        .set("CLAUDE_CODE_REMOTE_MEMORY_DIR", "/remote")
        .write(
            "managed.json",
            r#"{"autoMemoryDirectory": "\\\\server\\share"}"#,
        )
        .write(
            "home/ada/.claude/settings.json",
            r#"{"autoMemoryDirectory": "~/.."}"#,
        );
    insta::assert_snapshot!(scene.shown(), @r#"
    home [T]/home/ada/.claude (built-in)
    memory [T]/home/ada/.claude/projects/[t]-work-app/memory (built-in)
    on (built-in)
    refused "~/memory" from CLAUDE_COWORK_MEMORY_PATH_OVERRIDE is not used: it is not an absolute path
    refused "\\\\server\\share" from autoMemoryDirectory in [T]/managed.json (managed) is not used: it is a network path
    refused "~/.." from autoMemoryDirectory in [T]/home/ada/.claude/settings.json (user) is not used: it is the home directory itself or above it
    refused "/remote" from CLAUDE_CODE_REMOTE_MEMORY_DIR is not used: it is only one step from the root of the file system
    "#);
}

#[test]
fn a_flag_that_cannot_be_used_is_an_error_and_not_another_directory() {
    let scene = Scene::new();
    for (flag, expected) in [("/", RefusalReason::Root), ("", RefusalReason::Empty)] {
        let error = Places::find(&scene.environment().with_memory_dir(flag)).unwrap_err();
        let PlacesError::MemoryDir { reason, .. } = error else {
            panic!("{error}")
        };
        assert_eq!(reason, expected);
    }
}

#[test]
fn remote_mode_needs_a_directory_that_can_be_used() {
    let mut scene = Scene::new();
    scene.set("CLAUDE_CODE_REMOTE", "1");
    assert!(!scene.places().memory.enabled);
    scene.set("CLAUDE_CODE_REMOTE_MEMORY_DIR", "/");
    assert!(!scene.places().memory.enabled);
    scene.set("CLAUDE_CODE_REMOTE_MEMORY_DIR", "[T]/remote");
    let places = scene.places();
    assert!(places.memory.enabled);
    let agent = PlainName::new("reviewer").unwrap();
    let local = places.agent_memory_dir(&agent, AgentScope::Local);
    let expected = format!(
        "remote/projects/{}/agent-memory-local/reviewer",
        places.slug
    );
    assert_eq!(local, scene.path(&expected));
    // Transcripts stay at home.
    assert!(
        places
            .sessions_dir()
            .starts_with(scene.path("home/ada/.claude/projects"))
    );
}

#[test]
fn two_ways_to_a_memory_directory_are_one_state() {
    let scene = Scene::new();
    fs::create_dir_all(scene.path("disk")).unwrap();
    symlink(scene.path("disk"), scene.path("link")).unwrap();
    let key = |path: &str| {
        Places::find(&scene.environment().with_memory_dir(scene.path(path)))
            .unwrap()
            .key
    };
    let before = key("disk/sub/memory");
    assert_eq!(key("link/sub/memory"), before);
    assert_eq!(before, slug(&scene.path("disk/sub/memory")));
    fs::create_dir_all(scene.path("disk/sub/memory")).unwrap();
    assert_eq!(
        (key("disk/sub/memory"), key("link/sub/memory")),
        (before.clone(), before)
    );
}

#[test]
fn another_project_is_looked_at_from_there() {
    let scene = Scene::new();
    fs::create_dir_all(scene.path("work/other/.git")).unwrap();
    fs::create_dir_all(scene.path("work/other/deep")).unwrap();
    let places = Places::find(&scene.environment().with_project("../../other/deep")).unwrap();
    assert_eq!(places.project.root, scene.path("work/other"));
    assert_eq!(places.start_slug, slug(&scene.path("work/other/deep")));
    let error = Places::find(&scene.environment().with_project("../nowhere")).unwrap_err();
    insta::assert_snapshot!(scene.plain(&error.to_string()), @"cannot start in [T]/work/app/nowhere: there is no such folder");
}

#[test]
fn a_file_is_no_start_folder() {
    let scene = Scene::new();
    scene.write("work/app/src/main.rs", "");
    let error = Places::find(&scene.environment().with_project("main.rs")).unwrap_err();
    insta::assert_snapshot!(scene.plain(&error.to_string()), @"cannot start in [T]/work/app/src/main.rs: it is not a folder");
}

#[test]
fn looking_creates_nothing() {
    let scene = Scene::new();
    scene.places();
    assert!(!scene.path("home/ada/.claude").exists());
}

#[test]
fn names_that_are_not_one_plain_component_are_refused() {
    for name in [
        "",
        ".",
        "..",
        "a/b",
        "a\\b",
        "a\0b",
        "\u{ff0f}etc",
        "a\nb",
        " a",
        "a ",
        &"x".repeat(300),
    ] {
        assert!(PlainName::new(name).is_err(), "{name:?}");
        assert!(PlainName::agent(name).is_err(), "{name:?}");
    }
    assert!(PlainName::new("a:b").is_err());
    assert_eq!(PlainName::agent("a:b").unwrap().as_str(), "a-b");
}

#[test]
fn a_second_root_is_recorded_beside_the_first() {
    let scene = Scene::new();
    let state = scene.places().state_dir;
    assert_eq!(recorded_roots(&state).unwrap(), []);
    let moment = |second| jiff::Timestamp::from_second(second).unwrap();
    record_root(&state, Path::new("/a/b-c"), moment(10)).unwrap();
    record_root(&state, Path::new("/a/b-c"), moment(20)).unwrap();
    record_root(&state, Path::new("/a/b/c"), moment(30)).unwrap();
    let roots: Vec<String> = recorded_roots(&state)
        .unwrap()
        .iter()
        .map(|recorded| format!("{} {}", recorded.root.display(), recorded.first.as_second()))
        .collect();
    assert_eq!(roots, ["/a/b-c 10", "/a/b/c 30"]);
}
