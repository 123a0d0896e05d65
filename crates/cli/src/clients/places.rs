//! Where the clients keep their settings.

use std::path::{Path, PathBuf};

use memdir_settings::variables;

use super::Client;
use crate::failure::Failure;
use crate::workplace::Workplace;

/// The files of one client that concern us.
#[derive(Debug, Clone)]
pub(crate) struct ClientPlaces {
    /// Where its hooks stand.
    pub(crate) hooks: PathBuf,
    /// Where its MCP servers stand.
    pub(crate) servers: PathBuf,
}

impl ClientPlaces {
    /// Finds them. Variables that a file of the project sets are not believed.
    pub(crate) fn find(client: Client, workplace: &Workplace) -> Result<ClientPlaces, Failure> {
        let places = &workplace.places;
        let value = |name: &str| {
            let value = workplace.environment.value(name).map(PathBuf::from);
            value.filter(|path| path.is_absolute() && !places.ignores_variable(name))
        };
        let user_home = places.user_home.clone().ok_or_else(|| {
            Failure::new(
                "there is no home directory",
                "set HOME to an absolute path; nothing was changed",
            )
        })?;
        Ok(match client {
            Client::ClaudeCode => {
                let chosen = value(variables::CLAUDE_CONFIG_DIR);
                let above = chosen.clone().unwrap_or_else(|| user_home.clone());
                let home = chosen.unwrap_or_else(|| user_home.join(".claude"));
                ClientPlaces {
                    hooks: home.join("settings.json"),
                    servers: above.join(".claude.json"),
                }
            }
            Client::Codex => {
                let home = value(variables::CODEX_HOME).unwrap_or_else(|| user_home.join(".codex"));
                ClientPlaces {
                    hooks: home.join("hooks.json"),
                    servers: home.join("config.toml"),
                }
            }
            Client::Gemini => {
                let above = value(variables::GEMINI_HOME).unwrap_or(user_home);
                let home = above.join(".gemini");
                ClientPlaces {
                    hooks: home.join("settings.json"),
                    servers: home.join("settings.json"),
                }
            }
            Client::OpenCode => {
                let above =
                    value(variables::CONFIG_HOME).unwrap_or_else(|| user_home.join(".config"));
                let home = above.join("opencode");
                ClientPlaces {
                    hooks: home.join("plugins/memdir.js"),
                    servers: opencode_settings(&home),
                }
            }
        })
    }
}

/// opencode takes its settings with and without comments, by the name of the file.
fn opencode_settings(home: &Path) -> PathBuf {
    let with_comments = home.join("opencode.jsonc");
    match with_comments.exists() {
        true => with_comments,
        false => home.join("opencode.json"),
    }
}
