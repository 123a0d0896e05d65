//! The clients, as their makers publish them, each of one version.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

/// Package and version.
const PACKAGES: [(&str, &str); 4] = [
    ("@anthropic-ai/claude-code", "2.1.325"),
    ("@openai/codex", "0.166.0"),
    ("@google/gemini-cli", "0.61.0"),
    ("opencode-ai", "1.18.33"),
];

/// The installed clients.
pub(super) struct Clients {
    pub(super) folder: PathBuf,
}

impl Clients {
    /// Those in a folder.
    pub(super) fn at(folder: &Path) -> Clients {
        Clients {
            folder: folder.to_owned(),
        }
    }

    /// Installs what is not there yet. An error is the reason why that is not possible.
    pub(super) fn install(folder: &Path) -> Result<Clients> {
        let clients = Clients::at(folder);
        let missing: Vec<String> = PACKAGES
            .iter()
            .filter(|(package, version)| clients.version(package).as_deref() != Some(version))
            .map(|(package, version)| format!("{package}@{version}"))
            .collect();
        if missing.is_empty() {
            return Ok(clients);
        }
        fs::create_dir_all(folder)?;
        println!("installing {} …", missing.join(", "));
        let output = Command::new("npm")
            .current_dir(folder)
            .args([
                "install",
                "--prefix",
                ".",
                "--no-audit",
                "--no-fund",
                "--loglevel=error",
            ])
            .args(&missing)
            .output()
            .context("npm is not there")?;
        ensure!(
            output.status.success(),
            "npm cannot install the clients: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        );
        Ok(clients)
    }

    fn version(&self, package: &str) -> Option<String> {
        let file = self
            .folder
            .join("node_modules")
            .join(package)
            .join("package.json");
        let about: Value = serde_json::from_slice(&fs::read(file).ok()?).ok()?;
        Some(about.get("version")?.as_str()?.to_owned())
    }

    /// A client's program.
    pub(super) fn program(&self, name: &str) -> PathBuf {
        self.folder.join("node_modules/.bin").join(name)
    }
}
