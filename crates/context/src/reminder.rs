//! Reminder blocks: context that is ours and not the user's words.

use std::fmt;

use jiff::civil::Date;

use crate::fragment::{block, block_of, inline};

const OPENING: &str = "<system-reminder>";
const CLOSING: &str = "</system-reminder>";

/// A block that the model reads as context from its host. Whatever text goes in, it opens once and closes once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reminder {
    body: String,
}

impl Reminder {
    /// A reminder with this text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self {
            body: block(text.trim_matches('\n')),
        }
    }

    /// The same, of a text that nobody else needs.
    pub(crate) fn of(text: String) -> Self {
        Self {
            body: block_of(text),
        }
    }

    /// The block before the first message: each part under its title. Parts without text are left out; without any
    /// there is no block.
    ///
    /// ```
    /// use memdir_context::Reminder;
    ///
    /// let block = Reminder::leading([("Date", "2026-11-15"), ("To-do list", "")]).unwrap();
    /// assert!(block.to_string().contains("# Date\n\n2026-11-15"));
    /// assert!(!block.to_string().contains("To-do"));
    /// assert_eq!(Reminder::leading([("Date", "")]), None);
    /// ```
    pub fn leading<'a>(parts: impl IntoIterator<Item = (&'a str, &'a str)>) -> Option<Self> {
        let mut text = String::new();
        for (title, part) in parts {
            let part = part.trim_matches('\n');
            if !part.trim().is_empty() {
                let title = title.replace(['\n', '\r'], " ");
                text.push_str(&format!("\n\n# {title}\n\n{part}"));
            }
        }
        (!text.is_empty()).then(|| {
            Self::new(&format!(
                "Context for this conversation. It may or may not be relevant to what is asked.{text}"
            ))
        })
    }

    /// What to say when the date is another than the one last told; nothing when it is the same. The prompt itself has
    /// no date in it, so that midnight changes none of its bytes.
    ///
    /// ```
    /// use jiff::civil::date;
    /// use memdir_context::Reminder;
    ///
    /// let told = date(2026, 11, 15);
    /// assert_eq!(Reminder::date_changed(told, told, None), None);
    /// let reminder = Reminder::date_changed(told, date(2026, 11, 16), None).unwrap();
    /// assert!(reminder.to_string().contains("2026-11-16"));
    /// ```
    #[must_use]
    pub fn date_changed(told: Date, today: Date, memory_directory: Option<&str>) -> Option<Self> {
        if told == today {
            return None;
        }
        let log = match memory_directory {
            Some(directory) => format!(
                " The log of the day is now `{}/logs/{}`.",
                inline(directory),
                today.strftime("%Y/%m/%Y-%m-%d.md")
            ),
            None => String::new(),
        };
        Some(Self::new(&format!(
            "The date has changed: it is now {today}.{log} There is no need to mention this."
        )))
    }

    /// What stands between the tags.
    #[must_use]
    pub fn body(&self) -> &str {
        &self.body
    }
}

impl fmt::Display for Reminder {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{OPENING}\n{}\n{CLOSING}", self.body)
    }
}
