//! Where Claude Code 2.1.325 was seen to keep things: one test for each fact, named after it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use memdir_memory::AgentScope;
use memdir_store::{Environment, Places, PlainName, slug};

/// A home and a folder for projects.
struct World {
    _temporary: tempfile::TempDir,
    root: PathBuf,
}

impl World {
    fn new() -> World {
        let temporary = memdir_testkit::temporary_folder().unwrap();
        let root = temporary.path().canonicalize().unwrap();
        World {
            _temporary: temporary,
            root,
        }
    }

    fn folder(&self, path: &str) -> PathBuf {
        let folder = self.root.join(path);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn git(&self, folder: &str, arguments: &[&str]) {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=Ada", "-c", "user.email=ada@example.org"])
            .args(arguments)
            .current_dir(self.folder(folder))
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_SYSTEM", "/dev/null");
        assert!(git.output().unwrap().status.success(), "{arguments:?}");
    }

    fn environment(&self, start: &str) -> Environment {
        let home = self.root.join("home").display().to_string();
        Environment::new(self.folder(start), [("HOME", home)])
            .with_managed_settings(self.root.join("managed.json"))
    }

    fn places(&self, start: &str) -> Places {
        Places::find(&self.environment(start)).unwrap()
    }

    fn projects(&self) -> PathBuf {
        self.root.join("home/.claude/projects")
    }
}

#[test]
fn the_slug_is_the_path_with_every_character_outside_a_z_and_0_9_a_hyphen() {
    for (path, expected) in [
        ("/home/ada/my_app", "-home-ada-my-app"),
        ("/home/ada/my.app", "-home-ada-my-app"),
        ("/home/ada/my app", "-home-ada-my-app"),
        ("/home/ada/café", "-home-ada-caf-"),
        ("/home/Ada/App2", "-home-Ada-App2"),
    ] {
        assert_eq!(slug(Path::new(path)), expected);
    }
}

#[test]
fn a_slug_over_200_characters_is_its_first_200_a_hyphen_and_a_hash_of_six_in_base_36() {
    let long = format!("/tmp/{}", ["d".repeat(60).as_str(); 5].join("/"));
    let slug = slug(Path::new(&long));
    let (kept, hash) = slug.rsplit_once('-').unwrap();
    assert_eq!(kept.len(), 200);
    assert_eq!(kept, &long.replace('/', "-")[..200]);
    assert_eq!(hash, "wqr9t3");
}

#[test]
fn the_memory_directory_is_projects_slug_memory_under_home() {
    let world = World::new();
    world.git("app", &["init", "-q"]);
    let expected = world.projects().join(slug(&world.root.join("app")));
    assert_eq!(world.places("app").memory_dir.path, expected.join("memory"));
}

#[test]
fn sub_directories_map_to_the_slug_of_the_git_root_and_transcripts_stay_under_that_of_the_folder() {
    let world = World::new();
    world.git("app", &["init", "-q"]);
    let (root, sub) = (world.places("app"), world.places("app/src/deep"));
    assert_eq!(root.memory_dir.path, sub.memory_dir.path);
    let own = slug(&world.root.join("app/src/deep"));
    assert_eq!(sub.sessions_dir(), world.projects().join(own));
}

#[test]
fn git_worktrees_map_to_the_slug_of_the_main_repository() {
    let world = World::new();
    world.git("app", &["init", "-q"]);
    world.git("app", &["commit", "-q", "--allow-empty", "-m", "first"]);
    world.git("app", &["worktree", "add", "-q", "../feature"]);
    let (main, feature) = (world.places("app"), world.places("feature"));
    assert_eq!(main.memory_dir.path, feature.memory_dir.path);
    assert_ne!(main.sessions_dir(), feature.sessions_dir());
}

#[test]
fn agent_memory_is_in_three_folders_by_scope() {
    let world = World::new();
    let places = world.places("app");
    let agent = PlainName::agent("plugin:review").unwrap();
    let folder = |scope| {
        let path = places.agent_memory_dir(&agent, scope);
        path.strip_prefix(&world.root)
            .unwrap()
            .display()
            .to_string()
    };
    assert_eq!(
        AgentScope::ALL.map(folder),
        [
            "home/.claude/agent-memory/plugin-review",
            "app/.claude/agent-memory/plugin-review",
            "app/.claude/agent-memory-local/plugin-review",
        ]
    );
}

#[test]
fn agent_memory_folders_are_made_at_the_start() {
    let world = World::new();
    let places = world.places("app");
    let agent = PlainName::agent("review").unwrap();
    for scope in AgentScope::ALL {
        places.ensure_agent_memory(&agent, scope).unwrap();
        assert!(places.agent_memory_dir(&agent, scope).is_dir());
    }
}

#[test]
fn the_override_variable_names_the_memory_directory() {
    let world = World::new();
    let elsewhere = world.folder("elsewhere").display().to_string();
    let environment = Environment::new(
        world.folder("app"),
        [
            ("HOME", world.root.join("home").display().to_string()),
            ("CLAUDE_COWORK_MEMORY_PATH_OVERRIDE", elsewhere.clone()),
        ],
    );
    let places = Places::find(&environment).unwrap();
    assert_eq!(places.memory_dir.path, Path::new(&elsewhere));
}
