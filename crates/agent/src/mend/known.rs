//! A memory as it is compared: its statements, what they mean, and how old it is.

use std::collections::HashMap;

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use memdir_memory::{Header, MemoryPath, Topic, TopicProblem};

use super::meaning::{Lexicon, Meaning};
use super::statements::{Statement, Statements};

/// The folder of the team's memories, which are never merged with one's own.
pub(super) const TEAM: &str = "team/";
/// The folder of daily logs, which are only ever appended to.
pub(super) const LOGS: &str = "logs/";

/// A memory that is compared with others.
#[derive(Debug, Clone)]
pub(super) struct Known {
    pub(super) path: MemoryPath,
    pub(super) topic: Topic,
    pub(super) written: Timestamp,
    pub(super) statements: Statements,
    /// The statements as they are compared.
    pub(super) cut: Vec<Statement>,
    /// What each of these means.
    pub(super) meanings: Vec<Meaning>,
    /// What the statements mean that are compared in more than one part.
    pub(super) whole: Vec<(usize, Meaning)>,
    /// Every content word and value of it, sorted.
    pub(super) terms: Vec<u32>,
}

impl Known {
    pub(super) fn new(
        path: &MemoryPath,
        topic: Topic,
        written: Timestamp,
        lexicon: &mut Lexicon,
    ) -> Self {
        let statements = Statements::of(&topic);
        let cut = statements.cut();
        let meanings: Vec<Meaning> = cut
            .iter()
            .map(|statement| lexicon.meaning(statement))
            .collect();
        let parts = |number: usize| cut.iter().filter(|part| part.number == number).count();
        let whole = statements
            .all
            .iter()
            .filter(|statement| statement.text.contains([';', '；']) && parts(statement.number) > 1)
            .map(|statement| (statement.number, lexicon.meaning(statement)))
            .collect();
        let mut terms: Vec<u32> = meanings
            .iter()
            .flat_map(|meaning| meaning.content.iter().chain(&meaning.values).copied())
            .collect();
        terms.sort_unstable();
        terms.dedup();
        Self {
            path: path.clone(),
            topic,
            written,
            statements,
            cut,
            meanings,
            whole,
            terms,
        }
    }

    pub(super) fn is_team(&self) -> bool {
        self.path.as_str().starts_with(TEAM)
    }
}

impl Statements {
    /// The statements of a topic file.
    pub(super) fn of(topic: &Topic) -> Self {
        Self::read(topic.header().description.as_deref(), &topic.body_text())
    }
}

/// Whether a file is a memory, and not an index, a log or something else.
pub(super) fn is_memory(path: &MemoryPath) -> bool {
    !path.is_index() && !path.as_str().starts_with(LOGS)
}

/// Why a file is left as it is; none for one that may be changed.
pub(super) fn problem(topic: &Topic) -> Option<TopicProblem> {
    topic.problems().into_iter().find(|problem| {
        matches!(
            problem,
            TopicProblem::NotText { .. }
                | TopicProblem::Nul { .. }
                | TopicProblem::NotClosed
                | TopicProblem::LongHeader
        )
    })
}

/// When a memory was written: as its header says, else as its file does.
pub(super) fn written(header: &Header, modified: Timestamp, zone: &TimeZone) -> Timestamp {
    let said = header.modified.as_deref().map(str::trim);
    said.and_then(|said| {
        let moment: Option<Timestamp> = said.parse().ok();
        let local = || said.parse::<DateTime>().ok();
        let day = || said.parse::<Date>().ok().map(|day| day.at(12, 0, 0, 0));
        moment.or_else(|| {
            let at = local().or_else(day)?;
            Some(at.to_zoned(zone.clone()).ok()?.timestamp())
        })
    })
    .unwrap_or(modified)
}

/// How many memories say each statement, so that what many say is no sign of a copy.
pub(super) fn frequencies(memories: &[Known]) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for memory in memories {
        let mut own: Vec<&str> = memory
            .cut
            .iter()
            .map(|statement| statement.plain.as_str())
            .collect();
        own.sort_unstable();
        own.dedup();
        for plain in own {
            *counts.entry(plain.to_owned()).or_insert(0) += 1;
        }
    }
    counts
}
