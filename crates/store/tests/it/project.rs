//! Which project a folder belongs to, with the real git, and against repositories that lie.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use memdir_store::project::{Project, ProjectKind, Unfollowed};

pub(crate) struct Disk {
    _temporary: tempfile::TempDir,
    root: PathBuf,
}

impl Disk {
    pub(crate) fn new() -> Self {
        let temporary = memdir_testkit::temporary_folder().unwrap();
        let root = temporary.path().canonicalize().unwrap();
        Self {
            _temporary: temporary,
            root,
        }
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    pub(crate) fn folder(&self, path: &str) -> PathBuf {
        fs::create_dir_all(self.path(path)).unwrap();
        self.path(path)
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        self.folder(Path::new(path).parent().unwrap().to_str().unwrap());
        fs::write(self.path(path), text).unwrap();
    }

    pub(crate) fn git(&self, folder: &str, arguments: &[&str]) {
        let output = Command::new("git")
            .args([
                "-c",
                "protocol.file.allow=always",
                "-c",
                "init.defaultBranch=main",
            ])
            .args(["-c", "user.name=Ada", "-c", "user.email=ada@example.org"])
            .args(arguments)
            .current_dir(self.folder(folder))
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_SYSTEM", "/dev/null")
            .env_remove("GIT_DIR")
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }

    /// A repository with one commit.
    fn repository(&self, folder: &str) {
        self.git(folder, &["init", "-q"]);
        self.git(folder, &["commit", "-q", "--allow-empty", "-m", "first"]);
    }

    /// Where the project of a folder is rooted, relative to the disk, and how it was recognised.
    fn project(&self, folder: &str) -> (String, ProjectKind) {
        let project = Project::find(&self.path(folder).canonicalize().unwrap());
        let root = project.root.strip_prefix(&self.root).unwrap();
        (root.to_str().unwrap().to_owned(), project.kind)
    }
}

const fn own(unfollowed: Unfollowed) -> ProjectKind {
    ProjectKind::Own(unfollowed)
}

#[test]
fn a_checkout_is_rooted_where_its_git_folder_is() {
    let disk = Disk::new();
    disk.repository("main");
    disk.folder("main/src/deep");
    assert_eq!(
        disk.project("main/src/deep"),
        ("main".into(), ProjectKind::Checkout)
    );
    assert_eq!(disk.project("main"), ("main".into(), ProjectKind::Checkout));
}

#[test]
fn outside_of_git_the_folder_is_the_project() {
    let disk = Disk::new();
    disk.folder("plain/sub");
    assert_eq!(
        disk.project("plain/sub"),
        ("plain/sub".into(), ProjectKind::Folder)
    );
}

#[test]
fn worktrees_share_the_root_of_the_main_checkout() {
    let disk = Disk::new();
    disk.repository("main");
    disk.git("main", &["worktree", "add", "-q", "../feature"]);
    disk.git("main", &["worktree", "add", "-q", "inside"]);
    disk.folder("feature/src");
    for folder in ["feature", "feature/src", "main/inside"] {
        assert_eq!(
            disk.project(folder),
            ("main".into(), ProjectKind::Worktree),
            "{folder}"
        );
    }
    let project = Project::find(&disk.path("feature/src"));
    assert_eq!(project.checkout, disk.path("feature"));
}

#[test]
fn a_worktree_with_relative_pointers_shares_the_root_as_well() {
    let disk = Disk::new();
    disk.repository("main");
    disk.git("main", &["worktree", "add", "-q", "../feature"]);
    disk.write("feature/.git", "gitdir: ../main/.git/worktrees/feature\n");
    disk.write(
        "main/.git/worktrees/feature/gitdir",
        "../../../../feature/.git\n",
    );
    disk.git("feature", &["status"]);
    assert_eq!(
        disk.project("feature"),
        ("main".into(), ProjectKind::Worktree)
    );
}

#[test]
fn worktrees_of_a_bare_repository_share_its_path() {
    let disk = Disk::new();
    disk.repository("origin");
    disk.git("", &["clone", "-q", "--bare", "origin", "shared.git"]);
    disk.git("shared.git", &["worktree", "add", "-q", "../one"]);
    disk.git("shared.git", &["worktree", "add", "-q", "../two"]);
    assert_eq!(
        disk.project("one"),
        ("shared.git".into(), ProjectKind::Worktree)
    );
    assert_eq!(
        disk.project("two"),
        ("shared.git".into(), ProjectKind::Worktree)
    );
    assert_eq!(
        disk.project("shared.git"),
        ("shared.git".into(), ProjectKind::Folder)
    );
}

#[test]
fn a_submodule_is_its_own_project() {
    let disk = Disk::new();
    disk.repository("library");
    disk.repository("main");
    disk.git(
        "main",
        &[
            "submodule",
            "--quiet",
            "add",
            "../library",
            "vendor/library",
        ],
    );
    let expected = ("main/vendor/library".into(), own(Unfollowed::Submodule));
    assert_eq!(disk.project("main/vendor/library"), expected);
}

#[test]
fn a_repository_kept_elsewhere_is_its_own_project() {
    let disk = Disk::new();
    let data = disk.path("data.git");
    disk.git(
        "work",
        &["init", "-q", "--separate-git-dir", data.to_str().unwrap()],
    );
    assert_eq!(
        disk.project("work"),
        ("work".into(), own(Unfollowed::Elsewhere))
    );
}

#[test]
fn a_worktree_that_was_moved_by_hand_is_its_own_project_until_git_repairs_it() {
    let disk = Disk::new();
    disk.repository("main");
    disk.git("main", &["worktree", "add", "-q", "../feature"]);
    fs::rename(disk.path("feature"), disk.path("moved")).unwrap();
    assert_eq!(
        disk.project("moved"),
        ("moved".into(), own(Unfollowed::NotPointingBack))
    );
    disk.git("moved", &["worktree", "repair"]);
    assert_eq!(
        disk.project("moved"),
        ("main".into(), ProjectKind::Worktree)
    );
}

#[test]
fn a_git_file_cannot_borrow_the_worktree_of_another_repository() {
    let disk = Disk::new();
    disk.repository("victim");
    disk.git("victim", &["worktree", "add", "-q", "../feature"]);
    let pointer = fs::read_to_string(disk.path("feature/.git")).unwrap();
    disk.write("evil/.git", &pointer);
    assert_eq!(
        disk.project("evil"),
        ("evil".into(), own(Unfollowed::NotPointingBack))
    );
}

#[test]
fn a_git_file_cannot_borrow_the_git_folder_of_another_repository() {
    let disk = Disk::new();
    disk.repository("victim");
    for (pointer, expected) in [
        ("gitdir: ../victim/.git\n", Unfollowed::Elsewhere),
        (
            "gitdir: ../victim/.git/worktrees/none\n",
            Unfollowed::Dangling,
        ),
        ("gitdir: ../victim\n", Unfollowed::Elsewhere),
        ("gitdir: /\n", Unfollowed::Elsewhere),
        ("gitdir:\n", Unfollowed::Unreadable),
        ("gitdir: a\0b\n", Unfollowed::Dangling),
        ("", Unfollowed::Unreadable),
        ("ref: refs/heads/main\n", Unfollowed::Unreadable),
    ] {
        disk.write("evil/.git", pointer);
        assert_eq!(
            disk.project("evil"),
            ("evil".into(), own(expected)),
            "{pointer:?}"
        );
    }
}

#[test]
fn a_crafted_commondir_borrows_nothing() {
    let disk = Disk::new();
    disk.repository("victim");
    // All in the hands of the attacker: a worktree's folder whose common folder is the victim's.
    let back = format!("{}\n", disk.path("evil/.git").display());
    let common = format!("{}\n", disk.path("victim/.git").display());
    disk.write("evil/.git", "gitdir: data/worktrees/x\n");
    disk.write("evil/data/worktrees/x/gitdir", &back);
    disk.write("evil/data/worktrees/x/commondir", &common);
    assert_eq!(
        disk.project("evil"),
        ("evil".into(), own(Unfollowed::NotPointingBack))
    );
    // In a folder of its own it is not even looked at.
    disk.repository("other");
    disk.write("other/.git/commondir", &common);
    assert_eq!(
        disk.project("other"),
        ("other".into(), ProjectKind::Checkout)
    );
}

#[test]
fn links_on_the_way_borrow_nothing() {
    let disk = Disk::new();
    disk.repository("victim");
    disk.git("victim", &["worktree", "add", "-q", "../feature"]);
    // The common folder is a link to the victim's.
    disk.folder("evil");
    symlink(disk.path("victim/.git"), disk.path("evil/data")).unwrap();
    disk.write("evil/.git", "gitdir: data/worktrees/feature\n");
    assert_eq!(
        disk.project("evil"),
        ("evil".into(), own(Unfollowed::NotPointingBack))
    );
    // The worktree's folder is the attacker's, linked into a common folder that is the victim's.
    disk.write(
        "second/private/gitdir",
        &format!("{}\n", disk.path("second/.git").display()),
    );
    disk.write("second/private/commondir", "../../victim/.git\n");
    disk.folder("second/data/worktrees");
    symlink(
        disk.path("second/private"),
        disk.path("second/data/worktrees/x"),
    )
    .unwrap();
    disk.write("second/.git", "gitdir: data/worktrees/x\n");
    assert_eq!(
        disk.project("second"),
        ("second".into(), own(Unfollowed::Elsewhere))
    );
}

#[test]
fn a_complete_forgery_reaches_no_further_than_its_own_folder() {
    let disk = Disk::new();
    let back = format!("{}\n", disk.path("evil/.git").display());
    disk.write("evil/.git", "gitdir: data/worktrees/x\n");
    disk.write("evil/data/worktrees/x/gitdir", &back);
    disk.write("evil/data/worktrees/x/commondir", "../..\n");
    assert_eq!(
        disk.project("evil"),
        ("evil".into(), own(Unfollowed::NotRepository))
    );
    disk.write("evil/data/HEAD", "ref: refs/heads/main\n");
    disk.folder("evil/data/objects");
    disk.folder("evil/data/refs");
    assert_eq!(
        disk.project("evil"),
        ("evil/data".into(), ProjectKind::Worktree)
    );
}

#[test]
fn a_git_link_to_another_repository_is_not_followed() {
    let disk = Disk::new();
    disk.repository("victim");
    disk.git("victim", &["worktree", "add", "-q", "../feature"]);
    disk.folder("evil");
    symlink(disk.path("victim/.git"), disk.path("evil/.git")).unwrap();
    assert_eq!(disk.project("evil"), ("evil".into(), own(Unfollowed::Link)));
    disk.folder("second");
    symlink(disk.path("feature/.git"), disk.path("second/.git")).unwrap();
    assert_eq!(
        disk.project("second"),
        ("second".into(), own(Unfollowed::Link))
    );
    // One that leads nowhere is as good as none.
    disk.folder("third");
    symlink("nowhere", disk.path("third/.git")).unwrap();
    assert_eq!(disk.project("third"), ("third".into(), ProjectKind::Folder));
}

#[test]
fn a_git_file_that_cannot_be_read_makes_its_own_project() {
    let disk = Disk::new();
    disk.write("huge/.git", &format!("gitdir: {}\n", "x".repeat(100_000)));
    assert_eq!(
        disk.project("huge"),
        ("huge".into(), own(Unfollowed::Unreadable))
    );
    disk.write("closed/.git", "gitdir: x\n");
    let closed = fs::Permissions::from_mode(0o0);
    fs::set_permissions(disk.path("closed/.git"), closed).unwrap();
    let (root, kind) = disk.project("closed");
    assert_eq!(root, "closed");
    // Root reads it all the same, and finds that it points to nothing.
    assert!(matches!(
        kind,
        ProjectKind::Own(Unfollowed::Unreadable | Unfollowed::Dangling)
    ));
}

#[test]
fn a_fifo_is_neither_opened_nor_a_repository() {
    let disk = Disk::new();
    disk.folder("strange");
    make_fifo(&disk.path("strange/.git"));
    assert_eq!(
        disk.project("strange"),
        ("strange".into(), ProjectKind::Folder)
    );
    // Nor where a worktree's pointer should be.
    disk.write("evil/.git", "gitdir: data/worktrees/x\n");
    disk.folder("evil/data/worktrees/x");
    make_fifo(&disk.path("evil/data/worktrees/x/gitdir"));
    assert_eq!(
        disk.project("evil"),
        ("evil".into(), own(Unfollowed::NotPointingBack))
    );
}

pub(crate) fn make_fifo(path: &Path) {
    let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
    rustix::fs::mkfifoat(rustix::fs::CWD, path, mode).unwrap();
}
