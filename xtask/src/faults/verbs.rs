//! The commands whose every step is put to the test.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use memdir_testkit::tree::Tree;
use memdir_testkit::{Program, strace};
use serde_json::Value;

use super::scene::Scene;

/// A command that changes something. `{0}` stands for the first topic file's name.
pub(super) struct Verb {
    pub(super) name: &'static str,
    words: &'static [&'static str],
    /// What happens before it.
    before: Before,
}

enum Before {
    Nothing,
    Command(&'static [&'static str]),
    /// The index loses a line and gets a pointer to nothing.
    DamagedIndex,
    /// A day's log says what to keep, and a memory is there twice.
    Log,
}

pub(super) const VERBS: &[Verb] = &[
    Verb {
        name: "remember",
        words: &[
            "remember",
            "The staging database is reset every Sunday night",
            "--type",
            "project",
        ],
        before: Before::Nothing,
    },
    Verb {
        name: "edit",
        words: &["edit", "{0}"],
        before: Before::Nothing,
    },
    Verb {
        name: "rename",
        words: &["rename", "{0}", "another_name.md"],
        before: Before::Nothing,
    },
    Verb {
        name: "forget",
        words: &["forget", "{0}"],
        before: Before::Nothing,
    },
    Verb {
        name: "undo",
        words: &["undo"],
        before: Before::Command(&["forget", "{0}"]),
    },
    Verb {
        name: "index --rebuild",
        words: &["index", "--rebuild"],
        before: Before::DamagedIndex,
    },
    Verb {
        name: "dream --logs",
        words: &["dream", "--logs"],
        before: Before::Log,
    },
];

/// A day of which a dream keeps one thing.
const LOG: &str = "- 09:00 From now on, run the linter before every commit.\n";

/// An editor that adds a line, as a person would.
const EDITOR: &str = "#!/bin/sh\nprintf 'A line more.\\n' >>\"$1\"\n";

/// A verb in a scene, with what a clean run of it leaves behind.
pub(super) struct Staged {
    pub(super) scene: Scene,
    pub(super) program: Program,
    pub(super) before: Tree,
    pub(super) after: Tree,
    /// How many operations the history lists after a clean run.
    pub(super) operations: usize,
    /// Ordinals of the program's own calls by name, as a clean run makes them.
    pub(super) calls: BTreeMap<String, Vec<usize>>,
}

impl Verb {
    /// Builds the scene, runs the verb cleanly once to learn what it does, and puts it all back.
    pub(super) fn stage(&self, folder: &Path, memdir: &Path) -> Result<Staged> {
        let scene = Scene::with_memories(folder, memdir)?;
        let editor = scene.sandbox().write("editor", EDITOR)?;
        fs::set_permissions(editor, fs::Permissions::from_mode(0o755))?;
        match self.before {
            Before::Nothing => {}
            Before::Command(words) => drop(scene.must(&named(words, &scene)?)?),
            Before::DamagedIndex => damage_index(&scene)?,
            Before::Log => {
                let log = scene.memory().join("logs/2026/11/2026-11-15.md");
                fs::create_dir_all(log.parent().context("a log has a folder")?)?;
                let topics = scene.topics()?;
                let first = topics.first().context("no topic file to copy")?;
                let copy = scene.memory().join("copy_of_it.md");
                fs::copy(scene.memory().join(first), copy)?;
                fs::write(log, LOG)?;
            }
        }
        scene.save()?;

        let program = scene.program(&named(self.words, &scene)?);
        let before = scene.tree()?;
        let clean = strace::record(&program, &scene.log)?;
        let (name, outcome) = (self.name, clean.outcome);
        ensure!(
            outcome.success(),
            "`{name}` fails without any fault\n{outcome}"
        );
        ensure!(
            !clean.threads,
            "`{name}` starts threads, whose calls no fault would reach"
        );
        let after = scene.tree()?;
        let operations = operations(&scene)?;
        let mut calls: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for call in clean.calls {
            calls.entry(call.name).or_default().push(call.ordinal);
        }
        scene.reset()?;
        Ok(Staged {
            scene,
            program,
            before,
            after,
            operations,
            calls,
        })
    }

    /// The verb's scene in a worker's folder: the one that is there, or a new one in its place.
    pub(super) fn staged_in<'a>(
        &self,
        folder: &Path,
        memdir: &Path,
        current: &'a mut Option<(&'static str, Staged)>,
    ) -> Result<&'a Staged> {
        if current.as_ref().is_none_or(|(name, _)| *name != self.name) {
            *current = None;
            if folder.exists() {
                fs::remove_dir_all(folder)?;
            }
            *current = Some((self.name, self.stage(folder, memdir)?));
        }
        current
            .as_ref()
            .map(|(_, staged)| staged)
            .context("the scene was just made")
    }

    /// The words with which a verb holds a lock of its own; it must get it again.
    pub(super) fn locks(&self) -> Option<&'static [&'static str]> {
        matches!(self.before, Before::Log).then_some(self.words)
    }

    /// Whether the scene is broken on purpose until the verb has run.
    pub(super) fn mends(&self) -> bool {
        matches!(self.before, Before::DamagedIndex | Before::Log)
    }
}

fn named(words: &[&str], scene: &Scene) -> Result<Vec<String>> {
    let topics = scene.topics()?;
    let first = topics.first().context("no topic file to name")?;
    Ok(words
        .iter()
        .map(|word| word.replace("{0}", first))
        .collect())
}

fn damage_index(scene: &Scene) -> Result<()> {
    let index = scene.memory().join("MEMORY.md");
    let text = fs::read_to_string(&index).context("reading the index")?;
    let kept: Vec<&str> = text
        .lines()
        .skip(1)
        .chain(["- [Gone](gone.md) — no such file"])
        .collect();
    fs::write(&index, kept.join("\n") + "\n")?;
    Ok(())
}

/// How many operations the history lists.
pub(super) fn operations(scene: &Scene) -> Result<usize> {
    let outcome = scene.must(&["history", "--json"])?;
    let listed: Value = serde_json::from_str(&outcome.stdout())
        .with_context(|| format!("`history --json` printed no JSON\n{outcome}"))?;
    let list = listed
        .as_array()
        .or_else(|| listed.as_object()?.values().find_map(Value::as_array));
    Ok(list
        .context("`history --json` has no list of operations")?
        .len())
}
