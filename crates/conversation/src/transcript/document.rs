//! A file that is one JSON text: an array of messages, or a request with one in it. Read element by element, so that
//! no more than one is in memory.

use std::fmt;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::ops::ControlFlow;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::{ReadError, Report, Trouble};

/// What stands in the file, as it comes.
pub(super) enum Item<'a> {
    /// A message, with its number from 1.
    Message(u64, &'a RawValue),
    /// A field of the request around them.
    Field(&'a str, &'a RawValue),
}

type Taking<'a> = dyn FnMut(Item<'_>) -> ControlFlow<()> + 'a;

/// The id of a message that has none: its place and a digest of what stands there. The place alone would be that of
/// another message once the file is shortened. FNV-1a, for it has to be the same in every version of this program.
pub(super) fn id(number: u64, raw: &RawValue) -> String {
    let digest = raw
        .get()
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
    let short = (digest >> 32) ^ (digest & 0xffff_ffff);
    format!("m{number}-{short:08x}")
}

/// Hands on the messages of a file and the named fields around them.
pub(super) fn read(
    mut from: impl Read + Seek,
    fields: &'static [&'static str],
    report: &mut Report,
    take: &mut dyn FnMut(Item<'_>, &mut Report) -> ControlFlow<()>,
) -> Result<(), ReadError> {
    let mut start = [0; 3];
    from.seek(SeekFrom::Start(0))?;
    let mark = from.read(&mut start)?;
    let marked = start.get(..mark) == Some(b"\xef\xbb\xbf");
    from.seek(SeekFrom::Start(if marked { 3 } else { 0 }))?;
    let mut stopped = false;
    let mut count = 0;
    let mut taking = |item: Item<'_>| {
        if let Item::Message(number, _) = item {
            count = number;
        }
        let flow = take(item, &mut *report);
        stopped |= flow.is_break();
        flow
    };
    let mut json = serde_json::Deserializer::from_reader(BufReader::new(from));
    let seed = Whole {
        fields,
        take: &mut taking,
    };
    let read = seed.deserialize(&mut json);
    report.lines = count;
    match read {
        Ok(()) => {}
        Err(_) if stopped => {}
        Err(error) if error.is_io() => return Err(ReadError::Io(error.into())),
        Err(error) => {
            let trouble = match error.is_eof() {
                true => Trouble::Unfinished,
                false => Trouble::NotJson(error.to_string()),
            };
            report.problem(count + 1, trouble);
        }
    }
    Ok(())
}

struct Whole<'a, 'b> {
    fields: &'static [&'static str],
    take: &'a mut Taking<'b>,
}

impl<'de> DeserializeSeed<'de> for Whole<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Whole<'_, '_> {
    type Value = ();

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("an array of messages or a request")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<(), A::Error> {
        each(items, self.take)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(name) = map.next_key::<String>()? {
            if name == "messages" {
                map.next_value_seed(Messages(self.take))?;
            } else if self.fields.contains(&name.as_str()) {
                let value: Box<RawValue> = map.next_value()?;
                if (self.take)(Item::Field(&name, &value)).is_break() {
                    return Err(enough());
                }
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

struct Messages<'a, 'b>(&'a mut Taking<'b>);

impl<'de> DeserializeSeed<'de> for Messages<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Messages<'_, '_> {
    type Value = ();

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("an array of messages")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<(), A::Error> {
        each(items, self.0)
    }
}

fn each<'de, A: SeqAccess<'de>>(mut items: A, take: &mut Taking<'_>) -> Result<(), A::Error> {
    let mut number = 0;
    while let Some(item) = items.next_element::<Box<RawValue>>()? {
        number += 1;
        if take(Item::Message(number, &item)).is_break() {
            return Err(enough());
        }
    }
    Ok(())
}

/// There is no other way to leave a visitor early.
fn enough<E: serde::de::Error>() -> E {
    E::custom("enough")
}
