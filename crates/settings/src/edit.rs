//! Changing one value in the text of a settings file, and no other byte.

use toml_edit::{Document, DocumentMut, Item};

use crate::position::position;
use crate::tree::Key;
use crate::value::Value;

/// Why a text cannot be changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EditProblem {
    /// The text is not TOML.
    Syntax {
        /// The line, counted from 1.
        line: usize,
        /// The column in bytes, counted from 1.
        column: usize,
        /// What the parser says.
        message: String,
    },
    /// Something else stands where the section should be.
    NotSection(&'static str),
}

impl std::fmt::Display for EditProblem {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Syntax {
                line,
                column,
                message,
            } => write!(formatter, "{line}:{column}: not TOML ({message})"),
            Self::NotSection(section) => write!(formatter, "`{section}` is not a section in it"),
        }
    }
}

impl std::error::Error for EditProblem {}

/// The text with a setting set.
///
/// ```
/// use memdir_settings::{Key, Value, with_value};
///
/// let key = Key::find("extraction.mode").unwrap();
/// let text = "# mine\nextraction.mode = \"auto\" # for now\n";
/// assert_eq!(
///     with_value(text, key, Value::Word("ask")).unwrap(),
///     "# mine\nextraction.mode = \"ask\" # for now\n"
/// );
/// ```
pub fn with_value(text: &str, key: &Key, value: Value) -> Result<String, EditProblem> {
    let (section, field) = key.parts();
    if let Some(replaced) = with_value_replaced(text, section, field, value) {
        return Ok(replaced);
    }
    let mut document = parse(text)?;
    let Some(standing) = document.as_table_mut().get_mut(section) else {
        return Ok(with_section(text, section, field, value));
    };
    let table = standing
        .as_table_like_mut()
        .ok_or(EditProblem::NotSection(section))?;
    table.insert(field, Item::Value(value.to_toml()));
    Ok(restored(text, &document))
}

/// The text with a new section at its end.
fn with_section(text: &str, section: &str, field: &str, value: Value) -> String {
    let end = if uses_carriage_returns(text) {
        "\r\n"
    } else {
        "\n"
    };
    let before = match without_mark(text) {
        "" => String::new(),
        own if own.ends_with('\n') => end.to_owned(),
        _ => format!("{end}{end}"),
    };
    let value = value.to_toml();
    format!("{text}{before}[{section}]{end}{field} = {value}{end}")
}

/// The text with the bytes of a value replaced, where one stands.
fn with_value_replaced(text: &str, section: &str, field: &str, value: Value) -> Option<String> {
    let own = without_mark(text);
    let document = Document::parse(own).ok()?;
    let item = document.get(section)?.as_table_like()?.get(field)?;
    let span = item.as_value()?.span()?;
    let (before, after) = (own.get(..span.start)?, own.get(span.end..)?);
    let mark = text.get(..text.len() - own.len())?;
    Some(format!("{mark}{before}{}{after}", value.to_toml()))
}

/// The text without a setting, known or not; `None` when it does not stand there.
pub fn without_value(text: &str, name: &str) -> Result<Option<String>, EditProblem> {
    let mut document = parse(text)?;
    let root = document.as_table_mut();
    let Some((section, field)) = name.split_once('.') else {
        let removed = root.remove(name);
        return Ok(removed.map(|_| restored(text, &document)));
    };
    let Some(table) = root.get_mut(section).and_then(Item::as_table_like_mut) else {
        return Ok(None);
    };
    if table.remove(field).is_none() {
        return Ok(None);
    }
    if table.is_empty() && !has_comment(root.get(section)) {
        root.remove(section);
    }
    Ok(Some(restored(text, &document)))
}

fn parse(text: &str) -> Result<DocumentMut, EditProblem> {
    let own = without_mark(text);
    own.parse().map_err(|error: toml_edit::TomlError| {
        let at = error.span().map_or(0, |span| span.start);
        let (line, column) = position(own.as_bytes(), at);
        EditProblem::Syntax {
            line,
            column,
            message: error.message().replace('\n', ", "),
        }
    })
}

fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// The document as text, with what the parser does not keep: the mark at its beginning, and line ends as other systems
/// write them.
fn restored(before: &str, document: &DocumentMut) -> String {
    let own = without_mark(before);
    let mark = before.strip_suffix(own).unwrap_or_default();
    let text = document.to_string();
    match uses_carriage_returns(before) {
        true => format!("{mark}{}", text.replace('\n', "\r\n")),
        false => format!("{mark}{text}"),
    }
}

/// Whether lines end as other systems write them.
fn uses_carriage_returns(text: &str) -> bool {
    text.split_inclusive('\n')
        .next()
        .is_some_and(|line| line.ends_with("\r\n"))
}

/// Whether somebody wrote something beside the head of a section.
fn has_comment(section: Option<&Item>) -> bool {
    let Some(table) = section.and_then(Item::as_table) else {
        return false;
    };
    let decor = table.decor();
    let texts = [decor.prefix(), decor.suffix()];
    texts
        .into_iter()
        .flatten()
        .any(|raw| raw.as_str().is_none_or(|text| text.contains('#')))
}
