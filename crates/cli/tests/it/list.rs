//! `memdir list`.

use std::fs::{self, File, FileTimes};
use std::os::unix::fs::symlink;
use std::time::SystemTime;

use insta::assert_snapshot;

use crate::fixture::Fixture;

#[test]
fn the_newest_comes_first() {
    let fixture = Fixture::with_some();
    fixture.topic(
        "team/reference_board.md",
        45,
        "reference",
        "发布看板在 Linear 里",
        "https://linear.app/board",
    );
    fixture.file("notes.md", 400, "Only text.\n");
    assert_snapshot!(fixture.run(&["list"]), @"
    exit 0
    -- stdout
    project_release.md             project    today         2.0 is out on 2026-12-01
    feedback_no_push_on_friday.md  feedback   yesterday     Never push to main on a Friday
    user_role.md                   user       3 days ago    Writes Rust, reads Go
    team/reference_board.md        reference  45 days ago   发布看板在 Linear 里
    notes.md                       -          400 days ago  (no description)
    -- stderr
    ");
}

#[test]
fn json_has_everything_that_the_scan_knows() {
    let fixture = Fixture::new();
    let metadata = ["source: tool", "expires: 2020-02-29"];
    fixture.topic_with(
        "project_freeze.md",
        30,
        "project",
        "Freeze until the audit",
        &metadata,
        "Wait.",
    );
    fixture.file("notes.md", 400, "Only text.\n");
    assert_snapshot!(fixture.run(&["list", "--json"]), @r#"
    exit 0
    -- stdout
    [
      {
        "path": "project_freeze.md",
        "name": "project-freeze",
        "description": "Freeze until the audit",
        "type": "project",
        "source": "tool",
        "modified": "[TIME]",
        "age_days": 30,
        "bytes": 135,
        "expires": "2020-02-29",
        "expired": true
      },
      {
        "path": "notes.md",
        "name": null,
        "description": null,
        "type": null,
        "source": null,
        "modified": "[TIME]",
        "age_days": 400,
        "bytes": 11,
        "expires": null,
        "expired": false
      }
    ]
    -- stderr
    "#);
}

#[test]
fn a_newcomer_is_told_how_to_begin() {
    let fixture = Fixture::new();
    assert_snapshot!(fixture.run(&["list"]), @r#"
    exit 0
    -- stdout
    No memories here yet. Begin with:
      memdir remember "Never push to main on a Friday"
    -- stderr
    "#);
    assert_snapshot!(fixture.run(&["list", "--everywhere"]), @r#"
    exit 0
    -- stdout
    No memories for all your projects yet. Begin with:
      memdir remember "Never push to main on a Friday" --everywhere
    -- stderr
    "#);
    assert_snapshot!(fixture.run(&["list", "--json"]), @"
    exit 0
    -- stdout
    []
    -- stderr
    ");
    assert!(
        !fixture.sandbox.home().join(".claude").exists(),
        "looking creates nothing"
    );
}

#[test]
fn filters_and_order() {
    let fixture = Fixture::with_some();
    assert_snapshot!(fixture.run(&["list", "--type", "user"]), @"
    exit 0
    -- stdout
    user_role.md  user  3 days ago  Writes Rust, reads Go
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["list", "MAIN", "friday"]), @"
    exit 0
    -- stdout
    feedback_no_push_on_friday.md  feedback  yesterday  Never push to main on a Friday
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["list", "no such words"]), @"
    exit 0
    -- stdout
    No memory is like that. `memdir list` shows all of them.
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["list", "--sort", "path"]), @"
    exit 0
    -- stdout
    feedback_no_push_on_friday.md  feedback  yesterday   Never push to main on a Friday
    project_release.md             project   today       2.0 is out on 2026-12-01
    user_role.md                   user      3 days ago  Writes Rust, reads Go
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["list", "--type", "opinion"]), @"
    exit 2
    -- stdout
    -- stderr
    error: invalid value 'opinion' for '--type <TYPE>'
      [possible values: user, feedback, project, reference]

    For more information, try '--help'.
    ");
}

#[test]
fn what_has_expired_is_marked() {
    let fixture = Fixture::new();
    let description = "The build is frozen";
    fixture.topic_with(
        "past.md",
        9,
        "project",
        description,
        &["expires: 2020-02-29"],
        "Frozen.",
    );
    fixture.topic_with(
        "future.md",
        9,
        "project",
        description,
        &["expires: 2999-12-31"],
        "Frozen.",
    );
    assert_snapshot!(fixture.run(&["list"]), @"
    exit 0
    -- stdout
    future.md  project  9 days ago  The build is frozen
    past.md    project  9 days ago  [expired 2020-02-29] The build is frozen
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["list", "--expired"]), @"
    exit 0
    -- stdout
    past.md  project  9 days ago  [expired 2020-02-29] The build is frozen
    -- stderr
    ");
}

#[test]
fn unused_are_memories_that_nobody_has_read() {
    let fixture = Fixture::new();
    fixture.topic("young.md", 0, "user", "New, and never read", "Young.");
    fixture.topic("unread.md", 20, "user", "Old, and never read", "Unread.");
    fixture.topic("read.md", 20, "user", "Old, but read today", "Read.");
    let read = File::options()
        .write(true)
        .open(fixture.memory_dir().join("read.md"))
        .unwrap();
    read.set_times(FileTimes::new().set_accessed(SystemTime::now()))
        .unwrap();
    // Looking does not count as reading.
    fixture.run(&["list"]);
    assert_snapshot!(fixture.run(&["list", "--unused"]), @"
    exit 0
    -- stdout
    young.md   user  today        New, and never read
    unread.md  user  20 days ago  Old, and never read
    -- stderr
    ");
}

#[test]
fn six_saves_are_unused_until_a_conversation_is_given_one() {
    let fixture = Fixture::new();
    for animal in ["bees", "cats", "dogs", "eels", "foxes", "goats"] {
        fixture.run(&[
            "remember",
            &format!("The {animal} live in the garden of {animal}"),
        ]);
    }
    let unused = || {
        let listed = fixture.run(&["list", "--unused"]).stdout();
        listed
            .lines()
            .filter(|line| line.contains("live in the garden"))
            .count()
    };
    assert_eq!(unused(), 6);
    fixture.run(&[
        "recall",
        "--conversation",
        "c1",
        "--limit",
        "1",
        "where do the eels live",
    ]);
    assert_eq!(unused(), 5);
}

#[test]
fn what_cannot_be_read_is_passed_over_and_reported() {
    let fixture = Fixture::with_some();
    let memory = fixture.memory_dir();
    fs::create_dir(memory.join("folder.md")).unwrap();
    symlink(fixture.sandbox.outside(), memory.join("link.md")).unwrap();
    fixture.file("c:drive.md", 0, "x");
    assert_snapshot!(fixture.run(&["list"]), @"
    exit 0
    -- stdout
    project_release.md             project   today       2.0 is out on 2026-12-01
    feedback_no_push_on_friday.md  feedback  yesterday   Never push to main on a Friday
    user_role.md                   user      3 days ago  Writes Rust, reads Go
    -- stderr
    warning: c:drive.md was passed over: the path has a colon: it would name a drive or a stream on other systems
    warning: link.md was passed over: it is a symbolic link
    ");
}

#[test]
fn nothing_in_a_memory_acts_on_the_terminal() {
    let fixture = Fixture::new();
    fixture.topic(
        "sly.md",
        0,
        "user",
        "gnp\u{202E}.exe \u{E0041}\u{200B}",
        "Sly.",
    );
    assert_snapshot!(fixture.run(&["list"]), @"
    exit 0
    -- stdout
    sly.md  user  today  gnp<U+202E>.exe <U+E0041><U+200B>
    -- stderr
    ");
}

#[test]
fn another_project_and_another_directory() {
    let fixture = Fixture::with_some();
    let project = fixture.sandbox.project().display().to_string();
    let memory = fixture.memory_dir().display().to_string();
    let outside = |arguments: &[&str]| {
        fixture
            .program(arguments)
            .current_folder(fixture.sandbox.outside())
            .run()
            .unwrap()
    };
    let here = fixture.run(&["list"]).stdout();
    assert_eq!(outside(&["list", "--project", &project]).stdout(), here);
    assert_eq!(outside(&["--memory-dir", &memory, "list"]).stdout(), here);
    assert_snapshot!(outside(&["list", "--project", "/no/such/folder"]), @"
    exit 1
    -- stdout
    -- stderr
    error: cannot start in /no/such/folder: there is no such folder
    ");
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let fixture = Fixture::new();
    // More than a pipe holds.
    for number in 0..600 {
        fixture.topic(
            &format!("note_{number}.md"),
            0,
            "user",
            &"long ".repeat(60),
            "Long.",
        );
    }
    let program = env!("CARGO_BIN_EXE_memdir");
    let script = format!("{program} list | head -n 1 >/dev/null; echo \"${{PIPESTATUS[0]}}\"");
    let outcome = fixture
        .sandbox
        .program("bash")
        .args(["-c", &script])
        .run()
        .unwrap();
    assert_snapshot!(outcome, @"
    exit 0
    -- stdout
    0
    -- stderr
    ");
}
