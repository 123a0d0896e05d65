//! A small world for the program: a home, a project, a memory directory and an outside, which can
//! be put back to how they were.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use memdir_testkit::tree::{self, Node, Tree};
use memdir_testkit::{Filters, Outcome, Program, Sandbox};

/// How the store names files that are not in place yet.
const TEMPORARY: &str = ".memdir-";

/// Who dreams says so here, by the number of its process: it is no memory.
const DREAM_LOCK: &str = ".consolidate-lock";

/// What every scene remembers from the start.
const MEMORIES: &[(&str, &str)] = &[
    (
        "The user prefers short answers with the reason first",
        "user",
    ),
    ("Never run the formatter on vendored files", "feedback"),
    (
        "Releases are cut on the first Tuesday of the month by Ada",
        "project",
    ),
    (
        "Dashboards for latency live in the Grafana folder named Edge",
        "reference",
    ),
];

pub(super) struct Scene {
    sandbox: Sandbox,
    memdir: PathBuf,
    saved: PathBuf,
    /// For strace to write.
    pub(super) log: PathBuf,
    /// What the outside looked like at the start, and must always look like.
    decoy: String,
}

impl Scene {
    /// A scene with nothing remembered yet.
    pub(super) fn empty(folder: &Path, memdir: &Path) -> Result<Self> {
        let sandbox = Sandbox::within(&folder.join("live")).context("making a scene")?;
        sandbox.write("outside/secret.md", "outside, and to stay as it is\n")?;
        sandbox.write("outside/deep/MEMORY.md", "- [Not ours](x.md) — leave it\n")?;
        sandbox.write("project/readme.txt", "a project\n")?;
        let decoy = tree::fingerprint(&sandbox.outside())?;
        Ok(Self {
            sandbox,
            memdir: memdir.to_owned(),
            saved: folder.join("saved"),
            log: folder.join("strace.log"),
            decoy,
        })
    }

    /// A scene in which a few things are remembered.
    pub(super) fn with_memories(folder: &Path, memdir: &Path) -> Result<Self> {
        let scene = Self::empty(folder, memdir)?;
        for (memory, kind) in MEMORIES {
            scene.must(&["remember", memory, "--type", kind])?;
        }
        let topics = scene.topics()?.len();
        ensure!(
            topics == MEMORIES.len(),
            "{topics} topic files after {} memories",
            MEMORIES.len()
        );
        Ok(scene)
    }

    pub(super) fn sandbox(&self) -> &Sandbox {
        &self.sandbox
    }

    /// The memory directory.
    pub(super) fn memory(&self) -> PathBuf {
        self.sandbox.root().join("memory")
    }

    /// Where the program keeps its own things.
    pub(super) fn home(&self) -> PathBuf {
        self.sandbox.home().join("memdir-home")
    }

    /// Where the program keeps the history of the memory directory.
    pub(super) fn state(&self) -> Result<PathBuf> {
        let answer = self.must(&["paths", "state"])?.stdout();
        Ok(answer.trim_end().into())
    }

    /// The program with some arguments, ready to run here.
    pub(super) fn program(&self, words: &[impl AsRef<std::ffi::OsStr>]) -> Program {
        self.sandbox
            .program(&self.memdir)
            .env("MEMDIR_HOME", self.home())
            .env("EDITOR", self.sandbox.root().join("editor"))
            .args(["--memory-dir".as_ref(), self.memory().as_os_str()])
            .args(words)
    }

    /// Runs the program and expects it to succeed.
    pub(super) fn must(&self, words: &[impl AsRef<std::ffi::OsStr>]) -> Result<Outcome> {
        let outcome = self.program(words).run()?;
        let shown: Vec<_> = words
            .iter()
            .map(|word| word.as_ref().to_string_lossy())
            .collect();
        ensure!(
            outcome.success(),
            "`memdir {}` failed\n{outcome}",
            shown.join(" ")
        );
        Ok(outcome)
    }

    /// Keeps the present state, for [`Scene::reset`].
    pub(super) fn save(&self) -> Result<()> {
        tree::restore(self.sandbox.root(), &self.saved).context("saving a scene")
    }

    /// Puts everything back to how it was saved. The outside stays: it must not change anyway, and
    /// copying it would change its inodes.
    pub(super) fn reset(&self) -> Result<()> {
        for part in ["home", "project", "memory"] {
            let (from, to) = (self.saved.join(part), self.sandbox.root().join(part));
            tree::restore(&from, &to).with_context(|| format!("putting {part} back"))?;
        }
        Ok(())
    }

    /// The memory directory's files, with times taken out of their text, and without temporaries.
    pub(super) fn tree(&self) -> Result<Tree> {
        let filters = Filters::default();
        let plain = tree::read(&self.memory())?
            .into_iter()
            .filter(|(path, _)| !is_temporary(path) && path != DREAM_LOCK);
        Ok(plain
            .map(|(path, node)| match node {
                Node::File(bytes) => match String::from_utf8(bytes) {
                    Ok(text) => (path, Node::File(filters.apply(&text).into_bytes())),
                    Err(error) => (path, Node::File(error.into_bytes())),
                },
                node => (path, node),
            })
            .collect())
    }

    /// The topic files' names, sorted.
    pub(super) fn topics(&self) -> Result<Vec<String>> {
        let tree = self.tree()?;
        let files = tree
            .into_iter()
            .filter(|(_, node)| matches!(node, Node::File(_)));
        Ok(files
            .map(|(path, _)| path)
            .filter(|path| is_topic(path))
            .collect())
    }

    /// Files that were on their way into place, in the memory directory or in the state beside it.
    pub(super) fn temporaries(&self) -> Result<Vec<String>> {
        let mut found = Vec::new();
        for folder in [self.memory(), self.home()] {
            found.extend(
                tree::read(&folder)?
                    .into_keys()
                    .filter(|path| is_temporary(path)),
            );
        }
        Ok(found)
    }

    /// Whether anything changed where nothing may.
    pub(super) fn outside_touched(&self) -> Result<bool> {
        Ok(tree::fingerprint(&self.sandbox.outside())? != self.decoy)
    }
}

pub(super) fn is_topic(path: &str) -> bool {
    path.ends_with(".md") && !path.ends_with("MEMORY.md")
}

fn is_temporary(path: &str) -> bool {
    path.rsplit('/')
        .next()
        .is_some_and(|name| name.starts_with(TEMPORARY))
}
