//! The sections of a system prompt: named, in a fixed order, and fixed in their bytes once sent.
//!
//! A provider caches a prompt up to the first byte that differs. So the prompt changes only at `/clear` and compaction;
//! what a per-turn section has to say differently until then goes into a reminder at the end.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::fragment::{block, bounded};
use crate::reminder::Reminder;

/// The most that one section takes, in bytes; a longer one is cut and says so.
pub const SECTION_BYTES: usize = 40_000;

/// Every section, in the order in which they are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SectionName {
    /// How to search memory and transcripts.
    PastContext,
    /// The memory prompt.
    Memory,
    /// Text that the configuration binds to a model.
    ModelOverride,
    /// Folder, git or not, platform, model, start date.
    Environment,
    /// The language to answer in.
    Language,
    /// The manner of answering.
    OutputStyle,
    /// What the servers connected now say about themselves.
    McpInstructions,
    /// The folder for temporary files.
    Scratchpad,
}

/// When a section is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Once, until `/clear` or compaction.
    Cached,
    /// Every turn, for this reason.
    PerTurn(&'static str),
}

/// When the memory section is computed (`memory.refresh`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Refresh {
    /// Once a conversation: the provider's cache stays warm.
    #[default]
    Session,
    /// Every turn.
    Turn,
}

impl SectionName {
    /// Every section, in the order in which they are sent.
    pub const ALL: [Self; 8] = [
        Self::PastContext,
        Self::Memory,
        Self::ModelOverride,
        Self::Environment,
        Self::Language,
        Self::OutputStyle,
        Self::McpInstructions,
        Self::Scratchpad,
    ];

    /// The name as a person reads it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::PastContext => "past-context search",
            Self::Memory => "memory",
            Self::ModelOverride => "model override",
            Self::Environment => "environment",
            Self::Language => "language",
            Self::OutputStyle => "output style",
            Self::McpInstructions => "MCP instructions",
            Self::Scratchpad => "scratchpad",
        }
    }

    /// When it is computed.
    #[must_use]
    pub const fn kind(self, refresh: Refresh) -> Kind {
        match (self, refresh) {
            (Self::Memory, Refresh::Turn) => Kind::PerTurn("the user asked for it every turn"),
            (Self::ModelOverride, _) => Kind::PerTurn("the model can be switched between turns"),
            (Self::OutputStyle, _) => Kind::PerTurn("the style can be switched between turns"),
            (Self::McpInstructions, _) => Kind::PerTurn("servers connect and leave between turns"),
            _ => Kind::Cached,
        }
    }
}

/// Why a prompt is made anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Renewal {
    /// The user cleared the conversation.
    Clear,
    /// The conversation was compacted.
    Compaction,
}

/// What goes into one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turn<'a> {
    /// The sections, in their order; the same bytes until the next renewal.
    pub prompt: &'a str,
    /// What is different from what was sent, for the end of the conversation.
    pub reminder: Option<&'a Reminder>,
}

/// The sections of a conversation, as they are kept from one process to the next.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedSections {
    /// The prompt as it was sent; none where none was.
    pub prompt: Option<String>,
    /// What the model knows of each section, by its name.
    pub told: BTreeMap<String, String>,
}

/// The sections of one conversation.
///
/// ```
/// use memdir_context::{Refresh, SectionName, Sections};
///
/// let mut sections = Sections::new(Refresh::Session);
/// let mut style = "Be brief.";
/// let compute = |name, style: &str| (name == SectionName::OutputStyle).then(|| style.to_owned());
/// let first = sections.turn(|name| compute(name, style)).prompt.to_owned();
/// assert_eq!(first, "Be brief.\n");
///
/// style = "Explain at length.";
/// let turn = sections.turn(|name| compute(name, style));
/// assert_eq!(turn.prompt, first);
/// assert!(turn.reminder.unwrap().body().contains("Explain at length."));
/// ```
#[derive(Debug)]
pub struct Sections {
    refresh: Refresh,
    prompt: Option<String>,
    /// What the model knows of each section, by the prompt or by a reminder after it.
    told: BTreeMap<SectionName, String>,
    reminder: Option<Reminder>,
}

impl Sections {
    /// A conversation to which nothing has been sent.
    #[must_use]
    pub const fn new(refresh: Refresh) -> Self {
        Self {
            refresh,
            prompt: None,
            told: BTreeMap::new(),
            reminder: None,
        }
    }

