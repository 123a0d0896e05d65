//! The short style: the same sections in fewer words.

use memdir_context::{IndexPart, MemoryPrompt, Style};

use crate::prompt::{index, private, variants};

#[test]
fn the_short_style() {
    let index = index();
    let prompt = MemoryPrompt {
        style: Style::Short,
        guidelines: Some("Write in English."),
        ..private(IndexPart::Here(&index))
    };
    insta::assert_snapshot!("short", prompt.render().unwrap());
}

/// The short style leaves out words and examples, no section, and changes no order.
#[test]
fn the_short_style_has_the_same_sections_in_the_same_order() {
    let headings = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| line.starts_with('#'));
        lines.map(str::to_owned).collect()
    };
    let types = |text: &str| -> Vec<String> {
        let parts = text.split("<memory-type name=\"").skip(1);
        parts
            .filter_map(|part| Some(part.split_once('"')?.0.to_owned()))
            .collect()
    };
    let index = index();
    let mut sizes = Vec::new();
    for (name, prompt) in variants() {
        let of = |style, index| {
            let guidelines = Some("Write in English.");
            let prompt = MemoryPrompt {
                style,
                guidelines,
                index,
                ..prompt
            };
            prompt.render().unwrap()
        };
        let (full, short) = (
            of(Style::Full, IndexPart::Here(&index)),
            of(Style::Short, IndexPart::Here(&index)),
        );
        assert_eq!(headings(&full), headings(&short), "{name}");
        assert_eq!(types(&full), types(&short), "{name}");
        assert!(!short.contains("\n\n\n"), "{name}: {short}");
        let short = MemoryPrompt {
            style: Style::Short,
            ..prompt
        };
        let tokens = |prompt: MemoryPrompt<'_>| prompt.render().unwrap().len().div_ceil(4);
        assert!(tokens(short) * 2 < tokens(prompt), "{name}");
        sizes.push(format!("{name}: {} tokens", tokens(short)));
    }
    insta::assert_snapshot!(sizes.join("\n"), @"
    private: 622 tokens
    team: 753 tokens
    agent, user: 637 tokens
    agent, project: 640 tokens
    agent, local: 631 tokens
    daily log: 552 tokens
    daily log, team: 679 tokens
    skip index: 586 tokens
    skip index, team: 653 tokens
    ");
}
