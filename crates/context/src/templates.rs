//! The texts in `prompts/`, compiled once.

use std::sync::LazyLock;

use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, UndefinedBehavior, Value};

/// Every text, by the name under which others include it.
const TEXTS: [(&str, &str); 21] = [
    ("dream.md", include_str!("../prompts/dream.md")),
    ("exclusions.md", include_str!("../prompts/exclusions.md")),
    ("extraction.md", include_str!("../prompts/extraction.md")),
    (
        "extraction_once.md",
        include_str!("../prompts/extraction_once.md"),
    ),
    (
        "hook_after_compaction.md",
        include_str!("../prompts/hook_after_compaction.md"),
    ),
    ("hook_beside.md", include_str!("../prompts/hook_beside.md")),
    (
        "hook_to_keep.md",
        include_str!("../prompts/hook_to_keep.md"),
    ),
    ("index.md", include_str!("../prompts/index.md")),
    ("log.md", include_str!("../prompts/log.md")),
    ("memory.md", include_str!("../prompts/memory.md")),
    ("one_line.md", include_str!("../prompts/one_line.md")),
    ("opening.md", include_str!("../prompts/opening.md")),
    ("reading.md", include_str!("../prompts/reading.md")),
    ("saving.md", include_str!("../prompts/saving.md")),
    ("scratchpad.md", include_str!("../prompts/scratchpad.md")),
    ("search.md", include_str!("../prompts/search.md")),
    ("selector.md", include_str!("../prompts/selector.md")),
    ("short.md", include_str!("../prompts/short.md")),
    ("summary.md", include_str!("../prompts/summary.md")),
    ("types.md", include_str!("../prompts/types.md")),
    ("types_short.md", include_str!("../prompts/types_short.md")),
];

/// A text that could not be made of its template. The templates are part of the program, and every one is rendered in
/// a test, so that nobody should ever meet this.
#[derive(Debug, thiserror::Error)]
#[error("the prompt {name} could not be made: {source}")]
pub struct PromptError {
    /// Which template.
    pub name: &'static str,
    /// What is wrong with it.
    pub source: minijinja::Error,
}

/// Compiles a text when it is first asked for: a process that prints one prompt needs few of them.
static ENVIRONMENT: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut environment = Environment::empty();
    let mut syntax = SyntaxConfig::builder();
    syntax
        .trim_blocks(true)
        .lstrip_blocks(true)
        .keep_trailing_newline(true);
    if let Ok(syntax) = syntax.build() {
        environment.set_syntax(syntax);
    }
    // A value that a template asks for and nobody gave is a mistake, not an empty text.
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_loader(|name| {
        let text = TEXTS.iter().find(|(known, _)| *known == name);
        Ok(text.map(|(_, text)| (*text).to_owned()))
    });
    environment
});

/// Renders one of the texts; one line end at its end, none before it.
pub(crate) fn render(name: &'static str, values: Value) -> Result<String, PromptError> {
    let text = ENVIRONMENT
        .get_template(name)
        .and_then(|template| template.render(values))
        .map_err(|source| PromptError { name, source })?;
    let mut text = text.trim_matches('\n').to_owned();
    text.push('\n');
    Ok(text)
}
