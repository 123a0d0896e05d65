//! Files that are made to break a reader, in the memory directory.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Result;
use memdir_testkit::{Outcome, Program};
use rustix::fs::{CWD, FileType, Mode, makedev, mknodat};

use super::Plan;
use super::report::Report;
use super::scene::Scene;

/// What the program may take, in kilobytes of address space: a file that is read whole shows.
const MEMORY_LIMIT: usize = 600_000;

/// Commands that look at everything.
const LOOKS: &[&[&str]] = &[
    &["list"],
    &["list", "--json"],
    &["status"],
    &["audit"],
    &["index", "--check"],
    &["doctor"],
    &["history"],
    &[
        "remember",
        "A new memory beside hostile neighbours",
        "--type",
        "project",
    ],
];

/// Commands that must succeed whatever lies in the directory.
const MUST_SUCCEED: &[&str] = &["list", "status", "history", "remember"];

pub(super) fn run(plan: &Plan, report: &mut Report) -> Result<()> {
    let scene = Scene::with_memories(&plan.ground.join("hostile"), &plan.memdir)?;
    let names = plant(&scene.memory(), plan.short)?;
    let (mut runs, mut slowest, mut broken) = (0, Duration::ZERO, Vec::new());
    let mut watch = |words: &[&str], program: Program| -> Result<()> {
        let begun = Instant::now();
        let outcome = program.finish(limited(&program))?;
        let taken = begun.elapsed();
        slowest = slowest.max(taken);
        runs += 1;
        if let Some(what) = complaint(words, &outcome) {
            broken.push(format!("hostile: `{}` {what}", words.join(" ")));
        }
        Ok(())
    };
    for words in LOOKS {
        watch(words, scene.program(words))?;
    }
    for name in &names {
        for verb in ["show", "forget"] {
            let words = [verb, name];
            watch(&words, scene.program(&words))?;
        }
    }
    for (label, text) in TEXTS {
        let words = ["remember", "-", "--type", "user"];
        let program = scene.program(&words).stdin(*text);
        let begun = Instant::now();
        let outcome = program.finish(limited(&program))?;
        slowest = slowest.max(begun.elapsed());
        runs += 1;
        if !matches!(outcome.code(), Some(0..=2)) {
            broken.push(format!("hostile: `remember -` with {label}: {outcome}"));
        }
    }
    if scene.outside_touched()? {
        broken.push("hostile: something outside changed".to_owned());
    }
    report.figure("hostile files in the directory", names.len());
    report.figure("runs beside them, in 600 MB of address space", runs);
    report.figure("slowest run", format!("{:.2} s", slowest.as_secs_f64()));
    report.figure("promises broken", broken.len());
    report.violations(broken);
    Ok(())
}

/// Texts to remember that are no text.
const TEXTS: &[(&str, &[u8])] = &[
    ("NUL", b"before\0after"),
    ("invalid UTF-8", b"caf\xe9 and \xff\xfe"),
    ("a lone surrogate", b"\xed\xa0\x80"),
    ("a BOM", b"\xef\xbb\xbfthe user likes tea"),
    ("nothing", b" \n"),
];

fn complaint(words: &[&str], outcome: &Outcome) -> Option<String> {
    let verb = words.first()?;
    match outcome.code() {
        _ if outcome.hung() => Some("hangs".to_owned()),
        Some(0) => None,
        Some(1 | 2) if !MUST_SUCCEED.contains(verb) => None,
        _ => Some(format!("ends badly: {outcome}")),
    }
}

/// The program under a shell that limits its address space.
fn limited(program: &Program) -> std::process::Command {
    let script = format!("ulimit -v {MEMORY_LIMIT}; exec \"$@\"");
    program.command_under("sh", &["-c".into(), script.into(), "sh".into()])
}

