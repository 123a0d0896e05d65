//! Fields of JSON that may hold anything: what is expected is taken, all else is none.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::{Block, BlockError};

/// A string, or nothing. A number in its place costs the field, not the line.
#[derive(Debug, Default, Clone)]
pub(super) struct Text<'a>(pub(super) Option<Cow<'a, str>>);

impl Text<'_> {
    pub(super) fn get(&self) -> Option<&str> {
        self.0.as_deref()
    }

    pub(super) fn is(&self, word: &str) -> bool {
        self.get() == Some(word)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Anything).map(|found| match found {
            Found::Text(text) => Self(Some(text)),
            _ => Self(None),
        })
    }
}

/// True, or not.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Flag(pub(super) bool);

impl<'de> Deserialize<'de> for Flag {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Anything)
            .map(|found| Self(matches!(found, Found::Bool(true))))
    }
}

/// A whole number that is not negative, or nothing.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Count(pub(super) Option<u64>);

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Anything).map(|found| match found {
            Found::Count(count) => Self(Some(count)),
            _ => Self(None),
        })
    }
}

enum Found<'a> {
    Text(Cow<'a, str>),
    Bool(bool),
    Count(u64),
    Else,
}

struct Anything;

impl<'de> Visitor<'de> for Anything {
    type Value = Found<'de>;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("anything")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Found<'de>, E> {
        Ok(Found::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Found<'de>, E> {
        Ok(Found::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Found<'de>, E> {
        Ok(Found::Bool(value))
    }

    fn visit_u64<E>(self, count: u64) -> Result<Found<'de>, E> {
        Ok(Found::Count(count))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Found<'de>, E> {
        Ok(Found::Else)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Found<'de>, E> {
        Ok(Found::Else)
    }

    fn visit_unit<E>(self) -> Result<Found<'de>, E> {
        Ok(Found::Else)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Found<'de>, A::Error> {
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Found::Else)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Found<'de>, A::Error> {
        while fields.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Found::Else)
    }
}

/// An object with what it is asked for; empty where something else stands.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Lenient<T>(pub(super) T);

impl<'de, T: Deserialize<'de> + Default> Deserialize<'de> for Lenient<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Object(PhantomData))
    }
}

struct Object<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de> + Default> Visitor<'de> for Object<T> {
    type Value = Lenient<T>;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<Lenient<T>, A::Error> {
        T::deserialize(MapAccessDeserializer::new(fields)).map(Lenient)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Lenient<T>, A::Error> {
        Anything.visit_seq(items).map(|_| Lenient::default())
    }

    fn visit_str<E>(self, _: &str) -> Result<Lenient<T>, E> {
        Ok(Lenient::default())
    }

    fn visit_bool<E>(self, _: bool) -> Result<Lenient<T>, E> {
        Ok(Lenient::default())
    }

    fn visit_u64<E>(self, _: u64) -> Result<Lenient<T>, E> {
        Ok(Lenient::default())
    }

    fn visit_i64<E>(self, _: i64) -> Result<Lenient<T>, E> {
        Ok(Lenient::default())
    }

    fn visit_f64<E>(self, _: f64) -> Result<Lenient<T>, E> {
        Ok(Lenient::default())
    }

    fn visit_unit<E>(self) -> Result<Lenient<T>, E> {
        Ok(Lenient::default())
    }
}

/// The object in a raw field, with what it is asked for; empty where it is none.
pub(super) fn object<'a, T: Deserialize<'a> + Default>(raw: Option<&'a RawValue>) -> T {
    raw.and_then(|raw| serde_json::from_str(raw.get()).ok())
        .unwrap_or_default()
}

/// The elements of an array; none where it is no array.
pub(super) fn array(raw: Option<&RawValue>) -> Vec<&RawValue> {
    raw.and_then(|raw| serde_json::from_str(raw.get()).ok())
        .unwrap_or_default()
}

/// A text block around a string that is JSON already, so that a long one is not written out twice.
pub(super) fn text_block(raw: &str) -> Result<Block, BlockError> {
    let mut json = String::with_capacity(raw.len() + 24);
    json.push_str("{\"type\":\"text\",\"text\":");
    json.push_str(raw);
    json.push('}');
    Block::from_json(&json)
}

/// The blocks of a message's content: a string, or an array in the form of Anthropic's API. What is no block goes to
/// `bad`.
pub(super) fn blocks(content: Option<&RawValue>, mut bad: impl FnMut(String)) -> Vec<Block> {
    let Some(content) = content else {
        return Vec::new();
    };
    let made = |raw: &str| match raw.starts_with('"') {
        true => text_block(raw),
        false => Block::from_json(raw),
    };
    let mut blocks = Vec::new();
    let mut take = |raw: &str| match made(raw) {
        Ok(block) => blocks.push(block),
        Err(error) => bad(error.to_string()),
    };
    match content.get().as_bytes().first() {
        Some(b'[') => array(Some(content))
            .into_iter()
            .for_each(|item| take(item.get())),
        Some(b'n') => {}
        _ => take(content.get()),
    }
    blocks
}
