//! Rules that hold for certain files: shown once one of these is touched.

use std::path::PathBuf;

use super::block::title;
use super::{Instructions, LoadedFile};
use crate::reminder::Reminder;

/// What comes before them.
const OPENING: &str = "\
Rules for files that were just touched, each under the path of its file. Follow those that bear on the task.";

impl Instructions {
    /// The rules that hold because these files (absolute paths) are touched, without those that were given before: their
    /// paths, and the reminder in which they stand. None where there is nothing to show.
    #[must_use]
    pub fn rules_for(
        &self,
        touched: &[PathBuf],
        given: &[String],
    ) -> Option<(Vec<String>, Reminder)> {
        let mut rules: Vec<&LoadedFile> = Vec::new();
        for rule in touched.iter().flat_map(|path| self.touched(path)) {
            let path = rule.path.to_string_lossy();
            let known = given.iter().any(|given| *given == path)
                || rules.iter().any(|other| other.path == rule.path);
            if !known && !rule.text.trim().is_empty() {
                rules.push(rule);
            }
        }
        if rules.is_empty() {
            return None;
        }
        let mut content = OPENING.to_owned();
        for rule in &rules {
            let text = rule.text.trim_matches(['\n', '\r']);
            content.push_str(&format!("\n\n## {}\n\n{text}", title(rule)));
        }
        let paths = rules
            .iter()
            .map(|rule| rule.path.to_string_lossy().into_owned());
        Some((paths.collect(), Reminder::of(content)))
    }
}
