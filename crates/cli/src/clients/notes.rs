//! What has to be known to take out of a file exactly what went in.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Notes about one file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Notes {
    /// Whether there was a file.
    pub(super) existed: bool,
    /// Objects and lists that were made, each by the way to it; the empty way is the whole file.
    #[serde(default)]
    pub(super) made: Vec<String>,
    /// What was put behind the first thing in something that was empty.
    #[serde(default)]
    pub(super) gaps: BTreeMap<String, String>,
    /// What was put between the end of the file and what went in.
    #[serde(default)]
    pub(super) before: String,
}

impl Notes {
    /// Those of a file about which nothing is known: what is empty without us was most likely made for us.
    pub(super) fn guessed(containers: Vec<String>) -> Notes {
        Notes {
            existed: true,
            made: containers,
            ..Notes::default()
        }
    }

    /// Takes up what a further change noted.
    pub(super) fn add(&mut self, later: Notes) {
        for way in later.made {
            if !self.made.contains(&way) {
                self.made.push(way);
            }
        }
        self.gaps.extend(later.gaps);
        if !later.before.is_empty() {
            self.before = later.before;
        }
    }
}
