//! Where everything lives, by the whole order of precedence, and what a repository cannot do about it.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use memdir_store::places::{AgentScope, PlacesError, RefusalReason};
use memdir_store::{Environment, Places, PlainName, record_root, recorded_roots, slug, trust};

use crate::project::make_fifo;

/// A home `home/ada` and a repository `work/app`, with the folder `work/app/src` to start in.
struct Scene {
    _temporary: tempfile::TempDir,
    root: PathBuf,
    variables: Vec<(&'static str, String)>,
}

impl Scene {
    fn new() -> Self {
        let temporary = tempfile::tempdir().unwrap();
        let root = temporary.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("home/ada")).unwrap();
        fs::create_dir_all(root.join("work/app/.git")).unwrap();
        fs::create_dir_all(root.join("work/app/src")).unwrap();
        let home = root.join("home/ada").display().to_string();
        Self {
            _temporary: temporary,
            root,
            variables: vec![("HOME", home)],
        }
    }

    fn path(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// Writes a file; `[T]` in the text stands for the scene's folder.
    fn write(&self, path: &str, text: &str) -> &Self {
        fs::create_dir_all(self.path(path).parent().unwrap()).unwrap();
        let text = text.replace("[T]", self.root.to_str().unwrap());
        fs::write(self.path(path), text).unwrap();
        self
    }

    /// Sets a variable; `[T]` in the value stands for the scene's folder.
    fn set(&mut self, name: &'static str, value: &str) -> &mut Self {
        self.variables.retain(|(other, _)| *other != name);
        let value = value.replace("[T]", self.root.to_str().unwrap());
        self.variables.push((name, value));
        self
    }

    fn unset(&mut self, name: &str) -> &mut Self {
        self.variables.retain(|(other, _)| *other != name);
        self
    }

    fn environment(&self) -> Environment {
        Environment::new(self.path("work/app/src"), self.variables.clone())
            .with_managed_settings(self.path("managed.json"))
            .with_accounts(self.path("passwd"))
    }

    fn places(&self) -> Places {
        Places::find(&self.environment()).unwrap()
    }

    /// The scene's folder and its slug taken out of a text.
    fn plain(&self, text: &str) -> String {
        text.replace(self.root.to_str().unwrap(), "[T]")
            .replace(&slug(&self.root), "[t]")
    }

    fn show(&self, places: &Places) -> String {
        let mut lines = vec![
            format!(
                "home {} ({})",
                places.home.path.display(),
                places.home.origin
            ),
            format!(
                "memory {} ({})",
                places.memory_dir.path.display(),
                places.memory_dir.origin
            ),
            format!(
                "{} ({})",
                if places.memory.enabled { "on" } else { "off" },
                places.memory.reason
            ),
        ];
        let refused = places.home.refused.iter().chain(&places.memory_dir.refused);
        lines.extend(refused.map(|refusal| format!("refused {refusal}")));
        lines.extend(
            places
                .ignored_variables
                .iter()
                .map(|ignored| format!("ignored {} of {}", ignored.name, ignored.file)),
        );
        lines.extend(
            places
                .problems
                .iter()
                .map(|problem| format!("problem {problem}")),
        );
        self.plain(&lines.join("\n"))
    }

    fn shown(&self) -> String {
        self.show(&self.places())
    }
}

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
fn project_settings_never_choose_the_directory() {
    let scene = Scene::new();
    let without = scene.places();
    for value in [
        "~/.ssh",
        "/",
        "..",
        "\\\\\\\\server\\\\share",
        "[T]/home/ada/.ssh",
    ] {
        let text = format!(r#"{{"autoMemoryDirectory": "{value}"}}"#);
        scene.write("work/app/.claude/settings.json", &text);
        scene.write("work/app/src/.claude/settings.local.json", &text);
        let mut with = scene.places();
        assert_eq!(with.memory_dir.refused.len(), 2, "{value}");
        with.memory_dir.refused.clear();
        assert_eq!(with, without, "{value}");
    }
    insta::assert_snapshot!(scene.shown(), @r#"
    home [T]/home/ada/.claude (built-in)
    memory [T]/home/ada/.claude/projects/[t]-work-app/memory (built-in)
    on (built-in)
    refused "[T]/home/ada/.ssh" from autoMemoryDirectory in [T]/work/app/src/.claude/settings.local.json (local) is not used: a file that comes with the project may not choose a directory
    refused "[T]/home/ada/.ssh" from autoMemoryDirectory in [T]/work/app/.claude/settings.json (project) is not used: a file that comes with the project may not choose a directory
    "#);
}

#[test]
fn project_settings_switch_off_but_not_on() {
    let scene = Scene::new();
    scene.write(
        "work/app/.claude/settings.json",
        r#"{"autoMemoryEnabled": false}"#,
    );
    assert!(!scene.places().memory.enabled);
    scene.write(
        "work/app/.claude/settings.json",
        r#"{"autoMemoryEnabled": true}"#,
    );
    scene.write(
        "home/ada/.claude/settings.json",
        r#"{"autoMemoryEnabled": false}"#,
    );
    assert!(!scene.places().memory.enabled);
}

#[test]
fn a_local_file_counts_once_the_user_has_vouched_and_not_after_a_change() {
    let scene = Scene::new();
    let file = "work/app/.claude/settings.local.json";
    let text = r#"{"autoMemoryEnabled": true, "autoMemoryDirectory": "~/chosen"}"#;
    scene.write(file, text);
    let default = scene
        .path("home/ada/.claude/projects")
        .join(scene.places().slug)
        .join("memory");
    assert_eq!(scene.places().memory_dir.path, default);
    trust(
        &scene.path("home/ada/.claude"),
        &scene.path(file),
        text.as_bytes(),
    )
    .unwrap();
    assert_eq!(
        scene.places().memory_dir.path,
        scene.path("home/ada/chosen")
    );
    scene.write(file, &text.replace("chosen", ".ssh"));
    assert_eq!(scene.places().memory_dir.path, default);
    // The same content elsewhere is another file.
    scene
        .write(file, "{}")
        .write("work/app/src/.claude/settings.local.json", text);
    assert_eq!(scene.places().memory_dir.path, default);
}

#[test]
fn variables_that_the_repository_names_are_ignored_and_reported() {
    let mut scene = Scene::new();
    scene
        .set("MEMDIR_HOME", "[T]/evil")
        .set("CLAUDE_COWORK_MEMORY_PATH_OVERRIDE", "[T]/home/ada/.ssh")
        .set("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "0")
        .write(
            "home/ada/.claude/settings.json",
            r#"{"autoMemoryEnabled": false}"#,
        )
        .write(
            "work/app/.claude/settings.json",
            r#"{"env": {"MEMDIR_HOME": "[T]/evil", "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "0"}}"#,
        )
        .write(
            "work/app/.claude/settings.local.json",
            r#"{"env": {"CLAUDE_COWORK_MEMORY_PATH_OVERRIDE": "[T]/home/ada/.ssh"}}"#,
        );
    insta::assert_snapshot!(scene.shown(), @r#"
    home [T]/home/ada/.claude (built-in)
    memory [T]/home/ada/.claude/projects/[t]-work-app/memory (built-in)
    off (autoMemoryEnabled in [T]/home/ada/.claude/settings.json (user))
    refused "[T]/evil" from MEMDIR_HOME is not used: the project's [T]/work/app/.claude/settings.json sets this variable
    refused "[T]/home/ada/.ssh" from CLAUDE_COWORK_MEMORY_PATH_OVERRIDE is not used: the project's [T]/work/app/.claude/settings.local.json sets this variable
    ignored CLAUDE_COWORK_MEMORY_PATH_OVERRIDE of [T]/work/app/.claude/settings.local.json
    ignored CLAUDE_CODE_DISABLE_AUTO_MEMORY of [T]/work/app/.claude/settings.json
    ignored MEMDIR_HOME of [T]/work/app/.claude/settings.json
    "#);
    assert!(scene.places().ignores_variable("MEMDIR_HOME"));
}

#[test]
fn variables_named_above_the_checkout_are_ignored_too() {
    let mut scene = Scene::new();
    scene.set("MEMDIR_HOME", "[T]/evil");
    // A client that was started there has put them into our environment; but its values are no
    // business of this project.
    let text = r#"{"autoMemoryEnabled": false, "env": {"MEMDIR_HOME": "[T]/evil"}}"#;
    scene.write("work/.claude/settings.json", text);
    insta::assert_snapshot!(scene.shown(), @r#"
    home [T]/home/ada/.claude (built-in)
    memory [T]/home/ada/.claude/projects/[t]-work-app/memory (built-in)
    on (built-in)
    refused "[T]/evil" from MEMDIR_HOME is not used: the project's [T]/work/.claude/settings.json sets this variable
    ignored MEMDIR_HOME of [T]/work/.claude/settings.json
    "#);
}

#[test]
fn variables_named_by_the_user_are_believed() {
    let mut scene = Scene::new();
    let text = r#"{"env": {"MEMDIR_HOME": "[T]/mine"}}"#;
    scene
        .set("MEMDIR_HOME", "[T]/mine")
        .write("home/ada/.claude/settings.json", text);
    fs::create_dir_all(scene.path("home/ada/app")).unwrap();
    let environment = scene.environment().with_project(scene.path("home/ada/app"));
    let places = Places::find(&environment).unwrap();
    assert_eq!(places.home.path, scene.path("mine"));
    assert_eq!(places.ignored_variables, []);
}

#[test]
fn a_repository_cannot_pose_as_the_users_home() {
    let mut scene = Scene::new();
    let user = rustix::process::getuid().as_raw();
    scene
        .set("HOME", "[T]/work/app")
        .set("CLAUDE_CONFIG_DIR", "[T]/evil")
        .write("passwd", &format!("ada:x:{user}:1::[T]/home/ada:/bin/sh\n"))
        .write(
            "work/app/.claude/settings.json",
            r#"{"env": {"CLAUDE_CONFIG_DIR": "[T]/evil"}}"#,
        )
        .write(
            "work/app/.claude/settings.local.json",
            r#"{"env": {"HOME": "[T]/work/app"}}"#,
        );
    insta::assert_snapshot!(scene.shown(), @r#"
    home [T]/home/ada/.claude (built-in)
    memory [T]/home/ada/.claude/projects/[t]-work-app/memory (built-in)
    on (built-in)
    refused "[T]/evil" from CLAUDE_CONFIG_DIR is not used: the project's [T]/work/app/.claude/settings.json sets this variable
    ignored HOME of [T]/work/app/.claude/settings.local.json
    ignored CLAUDE_CONFIG_DIR of [T]/work/app/.claude/settings.json
    "#);
}

#[test]
fn a_repository_may_switch_off_by_variable_and_cannot_undo_the_users_switch() {
    let mut scene = Scene::new();
    let text = r#"{"env": {"CLAUDE_CODE_DISABLE_AUTO_MEMORY": "0"}}"#;
    scene.write("work/app/.claude/settings.json", text);
    scene.set("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1");
    assert!(!scene.places().memory.enabled);
}

#[test]
fn settings_that_cannot_be_read_are_reported_and_change_nothing() {
    let mut scene = Scene::new();
    scene.set("MEMDIR_HOME", "[T]/mine");
    fs::create_dir_all(scene.path("work/app/.claude")).unwrap();
    fs::create_dir_all(scene.path("work/app/src/.claude/settings.json")).unwrap();
    make_fifo(&scene.path("work/app/.claude/settings.json"));
    symlink(
        "/dev/zero",
        scene.path("work/app/.claude/settings.local.json"),
    )
    .unwrap();
    scene.write(
        "mine/settings.json",
        "{\n  \"autoMemoryEnabled\": false,\n}",
    );
    insta::assert_snapshot!(scene.shown(), @"
    home [T]/mine (MEMDIR_HOME)
    memory [T]/mine/projects/[t]-work-app/memory (built-in)
    on (built-in)
    problem [T]/work/app/src/.claude/settings.json: not a regular file; the file is ignored
    problem [T]/work/app/.claude/settings.local.json: not a regular file; the file is ignored
    problem [T]/work/app/.claude/settings.json: not a regular file; the file is ignored
    problem [T]/mine/settings.json:3:1: not a JSON object; the file is ignored
    ");
}

#[test]
fn settings_too_large_to_read_count_as_naming_every_variable() {
    let mut scene = Scene::new();
    scene.set("CLAUDE_COWORK_MEMORY_PATH_OVERRIDE", "[T]/evil");
    let text = format!(r#"{{"env": {{}}, "x": "{}"}}"#, "x".repeat(2 * 1024 * 1024));
    scene.write("work/app/.claude/settings.json", &text);
    let user = rustix::process::getuid().as_raw();
    scene.write("passwd", &format!("ada:x:{user}:1::[T]/home/ada:/bin/sh\n"));
    let places = scene.places();
    assert_eq!(places.home.path, scene.path("home/ada/.claude"));
    assert!(
        places
            .memory_dir
            .path
            .starts_with(scene.path("home/ada/.claude/projects"))
    );
    assert!(
        places.problems[0].message.contains("larger than"),
        "{:?}",
        places.problems
    );
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
