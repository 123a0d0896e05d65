//! Forgetting: the one memory that is meant, and none where that is not clear.

use std::collections::HashSet;

use memdir_memory::{MemoryPath, Source, words};

use super::apply::{Changes, nanoseconds};
use super::{Judge, Keeper, Suggestion, Why};
use crate::origin::Claim;

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
        let wanted = wanted(text);
        let memories = changes.catalogue.memories();
        let mut meant = memories
            .iter()
            .filter(|known| !wanted.is_empty() && wanted.is_subset(known.whole()));
        let (Some(known), None) = (meant.next(), meant.next()) else {
            return Err(Why::Unclear);
        };
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
        // A wish of last year is not about what was written since.
        if nanoseconds(suggestion.said).is_some_and(|said| said < known.mtime) {
            return Err(Why::Newer(path.clone()));
        }
        let evidence = suggestion.evidence.as_deref();
        let source = match judge {
            Judge::Rules => Source::Rules,
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

fn wanted(text: &str) -> HashSet<String> {
    let mut wanted = words::terms(text);
    for word in words::terms(ABOUT_MEMORY) {
        wanted.remove(&word);
    }
    wanted
}
