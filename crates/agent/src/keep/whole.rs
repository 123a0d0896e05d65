//! Whole files that a model wrote. Name, description, type and body are taken from them, for these are what is judged; a
//! further key, a comment or the name of the file would reach later requests unjudged.

use memdir_memory::{MemoryPath, MemoryType, NewTopic, Source, Topic, naming, words};
use memdir_store::Found;

use super::apply::Changes;
use super::{Catalogue, Judge, Keeper, Suggestion, Why, less_trusted};
use crate::origin::Claim;

impl Keeper<'_> {
    /// This file, by an author who saw that one.
    pub(super) fn write_topic(
        &self,
        suggestion: &Suggestion,
        (path, seen, topic): (&MemoryPath, Option<&Found>, &Topic),
        judge: Judge<'_>,
        changes: &mut Changes,
    ) -> Result<(), Why> {
        let team = path.as_str().starts_with("team/");
        let topic = self.admitted_topic(topic, team)?;
        let header = topic.header().clone();
        if team && (!self.team || kind_of(&topic) == MemoryType::User) {
            return Err(Why::NotForTeam(path.clone()));
        }
        // A file that was shown has the words that its last author cited, which are none for what is new.
        let cited = suggestion.evidence.as_deref();
        let cited = cited.map(|cited| self.admit(cited, team)).transpose()?;
        let quoted = cited.or_else(|| topic.metadata("evidence"));
        let body = topic.body_text().into_owned();
        let claim = Claim {
            name: header.name.as_deref().unwrap_or_else(|| path.stem()),
            description: header.description.as_deref().unwrap_or_default(),
            body: &body,
            evidence: quoted.as_deref(),
        };
        let source = judge.source(&claim);
        let is_mixed = matches!(judge, Judge::Window(window) if window.mixed_by().is_some());
        let path = match seen {
            None if is_mixed => judged_path(path, &topic, &claim, &changes.catalogue)?,
            _ => path.clone(),
        };
        let marks = self.marks(suggestion, judge.checked(quoted.as_deref()));
        let had = changes
            .catalogue
            .get(&path)
            .and_then(|known| known.header.source);
        let plain = plain(&topic, seen, &claim, source);
        let topic = marks.on(plain, less_trusted(had, source));
        if let Some(seen) = seen {
            changes.saw(&path, seen);
        }
        changes.write(self, suggestion, path, topic, source);
        Ok(())
    }
}

/// The file with what is judged of it, and with nothing else but what was there before.
fn plain(topic: &Topic, seen: Option<&Found>, claim: &Claim<'_>, source: Source) -> Topic {
    let old = seen.map(|seen| Topic::parse(&seen.bytes));
    if let Some(edited) = old.and_then(|old| onto(&old, topic)) {
        return edited;
    }
    let text = Topic::compose(&NewTopic {
        name: claim.name,
        description: claim.description,
        memory_type: kind_of(topic),
        source,
        expires: topic.header().expires,
        metadata: &[],
        body: claim.body,
    });
    Topic::from_bytes(text.into_bytes())
}

/// What a file is about, guessed where it does not say.
fn kind_of(topic: &Topic) -> MemoryType {
    let kind = topic.header().memory_type;
    kind.unwrap_or_else(|| naming::guess(&topic.body_text()).memory_type)
}

/// The memory that there was, or none, as a model wrote it: with its name, description, type and body, and with nothing
/// else but what was there before.
pub(crate) fn rewritten(old: Option<&[u8]>, path: &MemoryPath, new: &Topic) -> Topic {
    let old = old.map(Topic::parse);
    if let Some(edited) = old.and_then(|old| onto(&old, new)) {
        return edited;
    }
    let header = new.header();
    let body = new.body_text();
    let claim = Claim {
        name: header.name.as_deref().unwrap_or_else(|| path.stem()),
        description: header.description.as_deref().unwrap_or_default(),
        body: &body,
        evidence: None,
    };
    plain(new, None, &claim, Source::Agent)
}

/// The memory that there was, with the new name, description, type and body; none where its header cannot be edited.
fn onto(old: &Topic, new: &Topic) -> Option<Topic> {
    let (had, wanted) = (old.header(), new.header());
    let mut topic = old.with_body(new.body());
    if had.name != wanted.name {
        topic = topic.with_name(wanted.name.as_deref()?).ok()?;
    }
    if had.description != wanted.description {
        let description = wanted.description.as_deref()?;
        topic = topic.with_description(description).ok()?;
    }
    match wanted.memory_type {
        Some(kind) if had.memory_type != Some(kind) => topic.with_type(kind).ok(),
        _ => Some(topic),
    }
}

/// The path of a new memory: as its author wants it while that says no more than the memory does, for it stands in the
/// index; else made of the memory's name.
fn judged_path(
    path: &MemoryPath,
    topic: &Topic,
    claim: &Claim<'_>,
    catalogue: &Catalogue,
) -> Result<MemoryPath, Why> {
    let kind = kind_of(topic);
    let spaced = |text: &str| text.replace(|sign: char| !sign.is_alphanumeric(), " ");
    let said = [claim.name, claim.description, claim.body].map(spaced);
    let said = words::terms(&said.join(" "));
    let team = path.as_str().starts_with("team/");
    let beneath = path.as_str().trim_start_matches("team/");
    let stem = beneath.trim_end_matches(".md");
    let stem = stem.strip_prefix(kind.as_str()).unwrap_or(stem);
    match words::terms(&spaced(stem)).is_subset(&said) {
        true => Ok(path.clone()),
        false => catalogue
            .free_path(kind, claim.name, team)
            .map_err(|problem| Why::Name(problem.to_string())),
    }
}
