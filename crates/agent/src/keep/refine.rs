//! A memory that is nearly the same is brought up to date instead of getting a twin.

use std::collections::HashSet;

use memdir_memory::draft::Draft;
use memdir_memory::{Source, Topic, naming, words};

use super::{Catalogue, Known, Near};

/// From this likeness on two statements are about the same.
const SAME: f64 = 0.75;
/// What is taken back shares fewer words: "always" became "never".
const OPPOSED: f64 = 0.6;

/// What becomes of a draft beside the memory that is nearest to it.
pub(super) enum Fate<'a> {
    /// That memory says as much, in other words.
    Known(&'a Known),
    /// It goes into that memory; whether that says the opposite by now.
    Into(&'a Known, bool),
}

/// Whether a draft belongs to the nearest memory. Where each has a word that the other lacks they are about two things:
/// "tabs in Go" and "tabs in Python".
pub(super) fn fate<'a>(
    catalogue: &'a Catalogue,
    near: &Near<'_>,
    draft: &Draft,
    team: bool,
) -> Option<Fate<'a>> {
    let known = catalogue.get(near.path)?;
    let kind = known.header.memory_type;
    let least = if near.opposed { OPPOSED } else { SAME };
    let alike = near.likeness >= least && kind.is_none_or(|kind| kind == draft.memory_type);
    let shared = known.path.as_str().starts_with("team/");
    // What somebody else said is theirs; the user's own memory stands beside it.
    let own = known.header.source.is_none_or(Source::may_instruct);
    if !alike || shared != team || !own || known.bytes.is_empty() {
        return None;
    }
    let (told, wanted) = (matter(known.line()?), matter(&draft.body));
    match (told.is_subset(&wanted), wanted.is_subset(&told)) {
        (true, _) | (_, true) if near.opposed => Some(Fate::Into(known, true)),
        (true, _) => Some(Fate::Into(known, false)),
        (false, true) => Some(Fate::Known(known)),
        (false, false) => None,
    }
}

/// What a statement is about, whether it is for or against it.
fn matter(text: &str) -> HashSet<String> {
    let mut terms = words::terms(text);
    for word in words::terms("always never dont not stop avoid no please only must should") {
        terms.remove(&word);
    }
    terms
}

/// The memory with what the draft says: in place of what it says better or takes back, else behind the rest.
pub(super) fn refined(topic: &Topic, draft: &Draft, opposed: bool) -> Topic {
    let wanted = words::terms(&draft.body);
    let is_replaced = |paragraph: &str| {
        let told = words::terms(paragraph);
        let likeness = words::overlap(&told, &wanted);
        let denied = words::negation_differs(paragraph, &draft.body);
        match opposed {
            true => denied && likeness >= OPPOSED,
            false => !denied && likeness >= SAME && told.is_subset(&wanted),
        }
    };
    let body = topic.body_text();
    let mut paragraphs: Vec<&str> = body.split("\n\n").collect();
    let Some(first) = paragraphs.iter().position(|one| is_replaced(one)) else {
        return topic.with_paragraph(&draft.body);
    };
    let mut place = 0;
    paragraphs.retain(|one| {
        let kept = place <= first || !is_replaced(one);
        place += 1;
        kept
    });
    let end = if first + 1 == paragraphs.len() {
        "\n"
    } else {
        ""
    };
    let new = format!("{}{end}", draft.body.trim());
    let old = std::mem::replace(paragraphs.get_mut(first).unwrap_or(&mut ""), &new);
    let changed = topic.with_body(paragraphs.join("\n\n").as_bytes());
    let described = changed.with_description(&draft.description);
    let changed = described.unwrap_or(changed);
    // A name made of words that no longer hold would say the opposite.
    match topic.header().name.as_deref() == Some(&*naming::guess(old).name) {
        true => changed.with_name(&draft.name).unwrap_or(changed),
        false => changed,
    }
}
