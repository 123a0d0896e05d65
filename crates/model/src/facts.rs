//! What is known of models: windows, prices, habits. A table, which a user can write over.

use serde::Deserialize;

use crate::price::Price;

const BUILT_IN: &str = include_str!("models.toml");

/// What is known of one model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// How many tokens a request and its answer may have together.
    pub window: u64,
    /// How many tokens an answer may have.
    pub output: u64,
    /// What it costs; `None` where nobody said so.
    pub price: Option<Price>,
    /// The shortest beginning, in tokens, that the provider caches.
    pub least_cached: u64,
    /// Whether it thinks.
    pub thinking: Thinks,
    /// Whether its thinking is bound to the bytes before it.
    pub bound_thinking: bool,
    /// Whether the host may speak in its own name between messages.
    pub system_messages: bool,
}

/// Whether a model thinks before it answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Thinks {
    /// It does not.
    None,
    /// If it is asked to.
    Optional,
    /// It cannot be switched off.
    Always,
}

/// A table of models.
#[derive(Debug, Clone)]
pub struct Catalogue {
    entries: Vec<Entry>,
}

/// Why a user's table is not one.
#[derive(Debug, thiserror::Error)]
#[error("not a table of models: {0}")]
pub struct CatalogueError(String);

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    #[serde(default)]
    model: Vec<Entry>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    window: Option<u64>,
    output: Option<u64>,
    input: Option<f64>,
    answer: Option<f64>,
    write: Option<f64>,
    write_hour: Option<f64>,
    read: Option<f64>,
    least_cached: Option<u64>,
    thinking: Option<Thinks>,
    bound: Option<bool>,
    system_messages: Option<bool>,
}

impl Catalogue {
    /// The table that memdir carries.
    #[must_use]
    pub fn built_in() -> Self {
        // A test reads it: what cannot be read is not released.
        Self::parse(BUILT_IN).unwrap_or_else(|_| Self {
            entries: Vec::new(),
        })
    }

    /// The same with a user's own table before it.
    ///
    /// ```
    /// use memdir_model::Catalogue;
    ///
    /// let own = "[[model]]\nname = \"claude-haiku-*\"\nwindow = 50_000\n";
    /// let facts = Catalogue::built_in().with(own).unwrap().facts("claude-haiku-4-5-20251001");
    /// assert_eq!((facts.window, facts.output), (50_000, 64_000));
    /// ```
    ///
    /// # Errors
    ///
    /// When the text is not TOML, or has fields that no entry has.
    pub fn with(self, own: &str) -> Result<Self, CatalogueError> {
        let mut entries = Self::parse(own)?.entries;
        entries.extend(self.entries);
        Ok(Self { entries })
    }

    fn parse(text: &str) -> Result<Self, CatalogueError> {
        let table: Table = toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(0, |span| {
                let before = text.get(..span.start).unwrap_or_default();
                before.matches('\n').count() + 1
            });
            CatalogueError(format!(
                "line {line}: {}",
                error.message().replace('\n', ", ")
            ))
        })?;
        Ok(Self {
            entries: table.model,
        })
    }

    /// The window of a model that the table names, and not only as one of all.
    #[must_use]
    pub fn window(&self, model: &str) -> Option<u64> {
        let name = plain(model);
        let mut named = self.entries.iter().filter(|entry| entry.name != "*");
        named.find_map(|entry| entry.window.filter(|_| fits(&plain(&entry.name), &name)))
    }

    /// What is known of a model. Something is known of every one.
    #[must_use]
    pub fn facts(&self, model: &str) -> Facts {
        let name = plain(model);
        let found: Vec<&Entry> = self
            .entries
            .iter()
            .filter(|entry| fits(&plain(&entry.name), &name))
            .collect();
        Facts {
            window: first(&found, |entry| entry.window).unwrap_or(8192),
            output: first(&found, |entry| entry.output).unwrap_or(4096),
            price: price(&found),
            least_cached: first(&found, |entry| entry.least_cached).unwrap_or(1024),
            thinking: first(&found, |entry| entry.thinking).unwrap_or(Thinks::None),
            bound_thinking: first(&found, |entry| entry.bound).unwrap_or(false),
            system_messages: first(&found, |entry| entry.system_messages).unwrap_or(false),
        }
    }
}

