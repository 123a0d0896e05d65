//! Pieces of a message put together: strings behind one another, objects field by field, lists by their index.
//!
//! Strings stay escaped as they came and numbers as they were written, so that what is put together is what a server that
//! does not stream would have sent.

use crate::json::{Fields, escaped, items, quoted};

/// Strings that are said once. Some servers repeat them in every piece.
const ONCE: [&str; 4] = ["role", "id", "type", "name"];
/// The number of an item in its list, which is no part of the message.
const INDEX: &str = "index";

/// A part of a message while it grows.
#[derive(Debug)]
pub(super) enum Part {
    /// A string, still escaped.
    String(String),
    Object(Vec<(String, Part)>),
    List(Vec<(u64, Part)>),
    /// Anything else, as it came.
    Plain(String),
}

impl Part {
    pub(super) fn object() -> Self {
        Self::Object(Vec::new())
    }

    fn of(json: &str) -> Self {
        if let Some(text) = escaped(json) {
            return Self::String(text.to_owned());
        }
        let mut part = match json.as_bytes().first() {
            Some(b'{') => Self::object(),
            Some(b'[') if indexed(json) => Self::List(Vec::new()),
            _ => return Self::Plain(json.to_owned()),
        };
        part.add(json);
        part
    }

    /// Adds the next piece.
    pub(super) fn add(&mut self, json: &str) {
        match self {
            Self::String(text) => text.push_str(escaped(json).unwrap_or("")),
            Self::Object(own) => {
                for (name, value) in Fields::of(json).iter().flat_map(Fields::iter) {
                    add_field(own, name, value);
                }
            }
            Self::List(own) => {
                for item in items(json).unwrap_or_default() {
                    add_item(own, item);
                }
            }
            // What was nothing becomes something.
            Self::Plain(plain) if plain == "null" => *self = Self::of(json),
            Self::Plain(_) if json == "null" => {}
            Self::Plain(plain) => json.clone_into(plain),
        }
    }

    /// All of it as JSON.
    pub(super) fn json(&self) -> String {
        match self {
            Self::String(text) => format!("\"{text}\""),
            Self::Plain(json) => json.clone(),
            Self::List(items) => {
                let items: Vec<String> = items.iter().map(|(_, item)| item.json()).collect();
                format!("[{}]", items.join(","))
            }
            Self::Object(fields) => {
                let fields: Vec<String> = fields
                    .iter()
                    .map(|(name, value)| format!("{}:{}", quoted(name), value.json()))
                    .collect();
                format!("{{{}}}", fields.join(","))
            }
        }
    }
}

fn add_field(own: &mut Vec<(String, Part)>, name: &str, value: &str) {
    match own.iter_mut().find(|(other, _)| other == name) {
        Some((_, Part::String(text))) if ONCE.contains(&name) => {
            if text.is_empty() {
                text.push_str(escaped(value).unwrap_or(""));
            }
        }
        Some((_, part)) => part.add(value),
        None => own.push((name.to_owned(), Part::of(value))),
    }
}

fn add_item(own: &mut Vec<(u64, Part)>, item: &str) {
    let Some(fields) = Fields::of(item) else {
        return;
    };
    let index = fields.number(INDEX).unwrap_or(0);
    let place = match own.iter().position(|(other, _)| *other == index) {
        Some(place) => place,
        None => {
            own.push((index, Part::object()));
            own.len() - 1
        }
    };
    if let Some((_, Part::Object(part))) = own.get_mut(place) {
        for (name, value) in fields.iter().filter(|(name, _)| *name != INDEX) {
            add_field(part, name, value);
        }
    }
}

/// Whether a list is one of numbered items, as those are that grow.
fn indexed(json: &str) -> bool {
    let items = items(json).unwrap_or_default();
    let numbered = |item: &&str| Fields::of(item).is_some_and(|item| item.number(INDEX).is_some());
    !items.is_empty() && items.iter().all(numbered)
}
