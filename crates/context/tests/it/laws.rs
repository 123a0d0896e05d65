//! What holds for every graph of includes.

use std::collections::BTreeSet;

use memdir_context::instructions::Asker;
use proptest::prelude::*;

use crate::disk::{Disk, sources};

/// A project whose files include each other as the edges say; file 0 is `CLAUDE.md`.
fn project(edges: &[Vec<usize>]) -> Disk {
    edges
        .iter()
        .enumerate()
        .fold(Disk::new(), |disk, (number, targets)| {
            let text: String = targets
                .iter()
                .map(|to| format!("@{}\n", name(*to)))
                .collect();
            disk.file(format!("/p/{}", name(number)), text)
        })
}

fn name(number: usize) -> String {
    match number {
        0 => "CLAUDE.md".to_owned(),
        _ => format!("{number}.md"),
    }
}

/// Searches, and checks the laws: it ends, each file once, nothing asked for twice, at most five deep.
fn check(disk: &Disk) -> usize {
    let (found, asked) = disk.search(sources());
    let distinct: BTreeSet<_> = asked.iter().collect();
    assert_eq!(distinct.len(), asked.len(), "nothing is asked for twice");
    let paths: BTreeSet<_> = found.files.iter().map(|file| &file.path).collect();
    assert_eq!(paths.len(), found.files.len(), "each file once");
    for file in &found.files {
        let mut depth = 0;
        let mut asker = &file.asker;
        while let Asker::Include { file, .. } = asker {
            depth += 1;
            assert!(depth <= 5, "at most five deep");
            asker = &found
                .files
                .iter()
                .find(|other| other.path == *file)
                .unwrap()
                .asker;
        }
    }
    found.files.len()
}

proptest! {
    #[test]
    fn includes_always_terminate_and_each_file_is_loaded_at_most_once(
        edges in prop::collection::vec(prop::collection::vec(0..40_usize, 0..8), 1..40)
    ) {
        check(&project(&edges));
    }

    #[test]
    fn any_text_at_all_terminates(text in "(@|\\./|~/|/|\\.\\.|`|```|\n|<!--|-->|a|CLAUDE\\.md|x\\.md| |\\\\|é|---|\\*|\t){0,60}") {
        let disk = Disk::new().file("/p/CLAUDE.md", &text).file("/p/x.md", &text);
        check(&disk.file("/p/.claude/rules/r.md", &text));
    }

    #[test]
    fn no_reminder_tag_survives(text in "(<|/|s|system-reminder|SYSTEM-REMINDER|>| |\n|&lt;|é){0,40}") {
        let escaped = memdir_context::escaped(&text);
        let squeezed: String = escaped
            .to_lowercase()
            .chars()
            .filter(|c| !c.is_whitespace() && *c != '/')
            .collect();
        prop_assert!(!squeezed.contains("<system-reminder"));
        prop_assert_eq!(escaped.replace("&lt;", "<"), text.replace("&lt;", "<"));
        prop_assert_eq!(memdir_context::escaped(&escaped), escaped.as_ref());
    }
}

#[test]
fn a_file_that_includes_itself() {
    assert_eq!(check(&project(&[vec![0, 0]])), 1);
}

#[test]
fn two_files_that_include_each_other() {
    assert_eq!(check(&project(&[vec![1], vec![0]])), 2);
}

#[test]
fn a_cycle_of_a_thousand_files() {
    let edges: Vec<Vec<usize>> = (0..1_000).map(|n| vec![(n + 1) % 1_000]).collect();
    assert_eq!(check(&project(&edges)), 6, "the file and five includes");
    // Within reach all at once, and every one leads on.
    let mut edges = edges;
    edges[0] = (0..1_000).collect();
    assert_eq!(check(&project(&edges)), 1_000);
}

#[test]
fn a_diamond_with_two_to_the_thirtieth_ways() {
    // Thirty layers of two files; each includes both of the next layer. The first includes all, so that depth is no help.
    let mut edges: Vec<Vec<usize>> = vec![(1..=60).collect()];
    for layer in 0..30 {
        let next = 2 * layer + 3;
        let targets = if layer < 29 {
            vec![next, next + 1]
        } else {
            vec![]
        };
        edges.extend([targets.clone(), targets]);
    }
    assert_eq!(check(&project(&edges)), 61);
    edges[0] = vec![1, 2];
    assert_eq!(check(&project(&edges)), 11, "five layers of it");
}
