//! Our own settings files: whose word they are, and how the user's is changed.

use std::fs;
use std::os::unix::fs::symlink;

use memdir_settings::{Assignment, Key, Origin};
use memdir_store::{
    Places, RecordError, local_file, local_files, read_settings_file, replace_settings_file, trust,
};

use crate::scene::Scene;

const USER: &str = "home/ada/.claude/memdir.toml";
const PROJECT: &str = "work/app/.claude/memdir.toml";
const LOCAL: &str = "work/app/.claude/memdir.local.toml";

/// The settings that somebody set, by whom.
fn set(scene: &Scene) -> String {
    let places = scene.places();
    let values = places.settings.values().iter();
    let set = values.filter(|sourced| sourced.origin != Origin::BuiltIn);
    let lines: Vec<String> = set
        .map(|sourced| {
            format!(
                "{} = {} by {}",
                sourced.key.name, sourced.value, sourced.origin
            )
        })
        .collect();
    scene.plain(&lines.join("\n"))
}

#[test]
fn memory_is_switched_by_any_of_the_files() {
    let mut scene = Scene::new();
    scene.write(PROJECT, "memory.enabled = false");
    insta::assert_snapshot!(scene.shown(), @"
    home [T]/home/ada/.claude (built-in)
    memory [T]/home/ada/.claude/projects/[t]-work-app/memory (built-in)
    off (memory.enabled in [T]/work/app/.claude/memdir.toml (project))
    ");
    // The user's file is weaker than what switches off, and stronger than nothing.
    scene.write(USER, "memory.enabled = true");
    assert!(!scene.places().memory.enabled);
    scene
        .write(PROJECT, "")
        .write(USER, "memory.enabled = false");
    assert!(!scene.places().memory.enabled);
    scene.set("MEMDIR_MEMORY_ENABLED", "yes");
    insta::assert_snapshot!(scene.shown(), @"
    home [T]/home/ada/.claude (built-in)
    memory [T]/home/ada/.claude/projects/[t]-work-app/memory (built-in)
    on (MEMDIR_MEMORY_ENABLED)
    ");
    scene.write("managed.json", r#"{"autoMemoryEnabled": false}"#);
    assert!(!scene.places().memory.enabled);
}

#[test]
fn managed_settings_of_ours_have_the_last_word_and_no_repository_reaches_them() {
    let scene = Scene::new();
    let managed = scene.path("etc/claude-code/managed-settings.json");
    let flags = vec![Assignment::parse("dream.mode=auto").unwrap()];
    let found = || {
        let environment = scene
            .environment()
            .with_managed_settings(&managed)
            .with_settings(flags.clone());
        let places = Places::find(&environment).unwrap();
        let sourced = places.settings.get(Key::find("dream.mode").unwrap());
        let problems = places.problems().iter().map(ToString::to_string);
        let lines: Vec<String> = sourced
            .map(|sourced| format!("{} by {}", sourced.value, sourced.origin))
            .into_iter()
            .chain(problems)
            .collect();
        scene.plain(&lines.join("\n"))
    };
    // What a repository carries under the same names is a file of the repository.
    for folder in [".claude", "etc/claude-code", ".claude/etc/claude-code"] {
        let file = format!("work/app/{folder}/memdir.toml");
        scene.write(&file, "dream.mode = \"off\"");
    }
    insta::assert_snapshot!(found(), @"auto by --set");
    scene.write("etc/claude-code/memdir.toml", "dream.mode = \"ask\"");
    insta::assert_snapshot!(found(), @"ask by [T]/etc/claude-code/memdir.toml:1 (managed)");
    // Whoever uses the machine cannot mend it, so that a mistake stops nobody.
    scene.write("etc/claude-code/memdir.toml", "dream.mod = \"ask\"");
    insta::assert_snapshot!(found(), @"
    auto by --set
    [T]/etc/claude-code/memdir.toml:1:7: there is no setting `dream.mod`; did you mean `dream.mode`? It is ignored
    ");
}

#[test]
fn files_of_nearer_folders_are_stronger_and_those_above_the_checkout_count_for_nothing() {
    let scene = Scene::new();
    scene
        .write(
            "work/.claude/memdir.toml",
            "prompt.style = \"short\"\ndream.mode = \"off\"",
        )
        .write(
            PROJECT,
            "memory.refresh = \"turn\"\nmemory.index_place = \"both\"",
        )
        .write(
            "work/app/src/.claude/memdir.toml",
            "memory.refresh = \"session\"",
        );
    insta::assert_snapshot!(set(&scene), @"
    memory.refresh = session by [T]/work/app/src/.claude/memdir.toml:1 (project)
    memory.index_place = both by [T]/work/app/.claude/memdir.toml:2 (project)
    ");
}

#[test]
fn a_project_in_the_home_directory_finds_the_users_own_file_once() {
    let scene = Scene::new();
    scene.write(USER, "team.enabled = true");
    let environment = scene.environment().with_project(scene.path("home/ada"));
    let places = memdir_store::Places::find(&environment).unwrap();
    assert!(places.settings.settings().team.enabled);
    assert_eq!(places.settings.refused(), []);
}

#[test]
fn a_linked_folder_of_settings_is_still_the_repositorys() {
    let scene = Scene::new();
    scene.write(
        "elsewhere/memdir.toml",
        "team.enabled = true\ndream.mode = \"off\"",
    );
    scene.write("elsewhere/memdir.local.toml", "team.enabled = true");
    symlink(scene.path("elsewhere"), scene.path("work/app/.claude")).unwrap();
    insta::assert_snapshot!(set(&scene), @"dream.mode = off by [T]/work/app/.claude/memdir.toml:2 (project)");
    assert_eq!(scene.places().settings.refused().len(), 2);
    // Nor does a link to the user's own folder make the user's word out of it.
    fs::remove_file(scene.path("work/app/.claude")).unwrap();
    scene.write("home/ada/.claude/memdir.local.toml", "team.enabled = true");
    symlink(
        scene.path("home/ada/.claude"),
        scene.path("work/app/.claude"),
    )
    .unwrap();
    insta::assert_snapshot!(set(&scene), @"");
}

#[test]
fn a_trusted_local_file_is_the_users_word_by_whichever_path_it_was_trusted() {
    let scene = Scene::new();
    let text = "team.enabled = true\n";
    scene.write(LOCAL, text);
    let places = scene.places();
    let (files, problems) = local_files(&places);
    assert_eq!((files.len(), problems.len()), (1, 0));
    assert!(!files[0].trusted);
    // By a link to the project, the same file.
    symlink(scene.path("work/app"), scene.path("link")).unwrap();
    let file = local_file(&places, &scene.path("link/.claude/memdir.local.toml")).unwrap();
    assert_eq!(file.path, scene.path(LOCAL));
    trust(&places.home.path, &file.path, &file.content).unwrap();
    insta::assert_snapshot!(set(&scene), @"team.enabled = true by [T]/work/app/.claude/memdir.local.toml:1 (local)");
    assert!(local_files(&places).0[0].trusted);
    scene.write(LOCAL, "team.enabled = true\n\n");
    insta::assert_snapshot!(set(&scene), @"");
}

#[test]
fn the_users_file_is_replaced_only_by_who_has_seen_it() {
    let scene = Scene::new();
    let home = scene.path("home/ada/.claude");
    assert_eq!(read_settings_file(&home).unwrap(), None);
    replace_settings_file(&home, None, "a\n").unwrap();
    assert_eq!(read_settings_file(&home).unwrap().as_deref(), Some("a\n"));
    for seen in [None, Some("b\n")] {
        let late = replace_settings_file(&home, seen, "c\n");
        assert!(
            matches!(late, Err(RecordError::Conflict { .. })),
            "{late:?}"
        );
    }
    replace_settings_file(&home, Some("a\n"), "d\n").unwrap();
    assert_eq!(read_settings_file(&home).unwrap().as_deref(), Some("d\n"));
    let left: Vec<_> = fs::read_dir(&home)
        .unwrap()
        .flatten()
        .map(|entry| entry.file_name())
        .collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

#[test]
fn a_link_that_leads_nowhere_is_not_written_through() {
    let scene = Scene::new();
    fs::create_dir_all(scene.path("home/ada/.claude")).unwrap();
    symlink("nowhere/at/all", scene.path(USER)).unwrap();
    let home = scene.path("home/ada/.claude");
    assert!(read_settings_file(&home).is_err());
    assert!(replace_settings_file(&home, None, "a\n").is_err());
    // Whoever reads only takes it for no file.
    assert_eq!(scene.places().problems(), []);
}
