//! JSON that is read where it stands and changed by splicing, so that every byte it is not about stays.

use std::borrow::Cow;
use std::ops::Range;

use serde::Deserialize;
use serde::de::{MapAccess, Visitor};
use serde_json::value::RawValue;

/// The fields of an object in their order, doubles included, each value as it stands in the text.
pub(crate) struct Fields<'a>(Vec<(String, &'a str)>);

impl<'a> Fields<'a> {
    /// The fields of an object; `None` when the text is none.
    pub(crate) fn of(text: &'a str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    /// A value by its name. Of two with one name the last counts, as in every JSON reader in use.
    pub(crate) fn get(&self, name: &str) -> Option<&'a str> {
        let found = self.0.iter().rev().find(|(own, _)| own == name)?;
        Some(found.1)
    }

    /// A string by its name.
    pub(crate) fn string(&self, name: &str) -> Option<String> {
        serde_json::from_str(self.get(name)?).ok()
    }

    /// A number of tokens by its name. What is no whole number is as good as absent.
    pub(crate) fn number(&self, name: &str) -> Option<u64> {
        serde_json::from_str(self.get(name)?).ok()
    }

    /// An object by its name.
    pub(crate) fn object(&self, name: &str) -> Option<Fields<'a>> {
        Fields::of(self.get(name)?)
    }

    /// All of them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &'a str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), *value))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Fields<'a> {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Fields<'de>;

            fn expecting(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                to.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut fields = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, &'de RawValue>()? {
                    fields.push((name, value.get()));
                }
                Ok(Fields(fields))
            }
        }
        from.deserialize_map(Reader)
    }
}

/// The items of an array, each as it stands in the text.
pub(crate) fn items(text: &str) -> Option<Vec<&str>> {
    let items: Vec<&RawValue> = serde_json::from_str(text).ok()?;
    Some(items.into_iter().map(RawValue::get).collect())
}

/// A JSON string.
pub(crate) fn quoted(text: &str) -> String {
    // Writing a str as JSON cannot fail.
    serde_json::to_string(text).unwrap_or_default()
}

/// What stands between the quotes of a JSON string, still escaped.
pub(crate) fn escaped(json: &str) -> Option<&str> {
    json.strip_prefix('"')?.strip_suffix('"')
}

/// An object with a field set: the value replaced where it stands, or put at the end. No other byte changes.
pub(crate) fn with_field(object: &str, name: &str, value: &str) -> String {
    let standing = Fields::of(object).and_then(|fields| range_in(object, fields.get(name)?));
    if let Some(Range { start, end }) = standing {
        let before = object.get(..start).unwrap_or_default();
        let after = object.get(end..).unwrap_or_default();
        return [before, value, after].concat();
    }
    let Some(open) = object.trim_end().strip_suffix('}') else {
        return object.to_owned();
    };
    let comma = if open.trim_end().ends_with('{') {
        ""
    } else {
        ","
    };
    format!("{open}{comma}{}:{value}}}", quoted(name))
}

/// Sets a field of an object in place, as [`with_field`] does.
pub(crate) fn set(object: &mut String, name: &str, value: &str) {
    *object = with_field(object, name, value);
}

/// Where a part that was borrowed from a text stands in it.
pub(crate) fn range_in(text: &str, part: &str) -> Option<Range<usize>> {
    let start = (part.as_ptr() as usize).checked_sub(text.as_ptr() as usize)?;
    let end = start.checked_add(part.len())?;
    (text.get(start..end)? == part).then_some(start..end)
}

/// Text that arrives in pieces that are still escaped. A piece may end between the two halves of one character, as those
/// of servers do that write everything in ASCII.
#[derive(Debug, Default)]
pub(crate) struct Unescaping {
    held: String,
}

impl Unescaping {
    /// The text of the next piece, as far as its characters are whole.
    pub(crate) fn next(&mut self, piece: &str) -> Option<String> {
        let whole: Cow<'_, str> = match self.held.is_empty() {
            true => Cow::Borrowed(piece),
            false => Cow::Owned([std::mem::take(&mut self.held).as_str(), piece].concat()),
        };
        let (ready, half) = whole.split_at(whole.len() - half_character(&whole));
        self.held = half.to_owned();
        serde_json::from_str(&format!("\"{ready}\"")).ok()
    }
}

/// How many bytes at the end are the first half of a character that is written as two escapes.
fn half_character(piece: &str) -> usize {
    const ESCAPE: usize = 6;
    let bytes = piece.as_bytes();
    let Some(start) = bytes.len().checked_sub(ESCAPE) else {
        return 0;
    };
    let half = match bytes.get(start..) {
        Some([b'\\', b'u', b'd' | b'D', second, _, _]) => {
            matches!(second, b'8' | b'9' | b'a' | b'b' | b'A' | b'B')
        }
        _ => false,
    };
    // An even number of backslashes before it: this one begins an escape and is not escaped itself.
    let before = bytes.get(..start).unwrap_or_default();
    let backslashes = before.iter().rev().take_while(|byte| **byte == b'\\');
    match half && backslashes.count().is_multiple_of(2) {
        true => ESCAPE,
        false => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_replaced_in_its_place_and_nothing_else_changes() {
        let object = r#"{ "\u0061" : 1.0e+2 , "text":"" ,"z":[ ] }"#;
        let shown = [
            with_field(object, "text", r#""new""#),
            with_field(object, "a", "0"),
            with_field(object, "more", "null"),
            with_field("{ }", "more", "1"),
        ];
        insta::assert_debug_snapshot!(shown, @r#"
        [
            "{ \"\\u0061\" : 1.0e+2 , \"text\":\"new\" ,\"z\":[ ] }",
            "{ \"\\u0061\" : 0 , \"text\":\"\" ,\"z\":[ ] }",
            "{ \"\\u0061\" : 1.0e+2 , \"text\":\"\" ,\"z\":[ ] ,\"more\":null}",
            "{ \"more\":1}",
        ]
        "#);
    }

    #[test]
    fn a_character_in_two_pieces_is_told_once_it_is_whole() {
        let mut text = Unescaping::default();
        let told: Vec<_> = [r"a\ud83d", r"\ude00b", r"\\ud83d", r"\n"]
            .into_iter()
            .map(|piece| text.next(piece))
            .collect();
        insta::assert_debug_snapshot!(told, @r#"
        [
            Some(
                "a",
            ),
            Some(
                "😀b",
            ),
            Some(
                "\\ud83d",
            ),
            Some(
                "\n",
            ),
        ]
        "#);
    }
}
