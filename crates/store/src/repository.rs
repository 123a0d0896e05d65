//! Which repository a folder is, wherever it lies: by the first commit that it had and the remote it came from. Only ever
//! compared and shown; nothing is followed, and git is not run.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::project::Project;
use crate::reader::read_regular;

/// A longer log or configuration is not read.
const MAX_LOG: u64 = 16 * 1024 * 1024;
const MAX_CONFIG: u64 = 1024 * 1024;
/// The length of a commit's name, by either of git's hashes.
const NAMES: [usize; 2] = [40, 64];

/// What a repository keeps when its folder moves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repository {
    /// The first commit that this checkout had, by git's own log.
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
        let read = |name: &str, limit| read_regular(&git.join(name), limit).ok().flatten();
        let log = read("logs/HEAD", MAX_LOG)?;
        let first = log.split(|byte| *byte == b'\n').next()?;
        let first = std::str::from_utf8(first).ok()?.split(' ').nth(1)?;
        let is_name =
            NAMES.contains(&first.len()) && first.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_name.then(|| Self {
            first: first.to_owned(),
            remote: read("config", MAX_CONFIG)
                .and_then(|config| remote(&String::from_utf8_lossy(&config))),
        })
    }

    /// Whether two folders are one repository. A remote counts where both have one.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        let remotes = self.remote.as_ref().zip(other.remote.as_ref());
        self.first == other.first && remotes.is_none_or(|(one, other)| one == other)
    }
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
