//! What an audit can find.

use serde::Serialize;

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Level {
    /// Worth knowing.
    Note,
    /// Worth mending; the command fails.
    Warning,
}

/// A kind of fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Kind {
    Secret,
    Hidden,
    Index,
    Unreadable,
    Header,
    NearCopy,
    Expired,
    Large,
    Cut,
    Stale,
    Origin,
    Link,
}

impl Kind {
    /// Every kind, the worst first.
    pub(super) const ALL: [Kind; 12] = [
        Kind::Secret,
        Kind::Hidden,
        Kind::Index,
        Kind::Unreadable,
        Kind::Header,
        Kind::NearCopy,
        Kind::Expired,
        Kind::Large,
        Kind::Cut,
        Kind::Stale,
        Kind::Origin,
        Kind::Link,
    ];

    pub(super) fn title(self) -> &'static str {
        match self {
            Kind::Secret => "secrets",
            Kind::Hidden => "hidden text",
            Kind::Index => "index",
            Kind::Unreadable => "unreadable",
            Kind::Header => "headers",
            Kind::NearCopy => "near-copies",
            Kind::Expired => "expired",
            Kind::Large => "too large",
            Kind::Cut => "cut by recall",
            Kind::Stale => "stale",
            Kind::Origin => "origin",
            Kind::Link => "links",
        }
    }

    /// What to do about it.
    pub(super) fn remedy(self) -> &'static str {
        match self {
            Kind::Secret => {
                "change the secret, then `memdir purge NAME`: `edit` alone leaves it in the history"
            }
            Kind::Hidden => "`memdir show NAME` shows where; `memdir edit NAME` takes it out",
            Kind::Index => "`memdir index --rebuild` mends lines that are dead, missing or double",
            Kind::Unreadable => "`memdir doctor` says what to do",
            Kind::Header => {
                "`memdir edit NAME`; without a description a memory is hardly ever recalled"
            }
            Kind::NearCopy => "keep one: `memdir show` both, then `memdir forget` the other",
            Kind::Expired => "`memdir forget NAME`, or give it another end with `memdir edit NAME`",
            Kind::Large => "a memory is a page at most; move the rest elsewhere and link to it",
            Kind::Cut => "put what matters first, or split it",
            Kind::Stale => "still true? `memdir edit NAME`, or `memdir forget NAME`",
            Kind::Origin => "these inform an agent but never instruct it",
            Kind::Link => "a link to nothing is allowed; it may be a typing mistake",
        }
    }
}

/// One fault and its place.
#[derive(Debug, Serialize)]
pub(super) struct Finding {
    #[serde(skip)]
    pub(super) kind: Kind,
    pub(super) level: Level,
    pub(super) path: String,
    pub(super) line: Option<usize>,
    pub(super) column: Option<usize>,
    pub(super) what: String,
}

/// All that was found.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// How many files were looked at.
    pub(super) files: usize,
    pub(super) all: Vec<Finding>,
}

impl Findings {
    pub(super) fn warn(
        &mut self,
        kind: Kind,
        path: &str,
        line: Option<usize>,
        what: impl ToString,
    ) {
        self.add(kind, Level::Warning, path, line, what);
    }

    pub(super) fn note(
        &mut self,
        kind: Kind,
        path: &str,
        line: Option<usize>,
        what: impl ToString,
    ) {
        self.add(kind, Level::Note, path, line, what);
    }

    pub(super) fn add(
        &mut self,
        kind: Kind,
        level: Level,
        path: &str,
        line: Option<usize>,
        what: impl ToString,
    ) {
        let what = what.to_string();
        self.all.push(Finding {
            kind,
            level,
            path: path.to_owned(),
            line,
            column: None,
            what,
        });
    }
}
