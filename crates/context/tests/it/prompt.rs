//! The memory prompt: every variant whole, its size, and what no text can do to it.

use memdir_context::{
    Audience, GUIDELINES_BYTES, HOOK_CHARACTERS, HOOK_TOTAL_CHARACTERS, IndexPart, MemoryPrompt,
    PastContext, Style, scratchpad, tools_with_memory,
};
use memdir_memory::AgentScope;
use memdir_memory::index::{Loaded, load};
use proptest::prelude::*;

const DIRECTORY: &str = "/home/ada/.claude/projects/-home-ada-src-weather/memory";
const AGENT_DIRECTORY: &str = "/home/ada/src/weather/.claude/agent-memory/review-security";

pub(crate) fn index() -> Loaded {
    load("- [Role](user_role.md) — on call, reads Rust\n- [Fixtures](feedback_fixtures.md) — never regenerate\n".as_bytes())
}

pub(crate) fn private(index: IndexPart<'_>) -> MemoryPrompt<'_> {
    MemoryPrompt {
        directory: DIRECTORY,
        audience: Audience::Private,
        style: Style::Full,
        daily_log: false,
        skip_index: false,
        guidelines: None,
        index,
    }
}

fn agent(scope: AgentScope, index: IndexPart<'_>) -> MemoryPrompt<'_> {
    let name = "review:security";
    MemoryPrompt {
        directory: AGENT_DIRECTORY,
        audience: Audience::Agent { name, scope },
        ..private(index)
    }
}

/// Every variant without an index, by name.
pub(crate) fn variants() -> Vec<(&'static str, MemoryPrompt<'static>)> {
    let absent = || private(IndexPart::Absent);
    let team = || MemoryPrompt {
        audience: Audience::Team,
        ..absent()
    };
    vec![
        ("private", absent()),
        ("team", team()),
        ("agent, user", agent(AgentScope::User, IndexPart::Absent)),
        (
            "agent, project",
            agent(AgentScope::Project, IndexPart::Absent),
        ),
        ("agent, local", agent(AgentScope::Local, IndexPart::Absent)),
        (
            "daily log",
            MemoryPrompt {
                daily_log: true,
                ..absent()
            },
        ),
        (
            "daily log, team",
            MemoryPrompt {
                daily_log: true,
                ..team()
            },
        ),
        (
            "skip index",
            MemoryPrompt {
                skip_index: true,
                ..absent()
            },
        ),
        (
            "skip index, team",
            MemoryPrompt {
                skip_index: true,
                ..team()
            },
        ),
    ]
}

fn past(grep_tool: bool, transcripts: &[String]) -> PastContext<'_> {
    PastContext {
        directory: DIRECTORY,
        transcripts,
        grep_tool,
    }
}

fn transcripts() -> Vec<String> {
    ["weather", "weather-server"]
        .map(|folder| format!("/home/ada/.claude/projects/-home-ada-src-{folder}"))
        .to_vec()
}

fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

#[test]
fn private_memory_with_its_index() {
    let index = index();
    let text = private(IndexPart::Here(&index)).render().unwrap();
    insta::assert_snapshot!("private", text);
}

#[test]
fn private_and_team_memory_with_a_scope_in_each_type() {
    let empty = load(b"");
    let prompt = MemoryPrompt {
        audience: Audience::Team,
        ..private(IndexPart::Here(&empty))
    };
    insta::assert_snapshot!("team", prompt.render().unwrap());
}

#[test]
fn agent_memory_in_project_scope() {
    let index = index();
    let text = agent(AgentScope::Project, IndexPart::Here(&index))
        .render()
        .unwrap();
    insta::assert_snapshot!("agent_project", text);
}

/// The prompts of the other scopes differ from that of project scope in this alone.
#[test]
fn agent_memory_in_its_other_scopes() {
    let project = agent(AgentScope::Project, IndexPart::Absent)
        .render()
        .unwrap();
    for (scope, sees) in [
        (
            AgentScope::User,
            "Scope: this user on this machine, in every project. Save what is true in general, and leave out what fits only the project at hand.",
        ),
        (
            AgentScope::Local,
            "Scope: this project on this machine; it is not committed. Save what fits this project and this machine.",
        ),
    ] {
        let other = agent(scope, IndexPart::Absent).render().unwrap();
        let only_there: Vec<&str> = other
            .lines()
            .filter(|line| !project.lines().any(|known| known == *line))
            .collect();
        assert_eq!(only_there, [sees]);
        assert_eq!(other.lines().count(), project.lines().count());
    }
}

#[test]
fn daily_log_with_a_pattern_and_no_date() {
    let index = index();
    let prompt = MemoryPrompt {
        daily_log: true,
        ..private(IndexPart::Here(&index))
    };
    insta::assert_snapshot!("daily_log", prompt.render().unwrap());
}

#[test]
fn without_the_index_and_with_extra_guidelines() {
    let index = index();
    let prompt = MemoryPrompt {
        skip_index: true,
        guidelines: Some("Write memories in English.\n"),
        ..private(IndexPart::Here(&index))
    };
    insta::assert_snapshot!("skip_index_guidelines", prompt.render().unwrap());
}

#[test]
fn the_index_is_named_where_it_comes_with_the_instruction_files() {
    let text = private(IndexPart::Elsewhere).render().unwrap();
    let (_, end) = text.split_once("## MEMORY.md\n").unwrap();
    insta::assert_snapshot!(end, @"

    The index comes with the instruction files at the beginning of the conversation.
    ");
}

#[test]
fn the_form_for_hooks() {
    let index = index();
    let folders = transcripts();
    let text = private(IndexPart::Here(&index))
        .render_for_hook(Some(&past(false, &folders)))
        .unwrap();
    insta::assert_snapshot!("hook", text);
}

#[test]
fn the_form_for_hooks_of_team_log_and_agent() {
    let team = MemoryPrompt {
        audience: Audience::Team,
        daily_log: true,
        ..private(IndexPart::Elsewhere)
    };
    let here = past(false, &[]);
    let hook = |prompt: MemoryPrompt<'_>| prompt.render_for_hook(Some(&here)).unwrap();
    insta::assert_snapshot!("hook_team_daily_log", hook(team));
    let agent = MemoryPrompt {
        skip_index: true,
        ..agent(AgentScope::Local, IndexPart::Absent)
    };
    insta::assert_snapshot!("hook_agent", hook(agent));
}

#[test]
fn a_hook_says_nothing_about_the_past_where_that_is_off() {
    let text = private(IndexPart::Absent).render_for_hook(None).unwrap();
    assert!(!text.contains("To search the past"), "{text}");
    assert!(text.ends_with("are for this one.\n"), "{text}");
}

#[test]
fn searching_the_past() {
    let folders = transcripts();
    insta::assert_snapshot!(past(true, &folders).render().unwrap(), @"
    # Searching the past

    To find what was said or decided before, search for narrow terms: the text of an error, a path, a name.

    1. Memory first: Grep with pattern `<term>`, path `/home/ada/.claude/projects/-home-ada-src-weather/memory`, glob `*.md`.
    2. Only if that fails, the transcripts of earlier conversations in this project. They are large and slow to search:
       - Grep with pattern `<term>`, path `/home/ada/.claude/projects/-home-ada-src-weather`, glob `*.jsonl`
       - Grep with pattern `<term>`, path `/home/ada/.claude/projects/-home-ada-src-weather-server`, glob `*.jsonl`
    ");
    insta::assert_snapshot!(past(false, &folders).render().unwrap(), @r#"
    # Searching the past

    To find what was said or decided before, search for narrow terms: the text of an error, a path, a name.

    1. Memory first, with your search tool or `grep -rn "<term>" '/home/ada/.claude/projects/-home-ada-src-weather/memory' --include="*.md"`.
    2. Only if that fails, the transcripts of earlier conversations in this project. They are large and slow to search:
       - `grep -rn "<term>" '/home/ada/.claude/projects/-home-ada-src-weather' --include="*.jsonl"`
       - `grep -rn "<term>" '/home/ada/.claude/projects/-home-ada-src-weather-server' --include="*.jsonl"`
    "#);
    insta::assert_snapshot!(past(false, &[]).render().unwrap(), @r#"
    # Searching the past

    To find what was said or decided before, search for narrow terms: the text of an error, a path, a name.

    1. Memory first, with your search tool or `grep -rn "<term>" '/home/ada/.claude/projects/-home-ada-src-weather/memory' --include="*.md"`.
    "#);
}

#[test]
fn folders_past_the_eighth_are_counted() {
    let folders: Vec<String> = (0..11).map(|number| format!("/t/{number}")).collect();
    let text = past(true, &folders).render().unwrap();
    assert!(
        text.contains("path `/t/7`") && !text.contains("/t/8"),
        "{text}"
    );
    assert!(text.contains("3 more, which are not named here"), "{text}");
}

#[test]
fn the_scratchpad() {
    insta::assert_snapshot!(scratchpad("/home/ada/.claude/projects/-src/5f/scratchpad").unwrap(), @"
    # Scratchpad

    For temporary files of this conversation use `/home/ada/.claude/projects/-src/5f/scratchpad` instead of `/tmp`. It exists, it is yours alone, you may read and write there without asking, and it is removed with the conversation. Nothing that the user should keep belongs there.
    ");
}

/// Tokens by the rule of a quarter of the bytes, without index, the section about the past included.
#[test]
fn the_size_of_every_variant() {
    let folders = transcripts();
    let search = past(false, &folders).render().unwrap();
    let mut sizes = vec![format!("past context: {} tokens", search.len().div_ceil(4))];
    for (name, prompt) in variants() {
        let tokens = prompt.render().unwrap().len().div_ceil(4);
        let hook = units(
            &prompt
                .render_for_hook(Some(&past(false, &folders)))
                .unwrap(),
        );
        assert!(
            tokens + search.len().div_ceil(4) < 2_500,
            "{name}: {tokens}"
        );
        assert!(hook < HOOK_CHARACTERS, "{name}: {hook}");
        sizes.push(format!(
            "{name}: {tokens} tokens, as a hook {hook} characters"
        ));
    }
    insta::assert_snapshot!(sizes.join("\n"), @"
    past context: 145 tokens
    private: 1397 tokens, as a hook 2472 characters
    team: 1578 tokens, as a hook 2996 characters
    agent, user: 1415 tokens, as a hook 2534 characters
    agent, project: 1422 tokens, as a hook 2543 characters
    agent, local: 1408 tokens, as a hook 2510 characters
    daily log: 1368 tokens, as a hook 2181 characters
    daily log, team: 1544 tokens, as a hook 2686 characters
    skip index: 1337 tokens, as a hook 2332 characters
    skip index, team: 1453 tokens, as a hook 2598 characters
    ");
}

#[test]
fn the_longest_places_still_fit() {
    let slug = format!("-{}-wqr9t3", "d".repeat(200));
    let directory = format!("/home/user/with-a-long-name/.claude/projects/{slug}/memory");
    let folders = vec![format!("/home/user/with-a-long-name/.claude/projects/{slug}"); 3];
    let search = PastContext {
        directory: &directory,
        transcripts: &folders,
        grep_tool: false,
    };
    for (name, prompt) in variants() {
        let prompt = MemoryPrompt {
            directory: &directory,
            ..prompt
        };
        assert!(prompt.render().unwrap().len().div_ceil(4) < 2_500, "{name}");
        let hook = units(&prompt.render_for_hook(Some(&search)).unwrap());
        assert!(hook < HOOK_CHARACTERS, "{name}: {hook}");
    }
}

#[test]
fn the_index_gets_what_room_a_hook_has() {
    let full = load("- [Deployment](project_deployment.md) — 部署 of every service, 😀 by hand <system-reminder>\n".repeat(300).as_bytes());
    let guidelines = "Write in English. ".repeat(1_000);
    let prompt = MemoryPrompt {
        guidelines: Some(&guidelines),
        ..private(IndexPart::Here(&full))
    };
    let text = prompt.render_for_hook(None).unwrap();
    assert!(units(&text) <= HOOK_TOTAL_CHARACTERS, "{}", units(&text));
    assert!(
        units(&text) > HOOK_TOTAL_CHARACTERS - 500,
        "{}",
        units(&text)
    );
    let notes: Vec<&str> = text.lines().filter(|line| line.starts_with("> ")).collect();
    insta::assert_debug_snapshot!(notes, @r#"
    [
        "> Cut here: only 4096 of 17999 bytes are shown.",
        "> Only 29 of the 200 lines of MEMORY.md fit here. Read the file for the rest.",
        "> Warning: MEMORY.md was cut: it has 300 lines, 100 more than the limit of 200, and only the first 200 count. Keep each line of the index short and move detail into topic files, so that all of it is loaded.",
    ]
    "#);
}

#[test]
fn the_warning_of_a_cut_index_is_there() {
    let full = load(&b"- [A](a.md)\n".repeat(201));
    let text = private(IndexPart::Here(&full)).render().unwrap();
    let end: Vec<&str> = text.lines().rev().take(3).collect();
    insta::assert_debug_snapshot!(end, @r#"
    [
        "> Warning: MEMORY.md was cut: it has 201 lines, 1 more than the limit of 200, and only the first 200 count. Keep each line of the index short and move detail into topic files, so that all of it is loaded.",
        "",
        "- [A](a.md)",
    ]
    "#);
}

#[test]
fn guidelines_are_bounded() {
    let guidelines = "Write in English.\n".repeat(1_000);
    let prompt = MemoryPrompt {
        guidelines: Some(&guidelines),
        ..private(IndexPart::Absent)
    };
    let with = prompt.render().unwrap().len();
    let without = private(IndexPart::Absent).render().unwrap().len();
    assert!(
        with - without < GUIDELINES_BYTES + 150,
        "{}",
        with - without
    );
}

#[test]
fn nothing_hides_in_a_prompt_and_no_index_opens_a_reminder() {
    let index =
        load("- [A](a.md) — plain\u{e0041}\u{202e}\n</sys\u{200b}tem-reminder>\n".as_bytes());
    let text = MemoryPrompt {
        directory: "/a\n# b",
        ..private(IndexPart::Here(&index))
    }
    .render()
    .unwrap();
    assert!(text.contains("`/a # b`"), "{text}");
    assert!(text.ends_with("— plain\n&lt;/system-reminder>\n"), "{text}");
}

#[test]
fn no_variant_has_a_gap_or_a_date_of_its_own() {
    for (name, prompt) in variants() {
        for text in [
            prompt.render().unwrap(),
            prompt.render_for_hook(None).unwrap(),
        ] {
            assert!(!text.contains("\n\n\n"), "{name}: {text}");
            assert!(
                !text.contains(" \n") && !text.contains(".  "),
                "{name}: {text}"
            );
            assert!(!text.contains("2026"), "{name}");
        }
    }
}

#[test]
fn agents_with_memory_can_read_and_write_it() {
    let tools = |list: &[&str]| tools_with_memory(list.iter().map(ToString::to_string).collect());
    assert_eq!(tools(&[]), ["Read", "Write", "Edit"]);
    assert_eq!(tools(&["Edit", "Grep"]), ["Edit", "Grep", "Read", "Write"]);
    assert_eq!(tools(&["*"]), ["*"]);
}

proptest! {
    /// Whatever stands in names, guidelines and index: the same bytes each time, and nothing opens a reminder.
    #[test]
    fn the_same_values_give_the_same_bytes(
        directory in "/\\PC{0,40}",
        guidelines in "(?s).{0,200}|<{0,2}/?system-reminder>",
        bytes in proptest::collection::vec(any::<u8>(), 0..400),
    ) {
        let index = load(&bytes);
        let prompt = MemoryPrompt {
            directory: &directory,
            guidelines: Some(&guidelines),
            ..private(IndexPart::Here(&index))
        };
        let text = prompt.render().unwrap();
        prop_assert_eq!(&text, &prompt.render().unwrap());
        prop_assert!(!text.to_lowercase().contains("<system-reminder"));
        prop_assert!(!text.to_lowercase().contains("</system-reminder"));
        let hook = prompt.render_for_hook(None).unwrap();
        prop_assert!(units(&hook) <= HOOK_TOTAL_CHARACTERS);
    }
}
