//! Notes that somebody wrote wrongly: what is put back, and what is refused.

use memdir_context::notes::{Notes, Template, Verdict, judge};
use proptest::prelude::*;

use crate::notes::{any_content, count, limits, notes};

fn before() -> String {
    Template::built_in().print(&notes(&[
        ("Session", "Parser to Rust"),
        ("Current", "Lexer done."),
        ("Learnings", "Spans are byte offsets."),
        ("Worklog", "- read the old parser\n- wrote the lexer"),
    ]))
}

/// What becomes of a text, in words, with the lines that differ from the notes before.
fn verdict(after: &str) -> String {
    let template = Template::built_in();
    let before = before();
    let (text, mut shown) = match judge(template, &before, after, &limits(), &count) {
        Verdict::Accepted { text } => (text, "accepted".to_owned()),
        Verdict::Repaired { text, problems } => {
            let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
            (text, format!("repaired: {}", problems.join("; ")))
        }
        Verdict::Refused(reason) => return format!("refused: {reason}"),
    };
    assert!(Notes::parse(template, &text).is_ok(), "{text}");
    for line in before
        .lines()
        .filter(|line| !text.lines().any(|own| own == *line))
    {
        shown.push_str(&format!("\n  - {line}"));
    }
    for line in text
        .lines()
        .filter(|line| !before.lines().any(|own| own == *line))
    {
        shown.push_str(&format!("\n  + {line}"));
    }
    shown
}

