//! Our MCP server in a client's settings, JSON or TOML.

use serde_json::{Value, json};

use super::jsonc::{Inserted, Problem, Slot, Step, Tree, replaced, without};
use super::notes::Notes;
use super::ours::SERVER;
use super::toml::{Server, Start};
use super::{Client, Ours};

/// What stands under our name.
pub(super) enum Standing {
    Nothing,
    Ours,
    /// Somebody else's server, which has the same name.
    Theirs,
}

/// The key of all servers.
pub(super) fn section(client: Client) -> &'static str {
    match client {
        Client::Codex => "mcp_servers",
        Client::OpenCode => "mcp",
        Client::ClaudeCode | Client::Gemini => "mcpServers",
    }
}

fn toml_server(client: Client) -> Server<'static> {
    Server {
        section: section(client),
        name: SERVER,
    }
}

fn toml_start(ours: &Ours) -> Start {
    Start {
        command: ours.program.clone(),
        arguments: vec!["mcp".to_owned()],
    }
}

fn entry(ours: &Ours) -> Value {
    match ours.client {
        Client::ClaudeCode => json!({"type": "stdio", "command": ours.program, "args": ["mcp"]}),
        Client::OpenCode => json!({
            "type": "local",
            "command": [ours.program, "mcp"],
            "enabled": true,
        }),
        Client::Codex | Client::Gemini => json!({"command": ours.program, "args": ["mcp"]}),
    }
}

/// What stands under our name in a text.
pub(super) fn standing(text: &str, ours: &Ours) -> Result<Standing, Problem> {
    let is_ours = match ours.client {
        Client::Codex => toml_server(ours.client).start(text)?.map(|start| {
            let words: Vec<String> = std::iter::once(start.command)
                .chain(start.arguments)
                .collect();
            ours.owns_start(&words)
        }),
        _ => {
            let value = Tree::parse(text)?.value().unwrap_or_default();
            let server = value
                .get(section(ours.client))
                .and_then(|all| all.get(SERVER));
            server.map(|server| ours.owns_server(server))
        }
    };
    Ok(match is_ours {
        None => Standing::Nothing,
        Some(true) => Standing::Ours,
        Some(false) => Standing::Theirs,
    })
}

/// The text with our server in it. Another one of the same name is left alone.
pub(super) fn installed(text: &str, ours: &Ours, notes: &mut Notes) -> Result<String, Problem> {
    let standing = standing(text, ours)?;
    match (ours.client, standing) {
        (_, Standing::Theirs) => Ok(text.to_owned()),
        (Client::Codex, Standing::Nothing) => {
            let (text, new) = toml_server(ours.client).inserted(text, &toml_start(ours))?;
            notes.add(new);
            Ok(text)
        }
        (Client::Codex, Standing::Ours) => {
            let (server, wanted) = (toml_server(ours.client), toml_start(ours));
            match server.start(text)? {
                Some(start) if start == wanted => Ok(text.to_owned()),
                _ => {
                    let replaced = server.replaced(text, &wanted)?;
                    Ok(replaced.unwrap_or_else(|| text.to_owned()))
                }
            }
        }
        (_, Standing::Nothing) => {
            let slot = Slot::Member(&[section(ours.client), SERVER]);
            let inserted = Inserted::into(text, &slot, &entry(ours))?;
            notes.add(inserted.notes);
            Ok(inserted.text)
        }
        (_, Standing::Ours) => brought_up_to_date(text, ours),
    }
}

/// The program alone is ours to change: what else stands there somebody may have added.
fn brought_up_to_date(text: &str, ours: &Ours) -> Result<String, Problem> {
    let value = Tree::parse(text)?.value().unwrap_or_default();
    let server = value
        .get(section(ours.client))
        .and_then(|all| all.get(SERVER));
    let command = server.and_then(|server| server.get("command")).cloned();
    let wanted = entry(ours).get("command").cloned().unwrap_or_default();
    let path = Step::keys(&[section(ours.client), SERVER, "command"]);
    match command {
        Some(command) if command == wanted => Ok(text.to_owned()),
        _ => replaced(text, &path, &wanted),
    }
}

/// The text without our server; `None` when nothing is left of it.
pub(super) fn removed(text: &str, ours: &Ours, notes: &Notes) -> Result<Option<String>, Problem> {
    match (ours.client, standing(text, ours)?) {
        (_, Standing::Nothing | Standing::Theirs) => Ok(Some(text.to_owned())),
        (Client::Codex, Standing::Ours) => toml_server(ours.client).without(text, notes),
        (_, Standing::Ours) => without(text, &Step::keys(&[section(ours.client), SERVER]), notes),
    }
}
