//! Forgetting: the one memory that is meant, and none where that is not clear.

use std::collections::HashSet;

use jiff::civil::Date;
use memdir_memory::{MemoryPath, Source, words};

use super::apply::{Changes, nanoseconds};
use super::{Catalogue, Judge, Keeper, Known, Suggestion, Why};
use crate::origin::{Claim, Window};
use crate::rules::{Act, wishes};

/// In a longer message no wish to forget is looked for: it was pasted.
const LONGEST: usize = 20_000;

/// Words of a wish to forget that say nothing about what.
const ABOUT_MEMORY: &str = "rule rules preference convention note notes memory memories instruction thing things told said saved know remember \
                            remembered entry fact policy guideline old forget anything everything 关于 规则 记忆 之前 那条 说的 这条 偏好";

impl Keeper<'_> {
    /// The one memory goes that says this.
    pub(super) fn forget(
        &self,
        suggestion: &Suggestion,
        text: &str,
        judge: Judge<'_>,
        changes: &mut Changes,
    ) -> Result<(), Why> {
        let known = meant(&changes.catalogue, text).ok_or(Why::Unclear)?;
        let path = known.path.clone();
        self.remove(suggestion, &path, judge, changes)
    }

    /// This memory goes.
    pub(super) fn remove(
        &self,
        suggestion: &Suggestion,
        path: &MemoryPath,
        judge: Judge<'_>,
        changes: &mut Changes,
    ) -> Result<(), Why> {
        let Some(known) = changes.catalogue.get(path) else {
            return Err(Why::Unclear);
        };
        if known.is_shared() && !self.team {
            return Err(Why::NotForTeam(path.clone()));
        }
        // A wish of last year is not about what was written since.
        if nanoseconds(suggestion.said).is_some_and(|said| said < known.mtime) {
            return Err(Why::Newer(path.clone()));
        }
        let evidence = suggestion.evidence.as_deref();
        let source = match judge {
            Judge::Rules => Source::Rules,
            Judge::Window(window) if window.mixed_by().is_some() => {
                match asks_for(
                    window,
                    evidence.unwrap_or_default(),
                    known,
                    &changes.catalogue,
                ) {
                    true => Source::User,
                    false => Source::Tool,
                }
            }
            // Nothing is written, so only the wish itself can be the user's.
            Judge::Window(window) => window.origin(&Claim {
                name: "",
                description: "",
                body: evidence.unwrap_or_default(),
                evidence,
            }),
        };
        changes.drop_memory(self, path, source);
        Ok(())
    }
}

/// The one memory that says this; none where several do. A single word that it only mentions is not what it says.
fn meant<'a>(catalogue: &'a Catalogue, text: &str) -> Option<&'a Known> {
    let wanted = wanted(text);
    let says = |known: &Known| match wanted.len() {
        0 => false,
        1 => wanted.is_subset(&known.named()),
        _ => wanted.is_subset(known.whole()),
    };
    let mut meant = catalogue.memories().iter().filter(|known| says(known));
    match (meant.next(), meant.next()) {
        (Some(known), None) => Some(known),
        _ => None,
    }
}

/// Whether a message that is cited is itself the wish to forget this memory. Any word of the user's can be quoted for a
/// removal that a page asked for.
fn asks_for(window: &Window, evidence: &str, known: &Known, catalogue: &Catalogue) -> bool {
    let is_meant = |text: &str| meant(catalogue, text).is_some_and(|one| one.path == known.path);
    window
        .cited(evidence)
        .filter(|typed| typed.len() <= LONGEST)
        // The day is of no matter for what is to be forgotten.
        .flat_map(|typed| wishes(typed, Date::default()))
        .any(|wish| wish.act == Act::Forget && is_meant(&wish.text))
}

fn wanted(text: &str) -> HashSet<String> {
    let mut wanted = words::terms(text);
    for word in words::terms(ABOUT_MEMORY) {
        wanted.remove(&word);
    }
    wanted
}
