//! `cargo xtask e2e`: the real clients from npm, headless, with memdir set up in them, against a model server that answers from a
//! script, in a network that reaches nothing else.
//!
//! Each scene prints the promises that it tried, held or broken. See docs/e2e.md.

mod claude_code;
mod clients;
mod codex;
mod gemini;
mod hostile;
mod namespace;
mod opencode;
mod promises;
mod requests;
mod stage;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, Result, bail};

use self::clients::Clients;
use self::promises::Promises;
use self::stage::Ground;
use crate::workspace;

pub(crate) use self::namespace::INSIDE;

struct Scene {
    name: &'static str,
    run: fn(&Ground, &mut Promises) -> Result<()>,
}

const SCENES: &[Scene] = &[
    Scene {
        name: "claude-code",
        run: claude_code::run,
    },
    Scene {
        name: "codex",
        run: codex::run,
    },
    Scene {
        name: "hostile",
        run: hostile::run,
    },
    Scene {
        name: "gemini",
        run: gemini::run,
    },
    Scene {
        name: "opencode",
        run: opencode::run,
    },
];

const USAGE: &str = "\
usage: cargo xtask e2e [--program FILE] [--keep] [SCENE]...

  --program FILE  a memdir that is already built
  --keep          leave the homes of the scenes where they are
  SCENE           claude-code, codex, hostile, gemini, opencode; all without one";

/// Installs the clients, goes into a network of its own, and plays the scenes there.
pub(crate) fn run(words: &[String]) -> Result<()> {
    let (mut program, mut keep, mut chosen) = (None, false, Vec::new());
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--program" => program = Some(PathBuf::from(words.next().context(USAGE)?)),
            "--keep" => keep = true,
            name if SCENES.iter().any(|scene| scene.name == name) => chosen.push(name.to_owned()),
            name => bail!("`{name}` is no scene\n{USAGE}"),
        }
    }
    let root = workspace::root()?;
    let target = workspace::target_folder(&root);
    let clients = match Clients::install(&target.join("e2e/clients")) {
        Ok(clients) => clients,
        Err(reason) => {
            println!("e2e: left out, {reason:#}");
            return Ok(());
        }
    };
    let program = match program {
        Some(program) => program.canonicalize()?,
        None => {
            workspace::check(workspace::cargo().current_dir(&root).args([
                "build",
                "--quiet",
                "--locked",
                "--profile",
                "ci",
                "--package",
                "memdir-cli",
            ]))?;
            target.join("ci/memdir")
        }
    };
    let ground = target.join("e2e");
    namespace::enter(&clients.folder, &program, &ground, keep, &chosen)
}

/// Plays scenes, in the network that was made for them.
pub(crate) fn inside(words: &[String]) -> Result<()> {
    let [clients, program, ground, keep, chosen @ ..] = words else {
        bail!("only `cargo xtask e2e` calls this");
    };
    let ground = Ground {
        clients: Clients::at(Path::new(clients)),
        program: PathBuf::from(program),
        folder: PathBuf::from(ground),
        keep: keep == "keep",
    };
    let mut promises = Promises::default();
    for scene in SCENES {
        if !chosen.is_empty() && !chosen.iter().any(|name| name == scene.name) {
            continue;
        }
        let began = Instant::now();
        promises.begin(scene.name);
        if let Err(error) = (scene.run)(&ground, &mut promises) {
            promises.broken("the scene is played to its end", &format!("{error:#}"));
        }
        println!("  ({} s)", began.elapsed().as_secs());
    }
    promises.verdict()
}
