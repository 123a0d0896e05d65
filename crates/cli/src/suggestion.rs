//! What waits in the inbox: from what a person types to the suggestion that is meant, and what it would change.

use memdir_memory::{MemoryPath, MemoryType, Source, Topic};
use memdir_store::{Accepted, Error, Inbox, Waiting};
use serde::Serialize;

use crate::difference::{Difference, Kind};
use crate::failure::Failure;
use crate::output::{FAINT, Output, STRONG, WARN};
use crate::past::number;
use crate::table::one_line;
use crate::workplace::Workplace;

/// A suggestion, as `--json` prints it.
#[derive(Debug, Serialize)]
pub(crate) struct Suggestion {
    pub(crate) number: u64,
    pub(crate) file: String,
    pub(crate) path: MemoryPath,
    pub(crate) change: Kind,
    pub(crate) r#type: Option<MemoryType>,
    pub(crate) name: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) source: Option<Source>,
    pub(crate) evidence: Option<String>,
    pub(crate) conversation: Option<String>,
    pub(crate) message: Option<String>,
    pub(crate) diff: Option<String>,
    /// Why it cannot be accepted as things are.
    pub(crate) problem: Option<String>,
}

impl Suggestion {
    /// Describes a suggestion and what accepting it would do.
    pub(crate) fn of(workplace: &Workplace, waiting: &Waiting) -> Result<Suggestion, Failure> {
        let planned = match workplace.store.plan_accept(std::slice::from_ref(waiting)) {
            Ok(planned) => Ok(planned.into_iter().next()),
            Err(
                error @ (Error::Conflict { .. }
                | Error::ChangedSince { .. }
                | Error::Accepted { .. }
                | Error::DamagedSuggestion { .. }
                | Error::Secret { .. }
                | Error::NotFound(_)
                | Error::Unknown { .. }),
            ) => Err(error.to_string()),
            Err(error) => return Err(error.into()),
        };
        let topic = waiting.content();
        let header = topic.header();
        let before = waiting.base.is_some() || waiting.removes;
        let accepted = planned.as_ref().ok().and_then(Option::as_ref);
        let difference = accepted.map(difference);
        Ok(Suggestion {
            number: waiting.number,
            file: workplace
                .store
                .inbox()
                .folder()
                .join(waiting.path.as_str())
                .display()
                .to_string(),
            path: accepted
                .map_or(&waiting.target, |accepted| &accepted.path)
                .clone(),
            change: difference
                .as_ref()
                .map_or(Kind::of(before, !waiting.removes), |found| found.change),
            r#type: header.memory_type,
            name: header.name.clone(),
            description: header.description.clone(),
            source: waiting.origin.or(header.source),
            // What the user said of a memory is no word for its removal.
            evidence: topic
                .metadata("evidence")
                .filter(|_| waiting.origin.is_none()),
            conversation: header.origin_session.clone(),
            message: topic.metadata("message"),
            diff: difference.and_then(|difference| difference.diff),
            problem: planned.err(),
        })
    }

    /// One line: number, what would become of which memory, what it says.
    pub(crate) fn headline(&self, output: &mut Output) -> Result<(), Failure> {
        let kind = self.r#type.map(|kind| format!(" ({kind})"));
        let says = self.description.as_ref().or(self.name.as_ref());
        let says = says.map(|says| format!(": \"{}\"", one_line(says)));
        Ok(output.line(format!(
            "#{}  {} {STRONG}{}{STRONG:#}{}{}",
            self.number,
            self.change.sign(),
            self.path,
            kind.unwrap_or_default(),
            says.unwrap_or_default()
        ))?)
    }

    /// Where it came from, and the diff.
    pub(crate) fn whole(&self, output: &mut Output) -> Result<(), Failure> {
        output.line(format!("    {FAINT}{}{FAINT:#}", self.origin()))?;
        if let Some(evidence) = &self.evidence {
            output.line(format!("    you said: \"{}\"", one_line(evidence)))?;
        }
        if let Some(problem) = &self.problem {
            output.line(format!(
                "    {WARN}cannot be accepted as it is{WARN:#}: {problem}"
            ))?;
        }
        if let Some(diff) = &self.diff {
            crate::difference::print_unified(diff, output)?;
        }
        Ok(())
    }

    fn origin(&self) -> String {
        let whose = match self.source {
            Some(Source::User) => "from what you said",
            Some(Source::Rules) => "from what you said, found by the rules",
            Some(Source::Agent) => "concluded by the agent",
            Some(Source::Tool) => "from the output of tools, files or the web",
            Some(Source::Import) => "imported",
            Some(Source::Team) => "from the team",
            None => "of unknown origin",
        };
        let at = self.conversation.as_ref();
        let at = at.map(|conversation| format!(", in the conversation {}", one_line(conversation)));
        format!("{whose}{}", at.unwrap_or_default())
    }
}

/// What accepting would do to the memory.
fn difference(accepted: &Accepted) -> Difference {
    let (before, after) = (accepted.before.as_deref(), accepted.after.as_deref());
    Difference::between(&accepted.path, before, after)
}

/// The suggestions that are meant: by number, by file, or by the memory they are for; those taken out before as well,
/// where `past` says so.
pub(crate) fn chosen(
    inbox: &Inbox,
    names: &[String],
    all: bool,
    past: bool,
) -> Result<Vec<Waiting>, Failure> {
    let waiting = inbox.list()?;
    if all {
        return Ok(waiting);
    }
    let mut chosen: Vec<Waiting> = Vec::new();
    for name in names {
        let mut found = matching(&waiting, name);
        if found.is_empty() && past {
            found = matching(&inbox.past()?, name);
        }
        match found.as_slice() {
            [only] => {
                if !chosen.iter().any(|chosen| chosen.path == only.path) {
                    chosen.push(only.clone());
                }
            }
            [] => {
                return Err(Failure::new(
                    format!("nothing in the inbox is called `{name}`"),
                    "`memdir inbox` shows what waits",
                ));
            }
            several => {
                let names: Vec<&str> = several.iter().map(|one| one.path.stem()).collect();
                return Err(Failure::new(
                    format!("`{name}` could be any of {} suggestions", several.len()),
                    format!("write the number: {}", names.join(", ")),
                ));
            }
        }
    }
    Ok(chosen)
}

fn matching(waiting: &[Waiting], name: &str) -> Vec<Waiting> {
    let called = |one: &&Waiting| match number(name) {
        Some(number) => one.number == number,
        None => names(one).contains(&name),
    };
    waiting.iter().filter(called).cloned().collect()
}

fn names(waiting: &Waiting) -> [&str; 4] {
    let topic: &Topic = &waiting.topic;
    [
        waiting.path.as_str(),
        waiting.path.stem(),
        waiting.target.stem(),
        topic.header().name.as_deref().unwrap_or_default(),
    ]
}
