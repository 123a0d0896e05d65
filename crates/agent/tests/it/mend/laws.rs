//! What holds for every directory.

use std::collections::BTreeMap;

use jiff::tz::TimeZone;
use memdir_agent::mend::{After, Before, mend};
use memdir_memory::{MemoryPath, Topic};
use proptest::prelude::*;

use super::corpus::{applied, file};
use super::listing;

const PATHS: [&str; 9] = [
    "tabs.md",
    "tabs-2.md",
    "notes/tabs.md",
    "team/tabs.md",
    "team/build.md",
    "logs/2026/01/2026-01-02.md",
    "build.md",
    "feedback_tests.md",
    "提交.md",
];

const HEADS: [&str; 9] = [
    "",
    "---\nname: tabs\ndescription: Use tabs in Go files\ntype: feedback\n---\n\n",
    "---\nname: tabs-go\ndescription: \"Tabs in Go: always\"\nmetadata:\n  type: feedback\n  source: tool\n  evidence: use tabs\n---\n",
    "---\r\nname: tabs\r\ndescription: Use tabs in Go files\r\nmetadata:\r\n  type: project\r\n---\r\n\r\n",
    "---\nname: tests # mine\ndescription: Tests run with make\nmetadata: {type: project}\n---\n",
    "---\nname: tests\ndescription: Tests: run with make\ntype: project\n",
    "---\nmetadata:\n  type: user\n  source: user\n  merged: old.md\n  modified: 2026-02-03\n---\n",
    "---\nname: broken\n\u{0}\n---\n",
    "\u{feff}---\ndescription: 提交信息用中文写\n---\n",
];

const BODIES: [&str; 24] = [
    "Use tabs in Go files.",
    "Never use tabs in Go files.",
    "Use tabs in Go files; the formatter wants them.",
    "The formatter wants them.",
    "It runs on port 8080.",
    "It runs on port 9090.",
    "Tests run with `make test` before each commit.",
    "Tests run with `make check` before each commit.",
    "- Tests run with make\n- Use tabs in Go files",
    "1. build\n2. deploy",
    "1. deploy\n2. build",
    "## Staging\n\nThe port is 1.\n\n## Production\n\nThe port is 2.",
    "## Staging\n\nThe port is 2.\n\n## Production\n\nThe port is 1.",
    "```\nmake test\n```",
    "```\nnever closed",
    "See [[tabs]], [[tabs-2]] and [there](notes/tabs.md).",
    "提交信息用中文写。正文说明原因。",
    "提交信息请用中文写。",
    "> quoted: use tabs",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "**Why:** The diff is smaller.\n\n**How to apply:** Run the formatter.",
    "---",
    "    indented code",
    "caf\u{e9} … “quoted”",
];

const LINES: [&str; 12] = [
    "# Mine",
    "",
    "- [Tabs](tabs.md) — use tabs",
    "- [Tabs again](./tabs.md): use tabs, and never forget that the formatter of the other team wants blanks in every file but the ones that we own, as agreed with them in spring",
    "* [Build](build.md)",
    "  - [Gone](gone.md) - was here",
    "- [Team](team/tabs.md) — theirs",
    "- [Log](logs/2026/01/2026-01-02.md)",
    "- [Elsewhere](https://example.com) — a page",
    "- [Bad](../up.md) — not ours",
    "Some prose with [a link](tabs-2.md).",
    "- [Tests](feedback_tests.md) — reviewed 2026-01-01…",
];

fn directories() -> impl Strategy<Value = BTreeMap<MemoryPath, Before>> {
    let ends = prop::sample::select(vec!["\n", "", "\n\n", "\r\n"]);
    let topic = (
        prop::sample::select(HEADS.to_vec()),
        prop::collection::vec(prop::sample::select(BODIES.to_vec()), 0..4),
        prop::sample::select(vec!["\n\n", "\n", " "]),
        ends.clone(),
        0_i64..5,
    );
    let topics = prop::collection::vec(prop::option::weighted(0.7, topic), PATHS.len());
    let lines = prop::collection::vec(prop::sample::select(LINES.to_vec()), 0..8);
    let index = prop::option::of((lines, ends));
    (topics, index).prop_map(|(topics, index)| {
        let mut files = BTreeMap::new();
        for (path, topic) in PATHS.iter().zip(topics) {
            let Some((head, body, between, end, day)) = topic else {
                continue;
            };
            let text = format!("{head}{}{end}", body.join(between));
            files.insert(MemoryPath::new(path).unwrap(), file(text, day));
        }
        if let Some((lines, end)) = index {
            let text = format!("{}{end}", lines.join("\n"));
            files.insert(MemoryPath::new("MEMORY.md").unwrap(), file(text, 0));
        }
        files
    })
}

