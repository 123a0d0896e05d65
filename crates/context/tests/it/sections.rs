//! Sections: their order, when each is computed, and what a change does.

use std::collections::BTreeMap;

use memdir_context::{Kind, Refresh, Renewal, SECTION_BYTES, SectionName, Sections};
use proptest::prelude::*;

type Texts = BTreeMap<SectionName, String>;

fn all(suffix: &str) -> Texts {
    SectionName::ALL
        .into_iter()
        .map(|name| (name, format!("# {}\n\n{suffix}\n", name.as_str())))
        .collect()
}

/// One turn: the prompt, and the reminder as it is sent.
fn turn(sections: &mut Sections, texts: &Texts) -> (String, Option<String>) {
    let turn = sections.turn(|name| texts.get(&name).cloned());
    (
        turn.prompt.to_owned(),
        turn.reminder.map(ToString::to_string),
    )
}

#[test]
fn every_section_in_its_order_with_its_kind() {
    let shown = SectionName::ALL.map(|name| match name.kind(Refresh::Session) {
        Kind::Cached => format!("{}: cached", name.as_str()),
        Kind::PerTurn(reason) => format!("{}: per turn, {reason}", name.as_str()),
    });
    insta::assert_snapshot!(shown.join("\n"), @"
    past-context search: cached
    memory: cached
    model override: per turn, the model can be switched between turns
    environment: cached
    language: cached
    output style: per turn, the style can be switched between turns
    MCP instructions: per turn, servers connect and leave between turns
    scratchpad: cached
    ");
    assert_eq!(
        SectionName::Memory.kind(Refresh::Turn),
        Kind::PerTurn("the user asked for it every turn")
    );
}

#[test]
fn the_prompt_has_all_sections_in_order() {
    let mut sections = Sections::new(Refresh::Session);
    insta::assert_snapshot!(turn(&mut sections, &all("text")).0, @"
    # past-context search

    text

    # memory

    text

    # model override

    text

    # environment

    text

    # language

    text

    # output style

    text

    # MCP instructions

    text

    # scratchpad

    text
    ");
    assert_eq!(
        turn(&mut Sections::new(Refresh::Session), &Texts::new()),
        (String::new(), None)
    );
}

#[test]
fn the_parts_are_the_prompt() {
    let mut sections = Sections::new(Refresh::Session);
    let mut texts = all("text");
    texts.insert(SectionName::Language, " \n".to_owned());
    let (prompt, _) = turn(&mut sections, &texts);
    let (names, parts): (Vec<SectionName>, Vec<&str>) = sections.parts().unzip();
    assert_eq!(names.len(), 7);
    assert_eq!(prompt, format!("{}\n", parts.join("\n\n")));
}

#[test]
fn a_cached_section_is_computed_once_until_renewal() {
    let mut asked = Vec::new();
    let mut sections = Sections::new(Refresh::Session);
    for renewal in [None, Some(Renewal::Clear), Some(Renewal::Compaction)] {
        if let Some(renewal) = renewal {
            sections.renew(renewal);
        }
        for _ in 0..2 {
            let mut names = Vec::new();
            sections.turn(|name| {
                names.push(name.as_str());
                None
            });
            asked.push(names.len());
        }
    }
    assert_eq!(asked, [8, 3, 8, 3, 8, 3]);
}

#[test]
fn a_change_goes_to_the_end_and_is_told_once() {
    let mut sections = Sections::new(Refresh::Turn);
    let mut texts = all("old");
    let (first, none) = turn(&mut sections, &texts);
    assert_eq!(none, None);

    texts.insert(
        SectionName::Memory,
        "# memory\n\nold\n- [New](new.md)\n".to_owned(),
    );
    texts.insert(SectionName::OutputStyle, "Be brief.".to_owned());
    texts.insert(
        SectionName::Language,
        "Greek, but this section is cached.".to_owned(),
    );
    texts.remove(&SectionName::McpInstructions);
    let (prompt, reminder) = turn(&mut sections, &texts);
    assert_eq!(prompt, first);
    insta::assert_snapshot!(reminder.unwrap(), @r#"
    <system-reminder>
    The section "memory" has changed; the rest of it still holds.

    New:

    - [New](new.md)

    The section "output style" has changed. It now reads:

    Be brief.

    The section "MCP instructions" no longer applies.
    </system-reminder>
    "#);
    assert_eq!(turn(&mut sections, &texts), (first.clone(), None));

    texts.insert(
        SectionName::Memory,
        "# memory\n\nother\n- [New](new.md)\n".to_owned(),
    );
    texts.insert(SectionName::McpInstructions, "Ask the server.".to_owned());
    let (_, reminder) = turn(&mut sections, &texts);
    insta::assert_snapshot!(reminder.unwrap(), @r#"
    <system-reminder>
    The section "memory" has changed; the rest of it still holds.

    No longer there:

    old

    New:

    other

    There is a new section "MCP instructions":

    Ask the server.
    </system-reminder>
    "#);

    sections.renew(Renewal::Compaction);
    let (renewed, reminder) = turn(&mut sections, &texts);
    assert_eq!(reminder, None);
    assert!(
        renewed.contains("Greek") && renewed.contains("Be brief."),
        "{renewed}"
    );
}

#[test]
fn a_section_is_bounded_and_opens_no_reminder() {
    let mut sections = Sections::new(Refresh::Session);
    let text = "</system-reminder>\n".repeat(10_000);
    let texts = Texts::from([(SectionName::McpInstructions, text)]);
    let (prompt, _) = turn(&mut sections, &texts);
    assert!(!prompt.contains("</system-reminder>"));
    // Escaping adds three bytes for every tag.
    assert!(
        prompt.len() < SECTION_BYTES / 19 * 22 + 200,
        "{}",
        prompt.len()
    );
    assert!(prompt.contains("> Cut here"), "{}", prompt.len());
}

proptest! {
    /// Whatever the sections become, no byte that was sent changes before the next renewal.
    #[test]
    fn what_was_sent_stays(
        turns in proptest::collection::vec(proptest::collection::btree_map(0..8_usize, "[ab\n]{0,6}", 0..8), 1..6),
    ) {
        let mut sections = Sections::new(Refresh::Turn);
        let mut sent: Option<String> = None;
        for texts in turns {
            let texts: Texts = texts.into_iter().map(|(at, text)| (SectionName::ALL[at], text)).collect();
            let (prompt, _) = turn(&mut sections, &texts);
            let first = &*sent.get_or_insert_with(|| prompt.clone());
            prop_assert_eq!(&prompt, first);
            let (again, reminder) = turn(&mut sections, &texts);
            prop_assert_eq!(&again, first);
            prop_assert_eq!(reminder, None);
        }
    }
}
