//! A whole topic file: its header, its body, and edits that keep every other byte.
//!
//! A file belongs to its user, whose comments, order, quoting, unknown keys, line ends and broken
//! characters are none of our business. So a topic is its bytes, and an edit replaces the few that
//! it is about.

mod compose;
mod edit;
mod entries;
mod paragraph;
mod problem;

use std::borrow::Cow;

use crate::{
    header::{Form, Frame, Header},
    lines::{is_blank, lines_from, part},
};

pub use compose::NewTopic;
pub use edit::EditError;
pub use problem::TopicProblem;

/// A topic file as it is on disk.
///
/// ```
/// use memdir_memory::{MemoryType, Topic};
/// let topic = Topic::parse(b"---\nname: tabs # mine\ntype: user\n---\n\nUse tabs.\n");
/// let edited = topic.with_type(MemoryType::Feedback)?;
/// assert_eq!(edited.bytes(), b"---\nname: tabs # mine\ntype: feedback\n---\n\nUse tabs.\n");
/// # Ok::<(), memdir_memory::EditError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topic {
    bytes: Vec<u8>,
    header: Header,
    form: Form,
    frame: Option<Frame>,
}

impl Topic {
    /// Takes a file apart. Never fails; see [`Topic::problems`].
    pub fn parse(bytes: &[u8]) -> Self {
        Self::from_bytes(bytes.to_vec())
    }

    /// Like [`Topic::parse`], for bytes that need not be copied.
    pub fn from_bytes(bytes: Vec<u8>) -> Self {
        let (header, form) = Header::read_with_form(&bytes);
        let frame = Frame::locate(&bytes);
        Self {
            bytes,
            header,
            form,
            frame,
        }
    }

    /// The fields of its header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The whole file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The whole file.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// What follows the header and the blank lines after it; the whole file where there is none.
    pub fn body(&self) -> &[u8] {
        part(&self.bytes, self.body_start(), self.bytes.len())
    }

    /// The body for reading; bytes that are no text become replacement characters.
    pub fn body_text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(self.body())
    }

    /// The value of any key beneath `metadata`, on one line.
    pub fn metadata(&self, key: &str) -> Option<String> {
        edit::metadata(self, key)
    }

    /// Whether the file has a header.
    pub fn has_header(&self) -> bool {
        self.frame.is_some()
    }

    /// What is not as it should be, in the order of the file.
    pub fn problems(&self) -> Vec<TopicProblem> {
        problem::problems(self)
    }

    fn body_start(&self) -> usize {
        let Some(frame) = self.frame else {
            return crate::header::bom_length(&self.bytes);
        };
        let after = frame.after.unwrap_or(frame.end);
        lines_from(&self.bytes, after)
            .find(|line| !is_blank(line.content(&self.bytes)))
            .map_or(self.bytes.len(), |line| line.start)
    }
}
