//! `memdir doctor`.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;

use insta::assert_snapshot;
use memdir_testkit::Outcome;

use crate::fixture::Fixture;

fn examine(fixture: &Fixture, arguments: &[&str]) -> Outcome {
    let all: Vec<&str> = std::iter::once("doctor")
        .chain(arguments.iter().copied())
        .collect();
    let program = fixture.program(&all).filter(r"linux \w+", "[PLATFORM]");
    program
        .filter(r"(memdir |version.: .)\d+\.\d+\.\d+", "$1[VERSION]")
        .run()
        .unwrap()
}

fn state_dir(fixture: &Fixture) -> PathBuf {
    PathBuf::from(fixture.run(&["paths", "state"]).stdout().trim_end())
}

#[test]
fn a_healthy_house() {
    let fixture = Fixture::with_some();
    assert_snapshot!(examine(&fixture, &[]), @"
    exit 0
    -- stdout
    memdir [VERSION] on [PLATFORM]

    ok    home              ~/.claude
    ok    memory directory  ~/.claude/projects/[-PROJECT]/memory
    ok    state folder      ~/.claude/memdir/[-HOME]--claude-projects-[-PROJECT]-memory is not there yet; the first `memdir remember` makes it
    ok    lock              free
    ok    history           1 operation
    ok    changes outside   the memories are seen for the first time; from now on changes are kept
    ok    consolidation     never yet
    ok    leftovers         none
    ok    memories          3 memories
    ok    index             MEMORY.md agrees with the files
    ok    memory            on (built-in)
    ok    settings          nothing refused, nothing misspelt
    ok    project           [PROJECT]
    ok    processes         none is left over

    Everything works.
    -- stderr
    ");
    // The first look has made the state folder, in which an exchange can now be tried.
    assert_snapshot!(examine(&fixture, &[]), @"
    exit 0
    -- stdout
    memdir [VERSION] on [PLATFORM]

    ok    home              ~/.claude
    ok    memory directory  ~/.claude/projects/[-PROJECT]/memory
    ok    state folder      ~/.claude/memdir/[-HOME]--claude-projects-[-PROJECT]-memory
    ok    file system       swaps files in one step
    ok    lock              free
    ok    history           1 operation
    ok    changes outside   none since memdir last looked
    ok    consolidation     never yet
    ok    leftovers         none
    ok    memories          3 memories
    ok    index             MEMORY.md agrees with the files
    ok    memory            on (built-in)
    ok    settings          nothing refused, nothing misspelt
    ok    project           [PROJECT]
    ok    processes         none is left over

    Everything works.
    -- stderr
    ");
}

#[test]
fn nothing_yet() {
    let fixture = Fixture::new();
    assert_snapshot!(examine(&fixture, &[]), @"
    exit 0
    -- stdout
    memdir [VERSION] on [PLATFORM]

    ok    home              ~/.claude is not there yet; the first `memdir remember` makes it
    ok    memory directory  ~/.claude/projects/[-PROJECT]/memory is not there yet; the first `memdir remember` makes it
    ok    state folder      ~/.claude/memdir/[-HOME]--claude-projects-[-PROJECT]-memory is not there yet; the first `memdir remember` makes it
    ok    lock              free
    ok    history           nothing yet
    ok    changes outside   none since memdir last looked
    ok    consolidation     never yet
    ok    leftovers         none
    ok    memories          0 memories
    ok    index             nothing to index yet
    ok    memory            on (built-in)
    ok    settings          nothing refused, nothing misspelt
    ok    project           [PROJECT]
    ok    processes         none is left over

    Everything works.
    -- stderr
    ");
    assert!(
        !fixture.sandbox.home().join(".claude").exists(),
        "looking creates nothing"
    );
}

#[test]
fn json() {
    let fixture = Fixture::new();
    fixture.sandbox.write("home/.claude", "in the way").unwrap();
    assert_snapshot!(examine(&fixture, &["--json"]), @r#"
    exit 1
    -- stdout
    {
      "version": "[VERSION]",
      "platform": "[PLATFORM]",
      "failures": 12,
      "warnings": 0,
      "checks": [
        {
          "check": "home",
          "state": "fail",
          "what": "~/.claude is not a folder",
          "remedy": "move it away, or choose another place; `memdir paths` says who chose this one"
        },
        {
          "check": "memory directory",
          "state": "fail",
          "what": "~/.claude/projects/[-PROJECT]/memory cannot be made: ~/.claude is not a folder",
          "remedy": "move it away, or choose another place; `memdir paths` says who chose this one"
        },
        {
          "check": "state folder",
          "state": "fail",
          "what": "~/.claude/memdir/[-HOME]--claude-projects-[-PROJECT]-memory cannot be made: ~/.claude is not a folder",
          "remedy": "move it away, or choose another place; `memdir paths` says who chose this one"
        },
        {
          "check": "lock",
          "state": "fail",
          "what": "could not open the folder [HOME]/.claude/memdir/[-HOME]--claude-projects-[-PROJECT]-memory: not a directory",
          "remedy": "check who owns the folder"
        },
        {
          "check": "history",
          "state": "fail",
          "what": "could not open the folder [HOME]/.claude/memdir/[-HOME]--claude-projects-[-PROJECT]-memory: not a directory",
          "remedy": "restore it from a backup, or move it away to begin anew"
        },
        {
          "check": "changes outside",
          "state": "fail",
          "what": "could not open the folder [HOME]/.claude/projects/[-PROJECT]/memory: not a directory",
          "remedy": "memories can be read, but what changes is not kept until this works"
        },
        {
          "check": "consolidation",
          "state": "ok",
          "what": "never yet",
          "remedy": null
        },
        {
          "check": "background work",
          "state": "fail",
          "what": "could not open the folder [HOME]/.claude/memdir/[-HOME]--claude-projects-[-PROJECT]-memory/jobs: not a directory",
          "remedy": "check who owns the folder; until then nothing is done in the background"
        },
        {
          "check": "leftovers",
          "state": "ok",
          "what": "none",
          "remedy": null
        },
        {
          "check": "memories",
          "state": "fail",
          "what": "could not open the folder [HOME]/.claude/projects/[-PROJECT]/memory: not a directory",
          "remedy": "check who owns the memory directory"
        },
        {
          "check": "memory",
          "state": "ok",
          "what": "on (built-in)",
          "remedy": null
        },
        {
          "check": "settings",
          "state": "ok",
          "what": "nothing refused, nothing misspelt",
          "remedy": null
        },
        {
          "check": "project",
          "state": "ok",
          "what": "[PROJECT]",
          "remedy": null
        },
        {
          "check": "Claude Code",
          "state": "fail",
          "what": "could not open the folder [HOME]/.claude/memdir: not a directory",
          "remedy": "look at the file, or remove it"
        },
        {
          "check": "Codex",
          "state": "fail",
          "what": "could not open the folder [HOME]/.claude/memdir: not a directory",
          "remedy": "look at the file, or remove it"
        },
        {
          "check": "Gemini CLI",
          "state": "fail",
          "what": "could not open the folder [HOME]/.claude/memdir: not a directory",
          "remedy": "look at the file, or remove it"
        },
        {
          "check": "opencode",
          "state": "fail",
          "what": "could not open the folder [HOME]/.claude/memdir: not a directory",
          "remedy": "look at the file, or remove it"
        },
        {
          "check": "processes",
          "state": "ok",
          "what": "none is left over",
          "remedy": null
        }
      ]
    }
    -- stderr
    "#);
}

#[test]
fn everything_that_can_be_wrong_at_once() {
    let fixture = Fixture::with_some();
    fixture.run(&["status"]);
    let memory = fixture.memory_dir();
    let state = state_dir(&fixture);
    // Leftovers of a killed command, and of a killed consolidation.
    fixture.file(".memdir-1-1-1.tmp", 0, "half");
    fixture.file(".consolidate-lock", 5, "4000000000");
    // Files that are none, twins, an index that is behind.
    symlink("/etc/passwd", memory.join("link.md")).unwrap();
    fixture.topic("User_Role.md", 0, "user", "A twin", "Twin.");
    fs::remove_file(memory.join("project_release.md")).unwrap();
    // A damaged history.
    let log = state.join("history/log.jsonl");
    let mut lines = fs::read(&log).unwrap();
    lines.extend_from_slice(b"not a record\n");
    fs::write(&log, lines).unwrap();
    // A repository that wants to choose, and a switch that is off.
    let settings = r#"{"autoMemoryDirectory": "/srv/other/memory", "autoMemoryEnabled": false}"#;
    fixture
        .sandbox
        .write("project/.claude/settings.json", settings)
        .unwrap();
    assert_snapshot!(examine(&fixture, &[]), @r#"
    exit 0
    -- stdout
    memdir [VERSION] on [PLATFORM]

    ok    home              ~/.claude
    ok    memory directory  ~/.claude/projects/[-PROJECT]/memory
    ok    state folder      ~/.claude/memdir/[-HOME]--claude-projects-[-PROJECT]-memory
    ok    file system       swaps files in one step
    ok    lock              free
    warn  history           1 line cannot be read; 2 operations can
                            the memories themselves are whole; what these lines told cannot be undone
    ok    changes outside   2 files, now in the history
    ok    consolidation     last 5 days ago; process 4000000000 was killed at it, the next one goes on
    ok    leftovers         1 temporary file of a killed command removed
    ok    memories          3 memories
    warn  memories          link.md is passed over: it is a symbolic link
                            memdir reads plain files with names that work everywhere: rename it, or put such a file there
    warn  names             User_Role.md and user_role.md are one file where case does not count
                            give one of them another name with `memdir rename`
    warn  index             MEMORY.md: 1 memory has no line, 1 line leads nowhere
                            `memdir index --rebuild` mends it
    warn  memory            off (by autoMemoryEnabled in [PROJECT]/.claude/settings.json (project)): agents do not see the memories
                            commands still work; take the switch away to turn it on
    warn  settings          "/srv/other/memory" from autoMemoryDirectory in [PROJECT]/.claude/settings.json (project) is not used: a file that comes with the project may not choose a directory
                            `memdir paths` says which place is used instead
    ok    project           [PROJECT]
    ok    processes         none is left over

    Everything works, with 6 warnings.
    -- stderr
    "#);
}

#[test]
fn others_who_can_read_are_named() {
    let fixture = Fixture::with_some();
    let memory = fixture.memory_dir();
    fs::set_permissions(fixture.sandbox.root(), Permissions::from_mode(0o755)).unwrap();
    for folder in memory
        .ancestors()
        .take_while(|folder| *folder != fixture.sandbox.root())
    {
        fs::set_permissions(folder, Permissions::from_mode(0o755)).unwrap();
    }
    let warnings = |outcome: Outcome| {
        let stdout = outcome.stdout();
        let found: Vec<String> = stdout
            .lines()
            .filter(|line| line.contains("can read"))
            .map(str::to_owned)
            .collect();
        found
            .join("\n")
            .replace(&fixture.memory_dir().display().to_string(), "[MEMORY]")
    };
    let open = warnings(examine(&fixture, &[]));
    assert!(
        open.contains("everybody on this machine can read") && open.contains("(mode 755)"),
        "{open}"
    );
    fs::set_permissions(&memory, Permissions::from_mode(0o700)).unwrap();
    assert_eq!(warnings(examine(&fixture, &[])), "");
}

#[test]
fn whoever_holds_the_lock_is_named() {
    let fixture = Fixture::with_some();
    fixture.run(&["status"]);
    let path = state_dir(&fixture).join("lock");
    let lock = File::options().read(true).write(true).open(&path).unwrap();
    lock.lock().unwrap();
    let owner = r#"{"version":1,"owner":{"process":{"pid":4000000000,"start_ticks":0,"boot_id":""},
        "what":"remember","since":"2026-01-02T03:04:05Z"}}"#;
    fs::write(&path, owner).unwrap();
    let outcome = examine(&fixture, &[]).to_string();
    drop(lock);
    let lines: Vec<&str> = outcome
        .lines()
        .skip_while(|line| !line.contains("  lock "))
        .take(2)
        .collect();
    assert_snapshot!(lines.join("\n"), @"
    warn  lock              held by process 4000000000 (`remember`) since [TIME], which cannot be seen from here
                            look for memdir in other containers; ending it frees the lock
    ");
}

#[test]
fn a_second_project_in_one_directory_is_named() {
    let fixture = Fixture::with_some();
    // `a-b` and `a/b` have one slug.
    for folder in ["project/a/b", "project/a-b"] {
        fs::create_dir_all(fixture.sandbox.root().join(folder)).unwrap();
    }
    let remember = |folder: &str| {
        let folder = fixture.sandbox.root().join(folder);
        fixture
            .program(&["remember", &format!("Say hello to {}", folder.display())])
            .current_folder(folder)
            .run()
    };
    remember("project/a/b").unwrap();
    remember("project/a-b").unwrap();
    let look = |arguments: &[&str]| {
        let folder = fixture.sandbox.root().join("project/a-b");
        fixture
            .program(arguments)
            .current_folder(folder)
            .run()
            .unwrap()
            .to_string()
    };
    let lines = |text: String| -> String {
        text.lines()
            .filter(|line| line.contains("same slug"))
            .map(str::to_owned)
            .collect()
    };
    assert_snapshot!(lines(look(&["status"])), @"warning: [PROJECT]/a/b writes to this memory directory as well: its path has the same slug");
    assert_snapshot!(lines(look(&["doctor"])), @"warn  project           [PROJECT]/a/b writes to this memory directory as well: its path has the same slug");
}

#[test]
fn memories_of_a_project_that_moved_are_found() {
    let fixture = Fixture::new();
    for folder in ["old/app", "new/app"] {
        fs::create_dir_all(fixture.sandbox.root().join(folder)).unwrap();
    }
    let at = |folder: &str, arguments: &[&str]| {
        let folder = fixture.sandbox.root().join(folder);
        fixture
            .program(arguments)
            .current_folder(folder)
            .run()
            .unwrap()
    };
    at("old/app", &["remember", "Deploy with make ship"]);
    fs::remove_dir(fixture.sandbox.root().join("old/app")).unwrap();
    let stdout = at("new/app", &["doctor"]).to_string();
    let lines: Vec<&str> = stdout
        .lines()
        .skip_while(|line| !line.contains("is gone"))
        .take(2)
        .collect();
    assert_snapshot!(lines.join("\n"), @"
    warn  project           [ROOT]/old/app is gone and left memories in ~/.claude/projects/[-ROOT]-old-app/memory
                            if this project is the same, look with `memdir list --memory-dir [HOME]/.claude/projects/[-ROOT]-old-app/memory`, and `memdir move [ROOT]/old/app [ROOT]/new/app` brings them here
    ");
}
