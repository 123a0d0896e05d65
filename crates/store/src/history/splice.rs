//! Contents as differences: one replaced stretch of bytes, or the whole.

use serde::{Deserialize, Serialize};

/// How a content is made from the one before it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Delta {
    /// The content itself.
    Whole(Text),
    /// One stretch replaced.
    Splice {
        /// Where it begins, in bytes.
        at: usize,
        /// How many bytes go.
        cut: usize,
        /// What stands there instead.
        put: Text,
    },
}

/// Bytes as a JSON string where they are one, else as numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Text {
    Utf8(String),
    Bytes(Vec<u8>),
}

impl Text {
    pub(crate) fn new(bytes: &[u8]) -> Text {
        match std::str::from_utf8(bytes) {
            Ok(text) => Text::Utf8(text.to_owned()),
            Err(_) => Text::Bytes(bytes.to_vec()),
        }
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        match self {
            Text::Utf8(text) => text.as_bytes(),
            Text::Bytes(bytes) => bytes,
        }
    }

    /// How many bytes it has.
    pub(crate) fn length(&self) -> u64 {
        u64::try_from(self.as_bytes().len()).unwrap_or(u64::MAX)
    }
}

impl Delta {
    pub(crate) fn whole(bytes: &[u8]) -> Delta {
        Delta::Whole(Text::new(bytes))
    }

    /// The one stretch in which `new` differs from `old`.
    pub(crate) fn between(old: &[u8], new: &[u8]) -> Delta {
        let same = |(a, b): &(&u8, &u8)| a == b;
        let shorter = old.len().min(new.len());
        let mut head = old.iter().zip(new).take_while(same).count();
        // A character of several bytes is never cut in two: what is put in stays readable text.
        while head > 0
            && new
                .get(head)
                .or(old.get(head))
                .is_some_and(|byte| byte & 0xC0 == 0x80)
        {
            head -= 1;
        }
        let mut tail = old
            .iter()
            .rev()
            .zip(new.iter().rev())
            .take(shorter - head)
            .take_while(same)
            .count();
        while tail > 0
            && new
                .get(new.len() - tail)
                .is_some_and(|byte| byte & 0xC0 == 0x80)
        {
            tail -= 1;
        }
        let put = new.get(head..new.len() - tail).unwrap_or_default();
        Delta::Splice {
            at: head,
            cut: old.len() - head - tail,
            put: Text::new(put),
        }
    }

    /// The content that this makes from `old`; `None` when it does not fit.
    pub(crate) fn apply(&self, old: &[u8]) -> Option<Vec<u8>> {
        match self {
            Delta::Whole(text) => Some(text.as_bytes().to_vec()),
            Delta::Splice { at, cut, put } => {
                let head = old.get(..*at)?;
                let tail = old.get(at.checked_add(*cut)?..)?;
                Some([head, put.as_bytes(), tail].concat())
            }
        }
    }

    /// The content that it carries.
    pub(crate) fn text(&self) -> &Text {
        match self {
            Delta::Whole(text) => text,
            Delta::Splice { put, .. } => put,
        }
    }

    /// How many bytes of content it carries.
    pub(crate) fn weight(&self) -> u64 {
        self.text().length()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_splice_makes_the_new_content(old: Vec<u8>, new: Vec<u8>) {
            prop_assert_eq!(Delta::between(&old, &new).apply(&old), Some(new));
        }

        #[test]
        fn a_splice_of_text_is_text(start in ".*", old in ".*", new in ".*", end in ".*") {
            let (old, new) = (format!("{start}{old}{end}"), format!("{start}{new}{end}"));
            let delta = Delta::between(old.as_bytes(), new.as_bytes());
            let is_text = matches!(&delta, Delta::Splice { put: Text::Utf8(_), .. });
            prop_assert!(is_text, "{:?}", delta);
            prop_assert_eq!(delta.apply(old.as_bytes()), Some(new.into_bytes()));
        }

        #[test]
        fn any_splice_on_any_content_is_refused_or_applied(old: Vec<u8>, at: usize, cut: usize, put: Vec<u8>) {
            let _ = Delta::Splice { at, cut, put: Text::new(&put) }.apply(&old);
        }
    }

    #[test]
    fn an_added_line_carries_only_that_line() {
        let old = b"- [A](a.md)\n- [C](c.md)\n";
        let new = b"- [A](a.md)\n- [B](b.md)\n- [C](c.md)\n";
        assert_eq!(Delta::between(old, new).weight(), 12);
    }
}
