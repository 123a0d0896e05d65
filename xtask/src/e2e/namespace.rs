//! A network in which there is nothing but this machine itself.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};

/// The word by which the program is started again, inside.
pub(crate) const INSIDE: &str = "e2e-inside";

const UP: &str = "ip link set lo up && exec \"$@\"";

/// The words that put a command into a network of its own; none where that is not permitted.
fn wrapper() -> Option<Vec<&'static str>> {
    // As root, and as anybody where the system lets users have namespaces.
    let ways = [
        vec!["unshare", "--net", "sh", "-c", UP, "sh"],
        vec!["unshare", "--map-root-user", "--net", "sh", "-c", UP, "sh"],
    ];
    ways.into_iter().find(|way| {
        let Some((program, words)) = way.split_first() else {
            return false;
        };
        let mut command = Command::new(program);
        command.args(words).arg("true");
        let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    })
}

/// Starts this program again inside.
pub(super) fn enter(
    clients: &Path,
    program: &Path,
    ground: &Path,
    keep: bool,
    chosen: &[String],
) -> Result<()> {
    let own = std::env::current_exe().context("finding this program")?;
    let mut words: Vec<&str> = Vec::new();
    let way = wrapper();
    match &way {
        Some(way) => words.extend(way),
        None => println!(
            "note: no network of its own is permitted here (unshare, ip): the clients could reach others, and are told not to"
        ),
    }
    let own = own
        .to_str()
        .context("this program has a name that is no text")?;
    words.push(own);
    words.push(INSIDE);
    let (first, rest) = words.split_first().context("nothing to start")?;
    let status = Command::new(first)
        .args(rest)
        .args([clients, program, ground])
        .arg(if keep { "keep" } else { "leave" })
        .args(chosen)
        .stdin(Stdio::null())
        .status()
        .context("starting the scenes")?;
    ensure!(status.success(), "a promise is broken");
    Ok(())
}
