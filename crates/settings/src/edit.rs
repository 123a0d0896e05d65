//! Changing one value in the text of a settings file, and no other byte.

use toml_edit::{DocumentMut, Item, Table};

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
    let mut document = parse(text)?;
    let (section, field) = key.parts();
    let table = document
        .as_table_mut()
        .entry(section)
        .or_insert_with(|| Item::Table(Table::new()))
        .as_table_like_mut()
        .ok_or(EditProblem::NotSection(section))?;
    let mut new = value.to_toml();
    match table.get_mut(field) {
        Some(Item::Value(old)) => {
            *new.decor_mut() = old.decor().clone();
            *old = new;
        }
        _ => {
            table.insert(field, Item::Value(new));
        }
    }
    Ok(restored(text, document))
}

/// The text without a setting, known or not; `None` when it does not stand there.
pub fn without_value(text: &str, name: &str) -> Result<Option<String>, EditProblem> {
    let mut document = parse(text)?;
    let root = document.as_table_mut();
    let Some((section, field)) = name.split_once('.') else {
        let removed = root.remove(name);
        return Ok(removed.map(|_| restored(text, document)));
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
    Ok(Some(restored(text, document)))
}

fn parse(text: &str) -> Result<DocumentMut, EditProblem> {
    let own = text.strip_prefix('\u{feff}').unwrap_or(text);
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

/// The document as text, with the mark at its beginning that the parser does not keep.
fn restored(before: &str, document: DocumentMut) -> String {
    let mark = if before.starts_with('\u{feff}') {
        "\u{feff}"
    } else {
        ""
    };
    format!("{mark}{document}")
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