/// Whether a file may be changed at all.
fn is_ours(path: &MemoryPath, text: &[u8]) -> bool {
    let problems = format!("{:?}", Topic::parse(text).problems());
    let is_broken = ["NotText", "Nul", "NotClosed", "LongHeader"];
    !path.as_str().starts_with("logs/") && !is_broken.iter().any(|name| problems.contains(name))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn mending_twice_is_mending_once_and_loses_nothing(files in directories()) {
        let zone = TimeZone::UTC;
        let mended = mend(&files, &zone);
        prop_assert_eq!(&mended, &mend(&files, &zone));
        let after = applied(&files, &mended);
        let again = mend(&after, &zone);
        prop_assert_eq!(again.changes, BTreeMap::new());

        let left = listing::statements(&after);
        for (path, before) in &files {
            if path.is_index() {
                continue;
            }
            if !is_ours(path, &before.text) {
                prop_assert_eq!(&after[path].text, &before.text);
                continue;
            }
            // Links follow; what stands elsewhere is word for word.
            for statement in listing::of_file(&before.text) {
                let is_link = statement.contains("[[");
                prop_assert!(is_link || left.contains(&statement), "{}: {:?}", path, statement);
            }
        }
        for (path, change) in &mended.changes {
            if let After::Removed { into } = change {
                let into = into.as_ref().unwrap();
                let is_team = |path: &MemoryPath| path.as_str().starts_with("team/");
                prop_assert_eq!(is_team(path), is_team(into));
                let named = Topic::parse(&after[into].text).metadata("merged").unwrap();
                prop_assert!(named.contains(path.as_str()), "{}", named);
            }
        }
        if let Some(index) = files.get(&MemoryPath::new("MEMORY.md").unwrap()) {
            let text = String::from_utf8_lossy(&index.text).into_owned();
            let now = String::from_utf8_lossy(&after[&MemoryPath::new("MEMORY.md").unwrap()].text).into_owned();
            for own in ["# Mine", "Some prose with [a link](tabs-2.md).", "- [Bad](../up.md) — not ours"] {
                prop_assert_eq!(text.contains(own), now.contains(own));
            }
        }
    }

    #[test]
    fn bytes_of_any_kind_are_survived(
        texts in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..300), PATHS.len()),
        index in prop::collection::vec(any::<u8>(), 0..300),
    ) {
        let mut files: BTreeMap<MemoryPath, Before> = PATHS
            .iter()
            .zip(texts)
            .map(|(path, text)| (MemoryPath::new(path).unwrap(), file(text, 1)))
            .collect();
        files.insert(MemoryPath::new("MEMORY.md").unwrap(), file(index, 1));
        let after = applied(&files, &mend(&files, &TimeZone::UTC));
        prop_assert_eq!(mend(&after, &TimeZone::UTC).changes, BTreeMap::new());
    }

    #[test]
    fn text_of_any_kind_is_survived(
        texts in prop::collection::vec("(---\n(name|description|type): .{0,20}\n---\n)?(\\PC|[\n\r`#*>|:;.-]){0,120}", PATHS.len()),
        index in "(- \\[.{0,5}\\]\\((tabs|build|team/tabs)\\.md\\).{0,200}\n|\\PC{0,30}\n){0,8}",
    ) {
        let mut files: BTreeMap<MemoryPath, Before> = PATHS
            .iter()
            .zip(texts)
            .map(|(path, text)| (MemoryPath::new(path).unwrap(), file(text, 1)))
            .collect();
        files.insert(MemoryPath::new("MEMORY.md").unwrap(), file(index, 1));
        let after = applied(&files, &mend(&files, &TimeZone::UTC));
        prop_assert_eq!(mend(&after, &TimeZone::UTC).changes, BTreeMap::new());
    }
}
