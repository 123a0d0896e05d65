//! Which repository a folder is, wherever it lies: by the first commit that it had and the remote it came from. Only ever
//! compared and shown; nothing is followed, and git is not run.

mod objects;

use std::io::Read as _;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::project::Project;
use crate::reader::{open_regular, read_regular};

/// A longer configuration is not read.
const MAX_CONFIG: u64 = 1024 * 1024;
/// Two names and who it was stand within so much of the first line of git's log, or of a branch.
const MAX_LINE: u64 = 4 * 1024;
const MAX_PACKED: u64 = 16 * 1024 * 1024;
/// The length of a commit's name, by either of git's hashes.
const NAMES: [usize; 2] = [40, 64];

/// What a repository keeps when its folder moves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repository {
    /// A commit that it has for good: the first of this checkout by git's own log, which forgets after some months; without
    /// it the one that was checked out.
    pub first: String,
    /// Where it came from, without credentials.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remote: Option<String>,
}

impl Repository {
    /// The repository of a project's root; none where it is not one, or has no commit yet.
    #[must_use]
    pub fn of(root: &Path) -> Option<Self> {
        let git = Project::find(root).git_folder()?;
        Some(Self {
            first: first_logged(&git).or_else(|| checked_out(&git))?,
            remote: remote_of(&git),
        })
    }

    /// Whether a folder is this repository, as it was recorded: it came from the same place or, where one of the two came from
    /// nowhere, it has that commit.
    #[must_use]
    pub fn is_at(&self, root: &Path) -> bool {
        let Some(git) = Project::find(root).git_folder() else {
            return false;
        };
        match (&self.remote, remote_of(&git)) {
            (Some(recorded), Some(own)) => *recorded == own,
            _ => is_name(&self.first) && objects::has(&git, &self.first),
        }
    }
}

/// The first commit in the log of what was checked out.
fn first_logged(git: &Path) -> Option<String> {
    let log = open_regular(&git.join("logs/HEAD")).ok()??;
    let mut line = Vec::new();
    log.take(MAX_LINE).read_to_end(&mut line).ok()?;
    let line = line.split(|byte| *byte == b'\n').next()?;
    let name = line.split(|byte| *byte == b' ').nth(1)?;
    named(std::str::from_utf8(name).ok()?)
}

/// The commit that is checked out.
fn checked_out(git: &Path) -> Option<String> {
    let read = |name: &str, limit| {
        let bytes = read_regular(&git.join(name), limit).ok().flatten()?;
        String::from_utf8(bytes).ok()
    };
    let head = read("HEAD", MAX_LINE)?;
    let Some(branch) = head.trim().strip_prefix("ref: ") else {
        return named(head.trim());
    };
    // A branch is a file beneath `refs`, whatever else stands there.
    let is_plain = branch.starts_with("refs/") && !branch.split('/').any(|part| part == "..");
    let loose = || read(branch, MAX_LINE).and_then(|name| named(name.trim()));
    let packed = || {
        let packed = read("packed-refs", MAX_PACKED)?;
        let mut lines = packed.lines().filter_map(|line| line.split_once(' '));
        lines
            .find(|(_, reference)| *reference == branch)
            .and_then(|(name, _)| named(name))
    };
    is_plain.then(|| loose().or_else(packed)).flatten()
}

fn named(name: &str) -> Option<String> {
    is_name(name).then(|| name.to_owned())
}

fn is_name(name: &str) -> bool {
    NAMES.contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn remote_of(git: &Path) -> Option<String> {
    let config = read_regular(&git.join("config"), MAX_CONFIG).ok()??;
    remote(&String::from_utf8_lossy(&config))
}

/// The address of `origin`, without who may open it.
fn remote(config: &str) -> Option<String> {
    let mut inside = false;
    for line in config.lines().map(str::trim) {
        if line.starts_with('[') {
            inside = line.eq_ignore_ascii_case("[remote \"origin\"]");
        } else if let (true, Some((key, value))) = (inside, line.split_once('='))
            && key.trim().eq_ignore_ascii_case("url")
        {
            return Some(without_credentials(value.trim()));
        }
    }
    None
}

fn without_credentials(address: &str) -> String {
    let Some((scheme, rest)) = address.split_once("://") else {
        return address.to_owned();
    };
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    let path = path.split(['?', '#']).next().unwrap_or_default();
    format!("{scheme}://{host}/{path}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_kept_without_who_may_open_it() {
        let config = "[core]\n\turl = x\n[remote \"upstream\"]\n\turl = y\n[remote \"origin\"]\n\turl = https://ada:ghp_token@example.org/a/b.git?key=1\n";
        assert_eq!(
            remote(config).as_deref(),
            Some("https://example.org/a/b.git")
        );
        assert_eq!(remote("[remote \"origin\"]\n").as_deref(), None);
        assert_eq!(
            without_credentials("git@example.org:a/b.git"),
            "git@example.org:a/b.git"
        );
    }
}