    /// The prompt and the reminder for a request. `compute` is asked for a section's text: for all of them when the
    /// prompt is made, afterwards only for those that are per turn. No text, or none but blanks: no section.
    pub fn turn(&mut self, mut compute: impl FnMut(SectionName) -> Option<String>) -> Turn<'_> {
        let mut text_of = |name| {
            let text = compute(name).unwrap_or_default();
            let mut text = block(&bounded(text.trim_matches('\n'), SECTION_BYTES));
            text.truncate(text.trim_end().len());
            text
        };
        self.reminder = None;
        if self.prompt.is_none() {
            self.told = SectionName::ALL
                .into_iter()
                .map(|name| (name, text_of(name)))
                .collect();
        } else {
            let mut changes = Vec::new();
            for name in SectionName::ALL {
                if matches!(name.kind(self.refresh), Kind::PerTurn(_)) {
                    let now = text_of(name);
                    let told = self.told.entry(name).or_default();
                    if *told != now {
                        changes.push(change(name, told, &now));
                        *told = now;
                    }
                }
            }
            if !changes.is_empty() {
                self.reminder = Some(Reminder::new(&changes.join("\n\n")));
            }
        }
        let told = &self.told;
        let prompt = self.prompt.get_or_insert_with(|| assembled(told));
        Turn {
            prompt,
            reminder: self.reminder.as_ref(),
        }
    }

    /// The sections that the model knows, in their order, as the last turn left them.
    pub fn parts(&self) -> impl Iterator<Item = (SectionName, &str)> {
        let parts = self.told.iter();
        parts
            .map(|(name, text)| (*name, text.as_str()))
            .filter(|(_, text)| !text.is_empty())
    }

    /// The prompt as it was last sent; none where none was.
    #[must_use]
    pub fn prompt(&self) -> Option<&str> {
        self.prompt.as_deref()
    }

    /// What another process needs to go on with the same bytes.
    #[must_use]
    pub fn saved(&self) -> SavedSections {
        SavedSections {
            prompt: self.prompt.clone(),
            told: self
                .told
                .iter()
                .map(|(name, text)| (name.as_str().to_owned(), text.clone()))
                .collect(),
        }
    }

    /// The sections of a conversation that another process began.
    #[must_use]
    pub fn resumed(refresh: Refresh, saved: SavedSections) -> Self {
        let told = SectionName::ALL.into_iter().filter_map(|name| {
            let text = saved.told.get(name.as_str())?;
            Some((name, text.clone()))
        });
        Self {
            refresh,
            told: told.collect(),
            prompt: saved.prompt,
            reminder: None,
        }
    }

    /// From the next turn on everything is computed anew, whatever the reason.
    pub fn renew(&mut self, reason: Renewal) {
        match reason {
            Renewal::Clear | Renewal::Compaction => *self = Self::new(self.refresh),
        }
    }
}

fn assembled(told: &BTreeMap<SectionName, String>) -> String {
    let texts: Vec<&str> = told
        .values()
        .map(String::as_str)
        .filter(|text| !text.is_empty())
        .collect();
    match texts.is_empty() {
        true => String::new(),
        false => format!("{}\n", texts.join("\n\n")),
    }
}

/// What became of a section: gone, new, or with other lines in one place.
fn change(name: SectionName, told: &str, now: &str) -> String {
    let name = name.as_str();
    if now.is_empty() {
        return format!("The section \"{name}\" no longer applies.");
    }
    if told.is_empty() {
        return format!("There is a new section \"{name}\":\n\n{now}");
    }
    let (old, new): (Vec<&str>, Vec<&str>) = (told.lines().collect(), now.lines().collect());
    let before = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let after = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take(old.len().min(new.len()) - before)
        .take_while(|(a, b)| a == b)
        .count();
    if before + after == 0 {
        return format!("The section \"{name}\" has changed. It now reads:\n\n{now}");
    }
    let between = |lines: &[&str]| {
        let kept = lines.len() - before - after;
        let lines: Vec<&str> = lines.iter().skip(before).take(kept).copied().collect();
        lines.join("\n")
    };
    let mut text = format!("The section \"{name}\" has changed; the rest of it still holds.");
    for (what, lines) in [("No longer there", between(&old)), ("New", between(&new))] {
        if !lines.trim().is_empty() {
            text.push_str(&format!("\n\n{what}:\n\n{lines}"));
        }
    }
    text
}
