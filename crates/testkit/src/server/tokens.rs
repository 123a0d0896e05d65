//! How the test server counts tokens: a rule of its own, simple and the same everywhere.
//!
//! - A run of ASCII letters and digits is one token for each five characters begun.
//! - Every other character that is not white space is one token, and so is each line break.
//! - A number, `true`, `false` or `null` in JSON is one token; so is each key of an object.
//! - A block of text is its text; an image or document is 1,500 tokens.
//! - A cache mark and a signature are none.
//! - A tool, a block of the system prompt and a block of a message cost three more each.
//!
//! The script's `token_factor` multiplies the sum, so that an estimator can be held against a
//! count that it cannot know.

use serde_json::Value;

const CHARACTERS_A_TOKEN: u64 = 5;
const MEDIA: u64 = 1500;
/// What a block costs besides its content.
pub(super) const BLOCK: u64 = 3;

/// The tokens of a text.
pub fn of_text(text: &str) -> u64 {
    let mut counter = Counter::default();
    text.chars().for_each(|character| counter.take(character));
    counter.tokens
}

/// Counts the tokens of a text, character by character.
#[derive(Default)]
struct Counter {
    tokens: u64,
    run: u64,
}

impl Counter {
    fn take(&mut self, character: char) {
        if character.is_ascii_alphanumeric() {
            if self.run.is_multiple_of(CHARACTERS_A_TOKEN) {
                self.tokens += 1;
            }
            self.run += 1;
        } else {
            self.run = 0;
            if character == '\n' || !character.is_whitespace() {
                self.tokens += 1;
            }
        }
    }
}

/// The tokens of a JSON value.
pub fn of_value(value: &Value) -> u64 {
    match value {
        Value::String(text) => of_text(text),
        Value::Array(list) => list.iter().map(of_value).sum(),
        Value::Object(fields) => {
            let kind = fields.get("type").and_then(Value::as_str);
            match kind {
                Some("image" | "document" | "image_url") => return MEDIA,
                // The same as the bare string that may stand in its place.
                Some("text") => return fields.get("text").map_or(0, of_value),
                _ => {}
            }
            fields
                .iter()
                .filter(|(key, _)| !matches!(key.as_str(), "cache_control" | "signature"))
                .map(|(_, value)| 1 + of_value(value))
                .sum()
        }
        _ => 1,
    }
}

/// The longest beginning of a text that has at most so many tokens.
pub(super) fn beginning(text: &str, most: u64) -> &str {
    let mut counter = Counter::default();
    let over = text.char_indices().find(|(_, character)| {
        counter.take(*character);
        counter.tokens > most
    });
    let end = over.map_or(text.len(), |(start, _)| start);
    text.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_rule_by_example() {
        let rows: Vec<String> = [
            "",
            "word",
            "longer words",
            "a, b",
            "two\nlines",
            "记忆",
            "x = 12345678",
        ]
        .iter()
        .map(|text| format!("{text:?} {}", of_text(text)))
        .collect();
        insta::assert_snapshot!(rows.join("\n"), @r#"
        "" 0
        "word" 1
        "longer words" 3
        "a, b" 3
        "two\nlines" 3
        "记忆" 2
        "x = 12345678" 4
        "#);
    }

    #[test]
    fn marks_and_signatures_are_free_and_pictures_have_a_price() {
        let plain = json!({"type": "text", "text": "hello"});
        let marked =
            json!({"type": "text", "text": "hello", "cache_control": {"type": "ephemeral"}});
        assert_eq!(of_value(&plain), of_value(&marked));
        assert_eq!(
            of_value(&json!({"type": "image", "source": {"data": "aaaa"}})),
            1500
        );
    }

    #[test]
    fn a_text_is_cut_between_characters() {
        assert_eq!(beginning("one two three", 2), "one two ");
        assert_eq!(beginning("记忆", 1), "记");
        assert_eq!(beginning("short", 9), "short");
    }
}
