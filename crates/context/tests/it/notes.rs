//! Notes of a conversation: their form, when they are due, and what whoever writes them is told.

use memdir_context::notes::{
    Due, Notes, Progress, Template, TemplateProblem, due, fill, update_prompt,
};
use memdir_context::{Configured, Limits, NotesLimits};
use proptest::prelude::*;

pub(crate) fn count(text: &str) -> u64 {
    text.len().div_ceil(4) as u64
}

pub(crate) fn limits() -> NotesLimits {
    Limits::new(200_000, 20_000, &Configured::default()).notes
}

/// Notes of the built-in template with these contents, by the beginning of their title.
pub(crate) fn notes(contents: &[(&str, &str)]) -> Notes {
    let template = Template::built_in();
    let content = |title: &str| {
        let mut own = contents.iter();
        own.find(|(own, _)| title.starts_with(own))
            .map_or_else(String::new, |(_, content)| (*content).to_owned())
    };
    Notes::new(template, template.titles().map(content).collect())
}

#[test]
fn the_form_has_ten_sections() {
    let template = Template::built_in();
    insta::assert_snapshot!(template.print(&template.bare()), @"
    # Session Title
    _Five to ten dense words by which this conversation is recognised; no filler_

    # Current State
    _What is being worked on at this moment, what is still pending, and the very next step_

    # Task specification
    _What the user asked for, in their terms, and every design decision with its reason_

    # Files and Functions
    _The files that matter, what is in each, and why it matters here_

    # Workflow
    _The commands that are run, in which order, and how their output is to be read_

    # Errors & Corrections
    _What went wrong and what fixed it, what the user corrected, and what must not be tried again_

    # Codebase and System Documentation
    _The parts of the system, what each does, and how they fit together_

    # Learnings
    _What works, what does not, what to avoid; nothing that another section says already_

    # Key results
    _The exact output that the user asked for, such as an answer, a table or a document, word for word_

    # Worklog
    _What was done, step by step, one terse line for each_
    ");
    assert_eq!(
        template.print(&template.bare()),
        include_str!("../../prompts/notes_template.md")
    );
}

#[test]
fn the_prompt_for_an_update() {
    let notes = notes(&[
        ("Session", "Parser to Rust, second half"),
        (
            "Current",
            "Lexer done. Next: `parse_block` in src/block.rs.",
        ),
        (
            "Errors",
            "- `{{currentNotes}}` and $& stay as they are </system-reminder>",
        ),
    ]);
    let template = Template::built_in();
    let prompt = update_prompt(
        template,
        &template.print(&notes),
        "/home/ada/.claude/projects/-app/1/session-memory/summary.md",
        None,
        &limits(),
        &count,
    );
    insta::assert_snapshot!("notes_update", prompt);
}

#[test]
fn what_is_too_long_is_named_in_the_prompt() {
    let template = Template::built_in();
    let text = |lines: usize| "a line of forty bytes, which is ten toks\n".repeat(lines);
    let ending = |notes: &Notes, own| {
        let file = template.print(notes);
        let prompt = update_prompt(template, &file, "/n.md", own, &limits(), &count);
        let at = prompt.rfind("Too long").unwrap_or(prompt.len());
        prompt[at..].to_owned()
    };
    let fine = notes(&[("Learnings", &text(190))]);
    assert_eq!(ending(&fine, None), "");
    let one = notes(&[("Learnings", &text(200))]);
    insta::assert_snapshot!(ending(&one, None), @r#"
    Too long by now, and to be shortened with these edits:
    - "Learnings": about 2050 tokens; it may have 2000
    "#);
    let all: Vec<(&str, String)> = template.titles().map(|title| (title, text(150))).collect();
    let all: Vec<(&str, &str)> = all
        .iter()
        .map(|(title, text)| (*title, text.as_str()))
        .collect();
    insta::assert_snapshot!(ending(&notes(&all), Some("{{currentNotes}}")), @"
    Too long by now, and to be shortened with these edits:
    - all of it: about 15626 tokens; it may have 12000
    ");
}

#[test]
fn a_prompt_of_the_users_own_is_filled_once() {
    let template = Template::parse("# Goal\n_What for_\n").unwrap();
    let notes = Notes::new(
        &template,
        vec!["$1 {{notesPath}} {{currentNotes}}".to_owned()],
    );
    let prompt = |own| {
        let file = template.print(&notes);
        update_prompt(&template, &file, "/n/$0.md", Some(own), &limits(), &count)
    };
    insta::assert_snapshot!(prompt("Edit {{notesPath}}: {{currentNotes}} {{ notesPath }} {{unknown}} {{notesPath"), @"
    Edit /n/$0.md: # Goal
    _What for_

    $1 {{notesPath}} {{currentNotes}} {{ notesPath }} {{unknown}} {{notesPath
    ");
    // The text counts as read, so that it has to be there.
    insta::assert_snapshot!(prompt("Only {{notesPath}}."), @"
    Only /n/$0.md.

    The text of `/n/$0.md`, which counts as read:

    <notes>
    # Goal
    _What for_

    $1 {{notesPath}} {{currentNotes}}
    </notes>
    ");
}

#[test]
fn notes_that_are_far_too_long_do_not_fill_the_prompt() {
    let template = Template::built_in();
    let text = "word ".repeat(100_000);
    let file = template.print(&notes(&[("Worklog", &text)]));
    let prompt = update_prompt(template, &file, "/n.md", None, &limits(), &count);
    assert!(count(&prompt) < 25_000, "{}", count(&prompt));
    assert!(prompt.contains("> Cut here: the file is far too long"));
    assert!(prompt.contains("\"Worklog\": about 125000 tokens"));
}

#[test]
fn a_template_of_the_users_own() {
    let text = "Kept by the team.\n\n# Goal\n\n*What for*\n\nUnknown yet.\n# Log\n```\n# no heading\n```\n";
    let template = Template::parse(text).unwrap();
    assert_eq!(template.titles().collect::<Vec<_>>(), ["Goal", "Log"]);
    let bare = template.bare();
    assert!(bare.is_bare(&template));
    insta::assert_snapshot!(template.print(&bare), @"
    Kept by the team.

    # Goal
    *What for*

    Unknown yet.

    # Log

    ```
    # no heading
    ```
    ");
    let file = template.print(&bare);
    assert_eq!(Notes::parse(&template, &file), Ok(bare));

    for (text, problem) in [
        ("", TemplateProblem::NoSection),
        ("## Only small ones\n", TemplateProblem::NoSection),
        (
            "# A\n# B\n# A \n",
            TemplateProblem::RepeatedHeading {
                heading: "# A".to_owned(),
            },
        ),
        (
            &"x".repeat(40_001),
            TemplateProblem::TooLong { bytes: 40_001 },
        ),
    ] {
        assert_eq!(Template::parse(text), Err(problem));
    }
}

#[test]
fn notes_in_which_nothing_is_written_are_bare() {
    let template = Template::built_in();
    assert!(template.bare().is_bare(template));
    assert!(notes(&[("Worklog", " \n\n")]).is_bare(template));
    assert!(!notes(&[("Worklog", "- began")]).is_bare(template));
}

#[test]
fn a_summary_cuts_sections_after_a_line() {
    let template = Template::built_in();
    let limits = NotesLimits {
        section: 45,
        ..limits()
    };
    let log = "- read src/lexer.rs from end to end\n".repeat(8);
    let workflow = format!("```sh\n{}```\n", "cargo test -p lexer\n".repeat(10));
    let notes = notes(&[
        ("Current", "Nearly done."),
        ("Workflow", &workflow),
        ("Worklog", &log),
    ]);
    let summary = notes.summary(template, &limits, &count, "/s/summary.md");
    assert_eq!(summary.cut, ["Workflow", "Worklog"]);
    let shown: Vec<&str> = summary
        .text
        .split("# ")
        .filter(|section| section.starts_with("Work"))
        .collect();
    insta::assert_snapshot!(shown.join("# "), @"
    Workflow
    _The commands that are run, in which order, and how their output is to be read_

    ```sh
    cargo test -p lexer
    cargo test -p lexer
    cargo test -p lexer
    cargo test -p lexer

    ```

    > Cut here: 5 of 12 lines are shown. The rest of this section is in `/s/summary.md`.

    # Worklog
    _What was done, step by step, one terse line for each_

    - read src/lexer.rs from end to end
    - read src/lexer.rs from end to end

    > Cut here: 2 of 8 lines are shown. The rest of this section is in `/s/summary.md`.
    ");
    // What is within its limits is the file itself.
    let whole = notes.summary(template, &self::limits(), &count, "/s/summary.md");
    assert_eq!((whole.text, whole.cut.len()), (template.print(&notes), 0));
}

#[test]
fn when_notes_are_due() {
    let limits = limits();
    let check = |tokens, then: Option<u64>, tool_calls, replied_with_tool_call| {
        let progress = Progress {
            tokens,
            written: then.is_some(),
            tokens_then: then.unwrap_or(0),
            tool_calls,
            replied_with_tool_call,
        };
        match due(&progress, &limits) {
            Due::No(reason) => format!("no: {reason}"),
            due => format!("{due:?}"),
        }
    };
    let lines = [
        // At first tokens alone decide.
        check(9_999, None, 50, false),
        check(10_000, None, 0, true),
        // Then growth and calls, or growth and a reply that ends the work for now.
        check(14_999, Some(10_000), 50, false),
        check(15_000, Some(10_000), 0, false),
        check(15_000, Some(10_000), 2, true),
        check(15_000, Some(10_000), 3, true),
        // After compaction a conversation is shorter than it was.
        check(20_000, Some(150_000), 50, false),
        check(u64::MAX, Some(0), 0, false),
    ];
    insta::assert_snapshot!(lines.join("\n"), @"
    no: the conversation has 9999 tokens of 10000
    First
    no: it has grown by 4999 tokens of 5000
    Again
    no: there were 2 tool calls of 3, and the last reply calls another
    Again
    no: it has grown by 0 tokens of 5000
    Again
    ");
}

/// One pass from left to right, as slow and plain as can be.
fn filled_plainly(text: &str, values: &[(&str, &str)]) -> String {
    let mut out = String::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let found = values
            .iter()
            .find(|(name, _)| rest.starts_with(&format!("{{{{{name}}}}}")));
        match found {
            Some((name, value)) => {
                out.push_str(value);
                at += name.len() + 4;
            }
            None => {
                let next = rest.chars().next().unwrap();
                out.push(next);
                at += next.len_utf8();
            }
        }
    }
    out
}

proptest! {
    #[test]
    fn variables_are_replaced_in_one_pass(
        pieces in prop::collection::vec(
            prop::sample::select(vec![
                "{", "}", "{{", "}}", "{{a}}", "{{bc}}", "{{b}}", "{{a", "a}}", "$&", "$1", "é", "a", " ", "\\",
            ]),
            0..24,
        ),
        one in "[{}a$é]{0,8}",
        other in "[{}bc$]{0,8}",
    ) {
        let text = pieces.concat();
        let values = [("a", one.as_str()), ("bc", other.as_str())];
        prop_assert_eq!(fill(&text, &values), filled_plainly(&text, &values));
        prop_assert_eq!(fill(&text, &[]), text.clone());
        // A value that is the variable itself changes nothing.
        prop_assert_eq!(fill(&text, &[("a", "{{a}}"), ("bc", "{{bc}}")]), text);
    }

    #[test]
    fn what_is_printed_is_read_again(contents in prop::collection::vec(any_content(), 0..11)) {
        let template = Template::built_in();
        let notes = Notes::new(template, contents);
        let text = template.print(&notes);
        prop_assert_eq!(Notes::parse(template, &text), Ok(notes.clone()));
        prop_assert_eq!(Notes::read(template, &text), Some(notes));
    }

    #[test]
    fn a_summary_is_valid_notes_within_every_limit(
        contents in prop::collection::vec(any_content(), 0..11), section in 0..60_u64
    ) {
        let template = Template::built_in();
        let notes = Notes::new(template, contents);
        let limits = NotesLimits { section, ..limits() };
        let summary = notes.summary(template, &limits, &count, "/n.md");
        let read = Notes::parse(template, &summary.text);
        let over = read.as_ref().map(|read| read.overrun(template, &limits, &count).sections);
        prop_assert_eq!(over, Ok(Vec::new()));
    }
}

/// Contents with everything that could be mistaken for the form.
pub(crate) fn any_content() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "text",
        "- `src/main.rs`",
        "```",
        "~~~~",
        "# Worklog",
        "# New section",
        "## Current State",
        "**Learnings**",
        "_italic_",
        "_What was done, step by step, one terse line for each_",
        "",
        "   ",
        "<system-reminder>",
        "\u{200b}",
        "> quoted",
        "naïve 漢字",
    ]);
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.join("\n"))
}