/// Puts the hostile files into the directory; their names.
fn plant(memory: &Path, short: bool) -> Result<Vec<String>> {
    let mut names = Vec::new();
    let mut write = |name: &str, bytes: &[u8]| -> Result<()> {
        fs::write(memory.join(name), bytes)?;
        names.push(name.to_owned());
        Ok(())
    };
    write("alias_bomb.md", alias_bomb().as_bytes())?;
    write("anchors.md", many_anchors().as_bytes())?;
    write(
        "deep_flow.md",
        format!("---\nname: {}\n---\n", "[".repeat(10_000)).as_bytes(),
    )?;
    write("deep_block.md", deep_block().as_bytes())?;
    write(
        "long_scalar.md",
        &long_scalar(if short { 5_000_000 } else { 50_000_000 }),
    )?;
    write(
        "tagged.md",
        b"---\nname: !!python/object/apply:os.system [\"true\"]\n---\nbody\n",
    )?;
    write(
        "duplicate_keys.md",
        b"---\nname: a\nname: b\n<<: {type: user}\n---\nbody\n",
    )?;
    write("nul.md", b"---\nname: a\0b\ndescription: x\n---\nbo\0dy\n")?;
    write(
        "invalid.md",
        b"---\nname: caf\xe9\ndescription: \xff\n---\n\xc3\x28\n",
    )?;
    write("surrogate.md", b"---\nname: \xed\xa0\x80\n---\nbody\n")?;
    write("endless_header.md", "---\n".repeat(200_000).as_bytes())?;
    write("old_mac.md", b"---\rname: a\r---\rbody\r")?;
    write(
        "separators.md",
        "---\nname: a\u{2028}b\u{2029}c\n---\nbody".as_bytes(),
    )?;
    write(
        &format!("{}.md", "n".repeat(252)),
        b"---\nname: long\n---\n",
    )?;

    // Two billion bytes that take no room on the disk.
    let mut sparse = File::create(memory.join("sparse.md"))?;
    sparse.write_all(b"---\nname: sparse\ndescription: huge\n---\n")?;
    sparse.set_len(2_000_000_000)?;
    names.push("sparse.md".to_owned());

    let private = Mode::RUSR | Mode::WUSR;
    mknodat(CWD, memory.join("fifo.md"), FileType::Fifo, private, 0)?;
    names.push("fifo.md".to_owned());
    // The endless zeros of the machine; only root may make a device.
    if mknodat(
        CWD,
        memory.join("zeros.md"),
        FileType::CharacterDevice,
        private,
        makedev(1, 5),
    )
    .is_ok()
    {
        names.push("zeros.md".to_owned());
    }
    let nested = memory.join("d/".repeat(500));
    fs::create_dir_all(&nested)?;
    fs::write(nested.join("bottom.md"), "---\nname: bottom\n---\n")?;
    Ok(names)
}

/// Nine levels of nine references each: a billion words, if anybody wrote them out.
fn alias_bomb() -> String {
    let mut text = "---\na0: &a0 [lol, lol, lol]\n".to_owned();
    for level in 1..10 {
        let reference = format!("*a{}", level - 1);
        let list = vec![reference; 9].join(", ");
        text.push_str(&format!("a{level}: &a{level} [{list}]\n"));
    }
    text + "name: *a9\ndescription: *a9\n---\nbody\n"
}

fn many_anchors() -> String {
    let keys: String = (0..100_000)
        .map(|key| format!("k{key}: &k{key} x\n"))
        .collect();
    format!("---\n{keys}name: *k1\n---\nbody\n")
}

fn deep_block() -> String {
    let levels: String = (0..1_000)
        .map(|level| format!("{}k:\n", " ".repeat(level)))
        .collect();
    format!("---\n{levels}---\nbody\n")
}

fn long_scalar(length: usize) -> Vec<u8> {
    let mut text = b"---\nname: a\ndescription: \"".to_vec();
    text.resize(text.len() + length, b'x');
    text.extend(b"\"\n---\nbody\n");
    text
}
