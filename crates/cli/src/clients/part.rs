//! What we put into one file of a client.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use memdir_store::read_user_text;

use super::jsonc::Problem;
use super::notes::Notes;
use super::{Client, ClientPlaces, Connection, Ours, Reach, agents_file, hooks, plugin, server};

/// One thing of ours in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// Hooks in a JSON file.
    Hooks,
    /// Our MCP server.
    Server,
    /// A file of its own.
    Plugin,
    /// A block in the instructions of a project.
    Instructions,
}

/// A part and the file that it belongs into.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    pub(crate) file: PathBuf,
    pub(crate) part: Part,
}

/// Everything that a client is to have of us, in the order in which it is written. Of projects only those blocks that still
/// stand, and the one that was named: what somebody took out of a repository stays out.
pub(crate) fn targets(
    client: Client,
    places: &ClientPlaces,
    connection: &Connection,
    reach: &Reach,
    project: Option<PathBuf>,
) -> Vec<Target> {
    let hooks = match client {
        Client::OpenCode => Part::Plugin,
        _ => Part::Hooks,
    };
    let mut targets = vec![
        Target {
            file: places.hooks.clone(),
            part: hooks,
        },
        Target {
            file: places.servers.clone(),
            part: Part::Server,
        },
    ];
    let within = (connection.instructions.iter()).filter(|file| reach.covers(file));
    let standing = within.filter(|file| {
        let text = read_user_text(file).ok().flatten();
        text.is_some_and(|text| agents_file::stands(&text))
    });
    let mut instructions: Vec<PathBuf> = standing.cloned().collect();
    instructions.extend(project.map(|folder| folder.join(agents_file::NAME)));
    instructions.sort();
    instructions.dedup();
    targets.extend(instructions.into_iter().map(|file| Target {
        file,
        part: Part::Instructions,
    }));
    targets
}

/// Everything within reach that a client may have of us: also where it was written when its settings were elsewhere.
pub(crate) fn targets_ever(
    client: Client,
    places: &ClientPlaces,
    connection: &Connection,
    reach: &Reach,
) -> Vec<Target> {
    let mut all = targets(client, places, connection, reach, None);
    let written = connection.files.keys().chain(&connection.instructions);
    for file in written.chain(reach.named()) {
        let is_target = |target: &Target| is_same(&target.file, file);
        if all.iter().any(is_target) || !reach.covers(file) {
            continue;
        }
        all.extend(Part::in_file(client, file).into_iter().map(|part| Target {
            file: file.clone(),
            part,
        }));
    }
    all
}

/// Whether two paths lead to one file, by whatever names.
fn is_same(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    one == other || real(one).is_some_and(|one| Some(one) == real(other))
}

impl Part {
    /// What of ours may stand in a file of a client, by its name.
    fn in_file(client: Client, file: &Path) -> Vec<Part> {
        if file.ends_with(agents_file::NAME) {
            return vec![Part::Instructions];
        }
        let extension = file.extension().and_then(OsStr::to_str);
        match (client, extension) {
            (Client::Codex, Some("toml")) => vec![Part::Server],
            (Client::Codex, _) => vec![Part::Hooks],
            (Client::OpenCode, Some("js")) => vec![Part::Plugin],
            (Client::OpenCode, _) => vec![Part::Server],
            (Client::ClaudeCode | Client::Gemini, _) => vec![Part::Hooks, Part::Server],
        }
    }

    /// The text with this part in it; `None` is that another's file stands there.
    pub(super) fn installed(
        self,
        text: &str,
        ours: &Ours,
        notes: &mut Notes,
    ) -> Result<Option<String>, Problem> {
        match self {
            Part::Hooks => hooks::installed(text, ours, notes).map(Some),
            Part::Server => server::installed(text, ours, notes).map(Some),
            Part::Plugin if text.is_empty() || plugin::is_ours(text) => {
                Ok(Some(plugin::text(ours)))
            }
            Part::Plugin => Ok(None),
            Part::Instructions => Ok(Some(agents_file::installed(text, notes))),
        }
    }

    /// Takes over what somebody wrote for us by hand.
    pub(super) fn adopt(self, text: &str, ours: &Ours, notes: &mut Notes) -> Result<(), Problem> {
        match self {
            Part::Hooks => hooks::adopt(text, ours, notes),
            Part::Server | Part::Plugin | Part::Instructions => Ok(()),
        }
    }

    /// The text without this part; `None` is that nothing is left of it.
    pub(super) fn removed(
        self,
        text: &str,
        ours: &Ours,
        notes: &Notes,
    ) -> Result<Option<String>, Problem> {
        match self {
            Part::Hooks => hooks::removed(text, ours, notes),
            Part::Server => server::removed(text, ours, notes),
            Part::Plugin if plugin::is_ours(text) => Ok(None),
            Part::Plugin => Ok(Some(text.to_owned())),
            Part::Instructions => Ok(agents_file::removed(text, notes)),
        }
    }

    /// What is not there as it should be, in a few words; `None` is that all is well.
    pub(super) fn lack(self, text: &str, ours: &Ours) -> Result<Option<String>, Problem> {
        Ok(match self {
            Part::Hooks => {
                let missing = hooks::missing(text, ours)?;
                (!missing.is_empty()).then(|| format!("no hook on {}", missing.join(", ")))
            }
            Part::Server => match server::standing(text, ours)? {
                server::Standing::Ours => None,
                server::Standing::Nothing => Some("no MCP server".to_owned()),
                server::Standing::Theirs => {
                    Some("the MCP server `memdir` starts another program".to_owned())
                }
            },
            Part::Plugin if text.is_empty() => Some("the plugin is not there".to_owned()),
            Part::Plugin => (!plugin::is_ours(text)).then(|| "it is not memdir's".to_owned()),
            Part::Instructions => None,
        })
    }

    /// What we make in such a file where nobody has noted it.
    pub(super) fn containers(self, client: Client) -> Vec<String> {
        match self {
            Part::Hooks => hooks::containers(client),
            Part::Server => vec![server::section(client).to_owned()],
            Part::Plugin | Part::Instructions => Vec::new(),
        }
    }
}
