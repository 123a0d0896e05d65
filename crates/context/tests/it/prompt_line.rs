//! All that memory says in a small window.

use memdir_context::{IndexPart, MemoryPrompt};
use memdir_memory::index::load;
use proptest::prelude::*;

use crate::prompt::{index, private, variants};

#[test]
fn every_variant_is_one_line() {
    let lines: Vec<String> = variants()
        .into_iter()
        .map(|(name, prompt)| format!("{name}: {}", prompt.render_one_line().unwrap()))
        .collect();
    insta::assert_snapshot!(lines.concat(), @"
    private: Memory: the folder `/home/ada/.claude/projects/-home-ada-src-weather/memory`, listed in its `MEMORY.md`. Read there what bears on the question, and save as a Markdown file what the user says to remember.
    team: Memory: the folder `/home/ada/.claude/projects/-home-ada-src-weather/memory`, listed in its `MEMORY.md`; the team's is `/home/ada/.claude/projects/-home-ada-src-weather/memory/team`. Read there what bears on the question, and save as a Markdown file what the user says to remember.
    agent, user: Memory of the agent `review:security`: the folder `/home/ada/src/weather/.claude/agent-memory/review-security`, listed in its `MEMORY.md`. Read there what bears on the question, and save as a Markdown file what the user says to remember.
    agent, project: Memory of the agent `review:security`: the folder `/home/ada/src/weather/.claude/agent-memory/review-security`, listed in its `MEMORY.md`. Read there what bears on the question, and save as a Markdown file what the user says to remember.
    agent, local: Memory of the agent `review:security`: the folder `/home/ada/src/weather/.claude/agent-memory/review-security`, listed in its `MEMORY.md`. Read there what bears on the question, and save as a Markdown file what the user says to remember.
    daily log: Memory: the folder `/home/ada/.claude/projects/-home-ada-src-weather/memory`, listed in its `MEMORY.md`. Read there what bears on the question, and save as a line of `logs/YYYY/MM/YYYY-MM-DD.md` what the user says to remember.
    daily log, team: Memory: the folder `/home/ada/.claude/projects/-home-ada-src-weather/memory`, listed in its `MEMORY.md`; the team's is `/home/ada/.claude/projects/-home-ada-src-weather/memory/team`. Read there what bears on the question, and save as a line of `logs/YYYY/MM/YYYY-MM-DD.md` what the user says to remember.
    skip index: Memory: the folder `/home/ada/.claude/projects/-home-ada-src-weather/memory`. Read there what bears on the question, and save as a Markdown file what the user says to remember.
    skip index, team: Memory: the folder `/home/ada/.claude/projects/-home-ada-src-weather/memory`; the team's is `/home/ada/.claude/projects/-home-ada-src-weather/memory/team`. Read there what bears on the question, and save as a Markdown file what the user says to remember.
    ");
}

#[test]
fn titles_that_fit_stand_in_it() {
    let index = index();
    let line = private(IndexPart::Here(&index)).render_one_line().unwrap();
    insta::assert_snapshot!(line, @"Memory: the folder `/home/ada/.claude/projects/-home-ada-src-weather/memory`, 2 files by `MEMORY.md`: Role, Fixtures. Read there what bears on the question, and save as a Markdown file what the user says to remember.");
    let line = private(IndexPart::Elsewhere).render_one_line().unwrap();
    insta::assert_snapshot!(line, @"Memory: the folder `/home/ada/.claude/projects/-home-ada-src-weather/memory`, listed in its `MEMORY.md`. Read there what bears on the question, and save as a Markdown file what the user says to remember.");
    let empty = load(b"");
    let line = private(IndexPart::Here(&empty)).render_one_line().unwrap();
    insta::assert_snapshot!(line, @"Memory: the folder `/home/ada/.claude/projects/-home-ada-src-weather/memory`, empty so far. Read there what bears on the question, and save as a Markdown file what the user says to remember.");
    let many: String = (0..150)
        .map(|number| format!("- [Title {number} of a memory](m{number}.md) — hook\n"))
        .collect();
    let many = load(many.as_bytes());
    let line = private(IndexPart::Here(&many)).render_one_line().unwrap();
    insta::assert_snapshot!(line, @"Memory: the folder `/home/ada/.claude/projects/-home-ada-src-weather/memory`, 150 files by `MEMORY.md`: Title 0 of a memory, Title 1 of a memory, Title 2 of a memory, Title 3 of a memory, Title 4 of a memory, Title 5 of a memory, Title 6 of a memory, Title 7 of a memory, Title 8 of a memory, Title 9 of a memory, Title 10 of a memory, Title 11 of a memory, Title 12 of a memory, Title 13 of a memory and 136 more. Read there what bears on the question, and save as a Markdown file what the user says to remember.");
}

proptest! {
    #[test]
    fn whatever_is_in_the_index_it_is_one_short_line(index in "(- \\[\\PC{0,90}\\]\\(a\\.md\\)\\PC{0,20}\n){0,30}") {
        let loaded = load(index.as_bytes());
        let prompt = MemoryPrompt { directory: "/m", ..private(IndexPart::Here(&loaded)) };
        let line = prompt.render_one_line().unwrap();
        prop_assert_eq!(line.lines().count(), 1);
        prop_assert!(line.encode_utf16().count() <= 550, "{}", line);
        prop_assert!(!line.contains("<system-reminder") && !line.contains("</system-reminder"));
    }
}
