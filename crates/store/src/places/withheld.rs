//! Variables that a repository puts into our environment, and that no program which we start is to see.

use std::ffi::OsStr;
use std::fmt;

use memdir_settings::Provider;

use super::Places;

/// What is handed on although a file may have set it: such a file could not be read, and nothing of these leads anywhere.
const HARMLESS: [&str; 7] = [
    "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LOGNAME", "TERM", "USER",
];
/// So many are told by name, and so much of each.
const TOLD: usize = 8;
const TOLD_CHARACTERS: usize = 60;

/// What a file that came with the repository names in its `env` block: the client puts it into the environment of everything
/// it starts, and so of everything that we start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Withheld {
    /// The file.
    pub file: String,
    /// Variables of ours. What becomes of them is told on its own.
    pub(super) own: Vec<&'static str>,
    /// All others.
    pub(super) others: Vec<String>,
    /// Whether it may name any other: it could not be read.
    pub(super) is_open: bool,
}

impl Withheld {
    fn has(&self, name: &str) -> bool {
        (self.is_open && !HARMLESS.contains(&name))
            || self.own.contains(&name)
            || self.others.iter().any(|other| other == name)
    }
}

impl fmt::Display for Withheld {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_open {
            return write!(
                formatter,
                "programs that answer for memdir get next to no variables, because {} cannot be read and may set any",
                self.file
            );
        }
        let names = self.others.iter().take(TOLD);
        let names = names.map(|name| name.chars().take(TOLD_CHARACTERS).collect::<String>());
        let names: Vec<String> = names.collect();
        let rest = match self.others.len().saturating_sub(TOLD) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let them = if self.others.len() == 1 { "it" } else { "them" };
        write!(
            formatter,
            "programs that answer for memdir do not get {}{rest}, because {} sets {them}",
            names.join(", "),
            self.file
        )
    }
}

impl Places {
    /// Whether a program that we start must not see a variable: a file of the repository set it, or may have.
    #[must_use]
    pub fn withholds(&self, name: &OsStr) -> bool {
        let name = name.to_string_lossy();
        self.withheld.iter().any(|file| file.has(&name))
    }

    /// What the user should know of it: nothing, where none of their models is a program. What is said of variables of ours
    /// is said elsewhere.
    pub fn withheld_from_models(&self) -> impl Iterator<Item = &Withheld> {
        let models = &self.settings.models().models;
        let is_program = models.iter().any(|model| match model.provider {
            Provider::Anthropic | Provider::OpenAi => false,
            Provider::Claude | Provider::Codex | Provider::Command => true,
        });
        let told = move |file: &&Withheld| is_program && (file.is_open || !file.others.is_empty());
        self.withheld.iter().filter(told)
    }
}