fn first<T>(found: &[&Entry], field: impl Fn(&Entry) -> Option<T>) -> Option<T> {
    found.iter().find_map(|entry| field(entry))
}

fn price(found: &[&Entry]) -> Option<Price> {
    Price::new(
        first(found, |entry| entry.input)?,
        first(found, |entry| entry.answer)?,
        first(found, |entry| entry.write).unwrap_or(1.0),
        first(found, |entry| entry.write_hour).unwrap_or(1.0),
        first(found, |entry| entry.read).unwrap_or(1.0),
    )
}

/// A model's name without whose it is, and with hyphens only.
fn plain(name: &str) -> String {
    let own = name.rsplit('/').next().unwrap_or(name);
    own.to_ascii_lowercase().replace('.', "-")
}

/// Whether a name fits a pattern in which `*` stands for anything.
fn fits(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| name.strip_prefix(first)) else {
        return false;
    };
    let Some(last) = parts.next_back() else {
        return rest.is_empty();
    };
    for part in parts {
        let Some((_, behind)) = rest.split_once(part) else {
            return false;
        };
        rest = behind;
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_table_knows_every_model_of_its_day() {
        let catalogue = Catalogue::parse(BUILT_IN).unwrap();
        let shown: Vec<String> = [
            "claude-fable-5-2",
            "claude-opus-5.5",
            "anthropic/claude-opus-5-20260401",
            "claude-sonnet-5-5-20261001",
            "claude-haiku-5-5",
            "claude-haiku-4-5-20251001",
            "gpt-5-mini",
            "SmolLM2-135M-Instruct",
        ]
        .into_iter()
        .map(|name| {
            let facts = catalogue.facts(name);
            let price = facts
                .price
                .map_or("no price".to_owned(), |price| price.to_string());
            format!(
                "{name}: {} / {}, {price}, from {}, {:?}{}{}",
                facts.window,
                facts.output,
                facts.least_cached,
                facts.thinking,
                if facts.bound_thinking { ", bound" } else { "" },
                if facts.system_messages {
                    ", system"
                } else {
                    ""
                },
            )
        })
        .collect();
        insta::assert_debug_snapshot!(shown, @r#"
        [
            "claude-fable-5-2: 1000000 / 128000, $8.00 in, $40.00 out, from 2048, Always, bound, system",
            "claude-opus-5.5: 1000000 / 128000, $4.00 in, $20.00 out, from 2048, Always, bound, system",
            "anthropic/claude-opus-5-20260401: 1000000 / 128000, no price, from 2048, Optional, system",
            "claude-sonnet-5-5-20261001: 1000000 / 128000, $2.00 in, $10.00 out, from 2048, Always, bound, system",
            "claude-haiku-5-5: 1000000 / 128000, $0.10 in, $0.50 out, from 2048, Always, bound, system",
            "claude-haiku-4-5-20251001: 200000 / 64000, $1.00 in, $5.00 out, from 4096, Optional",
            "gpt-5-mini: 400000 / 128000, $0.25 in, $2.00 out, from 1024, Always",
            "SmolLM2-135M-Instruct: 8192 / 4096, no price, from 1024, None",
        ]
        "#);
    }

    #[test]
    fn a_users_table_is_told_where_it_is_wrong() {
        let wrong = Catalogue::built_in().with("[[model]]\nname = \"x\"\nprice = 1\n");
        insta::assert_snapshot!(wrong.unwrap_err(), @"not a table of models: line 3: unknown field `price`, expected one of `name`, `window`, `output`, `input`, `answer`, `write`, `write_hour`, `read`, `least_cached`, `thinking`, `bound`, `system_messages`");
    }

    #[test]
    fn patterns() {
        let cases = [
            ("claude-*-5-5*", "claude-opus-5-5-2026", true),
            ("claude-*-5-5*", "claude-opus-5", false),
            ("gpt-5", "gpt-5-mini", false),
            ("*", "", true),
            ("a*a", "a", false),
        ];
        for (pattern, name, expected) in cases {
            assert_eq!(fits(pattern, name), expected, "{pattern} {name}");
        }
    }
}
