//! A repository that names a variable which chooses a path in the `env` block of its settings.

use memdir_store::{Places, trust};

use crate::scene::Scene;

const COMMITTED: &str = "work/app/.claude/settings.json";

/// A variable, what the file says, what the environment says, and whether that moves anything.
const CASES: [(&str, &str, Option<&str>, bool); 30] = [
    // As a client puts it there.
    ("HOME", "[T]/evil", Some("[T]/evil"), true),
    ("MEMDIR_HOME", "[T]/evil", Some("[T]/evil"), true),
    ("CLAUDE_CONFIG_DIR", "[T]/evil", Some("[T]/evil"), true),
    ("CODEX_HOME", "[T]/evil", Some("[T]/evil"), true),
    ("GEMINI_CLI_HOME", "[T]/evil", Some("[T]/evil"), true),
    ("XDG_CONFIG_HOME", "[T]/evil", Some("[T]/evil"), true),
    (
        "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE",
        "[T]/evil",
        Some("[T]/evil"),
        true,
    ),
    (
        "CLAUDE_CODE_REMOTE_MEMORY_DIR",
        "[T]/evil",
        Some("[T]/evil"),
        true,
    ),
    // As the user's shell has it.
    ("HOME", "[T]/evil", Some("[T]/home/ada"), true),
    ("MEMDIR_HOME", "[T]/evil", None, true),
    ("MEMDIR_HOME", "[T]/evil", Some("[T]/mine"), true),
    ("CLAUDE_CONFIG_DIR", "[T]/evil", None, true),
    (
        "MEMDIR_HOME",
        "[T]/home/ada/.claude",
        Some("[T]/mine"),
        true,
    ),
    ("MEMDIR_HOME", "", Some("[T]/mine"), true),
    // What is no path leads nowhere that the user means.
    ("MEMDIR_HOME", "evil", Some("evil"), true),
    ("MEMDIR_HOME", "~/evil", Some("~/evil"), true),
    ("MEMDIR_HOME", "$HOME/.claude", Some("[T]/evil"), true),
    ("MEMDIR_HOME", "/", Some("/"), true),
    ("HOME", "", Some("[T]/evil"), true),
    // The same as the user's own, however it is written.
    ("HOME", "[T]/home/ada", Some("[T]/home/ada"), false),
    ("HOME", "[T]/home/./ada/", Some("[T]/home/ada"), false),
    ("HOME", "[T]/home/ada", None, false),
    (
        "MEMDIR_HOME",
        "[T]/home/ada/.claude",
        Some("[T]/home/ada/.claude"),
        false,
    ),
    ("CLAUDE_CONFIG_DIR", "[T]/home/ada/.claude/", None, false),
    ("CODEX_HOME", "[T]/home/ada/.codex", None, false),
    ("GEMINI_CLI_HOME", "[T]/home/ada", None, false),
    ("XDG_CONFIG_HOME", "[T]/home/ada/.config", None, false),
    ("MEMDIR_HOME", "", None, false),
    // What chooses no path is not believed, and stops nobody.
    ("EDITOR", "evil", Some("evil"), false),
    ("PATH", "[T]/evil", Some("[T]/evil"), false),
];

fn scene(name: &'static str, set: Option<&str>) -> Scene {
    let mut scene = Scene::new();
    let user = rustix::process::getuid().as_raw();
    scene.write("passwd", &format!("ada:x:{user}:1::[T]/home/ada:/bin/sh\n"));
    match set {
        Some(value) => scene.set(name, value),
        None => scene.unset(name),
    };
    scene
}

