//! What must hold after a fault, whatever it was.

use anyhow::Result;
use memdir_testkit::tree::{Node, Tree};

use super::scene::is_topic;
use super::verbs::{Staged, Verb, operations};

/// A memory that is added after a fault, to see that life goes on.
const NEXT_MEMORY: &str = "After the fault the next memory is kept like any other";

/// Every file is the old or the new one, and whole; none is missing that was in both.
pub(super) fn old_or_new(staged: &Staged) -> Result<Vec<String>> {
    let now = staged.scene.tree()?;
    let mut broken = Vec::new();
    for (path, node) in &now {
        let known = [&staged.before, &staged.after]
            .iter()
            .any(|tree| tree.get(path) == Some(node));
        if !known && *node != Node::Folder {
            broken.push(format!("{path} is neither the old nor the new file"));
        }
    }
    for path in staged.before.keys() {
        if staged.after.contains_key(path) && !now.contains_key(path) {
            broken.push(format!("{path} is gone"));
        }
    }
    if staged.scene.outside_touched()? {
        broken.push("something outside the memory directory changed".to_owned());
    }
    Ok(broken)
}

/// The change that was reported stands in the files and in the history.
pub(super) fn reported_is_true(staged: &Staged) -> Result<Vec<String>> {
    let mut broken = Vec::new();
    if staged.scene.tree()? != staged.after {
        broken.push("the change was reported but does not stand in the files".to_owned());
    }
    let listed = operations(&staged.scene)?;
    if listed < staged.operations {
        broken.push("the change was reported but does not stand in the history".to_owned());
    }
    Ok(broken)
}

/// The next commands work by themselves, and leave no trace of the fault behind.
pub(super) fn life_goes_on(verb: &Verb, staged: &Staged) -> Result<Vec<String>> {
    let scene = &staged.scene;
    let mut broken = Vec::new();
    let mut try_to = |words: &[&str]| -> Result<()> {
        let outcome = scene.program(words).run()?;
        if !outcome.success() {
            broken.push(format!(
                "afterwards `memdir {}` fails: {outcome}",
                words.join(" ")
            ));
        }
        Ok(())
    };
    try_to(&["status"])?;
    if verb.mends() {
        try_to(&["index", "--rebuild"])?;
    }
    try_to(&["remember", NEXT_MEMORY, "--type", "project"])?;
    try_to(&["index", "--check"])?;
    try_to(&["history", "--json"])?;
    try_to(&["doctor"])?;

    let now = scene.tree()?;
    if ![&staged.before, &staged.after]
        .iter()
        .any(|tree| same_topics(&now, tree))
    {
        broken.push("afterwards the operation is half done".to_owned());
    }
    if let Some(words) = verb.locks() {
        let outcome = scene.program(words).run()?;
        if !outcome.success() || !same_topics(&scene.tree()?, &staged.after) {
            broken.push(format!("afterwards it cannot be done: {outcome}"));
        }
    }
    let left = scene.temporaries()?;
    if !left.is_empty() {
        broken.push("afterwards a temporary file is left over".to_owned());
    }
    if scene.outside_touched()? {
        broken.push("something outside the memory directory changed".to_owned());
    }
    Ok(broken)
}

/// Whether the topic files are those of the expected tree, beside the one that was added to see.
fn same_topics(now: &Tree, expected: &Tree) -> bool {
    let added = |node: &Node| match node {
        Node::File(bytes) => String::from_utf8_lossy(bytes).contains(NEXT_MEMORY),
        _ => false,
    };
    let topics = |tree: &'_ Tree| -> Vec<(String, Node)> {
        tree.iter()
            .filter(|(path, node)| is_topic(path) && !added(node))
            .map(|(path, node)| (path.clone(), node.clone()))
            .collect()
    };
    topics(now) == topics(expected)
}
