//! The fingerprint by which contents are told apart.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// The first 128 bits of a content's BLAKE3 hash, as 32 hexadecimal digits in text.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest([u8; 16]);

impl Digest {
    /// The fingerprint of some bytes.
    pub fn of(bytes: &[u8]) -> Digest {
        let mut short = [0; 16];
        for (to, from) in short.iter_mut().zip(blake3::hash(bytes).as_bytes()) {
            *to = *from;
        }
        Digest(short)
    }

    /// Reads the 32 digits.
    pub fn parse(text: &str) -> Option<Digest> {
        (text.len() == 32).then_some(())?;
        u128::from_str_radix(text, 16)
            .ok()
            .map(|number| Digest(number.to_be_bytes()))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", u128::from_be_bytes(self.0))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Digest, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        Digest::parse(&text).ok_or_else(|| de::Error::custom("not a digest"))
    }
}
