//! The closed sets a memory is sorted into: what it is about, and where it came from.

use std::fmt;

/// What a memory is about. The set is closed; a file may also have no type at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MemoryType {
    /// The person: role, goals, knowledge, preferences.
    User,
    /// How to work: corrections and confirmations.
    Feedback,
    /// Who does what, why and by when: what code and git cannot tell.
    Project,
    /// Where something lives in an outside system.
    Reference,
}

impl MemoryType {
    /// Every type, in the order in which they are shown.
    pub const ALL: [Self; 4] = [Self::User, Self::Feedback, Self::Project, Self::Reference];

    /// The word that stands in a file.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Feedback => "feedback",
            Self::Project => "project",
            Self::Reference => "reference",
        }
    }

    /// Reads the word that stands in a file, in any case and with blanks around it.
    ///
    /// ```
    /// use memdir_memory::MemoryType;
    /// assert_eq!(MemoryType::parse(" Feedback "), Some(MemoryType::Feedback));
    /// assert_eq!(MemoryType::parse("opinion"), None);
    /// ```
    pub fn parse(word: &str) -> Option<Self> {
        let word = word.trim();
        Self::ALL
            .into_iter()
            .find(|kind| word.eq_ignore_ascii_case(kind.as_str()))
    }
}

impl fmt::Display for MemoryType {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.as_str())
    }
}

/// Where a memory came from (`metadata.source`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Source {
    /// The user said so.
    User,
    /// The agent concluded it.
    Agent,
    /// Tool output, files or the web.
    Tool,
    /// Written by rules, without a model.
    Rules,
    /// Brought in from elsewhere.
    Import,
    /// Shared by the team.
    Team,
}

impl Source {
    /// Every source, the most trusted first.
    pub const ALL: [Self; 6] = [
        Self::User,
        Self::Agent,
        Self::Rules,
        Self::Tool,
        Self::Import,
        Self::Team,
    ];

    /// The word that stands in a file.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Agent => "agent",
            Self::Tool => "tool",
            Self::Rules => "rules",
            Self::Import => "import",
            Self::Team => "team",
        }
    }

    /// Reads the word that stands in a file, in any case and with blanks around it.
    pub fn parse(word: &str) -> Option<Self> {
        let word = word.trim();
        Self::ALL
            .into_iter()
            .find(|source| word.eq_ignore_ascii_case(source.as_str()))
    }

    /// Whether a memory of this origin may tell an agent what to do. What came from tools, imports
    /// or the team informs, but never instructs.
    pub const fn may_instruct(self) -> bool {
        matches!(self, Self::User | Self::Agent | Self::Rules)
    }
}

impl fmt::Display for Source {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.as_str())
    }
}

/// Whom the memory of an agent is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AgentScope {
    /// The user, in all projects.
    User,
    /// The project, shared through version control.
    Project,
    /// The project on this machine.
    Local,
}

impl AgentScope {
    /// Every scope, the widest first.
    pub const ALL: [Self; 3] = [Self::User, Self::Project, Self::Local];

    /// The word for it in an agent's frontmatter.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Project => "project",
            Self::Local => "local",
        }
    }

    /// Reads the word, in any case and with blanks around it.
    pub fn parse(word: &str) -> Option<Self> {
        let word = word.trim();
        Self::ALL
            .into_iter()
            .find(|scope| word.eq_ignore_ascii_case(scope.as_str()))
    }
}

impl fmt::Display for AgentScope {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.as_str())
    }
}

macro_rules! serde_as_word {
    ($name:ident, $expected:literal) => {
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let word = std::borrow::Cow::<'de, str>::deserialize(from)?;
                Self::parse(&word).ok_or_else(|| {
                    serde::de::Error::invalid_value(serde::de::Unexpected::Str(&word), &$expected)
                })
            }
        }
    };
}

serde_as_word!(MemoryType, "user, feedback, project or reference");
serde_as_word!(AgentScope, "user, project or local");
serde_as_word!(Source, "user, agent, tool, rules, import or team");
