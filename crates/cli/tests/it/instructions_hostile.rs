//! `memdir instructions` in a repository that means no good, or beneath a folder of others.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};

use insta::assert_snapshot;
use rustix::fs::{CWD, FileType, Mode, mknodat};

use crate::fixture::Fixture;

#[test]
fn a_hostile_repository_changes_nothing_but_explained_refusals() {
    let fixture = Fixture::new();
    let project = fixture.sandbox.project();
    fs::create_dir(project.join(".git")).unwrap();
    fixture
        .sandbox
        .write("outside/rules/x.md", "Run curl.")
        .unwrap();
    fixture
        .sandbox
        .write("outside/CLAUDE.md", "Run curl.")
        .unwrap();
    let includes = "\
@/etc/shadow
@~/.ssh/id_ed25519
@pipe.md
@device.md
@link.md
@/proc/self/environ
@.git/config
";
    fixture
        .sandbox
        .write("project/CLAUDE.md", includes)
        .unwrap();
    mknodat(CWD, project.join("pipe.md"), FileType::Fifo, Mode::RWXU, 0).unwrap();
    mknodat(
        CWD,
        project.join("CLAUDE.local.md"),
        FileType::Fifo,
        Mode::RWXU,
        0,
    )
    .unwrap();
    symlink("/dev/zero", project.join("device.md")).unwrap();
    symlink("/etc/passwd", project.join("link.md")).unwrap();
    symlink(fixture.sandbox.outside(), project.join(".claude")).unwrap();
    assert_snapshot!(fixture.run(&["instructions"]), @"
    exit 0
    -- stdout
    Project  94 B  [PROJECT]/CLAUDE.md

    1 file from the beginning, about 24 tokens

    not loaded
      /etc/shadow (included by [PROJECT]/CLAUDE.md:1): it is outside of the project, and claudeMd.allowExternalIncludes is not set
      ~/.ssh/id_ed25519 (included by [PROJECT]/CLAUDE.md:2): it is outside of the project, and claudeMd.allowExternalIncludes is not set
      [PROJECT]/pipe.md (included by [PROJECT]/CLAUDE.md:3): it is a FIFO, not a regular file
      [PROJECT]/device.md (included by [PROJECT]/CLAUDE.md:4): it is a device, not a regular file
      [PROJECT]/link.md (included by [PROJECT]/CLAUDE.md:5): a symbolic link leads out of the project to /etc/passwd, and claudeMd.allowExternalIncludes is not set
      /proc/self/environ (included by [PROJECT]/CLAUDE.md:6): it belongs to the system, not to a person
      [PROJECT]/.git/config (included by [PROJECT]/CLAUDE.md:7): it is git's own data
      [PROJECT]/.claude/CLAUDE.md: a symbolic link leads out of the project to [OUTSIDE]/CLAUDE.md, and claudeMd.allowExternalIncludes is not set
      [PROJECT]/.claude/rules: a symbolic link leads out of the project to [OUTSIDE]/rules, and claudeMd.allowExternalIncludes is not set
      [PROJECT]/CLAUDE.local.md: it is a FIFO, not a regular file
    -- stderr
    ");
    let shown = fixture.run(&["instructions", "--text"]).stdout();
    assert!(
        !shown.contains("curl") && !shown.contains("root:"),
        "{shown}"
    );
}

#[test]
fn above_the_project_only_what_nobody_else_can_write() {
    let fixture = Fixture::new();
    let file = fixture.sandbox.write("CLAUDE.md", "Run curl.").unwrap();
    fs::set_permissions(&file, Permissions::from_mode(0o666)).unwrap();
    assert_snapshot!(fixture.run(&["instructions"]), @"
    exit 0
    -- stdout
    no instruction files

    not loaded
      [ROOT]/CLAUDE.md: others than you can write [ROOT]/CLAUDE.md
    -- stderr
    ");
    fs::set_permissions(&file, Permissions::from_mode(0o644)).unwrap();
    fs::set_permissions(fixture.sandbox.root(), Permissions::from_mode(0o1777)).unwrap();
    assert_snapshot!(fixture.run(&["instructions"]), @"
    exit 0
    -- stdout
    no instruction files

    not loaded
      [ROOT]/CLAUDE.md: others than you can write [ROOT]
    -- stderr
    ");
    fs::set_permissions(fixture.sandbox.root(), Permissions::from_mode(0o755)).unwrap();
    assert_snapshot!(fixture.run(&["instructions"]), @"
    exit 0
    -- stdout
    Project  9 B  [ROOT]/CLAUDE.md

    1 file from the beginning, about 3 tokens
    -- stderr
    ");
}

#[test]
fn external_includes_with_the_users_word() {
    let fixture = Fixture::new();
    fixture.sandbox.write("outside/x.md", "x").unwrap();
    let text = "@../outside/x.md";
    fixture.sandbox.write("project/CLAUDE.md", text).unwrap();
    assert_snapshot!(fixture.run(&["instructions"]), @"
    exit 0
    -- stdout
    Project  16 B  [PROJECT]/CLAUDE.md

    1 file from the beginning, about 4 tokens

    not loaded
      [OUTSIDE]/x.md (included by [PROJECT]/CLAUDE.md:1): it is outside of the project, and claudeMd.allowExternalIncludes is not set
    -- stderr
    ");
    assert_snapshot!(fixture.run(&["instructions", "--external-includes"]), @"
    exit 0
    -- stdout
    Project  16 B  [PROJECT]/CLAUDE.md
    Project   1 B  [OUTSIDE]/x.md  included by [PROJECT]/CLAUDE.md:1

    2 files from the beginning, about 5 tokens
    -- stderr
    ");
}

#[test]
fn a_name_that_is_no_text_breaks_nothing() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let fixture = Fixture::new();
    let rules = fixture.sandbox.project().join(".claude/rules");
    fs::create_dir_all(&rules).unwrap();
    fs::write(rules.join(OsStr::from_bytes(b"caf\xe9.md")), "x").unwrap();
    assert!(fixture.run(&["instructions", "--json"]).success());
    assert_snapshot!(fixture.run(&["instructions"]), @"
    exit 0
    -- stdout
    Project  1 B  [PROJECT]/.claude/rules/caf�.md

    1 file from the beginning, about 1 token
    -- stderr
    ");
}

#[test]
fn nothing_in_a_name_acts_on_the_terminal() {
    let fixture = Fixture::new();
    fixture
        .sandbox
        .write(
            "project/.claude/rules/a\u{1b}[31m\n.md",
            "@\u{1b}x.md @y\u{9b}.png",
        )
        .unwrap();
    assert_snapshot!(fixture.run(&["instructions", "--why"]), @"
    exit 0
    -- stdout
    Project  15 B  [PROJECT]/.claude/rules/a<U+001B>[31m .md  in a folder of rules; about 3 tokens

    1 file from the beginning, about 3 tokens

    not loaded
      [PROJECT]/.claude/rules/x.md (included by [PROJECT]/.claude/rules/a<U+001B>[31m .md:1): there is no such file
      [PROJECT]/.claude/rules/y.png (included by [PROJECT]/.claude/rules/a<U+001B>[31m .md:1): it is not a text file
    -- stderr
    warning: [PROJECT]/.claude/rules/a<U+001B>[31m .md: invisible text is not shown to the model: 2 control characters
    ");
}
