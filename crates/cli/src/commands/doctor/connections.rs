//! The agents that memdir is connected to, and processes that should not be.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use memdir_serve::hook::fired::{self, Fired};
use memdir_settings::variables;
use memdir_store::places::{Origin, Refusal, RefusalReason};
use memdir_store::process::started_at;
use memdir_store::slug;

use super::Check;
use crate::clients::{Client, ClientPlaces, Connection, Fault, Reach, faults, targets};
use crate::moment;
use crate::table::count;
use crate::workplace::Workplace;

/// How a process for background work is started.
const DETACHED: [&str; 3] = ["jobs", "run", "--detached"];
/// Such a process ends by itself after an hour; a little more is for the machine.
const LONGEST: Duration = Duration::from_secs(65 * 60);

/// All that were set up; those that call us without it too.
pub(super) fn checks(workplace: &Workplace) -> Vec<Check> {
    let mut checks: Vec<Check> = Client::ALL
        .into_iter()
        .flat_map(|client| connection(client, workplace))
        .collect();
    checks.push(strays());
    checks
}

fn connection(client: Client, workplace: &Workplace) -> Vec<Check> {
    let own = workplace.places.own_dir();
    let title = client.title();
    let failed = |what: String| vec![Check::fail(title, what, "look at the file, or remove it")];
    let connection = match Connection::read(&own, client) {
        Ok(found) => found.map(|(connection, _)| connection),
        Err(error) => return failed(error.to_string()),
    };
    let fired = match fired::read(&own, client.hook()) {
        Ok(fired) => fired,
        Err(error) => return failed(error.to_string()),
    };
    let Some(connection) = connection else {
        // A plugin, or entries that somebody wrote by hand.
        let last = fired.last();
        let told = last.map(|last| format!("{}, by a plugin or entries of your own", told(last)));
        let Some(told) = told else {
            return Vec::new();
        };
        let elsewhere = elsewhere(client, &fired, workplace);
        return std::iter::once(Check::ok(title, told))
            .chain(elsewhere)
            .collect();
    };
    let mut checks = standing(client, &connection, workplace);
    if checks.is_empty() {
        checks.push(proof(client, &connection, &fired));
    }
    checks.extend(elsewhere(client, &fired, workplace));
    checks
}

/// What is wrong with its entries.
fn standing(client: Client, connection: &Connection, workplace: &Workplace) -> Vec<Check> {
    let title = client.title();
    let places = match ClientPlaces::find(client, workplace) {
        Ok(places) => places,
        Err(failure) => return vec![Check::fail(title, failure.message(), "set HOME")],
    };
    let reach = Reach::of(workplace, connection, &[]);
    let targets = targets(client, &places, connection, &reach, None);
    let faults = faults(client, connection, &targets).into_iter();
    faults
        .map(
            |Fault {
                 file,
                 what,
                 by_setup,
             }| {
                let remedy = match by_setup {
                    true => format!("`memdir setup {}` mends it", client.word()),
                    false => "mend the file; until then nothing of memdir runs there".to_owned(),
                };
                Check::fail(title, format!("{}: {what}", workplace.shown(&file)), remedy)
            },
        )
        .collect()
}

/// Whether it has fired an event since it was set up.
fn proof(client: Client, connection: &Connection, fired: &[Fired]) -> Check {
    let title = client.title();
    let since = connection.since.unwrap_or(Timestamp::MIN);
    match fired.iter().rfind(|one| one.at >= since) {
        Some(last) => Check::ok(title, told(last)),
        None => {
            let set_up = moment::shown(since);
            let remedy = match client {
                Client::Codex => {
                    "start `codex`, trust the hooks (/hooks) and say something; untrusted hooks stay silent"
                }
                _ => "start a new conversation there; one that runs already knows nothing of it",
            };
            Check::warn(
                title,
                format!("set up {set_up}, and not heard of since"),
                remedy,
            )
        }
    }
}

fn told(last: &Fired) -> String {
    let version = last
        .version
        .as_ref()
        .map(|version| format!(" by version {version}"));
    format!(
        "connected: {} was fired {}{}",
        last.event,
        moment::shown(last.at),
        version.unwrap_or_default()
    )
}