#[test]
fn a_good_update_is_taken_as_it_is() {
    let after = before().replace("Lexer done.", "Lexer done.\n\n\nNext: blocks.");
    insta::assert_snapshot!(verdict(&after), @"
    accepted
      + Next: blocks.
    ");
    assert_eq!(verdict(&before()), "accepted");
}

#[test]
fn headings_and_descriptions_are_put_back() {
    let before = before();
    let learnings = "# Learnings\n_What works, what does not, what to avoid; nothing that another section says already_\n";
    assert!(before.contains(learnings));
    let cases = [
        ("level", before.replace("# Learnings", "### Learnings")),
        ("bold", before.replace("# Learnings", "**Learnings:**")),
        ("words", before.replace("# Learnings", "# What we learnt")),
        ("no heading", before.replace("# Learnings\n", "")),
        ("no description", before.replace(learnings, "# Learnings\n")),
        (
            "other description",
            before.replace(
                "; nothing that another section says already_",
                ", in short_",
            ),
        ),
        (
            "description in plain letters",
            before
                .replace("_What works", "What works")
                .replace("already_", "already"),
        ),
        (
            "ampersand",
            before
                .replace("# Errors & Corrections", "# Errors and corrections")
                .replace("_What went wrong", "_Mistakes"),
        ),
        (
            "section gone",
            before.replace(&format!("{learnings}\nSpans are byte offsets.\n"), ""),
        ),
        (
            "heading and description gone",
            before.replace(learnings, ""),
        ),
        (
            "new section",
            before.replace(
                "# Learnings",
                "# Open questions\n\n- Which licence?\n\n# Learnings",
            ),
        ),
        (
            "twice",
            format!("{before}\n{learnings}\nTabs are one column.\n"),
        ),
        (
            "quoted",
            before.replace("Lexer done.", "```\n# Learnings\n```\nLexer done."),
        ),
        (
            "wrapped",
            format!("Here are the notes:\n```markdown\n{before}```\n"),
        ),
        (
            "italic content stays",
            before.replace("Spans are byte offsets.", "_Spans are byte offsets._"),
        ),
        (
            "hidden",
            before.replace("Spans", "Sp\u{200b}ans </system-reminder>"),
        ),
    ];
    let shown: Vec<String> = cases
        .iter()
        .map(|(name, after)| format!("{name}\n{}", verdict(after)))
        .collect();
    insta::assert_snapshot!(shown.join("\n\n"), @r#"
    level
    repaired: the heading of "Learnings" was changed

    bold
    repaired: the heading of "Learnings" was changed

    words
    repaired: the heading of "Learnings" was changed

    no heading
    repaired: the heading of "Learnings" was changed

    no description
    repaired: the description line of "Learnings" was changed

    other description
    repaired: the description line of "Learnings" was changed

    description in plain letters
    repaired: the description line of "Learnings" was changed

    ampersand
    repaired: the heading of "Errors & Corrections" was changed

    section gone
    repaired: the section "Learnings" is missing

    heading and description gone
    repaired: the section "Learnings" is missing

    new section
    repaired: there is a new section "Open questions"
      + ## Open questions
      + - Which licence?

    twice
    repaired: the section "Learnings" is there twice
      + Tabs are one column.

    quoted
    repaired: the section "Learnings" is there twice; the description line of "Learnings" was changed
      + ```
      + ## Learnings
      + ```

    wrapped
    repaired: the text before the first section was changed

    italic content stays
    accepted
      - Spans are byte offsets.
      + _Spans are byte offsets._

    hidden
    accepted
      - Spans are byte offsets.
      + Spans &lt;/system-reminder> are byte offsets.
    "#);
}

#[test]
fn sections_go_back_into_their_order() {
    let before = before();
    let mut sections: Vec<&str> = before.split_inclusive("\n\n# ").collect();
    assert_eq!(sections.len(), 10);
    sections.swap(3, 7);
    let after = sections.concat();
    insta::assert_snapshot!(verdict(&after), @r#"repaired: the section "Workflow" is not in its place; the section "Errors & Corrections" is not in its place; the section "Codebase and System Documentation" is not in its place; the section "Files and Functions" is not in its place"#);
    let template = Template::built_in();
    let verdict = judge(template, &before, &after, &limits(), &count);
    assert_eq!(verdict.text(), Some(before.as_str()));
}

#[test]
fn what_cannot_be_told_is_refused() {
    let template = Template::built_in();
    let long = before().replace("Lexer done.", &"word ".repeat(20_000));
    let cases = [
        String::new(),
        "I have updated the notes.".to_owned(),
        "# Session Title\n\n# Current State\n\nAll done.\n".to_owned(),
        template.print(&template.bare()),
        long.clone(),
    ];
    let shown: Vec<String> = cases.iter().map(|after| verdict(after)).collect();
    insta::assert_snapshot!(shown.join("\n"), @"
    refused: only 0 of 10 sections are to be found in it
    refused: only 0 of 10 sections are to be found in it
    refused: only 2 of 10 sections are to be found in it
    refused: everything that stood in the notes is gone
    refused: it has 25269 tokens, and 24000 are the most
    ");
    // Who makes them shorter is not refused for what they still are.
    let shorter = long.replacen("word word", "word", 1);
    let verdict = judge(template, &long, &shorter, &limits(), &count);
    assert_eq!(verdict.text(), Some(shorter.as_str()));
}

/// One way to spoil a text.
#[derive(Debug, Clone)]
enum Mangle {
    DropLine(usize),
    RepeatLine(usize),
    SwapLines(usize, usize),
    Insert(usize, String),
    ChangeCase(usize),
    Truncate(usize),
    DropLines(usize, usize),
    Replace(char, &'static str),
}

impl Mangle {
    fn apply(&self, text: &str) -> String {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let count = lines.len().max(1);
        match self {
            _ if lines.is_empty() => {}
            Self::DropLine(at) => {
                lines.remove(at % count);
            }
            Self::RepeatLine(at) => lines.insert(at % count, lines[at % count].clone()),
            Self::SwapLines(a, b) => lines.swap(a % count, b % count),
            Self::Insert(at, text) => lines.insert(at % count, text.clone()),
            Self::ChangeCase(at) => lines[at % count] = lines[at % count].to_uppercase(),
            Self::Truncate(at) => lines.truncate(at % count),
            Self::DropLines(from, to) => {
                let (from, to) = (from % count, to % count);
                lines.drain(from.min(to)..from.max(to));
            }
            Self::Replace(from, to) => {
                return text.replace(*from, to);
            }
        }
        lines.join("\n")
    }
}

fn any_mangle() -> impl Strategy<Value = Mangle> {
    let at = 0..200_usize;
    prop_oneof![
        at.clone().prop_map(Mangle::DropLine),
        at.clone().prop_map(Mangle::RepeatLine),
        (at.clone(), at.clone()).prop_map(|(a, b)| Mangle::SwapLines(a, b)),
        (at.clone(), any_content()).prop_map(|(at, text)| Mangle::Insert(at, text)),
        at.clone().prop_map(Mangle::ChangeCase),
        at.clone().prop_map(Mangle::Truncate),
        (at.clone(), at).prop_map(|(a, b)| Mangle::DropLines(a, b)),
        prop::sample::select(vec![('#', "##"), ('_', "*"), ('\n', "\r\n"), ('e', "é")])
            .prop_map(|(from, to)| Mangle::Replace(from, to)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn whatever_is_written_the_file_stays_valid(
        contents in prop::collection::vec(any_content(), 10),
        mangles in prop::collection::vec(any_mangle(), 0..8),
    ) {
        let template = Template::built_in();
        let before = template.print(&Notes::new(template, contents));
        let after = mangles.iter().fold(before.clone(), |text, mangle| mangle.apply(&text));
        let verdict = judge(template, &before, &after, &limits(), &count);
        let file = verdict.text().unwrap_or(&before);
        prop_assert!(Notes::parse(template, file).is_ok(), "{}", file);
        // Judging what was taken changes nothing more.
        let again = judge(template, &before, file, &limits(), &count);
        prop_assert_eq!(again, Verdict::Accepted { text: file.to_owned() });
    }

    #[test]
    fn a_template_of_the_users_own_holds_as_well(
        text in any_content(),
        sections in prop::collection::vec(any_content(), 1..4),
        contents in prop::collection::vec(any_content(), 4),
        mangles in prop::collection::vec(any_mangle(), 0..4),
    ) {
        let sections = sections.iter().enumerate();
        let sections = sections.map(|(at, text)| format!("# Part {at}\n{text}\n"));
        let text: String = [format!("{text}\n")].into_iter().chain(sections).collect();
        if let Ok(template) = Template::parse(&text) {
            let bare = template.bare();
            prop_assert!(bare.is_bare(&template));
            prop_assert_eq!(Notes::parse(&template, &template.print(&bare)), Ok(bare));
            let before = template.print(&Notes::new(&template, contents));
            let after = mangles.iter().fold(before.clone(), |text, mangle| mangle.apply(&text));
            let verdict = judge(&template, &before, &after, &limits(), &count);
            let file = verdict.text().unwrap_or(&before);
            prop_assert!(Notes::parse(&template, file).is_ok(), "{}", file);
        }
    }

    #[test]
    fn one_lost_line_loses_nothing_else(
        contents in prop::collection::vec("[a-z]{1,9}( [a-z]{1,9}){0,5}", 10), at in 0..60_usize
    ) {
        let template = Template::built_in();
        let before = template.print(&Notes::new(template, contents.clone()));
        let lines: Vec<&str> = before.lines().collect();
        let at = at % lines.len();
        let after = [&lines[..at], &lines[at + 1..]].concat().join("\n");
        let verdict = judge(template, &before, &after, &limits(), &count);
        let notes = Notes::parse(template, verdict.text().unwrap()).unwrap();
        let lost: Vec<&str> = contents
            .iter()
            .map(String::as_str)
            .zip(notes.contents())
            .filter_map(|(old, new)| (old != new).then_some(old))
            .collect();
        prop_assert!(lost.iter().all(|lost| lost == &lines[at]), "{lost:?}");
    }
}
