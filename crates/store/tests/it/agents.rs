//! Agent memory and the transcripts of a project, as they lie on disk.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use memdir_memory::AgentScope;
use memdir_store::{
    Directory, Places, PlainName, Store, migrate_agent_index, read_agent_index, slug,
};

use crate::scene::Scene;

fn places(scene: &Scene) -> Places {
    Places::find(&scene.environment()).unwrap()
}

/// What is listed, one line each, and what was passed over.
fn listed(scene: &Scene) -> String {
    let agents = places(scene).agents();
    let root = scene.root.display().to_string();
    let mut lines: Vec<String> = agents
        .found
        .iter()
        .map(|found| {
            format!(
                "{} {} {} {:?} {}",
                found.agent,
                found.scope,
                found.memories,
                found.index,
                found.path.display()
            )
        })
        .collect();
    for skipped in agents.skipped {
        lines.push(format!("skipped: {}", skipped.reason));
    }
    lines.join("\n").replace(&root, "{T}")
}

#[test]
fn agents_of_every_scope_are_listed_with_their_counts() {
    let scene = Scene::new();
    scene
        .write(
            "home/ada/.claude/agent-memory/planner/MEMORY.md",
            "- [A](a.md)\n",
        )
        .write("home/ada/.claude/agent-memory/planner/a.md", "")
        .write("home/ada/.claude/agent-memory/planner/deeper/b.md", "")
        .write(
            "home/ada/.claude/agent-memory/planner/logs/2026/11/2026-11-15.md",
            "",
        )
        .write("home/ada/.claude/agent-memory/stray.md", "not a folder")
        .write(
            "work/app/src/.claude/agent-memory/review-security/memory.md",
            "old",
        )
        .write("work/app/src/.claude/agent-memory-local/notes/c.md", "");
    insta::assert_snapshot!(listed(&scene), @"
    planner user 2 There {T}/home/ada/.claude/agent-memory/planner
    review-security project 0 OldName {T}/work/app/src/.claude/agent-memory/review-security
    notes local 1 Missing {T}/work/app/src/.claude/agent-memory-local/notes
    ");
}

#[test]
fn a_repository_leads_an_agent_nowhere_by_a_link() {
    let scene = Scene::new();
    scene.write("home/ada/.ssh/MEMORY.md", "a secret");
    fs::create_dir_all(scene.path("work/app/src/.claude/agent-memory")).unwrap();
    let link = scene.path("work/app/src/.claude/agent-memory/reviewer");
    symlink(scene.path("home/ada/.ssh"), &link).unwrap();
    insta::assert_snapshot!(listed(&scene), @"skipped: {T}/work/app/src/.claude/agent-memory/reviewer is not a folder; memdir follows no link there");

    let reviewer = PlainName::agent("reviewer").unwrap();
    let open = |places: &Places| places.open_agent_memory(&reviewer, AgentScope::Project);
    assert!(open(&places(&scene)).is_err());

    fs::remove_dir_all(scene.path("work/app/src/.claude")).unwrap();
    symlink(scene.path("home/ada"), scene.path("work/app/src/.claude")).unwrap();
    fs::rename(
        scene.path("home/ada/.ssh"),
        scene.path("home/ada/agent-memory"),
    )
    .unwrap();
    assert!(open(&places(&scene)).is_err());
}

#[test]
fn an_agent_is_called_as_its_folder() {
    for name in ["../x", "a/b", "", ".", "a\u{ff0f}b", " a", "a\nb"] {
        assert!(PlainName::agent(name).is_err(), "{name:?}");
    }
    assert_eq!(PlainName::agent("a:b:c").unwrap().as_str(), "a-b-c");
}

const OLD: &str = "home/ada/.claude/agent-memory/planner";

fn planner() -> PlainName {
    PlainName::agent("planner").unwrap()
}

fn migrated(scene: &Scene) -> memdir_store::Result<bool> {
    migrate_agent_index(&places(scene), &planner(), AgentScope::User)
}

fn index(scene: &Scene) -> String {
    let directory = Directory::open(&scene.path(OLD)).unwrap().unwrap();
    let found = read_agent_index(&directory).unwrap().unwrap();
    String::from_utf8(found.bytes).unwrap()
}

#[test]
fn an_index_of_the_old_name_is_read_and_renamed() {
    let scene = Scene::new();
    scene.write(&format!("{OLD}/memory.md"), "- [A](a.md)\n");
    assert_eq!(index(&scene), "- [A](a.md)\n");
    assert!(migrated(&scene).unwrap());
    assert!(!migrated(&scene).unwrap());
    assert_eq!(names(&scene.path(OLD)), ["MEMORY.md"]);
    assert_eq!(index(&scene), "- [A](a.md)\n");
}

#[test]
fn an_index_of_the_old_name_waited_for_a_command_to_rename_it() {
    for scope in AgentScope::ALL {
        let scene = Scene::new();
        let places = places(&scene);
        let folder = places.agent_memory_dir(&planner(), scope);
        fs::create_dir_all(&folder).unwrap();
        let old = folder.join("memory.md");
        fs::write(&old, "- [A](a.md)\n").unwrap();
        let written = fs::metadata(&old).unwrap().modified().unwrap();
        places.ensure_agent_memory(&planner(), scope).unwrap();
        assert_eq!(names(&folder), ["MEMORY.md"], "{scope:?}");
        let renamed = folder.join("MEMORY.md");
        assert_eq!(fs::metadata(&renamed).unwrap().modified().unwrap(), written);
        // It can be taken back, and is not done again then.
        let store = Store::new(&folder, places.state_dir_of(&folder));
        let history = store.history().unwrap();
        let last = history.last_undoable().unwrap().id;
        let plan = store.plan_undo(&history, last).unwrap();
        store.restore(plan).unwrap();
        assert_eq!(names(&folder), ["memory.md"], "{scope:?}");
        places.ensure_agent_memory(&planner(), scope).unwrap();
        assert_eq!(names(&folder), ["memory.md"], "{scope:?}");
        assert_eq!(fs::read_to_string(&old).unwrap(), "- [A](a.md)\n");
    }
}

#[test]
fn an_index_that_is_there_is_never_replaced() {
    let scene = Scene::new();
    scene
        .write(&format!("{OLD}/memory.md"), "old")
        .write(&format!("{OLD}/MEMORY.md"), "new");
    assert!(!migrated(&scene).unwrap());
    places(&scene)
        .ensure_agent_memory(&planner(), AgentScope::User)
        .unwrap();
    assert_eq!(names(&scene.path(OLD)), ["MEMORY.md", "memory.md"]);
    assert_eq!(index(&scene), "new");
}

#[test]
fn a_link_is_not_given_the_name_of_the_index() {
    let scene = Scene::new();
    scene.write("outside.md", "elsewhere");
    fs::create_dir_all(scene.path(OLD)).unwrap();
    let link = scene.path(OLD).join("memory.md");
    symlink(scene.path("outside.md"), link).unwrap();
    assert!(migrated(&scene).is_err());
    assert_eq!(names(&scene.path(OLD)), ["memory.md"]);
}

#[test]
fn a_missing_memory_is_none() {
    let scene = Scene::new();
    assert_eq!(listed(&scene), "");
    let agent = PlainName::agent("nobody").unwrap();
    for scope in AgentScope::ALL {
        assert!(
            places(&scene)
                .open_agent_memory(&agent, scope)
                .unwrap()
                .is_none()
        );
    }
}

#[test]
fn transcripts_of_every_start_folder_of_the_project_and_of_no_other() {
    let scene = Scene::new();
    // A worktree elsewhere that points back, and one that does not.
    for path in ["HEAD", "objects/x", "refs/x", "worktrees/side/HEAD"] {
        scene.write(&format!("work/app/.git/{path}"), "ref: refs/heads/main\n");
    }
    scene
        .write("work/app/.git/worktrees/side/gitdir", "[T]/side/.git\n")
        .write("work/app/.git/worktrees/side/commondir", "../..\n")
        .write("side/.git", "gitdir: ../work/app/.git/worktrees/side\n")
        .write(
            "work/app/.git/worktrees/stolen/gitdir",
            "../../../../other/.git\n",
        );
    fs::create_dir_all(scene.path("work/other/.git")).unwrap();
    fs::create_dir_all(scene.path("work/app-server/.git")).unwrap();
    fs::create_dir_all(scene.path("work/app/vendored/.git")).unwrap();
    for start in [
        "work/app",
        "work/app/src",
        "side",
        "work/other",
        "work/app-server",
        "work/app/gone",
        "work/app/vendored",
    ] {
        let name = slug(&scene.path(start));
        let line =
            format!("{{\"type\":\"mode\"}}\n{{\"type\":\"user\",\"cwd\":\"[T]/{start}\"}}\n");
        scene.write(
            &format!("home/ada/.claude/projects/{name}/one.jsonl"),
            &line,
        );
    }
    // Only a memory, no conversation.
    let name = slug(&scene.path("work/app/docs"));
    scene.write(&format!("home/ada/.claude/projects/{name}/memory/a.md"), "");

    let found: Vec<String> = places(&scene)
        .transcript_folders()
        .iter()
        .map(|folder| folder.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    let prefix = slug(&scene.root);
    let short: Vec<&str> = found
        .iter()
        .map(|name| name.trim_start_matches(&prefix))
        .collect();
    insta::assert_debug_snapshot!(short, @r#"
    [
        "-work-app",
        "-side",
        "-work-app-gone",
        "-work-app-src",
    ]
    "#);
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}