/// Where Claude Code keeps the memories of this project, as it says itself or else by its settings, if that is not where we
/// do.
fn elsewhere(client: Client, fired: &[Fired], workplace: &Workplace) -> Option<Check> {
    if client != Client::ClaudeCode {
        return None;
    }
    let places = &workplace.places;
    if let Some(refusal) = obeyed_there(workplace) {
        return Some(Check::fail(
            client.title(),
            format!(
                "keeps the memories of this project in {}, as {} says; memdir obeys no file that comes with the project, and keeps them in {}",
                refusal.value,
                refusal.origin,
                workplace.shown(&places.memory_dir.path)
            ),
            "take it out of there; in a local file of your own, `memdir trust` lets memdir obey it too",
        ));
    }
    let here = |one: &&Fired| one.start_folder == places.start_folder;
    let last = fired.iter().rev().find(here);
    let theirs = match last.and_then(|last| reported(last, &places.slug)) {
        Some(reported) => reported,
        // It has not been used here yet.
        None => {
            let own = ClientPlaces::find(client, workplace).ok()?;
            let projects = own.hooks.parent()?.join("projects");
            projects.join(&places.slug).join("memory")
        }
    };
    let ours = last.map_or(&places.memory_dir.path, |last| &last.memory_directory);
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let same = real(&theirs) == real(ours);
    // A directory that somebody chose holds for both.
    if same || !ours.starts_with(&places.home.path) {
        return None;
    }
    Some(Check::fail(
        client.title(),
        format!(
            "keeps the memories of this project in {}, memdir in {}",
            workplace.shown(&theirs),
            workplace.shown(ours)
        ),
        "let both have one home: unset MEMDIR_HOME, or set it to CLAUDE_CONFIG_DIR",
    ))
}

/// A directory that Claude Code takes from a file of the project, and memdir does not.
fn obeyed_there(workplace: &Workplace) -> Option<&Refusal> {
    let places = &workplace.places;
    let mut refused = places.memory_dir.refused.iter();
    refused.find(|refused| {
        let by_project = match (&refused.reason, &refused.origin) {
            (RefusalReason::Repository, _) => true,
            (RefusalReason::NamedByRepository { .. }, Origin::Variable(name)) => {
                *name == variables::MEMORY_PATH_OVERRIDE
            }
            _ => false,
        };
        by_project && Path::new(&refused.value) != places.memory_dir.path
    })
}

/// The memory directory that goes with a transcript: both are under the same home.
fn reported(last: &Fired, slug_of_root: &str) -> Option<PathBuf> {
    let transcript = last.transcript.as_deref()?;
    let projects = transcript.parent()?.parent()?;
    // The folder of transcripts is named after the start folder; what is not is none of this project's.
    let own = transcript.parent()?.file_name()?;
    let is_own = own == Path::new(&slug(&last.start_folder)).as_os_str();
    is_own.then(|| projects.join(slug_of_root).join("memory"))
}

/// Whether a process of ours runs that should have ended long ago.
fn strays() -> Check {
    const CHECK: &str = "processes";
    let strays: Vec<String> = background_processes()
        .filter(|pid| is_overdue(*pid))
        .map(|pid| pid.to_string())
        .collect();
    match strays.is_empty() {
        true => Check::ok(CHECK, "none is left over"),
        false => Check::warn(
            CHECK,
            format!(
                "{} in the background should have ended by now: {}",
                count(strays.len(), "process", "processes"),
                strays.join(", ")
            ),
            format!(
                "`kill {}` ends it; nothing is lost by that",
                strays.join(" ")
            ),
        ),
    }
}

/// Processes of this user that do background work, for any project.
fn background_processes() -> impl Iterator<Item = u32> {
    let own = rustix::process::geteuid().as_raw();
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    pids.filter(move |pid| {
        let of_us = fs::metadata(format!("/proc/{pid}")).is_ok_and(|about| about.uid() == own);
        let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let mut words = line.split(|byte| *byte == 0).skip(1);
        of_us
            && DETACHED
                .iter()
                .all(|word| words.next() == Some(word.as_bytes()))
    })
}

fn is_overdue(pid: u32) -> bool {
    let limit = i64::try_from(LONGEST.as_secs()).unwrap_or(i64::MAX);
    started_at(pid).is_some_and(|at| Timestamp::now().as_second() - at > limit)
}