#[test]
fn a_variable_that_a_repository_sets_moves_nothing_and_is_not_passed_over() {
    for (name, named, set, moves) in CASES {
        let scene = scene(name, set);
        let case = format!("{name}={named:?} beside {set:?}");
        let before = Places::find(&scene.environment().before_trust());
        let text = format!(r#"{{"env": {{"{name}": "{named}"}}}}"#);
        scene.write(COMMITTED, &text);
        let found = Places::find(&scene.environment());
        match (found, moves) {
            (Err(error), true) => {
                let told = scene.plain(&error.to_string());
                let expected = format!("[T]/{COMMITTED} sets {name}, ");
                assert!(told.starts_with(&expected), "{case}: {told}");
            }
            (Ok(found), false) => {
                let before = before.unwrap();
                assert_eq!(found.home.path, before.home.path, "{case}");
                assert_eq!(found.memory_dir.path, before.memory_dir.path, "{case}");
                assert_eq!(found.user_home, before.user_home, "{case}");
            }
            (found, _) => panic!("{case}: {found:?}"),
        }
    }
}

#[test]
fn a_variable_of_a_container_or_a_shell_is_not_the_repositorys() {
    for (name, _, set, _) in CASES {
        let scene = scene(name, set);
        let before = Places::find(&scene.environment());
        scene.write(COMMITTED, r#"{"env": {"UNRELATED": "x"}}"#);
        match (Places::find(&scene.environment()), before) {
            (Ok(found), Ok(before)) => {
                assert_eq!(found.home, before.home, "{name}");
                assert_eq!(found.memory_dir, before.memory_dir, "{name}");
            }
            (found, before) => assert!(found.is_err() && before.is_err(), "{name}"),
        }
    }
}

#[test]
fn whoever_vouches_for_the_file_has_it_obeyed_until_it_changes() {
    let homes = [
        ("HOME", "evil/.claude"),
        ("MEMDIR_HOME", "evil"),
        ("CLAUDE_CONFIG_DIR", "evil"),
    ];
    for local in [COMMITTED, "work/app/.claude/settings.local.json"] {
        for (name, home) in homes {
            let text = format!(r#"{{"env": {{"{name}": "[T]/evil"}}}}"#);
            // It is typed in a shell, which has the user's own, or nothing.
            let shell = scene(name, (name == "HOME").then_some("[T]/home/ada"));
            shell.write(local, &text);
            let before = Places::find(&shell.environment().before_trust()).unwrap();
            let path = shell.path(local);
            let content = std::fs::read(&path).unwrap();
            trust(before.trust_home(), &path, &content).unwrap();
            let mut client = shell;
            client.set(name, "[T]/evil");
            let places = client.places();
            assert_eq!(places.home.path, client.path(home), "{name} in {local}");
            assert_eq!(places.ignored_variables, [], "{name} in {local}");
            client.write(local, &format!("{text}\n"));
            assert!(client.moved().contains(name), "{name} in {local}");
        }
    }
}

#[test]
fn a_committed_file_that_is_vouched_for_still_chooses_no_directory() {
    let mut scene = scene("MEMDIR_HOME", Some("[T]/evil"));
    scene.write(
        COMMITTED,
        r#"{"autoMemoryDirectory": "[T]/ssh", "env": {"MEMDIR_HOME": "[T]/evil"}}"#,
    );
    scene.unset("CODEX_HOME");
    let path = scene.path(COMMITTED);
    let content = std::fs::read(&path).unwrap();
    trust(&scene.path("home/ada/.claude"), &path, &content).unwrap();
    let places = scene.places();
    assert!(
        places
            .memory_dir
            .path
            .starts_with(scene.path("evil/projects"))
    );
}

#[test]
fn what_stands_under_the_moved_home_vouches_for_nothing() {
    let scene = scene("HOME", Some("[T]/evil"));
    scene.write(COMMITTED, r#"{"env": {"HOME": "[T]/evil"}}"#);
    let path = scene.path(COMMITTED);
    let content = std::fs::read(&path).unwrap();
    trust(&scene.path("evil/.claude"), &path, &content).unwrap();
    assert!(scene.moved().contains("HOME"));
}

#[test]
fn another_project_that_is_asked_for_hid_the_file_around_the_current_folder() {
    for (name, named, set, moves) in CASES {
        let scene = scene(name, set);
        scene.write("other/.keep", "");
        let text = format!(r#"{{"env": {{"{name}": "{named}"}}}}"#);
        scene.write(COMMITTED, &text);
        let other = scene.path("other");
        let app = scene.path("work/app");
        let here = scene.environment();
        let asked = [
            here.clone().with_project(&other),
            here.clone().with_project("elsewhere").with_project(&other),
            here.with_project(&app).with_project(&other),
        ];
        for environment in asked {
            let found = Places::find(&environment);
            match &found {
                Ok(places) if !moves => assert_eq!(places.start_folder, other, "{name}"),
                Err(error) if moves => assert!(error.to_string().contains(name), "{error}"),
                _ => panic!("{name}={named:?} beside {set:?}: {found:?}"),
            }
        }
    }
}

#[test]
fn what_the_current_folder_sets_was_handed_on_for_another_project() {
    let mut scene = scene("EDITOR", Some("evil"));
    scene.set("MEMDIR_MODEL_KEY", "theirs");
    scene.write("other/.keep", "");
    let text = r#"{"autoMemoryEnabled": false, "env": {"EDITOR": "evil", "PATH": "[T]/evil", "MEMDIR_MODEL_KEY": "theirs"}}"#;
    scene.write(COMMITTED, text);
    let other = scene.environment().with_project(scene.path("other"));
    let places = Places::find(&other).unwrap();
    for name in ["EDITOR", "MEMDIR_MODEL_KEY"] {
        assert!(places.ignores_variable(name), "{name}");
    }
    for name in ["EDITOR", "PATH", "MEMDIR_MODEL_KEY"] {
        assert!(places.withholds(name.as_ref()), "{name}");
    }
    // All else there is about another project.
    assert!(places.memory.enabled);
}

#[test]
fn the_folder_of_the_client_and_of_the_event_were_not_looked_at() {
    let mut scene = scene("MEMDIR_HOME", Some("[T]/evil"));
    scene.write("other/.keep", "");
    scene.write(COMMITTED, r#"{"env": {"MEMDIR_HOME": "[T]/evil"}}"#);
    let other = scene.path("other");
    let elsewhere = |scene: &Scene| scene.environment_in("other").with_project(&other);
    assert!(Places::find(&elsewhere(&scene)).is_ok());
    let event = elsewhere(&scene).started_in(scene.path("work/app"));
    assert!(Places::find(&event).is_err());
    let gone = elsewhere(&scene).started_in(scene.path("work/app/gone"));
    assert!(Places::find(&gone).is_err());
    scene.set("CLAUDE_PROJECT_DIR", "[T]/work/app");
    assert!(Places::find(&elsewhere(&scene)).is_err());
}

#[test]
fn a_file_in_utf_16_hid_the_variables_that_it_sets() {
    let scene = scene("MEMDIR_HOME", Some("[T]/evil"));
    let text = r#"{"env": {"MEMDIR_HOME": "/evil"}}"#;
    scene.write(COMMITTED, "");
    let encoded = |bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        let units = std::iter::once(0xfeff).chain(text.encode_utf16());
        units.flat_map(bytes).collect()
    };
    for content in [encoded(u16::to_le_bytes), encoded(u16::to_be_bytes)] {
        std::fs::write(scene.path(COMMITTED), content).unwrap();
        assert!(scene.moved().contains("MEMDIR_HOME"));
    }
}
