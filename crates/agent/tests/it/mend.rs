//! Mending without a model.

mod corpus;
mod directory;
mod laws;
mod listing;
mod scenes;

use std::collections::{BTreeMap, BTreeSet};

use jiff::tz::TimeZone;
use memdir_agent::mend::{After, mend};
use memdir_memory::{Index, MemoryPath};

use corpus::{Role, applied, file, read};

/// What becomes of the copies in a text of samples.
struct Found {
    /// How many there are, and how many were merged.
    all: usize,
    merged: usize,
    /// What was merged and is no copy.
    wrong: Vec<String>,
    missed: Vec<String>,
}

fn found(text: &str) -> Found {
    let samples = read(text);
    let files = samples
        .iter()
        .enumerate()
        .map(|(at, sample)| (sample.path(), file(sample.text(), at as i64)))
        .collect::<BTreeMap<_, _>>();
    assert_eq!(files.len(), samples.len());
    let by_path: BTreeMap<_, _> = samples.iter().map(|one| (one.path(), one)).collect();
    let mended = mend(&files, &TimeZone::UTC);
    let (mut merged, mut wrong) = (BTreeSet::new(), Vec::new());
    for (path, after) in &mended.changes {
        if let After::Removed { into } = after {
            let (from, into) = (by_path[path], by_path[into.as_ref().unwrap()]);
            let is_opposed = from.role == Role::Opposed || into.role == Role::Opposed;
            match from.group == into.group && !is_opposed {
                true => drop(merged.insert(path.clone())),
                false => wrong.push(format!("{} -> {}", from.name, into.name)),
            }
        }
    }
    let copies = samples.iter().filter(|one| one.role == Role::Again);
    let missed = copies.clone().filter(|copy| !merged.contains(&copy.path()));
    Found {
        all: copies.clone().count(),
        merged: merged.len(),
        wrong,
        missed: missed.map(|copy| copy.name.clone()).collect(),
    }
}

#[test]
fn scratch_third() {
    let found = found(include_str!("mend/third.txt"));
    panic!(
        "{} of {}: missed {:?}, wrong {:?}",
        found.merged, found.all, found.missed, found.wrong
    );
}

#[test]
fn copies_in_other_words() {
    for (text, least) in [
        (include_str!("mend/first.txt"), 27),
        (include_str!("mend/second.txt"), 23),
    ] {
        let found = found(text);
        assert_eq!(found.wrong, Vec::<String>::new());
        assert!(
            found.merged >= least,
            "{} of {}: {:?}",
            found.merged,
            found.all,
            found.missed
        );
    }
}

#[test]
fn a_directory_of_three_hundred() {
    for seed in 1..=3 {
        let directory = directory::make(seed);
        let mended = mend(&directory.files, &TimeZone::UTC);
        let after = applied(&directory.files, &mended);

        // Copies: all that are exact, most that are not, and nothing else.
        let twin = |path: &MemoryPath| {
            let of = directory.near.get(path).or(directory.exact.get(path));
            of.unwrap_or(path).clone()
        };
        let (mut near, mut exact) = (BTreeSet::new(), BTreeSet::new());
        for (path, change) in &mended.changes {
            let After::Removed { into } = change else {
                continue;
            };
            let into = into.as_ref().unwrap();
            assert_eq!(
                twin(path),
                twin(into),
                "seed {seed}: {path} went into {into}"
            );
            assert!(!directory.opposed.contains(path) && !directory.opposed.contains(into));
            // Which of the two is left is a matter of age.
            let copies = |of: &BTreeMap<MemoryPath, MemoryPath>| {
                [path, into]
                    .into_iter()
                    .find(|path| of.contains_key(path))
                    .cloned()
            };
            near.extend(copies(&directory.near));
            exact.extend(copies(&directory.exact));
        }
        assert_eq!(exact.len(), directory.exact.len(), "seed {seed}");
        let missed: Vec<_> = directory
            .near
            .keys()
            .filter(|path| !near.contains(path))
            .collect();
        assert!(
            near.len() * 100 >= 80 * directory.near.len(),
            "seed {seed}: {missed:?}"
        );

        // Statements: none is gone, but for its date.
        let left = listing::statements(&after);
        for (path, before) in &directory.files {
            if path.is_index() || directory.dated.contains_key(path) {
                continue;
            }
            for statement in listing::of_file(&before.text) {
                assert!(
                    left.contains(&statement),
                    "seed {seed}: {path}: {statement}"
                );
            }
        }
        for hook in &directory.hooks {
            assert!(left.contains(&listing::plain(hook)), "seed {seed}: {hook}");
        }
        for (path, (words, day)) in &directory.dated {
            let text = String::from_utf8_lossy(&after[path].text);
            assert!(
                text.contains(&day.to_string()) && !text.contains(words),
                "{text}"
            );
        }

        // The index.
        let index = &after[&MemoryPath::new("MEMORY.md").unwrap()].text;
        let loaded = memdir_memory::index::load(index);
        assert_eq!(loaded.warning, None);
        assert!(
            loaded
                .text
                .starts_with("# What we know\n\nMine: do not sort.\n\n")
        );
        for entry in Index::parse(index).entries() {
            assert!(
                after.contains_key(&entry.path().unwrap()),
                "{}",
                entry.target
            );
        }
        assert_eq!(loaded.lines, 200);

        // Nothing becomes younger, and mending it again changes nothing.
        for (path, before) in &after {
            let known = directory.files.get(path);
            assert!(
                path.is_index() || known.is_some_and(|known| known.modified == before.modified)
            );
        }
        assert_eq!(
            mend(&after, &TimeZone::UTC).changes,
            BTreeMap::new(),
            "seed {seed}"
        );
    }
}
