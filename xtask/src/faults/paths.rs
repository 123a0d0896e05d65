//! Names and paths that try to lead elsewhere, against every verb that takes one.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;

use anyhow::{Context as _, Result};
use memdir_testkit::tree;

use super::Plan;
use super::report::Report;
use super::scene::Scene;

/// Names that are refused wherever a name is taken, on every system alike.
const NAMES: &[(&str, &[u8])] = &[
    ("parent", b".."),
    ("climbing", b"a/../../outside/secret.md"),
    ("absolute", b"/etc/passwd.md"),
    ("percent-encoded", b"%2e%2e%2foutside%2fsecret.md"),
    ("doubly encoded", b"%252e%252e%252fsecret.md"),
    ("overlong UTF-8", b"\xc0\xae\xc0\xae/secret.md"),
    (
        "full-width dots and slash",
        "．．／outside／secret.md".as_bytes(),
    ),
    ("division slash", "..∕outside∕secret.md".as_bytes()),
    ("fraction slash", "..⁄outside⁄secret.md".as_bytes()),
    ("backslash", b"..\\outside\\secret.md"),
    ("drive", b"C:\\x.md"),
    ("drive, relative", b"C:x.md"),
    ("UNC", b"\\\\server\\share\\x.md"),
    ("verbatim prefix", b"\\\\?\\C:\\x.md"),
    ("double slash", b"//server/share/x.md"),
    ("reserved name", b"NUL"),
    ("reserved name with extension", b"con.md"),
    ("final dot", b"x.md."),
    ("final space", b"x.md "),
    ("alternate stream", b"x.md::$DATA"),
    ("home", b"~/x.md"),
    ("variable", b"$HOME/x.md"),
    ("newline", b"x\ny.md"),
    ("right-to-left override", "x\u{202e}dm.y.md".as_bytes()),
    ("zero-width space", "x\u{200b}y.md".as_bytes()),
    ("git's own", b".git/config"),
    ("hidden", b".hidden.md"),
    ("the index", b"MEMORY.md"),
    ("the index, other case", b"memory.MD"),
    ("link", b"link.md"),
    ("link as folder", b"linked/secret.md"),
    ("link in a loop", b"loop.md"),
    ("empty", b""),
];

/// Each verb that takes a name, with `{}` for the name and `{0}` for a topic that exists.
const VERBS: &[&[&str]] = &[
    &["show", "--", "{}"],
    &["edit", "--", "{}"],
    &["forget", "--", "{}"],
    &["rename", "--", "{}", "fine.md"],
    &["rename", "--", "{0}", "{}"],
    &["remember", "Some new fact for an old place", "--into={}"],
];

pub(super) fn run(plan: &Plan, report: &mut Report) -> Result<()> {
    let scene = Scene::with_memories(&plan.ground.join("paths"), &plan.memdir)?;
    let (memory, outside) = (scene.memory(), scene.sandbox().outside());
    symlink(outside.join("secret.md"), memory.join("link.md"))?;
    symlink(&outside, memory.join("linked"))?;
    symlink("loop.md", memory.join("loop.md"))?;
    scene.save()?;

    let before = scene.tree()?;
    let project = tree::fingerprint(&scene.sandbox().project())?;
    let topics = scene.topics()?;
    let topic = topics.first().context("no topic file")?;
    let (mut refused, mut broken) = (0, Vec::new());
    for (label, name) in NAMES {
        for verb in VERBS {
            let words: Vec<OsString> = verb.iter().map(|word| fill(word, topic, name)).collect();
            let outcome = scene.program(&words).run()?;
            let mut complain = |what: &str| {
                let shown = OsStr::from_bytes(name).to_string_lossy().into_owned();
                broken.push(format!(
                    "paths: `{}` with {label} {shown:?}: {what}",
                    verb.join(" ")
                ));
            };
            match outcome.code() {
                Some(1 | 2) if !outcome.stderr().trim().is_empty() => refused += 1,
                Some(0) if harmless(verb, label) => {}
                _ => complain(&format!("not refused: {outcome}")),
            }
            if scene.outside_touched()? {
                complain("something outside changed");
            }
            if tree::fingerprint(&scene.sandbox().project())? != project {
                complain("something in the project changed");
            }
            if scene.tree()? != before {
                complain("something in the memory directory changed");
                scene.reset()?;
            }
        }
    }
    report.figure("hostile names × verbs", NAMES.len() * VERBS.len());
    report.figure("… refused with a message", refused);
    report.figure("promises broken", broken.len());
    report.violations(broken);
    hard_link(&scene, report)
}

/// Looking at the index by its name is a fair wish.
fn harmless(verb: &[&str], label: &str) -> bool {
    verb.first() == Some(&"show") && label.starts_with("the index")
}

fn fill(word: &str, topic: &str, name: &[u8]) -> OsString {
    match word.split_once("{}") {
        Some((before, after)) => {
            let bytes = [before.as_bytes(), name, after.as_bytes()].concat();
            OsStr::from_bytes(&bytes).to_owned()
        }
        None => word.replace("{0}", topic).into(),
    }
}

/// A second name of an outside file may be read, but is never written through: files are replaced.
fn hard_link(scene: &Scene, report: &mut Report) -> Result<()> {
    let (inside, outside) = (scene.memory().join("hard.md"), scene.sandbox().outside());
    fs::hard_link(outside.join("secret.md"), &inside)?;
    let wish = [
        "remember",
        "Some new fact for a linked place",
        "--into=hard.md",
    ];
    scene.program(&wish).run()?;
    scene.program(&["forget", "hard.md"]).run()?;
    let touched = scene.outside_touched()?;
    report.figure(
        "outside file changed through a hard link",
        if touched { "yes" } else { "no" },
    );
    report.violations(touched.then(|| "paths: a hard link was written through".to_owned()));
    Ok(())
}
