//! What the files of a repository cannot do about where things live.

use std::fs;
use std::os::unix::fs::symlink;

use memdir_store::{Places, trust};

use crate::project::make_fifo;
use crate::scene::Scene;

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
    insta::assert_snapshot!(scene.shown_before_trust(), @r#"
    home [T]/home/ada/.claude (built-in)
    memory [T]/home/ada/.claude/projects/[t]-work-app/memory (built-in)
    off (autoMemoryEnabled in [T]/home/ada/.claude/settings.json (user))
    refused "[T]/evil" from MEMDIR_HOME is not used: the project's [T]/work/app/.claude/settings.json sets this variable
    refused "[T]/home/ada/.ssh" from CLAUDE_COWORK_MEMORY_PATH_OVERRIDE is not used: the project's [T]/work/app/.claude/settings.local.json sets this variable
    ignored CLAUDE_COWORK_MEMORY_PATH_OVERRIDE of [T]/work/app/.claude/settings.local.json
    ignored CLAUDE_CODE_DISABLE_AUTO_MEMORY of [T]/work/app/.claude/settings.json
    ignored MEMDIR_HOME of [T]/work/app/.claude/settings.json
    "#);
    insta::assert_snapshot!(scene.moved(), @"[T]/work/app/.claude/settings.local.json sets CLAUDE_COWORK_MEMORY_PATH_OVERRIDE, and [T]/work/app/.claude/settings.json sets MEMDIR_HOME, which would move what is yours, and you have not trusted it: nothing was read or written");
}

#[test]
fn variables_that_the_repository_names_may_switch_off() {
    let mut scene = Scene::new();
    scene
        .set("DISABLE_AUTO_COMPACT", "1")
        .set("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "yes")
        .set("DISABLE_COMPACT", "0")
        .write(
            "work/app/.claude/settings.json",
            r#"{"env": {
                "DISABLE_AUTO_COMPACT": "1", "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "yes",
                "DISABLE_COMPACT": "0", "CLAUDE_CODE_SIMPLE": "1"
            }}"#,
        );
    // What is obeyed is not ignored too, and what is not set is neither.
    insta::assert_snapshot!(scene.shown(), @"
    home [T]/home/ada/.claude (built-in)
    memory [T]/home/ada/.claude/projects/[t]-work-app/memory (built-in)
    off (CLAUDE_CODE_DISABLE_AUTO_MEMORY)
    ignored DISABLE_COMPACT of [T]/work/app/.claude/settings.json
    obeyed CLAUDE_CODE_DISABLE_AUTO_MEMORY of [T]/work/app/.claude/settings.json
    obeyed DISABLE_AUTO_COMPACT of [T]/work/app/.claude/settings.json
    ");
    let places = scene.places();
    assert!(!places.compaction.automatic.enabled && places.compaction.manual.enabled);
    assert!(!places.ignores_variable("DISABLE_AUTO_COMPACT"));
}

#[test]
fn variables_named_above_the_checkout_are_ignored_too() {
    let mut scene = Scene::new();
    scene.set("MEMDIR_HOME", "[T]/evil");
    // A client that was started there has put them into our environment; but its values are no
    // business of this project.
    let text = r#"{"autoMemoryEnabled": false, "env": {"MEMDIR_HOME": "[T]/evil"}}"#;
    scene.write("work/.claude/settings.json", text);
    insta::assert_snapshot!(scene.shown_before_trust(), @r#"
    home [T]/home/ada/.claude (built-in)
    memory [T]/home/ada/.claude/projects/[t]-work-app/memory (built-in)
    on (built-in)
    refused "[T]/evil" from MEMDIR_HOME is not used: the project's [T]/work/.claude/settings.json sets this variable
    ignored MEMDIR_HOME of [T]/work/.claude/settings.json
    "#);
    insta::assert_snapshot!(scene.moved(), @"[T]/work/.claude/settings.json sets MEMDIR_HOME, which would move what is yours, and you have not trusted it: nothing was read or written");
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
    insta::assert_snapshot!(scene.shown_before_trust(), @r#"
    home [T]/home/ada/.claude (built-in)
    memory [T]/home/ada/.claude/projects/[t]-work-app/memory (built-in)
    on (built-in)
    refused "[T]/evil" from CLAUDE_CONFIG_DIR is not used: the project's [T]/work/app/.claude/settings.json sets this variable
    ignored HOME of [T]/work/app/.claude/settings.local.json
    ignored CLAUDE_CONFIG_DIR of [T]/work/app/.claude/settings.json
    "#);
    insta::assert_snapshot!(scene.moved(), @"[T]/work/app/.claude/settings.local.json sets HOME, and [T]/work/app/.claude/settings.json sets CLAUDE_CONFIG_DIR, which would move what is yours, and you have not trusted it: nothing was read or written");
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
fn a_repository_may_switch_compaction_off_and_cannot_make_it_more_frequent() {
    let mut scene = Scene::new();
    let text = r#"{"env": {"DISABLE_AUTO_COMPACT": "1", "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "1"}}"#;
    scene
        .set("DISABLE_AUTO_COMPACT", "1")
        .set("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", "1")
        .write("work/app/.claude/settings.json", text);
    let places = scene.places();
    assert!(!places.compaction.automatic.enabled);
    assert!(places.compaction.manual.enabled);
    assert!(places.ignores_variable("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE"));
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
    insta::assert_snapshot!(scene.moved(), @"[T]/work/app/.claude/settings.json sets CLAUDE_COWORK_MEMORY_PATH_OVERRIDE, which would move what is yours, and you have not trusted it: nothing was read or written");
    let places = Places::find(&scene.environment().before_trust()).unwrap();
    assert_eq!(places.home.path, scene.path("home/ada/.claude"));
    assert!(
        places
            .memory_dir
            .path
            .starts_with(scene.path("home/ada/.claude/projects"))
    );
    assert!(
        places.problems()[0]
            .message
            .contains("more than the 1048576"),
        "{:?}",
        places.problems()
    );
}
