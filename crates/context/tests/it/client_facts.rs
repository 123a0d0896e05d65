//! What Claude Code 2.1.325 was seen to do: one test for each fact, named after it.

use insta::assert_snapshot;

use crate::disk::{Disk, sources};

const INDEX: &str = "/home/ada/.claude/projects/-p/memory/MEMORY.md";

#[test]
fn agents_md_is_loaded_only_if_there_is_no_claude_md() {
    let agents = Disk::new().file("/p/AGENTS.md", "agents");
    assert_snapshot!(agents.tell(sources()), @"Project /p/AGENTS.md");
    let both = agents.file("/p/CLAUDE.md", "");
    assert_snapshot!(both.tell(sources()), @"Project /p/CLAUDE.md");
}

#[test]
fn memory_md_goes_into_the_instructions_reminder_after_claude_md() {
    let disk = Disk::new()
        .file(INDEX, "- [Role](user_role.md) — writes Rust\n")
        .file("/p/CLAUDE.md", "Use tabs.\n")
        .file("/p/CLAUDE.local.md", "Talk of it in French.\n")
        .file("/home/ada/.claude/CLAUDE.md", "Be brief.\n");
    let block = disk.search(sources()).0.block().unwrap();
    assert_snapshot!(block, @"
    <system-reminder>
    Context for this conversation. It may or may not be relevant to what is asked.

    # Instruction files

    Standing instructions, each under the path of its file. Follow those that bear on the task. Where two of them disagree, the later one counts.

    ## /home/ada/.claude/CLAUDE.md (the user's own, for every project)

    Be brief.

    ## /p/CLAUDE.md (kept with the project)

    Use tabs.

    ## /p/CLAUDE.local.md (the user's own, for this project alone)

    Talk of it in French.

    ## /home/ada/.claude/projects/-p/memory/MEMORY.md (the index of the agent's memory of this project)

    - [Role](user_role.md) — writes Rust
    </system-reminder>
    ");
}

#[test]
fn memory_md_is_cut_to_200_lines_and_25_000_bytes_and_a_warning_follows() {
    let lines: String = (1..=250).map(|n| format!("- [{n}]({n}.md)\n")).collect();
    let (found, _) = Disk::new().file(INDEX, lines).search(sources());
    let text = &found.files[0].text;
    assert!(
        text.contains("- [200](200.md)\n\n> Warning: MEMORY.md was cut"),
        "{text}"
    );
    assert!(!text.contains("[201]"));
    assert_snapshot!(found.warnings[0], @"MEMORY.md was cut: it has 250 lines, 50 more than the limit of 200, and only the first 200 count. Keep each line of the index short and move detail into topic files, so that all of it is loaded.");

    let long = format!("- [a](a.md) — {}\n", "x".repeat(980)).repeat(30);
    let (found, _) = Disk::new().file(INDEX, long).search(sources());
    let (index, _) = found.files[0].text.split_once("\n\n> Warning").unwrap();
    assert!((24_000..=25_000).contains(&index.len()), "{}", index.len());
}

#[test]
fn memory_off_means_no_index() {
    let mut sources = sources();
    sources.memory_index = None;
    let (found, asked) = Disk::new().file(INDEX, "x").search(sources);
    assert!(found.files.is_empty());
    assert!(!asked.iter().any(|path| path.ends_with("MEMORY.md")));
}

#[test]
fn instructions_loaded_names_the_kind_the_reason_and_the_parent_file() {
    let disk = Disk::new()
        .file("/p/CLAUDE.md", "see @docs/style.md")
        .file("/p/docs/style.md", "x");
    let (found, _) = disk.search(sources());
    insta::assert_debug_snapshot!((found.files[1].kind, &found.files[1].asker), @r#"
    (
        Project,
        Include {
            file: "/p/CLAUDE.md",
            line: 1,
        },
    )
    "#);
}
