//! Objects of JSON, written by hand: every byte that is not meant stays.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

/// A JSON object of strings.
pub(super) fn object(fields: &[(&str, &str)]) -> String {
    let mut json = String::from("{");
    for (number, (name, value)) in fields.iter().enumerate() {
        if number > 0 {
            json.push(',');
        }
        json.push_str(&quoted(name));
        json.push(':');
        json.push_str(&quoted(value));
    }
    json.push('}');
    json
}

/// A JSON string.
pub(crate) fn quoted(text: &str) -> String {
    // Writing a str as JSON cannot fail.
    serde_json::to_string(text).unwrap_or_default()
}

/// A JSON object with fields replaced or left out, the rest byte for byte and in order.
pub(super) fn rewritten(json: &str, mut with: impl FnMut(&str, &str) -> Option<String>) -> String {
    let Ok(fields) = serde_json::from_str::<Fields<'_>>(json) else {
        return json.to_owned();
    };
    let mut written = String::with_capacity(json.len());
    written.push('{');
    for (name, value) in fields.0 {
        if let Some(value) = with(&name, value.get()) {
            if written.len() > 1 {
                written.push(',');
            }
            written.push_str(&quoted(&name));
            written.push(':');
            written.push_str(&value);
        }
    }
    written.push('}');
    written
}

/// The fields of an object in order, doubles included.
struct Fields<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Fields<'a> {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Fields<'de>;

            fn expecting(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                to.write_str("an object")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(
                self,
                mut map: A,
            ) -> Result<Self::Value, A::Error> {
                let mut fields = Vec::new();
                while let Some(entry) = map.next_entry::<String, &'de RawValue>()? {
                    fields.push((Cow::Owned(entry.0), entry.1));
                }
                Ok(Fields(fields))
            }
        }
        from.deserialize_map(Visitor)
    }
}
