//! New topic files.

use jiff::civil::Date;

use super::Topic;
use crate::{
    MemoryType, Source,
    header::is_key_byte,
    scalar::{self, one_line},
};

/// What a new topic file says.
#[derive(Clone, Debug)]
pub struct NewTopic<'a> {
    /// A short name in words, as links use it.
    pub name: &'a str,
    /// One specific line: it decides whether the memory is ever recalled.
    pub description: &'a str,
    /// What it is about.
    pub memory_type: MemoryType,
    /// Where it came from.
    pub source: Source,
    /// The day from which it no longer holds.
    pub expires: Option<Date>,
    /// Further keys beneath `metadata`. A character that a key cannot have becomes `_`.
    pub metadata: &'a [(&'a str, &'a str)],
    /// Markdown.
    pub body: &'a str,
}

impl Topic {
    /// Writes a new topic file in the form that Claude Code uses today.
    ///
    /// ```
    /// use memdir_memory::{MemoryType, NewTopic, Source, Topic};
    /// let text = Topic::compose(&NewTopic {
    ///     name: "use-tabs",
    ///     description: "Indentation: tabs, never blanks",
    ///     memory_type: MemoryType::Feedback,
    ///     source: Source::User,
    ///     expires: None,
    ///     metadata: &[],
    ///     body: "Use tabs.",
    /// });
    /// assert_eq!(text, r#"---
    /// name: use-tabs
    /// description: "Indentation: tabs, never blanks"
    /// metadata:
    ///   type: feedback
    ///   source: user
    /// ---
    ///
    /// Use tabs.
    /// "#);
    /// ```
    pub fn compose(new: &NewTopic<'_>) -> String {
        let mut text = String::from("---\n");
        push_entry(&mut text, "", "name", new.name);
        push_entry(&mut text, "", "description", new.description);
        text.push_str("metadata:\n");
        push_entry(&mut text, "  ", "type", new.memory_type.as_str());
        push_entry(&mut text, "  ", "source", new.source.as_str());
        if let Some(expires) = new.expires {
            push_entry(&mut text, "  ", "expires", &expires.to_string());
        }
        for (key, value) in new.metadata {
            let key: String = key.chars().map(key_character).collect();
            push_entry(&mut text, "  ", &key, value);
        }
        text.push_str("---\n\n");
        let body = new.body.trim_start_matches(['\n', '\r']).trim_end();
        if !body.is_empty() {
            text.push_str(body);
            text.push('\n');
        }
        text
    }
}

fn push_entry(text: &mut String, indent: &str, key: &str, value: &str) {
    text.push_str(indent);
    text.push_str(key);
    text.push_str(": ");
    text.push_str(&scalar::write(&one_line(value)));
    text.push('\n');
}

fn key_character(c: char) -> char {
    if u8::try_from(c).is_ok_and(is_key_byte) {
        c
    } else {
        '_'
    }
}
