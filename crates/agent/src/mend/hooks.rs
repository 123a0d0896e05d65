//! Whether a memory says what its line in the index says.

use memdir_memory::{Topic, words};

use super::blocks::sentences;

/// Whether a memory says a text. One that a cut has left a part of is looked for as far as it goes.
pub(super) fn is_said(topic: &Topic, text: &str) -> bool {
    let body = topic.body_text();
    let header = topic.header();
    let places = [
        header.description.as_deref().unwrap_or_default(),
        header.name.as_deref().unwrap_or_default(),
        &body,
    ];
    let head = text
        .trim()
        .trim_end_matches('…')
        .trim_end_matches("...")
        .trim();
    let is_cut = head.len() < text.trim().len();
    let wanted = words::tokens(head);
    if wanted.is_empty() || body.lines().any(|line| line.trim() == text.trim()) {
        return true;
    }
    let says = |text: &str| places.iter().any(|place| words::already_says(place, text));
    if is_cut {
        let follow = |place: &&str| {
            let tokens = words::tokens(place);
            tokens.windows(wanted.len()).any(|window| window == wanted)
        };
        return places.iter().any(follow);
    }
    says(text) || sentences(text).into_iter().all(says)
}

/// Whether a title is a name for its memory: not more than a word of it is nowhere else.
pub(super) fn title_is_known(topic: &Topic, title: &str) -> bool {
    let header = topic.header();
    let name = header.name.as_deref().unwrap_or_default();
    let known = [
        name.replace(['-', '_'], " "),
        header.description.clone().unwrap_or_default(),
        topic.body_text().into_owned(),
    ]
    .join("\n");
    let known = words::terms(&known);
    let lacks = |term: &&String| !known.contains(*term) && !words::is_function_word(term);
    let terms = words::terms(&title.replace(['-', '_'], " "));
    terms.iter().filter(lacks).count() < 2
}
