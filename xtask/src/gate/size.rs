//! Files stay small enough to be read in one go.

use super::{Finding, Source};

/// Past this many lines a file is refused.
const LIMIT: usize = 500;
/// Past this many lines a file is worth a look.
const COMFORT: usize = 400;

/// Files that are one long table, and why each may be long.
const TABLES: &[(&str, &str)] = &[];

pub(super) fn check(sources: &[Source]) -> Vec<Finding> {
    let long = sources.iter().filter_map(|source| {
        let lines = measured(source)?;
        (lines > LIMIT).then(|| Finding {
            place: source.path.clone(),
            what: format!("{lines} lines, over the limit of {LIMIT}"),
            remedy: "look for the second idea in it and give that a file of its own",
        })
    });
    let gone = TABLES.iter().filter_map(|(path, _)| {
        let there = sources.iter().any(|source| source.path == *path);
        (!there).then(|| Finding {
            place: (*path).to_owned(),
            what: "listed as a long table, but it does not exist".to_owned(),
            remedy: "take it off the list in xtask/src/gate/size.rs",
        })
    });
    long.chain(gone).collect()
}

pub(super) fn warnings(sources: &[Source]) -> Vec<String> {
    sources
        .iter()
        .filter_map(|source| {
            let lines = measured(source)?;
            (lines > COMFORT && lines <= LIMIT).then(|| {
                format!(
                    "{}: {lines} lines, close to the limit of {LIMIT}",
                    source.path
                )
            })
        })
        .collect()
}

/// The number of lines, if this is a file that the rule is about.
fn measured(source: &Source) -> Option<usize> {
    let table = TABLES.iter().any(|(path, _)| *path == source.path);
    (source.path.ends_with(".rs") && !table).then(|| source.text.lines().count())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(path: &str, lines: usize) -> Source {
        Source {
            path: path.to_owned(),
            text: "//\n".repeat(lines),
        }
    }

    #[test]
    fn only_rust_files_past_the_limit_are_refused() {
        let sources = [
            source("a.rs", 500),
            source("b.rs", 501),
            source("notes.md", 9_000),
            source("c.rs", 401),
            source("d.rs", 400),
        ];
        let refused: Vec<String> = check(&sources).iter().map(ToString::to_string).collect();
        insta::assert_debug_snapshot!((refused, warnings(&sources)), @r#"
        (
            [
                "b.rs: 501 lines, over the limit of 500; look for the second idea in it and give that a file of its own",
            ],
            [
                "a.rs: 500 lines, close to the limit of 500",
                "c.rs: 401 lines, close to the limit of 500",
            ],
        )
        "#);
    }
}
